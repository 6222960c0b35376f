// Versions, error codes and the last error of each thread.
#include "engine/c_api/guard.hpp"

#include "tilewright/layout/text.hpp"

#include <new>
#include <stdexcept>

namespace tilewright::c_api {
namespace {

static_assert(TW_BAD_LAYOUT == static_cast<int>(copy_errc::bad_layout));
static_assert(TW_DIFFERENT_SHAPES == static_cast<int>(copy_errc::different_shapes));
static_assert(TW_WRITES_TWICE == static_cast<int>(copy_errc::writes_twice));
static_assert(TW_BAD_ELEMENT == static_cast<int>(copy_errc::bad_element));
static_assert(TW_BAD_POINTER == static_cast<int>(copy_errc::bad_pointer));
static_assert(TW_OVERLAPPING == static_cast<int>(copy_errc::overlapping));
static_assert(TW_BAD_OPTION == static_cast<int>(copy_errc::bad_option));
static_assert(TW_NO_DEVICE == static_cast<int>(copy_errc::no_device));
static_assert(TW_DEVICE_FAILED == static_cast<int>(copy_errc::device_failed));
static_assert(TW_OUT_OF_MEMORY == static_cast<int>(copy_errc::out_of_memory));
static_assert(TW_CANCELLED == static_cast<int>(copy_errc::cancelled));
static_assert(TW_INTERNAL == static_cast<int>(copy_errc::internal));

/// A sentence that needs no memory replaces the real one when there is none.
struct last_error {
  std::string text;
  char const* fixed = "";

  void set(std::string&& sentence) noexcept {
    text = std::move(sentence);
    fixed = nullptr;
  }
  void set_fixed(char const* sentence) noexcept { fixed = sentence; }
  char const* get() const noexcept { return fixed != nullptr ? fixed : text.c_str(); }
};

last_error& of_this_thread() noexcept {
  thread_local last_error error;
  return error;
}

/// The sentence of a text_error and, behind it, the text.
std::string with_text(text_error const& e) {
  std::string const caret = e.caret();
  return fmt::format("{}, in '{}'", e.what(), caret.substr(0, caret.size() - e.position() - 2));
}

tw_error keep(tw_error code, std::string&& sentence) {
  of_this_thread().set(std::move(sentence));
  return code;
}

/// post: as handle_exception; std::bad_alloc when there is no memory for the sentence
tw_error classify() {
  try {
    throw;
  } catch (copy_error const& e) {
    return keep(static_cast<tw_error>(e.code()), e.what());
  } catch (text_error const& e) {
    return keep(TW_BAD_LAYOUT, with_text(e));
  } catch (std::invalid_argument const& e) {
    return keep(TW_BAD_OPTION, e.what());
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const& e) {
    return keep(TW_INTERNAL, fmt::format("internal error: {}", e.what()));
  } catch (...) {
    return keep(TW_INTERNAL, "internal error: an exception that is not a std::exception");
  }
}

}  // namespace

tw_error handle_exception() noexcept {
  try {
    return classify();
  } catch (...) {
    of_this_thread().set_fixed("there is not enough memory");
    return TW_OUT_OF_MEMORY;
  }
}

}  // namespace tilewright::c_api

extern "C" {

int32_t tw_abi_version(void) { return TW_ABI_VERSION; }

char const* tw_version(void) { return TILEWRIGHT_VERSION; }

char const* tw_error_name(tw_error code) {
  if (code < TW_OK || code > TW_INTERNAL) return "unknown";
  return tilewright::name_of(static_cast<tilewright::copy_errc>(code));
}

char const* tw_last_error(void) { return tilewright::c_api::of_this_thread().get(); }

}  // extern "C"

// What every function of the C interface does first and last: it reads structures by the size that the caller gave them,
// and converts exceptions to error codes with a sentence.
#pragma once

#include "tilewright/plan/copy_error.hpp"
#include "tilewright/tilewright.h"

#include <fmt/format.h>
#include <cstddef>
#include <cstring>
#include <string>

namespace tilewright::c_api {

/// Keeps the sentence for tw_last_error.
/// post: the code of the exception that is being handled
tw_error handle_exception() noexcept;

/// Calls f; whatever it throws becomes the code that is returned.
template <class F>
tw_error guarded(F const& f) noexcept {
  try {
    f();
    return TW_OK;
  } catch (...) {
    return handle_exception();
  }
}

/// error: copy_error bad_option
template <class T>
T& required(T* pointer, char const* function, char const* argument) {
  if (pointer == nullptr)
    throw copy_error(copy_errc::bad_option, fmt::format("{}: {} is a null pointer", function, argument));
  return *pointer;
}

/// The caller's structure as this library knows it: what an older caller does not have is zero; what a newer one has on
/// top must be zero.
/// pre: the structure had all its members of today in version 1 of the interface
/// error: copy_error bad_option
template <class Struct>
Struct read_structure(Struct const* given, char const* function, char const* argument) {
  std::size_t const size = required(given, function, argument).size;
  if (size < sizeof(Struct))
    throw copy_error(copy_errc::bad_option,
                     fmt::format("{}: {}->size is {}; set it to the size of the structure, {} bytes or more", function,
                                 argument, size, sizeof(Struct)));
  auto const* bytes = reinterpret_cast<unsigned char const*>(given);
  for (std::size_t i = sizeof(Struct); i < size; ++i)
    if (bytes[i] != 0)
      throw copy_error(copy_errc::bad_option,
                       fmt::format("{}: {} says something at byte {} that this version of the library, {}, does not "
                                   "know; set what you do not use to zero",
                                   function, argument, i, tw_version()));
  Struct out;
  std::memcpy(&out, given, sizeof(Struct));
  return out;
}

}  // namespace tilewright::c_api

// Tensors, copies, element types and machines of the C interface.
#include "engine/c_api/handles.hpp"

#include <algorithm>

namespace tilewright::c_api {
namespace {

static_assert(TW_B4 == static_cast<int>(element_type::b4) && TW_B128 == static_cast<int>(element_type::b128));
static_assert(TW_BOOL == static_cast<int>(element_type::boolean) && TW_I64 == static_cast<int>(element_type::i64));
static_assert(TW_U64 == static_cast<int>(element_type::u64) && TW_F8 == static_cast<int>(element_type::f8));
static_assert(TW_F32 == static_cast<int>(element_type::f32) && TW_C128 == static_cast<int>(element_type::c128));
static_assert(TW_CPU == static_cast<int>(device_kind::cpu) && TW_CUDA == static_cast<int>(device_kind::cuda));
static_assert(TW_OVERLAP_REFUSE == static_cast<int>(on_overlap::refuse));
static_assert(TW_OVERLAP_THROUGH_TEMPORARY == static_cast<int>(on_overlap::through_temporary));

bool is_element(tw_element element) { return element >= TW_B4 && element <= TW_C128; }

[[noreturn]] void refuse(std::string const& sentence) { throw copy_error(copy_errc::bad_option, sentence); }

/// pre: out->size was read and is large enough
void write_machine(machine_model const& machine, tw_machine* out) {
  tw_machine found{};
  found.size = out->size;
  std::size_t const length = std::min(machine.name.size(), sizeof(found.name) - 1);
  machine.name.copy(found.name, length);
  found.device = static_cast<tw_device>(machine.kind);
  found.processors = machine.processors;
  found.widest_access_bits = machine.widest_access_bits;
  found.line_bytes = machine.line_bytes;
  found.near_bytes = machine.near_bytes;
  found.block_bytes = machine.block_bytes;
  found.far_bytes = machine.far_bytes;
  found.bytes_per_second = machine.bytes_per_second;
  found.start_seconds = machine.start_seconds;
  found.compute_capability = machine.compute_capability;
  std::memcpy(out, &found, sizeof(found));
}

template <class F>
tw_error machine(tw_machine* out, char const* function, F const& find) noexcept {
  return guarded([&] {
    if (required(out, function, "out").size < sizeof(tw_machine))
      refuse(fmt::format("{}: out->size is {}; set it to the size of the structure, {} bytes or more", function,
                         out->size, sizeof(tw_machine)));
    write_machine(find(), out);
  });
}

}  // namespace

element_type read_element(tw_element element, char const* function) {
  if (!is_element(element))
    throw copy_error(copy_errc::bad_element,
                     fmt::format("{}: there is no element type with the number {}; the last is {}", function, element,
                                 static_cast<int>(TW_C128)));
  return static_cast<element_type>(element);
}

device read_device(tw_device kind, std::int32_t ordinal, char const* function) {
  if (kind != TW_CPU && kind != TW_CUDA)
    refuse(fmt::format("{}: there is no device of the kind {}; TW_CPU is 0 and TW_CUDA is 1", function, kind));
  if (ordinal < 0 || (kind == TW_CPU && ordinal != 0))
    refuse(fmt::format("{}: the ordinal of a {} cannot be {}", function, kind == TW_CPU ? "CPU" : "GPU", ordinal));
  return {static_cast<device_kind>(kind), ordinal};
}

tensor_view read_tensor(tw_tensor const* given, char const* function, char const* argument) {
  tw_tensor const t = read_structure(given, function, argument);
  tw_layout const& layout = required(t.layout, function, fmt::format("{}->layout", argument).c_str());
  if (t.reserved != 0) refuse(fmt::format("{}: {}->reserved is {} and must be 0", function, argument, t.reserved));
  return {t.data, layout.value, read_element(t.element, function), read_device(t.device, t.ordinal, function)};
}

copy_options read_options(tw_copy_options const* given, char const* function) {
  copy_options out;
  if (given == nullptr) return out;
  tw_copy_options const o = read_structure(given, function, "options");
  if (o.reserved != 0) refuse(fmt::format("{}: options->reserved is {} and must be 0", function, o.reserved));
  if (o.overlap != TW_OVERLAP_REFUSE && o.overlap != TW_OVERLAP_THROUGH_TEMPORARY)
    refuse(fmt::format("{}: options->overlap is {}; it is TW_OVERLAP_REFUSE (0) or TW_OVERLAP_THROUGH_TEMPORARY (1)",
                       function, o.overlap));
  if (o.threads < 0)
    refuse(fmt::format("{}: options->threads is {}; it is a number of threads, or 0 for all", function, o.threads));
  out.threads = o.threads;
  out.overlap = static_cast<on_overlap>(o.overlap);
  out.stream = o.stream;
  out.tune = o.tune != 0;
  if (o.progress != nullptr)
    out.progress = [call = o.progress, context = o.progress_context](std::int64_t done, std::int64_t total) {
      return call(context, done, total) == 0;
    };
  return out;
}

}  // namespace tilewright::c_api

using namespace tilewright::c_api;

extern "C" {

tw_error tw_element_named(char const* name, tw_element* out) {
  return guarded([&] {
    tw_element& to = required(out, "tw_element_named", "out");
    auto const found = tilewright::element_type_named(&required(name, "tw_element_named", "name"));
    if (!found)
      throw tilewright::copy_error(
          tilewright::copy_errc::bad_element,
          fmt::format("there is no element type '{}'; there are b4 to b128, bool, i4 to i64, u4 to u64, f8, f16, bf16, "
                      "f32, f64, c64 and c128, and NumPy's names",
                      name));
    to = static_cast<tw_element>(*found);
  });
}

char const* tw_element_name(tw_element element) {
  return is_element(element) ? tilewright::name_of(static_cast<tilewright::element_type>(element)) : nullptr;
}

int32_t tw_element_bits(tw_element element) {
  return is_element(element) ? tilewright::bits_of(static_cast<tilewright::element_type>(element)) : 0;
}

tw_error tw_copy(tw_tensor const* src, tw_tensor const* dst, tw_copy_options const* options) {
  return guarded([&] {
    tilewright::copy(read_tensor(src, "tw_copy", "src"), read_tensor(dst, "tw_copy", "dst"),
                     read_options(options, "tw_copy"));
  });
}

tw_error tw_is_settled(tw_tensor const* src, tw_tensor const* dst, tw_copy_options const* options, int32_t* out) {
  return guarded([&] {
    auto& answer = required(out, "tw_is_settled", "out");
    answer = tilewright::is_settled(read_tensor(src, "tw_is_settled", "src"), read_tensor(dst, "tw_is_settled", "dst"),
                                    read_options(options, "tw_is_settled"));
  });
}

tw_error tw_machine_info(tw_device device, int32_t ordinal, int32_t threads, tw_machine* out) {
  return machine(out, "tw_machine_info", [&] {
    auto const where = read_device(device, ordinal, "tw_machine_info");
    if (threads < 0) refuse(fmt::format("tw_machine_info: threads is {}; it is a number, or 0 for all", threads));
    return tilewright::this_machine(where, threads);
  });
}

tw_error tw_machine_named(char const* name, tw_machine* out) {
  return machine(out, "tw_machine_named",
                 [&] { return tilewright::machine_named(&required(name, "tw_machine_named", "name")); });
}

}  // extern "C"

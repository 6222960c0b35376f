#include "engine/cuda/gpu_engine.hpp"

#include "engine/cuda/embedded_headers.hpp"
#include "engine/cuda/few_bytes.hpp"
#include "engine/cuda/generic_arguments.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace tilewright::gpu {
namespace {

// Of the texts that kernels are found by: changes when the way they are called does.
constexpr char const* key_format = "tilewright kernel 1";

/// Thrown inside the engine alone: the compiler is another one than the folder of kernels names.
struct compiler_changed {};

/// Loading code may allocate, which a thread that captures a stream into a graph may not do unless it says so.
class relaxed_capture {
 public:
  explicit relaxed_capture(driver_api const& api) : api_(api) { api_.cuThreadExchangeStreamCaptureMode(&mode_); }
  ~relaxed_capture() { api_.cuThreadExchangeStreamCaptureMode(&mode_); }
  relaxed_capture(relaxed_capture const&) = delete;
  relaxed_capture& operator=(relaxed_capture const&) = delete;

 private:
  driver_api const& api_;
  capture_mode mode_ = capture_mode::relaxed;
};

/// "64: src 32, dst 1 · 32: src 1, dst 64, elements of 32 bits"
std::string text_of(movement const& m) {
  std::string out;
  for (loop const& l : m.loops)
    out += fmt::format("{}{}: src {}, dst {}", out.empty() ? "" : " · ", l.extent, l.src, l.dst);
  if (!m.has_loops()) out = fmt::format("{} source and {} destination modes", m.src_steps.size(), m.dst_steps.size());
  return fmt::format("{}{}elements of {} bits", out, out.empty() ? "" : ", ", m.element_bits);
}

/// One run of whole bytes on both sides.
bool is_one_run(movement const& m) {
  bool const runs = m.loops.empty() || (m.loops.size() == 1 && m.loops[0].src == 1 && m.loops[0].dst == 1);
  auto const whole = [&](std::int64_t elements) { return m.element_bits % 8 == 0 || elements % 2 == 0; };
  return m.has_loops() && !m.is_swizzled() && runs && whole(m.elements) && whole(m.src_offset) && whole(m.dst_offset);
}

std::int64_t bytes_of(movement const& m, std::int64_t elements) {
  return m.element_bits % 8 == 0 ? elements * (m.element_bits / 8) : elements / 2;
}

}  // namespace

char const* name_of(copy_method method) {
  switch (method) {
    case copy_method::nothing: return "nothing";
    case copy_method::bytes: return "bytes";
    case copy_method::specialised: return "specialised";
    case copy_method::generic: return "generic";
  }
  return "unknown";
}

gpu_engine::gpu_engine(gpu_device const& device, disk_cache disk)
    : device_(device),
      kernels_(std::move(disk)),
      precompiled_(disk_cache({})),
      compiler_(kernels_.disk(), device.driver_release) {}

gpu_engine::code_pointer gpu_engine::load(std::string const& code, std::string const& name) const {
  driver_api const& api = *device_.api;
  std::string const doing = fmt::format("load kernel {} on {}", name, device_.name);
  current_context const scope(api, device_.primary);
  relaxed_capture const relaxed(api);
  loaded_kernel out;
  check(api, api.cuLibraryLoadData(&out.library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "cuLibraryLoadData", doing);
  if (int const status = api.cuLibraryGetKernel(&out.kernel, out.library, name.c_str()); status != cuda_success) {
    api.cuLibraryUnload(out.library);
    check(api, status, "cuLibraryGetKernel", doing);
  }
  return std::make_shared<loaded_kernel const>(out);
}

gpu_engine::code_pointer gpu_engine::specialised_kernel(kernel_spec const& spec) {
  // The second round meets the compiler that the first one opened.
  for (int round = 0;; ++round) {
    auto const facts = compiler_.facts();
    if (!facts) return nullptr;
    std::vector<std::string> const options = compiler_options(*facts, device_.capability, spec.needs_own_instructions);
    std::string const text =
        fmt::format("{}\nCUDA {}.{}\n{}\nheaders {}\nkernel {}\n{}", key_format, facts->major, facts->minor,
                    fmt::join(options, " "), embedded_headers_digest(), spec.name, spec.source);
    auto const compile = [&]() -> std::string {
      nvrtc const* const compiler = compiler_.open();
      if (compiler == nullptr || compiler->facts() != *facts) throw compiler_changed();
      return compiler->compile(spec.source, spec.name + ".cu", options);
    };
    try {
      return kernels_.get(kernel_key(text), compile, [&](std::string const& code) { return load(code, spec.name); });
    } catch (compiler_changed const&) {
      if (round == 1) return nullptr;
    }
  }
}

gpu_engine::code_pointer gpu_engine::generic_kernel(std::string const& name) {
  return precompiled_.get(
      kernel_key(name), [] { return std::string(embedded_generic_kernel()); },
      [&](std::string const& code) { return load(code, name); });
}

void gpu_engine::prepare_specialised(prepared_copy& out, copy_plan const& plan) {
  kernel_spec const spec = make_kernel(plan);
  out.code = specialised_kernel(spec);
  if (!out.code) return;
  out.method = copy_method::specialised;
  out.kernel_name = spec.name;
  std::copy(std::begin(spec.grid), std::end(spec.grid), std::begin(out.grid));
  out.block = spec.block;
  out.shared_bytes = spec.shared_bytes;
  if (spec.shared_bytes <= 48 * 1024) return;  // what every kernel has unasked
  driver_api const& api = *device_.api;
  current_context const scope(api, device_.primary);
  check(api,
        api.cuKernelSetAttribute(kernel_attribute::max_dynamic_shared_bytes, static_cast<int>(spec.shared_bytes),
                                 out.code->kernel, device_.handle),
        "cuKernelSetAttribute",
        fmt::format("give kernel {} {} bytes of shared memory on {}", spec.name, spec.shared_bytes, device_.name));
}

void gpu_engine::prepare_generic(prepared_copy& out, copy_plan const& plan) {
  out.method = copy_method::generic;
  out.kernel_name = generic_kernel_name(plan.moves);
  out.code = generic_kernel(out.kernel_name);
  out.arguments = std::make_unique<generic_arguments const>(arguments_of(plan.moves));
  out.passes = plan.moves.element_bits == 4 ? 2 : 1;
  out.block = 256;
  // Beyond some waves of blocks a thread takes more than what it moves at once.
  std::int64_t const by_block = std::int64_t(out.block) * elements_at_once(plan.moves.element_bits);
  std::int64_t const whole = (plan.moves.elements + by_block - 1) / by_block;
  out.grid[0] = static_cast<unsigned>(std::min<std::int64_t>(whole, std::int64_t(32) * device_.machine.processors));
}

void gpu_engine::prepare_bytes(prepared_copy& out, movement const& m) {
  out.method = copy_method::bytes;
  out.bytes = static_cast<std::uint64_t>(bytes_of(m, m.elements));
  out.src_byte = bytes_of(m, m.src_offset);
  out.dst_byte = bytes_of(m, m.dst_offset);
  if (out.bytes > few_bytes) return;
  out.kernel_name = "tilewright_few_bytes";
  out.code = precompiled_.get(
      kernel_key(out.kernel_name), [] { return std::string(embedded_kernel_for_few_bytes()); },
      [&](std::string const& code) { return load(code, out.kernel_name); });
  out.block = few_bytes_threads;
  std::uint64_t const by_block = few_bytes_threads * few_bytes_of_thread;
  out.grid[0] = static_cast<unsigned>((out.bytes + by_block - 1) / by_block);
}

std::shared_ptr<prepared_copy const> gpu_engine::prepare(copy_plan const& plan, kernel_choice choice) {
  if (plan.machine.kind != device_kind::cuda)
    throw copy_error(copy_errc::bad_option,
                     fmt::format("the plan was made for a CPU ({}); plan the copy for CUDA device {}",
                                 plan.machine.name, device_.ordinal));
  auto out = std::make_shared<prepared_copy>();
  movement const& m = plan.moves;
  out->device = &device_;
  out->movement_text = text_of(m);
  out->alignment = m.element_bits % 8 == 0 ? static_cast<std::uintptr_t>(m.element_bits / 8) : 1;
  if (m.elements == 0) return out;
  if (choice == kernel_choice::best && is_one_run(m)) {
    prepare_bytes(*out, m);
    return out;
  }
  // Only the precompiled kernel takes odd layouts and half bytes.
  bool const has_source = m.has_loops() && m.element_bits >= 8 && std::holds_alternative<cuda_schedule>(plan.schedule);
  if (choice == kernel_choice::best && has_source) prepare_specialised(*out, plan);
  if (!out->code) prepare_generic(*out, plan);
  return out;
}

}  // namespace tilewright::gpu

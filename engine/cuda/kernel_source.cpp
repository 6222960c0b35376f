// A kernel's text: its body's header (engine/kernels/cuda/NAME), the constants that it is instantiated with, and a call.
#include "engine/cuda/kernel_source.hpp"

#include "engine/kernels/cuda/gather/numbers.hpp"
#include "engine/kernels/cuda/parts/mode_numbers.hpp"
#include "engine/kernels/cuda/parts/text.hpp"
#include "engine/kernels/cuda/realigned/shape.hpp"
#include "engine/kernels/cuda/tile/numbers.hpp"

namespace tilewright::gpu {
namespace {

/// What a kernel's text is made from. The body is a class over `shape` whose run(block, shared, src, dst) is the kernel, without
/// `shared` where it needs none.
struct kernel_parts {
  char const *header, *body;
  std::string shape;
  std::int64_t shared_bytes = 0;
};

kernel_parts parts_of(copy_plan const& plan, cuda_schedule const& s) {
  switch (s.kernel) {
    case cuda_kernel::runs: return {"runs/body", "runs_copy", kernels::shape_text(kernels::mode_numbers_of(plan))};
    case cuda_kernel::staged:
      return {"staged/body", "staged_copy", kernels::shape_text(kernels::mode_numbers_of(plan)), s.shared_bytes};
    case cuda_kernel::gather:
      return {"gather/body", "gather_copy", kernels::shape_text(kernels::gather_numbers_of(plan))};
    case cuda_kernel::realigned:
      return {"realigned/body", "realigned_tile", kernels::realigned_shape_text(plan), s.shared_bytes};
    case cuda_kernel::tile: break;
  }
  kernels::tile_numbers const n = kernels::numbers_of(plan);
  if (s.stages > 0) return {"tile/body_pipelined", "pipelined_copy", kernels::shape_text(n), n.shared_bytes};
  return {"tile/body", "tile_copy", kernels::shape_text(n), n.shared_bytes};
}

}  // namespace

kernel_spec make_kernel(copy_plan const& plan) {
  using kernels::line;
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  kernel_parts const parts = parts_of(plan, s);
  kernel_spec spec;
  spec.name = "tilewright_copy";
  spec.grid[0] = static_cast<unsigned>(s.blocks);
  spec.block = static_cast<unsigned>(s.threads);
  spec.shared_bytes = static_cast<unsigned>(parts.shared_bytes);
  std::string& text = spec.source;
  line(text, "#include \"engine/kernels/cuda/{}.hpp\"", parts.header);
  text += parts.shape;
  line(text, "extern \"C\" __global__ void __launch_bounds__({}, {}) tilewright_copy(void const* src, void* dst) {{",
       s.threads, s.blocks_per_processor);
  bool const has_shared = parts.shared_bytes > 0;
  if (has_shared) line(text, "  extern __shared__ __align__(16) unsigned char shared[];");
  line(text, "  tilewright::kernels::bare_block block;");
  line(text, "  tilewright::kernels::{}<shape>::run(block, {}src, dst);", parts.body, has_shared ? "shared, " : "");
  line(text, "}}");
  return spec;
}

}  // namespace tilewright::gpu

// The kernel between planes and their interleaved form: the numbers of an interleaved_tile, and where it begins.
#include "engine/cuda/kernel_text.hpp"
#include "engine/plan/cuda_interleaved.hpp"

#include <cstdint>

namespace tilewright::gpu {
namespace {

loop const& loop_of(copy_plan const& plan, int l) { return plan.moves.loops[static_cast<std::size_t>(l)]; }

}  // namespace

void write_interleaved_shape(std::string& text, copy_plan const& plan) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  bool const from_planes = tilewright::plan::joins_planes(plan.moves, s);
  loop const& planes = loop_of(plan, from_planes ? s.write.loop : s.read.loop);
  loop const& places = loop_of(plan, from_planes ? s.read.loop : s.write.loop);
  int const bytes = plan.moves.element_bits / 8;
  line(text, "struct shape {{");
  line(text, "  static constexpr int element = {}, planes = {}, threads = {}, vector = {};", bytes, planes.extent,
       s.threads, (from_planes ? s.read.vector : s.write.vector) * bytes);
  line(text, "  static constexpr long long places = {}LL, plane_stride = {}LL;", places.extent,
       from_planes ? planes.src : planes.dst);
  line(text, "}};");
}

void write_interleaved(std::string& text, copy_plan const& plan) {
  movement const& m = plan.moves;
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  int const bytes = m.element_bits / 8,
            along = tilewright::plan::joins_planes(plan.moves, s) ? s.read.loop : s.write.loop;
  line(text, "  extern __shared__ __align__(16) unsigned char shared[];");
  line(text, "  unsigned block = blockIdx.x;");
  line(text, "  long long p0 = 0, from = {}LL, to = {}LL;", m.src_offset, m.dst_offset);
  for (std::size_t g = 0; g < s.grid.size(); ++g) {
    cuda_mode const& mode = s.grid[g];
    bool const last = g + 1 == s.grid.size();
    std::string const index = last ? "block" : fmt::format("block % {}u", mode.extent);
    if (mode.loop == along) {
      line(text, "  p0 = static_cast<long long>({}) * {};", index, mode.step);
    } else {
      line(text, "  from += static_cast<long long>({}) * {}LL;", index, loop_of(plan, mode.loop).src * mode.step);
      line(text, "  to += static_cast<long long>({}) * {}LL;", index, loop_of(plan, mode.loop).dst * mode.step);
    }
    if (!last) line(text, "  block /= {}u;", mode.extent);
  }
  line(text,
       "  interleaved_tile<shape>(p0, shared).{0}(static_cast<unsigned char const*>(src) + from * {1}, "
       "static_cast<unsigned char*>(dst) + to * {1});",
       tilewright::plan::joins_planes(plan.moves, s) ? "join" : "split", bytes);
}

}  // namespace tilewright::gpu

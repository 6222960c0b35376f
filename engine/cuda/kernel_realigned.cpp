// The kernel for turns between rows that begin at any element: the numbers of a realigned_tile, and where it begins.
#include "engine/cuda/kernel_text.hpp"
#include "tilewright/plan/movement.hpp"

#include <cstdint>

namespace tilewright::gpu {

namespace {

loop const& loop_of(copy_plan const& plan, int l) { return plan.moves.loops[static_cast<std::size_t>(l)]; }

}  // namespace

void write_realigned_shape(std::string& text, copy_plan const& plan) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  int const i = s.write.loop, j = s.read.loop;
  line(text, "struct shape {{");
  line(text, "  static constexpr int element = {}, threads = {}, tile_i = {}, tile_j = {}, sector = {};",
       plan.moves.element_bits / 8, s.threads, plan.tile[static_cast<std::size_t>(i)],
       plan.tile[static_cast<std::size_t>(j)], s.images.sector);
  line(text, "  static constexpr int source_pitch = {}, target_pitch = {}, target_group = {};", s.images.source_pitch,
       s.images.target_pitch, s.images.target_group);
  line(text, "  static constexpr int read_at_once = {}, unroll = {};", s.read.at_once, s.write.at_once);
  line(text, "  static constexpr long long extent_i = {}LL, extent_j = {}LL, src_i = {}LL, dst_j = {}LL;",
       loop_of(plan, i).extent, loop_of(plan, j).extent, loop_of(plan, i).src, loop_of(plan, j).dst);
  line(text, "}};");
}

void write_realigned(std::string& text, copy_plan const& plan) {
  movement const& m = plan.moves;
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  int const bytes = m.element_bits / 8, i = s.write.loop, j = s.read.loop;
  line(text, "  extern __shared__ __align__(16) unsigned char shared[];");
  line(text, "  unsigned block = blockIdx.x;");
  line(text, "  long long i0 = 0, j0 = 0, from = {}LL, to = {}LL;", m.src_offset, m.dst_offset);
  for (std::size_t g = 0; g < s.grid.size(); ++g) {
    cuda_mode const& mode = s.grid[g];
    bool const last = g + 1 == s.grid.size();
    std::string const index = last ? "block" : fmt::format("block % {}u", mode.extent);
    if (mode.loop == i || mode.loop == j) {
      line(text, "  {} = static_cast<long long>({}) * {};", mode.loop == i ? "i0" : "j0", index, mode.step);
    } else {
      line(text, "  from += static_cast<long long>({}) * {}LL;", index, loop_of(plan, mode.loop).src * mode.step);
      line(text, "  to += static_cast<long long>({}) * {}LL;", index, loop_of(plan, mode.loop).dst * mode.step);
    }
    if (!last) line(text, "  block /= {}u;", mode.extent);
  }
  offset_range const range = source_range(m);
  line(text, "  auto const* const source = static_cast<char const*>(src);");
  line(text,
       "  realigned_tile<shape>(source + from * {0}, static_cast<char*>(dst) + to * {0}, i0, j0, source + {1}LL, "
       "source + "
       "{2}LL, shared).copy();",
       bytes, range.first * bytes, (range.last + 1) * bytes);
}

}  // namespace tilewright::gpu

#include "engine/kernels/cuda/realigned/shape.hpp"

#include "engine/kernels/cuda/parts/text.hpp"
#include "tilewright/plan/movement.hpp"

#include <cstddef>

namespace tilewright::kernels {

std::string realigned_shape_text(copy_plan const& plan) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  movement const& m = plan.moves;
  auto const along = static_cast<std::size_t>(s.write.loop), across = static_cast<std::size_t>(s.read.loop);
  loop const &i = m.loops[along], &j = m.loops[across];
  offset_range const range = source_range(m);
  int const element = m.element_bits / 8;
  std::string out;
  line(out, "struct shape {{");
  line(out, "  static constexpr int element = {}, threads = {}, tile_i = {}, tile_j = {}, sector = {}, pitch = {};",
       element, s.threads, plan.tile[along], plan.tile[across], s.image.sector, s.image.pitch);
  line(out, "  static constexpr int read_at_once = {}, grid_modes = {};", s.read.at_once, s.grid.size());
  line(out, "  static constexpr bool evict_source_last = {};", s.evict_source_last);
  line(out, "  static constexpr long long extent_i = {}LL, extent_j = {}LL, src_i = {}LL, dst_j = {}LL;", i.extent,
       j.extent, i.src, j.dst);
  line(out, "  static constexpr long long src_begin = {}LL, dst_begin = {}LL, src_low = {}LL, src_high = {}LL;",
       m.src_offset, m.dst_offset, range.first * element, (range.last + 1) * element);
  list_text(out, "grid_mode", "tilewright::kernels::realigned_mode", s.grid, [&](cuda_mode const& g) {
    auto const l = static_cast<std::size_t>(g.loop);
    if (l == along) return fmt::format("{{{}u, {}, 0, 0, 0}}", g.extent, g.step);
    if (l == across) return fmt::format("{{{}u, 0, {}, 0, 0}}", g.extent, g.step);
    return fmt::format("{{{}u, 0, 0, {}LL, {}LL}}", g.extent, m.loops[l].src * g.step, m.loops[l].dst * g.step);
  });
  line(out, "}};");
  return out;
}

}  // namespace tilewright::kernels

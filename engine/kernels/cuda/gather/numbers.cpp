#include "engine/kernels/cuda/gather/numbers.hpp"

#include "engine/kernels/cuda/parts/text.hpp"

#include <cstddef>

namespace tilewright::kernels {
namespace {

void modes_text(std::string& out, char const* name, std::vector<gathered_mode> const& modes) {
  list_text(out, name, "tilewright::kernels::gathered_mode", modes,
            [](gathered_mode const& m) { return fmt::format("{{{}LL, {}LL}}", m.extent, m.stride); });
}

}  // namespace

gather_numbers gather_numbers_of(copy_plan const& plan) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  movement const& m = plan.moves;
  gather_numbers n;
  n.bits = m.element_bits;
  n.vector = s.write.vector;
  n.at_once = s.write.at_once;
  n.threads = s.threads;
  n.common = m.has_loops();
  n.wide = m.elements >= std::int64_t{1} << 31;
  n.items = m.elements / n.vector;
  n.src_begin = m.src_offset;
  n.dst_begin = m.dst_offset;
  n.src_swizzle = m.src_swizzle;
  n.dst_swizzle = m.dst_swizzle;
  for (std::size_t l = 0; n.common && l < m.loops.size(); ++l) {
    loop const& c = m.loops[l];
    std::int64_t const step = l == 0 ? n.vector : 1;
    n.src_modes.push_back({c.extent / step, c.src * step});
    n.dst_modes.push_back({c.extent / step, c.dst * step});
    if (l == 0) n.src_along = c.src;
  }
  if (!n.common) {
    for (step const& x : m.src_steps) n.src_modes.push_back({x.extent, x.stride});
    for (step const& x : m.dst_steps) n.dst_modes.push_back({x.extent, x.stride});
  }
  return n;
}

std::string shape_text(gather_numbers const& n) {
  std::string out;
  line(out, "struct shape {{");
  line(out, "  using index = {};", n.wide ? "unsigned long long" : "unsigned");
  line(out, "  static constexpr int bits = {}, vector = {}, at_once = {}, threads = {};", n.bits, n.vector, n.at_once,
       n.threads);
  line(out, "  static constexpr bool common = {};", n.common);
  line(out, "  static constexpr int src_modes = {}, dst_modes = {};", n.src_modes.size(), n.dst_modes.size());
  line(out, "  static constexpr long long items = {}LL, src_begin = {}LL, dst_begin = {}LL, src_along = {}LL;", n.items,
       n.src_begin, n.dst_begin, n.src_along);
  swizzles_text(out, n.src_swizzle, n.dst_swizzle);
  modes_text(out, "src_mode", n.src_modes);
  modes_text(out, "dst_mode", n.dst_modes);
  line(out, "}};");
  return out;
}

}  // namespace tilewright::kernels

#include "engine/kernels/cuda/parts/mode_numbers.hpp"

#include "engine/kernels/cuda/parts/text.hpp"
#include "engine/plan/cuda_modes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace tilewright::kernels {
namespace {

using std::int64_t;

/// Do offsets of a side within a tile need 64 bits, in bytes?
bool is_wide(copy_plan const& plan, bool source) {
  int64_t span = 0;
  for (std::size_t l = 0; l < plan.tile.size(); ++l) {
    loop const& c = plan.moves.loops[l];
    int64_t const steps = plan.tile[l] - 1, s = std::abs(source ? c.src : c.dst);
    if (s > 0 && steps > (int64_t{1} << 31) / s) return true;
    span += 2 * steps * s * (plan.moves.element_bits / 8);
  }
  return span >= int64_t{1} << 31;
}

std::vector<stepping_mode> stepping(std::vector<cuda_mode> const& modes, std::vector<shared_mode> const& shared) {
  std::vector<stepping_mode> out;
  for (cuda_mode const& m : modes) {
    int64_t const place = shared.empty() ? 0 : shared[static_cast<std::size_t>(m.loop)](m.step);
    out.push_back({m.loop, m.step, static_cast<unsigned>(m.extent), static_cast<int>(place)});
  }
  return out;
}

mode_numbers::access access_of(cuda_access const& a, std::vector<shared_mode> const& shared) {
  mode_numbers::access out;
  out.loop = a.loop;
  out.vector = a.vector;
  out.values = static_cast<int>(plan::size_of(a.values));
  out.at_once = std::min(out.values, a.at_once);
  out.active = static_cast<int>(plan::size_of(a.threads));
  out.thread_modes = stepping(a.threads, shared);
  out.value_modes = stepping(a.values, shared);
  return out;
}

void modes_text(std::string& out, char const* name, std::vector<stepping_mode> const& modes) {
  list_text(out, name, "tilewright::kernels::stepping_mode", modes, [](stepping_mode const& m) {
    return fmt::format("{{{}, {}LL, {}u, {}}}", m.loop, m.step, m.extent, m.place);
  });
}

void access_text(std::string& out, char const* name, mode_numbers::access const& a) {
  line(out, "  struct {} {{", name);
  line(out, "  static constexpr int loop = {}, vector = {}, at_once = {}, values = {}, active = {};", a.loop, a.vector,
       a.at_once, a.values, a.active);
  line(out, "  static constexpr int thread_modes = {}, value_modes = {};", a.thread_modes.size(), a.value_modes.size());
  modes_text(out, "thread_mode", a.thread_modes);
  modes_text(out, "value_mode", a.value_modes);
  line(out, "  }};");
}

}  // namespace

mode_numbers mode_numbers_of(copy_plan const& plan) {
  auto const& s = std::get<cuda_schedule>(plan.schedule);
  movement const& m = plan.moves;
  mode_numbers n;
  n.element = m.element_bits / 8;
  n.threads = s.threads;
  n.packed = s.packed;
  n.evict_source_last = s.evict_source_last;
  n.src_wide = is_wide(plan, true);
  n.dst_wide = is_wide(plan, false);
  n.src_begin = m.src_offset;
  n.dst_begin = m.dst_offset;
  n.src_swizzle = m.src_swizzle;
  n.dst_swizzle = m.dst_swizzle;
  for (std::size_t l = 0; l < m.loops.size(); ++l)
    n.loops.push_back({m.loops[l].extent, static_cast<int>(plan.tile[l]), m.loops[l].src, m.loops[l].dst});
  n.grid = stepping(s.grid, {});
  n.read = access_of(s.read, s.shared);
  n.write = access_of(s.write, s.shared);
  if (!s.shared.empty()) n.column_step = static_cast<int>(s.shared[static_cast<std::size_t>(s.write.loop)](1));
  return n;
}

std::string shape_text(mode_numbers const& n) {
  std::string out;
  line(out, "struct shape {{");
  line(out, "  using src_offset = {};", n.src_wide ? "long long" : "int");
  line(out, "  using dst_offset = {};", n.dst_wide ? "long long" : "int");
  line(out, "  static constexpr int element = {}, threads = {}, packed = {}, column_step = {};", n.element, n.threads,
       n.packed, n.column_step);
  line(out, "  static constexpr int loops = {}, grid_modes = {};", n.loops.size(), n.grid.size());
  line(out, "  static constexpr bool evict_source_last = {};", n.evict_source_last);
  line(out, "  static constexpr long long src_begin = {}LL, dst_begin = {}LL;", n.src_begin, n.dst_begin);
  swizzles_text(out, n.src_swizzle, n.dst_swizzle);
  list_text(out, "loop", "tilewright::kernels::copied_loop", n.loops, [](copied_loop const& c) {
    return fmt::format("{{{}LL, {}, {}LL, {}LL}}", c.extent, c.tile, c.src, c.dst);
  });
  modes_text(out, "grid_mode", n.grid);
  access_text(out, "read", n.read);
  access_text(out, "write", n.write);
  line(out, "}};");
  return out;
}

}  // namespace tilewright::kernels

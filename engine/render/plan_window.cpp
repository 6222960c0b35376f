// Chooses which loops become rows and which columns, and inverts a GPU schedule's thread-value layouts.
#include "engine/render/plan_window.hpp"

#include "engine/plan/cuda_modes.hpp"
#include "tilewright/base/math.hpp"

#include <algorithm>
#include <cstdlib>

namespace tilewright::render {
namespace {

constexpr std::int64_t max_rows = 16, max_columns = 32;

using math::floor_mod;
using plan::size_of;

/// The first modes, as far as there is room.
std::vector<cuda_mode> clipped(std::vector<cuda_mode> const& modes, std::int64_t room) {
  std::vector<cuda_mode> out;
  for (cuda_mode const& m : modes) {
    std::int64_t const extent = std::min(m.extent, room);
    if (extent > 1) out.push_back({m.loop, m.step, extent});
    if (extent < m.extent) break;
    room /= extent;
  }
  return out;
}

/// One loop of the tile, in steps of the grain.
cuda_mode mode_of(copy_plan const& plan, int loop, std::int64_t grain) {
  auto const tile = plan.tile[static_cast<std::size_t>(loop)];
  return {loop, grain, (tile + grain - 1) / grain};
}

void by_cpu(copy_plan const& plan, cpu_schedule const& s, plan_window& w) {
  movement const& m = plan.moves;
  bool const has_run = !m.loops.empty() && m.loops[0].src == 1 && m.loops[0].dst == 1;
  if (s.kernel == cpu_kernel::tile ||
      s.kernel == cpu_kernel::imaged) {  // what is contiguous in the destination is a row
    std::int64_t next = 1;
    for (int l = 0; l < static_cast<int>(m.loops.size()); ++l) {
      auto const at = static_cast<std::size_t>(l);
      if (plan.tile[at] == 1) continue;
      bool const goes_on = m.loops[at].dst == next;
      (goes_on ? w.columns : w.rows).push_back(mode_of(plan, l, 1));
      if (goes_on) next *= plan.tile[at];
    }
    return;
  }
  w.grain = has_run ? plan.tile[0] : 1;
  for (int const l : s.row_loops) w.columns.push_back(mode_of(plan, l, 1));
  for (int const l : s.column_loops) w.rows.push_back(mode_of(plan, l, 1));
}

void by_cuda(copy_plan const& plan, cuda_schedule const& s, plan_window& w) {
  movement const& m = plan.moves;
  bool const runs = s.kernel == cuda_kernel::runs;
  int const along_dst = runs ? 0 : s.write.loop, along_src = runs ? 0 : s.read.loop;
  w.grain = runs ? s.read.vector : 1;
  w.columns.push_back(mode_of(plan, along_dst, along_dst == 0 ? w.grain : 1));
  if (along_src != along_dst) w.rows.push_back(mode_of(plan, along_src, 1));
  // What goes on in the destination where the run ends is part of a row, all else of a column.
  std::int64_t next = m.loops[static_cast<std::size_t>(along_dst)].dst * plan.tile[static_cast<std::size_t>(along_dst)];
  for (int l = 0; l < static_cast<int>(m.loops.size()); ++l) {
    auto const at = static_cast<std::size_t>(l);
    if (l == along_src || l == along_dst || plan.tile[at] == 1) continue;
    bool const goes_on = m.loops[at].dst == next;
    (goes_on ? w.columns : w.rows).push_back(mode_of(plan, l, 1));
    if (goes_on) next *= plan.tile[at];
  }
}

}  // namespace

coordinate coordinate_at(std::vector<cuda_mode> const& modes, std::int64_t index, std::size_t loops) {
  coordinate x(loops, 0);
  for (cuda_mode const& m : modes) {
    x[static_cast<std::size_t>(m.loop)] += index % m.extent * m.step;
    index /= m.extent;
  }
  return x;
}

coordinate plan_window::at(std::int64_t row, std::int64_t column) const {
  coordinate x = coordinate_at(rows, row, loops);
  coordinate const along = coordinate_at(columns, column, loops);
  for (std::size_t l = 0; l < loops; ++l) x[l] += along[l];
  return x;
}

plan_window window_of(copy_plan const& plan) {
  plan_window w;
  w.loops = plan.moves.loops.size();
  if (auto const* cpu = std::get_if<cpu_schedule>(&plan.schedule)) by_cpu(plan, *cpu, w);
  if (auto const* gpu = std::get_if<cuda_schedule>(&plan.schedule)) by_cuda(plan, *gpu, w);
  std::int64_t const all = size_of(w.rows) * size_of(w.columns);
  std::vector<cuda_mode> const columns = clipped(w.columns, max_columns);
  // A single long row goes on in the rows below.
  if (size_of(w.rows) == 1 && columns.size() == 1 && columns[0].extent < w.columns[0].extent)
    w.rows = {{columns[0].loop, columns[0].step * columns[0].extent,
               (w.columns[0].extent + columns[0].extent - 1) / columns[0].extent}};
  w.columns = columns;
  w.rows = clipped(w.rows, max_rows);
  w.row_count = size_of(w.rows);
  w.column_count = size_of(w.columns);
  w.is_whole = w.row_count * w.column_count >= all;
  return w;
}

std::int64_t offset_of(movement const& m, bool source, coordinate const& x) {
  std::int64_t offset = source ? m.src_offset : m.dst_offset;
  for (std::size_t l = 0; l < x.size(); ++l) offset += x[l] * (source ? m.loops[l].src : m.loops[l].dst);
  return source ? m.src_swizzle(offset) : m.dst_swizzle(offset);
}

std::int64_t index_in_tile(copy_plan const& plan, coordinate const& x) {
  std::int64_t index = 0;
  for (std::size_t l = x.size(); l-- > 0;) index = index * plan.tile[l] + x[l];
  return index;
}

std::vector<carrier> carriers_of(copy_plan const& plan, cuda_access const& access, int packed_loop,
                                 std::int64_t packed) {
  std::size_t const loops = plan.moves.loops.size();
  std::int64_t elements = 1;
  for (std::int64_t const t : plan.tile) elements *= t;
  std::vector<carrier> out(static_cast<std::size_t>(elements));
  std::int64_t const threads = size_of(access.threads), vectors = vectors_of(access);
  for (std::int64_t t = 0; t < threads; ++t) {
    coordinate const of_thread = coordinate_at(access.threads, t, loops);
    for (std::int64_t v = 0; v < vectors; ++v) {
      coordinate const of_value = coordinate_at(access.values, v, loops);
      for (std::int64_t part = 0; part < packed * access.vector; ++part) {
        coordinate x = of_thread;
        for (std::size_t l = 0; l < loops; ++l) x[l] += of_value[l];
        x[static_cast<std::size_t>(access.loop)] += part % access.vector;
        if (packed > 1) x[static_cast<std::size_t>(packed_loop)] += part / access.vector;
        bool inside = true;
        for (std::size_t l = 0; l < loops; ++l) inside = inside && x[l] < plan.tile[l];
        if (inside) out[static_cast<std::size_t>(index_in_tile(plan, x))] = {t, v};
      }
    }
  }
  return out;
}

std::vector<carrier> realigned_readers(copy_plan const& plan, cuda_schedule const& s) {
  movement const& m = plan.moves;
  auto const i = static_cast<std::size_t>(s.write.loop), j = static_cast<std::size_t>(s.read.loop);
  std::int64_t const element = m.element_bits / 8, halo = s.image.sector / element;
  std::int64_t const row_vectors = (plan.tile[j] * element + 7) / 8, warps = s.threads / 32;
  std::int64_t const row_lanes = row_vectors < 8 ? 8 : row_vectors < 16 ? 16 : 32, at_once = warps * (32 / row_lanes);
  std::vector<carrier> out(static_cast<std::size_t>(plan.tile[i] * plan.tile[j]));
  coordinate x(m.loops.size(), 0);
  for (x[i] = 0; x[i] < plan.tile[i]; ++x[i]) {
    x[j] = 0;
    std::int64_t const row = offset_of(m, true, x) * element, lead = floor_mod(row, 8), number = halo + x[i];
    std::int64_t const place = number % at_once;  // warps take a row each, then their other lanes
    for (; x[j] < plan.tile[j]; ++x[j]) {
      std::int64_t const lane = place / warps * row_lanes + (lead + x[j] * element) / 8;
      out[static_cast<std::size_t>(index_in_tile(plan, x))] = {place % warps * 32 + lane, number / at_once};
    }
  }
  return out;
}

std::vector<carrier> realigned_writers(copy_plan const& plan, cuda_schedule const& s) {
  movement const& m = plan.moves;
  auto const i = static_cast<std::size_t>(s.write.loop), j = static_cast<std::size_t>(s.read.loop);
  std::int64_t const element = m.element_bits / 8, word = std::max<std::int64_t>(4, element), in_wide = 16 / element;
  std::int64_t const warps = s.threads / 32;
  std::vector<carrier> out(static_cast<std::size_t>(plan.tile[i] * plan.tile[j]));
  coordinate x(m.loops.size(), 0);
  for (x[j] = 0; x[j] < plan.tile[j]; ++x[j]) {
    x[i] = 0;
    std::int64_t const begin = offset_of(m, false, x) * element, skew = floor_mod(begin, s.image.sector) / element;
    std::int64_t const group = x[j] / in_wide, vector = group / warps * in_wide + x[j] % in_wide;
    for (; x[i] < plan.tile[i] - skew; ++x[i]) {
      std::int64_t const lane = (floor_mod(begin, word) + s.image.sector + x[i] * element) / word;
      out[static_cast<std::size_t>(index_in_tile(plan, x))] = {group % warps * 32 + lane, vector};
    }
  }
  return out;
}

std::int64_t vectors_of(cuda_access const& access) { return size_of(access.values); }

std::int64_t tiles_along(copy_plan const& plan, std::size_t loop) {
  return (plan.moves.loops[loop].extent + plan.tile[loop] - 1) / plan.tile[loop];
}

}  // namespace tilewright::render

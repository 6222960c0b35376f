// From a plan's loops, in elements, to tables in bytes.
#include "engine/cpu/program.hpp"

#include "engine/cpu/kernels.hpp"
#include "engine/kernels/cpu/interleave/schedule_interleave.hpp"

#include <algorithm>

namespace tilewright::cpu_engine {
namespace {

struct byte_loop {
  std::int64_t extent, tile, src, dst;  // strides in bytes
};

/// All sums of steps, the first loop fastest.
template <class Step>
std::vector<std::int64_t> offsets_of(std::vector<byte_loop> const& loops, Step const& stride) {
  std::vector<std::int64_t> out{0};
  for (byte_loop const& l : loops) {
    std::size_t const below = out.size();
    out.reserve(below * static_cast<std::size_t>(l.tile));
    for (std::int64_t k = 1; k < l.tile; ++k)
      for (std::size_t i = 0; i < below; ++i) out.push_back(out[i] + k * stride(l));
  }
  return out;
}

std::int64_t steps(std::vector<byte_loop> const& loops) {
  std::int64_t n = 1;
  for (byte_loop const& l : loops) n *= l.tile;
  return n;
}
std::int64_t steps_below_last(std::vector<byte_loop> const& loops) {
  return loops.empty() ? 1 : steps(loops) / loops.back().tile;
}

/// A plan's loop i in bytes.
byte_loop loop_at(copy_plan const& plan, int i) {
  auto const at = static_cast<std::size_t>(i);
  std::int64_t const element = plan.moves.element_bits / 8;
  loop const& l = plan.moves.loops[at];
  return {l.extent, plan.tile[at], l.src * element, l.dst * element};
}

std::vector<byte_loop> loops_of(copy_plan const& plan, std::vector<int> const& numbers) {
  std::vector<byte_loop> out;
  for (int const i : numbers) out.push_back(loop_at(plan, i));
  return out;
}

/// Where the tile's rows, columns or planes are.
void set_offsets(program& p, copy_plan const& plan, std::vector<byte_loop> const& rows,
                 std::vector<byte_loop> const& columns) {
  auto const from = [](byte_loop const& l) { return l.src; };
  auto const to = [](byte_loop const& l) { return l.dst; };
  if (p.kernel == cpu_kernel::interleave) {
    p.joins_planes = plan::joins_channels(plan.moves, std::get<cpu_schedule>(plan.schedule));
    p.planes = p.joins_planes ? offsets_of(rows, from) : offsets_of(columns, to);
    p.shuffles = interleave_shuffles(static_cast<int>(p.planes.size()), p.unit, p.joins_planes);
    p.buffered = false;  // the kernel has a buffer of its own
  } else {
    p.rows = offsets_of(rows, from);
    p.columns = offsets_of(columns, to);
    std::int64_t const bytes = static_cast<std::int64_t>(p.columns.size()) * p.unit;
    if (p.kernel == cpu_kernel::transpose && bytes < 16) p.unreadable = unreadable_rows(p.rows, bytes);
  }
  p.row_step = steps_below_last(rows);
  p.column_step = steps_below_last(columns);
  p.row_count = steps(rows);
  p.column_count = steps(columns);
  p.column_src = columns.empty() ? 0 : columns[0].src;
  p.tile_bytes = p.row_count * p.unit * p.column_count;
}

/// Where the columns are in the buffer.
void set_buffer(program& p, std::vector<byte_loop> const& rows) {
  std::int64_t const row_bytes = p.row_count * p.unit;
  bool const whole = std::all_of(rows.begin(), rows.end(), [](byte_loop const& l) { return l.tile == l.extent; });
  p.carries = p.streaming && (whole || p.column_count == 1);
  for (std::int64_t c = 0; c < p.column_count && p.carries; ++c)
    p.carries = p.columns[static_cast<std::size_t>(c)] == c * row_bytes;
  // Columns of the buffer start in different cache sets.
  std::int64_t const pitch = p.carries ? row_bytes : (row_bytes + 63) / 64 * 64 + 64;
  for (std::int64_t c = 0; c < p.column_count; ++c) p.buffer_columns.push_back(c * pitch);
  p.buffer_bytes = p.column_count * pitch + 128;
}

/// The loops over tiles, in the plan's order.
void set_grid(program& p, copy_plan const& plan) {
  auto const& schedule = std::get<cpu_schedule>(plan.schedule);
  for (int const i : plan.order) {
    byte_loop const l = loop_at(plan, i);
    tile_loop t;
    t.tiles = (l.extent + l.tile - 1) / l.tile;
    if (t.tiles == 1) continue;
    t.src_step = l.tile * l.src;
    t.dst_step = l.tile * l.dst;
    t.last = l.extent - (t.tiles - 1) * l.tile;
    auto const is_one_of = [i](std::vector<int> const& loops) {
      return std::find(loops.begin(), loops.end(), i) != loops.end();
    };
    if (t.last != l.tile)
      t.clips = is_one_of(schedule.row_loops)      ? tile_loop::side::row
                : is_one_of(schedule.column_loops) ? tile_loop::side::column
                                                   : tile_loop::side::unit;
    bool const is_row = schedule.row_loops.size() == 1 && schedule.row_loops[0] == i;
    bool const in_lines = l.tile * p.unit % 64 == 0;
    if (is_row && in_lines && schedule.kernel == cpu_kernel::transpose && p.streaming && !p.buffered) {
      p.row_loop = static_cast<int>(p.grid.size());
      p.row_extent = l.extent;
      p.row_tile = l.tile;
      p.row_src = l.src;
    }
    bool const is_free = p.grid.empty() && p.row_loop != 0 && !p.carries;
    t.backwards = is_free && are_taken_backwards(t.src_step, p.streaming, p.tuning);
    p.grid.push_back(t);
    p.tiles *= t.tiles;
  }
}

}  // namespace

program compile(copy_plan const& plan) {
  auto const& schedule = std::get<cpu_schedule>(plan.schedule);
  movement const& m = plan.moves;
  program p;
  p.kernel = schedule.kernel;
  p.threads = schedule.threads;
  p.tuning = plan.machine.tuning;
  if (p.kernel == cpu_kernel::walk) {
    p.walked = m;
    p.unit = std::max(1, m.element_bits / 8);
    std::int64_t const chunk = std::max<std::int64_t>(2, p.tuning.walk_elements);
    p.tiles = (m.elements + chunk - 1) / chunk;
    p.tile_bytes = chunk * m.element_bits / 8;
    return p;
  }
  if (p.kernel == cpu_kernel::tile) {
    p.tile = compile_tiles(plan);
    p.tiles = p.tile.tiles;
    p.tile_bytes = p.tile.tile_bytes;
    p.streaming = p.tile.streaming;
    return p;
  }
  p.unit = schedule.unit_bytes;
  if (p.kernel == cpu_kernel::imaged) {
    p.imaged = compile_imaged(plan);
    p.streaming = p.imaged.streaming;
    p.tiles = p.imaged.tiles;
    p.tile_bytes = p.imaged.tile_bytes;
    return p;
  }
  p.element = m.element_bits / 8;
  p.buffered = schedule.buffered;
  p.streaming = schedule.streaming;
  p.ahead = schedule.long_runs ? p.tuning.prefetch_bytes : 0;
  p.src_base = m.src_offset * p.element;
  p.dst_base = m.dst_offset * p.element;
  std::vector<byte_loop> const rows = loops_of(plan, schedule.row_loops);
  set_offsets(p, plan, rows, loops_of(plan, schedule.column_loops));
  if (p.buffered) set_buffer(p, rows);
  set_grid(p, plan);
  p.is_one_run = p.kernel == cpu_kernel::copy_runs && p.tiles == 1 && p.tile_bytes == p.unit && !p.streaming;
  return p;
}

program shifted(program const& p, std::int64_t bytes) {
  program out = p;
  tile_loop& l = out.grid[static_cast<std::size_t>(p.row_loop)];
  std::int64_t const units = bytes / p.unit;
  out.tiles /= l.tiles;
  l.tiles = (p.row_extent + units + p.row_tile - 1) / p.row_tile;
  l.last = p.row_extent + units - (l.tiles - 1) * p.row_tile;
  l.src_shift = units * p.row_src;
  l.dst_shift = bytes;
  l.clips = tile_loop::side::row;
  out.first_rows = p.row_tile - units;
  out.tiles *= l.tiles;
  return out;
}

}  // namespace tilewright::cpu_engine

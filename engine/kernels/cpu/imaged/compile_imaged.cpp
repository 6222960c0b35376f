// From a plan's loops to the runs of a tile and the copy between its images.
#include "engine/cpu/program.hpp"
#include "engine/kernels/cpu/imaged/schedule_imaged.hpp"
#include "engine/kernels/cpu/imaged/separate.hpp"
#include "engine/memory_units.hpp"
#include "engine/plan/loop_order.hpp"
#include "engine/plan/schedule.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tilewright::cpu_engine {
namespace {

using std::int64_t;

/// A loop of a tile: strides in elements of each side, and in elements of the images.
struct image_loop {
  int number = 0;
  int64_t extent = 1, src = 0, dst = 0, first = 0, second = 0;
};
using image_loops = std::vector<image_loop>;

/// The loops that a tile has more than one step of, in the order of a side.
image_loops loops_by(copy_plan const& plan, std::vector<int64_t> const& extents, bool source) {
  image_loops out;
  for (int const i : plan::loop_order(plan.moves, source)) {
    auto const at = static_cast<std::size_t>(i);
    loop const& l = plan.moves.loops[at];
    if (extents[at] > 1) out.push_back({i, extents[at], l.src, l.dst});
  }
  return out;
}

/// A side of a tile: which loops make a run, and where runs are.
struct side_runs {
  std::size_t joined = 0;  // loops
  int64_t run = 1;
};

/// The leading loops that go on where the one before ends; the loop `apart` is in no run.
side_runs joined_loops(image_loops const& loops, bool source, int apart = -1) {
  side_runs out;
  for (auto const& l : loops) {
    if ((source ? l.src : l.dst) != out.run || l.number == apart) break;
    out.run *= l.extent;
    ++out.joined;
  }
  return out;
}

/// What of a run the swizzle leaves together, wherever in the tile it starts: a power of two that divides all these places, as it
/// divides those of tiles, which have none of its bits.
int64_t unscattered(image_loops const& loops, side_runs const& side, bool source, swizzle_value const& swizzle) {
  int64_t steps = side.run | int64_t{1} << std::min(swizzle.base, 62);
  for (std::size_t i = side.joined; i < loops.size(); ++i) steps |= source ? loops[i].src : loops[i].dst;
  return steps & -steps;
}

/// All places of loops, the first one fastest; what a run has too much for the swizzle is cut into equal parts, each of `run`
/// elements.
std::vector<int64_t> runs_of(image_loops const& loops, side_runs const& side, bool source, swizzle_value const& swizzle,
                             int64_t bytes, int64_t& run) {
  run = swizzle.bits == 0 ? side.run : unscattered(loops, side, source, swizzle);
  std::vector<int64_t> out;
  for (int64_t k = 0; k < side.run; k += run) out.push_back(k);
  for (std::size_t i = side.joined; i < loops.size(); ++i) {
    std::size_t const below = out.size();
    for (int64_t k = 1; k < loops[i].extent; ++k)
      for (std::size_t j = 0; j < below; ++j) out.push_back(out[j] + k * (source ? loops[i].src : loops[i].dst));
  }
  int64_t const mask = plan::swizzled_bits(swizzle);
  for (int64_t& at : out) at = (at - (at & mask) + swizzle(at & mask)) * bytes;
  return out;
}

/// A place in each line that the loops reach.
std::vector<int64_t> lines_of(image_loops const& source, swizzle_value const& swizzle, int64_t bytes) {
  int64_t run = 1;
  std::vector<int64_t> out;
  std::set<int64_t> found;
  for (int64_t const at : runs_of(source, joined_loops(source, true), true, swizzle, bytes, run))
    for (int64_t k = 0; k < run * bytes; k += engine::cache_line)
      if (found.insert((at + k) & -engine::cache_line).second) out.push_back(at + k);
  return out;
}

/// Puts runs together to whole lines: of each its place and its pieces in the image, in which runs follow each other. `run`, in bytes,
/// is a power of two.
void join_lines(imaged_tables& t, int64_t run) {
  int64_t const piece = std::min(run, engine::cache_line), per_line = engine::cache_line / piece;
  std::map<int64_t, std::size_t> found;
  std::vector<std::int32_t> pieces;
  std::vector<int64_t> lines;
  for (std::size_t i = 0; i < t.writes.size(); ++i)
    for (int64_t k = 0; k < run; k += piece) {
      int64_t const at = t.writes[i] + k, start = at & -engine::cache_line;
      auto const [place, is_new] = found.try_emplace(start, lines.size());
      if (is_new) {
        lines.push_back(start);
        pieces.resize(pieces.size() + static_cast<std::size_t>(per_line), -1);
      }
      pieces[place->second * static_cast<std::size_t>(per_line) + static_cast<std::size_t>((at - start) / piece)] =
          static_cast<std::int32_t>(static_cast<int64_t>(i) * run + k);
    }
  if (std::find(pieces.begin(), pieces.end(), -1) != pieces.end()) return;
  t.lines = std::move(lines);
  t.pieces = std::move(pieces);
}

/// The program that copies elements of an image, or bytes; nothing where they stay where they are. `streaming`: to the destination,
/// past the caches.
std::vector<program> move_of(copy_plan const& plan, int bits, std::vector<loop> loops, bool may_stay, bool streaming) {
  std::erase_if(loops, [](loop const& l) { return l.extent == 1; });
  if (may_stay && std::all_of(loops.begin(), loops.end(), [](loop const& l) { return l.src == l.dst; })) return {};
  std::sort(loops.begin(), loops.end(), [](loop const& a, loop const& b) { return a.dst < b.dst; });
  std::vector<loop> joined;
  for (loop const& l : loops) {
    bool const goes_on = !joined.empty() && l.src == joined.back().src * joined.back().extent &&
                         l.dst == joined.back().dst * joined.back().extent;
    if (goes_on) joined.back().extent *= l.extent;
    else joined.push_back(l);
  }
  copy_plan move;
  move.machine = plan.machine;
  move.machine.processors = 1;
  // Images stay in the caches; what goes past them is seen when all tiles are done.
  move.machine.tuning.stream_bytes = streaming ? 0 : INT64_MAX;
  if (streaming) move.machine.tuning.stream_blocks = 0;
  move.moves.element_bits = bits;
  move.moves.elements = 1;
  for (loop const& l : joined) move.moves.elements *= l.extent;
  move.moves.loops = std::move(joined);
  move.bytes = 2 * move.moves.elements * bits / 8;
  copy_request request;
  request.element_bits = bits;
  plan::schedule_cpu(move, request);
  return {compile(move)};
}

/// Images of the sides that need them, in the order of each.
imaged_tables tables_of_images(copy_plan const& plan, std::vector<int64_t> const& extents) {
  movement const& m = plan.moves;
  imaged_tables out;
  bool const halves = m.element_bits < 8, reads = halves || m.src_swizzle.bits != 0,
             writes = halves || m.dst_swizzle.bits != 0;
  int64_t const bytes = std::max(1, m.element_bits / 8);
  image_loops source = loops_by(plan, extents, true);
  int64_t size = 1;
  for (auto& l : source) l.first = reads ? std::exchange(size, size * l.extent) : l.src;
  image_loops target = source;
  std::sort(target.begin(), target.end(), [](auto const& a, auto const& b) { return a.dst < b.dst; });
  size = 1;
  for (auto& l : target) l.second = writes ? std::exchange(size, size * l.extent) : l.dst;
  int64_t elements = 1;
  for (int64_t const t : extents) elements *= t;
  if (reads) out.reads = runs_of(source, joined_loops(source, true), true, m.src_swizzle, bytes, out.read_run);
  if (writes) out.writes = runs_of(target, joined_loops(target, false), false, m.dst_swizzle, bytes, out.write_run);
  out.read_bytes = reads ? elements * bytes : 0;
  out.write_bytes = writes ? elements * bytes : 0;
  std::vector<loop> move;
  for (auto const& l : target) move.push_back({l.extent, l.first, l.second});
  bool const streaming = std::get<cpu_schedule>(plan.schedule).streaming;
  out.move = move_of(plan, std::max(8, m.element_bits), std::move(move), true, streaming && !writes);
  if (streaming && writes && !out.move.empty()) {
    join_lines(out, out.write_run * bytes);
    out.fetches = lines_of(source, m.src_swizzle, bytes);
  }
  return out;
}

/// Two elements a byte: an image of pairs in the source's order, of each run the even places and then the odd ones.
imaged_tables tables_of_pairs(copy_plan const& plan, std::vector<int64_t> const& extents) {
  imaged_tables out;
  int const across = plan::unit_loop(plan.moves, false);  // the loop along which two elements are one byte
  image_loops source = loops_by(plan, extents, true);
  side_runs const side = joined_loops(source, true, across);
  int64_t bytes = side.run;
  std::vector<loop> move;
  for (std::size_t i = 0; i < source.size(); ++i) {
    auto& l = source[i];
    if (l.number == across) l = {l.number, l.extent / 2, 2 * l.src, 2 * l.dst};
    if (i == 0) {  // along bytes of the source: places 2 k and 2 k + 1
      move.push_back({l.extent / 2, 1, l.dst});
      move.push_back({2, side.run / 2, l.dst / 2});
      continue;
    }
    l.first = i < side.joined ? l.src / 2 : std::exchange(bytes, bytes * l.extent);
    move.push_back({l.extent, l.first, l.dst / 2});
  }
  out.read_bytes = bytes;
  out.reads = runs_of(source, side, true, {}, 1, out.read_run);
  out.move = move_of(plan, 8, std::move(move), false, std::get<cpu_schedule>(plan.schedule).streaming);
  return out;
}

}  // namespace

imaged_program compile_imaged(copy_plan const& plan) {
  movement const& m = plan.moves;
  imaged_program p;
  p.element_bits = m.element_bits;
  p.joins = !std::get<cpu_schedule>(plan.schedule).buffered;
  p.streaming = std::get<cpu_schedule>(plan.schedule).streaming;
  if (p.joins) p.partner = m.loops[static_cast<std::size_t>(plan::unit_loop(m, false))].src;
  p.src_swizzle = m.src_swizzle;
  p.dst_swizzle = m.dst_swizzle;
  p.src_base = m.src_offset;
  p.dst_base = m.dst_offset;
  std::vector<std::vector<int64_t>> variants{plan.tile};
  for (int const i : plan.order) {
    auto const at = static_cast<std::size_t>(i);
    loop const& l = m.loops[at];
    int64_t const tile = plan.tile[at], tiles = (l.extent + tile - 1) / tile, last = l.extent - (tiles - 1) * tile;
    if (tiles == 1) continue;
    p.grid.push_back({tiles, l.src * tile, l.dst * tile, last == tile ? 0 : variants.size()});
    p.tiles *= tiles;
    if (last == tile) continue;
    for (std::size_t v = 0, whole = variants.size(); v < whole; ++v) {
      variants.push_back(variants[v]);
      variants.back()[at] = last;
    }
  }
  for (auto const& extents : variants)
    p.variants.push_back(p.joins ? tables_of_pairs(plan, extents) : tables_of_images(plan, extents));
  int64_t elements = 1;
  for (int64_t const t : plan.tile) elements *= t;
  p.tile_bytes = (elements * m.element_bits + 7) / 8;
  return p;
}

}  // namespace tilewright::cpu_engine

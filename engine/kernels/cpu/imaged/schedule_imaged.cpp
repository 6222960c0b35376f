#include "engine/kernels/cpu/imaged/schedule_imaged.hpp"

#include "engine/kernels/cpu/imaged/separate.hpp"
#include "engine/plan/loop_order.hpp"

#include <algorithm>
#include <bit>

namespace tilewright::plan {
namespace {

using std::int64_t;

bool is_even(int64_t x) { return (x & 1) == 0; }

/// Takes the fastest loops of a side until they have `wanted` elements; the last of them is cut, to a power of two, so that bits
/// of offsets may stay apart.
void take(movement const& m, bool source, int64_t wanted, std::vector<int64_t>& tile) {
  int64_t taken = 1;
  for (int const i : loop_order(m, source)) {
    auto const at = static_cast<std::size_t>(i);
    if (taken >= wanted) return;
    auto const more = static_cast<int64_t>(std::bit_ceil(static_cast<std::uint64_t>((wanted + taken - 1) / taken)));
    tile[at] = std::max(tile[at], std::min(m.loops[at].extent, more));
    taken *= tile[at];
    if (tile[at] != m.loops[at].extent) return;
  }
}

/// The largest extent becomes the next smaller power of two. False: all are 1.
bool shrink(std::vector<int64_t>& tile) {
  auto const most = std::max_element(tile.begin(), tile.end());
  if (*most == 1) return false;
  *most = static_cast<int64_t>(std::bit_floor(static_cast<std::uint64_t>(*most - 1)));
  return true;
}

std::vector<int64_t> tile_of(movement const& m, cpu_tuning const& tuning, int64_t run_bytes) {
  std::vector<int64_t> tile(m.loops.size(), 1);
  int64_t const run = std::max<int64_t>(1, run_bytes * 8 / m.element_bits);
  int64_t const least = std::max<int64_t>(1, tuning.imaged_min_bytes * 8 / m.element_bits);
  take(m, false, run, tile);
  // Where the source has no runs, each element has a place of its own in the tables.
  if (unit_loop(m, true) >= 0) take(m, true, run, tile);
  int64_t size = 1;
  for (int64_t const t : tile) size *= t;
  if (size < least) take(m, false, std::max(run, run * (least / size)), tile);
  while (!swizzles_separate(m, tile) && shrink(tile)) {}
  return tile;
}

/// Are the elements of a tile in another order in the destination than in the source?
bool reorders(movement const& m, std::vector<int64_t> const& tile) {
  auto const loops = [&](bool source) {
    std::vector<int> out = loop_order(m, source);
    std::erase_if(out, [&](int i) { return tile[static_cast<std::size_t>(i)] == 1; });
    return out;
  };
  return loops(true) != loops(false);
}

char const* reason_of(movement const& m, bool joins) {
  if (joins)
    return "Two runs of half bytes that are next to one another in the destination are joined to whole bytes, which "
           "are copied then.";
  if (m.element_bits < 8)
    return "Runs of half bytes do not begin and end with bytes on both sides, so each becomes a byte in a buffer, and "
           "half a byte "
           "again when it is in place.";
  return "A swizzle scatters runs within a tile in the same way wherever the tile is: a table has their places, and "
         "between it and the other side is a buffer.";
}

}  // namespace

int unit_loop(movement const& m, bool source) {
  for (std::size_t i = 0; i < m.loops.size(); ++i)
    if ((source ? m.loops[i].src : m.loops[i].dst) == 1) return static_cast<int>(i);
  return -1;
}

bool joins_pairs(movement const& m, std::vector<int64_t> const& tile) {
  int const s = unit_loop(m, true), d = unit_loop(m, false);
  if (m.element_bits != 4 || m.is_swizzled() || s < 0 || d < 0 || s == d) return false;
  if (!is_even(m.src_offset) || !is_even(m.dst_offset)) return false;
  for (int i = 0; i < static_cast<int>(m.loops.size()); ++i) {
    auto const at = static_cast<std::size_t>(i);
    if (i != s && !is_even(m.loops[at].src)) return false;
    if (i != d && !is_even(m.loops[at].dst)) return false;
    if ((i == s || i == d) && !(is_even(tile[at]) && is_even(m.loops[at].extent))) return false;
  }
  return true;
}

void schedule_imaged(copy_plan& plan, bool streaming) {
  movement const& m = plan.moves;
  cpu_schedule s;
  s.kernel = cpu_kernel::imaged;
  s.threads = plan.machine.processors;
  s.unit_bytes = std::max(1, m.element_bits / 8);
  cpu_tuning const& tuning = plan.machine.tuning;
  bool const halves = m.element_bits < 8;
  // Pairs of half bytes are images of half the size.
  plan.tile = tile_of(m, tuning, tuning.imaged_run_bytes * (halves ? 2 : 1));
  s.buffered = !joins_pairs(m, plan.tile);
  if (halves && s.buffered) plan.tile = tile_of(m, tuning, tuning.imaged_run_bytes);
  // Half bytes that do not pair up are written one by one, and rows in the order of both sides as they are read.
  s.streaming = streaming && (!s.buffered || (m.element_bits >= 8 && reorders(m, plan.tile)));
  plan.order = loop_order(m, true);
  plan.path = copy_path::staged;
  plan.schedule = s;
  plan.reasons.push_back(reason_of(m, !s.buffered));
  if (s.streaming) plan.reasons.push_back("Whole lines of the destination are written past the caches.");
}

}  // namespace tilewright::plan

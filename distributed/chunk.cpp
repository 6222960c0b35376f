#include "distributed/chunk.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tilewright::distributed {
namespace {

bool is_contiguous(std::vector<loop> const& loops, std::int64_t loop::*stride) {
  std::int64_t reach = 1;
  for (loop const& l : loops) {
    if (l.*stride != reach) return false;
    reach *= l.extent;
  }
  return true;
}

struct direction {
  bool src = false, dst = false;
};

/// Puts the loops in the order of the wire: that of the destination, unless only the source is contiguous in its own.
direction order_loops(std::vector<loop>& loops, chunk_limits const& limits) {
  auto by = [&](std::int64_t loop::*stride) {
    std::vector<loop> out = loops;
    std::stable_sort(out.begin(), out.end(), [&](loop const& a, loop const& b) { return a.*stride < b.*stride; });
    return out;
  };
  bool const whole_bytes = limits.element_bits >= 8;
  std::vector<loop> const to = by(&loop::dst), from = by(&loop::src);
  bool const dst = whole_bytes && !limits.dst_swizzled && is_contiguous(to, &loop::dst);
  bool const src = whole_bytes && !limits.src_swizzled && is_contiguous(from, &loop::src);
  loops = !dst && src ? from : to;
  return {src && is_contiguous(loops, &loop::src), dst};
}

constexpr std::int64_t min_tile_run_bytes = 2048;

/// How much of each loop a chunk of at most `limit` elements has: all of the inner loops and a part of the next; but a piece that
/// is transposed has tiles whose contiguous bytes are long enough on both sides.
///   (4096,4096):(4096,1) from (1,4096), limit 65536: (256,256), and not (4096,16) with 128 contiguous bytes of the source
std::vector<std::int64_t> tile_of(std::vector<loop> const& loops, std::int64_t limit, int element_bits) {
  std::vector<std::int64_t> tile(loops.size(), 1);
  auto const fill = [&](std::size_t k) {
    std::int64_t others = 1;
    for (std::size_t j = 0; j < loops.size(); ++j)
      if (j != k) others *= tile[j];
    tile[k] = std::clamp<std::int64_t>(limit / others, 1, loops[k].extent);
    return tile[k] == loops[k].extent;
  };
  for (std::size_t k = 0; k < loops.size() && fill(k); ++k) {}
  if (loops.empty()) return tile;
  auto const fast = static_cast<std::size_t>(
      std::min_element(loops.begin(), loops.end(), [](loop const& a, loop const& b) { return a.src < b.src; }) -
      loops.begin());
  std::int64_t const run = std::min(loops[fast].extent, min_tile_run_bytes * 8 / element_bits);
  if (fast == 0 || tile[fast] >= run) return tile;
  std::fill(tile.begin(), tile.end(), 1);
  tile[fast] = std::min(run, limit);
  for (std::size_t k = 0; k < loops.size(); ++k)
    if (k != fast && !fill(k)) break;
  fill(fast);
  return tile;
}

/// The piece in boxes of that tile, in order of the loops.
template <class Use>
void for_each_tile(exchange_piece const& piece, std::vector<loop> const& loops, std::vector<std::int64_t> const& tile,
                   Use const& use) {
  std::vector<std::int64_t> at(loops.size(), 0);
  for (;;) {
    box one{1, piece.src, piece.dst, {}};
    for (std::size_t k = 0; k < loops.size(); ++k) {
      loop const& l = loops[k];
      std::int64_t const count = std::min(tile[k], l.extent - at[k]);
      one.elements *= count;
      one.src += at[k] * l.src;
      one.dst += at[k] * l.dst;
      if (count > 1) one.loops.push_back({count, l.src, l.dst});
    }
    use(one);
    std::size_t k = 0;
    while (k < loops.size() && (at[k] += tile[k]) >= loops[k].extent) at[k++] = 0;
    if (k == loops.size()) return;
  }
}

constexpr std::int64_t min_run_bytes = 32, max_round_bytes = 512 << 10;

/// Whether the piece is contiguous along its first loop, and has an outer one to cut along.
bool has_rounds(exchange_piece const& piece, chunk_limits const& limits) {
  return limits.element_bits >= 8 && !limits.src_swizzled && !limits.dst_swizzled && piece.loops.size() >= 2 &&
         piece.loops[0].src == 1 && piece.loops[0].dst == 1 &&
         piece.loops[0].extent * limits.element_bits >= 8 * min_run_bytes && !is_contiguous(piece.loops, &loop::src) &&
         !is_contiguous(piece.loops, &loop::dst);
}

/// A chunk for every few rounds of the loop that all these pieces have outermost. post: false, and no chunk, if one round is
/// too much for a chunk
bool cut_rounds(std::vector<exchange_piece const*> const& pieces, transfer const& t, chunk_limits const& limits,
                std::vector<chunk>& out) {
  loop const outer = pieces[0]->loops.back();
  chunk whole{t.from, t.to, 0, false, false, {}, outer.extent, outer.src, outer.dst};
  for (exchange_piece const* p : pieces) {
    std::int64_t const elements = p->elements / outer.extent;
    whole.boxes.push_back({elements, p->src, p->dst, {p->loops.begin(), p->loops.end() - 1}});
    whole.bytes += bytes_of(elements, limits.element_bits);
  }
  std::int64_t const round = whole.bytes;
  if (round > std::min(limits.staged_bytes, max_round_bytes)) return false;
  std::int64_t const slab = limits.staged_bytes / round;
  for (std::int64_t x = 0; x < outer.extent; x += slab) {
    chunk one = whole;
    one.rounds = std::min(slab, outer.extent - x);
    one.bytes = one.rounds * round;
    for (box& b : one.boxes) {
      b.src += x * outer.src;
      b.dst += x * outer.dst;
    }
    out.push_back(std::move(one));
  }
  return true;
}

/// Cuts the pieces that share an outermost loop with others, or have many short runs in each round; returns the rest.
std::vector<exchange_piece const*> cut_shared_loops(transfer const& t, chunk_limits const& limits,
                                                    std::vector<chunk>& out) {
  std::vector<exchange_piece const*> rest;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::vector<exchange_piece const*>> groups;
  for (exchange_piece const& p : t.pieces) {
    if (has_rounds(p, limits)) groups[{p.loops.back().extent, p.loops.back().src, p.loops.back().dst}].push_back(&p);
    else rest.push_back(&p);
  }
  for (auto const& [outer, pieces] : groups)
    if ((pieces.size() < 2 && pieces[0]->loops.size() < 3) || !cut_rounds(pieces, t, limits, out))
      rest.insert(rest.end(), pieces.begin(), pieces.end());
  return rest;
}

}  // namespace

std::vector<chunk> cut(transfer const& t, chunk_limits const& limits) {
  std::vector<chunk> out;
  chunk shared{t.from, t.to, 0, false, false, {}};
  auto const flush = [&] {
    if (!shared.boxes.empty()) out.push_back(std::move(shared));
    shared = {t.from, t.to, 0, false, false, {}};
  };
  for (exchange_piece const* const next : cut_shared_loops(t, limits, out)) {
    exchange_piece const& piece = *next;
    std::vector<loop> loops = piece.loops;
    direction const direct = order_loops(loops, limits);
    std::int64_t const bytes = bytes_of(piece.elements, limits.element_bits);
    if (bytes < limits.staged_bytes / 8 && t.pieces.size() > 1) {
      if (shared.bytes + bytes > limits.staged_bytes) flush();
      shared.boxes.push_back({piece.elements, piece.src, piece.dst, loops});
      shared.bytes += bytes;
      continue;
    }
    std::int64_t const limit =
        (direct.src && direct.dst ? limits.direct_bytes : limits.staged_bytes) * 8 / limits.element_bits;
    std::vector<std::int64_t> const tile = tile_of(loops, limit, limits.element_bits);
    for_each_tile(piece, loops, tile, [&](box const& one) {
      bool const src = direct.src && is_contiguous(one.loops, &loop::src);
      bool const dst = direct.dst && is_contiguous(one.loops, &loop::dst);
      out.push_back({t.from, t.to, bytes_of(one.elements, limits.element_bits), src, dst, {one}});
    });
  }
  flush();
  return out;
}

}  // namespace tilewright::distributed

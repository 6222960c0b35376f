#include "distributed/mpi/chunk.hpp"

#include <algorithm>

namespace tilewright::mpi {
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

/// The piece in slabs of at most `limit` elements, along its outer loops.
template <class Use>
void for_each_slab(exchange_piece const& piece, std::vector<loop> const& loops, std::int64_t limit, Use const& use) {
  std::size_t k = 0;
  std::int64_t inner = 1;
  while (k < loops.size() && inner * loops[k].extent <= limit) inner *= loops[k++].extent;
  box whole{inner, piece.src, piece.dst, {loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(k)}};
  if (k == loops.size()) return use(whole);
  std::int64_t const slab = std::max<std::int64_t>(1, limit / inner);
  std::vector<std::int64_t> at(loops.size(), 0);  // of the loops beyond k
  for (;;) {
    for (std::int64_t x = 0; x < loops[k].extent; x += slab) {
      std::int64_t const count = std::min(slab, loops[k].extent - x);
      box one = whole;
      one.elements = inner * count;
      one.loops.push_back({count, loops[k].src, loops[k].dst});
      one.src += x * loops[k].src;
      one.dst += x * loops[k].dst;
      for (std::size_t j = k + 1; j < loops.size(); ++j) {
        one.src += at[j] * loops[j].src;
        one.dst += at[j] * loops[j].dst;
      }
      use(one);
    }
    std::size_t j = k + 1;
    while (j < loops.size() && ++at[j] == loops[j].extent) at[j++] = 0;
    if (j >= loops.size()) return;
  }
}

}  // namespace

std::vector<chunk> cut(transfer const& t, chunk_limits const& limits) {
  std::vector<chunk> out;
  chunk shared{t.from, t.to, 0, false, false, {}};
  auto const flush = [&] {
    if (!shared.boxes.empty()) out.push_back(std::move(shared));
    shared = {t.from, t.to, 0, false, false, {}};
  };
  for (exchange_piece const& piece : t.pieces) {
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
    for_each_slab(piece, loops, limit, [&](box const& one) {
      out.push_back({t.from, t.to, bytes_of(one.elements, limits.element_bits), direct.src, direct.dst, {one}});
    });
  }
  flush();
  return out;
}

}  // namespace tilewright::mpi

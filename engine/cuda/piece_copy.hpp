// The body of the kernel that copies many pieces, to several destinations, in one launch: what one rank of a redistribution
// stores into the memory of its peers. A piece is a strided set of units, words of 1 to 16 bytes that are contiguous on both
// sides. Blocks take tasks, parts of pieces, from two queues: one of pieces that go to peers, whose stores wait for the link, and
// one of the rank's own pieces, which the memory alone limits. Half of the blocks begin with each, so that both are busy at once.
// Host code runs the same body in the tests.
#pragma once

#include "engine/cuda/generic_copy.hpp"

namespace tilewright::gpu {

inline constexpr int piece_step_capacity = 8, piece_target_capacity = 64;
inline constexpr std::uint32_t piece_task_bytes = 1 << 16, piece_threads = 512;

/// Unit i is at src + Σ ci·step[k].src of the source and dst + Σ ci·step[k].dst of destination `target`, in bytes, where the ci are
/// the digits of i in the extents of the steps.
/// Where `row_bytes` is not 0, rows begin and end anywhere: unit i is then the i mod step[0].extent'th group of 16 bytes of the
/// destination, on multiples of 16, that a row of so many bytes may have, and step[0] has no strides.
struct copy_piece {
  std::int64_t src, dst;
  std::int64_t row_bytes;
  std::uint32_t units;       // below 2^30
  std::uint32_t unit_bytes;  // 1, 2, 4, 8 or 16; of rows, what all addresses are multiples of
  std::uint32_t target;
  std::int32_t steps;
  generic_step step[piece_step_capacity];
};

/// So many units of a piece from `first` on.
struct piece_task {
  std::uint32_t piece, first;
};

struct piece_arguments {
  copy_piece const* pieces;
  piece_task const* tasks;   // those to peers first
  std::uint32_t* taken;      // of each queue, then blocks that have ended; 0 at the start, and again at the end
  std::uint32_t number[2];   // of tasks to peers, and of the rank's own
  std::uint32_t far_blocks;  // of every 4 blocks, those that begin with tasks to peers
  void const* source;
  void* target[piece_target_capacity];
};

/// Thread `thread` of `threads` copies its units of the task.
template <int Bytes>
TILEWRIGHT_FN void copy_task(piece_arguments const& a, copy_piece const& p, std::uint32_t first, std::uint32_t thread,
                             std::uint32_t threads) {
  constexpr int at_once = 4;
  auto const* const src = static_cast<char const*>(a.source) + p.src;
  auto* const dst = static_cast<char*>(a.target[p.target]) + p.dst;
  std::uint32_t const wanted = first + piece_task_bytes / Bytes, end = wanted < p.units ? wanted : p.units;
  for (std::uint32_t begin = first + thread; begin < end; begin += at_once * threads) {
    std::uint32_t index[at_once];
    bool active[at_once];
    element_places<at_once> at;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < at_once; ++i) {
      std::uint32_t const unit = begin + static_cast<std::uint32_t>(i) * threads;
      active[i] = unit < end;
      index[i] = active[i] ? unit : begin;
      at.src[i] = at.dst[i] = 0;
    }
    add_steps<at_once, std::uint32_t>(p.step, p.steps, index, at);
    word<8 * Bytes> held[at_once];
    TILEWRIGHT_UNROLL
    for (int i = 0; i < at_once; ++i)
      held[i] = *reinterpret_cast<word<8 * Bytes> const*>(src + static_cast<std::int64_t>(at.src[i]));
    TILEWRIGHT_UNROLL
    for (int i = 0; i < at_once; ++i)
      if (active[i]) *reinterpret_cast<word<8 * Bytes>*>(dst + static_cast<std::int64_t>(at.dst[i])) = held[i];
  }
}

/// 16 bytes from any address, by loads of the one or two aligned words that have them.
TILEWRIGHT_FN word<128> load_anywhere(char const* from) {
  auto const shift = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from) & 15);
  auto const* const words = reinterpret_cast<word<128> const*>(from - shift);
  word<128> const low = words[0];
  if (shift == 0) return low;
  word<128> const high = words[1];
  bool const far = shift >= 8;
  std::uint64_t const x = far ? low.units[1] : low.units[0], y = far ? high.units[0] : low.units[1],
                      z = far ? high.units[1] : high.units[0];
  std::uint32_t const bits = shift % 8 * 8;
  word<128> out;
  out.units[0] = bits == 0 ? x : x >> bits | y << (64 - bits);
  out.units[1] = bits == 0 ? y : y >> bits | z << (64 - bits);
  return out;
}

/// The bytes [begin, end) of a group, by words of so many bytes.
template <int Bytes>
TILEWRIGHT_FN void copy_edge(char const* src, char* dst, std::int64_t begin, std::int64_t end) {
  for (std::int64_t k = begin; k < end; k += Bytes)
    *reinterpret_cast<word<8 * Bytes>*>(dst + k) = *reinterpret_cast<word<8 * Bytes> const*>(src + k);
}

/// As copy_task, for rows that begin and end anywhere.
TILEWRIGHT_FN void copy_rows_task(piece_arguments const& a, copy_piece const& p, std::uint32_t first,
                                  std::uint32_t thread, std::uint32_t threads) {
  constexpr int at_once = 2;
  auto const* const src = static_cast<char const*>(a.source) + p.src;
  auto* const dst = static_cast<char*>(a.target[p.target]) + p.dst;
  std::uint32_t const wanted = first + piece_task_bytes / 16, end = wanted < p.units ? wanted : p.units;
  for (std::uint32_t begin = first + thread; begin < end; begin += at_once * threads) {
    std::uint32_t index[at_once];
    element_places<at_once> at;
    TILEWRIGHT_UNROLL
    for (int i = 0; i < at_once; ++i) {
      std::uint32_t const unit = begin + static_cast<std::uint32_t>(i) * threads;
      index[i] = unit < end ? unit : begin;
      at.src[i] = at.dst[i] = 0;
    }
    add_steps<at_once, std::uint32_t>(p.step, p.steps, index, at);
    std::int64_t from[at_once], lead[at_once];  // the group's first byte in the row; below 0 before the row
    word<128> held[at_once];
    bool whole[at_once];
    TILEWRIGHT_UNROLL
    for (int i = 0; i < at_once; ++i) {
      generic_step const& groups = p.step[0];
      std::uint32_t const row = high_product(index[i], static_cast<std::uint32_t>(groups.multiplier)) >> groups.shift;
      lead[i] =
          static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst + static_cast<std::int64_t>(at.dst[i])) & 15);
      from[i] = std::int64_t{16} * (index[i] - row * static_cast<std::uint32_t>(groups.extent)) - lead[i];
      // Nothing behind the row is read: it may be the end of the memory.
      auto const shift =
          static_cast<std::int64_t>((reinterpret_cast<std::uintptr_t>(src + static_cast<std::int64_t>(at.src[i])) +
                                     static_cast<std::uintptr_t>(from[i])) &
                                    15);
      whole[i] = from[i] >= 0 && from[i] + (shift == 0 ? 16 : 32 - shift) <= p.row_bytes;
      if (whole[i]) held[i] = load_anywhere(src + static_cast<std::int64_t>(at.src[i]) + from[i]);
    }
    TILEWRIGHT_UNROLL
    for (int i = 0; i < at_once; ++i) {
      if (begin + static_cast<std::uint32_t>(i) * threads >= end) continue;
      auto const* const s = src + static_cast<std::int64_t>(at.src[i]);
      auto* const d = dst + static_cast<std::int64_t>(at.dst[i]);
      if (whole[i]) {
        *reinterpret_cast<word<128>*>(d + from[i]) = held[i];
        continue;
      }
      std::int64_t const low = from[i] < 0 ? 0 : from[i],
                         high = from[i] + 16 < p.row_bytes ? from[i] + 16 : p.row_bytes;
      switch (p.unit_bytes) {
        case 8: copy_edge<8>(s, d, low, high); break;
        case 4: copy_edge<4>(s, d, low, high); break;
        case 2: copy_edge<2>(s, d, low, high); break;
        default: copy_edge<1>(s, d, low, high); break;
      }
    }
  }
}

TILEWRIGHT_FN void run_task(piece_arguments const& a, std::uint32_t task, std::uint32_t thread, std::uint32_t threads) {
  piece_task const& t = a.tasks[task];
  copy_piece const& p = a.pieces[t.piece];
  if (p.row_bytes != 0) return copy_rows_task(a, p, t.first, thread, threads);
  switch (p.unit_bytes) {
    case 16: return copy_task<16>(a, p, t.first, thread, threads);
    case 8: return copy_task<8>(a, p, t.first, thread, threads);
    case 4: return copy_task<4>(a, p, t.first, thread, threads);
    case 2: return copy_task<2>(a, p, t.first, thread, threads);
    default: return copy_task<1>(a, p, t.first, thread, threads);
  }
}

}  // namespace tilewright::gpu

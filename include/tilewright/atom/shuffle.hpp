// Copies between registers of a warp by shuffles (any architecture). Each pair of threads t and t ^ Mask transposes its 2 by 2
// words of 32 bits: with Mask 1, threads 0 and 1 that have (a,b) and (c,d) have (a,c) and (b,d) afterwards.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/matrix_fragment.hpp"
#include "tilewright/atom/ptx/shuffle.hpp"

namespace tilewright {

namespace detail {

/// What the other thread of the pair gives.
template <int Mask>
TILEWRIGHT_FN std::uint32_t word_of_pair(std::uint32_t mine) {
#if TILEWRIGHT_ON_DEVICE
  return ptx::shuffle_xor(mine, Mask);
#elif TILEWRIGHT_HOSTED
  host_thread_services& warp = thread_of_a_warp();
  int const lane = warp.lane();
  std::uint32_t words[warp_size];
  __builtin_memcpy(words, warp.exchange("shfl.sync", &mine, sizeof(mine)), sizeof(words));
  return words[lane ^ Mask];
#else
  return mine;
#endif
}
/// This thread's place in the warp.
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN int lane_of_warp() {
#if TILEWRIGHT_ON_DEVICE
  return ptx::lane();
#elif TILEWRIGHT_HOSTED
  return thread_of_a_warp().lane();
#else
  return 0;
#endif
}

/// pre: every thread of the warp calls it
template <int Mask>
struct transpose_of_pairs {
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void copy(std::uint32_t const& src0, std::uint32_t const& src1, std::uint32_t& dst0,
                                 std::uint32_t& dst1) {
    bool const second = (lane_of_warp() & Mask) != 0;
    std::uint32_t const kept = second ? src1 : src0;
    std::uint32_t const got = word_of_pair<Mask>(second ? src0 : src1);
    dst0 = second ? got : kept;
    dst1 = second ? kept : got;
  }
};

/// The maps of a copy of two registers to two registers; Destination is the map of the destination.
template <class Op, class Destination>
struct pair_transpose_traits {
  using ThrID = Layout<_32>;
  using SrcLayout = Layout<Shape<_32, _64>, Stride<_64, _1>>;
  using DstLayout = Destination;
  using RefLayout = SrcLayout;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN static void copy(Src const& src, Dst&& dst) {
    std::uint32_t from[2], to[2];
    get_registers<2>(src, from);
    Op::copy(from[0], from[1], to[0], to[1]);
    put_registers<2>(to, dst);
  }
};

}  // namespace detail

struct SM50_Shuffle_U32_2x2Trans_XOR1 : detail::transpose_of_pairs<1> {};
struct SM50_Shuffle_U32_2x2Trans_XOR4 : detail::transpose_of_pairs<4> {};

/// Word v of thread t = 2 g + b is word b of thread 2 g + v.
template <>
struct Copy_Traits<SM50_Shuffle_U32_2x2Trans_XOR1>
    : detail::pair_transpose_traits<
          SM50_Shuffle_U32_2x2Trans_XOR1,
          Layout<Shape<Shape<_2, _16>, Shape<_32, _2>>, Stride<Stride<_32, _128>, Stride<_1, _64>>>> {};
/// Word v of thread t = a + 4 b + 8 c is word b of thread a + 4 v + 8 c.
template <>
struct Copy_Traits<SM50_Shuffle_U32_2x2Trans_XOR4>
    : detail::pair_transpose_traits<
          SM50_Shuffle_U32_2x2Trans_XOR4,
          Layout<Shape<Shape<_4, _2, _4>, Shape<_32, _2>>, Stride<Stride<_64, _32, _512>, Stride<_1, _256>>>> {};

}  // namespace tilewright

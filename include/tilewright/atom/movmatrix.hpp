// movmatrix (sm_75): the warp's 8x8 matrix of 16-bit elements, two neighbours of a row in each thread's register, transposed
// from registers to registers.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/matrix_fragment.hpp"

namespace tilewright {

namespace detail {

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
/// All threads of the warp together: thread t has columns 2(t%4), 2(t%4)+1 of row t/4, before and after.
inline std::uint32_t movmatrix_on_host(std::uint32_t from) {
  host_thread_services& warp = thread_of_a_warp();
  int const lane = warp.lane();
  std::uint32_t words[warp_size];
  __builtin_memcpy(words, warp.exchange("movmatrix", &from, sizeof(from)), sizeof(words));
  std::uint32_t to = 0;
  for (int i = 0; i < 2; ++i) {
    int const row = 2 * (lane % 4) + i, column = lane / 4;
    std::uint32_t const half = words[4 * row + column / 2] >> (16 * (column % 2)) & 0xffff;
    to |= half << (16 * i);
  }
  return to;
}
#endif

}  // namespace detail

/// pre: every thread of the warp calls it
struct SM75_U32x1_MOVM_T {
  using SRegisters = std::uint32_t[1];
  using DRegisters = std::uint32_t[1];
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void copy(std::uint32_t const& from, std::uint32_t& to) {
#if TILEWRIGHT_ON_DEVICE
    to = ptx::movmatrix(from);
#elif TILEWRIGHT_HOSTED
    to = detail::movmatrix_on_host(from);
#endif
  }
};

/// The maps say which thread has which register; that the matrix is transposed between them, they do not.
template <>
struct Copy_Traits<SM75_U32x1_MOVM_T> {
  using ThrID = Layout<_32>;
  using SrcLayout = Layout<Shape<_32, _32>, Stride<_32, _1>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN static void copy(Src const& src, Dst&& dst) {
    std::uint32_t from[1], to[1];
    detail::get_registers<1>(src, from);
    SM75_U32x1_MOVM_T::copy(from[0], to[0]);
    detail::put_registers<1>(to, dst);
  }
};

}  // namespace tilewright

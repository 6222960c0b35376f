// What the matrix operations of several threads share: registers as separate arguments, and floats in registers of bits.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/host_mma.hpp"
#include "tilewright/mma/registers.hpp"

namespace tilewright::detail {

/// Gives Op, which has run(d, a, b, c) on arrays of registers, fma with each register as an argument: D's first, then A's, B's
/// and C's.
template <class Op>
struct separate_registers {
  TILEWRIGHT_NO_EXEC_CHECK
  template <class... R>
  TILEWRIGHT_FN static void fma(R&&... registers) {
    spread(make_seq<static_cast<int>(sizeof...(R))>{}, registers...);
  }

 private:
  TILEWRIGHT_NO_EXEC_CHECK
  template <int... N, class... R>
  TILEWRIGHT_FN static void spread(seq<N...>, R&... registers) {
    typename Op::DRegisters d{};
    typename Op::ARegisters a{};
    typename Op::BRegisters b{};
    typename Op::CRegisters c{};
    (put_in<N>(registers, a, b, c), ...);
    Op::run(d, a, b, c);
    (take_out<N>(d, registers), ...);
  }
  template <int I, class R, class A, class B, class C>
  TILEWRIGHT_FN static void put_in(R const& from, A& a, B& b, C& c) {
    constexpr int d_end = register_count<C>, a_end = d_end + register_count<A>, b_end = a_end + register_count<B>;
    static_assert(I < b_end + d_end, "fma: the operation has fewer registers; pass those of D, A, B and C");
    if constexpr (I >= b_end) c[I - b_end] = from;
    else if constexpr (I >= a_end) b[I - a_end] = from;
    else if constexpr (I >= d_end) a[I - d_end] = from;
  }
  template <int I, class D, class R>
  TILEWRIGHT_FN static void take_out(D const& d, R& to) {
    if constexpr (I < register_count<D>) to = d[I];
  }
};

#if TILEWRIGHT_ON_DEVICE
template <int N>
TILEWRIGHT_FN void floats_to_bits(float const (&from)[N], std::uint32_t (&to)[N]) {
  TILEWRIGHT_UNROLL
  for (int i = 0; i < N; ++i) to[i] = __float_as_uint(from[i]);
}
template <int N>
TILEWRIGHT_FN void bits_to_floats(std::uint32_t const (&from)[N], float (&to)[N]) {
  TILEWRIGHT_UNROLL
  for (int i = 0; i < N; ++i) to[i] = __uint_as_float(from[i]);
}
#endif

}  // namespace tilewright::detail

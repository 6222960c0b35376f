// The matrix operations of SM70: 8 × 8 × 4 with 16-bit floats by a quad pair, which is threads 4q … 4q+3 and 16+4q … 16+4q+3 of
// a warp; its four quad pairs do one each. The letters of a name are the orders of A and B: T has k contiguous in A, N in B.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/mma.hpp"
#include "tilewright/mma/collective.hpp"

namespace tilewright {
namespace detail {

/// Which of an operand's modes runs through a thread's values, in the words of the instruction: for A `row` is k, for B `col`.
enum class mma_order { row, col };

/// (thread, value) -> m + 8 k: a thread has four k of one m, or four m of one k. PTX ISA, "Matrix Fragments for mma.m8n8k4".
template <bool HasOneRow>
struct quad_pair_operand {
  using type = Layout<Shape<_8, _4>, Stride<_1, _8>>;
};
template <>
struct quad_pair_operand<false> {
  using type = Layout<Shape<Shape<_4, _2>, _4>, Stride<Stride<_8, _4>, _1>>;
};
/// A row of 16-bit results; or of floats, 2 × 2 in each of two pieces four columns apart.
template <class D>
struct quad_pair_result {
  using type = Layout<Shape<_8, _8>, Stride<_1, _8>>;
};
template <>
struct quad_pair_result<float> {
  using type = Layout<Shape<Shape<_2, _2, _2>, Shape<_2, _2, _2>>, Stride<Stride<_1, _16, _4>, Stride<_8, _2, _32>>>;
};

template <class D, mma_order A, mma_order B>
struct quad_pair_traits {
  using ValTypeD = D;
  using ValTypeA = half_t;
  using ValTypeB = half_t;
  using ValTypeC = D;
  using Shape_MNK = Shape<_8, _8, _4>;
  using ThrID = Layout<Shape<_4, _2>, Stride<_1, _16>>;
  using ALayout = typename quad_pair_operand<A == mma_order::row>::type;
  using BLayout = typename quad_pair_operand<B == mma_order::col>::type;
  using CLayout = typename quad_pair_result<D>::type;
};

template <class Op, class D>
struct quad_pair_mma : separate_registers<Op> {
  static constexpr bool has_floats = std::is_same_v<D, float>;
  using DRegisters = std::conditional_t<has_floats, float[8], std::uint32_t[4]>;
  using ARegisters = std::uint32_t[2];
  using BRegisters = std::uint32_t[2];
  using CRegisters = DRegisters;

  /// pre: all threads of the warp call it
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run(DRegisters& d, ARegisters const& a, BRegisters const& b, CRegisters const& c) {
#if TILEWRIGHT_ON_DEVICE
    if constexpr (has_floats) {
      std::uint32_t bits_d[8], bits_c[8];
      floats_to_bits(c, bits_c);
      ptx::quad_pair_mma<Op>(bits_d, a, b, bits_c);
      bits_to_floats(bits_d, d);
    } else {
      ptx::quad_pair_mma<Op>(d, a, b, c);
    }
#elif TILEWRIGHT_HOSTED
    mma_on_host<MMA_Traits<Op>, mma_rule::multiply_add>(Op::name, d, a, b, c);
#endif
  }
};

}  // namespace detail

#define TILEWRIGHT_X(NAME, CAPABILITY, D, ORDER_A, ORDER_B, TEXT) \
  struct NAME : detail::quad_pair_mma<NAME, D> {                  \
    static constexpr char const* name = #NAME;                    \
  };                                                              \
  template <>                                                     \
  struct MMA_Traits<NAME> : detail::quad_pair_traits<D, detail::mma_order::ORDER_A, detail::mma_order::ORDER_B> {};
#include "tilewright/atom/ptx/mma_quad_pair_d4_a2_b2.def"
#include "tilewright/atom/ptx/mma_quad_pair_d8_a2_b2.def"
#undef TILEWRIGHT_X

}  // namespace tilewright

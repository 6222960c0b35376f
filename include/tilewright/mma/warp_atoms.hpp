// The matrix operations of a warp: SM75 and SM80 (f16, bf16, tf32, f64, int8, int4, bits), SM89 (fp8), SM90 (f64). All of them,
// operations and traits, are made from the rows of atom/ptx/mma_*.def.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/mma.hpp"
#include "tilewright/mma/collective.hpp"

namespace tilewright {
namespace detail {

/// The register of a value: doubles as they are, other elements packed in 32 bits; float results as they are.
template <class T>
using mma_register = std::conditional_t<std::is_same_v<T, double>, double, std::uint32_t>;
template <class T>
using mma_result_register = std::conditional_t<std::is_same_v<T, float>, float, mma_register<T>>;

/// The registers that each of 32 threads has of so many elements.
template <class T, int Elements>
inline constexpr int warp_registers = Elements / 32 * sizeof_bits_v<T> /
                                      (8 * static_cast<int>(sizeof(mma_register<T>)));

template <int M, int N, int K, class D, class A, class B>
struct warp_mma_traits {
  using ValTypeD = D;
  using ValTypeA = A;
  using ValTypeB = B;
  using ValTypeC = D;
  static constexpr int elements = std::is_same_v<A, double> ? 1 : 32 / sizeof_bits_v<A>;
  using Shape_MNK = Shape<C<M>, C<N>, C<K>>;
  using ThrID = Layout<_32>;
  using ALayout = warp_operand<M, K, elements>;
  using BLayout = warp_operand<N, K, elements>;
  using CLayout = warp_result<M, N>;
};

template <class Op, int M, int N, int K, class D, class A, class B, mma_rule Rule>
struct warp_mma : separate_registers<Op> {
  using DRegisters = mma_result_register<D>[warp_registers<D, M * N>];
  using ARegisters = mma_register<A>[warp_registers<A, M * K>];
  using BRegisters = mma_register<B>[warp_registers<B, N * K>];
  using CRegisters = DRegisters;

  /// pre: all threads of the warp call it
  TILEWRIGHT_NO_EXEC_CHECK
  TILEWRIGHT_FN static void run(DRegisters& d, ARegisters const& a, BRegisters const& b, CRegisters const& c) {
#if TILEWRIGHT_ON_DEVICE
    if constexpr (std::is_same_v<D, float>) {
      std::uint32_t bits_d[register_count<DRegisters>], bits_c[register_count<DRegisters>];
      floats_to_bits(c, bits_c);
      ptx::mma<Op>(bits_d, a, b, bits_c);
      bits_to_floats(bits_d, d);
    } else {
      ptx::mma<Op>(d, a, b, c);
    }
#elif TILEWRIGHT_HOSTED
    mma_on_host<MMA_Traits<Op>, Rule>(Op::name, d, a, b, c);
#endif
  }
};

}  // namespace detail

#define TILEWRIGHT_X(NAME, CAPABILITY, M, N, K, D, A, B, RULE, TEXT)               \
  struct NAME : detail::warp_mma<NAME, M, N, K, D, A, B, detail::mma_rule::RULE> { \
    static constexpr char const* name = #NAME;                                     \
  };                                                                               \
  template <>                                                                      \
  struct MMA_Traits<NAME> : detail::warp_mma_traits<M, N, K, D, A, B> {};
#include "tilewright/atom/ptx/mma_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_d2_a2_b1.def"
#include "tilewright/atom/ptx/mma_d2_a4_b2.def"
#include "tilewright/atom/ptx/mma_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d4_a8_b4.def"
#undef TILEWRIGHT_X

}  // namespace tilewright

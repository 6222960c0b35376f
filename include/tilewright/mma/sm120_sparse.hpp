// The maps and the calls of SM120's matrix operations with a sparse A (mma/sm120_scaled.hpp has the operations). The maps of A and
// of the metadata count all elements: of a register's, half are stored. A fragment of A is one of sparse_elem, that of the
// metadata, 32 bits in each thread, too.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/mma/sm120_scaled.hpp"
#include "tilewright/tensor/sparse.hpp"

namespace tilewright {
namespace detail {

/// A, RegisterA: elements of A as a program has them, and as a fragment has.  Names: elements that a byte of metadata is for
template <int K, class A, class RegisterA, class B, int Names>
struct sm120_sparse_traits {
  using ValTypeD = float;
  using ValTypeA = A;
  using ValTypeE = sparse_elem<Names, std::uint8_t>;
  using ValTypeB = B;
  using ValTypeC = float;
  using FrgTypeA = RegisterA;
  using FrgTypeE = ValTypeE;
  using Shape_MNK = Shape<_16, _8, C<K>>;
  using ThrID = Layout<_32>;
  static constexpr int columns = K / 8, b_columns = K / 16;  // in a register
  using ALayout = Layout<Shape<Shape<_4, _8>, Shape<C<columns>, _2, _2>>,
                         Stride<Stride<C<16 * columns>, _1>, Stride<_16, _8, C<8 * K>>>>;
  using BLayout =
      Layout<Shape<Shape<_4, _8>, Shape<C<b_columns>, _4>>, Stride<Stride<C<8 * b_columns>, _1>, Stride<_8, C<2 * K>>>>;
  using CLayout = Layout<Shape<Shape<_4, _8>, Shape<_2, _2>>, Stride<Stride<_32, _1>, Stride<_16, _8>>>;
  using ELayout = Layout<Shape<Shape<_2, _2, _8>, C<K / 2>>, Stride<Stride<_8, C<8 * K>, _1>, _16>>;
};

}  // namespace detail

template <class A, class B, class D>
struct MMA_Traits<SM120_SPARSE_16x8x64_TN<A, B, D>>
    : detail::sm120_sparse_traits<64, sparse_elem<2, A>, sparse_elem<2, std::uint8_t>, std::uint8_t, 8> {};
template <class A, class B, class D, class F, int Vector>
struct MMA_Traits<SM120_SPARSE_16x8x64_TN_VS<A, B, D, F, Vector>>
    : detail::sm120_sparse_traits<64, sparse_elem<2, A>, sparse_elem<2, std::uint8_t>, std::uint8_t, 8>,
      detail::factor_maps<F, 64, Vector> {};
template <class A, class B, class D, class F, int Vector>
struct MMA_Traits<SM120_SPARSE_16x8x128_TN_VS<A, B, D, F, Vector>>
    : detail::sm120_sparse_traits<128, sparse_elem<4, std::uint8_t>, sparse_elem<4, std::uint8_t>, uint4b_t, 16>,
      detail::factor_maps<F, 128, Vector> {};

/// Operations of a warp with a sparse A; without factors, or with them.
template <class Op>
concept SparseWarpOperation = requires {
  typename Op::ERegisters;
  typename Op::more;
  typename MMA_Traits<Op>::ELayout;
};
template <class Op>
concept BlockScaledSparseWarpOperation = SparseWarpOperation<Op> && requires {
  typename Op::SFARegisters;
};

namespace detail {
/// More: words after the metadata
template <class Op, class TD, class TA, class TE, class TB, class TC, class... More>
TILEWRIGHT_FN constexpr void sparse_warp_mma(TD&& D, TA const& A, TE const& E, TB const& B, TC const& C,
                                             More const&... words) {
  auto const a_stored = stored_elements(A);
  using check =
      fragments_fill_the_registers<Op, std::remove_cvref_t<TD>, std::remove_const_t<decltype(a_stored)>, TB, TC>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    typename Op::DRegisters d{}, c{};
    typename Op::ARegisters a{};
    typename Op::BRegisters b{};
    typename Op::ERegisters metadata{};
    load_registers(a_stored, a);
    load_registers(B, b);
    load_registers(C, c);
    load_registers(stored_elements(E), metadata);
    typename Op::more const more{metadata[0], words...};
    Op::run(d, a, b, c, more);
    store_registers(d, D);
  }
}
}  // namespace detail

/// One operation on one thread's fragments: D = A·B + C.
/// E: the metadata of the thread, which name the columns of A's elements
TILEWRIGHT_NO_EXEC_CHECK
template <SparseWarpOperation Op, class TD, class TA, class TE, class TB, class TC>
TILEWRIGHT_FN constexpr void mma_sparse(MMA_Traits<Op> const&, TD&& D, TA const& A, TE const& E, TB const& B,
                                        TC const& C) {
  detail::sparse_warp_mma<Op>(D, A, E, B, C);
}
/// D = (A · F_A) (B · F_B) + C.  FA, FB: the factors by element, stride 0 within a block
TILEWRIGHT_NO_EXEC_CHECK
template <BlockScaledSparseWarpOperation Op, class TD, class TA, class FA, class TE, class TB, class FB, class TC>
TILEWRIGHT_FN constexpr void mma_sparse_block_scaled(MMA_Traits<Op> const&, TD&& D, TA const& A, FA const& factors_a,
                                                     TE const& E, TB const& B, FB const& factors_b, TC const& C) {
  using word = detail::register_type<typename Op::SFARegisters>;
  detail::sparse_warp_mma<Op>(D, A, E, B, C, static_cast<std::uint32_t>(detail::factors_of<word>(factors_a)),
                              static_cast<std::uint32_t>(detail::factors_of<word>(factors_b)));
}

}  // namespace tilewright

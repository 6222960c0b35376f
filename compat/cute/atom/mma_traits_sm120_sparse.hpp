// The maps of the operations of SM120 whose A is sparse. A and the metadata count elements of the dense matrix.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm120_sparse.hpp"
#include "cute/atom/mma_traits_sm120.hpp"
#include "cute/pointer_sparse.hpp"

namespace cute {
namespace detail {

/// Stored: elements of A in a byte or register of 4 bits.  Names: elements that a byte of metadata is for
template <int K, class A, class RegisterA, class B, int Names>
struct sm120_sparse_traits {
  using ValTypeD = float;
  using ValTypeA = A;
  using ValTypeE = sparse_elem<Names, std::uint8_t>;
  using ValTypeB = B;
  using ValTypeC = float;
  using FrgTypeA = RegisterA;
  using FrgTypeE = ValTypeE;
  using Shape_MNK = Shape<tilewright::C<16>, tilewright::C<8>, tilewright::C<K>>;
  using ThrID = Layout<tilewright::C<32>>;
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
struct MMA_Traits<tilewright::SM120_SPARSE_16x8x64_TN<A, B, D>>
    : detail::sm120_sparse_traits<64, sparse_elem<2, A>, sparse_elem<2, std::uint8_t>, std::uint8_t, 8> {};
template <class A, class B, class D, class F, int Vector>
struct MMA_Traits<tilewright::SM120_SPARSE_16x8x64_TN_VS<A, B, D, F, Vector>>
    : detail::sm120_sparse_traits<64, sparse_elem<2, A>, sparse_elem<2, std::uint8_t>, std::uint8_t, 8>,
      tilewright::detail::factor_maps<F, 64, Vector> {};
template <class A, class B, class D, class F, int Vector>
struct MMA_Traits<tilewright::SM120_SPARSE_16x8x128_TN_VS<A, B, D, F, Vector>>
    : detail::sm120_sparse_traits<128, sparse_elem<4, std::uint8_t>, sparse_elem<4, std::uint8_t>, uint4_t, 16>,
      tilewright::detail::factor_maps<F, 128, Vector> {};

}  // namespace cute

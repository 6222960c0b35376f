// The traits of the operations on two floats.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma_sm100.hpp"
#include "cute/atom/mma_traits.hpp"

namespace cute {

namespace detail {
template <int M, int N>
struct float_pair_traits {
  using ValTypeD = float;
  using ValTypeA = float;
  using ValTypeB = float;
  using ValTypeC = float;
  using Shape_MNK = tilewright::Shape<C<M>, C<N>, C<1>>;
  using ThrID = tilewright::Layout<C<1>>;
  using ALayout = tilewright::Layout<tilewright::Shape<C<1>, C<M>>>;
  using BLayout = tilewright::Layout<tilewright::Shape<C<1>, C<N>>>;
  using CLayout = tilewright::Layout<tilewright::Shape<C<1>, C<2>>>;
};
}  // namespace detail

template <>
struct MMA_Traits<SM100_2x1x1_F32F32F32F32> : detail::float_pair_traits<2, 1> {};
template <>
struct MMA_Traits<SM100_1x2x1_F32F32F32F32> : detail::float_pair_traits<1, 2> {};

}  // namespace cute

// Tensors: an engine and a layout; made, sliced, divided, partitioned.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/pointer_flagged.hpp"
#include "tilewright/tensor/partition.hpp"

namespace cute {

using tilewright::ArrayEngine;
using tilewright::ConstViewEngine;
using tilewright::Tensor;
using tilewright::ViewEngine;

using tilewright::make_counting_tensor;
using tilewright::make_fragment_like;
using tilewright::make_identity_tensor;
using tilewright::make_tensor;
using tilewright::make_tensor_like;

using tilewright::domain_offset;
using tilewright::recast;
using tilewright::tensor;

using tilewright::blocked;  // local_partition(tensor, thr_layout, index, blocked)
using tilewright::inner_partition;
using tilewright::local_partition;
using tilewright::local_tile;
using tilewright::outer_partition;

// what tensors share with layouts
using tilewright::coalesce;
using tilewright::composition;
using tilewright::cosize;
using tilewright::depth;
using tilewright::filter_zeros;
using tilewright::flat_divide;
using tilewright::flatten;
using tilewright::group_modes;
using tilewright::layout;
using tilewright::logical_divide;
using tilewright::max_common_vector;
using tilewright::rank;
using tilewright::select;
using tilewright::shape;
using tilewright::size;
using tilewright::stride;
using tilewright::take;
using tilewright::tiled_divide;
using tilewright::with_shape;
using tilewright::zipped_divide;

template <class A, class B>
requires(tilewright::TensorType<A>&& tilewright::TensorType<B>) CUTE_HOST_DEVICE
    constexpr auto max_common_layout(A const& a, B const& b) {
  return tilewright::max_common_layout(a.layout(), b.layout());
}

template <class T>
struct is_tensor : bool_constant<tilewright::TensorType<T>> {};
template <class T>
inline constexpr bool is_tensor_v = is_tensor<T>::value;

/// A tensor of registers, uninitialised.  pre: a static layout or shape
template <class T, class... Args>
CUTE_HOST_DEVICE constexpr auto make_rmem_tensor(Args const&... args) {
  return make_tensor<T>(args...);
}
template <class T, class Like>
CUTE_HOST_DEVICE constexpr auto make_rmem_tensor_like(Like const& like) {
  return make_fragment_like<T>(like);
}
template <class Like>
CUTE_HOST_DEVICE constexpr auto make_rmem_tensor_like(Like const& like) {
  return make_fragment_like(like);
}

}  // namespace cute

// Tensors: an engine and a layout; made, sliced, divided, partitioned.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/partition.hpp"
#include "cute/pointer_flagged.hpp"
#include "tilewright/tensor/partition.hpp"

namespace cute {

using tilewright::ArrayEngine;
using tilewright::ConstViewEngine;
using tilewright::Tensor;
using tilewright::ViewEngine;

using tilewright::make_counting_tensor;
using tilewright::make_identity_tensor;
using tilewright::make_tensor;
using tilewright::make_tensor_like;

/// make_tensor<T>, or of an iterator T make_tensor, as a function object.
template <class T>
struct MakeTensor {
  template <class... Args>
  CUTE_HOST_DEVICE constexpr auto operator()(Args const&... args) const {
    if constexpr ((std::is_same_v<T, Args> || ...)) return make_tensor(args...);
    else return make_tensor<T>(args...);
  }
};

using tilewright::domain_offset;
using tilewright::recast;
using tilewright::tensor;

// what tensors share with layouts
using tilewright::coalesce;
using tilewright::cosize;
using tilewright::depth;
using tilewright::filter;
using tilewright::filter_zeros;
using tilewright::flatten;
using tilewright::group_modes;
using tilewright::layout;
using tilewright::rank;
using tilewright::select;
using tilewright::shape;
using tilewright::size;
using tilewright::stride;
using tilewright::take;
using tilewright::with_shape;

template <class A, class B>
requires(tilewright::TensorType<A>&& tilewright::TensorType<B>) CUTE_HOST_DEVICE
    constexpr auto max_common_layout(A const& a, B const& b) {
  return cute::max_common_layout(a.layout(), b.layout());
}

template <detail::cute_tensor A, detail::cute_tensor B>
CUTE_HOST_DEVICE constexpr auto max_common_vector(A const& a, B const& b) {
  return cute::max_common_vector(a.layout(), b.layout());
}

/// In bits: those that are contiguous wherever the first element is aligned to them, and that a swizzled pointer keeps together.
template <class T>
requires(tilewright::TensorType<T>) CUTE_HOST_DEVICE constexpr auto max_alignment(T const& t) {
  auto const bits = max_alignment(t.layout()) * C<tilewright::sizeof_bits_v<typename T::value_type>>{};
  using swizzle = get_swizzle_t<decltype(t.data())>;
  if constexpr (swizzle::num_bits == 0) return bits;
  else return gcd(bits, C<(8 << swizzle::num_base)>{});
}

/// Of a swizzled layout: cute's answer for that layout.
template <detail::cute_tensor T>
requires(tilewright::is_composed_layout_v<typename T::layout_type>) CUTE_HOST_DEVICE
    constexpr auto filter_zeros(T const& t) {
  return make_tensor(t.data(), cute::filter_zeros(t.layout()));
}

template <class T>
struct is_tensor : bool_constant<tilewright::TensorType<T>> {};
template <class T>
inline constexpr bool is_tensor_v = is_tensor<T>::value;

namespace detail {
/// Mode 0 contiguous but for its repeated elements, which stay one element; the others in the order of their strides, of which equal
/// ones share registers, as in CuTe: (2,3,4):(1,5,5) -> (2,3,4):(1,2,2).
template <class L>
CUTE_HOST_DEVICE constexpr auto compact_fragment(L const& layout) {
  if constexpr (!tilewright::is_layout_v<L>) {
    return compact_fragment(layout.layout_b());
  } else if constexpr (is_tuple_v<std::remove_cvref_t<decltype(layout(C<0>{}))>>) {
    return cute::make_fragment_layout(layout);
  } else if constexpr (rank_v < L >> 1) {
    auto const first = make_layout(get<0>(layout.shape()),
                                   compact_col_major(filter_zeros(get<0>(layout.stride()), get<0>(layout.shape()))));
    auto const rest = take<1, rank_v<L>>(layout);
    auto const ordered = cute::make_ordered_layout(rest.shape(), rest.stride());
    auto const strides = transform_leaf(ordered.stride(), [&](auto const& d) { return d * cosize(first); });
    return make_layout(tuple_cat(make_shape(first.shape()), wrap(ordered.shape())),
                       tuple_cat(make_stride(first.stride()), wrap(strides)));
  } else {
    return make_layout(layout.shape());
  }
}
/// CuTe's fragments of two modes keep the second one in a tuple of its own: (4,(3)):(1,(4)).
template <class L>
CUTE_HOST_DEVICE constexpr auto fragment_layout(L const& layout) {
  auto const compact = compact_fragment(layout);
  if constexpr (is_static<decltype(compact.shape())>::value && tilewright::is_tuple_v<decltype(compact.shape())> &&
                decltype(rank(compact))::value == 2)
    return make_layout(make_shape(get<0>(compact.shape()), make_shape(get<1>(compact.shape()))),
                       make_stride(get<0>(compact.stride()), make_stride(get<1>(compact.stride()))));
  else return compact;
}
}  // namespace detail
/// A tensor of registers for a partition: mode 0 contiguous, the others in the order of the source.
template <class T, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto make_fragment_like(L const& layout) {
  return make_tensor<T>(detail::fragment_layout(layout));
}
template <class T, detail::cute_integers S>
CUTE_HOST_DEVICE constexpr auto make_fragment_like(S const& shape) {
  return make_tensor<T>(shape);
}
template <class T, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto make_fragment_like(L const& layout) {
  return make_tensor<T>(detail::fragment_layout(layout));
}
template <class T, detail::cute_tensor S>
CUTE_HOST_DEVICE constexpr auto make_fragment_like(S const& tensor) {
  return make_tensor<T>(detail::fragment_layout(tensor.layout()));
}
template <detail::cute_tensor S>
CUTE_HOST_DEVICE constexpr auto make_fragment_like(S const& tensor) {
  return make_tensor<typename S::value_type>(detail::fragment_layout(tensor.layout()));
}
template <detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto make_fragment_like(L const& layout) {
  return detail::fragment_layout(layout);
}
template <detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto make_fragment_like(L const& layout) {
  return detail::fragment_layout(layout);
}

/// Compact, with modes as fast as in the source: those of equal constant strides share elements.
template <class T, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto make_tensor_like(L const& layout) {
  return make_tensor<T>(cute::make_layout_like(layout));
}
template <class T, detail::cute_tensor S>
requires(tilewright::is_layout_v<typename S::layout_type>) CUTE_HOST_DEVICE
    constexpr auto make_tensor_like(S const& tensor) {
  return cute::make_tensor_like<T>(tensor.layout());
}
template <detail::cute_tensor S>
requires(tilewright::is_layout_v<typename S::layout_type>) CUTE_HOST_DEVICE
    constexpr auto make_tensor_like(S const& tensor) {
  return cute::make_tensor_like<typename S::value_type>(tensor.layout());
}

/// A tensor of the offsets of a layout, coordinates where its strides are basis elements.
template <detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto make_coord_tensor(L const& layout) {
  auto const zero = cute::coprofile(layout);
  if constexpr (tilewright::is_tuple_v<decltype(zero)>) return make_tensor(make_inttuple_iter(zero), layout);
  else return make_tensor(ArithmeticTupleIterator<C<0>>{}, layout);
}

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

// tensor(coord) and slices beyond the shape: an offset as any other, as in a layout.
namespace tilewright::detail {
template <class L>
requires(cute::detail::cute_layout<L> || cute::detail::cute_composed<L>) struct keeps_to_its_shape<L> {
  static constexpr bool value = false;
};
}  // namespace tilewright::detail

// Tensors: making them, asking them, and seeing their elements in another order. Slicing with `_`, dividing and recasting
// give tensors over the same elements; only make_tensor<T> owns any.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/tensor_class.hpp"

namespace tilewright {

// --- making tensors --------------------------------------------------------------------------------------------------
/// With an engine, which is copied: an ArrayEngine's elements with it.
template <EngineType Engine, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_tensor(Engine const& engine, L const& layout) {
  if constexpr (is_invalid_v<L>) return invalid_layout{};
  else return Tensor<Engine, L>(engine, layout);
}
/// With a shape (compact, first mode fastest), or a shape and strides or an order.
template <IteratorClass It, IntTuple S>
TILEWRIGHT_FN constexpr auto make_tensor(It const& it, S const& shape) {
  return make_tensor(it, make_layout(shape));
}
template <class T, IntTuple S>
TILEWRIGHT_FN constexpr auto make_tensor(T* p, S const& shape) {
  return make_tensor(p, make_layout(shape));
}
template <IteratorClass It, IntTuple S, class D>
TILEWRIGHT_FN constexpr auto make_tensor(It const& it, S const& shape, D const& stride) {
  return make_tensor(it, make_layout(shape, stride));
}
template <class T, IntTuple S, class D>
TILEWRIGHT_FN constexpr auto make_tensor(T* p, S const& shape, D const& stride) {
  return make_tensor(p, make_layout(shape, stride));
}
namespace detail {
template <class L>
struct layout_of_an_owning_tensor_is_static {
  static constexpr bool value = is_static_v<L>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_tensor<T>: a tensor that owns its elements needs a static layout; make its extents compile-time "
        "constants (docs/errors.md#owning_static)");
    return invalid_layout{};
  }
};
}  // namespace detail

/// A tensor that owns its elements, uninitialised.  pre: a static layout
template <class T, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_tensor(L const& layout) {
  if constexpr (!is_invalid_v<L> && holds<detail::layout_of_an_owning_tensor_is_static<L>>())
    return Tensor<ArrayEngine<T, static_cast<std::size_t>(cosize_v<L>)>, L>(layout);
  else return invalid_layout{};
}
template <class T, IntTuple S>
TILEWRIGHT_FN constexpr auto make_tensor(S const& shape) {
  return make_tensor<T>(make_layout(shape));
}
template <class T, IntTuple S, class D>
requires(!std::is_same_v<T, S>) TILEWRIGHT_FN constexpr auto make_tensor(S const& shape, D const& stride) {
  return make_tensor<T>(make_layout(shape, stride));
}

/// Owning, with the shape of a layout or tensor and compact strides in the same order.
template <class T, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_tensor_like(L const& layout) {
  return make_tensor<T>(make_layout_like(layout));
}
template <class T, TensorType S>
TILEWRIGHT_FN constexpr auto make_tensor_like(S const& tensor) {
  return make_tensor_like<T>(tensor.layout());
}
template <TensorType S>
TILEWRIGHT_FN constexpr auto make_tensor_like(S const& tensor) {
  return make_tensor_like<typename S::value_type>(tensor.layout());
}
/// Owning, for a partition: mode 0 (one atom's values) contiguous, the others in the order of the source.
template <class T, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_fragment_like(L const& layout) {
  if constexpr (is_composed_layout_v<L>) return make_tensor<T>(make_fragment_layout(layout.layout_b()));
  else return make_tensor<T>(make_fragment_layout(layout));
}
template <class T, TensorType S>
TILEWRIGHT_FN constexpr auto make_fragment_like(S const& tensor) {
  return make_fragment_like<T>(tensor.layout());
}
template <TensorType S>
TILEWRIGHT_FN constexpr auto make_fragment_like(S const& tensor) {
  return make_fragment_like<typename S::value_type>(tensor.layout());
}

namespace detail {
/// A zero for each leaf of a shape, nested like it.
template <class S>
struct zero_coordinate {
  using type = C<0>;
};
template <class... T>
struct zero_coordinate<tuple<T...>> {
  using type = ArithmeticTuple<typename zero_coordinate<T>::type...>;
};

/// The type that offsets are computed in: int where the layout says that they fit, long long otherwise.
template <class L>
using offset_number = std::conditional_t<(sizeof(decltype(std::declval<L const&>()(0))) > sizeof(int)), long long, int>;
}  // namespace detail

/// The tensor of coordinates: element c is c itself.
template <IntTuple S>
TILEWRIGHT_FN constexpr auto make_identity_tensor(S const& shape) {
  using Zero = typename detail::zero_coordinate<S>::type;
  return make_tensor(ArithmeticTupleIterator<Zero>{}, make_identity_layout(shape));
}
/// The tensor of offsets: element c is layout(c).
template <AnyLayout L>
TILEWRIGHT_FN constexpr auto make_counting_tensor(L const& layout) {
  return make_tensor(counting_iterator<detail::offset_number<L>>{0}, layout);
}
template <LayoutType L>
requires(lift::value_of<L>.tree.leaves > 0 && !lift::value_of<L>.tree.stride[0].basis().empty()) TILEWRIGHT_FN
    constexpr auto make_counting_tensor(L const& layout) {
  return make_tensor(ArithmeticTupleIterator<ArithmeticTuple<C<0>>>{}, layout);
}

/// From the result of a failed operation.
template <class... A>
TILEWRIGHT_FN constexpr invalid_layout make_tensor(invalid_layout const&, A const&...) {
  return {};
}
TILEWRIGHT_FN constexpr invalid_layout make_tensor_like(invalid_layout const&) { return {}; }
TILEWRIGHT_FN constexpr invalid_layout make_fragment_like(invalid_layout const&) { return {}; }
TILEWRIGHT_FN constexpr invalid_layout make_identity_tensor(invalid_layout const&) { return {}; }
TILEWRIGHT_FN constexpr invalid_layout make_counting_tensor(invalid_layout const&) { return {}; }

// --- asking and reshaping --------------------------------------------------------------------------------------------
template <int... I, TensorType T>
TILEWRIGHT_FN constexpr auto layout(T const& t) {
  return layout<I...>(t.layout());
}
template <int... I, TensorType T>
TILEWRIGHT_FN constexpr auto shape(T const& t) {
  return shape<I...>(t.layout());
}
template <int... I, TensorType T>
TILEWRIGHT_FN constexpr auto stride(T const& t) {
  return stride<I...>(t.layout());
}
template <int... I, TensorType T>
TILEWRIGHT_FN constexpr auto size(T const& t) {
  using Size =
      decltype(size<I...>(t.layout()));  // a constant is not read from the tensor, whose offset may be a run-time value
  if constexpr (std::is_empty_v<Size>) return Size{};
  else return size<I...>(t.layout());
}
template <int... I, TensorType T>
TILEWRIGHT_FN constexpr auto rank(T const& t) {
  return decltype(rank<I...>(t.layout())){};
}
template <int... I, TensorType T>
TILEWRIGHT_FN constexpr auto depth(T const& t) {
  return decltype(depth<I...>(t.layout())){};
}
template <int... I, TensorType T>
TILEWRIGHT_FN constexpr auto cosize(T const& t) {
  return cosize<I...>(t.layout());
}
template <class E, class L>
inline constexpr int rank_v<Tensor<E, L>> = rank_v<L>;
template <class A, class B>
requires(is_tensor_v<A>&& is_tensor_v<B>) TILEWRIGHT_FN constexpr auto max_common_vector(A const& a, B const& b) {
  return max_common_vector(a.layout(), b.layout());
}

/// The bytes as elements of U; the layout changes with the width.  pre: aligned; the memory falls into whole U
template <class U, TensorType T>
TILEWRIGHT_FN constexpr auto recast(T&& tensor) {
  using From = typename std::remove_cvref_t<T>::value_type;
  if constexpr (std::is_same_v<std::remove_const_t<U>, From>) {
    return make_tensor(tensor.data(), tensor.layout());
  } else {
    auto const wide = recast_bits<sizeof_bits_v<From>, sizeof_bits_v<U>>(tensor.layout());
    return make_tensor(recast_ptr<U>(tensor.data()), wide);
  }
}

template <class U>
TILEWRIGHT_FN constexpr invalid_layout recast(invalid_layout const&) {
  return {};
}
template <int Begin, int End>
TILEWRIGHT_FN constexpr invalid_layout group_modes(invalid_layout const&) {
  return {};
}
template <int... I>
TILEWRIGHT_FN constexpr invalid_layout tensor(invalid_layout const&) {
  return {};
}
template <class X>
TILEWRIGHT_FN constexpr invalid_layout domain_offset(X const&, invalid_layout const&) {
  return {};
}

template <TensorType T>
TILEWRIGHT_FN constexpr auto flatten(T&& t) {
  return make_tensor(t.data(), flatten(t.layout()));
}
template <TensorType T>
TILEWRIGHT_FN constexpr auto coalesce(T&& t) {
  return make_tensor(t.data(), coalesce(t.layout()));
}
template <TensorType T, IntTuple P>
TILEWRIGHT_FN constexpr auto coalesce(T&& t, P const& p) {
  return make_tensor(t.data(), coalesce(t.layout(), p));
}
template <TensorType T>
TILEWRIGHT_FN constexpr auto filter_zeros(T&& t) {
  return make_tensor(t.data(), filter_zeros(t.layout()));
}
template <int Begin, int End, TensorType T>
TILEWRIGHT_FN constexpr auto group_modes(T&& t) {
  return make_tensor(t.data(), group<Begin, End>(t.layout()));
}
template <int Begin, int End, TensorType T>
TILEWRIGHT_FN constexpr auto take(T&& t) {
  return make_tensor(t.data(), take<Begin, End>(t.layout()));
}
template <int... I, TensorType T>
TILEWRIGHT_FN constexpr auto select(T&& t) {
  return make_tensor(t.data(), select<I...>(t.layout()));
}
template <int... I, TensorType T>
TILEWRIGHT_FN constexpr auto tensor(T&& t) {
  return make_tensor(t.data(), layout<I...>(t.layout()));
}
template <TensorType T, TilerType Tiler>
TILEWRIGHT_FN constexpr auto composition(T&& t, Tiler const& tiler) {
  return make_tensor(t.data(), composition(t.layout(), tiler));
}
template <TensorType T, IntTuple S>
TILEWRIGHT_FN constexpr auto with_shape(T&& t, S const& s) {
  return make_tensor(t.data(), with_shape(t.layout(), s));
}
/// The tensor moved to start at a coordinate, which becomes its origin.
template <class X, TensorType T>
TILEWRIGHT_FN constexpr auto domain_offset(X const& x, T&& t) {
  return make_tensor(t.data() + t.layout()(x), t.layout());
}

}  // namespace tilewright

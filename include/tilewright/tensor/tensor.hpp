// Tensors: making them, asking them, and seeing their elements in another order. Slicing with `_`, dividing and recasting
// give tensors over the same elements; only make_tensor<T> owns any.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

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
  static constexpr bool value = is_static_v<L> || is_invalid_v<L>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "make_tensor<T>: a tensor that owns its elements needs a static layout; make its extents compile-time "
        "constants (docs/errors.md#owning_static)");
    return invalid_layout{};
  }
};
}  // namespace detail

namespace detail {
template <class L>
using fragment_is_static = layout_of_an_owning_tensor_is_static<
    std::remove_cvref_t<decltype(make_fragment_layout(inner_layout(std::declval<L const&>())))>>;
}  // namespace detail

/// A tensor that owns its elements, uninitialised; of a type with tensor_for(layout), such as the fragments of operations on
/// tensor memory, what that gives.  pre: a static layout
template <class T, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_tensor(L const& layout) {
  using check = detail::layout_of_an_owning_tensor_is_static<L>;
  if constexpr (is_invalid_v<L>) return invalid_layout{};
  else if constexpr (requires { T::tensor_for(layout); }) return T::tensor_for(layout);
  else if constexpr (!check::value) return check::sentence();
  else return Tensor<ArrayEngine<T, static_cast<std::size_t>(cosize_v<L>)>, L>(layout);
}
template <class T, IntTuple S>
TILEWRIGHT_FN constexpr auto make_tensor(S const& shape) {
  using check = detail::layout_of_an_owning_tensor_is_static<decltype(make_layout(shape))>;
  if constexpr (!check::value) return check::sentence();
  else return make_tensor<T>(make_layout(shape));
}
template <class T, IntTuple S, class D>
requires(!std::is_same_v<T, S>) TILEWRIGHT_FN constexpr auto make_tensor(S const& shape, D const& stride) {
  using check = detail::layout_of_an_owning_tensor_is_static<decltype(make_layout(shape, stride))>;
  if constexpr (!check::value) return check::sentence();
  else return make_tensor<T>(make_layout(shape, stride));
}

/// Owning, with the shape of a layout or tensor and compact strides in the same order.
template <class T, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_tensor_like(L const& layout) {
  using check = detail::layout_of_an_owning_tensor_is_static<decltype(make_layout_like(detail::inner_layout(layout)))>;
  if constexpr (!check::value) return check::sentence();
  else return make_tensor<T>(make_layout_like(detail::inner_layout(layout)));
}
template <class T, TensorType S>
TILEWRIGHT_FN constexpr auto make_tensor_like(S const& tensor) {
  using check =
      detail::layout_of_an_owning_tensor_is_static<decltype(make_layout_like(detail::inner_layout(tensor.layout())))>;
  if constexpr (!check::value) return check::sentence();
  else return make_tensor_like<T>(tensor.layout());
}
template <TensorType S>
TILEWRIGHT_FN constexpr auto make_tensor_like(S const& tensor) {
  using check =
      detail::layout_of_an_owning_tensor_is_static<decltype(make_layout_like(detail::inner_layout(tensor.layout())))>;
  if constexpr (!check::value) return check::sentence();
  else return make_tensor_like<typename S::value_type>(tensor.layout());
}
/// Owning, for a partition: mode 0 (one atom's values) contiguous, the others in the order of the source.
template <class T, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_fragment_like(L const& layout) {
  using check = detail::fragment_is_static<L>;
  if constexpr (!check::value) return check::sentence();
  else return make_tensor<T>(make_fragment_layout(detail::inner_layout(layout)));
}
template <class T, TensorType S>
TILEWRIGHT_FN constexpr auto make_fragment_like(S const& tensor) {
  using check = detail::fragment_is_static<typename S::layout_type>;
  if constexpr (!check::value) return check::sentence();
  else return make_fragment_like<T>(tensor.layout());
}
template <TensorType S>
TILEWRIGHT_FN constexpr auto make_fragment_like(S const& tensor) {
  using check = detail::fragment_is_static<typename S::layout_type>;
  if constexpr (!check::value) return check::sentence();
  else return make_fragment_like<typename S::value_type>(tensor.layout());
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
template <TensorType A, TensorType B>
TILEWRIGHT_FN constexpr auto max_common_vector(A const& a, B const& b) {
  return max_common_vector(a.layout(), b.layout());
}

namespace detail {
template <int From, int To, class L>
struct recast_of {
  using type = no_objection;
};
template <int From, int To, LayoutType L>
requires(From != To) struct recast_of<From, To, L> {
  using type = lift::succeeds<op::recast<From, To>, L>;
};
template <int From, int To, class O, int B, int M, int S, class L>
struct recast_of<From, To, ComposedLayout<Swizzle<B, M, S>, O, L>> {
  using type = all_hold<recast_keeps_elements_whole<From, To, M>, typename recast_of<From, To, L>::type>;
};
}  // namespace detail

/// The bytes as elements of U; the layout changes with the width.  pre: aligned; the memory falls into whole U
template <class U, TensorType T>
TILEWRIGHT_FN constexpr auto recast(T&& tensor) {
  using From = typename std::remove_cvref_t<T>::value_type;
  if constexpr (std::is_same_v<std::remove_const_t<U>, From>) {
    return make_tensor(tensor.data(), tensor.layout());
  } else {
    using check = typename detail::recast_of<sizeof_bits_v<From>, sizeof_bits_v<U>,
                                             typename std::remove_cvref_t<T>::layout_type>::type;
    if constexpr (!check::value) return check::sentence();
    else
      return make_tensor(recast_ptr<U>(tensor.data()),
                         recast_bits<sizeof_bits_v<From>, sizeof_bits_v<U>>(tensor.layout()));
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
template <TensorType T>
TILEWRIGHT_FN constexpr auto filter(T&& t) {
  return make_tensor(t.data(), filter(t.layout()));
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
  auto const moved = domain_offset(x, t.layout());
  return make_tensor(t.data() + moved.offset, moved.layout);
}

// --- arguments that no overload above takes --------------------------------------------------------------------------
namespace detail {
/// Arguments that no overload of make_tensor takes, so that none competes with the one that says so.
template <class A, class... More>
inline constexpr bool are_no_arguments_of_make_tensor =
    (Container<A> && !EngineType<A>) || (sizeof...(More) > 0 && (AnyLayout<A> || IntTuple<A>)) ||
    ((std::is_pointer_v<A> || IteratorClass<A>)&&(sizeof...(More) == 0 || (is_no_entry<More> || ...)));
/// What is wrong with the arguments of make_tensor.
template <class First, class... More>
struct make_tensor_takes {
  static constexpr bool is_container = Container<First>;
  static constexpr bool is_swapped = !is_container && (AnyLayout<First> || IntTuple<First>)&&sizeof...(More) > 0;
  static constexpr bool lacks_a_layout = !is_container && !is_swapped && sizeof...(More) == 0;
  static constexpr bool value = never<First, More...>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        !is_container,
        "make_tensor: takes a pointer or an iterator over elements, and not a container; pass container.data() "
        "(docs/errors.md#tensor_arguments)");
    static_assert(!is_swapped,
                  "make_tensor: the pointer comes first and the layout or shape after it; swap the arguments, or name "
                  "the element type for a tensor that owns its elements, make_tensor<float>(layout) "
                  "(docs/errors.md#tensor_arguments)");
    static_assert(
        !lacks_a_layout,
        "make_tensor: takes a pointer and a layout, and the layout is missing; write make_tensor(pointer, layout) "
        "(docs/errors.md#tensor_arguments)");
    static_assert(
        value || is_container || is_swapped || lacks_a_layout,
        "make_tensor: takes a pointer and then a layout, or a shape with its stride, and an argument is not one of "
        "these; pass make_tensor(pointer, make_layout(shape, stride)) (docs/errors.md#tensor_arguments)");
    return invalid_layout{};
  }
};
template <class T, class... A>
struct owning_tensor_takes {
  static constexpr bool value = never<T, A...>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_tensor<T>: a tensor that owns its elements takes a static layout or shape, and an argument is "
                  "neither; leave <T> out where a pointer is given (docs/errors.md#tensor_arguments)");
    return invalid_layout{};
  }
};
}  // namespace detail
template <class A, class... More>
requires(detail::are_no_arguments_of_make_tensor<A, More...> && !AnyInvalid<A, More...>) TILEWRIGHT_FN
    constexpr auto make_tensor(A const&, More const&...) {
  return detail::make_tensor_takes<A, More...>::sentence();
}
template <class T, class A, class... More>
requires((std::is_arithmetic_v<T> || std::is_class_v<T>)&&detail::is_no_entry<A>) TILEWRIGHT_FN
    constexpr auto make_tensor(A const&, More const&...) {
  return detail::owning_tensor_takes<T, A, More...>::sentence();
}

}  // namespace tilewright

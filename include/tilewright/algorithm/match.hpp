// Which tensors an algorithm may pair. One rule for shapes (algebra::shapes_match): equal, or nested differently with the
// same extents in the same order; static shapes are compared in the compiler, others in every build. And which elements
// an atom may move: those of its own type, or unsigned integers of the same width, which mean bits.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algorithm/print.hpp"
#include "tilewright/algorithm/traverse.hpp"
#include "tilewright/tensor/element.hpp"

namespace tilewright {

namespace detail {

/// The function that a sentence names.
enum class algorithm { copy, copy_if, transform, axpby, cooperative_copy };

template <algorithm Name>
inline constexpr char const* name_of = Name == algorithm::copy        ? "copy"
                                       : Name == algorithm::copy_if   ? "copy_if"
                                       : Name == algorithm::transform ? "transform"
                                       : Name == algorithm::axpby     ? "axpby"
                                                                      : "cooperative_copy";

template <class A, class B>
inline constexpr bool static_shapes_match = algebra::shapes_match(lift::value_of<A>.tree, lift::value_of<B>.tree);
template <class A>
inline constexpr bool static_shapes_match<A, A> = true;

template <algorithm Name, class Source, class Destination>
struct shapes_match {
  static constexpr bool value = static_shapes_match<Source, Destination>;
  template <algorithm Other>
  static constexpr bool value_of = value || Name != Other;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value_of<algorithm::copy>,
                  "copy: the shapes of source and destination do not match; slice or partition both alike, or pair "
                  "elements by index with with_shape(source, shape(destination)) (docs/errors.md#copy_shape)");
    static_assert(value_of<algorithm::copy_if>,
                  "copy_if: the shapes of source and destination do not match; slice or partition both alike, or pair "
                  "elements by index with with_shape(source, shape(destination)) (docs/errors.md#copy_shape)");
    static_assert(value_of<algorithm::transform>,
                  "transform: the shapes of input and output do not match; slice or partition both alike, or pair "
                  "elements by index with with_shape(input, shape(output)) (docs/errors.md#copy_shape)");
    static_assert(value_of<algorithm::axpby>,
                  "axpby: the shapes of x and y do not match; slice or partition both alike, or pair elements by "
                  "index with with_shape(x, shape(y)) (docs/errors.md#copy_shape)");
    static_assert(value_of<algorithm::cooperative_copy>,
                  "cooperative_copy: the shapes of source and destination do not match; slice both alike, or pair "
                  "elements by index with with_shape(source, shape(destination)) (docs/errors.md#copy_shape)");
    return invalid_layout{};
  }
};
template <class Predicate, class Source>
struct predicate_matches {
  static constexpr bool value = static_shapes_match<Predicate, Source>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "copy_if: the shapes of predicate and source do not match; give the predicate one element for each "
                  "element (or atom) that may move (docs/errors.md#predicate_shape)");
    return invalid_layout{};
  }
};

/// The checks where both shapes are static.
template <bool AreStatic>
struct pick_match {
  template <class Check>
  using type = no_objection;
};
template <>
struct pick_match<true> {
  template <class Check>
  using type = Check;
};
template <algorithm Name, class A, class B>
using static_match = typename pick_match<is_static_v<A> && is_static_v<B>>::template type<shapes_match<Name, A, B>>;
template <class P, class S>
using static_predicate_match =
    typename pick_match<is_static_v<P> && is_static_v<S>>::template type<predicate_matches<P, S>>;
/// Of the modes after the first, one by one.  pre: equal ranks
template <algorithm Name, class A, class B, class Seq>
struct static_rest_match_of;
template <algorithm Name, class A, class B, int... N>
struct static_rest_match_of<Name, A, B, seq<N...>> {
  using type = all_hold<no_objection, static_match<Name, tuple_element_t<N + 1, A>, tuple_element_t<N + 1, B>>...>;
};
template <algorithm Name, class A, class B>
using static_rest_match = typename static_rest_match_of<Name, A, B, make_seq<tuple_size_v<A> - 1>>::type;

/// The type of a tensor's shape.
template <class T>
using shape_type_of_tensor = std::remove_cvref_t<decltype(std::declval<T&>().shape())>;
template <algorithm Name, class A, class B>
using tensors_match = static_match<Name, shape_type_of_tensor<A>, shape_type_of_tensor<B>>;

template <class A, class B, int... N>
TILEWRIGHT_FN constexpr bool equal_entries(A const& a, B const& b, seq<N...>);
template <class A, class B>
TILEWRIGHT_FN constexpr bool equal_extents(A const& a, B const& b) {
  if constexpr (is_tuple_v<A>) return equal_entries(a, b, make_seq<tuple_size_v<A>>{});
  else return static_cast<long long>(a) == static_cast<long long>(b);
}
template <class A, class B, int... N>
TILEWRIGHT_FN constexpr bool equal_entries(A const& a, B const& b, seq<N...>) {
  return (true && ... && equal_extents(get<N>(a), get<N>(b)));
}

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
/// A shape as a value.
template <class S, int... N>
constexpr void add_shape(int_tree& out, S const& shape, seq<N...>);
template <class S>
constexpr void add_shape(int_tree& out, S const& shape) {
  if constexpr (is_tuple_v<S>) add_shape(out, shape, make_seq<tuple_size_v<S>>{});
  else out.add_leaf(constant_leaf(static_cast<long long>(shape)));
}
template <class S, int... N>
constexpr void add_shape(int_tree& out, S const& shape, seq<N...>) {
  out.open(static_cast<int>(sizeof...(N)));
  (add_shape(out, get<N>(shape)), ...);
}
template <class S>
constexpr int_tree tree_of_shape(S const& shape) {
  int_tree out{};
  add_shape(out, shape);
  return out;
}
#endif

/// The rule for shapes of which one at least is a run-time value. On the device shapes of different nesting only have to
/// be equal in size.
template <class A, class B>
TILEWRIGHT_FN constexpr bool dynamic_shapes_match(A const& a, B const& b) {
  if constexpr (op::congruent<A, B>) {
    return equal_extents(a, b);
  } else {
#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
    return algebra::shapes_match(tree_of_shape(a), tree_of_shape(b));
#else
    return static_cast<long long>(size(a)) == static_cast<long long>(size(b));
#endif
  }
}

/// Says what does not match: on the host by layout_error; a kernel stops (and where TILEWRIGHT_CHECKED is 1 prints it).
template <class A, class B>
TILEWRIGHT_FN void refuse_shapes(errc code, char const* function, char const* label_a, A const& a, char const* label_b,
                                 B const& b) {
#if TILEWRIGHT_ON_DEVICE || !TILEWRIGHT_HOSTED
#if TILEWRIGHT_CHECKED
  printf("%s: the shapes do not match: %s ", function, label_a);
  print(a);
  printf(", %s ", label_b);
  print(b);
  printf("\n");
#endif
  TILEWRIGHT_TRAP();
#else
  raise(layout_error({code, static_cast<long long>(size(a)), static_cast<long long>(size(b))},
                     sentence_of(code, function, labelled(label_a, a), labelled(label_b, b))));
#endif
}

// Static shapes are compared by checks (static_match …), which the function that the user calls asks; the others by these.

/// post: the shapes match; otherwise layout_error copy_shape, or a stopped kernel
template <algorithm Name, class A, class B>
TILEWRIGHT_FN constexpr void require_match(A const& source, B const& destination) {
  if constexpr (!is_static_v<A> || !is_static_v<B>) {
    if (!dynamic_shapes_match(source, destination))
      refuse_shapes(errc::copy_shape, name_of<Name>, "source", source, "destination", destination);
  }
}
template <class P, class S>
TILEWRIGHT_FN constexpr void require_predicate(P const& predicate, S const& source) {
  if constexpr (!is_static_v<P> || !is_static_v<S>) {
    if (!dynamic_shapes_match(predicate, source))
      refuse_shapes(errc::predicate_shape, "copy_if", "predicate", predicate, "source", source);
  }
}
/// The same for the modes after the first, one by one, of the partitions that an atom moves.
template <algorithm Name, class A, class B, int... N>
TILEWRIGHT_FN constexpr void require_rest_match(A const& source, B const& destination, seq<N...>) {
  (require_match<Name>(get<N + 1>(source), get<N + 1>(destination)), ...);
}

// --- elements --------------------------------------------------------------------------------------------------------
/// The library's number and CUDA's of the same bits: half_t and __half.
template <class A, class B>
inline constexpr bool is_cuda_type_of = false;
template <class A, class B>
requires requires { typename A::cuda_type; }
inline constexpr bool is_cuda_type_of<A, B> = std::is_same_v<typename A::cuda_type, B>;
/// Coordinates, as TMA takes them, name the elements at them.
template <class A, class B>
TILEWRIGHT_CONSTEXPR bool is_one_element_type() {
  if constexpr (std::is_same_v<A, B> || is_arithmetic_tuple_v<A> || is_arithmetic_tuple_v<B>) return true;
  else if constexpr (is_cuda_type_of<A, B> || is_cuda_type_of<B, A>) return true;
  else return sizeof_bits_v<A> == sizeof_bits_v<B> && (stands_for_bits<A> || stands_for_bits<B>);
}
template <class A, class B>
inline constexpr bool one_element_type = is_one_element_type<A, B>();

template <class OfAtom, class OfSource, class OfDestination>
struct atom_moves_these_elements {
  static constexpr bool value = one_element_type<OfAtom, OfSource> && one_element_type<OfAtom, OfDestination> &&
                                one_element_type<OfSource, OfDestination>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "copy: the atom's element type is not that of source and destination; make the Copy_Atom of their "
                  "element type, and convert by transform (docs/errors.md#atom_element)");
    return invalid_layout{};
  }
};

}  // namespace detail

}  // namespace tilewright

// copy: moves what one thread owns. An atom carries mode 0 at a time and the loops over the other modes are here; a plain
// copy takes vectors as wide as layouts and alignment prove. copy_if moves where a predicate holds.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algorithm/match.hpp"
#include "tilewright/algorithm/vector_width.hpp"

namespace tilewright {

namespace detail {

struct assign {
  TILEWRIGHT_NO_EXEC_CHECK
  template <class S, class D>
  TILEWRIGHT_FN constexpr void operator()(S const& src, D&& dst) const {
    using Value = std::remove_cvref_t<S>;
    if constexpr (requires { dst = src; }) dst = src;
    else if constexpr (requires { dst = static_cast<Value>(src); }) dst = static_cast<Value>(src);
    else dst = static_cast<std::remove_cvref_t<D>>(static_cast<Value>(src));  // float to half_t
  }
};

template <class Dst>
struct is_writable {
  static constexpr bool value = !std::is_const_v<typename std::remove_cvref_t<Dst>::element_type>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "copy, fill, transform: the destination's elements are const; write to a tensor over writable memory "
                  "(docs/errors.md#const_destination)");
    return invalid_layout{};
  }
};
template <long long Source, long long Destination>
struct source_and_destination_have_one_size {
  static constexpr bool value = Source == Destination;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "copy: source and destination differ in size; partition both with the same tiled copy or slice them "
                  "alike (docs/errors.md#copy_size)");
    return invalid_layout{};
  }
};
template <int Source, int Destination>
struct source_and_destination_have_one_rank {
  static constexpr bool value = Source == Destination;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "copy: source and destination differ in rank; partition both with the same tiled copy "
                  "(docs/errors.md#copy_rank)");
    return invalid_layout{};
  }
};
template <int Source, int Destination, int AtomSource, int AtomDestination>
struct mode_0_holds_the_atoms_values {
  static constexpr bool value = Source == AtomSource && Destination == AtomDestination;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "copy: mode 0 of source or destination does not hold the values the atom carries; partition both with "
        "partition_S and partition_D of one tiled copy (docs/errors.md#atom_values)");
    return invalid_layout{};
  }
};
template <int Predicate, int Source>
struct predicate_has_the_rest_modes {
  static constexpr bool value = Predicate == Source - 1;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "copy_if: the predicate has one mode less than the source, since an atom moves mode 0 as a whole; give "
        "it the source's modes from mode 1 on (docs/errors.md#predicate_rank)");
    return invalid_layout{};
  }
};

/// As many elements on both sides, for operations that are handed whole tensors and order their elements themselves.
template <class Src, class Dst>
TILEWRIGHT_FN constexpr void require_one_size(Src const& src, Dst const& dst) {
  auto const s = static_cast<long long>(size(src)), d = static_cast<long long>(size(dst));
  if (s == d) return;
#if TILEWRIGHT_ON_DEVICE || !TILEWRIGHT_HOSTED
  TILEWRIGHT_TRAP();
#else
  raise(error{errc::copy_size, s, d});
#endif
}
template <class N>
inline constexpr long long static_count = -1;
template <auto n>
inline constexpr long long static_count<C<n>> = static_cast<long long>(n);
/// Is one size certain, or not known before the kernel runs?
template <class SizeS, class SizeD>
using sizes_may_agree = source_and_destination_have_one_size < static_count<SizeD> < 0 ? 0
                        : static_count<SizeS> < 0                                      ? 0
                                                                                       : static_count<SizeS>,
      static_count<SizeS> < 0 ? 0 : static_count<SizeD><0 ? 0 : static_count<SizeD>>;

/// dst(i) = src(i), in words of `Bits` bits where that many are contiguous in both.
template <int Bits, class Src, class Dst>
TILEWRIGHT_FN constexpr void copy_vectorised(Src const& src, Dst& dst) {
  require_match<algorithm::copy>(src.shape(), dst.shape());
  constexpr int n = vector_elements<Bits, Src, Dst>;
  if constexpr (n > 1) {
    using Word = carrier<n * sizeof_bits_v<typename Src::value_type>, void>;
    for_each_element(assign{}, recast<Word>(src), recast<Word>(dst));
  } else {
    for_each_element(assign{}, src, dst);
  }
}

/// A size, or 0 where it is a run-time value.
template <class N>
inline constexpr int static_size = 0;
template <auto n>
inline constexpr int static_size<C<n>> = static_cast<int>(n);

template <class Op, class T, class Src, class Dst>
TILEWRIGHT_FN constexpr void copy_atoms(Copy_Atom<Op, T> const& atom, Src const& src, Dst&& dst);

/// Where both sides hold an atom's values: mode 0, or the first mode in it. A check, which is asked with the layouts.
template <class SrcLayout, class DstLayout>
struct atom_values_found : no_objection {
  using source = SrcLayout;
  using destination = DstLayout;
};
template <class Atom, class SL, class DL>
TILEWRIGHT_FN constexpr auto find_atom_values(SL const& src, DL const& dst) {
  constexpr int src_values = static_size<decltype(size<0>(src))>, dst_values = static_size<decltype(size<0>(dst))>;
  using Mode0 = std::remove_cvref_t<decltype(shape<0>(src))>;
  if constexpr (rank_v<SL> != rank_v<DL>) return source_and_destination_have_one_rank<rank_v<SL>, rank_v<DL>>{};
  else if constexpr (src_values == Atom::NumValSrc && dst_values == Atom::NumValDst)
    return atom_values_found<std::remove_const_t<decltype(layout<0>(src))>,
                             std::remove_const_t<decltype(layout<0>(dst))>>{};
  else if constexpr (is_tuple_v<Mode0> && src_values != 0 && dst_values != 0)
    return find_atom_values<Atom>(layout<0>(src), layout<0>(dst));
  else return mode_0_holds_the_atoms_values<src_values, dst_values, Atom::NumValSrc, Atom::NumValDst>{};
}
template <class Atom, class Src, class Dst>
using atom_values_of = decltype(find_atom_values<Atom>(std::declval<typename Src::layout_type const&>(),
                                                       std::declval<typename Dst::layout_type const&>()));

/// The operation's own check, of the values that it is handed.
template <class Atom, class Src, class Dst, class Found>
struct atom_takes_operands {
  using type = Found;
};
template <class Atom, class Src, class Dst, class SL, class DL>
struct atom_takes_operands<Atom, Src, Dst, atom_values_found<SL, DL>> {
  using type =
      typename check_of_traits<typename Atom::Traits, operand_type<iterator_of<Src>, SL, typename Src::value_type>,
                               operand_type<iterator_of<Dst>, DL, typename Dst::value_type>>::type;
};
// Classes, because NVRTC takes no generic lambdas without a flag.
template <class Atom>
struct call_atom {
  Atom const& atom;
  template <class S, class D>
  TILEWRIGHT_FN constexpr void operator()(S const& s, D&& d) const {
    atom.call(s, d);
  }
};
template <class Atom>
struct copy_atoms_of_mode_0 {
  Atom const& atom;
  template <class S, class D>
  TILEWRIGHT_FN constexpr void operator()(S const& s, D&& d) const {
    copy_atoms(atom, opened(s), opened(d));
  }
};
struct assign_where_true {
  TILEWRIGHT_NO_EXEC_CHECK
  template <class S, class D>
  TILEWRIGHT_FN constexpr void operator()(bool moves, S const& s, D&& d) const {
    if (moves) d = s;
  }
};

/// The atom's values for as long as mode 0 holds more than one atom's.
template <class Op, class T, class Src, class Dst>
TILEWRIGHT_FN constexpr void copy_atoms([[maybe_unused]] Copy_Atom<Op, T> const& atom, Src const& src, Dst&& dst) {
  using Atom = Copy_Atom<Op, T>;
  constexpr int src_values = static_size<decltype(size<0>(src))>, dst_values = static_size<decltype(size<0>(dst))>;
  if constexpr (src_values == Atom::NumValSrc && dst_values == Atom::NumValDst) {
    require_rest_match<algorithm::copy>(wrap(src.shape()), wrap(dst.shape()), make_seq<rank_v<Src> - 1>{});
    for_each_rest(call_atom<Atom>{atom}, src, dst);
  } else {
    for_each_rest(copy_atoms_of_mode_0<Atom>{atom}, src, dst);
  }
}

/// The same where `moves` is true; where it is false an operation that fills with zeros does that, any other nothing.
template <class Op, class T, class Src, class Dst>
TILEWRIGHT_FN constexpr void copy_atoms_if(Copy_Atom<Op, T> const& atom, bool moves, Src const& src, Dst&& dst) {
  if constexpr (requires(Copy_Traits<Op> const& traits) { Copy_Traits<Op>(traits.with(moves)); }) {
    copy_atoms(atom.with(moves), src, dst);
  } else {
    if (moves) copy_atoms(atom, src, dst);
  }
}

template <class T, class Src, class Dst>
using atom_moves_elements_of = atom_moves_these_elements<std::remove_cv_t<T>, typename Src::value_type,
                                                         typename std::remove_cvref_t<Dst>::value_type>;

template <class T>
inline constexpr int assumed_bits = 0;
template <int Bits>
inline constexpr int assumed_bits<AutoVectorizingCopyWithAssumedAlignment<Bits>> = Bits;

// What `copy` asks before it copies, each a check; Src and Dst are tensors without reference.

/// Of elements, one by one or vectorised.
template <class Src, class Dst>
using elements_copy_check = all_hold<is_writable<Dst>, tensors_match<algorithm::copy, Src, Dst>>;
/// By an atom: values in mode 0, the other modes alike.
template <class Atom, class Src, class Dst>
struct static_rest_of_copy {
  using S = shape_type_of_tensor<Src>;
  using D = shape_type_of_tensor<Dst>;
  using type = no_objection;
};
template <class Atom, class Src, class Dst>
requires(is_tuple_v<shape_type_of_tensor<Src>>&& is_tuple_v<shape_type_of_tensor<Dst>>&&
             static_size<decltype(size<0>(std::declval<Src&>()))> ==
         Atom::NumValSrc) struct static_rest_of_copy<Atom, Src, Dst> {
  using type = static_rest_match<algorithm::copy, shape_type_of_tensor<Src>, shape_type_of_tensor<Dst>>;
};
template <class Atom, class Src, class Dst>
struct atoms_copy_check {
  using type = all_hold<atom_values_of<Atom, Src, Dst>, typename static_rest_of_copy<Atom, Src, Dst>::type,
                        typename atom_takes_operands<Atom, Src, Dst, atom_values_of<Atom, Src, Dst>>::type>;
};
/// By an operation that is handed whole tensors.
template <class Atom, class Src, class Dst>
struct whole_copy_check {
  using type = all_hold<sizes_may_agree<decltype(size(std::declval<Src&>())), decltype(size(std::declval<Dst&>()))>,
                        typename check_of_traits<typename Atom::Traits, operand_of<Src>, operand_of<Dst>>::type>;
};
template <class Src, class Dst>
struct elements_check {
  using type = elements_copy_check<Src, Dst>;
};
/// The first question decides which others there are; those of a wrong case are never instantiated.
template <class Check>
struct failed_check {
  using type = Check;
};
template <class Atom, class Src, class Dst>
using atom_copy_check = typename std::conditional_t<
    !is_writable<Dst>::value, failed_check<is_writable<Dst>>,
    std::conditional_t<
        (assumed_bits<typename Atom::operation> > 0) || std::is_same_v<typename Atom::operation, DefaultCopy>,
        elements_check<Src, Dst>,
        std::conditional_t<copies_whole_tensors<typename Atom::operation>, whole_copy_check<Atom, Src, Dst>,
                           std::conditional_t<!atom_moves_elements_of<typename Atom::ValType, Src, Dst>::value,
                                              failed_check<atom_moves_elements_of<typename Atom::ValType, Src, Dst>>,
                                              std::conditional_t<rank_v<Src> != rank_v<Dst>,
                                                                 failed_check<source_and_destination_have_one_rank<
                                                                     rank_v<Src>, rank_v<Dst>>>,
                                                                 atoms_copy_check<Atom, Src, Dst>>>>>>::type;

/// What `copy` with an atom does where this thread takes part.
/// pre: atom_copy_check
template <class Op, class T, class Src, class Dst>
TILEWRIGHT_FN constexpr void copy_by_atom(Copy_Atom<Op, T> const& atom, Src const& src, Dst&& dst);

template <class Src, class Dst>
TILEWRIGHT_FN constexpr bool takes_part(Src const& src, Dst& dst) {
  return !is_null(src.data()) && !is_null(dst.data());
}

}  // namespace detail

/// Every element of src to the element of dst at the same coordinate. Vectorises on what the types prove: owned
/// registers are aligned to up to 32 bytes, raw pointers to one element.
/// pre: shapes that match (match.hpp), no element of dst twice
template <TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy(Src const& src, Dst&& dst) {
  using D = std::remove_cvref_t<Dst>;
  using check = detail::elements_copy_check<Src, D>;
  constexpr int bits = static_cast<int>(math::gcd(detail::promised_alignment<Src>, detail::promised_alignment<D>));
  if constexpr (!check::value) (void)check::sentence();
  else detail::copy_vectorised<bits>(src, dst);
}

/// The same, vectorised up to MaxBits.
/// pre: the first elements of src and dst are aligned to MaxBits
template <int MaxBits, TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy(AutoVectorizingCopyWithAssumedAlignment<MaxBits> const&, Src const& src, Dst&& dst) {
  using check = detail::elements_copy_check<Src, std::remove_cvref_t<Dst>>;
  if constexpr (!check::value) (void)check::sentence();
  else detail::copy_vectorised<MaxBits>(src, dst);
}
template <TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy(DefaultCopy const&, Src const& src, Dst&& dst) {
  using check = detail::elements_copy_check<Src, std::remove_cvref_t<Dst>>;
  if constexpr (!check::value) (void)check::sentence();
  else copy(src, dst);
}

template <class Op, class T, class Src, class Dst>
TILEWRIGHT_FN constexpr void detail::copy_by_atom(Copy_Atom<Op, T> const& atom, Src const& src, Dst&& dst) {
  if constexpr (assumed_bits < Op >> 0) {
    copy_vectorised<assumed_bits<Op>>(src, dst);
  } else if constexpr (std::is_same_v<Op, DefaultCopy>) {
    copy(src, dst);
  } else if constexpr (copies_whole_tensors<Op>) {
    require_one_size(src, dst);
    atom.call(src, dst);
  } else {
    copy_atoms(atom, src, dst);
  }
}

/// Mode 0 (one atom's values, perhaps several times) by the atom, at every coordinate of the other modes.
/// pre: src and dst are partitions of one thread: ((atom values, more values), Rest…)
template <class Op, class T, TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy(Copy_Atom<Op, T> const& atom, Src const& src, Dst&& dst) {
  using check = detail::atom_copy_check<Copy_Atom<Op, T>, Src, std::remove_cvref_t<Dst>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    if (detail::takes_part(src, dst)) detail::copy_by_atom(atom, src, dst);
  }
}

/// Whole tensors by an operation for such, named by its traits: copy(Copy_Traits<SM90_BULK_COPY_AUTO>{}.with(bar), …).
template <class Op, TensorType Src, TensorType Dst>
requires(detail::copies_whole_tensors<Op>) TILEWRIGHT_FN
    constexpr void copy(Copy_Traits<Op> const& traits, Src const& src, Dst&& dst) {
  using Atom = Copy_Atom<Op, typename Src::value_type>;
  using check = detail::atom_copy_check<Atom, Src, std::remove_cvref_t<Dst>>;
  if constexpr (!check::value) (void)check::sentence();
  else copy(Atom{traits}, src, dst);
}

/// A tiled copy's partitions; a thread beyond the copy's own moves nothing.
template <class Atom, class TV, class Tiler, TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy(TiledCopy<Atom, TV, Tiler> const& tiled, Src const& src, Dst&& dst) {
  using check = detail::atom_copy_check<Atom, Src, std::remove_cvref_t<Dst>>;
  if constexpr (!check::value) (void)check::sentence();
  else copy(static_cast<Atom const&>(tiled), src, dst);
}

/// Where pred is true, element by element.
/// pre: the shapes of pred, src and dst match
template <TensorType Pred, TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy_if(Pred const& pred, Src const& src, Dst&& dst) {
  using D = std::remove_cvref_t<Dst>;
  using check =
      all_hold<detail::tensors_match<detail::algorithm::copy_if, Src, D>,
               detail::static_predicate_match<detail::shape_type_of_tensor<Pred>, detail::shape_type_of_tensor<Src>>,
               detail::is_writable<D>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    if (!detail::takes_part(src, dst)) return;
    detail::require_match<detail::algorithm::copy_if>(src.shape(), dst.shape());
    detail::require_predicate(pred.shape(), src.shape());
    detail::for_each_element(detail::assign_where_true{}, pred, src, dst);
  }
}

namespace detail {

template <class Pred, class Src, class Dst, int Rank>
struct predicated_modes_match {
  using S = shape_type_of_tensor<Src>;
  using type = all_hold<predicate_has_the_rest_modes<rank_v<Pred>, Rank>,
                        source_and_destination_have_one_rank<Rank, rank_v<Dst>>>;
};
/// The check of the modes after the first, for predicates and then for the destination.
template <class Pred, class Src, class Dst>
struct predicated_rest_match {
  using S = shape_type_of_tensor<Src>;
  using type = all_hold<static_rest_match<algorithm::copy_if, S, shape_type_of_tensor<Dst>>,
                        static_predicate_match<decltype(wrap(std::declval<shape_type_of_tensor<Pred>>())),
                                               decltype(take_entries<1, rank_v<Src>>(std::declval<S>()))>>;
};
template <class Atom, class Pred, class Src, class Dst>
using predicated_copy_check = typename std::conditional_t<
    !all_hold<is_writable<Dst>, atom_moves_elements_of<typename Atom::ValType, Src, Dst>>::value,
    failed_check<all_hold<is_writable<Dst>, atom_moves_elements_of<typename Atom::ValType, Src, Dst>>>,
    std::conditional_t<rank_v<Src> == 1, atoms_copy_check<Atom, Src, Dst>,
                       std::conditional_t<predicated_modes_match<Pred, Src, Dst, rank_v<Src>>::type::value,
                                          predicated_rest_match<Pred, Src, Dst>,
                                          predicated_modes_match<Pred, Src, Dst, rank_v<Src>>>>>::type;

}  // namespace detail

/// Where pred is true, one atom at a time: pred has the modes of src but for mode 0. Operations that fill with zeros
/// (…_ZFILL) write zeros elsewhere.
template <class Op, class T, TensorType Pred, TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy_if(Copy_Atom<Op, T> const& atom, Pred const& pred, Src const& src, Dst&& dst) {
  using check = detail::predicated_copy_check<Copy_Atom<Op, T>, Pred, Src, std::remove_cvref_t<Dst>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else if constexpr (rank_v<Src> == 1) {
    if (!detail::takes_part(src, dst)) return;
    detail::copy_atoms_if(atom, pred(0), src, dst);
  } else {
    if (!detail::takes_part(src, dst)) return;
    constexpr int rank = rank_v<Src>;
    detail::require_rest_match<detail::algorithm::copy_if>(src.shape(), dst.shape(), make_seq<rank - 1>{});
    detail::require_predicate(wrap(pred.shape()), take_entries<1, rank>(src.shape()));
    auto const s = group_modes<1, rank>(src);
    auto d = group_modes<1, rank>(dst);
    auto const n = size<1>(s);
    detail::for_each_number<1, detail::atom_count<Src>>(
        n, [&](detail::loop_index<decltype(n)> i) { detail::copy_atoms_if(atom, pred(i), s(_, i), d(_, i)); });
  }
}
template <class Atom, class TV, class Tiler, TensorType Pred, TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy_if(TiledCopy<Atom, TV, Tiler> const& tiled, Pred const& pred, Src const& src,
                                     Dst&& dst) {
  using check = detail::predicated_copy_check<Atom, Pred, Src, std::remove_cvref_t<Dst>>;
  if constexpr (!check::value) (void)check::sentence();
  else copy_if(static_cast<Atom const&>(tiled), pred, src, dst);
}

/// Of the result of a failed operation.
template <class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr void copy(A&&...) {}
template <class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr void copy_if(A&&...) {}

// --- arguments that no overload above takes --------------------------------------------------------------------------
// No more arguments than a call has: other libraries call functions of these names, found by the types of this one's elements, with
// more, as thrust's copy(policy, first, last, result).
namespace detail {
template <class... A>
struct copy_takes {
  static constexpr bool value = sizeof...(A) == 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "copy, copy_if, fill, clear, transform: source and destination are tensors, and an argument is a layout, "
        "a pointer or a container; make a tensor of it with make_tensor(pointer, layout) "
        "(docs/errors.md#tensor_expected)");
    return invalid_layout{};
  }
};
}  // namespace detail
template <class... A>
requires(sizeof...(A) <= 3 && (detail::is_no_tensor<A> || ...) && !AnyInvalid<A...>) TILEWRIGHT_FN
    constexpr void copy(A const&...) {
  (void)detail::copy_takes<A...>::sentence();
}
template <class... A>
requires(sizeof...(A) <= 4 && (detail::is_no_tensor<A> || ...) && !AnyInvalid<A...>) TILEWRIGHT_FN
    constexpr void copy_if(A const&...) {
  (void)detail::copy_takes<A...>::sentence();
}
}  // namespace tilewright

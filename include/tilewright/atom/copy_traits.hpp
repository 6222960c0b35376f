// What a copy operation is: data plus one call. Its traits say which threads take part and where each thread's bits are,
// as thread-value maps in bits; Copy_Atom restates them in elements of a type and runs the operation on one thread's
// values.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/tensor/tensor.hpp"

namespace tilewright {

/// The maps of an operation. A specialisation has
///   ThrID      (thread of the atom) -> thread index
///   SrcLayout  (thread, bit) -> bit of the source
///   DstLayout  (thread, bit) -> bit of the destination
///   RefLayout  (thread, bit) -> bit of the order both are compared in
/// and   void copy(src, dst)   on tensors of one thread's values: static, or const where the operation has state, which
///       with(…) sets by returning other traits.
///   is_possible       optional: the check that there is such an operation
///   operands_check<Src, Dst>   optional: the check (base/invalid.hpp) that the operation moves such operands (operand_type)
template <class Operation, class... Parameters>
struct Copy_Traits;

namespace detail {

/// What a check sees of one side of a copy: a tensor without its numbers.
template <class Iterator, class L, class Value>
struct operand_type {
  using iterator = Iterator;
  using layout_type = L;
  using value_type = Value;
};
template <class T>
using iterator_of = std::remove_cvref_t<decltype(std::declval<T&>().data())>;
template <class T>
using operand_of = operand_type<iterator_of<T>, typename std::remove_cvref_t<T>::layout_type,
                                typename std::remove_cvref_t<T>::value_type>;

template <class Traits, class Src, class Dst>
struct check_of_traits {
  using type = no_objection;
};
template <class Traits, class Src, class Dst>
requires requires { typename Traits::template operands_check<Src, Dst>; }
struct check_of_traits<Traits, Src, Dst> {
  using type = typename Traits::template operands_check<Src, Dst>;
};

/// The check that an operation exists at all, `is_possible` of its traits: said where a Copy_Atom is named.
template <class Traits>
struct possibility_of {
  using type = no_objection;
};
template <class Traits>
requires requires { typename Traits::is_possible; }
struct possibility_of<Traits> {
  using type = typename Traits::is_possible;
};

/// Operations that are handed whole tensors, not one atom's values after another.
template <class Operation>
inline constexpr bool copies_whole_tensors = false;
/// Where an operation's traits are. Specialised where programs have them elsewhere: compat/ takes those in namespace cute.
template <class Operation>
struct copy_traits_named {
  using type = Copy_Traits<Operation>;
};
/// Are these traits, of another template than Copy_Traits, an operation by themselves: Copy_Atom<Traits, T>?
template <class Traits>
inline constexpr bool traits_name_an_atom = false;
/// The operation that Copy_Traits<Operation, Parameters...> names.
template <class Operation, class... Parameters>
struct operation_named {
  using type = Operation;
};
}  // namespace detail

/// An operation for elements of T.
template <class Operation, class T>
struct Copy_Atom : detail::copy_traits_named<Operation>::type {
  using Traits = typename detail::copy_traits_named<Operation>::type;
  using operation = Operation;
  using ValType = T;
  static constexpr int value_bits = sizeof_bits_v<T>;
  using BitLayoutSrc = typename Traits::SrcLayout;
  using BitLayoutDst = typename Traits::DstLayout;
  using BitLayoutRef = typename Traits::RefLayout;
  static constexpr int atom_bits = static_cast<int>(size_v<decltype(layout<1>(BitLayoutRef{}))>);
  // A map of a single bit names an operation that adapts its width: it carries one value at least.
  static constexpr bool atom_holds_whole_elements = atom_bits == 1 || atom_bits % value_bits == 0;
  static constexpr int step = atom_holds_whole_elements ? value_bits : 1;

  using ThrID = typename Traits::ThrID;
  using ValLayoutSrc = decltype(recast_bits<1, step>(BitLayoutSrc{}));
  using ValLayoutDst = decltype(recast_bits<1, step>(BitLayoutDst{}));
  using ValLayoutRef = decltype(recast_bits<1, step>(BitLayoutRef{}));
  static constexpr int NumThreads = static_cast<int>(size_v<ThrID>);
  static constexpr int NumValSrc = static_cast<int>(size_v<decltype(layout<1>(ValLayoutSrc{}))>);
  static constexpr int NumValDst = static_cast<int>(size_v<decltype(layout<1>(ValLayoutDst{}))>);
  static constexpr int NumValRef = static_cast<int>(size_v<decltype(layout<1>(ValLayoutRef{}))>);

  /// Moves one thread's share: NumValSrc elements of src to NumValDst of dst.
  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  TILEWRIGHT_FN constexpr void call(Src const& src, Dst&& dst) const {
    using check = typename detail::check_of_traits<Traits, detail::operand_of<Src>, detail::operand_of<Dst>>::type;
    if constexpr (!check::value) (void)check::sentence();
    else static_cast<Traits const&>(*this).copy(src, dst);
  }

  /// The same atom in another state, for operations that have one: atom.with(pred). The state may make it another
  /// operation.
  template <class... State>
  TILEWRIGHT_FN constexpr auto with(State&&... state) const {
    using Other = decltype(static_cast<Traits const&>(*this).with(static_cast<State&&>(state)...));
    using check = typename detail::possibility_of<Other>::type;
    if constexpr (!check::value) return check::sentence();
    else return of_traits(static_cast<Traits const&>(*this).with(static_cast<State&&>(state)...));
  }

  static_assert(
      atom_holds_whole_elements,
      "Copy_Atom: the operation's bits are not a multiple of an element's bits; choose a wider operation or a narrower "
      "element (docs/errors.md#atom_not_divisible)");

  using possibility = typename detail::possibility_of<Traits>::type;
  static_assert((static_cast<void>(std::conditional_t<possibility::value, no_objection, possibility>::sentence()),
                 true));

 private:
  template <class Other>
  TILEWRIGHT_FN static constexpr Copy_Atom<Other, T> of_traits(Copy_Traits<Other> const& traits) {
    return {traits};
  }
  template <class Other>
  requires(detail::traits_name_an_atom<Other>) TILEWRIGHT_FN
      static constexpr Copy_Atom<Other, T> of_traits(Other const& traits) {
    return {traits};
  }
};

/// The same atom named by its traits.
template <class Operation, class... Parameters, class T>
struct Copy_Atom<Copy_Traits<Operation, Parameters...>, T>
    : Copy_Atom<typename detail::operation_named<Operation, Parameters...>::type, T> {};

template <class T>
inline constexpr bool is_copy_atom_v = false;
template <class O, class T>
inline constexpr bool is_copy_atom_v<Copy_Atom<O, T>> = true;

}  // namespace tilewright

// What a copy operation is: data plus one call. Its traits say which threads take part and where each thread's bits are,
// as thread-value maps in bits; Copy_Atom restates them in elements of a type and runs the operation on one thread's
// values.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/tensor.hpp"

namespace tilewright {

/// The maps of an operation. A specialisation has
///   ThrID      (thread of the atom) -> thread index
///   SrcLayout  (thread, bit) -> bit of the source
///   DstLayout  (thread, bit) -> bit of the destination
///   RefLayout  (thread, bit) -> bit of the order both are compared in
/// and   void copy(src, dst)   on tensors of one thread's values: static, or const where the operation has state, which
///       with(…) sets by returning other traits.
template <class Operation, class... Parameters>
struct Copy_Traits;

namespace detail {
/// Operations that are handed whole tensors, not one atom's values after another.
template <class Operation>
inline constexpr bool copies_whole_tensors = false;
/// The operation that Copy_Traits<Operation, Parameters...> names.
template <class Operation, class... Parameters>
struct operation_named {
  using type = Operation;
};
}  // namespace detail

/// An operation for elements of T.
template <class Operation, class T>
struct Copy_Atom : Copy_Traits<Operation> {
  using Traits = Copy_Traits<Operation>;
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
    static_cast<Traits const&>(*this).copy(src, dst);
  }

  /// The same atom in another state, for operations that have one: atom.with(pred). The state may make it another
  /// operation.
  template <class... State>
  TILEWRIGHT_FN constexpr auto with(State&&... state) const {
    return of_traits(static_cast<Traits const&>(*this).with(static_cast<State&&>(state)...));
  }

  static_assert(
      atom_holds_whole_elements,
      "Copy_Atom: the operation's bits are no whole number of elements; choose a wider operation or a narrower "
      "element (docs/errors.md#atom_not_divisible)");

 private:
  template <class Other>
  TILEWRIGHT_FN static constexpr Copy_Atom<Other, T> of_traits(Copy_Traits<Other> const& traits) {
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

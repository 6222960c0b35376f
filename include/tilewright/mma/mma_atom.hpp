// MMA_Atom: a matrix operation with its traits, which makes fragments for one thread and runs the operation on them.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/mma/registers.hpp"
#include "tilewright/mma/sm61.hpp"
#include "tilewright/mma/sm70.hpp"
#include "tilewright/mma/warp_atoms.hpp"

namespace tilewright {

template <class... Parameters>
struct MMA_Atom;

namespace detail {

// The element type of a fragment: the one that the traits name, else the operation's.
template <class Traits>
struct fragment_type_a {
  using type = typename Traits::ValTypeA;
};
template <class Traits>
requires requires { typename Traits::FrgTypeA; }
struct fragment_type_a<Traits> {
  using type = typename Traits::FrgTypeA;
};
template <class Traits>
struct fragment_type_b {
  using type = typename Traits::ValTypeB;
};
template <class Traits>
requires requires { typename Traits::FrgTypeB; }
struct fragment_type_b<Traits> {
  using type = typename Traits::FrgTypeB;
};
template <class Traits>
struct fragment_type_c {
  using type = typename Traits::ValTypeC;
};
template <class Traits>
requires requires { typename Traits::FrgTypeC; }
struct fragment_type_c<Traits> {
  using type = typename Traits::FrgTypeC;
};

/// By which gemm knows atoms and what is made of them.
struct any_mma_atom {};

template <long long Mode, long long Values>
struct mode_0_holds_the_operation {
  static constexpr bool value = Mode == Values;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "make_fragment: mode 0 of the tensor does not hold the values that a thread has of the operation; "
                  "partition the "
                  "tensor with partition_A, _B or _C first (docs/errors.md#mma_partition)");
    return invalid_layout{};
  }
};

/// Values of one thread in a map.
template <class TV>
inline constexpr long long values_of = static_cast<long long>(size_v<decltype(layout<1>(TV{}))>);

/// A constant size, -1 for one that is known at run time.
template <class N>
inline constexpr long long constant_or_unknown = -1;
template <auto N>
inline constexpr long long constant_or_unknown<C<N>> = static_cast<long long>(N);

/// The check of a partition, with that of the fragment type where it has one.
template <class Fragment, class T, class Check>
struct fragment_check_of {
  using type = Check;
};
template <class Fragment, class T, class Check>
requires(Check::value&& requires {
  typename Fragment::template fragment_check<T>;
}) struct fragment_check_of<Fragment, T, Check> {
  using type = typename Fragment::template fragment_check<T>;
};

template <class Traits>
struct mma_atom : Traits, any_mma_atom {
  using ValTypeD = typename Traits::ValTypeD;
  using ValTypeA = typename Traits::ValTypeA;
  using ValTypeB = typename Traits::ValTypeB;
  using ValTypeC = typename Traits::ValTypeC;
  using Shape_MNK = typename Traits::Shape_MNK;
  using ThrID = typename Traits::ThrID;
  using LayoutA_TV = typename Traits::ALayout;
  using LayoutB_TV = typename Traits::BLayout;
  using LayoutC_TV = typename Traits::CLayout;
  using FrgTypeA = typename fragment_type_a<Traits>::type;
  using FrgTypeB = typename fragment_type_b<Traits>::type;
  using FrgTypeC = typename fragment_type_c<Traits>::type;
  using FrgTypeD = FrgTypeC;

  constexpr mma_atom() = default;
  TILEWRIGHT_HOST_DEVICE constexpr mma_atom(Traits const& traits) : Traits(traits) {}

  /// D = A·B + C on one thread's fragments.
  /// pre: every thread of the atom calls it
  TILEWRIGHT_NO_EXEC_CHECK
  template <class TD, class TA, class TB, class TC>
  TILEWRIGHT_FN constexpr void call(TD&& D, TA const& A, TB const& B, TC const& C) const {
    mma_unpack(static_cast<Traits const&>(*this), D, A, B, C);
  }
  TILEWRIGHT_NO_EXEC_CHECK
  template <class TA, class TB, class TC>
  TILEWRIGHT_FN constexpr void call(TA const& A, TB const& B, TC&& C) const {
    mma_unpack(static_cast<Traits const&>(*this), C, A, B, C);
  }

  /// An accumulator for a partition (V, MMA_M, MMA_N, …) of C: compact, first mode fastest.
  template <TensorType T>
  TILEWRIGHT_FN static constexpr auto make_fragment_C(T&& partition) {
    using check = of_this_operation<T, LayoutC_TV>;
    if constexpr (!check::value) return check::sentence();
    else return make_tensor<FrgTypeC>(partition.shape());
  }
  /// Registers for a partition (V, MMA_M, MMA_K, …) of A, or of B: V contiguous, the other modes in the order of the partition.
  /// An operand that the operation reads from shared memory has its descriptors for a fragment: (1, MMA_M, MMA_K, …).
  template <TensorType T>
  TILEWRIGHT_FN static constexpr auto make_fragment_A(T&& partition) {
    using check = fragment_check<FrgTypeA, T, LayoutA_TV>;
    if constexpr (!check::value) return check::sentence();
    else if constexpr (requires { FrgTypeA::fragment_of(partition); }) return FrgTypeA::fragment_of(partition);
    else return make_fragment_like<FrgTypeA>(partition);
  }
  template <TensorType T>
  TILEWRIGHT_FN static constexpr auto make_fragment_B(T&& partition) {
    using check = fragment_check<FrgTypeB, T, LayoutB_TV>;
    if constexpr (!check::value) return check::sentence();
    else if constexpr (requires { FrgTypeB::fragment_of(partition); }) return FrgTypeB::fragment_of(partition);
    else return make_fragment_like<FrgTypeB>(partition);
  }
  /// For the shape of a partition.
  template <TupleType S>
  TILEWRIGHT_FN static constexpr auto make_fragment_A(S const& shape) {
    return make_tensor<FrgTypeA>(shape);
  }
  template <TupleType S>
  TILEWRIGHT_FN static constexpr auto make_fragment_B(S const& shape) {
    return make_tensor<FrgTypeB>(shape);
  }
  template <TupleType S>
  TILEWRIGHT_FN static constexpr auto make_fragment_C(S const& shape) {
    return make_tensor<FrgTypeC>(shape);
  }
  TILEWRIGHT_FN static constexpr invalid_layout make_fragment_A(invalid_layout const&) { return {}; }
  TILEWRIGHT_FN static constexpr invalid_layout make_fragment_B(invalid_layout const&) { return {}; }
  TILEWRIGHT_FN static constexpr invalid_layout make_fragment_C(invalid_layout const&) { return {}; }

 private:
  template <class T, class TV>
  using of_this_operation =
      mode_0_holds_the_operation<constant_or_unknown<decltype(size<0>(std::declval<std::remove_cvref_t<T> const&>()))>,
                                 values_of<TV>>;
  template <class Fragment, class T, class TV>
  using fragment_check = typename fragment_check_of<Fragment, T, of_this_operation<T, TV>>::type;
};

}  // namespace detail

/// By the operation, or by its traits where these have parameters or a state.
template <class Operation>
struct MMA_Atom<Operation> : detail::mma_atom<typename detail::mma_traits_named<Operation>::type> {
  using MMA_Op = Operation;
  using Traits = typename detail::mma_traits_named<Operation>::type;
  using detail::mma_atom<Traits>::mma_atom;
  constexpr MMA_Atom() = default;

  /// The same operation with other traits, for operations that have a state.
  template <class... State>
  TILEWRIGHT_FN constexpr auto with(State&&... state) const {
    auto const traits = static_cast<Traits const&>(*this).with(static_cast<State&&>(state)...);
    return MMA_Atom<std::remove_const_t<decltype(traits)>>{traits};
  }
};
template <class Operation, class... Parameters>
struct MMA_Atom<MMA_Traits<Operation, Parameters...>> : detail::mma_atom<MMA_Traits<Operation, Parameters...>> {
  using MMA_Op = Operation;
  using Traits = MMA_Traits<Operation, Parameters...>;
  using detail::mma_atom<Traits>::mma_atom;
  constexpr MMA_Atom() = default;

  template <class... State>
  TILEWRIGHT_FN constexpr auto with(State&&... state) const {
    auto const traits = static_cast<Traits const&>(*this).with(static_cast<State&&>(state)...);
    return MMA_Atom<std::remove_const_t<decltype(traits)>>{traits};
  }
};

/// An atom, or a tiled operation or thread's slice made of one.
template <class T>
concept MmaAtomType = std::is_base_of_v<detail::any_mma_atom, std::remove_cvref_t<T>>;
template <class T>
inline constexpr bool is_mma_atom_v = false;
template <class... P>
inline constexpr bool is_mma_atom_v<MMA_Atom<P...>> = true;

}  // namespace tilewright

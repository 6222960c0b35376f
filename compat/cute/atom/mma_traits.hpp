// The traits of matrix operations, and the call of an operation on a thread's fragments. Programs specialise cute::MMA_Traits for
// operations of their own; those of the library are in namespace tilewright.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/mma.hpp"
#include "cute/tensor_impl.hpp"
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/mma/mma_atom.hpp"
#include "tilewright/mma/registers.hpp"

namespace cute {

template <class Operation, class... Parameters>
struct MMA_Traits : tilewright::MMA_Traits<Operation, Parameters...> {
  constexpr MMA_Traits() = default;
  CUTE_HOST_DEVICE constexpr MMA_Traits(tilewright::MMA_Traits<Operation, Parameters...> const& traits)
      : tilewright::MMA_Traits<Operation, Parameters...>(traits) {}
};

/// The operation that traits are of.
template <class Traits>
struct MMA_Op {};
template <class Operation, class... Parameters>
struct MMA_Op<MMA_Traits<Operation, Parameters...>> {
  using type = Operation;
};
template <class Operation, class... Parameters>
struct MMA_Op<tilewright::MMA_Traits<Operation, Parameters...>> {
  using type = Operation;
};

namespace detail {
template <class Operation, class... Parameters>
inline constexpr bool has_library_traits = requires {
  sizeof(tilewright::MMA_Traits<Operation, Parameters...>);
};

/// An atom of a program's traits.
template <class Operation, class... Parameters>
struct atom_of_traits : tilewright::detail::mma_atom<MMA_Traits<Operation, Parameters...>> {
  using MMA_Op = Operation;
  using Traits = MMA_Traits<Operation, Parameters...>;
  constexpr atom_of_traits() = default;
  CUTE_HOST_DEVICE constexpr atom_of_traits(Traits const& traits) : tilewright::detail::mma_atom<Traits>(traits) {}

  template <class... State>
  CUTE_HOST_DEVICE constexpr auto with(State&&... state) const {
    auto const traits = static_cast<Traits const&>(*this).with(static_cast<State&&>(state)...);
    return tilewright::MMA_Atom<std::remove_const_t<decltype(traits)>>{traits};
  }
};
}  // namespace detail

using tilewright::mma_unpack;
/// By a program's traits that have no mma_unpack of their own: as many registers as the operation's fma takes.
template <class Operation, class... Parameters, class TD, class TA, class TB, class TC>
requires(!detail::has_library_traits<Operation, Parameters...>) CUTE_HOST_DEVICE
    constexpr void mma_unpack(MMA_Traits<Operation, Parameters...> const&, TD&& D, TA const& A, TB const& B,
                              TC const& C) {
  tilewright::detail::mma_by_registers<Operation>(D, A, B, C);
}

}  // namespace cute

namespace tilewright {

template <class Operation>
requires(!cute::detail::has_library_traits<Operation>) struct detail::mma_traits_named<Operation> {
  using type = cute::MMA_Traits<Operation>;
};
template <class Operation, class... Parameters>
requires(!cute::detail::has_library_traits<Operation,
                                           Parameters...>) struct MMA_Atom<cute::MMA_Traits<Operation, Parameters...>>
    : cute::detail::atom_of_traits<Operation, Parameters...> {
  using base = cute::detail::atom_of_traits<Operation, Parameters...>;
  constexpr MMA_Atom() = default;
  TILEWRIGHT_HOST_DEVICE constexpr MMA_Atom(typename base::Traits const& traits) : base(traits) {}
};
template <class Operation, class... Parameters>
requires(cute::detail::has_library_traits<Operation,
                                          Parameters...>) struct MMA_Atom<cute::MMA_Traits<Operation, Parameters...>>
    : MMA_Atom<MMA_Traits<Operation, Parameters...>> {
  using base = MMA_Atom<MMA_Traits<Operation, Parameters...>>;
  constexpr MMA_Atom() = default;
  TILEWRIGHT_HOST_DEVICE constexpr MMA_Atom(typename base::Traits const& traits) : base(traits) {}
};

/// Operations of programs.
template <class Operation>
requires(
    !cute::detail::has_library_traits<Operation>) inline constexpr bool detail::steps_by_gemm<MMA_Atom<Operation>> =
    true;
template <class Operation, class... Parameters>
requires(!cute::detail::has_library_traits<Operation, Parameters...>) inline constexpr bool detail::steps_by_gemm<
    MMA_Atom<cute::MMA_Traits<Operation, Parameters...>>> = true;

}  // namespace tilewright

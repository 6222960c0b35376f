// The traits of copy operations: which threads take part, and where their bits are; and the call of a program's own operation on a
// thread's values. Programs specialise cute::Copy_Traits; those of the library are in namespace tilewright.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy.hpp"
#include "cute/layout.hpp"
#include "cute/tensor_impl.hpp"
#include "tilewright/atom/copy_traits.hpp"
#include "tilewright/mma/registers.hpp"

namespace cute {

template <class Operation, class... Parameters>
struct Copy_Traits : tilewright::Copy_Traits<Operation, Parameters...> {
  using base = tilewright::Copy_Traits<Operation, Parameters...>;
  using base::base;
  constexpr Copy_Traits() = default;
  CUTE_HOST_DEVICE constexpr Copy_Traits(base const& traits) : base(traits) {}
};

/// The operation that traits are of.
template <class Traits>
struct CPY_Op {};
template <class Operation, class... Parameters>
struct CPY_Op<Copy_Traits<Operation, Parameters...>> {
  using type = Operation;
};
template <class Operation, class... Parameters>
struct CPY_Op<tilewright::Copy_Traits<Operation, Parameters...>> {
  using type = Operation;
};

namespace detail {
template <class Operation, class... Parameters>
inline constexpr bool has_library_copy_traits = requires {
  sizeof(tilewright::Copy_Traits<Operation, Parameters...>);
}
|| !std::is_same_v<typename tilewright::detail::operation_named<Operation, Parameters...>::type, Operation>;

/// What a Copy_Atom asks of traits, by a program's traits and their copy_unpack.
template <class Operation, class... Parameters>
struct traits_of_program : Copy_Traits<Operation, Parameters...> {
  using Traits = Copy_Traits<Operation, Parameters...>;
  constexpr traits_of_program() = default;
  CUTE_HOST_DEVICE constexpr traits_of_program(Traits const& traits) : Traits(traits) {}

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Src, class Dst>
  CUTE_HOST_DEVICE constexpr void copy(Src const& src, Dst&& dst) const {
    copy_unpack(static_cast<Traits const&>(*this), src, dst);
  }
};

template <class Op, class S, class D, int... NS, int... ND>
CUTE_HOST_DEVICE constexpr void call_copy(S const& s, D& d, tilewright::seq<NS...>, tilewright::seq<ND...>) {
  Op::copy(s[NS]..., d[ND]...);
}

/// On a host a compiler may take elements and registers of other types for different objects: registers get the bits of
/// a thread's own elements then. Memory is what an operation may want the address of.
template <class Src, class SrcWord, class Dst, class DstWord>
inline constexpr bool goes_by_value =
    !TILEWRIGHT_ON_DEVICE && is_rmem<Src>::value && is_rmem<Dst>::value &&
    !(std::is_same_v<typename Src::value_type, SrcWord> && std::is_same_v<typename Dst::value_type, DstWord>);
}  // namespace detail

/// By a program's traits that have no copy_unpack of their own: as many registers as the operation's copy takes. An operation on
/// memory reads and writes the elements themselves, one on registers those of a fragment.
TILEWRIGHT_NO_EXEC_CHECK
template <class Operation, class... Parameters, class Src, class Dst>
requires(!detail::has_library_copy_traits<Operation, Parameters...>) CUTE_HOST_DEVICE
    constexpr void copy_unpack(Copy_Traits<Operation, Parameters...> const&, Src const& src, Dst&& dst) {
  using S = typename Operation::SRegisters;
  using D = typename Operation::DRegisters;
  using SrcWord = std::remove_extent_t<S>;
  using DstWord = std::remove_extent_t<D>;
  constexpr int src_words = static_cast<int>(std::extent_v<S>), dst_words = static_cast<int>(std::extent_v<D>);
  auto const from = recast<SrcWord>(src);
  auto&& to = recast<DstWord>(dst);
  using From = std::remove_cvref_t<decltype(from)>;
  using To = std::remove_cvref_t<decltype(to)>;
  static_assert(
      size_v<typename From::layout_type> == src_words && size_v<typename To::layout_type> == dst_words,
      "Copy_Traits: the values of the atom have other bits than the operation's registers; change SrcLayout or "
      "DstLayout");
  constexpr auto all_src = tilewright::make_seq<src_words>{};
  constexpr auto all_dst = tilewright::make_seq<dst_words>{};
  if constexpr (detail::goes_by_value<Src, SrcWord, std::remove_cvref_t<Dst>, DstWord>) {
    SrcWord s[static_cast<std::size_t>(src_words)]{};
    DstWord d[static_cast<std::size_t>(dst_words)]{};
    tilewright::detail::load_registers(src, s);
    tilewright::detail::load_registers(dst, d);
    detail::call_copy<Operation>(s, d, all_src, all_dst);
    tilewright::detail::store_registers(d, dst);
  } else {
    detail::call_copy<Operation>(from, to, all_src, all_dst);
  }
}

}  // namespace cute

namespace tilewright {

template <class Operation>
requires(!cute::detail::has_library_copy_traits<Operation>) struct detail::copy_traits_named<Operation> {
  using type = cute::detail::traits_of_program<Operation>;
};
template <class Operation, class... Parameters>
struct detail::copy_traits_named<cute::Copy_Traits<Operation, Parameters...>> {
  using type = cute::detail::traits_of_program<Operation, Parameters...>;
};
template <class Operation, class... Parameters>
inline constexpr bool detail::traits_name_an_atom<cute::Copy_Traits<Operation, Parameters...>> =
    !cute::detail::has_library_copy_traits<Operation, Parameters...>;

/// An atom named by the library's traits.
template <class Operation, class... Parameters, class T>
requires(cute::detail::has_library_copy_traits<Operation, Parameters...>) struct Copy_Atom<
    cute::Copy_Traits<Operation, Parameters...>, T>
    : Copy_Atom<typename detail::operation_named<Operation, Parameters...>::type, T> {
  using base = Copy_Atom<typename detail::operation_named<Operation, Parameters...>::type, T>;
  constexpr Copy_Atom() = default;
  TILEWRIGHT_HOST_DEVICE constexpr Copy_Atom(typename base::Traits const& traits) : base{traits} {}
};

}  // namespace tilewright

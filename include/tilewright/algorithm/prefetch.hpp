// prefetch: brings what a copy will read into the L2 cache, by operations that can (TMA, bulk copies); a hint without
// effect for the others, and on the CPU.
#pragma once

#include "tilewright/algorithm/copy.hpp"

namespace tilewright {

namespace detail {

/// f(one atom's values), for as long as mode 0 holds more than one atom's.
template <int Values, class Src, class F>
TILEWRIGHT_FN constexpr void for_each_atom(Src const& src, F const& f) {
  if constexpr (static_size<decltype(size<0>(src))> == Values) for_each_rest(f, src);
  else if constexpr (is_tuple_v<std::remove_cvref_t<decltype(shape<0>(src))>>)
    for_each_rest([&](auto const& s) { for_each_atom<Values>(opened(s), f); }, src);
  else (void)holds<mode_0_holds_the_atoms_values<static_size<decltype(size<0>(src))>, Values, Values, Values>>();
}

}  // namespace detail

/// What copy(atom, src, …) would read.  src: a partition ((atom values, more values), Rest…)
template <class Op, class T, TensorType Src>
TILEWRIGHT_FN constexpr void prefetch([[maybe_unused]] Copy_Atom<Op, T> const& atom, [[maybe_unused]] Src const& src) {
  if constexpr (requires(Copy_Traits<Op> const& traits) { traits.prefetch(src); })
    detail::for_each_atom<Copy_Atom<Op, T>::NumValSrc>(src, [&](auto const& s) { atom.prefetch(s); });
}
template <class Atom, class TV, class Tiler, TensorType Src>
TILEWRIGHT_FN constexpr void prefetch(TiledCopy<Atom, TV, Tiler> const& tiled, Src const& src) {
  prefetch(static_cast<Atom const&>(tiled), src);
}

}  // namespace tilewright

// prefetch: brings what a copy will read into the L2 cache, by operations that can (TMA); a hint without effect for the
// others, and on the CPU. Whole tensors without an atom: bulk_prefetch (atom/bulk.hpp).
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algorithm/copy.hpp"

namespace tilewright {

namespace detail {

// A class, because NVRTC takes no generic lambdas without a flag.
template <class Atom>
struct prefetch_values {
  Atom const& atom;
  /// src: one atom's values, or several in one nested mode
  template <class Src>
  TILEWRIGHT_FN constexpr void operator()(Src const& src) const {
    constexpr int values = static_size<decltype(size<0>(src))>;
    if constexpr (values == Atom::NumValSrc) atom.prefetch(src);
    else for_each_rest(*this, opened(src));
  }
};

/// Does mode 0, or the first mode in it, hold the atom's values?
template <class Atom, class L>
TILEWRIGHT_FN constexpr auto find_prefetched_values(L const& layout_of_source) {
  constexpr int values = static_size<decltype(size<0>(layout_of_source))>;
  if constexpr (values == Atom::NumValSrc) return no_objection{};
  else if constexpr (is_tuple_v<std::remove_cvref_t<decltype(shape<0>(layout_of_source))>>)
    return find_prefetched_values<Atom>(layout<0>(layout_of_source));
  else return mode_0_holds_the_atoms_values<values, Atom::NumValSrc, Atom::NumValSrc, Atom::NumValSrc>{};
}
template <class Op, class T, class Src>
TILEWRIGHT_FN constexpr auto check_of_prefetch() {
  if constexpr (!requires(Copy_Traits<Op> const& traits, Src const& src) { traits.prefetch(src); } ||
                copies_whole_tensors<Op>)
    return no_objection{};
  else return decltype(find_prefetched_values<Copy_Atom<Op, T>>(std::declval<typename Src::layout_type const&>())){};
}

}  // namespace detail

/// What copy(atom, src, …) would read.  src: a partition ((atom values, more values), Rest…), or the whole tensor
template <class Op, class T, TensorType Src>
TILEWRIGHT_FN constexpr void prefetch([[maybe_unused]] Copy_Atom<Op, T> const& atom, [[maybe_unused]] Src const& src) {
  using check = decltype(detail::check_of_prefetch<Op, T, Src>());
  if constexpr (!check::value) (void)check::sentence();
  else if constexpr (!requires(Copy_Traits<Op> const& traits) { traits.prefetch(src); }) return;
  else if constexpr (detail::copies_whole_tensors<Op>) atom.prefetch(src);
  else detail::for_each_rest(detail::prefetch_values<Copy_Atom<Op, T>>{atom}, src);
}
template <class Atom, class TV, class Tiler, TensorType Src>
TILEWRIGHT_FN constexpr void prefetch(TiledCopy<Atom, TV, Tiler> const& tiled, Src const& src) {
  using check = decltype(detail::check_of_prefetch<typename Atom::operation, typename Atom::ValType, Src>());
  if constexpr (!check::value) (void)check::sentence();
  else prefetch(static_cast<Atom const&>(tiled), src);
}

}  // namespace tilewright

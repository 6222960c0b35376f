// TiledMMA: an MMA atom, the layout of atoms that threads run side by side, and the order in which they take the coordinates.
// From these it derives every thread's share of A, B and C: get_slice(thread), then partition_A, partition_B, partition_C.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/mma/mma_atom.hpp"
#include "tilewright/mma/operand_view.hpp"
#include "tilewright/tensor/partition.hpp"

namespace tilewright {

namespace op {

struct operand_view {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& permutation,
                                             int_tree const& atom, int_tree const& tv, int_tree const& threads) {
    return algebra::operand_view(c, a, permutation, atom, tv, threads);
  }
};
template <int I, int J>
struct operand_tv_layout {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& permutation, int_tree const& atom,
                                             int_tree const& tv, int_tree const& threads, int_tree const& thr_vmnk) {
    return algebra::operand_tv_layout(c, permutation, atom, tv, threads, thr_vmnk, I, J);
  }
};

}  // namespace op

namespace detail {

template <int AtomRank, int PermutationRank>
struct tiled_mma_has_three_modes {
  static constexpr bool value = AtomRank == 3 && PermutationRank == 3;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "TiledMMA: the layout of atoms and the permutation have one mode for each of M, N and K; use make_tiled_mma, "
        "which adds those that are missing (docs/errors.md#tiled_mma_rank)");
    return invalid_layout{};
  }
};
template <class L>
struct atom_layout_is_static {
  static constexpr bool value = is_static_v<L>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "TiledMMA: the layout of atoms must be static; make its extents compile-time constants "
                  "(docs/errors.md#tiled_mma_static)");
    return invalid_layout{};
  }
};

}  // namespace detail

namespace detail {
template <class T>
TILEWRIGHT_FN constexpr auto layout_of_operand(T const& t) {
  if constexpr (TensorType<T>) return inner_layout(t.layout());
  else return inner_layout(t);
}
template <class T>
using inner_layout_of = std::remove_cvref_t<decltype(layout_of_operand(std::declval<T const&>()))>;
}  // namespace detail

template <class TiledMMAType, class ThrVMNK>
struct ThrMMA;

/// Atom:            the MMA atom
/// AtomLayoutMNK:   (m, n, k) -> number of the atom that does it
/// PermutationMNK:  the tile: for each of M, N and K an extent, a layout (old coordinate -> new) or `_` for the atoms' own
template <class Atom, class AtomLayoutMNK, class PermutationMNK = Tile<Underscore, Underscore, Underscore>>
struct TiledMMA : Atom {
  using AtomType = Atom;
  using AtomShape_MNK = typename Atom::Shape_MNK;
  using AtomThrID = typename Atom::ThrID;
  using AtomLayoutA_TV = typename Atom::LayoutA_TV;
  using AtomLayoutB_TV = typename Atom::LayoutB_TV;
  using AtomLayoutC_TV = typename Atom::LayoutC_TV;
  using AtomLayout_MNK = AtomLayoutMNK;
  using Permutation_MNK = PermutationMNK;
  /// (ThrV, ThrM, ThrN, ThrK) -> thread index
  using ThrLayoutVMNK = decltype(tiled_product(AtomThrID{}, AtomLayoutMNK{}));

  constexpr TiledMMA() = default;
  TILEWRIGHT_HOST_DEVICE constexpr TiledMMA(Atom const& atom, AtomLayoutMNK const& = {}) : Atom(atom) {}

  TILEWRIGHT_FN static constexpr auto get_thr_layout_vmnk() { return ThrLayoutVMNK{}; }

  /// The whole view of an operand: ((ThrV, (ThrM, ThrN)), (V, (RestM, RestN, …))), of A with K for N, of B with N for M.
  template <class T>
  TILEWRIGHT_FN static constexpr auto thrfrg_C(T&& operand) {
    using check = divides<0, 1, AtomLayoutC_TV, std::remove_cvref_t<T>>;
    if constexpr (!check::value) return check::sentence();
    else return viewed<0, 1, AtomLayoutC_TV>(operand);
  }
  template <class T>
  TILEWRIGHT_FN static constexpr auto thrfrg_A(T&& operand) {
    using check = divides<0, 2, AtomLayoutA_TV, std::remove_cvref_t<T>>;
    if constexpr (!check::value) return check::sentence();
    else return viewed<0, 2, AtomLayoutA_TV>(operand);
  }
  template <class T>
  TILEWRIGHT_FN static constexpr auto thrfrg_B(T&& operand) {
    using check = divides<1, 2, AtomLayoutB_TV, std::remove_cvref_t<T>>;
    if constexpr (!check::value) return check::sentence();
    else return viewed<1, 2, AtomLayoutB_TV>(operand);
  }

  /// The share of one thread; an index beyond the operation's threads has that of index modulo their number.
  template <class ThrIdx>
  TILEWRIGHT_FN constexpr auto get_slice(ThrIdx const& thr_idx) const {
    using check = detail::index_is_one_number<ThrIdx>;
    if constexpr (!check::value) {
      return check::sentence();
    } else if constexpr (is_invalid_v<ThrIdx>) {
      return invalid_layout{};
    } else {
      auto const thr_vmnk = ThrLayoutVMNK{}.get_flat_coord(thr_idx);
      return ThrMMA<TiledMMA, std::remove_const_t<decltype(thr_vmnk)>>(*this, thr_vmnk);
    }
  }
  template <class ThrIdx>
  TILEWRIGHT_FN constexpr auto get_thread_slice(ThrIdx const& thr_idx) const {
    using check = detail::index_is_one_number<ThrIdx>;
    if constexpr (!check::value) return check::sentence();
    else return get_slice(thr_idx);
  }

  /// The extent of M, N or K (I = 0, 1, 2) of one tile; of all three.
  template <int I>
  TILEWRIGHT_FN static constexpr auto tile_size_mnk() {
    using Entry = tuple_element_t<I, PermutationMNK>;
    if constexpr (std::is_same_v<Entry, Underscore>)
      return get<I>(AtomShape_MNK{}) * tilewright::size<I + 1>(ThrLayoutVMNK{});
    else return tilewright::size(Entry{});
  }
  TILEWRIGHT_FN static constexpr auto tile_shape() {
    return make_shape(tile_size_mnk<0>(), tile_size_mnk<1>(), tile_size_mnk<2>());
  }
  template <int I>
  TILEWRIGHT_FN static constexpr auto permutation_mnk() {
    using Entry = tuple_element_t<I, PermutationMNK>;
    if constexpr (std::is_same_v<Entry, Underscore>) return tile_size_mnk<I>();
    else return Entry{};
  }

  /// (thr_idx, (V, (RestM, RestN))) -> index in the tile, first mode fastest.
  TILEWRIGHT_FN static constexpr auto get_layoutC_TV() {
    if constexpr (!is_whole::value) return is_whole::sentence();
    else return tv<0, 1, AtomLayoutC_TV>();
  }
  TILEWRIGHT_FN static constexpr auto get_layoutA_TV() {
    if constexpr (!is_whole::value) return is_whole::sentence();
    else return tv<0, 2, AtomLayoutA_TV>();
  }
  TILEWRIGHT_FN static constexpr auto get_layoutB_TV() {
    if constexpr (!is_whole::value) return is_whole::sentence();
    else return tv<1, 2, AtomLayoutB_TV>();
  }
  /// index in the tile -> thr_idx + threads * value; of A and B, which several threads may have, of the first such thread.
  TILEWRIGHT_FN static constexpr auto get_layoutC_MN() { return holder<0, 1>(get_layoutC_TV()); }
  TILEWRIGHT_FN static constexpr auto get_layoutA_MK() { return holder<0, 2>(get_layoutA_TV()); }
  TILEWRIGHT_FN static constexpr auto get_layoutB_NK() { return holder<1, 2>(get_layoutB_TV()); }

  /// The checks of the operation itself.
  using is_whole = all_hold<detail::tiled_mma_has_three_modes<rank_v<AtomLayoutMNK>, tuple_size_v<PermutationMNK>>,
                            detail::atom_layout_is_static<AtomLayoutMNK>>;

 private:
  template <int I, int J>
  using permutation_of = Tile<tuple_element_t<I, PermutationMNK>, tuple_element_t<J, PermutationMNK>>;
  template <int I, int J>
  using atom_shape_of = Shape<tuple_element_t<I, AtomShape_MNK>, tuple_element_t<J, AtomShape_MNK>>;
  template <int I, int J>
  using threads_of =
      Shape<decltype(tilewright::size<I + 1>(ThrLayoutVMNK{})), decltype(tilewright::size<J + 1>(ThrLayoutVMNK{}))>;

  template <int I, int J, class TV, class L, bool IsWhole = is_whole::value>
  struct divides_of {
    using type = is_whole;
  };
  template <int I, int J, class TV, class L>
  struct divides_of<I, J, TV, L, true> {
    using type = lift::succeeds<op::operand_view, L, lift::as_tiler<permutation_of<I, J>>,
                                lift::as_tiler<atom_shape_of<I, J>>, TV, threads_of<I, J>>;
  };

 public:
  /// The check that an operand, a tensor or its layout, is a whole number of tiles.
  template <int I, int J, class TV, class T>
  using divides = typename divides_of<I, J, TV, detail::inner_layout_of<T>>::type;

 private:
  template <int I, int J, class TV, class L>
  TILEWRIGHT_FN static constexpr auto view(L const& layout) {
    if constexpr (is_composed_layout_v<L>) {
      return make_composed_layout(layout.layout_a(), layout.offset(), view<I, J, TV>(layout.layout_b()));
    } else {
      return lift::call<op::operand_view, L, lift::as_tiler<permutation_of<I, J>>, lift::as_tiler<atom_shape_of<I, J>>,
                        TV, threads_of<I, J>>::on(layout, permutation_of<I, J>{}, atom_shape_of<I, J>{}, TV{},
                                                  threads_of<I, J>{});
    }
  }
  template <int I, int J, class TV, class T>
  TILEWRIGHT_FN static constexpr auto viewed(T&& operand) {
    if constexpr (TensorType<T>) return make_tensor(operand.data(), view<I, J, TV>(operand.layout()));
    else return view<I, J, TV>(operand);
  }
  template <int I, int J, class TV>
  TILEWRIGHT_FN static constexpr auto tv() {
    if constexpr (!is_whole::value) return is_whole::sentence();
    else
      return lift::call<op::operand_tv_layout<I + 1, J + 1>, lift::as_tiler<permutation_of<I, J>>,
                        lift::as_tiler<atom_shape_of<I, J>>, TV, threads_of<I, J>,
                        ThrLayoutVMNK>::on(permutation_of<I, J>{}, atom_shape_of<I, J>{}, TV{}, threads_of<I, J>{},
                                           ThrLayoutVMNK{});
  }
  template <int I, int J, class L>
  TILEWRIGHT_FN static constexpr auto holder(L const& tv) {
    return with_shape(right_inverse(tv), make_shape(tile_size_mnk<I>(), tile_size_mnk<J>()));
  }
};

/// One thread's slice of a tiled operation.
/// ThrVMNK:  the thread's number in its atom, and its atom's place in M, N and K
template <class TiledMMAType, class ThrVMNK>
struct ThrMMA : TiledMMAType {
  using tiled_mma_type = TiledMMAType;
  ThrVMNK thr_vmnk_;

  TILEWRIGHT_HOST_DEVICE constexpr ThrMMA(TiledMMAType const& mma, ThrVMNK const& thr_vmnk)
      : TiledMMAType(mma),
        thr_vmnk_(thr_vmnk) {}

  /// The elements of C that this thread has: (V, RestM, RestN, …); of A (V, RestM, RestK, …), of B (V, RestN, RestK, …).
  template <TensorType T>
  TILEWRIGHT_FN constexpr auto partition_C(T&& tensor) const {
    using check =
        typename TiledMMAType::template divides<0, 1, typename TiledMMAType::AtomLayoutC_TV, std::remove_cvref_t<T>>;
    if constexpr (!check::value) return check::sentence();
    else return share<1, 2>(tensor.data(), TiledMMAType::thrfrg_C(tensor.layout()));
  }
  template <TensorType T>
  TILEWRIGHT_FN constexpr auto partition_A(T&& tensor) const {
    using check =
        typename TiledMMAType::template divides<0, 2, typename TiledMMAType::AtomLayoutA_TV, std::remove_cvref_t<T>>;
    if constexpr (!check::value) return check::sentence();
    else return share<1, 3>(tensor.data(), TiledMMAType::thrfrg_A(tensor.layout()));
  }
  template <TensorType T>
  TILEWRIGHT_FN constexpr auto partition_B(T&& tensor) const {
    using check =
        typename TiledMMAType::template divides<1, 2, typename TiledMMAType::AtomLayoutB_TV, std::remove_cvref_t<T>>;
    if constexpr (!check::value) return check::sentence();
    else return share<2, 3>(tensor.data(), TiledMMAType::thrfrg_B(tensor.layout()));
  }
  /// Registers for those elements.
  template <TensorType T>
  TILEWRIGHT_FN constexpr auto partition_fragment_C(T&& tensor) const {
    using check =
        typename TiledMMAType::template divides<0, 1, typename TiledMMAType::AtomLayoutC_TV, std::remove_cvref_t<T>>;
    if constexpr (!check::value) return check::sentence();
    else return TiledMMAType::make_fragment_C(partition_C(tensor));
  }
  template <TensorType T>
  TILEWRIGHT_FN constexpr auto partition_fragment_A(T&& tensor) const {
    using check =
        typename TiledMMAType::template divides<0, 2, typename TiledMMAType::AtomLayoutA_TV, std::remove_cvref_t<T>>;
    if constexpr (!check::value) return check::sentence();
    else return TiledMMAType::make_fragment_A(partition_A(tensor));
  }
  template <TensorType T>
  TILEWRIGHT_FN constexpr auto partition_fragment_B(T&& tensor) const {
    using check =
        typename TiledMMAType::template divides<1, 2, typename TiledMMAType::AtomLayoutB_TV, std::remove_cvref_t<T>>;
    if constexpr (!check::value) return check::sentence();
    else return TiledMMAType::make_fragment_B(partition_B(tensor));
  }

 private:
  template <int I, int J, class It, class L>
  TILEWRIGHT_FN constexpr auto share(It const& data, L const& view) const {
    if constexpr (lift::is_invalid<L>) {
      return invalid_layout{};
    } else {
      constexpr int rests = decltype(rank<1, 1>(view))::value;
      auto const thread = make_coord(get<0>(thr_vmnk_), make_coord(get<I>(thr_vmnk_), get<J>(thr_vmnk_)));
      auto const mine = slice_and_offset(make_coord(thread, make_coord(_, repeat<rests>(_))), view);
      return make_tensor(data + mine.offset, mine.layout);
    }
  }
};

/// An atom on a layout (m, n, k) of atoms, or one of fewer modes, with a permutation of as many as are needed.
template <class... P, LayoutType L = Layout<Shape<_1, _1, _1>>,
          class Permutations = Tile<Underscore, Underscore, Underscore>>
TILEWRIGHT_FN constexpr auto make_tiled_mma(MMA_Atom<P...> const& atom, L const& = {}, Permutations const& = {}) {
  if constexpr (lift::is_invalid<L> || lift::is_invalid<Permutations>) {
    return invalid_layout{};
  } else {
    using Atoms = decltype(append<3>(L{}, Layout<_1, _0>{}));
    using Tiler = decltype(append<3>(Permutations{}, _));
    return TiledMMA<MMA_Atom<P...>, Atoms, Tiler>{atom};
  }
}
template <class Op>
concept MmaOperation = !is_mma_atom_v<Op>;
template <MmaOperation Op, LayoutType L = Layout<Shape<_1, _1, _1>>,
          class Permutations = Tile<Underscore, Underscore, Underscore>>
TILEWRIGHT_FN constexpr auto make_tiled_mma(Op const&, L const& atoms = {}, Permutations const& permutations = {}) {
  return make_tiled_mma(MMA_Atom<Op>{}, atoms, permutations);
}

template <class T>
inline constexpr bool is_tiled_mma_v = false;
template <class A, class L, class P>
inline constexpr bool is_tiled_mma_v<TiledMMA<A, L, P>> = true;
template <class T>
inline constexpr bool is_thr_mma_v = false;
template <class M, class C>
inline constexpr bool is_thr_mma_v<ThrMMA<M, C>> = true;

// --- asking ----------------------------------------------------------------------------------------------------------
/// The number of threads (of mode I of (ThrV, ThrM, ThrN, ThrK)).
template <int... I, class A, class L, class P>
TILEWRIGHT_FN constexpr auto size(TiledMMA<A, L, P> const&) {
  return size<I...>(typename TiledMMA<A, L, P>::ThrLayoutVMNK{});
}
template <int... I, class A, class L, class P>
TILEWRIGHT_FN constexpr auto thr_size(TiledMMA<A, L, P> const& mma) {
  return size<I...>(mma);
}
/// The extents of one tile in M, N and K.
template <int I, class A, class L, class P>
TILEWRIGHT_FN constexpr auto tile_size(TiledMMA<A, L, P> const& mma) {
  return mma.template tile_size_mnk<I>();
}
template <class A, class L, class P>
TILEWRIGHT_FN constexpr auto tile_shape(TiledMMA<A, L, P> const& mma) {
  return mma.tile_shape();
}

namespace detail {
/// (V, RestM, RestN, …) of thread 0.
template <class View>
TILEWRIGHT_FN constexpr auto shape_of_a_share(View const& view) {
  if constexpr (lift::is_invalid<View>) {
    return invalid_layout{};
  } else {
    constexpr int rests = decltype(rank<1, 1>(view))::value;
    auto const zero = make_coord(C<0>{}, make_coord(C<0>{}, C<0>{}));
    return slice_and_offset(make_coord(zero, make_coord(_, repeat<rests>(_))), view).layout.shape();
  }
}
}  // namespace detail

/// The shape of a thread's share of an operand of that shape: (V, RestM, RestN).
template <class A, class L, class P, IntTuple S>
TILEWRIGHT_FN constexpr auto partition_shape_C(TiledMMA<A, L, P> const& mma, S const& shape_mn) {
  return detail::shape_of_a_share(mma.thrfrg_C(make_layout(shape_mn)));
}
template <class A, class L, class P, IntTuple S>
TILEWRIGHT_FN constexpr auto partition_shape_A(TiledMMA<A, L, P> const& mma, S const& shape_mk) {
  return detail::shape_of_a_share(mma.thrfrg_A(make_layout(shape_mk)));
}
template <class A, class L, class P, IntTuple S>
TILEWRIGHT_FN constexpr auto partition_shape_B(TiledMMA<A, L, P> const& mma, S const& shape_nk) {
  return detail::shape_of_a_share(mma.thrfrg_B(make_layout(shape_nk)));
}
/// An accumulator for a tile of that shape.
template <class A, class L, class P, IntTuple S>
TILEWRIGHT_FN constexpr auto partition_fragment_C(TiledMMA<A, L, P> const& mma, S const& shape_mn) {
  return make_tensor<typename TiledMMA<A, L, P>::FrgTypeC>(partition_shape_C(mma, shape_mn));
}

}  // namespace tilewright

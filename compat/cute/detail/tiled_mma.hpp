// Tiled matrix operations as CuTe partitions: an operand that is smaller than the tile, or a tile that is smaller than the atoms
// laid side by side, goes on beyond the last element.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/layout_algebra.hpp"
#include "cute/detail/swizzled_slice.hpp"
#include "cute/underscore.hpp"
#include "tilewright/mma/tiled_mma.hpp"

namespace cute {

using tilewright::MMA_Atom;

namespace detail::op {
struct operand_view : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a,
                                                         tilewright::int_tree const& permutation,
                                                         tilewright::int_tree const& atom,
                                                         tilewright::int_tree const& tv,
                                                         tilewright::int_tree const& threads) {
    return tilewright::algebra::operand_view(c, a, permutation, atom, tv, threads, tilewright::algebra::tiles::beyond);
  }
};
template <int I, int J>
struct operand_tv_layout : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(
      tilewright::arithmetic& c, tilewright::int_tree const& permutation, tilewright::int_tree const& atom,
      tilewright::int_tree const& tv, tilewright::int_tree const& threads, tilewright::int_tree const& thr_vmnk) {
    return tilewright::algebra::operand_tv_layout(c, permutation, atom, tv, threads, thr_vmnk, I, J,
                                                  tilewright::algebra::tiles::beyond);
  }
};
}  // namespace detail::op

template <class Tiled, class ThrVMNK>
struct ThrMMA;

namespace detail {
/// The permutation of a tiled operation as a tile. CuTe before CUTLASS 3.4 took a layout there, how often each mode is repeated beyond the
/// atoms: of 4 x 1 x 1 atoms of 16 x 8 x 16, Layout<Shape<_1,_2,_1>> is Tile<_64,_16,_16>.
template <class Atom, class AtomLayoutMNK, class PermutationMNK>
struct tile_of_permutation {
  using type = PermutationMNK;
};
template <class Atom, class AtomLayoutMNK, class M, class N, class K, class D>
struct tile_of_permutation<Atom, AtomLayoutMNK, tilewright::Layout<tilewright::tuple<M, N, K>, D>> {
  template <int I, class Repeat>
  static constexpr int extent() {
    int const atom = static_cast<int>(tilewright::tuple_element_t<I, typename Atom::Shape_MNK>::value);
    int const repeat = static_cast<int>(decltype(tilewright::size(Repeat{}))::value);
    if constexpr (I < tilewright::rank_v<AtomLayoutMNK>)
      return atom * repeat * static_cast<int>(decltype(tilewright::size<I>(AtomLayoutMNK{}))::value);
    else return atom * repeat;
  }
  using type = tilewright::Tile<C<extent<0, M>()>, C<extent<1, N>()>, C<extent<2, K>()>>;
};
/// CUTLASS 3.2 and 3.3 took that layout and a permutation of the tensors' modes after it, which has to leave them as they are.
template <class Atom, class AtomLayoutMNK, class Values, class PermutationMNK>
struct tile_of_values {
  static_assert(
      std::is_same_v<PermutationMNK, void> || std::is_same_v<PermutationMNK, Values>,
      "TiledMMA: the fourth argument permutes the modes of tensors, which is not supported; give Tile<_,_,_>, or "
      "the permutation as the third argument");
  using type = typename tile_of_permutation<Atom, AtomLayoutMNK, Values>::type;
};
template <class Atom, class AtomLayoutMNK, class Values>
struct tile_of_values<Atom, AtomLayoutMNK, Values,
                      tilewright::Tile<tilewright::Underscore, tilewright::Underscore, tilewright::Underscore>> {
  using type = typename tile_of_permutation<Atom, AtomLayoutMNK, Values>::type;
};
/// The tile as a type; of what is no tiled operation nothing.
template <class Tiled, bool IsWhole = Tiled::is_whole::value>
struct tiled_shape_of {
  using type = tilewright::invalid_layout;
};
template <class Tiled>
struct tiled_shape_of<Tiled, true> {
  using type = decltype(Tiled::tile_shape());
};
template <class Atom, class AtomLayoutMNK, class Values, class PermutationMNK>
using tile_of_values_t = typename tile_of_values<Atom, AtomLayoutMNK, Values, PermutationMNK>::type;
}  // namespace detail

template <class Atom, class AtomLayoutMNK = tilewright::Layout<tilewright::tuple<C<1>, C<1>, C<1>>>,
          class PermutationMNK =
              tilewright::Tile<tilewright::Underscore, tilewright::Underscore, tilewright::Underscore>,
          class TensorPermutationMNK = void>
struct TiledMMA
    : tilewright::TiledMMA<Atom, AtomLayoutMNK,
                           detail::tile_of_values_t<Atom, AtomLayoutMNK, PermutationMNK, TensorPermutationMNK>> {
  using base =
      tilewright::TiledMMA<Atom, AtomLayoutMNK,
                           detail::tile_of_values_t<Atom, AtomLayoutMNK, PermutationMNK, TensorPermutationMNK>>;
  using typename base::AtomLayoutA_TV;
  using typename base::AtomLayoutB_TV;
  using typename base::AtomLayoutC_TV;
  using typename base::AtomShape_MNK;
  using typename base::is_whole;
  using typename base::ThrLayoutVMNK;
  using TiledShape_MNK = typename detail::tiled_shape_of<base>::type;

  constexpr TiledMMA() = default;
  CUTE_HOST_DEVICE constexpr TiledMMA(Atom const& atom, AtomLayoutMNK const& atoms = {}) : base(atom, atoms) {}
  CUTE_HOST_DEVICE constexpr TiledMMA(base const& mma) : base(mma) {}

  /// The whole view of an operand: ((ThrV, (ThrM, ThrN)), (V, (RestM, RestN, …))), of A with K for N, of B with N for M.
  template <class T>
  CUTE_HOST_DEVICE static constexpr auto thrfrg_C(T&& operand) {
    return checked_view<0, 1, AtomLayoutC_TV>(operand);
  }
  template <class T>
  CUTE_HOST_DEVICE static constexpr auto thrfrg_A(T&& operand) {
    return checked_view<0, 2, AtomLayoutA_TV>(operand);
  }
  template <class T>
  CUTE_HOST_DEVICE static constexpr auto thrfrg_B(T&& operand) {
    return checked_view<1, 2, AtomLayoutB_TV>(operand);
  }

  /// The share of one thread; an index beyond the operation's threads has that of index modulo their number.
  template <class ThrIdx>
  CUTE_HOST_DEVICE constexpr auto get_slice(ThrIdx const& thr_idx) const {
    using check = tilewright::detail::index_is_one_number<std::remove_cv_t<ThrIdx>>;
    if constexpr (!check::value) {
      return check::sentence();
    } else if constexpr (tilewright::is_invalid_v<ThrIdx>) {
      return tilewright::invalid_layout{};
    } else {
      auto const thr_vmnk = ThrLayoutVMNK{}.get_flat_coord(static_cast<std::remove_cv_t<ThrIdx>>(thr_idx));
      return ThrMMA<TiledMMA, std::remove_const_t<decltype(thr_vmnk)>>(*this, thr_vmnk);
    }
  }
  template <class ThrIdx>
  CUTE_HOST_DEVICE constexpr auto get_thread_slice(ThrIdx const& thr_idx) const {
    return get_slice(thr_idx);
  }

  /// (thr_idx, (V, (RestM, RestN))) -> index in the tile, first mode fastest. Of C, threads of atoms that differ in K alone go on beyond
  /// the tile, as in CuTe.
  CUTE_HOST_DEVICE static constexpr auto get_layoutC_TV() {
    if constexpr (decltype(tilewright::size<3>(ThrLayoutVMNK{}))::value == 1) {
      return tv<0, 1, AtomLayoutC_TV>();
    } else {
      auto const whole = thrfrg_C(tilewright::make_layout(
          tilewright::make_shape(base::template tile_size_mnk<0>(), base::template tile_size_mnk<1>())));
      return tilewright::make_layout(
          cute::composition(tilewright::layout<0>(whole), tilewright::left_inverse(ThrLayoutVMNK{})),
          tilewright::layout<1>(whole));
    }
  }
  CUTE_HOST_DEVICE static constexpr auto get_layoutA_TV() { return tv<0, 2, AtomLayoutA_TV>(); }
  CUTE_HOST_DEVICE static constexpr auto get_layoutB_TV() { return tv<1, 2, AtomLayoutB_TV>(); }
  /// (index in the tile -> thr_idx + threads * value, (v, m, n) of a thread -> thr_idx), as CUTLASS 3 has them; of A and B,
  /// which several threads may have, of the first such thread.
  CUTE_HOST_DEVICE static constexpr auto get_layoutC_MN() {
    return tilewright::make_tuple(holder<0, 1>(tv<0, 1, AtomLayoutC_TV>()), ThrLayoutVMNK{}(_, _, _, C<0>{}));
  }
  CUTE_HOST_DEVICE static constexpr auto get_layoutA_MK() {
    return tilewright::make_tuple(holder<0, 2>(get_layoutA_TV()), ThrLayoutVMNK{}(_, _, C<0>{}, _));
  }
  CUTE_HOST_DEVICE static constexpr auto get_layoutB_NK() {
    return tilewright::make_tuple(holder<1, 2>(get_layoutB_TV()), ThrLayoutVMNK{}(_, C<0>{}, _, _));
  }

 private:
  template <int I, int J>
  using tile_of = tilewright::Tile<tilewright::tuple_element_t<I, typename base::Permutation_MNK>,
                                   tilewright::tuple_element_t<J, typename base::Permutation_MNK>>;
  template <int I, int J>
  using atom_of =
      tilewright::Shape<tilewright::tuple_element_t<I, AtomShape_MNK>, tilewright::tuple_element_t<J, AtomShape_MNK>>;
  template <int I, int J>
  using atoms_of = tilewright::Shape<decltype(tilewright::size<I + 1>(ThrLayoutVMNK{})),
                                     decltype(tilewright::size<J + 1>(ThrLayoutVMNK{}))>;

  template <int I, int J, class TV, class L>
  CUTE_HOST_DEVICE static constexpr auto view(L const& layout) {
    if constexpr (tilewright::is_composed_layout_v<L>)
      return tilewright::make_composed_layout(layout.layout_a(), layout.offset(), view<I, J, TV>(layout.layout_b()));
    else
      return tilewright::lift::call<detail::op::operand_view, L, tilewright::lift::as_tiler<tile_of<I, J>>,
                                    tilewright::lift::as_tiler<atom_of<I, J>>, TV,
                                    atoms_of<I, J>>::on(layout, tile_of<I, J>{}, atom_of<I, J>{}, TV{},
                                                        atoms_of<I, J>{});
  }
  template <int I, int J, class TV, class T>
  CUTE_HOST_DEVICE static constexpr auto checked_view(T&& operand) {
    if constexpr (!is_whole::value) {
      return is_whole::sentence();
    } else {
      using check = tilewright::lift::succeeds<
          detail::op::operand_view, tilewright::detail::inner_layout_of<std::remove_cvref_t<T>>,
          tilewright::lift::as_tiler<tile_of<I, J>>, tilewright::lift::as_tiler<atom_of<I, J>>, TV, atoms_of<I, J>>;
      if constexpr (!check::value) return check::sentence();
      else if constexpr (tilewright::TensorType<T>)
        return make_tensor(operand.data(), view<I, J, TV>(operand.layout()));
      else return view<I, J, TV>(operand);
    }
  }
  template <int I, int J, class TV>
  CUTE_HOST_DEVICE static constexpr auto tv() {
    if constexpr (!is_whole::value) return is_whole::sentence();
    else
      return tilewright::lift::call<
          detail::op::operand_tv_layout<I + 1, J + 1>, tilewright::lift::as_tiler<tile_of<I, J>>,
          tilewright::lift::as_tiler<atom_of<I, J>>, TV, atoms_of<I, J>, ThrLayoutVMNK>::on(tile_of<I, J>{},
                                                                                            atom_of<I, J>{}, TV{},
                                                                                            atoms_of<I, J>{},
                                                                                            ThrLayoutVMNK{});
  }
  template <int I, int J, class L>
  CUTE_HOST_DEVICE static constexpr auto holder(L const& tv) {
    return tilewright::with_shape(
        tilewright::right_inverse(tv),
        tilewright::make_shape(base::template tile_size_mnk<I>(), base::template tile_size_mnk<J>()));
  }
};

template <class Atom, class L, class P>
TiledMMA(tilewright::TiledMMA<Atom, L, P> const&) -> TiledMMA<Atom, L, P>;

/// One thread's slice: (V, RestM, RestN, …) of C, (V, RestM, RestK, …) of A, (V, RestN, RestK, …) of B, and registers
/// for them.
template <class Tiled, class ThrVMNK>
struct ThrMMA : tilewright::ThrMMA<Tiled, ThrVMNK> {
  using base = tilewright::ThrMMA<Tiled, ThrVMNK>;
  using base::base;

  template <tilewright::TensorType T>
  CUTE_HOST_DEVICE constexpr auto partition_C(T&& tensor) const {
    return share<1, 2>(tensor.data(), Tiled::thrfrg_C(tensor.layout()));
  }
  template <tilewright::TensorType T>
  CUTE_HOST_DEVICE constexpr auto partition_A(T&& tensor) const {
    return share<1, 3>(tensor.data(), Tiled::thrfrg_A(tensor.layout()));
  }
  template <tilewright::TensorType T>
  CUTE_HOST_DEVICE constexpr auto partition_B(T&& tensor) const {
    return share<2, 3>(tensor.data(), Tiled::thrfrg_B(tensor.layout()));
  }
  template <tilewright::TensorType T>
  CUTE_HOST_DEVICE constexpr auto partition_fragment_C(T&& tensor) const {
    return Tiled::make_fragment_C(partition_C(tensor));
  }
  template <tilewright::TensorType T>
  CUTE_HOST_DEVICE constexpr auto partition_fragment_A(T&& tensor) const {
    return Tiled::make_fragment_A(partition_A(tensor));
  }
  template <tilewright::TensorType T>
  CUTE_HOST_DEVICE constexpr auto partition_fragment_B(T&& tensor) const {
    return Tiled::make_fragment_B(partition_B(tensor));
  }

 private:
  template <int I, int J, class It, class L>
  CUTE_HOST_DEVICE constexpr auto share(It const& data, L const& view) const {
    if constexpr (tilewright::lift::is_invalid<L>) {
      return tilewright::invalid_layout{};
    } else {
      constexpr int rests = decltype(tilewright::rank<1, 1>(view))::value;
      auto const& place = this->thr_vmnk_;
      auto const thread = tilewright::make_coord(get<0>(place), tilewright::make_coord(get<I>(place), get<J>(place)));
      auto const mine = cute::slice_and_offset(
          tilewright::make_coord(thread, tilewright::make_coord(_, tilewright::repeat<rests>(_))), view);
      return make_tensor(data + mine.offset, mine.layout);
    }
  }
};

namespace detail {
// Constraints that hold always, so that a call without a namespace takes these functions and not the library's.
template <class T>
concept atom_layout = tilewright::LayoutType<T> && !std::is_void_v<T>;
template <class T>
concept mma_operation = tilewright::MmaOperation<T> && !std::is_void_v<T>;
/// The permutation as a tiler: a layout is that of M.
template <class P>
struct permutation_tiler {
  using type = P;
};
template <tilewright::LayoutType P>
struct permutation_tiler<P> {
  using type = tilewright::Tile<P>;
};
template <class Atom, class L, class P>
CUTE_HOST_DEVICE constexpr TiledMMA<Atom, L, P> mma_as_cute(tilewright::TiledMMA<Atom, L, P> const& mma) {
  return mma;
}
CUTE_HOST_DEVICE constexpr tilewright::invalid_layout mma_as_cute(tilewright::invalid_layout const&) { return {}; }
}  // namespace detail

template <class... P, detail::atom_layout L = tilewright::Layout<tilewright::Shape<C<1>, C<1>, C<1>>>,
          class Permutations = tilewright::Tile<tilewright::Underscore, tilewright::Underscore, tilewright::Underscore>>
CUTE_HOST_DEVICE constexpr auto make_tiled_mma(MMA_Atom<P...> const& atom, L const& atoms = {},
                                               Permutations const& = {}) {
  return detail::mma_as_cute(
      tilewright::make_tiled_mma(atom, atoms, typename detail::permutation_tiler<Permutations>::type{}));
}
template <detail::mma_operation Op, detail::atom_layout L = tilewright::Layout<tilewright::Shape<C<1>, C<1>, C<1>>>,
          class Permutations = tilewright::Tile<tilewright::Underscore, tilewright::Underscore, tilewright::Underscore>>
CUTE_HOST_DEVICE constexpr auto make_tiled_mma(Op const&, L const& atoms = {}, Permutations const& permutations = {}) {
  return cute::make_tiled_mma(MMA_Atom<Op>{}, atoms, permutations);
}

/// The shape of a thread's share of an operand of that shape: (V, RestM, RestN); an accumulator for a tile of that shape.
template <class A, class L, class P, class Q, class S>
CUTE_HOST_DEVICE constexpr auto partition_shape_C(TiledMMA<A, L, P, Q> const& mma, S const& shape_mn) {
  return tilewright::detail::shape_of_a_share(mma.thrfrg_C(tilewright::make_layout(shape_mn)));
}
template <class A, class L, class P, class Q, class S>
CUTE_HOST_DEVICE constexpr auto partition_shape_A(TiledMMA<A, L, P, Q> const& mma, S const& shape_mk) {
  return tilewright::detail::shape_of_a_share(mma.thrfrg_A(tilewright::make_layout(shape_mk)));
}
template <class A, class L, class P, class Q, class S>
CUTE_HOST_DEVICE constexpr auto partition_shape_B(TiledMMA<A, L, P, Q> const& mma, S const& shape_nk) {
  return tilewright::detail::shape_of_a_share(mma.thrfrg_B(tilewright::make_layout(shape_nk)));
}
template <class A, class L, class P, class Q, class S>
CUTE_HOST_DEVICE constexpr auto partition_fragment_C(TiledMMA<A, L, P, Q> const& mma, S const& shape_mn) {
  return make_tensor<typename TiledMMA<A, L, P, Q>::FrgTypeC>(cute::partition_shape_C(mma, shape_mn));
}

}  // namespace cute

template <class A, class L, class P, class Q>
inline constexpr bool tilewright::is_tiled_mma_v<cute::TiledMMA<A, L, P, Q>> = true;
template <class Tiled, class ThrVMNK>
inline constexpr bool tilewright::is_thr_mma_v<cute::ThrMMA<Tiled, ThrVMNK>> = true;

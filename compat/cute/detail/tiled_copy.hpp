// Tiled copies as CuTe partitions: a tensor that is smaller than the tile, or no whole number of tiles, goes on beyond its last
// element, for programs that compare coordinates with the tensor's extents by themselves. 8:1 in tiles of 16 is one tile 16:1.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/layout_algebra.hpp"
#include "cute/detail/swizzled_slice.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"
#include "tilewright/tiled/make_tiled_copy_mma.hpp"

namespace cute {

using tilewright::Copy_Atom;

namespace detail::op {
struct partition_view : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a,
                                                         tilewright::int_tree const& tiler,
                                                         tilewright::int_tree const& tv,
                                                         tilewright::int_tree const& ref,
                                                         tilewright::int_tree const& side) {
    return tilewright::tiling::partition_view(c, a, tiler, tv, ref, side, tilewright::algebra::tiles::beyond);
  }
};
}  // namespace detail::op

template <class Tiled, class ThrIdx>
struct ThrCopy;

/// A tiled copy whose partitions have no thread beyond its own: the caller has size(tiled_copy) threads, or tests the index.
template <class Atom, class TV, class Tiler>
struct TiledCopy : tilewright::TiledCopy<Atom, TV, Tiler> {
  using base = tilewright::TiledCopy<Atom, TV, Tiler>;
  using typename base::AtomLayoutDst;
  using typename base::AtomLayoutRef;
  using typename base::AtomLayoutSrc;

  constexpr TiledCopy() = default;
  CUTE_HOST_DEVICE constexpr TiledCopy(Atom const& atom) : base(atom) {}
  CUTE_HOST_DEVICE constexpr TiledCopy(base const& tiled) : base(tiled) {}

  /// The whole view of a tensor, or of its layout: (thread, value, (rest…)).
  template <class T>
  CUTE_HOST_DEVICE static constexpr auto tidfrg_S(T&& operand) {
    return viewed<AtomLayoutSrc>(operand);
  }
  template <class T>
  CUTE_HOST_DEVICE static constexpr auto tidfrg_D(T&& operand) {
    return viewed<AtomLayoutDst>(operand);
  }

  /// (index in the tile -> thr_idx + threads * val_idx, thr_idx -> thr_idx), as CUTLASS 3 has them.
  CUTE_HOST_DEVICE static constexpr auto get_layoutS_MN() {
    return tilewright::make_tuple(base::get_layoutS_MN(), tilewright::Layout<typename base::TiledNumThr>{});
  }
  CUTE_HOST_DEVICE static constexpr auto get_layoutD_MN() {
    return tilewright::make_tuple(base::get_layoutD_MN(), tilewright::Layout<typename base::TiledNumThr>{});
  }

  template <class ThrIdx>
  CUTE_HOST_DEVICE static constexpr auto get_slice(ThrIdx const& thr_idx) {
    using check = tilewright::all_hold<tilewright::detail::whole_atoms<Atom, TV>,
                                       tilewright::detail::index_is_one_number<std::remove_cv_t<ThrIdx>>,
                                       tilewright::detail::thread_belongs_to_copy<ThrIdx, typename base::TiledNumThr>>;
    if constexpr (!check::value) return check::sentence();
    else if constexpr (tilewright::is_invalid_v<ThrIdx>) return tilewright::invalid_layout{};
    else return ThrCopy<TiledCopy, std::remove_cv_t<ThrIdx>>(static_cast<std::remove_cv_t<ThrIdx>>(thr_idx));
  }
  template <class ThrIdx>
  CUTE_HOST_DEVICE static constexpr auto get_thread_slice(ThrIdx const& thr_idx) {
    return get_slice(thr_idx);
  }

  /// The check that the layout of a tensor has a view.
  template <class T, class Side>
  using divides =
      tilewright::lift::succeeds<detail::op::partition_view,
                                 std::remove_cvref_t<decltype(inner_layout(std::declval<typename T::layout_type>()))>,
                                 tilewright::lift::as_tiler<Tiler>, TV, AtomLayoutRef, Side>;

 private:
  template <class Side, class L>
  CUTE_HOST_DEVICE static constexpr auto view(L const& layout) {
    if constexpr (tilewright::is_composed_layout_v<L>)
      return tilewright::make_composed_layout(layout.layout_a(), layout.offset(), view<Side>(layout.layout_b()));
    else
      return tilewright::lift::call<detail::op::partition_view, L, tilewright::lift::as_tiler<Tiler>, TV, AtomLayoutRef,
                                    Side>::on(layout, Tiler{}, TV{}, AtomLayoutRef{}, Side{});
  }
  template <class Side, class T>
  CUTE_HOST_DEVICE static constexpr auto viewed(T&& operand) {
    if constexpr (tilewright::TensorType<T>) return make_tensor(operand.data(), view<Side>(operand.layout()));
    else return view<Side>(operand);
  }
};

template <class Atom, class TV, class Tiler>
TiledCopy(tilewright::TiledCopy<Atom, TV, Tiler> const&) -> TiledCopy<Atom, TV, Tiler>;

/// One thread's slice.
template <class Tiled, class ThrIdx>
struct ThrCopy : tilewright::ThrCopy<Tiled, ThrIdx> {
  using base = tilewright::ThrCopy<Tiled, ThrIdx>;
  using base::base;

  /// The elements this thread reads / writes: ((AtomV, RestV), RestM, RestN, …).
  template <class T>
  CUTE_HOST_DEVICE constexpr auto partition_S(T&& tensor) const {
    if constexpr (!tilewright::TensorType<T>) {
      return base::partition_S(tensor);
    } else {
      using check = typename Tiled::template divides<std::remove_cvref_t<T>, typename Tiled::AtomLayoutSrc>;
      if constexpr (!check::value) return check::sentence();
      else
        return share(tensor.data(), Tiled::tidfrg_S(tensor.layout()), C<tilewright::rank_v<std::remove_cvref_t<T>>>{});
    }
  }
  template <class T>
  CUTE_HOST_DEVICE constexpr auto partition_D(T&& tensor) const {
    if constexpr (!tilewright::TensorType<T>) {
      return base::partition_D(tensor);
    } else {
      using check = typename Tiled::template divides<std::remove_cvref_t<T>, typename Tiled::AtomLayoutDst>;
      if constexpr (!check::value) return check::sentence();
      else
        return share(tensor.data(), Tiled::tidfrg_D(tensor.layout()), C<tilewright::rank_v<std::remove_cvref_t<T>>>{});
    }
  }

 private:
  template <class It, class L, int Rank>
  CUTE_HOST_DEVICE constexpr auto share(It const& data, L const& view, C<Rank>) const {
    if constexpr (tilewright::lift::is_invalid<L>) {
      return tilewright::invalid_layout{};
    } else {
      auto const mine = cute::slice_and_offset(
          tilewright::make_coord(this->thr_idx_, tilewright::_, tilewright::repeat<Rank>(tilewright::_)), view);
      return make_tensor(data + mine.offset, mine.layout);
    }
  }
};

namespace detail {
/// A tiled copy of namespace tilewright as one of this namespace; everything else as it is.
template <class T>
CUTE_HOST_DEVICE constexpr T as_cute(T const& t) {
  return t;
}
template <class Atom, class TV, class Tiler>
CUTE_HOST_DEVICE constexpr TiledCopy<Atom, TV, Tiler> as_cute(tilewright::TiledCopy<Atom, TV, Tiler> const& tiled) {
  return tiled;
}
// Constraints that hold always, so that a call without a namespace takes these functions and not the library's.
template <class T>
concept tuple_of_tiles = tilewright::TupleType<T> && !std::is_void_v<T>;
template <class T>
concept any_type = !std::is_void_v<T>;
template <class T>
concept plain_layout = tilewright::LayoutType<T> && !std::is_void_v<T>;
}  // namespace detail

/// By a thread-value layout (thr_idx, val_idx) -> index in the tile; by a thread layout and a value layout; by addresses;
/// for an operand of a matrix operation.
template <class Op, class T, class S, class D, detail::tuple_of_tiles Tiler>
CUTE_HOST_DEVICE constexpr auto make_tiled_copy(Copy_Atom<Op, T> const& atom, tilewright::Layout<S, D> const& tv,
                                                Tiler const& tiler) {
  return detail::as_cute(tilewright::make_tiled_copy(atom, tv, tiler));
}
template <class Op, class T, class S, class D, class Tiler>
requires(detail::any_type<Tiler>) CUTE_HOST_DEVICE
    constexpr auto make_tiled_copy_impl(Copy_Atom<Op, T> const& atom, tilewright::Layout<S, D> const& tv,
                                        Tiler const& tiler) {
  return detail::as_cute(tilewright::make_tiled_copy_impl(atom, tv, tiler));
}
template <class Op, class T, class TS, class TD, class VS = C<1>, class VD = C<0>>
requires(detail::any_type<T>) CUTE_HOST_DEVICE
    constexpr auto make_tiled_copy(Copy_Atom<Op, T> const& atom, tilewright::Layout<TS, TD> const& thr_layout,
                                   tilewright::Layout<VS, VD> const& val_layout = {}) {
  return detail::as_cute(tilewright::make_tiled_copy(atom, thr_layout, val_layout));
}
template <class Op, class T, detail::plain_layout TV, detail::plain_layout Data>
CUTE_HOST_DEVICE constexpr auto make_cotiled_copy(Copy_Atom<Op, T> const& atom, TV const& atom_tv_layout,
                                                  Data const& data_layout) {
  return detail::as_cute(tilewright::make_cotiled_copy(atom, atom_tv_layout, data_layout));
}
template <class Op, class T, class Mma>
requires(detail::any_type<Mma>) CUTE_HOST_DEVICE
    constexpr auto make_tiled_copy_A(Copy_Atom<Op, T> const& atom, Mma const& mma) {
  return detail::as_cute(tilewright::make_tiled_copy_A(atom, mma));
}
template <class Op, class T, class Mma>
requires(detail::any_type<Mma>) CUTE_HOST_DEVICE
    constexpr auto make_tiled_copy_B(Copy_Atom<Op, T> const& atom, Mma const& mma) {
  return detail::as_cute(tilewright::make_tiled_copy_B(atom, mma));
}
template <class Op, class T, class Mma>
requires(detail::any_type<Mma>) CUTE_HOST_DEVICE
    constexpr auto make_tiled_copy_C(Copy_Atom<Op, T> const& atom, Mma const& mma) {
  return detail::as_cute(tilewright::make_tiled_copy_C(atom, mma));
}
template <class Op, class T, class Mma>
requires(detail::any_type<Mma>) CUTE_HOST_DEVICE
    constexpr auto make_tiled_copy_C_atom(Copy_Atom<Op, T> const& atom, Mma const& mma) {
  return detail::as_cute(tilewright::make_tiled_copy_C_atom(atom, mma));
}

}  // namespace cute

template <class Atom, class TV, class Tiler>
inline constexpr bool tilewright::is_tiled_copy_v<cute::TiledCopy<Atom, TV, Tiler>> = true;
template <class Tiled, class ThrIdx>
inline constexpr bool tilewright::is_thr_copy_v<cute::ThrCopy<Tiled, ThrIdx>> = true;

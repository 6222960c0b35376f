// TiledCopy: a copy atom, the threads and values that place it on a tile, and the tile. From these three declarations it
// derives every thread's share of any tensor: get_slice(thread), then partition_S and partition_D.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/atom/universal.hpp"
#include "tilewright/tensor/partition.hpp"
#include "tilewright/tiling/thread_value_view.hpp"

namespace tilewright {

namespace op {

struct partition_view {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& tiler,
                                             int_tree const& tv, int_tree const& ref, int_tree const& side) {
    return tiling::partition_view(c, a, tiler, tv, ref, side);
  }
};
struct thread_value_view {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& tiled, int_tree const& tv,
                                             int_tree const& ref, int_tree const& side) {
    return tiling::thread_value_view(c, tiled, tv, ref, side);
  }
};
struct side_tv_layout {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& tiler, int_tree const& tv,
                                             int_tree const& ref, int_tree const& side) {
    return tiling::side_tv_layout(c, tiler, tv, ref, side);
  }
};
template <int AtomValues>
struct retiled {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& fragment, int_tree const& tiler,
                                             int_tree const& tv) {
    return tiling::retiled(c, fragment, tiler, tv, constant_leaf(AtomValues));
  }
};

}  // namespace op

namespace detail {

/// Do a thread-value layout's threads and values make up whole atoms? Says so once where they do not.
template <class Atom, class LayoutTV>
struct whole_atoms {
  using Ref = typename Atom::ValLayoutRef;
  static constexpr bool threads_are_whole_atoms =
      decltype(size<0>(LayoutTV{}))::value % decltype(size<0>(Ref{}))::value == 0;
  static constexpr bool values_are_whole_atoms =
      decltype(size<1>(LayoutTV{}))::value % decltype(size<1>(Ref{}))::value == 0;
  static constexpr bool value = threads_are_whole_atoms && values_are_whole_atoms;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(threads_are_whole_atoms,
                  "TiledCopy: the number of threads is not a multiple of the atom's threads; enlarge the thread layout "
                  "(docs/errors.md#too_few_threads)");
    static_assert(
        values_are_whole_atoms || !threads_are_whole_atoms,
        "TiledCopy: a thread's values are not a multiple of the atom's values; enlarge the value layout or choose "
        "a narrower atom (docs/errors.md#too_few_values)");
    return invalid_layout{};
  }
};

/// Partitions are a thread's, of tensors.
template <class Tiled, class T>
struct a_thread_partitions {
  static constexpr bool value = never<Tiled, T>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "TiledCopy: a partition is one thread's share, and no thread is named; write "
                  "tiled_copy.get_slice(thread).partition_S(tensor) (docs/errors.md#no_thread)");
    return invalid_layout{};
  }
};
template <class T>
struct tensors_are_partitioned {
  static constexpr bool value = never<T>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "partition_S, partition_D, retile_S, retile_D: the argument is not a tensor; make one of a pointer and a "
        "layout with make_tensor(pointer, layout) (docs/errors.md#partition_arguments)");
    return invalid_layout{};
  }
};

/// A run-time index may be beyond: such a thread takes no part.
template <class ThrIdx, class Threads>
struct thread_belongs_to_copy {
  static constexpr bool value = true;
};
template <auto Thread, class Threads>
struct thread_belongs_to_copy<C<Thread>, Threads> {
  static constexpr bool value = Thread >= 0 && Thread < Threads::value;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "get_slice: the thread index is beyond the copy's threads; use an index below their number "
                  "(docs/errors.md#thread_out_of_range)");
    return invalid_layout{};
  }
};

struct size_of {
  template <class T>
  TILEWRIGHT_FN constexpr auto operator()(T const& t) const {
    return size(t);
  }
};

}  // namespace detail

template <class TiledCopyType, class ThrIdx>
struct ThrCopy;

/// Atom:        the copy atom
/// LayoutTV:    (thr_idx, val_idx) -> index in the tile
/// TilerType_:  the tile: an extent, a layout or `_` for each mode
template <class Atom, class LayoutTV, class TilerType_>
struct TiledCopy : Atom {
  using AtomType = Atom;
  using AtomThrID = typename Atom::ThrID;
  using AtomLayoutSrc = typename Atom::ValLayoutSrc;
  using AtomLayoutDst = typename Atom::ValLayoutDst;
  using AtomLayoutRef = typename Atom::ValLayoutRef;
  using AtomNumThr = decltype(size<0>(AtomLayoutRef{}));
  using AtomNumVal = decltype(size<1>(AtomLayoutRef{}));
  using Tiler_MN = TilerType_;
  using TiledLayout_TV = LayoutTV;
  using TiledNumThr = decltype(size<0>(TiledLayout_TV{}));
  using TiledNumVal = decltype(size<1>(TiledLayout_TV{}));

  constexpr TiledCopy() = default;
  TILEWRIGHT_HOST_DEVICE constexpr TiledCopy(Atom const& atom) : Atom(atom) {}

  /// The whole view of a tensor, or of its layout: (thread, value, (rest…)).
  template <class L>
  requires(!TensorType<L>) TILEWRIGHT_FN static constexpr auto tidfrg_S(L const& layout) {
    return view<AtomLayoutSrc>(layout);
  }
  template <class L>
  requires(!TensorType<L>) TILEWRIGHT_FN static constexpr auto tidfrg_D(L const& layout) {
    return view<AtomLayoutDst>(layout);
  }
  template <TensorType T>
  TILEWRIGHT_FN static constexpr auto tidfrg_S(T&& tensor) {
    return make_tensor(tensor.data(), view<AtomLayoutSrc>(tensor.layout()));
  }
  template <TensorType T>
  TILEWRIGHT_FN static constexpr auto tidfrg_D(T&& tensor) {
    return make_tensor(tensor.data(), view<AtomLayoutDst>(tensor.layout()));
  }

  /// ((tile…),(rest…)) -> (thread, value, (rest…)) for a given (trg thr, trg val) -> (ref thr, ref val) map.
  template <class L, class Ref2Trg>
  TILEWRIGHT_FN static constexpr auto tile2thrfrg(L const& tiled, Ref2Trg const& ref2trg) {
    using Identity = Layout<Shape<AtomNumThr, AtomNumVal>>;
    return lift::call<op::thread_value_view, L, TiledLayout_TV, Identity, Ref2Trg>::on(tiled, TiledLayout_TV{},
                                                                                       Identity{}, ref2trg);
  }

  /// (thr_idx, val_idx) -> index in the tile, in the order of the source / the destination.
  TILEWRIGHT_FN static constexpr auto get_layoutS_TV() { return side_layout<AtomLayoutSrc>(); }
  TILEWRIGHT_FN static constexpr auto get_layoutD_TV() { return side_layout<AtomLayoutDst>(); }
  /// index in the tile -> thr_idx + threads * val_idx, shaped like the tile.
  TILEWRIGHT_FN static constexpr auto get_layoutS_MN() {
    return with_shape(right_inverse(get_layoutS_TV()), tile_shape());
  }
  TILEWRIGHT_FN static constexpr auto get_layoutD_MN() {
    return with_shape(right_inverse(get_layoutD_TV()), tile_shape());
  }

  /// A fragment made for another partition, or its layout, seen in this copy's atoms.
  template <TensorType T>
  TILEWRIGHT_FN static constexpr auto retile(T&& tensor) {
    return make_tensor(tensor.data(), retile(tensor.layout()));
  }
  template <class L>
  requires(!TensorType<L>) TILEWRIGHT_FN static constexpr auto retile(L const& layout) {
    if constexpr (is_composed_layout_v<L>)
      return make_composed_layout(layout.layout_a(), layout.offset(), retile(layout.layout_b()));
    else
      return lift::call<op::retiled<AtomNumVal::value>, L, lift::as_tiler<Tiler_MN>, TiledLayout_TV>::on(
          layout, Tiler_MN{}, TiledLayout_TV{});
  }

  /// This thread's share. Indices from size onwards take no part.
  template <class ThrIdx>
  TILEWRIGHT_FN static constexpr auto get_slice(ThrIdx const& thr_idx) {
    using check = all_hold<detail::whole_atoms<Atom, LayoutTV>, detail::index_is_one_number<ThrIdx>,
                           detail::thread_belongs_to_copy<ThrIdx, TiledNumThr>>;
    if constexpr (!check::value) return check::sentence();
    else if constexpr (is_invalid_v<ThrIdx>) return invalid_layout{};
    else return ThrCopy<TiledCopy, std::remove_cv_t<ThrIdx>>(static_cast<std::remove_cv_t<ThrIdx>>(thr_idx));
  }
  template <class ThrIdx>
  TILEWRIGHT_FN static constexpr auto get_thread_slice(ThrIdx const& thr_idx) {
    using check = all_hold<detail::whole_atoms<Atom, LayoutTV>, detail::index_is_one_number<ThrIdx>,
                           detail::thread_belongs_to_copy<ThrIdx, TiledNumThr>>;
    if constexpr (!check::value) return check::sentence();
    else return get_slice(thr_idx);
  }

  /// Of no thread: refused with the call that names one. ThrCopy has the functions.
  template <class T>
  TILEWRIGHT_FN static constexpr auto partition_S(T const&) {
    return detail::a_thread_partitions<TiledCopy, T>::sentence();
  }
  template <class T>
  TILEWRIGHT_FN static constexpr auto partition_D(T const&) {
    return detail::a_thread_partitions<TiledCopy, T>::sentence();
  }
  template <class T>
  TILEWRIGHT_FN static constexpr auto retile_S(T const&) {
    return detail::a_thread_partitions<TiledCopy, T>::sentence();
  }
  template <class T>
  TILEWRIGHT_FN static constexpr auto retile_D(T const&) {
    return detail::a_thread_partitions<TiledCopy, T>::sentence();
  }

  /// The extents of the tile.
  TILEWRIGHT_FN static constexpr auto tile_shape() { return transform_tuple(Tiler_MN{}, detail::size_of{}); }

  /// The check that a tensor is a whole number of tiles.
  template <class T, class Side>
  using divides = lift::succeeds<op::partition_view, decltype(inner_layout(std::declval<typename T::layout_type>())),
                                 lift::as_tiler<Tiler_MN>, TiledLayout_TV, AtomLayoutRef, Side>;

 private:
  template <class Side, class L>
  TILEWRIGHT_FN static constexpr auto view(L const& layout) {
    if constexpr (is_composed_layout_v<L>) {
      return make_composed_layout(layout.layout_a(), layout.offset(), view<Side>(layout.layout_b()));
    } else {
      return lift::call<op::partition_view, L, lift::as_tiler<Tiler_MN>, TiledLayout_TV, AtomLayoutRef, Side>::on(
          layout, Tiler_MN{}, TiledLayout_TV{}, AtomLayoutRef{}, Side{});
    }
  }
  template <class Side>
  TILEWRIGHT_FN static constexpr auto side_layout() {
    return lift::call<op::side_tv_layout, lift::as_tiler<Tiler_MN>, TiledLayout_TV, AtomLayoutRef, Side>::on(
        Tiler_MN{}, TiledLayout_TV{}, AtomLayoutRef{}, Side{});
  }
};

/// The number of the copy's threads.
template <class Atom, class LayoutTV, class Tiler>
TILEWRIGHT_FN constexpr auto size(TiledCopy<Atom, LayoutTV, Tiler> const&) {
  return typename TiledCopy<Atom, LayoutTV, Tiler>::TiledNumThr{};
}

template <class T>
inline constexpr bool is_tiled_copy_v = false;
template <class A, class L, class T>
inline constexpr bool is_tiled_copy_v<TiledCopy<A, L, T>> = true;

/// One thread's slice of a tiled copy.
template <class TiledCopyType, class ThrIdx>
struct ThrCopy : TiledCopyType {
  using tiled_copy_type = TiledCopyType;
  ThrIdx thr_idx_;

  TILEWRIGHT_HOST_DEVICE constexpr explicit ThrCopy(ThrIdx const& thr_idx) : thr_idx_(thr_idx) {}

  /// Does this thread take part in the copy?
  TILEWRIGHT_FN constexpr bool active() const {
    return static_cast<long long>(thr_idx_) >= 0 &&
           static_cast<long long>(thr_idx_) < static_cast<long long>(TiledCopyType::TiledNumThr::value);
  }

  /// The elements this thread reads / writes: ((atom values, rest values), RestM, RestN, …).
  /// pre: the tensor is not one over null
  template <TensorType T>
  TILEWRIGHT_FN constexpr auto partition_S(T&& tensor) const {
    using check =
        typename TiledCopyType::template divides<std::remove_cvref_t<T>, typename TiledCopyType::AtomLayoutSrc>;
    if constexpr (!check::value) return check::sentence();
    else return share(tensor.data(), TiledCopyType::tidfrg_S(tensor.layout()), C<rank_v<std::remove_cvref_t<T>>>{});
  }
  template <TensorType T>
  TILEWRIGHT_FN constexpr auto partition_D(T&& tensor) const {
    using check =
        typename TiledCopyType::template divides<std::remove_cvref_t<T>, typename TiledCopyType::AtomLayoutDst>;
    if constexpr (!check::value) return check::sentence();
    else return share(tensor.data(), TiledCopyType::tidfrg_D(tensor.layout()), C<rank_v<std::remove_cvref_t<T>>>{});
  }
  TILEWRIGHT_FN static constexpr invalid_layout partition_S(invalid_layout const&) { return {}; }
  TILEWRIGHT_FN static constexpr invalid_layout partition_D(invalid_layout const&) { return {}; }
  /// A fragment made for another partition, in this copy's atoms: ((atom values, rest values), RestM, RestN, …).
  template <TensorType T>
  TILEWRIGHT_FN static constexpr auto retile_S(T&& tensor) {
    return make_tensor(tensor.data(), TiledCopyType::retile(tensor.layout()));
  }
  template <TensorType T>
  TILEWRIGHT_FN static constexpr auto retile_D(T&& tensor) {
    return make_tensor(tensor.data(), TiledCopyType::retile(tensor.layout()));
  }
  TILEWRIGHT_FN static constexpr invalid_layout retile_S(invalid_layout const&) { return {}; }
  TILEWRIGHT_FN static constexpr invalid_layout retile_D(invalid_layout const&) { return {}; }
  template <class T>
  requires(!TensorType<T> && !is_invalid_v<T>) TILEWRIGHT_FN static constexpr auto partition_S(T const&) {
    return detail::tensors_are_partitioned<T>::sentence();
  }
  template <class T>
  requires(!TensorType<T> && !is_invalid_v<T>) TILEWRIGHT_FN static constexpr auto partition_D(T const&) {
    return detail::tensors_are_partitioned<T>::sentence();
  }
  template <class T>
  requires(!TensorType<T> && !is_invalid_v<T>) TILEWRIGHT_FN static constexpr auto retile_S(T const&) {
    return detail::tensors_are_partitioned<T>::sentence();
  }
  template <class T>
  requires(!TensorType<T> && !is_invalid_v<T>) TILEWRIGHT_FN static constexpr auto retile_D(T const&) {
    return detail::tensors_are_partitioned<T>::sentence();
  }

 private:
  template <class It, class L, int Rank>
  TILEWRIGHT_FN constexpr auto share(It const& data, L const& view, C<Rank>) const {
    if constexpr (lift::is_invalid<L>) {
      return invalid_layout{};
    } else {
      auto const mine = slice_and_offset(make_coord(thr_idx_, _, repeat<Rank>(_)), view);
      auto start = data + mine.offset;
      if constexpr (detail::can_be_null<It> && !is_constant_v<ThrIdx>) {
        TILEWRIGHT_ASSUME(!detail::is_null(start));  // so that a copy's test for null is one for active()
        if (!active()) start = It{};
      }
      return make_tensor(start, mine.layout);
    }
  }
};

template <class T>
inline constexpr bool is_thr_copy_v = false;
template <class C, class I>
inline constexpr bool is_thr_copy_v<ThrCopy<C, I>> = true;

}  // namespace tilewright

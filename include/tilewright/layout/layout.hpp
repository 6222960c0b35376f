// The typed layout: Layout<Shape<_4,_8>, Stride<_1,_4>> maps coordinates to offsets; constants are part of the type,
// run-time leaves are stored flat. The class holds and hands out; what layouts do is in algebra/.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/invalid.hpp"
#include "tilewright/ints/flat.hpp"

namespace tilewright {

/// The strides a shape gets by default: compact, first mode fastest. Defined in algebra/construct.hpp.
template <class ShapeType>
struct compact_stride;

template <class ShapeType, class StrideType = typename compact_stride<ShapeType>::type>
struct Layout;

namespace detail {

template <class S, class D, bool IsStatic = (dynamic_leaves<S> + dynamic_leaves<D> == 0)>
struct layout_storage {
  constexpr layout_storage() = default;
  TILEWRIGHT_HOST_DEVICE constexpr layout_storage(S const&, D const&) {}
  TILEWRIGHT_FN static constexpr S shape() { return {}; }
  TILEWRIGHT_FN static constexpr D stride() { return {}; }
};

template <class S, class D>
struct layout_storage<S, D, false> : slots_for<S, D> {
  TILEWRIGHT_HOST_DEVICE constexpr layout_storage() : slots_for<S, D>{} {}
  TILEWRIGHT_HOST_DEVICE constexpr layout_storage(S const& s, D const& d) : slots_for<S, D>{} {
    store<0>(*this, s);
    store<dynamic_leaves<S>>(*this, d);
  }
  TILEWRIGHT_FN constexpr S shape() const { return gather<S, 0>(*this); }
  TILEWRIGHT_FN constexpr D stride() const { return gather<D, dynamic_leaves<S>>(*this); }
};

// A layout inside a tuple (a tiler's entry) counts, stores and gathers its leaves like a pair of tuples.
template <class S, class D>
inline constexpr int dynamic_leaves<Layout<S, D>> = dynamic_leaves<S> + dynamic_leaves<D>;
template <class S, class D>
struct slot_types<Layout<S, D>, true> : join<typename slot_types<S>::type, typename slot_types<D>::type> {};
template <class S, class D>
struct storer<Layout<S, D>> {
  template <int Base, class Slots, int... N>
  TILEWRIGHT_FN static constexpr void each(Slots& to, Layout<S, D> const& layout, seq<N...>) {
    ((slot_at<Base + N>(to) = slot_at<N>(layout)), ...);
  }
  template <int Base, class Slots>
  TILEWRIGHT_FN static constexpr void run(Slots& to, Layout<S, D> const& layout) {
    each<Base>(to, layout, make_seq<dynamic_leaves<Layout<S, D>>>{});
  }
};

}  // namespace detail

/// A function from coordinates to offsets.
/// pre: ShapeType and StrideType have the same profile
template <class ShapeType, class StrideType>
struct Layout : detail::layout_storage<ShapeType, StrideType> {
  using storage = detail::layout_storage<ShapeType, StrideType>;
  using shape_type = ShapeType;
  using stride_type = StrideType;
  /// The number of modes at the top.
  static constexpr int rank = tuple_size_v<ShapeType>;

  constexpr Layout() = default;
  TILEWRIGHT_HOST_DEVICE constexpr Layout(ShapeType const& shape, StrideType const& stride = {})
      : storage(shape, stride) {}

  /// The layout itself, for templates that take tensors and layouts; of mode I, of mode J of mode I, …
  template <int... I>
  TILEWRIGHT_FN constexpr auto layout() const;
  using storage::shape;
  using storage::stride;
  /// Of all modes, of mode I, of mode J of mode I, …
  template <int... I>
  TILEWRIGHT_FN constexpr auto shape() const {
    if constexpr (sizeof...(I) == 0) return storage::shape();
    else return get<I...>(storage::shape());
  }
  template <int... I>
  TILEWRIGHT_FN constexpr auto stride() const {
    if constexpr (sizeof...(I) == 0) return storage::stride();
    else return get<I...>(storage::stride());
  }

  /// The offset of a coordinate; with `_` in it, the layout of the modes kept.
  template <class... Coords>
  TILEWRIGHT_FN constexpr auto operator()(Coords const&... coords) const;
  /// *this ∘ tiler; several arguments go mode by mode, `_` keeps a mode.
  template <class... Tilers>
  TILEWRIGHT_FN constexpr auto compose(Tilers const&... tilers) const;
  /// tiled_divide: ((Tile…), Rest…); several arguments go mode by mode.
  template <class... Tilers>
  TILEWRIGHT_FN constexpr auto tile(Tilers const&... tilers) const;
  /// The same function seen with another shape of the same size.
  template <class... Extents>
  TILEWRIGHT_FN constexpr auto with_shape(Extents const&... extents) const;
  /// The coordinate at an offset of this compact layout: nested like the shape / one index for each mode / one index.
  template <class Offset>
  TILEWRIGHT_FN constexpr auto get_hier_coord(Offset const& offset) const;
  template <class Offset>
  TILEWRIGHT_FN constexpr auto get_flat_coord(Offset const& offset) const;
  template <class Offset>
  TILEWRIGHT_FN constexpr auto get_1d_coord(Offset const& offset) const;
};

template <class T>
inline constexpr bool is_layout_v = false;
template <class S, class D>
inline constexpr bool is_layout_v<Layout<S, D>> = true;
template <class T>
inline constexpr bool is_layout_v<T const> = is_layout_v<T>;

/// A layout, or the silent result of a failed operation.
template <class T>
concept LayoutType = is_layout_v<T> || is_invalid_v<T>;

}  // namespace tilewright

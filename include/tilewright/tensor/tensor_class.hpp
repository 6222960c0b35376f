// The class Tensor: an engine, which holds or points to elements, and a layout, which says where each coordinate's element
// is. How tensors are made and reshaped is in tensor.hpp, which code includes in place of this file.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algebra/swizzled.hpp"
#include "tilewright/ints/tuple_text.hpp"
#include "tilewright/tensor/engine.hpp"

namespace tilewright {

template <class Engine, class LayoutType_>
struct Tensor;

template <class T>
inline constexpr bool is_tensor_v = false;
template <class E, class L>
inline constexpr bool is_tensor_v<Tensor<E, L>> = true;
template <class T>
concept TensorType = is_tensor_v<std::remove_cvref_t<T>>;

template <class T>
inline constexpr bool is_owning_v = false;
template <class T, std::size_t N, class L>
inline constexpr bool is_owning_v<Tensor<ArrayEngine<T, N>, L>> = true;

/// A tensor over the elements at an iterator.
template <IteratorClass It, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_tensor(It const& it, L const& layout);
template <class T, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_tensor(T* p, L const& layout);

namespace detail {

/// Constants other than 0 in a coordinate are compared with static extents in the compiler.
template <class X>
inline constexpr bool has_nonzero_constant = false;
template <auto v>
inline constexpr bool has_nonzero_constant<C<v>> = v != 0;
template <class... T>
inline constexpr bool has_nonzero_constant<tuple<T...>> = (has_nonzero_constant<T> || ...);

/// A template, since nvcc takes 50 MB for each tree that a declaration hands to a function with parameters of that type.
template <class V, class W>
TILEWRIGHT_CONSTEXPR bool value_is_outside(V const& x, W const& shape) {
  return algebra::certainly_outside(x.tree, x.tree.root(), shape.tree, shape.tree.root());
}
template <class Coordinate, class ShapeType>
struct coordinate_is_in_range {
  static constexpr bool value = !value_is_outside(lift::value_of<Coordinate>, lift::value_of<ShapeType>);
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "tensor: the coordinate is out of range; use coordinates from 0 to extent - 1 in each mode "
                  "(docs/errors.md#coordinate_out_of_range)");
    return invalid_layout{};
  }
};
/// Does a tensor of layout L refuse coordinates outside of its shape? compat answers for all layouts.
template <class L>
struct keeps_to_its_shape {
  static constexpr bool value = true;
};

template <bool IsQuestion>
struct pick_range_check {
  template <class X, class S>
  using type = no_objection;
};
template <>
struct pick_range_check<true> {
  template <class X, class S>
  using type = coordinate_is_in_range<X, S>;
};
/// The check that a tensor of this layout, or of the layout under its swizzle, has an element at such a coordinate.
template <class L, class... X>
struct tensor_takes_of {
  using inner = std::remove_cvref_t<decltype(inner_layout(std::declval<L const&>()))>;
  using coordinate = std::remove_cvref_t<decltype(one_or_tuple(std::declval<X const&>()...))>;
  using range =
      typename pick_range_check<has_nonzero_constant<coordinate> && keeps_to_its_shape<L>::value>::template type<
          coordinate, std::remove_cvref_t<decltype(std::declval<L const&>().shape())>>;
  using type = all_hold<range, coordinate_check<inner, X...>>;
};
template <class L>
struct tensor_takes_of<L> {
  using type = there_is_a_coordinate<0>;
};
template <class L, class... X>
using tensor_takes = typename tensor_takes_of<L, X...>::type;

/// Is a coordinate inside of a shape? An integer counts against the whole, tuples mode by mode.
template <class X, class S>
TILEWRIGHT_FN constexpr bool inside(X const& x, S const& shape);
template <class X, class S, int... N>
TILEWRIGHT_FN constexpr bool inside_each(X const& x, S const& shape, seq<N...>) {
  return (true && ... && inside(get<N>(x), get<N>(shape)));
}
template <class X, class S>
TILEWRIGHT_FN constexpr bool inside(X const& x, S const& shape) {
  if constexpr (is_tuple_v<X> && is_tuple_v<S>) {
    if constexpr (tuple_size_v<X> == tuple_size_v<S>) return inside_each(x, shape, make_seq<tuple_size_v<X>>{});
    else return true;  // the layout itself reports the rank
  } else if constexpr (is_tuple_v<X> || std::is_same_v<X, Underscore>) {
    return true;
  } else {
    return static_cast<long long>(x) >= 0 && static_cast<long long>(x) < static_cast<long long>(size(shape));
  }
}

#if TILEWRIGHT_CHECKED && TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE
template <class X, class S>
constexpr void check_inside(X const& x, S const& shape) {
  if (inside(x, shape)) return;
  raise(layout_error(
      {errc::coordinate_out_of_range, 0, static_cast<long long>(size(shape))},
      sentence_of(errc::coordinate_out_of_range, "tensor", labelled("coordinate", x), labelled("shape", shape))));
}
#else
template <class X, class S>
TILEWRIGHT_FN constexpr void check_inside(X const&, S const&) {}
#endif

/// tensor(x) with _ in x; compat adds a more constrained overload.
template <class X, AnyLayout L>
TILEWRIGHT_FN constexpr auto part_at(as_member, X const& x, L const& layout) {
  return slice_and_offset(x, layout);
}

}  // namespace detail

template <class Engine, class LayoutType_>
struct Tensor : detail::tuple_slot<0, LayoutType_> {
  using engine_type = Engine;
  using layout_type = LayoutType_;
  using element_type = typename Engine::element_type;
  using value_type = typename Engine::value_type;
  using iterator = typename Engine::iterator;
  using reference = typename Engine::reference;
  static constexpr int rank = rank_v<LayoutType_>;

  Engine engine_;

  constexpr Tensor() = default;
  /// Of elements of its own: zeros on the host. On the device they stay as they are, since zeros would be moved into every
  /// register whose load depends on a condition.
  TILEWRIGHT_HOST_DEVICE constexpr explicit Tensor(LayoutType_ const& layout)
      : detail::tuple_slot<0, LayoutType_>(layout) {
    if constexpr (!TILEWRIGHT_ON_DEVICE) engine_ = Engine{};
  }
  TILEWRIGHT_HOST_DEVICE constexpr Tensor(Engine const& engine, LayoutType_ const& layout)
      : detail::tuple_slot<0, LayoutType_>(layout),
        engine_(engine) {}

  /// A static layout is made anew, so that its sizes are constants even of a tensor that is known by reference.
  TILEWRIGHT_FN constexpr LayoutType_ layout() const {
    if constexpr (std::is_empty_v<LayoutType_>) return {};
    else return detail::get_slot<0>(*this);
  }
  TILEWRIGHT_FN constexpr auto data() const { return engine_.begin(); }
  TILEWRIGHT_FN constexpr decltype(auto) data() { return engine_.begin(); }
  TILEWRIGHT_FN constexpr Engine const& engine() const { return engine_; }
  TILEWRIGHT_FN constexpr Engine& engine() { return engine_; }
  /// Of all modes, of mode I, of mode J of mode I, …
  template <int I, int... J>
  TILEWRIGHT_FN constexpr auto layout() const {
    return tilewright::layout<I, J...>(layout());
  }
  template <int... I>
  TILEWRIGHT_FN constexpr auto shape() const {
    return tilewright::shape<I...>(layout());
  }
  template <int... I>
  TILEWRIGHT_FN constexpr auto stride() const {
    return tilewright::stride<I...>(layout());
  }
  template <int... I>
  TILEWRIGHT_FN constexpr auto size() const {
    return tilewright::size<I...>(layout());
  }

  /// The element at a coordinate (an index, a tuple, any nesting between), or with `_` the tensor of the modes kept.
  /// error: constants outside of static extents are refused in the compiler, other coordinates in a checked host build
  ///        by layout_error coordinate_out_of_range
  template <class X>
  TILEWRIGHT_FN constexpr decltype(auto) operator[](X const& x) {
    using check = detail::tensor_takes<LayoutType_, X>;
    if constexpr (!check::value) return check::sentence();
    else return access(*this, x);
  }
  template <class X>
  TILEWRIGHT_FN constexpr decltype(auto) operator[](X const& x) const {
    using check = detail::tensor_takes<LayoutType_, X>;
    if constexpr (!check::value) return check::sentence();
    else return access(*this, x);
  }
  template <class... X>
  TILEWRIGHT_FN constexpr decltype(auto) operator()(X const&... x) {
    using check = detail::tensor_takes<LayoutType_, X...>;
    if constexpr (!check::value) return check::sentence();
    else return access(*this, detail::one_or_tuple(x...));
  }
  template <class... X>
  TILEWRIGHT_FN constexpr decltype(auto) operator()(X const&... x) const {
    using check = detail::tensor_takes<LayoutType_, X...>;
    if constexpr (!check::value) return check::sentence();
    else return access(*this, detail::one_or_tuple(x...));
  }

  /// The coordinate that index i names: nested like the shape / one index for each mode / one index.
  template <class Index>
  TILEWRIGHT_FN constexpr auto get_hier_coord(Index const& i) const {
    return layout().get_hier_coord(i);
  }
  template <class Index>
  TILEWRIGHT_FN constexpr auto get_flat_coord(Index const& i) const {
    return layout().get_flat_coord(i);
  }
  template <class Index>
  TILEWRIGHT_FN constexpr auto get_1d_coord(Index const& i) const {
    return layout().get_1d_coord(i);
  }

  /// The same elements in another order: layout ∘ tiler.
  template <class... Tilers>
  TILEWRIGHT_FN constexpr auto compose(Tilers const&... tilers) {
    return make_tensor(data(), layout().compose(tilers...));
  }
  template <class... Tilers>
  TILEWRIGHT_FN constexpr auto compose(Tilers const&... tilers) const {
    return make_tensor(data(), layout().compose(tilers...));
  }

  /// tiled_divide: ((Tile…), Rest…).
  template <class... Tilers>
  TILEWRIGHT_FN constexpr auto tile(Tilers const&... tilers) {
    return make_tensor(data(), layout().tile(tilers...));
  }
  template <class... Tilers>
  TILEWRIGHT_FN constexpr auto tile(Tilers const&... tilers) const {
    return make_tensor(data(), layout().tile(tilers...));
  }

 private:
  template <class Self, class X>
  TILEWRIGHT_FN static constexpr decltype(auto) access(Self& self, X const& x) {
    if constexpr (detail::keeps_to_its_shape<LayoutType_>::value) detail::check_inside(x, self.shape());
    if constexpr (has_underscore_v<X>) {
      auto const part = part_at(detail::as_member{}, x, self.layout());
      return make_tensor(self.data() + part.offset, part.layout);
    } else {
      return self.data()[self.layout()(x)];
    }
  }
};

// --- over elements elsewhere -----------------------------------------------------------------------------------------
template <IteratorClass It, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_tensor(It const& it, L const& layout) {
  if constexpr (is_invalid_v<L>) return invalid_layout{};
  else return Tensor<ViewEngine<It>, L>({it}, layout);
}
template <class T, AnyLayout L>
TILEWRIGHT_FN constexpr auto make_tensor(T* p, L const& layout) {
  if constexpr (is_invalid_v<L>) return invalid_layout{};
  else if constexpr (is_subbyte_v<T>) return make_tensor(subbyte_iterator<T>(p), layout);
  else return Tensor<ViewEngine<T*>, L>({p}, layout);
}

}  // namespace tilewright

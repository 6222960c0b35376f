// The class Tensor: an engine, which holds or points to elements, and a layout, which says where each coordinate's element
// is. How tensors are made and reshaped is in tensor.hpp, which code includes in place of this file.
#pragma once

#include "tilewright/algebra/swizzled.hpp"
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
  long long const first = [&] {
    if constexpr (is_tuple_v<X>) return static_cast<long long>(crd2idx(x, make_layout(shape)));
    else return static_cast<long long>(x);
  }();
  throw layout_error({errc::coordinate_out_of_range, first, static_cast<long long>(size(shape))});
}
#else
template <class X, class S>
TILEWRIGHT_FN constexpr void check_inside(X const&, S const&) {}
#endif

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

  TILEWRIGHT_FN constexpr LayoutType_ layout() const { return detail::get_slot<0>(*this); }
  TILEWRIGHT_FN constexpr auto data() const { return engine_.begin(); }
  TILEWRIGHT_FN constexpr auto data() { return engine_.begin(); }
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
  /// error: in a checked host build, layout_error coordinate_out_of_range
  template <class X>
  TILEWRIGHT_FN constexpr decltype(auto) operator[](X const& x) {
    detail::check_inside(x, shape());
    return data()[layout()(x)];
  }
  template <class X>
  TILEWRIGHT_FN constexpr decltype(auto) operator[](X const& x) const {
    detail::check_inside(x, shape());
    return data()[layout()(x)];
  }
  template <class... X>
  TILEWRIGHT_FN constexpr decltype(auto) operator()(X const&... x) {
    return access(*this, detail::one_or_tuple(x...));
  }
  template <class... X>
  TILEWRIGHT_FN constexpr decltype(auto) operator()(X const&... x) const {
    return access(*this, detail::one_or_tuple(x...));
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

 private:
  template <class Self, class X>
  TILEWRIGHT_FN static constexpr decltype(auto) access(Self& self, X const& x) {
    detail::check_inside(x, self.shape());
    if constexpr (has_underscore_v<X>) {
      auto const part = slice_and_offset(x, self.layout());
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

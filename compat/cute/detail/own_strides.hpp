// Strides of a program's own type: s in i * s, which is what coordinate i adds to an offset. A tensor that gathers rows has one: with
// rows_at{index, 64} * i = 64 * index[i],
//   make_tensor(p, ComposedLayout{make_layout((_1,_1), (rows_at,_1)), (_0,_0), make_identity_layout((8,64))})
// has element (2,5) at p[64 * index[2] + 5]. The identity layout is cut up as any other; what it gives are the coordinates that the
// layout with the stride is called with.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/layout_algebra.hpp"
#include "cute/numeric/arithmetic_tuple.hpp"
#include "cute/util/print.hpp"

namespace cute::detail {

template <class T>
concept OwnStride =
    std::is_class_v<T> && !tilewright::StrideTuple<T> && !tilewright::is_invalid_v<T> && requires(T const& s) {
  1 * s;
};
template <class D>
inline constexpr bool has_own_stride = OwnStride<D>;
template <class... D>
inline constexpr bool has_own_stride<tilewright::tuple<D...>> = (has_own_stride<D> || ...);

/// What coordinate x adds to an offset. Products of run-time numbers are 64 bits wide.
template <class X, class D>
CUTE_HOST_DEVICE constexpr auto step_along(X const& x, D const& stride) {
  if constexpr (std::is_integral_v<D>) return static_cast<long long>(x) * stride;
  else return x * stride;
}

}  // namespace cute::detail

namespace tilewright {

/// A function of coordinates that are nested as the strides: the sum of the products. The shape is as it was given.
template <class S, class D>
requires(cute::detail::has_own_stride<D>) struct Layout<S, D> {
  using shape_type = S;
  using stride_type = D;
  static constexpr int rank = static_cast<int>(tuple_size_v<D>);
  constexpr Layout() = default;
  TILEWRIGHT_HOST_DEVICE constexpr Layout(S const& shape, D const& stride) : shape_(shape), stride_(stride) {}

  TILEWRIGHT_FN constexpr S const& shape() const { return shape_; }
  TILEWRIGHT_FN constexpr D const& stride() const { return stride_; }
  template <class X>
  TILEWRIGHT_FN constexpr auto operator()(X const& x) const {
    return offset(x, stride_);
  }

 private:
  template <class X, class T>
  TILEWRIGHT_FN static constexpr auto offset(X const& x, T const& stride) {
    if constexpr (is_tuple_v<T>) return sum(x, stride, make_seq<static_cast<int>(tuple_size_v<T>)>{});
    else return cute::detail::step_along(x, stride);
  }
  template <class X, class T, int... I>
  TILEWRIGHT_FN static constexpr auto sum(X const& x, T const& stride, seq<I...>) {
    return (C<0>{} + ... + offset(get<I>(x), get<I>(stride)));
  }

  S shape_{};
  D stride_{};
};
/// Of a layout that Layout{layout} takes for a shape before it finds that it is a layout.
template <class S, class D>
requires(cute::detail::has_own_stride<D>) struct compact_stride<Layout<S, D>> {
  using type = C<0>;
};

}  // namespace tilewright

namespace cute::detail {

/// The mode whose stride is the constant 1, or the number of modes if no stride is.
template <class D>
inline constexpr int contiguous_mode_of = 1;
template <class... D>
inline constexpr int contiguous_mode_of<tilewright::tuple<D...>> = [] {
  bool const is_one[]{std::is_base_of_v<C<1>, D>...};
  int i = 0;
  while (i < static_cast<int>(sizeof...(D)) && !is_one[i]) ++i;
  return i;
}();
TILEWRIGHT_CONSTEXPR bool is_along(tilewright::leaf const& stride, int mode) {
  return !stride.basis().empty() && stride.basis().index(0) == mode;
}

namespace op {
/// The leading elements of a layout of coordinates that are next to each other along mode I.
template <int I>
struct contiguous_along {
  static constexpr auto kind = tilewright::lift::result_kind::tuple;
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a) {
    tilewright::int_tree const f = tilewright::algebra::coalesce(c, a);
    tilewright::leaf const d = f.stride[0];
    bool const counts = is_along(d, I) && tilewright::without_basis(d).is(1) && f.shape[0].is_static();
    return tilewright::leaf_tree(counts ? f.shape[0] : tilewright::constant_leaf(1));
  }
};
/// Steps along mode I count elements N times as wide.
template <int N, int I>
struct upcast_along : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree a) {
    for (int i = 0; i < a.leaves; ++i) {
      tilewright::leaf const d = a.stride[i];
      if (!is_along(d, I)) continue;
      auto const wide = tilewright::algebra::upcast(c, tilewright::leaf_tree(a.shape[i], tilewright::without_basis(d)),
                                                    tilewright::constant_leaf(N));
      a.shape[i] = wide.shape[0];
      a.stride[i] = tilewright::with_basis(wide.stride[0], d.basis());
    }
    return a;
  }
};
}  // namespace op

/// A stride in elements N times as wide: a program's own has safe_div for it.
template <int N, class D>
CUTE_HOST_DEVICE constexpr auto wide_stride(D const& d) {
  if constexpr (std::is_base_of_v<C<0>, D> || std::is_base_of_v<C<1>, D>) return d;
  else if constexpr (OwnStride<D>) return safe_div(d, C<N>{});
  else return d / C<N>{};
}
template <int N, class S, class... D, int... I>
CUTE_HOST_DEVICE constexpr auto upcast_own(tilewright::Layout<S, tilewright::tuple<D...>> const& a,
                                           tilewright::seq<I...>) {
  auto const stride = tilewright::make_tuple(wide_stride<N>(get<I>(a.stride()))...);
  return tilewright::Layout<S, std::remove_const_t<decltype(stride)>>{a.shape(), stride};
}
template <int N, int Mode, class Offset, int... I>
CUTE_HOST_DEVICE constexpr auto upcast_offset(Offset const& offset, tilewright::seq<I...>) {
  auto const entry = [&](auto i) {
    if constexpr (decltype(i)::value == Mode) return get<Mode>(offset) / C<N>{};
    else return get<decltype(i)::value>(offset);
  };
  return cute::as_arithmetic_tuple(tilewright::make_tuple(entry(C<I>{})...));
}

}  // namespace cute::detail

namespace cute {

/// shape:stride with a stride of a program's own type: a function of coordinates that are nested as the strides.
template <tilewright::IntTuple S, tilewright::StrideTuple D>
requires(detail::has_own_stride<D>) CUTE_HOST_DEVICE constexpr auto make_layout(S const& shape, D const& stride) {
  return tilewright::Layout<S, D>(shape, stride);
}
template <class S, class D>
requires(detail::has_own_stride<D>) CUTE_HOST_DEVICE void print(tilewright::Layout<S, D> const& a) {
  print(a.shape());
  print(":");
  print(a.stride());
}

/// N narrow elements along the contiguous mode become one.
/// pre: one stride is the constant 1, and N divides the offset along it and all other strides
template <int N, class S, class D, class O, detail::cute_layout L>
requires(detail::has_own_stride<D>) CUTE_HOST_DEVICE
    constexpr auto upcast(tilewright::ComposedLayout<tilewright::Layout<S, D>, O, L> const& a) {
  constexpr int mode = detail::contiguous_mode_of<D>, rank = static_cast<int>(tilewright::tuple_size_v<D>);
  static_assert(mode < rank,
                "upcast: a layout with a stride of a program's own type needs another stride, of the constant 1");
  return tilewright::make_composed_layout(
      detail::upcast_own<N>(a.layout_a(), tilewright::make_seq<rank>{}),
      detail::upcast_offset<N, mode>(a.offset(), tilewright::make_seq<rank>{}),
      tilewright::lift::call<detail::op::upcast_along<N, mode>, L>::on(a.layout_b()));
}

}  // namespace cute

namespace tilewright {

template <int From, int To, class S, class D, class O, LayoutType L>
requires(cute::detail::has_own_stride<D>) TILEWRIGHT_FN
    constexpr auto recast_bits(ComposedLayout<Layout<S, D>, O, L> const& a) {
  static_assert(To % From == 0, "recast: a tensor with a stride of its own type is recast to wider elements alone");
  if constexpr (From == To) return a;
  else return cute::upcast<To / From>(a);
}

namespace detail {
template <class S, class D, class O, class L>
requires(cute::detail::has_own_stride<D>) inline constexpr int elements_kept_by<ComposedLayout<Layout<S, D>, O, L>> =
    static_cast<int>(decltype(lift::call<cute::detail::op::contiguous_along<cute::detail::contiguous_mode_of<D>>,
                                         L>::on(std::declval<L const&>()))::value);
}  // namespace detail

}  // namespace tilewright

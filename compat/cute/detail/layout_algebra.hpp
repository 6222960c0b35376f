// Where CuTe defines an answer that programs rely on and namespace tilewright refuses, namespace cute gives CuTe's: a
// composition continues the last mode of the left-hand layout beyond its extent and takes each mode of the right-hand one by
// itself, a left inverse undoes offsets and not coordinates, and a layout after a swizzle is a swizzle after a layout wherever
// there is one.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/integral_constant.hpp"
#include "tilewright/algebra/swizzled.hpp"

namespace cute {

namespace detail {

// More constrained than the library's concepts, so that an unqualified call after `using namespace cute` takes these.
template <class T>
concept cute_layout = tilewright::LayoutType<T> && std::is_class_v<T>;
template <class T>
concept cute_composed = tilewright::ComposedType<T> && std::is_class_v<T>;
template <class T>
concept cute_integers = tilewright::IntTuple<T> && !std::is_void_v<T>;
template <class T>
concept cute_tiler = tilewright::TilerType<T> && !std::is_void_v<T>;

namespace op {
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                                                                        \
  struct NAME : tilewright::op::layout_operation {                                                               \
    static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, auto const&... operands) { \
      return tilewright::algebra::NAME(c, operands..., tilewright::algebra::reach::apart);                       \
    }                                                                                                            \
  };
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                                                         \
  struct NAME : tilewright::op::layout_operation {                                                               \
    static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, auto const&... operands) { \
      return tilewright::algebra::NAME##_by_tiler(c, operands..., tilewright::algebra::reach::apart);            \
    }                                                                                                            \
  };
#define TILEWRIGHT_X_DIVIDE TILEWRIGHT_X_BY_LAYOUT
#define TILEWRIGHT_X_PRODUCT TILEWRIGHT_X_BY_LAYOUT
#include "tilewright/algebra/operations.def"
/// composition where the modes of the tiler add up, too, so that the result is a ∘ tiler at every index.
struct exact_composition : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a,
                                                         tilewright::int_tree const& tiler) {
    return tilewright::algebra::composition_by_tiler(c, a, tiler, tilewright::algebra::reach::beyond);
  }
};
struct max_common_layout : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, auto const&... t) {
    return tilewright::algebra::max_common_layout(c, t..., tilewright::algebra::reach::apart);
  }
};
struct max_common_vector : tilewright::op::max_common_vector {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a,
                                                         tilewright::int_tree const& b) {
    return tilewright::leaf_tree(tilewright::algebra::max_common_vector(c, a, b, tilewright::algebra::reach::apart));
  }
};
struct left_inverse : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a) {
    return tilewright::algebra::left_inverse(c, a, tilewright::algebra::undone::offsets);
  }
};
struct upcast : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a,
                                                         tilewright::int_tree const& n) {
    return tilewright::algebra::upcast(c, a, n.shape[0], tilewright::algebra::remainders::rounded);
  }
};
template <int From, int To>
struct recast : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a) {
    return tilewright::algebra::recast(c, a, From, To, tilewright::algebra::remainders::rounded);
  }
};
struct compact_order : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& shape,
                                                         tilewright::int_tree const& order) {
    return tilewright::algebra::compact_order(c, shape, order, tilewright::algebra::equal_orders::share_a_stride);
  }
};
struct compact_like : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a) {
    return tilewright::op::compact_like::apply(c, a, tilewright::algebra::equal_orders::share_a_stride);
  }
};
struct tile_to_shape : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a,
                                                         tilewright::int_tree const& target) {
    return tilewright::algebra::tile_to_shape(c, a, target, tilewright::algebra::reach::apart);
  }
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a,
                                                         tilewright::int_tree const& target,
                                                         tilewright::int_tree const& order) {
    return tilewright::algebra::tile_to_shape(c, a, target, order, tilewright::algebra::equal_orders::share_a_stride,
                                              tilewright::algebra::reach::apart);
  }
};
}  // namespace op

}  // namespace detail

/// Each mode of a tiler by itself, A's last mode going on beyond its extent: (2,3):(1,4) ∘ 8:1 = (2,4):(1,4). Rests have
/// extents that are rounded up one by one: (4,2):(7,5) divided by (2,3):(3,1) = ((2,3),1):((21,7),0). The complement in a
/// product goes on, too. Of composed layouts it is the innermost one that is composed, divided or multiplied.
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                                                \
  template <detail::cute_layout L, detail::cute_tiler T>                                                \
  CUTE_HOST_DEVICE constexpr auto NAME(L const& a, T const& tiler) {                                    \
    return tilewright::lift::call<detail::op::NAME, L, tilewright::lift::as_tiler<T>>::on(a, tiler);    \
  }                                                                                                     \
  template <detail::cute_composed L, detail::cute_tiler T>                                              \
  CUTE_HOST_DEVICE constexpr auto NAME(L const& a, T const& tiler) {                                    \
    return tilewright::make_composed_layout(a.layout_a(), a.offset(), cute::NAME(a.layout_b(), tiler)); \
  }
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                                                           \
  template <detail::cute_layout A, detail::cute_layout B>                                           \
  CUTE_HOST_DEVICE constexpr auto NAME(A const& a, B const& b) {                                    \
    return tilewright::lift::call<detail::op::NAME, A, B>::on(a, b);                                \
  }                                                                                                 \
  template <detail::cute_composed A, detail::cute_layout B>                                         \
  CUTE_HOST_DEVICE constexpr auto NAME(A const& a, B const& b) {                                    \
    return tilewright::make_composed_layout(a.layout_a(), a.offset(), cute::NAME(a.layout_b(), b)); \
  }
#include "tilewright/algebra/operations.def"
/// What both hold contiguously in the same order, where A goes on beyond its last element.
template <detail::cute_layout A, detail::cute_layout B>
CUTE_HOST_DEVICE constexpr auto max_common_layout(A const& a, B const& b) {
  return tilewright::lift::call<detail::op::max_common_layout, A, B>::on(a, b);
}
template <detail::cute_layout A, detail::cute_layout B>
CUTE_HOST_DEVICE constexpr auto max_common_vector(A const& a, B const& b) {
  return tilewright::lift::call<detail::op::max_common_vector, A, B>::on(a, b);
}
/// A(L(A(i))) == A(i): left_inverse((4,2):(1,0)) = 4:1.
template <detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto left_inverse(L const& a) {
  return tilewright::lift::call<detail::op::left_inverse, L>::on(a);
}

/// Run-time strides are divided by the factor and rounded down, extents with them stay: (8,4):(1,8) by 4 = (8,4):(0,2).
template <detail::cute_layout L, detail::cute_integers N>
CUTE_HOST_DEVICE constexpr auto upcast(L const& a, N const& factor) {
  return tilewright::lift::call<detail::op::upcast, L, N>::on(a, factor);
}
template <int N, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto upcast(L const& a) {
  return cute::upcast(a, C<N>{});
}

/// Modes of equal constants in the order have one stride: (2,3,4) in the order (1,0,1) = (2,3,4):(3,1,3).
template <detail::cute_integers S, detail::cute_integers Order>
CUTE_HOST_DEVICE constexpr auto make_ordered_layout(S const& shape, Order const& order) {
  return tilewright::lift::call<detail::op::compact_order, S, Order>::on(shape, order);
}
template <detail::cute_integers S>
CUTE_HOST_DEVICE constexpr auto make_ordered_layout(S const& shape, tilewright::GenColMajor const& order) {
  return tilewright::make_layout(shape, order);
}
template <detail::cute_integers S>
CUTE_HOST_DEVICE constexpr auto make_ordered_layout(S const& shape, tilewright::GenRowMajor const& order) {
  return tilewright::make_layout(shape, order);
}
template <detail::cute_integers S, detail::cute_integers Order>
CUTE_HOST_DEVICE constexpr auto compact_order(S const& shape, Order const& order) {
  return cute::make_ordered_layout(shape, order).stride();
}
/// Compact, with modes as fast as in the layout: those of equal constant strides have one stride.
template <detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto make_layout_like(L const& a) {
  return tilewright::lift::call<detail::op::compact_like, L>::on(a);
}
/// The repetitions of a block with gaps are composed mode by mode, and rounded where extents known at run time do not divide.
template <detail::cute_layout L, detail::cute_integers S>
CUTE_HOST_DEVICE constexpr auto tile_to_shape(L const& block, S const& target) {
  return tilewright::lift::call<detail::op::tile_to_shape, L, S>::on(block, target);
}
template <detail::cute_layout L, detail::cute_integers S, detail::cute_integers Order>
CUTE_HOST_DEVICE constexpr auto tile_to_shape(L const& block, S const& target, Order const& order) {
  return tilewright::lift::call<detail::op::tile_to_shape, L, S, Order>::on(block, target, order);
}
template <detail::cute_composed L, class... Order>
CUTE_HOST_DEVICE constexpr auto tile_to_shape(L const& block, Order const&... target_and_order) {
  return tilewright::make_composed_layout(block.layout_a(), block.offset(),
                                          cute::tile_to_shape(block.layout_b(), target_and_order...));
}

namespace detail {

/// Where a swizzle's bits are: `to` ^= `from`.
template <int B, int M, int S>
inline constexpr int swizzled_bits_at = S < 0 ? M - S : M;
template <int B, int M, int S>
inline constexpr int swizzling_bits_at = S < 0 ? M : M + S;

/// The swizzle W with L(V(x)) == W(L(x)) for every x below Span; B < 0 where no swizzle does that or it is undecided.
struct moved_swizzle {
  int b, m, s;
};
template <class L, int B, int M, int S, int Span>
CUTE_HOST_DEVICE constexpr moved_swizzle find_moved_swizzle() {
  if constexpr (B == 0) return {0, M, S};
  constexpr moved_swizzle none{-1, 0, 0};
  constexpr int longest = 4096;
  if (Span > longest) return none;
  long long const to = static_cast<long long>(L{}(1 << swizzled_bits_at<B, M, S>));
  long long const from = static_cast<long long>(L{}(1 << swizzling_bits_at<B, M, S>));
  if (!tilewright::math::has_single_bit(to) || !tilewright::math::has_single_bit(from)) return none;
  int const t = tilewright::math::countr_zero(static_cast<unsigned long long>(to));
  int const f = tilewright::math::countr_zero(static_cast<unsigned long long>(from));
  int const m = t < f ? t : f, s = f - t;
  if ((s < 0 ? -s : s) < B || m + B + (s < 0 ? -s : s) > 30) return none;
  long long const ones = (1LL << B) - 1;
  for (int x = 0; x < Span; ++x) {
    long long const y = static_cast<long long>(L{}(x));
    if (static_cast<long long>(L{}(static_cast<int>(tilewright::Swizzle<B, M, S>::apply(x)))) !=
        (y ^ ((y >> f & ones) << t)))
      return none;
  }
  return {B, m, s};
}
template <class L, int B, int M, int S, int Span>
struct moved {
  static constexpr moved_swizzle value = find_moved_swizzle<L, B, M, S, Span>();
};

}  // namespace detail

namespace detail {
/// A after B, kept as the two of them.
template <class A, class B>
CUTE_HOST_DEVICE constexpr auto in_a_row(A const& a, B const& b) {
  return tilewright::make_composed_layout(a, C<0>{}, b);
}
}  // namespace detail

/// A after an offset after B, kept as the three of them.
template <class A, detail::cute_integers Offset, class B>
requires((detail::cute_layout<A> || detail::cute_composed<A>)&&(detail::cute_layout<B> ||
                                                                detail::cute_composed<B>)) CUTE_HOST_DEVICE
    constexpr auto composition(A const& a, Offset const& offset, B const& b) {
  return tilewright::make_composed_layout(a, offset, b);
}
template <int B, int M, int S, detail::cute_integers Offset, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto composition(tilewright::Swizzle<B, M, S> const& a, Offset const& offset, L const& b) {
  return tilewright::make_composed_layout(a, offset, b);
}

/// A ∘ (V ∘ B) = W ∘ (A ∘ B) where A takes the swizzle's bits to single bits; otherwise the three in a row.
template <detail::cute_layout L, int B, int M, int S, class Offset, detail::cute_layout Inner>
CUTE_HOST_DEVICE constexpr auto composition(
    L const& a, tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, Offset, Inner> const& b) {
  if constexpr (std::is_empty_v<L> && std::is_empty_v<Inner> && std::is_base_of_v<C<0>, Offset>) {
    using w = detail::moved<L, B, M, S, static_cast<int>(decltype(tilewright::cosize(b))::value)>;
    if constexpr (w::value.b >= 0) {
      return tilewright::make_composed_layout(tilewright::Swizzle<w::value.b, w::value.m, w::value.s>{}, C<0>{},
                                              cute::composition(a, b.layout_b()));
    } else {
      return detail::in_a_row(a, b);
    }
  } else {
    return detail::in_a_row(a, b);
  }
}
/// Swizzles of a swizzled layout: the same one undoes it.
template <int B, int M, int S, detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto composition(tilewright::Swizzle<B, M, S> const& a, L const& b) {
  if constexpr (std::is_same_v<typename L::layout_a_type, tilewright::Swizzle<B, M, S>> &&
                std::is_base_of_v<C<0>, typename L::offset_type>)
    return b.layout_b();
  else return detail::in_a_row(a, b);
}
/// A swizzled layout after a layout: its inner layout first.
template <detail::cute_composed L, detail::cute_composed T>
CUTE_HOST_DEVICE constexpr auto composition(L const& a, T const& b) {
  if constexpr (tilewright::is_swizzle_v<typename L::layout_a_type> &&
                tilewright::LayoutType<typename L::layout_b_type>)
    return tilewright::make_composed_layout(a.layout_a(), a.offset(), cute::composition(a.layout_b(), b));
  else return detail::in_a_row(a, b);
}
/// A swizzle after a layout.
template <detail::cute_layout L, int B, int M, int S>
CUTE_HOST_DEVICE constexpr auto composition(L const& a, tilewright::Swizzle<B, M, S> const& b) {
  return detail::in_a_row(a, b);
}

// --- inverses of swizzled layouts: the inner inverse after the swizzle, which is its own inverse ----------------------
template <int B, int M, int S, tilewright::ZeroOffset O, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto right_inverse(tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& a) {
  auto const inner = tilewright::right_inverse(a.layout_b());
  return cute::composition(
      inner, tilewright::make_composed_layout(a.layout_a(), C<0>{}, tilewright::make_layout(tilewright::size(inner))));
}
template <int B, int M, int S, tilewright::ZeroOffset O, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto left_inverse(tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& a) {
  auto const inner = cute::left_inverse(a.layout_b());
  return cute::composition(
      inner, tilewright::make_composed_layout(a.layout_a(), C<0>{}, tilewright::make_layout(tilewright::size(inner))));
}
/// Of a layout after a layout: the inverses in the other order.
template <detail::cute_layout A, tilewright::ZeroOffset O, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto right_inverse(tilewright::ComposedLayout<A, O, L> const& a) {
  return detail::in_a_row(tilewright::right_inverse(a.layout_b()), tilewright::right_inverse(a.layout_a()));
}
template <detail::cute_layout A, tilewright::ZeroOffset O, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr auto left_inverse(tilewright::ComposedLayout<A, O, L> const& a) {
  return detail::in_a_row(cute::left_inverse(a.layout_b()), cute::left_inverse(a.layout_a()));
}

/// With an offset, which the inverse takes off first: A(k + B(i)) is undone by B* after -k after A*.
template <int B, int M, int S, class O, detail::cute_layout L>
requires(!tilewright::ZeroOffset<O>) CUTE_HOST_DEVICE
    constexpr auto right_inverse(tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& a) {
  return tilewright::make_composed_layout(tilewright::right_inverse(a.layout_b()), -a.offset(), a.layout_a());
}
template <int B, int M, int S, class O, detail::cute_layout L>
requires(!tilewright::ZeroOffset<O>) CUTE_HOST_DEVICE
    constexpr auto left_inverse(tilewright::ComposedLayout<tilewright::Swizzle<B, M, S>, O, L> const& a) {
  return tilewright::make_composed_layout(cute::left_inverse(a.layout_b()), -a.offset(), a.layout_a());
}
template <detail::cute_layout A, class O, detail::cute_layout L>
requires(!tilewright::ZeroOffset<O>) CUTE_HOST_DEVICE
    constexpr auto right_inverse(tilewright::ComposedLayout<A, O, L> const& a) {
  return tilewright::make_composed_layout(tilewright::right_inverse(a.layout_b()), -a.offset(),
                                          tilewright::right_inverse(a.layout_a()));
}
template <detail::cute_layout A, class O, detail::cute_layout L>
requires(!tilewright::ZeroOffset<O>) CUTE_HOST_DEVICE
    constexpr auto left_inverse(tilewright::ComposedLayout<A, O, L> const& a) {
  return tilewright::make_composed_layout(cute::left_inverse(a.layout_b()), -a.offset(),
                                          cute::left_inverse(a.layout_a()));
}

// --- what asks for the layout below a swizzle ------------------------------------------------------------------------
/// The layout as it is, as in CuTe, but for a tile whose swizzle CuTe has in the pointer.
template <detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto filter_zeros(L const& a) {
  if constexpr (tilewright::detail::FlaggedOffset<std::remove_cvref_t<decltype(a.offset())>>)
    return tilewright::make_composed_layout(a.layout_a(), a.offset(), tilewright::filter_zeros(a.layout_b()));
  else return a;
}
template <detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto complement(L const& a) {
  return tilewright::complement(a.layout_b());
}
template <detail::cute_composed L>
CUTE_HOST_DEVICE constexpr auto nullspace(L const& a) {
  return tilewright::nullspace(a.layout_b());
}
template <class A, class B>
requires(detail::cute_composed<A> || detail::cute_composed<B>) CUTE_HOST_DEVICE
    constexpr auto congruent(A const& a, B const& b) {
  return tilewright::congruent(tilewright::shape(a), tilewright::shape(b));
}
/// A swizzle of no bits changes nothing.
template <int M, int S, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr L composition(tilewright::Swizzle<0, M, S> const&, L const& a) {
  return a;
}
template <int M, int S, detail::cute_layout L>
CUTE_HOST_DEVICE constexpr L composition(tilewright::Swizzle<0, M, S> const&, C<0> const&, L const& a) {
  return a;
}

}  // namespace cute

// layout.compose(…) and layout.with_shape(…): members of one class for both namespaces.
namespace tilewright::detail {
template <class L, class T>
requires(cute::detail::cute_layout<L> || cute::detail::cute_composed<L>) CUTE_HOST_DEVICE
    constexpr auto composed(as_member, L const& layout, T const& tiler) {
  return cute::composition(layout, tiler);
}
template <class L, class T>
requires(cute::detail::cute_layout<L> || cute::detail::cute_composed<L>) CUTE_HOST_DEVICE
    constexpr auto reshaped(as_member, L const& layout, T const& shape) {
  return cute::composition(layout, tilewright::make_layout(shape));
}
}  // namespace tilewright::detail

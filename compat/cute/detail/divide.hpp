// Divisions as CuTe's: each mode of a tiler by itself, also where several of them carry into each other or leave gaps, and rests of
// which each extent is rounded up by itself: (4,2):(7,5) by (2,3):(3,1) = ((2,3),1):((21,7),0).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/detail/layout_algebra.hpp"

namespace cute {

namespace detail::op {
struct complement : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, tilewright::int_tree const& a,
                                                         tilewright::int_tree const& target) {
    return tilewright::algebra::complement(c, a, target, tilewright::algebra::covering::apart);
  }
};
struct logical_divide : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, auto const&... t) {
    return tilewright::algebra::logical_divide(c, t..., tilewright::algebra::reach::apart);
  }
};
struct zipped_divide : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, auto const&... t) {
    return tilewright::algebra::zipped_divide(c, t..., tilewright::algebra::reach::apart);
  }
};
struct tiled_divide : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, auto const&... t) {
    return tilewright::algebra::tiled_divide(c, t..., tilewright::algebra::reach::apart);
  }
};
struct flat_divide : tilewright::op::layout_operation {
  static TILEWRIGHT_CONSTEXPR tilewright::int_tree apply(tilewright::arithmetic& c, auto const&... t) {
    return tilewright::algebra::flat_divide(c, t..., tilewright::algebra::reach::apart);
  }
};
}  // namespace detail::op

/// Within a target whose extents are divided one by one, rounded up: the complement of (2,3):(3,1) in (4,2) is 1:0, and 2:6 in 8.
template <detail::cute_layout L, detail::cute_integers Target>
CUTE_HOST_DEVICE constexpr auto complement(L const& a, Target const& target) {
  return tilewright::lift::call<detail::op::complement, L, Target>::on(a, target);
}
template <detail::cute_layout L, detail::cute_layout Target>
CUTE_HOST_DEVICE constexpr auto complement(L const& a, Target const& target) {
  return cute::complement(a, target.shape());
}
template <detail::cute_composed L, class Target>
CUTE_HOST_DEVICE constexpr auto complement(L const& a, Target const& target) {
  return cute::complement(a.layout_b(), target);
}

/// (A ∘ T, A ∘ T*), where T* is the complement of T in A's shape; a tuple divides mode by mode.
template <detail::cute_layout L, detail::cute_tiler T>
CUTE_HOST_DEVICE constexpr auto logical_divide(L const& a, T const& tiler) {
  return tilewright::lift::call<detail::op::logical_divide, L, tilewright::lift::as_tiler<T>>::on(a, tiler);
}
/// ((tiles…), (rests…))
template <detail::cute_layout L, detail::cute_tiler T>
CUTE_HOST_DEVICE constexpr auto zipped_divide(L const& a, T const& tiler) {
  return tilewright::lift::call<detail::op::zipped_divide, L, tilewright::lift::as_tiler<T>>::on(a, tiler);
}
/// ((tiles…), rest, rest, …)
template <detail::cute_layout L, detail::cute_tiler T>
CUTE_HOST_DEVICE constexpr auto tiled_divide(L const& a, T const& tiler) {
  return tilewright::lift::call<detail::op::tiled_divide, L, tilewright::lift::as_tiler<T>>::on(a, tiler);
}
/// (tile, tile, …, rest, rest, …)
template <detail::cute_layout L, detail::cute_tiler T>
CUTE_HOST_DEVICE constexpr auto flat_divide(L const& a, T const& tiler) {
  return tilewright::lift::call<detail::op::flat_divide, L, tilewright::lift::as_tiler<T>>::on(a, tiler);
}

// --- of composed layouts: the innermost one ----------------------------------------------------------------------------
template <detail::cute_composed L, detail::cute_tiler T>
CUTE_HOST_DEVICE constexpr auto logical_divide(L const& a, T const& tiler) {
  return tilewright::make_composed_layout(a.layout_a(), a.offset(), cute::logical_divide(a.layout_b(), tiler));
}
template <detail::cute_composed L, detail::cute_tiler T>
CUTE_HOST_DEVICE constexpr auto zipped_divide(L const& a, T const& tiler) {
  return tilewright::make_composed_layout(a.layout_a(), a.offset(), cute::zipped_divide(a.layout_b(), tiler));
}
template <detail::cute_composed L, detail::cute_tiler T>
CUTE_HOST_DEVICE constexpr auto tiled_divide(L const& a, T const& tiler) {
  return tilewright::make_composed_layout(a.layout_a(), a.offset(), cute::tiled_divide(a.layout_b(), tiler));
}
template <detail::cute_composed L, detail::cute_tiler T>
CUTE_HOST_DEVICE constexpr auto flat_divide(L const& a, T const& tiler) {
  return tilewright::make_composed_layout(a.layout_a(), a.offset(), cute::flat_divide(a.layout_b(), tiler));
}

}  // namespace cute

// layout.tile(…): a member of one class for both namespaces.
namespace tilewright::detail {
template <class L, class T>
requires(cute::detail::cute_layout<L> || cute::detail::cute_composed<L>) CUTE_HOST_DEVICE
    constexpr auto tiled(as_member, L const& layout, T const& tiler) {
  return cute::tiled_divide(layout, tiler);
}
}  // namespace tilewright::detail

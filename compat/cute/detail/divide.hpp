// Complements as CuTe's, whose extents are rounded up one by one, and layout.tile with CuTe's division: each mode of a tiler by
// itself, also where several of them carry into each other or leave gaps.
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

}  // namespace cute

// layout.tile(…): a member of one class for both namespaces.
namespace tilewright::detail {
template <class L, class T>
requires(cute::detail::cute_layout<L> || cute::detail::cute_composed<L>) CUTE_HOST_DEVICE
    constexpr auto tiled(as_member, L const& layout, T const& tiler) {
  return cute::tiled_divide(layout, tiler);
}
}  // namespace tilewright::detail

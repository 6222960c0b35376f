// From a typed layout back to a value, for what works on values at run time: pictures, plans, analyses.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/lift.hpp"
#include "tilewright/algebra/swizzled.hpp"

namespace tilewright {

namespace detail {

template <class L, int... N>
layout_value filled_in([[maybe_unused]] L const& layout, seq<N...>) {
  layout_value out(lift::value_of<L>.tree);
  long long const numbers[] = {static_cast<long long>(slot_at<N>(layout))..., 0};
  auto const fill = [&](leaf& at) {
    if (!at.is_static()) at = with_basis(constant_leaf(numbers[at.number]), at.basis());
  };
  for (int i = 0; i < out.leaves; ++i) {
    fill(out.shape[i]);
    fill(out.stride[i]);
  }
  return out;
}

}  // namespace detail

/// A typed layout as a value, its run-time leaves filled in.
template <class S, class D>
layout_value to_value(Layout<S, D> const& layout) {
  constexpr int leaves = detail::dynamic_leaves<S> + detail::dynamic_leaves<D>;
  return detail::filled_in(layout, make_seq<leaves>{});
}
template <int B, int M, int S, class Offset, class Inner>
composed_value to_value(ComposedLayout<Swizzle<B, M, S>, Offset, Inner> const& layout) {
  return {{B, M, S}, constant_leaf(static_cast<long long>(layout.offset())), to_value(layout.layout_b())};
}
inline layout_value to_value(layout_value const& layout) { return layout; }
inline composed_value to_value(composed_value const& layout) { return layout; }

}  // namespace tilewright

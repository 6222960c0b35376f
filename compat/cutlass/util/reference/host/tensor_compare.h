// Are the elements of two views on the host equal? Views of different extents are not.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/relatively_equal.h"
#include "cutlass/tensor_view.h"
#include "cutlass/util/distribution.h"
#include "cutlass/util/reference/host/tensor_foreach.h"

namespace cutlass::reference::host {
namespace detail {
template <class A, class B, class Equal>
bool all_elements(A const& a, B const& b, Equal const& equal) {
  if (!(a.extent() == b.extent())) return false;
  bool out = true;
  for_each_coordinate(a, [&](auto const& at) { out = out && equal(a.at(at), b.at(at)); });
  return out;
}
}  // namespace detail

template <class A, class B, class Layout>
bool TensorEquals(TensorView<A, Layout> const& a, TensorView<B, Layout> const& b) {
  using Element = std::remove_const_t<A>;
  return detail::all_elements(
      a, b, [](auto const& x, auto const& y) { return static_cast<Element>(x) == static_cast<Element>(y); });
}
template <class A, class B, class Layout>
bool TensorNotEquals(TensorView<A, Layout> const& a, TensorView<B, Layout> const& b) {
  return !TensorEquals(a, b);
}
/// But for rounding: relatively_equal(x, y, epsilon, nonzero_floor).
template <class A, class B, class Layout, class Bound>
bool TensorRelativelyEquals(TensorView<A, Layout> const& a, TensorView<B, Layout> const& b, Bound epsilon,
                            Bound nonzero_floor) {
  using Element = std::remove_const_t<A>;
  return detail::all_elements(a, b, [&](auto const& x, auto const& y) {
    return relatively_equal(static_cast<Element>(x), static_cast<Element>(y), epsilon, nonzero_floor);
  });
}

}  // namespace cutlass::reference::host

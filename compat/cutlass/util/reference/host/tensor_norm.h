// Sums of squares and Euclidean norms of views on the host: TensorNorm of {3, 4} is 5. Of a complex number both parts are counted.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/complex.h"
#include "cutlass/tensor_view.h"
#include "cutlass/util/reference/host/tensor_foreach.h"

#include <cmath>
#include <type_traits>

namespace cutlass::reference::host {

namespace detail {
template <class Sum, class T>
Sum squared_size(T const& x) {
  if constexpr (cute::is_complex<T>::value) return squared_size<Sum>(x.real()) + squared_size<Sum>(x.imag());
  else return static_cast<Sum>(x) * static_cast<Sum>(x);
}
/// x - y, in Sum or in complex numbers of it.
template <class Sum, class X, class Y>
auto difference(X const& x, Y const& y) {
  if constexpr (cute::is_complex<X>::value)
    return cute::complex<Sum>(static_cast<Sum>(x.real()) - static_cast<Sum>(y.real()),
                              static_cast<Sum>(x.imag()) - static_cast<Sum>(y.imag()));
  else return static_cast<Sum>(x) - static_cast<Sum>(y);
}
}  // namespace detail

template <class Element, class Layout, class ComputeType = double>
ComputeType TensorSumSq(TensorView<Element, Layout> const& view, ComputeType sum = ComputeType()) {
  using T = std::remove_const_t<Element>;
  for_each_coordinate(view,
                      [&](auto const& at) { sum += detail::squared_size<ComputeType>(static_cast<T>(view.at(at))); });
  return sum;
}
/// pre: the views have one extent
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ComputeType = double>
ComputeType TensorSumSqDiff(TensorView<ElementA, LayoutA> const& a, TensorView<ElementB, LayoutB> const& b,
                            ComputeType sum = ComputeType()) {
  using X = std::remove_const_t<ElementA>;
  using Y = std::remove_const_t<ElementB>;
  for_each_coordinate(a, [&](auto const& at) {
    sum += detail::squared_size<ComputeType>(
        detail::difference<ComputeType>(static_cast<X>(a.at(at)), static_cast<Y>(b.at(at))));
  });
  return sum;
}
template <class Element, class Layout, class ComputeType = double>
ComputeType TensorNorm(TensorView<Element, Layout> const& view, ComputeType sum = ComputeType()) {
  return std::sqrt(TensorSumSq(view, sum));
}
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ComputeType = double>
ComputeType TensorNormDiff(TensorView<ElementA, LayoutA> const& a, TensorView<ElementB, LayoutB> const& b,
                           ComputeType sum = ComputeType()) {
  return std::sqrt(TensorSumSqDiff(a, b, sum));
}

}  // namespace cutlass::reference::host

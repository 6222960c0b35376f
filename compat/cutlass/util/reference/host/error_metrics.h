// How far a computed view on the host is from a reference: the mean of squared differences, and |computed - reference| / |reference|.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/util/reference/host/tensor_norm.h"

namespace cutlass::reference::host {

/// pre: the views have one extent and an element
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ComputeType = double>
ComputeType TensorMSE(TensorView<ElementA, LayoutA> const& a, TensorView<ElementB, LayoutB> const& b,
                      ComputeType sum = ComputeType()) {
  return TensorSumSqDiff(a, b, sum) / static_cast<ComputeType>(a.size());
}
/// pre: the views have one extent; the reference is not all zeros
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ComputeType = double>
ComputeType TensorRelativeErrorMetric(TensorView<ElementA, LayoutA> const& computed,
                                      TensorView<ElementB, LayoutB> const& reference, ComputeType sum = ComputeType()) {
  return TensorNormDiff(computed, reference, sum) / TensorNorm(reference, sum);
}

}  // namespace cutlass::reference::host

// Batches of products on a device as a reference: of each batch D = alpha · op(A) · op(B) + beta · C, where op conjugates or does nothing.
// The tensors of a batch are a stride of elements behind those of the batch before.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/complex.h"
#include "cutlass/util/reference/device/gemm.h"

#include <cstdint>

#if defined(__CUDACC__)

namespace cutlass::reference::device {

/// post: sums are kept in ComputeType and begin at `initial`; C is not read where beta is 0
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementC, class LayoutC, class Scalar,
          class ComputeType, class ElementD = ElementC>
void GemmComplex(gemm::GemmCoord problem, Scalar alpha, TensorRef<ElementA, LayoutA> a, ComplexTransform transform_a,
                 TensorRef<ElementB, LayoutB> b, ComplexTransform transform_b, Scalar beta,
                 TensorRef<ElementC, LayoutC> c, TensorRef<ElementD, LayoutC> d, ComputeType initial, int batches = 1,
                 std::int64_t stride_a = 0, std::int64_t stride_b = 0, std::int64_t stride_c = 0,
                 std::int64_t stride_d = 0) {
  host::detail::for_each_batch(batches, a, stride_a, b, stride_b, c, stride_c, d, stride_d,
                               [&](auto const& x, auto const& y, auto const& z, auto const& out) {
                                 compute_gemm(problem, alpha, x, y, beta, z, out, initial, {transform_a, transform_b});
                               });
}
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementC, class LayoutC, class Scalar,
          class ElementD = ElementC>
void GemmComplex(gemm::GemmCoord problem, Scalar alpha, TensorRef<ElementA, LayoutA> a, ComplexTransform transform_a,
                 TensorRef<ElementB, LayoutB> b, ComplexTransform transform_b, Scalar beta,
                 TensorRef<ElementC, LayoutC> c, TensorRef<ElementD, LayoutC> d) {
  GemmComplex(problem, alpha, a, transform_a, b, transform_b, beta, c, d, Scalar(0));
}

}  // namespace cutlass::reference::device

#endif

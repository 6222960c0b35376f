// Batches of products on a device as a reference: of each batch D = alpha · A · B + beta · C, whose tensors are a stride of elements behind
// those of the batch before.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/complex.h"
#include "cutlass/util/reference/device/gemm.h"

#include <cstdint>

#if defined(__CUDACC__)

namespace cutlass::reference::device {

/// pre: real numbers, of which a conjugate is the number itself
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementC, class LayoutC, class Scalar,
          class ComputeType, class ElementD = ElementC>
void GemmComplex(gemm::GemmCoord problem, Scalar alpha, TensorRef<ElementA, LayoutA> a, ComplexTransform,
                 TensorRef<ElementB, LayoutB> b, ComplexTransform, Scalar beta, TensorRef<ElementC, LayoutC> c,
                 TensorRef<ElementD, LayoutC> d, ComputeType initial, int batches = 1, std::int64_t stride_a = 0,
                 std::int64_t stride_b = 0, std::int64_t stride_c = 0, std::int64_t stride_d = 0) {
  for (int batch = 0; batch < batches; ++batch) {
    compute_gemm(problem, alpha, a, b, beta, c, d, initial);
    a.add_pointer_offset(stride_a);
    b.add_pointer_offset(stride_b);
    c.add_pointer_offset(stride_c);
    d.add_pointer_offset(stride_d);
  }
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

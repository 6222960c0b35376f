// Batches of products on the host as a reference: of each batch D = alpha · op(A) · op(B) + beta · C, where op conjugates or does nothing.
// The tensors of a batch are a stride of elements behind those of the batch before.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/complex.h"
#include "cutlass/util/reference/host/gemm.h"

#include <cstdint>

namespace cutlass::reference::host {

namespace detail {
/// A number as an operand: a complex one is conjugated for kConjugate, a real one is its own conjugate.
template <class T>
constexpr T transformed(T const& x, ComplexTransform transform) {
  if constexpr (cute::is_complex<T>::value) return transform == ComplexTransform::kConjugate ? conj(x) : x;
  else return x;
}
}  // namespace detail

/// post: sums are kept in ComputeType and begin at `initial`; C is not read where beta is 0
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementC, class LayoutC, class Scalar,
          class ComputeType, class ElementD = ElementC>
void GemmComplex(gemm::GemmCoord problem, Scalar alpha, TensorRef<ElementA, LayoutA> a, ComplexTransform transform_a,
                 TensorRef<ElementB, LayoutB> b, ComplexTransform transform_b, Scalar beta,
                 TensorRef<ElementC, LayoutC> c, TensorRef<ElementD, LayoutC> d, ComputeType initial, int batches = 1,
                 std::int64_t stride_a = 0, std::int64_t stride_b = 0, std::int64_t stride_c = 0,
                 std::int64_t stride_d = 0) {
  for (int batch = 0; batch < batches; ++batch) {
    for (int m = 0; m < problem.m(); ++m)
      for (int n = 0; n < problem.n(); ++n) {
        ComputeType sum = initial;
        for (int k = 0; k < problem.k(); ++k) {
          std::remove_const_t<ElementA> const x = a.at(MatrixCoord(m, k));
          std::remove_const_t<ElementB> const y = b.at(MatrixCoord(k, n));
          sum = static_cast<ComputeType>(static_cast<ComputeType>(detail::transformed(x, transform_a)) *
                                             static_cast<ComputeType>(detail::transformed(y, transform_b)) +
                                         sum);
        }
        MatrixCoord const at(m, n);
        Scalar out = static_cast<Scalar>(alpha * static_cast<Scalar>(sum));
        if (!(beta == Scalar(0))) {
          std::remove_const_t<ElementC> const added = c.at(at);
          out = static_cast<Scalar>(out + beta * static_cast<Scalar>(added));
        }
        d.at(at) = static_cast<ElementD>(out);
      }
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

}  // namespace cutlass::reference::host

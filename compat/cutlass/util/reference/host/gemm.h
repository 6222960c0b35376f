// D = alpha · A · B + beta · C by a triple loop on the host, A (M,K), B (K,N), C and D (M,N). Sums are kept in ComputeType.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/mma.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/tensor_view.h"

namespace cutlass::reference::host {

template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementC, class LayoutC, class Scalar,
          class ComputeType>
void compute_gemm(gemm::GemmCoord problem, Scalar alpha, TensorRef<ElementA, LayoutA> const& a,
                  TensorRef<ElementB, LayoutB> const& b, Scalar beta, TensorRef<ElementC, LayoutC> const& c,
                  TensorRef<ElementC, LayoutC> const& d, ComputeType initial) {
  for (int m = 0; m < problem.m(); ++m)
    for (int n = 0; n < problem.n(); ++n) {
      ComputeType sum = initial;
      for (int k = 0; k < problem.k(); ++k) {
        auto const x = static_cast<ComputeType>(static_cast<std::remove_const_t<ElementA>>(a.at(MatrixCoord(m, k))));
        auto const y = static_cast<ComputeType>(static_cast<std::remove_const_t<ElementB>>(b.at(MatrixCoord(k, n))));
        sum = static_cast<ComputeType>(x * y + sum);
      }
      MatrixCoord const at(m, n);
      Scalar out = static_cast<Scalar>(alpha * static_cast<Scalar>(sum));
      if (beta != Scalar(0))
        out = static_cast<Scalar>(out + beta * static_cast<Scalar>(static_cast<ElementC>(c.at(at))));
      d.at(at) = static_cast<ElementC>(out);
    }
}

/// The functor of programs.
template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementC, class LayoutC, class Scalar,
          class ComputeType = Scalar, class InnerProductOp = arch::OpMultiplyAdd>
struct Gemm {
  void operator()(gemm::GemmCoord problem, Scalar alpha, TensorRef<ElementA, LayoutA> a, TensorRef<ElementB, LayoutB> b,
                  Scalar beta, TensorRef<ElementC, LayoutC> c, ComputeType initial = ComputeType(0)) const {
    compute_gemm(problem, alpha, a, b, beta, c, c, initial);
  }
  void operator()(gemm::GemmCoord problem, Scalar alpha, TensorRef<ElementA, LayoutA> a, TensorRef<ElementB, LayoutB> b,
                  Scalar beta, TensorRef<ElementC, LayoutC> c, TensorRef<ElementC, LayoutC> d,
                  ComputeType initial = ComputeType(0)) const {
    compute_gemm(problem, alpha, a, b, beta, c, d, initial);
  }
};

}  // namespace cutlass::reference::host

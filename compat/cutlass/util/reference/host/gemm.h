// D = alpha · A · B + beta · C by a triple loop on the host, A (M,K), B (K,N), C and D (M,N). Sums are kept in ComputeType.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/mma.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/tensor_view.h"

namespace cutlass::reference::host {

namespace detail {
/// Element (m,n) of D = alpha · A · B + beta · C; C is not read where beta is 0.
template <class A, class B, class C, class D, class Scalar, class Sum>
CUTLASS_HOST_DEVICE void compute_element(int m, int n, int depth, Scalar alpha, A const& a, B const& b, Scalar beta,
                                         C const& c, D const& d, Sum sum) {
  using In = std::remove_const_t<typename C::Element>;
  using Out = std::remove_const_t<typename D::Element>;
  for (int k = 0; k < depth; ++k) {
    auto const x = static_cast<Sum>(static_cast<std::remove_const_t<typename A::Element>>(a.at(MatrixCoord(m, k))));
    auto const y = static_cast<Sum>(static_cast<std::remove_const_t<typename B::Element>>(b.at(MatrixCoord(k, n))));
    sum = static_cast<Sum>(x * y + sum);
  }
  MatrixCoord const at(m, n);
  Scalar out = static_cast<Scalar>(alpha * static_cast<Scalar>(sum));
  if (beta != Scalar(0)) out = static_cast<Scalar>(out + beta * static_cast<Scalar>(static_cast<In>(c.at(at))));
  d.at(at) = static_cast<Out>(out);
}
}  // namespace detail

template <class ElementA, class LayoutA, class ElementB, class LayoutB, class ElementC, class LayoutC, class Scalar,
          class ComputeType>
void compute_gemm(gemm::GemmCoord problem, Scalar alpha, TensorRef<ElementA, LayoutA> const& a,
                  TensorRef<ElementB, LayoutB> const& b, Scalar beta, TensorRef<ElementC, LayoutC> const& c,
                  TensorRef<ElementC, LayoutC> const& d, ComputeType initial) {
  for (int m = 0; m < problem.m(); ++m)
    for (int n = 0; n < problem.n(); ++n) detail::compute_element(m, n, problem.k(), alpha, a, b, beta, c, d, initial);
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

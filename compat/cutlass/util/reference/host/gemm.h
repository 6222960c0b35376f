// D = alpha · A · B + beta · C by a triple loop on the host, A (M,K), B (K,N), C and D (M,N). Sums are kept in ComputeType.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/mma.h"
#include "cutlass/complex.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/numeric_conversion.h"
#include "cutlass/tensor_view.h"

#include <cstdint>

namespace cutlass::reference::host {

namespace detail {
/// A number as an operand: a complex one is conjugated for kConjugate, a real one is its own conjugate.
template <class T>
CUTLASS_HOST_DEVICE constexpr T transformed(T const& x, ComplexTransform transform) {
  if constexpr (cute::is_complex<T>::value) return transform == ComplexTransform::kConjugate ? conj(x) : x;
  else return x;
}
/// Which operands are conjugated.
struct operand_transforms {
  ComplexTransform a = ComplexTransform::kNone, b = ComplexTransform::kNone;
};
/// Element (m,n) of D = alpha · op(A) · op(B) + beta · C; C is not read where beta is 0.
template <class A, class B, class C, class D, class Scalar, class Sum>
CUTLASS_HOST_DEVICE void compute_element(int m, int n, int depth, Scalar alpha, A const& a, B const& b, Scalar beta,
                                         C const& c, D const& d, Sum sum, operand_transforms op = {}) {
  using In = std::remove_const_t<typename C::Element>;
  using Out = std::remove_const_t<typename D::Element>;
  for (int k = 0; k < depth; ++k) {
    std::remove_const_t<typename A::Element> const x = a.at(MatrixCoord(m, k));
    std::remove_const_t<typename B::Element> const y = b.at(MatrixCoord(k, n));
    sum = static_cast<Sum>(static_cast<Sum>(transformed(x, op.a)) * static_cast<Sum>(transformed(y, op.b)) + sum);
  }
  MatrixCoord const at(m, n);
  Scalar out = static_cast<Scalar>(alpha * static_cast<Scalar>(sum));
  if (!(beta == Scalar(0))) out = static_cast<Scalar>(out + beta * static_cast<Scalar>(static_cast<In>(c.at(at))));
  d.at(at) = static_cast<Out>(out);
}

/// A host's and a device's products of batches differ in the product alone.
/// post: product(a, b, c, d) for each batch, whose tensors are a stride of elements behind those of the batch before
template <class A, class B, class C, class D, class Product>
void for_each_batch(int batches, A a, std::int64_t stride_a, B b, std::int64_t stride_b, C c, std::int64_t stride_c,
                    D d, std::int64_t stride_d, Product const& product) {
  for (int batch = 0; batch < batches; ++batch) {
    product(a, b, c, d);
    a.add_pointer_offset(stride_a);
    b.add_pointer_offset(stride_b);
    c.add_pointer_offset(stride_c);
    d.add_pointer_offset(stride_d);
  }
}
}  // namespace detail

template <class A, class B, class C, class D, class Scalar, class ComputeType>
void compute_gemm(gemm::GemmCoord problem, Scalar alpha, A const& a, B const& b, Scalar beta, C const& c, D const& d,
                  ComputeType initial, detail::operand_transforms op = {}) {
  for (int m = 0; m < problem.m(); ++m)
    for (int n = 0; n < problem.n(); ++n)
      detail::compute_element(m, n, problem.k(), alpha, a, b, beta, c, d, initial, op);
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

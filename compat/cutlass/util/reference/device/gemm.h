// D = alpha · A · B + beta · C on a device, an element for each thread: a reference to compare with, A (M,K), B (K,N), C and D (M,N).
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/arch/mma.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/tensor_view.h"
#include "cutlass/util/reference/host/gemm.h"

#if defined(__CUDACC__)

namespace cutlass::reference::device {
namespace detail {

template <class A, class B, class C, class D, class Scalar, class Sum>
__global__ void gemm_kernel(gemm::GemmCoord problem, Scalar alpha, A a, B b, Scalar beta, C c, D d, Sum initial,
                            host::detail::operand_transforms op) {
  int const m = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int const n = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (m >= problem.m() || n >= problem.n()) return;
  host::detail::compute_element(m, n, problem.k(), alpha, a, b, beta, c, d, initial, op);
}

}  // namespace detail

/// pre: the output has elements of a byte or more
template <class A, class B, class C, class D, class Scalar, class ComputeType>
void compute_gemm(gemm::GemmCoord problem, Scalar alpha, A const& a, B const& b, Scalar beta, C const& c, D const& d,
                  ComputeType initial, host::detail::operand_transforms op = {}) {
  dim3 const block(16, 16);
  dim3 const grid(static_cast<unsigned>((problem.m() + 15) / 16), static_cast<unsigned>((problem.n() + 15) / 16));
  detail::gemm_kernel<<<grid, block>>>(problem, alpha, a, b, beta, c, d, initial, op);
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

}  // namespace cutlass::reference::device

#endif

// What main loops have in common whose operands come by TMA into stages of shared memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/atom/copy_traits_sm90_tma.hpp"
#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/detail/layout.hpp"
#include "cutlass/gemm/collective/collective_mma_decl.hpp"
#include "cutlass/numeric_types.h"

namespace cutlass::gemm::collective::detail {

/// Operands of floats are multiplied as TF32.
template <class Element>
using multiplied_element = std::conditional_t<std::is_same_v<Element, float>, tfloat32_t, Element>;

/// The order in which atoms fill a stage: along the contiguous mode of the operand, then the other one, then the stages.
template <class Stride>
using order_of_stages =
    std::conditional_t<cutlass::detail::is_major<0>(Stride{}), cute::Step<cute::_2, cute::_1, cute::_3>,
                       cute::Step<cute::_1, cute::_2, cute::_3>>;

/// Layout: of all stages, which are its last mode
template <class Element, class Layout>
inline constexpr std::uint32_t bytes_of_stage =
    static_cast<std::uint32_t>(cute::size(cute::take<0, cute::rank_v<Layout> - 1>(cute::shape(Layout{})))) *
    static_cast<std::uint32_t>(cute::sizeof_bits_v<Element>) / 8;

template <class ElementA, class SmemLayoutA, class ElementB, class SmemLayoutB, class Pipeline>
struct storage_of_stages {
  struct alignas(1024) TensorStorage {
    alignas(1024) cute::array_aligned<multiplied_element<ElementA>, cute::cosize_v<SmemLayoutA>> smem_A;
    alignas(1024) cute::array_aligned<multiplied_element<ElementB>, cute::cosize_v<SmemLayoutB>> smem_B;
  } tensors;
  using PipelineStorage = typename Pipeline::SharedStorage;
  PipelineStorage pipeline;
};

#if TILEWRIGHT_HOSTED
/// The loads of a main loop's operands, by its tma_a and tma_b.
/// problem_shape: (M, N, K) or (M, N, K, batch)
template <class Loop, class ProblemShape>
typename Loop::Params loads_of_operands(ProblemShape const& problem_shape, typename Loop::Arguments const& args) {
  auto const [M, N, K, L] = cute::append<4>(problem_shape, 1);
  using A = multiplied_element<typename Loop::ElementA>;
  using B = multiplied_element<typename Loop::ElementB>;
  return {Loop::tma_a(reinterpret_cast<A const*>(args.ptr_A),
                      cutlass::detail::extents_of_tensor(cute::make_shape(M, K, L)), args.dA),
          Loop::tma_b(reinterpret_cast<B const*>(args.ptr_B),
                      cutlass::detail::extents_of_tensor(cute::make_shape(N, K, L)), args.dB)};
}
#endif
template <class Params>
CUTLASS_HOST_DEVICE void prefetch_maps_of_operands(Params const& params) {
  cute::prefetch_tma_descriptor(params.tma_load_a.get_tma_descriptor());
  cute::prefetch_tma_descriptor(params.tma_load_b.get_tma_descriptor());
}

}  // namespace cutlass::gemm::collective::detail

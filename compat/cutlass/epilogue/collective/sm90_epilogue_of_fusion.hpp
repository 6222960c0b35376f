// The epilogue that the builder for sm_90 gives: each thread computes the fusion's function of its sums and writes D to global
// memory, tile by tile, without shared memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/epilogue/collective/default_epilogue.hpp"
#include "cutlass/epilogue/fusion/operations.hpp"
#include "cutlass/epilogue/thread/activation.h"

namespace cutlass::epilogue::collective::detail {

/// The factors of a fusion, by value or by address, and what it has besides.
template <class Fusion>
struct factors {
  using ElementScalar = typename Fusion::ElementScalar;
  using Strides = cute::Stride<cute::_0, cute::_0, std::int64_t>;
  ElementScalar alpha = ElementScalar(1);
  ElementScalar beta = ElementScalar(0);
  ElementScalar const* alpha_ptr = nullptr;
  ElementScalar const* beta_ptr = nullptr;
  Strides dAlpha{};  // from one problem of a batch to the next
  Strides dBeta{};
};
template <class Fusion>
struct arguments_of_linear : factors<Fusion> {};
template <class Fusion>
struct arguments_of_activated : factors<Fusion> {
  fusion::detail::arguments_of_function<typename Fusion::ActivationFn> activation{};
};
template <class Fusion>
struct arguments_of_bias : factors<Fusion> {
  using StrideBias = std::conditional_t<Fusion::IsPerRowBiasSupported, cute::Stride<cute::_1, cute::_0, std::int64_t>,
                                        cute::Stride<cute::_0, cute::_1, std::int64_t>>;
  typename Fusion::ElementBias const* bias_ptr = nullptr;
  StrideBias dBias{};
};
template <class Fusion>
struct arguments_of_activated_bias : arguments_of_bias<Fusion> {
  fusion::detail::arguments_of_function<typename Fusion::ActivationFn> activation{};
};
template <class Fusion>
inline constexpr bool has_bias = Fusion::IsPerRowBiasSupported || Fusion::IsPerColBiasSupported;
template <class Fusion>
using arguments_of = std::conditional_t<
    has_bias<Fusion>,
    std::conditional_t<Fusion::IsEltActSupported, arguments_of_activated_bias<Fusion>, arguments_of_bias<Fusion>>,
    std::conditional_t<Fusion::IsEltActSupported, arguments_of_activated<Fusion>, arguments_of_linear<Fusion>>>;

/// The types by which kernels and programs ask. ElementC may be void: there is no source then.
template <class DispatchPolicy_, class TileShape_, class ElementAccumulator_, class ElementCompute_, class ElementC_,
          class StrideC_, class ElementD_, class StrideD_, class ThreadArguments>
struct epilogue_to_memory : epilogue_without_memory<std::conditional_t<std::is_void_v<ElementC_>, ElementD_, ElementC_>,
                                                    StrideC_, ElementD_, StrideD_, ThreadArguments> {
  using DispatchPolicy = DispatchPolicy_;
  using EpilogueSchedule = DispatchPolicy;
  using CtaTileMNK = TileShape_;
  using EpilogueTile = decltype(cute::take<0, 2>(TileShape_{}));
  using ElementAccumulator = ElementAccumulator_;
  using ElementCompute = ElementCompute_;
  using ElementC = ElementC_;
  using StrideC = StrideC_;
  using ElementD = ElementD_;
  using ElementOutput = ElementD;
  using StrideD = StrideD_;
  using GmemElementC = std::conditional_t<std::is_void_v<ElementC>, ElementD, ElementC>;
  using GmemTiledCopyC = void;
  using GmemTiledCopyD = void;
};

/// D = a fusion's function of the sums and C.
template <class DispatchPolicy, class TileShape, class ElementAccumulator_, class ElementC_, class StrideC,
          class ElementD_, class StrideD, int AlignmentD, class Fusion>
class epilogue_of_fusion
    : public epilogue_to_memory<DispatchPolicy, TileShape, ElementAccumulator_, typename Fusion::ElementCompute,
                                ElementC_, StrideC, ElementD_, StrideD, arguments_of<Fusion>> {
  static constexpr bool has_source = !std::is_void_v<ElementC_> && Fusion::IsSourceSupported;
  using Base = epilogue_to_memory<DispatchPolicy, TileShape, ElementAccumulator_, typename Fusion::ElementCompute,
                                  ElementC_, StrideC, ElementD_, StrideD, arguments_of<Fusion>>;

 public:
  using typename Base::ElementCompute;
  using typename Base::ElementD;
  using typename Base::GmemElementC;
  using typename Base::Params;
  using typename Base::SharedStorage;
  using ElementScalar = typename Fusion::ElementScalar;
  /// What programs ask of a function of one element.
  struct ThreadEpilogueOp : Fusion {
    using ElementAccumulator = ElementAccumulator_;
    using ElementOutput = ElementD_;
    using ElementD = ElementD_;
    using ElementC = GmemElementC;
    static constexpr int kCount = AlignmentD;
    static constexpr bool kIsHeavy = false;
  };
  using FusionCallbacks = Fusion;

  CUTLASS_HOST_DEVICE explicit epilogue_of_fusion(Params const& params_, SharedStorage const& = {}) : params(params_) {}
  CUTLASS_HOST_DEVICE bool is_source_needed() const {
    return has_source && (params.thread.beta_ptr != nullptr || params.thread.beta != ElementScalar(0));
  }

  /// blk_coord_mnkl: of the tile, (m, n, _, l)
  template <class ProblemShapeMNKL, class BlockShapeMNK, class BlockCoordMNKL, class FrgEngine, class FrgLayout,
            class TiledMma, class ResidueMNK>
  CUTLASS_HOST_DEVICE void operator()(ProblemShapeMNKL problem, BlockShapeMNK tile, BlockCoordMNKL coord,
                                      cute::Tensor<FrgEngine, FrgLayout> const& accumulators, TiledMma tiled_mma,
                                      ResidueMNK, int thread_idx, char*) {
    auto const batch = cute::get<3>(coord);
    auto const place = [&](auto const& stride, int m, int n) { return Base::offset(problem, stride, m, n, batch); };
    auto const& thread = params.thread;
    auto const of_batch = [&](ElementScalar value, ElementScalar const* address, auto const& stride) {
      return converted<ElementCompute>(address == nullptr ? value : address[cute::get<2>(stride) * batch]);
    };
    ElementCompute const alpha = of_batch(thread.alpha, thread.alpha_ptr, thread.dAlpha);
    ElementCompute const beta = of_batch(thread.beta, thread.beta_ptr, thread.dBeta);
    bool const source = is_source_needed();
    for_each_sum_of_thread(problem, tile, coord, accumulators, tiled_mma, thread_idx, [&](int i, int m, int n) {
      ElementCompute x = alpha * converted<ElementCompute>(accumulators(i));
      if constexpr (has_source) {
        if (source) x = beta * converted<ElementCompute>(params.ptr_C[place(params.dC, m, n)]) + x;
      }
      if constexpr (has_bias<Fusion>) {
        if (thread.bias_ptr != nullptr) x = x + converted<ElementCompute>(thread.bias_ptr[place(thread.dBias, m, n)]);
      }
      if constexpr (Fusion::IsEltActSupported) {
        using Activation = typename Fusion::ActivationFn;
        if constexpr (requires { typename Activation::Arguments; }) x = Activation{}(x, thread.activation);
        else x = Activation{}(x);
      }
      params.ptr_D[place(params.dD, m, n)] = converted<ElementD>(x);
    });
  }

 private:
  template <class To, class From>
  CUTLASS_HOST_DEVICE static To converted(From const& x) {
    return NumericConverter<To, From, Fusion::RoundStyle>{}(x);
  }
  Params params;
};

}  // namespace cutlass::epilogue::collective::detail

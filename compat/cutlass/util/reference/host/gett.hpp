// A product of tensors on the host, written to be read: D = activation(alpha * A · B + beta * C + bias) of A (M,K,batch), B (N,K,batch),
// C and D (M,N,batch), each a tensor of any layout. Gemm3x takes tensors without a batch too.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/epilogue/thread/activation.h"
#include "cutlass/functional.h"
#include "cutlass/gemm/gemm.h"
#include "cutlass/numeric_conversion.h"
#include "cutlass/relatively_equal.h"

#include <cstdint>

namespace cutlass::reference::host {

/// A and B; of operands with factors for blocks of elements SfA and SfB, tensors of the same shapes.
template <class ElementAccumulator_, class TensorA_, class TensorB_, class TensorSfA_ = TensorA_,
          class TensorSfB_ = TensorB_>
struct GettMainloopParams {
  using ElementAccumulator = ElementAccumulator_;
  using TensorA = TensorA_;
  using TensorB = TensorB_;
  using TensorSfA = TensorSfA_;
  using TensorSfB = TensorSfB_;
  using EngineA = typename TensorA::engine_type;
  using LayoutA = typename TensorA::layout_type;
  using EngineB = typename TensorB::engine_type;
  using LayoutB = typename TensorB::layout_type;
  static constexpr bool has_factors = false;
  TensorA A{};
  TensorB B{};
  TensorSfA SfA{};
  TensorSfB SfB{};

  GettMainloopParams() = default;
  GettMainloopParams(TensorA a, TensorB b) : A(a), B(b) {}
  GettMainloopParams(TensorA a, TensorSfA sf_a, TensorB b, TensorSfB sf_b) : A(a), B(b), SfA(sf_a), SfB(sf_b) {}
};
template <class ElementAccumulator_, class TensorA_, class TensorSfA_, class TensorB_, class TensorSfB_>
struct GettBlockScalingMainloopParams
    : GettMainloopParams<ElementAccumulator_, TensorA_, TensorB_, TensorSfA_, TensorSfB_> {
  using Base = GettMainloopParams<ElementAccumulator_, TensorA_, TensorB_, TensorSfA_, TensorSfB_>;
  static constexpr bool has_factors = true;
  GettBlockScalingMainloopParams() = default;
  GettBlockScalingMainloopParams(TensorA_ a, TensorSfA_ sf_a, TensorB_ b, TensorSfB_ sf_b) : Base(a, sf_a, b, sf_b) {}
  GettBlockScalingMainloopParams(TensorA_ a, TensorSfA_ sf_a, TensorB_ b) requires std::is_same_v<TensorB_, TensorSfB_>
      : Base(a, sf_a, b, b) {}
};

/// A tensor without data is not used.
template <class ElementCompute, class Layout>
using unused_tensor = decltype(cute::make_tensor(static_cast<ElementCompute*>(nullptr), Layout{}));

template <
    class ElementScalar_, class ElementScalingFactor_, class ElementAccumulator_, class ElementCompute_, class TensorC_,
    class TensorD_, class VectorBias_ = unused_tensor<ElementCompute_, typename TensorD_::layout_type>,
    class TensorAux_ = unused_tensor<ElementCompute_, typename TensorD_::layout_type>,
    class VectorAlpha_ = unused_tensor<ElementCompute_, typename TensorD_::layout_type>,
    class VectorBeta_ = VectorAlpha_, class ActivationFunctor_ = cutlass::epilogue::thread::Identity<ElementCompute_>,
    class TensorSFD_ = TensorD_, class SFD_VectorSize_ = cute::Int<0>,
    class BiasBinaryOp_ = cutlass::plus<ElementCompute_>, bool PerColumnBias_ = false>
struct GettEpilogueParams {
  using ElementScalar = ElementScalar_;
  using ElementScalingFactor = ElementScalingFactor_;
  using ElementAccumulator = ElementAccumulator_;
  using ElementCompute = ElementCompute_;
  using TensorC = TensorC_;
  using TensorD = TensorD_;
  using TensorAux = TensorAux_;
  using VectorBias = VectorBias_;
  using VectorAlpha = VectorAlpha_;
  using VectorBeta = VectorBeta_;
  using ActivationFunctor = ActivationFunctor_;
  using BiasBinaryOp = BiasBinaryOp_;
  using EngineC = typename TensorC::engine_type;
  using LayoutC = typename TensorC::layout_type;
  using EngineD = typename TensorD::engine_type;
  using LayoutD = typename TensorD::layout_type;
  static constexpr bool PerColumnBias = PerColumnBias_;
  static_assert(SFD_VectorSize_::value == 0,
                "GettEpilogueParams: factors for blocks of D are not computed here; give Int<0> as SFD_VectorSize");

  ElementScalar alpha = ElementScalar(1);
  ElementScalar beta = ElementScalar(0);
  TensorC C{};
  TensorD D{};
  VectorBias Bias{};
  TensorAux Aux{};
  VectorAlpha Valpha{};  // in place of alpha and beta where they have data
  VectorBeta Vbeta{};
  ElementAccumulator* abs_max_D = nullptr;
  ElementAccumulator* abs_max_Aux = nullptr;
  ElementScalingFactor scale_a = ElementScalingFactor(1);
  ElementScalingFactor scale_b = ElementScalingFactor(1);
  ElementScalingFactor scale_c = ElementScalingFactor(1);
  ElementScalingFactor scale_d = ElementScalingFactor(1);
  ElementScalingFactor scale_aux = ElementScalingFactor(1);
  bool beta_per_channel_scaling = false;

  GettEpilogueParams() = default;
  GettEpilogueParams(ElementScalar alpha_, ElementScalar beta_, TensorC c, TensorD d)
      : alpha(alpha_),
        beta(beta_),
        C(c),
        D(d) {}
  GettEpilogueParams(ElementScalar alpha_, ElementScalar beta_, TensorC c, TensorD d, VectorBias bias, TensorAux aux,
                     VectorAlpha vector_alpha, VectorBeta vector_beta)
      : alpha(alpha_),
        beta(beta_),
        C(c),
        D(d),
        Bias(bias),
        Aux(aux),
        Valpha(vector_alpha),
        Vbeta(vector_beta) {}
};
template <class ElementScalar_, class ElementAccumulator_, class ElementCompute_, class TensorC_, class TensorD_>
struct GettBlockScalingEpilogueParams
    : GettEpilogueParams<ElementScalar_, ElementScalar_, ElementAccumulator_, ElementCompute_, TensorC_, TensorD_> {
  using Base =
      GettEpilogueParams<ElementScalar_, ElementScalar_, ElementAccumulator_, ElementCompute_, TensorC_, TensorD_>;
  using Base::Base;
};

namespace detail {
template <class Tensor>
bool has_data(Tensor const& tensor) {
  return cute::raw_pointer_cast(tensor.data()) != nullptr;
}
template <class To, class From>
To as(From const& x) {
  return NumericConverter<To, From>{}(x);
}
/// The larger of the number at an address and |x|; nothing without an address.
template <class Number, class T>
void take_maximum(Number* address, T const& x) {
  if (address == nullptr) return;
  auto const size = as<Number>(x < T(0) ? T(-x) : x);
  if (*address < size) *address = size;
}
template <class Tensor>
auto with_batch(Tensor const& tensor) {
  if constexpr (cute::rank(typename Tensor::layout_type{}) == 2)
    return cute::make_tensor(tensor.data(), cute::append<3>(tensor.layout(), cute::Layout<cute::_1, cute::_0>{}));
  else return tensor;
}

/// The sum of element (m, n) of a batch, in the type of the accumulator.
template <class Mainloop>
typename Mainloop::ElementAccumulator sum_of(Mainloop const& p, std::int64_t m, std::int64_t n, std::int64_t l) {
  using Sum = typename Mainloop::ElementAccumulator;
  auto const A = with_batch(p.A);
  auto const B = with_batch(p.B);
  Sum sum(0);
  auto const steps = static_cast<std::int64_t>(cute::size<1>(A));
  for (std::int64_t k = 0; k < steps; ++k) {
    using ValueA = typename Mainloop::TensorA::value_type;
    using ValueB = typename Mainloop::TensorB::value_type;
    Sum a = as<Sum>(static_cast<ValueA>(A(m, k, l))), b = as<Sum>(static_cast<ValueB>(B(n, k, l)));
    if constexpr (Mainloop::has_factors) {
      a = a * as<Sum>(static_cast<typename Mainloop::TensorSfA::value_type>(with_batch(p.SfA)(m, k, l)));
      b = b * as<Sum>(static_cast<typename Mainloop::TensorSfB::value_type>(with_batch(p.SfB)(n, k, l)));
    }
    sum = sum + a * b;
  }
  return sum;
}
/// Writes D, and Aux, of element (m, n) of a batch.
template <class Epilogue>
void store(Epilogue const& p, typename Epilogue::ElementAccumulator const& sum, std::int64_t m, std::int64_t n,
           std::int64_t l) {
  using Compute = typename Epilogue::ElementCompute;
  auto alpha = as<Compute>(p.alpha), beta = as<Compute>(p.beta);
  if (has_data(p.Valpha))
    alpha = as<Compute>(static_cast<typename Epilogue::VectorAlpha::value_type>(with_batch(p.Valpha)(m, n, l)));
  if (has_data(p.Vbeta))
    beta = as<Compute>(static_cast<typename Epilogue::VectorBeta::value_type>(with_batch(p.Vbeta)(m, n, l)));
  Compute x = as<Compute>(p.scale_a) * as<Compute>(p.scale_b) * alpha * as<Compute>(sum);
  if (beta != Compute(0) && has_data(p.C))
    x = x + as<Compute>(p.scale_c) * beta *
                as<Compute>(
                    static_cast<std::remove_cv_t<typename Epilogue::TensorC::value_type>>(with_batch(p.C)(m, n, l)));
  if (has_data(p.Bias))
    x = typename Epilogue::BiasBinaryOp{}(
        x, as<Compute>(static_cast<typename Epilogue::VectorBias::value_type>(with_batch(p.Bias)(m, n, l))));
  if (has_data(p.Aux)) {
    take_maximum(p.abs_max_Aux, x);
    auto aux = with_batch(p.Aux);
    aux(m, n, l) = as<typename Epilogue::TensorAux::value_type>(as<Compute>(p.scale_aux) * x);
  }
  x = typename Epilogue::ActivationFunctor{}(x);
  take_maximum(p.abs_max_D, x);
  auto D = with_batch(p.D);
  D(m, n, l) = as<typename Epilogue::TensorD::value_type>(as<Compute>(p.scale_d) * x);
}
}  // namespace detail

template <class MainloopParams, class EpilogueParams>
void Gett(MainloopParams const& mainloop_params, EpilogueParams const& epilogue_params) {
  auto const D = detail::with_batch(epilogue_params.D);
  auto const rows = static_cast<std::int64_t>(cute::size<0>(D)), columns = static_cast<std::int64_t>(cute::size<1>(D));
  for (std::int64_t l = 0; l < static_cast<std::int64_t>(cute::size<2>(D)); ++l)
    for (std::int64_t m = 0; m < rows; ++m)
      for (std::int64_t n = 0; n < columns; ++n)
        detail::store(epilogue_params, detail::sum_of(mainloop_params, m, n, l), m, n, l);
}
template <class MainloopParams, class EpilogueParams>
void Gemm3x(MainloopParams const& mainloop_params, EpilogueParams const& epilogue_params) {
  Gett(mainloop_params, epilogue_params);
}

}  // namespace cutlass::reference::host

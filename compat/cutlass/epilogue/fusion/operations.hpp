// What an epilogue computes of each element of the result, by CUTLASS's names: LinCombPerRowBiasEltAct<ReLu, …> is
// D = ReLu(alpha * accumulator + beta * C + bias of the row).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/numeric_types.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/numeric_conversion.h"

namespace cutlass::epilogue::fusion {

namespace detail {
struct no_arguments {};
template <class Function>
struct arguments_in {
  using type = no_arguments;
};
template <class Function>
requires requires { typename Function::Arguments; }
struct arguments_in<Function> {
  using type = typename Function::Arguments;
};
/// What a function of one element takes besides it, such as the bounds of a clamp; void is no function.
template <class Function>
using arguments_of_function = typename arguments_in<Function>::type;
}  // namespace detail

struct FusionOperation {
  using ElementOutput = void;
  using ElementCompute = void;
  using ElementSource = void;
  using ElementScalar = void;
  using ElementBias = void;
  using ActivationFn = void;
  using ElementAux = void;
  using ElementAmax = void;
  static constexpr bool IsSourceSupported = false;
  static constexpr bool IsPerRowBiasSupported = false;
  static constexpr bool IsPerColBiasSupported = false;
  static constexpr bool IsEltActSupported = false;
  static constexpr bool IsAuxOutSupported = false;
  static constexpr bool IsAbsMaxSupported = false;
  static constexpr bool IsScaleFactorSupported = false;
  static constexpr int AlignmentScalar = 0;
  static constexpr int AlignmentBias = 0;
};

/// alpha * accumulator
template <class ElementOutput_, class ElementCompute_, class ElementScalar_ = ElementCompute_,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct ScaledAcc : FusionOperation {
  using ElementOutput = ElementOutput_;
  using ElementCompute = ElementCompute_;
  using ElementScalar = ElementScalar_;
  static constexpr int AlignmentScalar = 1;
  static constexpr FloatRoundStyle RoundStyle = RoundStyle_;
};
/// … + beta * C
template <class ElementOutput_, class ElementCompute_, class ElementSource_ = ElementOutput_,
          class ElementScalar_ = ElementCompute_, FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct LinearCombination : ScaledAcc<ElementOutput_, ElementCompute_, ElementScalar_, RoundStyle_> {
  using ElementSource = ElementSource_;
  static constexpr bool IsSourceSupported = true;
};
template <template <class> class ActivationFn_, class ElementOutput_, class ElementCompute_,
          class ElementSource_ = ElementOutput_, class ElementScalar_ = ElementCompute_,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct LinCombEltAct : LinearCombination<ElementOutput_, ElementCompute_, ElementSource_, ElementScalar_, RoundStyle_> {
  using ActivationFn = ActivationFn_<ElementCompute_>;
  static constexpr bool IsEltActSupported = true;
};
template <class ElementOutput_, class ElementCompute_, class ElementBias_ = ElementOutput_,
          class ElementSource_ = ElementOutput_, class ElementScalar_ = ElementCompute_,
          int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct LinCombPerRowBias
    : LinearCombination<ElementOutput_, ElementCompute_, ElementSource_, ElementScalar_, RoundStyle_> {
  using ElementBias = ElementBias_;
  static constexpr int AlignmentBias = AlignmentBias_;
  static constexpr bool IsPerRowBiasSupported = true;
};
template <class ElementOutput_, class ElementCompute_, class ElementBias_ = ElementOutput_,
          class ElementSource_ = ElementOutput_, class ElementScalar_ = ElementCompute_,
          int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct LinCombPerColBias
    : LinearCombination<ElementOutput_, ElementCompute_, ElementSource_, ElementScalar_, RoundStyle_> {
  using ElementBias = ElementBias_;
  static constexpr int AlignmentBias = AlignmentBias_;
  static constexpr bool IsPerColBiasSupported = true;
};
template <template <class> class ActivationFn_, class ElementOutput_, class ElementCompute_,
          class ElementBias_ = ElementOutput_, class ElementSource_ = ElementOutput_,
          class ElementScalar_ = ElementCompute_, int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct LinCombPerRowBiasEltAct : LinCombPerRowBias<ElementOutput_, ElementCompute_, ElementBias_, ElementSource_,
                                                   ElementScalar_, AlignmentBias_, RoundStyle_> {
  using ActivationFn = ActivationFn_<ElementCompute_>;
  static constexpr bool IsEltActSupported = true;
};
template <template <class> class ActivationFn_, class ElementOutput_, class ElementCompute_,
          class ElementBias_ = ElementOutput_, class ElementSource_ = ElementOutput_,
          class ElementScalar_ = ElementCompute_, int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct LinCombPerColBiasEltAct : LinCombPerColBias<ElementOutput_, ElementCompute_, ElementBias_, ElementSource_,
                                                   ElementScalar_, AlignmentBias_, RoundStyle_> {
  using ActivationFn = ActivationFn_<ElementCompute_>;
  static constexpr bool IsEltActSupported = true;
};

/// Aux = Z = alpha * accumulator + beta * C + bias of the row; D = activation(Z)
template <class GmemLayoutTagAux_, template <class> class ActivationFn_, class ElementOutput_, class ElementCompute_,
          class ElementAux_ = ElementOutput_, class ElementBias_ = ElementOutput_,
          class ElementSource_ = ElementOutput_, class ElementScalar_ = ElementCompute_,
          int AlignmentAux_ = 128 / cute::sizeof_bits_v<ElementAux_>,
          int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct LinCombPerRowBiasEltActAux
    : LinCombPerRowBiasEltAct<ActivationFn_, ElementOutput_, ElementCompute_, ElementBias_, ElementSource_,
                              ElementScalar_, AlignmentBias_, RoundStyle_> {
  using ElementAux = ElementAux_;
  using GmemLayoutTagAux = GmemLayoutTagAux_;
  static constexpr int AlignmentAux = AlignmentAux_;
  static constexpr bool IsAuxOutSupported = true;
};
/// Z = scale_a * scale_b * alpha * accumulator + scale_c * beta * C + bias of the row; D = activation(Z), times scale_d where D
/// has 8 bits
template <template <class> class ActivationFn_, class ElementOutput_, class ElementCompute_,
          class ElementBias_ = ElementOutput_, class ElementSource_ = ElementOutput_,
          class ElementScalar_ = ElementCompute_, int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct ScaledLinCombPerRowBiasEltAct
    : LinCombPerRowBiasEltAct<ActivationFn_, ElementOutput_, ElementCompute_, ElementBias_, ElementSource_,
                              ElementScalar_, AlignmentBias_, RoundStyle_> {
  static constexpr bool IsScaleFactorSupported = true;
};
/// The same, and Aux = Z, times scale_aux where Aux has 8 bits. Of matrices of 8 bits also the largest magnitude, unscaled:
/// amax_D of activation(Z), amax_aux of Z.
template <class GmemLayoutTagAux_, template <class> class ActivationFn_, class ElementOutput_, class ElementCompute_,
          class ElementAux_ = ElementOutput_, class ElementAmax_ = ElementCompute_, class ElementBias_ = ElementOutput_,
          class ElementSource_ = ElementOutput_, class ElementScalar_ = ElementCompute_,
          int AlignmentAux_ = 128 / cute::sizeof_bits_v<ElementAux_>,
          int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct ScaledLinCombPerRowBiasEltActAmaxAux
    : ScaledLinCombPerRowBiasEltAct<ActivationFn_, ElementOutput_, ElementCompute_, ElementBias_, ElementSource_,
                                    ElementScalar_, AlignmentBias_, RoundStyle_> {
  using ElementAux = ElementAux_;
  using GmemLayoutTagAux = GmemLayoutTagAux_;
  static constexpr int AlignmentAux = AlignmentAux_;
  static constexpr bool IsAuxOutSupported = true;
  using ElementAmax = ElementAmax_;
  static constexpr bool IsAbsMaxSupported = true;
};
/// Aux = Z = alpha * accumulator + beta * C + bias of the column; D = activation(Z)
template <class GmemLayoutTagAux_, template <class> class ActivationFn_, class ElementOutput_, class ElementCompute_,
          class ElementAux_ = ElementOutput_, class ElementBias_ = ElementOutput_,
          class ElementSource_ = ElementOutput_, class ElementScalar_ = ElementCompute_,
          int AlignmentAux_ = 128 / cute::sizeof_bits_v<ElementAux_>,
          int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct LinCombPerColBiasEltActAux
    : LinCombPerColBiasEltAct<ActivationFn_, ElementOutput_, ElementCompute_, ElementBias_, ElementSource_,
                              ElementScalar_, AlignmentBias_, RoundStyle_> {
  using ElementAux = ElementAux_;
  using GmemLayoutTagAux = GmemLayoutTagAux_;
  static constexpr int AlignmentAux = AlignmentAux_;
  static constexpr bool IsAuxOutSupported = true;
};
/// Z = scale_a * scale_b * alpha * accumulator + scale_c * beta * C + bias of the column; D = activation(Z), times scale_d where D
/// has 8 bits
template <template <class> class ActivationFn_, class ElementOutput_, class ElementCompute_,
          class ElementBias_ = ElementOutput_, class ElementSource_ = ElementOutput_,
          class ElementScalar_ = ElementCompute_, int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct ScaledLinCombPerColBiasEltAct
    : LinCombPerColBiasEltAct<ActivationFn_, ElementOutput_, ElementCompute_, ElementBias_, ElementSource_,
                              ElementScalar_, AlignmentBias_, RoundStyle_> {
  static constexpr bool IsScaleFactorSupported = true;
};
/// The same, and Aux = Z, times scale_aux where Aux has 8 bits. Of matrices of 8 bits also the largest magnitude, unscaled:
/// amax_D of activation(Z), amax_aux of Z.
template <class GmemLayoutTagAux_, template <class> class ActivationFn_, class ElementOutput_, class ElementCompute_,
          class ElementAux_ = ElementOutput_, class ElementAmax_ = ElementCompute_, class ElementBias_ = ElementOutput_,
          class ElementSource_ = ElementOutput_, class ElementScalar_ = ElementCompute_,
          int AlignmentAux_ = 128 / cute::sizeof_bits_v<ElementAux_>,
          int AlignmentBias_ = 128 / cute::sizeof_bits_v<ElementBias_>,
          FloatRoundStyle RoundStyle_ = FloatRoundStyle::round_to_nearest>
struct ScaledLinCombPerColBiasEltActAmaxAux
    : ScaledLinCombPerColBiasEltAct<ActivationFn_, ElementOutput_, ElementCompute_, ElementBias_, ElementSource_,
                                    ElementScalar_, AlignmentBias_, RoundStyle_> {
  using ElementAux = ElementAux_;
  using GmemLayoutTagAux = GmemLayoutTagAux_;
  static constexpr int AlignmentAux = AlignmentAux_;
  static constexpr bool IsAuxOutSupported = true;
  using ElementAmax = ElementAmax_;
  static constexpr bool IsAbsMaxSupported = true;
};

}  // namespace cutlass::epilogue::fusion

// alpha * accumulator + beta * source, of numbers and of arrays, rounded to the type of the output.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/array.h"
#include "cutlass/cutlass.h"
#include "cutlass/epilogue/thread/scale_type.h"
#include "cutlass/functional.h"
#include "cutlass/numeric_conversion.h"
#include "cutlass/numeric_types.h"

namespace cutlass::epilogue::thread {

/// pre: one factor for all elements; those for each channel are not here
template <class ElementOutput_, int Count, class ElementAccumulator_ = ElementOutput_,
          class ElementCompute_ = ElementOutput_, ScaleType::Kind Scale = ScaleType::Default,
          FloatRoundStyle Round = FloatRoundStyle::round_to_nearest, class ElementSource_ = ElementOutput_>
class LinearCombination {
  static_assert(Scale != ScaleType::PerChannelScaling && Scale != ScaleType::OnlyAlphaPerChannelScaling,
                "LinearCombination: a factor for each channel is not supported; give Default, NoBetaScaling, "
                "OnlyAlphaScaling or Nothing");

 public:
  using ElementOutput = ElementOutput_;
  using ElementSource = ElementSource_;
  using ElementAccumulator = ElementAccumulator_;
  using ElementCompute = ElementCompute_;
  using ElementScalar = ElementCompute;
  using ElementC = ElementSource;
  using ElementD = ElementOutput;
  static constexpr int kCount = Count;
  static constexpr ScaleType::Kind kScale = Scale;
  static constexpr FloatRoundStyle kRound = Round;
  using FragmentOutput = Array<ElementOutput, kCount>;
  using FragmentSource = Array<ElementSource, kCount>;
  using FragmentAccumulator = Array<ElementAccumulator, kCount>;
  using FragmentCompute = Array<ElementCompute, kCount>;

  /// Factors, or the addresses of them; of groups the addresses of the addresses.
  struct Params {
    ElementCompute alpha = ElementCompute(1);
    ElementCompute beta = ElementCompute(0);
    ElementCompute const* alpha_ptr = nullptr;
    ElementCompute const* beta_ptr = nullptr;
    ElementCompute const* const* alpha_ptr_array = nullptr;
    ElementCompute const* const* beta_ptr_array = nullptr;

    constexpr Params() = default;
    CUTLASS_HOST_DEVICE constexpr Params(ElementCompute a, ElementCompute b) : alpha(a), beta(b) {}
    CUTLASS_HOST_DEVICE constexpr Params(ElementCompute a) : alpha(a) {}
    CUTLASS_HOST_DEVICE constexpr Params(ElementCompute const* a, ElementCompute const* b)
        : alpha_ptr(a),
          beta_ptr(b) {}
    CUTLASS_HOST_DEVICE constexpr Params(ElementCompute const* a) : alpha_ptr(a) {}
    CUTLASS_HOST_DEVICE constexpr Params(ElementCompute const* const* a, ElementCompute const* const* b)
        : alpha_ptr_array(a),
          beta_ptr_array(b) {}
    CUTLASS_HOST_DEVICE constexpr Params(ElementCompute const* const* a) : alpha_ptr_array(a) {}
  };

  CUTLASS_HOST_DEVICE explicit LinearCombination(Params const& params, int group)
      : alpha_(factor(params.alpha, params.alpha_ptr, params.alpha_ptr_array, group)),
        beta_(factor(params.beta, params.beta_ptr, params.beta_ptr_array, group)) {}
  CUTLASS_HOST_DEVICE explicit LinearCombination(Params const& params) : LinearCombination(params, 0) {}

  /// A source that is not needed is not read.
  CUTLASS_HOST_DEVICE bool is_source_needed() const {
    if constexpr (Scale == ScaleType::NoBetaScaling) return true;
    else if constexpr (Scale == ScaleType::OnlyAlphaScaling || Scale == ScaleType::Nothing) return false;
    else return beta_ != ElementCompute(0);
  }
  /// Of parts of a sum along K: those after the first are added to the output.
  CUTLASS_HOST_DEVICE void set_k_partition(int k_partition, int /*partitions*/) {
    if (k_partition != 0) beta_ = ElementCompute(1);
  }

  CUTLASS_HOST_DEVICE ElementD operator()(ElementAccumulator const accumulator, ElementC const source) const {
    auto const x = converted<ElementCompute>(accumulator);
    if constexpr (Scale == ScaleType::Nothing) return converted<ElementD>(x);
    else if constexpr (Scale == ScaleType::OnlyAlphaScaling) return converted<ElementD>(alpha_ * x);
    else if constexpr (Scale == ScaleType::NoBetaScaling)
      return converted<ElementD>(alpha_ * x + converted<ElementCompute>(source));
    else return converted<ElementD>(alpha_ * x + beta_ * converted<ElementCompute>(source));
  }
  CUTLASS_HOST_DEVICE ElementD operator()(ElementAccumulator const accumulator) const {
    auto const x = converted<ElementCompute>(accumulator);
    if constexpr (Scale == ScaleType::Nothing) return converted<ElementD>(x);
    else return converted<ElementD>(alpha_ * x);
  }
  CUTLASS_HOST_DEVICE FragmentOutput operator()(FragmentAccumulator const& accumulator,
                                                FragmentSource const& source) const {
    FragmentOutput out{};
    CUTLASS_PRAGMA_UNROLL
    for (std::size_t i = 0; i < std::size_t{kCount}; ++i) out[i] = (*this)(accumulator[i], source[i]);
    return out;
  }
  CUTLASS_HOST_DEVICE FragmentOutput operator()(FragmentAccumulator const& accumulator) const {
    FragmentOutput out{};
    CUTLASS_PRAGMA_UNROLL
    for (std::size_t i = 0; i < std::size_t{kCount}; ++i) out[i] = (*this)(accumulator[i]);
    return out;
  }

 private:
  template <class To, class From>
  CUTLASS_HOST_DEVICE static To converted(From const& x) {
    return NumericConverter<To, From, Round>{}(x);
  }
  CUTLASS_HOST_DEVICE static ElementCompute factor(ElementCompute value, ElementCompute const* address,
                                                   ElementCompute const* const* addresses, int group) {
    if (addresses != nullptr && addresses[group] != nullptr) return *addresses[group];
    return address != nullptr ? *address : value;
  }

  ElementCompute alpha_;
  ElementCompute beta_;
};

}  // namespace cutlass::epilogue::thread

// What epilogues compute of each element for fusions that scale, write a second matrix or find the largest magnitude:
// ScaledLinCombPerRowBiasEltActAmaxAux and its like, for products of floats of 8 bits.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/detail/layout.hpp"
#include "cutlass/epilogue/collective/functions_of_elements.hpp"

namespace cutlass::epilogue::collective::detail {

template <class Fusion>
inline constexpr bool has_scales_or_aux = Fusion::IsScaleFactorSupported || Fusion::IsAuxOutSupported;
template <class Element>
inline constexpr bool is_scaled = std::is_same_v<Element, float_e4m3_t> || std::is_same_v<Element, float_e5m2_t>;

struct no_scales {};
/// By value or by address.
template <class Fusion>
struct scales {
  using ElementScalar = typename Fusion::ElementScalar;
  ElementScalar scale_a = ElementScalar(1), scale_b = ElementScalar(1), scale_c = ElementScalar(1);
  ElementScalar scale_d = ElementScalar(1);
  ElementScalar const* scale_a_ptr = nullptr;
  ElementScalar const* scale_b_ptr = nullptr;
  ElementScalar const* scale_c_ptr = nullptr;
  ElementScalar const* scale_d_ptr = nullptr;
};
struct no_aux {};
template <class Fusion>
struct arguments_of_aux {
  typename Fusion::ElementScalar scale_aux = typename Fusion::ElementScalar(1);
  typename Fusion::ElementScalar const* scale_aux_ptr = nullptr;
  typename Fusion::ElementAux* aux_ptr = nullptr;  // no second matrix where it is null
  cutlass::detail::TagToStrideC_t<typename Fusion::GmemLayoutTagAux> dAux{};
};
struct no_magnitudes {};
/// Written where they are not null, which the program sets to 0 before.
template <class Fusion>
struct arguments_of_magnitudes {
  typename Fusion::ElementAmax* amax_D_ptr = nullptr;
  typename Fusion::ElementAmax* amax_aux_ptr = nullptr;
};
template <class Fusion, bool HasAux>
struct aux_of {
  using type = no_aux;
};
template <class Fusion>
struct aux_of<Fusion, true> {
  using type = arguments_of_aux<Fusion>;
};
template <class Fusion>
struct arguments_with_aux
    : arguments_of<Fusion>,
      std::conditional_t<Fusion::IsScaleFactorSupported, scales<Fusion>, no_scales>,
      aux_of<Fusion, Fusion::IsAuxOutSupported>::type,
      std::conditional_t<Fusion::IsAbsMaxSupported, arguments_of_magnitudes<Fusion>, no_magnitudes> {};

/// *p = max(*p, x), whole.  pre: neither is negative; floats then compare as their bits do
CUTLASS_HOST_DEVICE void raise_magnitude(float* p, float x) {
#if TILEWRIGHT_ON_DEVICE
  atomicMax(reinterpret_cast<unsigned*>(p), __float_as_uint(x));
#else
  float before;
  __atomic_load(p, &before, __ATOMIC_RELAXED);
  while (before < x && !__atomic_compare_exchange(p, &before, &x, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
#endif
}

/// The function of the elements of one batch. Each thread keeps its largest magnitudes until finish().
template <class Fusion, class ElementD>
class function_with_aux : public function_with_bias<Fusion> {
  using Base = function_with_bias<Fusion>;

 public:
  using Arguments = arguments_with_aux<Fusion>;
  using Params = Arguments;  // what a kernel gets
  using typename Base::ElementCompute;
  using typename Base::ElementScalar;
  static constexpr bool takes_place = true;
  static constexpr bool only_reads = false;
  static constexpr bool finds_magnitudes = Fusion::IsAbsMaxSupported;
  static_assert(!finds_magnitudes || std::is_same_v<typename Fusion::ElementAmax, float> ||
                    std::is_void_v<typename Fusion::ElementAmax>,
                "CollectiveBuilder: the largest magnitude is a float; give float as ElementAmax");

  CUTLASS_HOST_DEVICE static bool is_source_needed(Arguments const& args) {
    return args.beta_ptr != nullptr || args.beta != ElementScalar(0);
  }
  CUTLASS_HOST_DEVICE function_with_aux(Arguments const& args, int batch)
      : args_(args),
        has_source_(is_source_needed(args)) {
    alpha_ = Base::factor(args.alpha, args.alpha_ptr, cute::get<2>(args.dAlpha) * batch);
    beta_ = Base::factor(args.beta, args.beta_ptr, cute::get<2>(args.dBeta) * batch);
    if constexpr (Fusion::IsScaleFactorSupported) {
      alpha_ = alpha_ * Base::factor(args.scale_a, args.scale_a_ptr) * Base::factor(args.scale_b, args.scale_b_ptr);
      beta_ = beta_ * Base::factor(args.scale_c, args.scale_c_ptr);
      if constexpr (is_scaled<ElementD>) scale_d_ = Base::factor(args.scale_d, args.scale_d_ptr);
      if constexpr (scales_aux()) scale_aux_ = Base::factor(args.scale_aux, args.scale_aux_ptr);
    }
  }

  template <class Element>
  CUTLASS_HOST_DEVICE ElementD operator()(Element const& e) const {
    ElementCompute const z = Base::template combined<false>(args_, alpha_, beta_, has_source_, e);
    if constexpr (Fusion::IsAuxOutSupported) {
      if (args_.aux_ptr != nullptr)
        fusion::detail::at_place(args_.aux_ptr, args_.dAux, e) =
            Base::template converted<typename Fusion::ElementAux>(z * scale_aux_);
      if constexpr (finds_magnitudes) largest_aux_ = larger(largest_aux_, z);
    }
    ElementCompute const d = Base::activated(args_, z);
    if constexpr (finds_magnitudes) largest_d_ = larger(largest_d_, d);
    return Base::template converted<ElementD>(d * scale_d_);
  }
  /// After a thread's elements of a tile.
  CUTLASS_HOST_DEVICE void finish() const {
    if constexpr (finds_magnitudes) {
      if (is_scaled<ElementD> && args_.amax_D_ptr != nullptr) raise_magnitude(args_.amax_D_ptr, largest_d_);
      if (is_scaled<typename Fusion::ElementAux> && args_.amax_aux_ptr != nullptr)
        raise_magnitude(args_.amax_aux_ptr, largest_aux_);
    }
  }

 private:
  CUTLASS_HOST_DEVICE static float larger(float largest, ElementCompute x) {
    float const size = static_cast<float>(x < ElementCompute(0) ? -x : x);
    return size > largest ? size : largest;
  }
  CUTLASS_HOST_DEVICE static constexpr bool scales_aux() {
    if constexpr (Fusion::IsAuxOutSupported) return is_scaled<typename Fusion::ElementAux>;
    else return false;
  }

  Arguments const& args_;
  bool has_source_;
  ElementCompute alpha_, beta_, scale_d_ = ElementCompute(1), scale_aux_ = ElementCompute(1);
  mutable float largest_d_ = 0, largest_aux_ = 0;
};

}  // namespace cutlass::epilogue::collective::detail

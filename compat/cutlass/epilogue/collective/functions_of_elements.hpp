// What epilogues compute of each element: a fusion of fusion/operations.hpp, or a tree of fusion/sm90_visitors.hpp, as function objects
// of one batch, and the types by which kernels and programs ask. The epilogues call them by threads, or for parts in shared memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/epilogue/collective/default_epilogue.hpp"
#include "cutlass/epilogue/fusion/operations.hpp"
#include "cutlass/epilogue/fusion/sm90_visitors.hpp"
#include "cutlass/epilogue/thread/activation.h"

namespace cutlass::epilogue::collective::detail {

/// The fusion of problems that may have factors of their own.
template <class Fusion>
struct of_problems : Fusion {
  static constexpr bool has_factors_of_problems = true;
};
template <class Fusion>
inline constexpr bool has_factors_of_problems = requires {
  Fusion::has_factors_of_problems;
};

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
requires has_factors_of_problems<Fusion>
struct factors<Fusion> {
  using ElementScalar = typename Fusion::ElementScalar;
  using Strides = cute::Stride<cute::_0, cute::_0, std::int64_t>;
  ElementScalar alpha = ElementScalar(1);
  ElementScalar beta = ElementScalar(0);
  ElementScalar const* alpha_ptr = nullptr;
  ElementScalar const* beta_ptr = nullptr;
  ElementScalar const* const* alpha_ptr_array = nullptr;  // of an address for each problem, these come first
  ElementScalar const* const* beta_ptr_array = nullptr;
  Strides dAlpha{};
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

/// Of a function that keeps something of a thread's elements until the tile's last one.
template <class Function>
CUTLASS_HOST_DEVICE void finish(Function const& function) {
  if constexpr (requires { function.finish(); }) function.finish();
}

/// What the functions of fusions have in common: the linear combination with its bias, the activation, conversions.
template <class Fusion>
class function_with_bias {
 public:
  using ElementCompute = typename Fusion::ElementCompute;
  using ElementScalar = typename Fusion::ElementScalar;
  using Callbacks = Fusion;
  static constexpr bool takes_source = Fusion::IsSourceSupported;

 protected:
  template <class To, class From>
  CUTLASS_HOST_DEVICE static To converted(From const& x) {
    return NumericConverter<To, From, Fusion::RoundStyle>{}(x);
  }
  /// By its address where that is not null, otherwise the value.
  CUTLASS_HOST_DEVICE static ElementCompute factor(ElementScalar value, ElementScalar const* address,
                                                   std::int64_t offset = 0) {
    return converted<ElementCompute>(address == nullptr ? value : address[offset]);
  }
  /// alpha · sum + beta · C + bias.  WithBias: is its address known not to be null?
  template <bool WithBias, class Arguments, class Element>
  CUTLASS_HOST_DEVICE static ElementCompute combined(Arguments const& args, ElementCompute alpha, ElementCompute beta,
                                                     bool has_source, Element const& e) {
    ElementCompute x = alpha * converted<ElementCompute>(e.sum);
    if constexpr (takes_source) {
      if (has_source) x = beta * converted<ElementCompute>(e.source) + x;
    }
    if constexpr (has_bias<Fusion>) {
      if (WithBias || args.bias_ptr != nullptr)
        x = x + converted<ElementCompute>(fusion::detail::at_place(args.bias_ptr, args.dBias, e));
    }
    return x;
  }
  template <class Arguments>
  CUTLASS_HOST_DEVICE static ElementCompute activated(Arguments const& args, ElementCompute x) {
    if constexpr (!Fusion::IsEltActSupported) {
      return x;
    } else {
      using Activation = typename Fusion::ActivationFn;
      if constexpr (requires { typename Activation::Arguments; }) return Activation{}(x, args.activation);
      else return Activation{}(x);
    }
  }
};

/// A fusion's function of the elements of one batch. Functions have
///   takes_source   may C be needed?                 takes_place   is the function asked inside of the matrix alone?
///   only_reads     does it write nothing?
///   is_source_needed(arguments)                     for these arguments
template <class Fusion, class ElementAccumulator, class ElementD>
class function_of_fusion : public function_with_bias<Fusion> {
  using Base = function_with_bias<Fusion>;

 public:
  using Arguments = arguments_of<Fusion>;
  using Params = Arguments;  // what a kernel gets
  using typename Base::ElementCompute;
  using typename Base::ElementScalar;
  static constexpr bool takes_place = has_bias<Fusion>;
  static constexpr bool only_reads = true;

  CUTLASS_HOST_DEVICE static bool is_source_needed(Arguments const& args) {
    if constexpr (has_factors_of_problems<Fusion>) {
      if (Base::takes_source && args.beta_ptr_array != nullptr) return true;
    }
    return Base::takes_source && (args.beta_ptr != nullptr || args.beta != ElementScalar(0));
  }
  CUTLASS_HOST_DEVICE function_of_fusion(Arguments const& args, int batch)
      : args_(args),
        alpha_(Base::factor(args.alpha, args.alpha_ptr, cute::get<2>(args.dAlpha) * batch)),
        beta_(Base::factor(args.beta, args.beta_ptr, cute::get<2>(args.dBeta) * batch)),
        has_source_(is_source_needed(args)) {
    if constexpr (has_factors_of_problems<Fusion>) {
      if (args.alpha_ptr_array != nullptr) alpha_ = Base::factor({}, args.alpha_ptr_array[batch]);
      if (args.beta_ptr_array != nullptr) beta_ = Base::factor({}, args.beta_ptr_array[batch]);
    }
  }

  template <class Element>
  CUTLASS_HOST_DEVICE ElementD operator()(Element const& e) const {
    return value<false>(e);
  }

  /// The function where the bias has an address: it does not ask, so that a thread's loads of one address are one.
  struct with_vector {
    function_of_fusion const whole;
    template <class Element>
    CUTLASS_HOST_DEVICE ElementD operator()(Element const& e) const {
      return whole.template value<true>(e);
    }
  };
  CUTLASS_HOST_DEVICE bool has_vector() const requires has_bias<Fusion> { return args_.bias_ptr != nullptr; }

 private:
  template <bool WithBias, class Element>
  CUTLASS_HOST_DEVICE ElementD value(Element const& e) const {
    return Base::template converted<ElementD>(
        Base::activated(args_, Base::template combined<WithBias>(args_, alpha_, beta_, has_source_, e)));
  }

  Arguments const& args_;
  ElementCompute alpha_, beta_;
  bool has_source_;
};

/// A tree's function of the elements. C is 0 where its address is null. Callbacks: of a program's operation, whose arguments convert to
/// the tree's on the host; or the tree.
template <class Tree, class Callbacks_, class ElementCompute_, class ElementD>
class function_of_tree {
 public:
  using Callbacks = Callbacks_;
  using Arguments = typename Callbacks::Arguments;
  using ElementCompute = ElementCompute_;
  using ElementScalar = ElementCompute;
  static constexpr bool takes_source = fusion::takes_source<Tree>;
  static constexpr bool takes_place = fusion::takes_place<Tree>;
  static constexpr bool only_reads = fusion::only_reads<Tree>;

  /// What a kernel gets.
  using Params = typename Tree::Arguments;

  template <class ArgumentsOrParams>
  CUTLASS_HOST_DEVICE static bool is_source_needed(ArgumentsOrParams const&) {
    return takes_source;
  }
  CUTLASS_HOST_DEVICE function_of_tree(Params const& args, int) : args_(args) {}

  template <class Element>
  CUTLASS_HOST_DEVICE ElementD operator()(Element const& e) const {
    auto const x = Tree::visit(args_, e);
    return NumericConverter<ElementD, std::remove_cv_t<decltype(x)>>{}(x);
  }

 private:
  Params const& args_;
};

/// The types by which kernels and programs ask. ElementC may be void: there is no source then. Op: the operation, fusion or tree.
template <class EpilogueSchedule_, class TileShape_, class EpilogueTile_, class ElementAccumulator_, class ElementC_,
          class StrideC_, class ElementD_, class StrideD_, int AlignmentD, class Function_>
struct epilogue_of_function
    : epilogue_without_memory<std::conditional_t<std::is_void_v<ElementC_>, ElementD_, ElementC_>, StrideC_, ElementD_,
                              StrideD_, typename Function_::Arguments> {
  using EpilogueSchedule = EpilogueSchedule_;
  using CtaTileMNK = TileShape_;
  using EpilogueTile = EpilogueTile_;
  using Function = Function_;
  using FusionCallbacks = typename Function::Callbacks;
  using ElementAccumulator = ElementAccumulator_;
  using ElementCompute = typename Function::ElementCompute;
  using ElementScalar = typename Function::ElementScalar;
  using ElementC = ElementC_;
  using StrideC = StrideC_;
  using ElementD = ElementD_;
  using ElementOutput = ElementD;
  using StrideD = StrideD_;
  using GmemElementC = std::conditional_t<std::is_void_v<ElementC>, ElementD, ElementC>;
  static constexpr bool takes_source = !std::is_void_v<ElementC> && Function::takes_source;
  using Element = fusion::element_of_result<ElementAccumulator, GmemElementC>;
  /// As Arguments, with what the function's arguments are in a kernel.
  struct Params {
    typename Function::Params thread{};
    GmemElementC const* ptr_C = nullptr;
    StrideC dC{};
    ElementD* ptr_D = nullptr;
    StrideD dD{};
  };
  static Params params_of(typename epilogue_of_function::Arguments const& args) {
    return {args.thread, args.ptr_C, args.dC, args.ptr_D, args.dD};
  }
  template <class ProblemShape>
  static Params to_underlying_arguments(ProblemShape const&, typename epilogue_of_function::Arguments const& args,
                                        void* = nullptr) {
    return params_of(args);
  }
  /// What programs ask of a function of one element: a fusion's own names, then these.
  struct ThreadEpilogueOp : std::conditional_t<std::is_base_of_v<fusion::FusionOperation, FusionCallbacks>,
                                               FusionCallbacks, fusion::FusionOperation> {
    using ElementAccumulator = ElementAccumulator_;
    using ElementCompute = typename Function_::ElementCompute;
    using ElementScalar = typename Function_::ElementScalar;
    using ElementOutput = ElementD_;
    using ElementD = ElementD_;
    using ElementC = GmemElementC;
    static constexpr int kCount = AlignmentD;
    static constexpr bool kIsHeavy = false;
  };

  template <class ArgumentsOrParams>
  CUTLASS_HOST_DEVICE static bool needs_source(ArgumentsOrParams const& params) {
    return takes_source && params.ptr_C != nullptr && Function::is_source_needed(params.thread);
  }
};

}  // namespace cutlass::epilogue::collective::detail

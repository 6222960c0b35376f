// Functions of the elements of a result as trees: Sm90EVT<Sm90Compute<plus, …>, Sm90AccFetch, Sm90RowBroadcast<…>> is accumulator + a
// row's element. A leaf gives a number for element (m, n) of a batch, an inner node computes one out of its children's. Arguments
// nest as the tree does: of the children one after another, then of the node.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/layout.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/epilogue/fusion/operations.hpp"
#include "cutlass/functional.h"
#include "cutlass/numeric_conversion.h"

#include <utility>

namespace cutlass::epilogue::fusion {

/// Where a tree is computed: the sum, the element of C (0 without one), its place.
template <class Sum, class Source>
struct element_of_result {
  Sum sum;
  Source source;
  int m, n, l;
};

namespace detail {

template <class To, class From>
CUTLASS_HOST_DEVICE To as(From const& x) {
  return NumericConverter<To, From>{}(x);
}
/// Element (m, n, l) of a tensor whose shape does not matter: the strides are plain.
template <class Stride, class Element>
CUTLASS_HOST_DEVICE std::int64_t offset_of_place(Stride const& stride, Element const& e) {
  return static_cast<std::int64_t>(cute::get<0>(stride)) * e.m + static_cast<std::int64_t>(cute::get<1>(stride)) * e.n +
         static_cast<std::int64_t>(cute::get<2>(stride)) * e.l;
}
template <class T, class Stride, class Element>
CUTLASS_HOST_DEVICE T& at_place(T* data, Stride const& stride, Element const& e) {
  return data[offset_of_place(stride, e)];
}

/// Arguments of the operations of a node, in order, as an aggregate; those of up to four have names.
template <int I, class Arguments>
struct numbered_argument {
  Arguments value{};
};
template <class Numbers, class... Ops>
struct numbered_arguments;
template <int... I, class... Ops>
struct numbered_arguments<std::integer_sequence<int, I...>, Ops...> : numbered_argument<I, typename Ops::Arguments>... {
  numbered_arguments() = default;
  CUTLASS_HOST_DEVICE constexpr numbered_arguments(typename Ops::Arguments const&... args)
      : numbered_argument<I, typename Ops::Arguments>{args}... {}
};
template <class... Ops>
struct named_arguments;
template <class A>
struct named_arguments<A> {
  typename A::Arguments op_0{};
};
template <class A, class B>
struct named_arguments<A, B> {
  typename A::Arguments op_0{};
  typename B::Arguments op_1{};
};
template <class A, class B, class C>
struct named_arguments<A, B, C> {
  typename A::Arguments op_0{};
  typename B::Arguments op_1{};
  typename C::Arguments op_2{};
};
template <class A, class B, class C, class D>
struct named_arguments<A, B, C, D> {
  typename A::Arguments op_0{};
  typename B::Arguments op_1{};
  typename C::Arguments op_2{};
  typename D::Arguments op_3{};
};
template <class... Ops>
using arguments_of_ops =
    typename std::conditional_t<(sizeof...(Ops) <= 4), std::type_identity<named_arguments<Ops...>>,
                                std::type_identity<numbered_arguments<
                                    std::make_integer_sequence<int, static_cast<int>(sizeof...(Ops))>, Ops...>>>::type;
template <int I, class Arguments>
CUTLASS_HOST_DEVICE constexpr Arguments const& argument_of_number(numbered_argument<I, Arguments> const& args) {
  return args.value;
}
template <int I, class Arguments>
CUTLASS_HOST_DEVICE constexpr auto const& argument(Arguments const& args) {
  if constexpr (!requires { args.op_0; }) return argument_of_number<I>(args);
  else if constexpr (I == 0) return args.op_0;
  else if constexpr (I == 1) return args.op_1;
  else if constexpr (I == 2) return args.op_2;
  else return args.op_3;
}

}  // namespace detail

// --- leaves ----------------------------------------------------------------------------------------------------------
struct Sm90AccFetch {
  struct Arguments {};
  template <class Element>
  CUTLASS_HOST_DEVICE static auto visit(Arguments const&, Element const& e) {
    return e.sum;
  }
};
/// 0 where there is no C.
template <class Element_>
struct Sm90SrcFetch {
  struct Arguments {};
  template <class Element>
  CUTLASS_HOST_DEVICE static Element_ visit(Arguments const&, Element const& e) {
    return static_cast<Element_>(e.source);
  }
};
/// One number for all, or by dScalar for each of the batch; several are reduced to one.
template <class Element_, class StrideMNL = cute::Stride<cute::_0, cute::_0, cute::_0>, int BroadcastCount = 1,
          template <class> class ReductionFn = multiplies>
struct Sm90ScalarBroadcast {
  struct Arguments {
    Element_ scalars[BroadcastCount] = {};
    Element_ const* scalar_ptrs[BroadcastCount] = {};
    StrideMNL dScalar[BroadcastCount] = {};
  };
  template <class Element>
  CUTLASS_HOST_DEVICE static Element_ visit(Arguments const& args, Element const& e) {
    auto const number = [&](int i) {
      return args.scalar_ptrs[i] == nullptr ? args.scalars[i]
                                            : detail::at_place(args.scalar_ptrs[i], args.dScalar[i], e);
    };
    Element_ out = number(0);
    for (int i = 1; i < BroadcastCount; ++i) out = ReductionFn<Element_>{}(out, number(i));
    return out;
  }
};

/// One number for each problem of a batch, by its own address.
template <class Element_, class StrideMNL = cute::Stride<cute::_0, cute::_0, cute::_0>, int BroadcastCount = 1,
          template <class> class ReductionFn = multiplies>
struct Sm90ScalarBroadcastPtrArray {
  struct Arguments {
    Element_ scalars[BroadcastCount] = {};
    Element_ const* scalar_ptrs[BroadcastCount] = {};
    Element_ const* const* scalar_ptr_arrays[BroadcastCount] = {};
    StrideMNL dScalar[BroadcastCount] = {};
  };
  template <class Element>
  CUTLASS_HOST_DEVICE static Element_ visit(Arguments const& args, Element const& e) {
    auto const number = [&](int i) {
      if (args.scalar_ptr_arrays[i] != nullptr) return *args.scalar_ptr_arrays[i][e.l];
      return args.scalar_ptrs[i] == nullptr ? args.scalars[i]
                                            : detail::at_place(args.scalar_ptrs[i], args.dScalar[i], e);
    };
    Element_ out = number(0);
    for (int i = 1; i < BroadcastCount; ++i) out = ReductionFn<Element_>{}(out, number(i));
    return out;
  }
};

namespace detail {
/// A vector along one mode. Element_ is a pointer where each problem of a batch has an address of its own.
template <class Element_, class ElementCompute, class StrideMNL>
struct broadcast_of_vector {
  static constexpr bool is_array = std::is_pointer_v<Element_>;
  using Input = std::remove_const_t<std::remove_pointer_t<Element_>>;
  using Pointer = std::conditional_t<is_array, Input const* const*, Input const*>;
  /// Without a branch, so that a thread's loads of one address are one.  null_default: stays where it is
  template <class Element>
  CUTLASS_HOST_DEVICE static ElementCompute of(Pointer data, Input const& null_default, StrideMNL const& stride,
                                               Element const& e) {
    bool const is_there = data != nullptr;
    Input const* address = &null_default;
    if constexpr (is_array) address = is_there ? data[e.l] : address;
    else address = is_there ? data : address;
    return as<ElementCompute>(address[is_there ? offset_of_place(stride, e) : 0]);
  }
};
}  // namespace detail
/// Element n of a row.
template <int Stages, class CtaTileShapeMNK, class ElementInput,
          class ElementCompute = std::remove_pointer_t<ElementInput>,
          class StrideMNL = cute::Stride<cute::_0, cute::_1, cute::_0>, int Alignment = 1, bool EnableNullptr = true>
struct Sm90RowBroadcast {
  using Vector = detail::broadcast_of_vector<ElementInput, ElementCompute, StrideMNL>;
  struct Arguments {
    typename Vector::Pointer ptr_row = nullptr;
    typename Vector::Input null_default = typename Vector::Input(0);
    StrideMNL dRow = {};
  };
  template <class Element>
  CUTLASS_HOST_DEVICE static ElementCompute visit(Arguments const& args, Element const& e) {
    return Vector::of(args.ptr_row, args.null_default, args.dRow, e);
  }
};
/// Element m of a column.
template <int Stages, class CtaTileShapeMNK, class ElementInput,
          class ElementCompute = std::remove_pointer_t<ElementInput>,
          class StrideMNL = cute::Stride<cute::_1, cute::_0, cute::_0>, int Alignment = 1, bool EnableNullptr = true>
struct Sm90ColBroadcast {
  using Vector = detail::broadcast_of_vector<ElementInput, ElementCompute, StrideMNL>;
  struct Arguments {
    typename Vector::Pointer ptr_col = nullptr;
    typename Vector::Input null_default = typename Vector::Input(0);
    StrideMNL dCol = {};
  };
  template <class Element>
  CUTLASS_HOST_DEVICE static ElementCompute visit(Arguments const& args, Element const& e) {
    return Vector::of(args.ptr_col, args.null_default, args.dCol, e);
  }
};
/// An element of another matrix.
template <int Stages, class EpilogueTile, class Element_, class StrideMNL, class SmemLayoutAtom = void,
          class CopyOpS2R = void, int Alignment = 1, bool EnableNullptr = true>
struct Sm90AuxLoad {
  struct Arguments {
    Element_ const* ptr_aux = nullptr;
    Element_ null_default = Element_(0);
    StrideMNL dAux = {};
  };
  template <class Element>
  CUTLASS_HOST_DEVICE static Element_ visit(Arguments const& args, Element const& e) {
    return args.ptr_aux == nullptr ? args.null_default : detail::at_place(args.ptr_aux, args.dAux, e);
  }
};

// --- nodes -----------------------------------------------------------------------------------------------------------
/// A function of cutlass/functional.h or epilogue/thread/activation.h, in ElementCompute.
template <template <class> class ComputeFn, class ElementOutput, class ElementCompute, FloatRoundStyle RoundStyle,
          class = void>
struct Sm90Compute {
  using Function = ComputeFn<ElementCompute>;
  using Arguments = detail::arguments_of_function<Function>;
  template <class Element, class... X>
  CUTLASS_HOST_DEVICE static ElementOutput combine(Arguments const& args, Element const&, X const&... x) {
    auto const result = [&] {
      if constexpr (std::is_same_v<Arguments, detail::no_arguments>)
        return Function{}(detail::as<ElementCompute>(x)...);
      else return Function{}(detail::as<ElementCompute>(x)..., args);
    }();
    return NumericConverter<ElementOutput, ElementCompute, RoundStyle>{}(static_cast<ElementCompute>(result));
  }
};
/// Passes its child's number on and writes it to another matrix.
template <int Stages, class EpilogueTile, class Element_, FloatRoundStyle RoundStyle, class StrideMNL,
          class SmemLayoutAtom = void, class CopyOpR2S = void, int Alignment = 1, bool EnableNullptr = true>
struct Sm90AuxStore {
  struct Arguments {
    Element_* ptr_aux = nullptr;
    StrideMNL dAux = {};
  };
  template <class Element, class X>
  CUTLASS_HOST_DEVICE static X combine(Arguments const& args, Element const& e, X const& x) {
    if (args.ptr_aux != nullptr)
      detail::at_place(args.ptr_aux, args.dAux, e) = NumericConverter<Element_, X, RoundStyle>{}(x);
    return x;
  }
};

/// A node and its children, of which there are up to three.
template <class NodeOp, class... ChildOps>
struct Sm90TreeVisitor {
  using Arguments = detail::arguments_of_ops<ChildOps..., NodeOp>;
  template <class Element>
  CUTLASS_HOST_DEVICE static auto visit(Arguments const& args, Element const& e) {
    return visit_children(args, e, std::make_integer_sequence<int, static_cast<int>(sizeof...(ChildOps))>{});
  }

 private:
  template <class Element, int... I>
  CUTLASS_HOST_DEVICE static auto visit_children(Arguments const& args, Element const& e,
                                                 std::integer_sequence<int, I...>) {
    return NodeOp::combine(detail::argument<static_cast<int>(sizeof...(ChildOps))>(args), e,
                           ChildOps::visit(detail::argument<I>(args), e)...);
  }
};
template <class NodeOp, class... ChildOps>
using Sm90EVT = Sm90TreeVisitor<NodeOp, ChildOps...>;

/// A graph: operation i takes the results of those that EdgeTuple's i-th sequence numbers, which come before it; the last one's result
/// is the graph's. tuple<seq<>, seq<>, seq<0, 1>> of (a, b, f) is f(a, b).
template <class ElementCompute, class EdgeTuple, class... Ops>
struct Sm90TopologicalVisitor {
  using Arguments = detail::arguments_of_ops<Ops...>;
  template <class Element>
  CUTLASS_HOST_DEVICE static auto visit(Arguments const& args, Element const& e) {
    return visit_operation<static_cast<int>(sizeof...(Ops)) - 1>(args, e);
  }

 private:
  template <int I, class Element>
  CUTLASS_HOST_DEVICE static auto visit_operation(Arguments const& args, Element const& e) {
    return visit_after<I>(args, e, cute::tuple_element_t<I, EdgeTuple>{});
  }
  template <int I, class Element, int... Before>
  CUTLASS_HOST_DEVICE static auto visit_after(Arguments const& args, Element const& e, cute::int_sequence<Before...>) {
    using Op = cute::tuple_element_t<I, cute::tuple<Ops...>>;
    if constexpr (sizeof...(Before) == 0) return Op::visit(detail::argument<I>(args), e);
    else return Op::combine(detail::argument<I>(args), e, visit_operation<Before>(args, e)...);
  }
};

// --- trees that have names -------------------------------------------------------------------------------------------
/// beta * C + (alpha * accumulator)
template <class ElementOutput, class ElementCompute, class ElementSource = ElementOutput,
          class ElementScalar = ElementCompute, FloatRoundStyle RoundStyle = FloatRoundStyle::round_to_nearest>
using Sm90LinearCombination =
    Sm90EVT<Sm90Compute<homogeneous_multiply_add, ElementOutput, ElementCompute, RoundStyle>,
            Sm90ScalarBroadcast<ElementScalar, cute::Stride<cute::_0, cute::_0, std::int64_t>>,
            Sm90SrcFetch<ElementSource>,
            Sm90EVT<Sm90Compute<multiplies, ElementCompute, ElementCompute, RoundStyle>,
                    Sm90ScalarBroadcast<ElementScalar, cute::Stride<cute::_0, cute::_0, std::int64_t>>, Sm90AccFetch>>;
template <template <class> class ActivationFn, class ElementOutput, class ElementCompute,
          class ElementSource = ElementOutput, class ElementScalar = ElementCompute,
          FloatRoundStyle RoundStyle = FloatRoundStyle::round_to_nearest>
using Sm90LinCombEltAct =
    Sm90EVT<Sm90Compute<ActivationFn, ElementOutput, ElementCompute, RoundStyle>,
            Sm90LinearCombination<ElementCompute, ElementCompute, ElementSource, ElementScalar, RoundStyle>>;

/// What computes an operation of the program's own, which specialises it: a tree, and arguments that convert to the tree's.
template <class DispatchPolicy, class Operation, class CtaTileShapeMNK, class EpilogueTile, class... Args>
struct FusionCallbacks;

/// Does a tree need the element of C? Is it asked inside of the matrix alone, since it reads or writes memory by the place?
template <class Op>
inline constexpr bool takes_source = false;
template <class Element>
inline constexpr bool takes_source<Sm90SrcFetch<Element>> = true;
template <class NodeOp, class... ChildOps>
inline constexpr bool takes_source<Sm90TreeVisitor<NodeOp, ChildOps...>> = (takes_source<ChildOps> || ...);
template <class Op>
inline constexpr bool takes_place = true;
template <>
inline constexpr bool takes_place<Sm90AccFetch> = false;
template <class Element>
inline constexpr bool takes_place<Sm90SrcFetch<Element>> = false;
template <class Element, class StrideL, int BroadcastCount, template <class> class ReductionFn>
inline constexpr bool
    takes_place<Sm90ScalarBroadcast<Element, cute::Stride<cute::_0, cute::_0, StrideL>, BroadcastCount, ReductionFn>> =
        false;
template <template <class> class ComputeFn, class ElementOutput, class ElementCompute, FloatRoundStyle RoundStyle>
inline constexpr bool takes_place<Sm90Compute<ComputeFn, ElementOutput, ElementCompute, RoundStyle>> = false;
template <class NodeOp, class... ChildOps>
inline constexpr bool takes_place<Sm90TreeVisitor<NodeOp, ChildOps...>> = takes_place<NodeOp> ||
                                                                          (takes_place<ChildOps> || ...);

template <class ElementCompute, class EdgeTuple, class... Ops>
inline constexpr bool takes_source<Sm90TopologicalVisitor<ElementCompute, EdgeTuple, Ops...>> = (takes_source<Ops> ||
                                                                                                 ...);
template <class ElementCompute, class EdgeTuple, class... Ops>
inline constexpr bool takes_place<Sm90TopologicalVisitor<ElementCompute, EdgeTuple, Ops...>> = (takes_place<Ops> ||
                                                                                                ...);

/// A tree, or a leaf by itself.
template <class T>
inline constexpr bool is_visitor_tree = requires(typename T::Arguments args, element_of_result<float, float> e) {
  T::visit(args, e);
};

/// Does an operation read memory at most? It may then be asked for elements outside of the matrix at places inside of it, which needs no
/// branches. Those of a program's own may write.
template <class Op>
inline constexpr bool only_reads = !takes_place<Op>;
template <int Stages, class Tile, class ElementInput, class ElementCompute, class Stride, int Alignment, bool Nullptr>
inline constexpr bool
    only_reads<Sm90RowBroadcast<Stages, Tile, ElementInput, ElementCompute, Stride, Alignment, Nullptr>> = true;
template <int Stages, class Tile, class ElementInput, class ElementCompute, class Stride, int Alignment, bool Nullptr>
inline constexpr bool
    only_reads<Sm90ColBroadcast<Stages, Tile, ElementInput, ElementCompute, Stride, Alignment, Nullptr>> = true;
template <class Element, class Stride, int BroadcastCount, template <class> class ReductionFn>
inline constexpr bool only_reads<Sm90ScalarBroadcast<Element, Stride, BroadcastCount, ReductionFn>> = true;
template <class Element, class Stride, int BroadcastCount, template <class> class ReductionFn>
inline constexpr bool only_reads<Sm90ScalarBroadcastPtrArray<Element, Stride, BroadcastCount, ReductionFn>> = true;
template <int Stages, class Tile, class Element, class Stride, class Atom, class Copy, int Alignment, bool Nullptr>
inline constexpr bool only_reads<Sm90AuxLoad<Stages, Tile, Element, Stride, Atom, Copy, Alignment, Nullptr>> = true;
template <class NodeOp, class... ChildOps>
inline constexpr bool only_reads<Sm90TreeVisitor<NodeOp, ChildOps...>> = only_reads<NodeOp> &&
                                                                         (only_reads<ChildOps> && ...);
template <class ElementCompute, class EdgeTuple, class... Ops>
inline constexpr bool only_reads<Sm90TopologicalVisitor<ElementCompute, EdgeTuple, Ops...>> = (only_reads<Ops> && ...);

}  // namespace cutlass::epilogue::fusion

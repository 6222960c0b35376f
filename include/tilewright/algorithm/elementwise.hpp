// Algorithms on the elements of tensors: fill, clear, transform, axpby; and a copy that a group of threads shares
// without a tiled copy declared for it.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/algorithm/copy.hpp"

namespace tilewright {

namespace detail {

// What the algorithms do with elements: classes, because NVRTC takes no generic lambdas without a flag.
template <class Value>
struct assign_value {
  Value value;
  TILEWRIGHT_NO_EXEC_CHECK
  template <class X>
  TILEWRIGHT_FN constexpr void operator()(X&& x) const {
    x = value;
  }
};
/// The element itself where the tensor has a reference to it, so that f may take it as X&, or makes it of its place, as a tensor of
/// coordinates does; its value where it is packed.
template <class Value, class X>
TILEWRIGHT_FN constexpr decltype(auto) element_or_value(X& x) {
  if constexpr (std::is_same_v<std::remove_const_t<X>, Value> || !std::is_convertible_v<X&, Value>) return (x);
  else return static_cast<Value>(x);
}
template <class Value, class F>
struct transform_in_place {
  F& f;
  TILEWRIGHT_NO_EXEC_CHECK
  template <class X>
  TILEWRIGHT_FN constexpr void operator()(X&& x) const {
    x = f(element_or_value<Value>(x));
  }
};
template <class Value, class F>
struct transform_one {
  F& f;
  TILEWRIGHT_NO_EXEC_CHECK
  template <class X, class Y>
  TILEWRIGHT_FN constexpr void operator()(X&& x, Y&& y) const {
    y = f(element_or_value<Value>(x));
  }
};
template <class ValueA, class ValueB, class F>
struct transform_two {
  F& f;
  TILEWRIGHT_NO_EXEC_CHECK
  template <class A, class B, class Y>
  TILEWRIGHT_FN constexpr void operator()(A&& a, B&& b, Y&& y) const {
    y = f(element_or_value<ValueA>(a), element_or_value<ValueB>(b));
  }
};
/// y = alpha * x + beta * y, or alpha * x. The kind is asked for once, outside of the loop over elements, so that a kernel's loads
/// of neighbouring elements do not wait for a branch each.
template <class Value, class Alpha, class Beta, bool ReadsY>
struct scale_and_add {
  Alpha const& alpha;
  Beta const& beta;
  TILEWRIGHT_NO_EXEC_CHECK
  template <class X, class Y>
  TILEWRIGHT_FN constexpr void operator()(X const& x, Y&& y) const {
    if constexpr (ReadsY) y = static_cast<Value>(alpha * x + beta * static_cast<Value>(y));
    else y = static_cast<Value>(alpha * x);
  }
  TILEWRIGHT_NO_EXEC_CHECK
  template <class X, class Y>
  TILEWRIGHT_FN constexpr void operator()(bool moves, X const& x, Y&& y) const {
    if (moves) (*this)(x, y);
  }
};
/// The branch that reads y comes first: ptxas then moves the loads of a y that was copied to registers into it, and does not keep
/// them and the sums at the same time (CUTLASS's tutorial Blackwell 02: 148 bytes of spills; 1,312 in the other order).
template <class Value, class Alpha, class Beta, class... Tensors>
TILEWRIGHT_FN constexpr void scale_and_add_all(Alpha const& alpha, Beta const& beta, Tensors&&... tensors) {
  if (!(beta == Beta{})) for_each_element(scale_and_add<Value, Alpha, Beta, true>{alpha, beta}, tensors...);
  else for_each_element(scale_and_add<Value, Alpha, Beta, false>{alpha, beta}, tensors...);
}

}  // namespace detail

/// Every element becomes `value`.
template <TensorType T, class Value>
TILEWRIGHT_FN constexpr void fill(T&& tensor, Value const& value) {
  using check = detail::is_writable<T>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    if (detail::is_null(tensor.data())) return;
    using Element = typename std::remove_cvref_t<T>::value_type;
    detail::for_each_element(detail::assign_value<Element>{static_cast<Element>(value)}, tensor);
  }
}
/// Every element becomes its type's zero.
template <TensorType T>
TILEWRIGHT_FN constexpr void clear(T&& tensor) {
  using check = detail::is_writable<T>;
  if constexpr (!check::value) (void)check::sentence();
  else fill(tensor, typename std::remove_cvref_t<T>::value_type{});
}

/// x = f(x)
template <TensorType T, class F>
requires(!TensorType<F>) TILEWRIGHT_FN constexpr void transform(T&& tensor, F&& f) {
  using Value = typename std::remove_cvref_t<T>::value_type;
  using check = detail::is_writable<T>;
  if constexpr (!check::value) (void)check::sentence();
  else detail::for_each_element(detail::transform_in_place<Value, std::remove_reference_t<F>>{f}, tensor);
}
/// out = f(in)
template <TensorType In, TensorType Out, class F>
requires(!TensorType<F>) TILEWRIGHT_FN constexpr void transform(In const& in, Out&& out, F&& f) {
  using Value = typename In::value_type;
  using check = all_hold<detail::tensors_match<detail::algorithm::transform, In, Out>, detail::is_writable<Out>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    detail::require_match<detail::algorithm::transform>(in.shape(), out.shape());
    detail::for_each_element(detail::transform_one<Value, std::remove_reference_t<F>>{f}, in, out);
  }
}
/// out = f(a, b)
template <TensorType A, TensorType B, TensorType Out, class F>
TILEWRIGHT_FN constexpr void transform(A const& a, B const& b, Out&& out, F&& f) {
  using ValueA = typename A::value_type;
  using ValueB = typename B::value_type;
  using check = all_hold<detail::tensors_match<detail::algorithm::transform, A, Out>,
                         detail::tensors_match<detail::algorithm::transform, B, Out>, detail::is_writable<Out>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    detail::require_match<detail::algorithm::transform>(a.shape(), out.shape());
    detail::require_match<detail::algorithm::transform>(b.shape(), out.shape());
    detail::for_each_element(detail::transform_two<ValueA, ValueB, std::remove_reference_t<F>>{f}, a, b, out);
  }
}

/// y = alpha * x + beta * y; a beta of 0 does not read y.
template <class Alpha, TensorType XTensor, class Beta, TensorType YTensor>
TILEWRIGHT_FN constexpr void axpby(Alpha const& alpha, XTensor const& x, Beta const& beta, YTensor&& y) {
  using Value = typename std::remove_cvref_t<YTensor>::value_type;
  using check =
      all_hold<detail::tensors_match<detail::algorithm::axpby, XTensor, YTensor>, detail::is_writable<YTensor>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    detail::require_match<detail::algorithm::axpby>(x.shape(), y.shape());
    detail::scale_and_add_all<Value>(alpha, beta, x, y);
  }
}
/// The same where pred is true.
template <class Alpha, TensorType XTensor, class Beta, TensorType YTensor, TensorType Pred>
TILEWRIGHT_FN constexpr void axpby(Alpha const& alpha, XTensor const& x, Beta const& beta, YTensor&& y,
                                   Pred const& pred) {
  using Value = typename std::remove_cvref_t<YTensor>::value_type;
  using check = all_hold<detail::tensors_match<detail::algorithm::axpby, XTensor, YTensor>,
                         detail::tensors_match<detail::algorithm::axpby, Pred, YTensor>, detail::is_writable<YTensor>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    detail::require_match<detail::algorithm::axpby>(x.shape(), y.shape());
    detail::require_match<detail::algorithm::axpby>(pred.shape(), y.shape());
    detail::scale_and_add_all<Value>(alpha, beta, pred, x, y);
  }
}

namespace op {

/// Indices in the order of the destination's offsets, where it has one; 0 leaves otherwise mean "as they are".
struct destination_order {
  static constexpr auto kind = lift::result_kind::layout;
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& src, int_tree const& dst) {
    leaf const n = algebra::size(c, dst);
    int_tree const order = algebra::right_inverse(c, dst), plain = algebra::vector_of(n);
    leaf const reached = algebra::size(c, order);
    if (c.failed() || !n.is_static() || !reached.is_static() || n.number != reached.number) return c.error = {}, plain;
    (void)algebra::composition(c, src, order);
    (void)algebra::composition(c, dst, order);
    if (!c.failed()) return order;
    c.error = {};
    return plain;
  }
};

}  // namespace op

namespace detail {

template <unsigned NumThreads>
struct a_thread_takes_part {
  static constexpr bool value = NumThreads > 0;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cooperative_copy: at least one thread takes part; state how many threads call it "
                  "(docs/errors.md#cooperative_threads)");
    return invalid_layout{};
  }
};
template <class Src, class Dst>
struct shared_shapes_are_static {
  static constexpr bool value = is_static_v<decltype(std::declval<Src const&>().shape())> &&
                                is_static_v<decltype(std::declval<Dst const&>().shape())>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "cooperative_copy: the shapes must be static; make their extents compile-time constants "
                  "(docs/errors.md#cooperative_static)");
    return invalid_layout{};
  }
};

/// A layout where it is static; where strides are known at run time alone, a compact one of its shape.
template <class L>
TILEWRIGHT_FN constexpr auto static_stand_in(L const& layout) {
  if constexpr (is_static_v<L>) return layout;
  else return make_layout(layout.shape());
}
/// Elements first, first + NumThreads, … in the order of the destination.
template <unsigned NumThreads, class From, class To>
TILEWRIGHT_FN constexpr void copy_every_nth(int first, From const& from, To&& to) {
  using FromLayout = decltype(static_stand_in(inner_layout(from.layout())));
  using ToLayout = decltype(static_stand_in(inner_layout(to.layout())));
  auto const order = lift::call<op::destination_order, FromLayout, ToLayout>::on(FromLayout{}, ToLayout{});
  int const count = static_cast<int>(size(from));
  for (int i = first; i < count; i += static_cast<int>(NumThreads)) {
    auto const at = order(i);
    to(at) = from(at);
  }
}

}  // namespace detail

/// A copy shared by NumThreads threads, each taking every NumThreads-th vector of at most MaxVecBits bits, in the order
/// of the destination. Threads from NumThreads onwards move nothing.
/// pre: static shapes of one size; the first elements aligned to MaxVecBits; every thread calls it
template <unsigned NumThreads, unsigned MaxVecBits = 8, class Index, TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void cooperative_copy(Index const& tid, Src const& src, Dst&& dst) {
  using D = std::remove_cvref_t<Dst>;
  using check = all_hold<detail::a_thread_takes_part<NumThreads>,
                         detail::shared_shapes_are_static<typename Src::layout_type, typename D::layout_type>,
                         detail::tensors_match<detail::algorithm::cooperative_copy, Src, D>, detail::is_writable<D>>;
  if constexpr (!check::value) {
    (void)check::sentence();
  } else {
    detail::require_match<detail::algorithm::cooperative_copy>(src.shape(), dst.shape());
    if (static_cast<long long>(tid) < 0 || static_cast<long long>(tid) >= static_cast<long long>(NumThreads)) return;
    using Element = typename Src::value_type;
    constexpr int bits = MaxVecBits < static_cast<unsigned>(sizeof_bits_v<Element>) ? sizeof_bits_v<Element>
                                                                                    : static_cast<int>(MaxVecBits);
    constexpr int n = detail::vector_elements<bits, Src, D>;
    if constexpr (n > 1) {
      using Word = detail::carrier<n * sizeof_bits_v<Element>, void>;
      detail::copy_every_nth<NumThreads>(static_cast<int>(tid), recast<Word>(src), recast<Word>(dst));
    } else {
      detail::copy_every_nth<NumThreads>(static_cast<int>(tid), src, dst);
    }
  }
}

/// Of the result of a failed operation.
template <class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr void fill(A&&...) {}
TILEWRIGHT_FN constexpr void clear(invalid_layout const&) {}
template <class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr void transform(A&&...) {}
template <class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr void axpby(A&&...) {}
template <unsigned NumThreads, unsigned MaxVecBits = 8, class... A>
requires AnyInvalid<A...> TILEWRIGHT_FN constexpr void cooperative_copy(A&&...) {}

// --- arguments that no overload above takes --------------------------------------------------------------------------
template <class T, class Value>
requires(detail::is_no_tensor<T>) TILEWRIGHT_FN constexpr void fill(T const&, Value const&) {
  (void)detail::copy_takes<T>::sentence();
}
template <class T>
requires(detail::is_no_tensor<T>) TILEWRIGHT_FN constexpr void clear(T const&) {
  (void)detail::copy_takes<T>::sentence();
}
template <class T, class... More>
requires(sizeof...(More) <= 3 && detail::is_no_tensor<T>) TILEWRIGHT_FN
    constexpr void transform(T const&, More const&...) {
  (void)detail::copy_takes<T>::sentence();
}
}  // namespace tilewright

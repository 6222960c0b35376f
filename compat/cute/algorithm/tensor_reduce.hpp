// Reductions of tensors: to a number, or mode by mode.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/algorithm/functional.hpp"
#include "cute/algorithm/tensor_algorithms.hpp"
#include "cute/underscore.hpp"

namespace cute {

/// f(…f(f(init, g(t(0))), g(t(1)))…)
template <class T, class Value, class F, class G>
requires(tilewright::TensorType<T>) CUTE_HOST_DEVICE
    constexpr auto transform_reduce(T const& tensor, Value init, F const& f, G const& g) {
  tilewright::detail::for_each_number<4, tilewright::detail::element_count<T>, int>(size(tensor), [&](int i) {
    init = static_cast<Value>(f(init, g(static_cast<typename T::value_type>(tensor(i)))));
  });
  return init;
}
/// Of two tensors of one size: f over g(a(i), b(i)).
template <class A, class B, class Value, class F, class G>
requires(tilewright::TensorType<A>&& tilewright::TensorType<B>) CUTE_HOST_DEVICE
    constexpr auto transform_reduce(A const& a, B const& b, Value init, F const& f, G const& g) {
  tilewright::detail::for_each_number<4, tilewright::detail::element_count<A>, int>(size(a), [&](int i) {
    init = static_cast<Value>(
        f(init, g(static_cast<typename A::value_type>(a(i)), static_cast<typename B::value_type>(b(i)))));
  });
  return init;
}
/// f(…f(f(init, t(0)), t(1))…)
template <class T, class Value = typename T::value_type, class F = plus>
requires(tilewright::TensorType<T>) CUTE_HOST_DEVICE
    constexpr auto reduce(T const& tensor, Value init = {}, F const& f = {}) {
  return transform_reduce(tensor, init, f, identity{});
}
/// dst(i) = dst(i) and mode 0 of src at i of its mode 1, reduced.
/// pre: src is (elements to reduce, results), dst has as many elements as src's mode 1
template <class Src, class Dst, class F = plus>
requires(tilewright::TensorType<Src>&& tilewright::TensorType<Dst>) CUTE_HOST_DEVICE
    constexpr void batch_reduce(Src const& src, Dst&& dst, F const& f = {}) {
  static_assert(rank_v<Src> == 2, "batch_reduce: the source has two modes, elements and results; group its modes");
  using Result = typename std::remove_cvref_t<Dst>::value_type;
  tilewright::detail::for_each_number<1, tilewright::detail::element_count<Src>, int>(
      size(dst), [&](int i) { dst(i) = reduce(src(_, i), static_cast<Result>(dst(i)), f); });
}

/// Reduces over the modes that the coordinate fixes: dst has the modes at which it is `_`. A number fixes all of them.
template <class Src, class Dst, class Target, class F = plus>
requires(tilewright::TensorType<Src>&& tilewright::TensorType<Dst>) CUTE_HOST_DEVICE
    constexpr void logical_reduce(Src const& src, Dst&& dst, Target const& target, F const& f = {}) {
  auto const whole = src.layout();
  if constexpr (!has_underscore<Target>::value) {
    batch_reduce(make_tensor(src.data(), make_layout(whole, Layout<C<1>, C<0>>{})), dst, f);
  } else if constexpr (!is_tuple_v<Target>) {
    batch_reduce(make_tensor(src.data(), make_layout(Layout<C<1>, C<0>>{}, whole)), dst, f);
  } else {
    auto const kept = make_layout(cute::slice(target, whole.shape()), cute::slice(target, whole.stride()));
    auto const fixed = make_layout(cute::dice(target, whole.shape()), cute::dice(target, whole.stride()));
    batch_reduce(make_tensor(src.data(), make_layout(fixed, kept)), dst, f);
  }
}

}  // namespace cute

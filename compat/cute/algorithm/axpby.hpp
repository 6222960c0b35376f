// y = alpha * x + beta * y, everywhere or where a predicate is true.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor_impl.hpp"
#include "tilewright/algorithm/elementwise.hpp"

namespace cute {

using tilewright::axpby;

namespace detail {
/// What copy_if takes for a predicate without elements: a function of the index.
template <class T>
concept cute_predicate = !tilewright::TensorType<T> && requires(T const& pred) {
  static_cast<bool>(pred(0));
};
}  // namespace detail
/// The same where the function answers true for the element's index.
TILEWRIGHT_NO_EXEC_CHECK
template <class Alpha, tilewright::TensorType X, class Beta, tilewright::TensorType Y, detail::cute_predicate Pred>
CUTE_HOST_DEVICE constexpr void axpby(Alpha const& alpha, X const& x, Beta const& beta, Y&& y, Pred const& pred) {
  tilewright::detail::for_each_number<4, tilewright::detail::element_count<X>, int>(size(x), [&](int i) {
    if (static_cast<bool>(pred(i))) y(i) = beta == Beta{} ? alpha * x(i) : alpha * x(i) + beta * y(i);
  });
}

}  // namespace cute

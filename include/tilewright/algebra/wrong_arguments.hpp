// What the compiler says of arguments that no operation of the algebra takes: overloads whose
// constraints no other overload meets.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/base/int_checks.hpp"
#include "tilewright/ints/tuple.hpp"

namespace tilewright {

// --- arguments that no overload takes --------------------------------------------------------------------------------
namespace detail {
/// What no operation takes for a layout: with a constraint of this kind an overload never competes with the others.
template <class T>
inline constexpr bool is_no_layout = IntegerLike<T> || is_tuple_v<T> || is_no_entry<T>;
template <class... T>
struct layout_and_tiler {
  static constexpr bool value = never<T...>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "composition, divide, product: takes a layout (or a tensor) and then a tiler, and an argument is neither; "
        "make the first with make_layout or make_tensor, and the tiler of integers, Int<N>{}, layouts or a "
        "tuple of them (docs/errors.md#layout_and_tiler)");
    return invalid_layout{};
  }
};
template <class... T>
struct takes_one_layout {
  static constexpr bool value = never<T...>;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "coalesce, complement, inverse: takes a layout, and the argument is of another type; make one with "
                  "make_layout, or "
                  "pass tensor.layout() (docs/errors.md#layout_expected)");
    return invalid_layout{};
  }
};
/// The sentence of a check, or nothing more where an argument is invalid, whose sentence is printed.
struct refused_before {
  TILEWRIGHT_FN static constexpr invalid_layout sentence() { return {}; }
};
template <template <class...> class Check, class... T>
using refused = std::conditional_t<AnyInvalid<T...>, refused_before, Check<T...>>;
}  // namespace detail
/// A concept, so that compat's answers for tuples of integers are more constrained.
template <class T>
concept NoLayout = detail::is_no_layout<T>;

// No section here is defined as another one: clang prints each definition that a message comes through.
#define TILEWRIGHT_X_SIMPLIFY(NAME, ...)                             \
  template <NoLayout A>                                              \
  TILEWRIGHT_FN constexpr auto NAME(A const&) {                      \
    return detail::refused<detail::takes_one_layout, A>::sentence(); \
  }
#define TILEWRIGHT_X_INVERT(NAME, ...)                               \
  template <NoLayout A>                                              \
  TILEWRIGHT_FN constexpr auto NAME(A const&) {                      \
    return detail::refused<detail::takes_one_layout, A>::sentence(); \
  }
#define TILEWRIGHT_X_BY_TILER(NAME, ...)                                                                  \
  template <class A, class B>                                                                             \
  requires(NoLayout<A> || detail::is_no_entry<B>) TILEWRIGHT_FN constexpr auto NAME(A const&, B const&) { \
    return detail::refused<detail::layout_and_tiler, A, B>::sentence();                                   \
  }
#define TILEWRIGHT_X_DIVIDE(NAME, ...)                                                                    \
  template <class A, class B>                                                                             \
  requires(NoLayout<A> || detail::is_no_entry<B>) TILEWRIGHT_FN constexpr auto NAME(A const&, B const&) { \
    return detail::refused<detail::layout_and_tiler, A, B>::sentence();                                   \
  }
#define TILEWRIGHT_X_PRODUCT(NAME, ...)                                                                   \
  template <class A, class B>                                                                             \
  requires(NoLayout<A> || detail::is_no_entry<B>) TILEWRIGHT_FN constexpr auto NAME(A const&, B const&) { \
    return detail::refused<detail::layout_and_tiler, A, B>::sentence();                                   \
  }
#define TILEWRIGHT_X_BY_LAYOUT(NAME, ...)                                                                 \
  template <class A, class B>                                                                             \
  requires(NoLayout<A> || detail::is_no_entry<B>) TILEWRIGHT_FN constexpr auto NAME(A const&, B const&) { \
    return detail::refused<detail::layout_and_tiler, A, B>::sentence();                                   \
  }
#include "tilewright/algebra/operations.def"

}  // namespace tilewright

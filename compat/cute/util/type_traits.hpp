// The standard library's type traits and utilities under CuTe's namespace.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"

namespace cute {

using std::add_const_t;
using std::add_cv_t;
using std::add_lvalue_reference_t;
using std::add_pointer_t;
using std::common_type;
using std::common_type_t;
using std::conditional;
using std::conditional_t;
using std::decay;
using std::decay_t;
using std::declval;
using std::disjunction;
using std::enable_if;
using std::enable_if_t;
using std::extent;
using std::extent_v;
using std::forward;
using std::is_arithmetic;
using std::is_arithmetic_v;
using std::is_array;
using std::is_base_of;
using std::is_base_of_v;
using std::is_const;
using std::is_const_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_default_constructible;
using std::is_default_constructible_v;
using std::is_empty;
using std::is_empty_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_signed;
using std::is_signed_v;
using std::is_standard_layout;
using std::is_standard_layout_v;
using std::is_trivially_copyable;
using std::is_trivially_copyable_v;
using std::is_unsigned;
using std::is_unsigned_v;
using std::is_void;
using std::is_void_v;
using std::make_signed_t;
using std::make_unsigned_t;
using std::move;
using std::numeric_limits;
using std::ptrdiff_t;
using std::remove_all_extents_t;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_cvref_t;
using std::remove_extent;
using std::remove_extent_t;
using std::remove_pointer_t;
using std::remove_reference_t;
using std::size_t;
using std::swap;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
using std::underlying_type_t;
using std::void_t;

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uintptr_t;

template <class T>
struct remove_cvref {
  using type = std::remove_cvref_t<T>;
};
template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = T;

template <class T>
using is_std_integral = std::is_integral<T>;
template <class F, class... Args>
inline constexpr bool is_invocable_v = std::is_invocable_v<F, Args...>;
template <class F, class... Args>
using invoke_result_t = std::invoke_result_t<F, Args...>;

/// `To` with the const of `From`.
template <class From, class To>
struct copy_cv {
  using type = std::conditional_t<std::is_const_v<From>, To const, To>;
};
template <class From, class To>
using copy_cv_t = typename copy_cv<From, To>::type;

/// One of two values of different types.
template <bool takes_first, class A, class B>
CUTE_HOST_DEVICE constexpr auto conditional_return(A const& a, B const& b) {
  if constexpr (takes_first) return a;
  else return b;
}
/// A condition known at run time chooses between values of one type.
template <class Condition, class A, class B>
CUTE_HOST_DEVICE constexpr auto conditional_return(Condition const& takes_first, A const& a, B const& b) {
  if constexpr (std::is_same_v<Condition, bool>) return takes_first ? a : b;
  else return conditional_return<static_cast<bool>(Condition::value)>(a, b);
}

/// Can these expressions be formed? is_valid([](auto& x) -> decltype(x.size()) {…}, object) answers with a constant.
template <class F, class... Args>
CUTE_HOST_DEVICE constexpr auto is_valid(F&&, Args&&...) {
  return std::bool_constant<std::is_invocable_v<F, Args&&...>>{};
}

template <class... T>
inline constexpr bool dependent_false = false;
/// Is T one of the types that follow?
template <class T, class... Candidates>
struct is_any_of : std::bool_constant<(false || ... || std::is_same_v<T, Candidates>)> {};
template <class T, class... Candidates>
inline constexpr bool is_any_of_v = is_any_of<T, Candidates...>::value;
/// One of two class templates.
template <bool TakesFirst, template <class...> class A, template <class...> class B>
struct conditional_template {
  template <class... T>
  using type = A<T...>;
};
template <template <class...> class A, template <class...> class B>
struct conditional_template<false, A, B> {
  template <class... T>
  using type = B<T...>;
};

}  // namespace cute

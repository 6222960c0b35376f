// The pieces of the standard library that the typed face needs, for NVRTC, which has none: run-time compilation then
// takes no include path but this library's. They are found under their usual names, std::is_same_v, by a using-directive
// in namespace std, which yields to whatever a program itself declares there (as cuda::std or PyTorch's preamble do).
#pragma once

#include "tilewright/base/config.hpp"

#if !TILEWRIGHT_HOSTED

namespace std {
// Structured bindings ask for these two in namespace std itself.
template <class T>
struct tuple_size;
template <decltype(sizeof(0)) N, class T>
struct tuple_element;
}  // namespace std

namespace tilewright::freestanding {

// --- <cstddef>, <cstdint> (LP64 and LLP64) ---------------------------------------------------------------------------
using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using nullptr_t = decltype(nullptr);
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = ptrdiff_t;
using intptr_t = ptrdiff_t;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned;
using uint64_t = size_t;
using uintptr_t = size_t;
enum class byte : unsigned char {};

// --- <type_traits> ---------------------------------------------------------------------------------------------------
template <class T, T v>
struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = integral_constant;
  __host__ __device__ constexpr operator T() const noexcept { return v; }
  __host__ __device__ constexpr T operator()() const noexcept { return v; }
};
template <bool v>
using bool_constant = integral_constant<bool, v>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = T;
template <class...>
using void_t = void;

template <bool, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> : type_identity<T> {};
template <bool B, class T = void>
using enable_if_t = typename enable_if<B, T>::type;

template <bool, class T, class>
struct conditional : type_identity<T> {};
template <class T, class U>
struct conditional<false, T, U> : type_identity<U> {};
template <bool B, class T, class U>
using conditional_t = typename conditional<B, T, U>::type;

template <class T>
struct remove_const : type_identity<T> {};
template <class T>
struct remove_const<T const> : type_identity<T> {};
template <class T>
struct remove_volatile : type_identity<T> {};
template <class T>
struct remove_volatile<T volatile> : type_identity<T> {};
template <class T>
struct remove_reference : type_identity<T> {};
template <class T>
struct remove_reference<T&> : type_identity<T> {};
template <class T>
struct remove_reference<T&&> : type_identity<T> {};
template <class T>
struct remove_pointer : type_identity<T> {};
template <class T>
struct remove_pointer<T*> : type_identity<T> {};
template <class T>
struct remove_pointer<T* const> : type_identity<T> {};
template <class T>
struct remove_extent : type_identity<T> {};
template <class T, size_t N>
struct remove_extent<T[N]> : type_identity<T> {};
template <class T>
struct remove_extent<T[]> : type_identity<T> {};
template <class T>
using remove_const_t = typename remove_const<T>::type;
template <class T>
using remove_volatile_t = typename remove_volatile<T>::type;
template <class T>
using remove_cv_t = remove_volatile_t<remove_const_t<T>>;
template <class T>
struct remove_cv : type_identity<remove_cv_t<T>> {};
template <class T>
using remove_reference_t = typename remove_reference<T>::type;
template <class T>
using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;
template <class T>
struct remove_cvref : type_identity<remove_cvref_t<T>> {};
template <class T>
using remove_pointer_t = typename remove_pointer<T>::type;
template <class T>
using remove_extent_t = typename remove_extent<T>::type;
template <class T>
using add_const_t = T const;
template <class T>
using add_pointer_t = remove_reference_t<T>*;

template <class T, class U>
inline constexpr bool is_same_v = false;
template <class T>
inline constexpr bool is_same_v<T, T> = true;
template <class T>
inline constexpr bool is_const_v = false;
template <class T>
inline constexpr bool is_const_v<T const> = true;
template <class T>
inline constexpr bool is_void_v = is_same_v<remove_cv_t<T>, void>;
template <class T>
inline constexpr bool is_reference_v = !is_same_v<T, remove_reference_t<T>>;
template <class T>
inline constexpr bool is_pointer_v = !is_same_v<remove_pointer_t<remove_cv_t<T>>, remove_cv_t<T>>;
template <class T>
inline constexpr bool is_array_v = false;
template <class T>
inline constexpr bool is_array_v<T[]> = true;
template <class T, size_t N>
inline constexpr bool is_array_v<T[N]> = true;
template <class T>
inline constexpr bool is_function_v = !is_const_v<T const> && !is_reference_v<T>;
template <class T>
inline constexpr bool is_object_v = is_const_v<T const> && !is_void_v<T>;
template <class T>
inline constexpr bool is_class_v = __is_class(T);
template <class T>
inline constexpr bool is_enum_v = __is_enum(T);
template <class T>
using underlying_type_t = __underlying_type(T);
template <class T>
inline constexpr bool is_empty_v = __is_empty(T);
template <class T>
inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class T>
inline constexpr bool is_trivially_destructible_v = __has_trivial_destructor(T);
template <class Base, class T>
inline constexpr bool is_base_of_v = __is_base_of(Base, T);
template <class From, class To>
inline constexpr bool is_convertible_v = __is_convertible_to(From, To);

namespace detail {
template <class T, class... List>
inline constexpr bool is_one_of = (is_same_v<remove_cv_t<T>, List> || ...);
}  // namespace detail

template <class T>
inline constexpr bool is_floating_point_v = detail::is_one_of<T, float, double, long double>;
template <class T>
inline constexpr bool is_integral_v =
    detail::is_one_of<T, bool, char, signed char, unsigned char, wchar_t, char16_t, char32_t, short, unsigned short,
                      int, unsigned, long, unsigned long, long long, unsigned long long>;
template <class T>
inline constexpr bool is_arithmetic_v = is_integral_v<T> || is_floating_point_v<T>;
template <class T>
inline constexpr bool is_signed_v = is_floating_point_v<T>;
template <class T>
requires is_integral_v<T>
inline constexpr bool is_signed_v<T> = T(-1) < T(0);
template <class T>
inline constexpr bool is_unsigned_v = is_integral_v<T> && !is_signed_v<T>;

template <class T>
using decay_t =
    conditional_t<is_array_v<remove_reference_t<T>>, remove_extent_t<remove_reference_t<T>>*, remove_cvref_t<T>>;

template <class T>
__host__ __device__ T&& declval() noexcept;
template <class To, class From>
inline constexpr bool is_assignable_v = requires {
  declval<To>() = declval<From>();
};

namespace detail {
/// std::common_type of types that need no specialisation of it: what the conditional operator makes of two.
template <class... T>
struct common;
template <class T>
struct common<T> : type_identity<decay_t<T>> {};
template <class T, class U, class... More>
struct common<T, U, More...> : common<decay_t<decltype(false ? declval<T>() : declval<U>())>, More...> {};

template <class F, class... Args>
concept Invocable = requires(F&& f, Args&&... args) {
  static_cast<F&&>(f)(static_cast<Args&&>(args)...);
};
}  // namespace detail

template <class... T>
using common_type_t = typename detail::common<T...>::type;
/// Of function objects and functions; members are called by no one here.
template <class F, class... Args>
inline constexpr bool is_invocable_v = detail::Invocable<F, Args...>;

// --- <utility> -------------------------------------------------------------------------------------------------------
template <class T, T... N>
struct integer_sequence {
  using value_type = T;
  __host__ __device__ static constexpr size_t size() noexcept { return sizeof...(N); }
};

namespace detail {
/// Halves, so that the depth of instantiations is the logarithm of the length.
template <class A, class B>
struct joined;
template <class T, T... A, T... B>
struct joined<integer_sequence<T, A...>, integer_sequence<T, B...>>
    : type_identity<integer_sequence<T, A..., (static_cast<T>(sizeof...(A)) + B)...>> {};
template <class T, size_t N>
struct counted : joined<typename counted<T, N / 2>::type, typename counted<T, N - N / 2>::type> {};
template <class T>
struct counted<T, 0> : type_identity<integer_sequence<T>> {};
template <class T>
struct counted<T, 1> : type_identity<integer_sequence<T, 0>> {};
}  // namespace detail

template <class T, T N>
using make_integer_sequence = typename detail::counted<T, static_cast<size_t>(N)>::type;
template <size_t... N>
using index_sequence = integer_sequence<size_t, N...>;
template <size_t N>
using make_index_sequence = make_integer_sequence<size_t, N>;

}  // namespace tilewright::freestanding

namespace std {
using namespace tilewright::freestanding;
}

#endif

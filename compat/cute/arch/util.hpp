// The address of shared memory as the instructions take it; calls of instructions whose registers are elements of arrays.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/int.hpp"
#include "cute/numeric/integer_sequence.hpp"
#include "tilewright/atom/ptx/target.hpp"

namespace cute {

using tilewright::cast_smem_ptr_to_uint;  // one function: uint128_t* would find a second one by its namespace

namespace detail {

/// fn(a[I]…, b[J]…, …), for copies and products of a program's own.
TILEWRIGHT_NO_EXEC_CHECK
template <class Fn, class A, int... I>
CUTE_HOST_DEVICE constexpr void explode(Fn fn, A&& a, int_sequence<I...>) {
  fn(a[I]...);
}
TILEWRIGHT_NO_EXEC_CHECK
template <class Fn, class S, int... I, class D, int... J>
CUTE_HOST_DEVICE constexpr void explode(Fn fn, S&& s, int_sequence<I...>, D&& d, int_sequence<J...>) {
  fn(s[I]..., d[J]...);
}
TILEWRIGHT_NO_EXEC_CHECK
template <class Fn, class A, int... I, class B, int... J, class C_, int... K>
CUTE_HOST_DEVICE constexpr void explode(Fn fn, A&& a, int_sequence<I...>, B&& b, int_sequence<J...>, C_&& c,
                                        int_sequence<K...>) {
  fn(a[I]..., b[J]..., c[K]...);
}
TILEWRIGHT_NO_EXEC_CHECK
template <class Fn, class D, int... I, class A, int... J, class B, int... K, class C_, int... L>
CUTE_HOST_DEVICE constexpr void explode(Fn fn, D&& d, int_sequence<I...>, A&& a, int_sequence<J...>, B&& b,
                                        int_sequence<K...>, C_&& c, int_sequence<L...>) {
  fn(d[I]..., a[J]..., b[K]..., c[L]...);
}
TILEWRIGHT_NO_EXEC_CHECK
template <class Fn, class D, int... I, class A, int... J, class B, int... K, class C_, int... L, class E, int... M>
CUTE_HOST_DEVICE constexpr void explode(Fn fn, D&& d, int_sequence<I...>, A&& a, int_sequence<J...>, B&& b,
                                        int_sequence<K...>, C_&& c, int_sequence<L...>, E&& e, int_sequence<M...>) {
  fn(d[I]..., a[J]..., b[K]..., c[L]..., e[M]...);
}

}  // namespace detail
}  // namespace cute

// Names for numbers that share factors: mx_float8_t<float_e4m3_t> are 8-bit floats with a float_ue8m0_t for each 32 of them,
// nv_float4_t<float_e2m1_t> 4-bit floats with a float_ue4m3_t for each 16. And narrow floats whose format is known at run time.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/numeric/numeric_types.hpp"

namespace cutlass {

union type_erased_dynamic_float8_t {
  std::uint8_t storage;
};
union type_erased_dynamic_float6_t {
  std::uint8_t storage;
};
union type_erased_dynamic_float4_t {
  std::uint8_t storage;
};

namespace detail {
template <class T, class Factor>
struct numbers_with_factors {
  using ScaleFactorType = Factor;
  using DataType = T;
};
}  // namespace detail

// Types of their own, since programs specialise templates for them.
template <class F8Type>
struct mx_float8_t : detail::numbers_with_factors<F8Type, cute::float_ue8m0_t> {};
template <class F6Type>
struct mx_float6_t : detail::numbers_with_factors<F6Type, cute::float_ue8m0_t> {};
template <class F4Type>
struct mx_float4_t : detail::numbers_with_factors<F4Type, cute::float_ue8m0_t> {};
template <class F4Type>
struct nv_float4_t : detail::numbers_with_factors<F4Type, cute::float_ue4m3_t> {};
using type_erased_dynamic_mx_float8_t = mx_float8_t<type_erased_dynamic_float8_t>;
using type_erased_dynamic_mx_float6_t = mx_float6_t<type_erased_dynamic_float6_t>;
using type_erased_dynamic_mx_float4_t = mx_float4_t<type_erased_dynamic_float4_t>;
using type_erased_dynamic_nv_float4_t = nv_float4_t<type_erased_dynamic_float4_t>;

}  // namespace cutlass

namespace tilewright {
template <>
struct sizeof_bits<cutlass::type_erased_dynamic_float6_t> {
  static constexpr int value = 6;
};
template <>
struct sizeof_bits<cutlass::type_erased_dynamic_float4_t> {
  static constexpr int value = 4;
};
}  // namespace tilewright

// CUDA's vector types (float4, uint3, ...) and dim3 where no header of CUDA is found, for host programs that view memory with them:
// recast<float4>(tensor), Copy_Atom<UniversalCopy<float4>, float>. Sizes and alignments are CUDA's: float4 is at multiples of 16 bytes,
// float3 at multiples of 4.
#pragma once

#include "tilewright/base/config.hpp"

#if __has_include(<vector_types.h>)
#include <vector_types.h>
#elif !defined(__CUDACC_RTC__)
#include "tilewright/machine/dim3.hpp"

namespace cute {

using tilewright::dim3;

namespace detail {
template <class T, int N>
struct cuda_vector;
template <class T>
struct cuda_vector<T, 1> {
  T x;
};
template <class T>
struct alignas(2 * sizeof(T)) cuda_vector<T, 2> {
  T x, y;
};
template <class T>
struct cuda_vector<T, 3> {
  T x, y, z;
};
template <class T>
struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) cuda_vector<T, 4> {
  T x, y, z, w;
};

/// make_float4(x, y, z, w) and its like.
template <class T, int N>
struct make_cuda_vector {
  template <class... X>
  requires(sizeof...(X) == N) constexpr cuda_vector<T, N> operator()(X const&... x) const {
    return {static_cast<T>(x)...};
  }
};
}  // namespace detail

using char1 = detail::cuda_vector<signed char, 1>;
using char2 = detail::cuda_vector<signed char, 2>;
using char3 = detail::cuda_vector<signed char, 3>;
using char4 = detail::cuda_vector<signed char, 4>;
using uchar1 = detail::cuda_vector<unsigned char, 1>;
using uchar2 = detail::cuda_vector<unsigned char, 2>;
using uchar3 = detail::cuda_vector<unsigned char, 3>;
using uchar4 = detail::cuda_vector<unsigned char, 4>;
using short1 = detail::cuda_vector<short, 1>;
using short2 = detail::cuda_vector<short, 2>;
using short3 = detail::cuda_vector<short, 3>;
using short4 = detail::cuda_vector<short, 4>;
using ushort1 = detail::cuda_vector<unsigned short, 1>;
using ushort2 = detail::cuda_vector<unsigned short, 2>;
using ushort3 = detail::cuda_vector<unsigned short, 3>;
using ushort4 = detail::cuda_vector<unsigned short, 4>;
using int1 = detail::cuda_vector<int, 1>;
using int2 = detail::cuda_vector<int, 2>;
using int3 = detail::cuda_vector<int, 3>;
using int4 = detail::cuda_vector<int, 4>;
using uint1 = detail::cuda_vector<unsigned, 1>;
using uint2 = detail::cuda_vector<unsigned, 2>;
using uint3 = detail::cuda_vector<unsigned, 3>;
using uint4 = detail::cuda_vector<unsigned, 4>;
using longlong1 = detail::cuda_vector<long long, 1>;
using longlong2 = detail::cuda_vector<long long, 2>;
using longlong3 = detail::cuda_vector<long long, 3>;
using longlong4 = detail::cuda_vector<long long, 4>;
using ulonglong1 = detail::cuda_vector<unsigned long long, 1>;
using ulonglong2 = detail::cuda_vector<unsigned long long, 2>;
using ulonglong3 = detail::cuda_vector<unsigned long long, 3>;
using ulonglong4 = detail::cuda_vector<unsigned long long, 4>;
using float1 = detail::cuda_vector<float, 1>;
using float2 = detail::cuda_vector<float, 2>;
using float3 = detail::cuda_vector<float, 3>;
using float4 = detail::cuda_vector<float, 4>;
using double1 = detail::cuda_vector<double, 1>;
using double2 = detail::cuda_vector<double, 2>;
using double3 = detail::cuda_vector<double, 3>;
using double4 = detail::cuda_vector<double, 4>;

inline constexpr detail::make_cuda_vector<signed char, 1> make_char1{};
inline constexpr detail::make_cuda_vector<signed char, 2> make_char2{};
inline constexpr detail::make_cuda_vector<signed char, 3> make_char3{};
inline constexpr detail::make_cuda_vector<signed char, 4> make_char4{};
inline constexpr detail::make_cuda_vector<unsigned char, 1> make_uchar1{};
inline constexpr detail::make_cuda_vector<unsigned char, 2> make_uchar2{};
inline constexpr detail::make_cuda_vector<unsigned char, 3> make_uchar3{};
inline constexpr detail::make_cuda_vector<unsigned char, 4> make_uchar4{};
inline constexpr detail::make_cuda_vector<short, 1> make_short1{};
inline constexpr detail::make_cuda_vector<short, 2> make_short2{};
inline constexpr detail::make_cuda_vector<short, 3> make_short3{};
inline constexpr detail::make_cuda_vector<short, 4> make_short4{};
inline constexpr detail::make_cuda_vector<unsigned short, 1> make_ushort1{};
inline constexpr detail::make_cuda_vector<unsigned short, 2> make_ushort2{};
inline constexpr detail::make_cuda_vector<unsigned short, 3> make_ushort3{};
inline constexpr detail::make_cuda_vector<unsigned short, 4> make_ushort4{};
inline constexpr detail::make_cuda_vector<int, 1> make_int1{};
inline constexpr detail::make_cuda_vector<int, 2> make_int2{};
inline constexpr detail::make_cuda_vector<int, 3> make_int3{};
inline constexpr detail::make_cuda_vector<int, 4> make_int4{};
inline constexpr detail::make_cuda_vector<unsigned, 1> make_uint1{};
inline constexpr detail::make_cuda_vector<unsigned, 2> make_uint2{};
inline constexpr detail::make_cuda_vector<unsigned, 3> make_uint3{};
inline constexpr detail::make_cuda_vector<unsigned, 4> make_uint4{};
inline constexpr detail::make_cuda_vector<long long, 1> make_longlong1{};
inline constexpr detail::make_cuda_vector<long long, 2> make_longlong2{};
inline constexpr detail::make_cuda_vector<long long, 3> make_longlong3{};
inline constexpr detail::make_cuda_vector<long long, 4> make_longlong4{};
inline constexpr detail::make_cuda_vector<unsigned long long, 1> make_ulonglong1{};
inline constexpr detail::make_cuda_vector<unsigned long long, 2> make_ulonglong2{};
inline constexpr detail::make_cuda_vector<unsigned long long, 3> make_ulonglong3{};
inline constexpr detail::make_cuda_vector<unsigned long long, 4> make_ulonglong4{};
inline constexpr detail::make_cuda_vector<float, 1> make_float1{};
inline constexpr detail::make_cuda_vector<float, 2> make_float2{};
inline constexpr detail::make_cuda_vector<float, 3> make_float3{};
inline constexpr detail::make_cuda_vector<float, 4> make_float4{};
inline constexpr detail::make_cuda_vector<double, 1> make_double1{};
inline constexpr detail::make_cuda_vector<double, 2> make_double2{};
inline constexpr detail::make_cuda_vector<double, 3> make_double3{};
inline constexpr detail::make_cuda_vector<double, 4> make_double4{};

}  // namespace cute

#endif

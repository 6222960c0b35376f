// What the fields of a TMA descriptor mean, for programs that make their maps by the driver's cuTensorMapEncodeTiled.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"
#include "cute/numeric/numeric_types.hpp"
#include "tilewright/tensor/in_a_byte.hpp"

#if TILEWRIGHT_HOSTED && __has_include(<cuda.h>)
#include <cuda.h>
#endif

namespace cute::TMA {

/// The bytes of a row of shared memory whose words are swizzled.
enum class SmemSwizzleBits : std::uint8_t { DISABLE = 0, B32 = 1, B64 = 2, B128 = 3 };
/// The bytes that a swizzle keeps together.
enum class SmemSwizzleBase : std::uint8_t {
  SWIZZLE_BASE_16B = 0,
  SWIZZLE_BASE_32B = 1,
  SWIZZLE_BASE_32B_FLIP_8B = 2,
  SWIZZLE_BASE_64B = 3
};
/// What elements beyond the tensor are.
enum class OOBFill : std::uint8_t { ZERO = 0, CONSTANT = 1 };
/// The bytes that the L2 cache fetches at once.
enum class L2Promotion : std::uint8_t { DISABLE = 0, B64 = 1, B128 = 2, B256 = 3 };

struct DescriptorAuxParams {
  OOBFill oobfill_ = OOBFill::ZERO;
  L2Promotion l2promo_ = L2Promotion::DISABLE;
};

CUTE_HOST_DEVICE constexpr char const* to_string(OOBFill fill) {
  switch (fill) {
    case OOBFill::ZERO: return "ZERO";
    case OOBFill::CONSTANT: return "CONSTANT";
  }
  return nullptr;
}
CUTE_HOST_DEVICE constexpr char const* to_string(L2Promotion bytes) {
  switch (bytes) {
    case L2Promotion::DISABLE: return "DISABLE";
    case L2Promotion::B64: return "B64";
    case L2Promotion::B128: return "B128";
    case L2Promotion::B256: return "B256";
  }
  return nullptr;
}

#if TILEWRIGHT_HOSTED && defined(CUDA_VERSION) && CUDA_VERSION >= 12000
namespace detail {
template <class T>
inline constexpr bool has_no_map_type = true;
template <class T, class... Types>
inline constexpr bool is_one_of = (std::is_same_v<T, Types> || ...);
}  // namespace detail

/// The driver's word for a type of elements. Floats of 8 bits are bytes.
template <class T>
CUtensorMapDataType to_CUtensorMapDataType() {
  using detail::is_one_of;
#if CUDA_VERSION >= 12080
  if constexpr (tilewright::bits_before_unpacking<T> == 4) return CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B;
  else if constexpr (tilewright::bits_before_unpacking<T> == 6) return CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B;
  else
#endif
      if constexpr (tilewright::sizeof_bits_v<T> == 8)
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  else if constexpr (std::is_same_v<T, std::uint16_t>) return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  else if constexpr (std::is_same_v<T, half_t>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  else if constexpr (std::is_same_v<T, bfloat16_t>) return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  else if constexpr (std::is_same_v<T, tfloat32_t>) return CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
  else if constexpr (std::is_same_v<T, float>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  else if constexpr (std::is_same_v<T, double>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 4)
    return std::is_signed_v<T> ? CU_TENSOR_MAP_DATA_TYPE_INT32 : CU_TENSOR_MAP_DATA_TYPE_UINT32;
  else if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    return std::is_signed_v<T> ? CU_TENSOR_MAP_DATA_TYPE_INT64 : CU_TENSOR_MAP_DATA_TYPE_UINT64;
#if CUDA_VERSION >= 12080
  else if constexpr (std::is_same_v<T, float_e2m1_t>) return CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B;
  else if constexpr (is_one_of<T, float_e2m3_t, float_e3m2_t>) return CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B;
#endif
  else {
    static_assert(!detail::has_no_map_type<T>,
                  "to_CUtensorMapDataType: TMA has no such type of elements; give the unsigned integer of its bits");
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  }
}
inline CUtensorMapSwizzle to_CUtensorMapSwizzle(
    SmemSwizzleBits bits, [[maybe_unused]] SmemSwizzleBase base = SmemSwizzleBase::SWIZZLE_BASE_16B) {
  switch (bits) {
    case SmemSwizzleBits::B32: return CU_TENSOR_MAP_SWIZZLE_32B;
    case SmemSwizzleBits::B64: return CU_TENSOR_MAP_SWIZZLE_64B;
    case SmemSwizzleBits::B128: break;
    case SmemSwizzleBits::DISABLE: return CU_TENSOR_MAP_SWIZZLE_NONE;
  }
#if CUDA_VERSION >= 12080
  switch (base) {
    case SmemSwizzleBase::SWIZZLE_BASE_32B: return CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B;
    case SmemSwizzleBase::SWIZZLE_BASE_32B_FLIP_8B: return CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B;
    case SmemSwizzleBase::SWIZZLE_BASE_64B: return CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B;
    case SmemSwizzleBase::SWIZZLE_BASE_16B: break;
  }
#endif
  return CU_TENSOR_MAP_SWIZZLE_128B;
}
inline CUtensorMapFloatOOBfill to_CUtensorMapFloatOOBfill(OOBFill fill) {
  return fill == OOBFill::CONSTANT ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                                   : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
}
inline CUtensorMapL2promotion to_CUtensorMapL2promotion(L2Promotion bytes) {
  switch (bytes) {
    case L2Promotion::B64: return CU_TENSOR_MAP_L2_PROMOTION_L2_64B;
    case L2Promotion::B128: return CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
    case L2Promotion::B256: return CU_TENSOR_MAP_L2_PROMOTION_L2_256B;
    case L2Promotion::DISABLE: break;
  }
  return CU_TENSOR_MAP_L2_PROMOTION_NONE;
}
#endif

}  // namespace cute::TMA

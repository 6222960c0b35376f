// The tensor map that the hardware reads, made by the driver (CUDA driver API: cuTensorMapEncodeTiled, found at run time,
// so that nothing links libcuda). Compiled without nvcc, or run without a driver, a map stays blank: the host bodies read
// its description instead.
#pragma once

#include "tilewright/machine/tma_tensor.hpp"

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstring>
#endif

namespace tilewright {

/// 128 bytes for the hardware, and what they say.
struct tma_descriptor {
  alignas(64) unsigned char encoded[128]{};
  tma_tensor tensor;
};
/// CuTe's name for it.
using TmaDescriptor = tma_descriptor;

namespace ptx {

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)

using encode_tiled = CUresult(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, cuuint64_t const*,
                              cuuint64_t const*, cuuint32_t const*, cuuint32_t const*, CUtensorMapInterleave,
                              CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/// The driver's function, or null where there is no driver.
inline encode_tiled* find_encode_tiled() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
#if CUDART_VERSION >= 12050
  auto const code =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status);
#else
  auto const code = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &status);
#endif
  if (code != cudaSuccess) (void)cudaGetLastError();
  if (code != cudaSuccess || status != cudaDriverEntryPointSuccess) return nullptr;
  return reinterpret_cast<encode_tiled*>(found);
}

/// pre: no rule of the description is broken
/// error: layout_error tma_driver where the driver refuses it all the same
inline void encode(tma_descriptor& map) {
  static encode_tiled* const function = find_encode_tiled();
  if (function == nullptr) return;
  tma_tensor const& t = map.tensor;
  cuuint64_t extent[tma_tensor::max_rank]{}, stride[tma_tensor::max_rank]{};
  cuuint32_t box[tma_tensor::max_rank]{}, step[tma_tensor::max_rank]{};
  for (int i = 0; i < t.rank; ++i) {
    extent[i] = static_cast<cuuint64_t>(t.extent[i]);
    if (i > 0) stride[i - 1] = static_cast<cuuint64_t>(t.stride[i]);
    box[i] = static_cast<cuuint32_t>(t.box[i]);
    step[i] = 1;
  }
  CUtensorMap encoded;
  static_assert(sizeof encoded == sizeof map.encoded, "tma_descriptor: this toolkit's tensor map is not 128 bytes");
  auto const code =
      function(&encoded, static_cast<CUtensorMapDataType>(t.element), static_cast<cuuint32_t>(t.rank), t.address,
               extent, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, static_cast<CUtensorMapSwizzle>(t.swizzle),
               CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  // Any other code is of a machine that cannot run TMA at all.
  if (code == CUDA_ERROR_INVALID_VALUE) raise({errc::tma_driver, static_cast<long long>(code), t.rank});
  if (code == CUDA_SUCCESS) std::memcpy(map.encoded, &encoded, sizeof encoded);
}

#elif TILEWRIGHT_HOSTED

inline void encode(tma_descriptor&) {}

#endif

}  // namespace ptx
}  // namespace tilewright

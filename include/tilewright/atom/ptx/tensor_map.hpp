// The tensor map that the hardware reads, made by the driver (CUDA driver API: cuTensorMapEncodeTiled and
// cuTensorMapEncodeIm2col, found at run time, so that nothing links libcuda). Compiled without nvcc, or run without a
// driver, a map stays blank: the host bodies read its description instead.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/machine/tma_im2col.hpp"
#include "tilewright/machine/tma_tensor.hpp"

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#include <cuda_runtime_api.h>

#include <cstring>
#endif

struct CUtensorMap_st;  // the driver's own type of a map, CUtensorMap in <cuda.h>

namespace tilewright {

/// 128 bytes for the hardware, and what they say.
struct tma_descriptor {
  alignas(64) unsigned char encoded[128]{};
  tma_tensor tensor;

  constexpr tma_descriptor() = default;
  /// A map that the program made by the driver. Its description stays empty: copies by it run on a GPU alone.
  template <std::same_as<CUtensorMap_st> Map>
  TILEWRIGHT_HOST_DEVICE tma_descriptor(Map const& map) {
    static_assert(sizeof(Map) == sizeof(encoded));
    auto const* const bytes = reinterpret_cast<unsigned char const*>(&map);
    for (unsigned i = 0; i < sizeof(encoded); ++i) encoded[i] = bytes[i];
  }
  template <std::same_as<CUtensorMap_st> Map>
  TILEWRIGHT_HOST_DEVICE operator Map const&() const {
    return reinterpret_cast<Map const&>(encoded);
  }
};
/// CuTe's name for it.
using TmaDescriptor = tma_descriptor;
/// The same of im2col mode.
struct tma_im2col_descriptor {
  alignas(64) unsigned char encoded[128]{};
  tma_im2col images;
};

namespace ptx {

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)

/// cuTensorMapEncodeTiled with its enumerations as the integers they are, so that no translation unit reads <cuda.h>:
/// (map, element, rank, address, extents, strides, box, steps, interleave, swizzle, L2 promotion, fill beyond) -> CUresult
using encode_tiled = int(void*, int, std::uint32_t, void*, std::uint64_t const*, std::uint64_t const*,
                         std::uint32_t const*, std::uint32_t const*, int, int, int, int);
inline constexpr int driver_success = 0, driver_invalid_value = 1;  // CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE
inline constexpr int no_interleave = 0, promote_to_128_bytes = 2, zeros_beyond = 0;

/// cuTensorMapEncodeIm2col in the same way: (…, strides, lower and upper corners along W, H, D, channels, pixels, steps, …)
using encode_im2col = int(void*, int, std::uint32_t, void*, std::uint64_t const*, std::uint64_t const*, int const*,
                          int const*, std::uint32_t, std::uint32_t, std::uint32_t const*, int, int, int, int);

/// The driver's function of that name, or null where there is no driver.
template <class Function>
Function* find_in_driver(char const* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
#if CUDART_VERSION >= 12050
  auto const code = cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &status);
#else
  auto const code = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &status);
#endif
  if (code != cudaSuccess) (void)cudaGetLastError();
  if (code != cudaSuccess || status != cudaDriverEntryPointSuccess) return nullptr;
  return reinterpret_cast<Function*>(found);
}

/// What both functions are told of a tensor.
struct driver_tensor {
  std::uint64_t extent[tma_tensor::max_rank]{}, stride[tma_tensor::max_rank]{};
  std::uint32_t box[tma_tensor::max_rank]{}, step[tma_tensor::max_rank]{};

  explicit driver_tensor(tma_tensor const& t) {
    for (int i = 0; i < t.rank; ++i) {
      extent[i] = static_cast<std::uint64_t>(t.extent[i]);
      if (i > 0) stride[i - 1] = static_cast<std::uint64_t>(t.stride[i]);
      box[i] = static_cast<std::uint32_t>(t.box[i]);
      step[i] = 1;
    }
  }
};
/// Any other code is of a machine that cannot run TMA at all: there the map stays blank.
inline void keep_map(unsigned char (&map)[128], unsigned char const (&encoded)[128], int code, int rank) {
  if (code == driver_invalid_value) raise({errc::tma_driver, code, rank});
  if (code == driver_success) std::memcpy(map, encoded, sizeof encoded);
}

/// pre: no rule of the description is broken
/// error: layout_error tma_driver where the driver refuses it all the same
inline void encode(tma_descriptor& map) {
  static encode_tiled* const function = find_in_driver<encode_tiled>("cuTensorMapEncodeTiled");
  if (function == nullptr) return;
  tma_tensor const& t = map.tensor;
  driver_tensor const d(t);
  alignas(64) unsigned char encoded[128];
  int const code =
      function(encoded, static_cast<int>(t.element), static_cast<std::uint32_t>(t.rank), t.address, d.extent, d.stride,
               d.box, d.step, no_interleave, static_cast<int>(t.swizzle), promote_to_128_bytes, zeros_beyond);
  keep_map(map.encoded, encoded, code, t.rank);
}
inline void encode(tma_im2col_descriptor& map) {
  static encode_im2col* const function = find_in_driver<encode_im2col>("cuTensorMapEncodeIm2col");
  if (function == nullptr) return;
  tma_tensor const& t = map.images.tensor;
  driver_tensor d(t);
  int lower[tma_im2col::max_windows]{}, upper[tma_im2col::max_windows]{};
  for (int i = 0; i < map.images.windows(); ++i) {
    lower[i] = map.images.window[i].lower;
    upper[i] = map.images.window[i].upper;
    d.step[i + 1] = static_cast<std::uint32_t>(map.images.window[i].step);
  }
  alignas(64) unsigned char encoded[128];
  int const code = function(encoded, static_cast<int>(t.element), static_cast<std::uint32_t>(t.rank), t.address,
                            d.extent, d.stride, lower, upper, d.box[0], static_cast<std::uint32_t>(map.images.pixels),
                            d.step, no_interleave, static_cast<int>(t.swizzle), promote_to_128_bytes, zeros_beyond);
  keep_map(map.encoded, encoded, code, t.rank);
}

#elif TILEWRIGHT_HOSTED

inline void encode(tma_descriptor&) {}
inline void encode(tma_im2col_descriptor&) {}

#endif

}  // namespace ptx
}  // namespace tilewright

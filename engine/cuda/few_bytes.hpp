// The body of the kernel that copies a run of few bytes: a kernel starts faster than the driver's own copy (6.32 microseconds of a
// planned copy of 64 floats from Python; a transpose of them, by a kernel, 5.53). Host code runs the same body in the tests.
#pragma once

#include "tilewright/base/config.hpp"

#include <cstdint>

namespace tilewright::gpu {

/// Above, the copy's own time counts, and the driver knows the device.
inline constexpr std::uint64_t few_bytes = 1 << 16;
inline constexpr std::uint32_t few_bytes_threads = 256;   // of a block,
inline constexpr std::uint32_t few_bytes_of_thread = 16;  // each of which copies about so many

/// The bytes of whatever objects are there.
struct TILEWRIGHT_MAY_ALIAS alignas(16) sixteen_bytes {
  std::uint64_t low, high;
};

/// Thread `thread` of `threads` copies its part of the bytes: 16 at once where both addresses are multiples of 16.
TILEWRIGHT_FN void copy_few_bytes(unsigned char const* src, unsigned char* dst, std::uint64_t bytes,
                                  std::uint32_t thread, std::uint32_t threads) {
  std::uint64_t whole = 0;
  if ((reinterpret_cast<std::uintptr_t>(src) | reinterpret_cast<std::uintptr_t>(dst)) % 16 == 0) {
    whole = bytes / 16;
    auto const* const from = reinterpret_cast<sixteen_bytes const*>(src);
    auto* const to = reinterpret_cast<sixteen_bytes*>(dst);
    for (std::uint64_t i = thread; i < whole; i += threads) to[i] = from[i];
  }
  for (std::uint64_t i = 16 * whole + thread; i < bytes; i += threads) dst[i] = src[i];
}

}  // namespace tilewright::gpu

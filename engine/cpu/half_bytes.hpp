// Elements of half a byte in memory: two are in a byte, low half first.
#pragma once

#include "engine/cpu/kernels.hpp"

#include <atomic>
#include <cstdint>

namespace tilewright::cpu_engine {

/// >> rounds down: offset -1 is the high half of the byte before.
inline byte half_at(byte const* src, std::int64_t at) { return static_cast<byte>(src[at >> 1] >> (4 * (at & 1)) & 15); }

/// Its neighbour may be another thread's, so the byte changes in one atomic step.
inline void put_half(byte* dst, std::int64_t at, byte half) {
  int const shift = 4 * static_cast<int>(at & 1);
  std::atomic_ref<byte> cell(dst[at >> 1]);
  byte seen = cell.load(std::memory_order_relaxed);
  while (!cell.compare_exchange_weak(seen, static_cast<byte>((seen & ~(15 << shift)) | half << shift),
                                     std::memory_order_relaxed)) {}
}

}  // namespace tilewright::cpu_engine

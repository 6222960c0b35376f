// What the realigned kernel (body.hpp) does with words: loads and stores at addresses that are numbers, shifts through two words, and
// words of other threads of the warp.
#pragma once

#include "engine/kernels/cuda/tile/body_load.hpp"
#include "tilewright/atom/ptx/global_words.hpp"
#include "tilewright/atom/ptx/shuffle.hpp"
#include "tilewright/base/config.hpp"
#if TILEWRIGHT_HOSTED
#include "tilewright/machine/host_thread.hpp"
#endif

namespace tilewright::kernels {

/// pre: `at` is a multiple of Bytes, 4 or 8
template <int Bytes, bool EvictLast>
TILEWRIGHT_FN bundle<Bytes> load_at(address at) {
#if TILEWRIGHT_ON_DEVICE
  if constexpr (!EvictLast) {
    bundle<Bytes> out;
    ptx::load_global_words<Bytes>(at, out.words);
    return out;
  }
#endif
  return load_global<Bytes, EvictLast>(reinterpret_cast<void const*>(at));
}
template <int Bytes>
TILEWRIGHT_FN void store_at(address at, bundle<Bytes> const& in) {
#if TILEWRIGHT_ON_DEVICE
  ptx::store_global_words<Bytes>(at, in.words);
#else
  store_words<Bytes>(reinterpret_cast<void*>(at), in);
#endif
}

/// The word of another thread of the warp, whose number is taken modulo 32.
/// pre: every thread of the warp calls it
TILEWRIGHT_NO_EXEC_CHECK
TILEWRIGHT_FN unsigned word_of_lane(unsigned mine, int lane) {
#if TILEWRIGHT_ON_DEVICE
  return ptx::shuffle_from(mine, lane);
#elif TILEWRIGHT_HOSTED
  unsigned words[32];
  __builtin_memcpy(words, thread_of_a_warp().exchange("shfl.sync", &mine, sizeof(mine)), sizeof(words));
  return words[lane & 31];
#else
  return lane < 0 ? 0 : mine;
#endif
}

/// The low word of (high, low) shifted right, and the high word shifted left, by `bits` modulo 32.
TILEWRIGHT_FN unsigned low_word_shifted(unsigned low, unsigned high, unsigned bits) {
#if TILEWRIGHT_ON_DEVICE
  return __funnelshift_r(low, high, bits);
#else
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (bits % 32));
#endif
}
TILEWRIGHT_FN unsigned high_word_shifted(unsigned low, unsigned high, unsigned bits) {
#if TILEWRIGHT_ON_DEVICE
  return __funnelshift_l(low, high, bits);
#else
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32 | low) << (bits % 32)) >> 32);
#endif
}

}  // namespace tilewright::kernels

// One thread's share of the tiled copies whose machine code is looked at: 4×8 threads carry 128 bits each, from global
// to shared memory, with every layout a constant. Each function is what one thread of a block runs.
#include "tilewright/tilewright.hpp"

namespace {

using namespace tilewright;

using copy_128_bits = decltype(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{},
                                               Layout<Shape<_1, _1>>{}));

template <class Tile>
inline void copy_tile(float const* src_data, float* dst_data, int thread) {
  auto const src = make_tensor(make_gmem_ptr(src_data), Tile{});  // (M, N)
  auto dst = make_tensor(make_smem_ptr(dst_data), Tile{});        // (M, N)
  auto const thr_copy = copy_128_bits{}.get_slice(thread);
  auto const from = thr_copy.partition_S(src);  // (Cpy, RestM, RestN)
  auto to = thr_copy.partition_D(dst);          // (Cpy, RestM, RestN)
  copy(copy_128_bits{}, from, to);
}

}  // namespace

// The tile of one round: one atom a thread.
extern "C" void copy_16x8(float const* src, float* dst, int thread) {
  copy_tile<Layout<Shape<_16, _8>>>(src, dst, thread);
}

// 8×16 rounds: 128 atoms a thread.
extern "C" void copy_128x128(float const* src, float* dst, int thread) {
  copy_tile<Layout<Shape<_128, _128>>>(src, dst, thread);
}

// The same where the compiler knows that the thread is one of the copy's own: what it saves is the inactive-thread test.
extern "C" void active_16x8(float const* src, float* dst, int thread) {
  if (thread < 0 || thread >= 32) __builtin_unreachable();
  copy_tile<Layout<Shape<_16, _8>>>(src, dst, thread);
}

// What one round would be by hand.
extern "C" void by_hand_16x8(float const* src, float* dst, int thread) {
  using vector = float __attribute__((vector_size(16)));
  unsigned const at = static_cast<unsigned>(thread) * 4;  // 4 floats a thread, column after column
  *reinterpret_cast<vector*>(dst + at) = *reinterpret_cast<vector const*>(src + at);
}

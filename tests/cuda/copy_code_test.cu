// archs: 80 90 100
// sass: tiled_static LDG\.\S*128=16 LDG\.=16 STG\.\S*128=16 STG\.=16 LDL=0 STL=0
// sass: hand_static LDG\.\S*128=16 LDG\.=16 STG\.\S*128=16 STG\.=16 LDL=0 STL=0
// sass: tiled_dynamic LDG\.\S*128=16 LDG\.=16 STG\.\S*128=16 STG\.=16 LDL=0 STL=0
// sass: hand_dynamic LDG\.\S*128=16 LDG\.=16 STG\.\S*128=16 STG\.=16 LDL=0 STL=0
// length: tiled_static hand_static 6
// length: tiled_dynamic hand_dynamic 44
// What a tiled copy costs in instructions: tiles of 128 × 64 floats by 128 threads, from global memory to registers and
// back to global memory in vectors of 4, with strides known at compile time and at run time; beside each the same
// accesses written by hand. With run-time strides the library's offsets are 64 bits wide, two additions for each access,
// where the kernel by hand trusts that 32 bits suffice.
#include "support/device.hpp"
#include "tilewright/tilewright.hpp"

#include <numeric>

using namespace tilewright;
using namespace tilewright::cuda_test;

/// (thr, val) -> (m, n) of the tile, m fastest: 32 threads side by side along m, every fourth column for each thread.
using TvLayout = Layout<Shape<Shape<_32, _4>, Shape<_4, _16>>, Stride<Stride<_4, _128>, Stride<_1, _512>>>;

/// Block b copies the b-th tile along n.
template <class L>
__device__ __forceinline__ void copy_tile(float const* in, float* out, L const& layout) {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, TvLayout{}, Shape<_128, _64>{});
  auto const where = make_coord(0, int(blockIdx.x));
  auto const thr_copy = tiled_copy.get_slice(int(threadIdx.x));
  auto const from = thr_copy.partition_S(local_tile(make_tensor(make_gmem_ptr(in), layout), Shape<_128, _64>{}, where));
  auto const to = thr_copy.partition_D(local_tile(make_tensor(make_gmem_ptr(out), layout), Shape<_128, _64>{}, where));
  auto registers = make_fragment_like(from);  // (Cpy, RestM, RestN)
  copy(tiled_copy, from, registers);
  copy(tiled_copy, registers, to);
}
__device__ __forceinline__ void copy_tile_by_hand(float const* in, float* out, int ld) {
  int const m = int(threadIdx.x) % 32 * 4, n = int(threadIdx.x) / 32;
  int const begin = m + (int(blockIdx.x) * 64 + n) * ld;
  float4 registers[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) registers[i] = *reinterpret_cast<float4 const*>(in + begin + 4 * i * ld);
#pragma unroll
  for (int i = 0; i < 16; ++i) *reinterpret_cast<float4*>(out + begin + 4 * i * ld) = registers[i];
}

__global__ void tiled_static(float const* in, float* out, int columns) {
  copy_tile(in, out, make_layout(make_shape(_128{}, columns), make_stride(_1{}, _128{})));
}
__global__ void hand_static(float const* in, float* out, int) { copy_tile_by_hand(in, out, 128); }
__global__ void tiled_dynamic(float const* in, float* out, int columns, int ld) {
  copy_tile(in, out, make_layout(make_shape(_128{}, columns), make_stride(_1{}, ld)));
}
__global__ void hand_dynamic(float const* in, float* out, int, int ld) { copy_tile_by_hand(in, out, ld); }

int main() {
  return run("copy code", [] {
    constexpr int tiles = 5, columns = 64 * tiles, wide = 160;  // the last 32 of whose rows no tile has
    std::vector<float> in(wide * columns);
    std::iota(in.begin(), in.end(), 0.0f);
    device_array<float> const from(in);
    device_array<float> to(in.size());
    auto const check = [&](char const* kernel, int ld, auto const& start) {
      to = std::vector<float>(in.size(), -1.0f);
      start();
      check_cuda(cudaGetLastError(), kernel);
      auto const out = to.host();
      for (int i = 0; i < wide * columns; ++i) {
        auto const at = static_cast<std::size_t>(i);
        bool const copied = i % ld < 128 && i < ld * columns;
        expect(out[at] == (copied ? in[at] : -1.0f), kernel, i);
      }
    };
    check("tiled_static", 128, [&] { tiled_static<<<tiles, 128>>>(from.data(), to.data(), columns); });
    check("hand_static", 128, [&] { hand_static<<<tiles, 128>>>(from.data(), to.data(), columns); });
    check("tiled_dynamic", wide, [&] { tiled_dynamic<<<tiles, 128>>>(from.data(), to.data(), columns, wide); });
    check("hand_dynamic", wide, [&] { hand_dynamic<<<tiles, 128>>>(from.data(), to.data(), columns, wide); });
  });
}

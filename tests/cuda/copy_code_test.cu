// archs: 80 90 100
// sass: tiled_static LDG\.\S*128=16 LDG\.=16 STG\.\S*128=16 STG\.=16 LDL=0 STL=0
// sass: hand_static LDG\.\S*128=16 LDG\.=16 STG\.\S*128=16 STG\.=16 LDL=0 STL=0
// sass: tiled_dynamic LDG\.\S*128=16 LDG\.=16 STG\.\S*128=16 STG\.=16 LDL=0 STL=0
// sass: hand_dynamic LDG\.\S*128=16 LDG\.=16 STG\.\S*128=16 STG\.=16 LDL=0 STL=0
// sass: tiled8_static LDG\.\S*128=8 LDG\.=8 STG\.\S*128=8 STG\.=8 LDL=0 STL=0
// sass: hand8_static LDG\.\S*128=8 LDG\.=8 STG\.\S*128=8 STG\.=8 LDL=0 STL=0
// sass: tiled8_dynamic LDG\.\S*128=8 LDG\.=8 STG\.\S*128=8 STG\.=8 LDL=0 STL=0
// sass: hand8_dynamic LDG\.\S*128=8 LDG\.=8 STG\.\S*128=8 STG\.=8 LDL=0 STL=0
// length: tiled_static hand_static 6
// length: tiled_dynamic hand_dynamic 44
// length: tiled8_static hand8_static 6
// length: tiled8_dynamic hand8_dynamic 28
// What a tiled copy costs in instructions: tiles of 128 × 64 floats (16 vectors of 4 a thread) and of 128 × 32 (8 vectors) by
// 128 threads, from global memory to registers and back, with strides known at compile time and at run time; beside each the
// same accesses written by hand. With run-time strides the library's offsets are 64 bits wide, two additions for each
// access, where the kernel by hand trusts that 32 bits suffice.
#include "support/device.hpp"
#include "tilewright/tilewright.hpp"

#include <numeric>

using namespace tilewright;
using namespace tilewright::cuda_test;

/// (thr, val) -> (m, n) of a tile of so many columns, m fastest: 32 threads side by side along m, every fourth column for
/// each thread.
template <int Columns>
using TvLayout = Layout<Shape<Shape<_32, _4>, Shape<_4, C<Columns / 4>>>, Stride<Stride<_4, _128>, Stride<_1, _512>>>;

/// Block b copies the b-th tile along n.
template <int Columns, class L>
__device__ __forceinline__ void copy_tile(float const* in, float* out, L const& layout) {
  using Tile = Shape<_128, C<Columns>>;
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, TvLayout<Columns>{}, Tile{});
  auto const where = make_coord(0, int(blockIdx.x));
  auto const thr_copy = tiled_copy.get_slice(int(threadIdx.x));
  auto const from = thr_copy.partition_S(local_tile(make_tensor(make_gmem_ptr(in), layout), Tile{}, where));
  auto const to = thr_copy.partition_D(local_tile(make_tensor(make_gmem_ptr(out), layout), Tile{}, where));
  auto registers = make_fragment_like(from);  // (Cpy, RestM, RestN)
  copy(tiled_copy, from, registers);
  copy(tiled_copy, registers, to);
}
template <int Columns>
__device__ __forceinline__ void copy_tile_by_hand(float const* in, float* out, int ld) {
  constexpr int vectors = Columns / 4;
  int const m = int(threadIdx.x) % 32 * 4, n = int(threadIdx.x) / 32;
  int const begin = m + (int(blockIdx.x) * Columns + n) * ld;
  float4 registers[vectors];
#pragma unroll
  for (int i = 0; i < vectors; ++i) registers[i] = *reinterpret_cast<float4 const*>(in + begin + 4 * i * ld);
#pragma unroll
  for (int i = 0; i < vectors; ++i) *reinterpret_cast<float4*>(out + begin + 4 * i * ld) = registers[i];
}

template <int Columns>
__device__ __forceinline__ void copy_static(float const* in, float* out, int columns) {
  copy_tile<Columns>(in, out, make_layout(make_shape(_128{}, columns), make_stride(_1{}, _128{})));
}
template <int Columns>
__device__ __forceinline__ void copy_dynamic(float const* in, float* out, int columns, int ld) {
  copy_tile<Columns>(in, out, make_layout(make_shape(_128{}, columns), make_stride(_1{}, ld)));
}

__global__ void tiled_static(float const* in, float* out, int columns, int) { copy_static<64>(in, out, columns); }
__global__ void hand_static(float const* in, float* out, int, int) { copy_tile_by_hand<64>(in, out, 128); }
__global__ void tiled_dynamic(float const* in, float* out, int columns, int ld) {
  copy_dynamic<64>(in, out, columns, ld);
}
__global__ void hand_dynamic(float const* in, float* out, int, int ld) { copy_tile_by_hand<64>(in, out, ld); }
__global__ void tiled8_static(float const* in, float* out, int columns, int) { copy_static<32>(in, out, columns); }
__global__ void hand8_static(float const* in, float* out, int, int) { copy_tile_by_hand<32>(in, out, 128); }
__global__ void tiled8_dynamic(float const* in, float* out, int columns, int ld) {
  copy_dynamic<32>(in, out, columns, ld);
}
__global__ void hand8_dynamic(float const* in, float* out, int, int ld) { copy_tile_by_hand<32>(in, out, ld); }

int main() {
  return run("copy code", [] {
    constexpr int tiles = 5, most = 64 * tiles, wide = 160;  // the last 32 of whose rows no tile has
    std::vector<float> in(wide * most);
    std::iota(in.begin(), in.end(), 0.0f);
    device_array<float> const from(in);
    device_array<float> to(in.size());
    using kernel = void(float const*, float*, int, int);
    auto const check = [&](char const* name, kernel* start, int each, int ld) {
      int const columns = each * tiles;
      to = std::vector<float>(in.size(), -1.0f);
      start<<<tiles, 128>>>(from.data(), to.data(), columns, ld);
      check_cuda(cudaGetLastError(), name);
      auto const out = to.host();
      for (int i = 0; i < wide * most; ++i) {
        auto const at = static_cast<std::size_t>(i);
        bool const copied = i % ld < 128 && i < ld * columns;
        expect(out[at] == (copied ? in[at] : -1.0f), name, i);
      }
    };
    check("tiled_static", tiled_static, 64, 128);
    check("hand_static", hand_static, 64, 128);
    check("tiled_dynamic", tiled_dynamic, 64, wide);
    check("hand_dynamic", hand_dynamic, 64, wide);
    check("tiled8_static", tiled8_static, 32, 128);
    check("hand8_static", hand8_static, 32, 128);
    check("tiled8_dynamic", tiled8_dynamic, 32, wide);
    check("hand8_dynamic", hand8_dynamic, 32, wide);
  });
}

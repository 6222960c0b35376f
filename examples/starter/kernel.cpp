// A kernel: 32 threads copy a 128×128 matrix, 16 bytes at a time, and each block copies a tile of 16 rows.
#include "tilewright/exec/launch_checked.hpp"
#include "tilewright/tilewright.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

using namespace tilewright;

alignas(16) float in[128 * 128], out[128 * 128];

int main() {
  auto const tiled_copy = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},  // 4 floats an instruction
                                          Layout<Shape<_4, _8>>{},                       // 32 threads: 4 down, 8 across
                                          Layout<Shape<_4, _1>>{});                      // 4 values each, down
  auto const kernel = [=](auto& block, auto src, auto dst) {
    auto const tiler = Shape<_16, _128>{};
    auto const coord = make_coord(static_cast<int>(block.index().x), 0);
    auto const mine = tiled_copy.get_slice(block.thread());
    auto const from = mine.partition_S(local_tile(src, tiler, coord));  // ((4,1), 1, 16)
    auto const to = mine.partition_D(local_tile(dst, tiler, coord));    // ((4,1), 1, 16)
    copy(tiled_copy, from, to);
  };

  std::iota(std::begin(in), std::end(in), 0.0f);
  auto const src = make_tensor(make_gmem_ptr(&in[0]), Shape<_128, _128>{});   // (M, N), column-major
  auto const dst = make_tensor(make_gmem_ptr(&out[0]), Shape<_128, _128>{});  // (M, N)
  launch_checked(8, 32, kernel, src, dst);  // `launch` is the fast one: it does not watch accesses
  std::printf("kernel: %s\n", std::equal(std::begin(in), std::end(in), std::begin(out)) ? "copied" : "wrong");
}

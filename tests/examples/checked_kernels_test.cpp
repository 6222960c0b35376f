// The examples' kernels under launch_checked: whatever the order in which their threads run, nothing is read that no
// barrier ordered, nothing is accessed out of bounds, and every element arrives.
#include "examples/copy_3d.hpp"
#include "examples/four_copies.hpp"
#include "examples/manual_partition.hpp"
#include "examples/packed_uint4.hpp"
#include "examples/ragged_matrix.hpp"
#include "examples/tile_kernels.hpp"

#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

using namespace tilewright;
using namespace tilewright::examples;

namespace {

constexpr std::uint64_t seeds = 3;

template <class Kernel, class... Args>
void run_in_several_orders(dim3 grid, dim3 block, Kernel const& kernel, Args const&... args) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    ASSERT_NO_THROW(launch_checked({.grid = grid, .block = block, .seed = seed}, kernel, args...)) << "seed " << seed;
}

}  // namespace

TEST(examples, tile_kernel_is_free_of_faults) {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
  auto const tile = make_layout(Shape<_32, _16>{});
  auto const data = counted_up(tile);
  std::vector<int> found(32, -1);
  run_in_several_orders(1, 32, copy_tile{}, tiled_copy, make_tensor(make_gmem_ptr(data.data()), tile), tile,
                        make_tensor(make_gmem_ptr(found.data()), Shape<_32>{}));
  EXPECT_EQ(found, std::vector<int>(32, 0));
}

TEST(examples, partition_by_hand_is_free_of_faults) {
  auto const tile = make_layout(Shape<_16, _32>{});
  auto const data = counted_up(tile);
  std::vector<int> found(256, -1);
  run_in_several_orders(1, 256, copy_by_hand{}, make_tensor(make_gmem_ptr(data.data()), tile), tile,
                        Layout<Shape<_8, _32>>{}, make_tensor(make_gmem_ptr(found.data()), Shape<_256>{}));
  EXPECT_EQ(found, std::vector<int>(256, 0));
}

TEST(examples, four_copies_are_free_of_faults) {
  auto const layout = make_layout(Shape<_8, _128>{}, LayoutRight{});
  auto const data = counted_up(layout);
  auto const a = make_tensor(make_gmem_ptr(data.data()), layout);
  auto const check = [&](auto const& kernel) {
    std::vector<float> registers(data.size());
    auto const out = make_tensor(make_gmem_ptr(registers.data()), make_layout(Shape<_128, _8>{}, LayoutRight{}));
    run_in_several_orders(1, 128, kernel, a, out);
    EXPECT_EQ(registers, data);
  };
  check(copy_by_index{});
  check(copy_by_algebra{});
  check(copy_by_composition{});
  check(copy_by_tiled_copy{});
}

TEST(examples, ragged_copy_stays_within_its_matrix) {
  auto const tiled_copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_4, _1>>{});
  for (int const rows : {1, 3, 31, 32, 33, 64}) {
    auto const matrix = make_layout(make_shape(rows, 19), make_stride(_1{}, 64));
    std::vector<float> in(64 * 19), out(64 * 19);
    std::iota(in.begin(), in.end(), 1.0f);
    auto const src = make_tensor(make_gmem_ptr(in.data()), matrix);
    auto const dst = make_tensor(make_gmem_ptr(out.data()), matrix);
    run_in_several_orders(dim3(static_cast<unsigned>((rows + 31) / 32), 2), 32, copy_ragged{}, tiled_copy,
                          Shape<_32, _16>{}, src, dst);
    for (int n = 0; n < 19; ++n)
      for (int m = 0; m < 64; ++m) {
        auto const at = static_cast<std::size_t>(n * 64 + m);
        ASSERT_EQ(out[at], m < rows ? in[at] : 0.0f) << rows << " rows, element (" << m << "," << n << ")";
      }
  }
}

TEST(examples, copies_of_volumes_and_packed_elements_are_free_of_faults) {
  auto const threads = make_layout(Shape<_2, _4, _4>{}, LayoutRight{});
  auto const values = make_layout(Shape<_1, _1, _4>{}, LayoutRight{});
  auto const extents = Shape<_4, _8, _16>{};
  std::vector<float> in(512), out(512);
  std::iota(in.begin(), in.end(), 0.0f);
  auto const src = make_tensor(make_gmem_ptr(in.data()), make_layout(extents, LayoutRight{}));
  auto const dst = make_tensor(make_gmem_ptr(out.data()), make_layout(extents));
  run_in_several_orders(1, 32, copy_volume{},
                        make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, threads, values),
                        make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, threads, values), src, dst);
  for (int i = 0; i < 512; ++i) ASSERT_EQ(dst(i), src(i)) << i;

  auto const packed = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, uint4b_t>{}, Layout<Shape<_2, _16>>{},
                                      Layout<Shape<_32, _1>>{});
  std::vector<uint128_t> bits(32), copied(32);
  auto const tile = make_layout(Shape<_64, _16>{});
  auto const from = make_tensor(make_gmem_ptr(reinterpret_cast<uint4b_t*>(bits.data())), tile);
  for (int i = 0; i < size(from); ++i) from(i) = uint4b_t(i % 11);
  run_in_several_orders(1, 32, copy_packed{}, packed, from,
                        make_tensor(make_gmem_ptr(reinterpret_cast<uint4b_t*>(copied.data())), tile));
  EXPECT_EQ(copied, bits);
}

// Tensor maps that a kernel changes: for a group of matrices whose addresses and extents the map was not made for.
#include <gtest/gtest.h>
#include <cute/atom/copy_traits_sm90_tma.hpp>
#include <cute/tensor.hpp>

#include <cstdint>
#include <stdexcept>
#include <vector>

using namespace cute;

namespace {

/// A matrix (m,n) whose rows are contiguous.
auto matrix(float* data, int m, int n) {
  return make_tensor(make_gmem_ptr(data), make_layout(make_shape(m, n), make_stride(n, _1{})));
}

using Tile = Layout<Shape<_4, _8>, Stride<_8, _1>>;

/// The map of `copy` changed to the matrix.
template <class Copy, class T>
TmaDescriptor changed_map(Copy const& copy, T const& tensor) {
  TmaDescriptor map = *copy.get_tma_descriptor(), published{};
  cute::array<std::uint32_t, 5> extents{1, 1, 1, 1, 1};
  cute::array<std::uint64_t, 5> strides{0, 0, 0, 0, 0};
  cute::detail::fill_tma_gmem_shape_stride(copy, tensor, extents, strides);
  for (auto& s : strides) s = s * sizeof_bits_v<typename T::value_type> / 8;
  tma_descriptor_replace_addr_in_shared_mem(map, raw_pointer_cast(tensor.data()));
  tma_descriptor_replace_dims_strides_in_shared_mem(map, extents, strides);
  tma_descriptor_cp_fence_release(&published, map);
  tma_descriptor_fence_acquire(&published);
  return published;
}

TEST(CuteTensorMaps, ExtentsAndStridesInTheOrderOfTheMap) {
  float data[16]{};
  auto const copy = make_tma_copy(SM90_TMA_LOAD{}, matrix(data, 2, 8), Tile{});
  cute::array<std::uint32_t, 5> extents{1, 1, 1, 1, 1};
  cute::array<std::uint64_t, 5> strides{};
  cute::detail::fill_tma_gmem_shape_stride(copy, matrix(nullptr, 12, 40), extents, strides);
  EXPECT_EQ(extents[0], 40u);  // the contiguous mode of the map comes first
  EXPECT_EQ(extents[1], 12u);
  EXPECT_EQ(extents[2], 1u);
  EXPECT_EQ(strides[0], 1u);
  EXPECT_EQ(strides[1], 40u);
}

TEST(CuteTensorMaps, CopiesByAChangedMap) {
  constexpr int m = 7, n = 16;
  std::vector<float> small(4 * 8), from(m * n), to(m * n, -1.0f);
  for (int i = 0; i < m * n; ++i) from[static_cast<std::size_t>(i)] = static_cast<float>(i);
  auto const load = make_tma_copy(SM90_TMA_LOAD{}, matrix(small.data(), 4, 8), Tile{});
  auto const store = make_tma_copy(SM90_TMA_STORE{}, matrix(small.data(), 4, 8), Tile{});
  TmaDescriptor const source = changed_map(load, matrix(from.data(), m, n));
  TmaDescriptor const target = changed_map(store, matrix(to.data(), m, n));
  alignas(128) float shared[4 * 8];
  alignas(8) std::uint64_t barrier = 0;
  auto const tile = make_tensor(make_smem_ptr(&shared[0]), Tile{});
  auto const gS = local_tile(load.get_tma_tensor(make_shape(m, n)), Shape<_4, _8>{}, make_coord(_, _));
  auto const gD = local_tile(store.get_tma_tensor(make_shape(m, n)), Shape<_4, _8>{}, make_coord(_, _));
  initialize_barrier(barrier, 1);
  int phase = 0;
  for (int i = 0; i < size<2>(gS); ++i)
    for (int j = 0; j < size<3>(gS); ++j) {
      auto const thr_load = load.get_slice(0);
      auto const thr_store = store.get_slice(0);
      set_barrier_transaction_bytes(barrier, sizeof(shared));
      copy(load.with(&source, barrier), thr_load.partition_S(gS(_, _, i, j)), thr_load.partition_D(tile));
      wait_barrier(barrier, phase);
      phase ^= 1;
      copy(store.with(&target), thr_store.partition_S(tile), thr_store.partition_D(gD(_, _, i, j)));
      tma_desc_commit_group();
      tma_desc_wait_group();
    }
  EXPECT_EQ(from, to);
}

/// Strides of numbers that are known at run time alone: that of the mode which is contiguous in shared memory is asked.
TEST(CuteTensorMaps, AUnitStrideAtRunTime) {
  std::vector<float> data(12 * 40);
  auto const rows = make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(12, 40), make_stride(40, 1)));
  auto const copy = make_tma_copy(SM90_TMA_LOAD{}, rows, Tile{});
  EXPECT_EQ(copy.get_tma_descriptor()->tensor.extent[0], 40);
  EXPECT_EQ(copy.get_tma_descriptor()->tensor.stride[1], 160);
  auto const columns = make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(12, 40), make_stride(1, 12)));
  EXPECT_THROW((void)make_tma_copy(SM90_TMA_LOAD{}, columns, Tile{}), std::invalid_argument);
}
/// The tile is of the first modes, and the batches behind them have boxes of one element.
TEST(CuteTensorMaps, AUnitStrideAtRunTimeBeforeBatches) {
  std::vector<float> data(3 * 12 * 40);
  auto const tiler = make_shape(_4{}, _8{});
  auto const rows =
      make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(12, 40, 3), make_stride(40, 1, 480)));
  auto const copy = make_tma_copy(SM90_TMA_LOAD{}, rows, Tile{}, tiler, _1{});
  auto const& map = copy.get_tma_descriptor()->tensor;
  EXPECT_EQ(map.extent[0], 40);
  EXPECT_EQ(map.extent[1], 12);
  EXPECT_EQ(map.extent[2], 3);
  EXPECT_EQ(map.stride[1], 160);
  EXPECT_EQ(map.stride[2], 1920);
  auto const columns =
      make_tensor(make_gmem_ptr(data.data()), make_layout(make_shape(12, 40, 3), make_stride(1, 12, 480)));
  EXPECT_THROW((void)make_tma_copy(SM90_TMA_LOAD{}, columns, Tile{}, tiler, _1{}), std::invalid_argument);
}

}  // namespace

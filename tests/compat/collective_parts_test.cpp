// Parts out of which programs make kernels of their own: what the builder for sm_100 gives, and how epilogues partition a tile.
#include <cutlass/gemm/kernel/gemm_universal_decl.h>
#include <gtest/gtest.h>
#include <cutlass/epilogue/fusion/sm90_visitor_tma_warpspecialized.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>

#include <map>
#include <vector>

using namespace cute;

namespace {

template <class Element, class LayoutA, class LayoutB, class Tile, class Cluster, int Stages, class Schedule>
using built = typename cutlass::gemm::collective::CollectiveBuilder<
    cutlass::arch::Sm100, cutlass::arch::OpClassTensorOp, Element, LayoutA, 16 / sizeof(Element), Element, LayoutB,
    16 / sizeof(Element), float, Tile, Cluster, cutlass::gemm::collective::StageCount<Stages>, Schedule>::CollectiveOp;

/// Every place of all stages is used once, and a product of `blocks` blocks loads what a tile has.
template <class Loop>
void expect_stages(int blocks, int stages, int bits) {
  using Tile = typename Loop::TileShape;
  int const m = size<0>(Tile{}), n = size<1>(Tile{}), k = size<2>(Tile{});
  EXPECT_EQ(Loop::TmaTransactionBytes, static_cast<unsigned>((m + n) * k * bits / 8));
  auto const expect_all = [&](auto const& layout, int elements) {
    ASSERT_EQ(static_cast<int>(size(layout)), elements * stages);
    std::vector<int> used(static_cast<std::size_t>(cosize(layout)), 0);
    for (int i = 0; i < static_cast<int>(size(layout)); ++i) ++used[static_cast<std::size_t>(layout(i))];
    EXPECT_EQ(used, std::vector<int>(static_cast<std::size_t>(elements * stages), 1));
  };
  expect_all(typename Loop::SmemLayoutA{}, m / blocks * k);
  expect_all(typename Loop::SmemLayoutB{}, n / blocks * k);
  EXPECT_EQ(static_cast<int>(size(typename Loop::AtomThrShapeMNK{})), blocks);
}

TEST(sm100_collective, stages_hold_the_tiles_of_a_product) {
  using Row = cutlass::layout::RowMajor;
  using Column = cutlass::layout::ColumnMajor;
  using One = cutlass::gemm::KernelTmaWarpSpecialized1SmSm100;
  using Two = cutlass::gemm::KernelTmaWarpSpecialized2SmSm100;
  expect_stages<built<cutlass::half_t, Row, Column, Shape<_128, _128, _64>, Shape<_1, _1, _1>, 3, One>>(1, 3, 16);
  expect_stages<built<cutlass::bfloat16_t, Column, Row, Shape<_128, _64, _64>, Shape<_1, _1, _1>, 2, One>>(1, 2, 16);
  expect_stages<built<cutlass::half_t, Row, Column, Shape<_256, _128, _64>, Shape<_2, _1, _1>, 2, Two>>(2, 2, 16);
}

/// A tile of 64 x 32 in parts of 32 x 16: each thread has, of every part, the elements that its tiled copy says.
TEST(partition_for_epilogue, every_element_is_of_one_thread_and_one_part) {
  auto const copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<int>, int>{}, Layout<Shape<_8, _4>>{}, Layout<Shape<_1, _2>>{});
  auto const tile = make_identity_tensor(Shape<_64, _32>{});
  auto const expect_once = [&](auto const& partition, int m0, int n0) {
    std::map<std::pair<int, int>, int> carried;
    for (int thread = 0; thread < 32; ++thread) {
      auto const mine = partition(thread);  // (CPY, CPY_M, CPY_N, EPI_M, EPI_N)
      ASSERT_EQ(static_cast<int>(rank(mine)), 5);
      for (int i = 0; i < static_cast<int>(size<3>(mine)); ++i)
        for (int j = 0; j < static_cast<int>(size<4>(mine)); ++j) {
          auto const part = mine(_, _, _, i, j);
          for (int v = 0; v < static_cast<int>(size(part)); ++v) {
            int const m = static_cast<int>(get<0>(part(v))) - m0, n = static_cast<int>(get<1>(part(v))) - n0;
            EXPECT_EQ(std::pair(m / 32, n / 16), std::pair(i, j));
            EXPECT_EQ(m % 8 + n % 8 / 2 * 8, thread) << m << "," << n;
            ++carried[{m, n}];
          }
        }
    }
    EXPECT_EQ(carried.size(), 64u * 32u);
    for (auto const& [place, times] : carried) EXPECT_EQ(times, 1) << place.first << "," << place.second;
  };
  using namespace cutlass::epilogue::fusion;
  using Part = Shape<_32, _16>;
  expect_once([&](int t) { return sm90_partition_for_epilogue<true>(tile, Part{}, copy, t); }, 0, 0);
  expect_once([&](int t) { return sm90_partition_for_epilogue<false>(tile, Part{}, copy, t); }, 0, 0);
  auto const whole = make_identity_tensor(make_shape(256, 96, 2));
  expect_once(
      [&](int t) {
        return sm90_partition_for_epilogue<false>(whole, Shape<_64, _32, _16>{}, make_coord(2, 1, _, 1), Part{}, copy,
                                                  t);
      },
      128, 32);
}

// What builders of a program's own ask.
namespace builders = cutlass::gemm::collective::detail;
using cutlass::layout::ColumnMajor;
using cutlass::layout::RowMajor;
using byte = cutlass::float_e4m3_t;
static_assert(builders::gmma_ss_tag_to_major_A<half_t, RowMajor>() == GMMA::Major::K);
static_assert(builders::gmma_ss_tag_to_major_A<half_t, ColumnMajor>() == GMMA::Major::MN);
static_assert(builders::gmma_ss_tag_to_major_B<half_t, RowMajor>() == GMMA::Major::MN);
static_assert(builders::gmma_ss_tag_to_major_B<half_t, Stride<std::int64_t, _1, std::int64_t>>() == GMMA::Major::K);
static_assert(!builders::is_use_rmem_A<byte, RowMajor, byte, ColumnMajor>());
static_assert(builders::is_use_rmem_A<byte, RowMajor, byte, RowMajor>());
static_assert(!builders::is_use_rmem_A<half_t, ColumnMajor, half_t, RowMajor>());
static_assert(builders::is_use_rmem_A<byte, RowMajor, half_t, ColumnMajor>());
struct plain_loop {};
struct swapped_loop {
  static constexpr bool SwapAB = true;
};
static_assert(!cutlass::gemm::kernel::detail::Has_SwapAB_v<plain_loop>);
static_assert(cutlass::gemm::kernel::detail::Has_SwapAB_v<swapped_loop>);

}  // namespace

// Copies from shared to tensor memory by tcgen05.cp, written as CUTLASS's kernels are: the factors of block-scaled products with their
// copies in every quarter of the lanes, and tiles with and without a swizzle. Tensor memory is read back lane by lane. The texts are
// what CuTe 4 prints.
#include <cutlass/arch/barrier.h>
#include <gtest/gtest.h>
#include <cute/arch/tmem_allocator_sm100.hpp>
#include <cute/tensor.hpp>
#include <cutlass/detail/sm100_blockscaled_layout.hpp>

#include <sstream>
#include <vector>

#include "tilewright/exec/launch.hpp"

using namespace cute;

namespace {

constexpr int columns_read = 32;

template <class T>
std::string text_of(T const& object) {
  std::ostringstream out;
  out << object;
  return out.str();
}

/// The copy that fill declares, and then the first 32 columns of tensor memory: out(lane, column).
template <class Fill>
struct filled_tensor_memory {
  template <class Block, class Out>
  void operator()(Block& block, Out out) const {
    auto* const base = block.template shared_array<std::uint32_t>(1);
    auto* const barrier = block.template shared_array<std::uint64_t>(1);
    TMEM::Allocator1Sm allocator;
    if (block.thread() < 32) allocator.allocate(512, base);
    if (block.thread() == 0) initialize_barrier(*barrier, 1);
    block.sync();
    Fill{}(block, *barrier);
    wait_barrier(*barrier, 0);
    auto const memory = make_tensor(make_tmem_ptr<std::uint32_t>(*base),
                                    Layout<Shape<_128, Int<columns_read>>, Stride<Int<65536>, _1>>{});
    auto const load = make_tmem_copy(SM100_TMEM_LOAD_32dp32b32x{}, memory);
    auto const mine = load.get_slice(block.thread());
    auto const to = mine.partition_D(out);
    auto registers = make_tensor<std::uint32_t>(shape(to));
    copy(load, mine.partition_S(memory), registers);
    cutlass::arch::fence_view_async_tmem_load();
    copy(registers, to);
    block.sync();
    if (block.thread() < 32) {
      allocator.release_allocation_lock();
      allocator.free(*base, 512);
    }
  }
};
/// Byte b of a column of a lane.
template <class Fill>
auto run() {
  std::vector<std::uint32_t> words(128 * columns_read);
  tilewright::launch({.grid = 1, .block = 128}, filled_tensor_memory<Fill>{},
                     make_tensor(make_gmem_ptr(words.data()), Shape<_128, Int<columns_read>>{}));
  return [words](int lane, int byte) {
    return static_cast<int>(words[static_cast<std::size_t>(lane + 128 * (byte / 4))] >> 8 * (byte % 4) & 0xff);
  };
}

std::uint8_t number(int i) { return static_cast<std::uint8_t>(i * 37 + i / 256 * 11); }

/// Factors of B for 192 columns: two blocks of 128 rows, twice along K; the second of two stages.
struct factors {
  using Op =
      SM100_MMA_MXF8F6F4_SS<float_e4m3_t, float_e4m3_t, float, float_ue8m0_t, 128, 192, UMMA::Major::K, UMMA::Major::K>;
  using Mma = decltype(make_tiled_mma(Op{}));
  using Config = cutlass::detail::Sm1xxBlockScaledConfig<32>;
  using OneStage = decltype(Config::deduce_smem_layoutSFB(Mma{}, Shape<_128, Int<192>, Int<256>>{}));
  static constexpr int stage_size = static_cast<int>(cosize_v<OneStage>);
  using SmemLayout = decltype(append(OneStage{}, Layout<_2, Int<stage_size>>{}));
  using Utccp = SM100_UTCCP_4x32dp128bit_1cta;

  template <class Block>
  void operator()(Block& block, std::uint64_t& barrier) const {
    auto const sSF = block.template shared<float_ue8m0_t>(Layout<Int<2 * stage_size>>{});
    if (block.thread() == 0)
      for (int i = 0; i < 2 * stage_size; ++i) sSF(i) = float_ue8m0_t::bitcast(number(i));
    auto const tCsSF = make_tensor(sSF.data(), filter_zeros(SmemLayout{}));
    auto const tCtSF = make_tensor<typename Mma::FrgTypeSFB>(shape(OneStage{}));
    auto const compact = make_tensor(tCtSF.data(), filter_zeros(tCtSF.layout()));
    auto const tiled = make_utccp_copy(Utccp{}, compact);
    auto const thr = tiled.get_slice(0);
    auto const from = get_utccp_smem_desc_tensor<Utccp>(thr.partition_S(tCsSF));
    auto const to = thr.partition_D(compact);
    block.sync();
    if (block.thread() == 0) copy(tiled, from(_, _, _, _, 1), to);
    if (block.thread() < 32) cutlass::arch::umma_arrive(&barrier);
  }
};

TEST(compat_utccp, factors_of_block_scaled_products) {
  auto const byte_of = run<factors>();
  // PTX ISA, "Scale factors": row r of a block of 128 has its four factors in column r / 32 of lane r % 32, of each quarter.
  for (int lane = 0; lane < 128; ++lane)
    for (int k_block = 0; k_block < 2; ++k_block)
      for (int row_block = 0; row_block < 2; ++row_block)
        for (int quarter = 0; quarter < 4; ++quarter)
          for (int factor = 0; factor < 4; ++factor) {
            int const in_shared =
                factors::stage_size + 1024 * k_block + 512 * row_block + 16 * (lane % 32) + 4 * quarter + factor;
            ASSERT_EQ(byte_of(lane, 32 * k_block + 16 * row_block + 4 * quarter + factor), number(in_shared))
                << lane << "," << k_block << "," << row_block << "," << quarter << "," << factor;
          }
}

TEST(compat_utccp, texts_of_cute) {
  auto const tCtSF = make_tensor<typename factors::Mma::FrgTypeSFB>(shape(factors::OneStage{}));
  auto const compact = make_tensor(tCtSF.data(), filter_zeros(tCtSF.layout()));
  auto const tiled = make_utccp_copy(factors::Utccp{}, compact);
  using Tiled = std::remove_const_t<decltype(tiled)>;
  EXPECT_EQ(text_of(typename Tiled::Tiler_MN{}), "((_128,_4):(_1,_256),_1:_0,_4:_1)");
  EXPECT_EQ(text_of(typename Tiled::TiledLayout_TV{}), "(_1,(_32,(_4,_4),_4)):(_0,(_1,(_512,_32),_128))");
  EXPECT_EQ(text_of(typename Tiled::ValLayoutSrc{}), "(_1,(_4,_128,_4)):(_0,(_1,_4,_0))");
  auto const shared = make_tensor(make_smem_ptr<float_ue8m0_t>(nullptr), filter_zeros(factors::SmemLayout{}));
  EXPECT_EQ(text_of(tiled.get_slice(0).partition_S(shared).layout()),
            "(((_32,_4,_4,_4),_1),_2,_1,_2,_2):(((_16,_1,_4,_0),_0),_512,_0,_1024,_2048)");
  EXPECT_EQ(text_of(tiled.get_slice(0).partition_D(compact).layout()),
            "(((_32,_4,(_4,_4)),_1),_2,_1,_2):(((_262144,_1,(_4,_8388608)),_0),_16,_0,_32)");
  using Copies = Copy_Atom<SM100_UTCCP_2x64dp128bitlw0123_2cta, std::uint8_t>;
  EXPECT_EQ(text_of(typename Copies::ValLayoutSrc{}), "(_2,(_4,_128,_2,_2)):(_0,(_1,_4,_512,_0))");
}

/// A tile (128, bytes of a row) of shared memory, byte by byte.
template <class Utccp, class Atom>
struct tile {
  template <class Block>
  void operator()(Block& block, std::uint64_t& barrier) const {
    using SmemLayout = decltype(tile_to_shape(Atom{}, Shape<_128, _128>{}));
    auto sE = block.template shared<std::uint8_t>(SmemLayout{});
    if (block.thread() == 0)
      for (int row = 0; row < 128; ++row)
        for (int k = 0; k < 128; ++k) sE(row, k) = number(row * 128 + k);
    auto const memory =
        make_tensor(make_tmem_ptr<std::uint8_t>(0), Layout<Shape<_128, _128>, Stride<TMEM::DP<std::uint8_t>, _1>>{});
    auto const tiled = make_utccp_copy(Utccp{}, memory);
    auto const thr = tiled.get_slice(0);
    auto const from = get_utccp_smem_desc_tensor<Utccp>(thr.partition_S(sE));
    block.sync();
    if (block.thread() == 0) copy(tiled, from, thr.partition_D(memory));
    if (block.thread() < 32) cutlass::arch::umma_arrive(&barrier);
  }
};

template <class Utccp, class Atom>
void expect_tile() {
  auto const byte_of = run<tile<Utccp, Atom>>();
  for (int row = 0; row < 128; ++row)
    for (int k = 0; k < 4 * columns_read; ++k) ASSERT_EQ(byte_of(row, k), number(row * 128 + k)) << row << "," << k;
}
TEST(compat_utccp, tiles_of_128_rows) {
  expect_tile<SM100_UTCCP_128dp128bit_1cta, UMMA::Layout_K_INTER_Atom<std::uint8_t>>();
  expect_tile<SM100_UTCCP_128dp128bit_1cta, UMMA::Layout_K_SW128_Atom<std::uint8_t>>();
  expect_tile<SM100_UTCCP_128dp256bit_1cta, UMMA::Layout_K_INTER_Atom<std::uint8_t>>();
  expect_tile<SM100_UTCCP_128dp256bit_1cta, UMMA::Layout_K_SW64_Atom<std::uint8_t>>();
}

}  // namespace

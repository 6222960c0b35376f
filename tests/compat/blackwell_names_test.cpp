// Names that programs for Hopper and Blackwell include for both, next to the bits that the PTX ISA gives descriptors.
#include <cutlass/arch/barrier.h>
#include <cutlass/functional.h>
#include <gtest/gtest.h>
#include <cute/arch/copy_sm100_tma.hpp>
#include <cute/arch/mma_sm100_desc.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm100.hpp>
#include <cute/tensor.hpp>
#include <cutlass/detail/helper_macros.hpp>
#include <cutlass/detail/sm100_blockscaled_layout.hpp>
#include <cutlass/gemm/collective/builders/sm100_common.inl>
#include <cutlass/gemm/collective/builders/sm120_common.inl>

#include <cstdint>
#include <sstream>
#include <type_traits>

using cute::UMMA::Major;

namespace {

// What these headers bring along.
static_assert(cute::max(3, 4) == 4 && cute::numeric_limits<float>::is_iec559);
static_assert(std::is_same_v<cute::make_index_sequence<2>, cute::index_sequence<0, 1>>);
static_assert(std::is_same_v<cutlass::bfloat16_t, cute::bfloat16_t>);
static_assert(static_cast<std::uint64_t>(cute::TMA::CacheHintSm100::EVICT_LAST) == 0x14F0000000000000u);

CUTLASS_HOST_DEVICE int sum_below(int n) {
  int sum = 0;
  CUTLASS_PRAGMA_UNROLL
  for (int i = 0; i < n; ++i) sum += i;
  return sum;
}

TEST(Blackwell, Macros) { EXPECT_EQ(sum_below(4), 6); }

/// "Instruction descriptor" for the kinds tf32, f16, f8f6f4 and i8: bits 4-5 type of D, 7-9 of A, 10-12 of B, 13 and 14 negate, 15 and 16
/// transpose, 17-22 N / 8, 24-28 M / 16, 30-31 shift.
TEST(Blackwell, InstructionDescriptors) {
  using namespace cute::UMMA;
  constexpr auto halves = make_instr_desc<cute::half_t, cute::half_t, float, 128, 256, Major::K, Major::K>();
  static_assert(halves.desc_ == (1u << 4 | 32u << 17 | 8u << 24));
  EXPECT_EQ(halves.n_dim_, 32u);
  EXPECT_EQ(halves.m_dim_, 8u);
  EXPECT_EQ(halves.c_format_, 1u);
  EXPECT_EQ(static_cast<std::uint32_t>(halves), halves.desc_);
  EXPECT_EQ(make_runtime_instr_desc(halves), std::uint64_t{halves.desc_} << 32);

  constexpr auto brain = make_instr_desc<cute::bfloat16_t, cute::tfloat32_t, float, 64, 8, Major::MN, Major::MN,
                                         ScaleIn::Neg, ScaleIn::One, Saturate::False, true, MaxShift::MaxShift16>();
  EXPECT_EQ(brain.desc_,
            1u << 2 | 1u << 4 | 1u << 7 | 2u << 10 | 1u << 13 | 1u << 15 | 1u << 16 | 1u << 17 | 4u << 24 | 2u << 30);
  EXPECT_EQ(brain.a_format_, 1u);
  EXPECT_EQ(brain.b_format_, 2u);
  EXPECT_EQ(brain.a_negate_, 1u);
  EXPECT_EQ(brain.b_negate_, 0u);
  EXPECT_EQ(brain.a_major_ + brain.b_major_, 2);
  EXPECT_EQ(brain.sparse_flag_, 1u);
  EXPECT_EQ(brain.max_shift_, 2u);

  constexpr auto bytes = make_instr_desc<std::int8_t, std::uint8_t, std::int32_t, 128, 128, Major::K, Major::K,
                                         ScaleIn::One, ScaleIn::One, Saturate::True>();
  EXPECT_EQ(bytes.desc_, 1u << 3 | 2u << 4 | 1u << 7 | 16u << 17 | 8u << 24);
  EXPECT_EQ(bytes.saturate_, 1u);
  constexpr auto eighths =
      make_instr_desc<cute::float_e5m2_t, cute::float_e4m3_t, cute::half_t, 256, 32, Major::K, Major::K>();
  EXPECT_EQ(eighths.desc_, 1u << 7 | 4u << 17 | 16u << 24);
}

/// "Shared memory descriptor": bits 0-13 address, 16-29 leading and 32-45 stride offset, all in 16 bytes, 46-48 version, 49-51 base offset,
/// 52 mode of the leading offset, 61-63 swizzle.
TEST(Blackwell, SharedMemoryDescriptors) {
  cute::UMMA::SmemDescriptor d;
  EXPECT_EQ(d.desc_, 0u);
  d.start_address_ = 0x3fff;
  d.leading_byte_offset_ = 2;
  d.stride_byte_offset_ = 64;
  d.version_ = 1;
  d.base_offset_ = 5;
  d.lbo_mode_ = 1;
  d.layout_type_ = static_cast<std::uint8_t>(cute::UMMA::LayoutType::SWIZZLE_32B);
  EXPECT_EQ(d.desc_, 0x3fffull | 2ull << 16 | 64ull << 32 | 1ull << 46 | 5ull << 49 | 1ull << 52 | 6ull << 61);
  EXPECT_EQ(std::uint64_t{d}, d.desc_);
  EXPECT_EQ(d.lo, 0x23fffu);
  EXPECT_STREQ(to_string(cute::UMMA::LayoutType::SWIZZLE_128B_BASE32B), "SWIZZLE_128B_BASE32B");
}

/// "Instruction descriptor" of the kinds mxf8f6f4, mxf4 and mxf4nvf4: 4-5 byte of B's factors, 7-9 type of A, 10-12 of B, 17-22
/// N / 8, 23 type of the factors, 27-28 M / 128, 29-30 byte of A's factors.
TEST(Blackwell, BlockScaledInstructionDescriptors) {
  using namespace cute::UMMA;
  constexpr auto eighths = make_instr_desc_block_scaled<cutlass::float_e4m3_t, cutlass::detail::float_e2m1_unpacksmem_t,
                                                        float, cutlass::float_ue8m0_t, 128, 64, Major::K, Major::MN>();
  static_assert(eighths.desc_ == (5u << 10 | 1u << 16 | 8u << 17 | 1u << 23 | 1u << 27));
  constexpr auto fours = make_instr_desc_block_scaled<cutlass::float_e2m1_t, cutlass::float_e2m1_t, float,
                                                      cutlass::float_ue4m3_t, 256, 256, Major::K, Major::K>();
  static_assert(fours.desc_ == (1u << 7 | 1u << 10 | 32u << 17 | 2u << 27));
  InstrDescriptorBlockScaled chosen = eighths;
  chosen.a_sf_id_ = 2;
  chosen.b_sf_id_ = 3;
  EXPECT_EQ(chosen.desc_, eighths.desc_ | 2u << 29 | 3u << 4);
  EXPECT_EQ(make_runtime_instr_desc_block_scaled(eighths, 2u << 30, 3u << 30), std::uint64_t{chosen.desc_} << 32);
  chosen.n_dim_ = 5;
  EXPECT_EQ(chosen.desc_ >> 17 & 63, 5u);
}

template <class T>
std::string text_of(T const& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

/// The expected texts are what CUTLASS 4 prints.
TEST(Blackwell, FactorsOfBlockScaledProducts) {
  using namespace cute;
  using config = cutlass::detail::Sm1xxBlockScaledConfig<16>;
  EXPECT_EQ(text_of(config::tile_atom_to_shape_SFA(make_shape(512, 1024, 256, 1))),
            "(((_32,_4),4),((_16,_4),4),(_1,1)):(((_16,_4),2048),((_0,_1),_512),(_0,8192))");
  EXPECT_EQ(text_of(cutlass::detail::Sm1xxBlockScaledConfig<32>::tile_atom_to_shape_SFB(make_shape(500, 100, 130, 2))),
            "(((_32,_4),1),((_32,_4),2),(_1,2)):(((_16,_4),1024),((_0,_1),_512),(_0,1024))");
  using e2m1 = cutlass::float_e2m1_t;
  auto const mma =
      make_tiled_mma(SM100_MMA_MXF4_SS<e2m1, e2m1, float, cutlass::float_ue4m3_t, 128, 256, 16, Major::K, Major::K>{});
  using Mma = std::remove_const_t<decltype(mma)>;
  auto const a = config::deduce_smem_layoutSFA(mma, Shape<_128, _256, _256>{});
  auto const b = config::deduce_smem_layoutSFB(mma, Shape<_128, _256, _256>{});
  EXPECT_EQ(text_of(a), "((((_32,_4),_1),(_16,_4)),_1,(_1,_4)):((((_16,_4),_512),(_0,_1)),_0,(_4,_512))");
  EXPECT_EQ(text_of(b), "((((_32,_4),_2),(_16,_4)),_1,(_1,_4)):((((_16,_4),_512),(_0,_1)),_0,(_4,_1024))");
  EXPECT_EQ(text_of(make_tensor<typename Mma::FrgTypeSFA>(shape(a)).layout()),
            "((((_32,_4),_4),(_16,_4)),_1,(_1,_4)):((((_262144,_4),_8388608),(_0,_1)),_0,(_0,_16))");
  EXPECT_EQ(text_of(make_tensor<typename Mma::FrgTypeSFB>(shape(b)).layout()),
            "((((_32,_8),_4),(_16,_4)),_1,(_1,_4)):((((_262144,_4),_8388608),(_0,_1)),_0,(_0,_32))");
  // Two blocks, and several products to a column.
  using eighth = cutlass::float_e4m3_t;
  auto const pair = make_tiled_mma(
      SM100_MMA_MXF8F6F4_2x1SM_SS<eighth, eighth, float, cutlass::float_ue8m0_t, 256, 128, Major::K, Major::K>{});
  using Pair = std::remove_const_t<decltype(pair)>;
  auto const of_pair =
      cutlass::detail::Sm1xxBlockScaledConfig<32>::deduce_smem_layoutSFA(pair, Shape<_256, _128, _256>{});
  EXPECT_EQ(text_of(of_pair), "((((_32,_4),_1),(_32,_1)),_1,(_4,_2)):((((_16,_4),_512),(_0,_1)),_0,(_1,_512))");
  EXPECT_EQ(text_of(make_tensor<typename Pair::FrgTypeSFA>(shape(of_pair)).layout()),
            "((((_32,_4),_4),(_32,_1)),_1,(_4,_2)):((((_262144,_4),_8388608),(_0,_1)),_0,(_1,_16))");
  static_assert(std::is_same_v<cutlass::nv_float4_t<e2m1>::ScaleFactorType, cutlass::float_ue4m3_t>);
}

/// Descriptors of tiles longer than one product, and fragments made for a shape, at columns that the program chooses.
TEST(Blackwell, DescriptorsAndFragmentsByHand) {
  using namespace cute;
  alignas(1024) static half_t data[128 * 64];
  auto const tile =
      make_tensor(make_smem_ptr(&data[0]), tile_to_shape(UMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128, _64>{}));
  auto const part = make_tensor(tile.data(), composition(tile.layout(), Shape<_128, _16>{}));
  EXPECT_EQ(UMMA::make_umma_desc<Major::K>(tile).desc_, UMMA::make_umma_desc<Major::K>(part).desc_);
  auto const mma = make_tiled_mma(SM100_MMA_F16BF16_TS<half_t, half_t, float, 128, 64, Major::K, Major::K>{});
  auto a = mma.get_slice(_0{}).make_fragment_A(partition_shape_A(mma, Shape<_128, _64>{}));
  auto c = partition_fragment_C(mma, Shape<_128, _64>{});
  a.data().get() = 256;
  c.data().get() = 16;
  EXPECT_EQ(a.data().get(), 256u);
  EXPECT_EQ(c.data().column(), 16u);
  EXPECT_EQ(text_of(shape(a)), "((_128,_16),_1,_4)");
  EXPECT_EQ(a(_, _, 1).data().get(), 264u);
}

/// What CUTLASS's selectors for sm_120 write to a stream.
TEST(Blackwell, WhatBuildersOfSm120Choose) {
  using namespace cute;
  using namespace cutlass::gemm::collective::detail;
  EXPECT_EQ(text_of(sm120_rr_smem_selector<std::uint8_t, _128>()), "Sw<3,4,3> o _0 o (_8,_128):(_128,_1)");
  EXPECT_EQ(text_of(sm120_rr_smem_selector<std::uint8_t, Int<96>>()), "Sw<1,4,3> o _0 o (_8,_32):(_32,_1)");
  EXPECT_EQ(text_of(sm120_rr_smem_selector<uint4_t, _128>()), "Sw<2,4,3> o _0 o (_8,_128):(_128,_1)");
  EXPECT_EQ(text_of(sm120_rr_smem_selector_sparse<std::uint8_t, _256, _4>()),
            "Sw<2,4,3> o _0 o ((_1,_8),(_4,_64)):((_0,_256),(_1,_4))");
  EXPECT_EQ(text_of(sm120_rr_smem_selector_sparse<uint4_t, _128, _2>()),
            "Sw<1,4,3> o _0 o ((_1,_8),(_2,_64)):((_0,_128),(_1,_2))");
  EXPECT_EQ(text_of(sm120_tile_n_permute_selector<16>()), "(_8,_2,_2):(_1,_16,_8)");
  EXPECT_EQ(text_of(sm120_tile_n_permute_selector<32, 16>()), "(_8,_2):(_1,_8)");
}

/// What CUTLASS's builder chooses: its answers for these tiles, clusters and types.
TEST(Blackwell, WhatBuildersChoose) {
  using namespace cute;
  using namespace cutlass::gemm::collective::detail;
  constexpr auto K = Major::K, MN = Major::MN;
  static_assert(
      std::is_same_v<decltype(sm100_smem_selector<K, half_t, Int<96>, Int<96>>()), UMMA::Layout_K_SW64_Atom<half_t>>);
  static_assert(std::is_same_v<decltype(sm100_smem_selector<K, half_t, _64, _8>()), UMMA::Layout_K_INTER_Atom<half_t>>);
  static_assert(
      std::is_same_v<decltype(sm100_smem_selector<MN, half_t, _16, _64>()), UMMA::Layout_MN_SW32_Atom<half_t>>);
  static_assert(
      std::is_same_v<decltype(sm100_smem_selector<MN, float, _128, _32>()), UMMA::Layout_MN_SW128_32B_Atom<float>>);
  static_assert(std::is_same_v<decltype(sm100_smem_selector<K, float_e2m1_t, _128, _64>()),
                               UMMA::Layout_K_SW32_Atom<float_e2m1_t>>);
  using two = Shape<_2, _1, _1>;
  using any = Shape<int, int, _1>;
  static_assert(std::is_same_v<decltype(sm100_cluster_shape_to_tma_atom_A(two{}, _1{})), SM90_TMA_LOAD>);
  static_assert(std::is_same_v<decltype(sm100_cluster_shape_to_tma_atom_B(two{}, _1{})), SM90_TMA_LOAD_MULTICAST>);
  static_assert(std::is_same_v<decltype(sm100_cluster_shape_to_tma_atom_B(two{}, _2{})), SM100_TMA_2SM_LOAD>);
  static_assert(
      std::is_same_v<decltype(sm100_cluster_shape_to_tma_atom_SFB(two{}, _2{})), SM100_TMA_2SM_LOAD_MULTICAST>);
  static_assert(std::is_same_v<decltype(sm100_cluster_shape_to_tma_atom_A(any{}, _2{})), SM100_TMA_2SM_LOAD_MULTICAST>);
  auto const one = sm100_make_1sm_trivial_tiled_mma<bfloat16_t, bfloat16_t, float, Shape<_64, _64, _64>, two, K, MN>();
  EXPECT_EQ(text_of(tile_shape(one)), "(_64,_64,_16)");
  auto const pair =
      sm100_make_2sm_trivial_tiled_mma<float_e4m3_t, float_e4m3_t, float, Shape<_256, _128, _64>, two, K, K>();
  EXPECT_EQ(text_of(tile_shape(pair)), "(_256,_128,_32)");
  EXPECT_EQ(text_of(typename decltype(pair)::AtomThrID{}), "_2:_1");
}

TEST(Blackwell, FactorsOfResults) {
  using Config = cutlass::detail::Sm1xxBlockScaledOutputConfig<16, Major::MN>;
  EXPECT_EQ(text_of(Config::SfAtom{}), "((_16,_4),(_32,_4)):((_0,_1),(_16,_4))");
  cutlass::Array<float, 4> values;
  for (std::size_t i = 0; i < 4; ++i) values[i] = -static_cast<float>(i);
  EXPECT_EQ((cutlass::maximum_absolute_value_reduction<cutlass::Array<float, 4>>{}(1.0f, values)), 3.0f);
  EXPECT_EQ((cutlass::maximum_absolute_value_reduction<cutlass::Array<float, 4>>{}(5.0f, values)), 5.0f);
  EXPECT_EQ((cutlass::maximum_absolute_value_reduction<float>{}(1.0f, -2.0f)), 2.0f);
}

void add_all(int& sum, int const& a, int const& b, int const& c) { sum = a + b + c; }
TEST(Blackwell, RegistersAsArguments) {
  int sum[1] = {};
  int const a[3] = {1, 20, 300};
  cute::detail::explode(add_all, sum, cute::seq<0>{}, a, cute::make_seq<3>{});
  EXPECT_EQ(sum[0], 321);
  static_assert(std::is_same_v<cute::remove_extent<int[3]>::type, int> && cute::extent<int[3]>::value == 3);
  cute::prefetch(static_cast<void const*>(a));
}

TEST(Blackwell, PackedRegisters) {
  using namespace cute;
  auto t = make_tensor<float_e2m1_t>(Shape<_64>{});
  for (int i = 0; i < 64; ++i) t(i) = float_e2m1_t(static_cast<float>(i % 4));
  auto const elements = raw_pointer_cast(t.data());
  static_assert(std::is_same_v<decltype(elements), float_e2m1_t* const>);
  auto const bytes = reinterpret_cast<std::uint8_t const*>(elements);
  EXPECT_EQ(bytes[0], 0x20);  // 0, 1
  EXPECT_EQ(raw_pointer_cast(subbyte_iterator<float_e2m1_t>(recast_ptr<float_e2m1_t>(nullptr))), nullptr);
  EXPECT_EQ(bytes[1], 0x54);  // 2, 3
  EXPECT_EQ(reinterpret_cast<std::uint8_t const*>(raw_pointer_cast(t.data() + 6)), bytes + 3);
  alignas(32) std::uint8_t memory[32] = {};
  auto to = make_tensor(subbyte_iterator<float_e2m1_t>(memory), Shape<_64>{});  // a pointer without a memory space
  copy(Copy_Atom<SM100_STORE_256bit_CACHE_NOALLOCATION, float_e2m1_t>{}, t, to);
  EXPECT_EQ(memory[31], 0x54);
}

/// filter of a tensor: without modes of stride 0.
TEST(Blackwell, FilteredTensors) {
  using namespace cute;
  float values[8] = {};
  auto const t = make_tensor(&values[0], Layout<Shape<Shape<_4, _2>, _2>, Stride<Stride<_0, _1>, _2>>{});
  EXPECT_EQ(text_of(filter(t).layout()), "_4:_1");
}

}  // namespace

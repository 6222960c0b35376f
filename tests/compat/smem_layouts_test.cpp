// The shared-memory tiles of a warpgroup's products, against their bytes computed by hand; tiles made of them; swizzled
// pointers as programs write them.
#include "printed.hpp"

#include <gtest/gtest.h>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/tensor.hpp>

#include <set>
#include <vector>

using namespace cute;

namespace {

/// Where TMA puts byte `x` of a tile: 16-byte pieces, numbered within a row of 2^bits of them, xor the row's number.
std::int64_t swizzled_byte(std::int64_t x, int bits) {
  std::int64_t const row = x >> 7 & ((std::int64_t(1) << bits) - 1);
  return x ^ (row << 4);
}

template <class T, class Atom>
void expect_k_major(int bytes_of_a_row, int bits) {
  Atom const atom{};
  int const columns = bytes_of_a_row * 8 / sizeof_bits_v<T>;
  ASSERT_EQ(size<0>(atom), 8);
  ASSERT_EQ(size<1>(atom), columns);
  for (int m = 0; m < 8; ++m)
    for (int k = 0; k < columns; ++k) {
      std::int64_t const bit = std::int64_t(m) * 8 * bytes_of_a_row + std::int64_t(k) * sizeof_bits_v<T>;
      std::int64_t const expected = 8 * swizzled_byte(bit / 8, bits) + bit % 8;
      ASSERT_EQ(std::int64_t(atom(m, k)) * sizeof_bits_v<T>, expected) << m << ", " << k;
    }
}
template <class K, class MN>
void expect_transposed() {
  K const k{};
  MN const mn{};
  for (int i = 0; i < size<0>(k); ++i)
    for (int j = 0; j < size<1>(k); ++j) ASSERT_EQ(k(i, j), mn(j, i));
}
template <class T>
void expect_all_atoms() {
  expect_k_major<T, GMMA::Layout_K_SW128_Atom<T>>(128, 3);
  expect_k_major<T, GMMA::Layout_K_SW64_Atom<T>>(64, 2);
  expect_k_major<T, GMMA::Layout_K_SW32_Atom<T>>(32, 1);
  expect_k_major<T, GMMA::Layout_K_INTER_Atom<T>>(16, 0);
  expect_transposed<SM90::GMMA::Layout_K_SW128_Atom<T>, SM90::GMMA::Layout_MN_SW128_Atom<T>>();
  expect_transposed<SM90::GMMA::Layout_K_SW64_Atom<T>, SM90::GMMA::Layout_MN_SW64_Atom<T>>();
  expect_transposed<SM90::GMMA::Layout_K_SW32_Atom<T>, SM90::GMMA::Layout_MN_SW32_Atom<T>>();
  expect_transposed<SM90::GMMA::Layout_K_INTER_Atom<T>, SM90::GMMA::Layout_MN_INTER_Atom<T>>();
}

TEST(CuteSmemLayouts, AtomsByTheirBytes) {
  expect_all_atoms<int8_t>();
  expect_all_atoms<float_e4m3_t>();
  expect_all_atoms<half_t>();
  expect_all_atoms<bfloat16_t>();
  expect_all_atoms<tfloat32_t>();
  expect_all_atoms<float>();
  expect_all_atoms<double>();
  expect_all_atoms<int4_t>();
  static_assert(is_same_v<GMMA::Layout_SW128_Atom<half_t, GMMA::Major::K>, GMMA::Layout_K_SW128_Atom<half_t>>);
  static_assert(is_same_v<GMMA::Layout_SW32_Atom<half_t, GMMA::Major::MN>, GMMA::Layout_MN_SW32_Atom<half_t>>);
  static_assert(is_same_v<decltype(upcast<16>(GMMA::Layout_K_SW128_Atom_Bits{})), GMMA::Layout_K_SW128_Atom<half_t>>);
  using tile_of_bits = ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag, Layout<Shape<_8, _1024>, Stride<_1024, _1>>>;
  static_assert(is_same_v<decltype(upcast<16>(tile_of_bits{})), GMMA::Layout_K_SW128_Atom<half_t>>);
  static_assert(is_same_v<decltype(upcast<8>(tile_of_bits{})), GMMA::Layout_K_SW128_Atom<int8_t>>);
  using tile_of_halves =
      ComposedLayout<Swizzle<3, 4, 3>, smem_ptr_flag_bits<16>, Layout<Shape<_8, _64>, Stride<_64, _1>>>;
  using stages = Shape<_64, _128, _3>;
  static_assert(is_same_v<decltype(tile_to_shape(tile_of_halves{}, stages{})),
                          decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, stages{}))>);
  static_assert(is_same_v<decltype(upcast<2>(tile_of_halves{})), GMMA::Layout_K_SW128_Atom<float>>);
  alignas(1024) static half_t memory[512];
  auto const tile = make_tensor(make_smem_ptr(&memory[0]), tile_of_halves{});
  static_assert(is_same_v<get_swizzle_t<decltype(tile)>, Swizzle<3, 4, 3>>);
  EXPECT_EQ(&tile(1, 0) - &memory[0], 64 + 8);
  static_assert(is_same_v<decltype(upcast<2>(GMMA::Layout_K_SW64_Atom<half_t>{})), GMMA::Layout_K_SW64_Atom<float>>);
  static_assert(is_same_v<decltype(downcast<2>(GMMA::Layout_K_SW64_Atom<float>{})), GMMA::Layout_K_SW64_Atom<half_t>>);
}

TEST(CuteSmemLayouts, TilesOfStagesCoverTheirMemory) {
  auto bM = Int<128>{};
  auto bK = Int<64>{};
  auto bP = Int<3>{};
  auto sA = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(bM, bK, bP));
  auto sB = tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{}, make_shape(bM, bK, bP));
  auto sC = tile_to_shape(GMMA::Layout_MN_SW64_Atom<half_t>{}, make_shape(bM, bK, bP), Step<_2, _1, _3>{});
  CUTE_STATIC_ASSERT_V(size(sA) == Int<128 * 64 * 3>{});
  CUTE_STATIC_ASSERT_V(cosize(sA) == size(sA));
  CUTE_STATIC_ASSERT_V(cosize(sB) == size(sB));
  CUTE_STATIC_ASSERT_V(cosize(sC) == size(sC));
  CUTE_STATIC_ASSERT_V(rank(sC) == Int<3>{});
  auto const each_once = [](auto const& layout) {
    std::set<int> seen;
    for (int i = 0; i < size(layout); ++i) seen.insert(int(layout(i)));
    return int(seen.size()) == int(size(layout)) && *seen.begin() == 0 && *seen.rbegin() == int(size(layout)) - 1;
  };
  EXPECT_TRUE(each_once(sA));
  EXPECT_TRUE(each_once(sB));
  EXPECT_TRUE(each_once(sC));
  // Atoms follow one another along k first, then along m: the atom of (m-atom i, k-atom j) starts at 8 j + i.
  constexpr int atom = 32 * 8;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) ASSERT_EQ(sC(32 * i, 8 * j, 0), (8 * i + j) * atom);
  for (int i = 0; i < 16; ++i) ASSERT_EQ(sA(8 * i, 0, 1), 128 * 64 + i * 8 * 64);
  // A stage of the swizzled tile, as it is cut for a copy.
  Tensor stage = make_tensor(make_counting_tensor(sA).data(), sA)(_, _, 2);
  EXPECT_EQ(stage(1, 0), 2 * 128 * 64 + 64 + 8);
}

TEST(CuteSmemLayouts, ComposedLayoutsByMode) {
  auto s = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64, _2>{});
  static_assert(is_same_v<decltype(s.shape<0>()), decltype(shape<0>(s))>);
  auto first = take<0, 2>(s);
  auto mode = get<1>(s);
  for (int m = 0; m < 64; ++m)
    for (int k = 0; k < 64; ++k) ASSERT_EQ(first(m, k), s(m, k, 0));
  for (int k = 0; k < 64; ++k) ASSERT_EQ(mode(k), s(0, k, 0));
  auto more = append<4>(s, Layout<_1, _0>{});
  EXPECT_EQ(rank(more), 4);
  EXPECT_EQ(more(3, 17, 1, 0), s(3, 17, 1));
}

TEST(CuteSmemLayouts, SwizzledPointers) {
  alignas(1024) static half_t memory[64 * 64];
  for (int i = 0; i < 64 * 64; ++i) memory[i] = half_t::bitcast(std::uint16_t(i));
  auto layout = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _64>{});
  Tensor by_offset = make_tensor(make_smem_ptr(memory), layout);
  Tensor by_address =
      make_tensor(make_smem_ptr(make_swizzle_ptr(&memory[0], Swizzle<3, 4, 3>{})), get_nonswizzle_portion(layout));
  static_assert(is_smem<decltype(by_address)>::value);
  static_assert(is_same_v<get_swizzle_t<decltype(by_address)>, Swizzle<3, 4, 3>>);
  static_assert(is_same_v<get_swizzle_t<half_t*>, Swizzle<0, 4, 3>>);
  Tensor independent = as_position_independent_swizzle_tensor(by_address);
  static_assert(is_composed_layout<decltype(independent.layout())>::value);
  for (int i = 0; i < size(by_offset); ++i) {
    ASSERT_EQ(&by_address(i), &by_offset(i));
    ASSERT_EQ(&independent(i), &by_offset(i));
  }
  EXPECT_EQ(raw_pointer_cast(by_address.data()), &memory[0]);
  auto const in_elements = as_position_independent_swizzle_layout(layout);
  static_assert(is_same_v<decltype(get_swizzle_portion(in_elements)), Swizzle<3, 3, 3>>);
  auto const plain_pointer = as_position_independent_swizzle_tensor(by_offset);
  static_assert(
      is_same_v<std::remove_cvref_t<decltype(plain_pointer.layout())>, std::remove_cvref_t<decltype(in_elements)>>);
  static_assert(is_layout<decltype(as_position_independent_swizzle_layout(GMMA::Layout_K_INTER_Atom<float>{}))>::value);
  for (int i = 0; i < size(layout); ++i) ASSERT_EQ(int(in_elements(i)), int(layout(i)));
}

TEST(CuteSmemLayouts, TheSwizzleOfATypeIsATrait) {
  using Swizzled = ComposedLayout<Swizzle<2, 0, 3>, _0, Layout<Shape<_8, _8>>>;
  static_assert(is_same_v<get_swizzle<Swizzled>::type, Swizzle<2, 0, 3>>);
  static_assert(is_same_v<get_swizzle<Layout<_8>>::type, Swizzle<0, 4, 3>>);
  static_assert(is_same_v<get_swizzle<swizzle_ptr<Swizzle<3, 4, 3>, float*>>::type, Swizzle<3, 4, 3>>);
  static_assert(is_same_v<get_swizzle<float*>::type, Swizzle<0, 4, 3>>);
}

using tilewright::tests::printed;

/// The expected texts are what CuTe 4 prints.
TEST(CuteSmemLayouts, TilesWithoutAnAddressPrintTheirElement) {
  GMMA::Layout_K_SW128_Atom<half_t> const atom{};
  EXPECT_EQ(printed(atom), "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)");
  EXPECT_EQ(printed(GMMA::Layout_MN_SW64_Atom<float>{}), "Sw<2,4,3> o smem_ptr[32b](unset) o (_16,_8):(_1,_16)");
  EXPECT_EQ(printed(GMMA::Layout_K_INTER_Atom<int8_t>{}), "Sw<0,4,3> o smem_ptr[8b](unset) o (_8,_16):(_16,_1)");
  EXPECT_EQ(printed(GMMA::Layout_K_SW32_Atom_Bits{}), "Sw<1,4,3> o smem_ptr[1b](unset) o (_8,_256):(_256,_1)");
  auto const tiles = tile_to_shape(atom, Shape<_128, _128, _3>{});
  EXPECT_EQ(printed(tiles),
            "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_2),(_1,_3)):((_64,_512),(_1,_8192),(_0,_16384))");
  EXPECT_EQ(printed(zipped_divide(tiles, Shape<_64, _64>{})),
            "Sw<3,4,3> o smem_ptr[16b](unset) o ((_64,_64),(_2,_2,(_1,_3))):((_64,_1),(_4096,_8192,(_0,_16384)))");
  EXPECT_EQ(printed(recast_layout<half_t, uint128_t>(atom)), "Sw<3,4,3> o smem_ptr[128b](unset) o (_8,_8):(_8,_1)");
  EXPECT_EQ(printed(downcast<2>(atom)), "Sw<3,4,3> o smem_ptr[8b](unset) o (_8,_128):(_128,_1)");
  EXPECT_EQ(printed(get_nonswizzle_portion(atom)), "(_8,_64):(_64,_1)");
  testing::internal::CaptureStdout();
  print_layout(GMMA::Layout_K_SW32_Atom<half_t>{});
  std::string const grid = testing::internal::GetCapturedStdout();
  EXPECT_EQ(grid.substr(0, grid.find('\n')), "Sw<1,3,3> o _0 o (_8,_16):(_16,_1)");
}

TEST(CuteSmemLayouts, ASwizzleOfBytesWithTheFlagOfAnElement) {
  auto const tile =
      composition(Swizzle<3, 4, 3>{}, smem_ptr_flag_bits<16>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  static_assert(is_same<std::remove_const_t<decltype(tile)>, GMMA::Layout_K_SW128_Atom<half_t>>::value);
  EXPECT_EQ(tile(1, 8), 64);
  // The parts of a tile put together again, with one mode more.
  using Tall = GMMA::Layout_K_SW128_Atom<half_t>;
  EXPECT_EQ(printed(composition(Tall{}.layout_a(), Tall{}.offset(), prepend(Tall{}.layout_b()))),
            "Sw<3,4,3> o smem_ptr[16b](unset) o (_1,_8,_64):(_0,_64,_1)");
  using Wide = GMMA::Layout_K_SW32_Atom<float>;
  EXPECT_EQ(printed(composition(Wide{}.layout_a(), Wide{}.offset(), append(Wide{}.layout_b()))),
            "Sw<1,4,3> o smem_ptr[32b](unset) o (_8,_8,_1):(_8,_1,_0)");
  using Bits = GMMA::Layout_K_SW64_Atom_Bits;
  EXPECT_EQ(printed(composition(Bits{}.layout_a(), smem_ptr_flag{}, Bits{}.layout_b())), printed(Bits{}));
}

TEST(CuteSmemLayouts, TensorsPrintTheSwizzleBeforeThePointer) {
  alignas(128) half_t data[8 * 64];
  std::string const text = printed(make_tensor(make_smem_ptr(&data[0]), GMMA::Layout_K_SW128_Atom<half_t>{}));
  EXPECT_EQ(text.substr(0, 26), "Sw<3,4,3>_smem_ptr[16b](0x");
  EXPECT_EQ(text.substr(text.find(')')), ") o (_8,_64):(_64,_1)");
  EXPECT_EQ(printed(make_tensor(GMMA::DescriptorIterator{}, Layout<Shape<_1, _2>>{})),
            "GMMA::DescriptorIterator o (_1,_2):(_0,_1)");
}

/// Text without its address.
template <class T>
std::string placed(T const& v) {
  std::string const text = printed(v);
  auto const first = text.find("(0x"), last = text.find(')', first);
  return text.substr(0, first) + text.substr(last + 1);
}

alignas(1024) half_t tile_memory[64 * 128];

TEST(CuteSmemLayouts, TilesHaveTheirSwizzleInThePointer) {
  using Tile = decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _128>{}));
  Tensor tile = make_tensor(make_smem_ptr(tile_memory), Tile{});  // (64, 128)
  EXPECT_EQ(printed(tile.layout()), "((_8,_8),(_64,_2)):((_64,_512),(_1,_4096))");
  EXPECT_EQ(placed(tile.data()), "Sw<3,4,3>_smem_ptr[16b]");
  EXPECT_EQ(placed(tile.data().get()), "smem_ptr[16b]");
  EXPECT_EQ(tile.data().get().get(), tile_memory);
  EXPECT_EQ(tile.data() + 8, make_tensor(make_smem_ptr(tile_memory + 8), Tile{}).data());
  static_assert(is_smem<decltype(tile)>::value && is_same_v<get_swizzle_t<decltype(tile)>, Swizzle<3, 4, 3>>);
  for (int i = 0; i < size(tile); ++i) ASSERT_EQ(&tile(i), tile_memory + static_cast<int>(Tile{}(i)));
  // A part of a row of the swizzle, wide elements, another layout over the same memory.
  Tensor part = local_tile(tile, Shape<_64, _16>{}, make_coord(_0{}, _3{}));  // (64, 16)
  EXPECT_EQ(placed(part), "Sw<3,4,3>_smem_ptr[16b] o (_64,_16):(_64,_1)");
  EXPECT_EQ(&part(1, 0), tile_memory + 64 + (48 ^ 8));
  EXPECT_EQ(placed(recast<uint128_t>(tile)), "Sw<3,4,3>_smem_ptr[128b] o ((_8,_8),(_8,_2)):((_8,_64),(_1,_512))");
  EXPECT_EQ(&make_tensor(tile.data(), Layout<_512>{})(64), tile_memory + 64 + 8);
  EXPECT_EQ(&make_tensor(tile.data().get(), Layout<_512>{})(64), tile_memory + 64);
  Tensor plain = as_position_independent_swizzle_tensor(tile);  // (64, 128)
  EXPECT_EQ(placed(plain), "smem_ptr[16b] o Sw<3,3,3> o _0 o ((_8,_8),(_64,_2)):((_64,_512),(_1,_4096))");
  // Without a swizzle nothing is in the pointer.
  EXPECT_EQ(placed(make_tensor(make_smem_ptr(tile_memory), GMMA::Layout_K_INTER_Atom<half_t>{})),
            "smem_ptr[16b] o (_8,_8):(_8,_1)");
}

TEST(CuteSmemLayouts, ThePlaceOfASwizzleAmongPointers) {
  half_t* const p = tile_memory;
  EXPECT_EQ(placed(make_swizzle_ptr(make_smem_ptr(p), Swizzle<3, 4, 3>{})), "Sw<3,4,3>_smem_ptr[16b]");
  EXPECT_EQ(placed(make_smem_ptr(make_swizzle_ptr(p, Swizzle<3, 4, 3>{}))), "smem_Sw<3,4,3>_ptr[16b]");
  EXPECT_EQ(placed(recast_ptr<int8_t>(make_swizzle_ptr(make_smem_ptr(p), Swizzle<3, 4, 3>{}))),
            "Sw<3,4,3>_smem_ptr[8b]");
}

/// The steps of descriptors, in 16 bytes.
template <class T>
std::string descriptors(T const& fragment) {
  std::string out = printed(fragment.layout());
  for (int i = 0; i < size(fragment); ++i)
    out += " " + std::to_string(
                     (static_cast<std::uint32_t>(fragment(i).desc_) - static_cast<std::uint32_t>(fragment(0).desc_)) &
                     0x3fff);
  return out;
}

TEST(CuteSmemLayouts, DescriptorsOfPartsOfATile) {
  auto const mma = make_tiled_mma(SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>{}).get_slice(0);
  auto const rows = tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_64, _128>{});
  Tensor tile = make_tensor(make_smem_ptr(tile_memory), rows);  // (64, 128)
  EXPECT_EQ(printed(mma.partition_A(tile).layout()), "((_64,_16),_1,(_4,_2)):((_64,_1),_0,(_16,_4096))");
  EXPECT_EQ(descriptors(mma.partition_fragment_A(tile)), "(_1,_1,(_4,_2)):(_0,_0,(_2,_512)) 0 2 4 6 512 514 516 518");
  EXPECT_EQ(descriptors(mma.partition_fragment_A(flat_divide(tile, Shape<_64, _64>{})(_, _, _0{}, _1{}))),
            "(_1,_1,_4):(_0,_0,_2) 0 2 4 6");
  EXPECT_EQ(descriptors(mma.partition_fragment_A(tile)(_, _, make_coord(1, _))), "(_1,_1,_2):(_0,_0,_512) 0 512");
  // The same memory, transposed, as the other operand.
  Tensor other =
      make_tensor(make_smem_ptr(tile_memory), composition(rows, Layout<Shape<_128, _64>, Stride<_64, _1>>{}));
  EXPECT_EQ(descriptors(mma.partition_fragment_B(local_tile(other, Shape<_64, _64>{}, make_coord(0, 0)))),
            "(_1,_1,_4):(_0,_0,_128) 0 128 256 384");
}

}  // namespace

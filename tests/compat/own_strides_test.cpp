// Layouts with a stride of a program's own type: rows that an index names, cut up and copied as those of any other tensor.
#include <cute/tensor.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace cute;

/// Row i is row index[i] of memory.
template <class Step>
struct listed_rows {
  int const* index;
  Step step;

  template <class I>
  CUTE_HOST_DEVICE friend constexpr auto operator*(I const& i, listed_rows const& s) {
    return s.index[i] * s.step;
  }
  template <class N>
  CUTE_HOST_DEVICE friend constexpr auto safe_div(listed_rows const& s, N const& n) {
    auto const wide = cute::safe_div(s.step, n);
    return listed_rows<std::remove_const_t<decltype(wide)>>{s.index, wide};
  }
  CUTE_HOST_DEVICE friend void print(listed_rows const& s) {
    print("rows*");
    print(s.step);
  }
};

constexpr int rows = 16, columns = 64;
struct memory_of_rows {
  alignas(16) float values[rows * columns];
  int index[rows];
  memory_of_rows() {
    for (int i = 0; i < rows * columns; ++i) values[i] = static_cast<float>(i);
    for (int i = 0; i < rows; ++i) index[i] = (i * 5 + 3) % rows;
  }
  float at(int row, int column) const { return static_cast<float>(index[row] * columns + column); }
  auto tensor() {
    Layout const gather = make_layout(make_shape(_1{}, _1{}), make_stride(listed_rows<int>{index, columns}, _1{}));
    auto const origin = as_arithmetic_tuple(make_tuple(_0{}, _0{}));
    return make_tensor(make_gmem_ptr(&values[0]),
                       ComposedLayout{gather, origin, make_identity_layout(make_shape(rows, columns))});
  }
};

TEST(own_strides, elements_of_a_gathered_tensor_are_those_of_the_listed_rows) {
  memory_of_rows memory;
  auto const t = memory.tensor();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) EXPECT_EQ(t(i, j), memory.at(i, j));
  EXPECT_EQ(size<0>(t), rows);
  EXPECT_EQ(rank(t), 2);
}

TEST(own_strides, tiles_and_slices_are_those_of_a_plain_tensor) {
  memory_of_rows memory;
  auto const t = memory.tensor();
  auto const tile = local_tile(t, make_shape(Int<4>{}, Int<16>{}), make_coord(2, 1));
  auto const column = tile(_, 5);
  auto owned = make_tensor<float>(make_shape(Int<4>{}, Int<16>{}), LayoutRight{});
  copy(tile, owned);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(column(i), memory.at(8 + i, 21));
    for (int j = 0; j < 16; ++j) EXPECT_EQ(owned(i, j), memory.at(8 + i, 16 + j));
  }
}

TEST(own_strides, wide_atoms_copy_contiguous_elements_of_a_row) {
  memory_of_rows memory;
  auto const tile = local_tile(memory.tensor(), make_shape(Int<4>{}, Int<16>{}), make_coord(1, 2));
  auto const threads = make_layout(make_shape(Int<4>{}, Int<4>{}), LayoutRight{});
  auto const tiled = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, threads, Layout<Shape<_1, _4>>{});
  for (int thread = 0; thread < 16; ++thread) {
    auto const mine = tiled.get_slice(thread).partition_S(tile);
    auto values = make_fragment_like(mine);
    copy(tiled, mine, values);
    for (int v = 0; v < 4; ++v) EXPECT_EQ(values(v), memory.at(4 + thread / 4, 32 + thread % 4 * 4 + v));
  }
  static_assert(tilewright::detail::contiguous_elements<decltype(tile(0, _).layout())> == 16);
  static_assert(tilewright::detail::contiguous_elements<decltype(tile(_, 0).layout())> == 1);
}

TEST(own_strides, wider_elements_divide_offsets_and_steps) {
  memory_of_rows memory;
  auto const tile = local_tile(memory.tensor(), make_shape(Int<4>{}, Int<16>{}), make_coord(3, 1));
  auto const wide = recast<uint64_t>(tile);
  EXPECT_EQ(size<1>(wide), 8);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) {
      auto const halves = wide(i, j);
      float two[2];
      std::memcpy(two, &halves, sizeof two);
      EXPECT_EQ(two[0], memory.at(12 + i, 16 + 2 * j));
      EXPECT_EQ(two[1], memory.at(12 + i, 16 + 2 * j + 1));
    }
}

// Contiguous below another layout is not contiguous above it.
TEST(own_strides, copies_of_a_layout_after_a_layout_are_not_vectors) {
  alignas(16) float memory[16];
  for (int i = 0; i < 16; ++i) memory[i] = static_cast<float>(i);
  auto const transposed = make_composed_layout(Layout<Shape<_4, _4>, Stride<_4, _1>>{}, _0{}, Layout<_16>{});
  auto const from = make_tensor(make_gmem_ptr(&memory[0]), transposed);
  auto to = make_tensor<float>(Layout<_16>{});
  copy(AutoVectorizingCopy{}, from, to);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(to(i), static_cast<float>(i % 4 * 4 + i / 4));
}

}  // namespace

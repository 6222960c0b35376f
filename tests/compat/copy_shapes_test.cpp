// Copies between tensors of unlike shapes, as CuTe pairs them: element i to element i for every i below the size of the destination.
// The expected numbers are those of CuTe 4.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <numeric>
#include <vector>

using namespace cute;

namespace {

/// What 10 ints are after a copy to a tensor of them; those that it does not write are -1.
template <class SrcLayout, class DstLayout, class Copy>
std::vector<int> copied(SrcLayout const& from, DstLayout const& to, Copy const& copy_it) {
  std::vector<int> source(64), destination(10, -1);
  std::iota(source.begin(), source.end(), 0);
  copy_it(make_tensor(source.data(), from), make_tensor(destination.data(), to));
  return destination;
}
constexpr auto plain = [](auto const& src, auto const& dst) { copy(src, dst); };
constexpr auto by_vectors = [](auto const& src, auto const& dst) { copy(AutoVectorizingCopy{}, src, dst); };
constexpr auto by_atoms = [](auto const& src, auto const& dst) {
  copy(Copy_Atom<UniversalCopy<int>, int>{}, src, dst);
};

using numbers = std::vector<int>;

TEST(CopyShapes, ConstantShapesOfOtherSizes) {
  auto const square = Layout<Shape<_2, _2>, Stride<_2, _1>>{};
  EXPECT_EQ(copied(Layout<_2, _2>{}, square, plain), (numbers{0, 4, 2, 6, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(copied(Layout<_2, _1>{}, square, by_vectors), (numbers{0, 2, 1, 3, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(copied(square, Layout<_2, _2>{}, plain), (numbers{0, -1, 2, -1, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(copied(Layout<_1>{}, Layout<_4>{}, plain), (numbers{0, 0, 0, 0, -1, -1, -1, -1, -1, -1}));
}

TEST(CopyShapes, ShapesKnownAtRunTime) {
  auto const wide = make_layout(make_shape(2, 4));
  numbers const in_order{0, 1, 2, 3, 4, 5, 6, 7, -1, -1};
  EXPECT_EQ(copied(wide, make_layout(make_shape(4, 2)), plain), in_order);
  EXPECT_EQ(copied(wide, make_layout(make_shape(4, 2)), by_vectors), in_order);
  EXPECT_EQ(copied(wide, make_layout(8), plain), in_order);
  EXPECT_EQ(copied(make_layout(4), wide, plain), in_order);
  EXPECT_EQ(copied(wide, Layout<Shape<_4, _2>>{}, plain), in_order);
  EXPECT_EQ(copied(wide, wide, plain), in_order);
  EXPECT_EQ(copied(wide, make_layout(make_shape(4, 2), LayoutRight{}), plain),
            (numbers{0, 4, 1, 5, 2, 6, 3, 7, -1, -1}));
  EXPECT_EQ(copied(wide, make_layout(make_shape(2, 3)), plain), (numbers{0, 1, 2, 3, 4, 5, -1, -1, -1, -1}));
}

TEST(CopyShapes, AtomsByTheIndexOfTheModesAfterTheFirst) {
  numbers const in_order{0, 1, 2, 3, 4, 5, 6, 7, -1, -1};
  EXPECT_EQ(copied(Layout<Shape<_1, _4, _2>>{}, Layout<Shape<_1, _2, _4>>{}, by_atoms), in_order);
  EXPECT_EQ(copied(Layout<Shape<_1, _4, _2>>{}, Layout<Shape<_1, Shape<_2, _2>, _2>>{}, by_atoms), in_order);
  EXPECT_EQ(copied(make_layout(make_shape(_1{}, 4, 2)), make_layout(make_shape(_1{}, 2, 4)), by_atoms), in_order);
  EXPECT_EQ(copied(make_layout(make_shape(_1{}, 8)), make_layout(make_shape(_1{}, make_shape(2, 4))), by_atoms),
            in_order);
}

TEST(CopyShapes, Predicates) {
  std::vector<int> answers(16);
  for (int i = 0; i < 16; ++i) answers[static_cast<std::size_t>(i)] = i % 3 != 0;
  numbers const every_third_left_out{-1, 1, 2, -1, 4, 5, -1, 7, -1, -1};
  auto const where = [&](auto const& pred) {
    return [&](auto const& src, auto const& dst) { copy_if(make_tensor(answers.data(), pred), src, dst); };
  };
  auto const tall = make_layout(make_shape(4, 2)), wide = make_layout(make_shape(2, 4));
  EXPECT_EQ(copied(wide, tall, where(tall)), every_third_left_out);
  EXPECT_EQ(copied(tall, tall, where(wide)), every_third_left_out);
  EXPECT_EQ(copied(Layout<Shape<_4, _2>>{}, Layout<Shape<_2, _4>>{}, where(Layout<_8>{})), every_third_left_out);
}

/// A destination whose strides split the source's mode: (6,2) to ((2,3),2):((k,1),20), with k known at run time or a constant.
TEST(CuteCopies, StridesMaySplitAModeOfTheOther) {
  int const k = 7;
  int from[12], to[64], back[12];
  for (int i = 0; i < 12; ++i) from[i] = i + 1;
  auto const src = make_tensor(&from[0], Layout<Shape<_6, _2>>{});
  auto const expect_copied = [&](auto const& copied) {
    for (int i = 0; i < 12; ++i) EXPECT_EQ(copied(i), i + 1);
  };
  auto dst = make_tensor(&to[0], make_layout(Shape<Shape<_2, _3>, _2>{}, make_stride(make_stride(k, _1{}), 20)));
  auto fixed = make_tensor(&to[0], Layout<Shape<Shape<_2, _3>, _2>, Stride<Stride<_7, _1>, Int<20>>>{});
  fill(dst, 0), copy(src, dst), expect_copied(dst);
  fill(dst, 0), copy(AutoVectorizingCopy{}, src, dst), expect_copied(dst);
  fill(dst, 0), copy(Copy_Atom<AutoVectorizingCopyWithAssumedAlignment<128>, int>{}, src, dst), expect_copied(dst);
  fill(dst, 0), copy(AutoVectorizingCopy{}, src, fixed), expect_copied(fixed);
  auto again = make_tensor(&back[0], Layout<Shape<_6, _2>>{});
  copy(AutoVectorizingCopy{}, dst, again), expect_copied(again);
  // Shapes of which neither is the other's: by index.
  auto const other = make_tensor(&from[0], Layout<Shape<Shape<_3, _4>>>{});
  fill(dst, 0), copy(other, dst), expect_copied(dst);
}

}  // namespace

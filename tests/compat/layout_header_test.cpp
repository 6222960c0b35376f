// What programs use that include cute/layout.hpp alone.
#include <cute/layout.hpp>

#include <gtest/gtest.h>

#include <sstream>

using namespace cute;

namespace {

TEST(CuteLayoutHeader, StreamsPrintsAndNumericTypesAreThere) {
  std::ostringstream out;
  out << make_layout(Shape<_2, _3>{}) << ' ' << make_shape(1, _2{}) << ' ' << _ << ' ' << Int<3>{};
  EXPECT_EQ(out.str(), "(_2,_3):(_1,_2) (1,_2) _ _3");
  testing::internal::CaptureStdout();
  print("%d ", 3);
  print(Layout<_4, _2>{});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "3 _4:_2");
  EXPECT_EQ(float(1.5_hf), 1.5f);
  EXPECT_EQ(float(cutlass::bfloat16_t(2.0f)), 2.0f);
}

TEST(CuteLayoutHeader, ShapesOfDifferentNestingDiffer) {
  auto const nested = Layout<Shape<_2, Shape<_2, _3>>>{};
  static_assert(!decltype(nested == Layout<Shape<_2, _6>>{})::value);
  static_assert(!decltype(Layout<Shape<_2, _6>>{} == nested)::value);
  static_assert(decltype(nested == nested)::value);
  EXPECT_FALSE(make_shape(2, make_shape(2, 3)) == make_shape(2, 6));
  static_assert(std::is_same_v<decltype(nested.shape<>()), Shape<_2, Shape<_2, _3>>>);
  static_assert(std::is_same_v<decltype(nested.stride<1, 0>()), _2>);
}

}  // namespace

// print_svg, print_latex, …: typed layouts, swizzled ones and tiled copies give the pictures of their values.
#include <gtest/gtest.h>

#include "tilewright/atom/ldmatrix.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/render/print.hpp"
#include "tilewright/tiled/make_tiled_copy.hpp"

namespace tilewright::render {
namespace {

template <class F>
std::string printed(F const& print) {
  testing::internal::CaptureStdout();
  print();
  return testing::internal::GetCapturedStdout();
}

TEST(print, typed_layouts_are_their_values) {
  auto const typed = make_layout(Shape<_4, _8>{}, Stride<_8, _1>{});
  layout_value const value = parse_layout("(4,8):(8,1)");
  EXPECT_EQ(to_value(typed), value);
  EXPECT_EQ(printed([&] { print_svg(typed); }), to_svg(layout_scene({{"", value}})));
  EXPECT_EQ(printed([&] { print_latex(value); }), to_latex(layout_scene({{"", value}})));
  EXPECT_EQ(printed([&] { print_text(typed, view::indices); }), to_text(layout_scene({{"", value}}, view::indices)));
  EXPECT_EQ(printed([&] { print_json(typed); }), to_json(layout_scene({{"", value}})));
  EXPECT_EQ(printed([&] { print_html(typed, view::order); }), to_html(layout_scene({{"", value}}, view::order)));
}

TEST(print, run_time_leaves_are_filled_in) {
  int const m = 6;
  long long const step = 40;
  EXPECT_EQ(to_value(make_layout(make_shape(m, _4{}, make_shape(2, m)), make_stride(_1{}, step, make_stride(_3{}, m)))),
            parse_layout("(6,4,(2,6)):(1,40,(3,6))"));
  EXPECT_EQ(to_value(make_layout(m, _2{})), parse_layout("6:2"));
}

TEST(print, swizzled_layouts) {
  auto const typed = composition(Swizzle<3, 2, 3>{}, make_layout(Shape<_8, _32>{}, Stride<_32, _1>{}));
  composed_value const value = to_value(typed);
  EXPECT_EQ(format_composed(value), "Sw<3,2,3> o 0 o (8,32):(32,1)");
  EXPECT_EQ(printed([&] { print_svg(typed, view::banks); }), to_svg(layout_scene({{"", value}}, view::banks)));
}

TEST(print, tiled_copies) {
  auto const copy =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_4, _8>>{}, Layout<Shape<_1, _1>>{});
  scene const s = scene_of(copy);
  ASSERT_EQ(s.panels.size(), 1u);
  EXPECT_EQ(s.panels[0].cells.at(4, 2).text, "T09");  // one label for the atom's four elements
  EXPECT_EQ(s.panels[0].cells.at(5, 2).text, "");
  EXPECT_EQ(printed([&] { print_latex(copy); }), to_latex(s));
}

TEST(print, a_source_and_a_destination_that_differ) {
  auto const copy =
      make_tiled_copy(Copy_Atom<SM75_U32x1_LDSM_N, std::uint16_t>{}, Layout<Shape<_32, _1>>{}, Layout<Shape<_1, _8>>{});
  scene const s = scene_of(copy);
  ASSERT_EQ(s.panels.size(), 2u);
  EXPECT_NE(s.panels[0].title.find("source"), std::string::npos);
  EXPECT_NE(s.panels[1].title.find("destination"), std::string::npos);
}

}  // namespace
}  // namespace tilewright::render

// Pictures of matrix operations: every element of A, B and C is a cell with the thread and the value that the maps give it.
#include "tilewright/render/mma_atoms.hpp"
#include "tilewright/render/writers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

using namespace tilewright;

namespace {

TEST(mma_pictures, show_the_maps_of_every_operation) {
  EXPECT_EQ(render::mma_names().size(), 87u);
  EXPECT_TRUE(std::is_sorted(render::mma_names().begin(), render::mma_names().end()));
  for (std::string const& name : render::mma_names()) {
    render::mma_maps const& maps = render::mma_named(name);
    render::scene const picture = render::mma_scene(maps);
    ASSERT_EQ(picture.panels.size(), 3u) << name;
    layout_value const* const of[] = {&maps.a, &maps.b, &maps.c};
    for (std::size_t i = 0; i < 3; ++i) {
      render::grid const& g = picture.panels[i].cells;
      long long const threads = size(mode(*of[i], 0).value()).value();
      ASSERT_EQ(static_cast<long long>(g.cells.size()), size(*of[i]).value()) << name;
      for (int r = 0; r < g.rows; ++r) {
        for (int c = 0; c < g.columns; ++c) {
          render::cell const& cell = g.cells[static_cast<std::size_t>(r * g.columns + c)];
          ASSERT_TRUE(cell.thread && cell.value) << name << " " << r << "," << c;
          ASSERT_EQ((*of[i])(*cell.thread + threads * *cell.value), r + static_cast<long long>(g.rows) * c) << name;
        }
      }
    }
  }
}

TEST(mma_pictures, are_drawn_by_their_name) {
  render::plot_request request;
  request.what = render::view::atom;
  request.atom = "SM70_8x8x4_F32F16F16F32_NT";
  std::string const text = render::to_text(render::make_scene(request));
  EXPECT_NE(text.find("A (m,k) ((4,2),4):((8,4),1)"), std::string::npos) << text;
  EXPECT_NE(text.find("C (m,n) ((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"), std::string::npos) << text;
  EXPECT_THROW(render::mma_named("SM80_1x1x1"), render::render_error);
}

}  // namespace

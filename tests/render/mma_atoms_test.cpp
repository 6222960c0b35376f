// Pictures of matrix operations: every element of A, B and C is a cell with the thread and the value that the maps give it.
#include "tilewright/render/mma_atoms.hpp"
#include "tilewright/algebra/to_value.hpp"
#include "tilewright/mma/sm90_sparse_gmma_extended_names.hpp"
#include "tilewright/render/writers.hpp"

#include "effort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

using namespace tilewright;

namespace {

TEST(mma_pictures, show_the_maps_of_every_operation) {
  EXPECT_EQ(render::mma_families().size(), 87u + 2u * 40u);
  // Of warpgroups, with a dense and a sparse A: of floating-point numbers, of integers.
  EXPECT_EQ(render::mma_names().size(), 87u + 2u * (24u * 32u + 16u * 18u));
  EXPECT_TRUE(std::is_sorted(render::mma_names().begin(), render::mma_names().end()));
  std::size_t const names = render::mma_names().size();
  std::size_t const looked_at = static_cast<std::size_t>(tests::rounds(static_cast<std::int64_t>(names) / 4));
  for (std::size_t n = 0; n < names; n += names / looked_at) {
    std::string const& name = render::mma_names()[n];
    render::mma_maps const& maps = render::mma_named(name);
    if (name.starts_with("GMMA_") && maps.n > 24) continue;  // as with a dense A
    render::scene const picture = render::mma_scene(maps);
    std::vector<layout_value const*> of;
    if (!maps.a_is_shared) of.push_back(&maps.a);
    if (!maps.b_is_shared) of.push_back(&maps.b);
    of.push_back(&maps.c);
    ASSERT_EQ(picture.panels.size(), of.size()) << name;
    for (std::size_t i = 0; i < of.size(); ++i) {
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

TEST(mma_pictures, a_sparse_a_has_the_maps_of_its_traits) {
  using traits = MMA_Traits<SM90::GMMA::SPARSE::GMMA_64x48x64_S32S8U8_RS_TN<>>;
  render::mma_maps const& maps = render::mma_named("GMMA_64x48x64_S32S8U8_RS_TN");
  EXPECT_EQ(maps.family, "GMMA_64xNx64_S32S8U8_RS_TN");
  EXPECT_EQ(maps.a, to_value(traits::ALayout{}));
  EXPECT_EQ(maps.b, to_value(traits::BLayout{}));
  EXPECT_EQ(maps.c, to_value(traits::CLayout{}));
  EXPECT_EQ(maps.type_a + maps.type_b, "s8u8");
}

TEST(mma_pictures, warpgroups_have_the_maps_of_their_traits) {
  using traits = MMA_Traits<SM90_64x176x16_F32BF16BF16_RS<SM90::GMMA::Major::K, SM90::GMMA::Major::MN>>;
  render::mma_maps const& maps = render::mma_named("SM90_64x176x16_F32BF16BF16_RS");
  EXPECT_EQ(maps.family, "SM90_64xNx16_F32BF16BF16_RS");
  EXPECT_EQ(maps.a, to_value(traits::ALayout{}));
  EXPECT_EQ(maps.b, to_value(traits::BLayout{}));
  EXPECT_EQ(maps.c, to_value(traits::CLayout{}));
  EXPECT_EQ(maps.threads, to_value(traits::ThrID{}));
  EXPECT_EQ(maps.type_b + maps.type_c, "bf16f32");
  EXPECT_TRUE(!maps.a_is_shared && maps.b_is_shared);
  using of_bytes = MMA_Traits<SM90_64x80x32_S32S8U8_SS_TN_SATURATE>;
  render::mma_maps const& bytes = render::mma_named("SM90_64x80x32_S32S8U8_SS_TN_SATURATE");
  EXPECT_EQ(bytes.a, to_value(of_bytes::ALayout{}));
  EXPECT_EQ(bytes.b, to_value(of_bytes::BLayout{}));
  EXPECT_EQ(bytes.c, to_value(of_bytes::CLayout{}));
  EXPECT_TRUE(bytes.a_is_shared);
  EXPECT_THROW(render::mma_named("SM90_64x40x32_S32S8U8_SS_TN"), render::render_error);  // no such N for integers
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

// Colours: text is legible on all of them, and neighbouring hues differ for the colour-blind.
#include <gtest/gtest.h>

#include <array>

#include "tilewright/render/colour.hpp"

namespace tilewright::render {
namespace {

TEST(colours, text_is_legible_on_all_of_them) {
  for (palette const p : {palette::plain, palette::order, palette::owner, palette::bank, palette::group, palette::heat})
    for (int classes : {1, 8, 16, 32, 1024})
      for (int c = several; c < classes; ++c) {
        rgb const back = colour_of(p, c, classes);
        EXPECT_GE(contrast(back, text_colour_on(back)), 4.5) << "palette " << static_cast<int>(p) << " class " << c;
      }
}

/// Machado, Oliveira and Fernandes (2009), severity 1: what someone without one kind of cone sees.
std::array<double, 3> seen_without(int cone, rgb c) {
  constexpr double matrix[3][9] = {
      {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
      {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
      {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900}};
  double const in[3] = {c.red / 255.0, c.green / 255.0, c.blue / 255.0};
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) out[i] += matrix[cone][3 * i + k] * in[k];
  return out;
}

TEST(colours, neighbouring_hues_stay_apart_for_the_colour_blind) {
  for (int cone = 0; cone < 3; ++cone)
    for (int hue = 0; hue + 1 < 8; ++hue) {
      auto const a = seen_without(cone, colour_of(palette::group, hue, 8)),
                 b = seen_without(cone, colour_of(palette::group, hue + 1, 8));
      double distance = 0;
      for (std::size_t i = 0; i < 3; ++i) distance += (a[i] - b[i]) * (a[i] - b[i]);
      EXPECT_GT(distance, 0.005) << "cone " << cone << " hue " << hue;
    }
}

TEST(colours, heat_has_a_class_for_each_doubling) {
  std::vector<long long> const ways{0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 1000};
  std::vector<int> classes;
  for (long long const w : ways) classes.push_back(heat_class(w));
  EXPECT_EQ(classes, (std::vector<int>{0, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6}));
}

}  // namespace
}  // namespace tilewright::render

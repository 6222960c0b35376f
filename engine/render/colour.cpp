// The palettes, and contrast as WCAG 2 defines it.
#include "tilewright/render/colour.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright::render {
namespace {

// Tol's "light", ordered so that neighbours differ in hue and in lightness.
constexpr std::array<rgb, 8> light{{{119, 170, 221},
                                    {238, 136, 102},
                                    {68, 187, 153},
                                    {255, 170, 187},
                                    {187, 204, 51},
                                    {153, 221, 255},
                                    {238, 221, 136},
                                    {170, 170, 0}}};
// Tol's "YlOrBr", every class a clear step darker; the first is for banks without accesses.
constexpr std::array<rgb, heat_classes> heat{
    {{246, 247, 249}, {255, 247, 188}, {254, 196, 79}, {251, 154, 41}, {204, 76, 2}, {153, 52, 4}, {102, 37, 6}}};
constexpr std::array<double, 4> whiteness{0.62, 0.40, 0.18, 0.0};

rgb mixed(rgb a, rgb b, double share_of_b) {
  auto const part = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + (static_cast<double>(y) - x) * share_of_b));
  };
  return {part(a.red, b.red), part(a.green, b.green), part(a.blue, b.blue)};
}

rgb shade(int hue, int step) {
  return mixed(light[static_cast<std::size_t>(hue) % light.size()], paper,
               whiteness[static_cast<std::size_t>(step) % whiteness.size()]);
}

double luminance(rgb c) {
  auto const linear = [](std::uint8_t part) {
    double const v = part / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

}  // namespace

rgb colour_of(palette from, int colour, int classes) {
  if (colour == several) return {60, 60, 66};
  if (colour < 0) return {255, 255, 255};
  switch (from) {
    case palette::plain: return {238, 240, 244};
    case palette::order:
      return mixed({247, 250, 253}, {107, 161, 209}, classes < 2 ? 0.0 : static_cast<double>(colour) / (classes - 1));
    case palette::owner:
    case palette::bank: return classes <= 8 ? shade(colour, 1) : shade(colour / 4, colour % 4);
    case palette::group: return shade(colour % 8, colour / 8 % 4 == 0 ? 1 : colour / 8 + 2);
    case palette::heat: return heat[static_cast<std::size_t>(std::min(colour, heat_classes - 1))];
  }
  return paper;
}

double contrast(rgb a, rgb b) {
  double const x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

rgb text_colour_on(rgb background) { return contrast(background, ink) >= contrast(background, paper) ? ink : paper; }

int heat_class(long long ways) {
  if (ways <= 0) return 0;
  int level = 1;
  for (long long limit = 1; limit < ways && level < heat_classes - 1; limit *= 2) ++level;
  return level;
}

std::string hex(rgb c) {
  constexpr char const* digits = "0123456789abcdef";
  std::string out = "#";
  for (std::uint8_t const part : {c.red, c.green, c.blue}) {
    out += digits[part >> 4];
    out += digits[part & 15];
  }
  return out;
}

}  // namespace tilewright::render

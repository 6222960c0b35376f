// The colours of pictures. Threads, banks and tiles use Paul Tol's "light" scheme, which was made to fill labelled
// cells with dark text and stays distinct in colour-blind vision; heat uses his "YlOrBr" (P. Tol, Colour Schemes,
// technical note SRON/EPS/TN/09-002, issue 3.2, 2021). Order is one blue from pale to dark, so that lightness alone
// tells it.
#pragma once

#include "tilewright/base/config.hpp"

#include <cstdint>

#include "tilewright/render/scene.hpp"

namespace tilewright::render {

struct rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(rgb const&, rgb const&) = default;
};

inline constexpr rgb ink{31, 39, 51};
inline constexpr rgb quiet_ink{84, 94, 110};
inline constexpr rgb paper{255, 255, 255};

/// The colour of a class.
/// pre: classes >= 1;  post: the same for the same arguments; no thread and several threads have colours of their own
rgb colour_of(palette from, int colour, int classes);

/// Ink or white, whichever is read more easily.
/// post: at least the contrast 4.5 that WCAG 2 asks of small text, on every colour of colour_of
rgb text_colour_on(rgb background);

/// The ratio of luminances, 1 to 21, as WCAG 2 defines it.
double contrast(rgb a, rgb b);

/// The class of the heat palette for `ways` accesses to one bank at once.
int heat_class(long long ways);
inline constexpr int heat_classes = 7;

/// "#rrggbb"
std::string hex(rgb colour);

}  // namespace tilewright::render

// PNG and PDF of a picture's SVG, by librsvg and cairo. Both are opened when they are first needed: they bring forty
// libraries, which a command that prints a layout does not wait for, and a program that links the engine does not need.
#pragma once

#include <string>

namespace tilewright::render {

/// `scale`: pixels for a unit of the SVG, which is 1/96 inch. A picture that would be wider or higher than a PNG may be,
/// or have more than 100 million pixels, gets a smaller scale.
/// error: render_error, with the package to install
std::string png_of(std::string const& svg, double width, double height, double scale);
/// A page as large as the picture, with text as text.
std::string pdf_of(std::string const& svg, double width, double height, std::string const& title);

}  // namespace tilewright::render

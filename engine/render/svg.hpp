// The SVG of a drawing; the interactive page puts names on its cells.
#pragma once

#include <string>

#include "tilewright/render/scene.hpp"

namespace tilewright::render {

/// `interactive` names each cell's group "p<panel>c<cell>".
std::string svg_of(scene const& s, bool interactive);

/// For element content and attribute values of XML and HTML.
/// post: valid UTF-8 without the characters that XML forbids, which become U+FFFD
std::string xml_escaped(std::string const& text);

/// The text with bytes that are no UTF-8 replaced by U+FFFD.
std::string valid_utf8(std::string const& text);

}  // namespace tilewright::render

// Scenes as JSON values, for the JSON writer and the interactive page.
#pragma once

#include <nlohmann/json.hpp>

#include "tilewright/render/scene.hpp"

namespace tilewright::render {

using ordered_json = nlohmann::ordered_json;

/// The facts of a cell; absent ones are left out.
ordered_json json_of(cell const& c);
ordered_json json_of(scene const& s);

/// One line. Bytes that are no UTF-8 become U+FFFD.
std::string dumped(ordered_json const& value, int indent);

}  // namespace tilewright::render

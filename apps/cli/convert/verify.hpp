// Compares a finished output with its input, element by element, straight from the two layouts: nothing of the planner,
// the engine or the blocks takes part.
#pragma once

#include "apps/cli/convert/target.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tilewright::cli {

struct comparison {
  conversion const& what;
  npy_element const& element;
  std::optional<byte_order> order;  // of the output's numbers; none: that of the input
  std::byte const* in = nullptr;    // the first element of each file's data
  std::byte const* out = nullptr;
  /// Elements that are compared one behind the other, where they are so on both sides, before the walk moves on.
  std::int64_t stretch_elements = 512;
  /// Coordinates along the nearest axis of each side that are compared, where these differ, before the walk moves on.
  std::int64_t box_extent = 512;
  /// Asked between boxes, with the elements compared so far and the stretches of at most `stretch_elements` that the box
  /// touched on either side; false ends the comparison without an answer.
  std::function<bool(std::int64_t compared, std::int64_t stretches)> go_on = [](std::int64_t, std::int64_t) {
    return true;
  };
};

/// The first difference that was found, as a sentence without its file: "the element (1, 2) is not that of the input".
/// pre:  both layouts have one profile
/// cost: reads every element once; holes of the output are checked to be zero
std::optional<std::string> find_difference(comparison const& c);

}  // namespace tilewright::cli

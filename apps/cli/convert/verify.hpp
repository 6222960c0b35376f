// Compares a finished output with its input, element by element, straight from the two layouts: nothing of the planner
// or the engine takes part.
#pragma once

#include "apps/cli/convert/target.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tilewright::cli {

/// The first difference that was found, as a sentence without its file: "the element (1, 2) is not that of the input".
/// `go_on` is asked now and then with the elements compared so far; false ends the comparison without an answer.
/// pre: elements of 1, 2, 4, 8 or 16 bytes; both layouts have one profile; `in` and `out` point to the first element of each
/// cost: reads every element once; holes of the output are checked to be zero
std::optional<std::string> find_difference(conversion const& c, std::byte const* in, std::byte const* out,
                                           std::size_t element_bytes,
                                           std::function<bool(std::int64_t compared)> const& go_on);

}  // namespace tilewright::cli

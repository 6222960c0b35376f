// What a symbolic result rests on: relations between run-time integers that the algebra could not prove, in words.
#pragma once

#include "tilewright/layout/text.hpp"

#include <string>

namespace tilewright::cli {

/// The relations of the style's pool, such as "M%8=0, 4<=N"; those that hold for all integers are left out.
/// error: std::length_error when one has too many terms to print
std::string conditions(text_style const& style);

}  // namespace tilewright::cli

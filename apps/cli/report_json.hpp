// The values of the analyses as JSON: numbers with their units in their names, layouts as the text that one can paste.
#pragma once

#include "apps/cli/subject.hpp"

#include <nlohmann/json.hpp>

namespace tilewright::cli {

nlohmann::ordered_json to_json(analysis::layout_report const& report);
nlohmann::ordered_json to_json(analysis::copy_report const& report);
nlohmann::ordered_json to_json(plan_subject const& plan);

/// "Sw<3,3,3> o 0 o (8,64):(64,1)", or the layout alone.
std::string layout_text(composed_value const& a);

}  // namespace tilewright::cli

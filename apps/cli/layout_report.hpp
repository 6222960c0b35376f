// What can be said of a layout by itself: who shares an offset, what it leaves out, how wide its accesses can be, and
// what it costs when a warp's threads stand along one of its modes.
#pragma once

#include "apps/cli/subject.hpp"
#include "tilewright/analysis/coverage.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::cli {

/// The threads of a warp side by side along one mode, each with one element (a CPU: one thread with them all).
struct mode_walk {
  int mode = 0;
  long long threads = 0;  // the most that divide the mode's extent, up to a warp
  analysis::side_cost global{}, shared{};
  analysis::bank_report first{};  // the first of the accesses to shared memory

  // Of one thread, with as many elements along the mode as the widest access holds or its extent allows.
  analysis::access_width width{};
};

struct layout_report {
  layout_subject asked{};
  long long elements = 0;
  long long span = 0;  // elements of memory, from offset 0
  analysis::aliasing alias{};
  std::optional<analysis::image> reached;     // where it can be enumerated
  std::optional<analysis::coverage> covered;  // with a tile
  std::vector<mode_walk> walks;               // of the modes with several elements

  /// The walk whose accesses can be the widest; null without walks.
  mode_walk const* widest() const;
};

/// error: layout_error, std::length_error
layout_report report_of(layout_subject const& asked);

/// One line a fact.
std::vector<std::string> explain(layout_report const& report);

}  // namespace tilewright::cli

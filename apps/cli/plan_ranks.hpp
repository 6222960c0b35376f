// tilewright plan --ranks: the plan of a redistribution, on paper.
#pragma once

#include <string>

namespace tilewright::cli {

struct rank_texts {
  std::string ranks;     // --ranks
  std::string rank;      // --rank
  std::string topology;  // --topology
  std::string svg;       // --svg
  bool compare = false;
};

/// error: usage_error, text_error, copy_error
void print_redistribution(std::string const& src, std::string const& dst, std::string const& element,
                          rank_texts const& texts, bool json);

}  // namespace tilewright::cli

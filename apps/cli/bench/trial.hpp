// One copy, checked and then timed next to memcpy and to the naive way, on a CPU or a GPU.
#pragma once

#include "bench/support/rounds.hpp"
#include "tilewright/engine/copy.hpp"

#include <cstdint>
#include <string>

namespace tilewright::cli {

struct trial {
  composed_value src{}, dst{};
  element_type element = element_type::f32;
  device where = cpu;
  int threads = 0;  // of the CPU; 0: all
  tilewright::bench::round_limits limit{};
};

struct trial_result {
  copy_plan plan;
  std::string way;            // how the plan is run: the name of its kernel
  std::string baseline;       // "memcpy by 2 threads"
  std::string naive;          // what the naive way is here
  std::int64_t elements = 0;  // moved, and found where the layouts say
  std::int64_t bytes = 0;     // read and written
  tilewright::bench::two_timings next_to_memcpy, next_to_naive;
};

/// pre:  the layouts hold plain integers
/// error: copy_error, as copy(); internal when an element is not where the layouts say, with its coordinate; usage_error
///        when there is nothing to copy, or the tensors do not fit the memory
/// cost: three buffers of the destination's and the source's size, and the limit's seconds twice
trial_result run_trial(trial const& t);

}  // namespace tilewright::cli

// The tilings that the planner weighs for a GPU, with what each is expected to cost.
#pragma once

#include "engine/plan/cuda_tiles.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <vector>

namespace tilewright::plan {

run_facts facts_of(movement const& m, copy_request const& request);

struct cuda_candidate {
  std::vector<std::int64_t> tile;
  std::vector<int> order;
  cuda_schedule schedule;
  double cost = 0;                        // to choose by, in shares of a plain copy's time
  double expected = 1;                    // time over that of a plain copy of as many bytes
  std::int64_t src_run = 0, dst_run = 0;  // bytes of a tile that follow each other
};

/// Candidates for the staged kernel and, where both sides share a run, for the one without shared memory; cheapest first.
/// pre: m.has_loops(), m.loops not empty
/// post: at most `most` of them, none for layouts that only the gather kernel serves
std::vector<cuda_candidate> candidates_of(movement const& m, copy_request const& request, machine_model const& machine,
                                          std::size_t most);

/// What tuning measures: the best few tilings as planned, and the very best with other numbers of threads and in the
/// source's and the destination's order. The first is the planner's own choice.
std::vector<cuda_candidate> variants_of(movement const& m, copy_request const& request, machine_model const& machine);

/// Makes the candidate the plan's schedule, with its reasons and its expected time.
void take(copy_plan& plan, cuda_candidate const& c);

}  // namespace tilewright::plan

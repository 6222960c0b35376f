// The schedule between a few planes of small elements and their interleaved form (images of three channels).
#pragma once

#include "engine/plan/cuda_candidates.hpp"

#include <optional>

namespace tilewright::plan {

/// None unless one side has an odd number of up to 7 elements of 8 or 16 bits side by side, the other side has a plane for
/// each of them, and vectors of 16 bytes on the first side and of 4 bytes on the other are proved.
/// pre: m.has_loops()
std::optional<cuda_candidate> interleaved_candidate(movement const& m, copy_request const& request, run_facts const& f,
                                                    std::vector<int> const& order);

/// Of an interleaved schedule: are the planes in the source? The shorter of the two runs is the one across the planes.
bool joins_planes(movement const& m, cuda_schedule const& s);

}  // namespace tilewright::plan

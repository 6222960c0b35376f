// A copy between two layouts, decided: which loops it needs, on which path through the memory they run, in which
// tiles, by which threads and how wide. A plan is a value: it can be compared, hashed, printed, explained, proved, kept
// in a cache, and run any number of times on different pointers.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/plan/cpu_schedule.hpp"
#include "tilewright/plan/cuda_schedule.hpp"
#include "tilewright/plan/machine_model.hpp"
#include "tilewright/plan/movement.hpp"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace tilewright {

/// What a plan is made for.
struct copy_request {
  composed_value src{};
  composed_value dst{};
  int element_bits = 32;
  std::int64_t src_alignment = 16;  // of the pointers, in bytes: powers of two
  std::int64_t dst_alignment = 16;
};

/// How the elements travel.
enum class copy_path : int {
  nothing = 0,     // no elements to copy
  contiguous = 1,  // one run on both sides: a plain copy of bytes
  rows = 2,        // runs on both sides, long enough to be copied one after another
  staged =
      3,  // tiles are transposed in cache or shared memory: read along the source's runs, written along the destination's
  direct = 4,  // tiles are transposed in registers
  walk = 5,    // element by element: no tile pays, or the layouts have no common loops
};
char const* name_of(copy_path path);

struct copy_plan {
  movement moves;  // in elements of the request, or wider ones made of its runs
  copy_path path = copy_path::nothing;
  std::vector<std::int64_t> tile;  // extent in each loop; the last tile of a loop may hang over
  std::vector<int> order;          // the loops, the one whose tiles follow each other first
  std::variant<std::monostate, cpu_schedule, cuda_schedule> schedule;
  machine_model machine;
  std::int64_t bytes = 0;            // read and written
  double seconds = 0;                // expected, by the model
  std::vector<std::string> reasons;  // a sentence for each choice

  friend bool operator==(copy_plan const&, copy_plan const&) = default;
};

/// cost: microseconds to a few milliseconds
/// error: copy_error, as make_movement; bad_option for an alignment that is no power of two
copy_plan plan_copy(copy_request const& request, machine_model const& machine);

/// Equal plans have equal hashes; every field takes part.  cost: O(numbers in the plan), no allocation
std::size_t hash_of(copy_plan const& plan);

/// The plan in a few lines of text: loops, path, tile, threads, expected time, and the reasons.
std::string explain(copy_plan const& plan);

/// The plan as one JSON object, indented by `indent` blanks (-1: on one line).
std::string to_json(copy_plan const& plan, int indent = 2);

}  // namespace tilewright

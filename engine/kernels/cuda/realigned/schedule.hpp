// The schedule for a transpose between rows that begin at any element: no access can be a vector by its address alone.
#pragma once

#include "engine/plan/cuda_candidates.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::kernels {

/// A tile: elements along the destination's run and along the source's, and how threads take it.
struct realigned_shape {
  int tile_i, tile_j, threads;
};

/// Whole sectors of the destination and whole vectors of the source, for elements of 1, 2, 4 or 8 bytes: what is worth a measurement.
std::vector<realigned_shape> realigned_shapes(int element, std::int64_t extent_i, std::int64_t extent_j);

/// The best of these. None where the two runs are one, where tiles would be far beyond the runs, where short rows follow each
/// other, for swizzled layouts and for elements of 4 bits or of more than 8 bytes.
/// pre: m.has_loops()
std::optional<plan::cuda_candidate> realigned_candidate(movement const& m, plan::run_facts const& f,
                                                        machine_model const& machine, std::vector<int> const& order);

/// The `most` best of all shapes, by the same estimate, best first; also where short rows follow each other.
/// pre: m.has_loops()
std::vector<plan::cuda_candidate> realigned_candidates(movement const& m, plan::run_facts const& f,
                                                       std::vector<int> const& order, std::size_t most);

/// With a tile of that shape.
/// pre: realigned_candidate has one; the shape is one of realigned_shapes
plan::cuda_candidate realigned_candidate(movement const& m, plan::run_facts const& f, std::vector<int> const& order,
                                         realigned_shape const& t);

}  // namespace tilewright::kernels

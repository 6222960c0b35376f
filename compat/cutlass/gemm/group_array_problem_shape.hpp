// The extents of many products: one for each group, or one for all.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/layout.hpp"
#include "cutlass/array.h"
#include "cutlass/coord.h"
#include "cutlass/cutlass.h"

#include <cstdint>

namespace cutlass::gemm {

/// One shape for each group, on the device and, if the program has them, on the host.
template <class ProblemShape>
struct GroupProblemShape {
  using UnderlyingProblemShape = ProblemShape;
  std::int32_t num_groups = 1;
  ProblemShape* problem_shapes = nullptr;
  ProblemShape const* host_problem_shapes = nullptr;

  CUTLASS_HOST_DEVICE std::int32_t groups() const { return num_groups; }
  CUTLASS_HOST_DEVICE ProblemShape const get_problem_shape(std::int32_t group) const { return problem_shapes[group]; }
  /// A default shape where the host has none.
  CUTLASS_HOST_DEVICE ProblemShape const get_host_problem_shape(std::int32_t group) const {
    return host_problem_shapes != nullptr ? host_problem_shapes[group] : ProblemShape{};
  }
  CUTLASS_HOST_DEVICE bool is_host_problem_shape_available() const { return host_problem_shapes != nullptr; }
};

/// One shape for all.
template <class ProblemShape>
class ArrayProblemShape {
 public:
  using UnderlyingProblemShape = ProblemShape;
  ArrayProblemShape() = default;
  ArrayProblemShape(ProblemShape shape) : problem_shape_(shape) {}

  CUTLASS_HOST_DEVICE constexpr std::int32_t groups() const { return 1; }
  ProblemShape* problem_shapes() const { return nullptr; }
  ProblemShape const* host_problem_shapes() const { return nullptr; }
  CUTLASS_HOST_DEVICE ProblemShape const get_problem_shape(std::int32_t = 0) const { return problem_shape_; }
  CUTLASS_HOST_DEVICE ProblemShape const get_host_problem_shape(std::int32_t = 0) const { return problem_shape_; }
  CUTLASS_HOST_DEVICE bool is_host_problem_shape_available() const { return true; }

 private:
  ProblemShape problem_shape_{};
};

}  // namespace cutlass::gemm

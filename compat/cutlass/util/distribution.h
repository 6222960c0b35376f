// How random numbers are distributed, as a value that programs hand on.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/cutlass.h"

#include <ostream>

namespace cutlass {

struct Distribution {
  enum Kind { Invalid, Uniform, Gaussian, Identity, Sequential, AllZeros, AllOnes };

  struct uniform_numbers {
    double min, max, pnan;
  };
  struct gaussian_numbers {
    double mean, stddev, pnz, pnzA, pnzB, pnzC;
  };
  struct sequential_numbers {
    double start, delta;
  };
  union {
    uniform_numbers uniform;
    gaussian_numbers gaussian{};
    sequential_numbers sequential;
  };
  Kind kind = Invalid;
  /// Bits behind the point; numbers are not rounded where they are negative.
  int int_scale = 0;

  Distribution& set_uniform(double min, double max, int scale = 0, double probability_of_nan = 0) {
    kind = Uniform;
    int_scale = scale;
    uniform = {min, max, probability_of_nan};
    return *this;
  }
  Distribution& set_gaussian(double mean, double deviation, int scale = 0, double probability_of_nonzero = 1.0) {
    return set_gaussian(mean, deviation, scale, probability_of_nonzero, probability_of_nonzero, probability_of_nonzero);
  }
  Distribution& set_gaussian(double mean, double deviation, int scale, double nonzero_a, double nonzero_b,
                             double nonzero_c) {
    kind = Gaussian;
    int_scale = scale;
    gaussian = {mean, deviation, nonzero_a, nonzero_a, nonzero_b, nonzero_c};
    return *this;
  }
  Distribution& set_identity() {
    kind = Identity;
    return *this;
  }
  Distribution& set_sequential(double start, double delta, int scale = 0) {
    kind = Sequential;
    int_scale = scale;
    sequential = {start, delta};
    return *this;
  }
};

}  // namespace cutlass

inline std::ostream& operator<<(std::ostream& out, cutlass::Distribution const& d) {
  switch (d.kind) {
    case cutlass::Distribution::Uniform: out << "uniform, min: " << d.uniform.min << ", max: " << d.uniform.max; break;
    case cutlass::Distribution::Gaussian:
      out << "gaussian, mean: " << d.gaussian.mean << ", stddev: " << d.gaussian.stddev;
      break;
    case cutlass::Distribution::Identity: return out << "identity";
    case cutlass::Distribution::Sequential: return out << "sequential";
    default: return out << "unknown";
  }
  return out << ", int_scale: " << d.int_scale;
}

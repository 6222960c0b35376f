// How far results are from a reference, in the Frobenius norm and element by element.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"

#include <cmath>
#include <cstdio>

/// The largest sum of magnitudes of a row, and the greatest index that found a NaN, or -1.
struct matrix_inf_norm_result {
  double inf_norm = 0;
  bool found_nan = false;
};
/// pre: a matrix on the host
template <class Engine, class L>
matrix_inf_norm_result matrix_inf_norm(cute::Tensor<Engine, L> const& matrix) {
  matrix_inf_norm_result result;
  for (int m = 0; m < static_cast<int>(cute::size<0>(matrix)); ++m) {
    double sum = 0;
    for (int n = 0; n < static_cast<int>(cute::size<1>(matrix)); ++n) {
      double const x = std::abs(static_cast<double>(matrix(m, n)));
      if (std::isnan(x)) result.found_nan = true;
      else sum += x;
    }
    if (sum > result.inf_norm) result.inf_norm = sum;
  }
  return result;
}

/// 1 where |data - reference| <= margin * |reference|, both as Frobenius norms; otherwise 0.
template <class T, class U>
int print_relative_error(std::size_t n, T const& data, U const& reference, bool print_verbose = false,
                         bool print_error = true, double error_margin = 0.00001) {
  double distance = 0, norm = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double const is = static_cast<double>(data[i]), should_be = static_cast<double>(reference[i]);
    if (print_verbose) std::printf("%zu:\t%g, should be %g\n", i, is, should_be);
    distance += (is - should_be) * (is - should_be);
    norm += should_be * should_be;
  }
  double const relative = norm > 0 ? std::sqrt(distance / norm) : std::sqrt(distance);
  if (print_error) std::printf("Relative error: %.8e\n", relative);
  return relative <= error_margin ? 1 : 0;
}
template <class E, class L, class F, class K>
int print_relative_error(cute::Tensor<E, L> const& data, cute::Tensor<F, K> const& reference,
                         bool print_verbose = false, bool print_error = true, double error_margin = 0.00001) {
  return print_relative_error(static_cast<std::size_t>(cute::size(reference)), data, reference, print_verbose,
                              print_error, error_margin);
}

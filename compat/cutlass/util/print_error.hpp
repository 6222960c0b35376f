// How far results are from a reference, in the Frobenius norm and element by element.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
#include "cutlass/layout/layout.h"
#include "cutlass/layout/vector.h"

#include <cmath>
#include <cstdio>
#include <limits>

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

/// The same of the difference of two matrices.  pre: of the same extents
template <class E, class L, class F, class K>
matrix_inf_norm_result matrix_diff_inf_norm(cute::Tensor<E, L> const& x, cute::Tensor<F, K> const& y) {
  matrix_inf_norm_result result;
  for (int m = 0; m < static_cast<int>(cute::size<0>(x)); ++m) {
    double sum = 0;
    for (int n = 0; n < static_cast<int>(cute::size<1>(x)); ++n) {
      double const d = std::abs(static_cast<double>(x(m, n)) - static_cast<double>(y(m, n)));
      if (std::isnan(d)) result.found_nan = true;
      else sum += d;
    }
    if (sum > result.inf_norm) result.inf_norm = sum;
  }
  return result;
}

/// How far C is from a reference of A (M,K) times B (N,K): |C - reference| / (|A| |B|) in the infinity norm, 0 where they are
/// equal; prints the norms. A NaN anywhere gives infinity.
template <class EA, class LA, class EB, class LB, class EC, class LC, class ER, class LR>
double print_matrix_multiply_mollified_relative_error(char const* type_a, cute::Tensor<EA, LA> const& a,
                                                      char const* type_b, cute::Tensor<EB, LB> const& b,
                                                      char const* type_c, cute::Tensor<EC, LC> const& c,
                                                      cute::Tensor<ER, LR> const& reference) {
  auto const norm_a = matrix_inf_norm(a), norm_b = matrix_inf_norm(b), norm_c = matrix_inf_norm(c),
             norm_reference = matrix_inf_norm(reference), difference = matrix_diff_inf_norm(c, reference);
  bool const found_nan = norm_a.found_nan || norm_b.found_nan || norm_c.found_nan || norm_reference.found_nan;
  double const scale = norm_a.inf_norm * norm_b.inf_norm;
  double const relative = found_nan                  ? std::numeric_limits<double>::infinity()
                          : difference.inf_norm == 0 ? 0
                          : scale > 0                ? difference.inf_norm / scale
                                                     : difference.inf_norm;
  std::printf("A (%s): %g, B (%s): %g, C (%s): %g, reference: %g, difference: %g; relative error %.8e%s\n", type_a,
              norm_a.inf_norm, type_b, norm_b.inf_norm, type_c, norm_c.inf_norm, norm_reference.inf_norm,
              difference.inf_norm, relative, found_nan ? ", a NaN was found" : "");
  return relative;
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

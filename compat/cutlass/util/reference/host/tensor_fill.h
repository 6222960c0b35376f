// Values for the elements of a view or of an array on the host. The random ones are those of std::mt19937_64, not CUTLASS's.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/array.h"
#include "cutlass/layout/matrix.h"
#include "cutlass/layout/vector.h"
#include "cutlass/tensor_view.h"
#include "cutlass/util/distribution.h"
#include "cutlass/util/reference/host/tensor_foreach.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>

namespace cutlass::reference::host {
namespace detail {

/// A value rounded to so many bits behind the point; as it is where they are negative.
inline double rounded_to_bits(double value, int bits) {
  return bits < 0 ? value : std::ldexp(std::floor(std::ldexp(value, bits)), -bits);
}
struct uniform_values {
  std::mt19937_64 random;
  std::uniform_real_distribution<double> values;
  int bits;
  uniform_values(std::uint64_t seed, double max, double min, int fraction_bits)
      : random(seed),
        values(min, max),
        bits(fraction_bits) {}
  double operator()() { return rounded_to_bits(values(random), bits); }
};
struct gaussian_values {
  std::mt19937_64 random;
  std::normal_distribution<double> values;
  int bits;
  gaussian_values(std::uint64_t seed, double mean, double deviation, int fraction_bits)
      : random(seed),
        values(mean, deviation),
        bits(fraction_bits) {}
  double operator()() { return rounded_to_bits(values(random), bits); }
};
template <class Element>
Element as_element(double value) {
  if constexpr (std::is_integral_v<Element>) return static_cast<Element>(value);
  else return Element(static_cast<float>(value));
}
template <>
inline double as_element<double>(double value) {
  return value;
}

}  // namespace detail

template <class Element, class Layout>
void TensorFill(TensorView<Element, Layout> const& dst, Element value = Element(0)) {
  for_each_coordinate(dst, [&](auto const& at) { dst.at(at) = value; });
}
template <class Element, class Layout>
void TensorFillRandomUniform(TensorView<Element, Layout> const& dst, std::uint64_t seed, double max = 1, double min = 0,
                             int bits = -1, double = 0) {
  detail::uniform_values values(seed, max, min, bits);
  for_each_coordinate(dst, [&](auto const& at) { dst.at(at) = detail::as_element<Element>(values()); });
}
template <class Element, class Layout>
void TensorFillRandomGaussian(TensorView<Element, Layout> const& dst, std::uint64_t seed, double mean = 0,
                              double deviation = 1, int bits = -1, double = 0) {
  detail::gaussian_values values(seed, mean, deviation, bits);
  for_each_coordinate(dst, [&](auto const& at) { dst.at(at) = detail::as_element<Element>(values()); });
}
/// 0, 1, 2, …, the first mode fastest, whatever the layout is.
template <class Element, class Layout>
void TensorFillSequential(TensorView<Element, Layout> const& dst) {
  for_each_coordinate(dst, [&](auto const& at) {
    int number = 0;
    for (int i = TensorView<Element, Layout>::kRank - 1; i >= 0; --i) number = number * dst.extent(i) + at[i];
    dst.at(at) = static_cast<Element>(number);
  });
}
/// first + the sum of steps[i] · coordinate[i].
template <class Element, class Layout>
void TensorFillLinear(TensorView<Element, Layout> const& dst,
                      Array<Element, TensorView<Element, Layout>::kRank> const& steps, Element first = Element(0)) {
  for_each_coordinate(dst, [&](auto const& at) {
    Element value = first;
    for (int i = 0; i < TensorView<Element, Layout>::kRank; ++i)
      value = static_cast<Element>(
          value + static_cast<Element>(steps[static_cast<std::size_t>(i)] * static_cast<Element>(at[i])));
    dst.at(at) = value;
  });
}
template <class Element, class Layout>
void TensorFillIdentity(TensorView<Element, Layout> const& dst) {
  for_each_coordinate(dst, [&](auto const& at) {
    bool diagonal = true;
    for (int i = 1; i < TensorView<Element, Layout>::kRank; ++i) diagonal = diagonal && at[i] == at[0];
    dst.at(at) = Element(diagonal ? 1 : 0);
  });
}

/// Of arrays.
template <class Element>
void BlockFillSequential(Element* p, std::size_t n, Element step = Element(1), Element first = Element(0)) {
  for (std::size_t i = 0; i < n; ++i)
    cutlass::detail::element_at(p, static_cast<std::int64_t>(i)) =
        static_cast<Element>(first + static_cast<Element>(step * static_cast<Element>(static_cast<int>(i))));
}
template <class Element>
void BlockFillRandomUniform(Element* p, std::size_t n, std::uint64_t seed, double max = 1, double min = 0,
                            int bits = -1, double = 0) {
  detail::uniform_values values(seed, max, min, bits);
  for (std::size_t i = 0; i < n; ++i)
    cutlass::detail::element_at(p, static_cast<std::int64_t>(i)) = detail::as_element<Element>(values());
}
template <class Element>
void BlockFillRandomGaussian(Element* p, std::size_t n, std::uint64_t seed, double mean = 0, double deviation = 1,
                             int bits = -1, double = 0) {
  detail::gaussian_values values(seed, mean, deviation, bits);
  for (std::size_t i = 0; i < n; ++i)
    cutlass::detail::element_at(p, static_cast<std::int64_t>(i)) = detail::as_element<Element>(values());
}
/// As the distribution says, whose kind has values for single elements.
/// error: std::invalid_argument for Invalid and Identity
template <class Element>
void BlockFillRandom(Element* p, std::size_t n, std::uint64_t seed, Distribution const& dist) {
  auto const number = [](double x) { return static_cast<Element>(static_cast<float>(x)); };
  switch (dist.kind) {
    case Distribution::Uniform:
      return BlockFillRandomUniform(p, n, seed, dist.uniform.max, dist.uniform.min, dist.int_scale);
    case Distribution::Gaussian:
      return BlockFillRandomGaussian(p, n, seed, dist.gaussian.mean, dist.gaussian.stddev, dist.int_scale);
    case Distribution::Sequential:
      return BlockFillSequential(p, n, number(dist.sequential.delta), number(dist.sequential.start));
    case Distribution::AllZeros: return BlockFillSequential(p, n, number(0), number(0));
    case Distribution::AllOnes: return BlockFillSequential(p, n, number(0), number(1));
    default:
      throw std::invalid_argument("BlockFillRandom: distribution " + std::to_string(static_cast<int>(dist.kind)) +
                                  " has no values for single elements; give a uniform, gaussian or sequential one");
  }
}

}  // namespace cutlass::reference::host

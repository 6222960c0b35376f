// The strides of packed matrices (M,K) or (N,K), with a batch L: those of a type whose other strides are constants. 8 rows of 64
// elements, 3 of them, for Stride<int64_t, _1, int64_t>: (64,_1,512).
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/layout.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/gemm_coord.h"
#include "cutlass/layout/matrix.h"

namespace cutlass {

namespace detail {
/// The stride of the batch: 0 where there is one matrix alone.
template <class Int>
CUTLASS_HOST_DEVICE constexpr Int packed_batch_stride(cute::Shape<int, int, int> const& shape) {
  if (cute::get<2>(shape) <= 1) return Int(0);
  return static_cast<Int>(cute::get<0>(shape)) * static_cast<Int>(cute::get<1>(shape));
}
}  // namespace detail

/// Rows, or columns, that are contiguous.
template <class Int>
requires(std::is_integral_v<Int>) CUTLASS_HOST_DEVICE
    constexpr cute::Stride<Int, cute::_1> make_cute_packed_stride(cute::Stride<Int, cute::_1>,
                                                                  cute::Shape<int, int, int> shape) {
  return {static_cast<Int>(cute::get<1>(shape)), {}};
}
template <class Int>
requires(std::is_integral_v<Int>) CUTLASS_HOST_DEVICE
    constexpr cute::Stride<cute::_1, Int> make_cute_packed_stride(cute::Stride<cute::_1, Int>,
                                                                  cute::Shape<int, int, int> shape) {
  return {{}, static_cast<Int>(cute::get<0>(shape))};
}
template <class Int>
requires(std::is_integral_v<Int>) CUTLASS_HOST_DEVICE
    constexpr cute::Stride<Int, cute::_1, std::int64_t> make_cute_packed_stride(
        cute::Stride<Int, cute::_1, std::int64_t>, cute::Shape<int, int, int> shape) {
  return {static_cast<Int>(cute::get<1>(shape)), {}, detail::packed_batch_stride<std::int64_t>(shape)};
}
template <class Int>
requires(std::is_integral_v<Int>) CUTLASS_HOST_DEVICE
    constexpr cute::Stride<cute::_1, Int, std::int64_t> make_cute_packed_stride(
        cute::Stride<cute::_1, Int, std::int64_t>, cute::Shape<int, int, int> shape) {
  return {{}, static_cast<Int>(cute::get<0>(shape)), detail::packed_batch_stride<std::int64_t>(shape)};
}
/// All of the batch are one matrix.
template <class Int>
requires(std::is_integral_v<Int>) CUTLASS_HOST_DEVICE
    constexpr cute::Stride<Int, cute::_1, cute::_0> make_cute_packed_stride(cute::Stride<Int, cute::_1, cute::_0>,
                                                                            cute::Shape<int, int, int> shape) {
  return {static_cast<Int>(cute::get<1>(shape)), {}, {}};
}
template <class Int>
requires(std::is_integral_v<Int>) CUTLASS_HOST_DEVICE
    constexpr cute::Stride<cute::_1, Int, cute::_0> make_cute_packed_stride(cute::Stride<cute::_1, Int, cute::_0>,
                                                                            cute::Shape<int, int, int> shape) {
  return {{}, static_cast<Int>(cute::get<0>(shape)), {}};
}

}  // namespace cutlass

// Memory for N elements, with an alignment, in structures of shared memory.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/array.h"
#include "cutlass/cutlass.h"
#include "cutlass/numeric_types.h"

namespace cutlass {

template <class T, int N, int Align = 16>
struct AlignedBuffer {
  using Storage = std::uint8_t;
  static int const kCount = N;
  static int const kAlign = Align;
  static int const kBytes = (sizeof_bits_v<T> * N + 7) / 8;
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using const_pointer = T const*;
  using Array = cutlass::Array<T, N>;

  CUTLASS_HOST_DEVICE pointer data() { return reinterpret_cast<pointer>(storage_); }
  CUTLASS_HOST_DEVICE const_pointer data() const { return reinterpret_cast<const_pointer>(storage_); }
  CUTLASS_HOST_DEVICE Storage* raw_data() { return storage_; }
  CUTLASS_HOST_DEVICE Storage const* raw_data() const { return storage_; }
  CUTLASS_HOST_DEVICE constexpr bool empty() const { return N == 0; }
  CUTLASS_HOST_DEVICE constexpr size_type size() const { return N; }
  CUTLASS_HOST_DEVICE constexpr size_type max_size() const { return N; }

 private:
  alignas(Align) Storage storage_[kBytes];
};

}  // namespace cutlass

// Where accumulators end in tensor memory, for programs that place several one after another.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"

namespace cutlass::detail {

/// The columns of an address of tensor memory.
constexpr std::uint32_t TmemColMask = 0xffff;

/// The number of columns of 32 bits from a tensor's first to its last: the column of the one behind it.
/// ((128, 64), 1, 2):((65536, 1), 0, 64) of float: 128
template <class TmemTensor>
CUTLASS_HOST_DEVICE constexpr auto find_tmem_tensor_col_offset(TmemTensor const& tensor) {
  return static_cast<std::uint32_t>(cute::cosize(cute::recast<std::uint32_t>(tensor).layout())) & TmemColMask;
}

}  // namespace cutlass::detail

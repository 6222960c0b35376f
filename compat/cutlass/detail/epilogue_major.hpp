// Which mode of an epilogue's tensor is contiguous: for the epilogues' own header and for what chooses their stores.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"

namespace cutlass::epilogue::collective::detail {

/// Is M, or N, the contiguous mode of a tensor with these strides?
template <class Stride>
CUTLASS_HOST_DEVICE constexpr bool is_m_major() {
  return cute::is_constant<1, cute::remove_cvref_t<decltype(cute::get<0>(Stride{}))>>::value;
}
template <class Stride>
CUTLASS_HOST_DEVICE constexpr bool is_n_major() {
  return cute::is_constant<1, cute::remove_cvref_t<decltype(cute::get<1>(Stride{}))>>::value;
}

}  // namespace cutlass::epilogue::collective::detail

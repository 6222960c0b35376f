// Elements of one view on the host to another of the same extent, converted.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/tensor_view.h"
#include "cutlass/util/reference/host/tensor_foreach.h"

namespace cutlass::reference::host {

template <class DstElement, class DstLayout, class SrcElement, class SrcLayout>
void TensorCopy(TensorView<DstElement, DstLayout> dst, TensorView<SrcElement, SrcLayout> const& src) {
  for_each_coordinate(dst, [&](auto const& at) {
    dst.at(at) = static_cast<DstElement>(static_cast<std::remove_const_t<SrcElement>>(src.at(at)));
  });
}

}  // namespace cutlass::reference::host

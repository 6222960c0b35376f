// Every coordinate of an extent: func(coord), the first mode slowest.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/coord.h"

namespace cutlass::reference::host {

/// f of each coordinate of a view, or of two views of one extent.
template <class View, class F>
void for_each_coordinate(View const& view, F const& f) {
  using TensorCoord = typename View::TensorCoord;
  auto const extent = view.extent();
  if (view.size() == 0) return;
  TensorCoord at{};
  for (;;) {
    f(at);
    int mode = View::kRank - 1;
    while (mode >= 0 && ++at[mode] == extent[mode]) at[mode--] = 0;
    if (mode < 0) return;
  }
}

}  // namespace cutlass::reference::host

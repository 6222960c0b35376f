// Cuts tensors by a thread-value layout and a tiler, without a copy or a matrix operation:
// tiler.get_slice(make_coord(thread, _)).partition(t) is (Value, (RestM, RestN, …)) of the thread.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/config.hpp"
#include "cute/tensor_impl.hpp"

namespace cute {

/// Layout_TV: (thread, value) -> place in the tile, which Tiler_MN_ cuts
template <class Layout_TV_, class Tiler_MN_>
struct TV_Tiler {
  using Tiler_MN = Tiler_MN_;
  using TiledLayout_TV = Layout_TV_;

  /// (M, N, …) -> ((Thread, Value), (RestM, RestN, …))
  template <class T>
  CUTE_HOST_DEVICE static constexpr auto apply(T&& tensor) {
    auto const tiles = zipped_divide(tensor.layout(), Tiler_MN{});  // (Tile, (RestM, RestN, …))
    return make_tensor(tensor.data(), make_layout(composition(layout<0>(tiles), TiledLayout_TV{}), layout<1>(tiles)));
  }

  template <class Slice>
  struct TV_Partitioner {
    Slice coord_;

    /// (RestM, RestN, …) at a coordinate of (Thread, Value); a coordinate (thread, _) keeps the values as mode 0.
    template <class T>
    CUTE_HOST_DEVICE constexpr auto partition(T&& tensor) const {
      auto const all = apply(tensor);
      constexpr int modes = decltype(rank<1>(all))::value;
      return all(coord_, repeat<modes>(_));
    }
  };

  template <class Slice>
  CUTE_HOST_DEVICE static constexpr auto get_slice(Slice const& coord) {
    return TV_Partitioner<Slice>{coord};
  }
};

template <class Layout_TV, class Tiler_MN>
CUTE_HOST_DEVICE constexpr auto make_tiler_impl(Layout_TV const&, Tiler_MN const&) {
  return TV_Tiler<Layout_TV, Tiler_MN>{};
}

}  // namespace cute

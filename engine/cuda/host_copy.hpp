// Copies between the host's memory and a GPU's, for any two layouts. The link moves contiguous bytes only, so one side packs:
// where the host's elements are one contiguous block in any order of axes, the block is sent as it is and the GPU rearranges;
// else the CPU packs the elements in the order of the host's own strides, each repeated element once. The bytes go through
// two pinned buffers, so that the CPU packs one while the other is sent.
// Example: host (4,3):(6,1), every second row of 3: packed as (4,3):(3,1), 12 elements; the GPU copies (4,3):(3,1) to its own.
#pragma once

#include "engine/cuda/device.hpp"
#include "tilewright/engine/copy.hpp"

#include <cstdint>
#include <functional>

namespace tilewright::gpu {

/// How the host's elements are ordered on the link.
struct link_order {
  layout_value packed;        // of the host's coordinates; offsets of repeated elements are equal
  std::int64_t elements = 0;  // on the link
  std::int64_t origin = 0;    // offset of coordinate 0 in the packed elements; not 0 where host strides are negative
  bool is_block = false;      // the host's memory has this order already
};

/// pre: `repeats` is false for a destination, whose elements are all different
link_order order_of_link(composed_value const& host, bool repeats);

/// A copy of device memory with itself, as the engine runs it.
using device_copy = std::function<void(const_tensor_view const&, tensor_view const&)>;

/// Copies, and waits until all bytes have arrived.
/// pre:  one of the tensors is on the CPU, the other on `device`; both have the same size and element
/// error: copy_error of either side's copy; out_of_memory for the GPU's buffer of the size of the tensor
/// cost: a pass over the host's elements, their bytes over the link, and a pass on the GPU where its layout is another one
void copy_over_link(gpu_device const& device, const_tensor_view const& src, tensor_view const& dst,
                    copy_options const& options, device_copy const& on_device);

}  // namespace tilewright::gpu

// Are two arrays on a device equal? They are compared on the host.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/relatively_equal.h"
#include "cutlass/tensor_ref.h"
#include "cutlass/util/device_memory.h"
#include "cutlass/util/distribution.h"

#if __has_include(<cuda_runtime_api.h>)
#include <vector>

namespace cutlass::reference::device {
namespace detail {

/// equal(x, y) of all pairs.
/// error: cuda_exception
template <class Element, class Equal>
bool all_pairs(Element const* a, Element const* b, std::size_t n, Equal const& equal) {
  std::size_t const bytes = device_memory::bytes_of<Element>(n),
                    units = (bytes + sizeof(Element) - 1) / sizeof(Element);
  std::vector<Element> on_host[2] = {std::vector<Element>(units), std::vector<Element>(units)};
  Element const* const from[2] = {a, b};
  for (int i = 0; i < 2; ++i)
    device_memory::check(cudaMemcpy(on_host[i].data(), from[i], bytes, cudaMemcpyDeviceToHost),
                         "cudaMemcpy failed: the pointer is not of a device, or an earlier call failed");
  for (std::size_t i = 0; i < n; ++i) {
    auto const at = static_cast<std::int64_t>(i);
    if (!equal(static_cast<Element>(cutlass::detail::element_at(on_host[0].data(), at)),
               static_cast<Element>(cutlass::detail::element_at(on_host[1].data(), at))))
      return false;
  }
  return true;
}

}  // namespace detail

template <class Element>
bool BlockCompareEqual(Element const* a, Element const* b, std::size_t n, int = 0, int = 0, cudaStream_t = nullptr) {
  return detail::all_pairs(a, b, n, [](Element const& x, Element const& y) { return x == y; });
}
/// But for rounding: relatively_equal(x, y, epsilon, nonzero_floor).
template <class Element>
bool BlockCompareRelativelyEqual(Element const* a, Element const* b, std::size_t n, Element epsilon,
                                 Element nonzero_floor, int = 0, int = 0, cudaStream_t = nullptr) {
  return detail::all_pairs(
      a, b, n, [&](Element const& x, Element const& y) { return relatively_equal(x, y, epsilon, nonzero_floor); });
}

}  // namespace cutlass::reference::device

#endif

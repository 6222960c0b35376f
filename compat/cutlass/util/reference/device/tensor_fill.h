// Values for elements on a device. They are made on the host, by the functions of host/tensor_fill.h, and copied.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/layout/vector.h"
#include "cutlass/util/device_memory.h"
#include "cutlass/util/reference/host/tensor_fill.h"

#if __has_include(<cuda_runtime_api.h>)
#include <vector>

namespace cutlass::reference::device {
namespace detail {

/// f(elements on the host) of as many elements as are at `p`, which f may change.
/// error: cuda_exception
template <class Element, class F>
void change_on_host(Element* p, std::size_t n, F const& f) {
  std::size_t const bytes = device_memory::bytes_of<Element>(n);
  std::vector<Element> elements((bytes + sizeof(Element) - 1) / sizeof(Element));
  if (elements.empty()) return;
  device_memory::check(cudaMemcpy(elements.data(), p, bytes, cudaMemcpyDeviceToHost),
                       "cudaMemcpy failed: the pointer is not of a device, or an earlier call failed");
  f(elements.data());
  device_memory::check(cudaMemcpy(p, elements.data(), bytes, cudaMemcpyHostToDevice),
                       "cudaMemcpy failed: an earlier call failed");
}
template <class Element, class Layout, class F>
void change_on_host(TensorView<Element, Layout> const& view, F const& f) {
  change_on_host(view.data(), static_cast<std::size_t>(view.capacity()),
                 [&](Element* p) { f(TensorView<Element, Layout>(p, view.layout(), view.extent())); });
}

}  // namespace detail

template <class Element, class Layout>
void TensorFill(TensorView<Element, Layout> const& view, Element value = Element(0), cudaStream_t = nullptr) {
  detail::change_on_host(view, [&](auto const& v) { host::TensorFill(v, value); });
}
template <class Element, class Layout>
void TensorFillRandomUniform(TensorView<Element, Layout> const& view, std::uint64_t seed, double max = 1,
                             double min = 0, int bits = -1, double = 0, cudaStream_t = nullptr) {
  detail::change_on_host(view, [&](auto const& v) { host::TensorFillRandomUniform(v, seed, max, min, bits); });
}
template <class Element, class Layout>
void TensorFillRandomGaussian(TensorView<Element, Layout> const& view, std::uint64_t seed, double mean = 0,
                              double deviation = 1, int bits = -1, cudaStream_t = nullptr) {
  detail::change_on_host(view, [&](auto const& v) { host::TensorFillRandomGaussian(v, seed, mean, deviation, bits); });
}
template <class Element, class Layout>
void TensorFillIdentity(TensorView<Element, Layout> const& view, cudaStream_t = nullptr) {
  detail::change_on_host(view, [](auto const& v) { host::TensorFillIdentity(v); });
}

/// Of arrays.
template <class Element>
void BlockFillSequential(Element* p, std::size_t n, Element step = Element(1), Element first = Element(0)) {
  detail::change_on_host(p, n, [&](Element* e) { host::BlockFillSequential(e, n, step, first); });
}
template <class Element>
void BlockFillRandomUniform(Element* p, std::size_t n, std::uint64_t seed, double max = 1, double min = 0,
                            int bits = -1, double = 0, cudaStream_t = nullptr) {
  detail::change_on_host(p, n, [&](Element* e) { host::BlockFillRandomUniform(e, n, seed, max, min, bits); });
}
template <class Element>
void BlockFillRandomGaussian(Element* p, std::size_t n, std::uint64_t seed, double mean = 0, double deviation = 1,
                             int bits = -1, cudaStream_t = nullptr) {
  detail::change_on_host(p, n, [&](Element* e) { host::BlockFillRandomGaussian(e, n, seed, mean, deviation, bits); });
}

template <class Element>
void BlockFillRandom(Element* p, std::size_t n, std::uint64_t seed, Distribution const& dist, cudaStream_t = nullptr) {
  detail::change_on_host(p, n, [&](Element* e) { host::BlockFillRandom(e, n, seed, dist); });
}

}  // namespace cutlass::reference::device

#endif

// A tensor that has its elements on the host, and on a device if asked: HostTensor<float, layout::RowMajor> t({m, n}).
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/layout/matrix.h"
#include "cutlass/layout/vector.h"
#include "cutlass/tensor_view.h"
#include "cutlass/util/device_memory.h"

#if __has_include(<cuda_runtime_api.h>)
#include <vector>

namespace cutlass {

template <class Element_, class Layout_>
class HostTensor {
 public:
  using Element = Element_;
  using Layout = Layout_;
  using TensorCoord = typename Layout::TensorCoord;
  using LongIndex = typename Layout::LongIndex;
  using TensorRef = cutlass::TensorRef<Element, Layout>;
  using ConstTensorRef = cutlass::TensorRef<Element const, Layout>;
  using TensorView = cutlass::TensorView<Element, Layout>;
  using ConstTensorView = cutlass::TensorView<Element const, Layout>;
  static constexpr int kRank = Layout::kRank;

  HostTensor() = default;
  explicit(false) HostTensor(TensorCoord const& extent, bool device_backed = true) { reset(extent, device_backed); }
  HostTensor(TensorCoord const& extent, Layout const& layout, bool device_backed = true) {
    reset(extent, layout, device_backed);
  }

  /// Without elements.
  void reset() { *this = HostTensor(); }
  /// Elements of the value 0, packed where no layout is given.
  void reset(TensorCoord const& extent, bool device_backed = true) {
    reset(extent, Layout::packed(extent), device_backed);
  }
  void reset(TensorCoord const& extent, Layout const& layout, bool device_backed = true) {
    extent_ = extent;
    layout_ = layout;
    host_.assign(storage_units(), Element{});
    device_.reset();
    if (device_backed && !host_.empty()) device_.reset(storage_units());
  }
  /// The same; CUTLASS keeps the memory where it suffices.
  void resize(TensorCoord const& extent, bool device_backed = true) { reset(extent, device_backed); }
  void resize(TensorCoord const& extent, Layout const& layout, bool device_backed = true) {
    reset(extent, layout, device_backed);
  }

  TensorCoord const& extent() const { return extent_; }
  int extent(int mode) const { return extent_[mode]; }
  Layout const& layout() const { return layout_; }
  auto stride() const { return layout_.stride(); }
  auto stride(int mode) const { return layout_.stride(mode); }
  /// Elements at coordinates; elements of memory.
  std::size_t size() const { return static_cast<std::size_t>(host_view().size()); }
  LongIndex capacity() const { return layout_.capacity(extent_); }

  Element* host_data() { return host_.data(); }
  Element const* host_data() const { return host_.data(); }
  decltype(auto) host_data(LongIndex i) { return detail::element_at(host_data(), i); }
  Element* device_data() const { return device_.get(); }
  TensorRef host_ref() { return {host_data(), layout_}; }
  ConstTensorRef host_ref() const { return {host_data(), layout_}; }
  TensorRef device_ref() const { return {device_data(), layout_}; }
  TensorView host_view() { return {host_data(), layout_, extent_}; }
  ConstTensorView host_view() const { return {host_data(), layout_, extent_}; }
  TensorView device_view() const { return {device_data(), layout_, extent_}; }
  decltype(auto) at(TensorCoord const& coord) { return host_ref().at(coord); }
  decltype(auto) at(TensorCoord const& coord) const { return host_ref().at(coord); }
  bool device_backed() const { return device_.get() != nullptr; }

  /// The elements to the other side, where the tensor has one.
  /// error: cuda_exception
  void sync_host() {
    if (device_backed())
      device_memory::check(cudaMemcpy(host_data(), device_data(), bytes(), cudaMemcpyDeviceToHost),
                           "cudaMemcpy failed: an earlier call failed");
  }
  void sync_device() {
    if (device_backed())
      device_memory::check(cudaMemcpy(device_data(), host_data(), bytes(), cudaMemcpyHostToDevice),
                           "cudaMemcpy failed: an earlier call failed");
  }

 private:
  /// Objects of Element that hold the elements: fewer than there are where an element has less than a byte.
  std::size_t storage_units() const {
    return (static_cast<std::size_t>(capacity()) * static_cast<std::size_t>(sizeof_bits<Element>::value) +
            8 * sizeof(Element) - 1) /
           (8 * sizeof(Element));
  }
  std::size_t bytes() const { return host_.size() * sizeof(Element); }

  TensorCoord extent_{};
  Layout layout_{};
  std::vector<Element> host_;
  device_memory::allocation<Element> device_;
};

}  // namespace cutlass

#endif

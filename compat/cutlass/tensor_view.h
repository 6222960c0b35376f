// A TensorRef with an extent.
#pragma once

#include "tilewright/base/config.hpp"

#include "cutlass/tensor_ref.h"

namespace cutlass {

template <class Element_, class Layout_>
class TensorView : public TensorRef<Element_, Layout_> {
 public:
  using Base = TensorRef<Element_, Layout_>;
  using TensorRef_ = Base;
  using Element = Element_;
  using Layout = Layout_;
  using typename Base::LongIndex;
  using typename Base::TensorCoord;
  using NonConstTensorView = TensorView<std::remove_const_t<Element>, Layout>;
  using ConstTensorView = TensorView<Element const, Layout>;

  constexpr TensorView() = default;
  CUTLASS_HOST_DEVICE constexpr TensorView(Element* data, Layout const& layout, TensorCoord const& extent)
      : Base(data, layout),
        extent_(extent) {}
  CUTLASS_HOST_DEVICE constexpr TensorView(Base const& ref, TensorCoord const& extent) : Base(ref), extent_(extent) {}
  template <class Other>
  requires(std::is_same_v<Other const, Element>) CUTLASS_HOST_DEVICE
      constexpr TensorView(TensorView<Other, Layout> const& other)
      : Base(other),
        extent_(other.extent()) {}

  CUTLASS_HOST_DEVICE constexpr Base const& ref() const { return *this; }
  CUTLASS_HOST_DEVICE constexpr ConstTensorView const_view() const { return {this->data(), this->layout(), extent_}; }
  CUTLASS_HOST_DEVICE constexpr TensorCoord const& extent() const { return extent_; }
  CUTLASS_HOST_DEVICE constexpr int extent(int mode) const { return extent_[mode]; }
  CUTLASS_HOST_DEVICE constexpr void resize(TensorCoord const& extent) { extent_ = extent; }
  CUTLASS_HOST_DEVICE constexpr void reset(Element* data, Layout const& layout, TensorCoord const& extent) {
    Base::reset(data, layout);
    extent_ = extent;
  }
  /// Elements at coordinates.
  CUTLASS_HOST_DEVICE constexpr LongIndex size() const {
    LongIndex out = 1;
    for (int i = 0; i < Base::kRank; ++i) out *= extent_[i];
    return out;
  }
  /// Elements of memory.
  CUTLASS_HOST_DEVICE constexpr LongIndex capacity() const { return this->layout().capacity(extent_); }
  CUTLASS_HOST_DEVICE constexpr bool contains(TensorCoord const& at) const {
    for (int i = 0; i < Base::kRank; ++i)
      if (at[i] < 0 || at[i] >= extent_[i]) return false;
    return true;
  }
  /// The part of that extent that begins at `location`.
  CUTLASS_HOST_DEVICE constexpr TensorView subview(TensorCoord const& extent, TensorCoord const& location = {}) const {
    Base from(*this);
    from.add_coord_offset(location);
    return {from, extent};
  }

 private:
  TensorCoord extent_{};
};

template <class Element, class Layout>
CUTLASS_HOST_DEVICE constexpr TensorView<Element, Layout> make_TensorView(Element* data, Layout const& layout,
                                                                          typename Layout::TensorCoord const& extent) {
  return {data, layout, extent};
}

}  // namespace cutlass

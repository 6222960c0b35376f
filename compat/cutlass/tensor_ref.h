// A pointer to elements with a layout functor: ref.at(coord) is the element at layout(coord). Elements of less than a byte are references
// by value, as subbyte arrays have them.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/pointer.hpp"
#include "cutlass/array.h"
#include "cutlass/coord.h"
#include "cutlass/cutlass.h"
#include "cutlass/fast_math.h"
#include "cutlass/numeric_types.h"

namespace cutlass {
namespace detail {

/// The element `i` of memory at `p`.
template <class T>
CUTLASS_HOST_DEVICE decltype(auto) element_at(T* p, std::int64_t i) {
  if constexpr (sizeof_bits<T>::value < 8) return *(cute::recast_ptr<T>(p) + i);
  else return (p[i]);
}

}  // namespace detail

template <class Element_, class Layout_>
class TensorRef {
 public:
  using Element = Element_;
  using Layout = Layout_;
  using Index = typename Layout::Index;
  using LongIndex = typename Layout::LongIndex;
  using TensorCoord = typename Layout::TensorCoord;
  using Stride = decltype(std::declval<Layout const&>().stride());
  using NonConstTensorRef = TensorRef<std::remove_const_t<Element>, Layout>;
  using ConstTensorRef = TensorRef<Element const, Layout>;
  static constexpr int kRank = Layout::kRank;

  constexpr TensorRef() = default;
  CUTLASS_HOST_DEVICE constexpr TensorRef(Element* data, Layout const& layout = {}) : data_(data), layout_(layout) {}
  template <class Other>
  requires(std::is_same_v<Other const, Element>) CUTLASS_HOST_DEVICE
      constexpr TensorRef(TensorRef<Other, Layout> const& other)
      : data_(other.data()),
        layout_(other.layout()) {}

  CUTLASS_HOST_DEVICE constexpr ConstTensorRef const_ref() const { return {data_, layout_}; }
  CUTLASS_HOST_DEVICE constexpr NonConstTensorRef non_const_ref() const {
    return {const_cast<std::remove_const_t<Element>*>(data_), layout_};
  }
  CUTLASS_HOST_DEVICE constexpr void reset(Element* data = nullptr) { data_ = data; }
  CUTLASS_HOST_DEVICE constexpr void reset(Element* data, Layout const& layout) {
    data_ = data;
    layout_ = layout;
  }
  /// Does it point to anything?
  CUTLASS_HOST_DEVICE constexpr bool good() const { return data_ != nullptr; }
  CUTLASS_HOST_DEVICE constexpr Element* data() const { return data_; }
  CUTLASS_HOST_DEVICE decltype(auto) data(LongIndex i) const { return detail::element_at(data_, i); }
  CUTLASS_HOST_DEVICE constexpr Layout& layout() { return layout_; }
  CUTLASS_HOST_DEVICE constexpr Layout const& layout() const { return layout_; }
  CUTLASS_HOST_DEVICE constexpr auto stride() const { return layout_.stride(); }
  CUTLASS_HOST_DEVICE constexpr auto stride(int mode) const { return layout_.stride(mode); }
  CUTLASS_HOST_DEVICE constexpr LongIndex offset(TensorCoord const& at) const { return layout_(at); }
  CUTLASS_HOST_DEVICE decltype(auto) at(TensorCoord const& coord) const {
    return detail::element_at(data_, offset(coord));
  }
  CUTLASS_HOST_DEVICE decltype(auto) operator[](TensorCoord const& coord) const { return at(coord); }

  /// pre: whole bytes
  CUTLASS_HOST_DEVICE constexpr TensorRef& add_pointer_offset(LongIndex elements) {
    data_ += elements * sizeof_bits<Element>::value / (8 * static_cast<int>(sizeof(Element)));
    return *this;
  }
  CUTLASS_HOST_DEVICE constexpr TensorRef& add_coord_offset(TensorCoord const& coord) {
    return add_pointer_offset(offset(coord));
  }
  CUTLASS_HOST_DEVICE constexpr TensorRef operator+(TensorCoord const& b) const {
    TensorRef out(*this);
    out.add_coord_offset(b);
    return out;
  }
  CUTLASS_HOST_DEVICE constexpr TensorRef& operator+=(TensorCoord const& b) { return add_coord_offset(b); }

 private:
  Element* data_ = nullptr;
  Layout layout_{};
};

template <class Element, class Layout>
CUTLASS_HOST_DEVICE constexpr TensorRef<Element, Layout> make_TensorRef(Element* data, Layout const& layout) {
  return {data, layout};
}

}  // namespace cutlass

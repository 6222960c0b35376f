// A tensor that is known at run time only: a pointer, a layout, an element type and the device whose memory it is.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/engine/element_type.hpp"
#include "tilewright/layout/swizzle_value.hpp"
#include "tilewright/machine/arch.hpp"  // before `cpu`, of which g++ 12 takes arch_id::cpu for a shadow
#include "tilewright/plan/machine_model.hpp"

namespace tilewright {

struct device {
  device_kind kind = device_kind::cpu;
  int ordinal = 0;  // of a GPU, as the driver counts
  friend bool operator==(device const&, device const&) = default;
};

inline constexpr device cpu{device_kind::cpu, 0};
constexpr device cuda(int ordinal = 0) { return {device_kind::cuda, ordinal}; }

/// A layout without a swizzle, as a composed one.
constexpr composed_value composed(layout_value const& layout) { return {{}, constant_leaf(0), layout}; }

/// What may be read. Element 0 of the layout is at `pointer`; two elements of 4 bits are in a byte, low half first.
struct const_tensor_view {
  void const* pointer = nullptr;
  composed_value layout{};
  element_type element = element_type::f32;
  device where = cpu;
};

/// What may be written.
struct tensor_view {
  void* pointer = nullptr;
  composed_value layout{};
  element_type element = element_type::f32;
  device where = cpu;

  operator const_tensor_view() const { return {pointer, layout, element, where}; }
};

}  // namespace tilewright

// The offsets of a layout, swizzled or not, for those who go through them one by one.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/algebra/composed.hpp"

namespace tilewright::tiling {

/// The layout as one that is composed with no swizzle.
constexpr composed_value unswizzled(layout_value const& a) { return {{}, constant_leaf(0), a}; }

/// The offset of an index, for a composed layout that was found well-formed.
constexpr long long offset_of(composed_value const& a, long long index) {
  long long const x = a.offset.number + a.layout(index);
  return a.swizzle.bits == 0 ? x : a.swizzle(x);
}

/// error: those of cosize, on the layout alone where there is no swizzle (then offsets may be negative); overflow
constexpr result<long long> checked_size(composed_value const& a) {
  if (a.offset.flags != 0) return error{errc::not_static, 0, 1};
  if (a.swizzle.bits != 0) {
    if (result<long long> const span = cosize(a); !span) return span;
  } else {
    result<long long> const span = cosize(a.layout);
    if (!span) return span;
    long long end = 0;
    if (!math::add(math::abs(a.offset.number), *span, end)) return error{errc::overflow, a.offset.number, *span};
  }
  return size(a.layout);
}

}  // namespace tilewright::tiling

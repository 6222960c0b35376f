// A swizzle permutes offsets by xor: with b bits, base m and shift s, bits [m+s, m+s+b) of an offset are added without
// carry to bits [m, m+b) (a negative shift goes the other way). Composed behind a layout it spreads the columns of a
// tile over the banks of shared memory. A composed layout is swizzle ∘ (offset + layout).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/layout/layout_value.hpp"

namespace tilewright {

struct swizzle_value {
  int bits = 0;
  int base = 0;
  int shift = 0;

  TILEWRIGHT_CONSTEXPR bool valid() const {
    if (bits < 0 || bits >= 63 || base < 0 || base >= 63 || shift <= -63 || shift >= 63) return false;
    int const reach = shift < 0 ? -shift : shift;
    return reach >= bits && base + bits + reach < 63;
  }
  TILEWRIGHT_CONSTEXPR long long high_mask() const { return ((1LL << bits) - 1) << (base + (shift > 0 ? shift : 0)); }
  /// (*this)(x + n * period()) == (*this)(x) + n * period().  pre: valid()
  TILEWRIGHT_CONSTEXPR long long period() const { return 1LL << (base + bits + (shift < 0 ? -shift : shift)); }
  /// pre: valid(), x >= 0;  post: its own inverse, (*this)((*this)(x)) == x.
  TILEWRIGHT_CONSTEXPR long long operator()(long long x) const {
    long long const high = x & high_mask();
    return x ^ (shift < 0 ? high << -shift : high >> shift);
  }
  friend TILEWRIGHT_CONSTEXPR bool operator==(swizzle_value const&, swizzle_value const&) = default;
};

#if TILEWRIGHT_HOSTED
/// x -> swizzle(offset + layout(x)).
struct composed_value {
  swizzle_value swizzle{};
  leaf offset{};
  layout_value layout{};
};
#endif

}  // namespace tilewright

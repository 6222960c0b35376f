// The swizzle itself, on offsets alone: kernels that are compiled at run time include no more.
#pragma once

#include "tilewright/base/config.hpp"

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
  TILEWRIGHT_FN constexpr long long high_mask() const {
    return ((1LL << bits) - 1) << (base + (shift > 0 ? shift : 0));
  }
  /// (*this)(x + n * period()) == (*this)(x) + n * period().  pre: valid()
  TILEWRIGHT_CONSTEXPR long long period() const { return 1LL << (base + bits + (shift < 0 ? -shift : shift)); }
  /// pre: valid(), x >= 0;  post: its own inverse, (*this)((*this)(x)) == x.
  TILEWRIGHT_FN constexpr long long operator()(long long x) const {
    long long const high = x & high_mask();
    return x ^ (shift < 0 ? high << -shift : high >> shift);
  }
  friend TILEWRIGHT_CONSTEXPR bool operator==(swizzle_value const&, swizzle_value const&) = default;
};

}  // namespace tilewright

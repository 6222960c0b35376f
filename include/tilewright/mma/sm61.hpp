// The dot products of SM61, by one thread: four products of bytes, or two of 16-bit integers, added to an int32.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/registers.hpp"

namespace tilewright {
namespace detail {

template <class T, int K>
struct dot_product_traits {
  using ValTypeD = std::int32_t;
  using ValTypeA = T;
  using ValTypeB = T;
  using ValTypeC = std::int32_t;
  using Shape_MNK = Shape<_1, _1, C<K>>;
  using ThrID = Layout<_1>;
  using ALayout = Layout<Shape<_1, C<K>>>;
  using BLayout = Layout<Shape<_1, C<K>>>;
  using CLayout = Layout<Shape<_1, _1>>;
};

/// Compilers make dp4a of the loop over bytes; PTX has no product of pairs of 16 bits (dp2a takes bytes for B). Sums wrap.
template <class T, int K>
struct dot_product {
  using DRegisters = std::int32_t[1];
  using ARegisters = std::uint32_t[1];
  using BRegisters = std::uint32_t[1];
  using CRegisters = std::int32_t[1];
  TILEWRIGHT_FN static constexpr void fma(std::int32_t& d, std::uint32_t const& a, std::uint32_t const& b,
                                          std::int32_t const& c) {
    constexpr int bits = 32 / K;
    std::uint32_t sum = static_cast<std::uint32_t>(c);
    TILEWRIGHT_UNROLL
    for (int k = 0; k < K; ++k) {
      std::int32_t const x = static_cast<T>(a >> (bits * k)), y = static_cast<T>(b >> (bits * k));
      sum += static_cast<std::uint32_t>(x * y);
    }
    d = static_cast<std::int32_t>(sum);
  }
};

}  // namespace detail

struct SM61_DP4A : detail::dot_product<std::int8_t, 4> {};
struct SM61_DP2A : detail::dot_product<std::int16_t, 2> {};

template <>
struct MMA_Traits<SM61_DP4A> : detail::dot_product_traits<std::int8_t, 4> {};
template <>
struct MMA_Traits<SM61_DP2A> : detail::dot_product_traits<std::int16_t, 2> {};

}  // namespace tilewright

// The body of the kernel that is compiled before anyone knows the layouts: the movement arrives as arguments, the place
// of an element is computed from its index with multiplications in place of divisions. It moves whatever a movement can
// describe; neighbouring threads write neighbouring elements, and one thread reads neighbouring ones where the movement
// allows it. Host code runs the same body in the tests.
#pragma once

#include "tilewright/base/math.hpp"
#include "tilewright/tensor/element.hpp"

namespace tilewright::gpu {

/// Takes one mode's coordinate off an index: i -> (i % extent, i / extent), for indices below 2^63, or below 2^31 when
/// the multiplier is that of 32 bits.
struct generic_step {
  std::uint64_t extent;
  std::uint64_t multiplier;  // ceil(2^(63 + shift + 1) / extent), or with 31 in place of 63
  std::int64_t src, dst;     // strides in elements; one of them when the sides have steps of their own
  std::uint32_t shift;       // of the product's upper half: ceil(log2(extent)) - 1
};

/// Every mode is at least 2 long, so that no memory has a place for the elements of more of them.
inline constexpr int generic_step_capacity = 40;

struct generic_swizzle {
  std::uint64_t mask;  // bits that are added, at their own place
  std::int32_t shift;  // to the right; to the left below 0
};

struct generic_arguments {
  void const* src;
  void* dst;
  std::uint64_t elements;
  std::int64_t src_offset, dst_offset;
  generic_swizzle src_swizzle, dst_swizzle;
  std::int32_t steps;          // of both sides, or of the source
  std::int32_t own_dst_steps;  // of the destination; 0 when the steps are those of both sides
  std::int32_t half;           // elements of 4 bits: only those that are in this half of a byte are written
  generic_step step[generic_step_capacity];
  generic_step own_dst_step[generic_step_capacity];
};

TILEWRIGHT_FN std::uint64_t swizzled(generic_swizzle const& s, std::uint64_t x) {
  std::uint64_t const high = x & s.mask;
  return x ^ (s.shift < 0 ? high << -s.shift : high >> s.shift);
}

/// The upper half of the product.
TILEWRIGHT_FN std::uint32_t high_product(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(a) * b) >> 32);
}
TILEWRIGHT_FN std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#if TILEWRIGHT_ON_DEVICE
  return __umul64hi(a, b);
#else
  __extension__ using wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<wide>(a) * b) >> 64);
#endif
}

/// The places of several elements, counted in elements.
template <int Count>
struct element_places {
  std::uint64_t src[Count], dst[Count];
};

/// Splits the indices by the steps and adds up the offsets of the coordinates.
template <int Count, class Index>
TILEWRIGHT_FN void add_steps(generic_step const* steps, int number, Index const (&index)[Count],
                             element_places<Count>& sum) {
  Index rest[Count];
  for (int i = 0; i < Count; ++i) rest[i] = index[i];
#if TILEWRIGHT_ON_DEVICE
#pragma unroll 1
#endif
  for (int k = 0; k < number; ++k) {
    generic_step const& s = steps[k];
    TILEWRIGHT_UNROLL
    for (int i = 0; i < Count; ++i) {
      Index const above = high_product(rest[i], static_cast<Index>(s.multiplier)) >> s.shift;
      auto const at = static_cast<std::uint64_t>(rest[i] - above * static_cast<Index>(s.extent));
      sum.src[i] += at * static_cast<std::uint64_t>(s.src);
      sum.dst[i] += at * static_cast<std::uint64_t>(s.dst);
      rest[i] = above;
    }
  }
}

/// Index is std::uint32_t for fewer than 2^31 elements, std::uint64_t else.
template <int Count, class Index>
TILEWRIGHT_FN element_places<Count> places_of(generic_arguments const& a, Index const (&index)[Count]) {
  element_places<Count> out;
  TILEWRIGHT_UNROLL
  for (int i = 0; i < Count; ++i) {
    out.src[i] = static_cast<std::uint64_t>(a.src_offset);
    out.dst[i] = static_cast<std::uint64_t>(a.dst_offset);
  }
  add_steps<Count, Index>(a.step, a.steps, index, out);
  add_steps<Count, Index>(a.own_dst_step, a.own_dst_steps, index, out);
  TILEWRIGHT_UNROLL
  for (int i = 0; i < Count; ++i) {
    out.src[i] = swizzled(a.src_swizzle, out.src[i]);
    out.dst[i] = swizzled(a.dst_swizzle, out.dst[i]);
  }
  return out;
}

/// Elements that a thread has on their way at once; they are elements / at_once apart in the order of the steps.
template <int Bits>
inline constexpr int generic_at_once = Bits == 8 || Bits == 16 ? 8 : 4;

/// Moves the groups of elements first, first + step, first + 2·step …
/// pre: step + elements does not exceed Index
template <int Bits, class Index>
TILEWRIGHT_FN void generic_copy(generic_arguments const& a, Index first, Index step) {
  constexpr int at_once = generic_at_once<Bits>;
  auto const count = static_cast<Index>(a.elements);
  Index const apart = (count + at_once - 1) / at_once;
  for (Index begin = first; begin < apart; begin += step) {
    // Beyond the end, the last element is used, and is not written.
    Index index[at_once];
    bool active[at_once];
    TILEWRIGHT_UNROLL
    for (int i = 0; i < at_once; ++i) {
      Index const wanted = begin + static_cast<Index>(i) * apart;
      active[i] = wanted < count;
      index[i] = active[i] ? wanted : count - 1;
    }
    element_places<at_once> const at = places_of<at_once, Index>(a, index);
    if constexpr (Bits == 4) {
      auto const* const src = static_cast<std::uint8_t const*>(a.src);
      auto* const dst = static_cast<std::uint8_t*>(a.dst);
      TILEWRIGHT_UNROLL
      for (int i = 0; i < at_once; ++i) {
        // The other half of the byte may belong to another thread, which writes it in a launch of its own.
        if (!active[i] || static_cast<int>(at.dst[i] & 1) != a.half) continue;
        // Offsets are signed: an element before the pointer is in a byte before it.
        auto const from = static_cast<std::int64_t>(at.src[i]) >> 1, to = static_cast<std::int64_t>(at.dst[i]) >> 1;
        unsigned const value = static_cast<unsigned>(src[from] >> (at.src[i] & 1) * 4) & 15u;
        unsigned const kept = dst[to];
        dst[to] = static_cast<std::uint8_t>(a.half == 0 ? (kept & 0xf0u) | value : (kept & 0x0fu) | value << 4);
      }
    } else {
      auto const* const src = static_cast<word<Bits> const*>(a.src);
      auto* const dst = static_cast<word<Bits>*>(a.dst);
      word<Bits> held[at_once];
      TILEWRIGHT_UNROLL
      for (int i = 0; i < at_once; ++i) held[i] = src[at.src[i]];
      TILEWRIGHT_UNROLL
      for (int i = 0; i < at_once; ++i)
        if (active[i]) dst[at.dst[i]] = held[i];
    }
  }
}

}  // namespace tilewright::gpu

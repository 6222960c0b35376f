// The naive loop of the benchmarks. A file of its own, because it is compiled as a user would: with -O2.
#include "bench/support/reference.hpp"

#include <algorithm>
#include <cstdlib>

namespace tilewright::bench {
namespace {

template <class Element>
void copy_loops(mode const* slowest, std::size_t loops, Element const* src, Element* dst) {
  if (loops == 0) {
    *dst = *src;
    return;
  }
  mode const m = *slowest;
  if (loops == 1) {
    for (std::int64_t i = 0; i < m.extent; ++i) dst[i * m.dst] = src[i * m.src];
    return;
  }
  for (std::int64_t i = 0; i < m.extent; ++i) copy_loops(slowest + 1, loops - 1, src + i * m.src, dst + i * m.dst);
}

struct sixteen_bytes {
  std::uint64_t low, high;
};

template <class Element>
void copy_elements(modes const& order, std::byte const* src, std::byte* dst) {
  copy_loops(order.data(), order.size(), reinterpret_cast<Element const*>(src), reinterpret_cast<Element*>(dst));
}

}  // namespace

void copy_naively(modes const& all, int element_bytes, std::byte const* src, std::byte* dst) {
  modes order = all;
  std::sort(order.begin(), order.end(), [](mode const& a, mode const& b) { return std::abs(a.dst) > std::abs(b.dst); });
  switch (element_bytes) {
    case 1: return copy_elements<std::uint8_t>(order, src, dst);
    case 2: return copy_elements<std::uint16_t>(order, src, dst);
    case 4: return copy_elements<std::uint32_t>(order, src, dst);
    case 8: return copy_elements<std::uint64_t>(order, src, dst);
    default: return copy_elements<sixteen_bytes>(order, src, dst);
  }
}

}  // namespace tilewright::bench

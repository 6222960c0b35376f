#include "bench/support/reference.hpp"

#include <algorithm>
#include <cstring>

namespace tilewright::bench {

void fill_source(std::span<std::byte> bytes, int element_bytes) {
  // Of each element, bit w-2 and its inverse in bit w-3 keep the exponent away from its extremes.
  std::uint64_t const top = element_bytes == 2   ? 0x4000400040004000
                            : element_bytes == 4 ? 0x4000000040000000
                            : element_bytes >= 8 ? 0x4000000000000000
                                                 : 0;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    // The finaliser of SplitMix64: every index has a word of its own.
    std::uint64_t word = at / sizeof(std::uint64_t) + 0x9E3779B97F4A7C15;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    word ^= word >> 31;
    word = (word & ~(top >> 1)) | ((~word & top) >> 1);
    std::memcpy(bytes.data() + at, &word, std::min(sizeof word, bytes.size() - at));
  }
}

void copy_by_coordinate(modes const& all, int element_bytes, std::byte const* src, std::byte* dst) {
  modes order = all;
  std::sort(order.begin(), order.end(), [](mode const& a, mode const& b) { return a.src < b.src; });
  auto const size = static_cast<std::size_t>(element_bytes);
  std::vector<std::int64_t> at(order.size(), 0);
  std::int64_t from = 0, to = 0;
  for (std::int64_t left = elements_of(all); left > 0; --left) {
    std::memcpy(dst + to * element_bytes, src + from * element_bytes, size);
    for (std::size_t i = 0; i < order.size(); ++i) {
      from += order[i].src;
      to += order[i].dst;
      if (++at[i] < order[i].extent) break;
      from -= order[i].src * order[i].extent;
      to -= order[i].dst * order[i].extent;
      at[i] = 0;
    }
  }
}

}  // namespace tilewright::bench

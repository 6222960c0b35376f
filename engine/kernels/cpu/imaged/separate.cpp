#include "engine/kernels/cpu/imaged/separate.hpp"

#include <algorithm>
#include <bit>

namespace tilewright::plan {
namespace {

/// Bits [first, end).
struct bit_range {
  int first = 0, end = 0;
};

int low_bit(std::int64_t x) { return std::countr_zero(static_cast<std::uint64_t>(x)); }
int width(std::int64_t x) { return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x))); }
std::int64_t mask_of(bit_range const& r) { return (std::int64_t{1} << r.end) - (std::int64_t{1} << r.first); }

/// The steps of one side: from tile to tile, or within one.
std::vector<step> steps_of(movement const& m, std::vector<std::int64_t> const& tile, bool source, bool within) {
  std::vector<step> out;
  for (std::size_t i = 0; i < m.loops.size(); ++i) {
    loop const& l = m.loops[i];
    std::int64_t const stride = source ? l.src : l.dst;
    out.push_back(within ? step{tile[i], stride} : step{(l.extent + tile[i] - 1) / tile[i], stride * tile[i]});
  }
  return out;
}

}  // namespace

std::int64_t reached_bits(std::vector<step> const& steps, std::int64_t offset, std::int64_t mask) {
  int const all = width(mask);
  std::vector<bit_range> ranges;
  auto const add = [&](std::int64_t unit, std::int64_t count) {
    unit &= mask;  // higher bits go nowhere, and a negative stride is a positive one modulo a power of two
    if (unit == 0 || count == 0) return;
    bool const wraps = count > mask / unit;
    ranges.push_back({low_bit(unit), wraps ? all : width(unit * count)});
  };
  add(offset, 1);
  for (step const& s : steps) add(s.stride, s.extent - 1);
  std::sort(ranges.begin(), ranges.end(), [](bit_range a, bit_range b) { return a.first < b.first; });
  std::int64_t out = 0;
  for (std::size_t i = 0; i < ranges.size();) {
    bit_range joined = ranges[i++];
    // Sums of numbers that share bits carry: each one more may need one bit more.
    for (; i < ranges.size() && ranges[i].first < joined.end; ++i)
      joined.end = std::min(all, std::max(joined.end, ranges[i].end) + 1);
    out |= mask_of(joined);
  }
  return out;
}

bool swizzles_separate(movement const& m, std::vector<std::int64_t> const& tile) {
  for (bool const source : {true, false}) {
    std::int64_t const mask = swizzled_bits(source ? m.src_swizzle : m.dst_swizzle);
    if (mask == 0) continue;
    std::int64_t const places =
        reached_bits(steps_of(m, tile, source, false), source ? m.src_offset : m.dst_offset, mask);
    if ((places & reached_bits(steps_of(m, tile, source, true), 0, mask)) != 0) return false;
  }
  return true;
}

}  // namespace tilewright::plan

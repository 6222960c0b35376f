// What a warp's access to global memory fetches: the distinct 32-byte sectors and 128-byte lines that its threads touch,
// against those that its bytes would need. One instruction of a warp is one request, however wide, as the profiler
// counts requests and sectors; wide accesses pass through the cache in parts (8 threads of 128 bits at a time).
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tiling/warp_access.hpp"

namespace tilewright::tiling {

/// Sums over requests; of one request where `requests` is 1.
struct global_traffic {
  long long requests = 0;
  long long bytes_asked = 0;    // distinct bytes of each request
  long long sectors = 0;        // touched
  long long sectors_least = 0;  // that so many bytes need at the least
  long long lines = 0;
  long long lines_least = 0;

  constexpr global_traffic& operator+=(global_traffic const& b) { return add(b, 1); }
  /// The traffic of `times` such requests more.
  constexpr global_traffic& add(global_traffic const& b, long long times) {
    requests += b.requests * times;
    bytes_asked += b.bytes_asked * times;
    sectors += b.sectors * times;
    sectors_least += b.sectors_least * times;
    lines += b.lines * times;
    lines_least += b.lines_least * times;
    return *this;
  }
  /// The share of the fetched bytes that were asked for, in (0, 1]; 1 where nothing was fetched.
  constexpr double efficiency(architecture const& machine) const {
    long long const fetched = sectors * machine.sector.count;
    return fetched == 0 ? 1.0 : static_cast<double>(bytes_asked) / static_cast<double>(fetched);
  }
  friend constexpr bool operator==(global_traffic const&, global_traffic const&) = default;
};

namespace detail {

/// pre: sorted by begin
constexpr global_traffic request_of(std::span<byte_range const> ranges, architecture const& machine) {
  global_traffic out{};
  if (ranges.empty()) return out;
  out.requests = 1;
  out.bytes_asked = units_touched(ranges, 1);
  out.sectors = units_touched(ranges, machine.sector.count);
  out.lines = units_touched(ranges, machine.line.count);
  out.sectors_least = math::ceil_div(out.bytes_asked, machine.sector.count);
  out.lines_least = math::ceil_div(out.bytes_asked, machine.line.count);
  return out;
}

}  // namespace detail

/// The traffic of lanes [first, first + lanes) as one request; of no active lane, none.
/// cost: O(lanes log lanes)
constexpr global_traffic traffic_of(warp_access const& access, architecture const& machine, int first = 0,
                                    int lanes = warp_access::max_lanes) {
  return detail::request_of(sorted_ranges(access, first, lanes).view(), machine);
}

/// The threads whose bytes make 128 together, which pass through the cache at a time: 32, 16 for 64 bits, 8 for 128, 4
/// for 256.
constexpr int lanes_at_a_time(bits width) {
  return width.count <= 32 ? 32 : width.count <= 64 ? 16 : width.count <= 128 ? 8 : width.count <= 256 ? 4 : 1;
}

}  // namespace tilewright::tiling

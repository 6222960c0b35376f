// Does the processor's own prefetcher reach what the lookups of a tile read? It follows a few streams at a time: lines of which each is
// next to the one before, upwards. Where it reaches all, fetching by instructions takes time and is in its way.
#pragma once

#include "engine/kernels/cpu/tile/lookup.hpp"
#include "engine/memory_units.hpp"
#include "tilewright/plan/cpu_tuning.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace tilewright::cpu_engine {

/// Counts the lines that surprise a prefetcher that follows so many streams: each first line of a stream.
class stream_follower {
 public:
  explicit stream_follower(std::size_t streams) : streams_(streams) {}

  void read(std::int64_t number) {
    if (!seen_.insert(number).second) return;  // it is in the caches
    auto found = std::find(last_.begin(), last_.end(), number - 1);
    if (found == last_.end()) {
      ++surprises;
      // Of a page, one stream is followed.
      found = std::find_if(last_.begin(), last_.end(), [=](std::int64_t last) { return last >> 6 == number >> 6; });
      if (found == last_.end() && last_.size() < streams_) return last_.push_back(number);
      if (found == last_.end()) found = last_.begin();  // the one that has not gone on for the longest time
    }
    *found = number;
    std::rotate(found, found + 1, last_.end());
  }
  std::int64_t lines() const { return static_cast<std::int64_t>(seen_.size()); }
  std::int64_t surprises = 0;

 private:
  std::size_t streams_;
  std::vector<std::int64_t> last_;  // line of each stream
  std::unordered_set<std::int64_t> seen_;
};

/// pre: lookups read the source itself. `step`: bytes from a tile to the next, whose streams may be the same.
/// cost: O(windows of the tile's vectors · streams)
inline bool prefetcher_reaches(std::vector<lookup_pattern> const& patterns, std::int64_t window, std::int64_t step,
                               cpu_tuning const& tuning) {
  constexpr std::int64_t line_bytes = engine::cache_line, few = 25;  // one surprise in so many lines
  stream_follower follower(static_cast<std::size_t>(tuning.prefetcher_streams));
  auto const number = [](std::int64_t at) { return (at >= 0 ? at : at - line_bytes + 1) / line_bytes; };
  std::int64_t lines = 0, surprises = 0;
  for (std::int64_t tile = 0; tile < 2; ++tile) {
    lines = follower.lines();
    surprises = follower.surprises;
    for (lookup_pattern const& p : patterns)
      for (lookup_place const& at : p.places)
        for (std::int64_t const w : p.windows) {
          std::int64_t const first = tile * step + at.src + w;
          follower.read(number(first));
          follower.read(number(first + window - 1));
        }
  }
  return (follower.surprises - surprises) * few <= follower.lines() - lines;
}

}  // namespace tilewright::cpu_engine

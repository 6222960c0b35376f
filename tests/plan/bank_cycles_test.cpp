// The planner's count of bank cycles against sets of words: 32 banks of 4 bytes, half warps for 8 bytes, quarters for 16.
#include "engine/plan/banks.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace tilewright {
namespace {

std::int64_t cycles_by_sets(std::vector<std::int64_t> const& at, std::int64_t width) {
  std::size_t const together = width <= 4 ? 32 : width == 8 ? 16 : 8;
  std::int64_t cycles = 0;
  for (std::size_t first = 0; first < at.size(); first += together) {
    std::map<std::int64_t, std::set<std::int64_t>> words;
    for (std::size_t i = first; i < std::min(at.size(), first + together); ++i)
      for (std::int64_t byte = at[i]; byte < at[i] + width; ++byte) words[byte / 4 % 32].insert(byte / 4);
    std::size_t fullest = 0;
    for (auto const& [bank, found] : words) fullest = std::max(fullest, found.size());
    cycles += static_cast<std::int64_t>(fullest);
  }
  return cycles;
}

TEST(bank_cycles, of_random_and_of_strided_places_are_those_of_sets) {
  std::mt19937 random(7);
  for (int n = 0; n < 3000; ++n) {
    std::int64_t const width = std::int64_t{1} << random() % 5, stride = random() % 300,
                       range = 1 << (4 + random() % 12);
    std::vector<std::int64_t> at;
    for (std::size_t lane = 0, lanes = 1 + random() % 32; lane < lanes; ++lane)
      at.push_back(n % 2 == 0 ? static_cast<std::int64_t>(random()) % range : static_cast<std::int64_t>(lane) * stride);
    ASSERT_EQ(plan::bank_cycles(at, width), cycles_by_sets(at, width)) << "width " << width << ", stride " << stride;
  }
}

}  // namespace
}  // namespace tilewright

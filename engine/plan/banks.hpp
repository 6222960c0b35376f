// The count that strides in shared memory are chosen by.
#pragma once

#include "tilewright/machine/arch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace tilewright::plan {

inline constexpr int banks = arch(arch_id::sm_90).banks, lanes = arch(arch_id::sm_90).warp,
                     bank_bytes = static_cast<int>(arch(arch_id::sm_90).bank_width.count);

/// Distinct words in the fullest bank, so the cycles that an access to all of them together takes.
/// pre: at most 2 · lanes words
inline int fullest_bank(std::span<std::int64_t const> words) {
  std::array<std::array<std::int64_t, 2 * lanes>, banks> seen;  // so many of each as `used` says
  std::array<int, banks> used{};
  int fullest = 0;
  for (std::int64_t const word : words) {
    auto const bank = static_cast<std::size_t>((word % banks + banks) % banks);
    auto const end = seen[bank].begin() + used[bank];
    if (std::find(seen[bank].begin(), end, word) != end) continue;
    seen[bank][static_cast<std::size_t>(used[bank]++)] = word;
    fullest = std::max(fullest, used[bank]);
  }
  return fullest;
}

}  // namespace tilewright::plan

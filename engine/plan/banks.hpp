// The count that strides in shared memory are chosen by: wavefronts of accesses, by the words that each bank has to deliver.
#pragma once

#include "tilewright/tiling/banks.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace tilewright::plan {

inline constexpr architecture const& banked = arch(arch_id::sm_90);  // all GPUs since Maxwell have such banks
inline constexpr int banks = banked.banks, lanes = banked.warp, bank_bytes = static_cast<int>(banked.bank_width.count);

/// Clocks of one access of a warp, of `width` bytes from each place. Pairs of lanes that name one address, which some loads
/// are served faster for, are not looked for: costs are fitted to this count.
/// pre: at most `lanes` places, widths of at most 32 bytes
inline std::int64_t bank_cycles(std::span<std::int64_t const> at, std::int64_t width) {
  auto const together = static_cast<std::size_t>(tiling::lanes_at_a_time(to_bits(bytes{width})));
  std::int64_t cycles = 0;
  for (std::size_t first = 0; first < at.size(); first += together) {
    tiling::bank_words words(banked.banks, banked.bank_width);
    for (std::int64_t const begin : at.subspan(first, std::min(together, at.size() - first)))
      words.add({begin, begin + width});
    cycles += words.fullest();
  }
  return cycles;
}

}  // namespace tilewright::plan

// "did you mean …?": the word of a list that is spelled most like another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tilewright::cli {

/// The least number of characters to insert, remove or change to get from a to b.
/// cost: O(|a| * |b|)
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// Empty when no word is near: at most a third of it may differ, and two characters of a short one.
template <class Candidates>
std::string_view nearest(std::string_view word, Candidates const& candidates) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  if (word.size() > 64) return best;
  for (std::string_view const candidate : candidates) {
    std::size_t const distance = edit_distance(word, candidate);
    if (distance < least && distance < word.size()) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace tilewright::cli

// "did you mean …?": the word of a list that is spelled most like another.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::cli {

/// The least number of characters to insert, remove, change or swap with their neighbour to get from a to b.
/// cost: O(|a| * |b|)
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    d[i][0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({change, d[i - 1][j] + 1, d[i][j - 1] + 1});
      bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

/// Without what carries no meaning: case, dashes and underscores.
inline std::string spelled_plainly(std::string_view word) {
  std::string out;
  for (char const ch : word)
    if (ch != '-' && ch != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(ch)));
  return out;
}

/// The candidate that is spelled most alike: at most a third of the word may differ, and two characters of a short one;
/// else one that begins with the word, or contains it, or is contained in it (four characters at least). Empty when
/// there is none.
template <class Candidates>
std::string_view nearest(std::string_view word, Candidates const& candidates) {
  std::string_view best;
  std::string const wanted = spelled_plainly(word);
  if (wanted.empty() || wanted.size() > 64) return best;
  std::size_t least = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (std::string_view const candidate : candidates) {
    std::size_t const distance = edit_distance(wanted, spelled_plainly(candidate));
    if (distance < least && distance < wanted.size()) {
      least = distance;
      best = candidate;
    }
  }
  constexpr std::size_t telling = 4;
  for (std::string_view const candidate : candidates) {
    if (!best.empty()) break;
    std::string const plain = spelled_plainly(candidate);
    bool const within = plain.size() >= telling && wanted.find(plain) != std::string::npos;
    bool const around = wanted.size() >= telling && plain.find(wanted) != std::string::npos;
    if (within || around) best = candidate;
  }
  return best;
}

}  // namespace tilewright::cli

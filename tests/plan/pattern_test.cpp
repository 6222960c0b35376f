// What pattern.hpp says of accesses against each access worked out element by element.
#include "engine/kernels/cuda/tile/pattern.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace tilewright {
namespace {

using kernels::access_pattern;
using kernels::placed_mode;

int place_of(std::vector<placed_mode> const& modes, int x) {
  int out = 0;
  for (placed_mode const& m : modes) {
    int const at = x % m.extent;
    out += (m.flipped ? m.extent - 1 - at : at) * m.place;
    x /= m.extent;
  }
  return out;
}

int size_of(std::vector<placed_mode> const& modes) {
  int n = 1;
  for (placed_mode const& m : modes) n *= m.extent;
  return n;
}

/// Modes of a tile without overlap: a permutation of them, each padded by so many bytes now and then.
struct random_row {
  std::vector<placed_mode> modes, rows;
  int element, vector, begins;

  explicit random_row(std::mt19937& random) : element(1 << random() % 2), vector(2 << random() % 4), begins(vector) {
    if (random() % 3 == 0) begins = 1 << random() % 3;
    begins = std::min(begins, vector);
    std::size_t const rank = 1 + random() % 3, row_modes = random() % 3;
    std::vector<placed_mode> all(rank + row_modes);
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    int size = element;
    for (std::size_t const i : order) {
      int const padding = random() % 2 == 0 ? 0 : 4 << random() % 3;
      if (padding > 0 && size > element) size = (size + padding - 1) / padding * padding;
      all[i] = {static_cast<int>(random() % 2 == 0 ? 2U << random() % 4 : 2 + random() % 20), size,
                i < rank && random() % 5 == 0};
      size *= all[i].extent;
    }
    modes.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rank));
    rows.assign(all.begin() + static_cast<std::ptrdiff_t>(rank), all.end());
  }
};

/// The bytes of an element are where the loads say, and these begin where they may.
void expect_loads(random_row const& r, access_pattern const& p, int first) {
  int const beyond = p.slides ? first & 3 : 0, words = p.unit / 4;
  for (int const begin : p.units)
    EXPECT_TRUE(!p.is_aligned || (first - beyond + begin) % p.unit == 0) << first << begin;
  for (std::size_t i = 0; i < p.offsets.size(); ++i) {
    int const unit = p.units[static_cast<std::size_t>(p.word[i] / words)];
    EXPECT_EQ(unit + p.word[i] % words * 4 + p.byte[i], p.offsets[i]);
    EXPECT_LE(p.byte[i] + r.element + beyond, 4);
  }
}

TEST(pattern, is_that_of_every_access) {
  std::mt19937 random(41);
  int found = 0, loaded = 0, slid = 0, anywhere = 0;
  for (int n = 0; n < 4000 && !HasFailure(); ++n) {
    random_row const r(random);
    int const length = size_of(r.modes);
    if (length < r.vector || (r.begins == r.vector && length % r.vector != 0)) continue;
    access_pattern const p = kernels::pattern_of(r.modes, r.vector, r.element, r.begins, r.rows, 16);
    if (!p.exists) continue;
    ++found, loaded += p.unit > 0, slid += p.slides, anywhere += r.begins < r.vector;
    for (int row = 0; row < size_of(r.rows); ++row)
      for (int x = 0; x + r.vector <= length; x += r.begins) {
        int const first = place_of(r.rows, row) + place_of(r.modes, x);
        for (int i = 0; i < r.vector; ++i)
          EXPECT_EQ(first + p.offsets[static_cast<std::size_t>(i)], place_of(r.rows, row) + place_of(r.modes, x + i));
        if (p.unit > 0) expect_loads(r, p, first);
      }
  }
  EXPECT_GE(found, 200);
  EXPECT_GE(loaded, 60);
  EXPECT_GE(slid, 3);
  EXPECT_GE(anywhere, 20);
}

TEST(pattern, of_pieces_is_that_of_accesses_within_one) {
  std::mt19937 random(43);
  int found = 0;
  for (int n = 0; n < 20000 && !HasFailure(); ++n) {
    random_row const r(random);
    int const length = size_of(r.modes);
    if (length < r.vector) continue;
    kernels::piece_pattern const p = kernels::pattern_of_pieces(r.modes, r.vector, r.element, r.begins, r.rows, 16);
    if (!p.pattern.exists) continue;
    ++found;
    for (int x = 0; x + r.vector <= length; x += r.begins) {
      if (x / p.elements != (x + r.vector - 1) / p.elements) continue;
      int const first = place_of(r.modes, x);
      for (int i = 0; i < r.vector; ++i)
        EXPECT_EQ(first + p.pattern.offsets[static_cast<std::size_t>(i)], place_of(r.modes, x + i));
      int const at = x % p.elements, begin = place_of(r.modes, x - at);
      EXPECT_EQ(begin + at / p.pattern.inside * p.pattern.step, first);
      if (p.pattern.unit > 0) expect_loads(r, p.pattern, first);
    }
  }
  EXPECT_GE(found, 500);
}

}  // namespace
}  // namespace tilewright

// Sums that show whether a copy put every element where it belongs, from the bytes that were read and the bytes that
// were written, in whatever pieces and order that happened. Each word of an element has a coefficient c that depends on
// its coordinates alone. Both sides add up c · word for the bytes at a place in the file, whose coordinates are found by
// dividing the place by the strides of that side; nothing of the copy's own plan takes part. The sums are equal modulo
// 2^64 when the same words have the same coordinates on both sides.
//
// So that the inner loop is a product of two vectors on either side, c is a product of four numbers:
//   c(x) = a(coordinates that only the source's runs have) · b(those that only the destination's runs have)
//        · r(those that both have) · d(all others)
// where a side's run is its innermost coordinates, up to 4096 words. A run's coefficients are one table times one factor.
//   (1000,1000):(1000,1) to (1,1000): a over the columns, b over the rows, r and d empty.
#pragma once

#include "tilewright/plan/movement.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tilewright::npy {

/// Sums over some bytes; those over parts add up to those over the whole.
struct position_total {
  std::uint64_t words = 0;      // Σ c · word
  std::uint64_t positions = 0;  // Σ c
  std::int64_t bytes = 0;       // of elements, without holes
  bool holes_are_zero = true;

  position_total& operator+=(position_total const& o) {
    words += o.words, positions += o.positions, bytes += o.bytes;
    holes_are_zero = holes_are_zero && o.holes_are_zero;
    return *this;
  }
  friend bool operator==(position_total const&, position_total const&) = default;
};

class position_sums {
 public:
  enum side { source, destination };

  /// The copy whose loops, with strides and extents in elements, go from `source_offset` and `destination_offset`.
  /// post: nothing unless all strides are positive and nested (each at least the span of those below it)
  static std::optional<position_sums> of(std::vector<loop> loops, std::int64_t element_bytes,
                                         std::int64_t source_offset = 0, std::int64_t destination_offset = 0);

  /// The sums over bytes at `begin`, counted from the first element of that side's data.
  /// pre: begin and data.size() are multiples of the element's bytes
  /// law: of a whole side, what its parts in any partition add up to; bytes beyond the loops count as holes
  /// cost: one pass at the speed of memory; may be called by many threads
  position_total sum(side which, std::int64_t begin, std::span<std::byte const> data) const;

  /// What `positions` and `bytes` of either side are when each element was seen once.
  position_total expected() const;

 private:
  struct part {  // of a loop's coordinate: the index into one of the four classes advances by `step` for each
    int index = 3;
    std::uint64_t step = 0;
  };
  struct split_loop {
    std::int64_t extent = 1, stride[2] = {0, 0};
    std::int64_t chunk = 0;  // low part: coordinate % chunk; 0: all of it
    part low, high;
  };
  struct run_table {
    std::vector<std::size_t> order;                  // loops, the largest stride first
    std::size_t inner = 0;                           // how many of the last are whole in a run
    bool has_partial = false;                        // the loop in front of those is in the run by its low part
    std::int64_t inner_words = 1;                    // of the whole ones
    std::vector<std::uint32_t> coefficients;         // by the word of the run
    std::vector<std::uint64_t> coefficients_before;  // their sums
  };
  struct place {  // a run, or a hole
    std::int64_t words = 0;
    std::int64_t first = 0;  // in the run's table; -1: a hole
    std::uint64_t factor = 0;
  };

  void choose_runs(side which);
  void assign_parts();
  void fill_table(side which);
  std::uint64_t coefficient_of(int index, std::uint64_t at) const;
  place find(side which, std::int64_t word) const;

  std::vector<split_loop> loops_;
  run_table tables_[2];
  std::int64_t offset_[2] = {0, 0};  // words
  std::int64_t words_ = 1;
  std::int64_t word_bytes_ = 1;
  bool has_common_ = false, has_own_ = false;
};

/// Σ coefficients[i] · words[i] modulo 2^64, where words have 1, 2 or 4 bytes.
std::uint64_t weighted_sum(std::byte const* words, std::int64_t word_bytes, std::uint32_t const* coefficients,
                           std::size_t count);

}  // namespace tilewright::npy

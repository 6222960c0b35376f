// Shapes that the tile kernels' bodies are run with on a CPU: the numbers that a GPU's kernel is compiled with are variables
// wherever the body lets them be, so that few types serve many plans.
#pragma once

#include "engine/kernels/cuda/tile/numbers.hpp"
#include "random_copies.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <random>
#include <vector>

namespace tilewright::tests {

/// A shape whose constants are variables where the body lets them be.
template <bool Target, bool Shifted, int Vector, int Packed = 1>
struct side_of {
  static inline kernels::tile_numbers::side n;
  static constexpr bool is_target = Target, shifted = Shifted;
  static constexpr int vector = Vector, at_once = 2, packed = Packed;
  static inline bool tabled_rows, tabled_places, counted, joined, pieced, strided, patterned, halved_table,
      pattern_is_aligned, pattern_slides, pattern_pieces;
  static inline int place_step, joined_alignment, pattern_unit, pattern_units, pattern_inside, pattern_step,
      piece_modes, piece_first;
  static inline int period, period_place, table_length, table_gap, packed_extent, packed_limit;
  static inline long long packed_step;
  static inline int rows, accesses, lanes, row_lanes, run_length, run_step, run_limit, run_inner, rows_at, places_at,
      run_modes, row_modes;
  static kernels::tile_numbers::mode run_mode(int i) { return n.run_modes[static_cast<std::size_t>(i)]; }
  static int pattern_offset(int i) { return n.pattern.offsets[static_cast<std::size_t>(i)]; }
  static int pattern_begin(int i) { return n.pattern.units[static_cast<std::size_t>(i)]; }
  static int pattern_word(int i) { return n.pattern.word[static_cast<std::size_t>(i)]; }
  static int pattern_byte(int i) { return n.pattern.byte[static_cast<std::size_t>(i)]; }
  static kernels::tile_numbers::mode row_mode(int i) { return n.row_modes[static_cast<std::size_t>(i)]; }
  static void set(kernels::tile_numbers::side const& s) {
    n = s;
    rows = s.rows, accesses = s.accesses, lanes = s.lanes, row_lanes = s.row_lanes, run_length = s.run_length;
    run_step = s.run_step, run_limit = s.run_limit, run_inner = s.run_inner, rows_at = s.rows_at;
    places_at = s.places_at, run_modes = static_cast<int>(s.run_modes.size());
    row_modes = static_cast<int>(s.row_modes.size());
    period = s.period, period_place = s.period_place, table_length = s.table_length;
    table_gap = s.table_gap, halved_table = s.halved_table;
    counted = s.counted, joined = s.joined, pieced = s.pieced, strided = s.strided, place_step = s.place_step,
    joined_alignment = s.joined_alignment;
    packed_extent = s.packed_extent, packed_limit = s.packed_limit, packed_step = s.packed_step;
    patterned = s.patterned, pattern_unit = s.pattern.unit, pattern_is_aligned = s.pattern.is_aligned;
    pattern_slides = s.pattern.slides, pattern_pieces = s.pattern_pieces, pattern_inside = s.pattern.inside;
    pattern_step = s.pattern.step, piece_modes = s.piece_modes, piece_first = s.piece_first;
    pattern_units = static_cast<int>(s.pattern.units.size());
    tabled_rows = s.tabled_rows, tabled_places = s.tabled_places;
  }
};

template <int Element, int Store, class Read, class Write>
struct shape_of {
  using offset = unsigned;
  using read = Read;
  using write = Write;
  static constexpr int element = Element, store_bytes = Store, limits = 16, max_modes = 16;
  static constexpr bool evict_source_last = false, has_tables = true;
  static inline kernels::tile_numbers n;
  static inline int threads, modes, lead, fetch, stage_bytes;
  static constexpr int sector = 32, memory_line = 128;
  static inline unsigned tiles;
  static inline long long src_begin, dst_begin, src_low, src_high, src_span;
  static kernels::tile_numbers::grid_mode mode(int i) { return n.modes[static_cast<std::size_t>(i)]; }
  static kernels::tile_numbers::limit limit(int i) {
    return static_cast<std::size_t>(i) < n.limits.size() ? n.limits[static_cast<std::size_t>(i)]
                                                         : kernels::tile_numbers::limit{};
  }
  static void set(kernels::tile_numbers const& m) {
    n = m;
    Read::set(m.read);
    Write::set(m.write);
    lead = m.lead, stage_bytes = m.stage_bytes;
    fetch = static_cast<int>(m.fetch);
    threads = m.threads, modes = static_cast<int>(m.modes.size()), tiles = static_cast<unsigned>(m.tiles);
    src_begin = m.src_begin, dst_begin = m.dst_begin, src_low = m.src_low, src_high = m.src_high;
    src_span = m.src_span;
  }
};

/// Memory of exactly so many bytes, on a multiple of 16, so that a sanitizer sees what is read beyond it.
class exact_bytes {
 public:
  explicit exact_bytes(std::size_t size) : size_(size), all_(new (std::align_val_t{16}) unsigned char[size]) {}
  ~exact_bytes() { operator delete[](all_, std::align_val_t{16}); }
  exact_bytes(exact_bytes const&) = delete;
  unsigned char* data() const { return all_; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  unsigned char* all_;
};

/// The memories of a copy's two tensors, full of random bytes. Each tensor begins at an odd multiple of what it is aligned to.
class copied_memory {
 public:
  copied_memory(random_copy const& c, std::mt19937& random)
      : src_alignment(alignment(c, random)),
        dst_alignment(alignment(c, random)),
        source_(bytes(c, c.src_elements) + lead(src_alignment)),
        target_(bytes(c, c.dst_elements) + lead(dst_alignment)) {
    for (exact_bytes const* side : {&source_, &target_})
      for (std::size_t i = 0; i < side->size(); ++i) side->data()[i] = static_cast<unsigned char>(random());
    std::vector<std::uint8_t> const from(src(), src() + bytes(c, c.src_elements)),
        to(dst(), dst() + bytes(c, c.dst_elements));
    expected_ = c.expected(from, to);
  }
  unsigned char const* src() const { return source_.data() + lead(src_alignment); }
  unsigned char* dst() const { return target_.data() + lead(dst_alignment); }
  /// Is every byte of the destination what the value face says?
  bool is_right() const { return std::equal(expected_.begin(), expected_.end(), dst()); }

  std::int64_t const src_alignment, dst_alignment;

 private:
  static std::int64_t alignment(random_copy const& c, std::mt19937& random) {
    return std::min<std::int64_t>(16, std::max(1, c.element_bits / 8) << random() % 5);
  }
  static std::size_t lead(std::int64_t alignment) { return static_cast<std::size_t>(alignment % 16); }
  static std::size_t bytes(random_copy const& c, std::int64_t elements) {
    return static_cast<std::size_t>(c.bytes_of(elements));
  }

  exact_bytes source_, target_;
  std::vector<std::uint8_t> expected_;
};

}  // namespace tilewright::tests

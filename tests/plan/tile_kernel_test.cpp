// The tile kernel's own body, run on the CPU with the numbers that it would be compiled with for a GPU: random pairs of
// layouts, in memory that ends where the layouts do, against the value face element by element.
#include "engine/kernels/cuda/tile/body.hpp"
#include "engine/kernels/cuda/tile/numbers.hpp"
#include "engine/kernels/cuda/tile/schedule.hpp"
#include "engine/plan/cuda_tiles.hpp"
#include "tile_kernel_copies.hpp"
#include "tile_kernel_shapes.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/plan/copy_error.hpp"
#include "tilewright/plan/prove.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tilewright {
namespace {

using kernels::tile_numbers;
using std::int64_t;
using tests::shape_of;
using tests::side_of;

/// Addresses that kernels have fetched.
struct fetched_addresses {
  std::mutex mutex;
  std::vector<std::uintptr_t> all;
};
fetched_addresses& all_fetched() {
  static fetched_addresses out;
  return out;
}

/// A block that notes what its kernel fetches.
template <class Block>
struct noting_block {
  Block& block;
  int thread() const { return block.thread(); }
  auto index() const { return block.index(); }
  auto grid() const { return block.grid(); }
  void sync() const { block.sync(); }
  void fetched(void const* p) const {
    std::lock_guard const lock(all_fetched().mutex);
    all_fetched().all.push_back(reinterpret_cast<std::uintptr_t>(p));
  }
};

template <class Shape>
struct kernel {
  int shared_bytes;
  template <class Block>
  void operator()(Block& block, void const* src, void* dst) const {
    unsigned char* const shared = block.template shared_array<unsigned char>(static_cast<std::size_t>(shared_bytes));
    noting_block<Block> noting{block};
    kernels::tile_copy<Shape>::run(noting, shared, src, dst);
  }
};

// --- from numbers to a type --------------------------------------------------------------------------------------------

template <class Shape>
bool run_shape(tile_numbers const& n, void const* src, void* dst) {
  Shape::set(n);
  launch_cpu(dim3{static_cast<unsigned>(std::min<int64_t>(n.tiles, 3))}, dim3{static_cast<unsigned>(n.threads)},
             kernel<Shape>{n.shared_bytes}, src, dst);
  return true;
}

/// The kinds of access that are compiled: an element, a word from anywhere, whole vectors.
template <int Element, bool Target, class Use>
bool with_side(tile_numbers::side const& s, Use const& use) {
  constexpr int word = Element < 4 ? 4 / Element : 1, wide = 16 / Element;
  if constexpr (word > 1 && !Target) {
    if (s.packed > 1 && s.vector == wide)
      return s.shifted ? use(side_of<false, true, wide, word>()) : use(side_of<false, false, wide, word>());
    if (s.packed > 1 && s.vector == word)
      return s.shifted ? use(side_of<false, true, word, word>()) : use(side_of<false, false, word, word>());
  }
  if (s.packed > 1) return false;
  if (s.vector == 1 && !s.shifted) return use(side_of<Target, false, 1>());
  if constexpr (wide > 1)
    if (s.vector == wide) return s.shifted ? use(side_of<Target, true, wide>()) : use(side_of<Target, false, wide>());
  if constexpr (word > 1) {
    if (s.vector == word && s.shifted) return use(side_of<Target, true, word>());
    if constexpr (Target) {
      if (s.vector == word) return use(side_of<Target, false, word>());
      if (s.vector == 2 * word)
        return s.shifted ? use(side_of<Target, true, 2 * word>()) : use(side_of<Target, false, 2 * word>());
    }
  }
  return false;
}

template <int Element>
bool run_element(tile_numbers const& n, void const* src, void* dst) {
  return with_side<Element, false>(n.read, [&](auto read) {
    return with_side<Element, true>(n.write, [&](auto write) {
      using narrow = shape_of<Element, 4, decltype(read), decltype(write)>;
      using wide = shape_of<Element, 16, decltype(read), decltype(write)>;
      if (n.read.packed > 1) return run_shape<narrow>(n, src, dst);
      return n.store_bytes >= std::min(16, n.read.vector * Element) ? run_shape<wide>(n, src, dst)
             : n.store_bytes == 4                                   ? run_shape<narrow>(n, src, dst)
                                                                    : false;
    });
  });
}

bool run_on_cpu(tile_numbers const& n, void const* src, void* dst) {
  switch (n.element) {
    case 1: return run_element<1>(n, src, dst);
    case 2: return run_element<2>(n, src, dst);
    case 4: return run_element<4>(n, src, dst);
    case 8: return run_element<8>(n, src, dst);
    default: return run_element<16>(n, src, dst);
  }
}

// --- the tests ---------------------------------------------------------------------------------------------------------

std::optional<copy_plan> plan_with_tile(copy_request const& request, std::mt19937& random) {
  copy_plan plan;
  plan.machine = machine_named("sm_90");
  plan.machine.far_bytes = 1;  // no copy is small enough for a cache
  try {
    plan.moves = widened(make_movement(request.src, request.dst, request.element_bits), request.src_alignment,
                         request.dst_alignment);
  } catch (copy_error const&) {
    return std::nullopt;
  }
  if (!kernels::serves(plan.moves)) return std::nullopt;
  std::vector<int> order = plan::loops_by(plan.moves, false);
  if (random() % 2 == 0) {  // as planned
    auto const found = kernels::tile_candidates(plan.moves, request, plan.machine, order, 1);
    if (found.empty()) return std::nullopt;
    plan.tile = found.front().tile;
    plan.order = found.front().order;
    plan.schedule = found.front().schedule;
  } else {  // any tile, in any order
    int64_t left = 1500;
    for (loop const& l : plan.moves.loops) {
      int64_t t = random() % 3 == 0 ? l.extent : 1 + static_cast<int64_t>(random()) % l.extent;
      t = std::clamp<int64_t>(t, 1, std::max<int64_t>(1, left));
      plan.tile.push_back(t);
      left /= t;
    }
    std::shuffle(order.begin(), order.end(), random);
    plan.order = order;
    kernels::tile_knobs knobs;
    knobs.may_pack = random() % 3 != 0;
    knobs.threads = std::array{0, 0, 0, 20, 200, 900}[random() % 6];
    auto found = kernels::tile_schedule(plan.moves, request, plan.machine, plan.tile, order, knobs);
    if (!found) return std::nullopt;
    plan.schedule = *found;
  }
  return plan;
}

/// How often a test met what it is about.
struct met {
  int moved = 0, shifted = 0, cut = 0, vectors = 0, flipped = 0, tabled = 0, counted = 0, pieced = 0, strided = 0,
      lanes = 0, packed = 0, packed_in_part = 0, gapped_tables = 0, halved_tables = 0, periodic_tables = 0,
      shifted_patterns = 0, tabled_patterns = 0, flipped_patterns = 0, sliding_patterns = 0, woven = 0,
      woven_planes = 0;
  std::map<int, int> pattern_units;  // by bytes; words from anywhere as 1
  std::array<int, 3> fetches{};

  void count(copy_plan const& plan, tile_numbers const& n) {
    ++moved;
    ++fetches[static_cast<std::size_t>(n.fetch)];
    shifted += n.read.shifted || n.write.shifted;
    cut += !n.limits.empty();
    vectors += n.read.vector > 1 && !n.read.shifted;
    tabled += n.write.tabled_places;
    counted += n.write.counted;
    pieced += n.write.pieced;
    strided += n.write.strided;
    if (n.write.patterned) count_pattern(n.write);
    woven += n.write.pattern_pieces && n.write.pattern.inside == 1;
    woven_planes += n.write.pattern_pieces && n.write.pattern.inside > 1;
    gapped_tables += n.write.table_gap > 0;
    halved_tables += n.write.halved_table;
    periodic_tables += n.write.tabled_places && n.write.period < n.write.run_length;
    packed += n.read.packed > 1;
    packed_in_part += n.read.packed > 1 && (n.read.packed_extent % n.read.packed != 0 || n.read.packed_limit >= 0);
    lanes += n.write.lanes != n.write.accesses && n.write.rows % n.write.row_lanes != 0;
    for (loop const& l : plan.moves.loops) flipped += l.src < 0;
  }
  void count_pattern(tile_numbers::side const& s) {
    ++pattern_units[s.pattern.unit == 4 && !s.pattern.is_aligned ? 1 : s.pattern.unit];
    shifted_patterns += s.shifted && s.run_modes.size() > 1;
    tabled_patterns += s.tabled_places;
    sliding_patterns += s.pattern.slides;
    flipped_patterns += std::any_of(s.run_modes.begin(), s.run_modes.end(), [](auto const& m) { return m.flipped; });
  }
};

/// Where rows end before a gap, what was fetched has every sector that the copy writes in part, and is the destination's.
void compare_fetched(tests::random_copy const& c, tile_numbers const& n, std::uintptr_t target) {
  std::set<std::uintptr_t> units;
  std::uintptr_t const sector = 32, unit = n.fetch == cuda_fetch::spans ? 128 : sector;
  auto const element = static_cast<std::uintptr_t>(c.element_bits / 8);  // before the planner joins some
  std::map<std::uintptr_t, std::uintptr_t> written;                      // bytes of each sector
  for (int64_t const to : c.to)
    for (std::uintptr_t i = 0; i < element; ++i)
      ++written[(target + static_cast<std::uintptr_t>(to) * element + i) / sector];
  auto const [first, last] = std::minmax_element(c.to.begin(), c.to.end());
  for (std::uintptr_t const p : all_fetched().all) {
    EXPECT_GE(p, target + static_cast<std::uintptr_t>(*first) * element) << c.text();
    EXPECT_LT(p, target + static_cast<std::uintptr_t>(*last + 1) * element) << c.text();
    units.insert(p / unit);
  }
  if (n.fetch == cuda_fetch::none) {
    EXPECT_TRUE(units.empty()) << c.text();
    return;
  }
  for (auto const& [at, bytes] : written)
    EXPECT_TRUE(bytes == sector || units.contains(at * sector / unit))
        << c.text() << ", sector " << at * sector - target << "\n"
        << kernels::shape_text(n);
}

/// Plans the copy, proves the plan, runs it and compares every byte of the destination's memory.
void move_and_compare(tests::random_copy const& c, std::mt19937& random, met& seen) {
  tests::copied_memory const memory(c, random);
  copy_request const request{c.src, c.dst, c.element_bits, memory.src_alignment, memory.dst_alignment};
  std::optional<copy_plan> const plan = plan_with_tile(request, random);
  if (!plan) return;
  ASSERT_TRUE(prove(*plan)) << c.text() << ": " << prove(*plan).failure;
  tile_numbers const numbers = kernels::numbers_of(*plan);
  ASSERT_FALSE(numbers.wide);
  all_fetched().all.clear();
  if (!run_on_cpu(numbers, memory.src(), memory.dst())) return;  // a width not compiled here
  ASSERT_TRUE(memory.is_right()) << c.text() << "\n" << kernels::shape_text(numbers);
  compare_fetched(c, numbers, reinterpret_cast<std::uintptr_t>(memory.dst()));
  seen.count(*plan, numbers);
}

TEST(tile_kernel, moves_random_pairs_of_layouts) {
  tests::random_copies copies(20261122, 4000);
  std::mt19937 random(11);
  met seen;
  for (int n = 0; n < 1800 && !HasFatalFailure(); ++n) {
    tests::random_copy const c = copies.next();
    if (c.element_bits >= 8) move_and_compare(c, random, seen);
  }
  EXPECT_GE(seen.moved, 400);
  for (int const count : {seen.shifted, seen.cut, seen.vectors, seen.flipped, seen.tabled, seen.counted, seen.strided})
    EXPECT_GE(count, 15);
}

TEST(tile_kernel, moves_rows_that_are_pieces_of_the_source) {
  std::mt19937 random(29);
  met seen;
  for (int n = 0; n < 2200 && !HasFatalFailure(); ++n) move_and_compare(tests::rows_of_pieces(random), random, seen);
  EXPECT_GE(seen.moved, 400);
  for (int const count : {seen.pieced, seen.flipped, seen.cut, seen.shifted, seen.packed, seen.packed_in_part})
    EXPECT_GE(count, 15);
  EXPECT_GE(seen.lanes, 3);
  for (cuda_fetch const way : {cuda_fetch::none, cuda_fetch::sectors, cuda_fetch::spans})
    EXPECT_GE(seen.fetches[static_cast<std::size_t>(way)], 15) << name_of(way);
}

TEST(tile_kernel, loads_accesses_of_one_pattern_by_words) {
  std::mt19937 random(37);
  met seen;
  for (int n = 0; n < 4000 && !HasFatalFailure(); ++n) move_and_compare(tests::rows_of_planes(random), random, seen);
  EXPECT_GE(seen.moved, 400);
  for (int const count : {seen.shifted_patterns, seen.flipped_patterns, seen.sliding_patterns}) EXPECT_GE(count, 5);
  EXPECT_GE(seen.woven, 15);
  EXPECT_GE(seen.woven_planes, 15);
  for (int const bytes : {0, 1, 4, 8, 16}) EXPECT_GE(seen.pattern_units[bytes], 4) << bytes;
}

TEST(tile_kernel, moves_rows_of_short_modes) {
  std::mt19937 random(31);
  met seen;
  for (int n = 0; n < 1400 && !HasFatalFailure(); ++n)
    move_and_compare(tests::rows_of_short_modes(random), random, seen);
  EXPECT_GE(seen.moved, 300);
  for (int const count : {seen.tabled, seen.gapped_tables, seen.halved_tables, seen.periodic_tables, seen.shifted})
    EXPECT_GE(count, 5);
}

/// Words of the entries that the lanes of a warp look up at a time, a vector apart, by the bank that has them.
template <class Side>
int fullest_bank_of_lookups(int first, int words) {
  std::map<int, std::set<int>> banks;
  for (int lane = 0; lane < 32 / words; ++lane)
    for (int word = 0; word < words; ++word) {
      int const at =
          kernels::tile_image<shape_of<1, 16, Side, Side>>::template entry_of<Side>(first + lane * Side::vector) / 2 +
          word;
      banks[at % 32].insert(at);
    }
  std::size_t most = 0;
  for (auto const& [bank, all] : banks) most = std::max(most, all.size());
  return static_cast<int>(most);
}

TEST(tile_kernel, neighbours_look_up_places_in_different_banks) {
  using shifted = side_of<true, true, 16>;
  using halves = side_of<true, false, 16>;
  using eights = side_of<true, true, 8>;
  shifted::table_gap = eights::table_gap = 2, halves::table_gap = 0;
  shifted::halved_table = eights::halved_table = false, halves::halved_table = true;
  halves::table_length = 1024;
  for (int const first : {0, 3, 15}) {
    EXPECT_EQ(fullest_bank_of_lookups<shifted>(first, 1), 1);
    EXPECT_EQ(fullest_bank_of_lookups<eights>(first, 1), 1);
  }
  EXPECT_EQ(fullest_bank_of_lookups<halves>(0, 4), 1);  // 16 bytes at once, a quarter of a warp
  shifted::table_gap = 0;
  EXPECT_EQ(fullest_bank_of_lookups<shifted>(0, 1), 8);
}

}  // namespace
}  // namespace tilewright

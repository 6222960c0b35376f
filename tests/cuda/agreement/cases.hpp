// The accesses on which the analysis is compared with a GPU's counters: one instruction of one warp each, in global or
// shared memory, as a lane layout in units of the access's width (swizzles included), a mask of lanes, or random offsets.
// Host code only; it says what the analysis predicts of each.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/layout/text_reader.hpp"
#include "tilewright/tiling/banks.hpp"

namespace tilewright::agreement {

inline constexpr int global_span = 1 << 20;  // bytes; every offset lies below
inline constexpr int shared_span = 1 << 15;

struct measured_access {
  tiling::memory space = tiling::memory::global;
  tiling::access_kind kind = tiling::access_kind::load;
  int width = 0;     // bytes of each lane
  int matrices = 0;  // of ldmatrix and stmatrix, which ignore the addresses of lanes from 8 * matrices on
  bool transposed = false;
  std::uint32_t active = 0xffffffffU;
  std::array<long long, 32> offset{};  // bytes, of every lane
  std::string name;

  tiling::warp_access access() const {
    std::array<long long, 32> bits_at{};
    for (std::size_t lane = 0; lane < 32; ++lane) bits_at[lane] = 8 * offset[lane];
    if (matrices > 0) return matrix_access(kind, matrices, bits_at);
    tiling::warp_access out{kind, {8 * width}, 0, {}};
    for (int lane = 0; lane < 32; ++lane)
      if ((active >> lane & 1) != 0) out.set(lane, {bits_at[static_cast<std::size_t>(lane)]});
    return out;
  }
};

/// What is profiled together: each group has counters of its own.
inline constexpr char const* groups[] = {"global_load", "global_store", "shared_load", "shared_store"};
inline std::string_view group_of(measured_access const& a) {
  bool const load = a.kind == tiling::access_kind::load || a.kind == tiling::access_kind::ldmatrix;
  return groups[(a.space == tiling::memory::shared ? 2 : 0) + (load ? 0 : 1)];
}

/// Where lane i is, in units of the access's width: swizzle(start + layout(i)).
struct lane_layout {
  int start;
  std::string_view layout;  // of 32
  swizzle_value swizzle = {};
};

inline constexpr lane_layout plain_layouts[] = {
    {0, "32:1"},  // a row, and one that starts late
    {1, "32:1"},
    {31, "32:-1"},
    {0, "32:2"},
    {0, "32:3"},
    {0, "32:4"},
    {0, "32:8"},
    {3, "32:17"},
    {0, "32:32"},  // a column of 32x32, and of a padded one
    {0, "32:33"},
    {0, "32:0"},             // the same for all
    {5, "(2,16):(0,1)"},     // for pairs of neighbours
    {0, "(2,2,8):(1,0,2)"},  // for pairs at a distance of 2
    {0, "(4,8):(0,2)"},      // for fours, and for eights
    {0, "(8,4):(0,8)"},
    {0, "(4,2,4):(1,0,4)"},  // for pairs at a distance of 4
    {0, "(4,2,4):(1,0,32)"},
    {0, "(16,2):(1,0)"},  // for the two halves, and for the four quarters
    {0, "(8,4):(1,0)"},
    {0, "(2,16):(0,32)"},
    {0, "(2,2,8):(1,0,32)"},
    {0, "(4,8):(1,8)"},  // blocks of rows
    {0, "(8,4):(32,1)"},
    {0, "(8,4):(1,36)"},
    {0, "32:32", {5, 0, 5}},  // swizzled columns and tiles
    {0, "32:8", {3, 0, 3}},
    {0, "(8,4):(32,4)", {3, 2, 3}},
    {0, "(8,4):(8,1)", {2, 0, 3}},
    {0, "(4,8):(1,16)", {1, 2, 2}},
};

struct masked_layout {
  std::uint32_t active;
  lane_layout lanes;
};
inline constexpr masked_layout masked_layouts[] = {
    {0x0000ffffU, {0, "32:1"}},         {0x55555555U, {0, "32:1"}},  {0x01010101U, {0, "32:1"}},
    {0x80000000U, {0, "32:2"}},         {0xff0000ffU, {0, "32:32"}}, {0x0f0f0f0fU, {0, "(2,16):(0,1)"}},
    {0x7ffffffeU, {0, "(2,16):(0,3)"}}, {0x33333333U, {0, "32:2"}},
};

inline constexpr lane_layout matrix_layouts[] = {
    // Rows of 16 bytes in units of 16: rows of 16, 32, 64, 128 bytes and padded ones, matrices side by side or stacked.
    {0, "32:1"},
    {1, "32:1"},
    {0, "32:2"},
    {0, "32:4"},
    {0, "(8,4):(8,1)"},
    {0, "(8,4):(9,1)"},
    {0, "(8,4):(5,40)"},
    {0, "32:0"},
    {0, "(8,4):(1,0)"},
    {0, "(4,2,4):(8,1,32)"},
    {31, "32:-1"},
    {0, "(8,4):(8,1)", {3, 0, 3}},  // the 128-, 64- and 32-byte swizzles
    {0, "(8,4):(4,1)", {2, 0, 3}},
    {0, "(8,2,2):(2,1,16)", {1, 0, 3}},
    {0, "(8,4):(8,1)", {2, 0, 3}},
};

namespace detail {

inline long long span_of(measured_access const& a) {
  return a.space == tiling::memory::shared ? shared_span : global_span;
}

inline void place(measured_access& a, lane_layout const& l) {
  layout_value const lanes = parse_layout(l.layout);
  for (int lane = 0; lane < 32; ++lane)
    a.offset[static_cast<std::size_t>(lane)] = a.width * l.swizzle(l.start + lanes(lane));
  char before[64] = "";
  if (l.swizzle.bits > 0)
    std::snprintf(before, sizeof before, "Sw<%d,%d,%d> o ", l.swizzle.bits, l.swizzle.base, l.swizzle.shift);
  if (l.start > 0) std::snprintf(before, sizeof before, "%d + ", l.start);
  a.name = before;
  a.name += l.layout;
}

/// Offsets in a window of 16 to 512 units that lanes share in one way or another.
inline void place_at_random(measured_access& a, unsigned seed) {
  std::mt19937 random(seed);
  auto const below = [&](unsigned n) { return static_cast<int>(random() % n); };
  int const window = 16 << below(6), pattern = below(10);
  std::array<int, 32> unit{};
  for (int& u : unit) u = below(static_cast<unsigned>(window));
  int const stride = below(40), period = 1 << below(6), distance = 1 << below(5), pair = 1 + below(2);
  for (int lane = 0; lane < 32; ++lane) {
    int& u = unit[static_cast<std::size_t>(lane)];
    auto const same_as = [&](int other) { u = unit[static_cast<std::size_t>(other)]; };
    switch (pattern) {
      case 0: u = lane % period * stride; break;
      case 1: u = lane / period * stride; break;
      case 2: same_as(lane & ~distance); break;
      case 3: same_as(lane & ~3); break;
      case 4:
      case 5: same_as(lane & ~pair); break;
      case 6: same_as(lane == stride % 32 ? lane : lane & ~pair); break;        // all pairs but one
      case 7: same_as(lane / 16 == stride % 2 ? lane : lane & ~pair); break;    // in one half of the warp
      case 8: same_as(lane / 16 == stride % 2 ? lane & ~1 : lane & ~2); break;  // pairs of either kind in the halves
      default: break;                                                           // all on their own
    }
  }
  long long const units = span_of(a) / a.width;
  for (std::size_t lane = 0; lane < 32; ++lane) a.offset[lane] = a.width * (unit[lane] % units);
  int const mask = below(6);
  if (mask == 1) a.active = static_cast<std::uint32_t>(random());
  if (mask == 2) a.active = static_cast<std::uint32_t>(random() | random());
  if (mask == 3) a.active = 0xffU << 8 * below(4);
  if (a.active == 0 || a.matrices > 0) a.active = 0xffffffffU;
  a.name = "random ";
  a.name += std::to_string(seed);
}

}  // namespace detail

/// All accesses, with so many random ones of each space, kind and width.
inline std::vector<measured_access> all_accesses(int random_each) {
  using tiling::access_kind;
  using tiling::memory;
  std::vector<measured_access> out;
  unsigned seed = 0;
  auto const add = [&](measured_access a, auto const& layouts) {
    for (lane_layout const& l : layouts) {
      detail::place(a, l);
      out.push_back(a);
    }
    // Pairs of threads matter where wide accesses to shared memory are made in phases.
    int const times = a.space == memory::shared && a.width > 4 && a.matrices == 0 ? 4 : 1;
    for (int i = 0; i < times * random_each; ++i) {
      measured_access random = a;
      detail::place_at_random(random, 1000 * seed + static_cast<unsigned>(i));
      out.push_back(random);
    }
    ++seed;
  };
  for (memory const space : {memory::global, memory::shared})
    for (access_kind const kind : {access_kind::load, access_kind::store})
      for (int const width : {1, 2, 4, 8, 16}) {
        measured_access a;
        a.space = space;
        a.kind = kind;
        a.width = width;
        add(a, plain_layouts);
        for (masked_layout const& m : masked_layouts) {
          a.active = m.active;
          detail::place(a, m.lanes);
          char lanes[32];
          std::snprintf(lanes, sizeof lanes, ", lanes %08x", m.active);
          a.name += lanes;
          out.push_back(a);
        }
      }
  for (access_kind const kind : {access_kind::ldmatrix, access_kind::stmatrix})
    for (int const matrices : {1, 2, 4})
      for (bool const transposed : {false, true}) {
        measured_access a;
        a.space = memory::shared;
        a.kind = kind;
        a.width = 16;
        a.matrices = matrices;
        a.transposed = transposed;
        add(a, matrix_layouts);
      }
  return out;
}

}  // namespace tilewright::agreement

// The analyses once more, written as naively as they can be: every byte of every thread goes into a set. Slow, short, and
// with nothing in common with the library's arithmetic; the tests compare the two.
#pragma once

#include <map>
#include <random>
#include <set>
#include <vector>

#include "families.hpp"
#include "tilewright/analysis/copy_report.hpp"
#include "tilewright/layout/text.hpp"
#include "tilewright/tiling/tiled_copy_value.hpp"

namespace tilewright::tests {

inline architecture const& h200() { return arch(arch_id::sm_90); }

inline composed_value plain(std::string_view layout) { return {{}, constant_leaf(0), parse_layout(layout)}; }
inline composed_value swizzled(swizzle_value s, std::string_view layout) {
  return {s, constant_leaf(0), parse_layout(layout)};
}

/// One access: each lane's first byte (or none) and the bytes of each.
struct plain_access {
  std::map<int, long long> lane_at;  // lane -> first byte
  long long bytes_each = 4;
  bool is_load = true;

  tiling::warp_access built() const {
    tiling::warp_access out{};
    out.kind = is_load ? tiling::access_kind::load : tiling::access_kind::store;
    out.width = {bytes_each * 8};
    for (auto const& [lane, at] : lane_at) out.set(lane, {at * 8});
    return out;
  }
};

/// Units of so many bytes that lanes [first, end) touch.
inline std::set<long long> units(plain_access const& a, long long unit, int first = 0, int end = 32) {
  std::set<long long> out;
  for (auto const& [lane, at] : a.lane_at)
    if (lane >= first && lane < end)
      for (long long byte = at; byte < at + a.bytes_each; ++byte) out.insert(byte / unit);
  return out;
}

struct plain_conflicts {
  int phases = 0, wavefronts = 0;
};

inline plain_conflicts conflicts(plain_access const& a) {
  int lanes = a.bytes_each <= 4 ? 32 : a.bytes_each == 8 ? 16 : 8;
  bool neighbours = true, seconds = true;
  for (auto const& [lane, at] : a.lane_at) {
    if (a.lane_at.contains(lane ^ 1)) neighbours = neighbours && a.lane_at.at(lane ^ 1) == at;
    if (a.lane_at.contains(lane ^ 2)) seconds = seconds && a.lane_at.at(lane ^ 2) == at;
  }
  if (a.is_load && a.bytes_each > 4 && (neighbours || seconds)) lanes *= 2;
  plain_conflicts out;
  for (int first = 0; first < 32; first += lanes) {
    std::map<long long, int> of_bank;
    int most = 0;
    for (long long const word : units(a, 4, first, first + lanes)) most = std::max(most, ++of_bank[word % 32]);
    out.phases += most > 0;
    out.wavefronts += most;
  }
  return out;
}

/// Accesses of many kinds: strides, permutations, broadcasts, holes in the warp.
inline std::vector<plain_access> many_accesses() {
  std::mt19937 random(20240229);
  auto const below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<plain_access> out;
  for (long long const width : {1, 2, 4, 8, 16})
    for (int kind = 0; kind < 6; ++kind)
      for (int i = 0; i < 40; ++i) {
        plain_access a;
        a.bytes_each = width;
        a.is_load = below(2) == 0;
        int const stride = below(40), period = 1 << below(6), base = below(64);
        for (int lane = 0; lane < 32; ++lane) {
          int const at = kind == 0   ? lane * stride
                         : kind == 1 ? below(256)
                         : kind == 2 ? lane % period * stride
                         : kind == 3 ? lane / period * stride
                         : kind == 4 ? (lane ^ stride) * (1 + i % 3)
                                     : lane / 2 * stride;
          if (kind != 1 || below(4) > 0) a.lane_at[lane] = width * (base + at);
        }
        if (!a.lane_at.empty()) out.push_back(a);
      }
  return out;
}

/// Every (thread, value, round) of a copy, by the library's typed derivation rather than the analysis's own.
struct plain_copy {
  long long threads = 0, values = 0, rounds = 0;
  std::vector<long long> offset;  // thread + threads * (value + values * round), swizzled
  long long at(long long t, long long v, long long r) const {
    return offset[static_cast<std::size_t>(t + threads * (v + values * r))];
  }
};

inline plain_copy walk(tiling::declaration const& d, composed_value const& tensor) {
  tiled_copy_value const copy = make_tiled_copy(d.atom, d.element, d.thr, d.val).value();
  layout_value const view = partition_view(copy, tensor.layout).value();
  plain_copy out;
  out.threads = copy.threads();
  out.values = copy.values();
  out.rounds = size(tensor.layout).value() / out.threads / out.values;
  for (long long i = 0; i < out.threads * out.values * out.rounds; ++i)
    out.offset.push_back(tensor.swizzle(tensor.offset.number + view(i)));
  return out;
}

/// The widest vectors, in elements, by trying.
inline long long widest_vector(plain_copy const& c, long long most) {
  for (long long n = most; n > 1; --n) {
    if ((n & (n - 1)) != 0 || c.values % n != 0) continue;
    bool good = true;
    for (long long r = 0; r < c.rounds && good; ++r)
      for (long long t = 0; t < c.threads && good; ++t)
        for (long long v = 0; v < c.values && good; ++v)
          good = v % n == 0 ? c.at(t, v, r) % n == 0 : c.at(t, v, r) == c.at(t, v - 1, r) + 1;
    if (good) return n;
  }
  return 1;
}

/// f(access) for every access of the copy.
template <class F>
void for_each_plain_access(plain_copy const& c, long long vector, long long element_bytes, bool loads, F const& f) {
  for (long long r = 0; r < c.rounds; ++r)
    for (long long warp = 0; warp * 32 < c.threads; ++warp)
      for (long long v = 0; v < c.values; v += vector) {
        plain_access a;
        a.bytes_each = vector * element_bytes;
        a.is_load = loads;
        for (int lane = 0; lane < 32 && warp * 32 + lane < c.threads; ++lane)
          a.lane_at[lane] = c.at(warp * 32 + lane, v, r) * element_bytes;
        f(a);
      }
}

}  // namespace tilewright::tests

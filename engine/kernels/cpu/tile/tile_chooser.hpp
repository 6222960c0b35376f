// Which part of each loop a tile takes: first what makes a long contiguous write, then what makes a long contiguous read, more until
// it is worth its start. Example: f32, (1000,1000):(1000,1) -> (1,1000) with 512 bytes a side takes 128 of each loop.
#pragma once

#include "engine/memory_units.hpp"
#include "tilewright/plan/copy_plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

namespace tilewright::plan {

class tile_chooser {
 public:
  explicit tile_chooser(movement const& m) : m_(&m), element_(m.element_bits / 8), tile(m.loops.size(), 1) {
    by_dst.resize(m.loops.size());
    std::iota(by_dst.begin(), by_dst.end(), 0);
    for (int const i : by_dst)
      if (at(i).src != 0) by_src.push_back(i);
    std::stable_sort(by_src.begin(), by_src.end(),
                     [&](int a, int b) { return std::abs(at(a).src) < std::abs(at(b).src); });
  }

  void choose(std::int64_t src_run, std::int64_t dst_run, std::int64_t min_tile, std::int64_t max_tile) {
    for (;;) {
      std::fill(tile.begin(), tile.end(), 1);
      take(by_dst, dst_run, false);
      take(by_src, src_run, true);
      if (bytes() <= max_tile || (src_run <= line && dst_run <= line)) break;
      if (src_run >= dst_run) src_run /= 2;
      else dst_run /= 2;
    }
    while (bytes() < min_tile && grow((min_tile + bytes() - 1) / bytes())) {}
  }

  /// Has loops whole that are contiguous in the destination: as many as leave room for `src_run` bytes of each span of the source,
  /// or for half of that, down to two lines. Is there such a tile?
  bool choose_whole(std::int64_t src_run, std::int64_t min_tile, std::int64_t max_tile) {
    std::size_t whole = 0;
    for (std::int64_t covered = element_; whole < by_dst.size() && covered <= max_tile; ++whole) {
      if (step_of(by_dst[whole], false) != covered) break;
      covered *= at(by_dst[whole]).extent;
    }
    for (; whole > 0; --whole)
      for (std::int64_t run = src_run; run >= 2 * line; run /= 2) {
        std::fill(tile.begin(), tile.end(), 1);
        for (std::size_t k = 0; k < whole; ++k) tile[index(by_dst[k])] = at(by_dst[k]).extent;
        take(by_src, run, true);
        if (bytes() >= min_tile && bytes() <= max_tile) return true;
      }
    return false;
  }

  std::int64_t bytes() const { return std::accumulate(tile.begin(), tile.end(), element_, std::multiplies<>()); }

  /// Those that it reads: fewer where it repeats some.
  std::int64_t source_bytes() const {
    return std::accumulate(by_src.begin(), by_src.end(), element_,
                           [&](std::int64_t n, int i) { return n * tile[index(i)]; });
  }

  /// The bytes of the tile's contiguous spans on a side; gaps of a few lines (`near`) belong to them in the source.
  std::int64_t run(bool source) const {
    std::int64_t covered = element_;
    for (int const i : source ? by_src : by_dst) {
      std::int64_t const step = step_of(i, source);
      if (tile[index(i)] == 1) continue;
      if (source ? step >= covered + near : step != covered) break;
      covered += (tile[index(i)] - 1) * step;
    }
    return covered;
  }

  /// The bytes that the fastest loop of the source reaches over.
  std::int64_t row_bytes() const {
    return by_src.empty() ? element_ : (at(by_src[0]).extent - 1) * step_of(by_src[0], true) + element_;
  }

  /// Do all tiles start at cache lines of the destination?
  bool starts_with_lines(copy_request const& request) const {
    if (request.dst_alignment % line != 0 || m_->dst_offset * element_ % line != 0) return false;
    return std::all_of(by_dst.begin(), by_dst.end(), [&](int i) {
      return tile[index(i)] == at(i).extent || tile[index(i)] * step_of(i, false) % line == 0;
    });
  }

  /// Is what a tile writes, if it starts with a line, whole lines?
  bool writes_lines() const {
    return run(false) % line == 0 && std::all_of(by_dst.begin(), by_dst.end(), [&](int i) {
             return tile[index(i)] == 1 || step_of(i, false) < run(false) || step_of(i, false) % line == 0;
           });
  }
  /// At how many places within a cache line of the destination tiles start.
  std::int64_t phases() const {
    std::int64_t step = line;
    for (int const i : by_dst)
      if (tile[index(i)] != at(i).extent) step = std::gcd(step, tile[index(i)] * step_of(i, false));
    return line / step;
  }

  /// The loop along which the next tile's spans of the destination follow this one's; -1: none.
  int carried() const {
    std::int64_t covered = element_;
    for (int const i : by_dst) {
      if (step_of(i, false) != covered) break;
      if (tile[index(i)] != at(i).extent) return i;
      covered *= at(i).extent;
    }
    return -1;
  }
  /// The bytes of the destination that tiles along that loop write as one span.
  std::int64_t carried_run() const {
    int const i = carried();
    return i < 0 ? run(false) : step_of(i, false) * at(i).extent;
  }

  /// Are the spans of the source so many, and powers of two apart, that they throw each other out of a cache of these bytes?
  /// Spans 2^k bytes apart share a 2^k-th of its lines.
  bool shares_few_sets(std::int64_t cache_bytes) const {
    return std::any_of(by_src.begin(), by_src.end(), [&](int i) {
      std::int64_t const step = step_of(i, true), power = step & -step;
      return step >= line && tile[index(i)] * power > cache_bytes / 2;
    });
  }

  /// Contiguous spans of a side between which there are gaps, and the number of bytes that all their distances are multiples of.
  struct apart {
    std::int64_t count = 1, step = 0;
  };
  apart spans(bool source) const {
    apart out;
    std::int64_t covered = element_;
    for (int const i : source ? by_src : by_dst) {
      std::int64_t const step = step_of(i, source);
      if (tile[index(i)] == 1) continue;
      if (out.count == 1 && (source ? step < covered + near : step == covered)) {
        covered += (tile[index(i)] - 1) * step;
        continue;
      }
      out.count *= tile[index(i)];
      out.step = std::gcd(out.step, step);
    }
    return out;
  }

  /// How far the spans of a side reach if they are as far apart as the largest power of two that divides the distances of
  /// all: they share the sets of a cache with all that is as far apart.
  std::int64_t reach(bool source) const {
    apart const all = spans(source);
    return all.count * (all.step & -all.step);
  }

  std::vector<int> by_dst, by_src;  // the loops, fastest first; those of stride 0 have no place in the source

 private:
  static constexpr std::int64_t line = engine::cache_line;  // bytes of the cache's
  static constexpr std::int64_t near = 4 * line;            // gaps that the processor's prefetcher goes on over

  /// An extent near `wanted`, a multiple of `granule` if it is below `extent`; one that cuts `extent` into equal pieces if
  /// there is one, else into nearly equal ones.
  static std::int64_t evened(std::int64_t extent, std::int64_t wanted, std::int64_t granule) {
    std::int64_t const most = wanted + wanted / 2;
    if (extent < most) return extent;
    auto const rounded = [&](std::int64_t x) { return (x + granule - 1) / granule * granule; };
    for (std::int64_t f = rounded(wanted); f <= most; f += granule)
      if (extent % f == 0) return f;
    std::int64_t const pieces = (extent + wanted - 1) / wanted;
    return std::min(extent, rounded((extent + pieces - 1) / pieces));
  }
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  loop const& at(int i) const { return m_->loops[index(i)]; }
  std::int64_t step_of(int i, bool source) const { return std::abs(source ? at(i).src : at(i).dst) * element_; }
  /// Tiles of a multiple of this many steps start at cache lines.
  std::int64_t granule_of(int i) const { return line / std::gcd(line, step_of(i, false)); }

  /// How many times as far as its bytes the source's fastest loop reaches, where it leaves gaps of a few lines.
  std::int64_t gap() const {
    if (by_src.empty() || step_of(by_src[0], true) >= element_ + near) return 1;
    return std::max<std::int64_t>(1, step_of(by_src[0], true) / element_);
  }
  void take(std::vector<int> const& order, std::int64_t run, bool source) {
    std::int64_t covered = element_;
    if (source) run *= gap();
    for (int const i : order) {
      std::int64_t const step = step_of(i, source);
      if (covered >= run || step >= covered + (source ? near : line)) break;
      std::int64_t const wanted = std::min(at(i).extent, (run - covered + step - 1) / step + 1);
      tile[index(i)] = std::max(tile[index(i)], evened(at(i).extent, wanted, source ? 1 : granule_of(i)));
      covered += (tile[index(i)] - 1) * step;
      if (tile[index(i)] < at(i).extent) break;
    }
  }
  /// Takes more of the fastest loop of the destination that is not whole.
  bool grow(std::int64_t factor) {
    for (int const i : by_dst) {
      std::int64_t& t = tile[index(i)];
      if (t == at(i).extent) continue;
      t = std::max(t, evened(at(i).extent, std::min(at(i).extent, t * factor), granule_of(i)));
      return true;
    }
    return false;
  }

  movement const* m_;
  std::int64_t element_;

 public:
  std::vector<std::int64_t> tile;
};

}  // namespace tilewright::plan

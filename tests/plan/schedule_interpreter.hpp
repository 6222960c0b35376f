// GPU schedules carried out on the CPU from their numbers alone: what each thread would read, where it would put it in
// shared memory, and what it would write.
#pragma once

#include "tilewright/plan/copy_plan.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

namespace tilewright::tests {

using std::int64_t;

/// Where the elements of plan.moves go, found by doing what the schedule's threads would do.
class interpreter {
 public:
  explicit interpreter(copy_plan const& plan)
      : plan_(plan),
        m_(plan.moves),
        s_(std::get<cuda_schedule>(plan.schedule)),
        bytes_(std::max(1, m_.element_bits / 8)) {}

  /// destination offset -> source offset; fails the test when something is written twice
  std::map<int64_t, int64_t> run() {
    if (s_.kernel == cuda_kernel::gather) {
      gather();
      return out_;
    }
    EXPECT_EQ(s_.blocks, product(s_.grid));
    for (int64_t block = 0; block < s_.blocks; ++block) {
      std::vector<int64_t> const origin = coordinates(s_.grid, block);
      if (s_.kernel == cuda_kernel::tile) {
        whole_tile(origin);
        continue;
      }
      if (s_.kernel == cuda_kernel::realigned) {
        realigned(origin);
        continue;
      }
      bool inside = true;
      for (std::size_t l = 0; l < origin.size(); ++l) inside = inside && origin[l] < m_.loops[l].extent;
      if (!inside) continue;
      if (s_.kernel == cuda_kernel::runs) runs(origin);
      else staged(origin);
    }
    return out_;
  }

 private:
  static int64_t product(std::vector<cuda_mode> const& modes) {
    return std::accumulate(modes.begin(), modes.end(), int64_t{1},
                           [](int64_t n, cuda_mode const& x) { return n * x.extent; });
  }
  std::vector<int64_t> coordinates(std::vector<cuda_mode> const& modes, int64_t index) const {
    std::vector<int64_t> x(m_.loops.size(), 0);
    for (cuda_mode const& mode : modes) {
      x[static_cast<std::size_t>(mode.loop)] += index % mode.extent * mode.step;
      index /= mode.extent;
    }
    return x;
  }
  int64_t offset(bool source, std::vector<int64_t> const& x) const {
    int64_t o = source ? m_.src_offset : m_.dst_offset;
    for (std::size_t l = 0; l < x.size(); ++l) o += x[l] * (source ? m_.loops[l].src : m_.loops[l].dst);
    return source ? m_.src_swizzle(o) : m_.dst_swizzle(o);
  }
  void write(int64_t to, int64_t from) { EXPECT_TRUE(out_.emplace(to, from).second) << "written twice: " << to; }

  /// Calls use(x) for the coordinates in the tile of every value of every thread that exists.
  template <class Use>
  void each_value(cuda_access const& access, std::vector<int64_t> const& origin, Use const& use) const {
    int64_t const active = product(access.threads);
    EXPECT_LE(active, s_.threads);
    for (int64_t t = 0; t < active; ++t) {
      std::vector<int64_t> const mine = coordinates(access.threads, t);
      for (int64_t v = 0; v < product(access.values); ++v) {
        std::vector<int64_t> x = coordinates(access.values, v);
        bool exists = true;
        for (std::size_t l = 0; l < x.size(); ++l) {
          x[l] += mine[l];
          exists = exists && x[l] < plan_.tile[l] && origin[l] + x[l] < m_.loops[l].extent;
        }
        if (exists) use(x);
      }
    }
  }
  std::vector<int64_t> at(std::vector<int64_t> const& origin, std::vector<int64_t> x, int loop, int64_t step) const {
    x[static_cast<std::size_t>(loop)] += step;
    for (std::size_t l = 0; l < x.size(); ++l) x[l] += origin[l];
    return x;
  }

  /// Every coordinate of the tile that exists; what the threads do is run by tile_kernel_test.cpp.
  void whole_tile(std::vector<int64_t> const& origin) {
    int64_t const size = std::accumulate(plan_.tile.begin(), plan_.tile.end(), int64_t{1}, std::multiplies<>());
    for (int64_t n = 0; n < size; ++n) {
      std::vector<int64_t> x = origin;
      bool exists = true;
      int64_t rest = n;
      for (std::size_t l = 0; l < x.size(); ++l) {
        x[l] += rest % plan_.tile[l];
        rest /= plan_.tile[l];
        exists = exists && x[l] < m_.loops[l].extent;
      }
      if (exists) write(offset(false, x), offset(true, x));
    }
  }

  void runs(std::vector<int64_t> const& origin) {
    each_value(s_.read, origin, [&](std::vector<int64_t> const& x) {
      auto const along = static_cast<std::size_t>(s_.read.loop);
      int64_t const left = std::min(plan_.tile[along] - x[along], m_.loops[along].extent - origin[along] - x[along]);
      bool const whole = left >= s_.read.vector;
      int64_t const from = offset(true, at(origin, x, s_.read.loop, 0)),
                    to = offset(false, at(origin, x, s_.read.loop, 0));
      EXPECT_TRUE(!whole || (from % s_.read.vector == 0 && to % s_.read.vector == 0));
      for (int64_t i = 0; i < std::min<int64_t>(left, s_.read.vector); ++i) {
        std::vector<int64_t> const y = at(origin, x, s_.read.loop, i);
        if (whole) {
          EXPECT_EQ(offset(true, y), from + i);
          EXPECT_EQ(offset(false, y), to + i);
        }
        write(offset(false, y), offset(true, y));
      }
    });
  }

  int64_t shared_at(std::vector<int64_t> const& x) const {
    int64_t o = 0;
    for (std::size_t l = 0; l < x.size(); ++l) o += s_.shared[l](x[l]);
    return o;
  }

  void staged(std::vector<int64_t> const& origin) {
    std::map<int64_t, int64_t> tile;  // shared offset -> source offset
    each_value(s_.read, origin, [&](std::vector<int64_t> const& x) {
      int64_t const from = offset(true, at(origin, x, s_.read.loop, 0)), into = shared_at(x);
      EXPECT_EQ(from % s_.read.vector, 0);
      EXPECT_EQ(into % s_.read.vector, 0);
      for (int i = 0; i < s_.read.vector; ++i) {
        EXPECT_EQ(offset(true, at(origin, x, s_.read.loop, i)), from + i);
        EXPECT_LE((into + i + 1) * bytes_, s_.shared_bytes);
        EXPECT_TRUE(tile.emplace(into + i, from + i).second) << "put twice at " << into + i;
      }
    });
    int64_t const along = s_.shared[static_cast<std::size_t>(s_.write.loop)](1);
    each_value(s_.write, origin, [&](std::vector<int64_t> const& x) {
      int64_t const base = shared_at(x);
      EXPECT_EQ(base % s_.packed, 0);
      for (int p = 0; p < s_.packed; ++p) {
        std::vector<int64_t> y = x;
        y[static_cast<std::size_t>(s_.read.loop)] += p;
        int64_t const to = offset(false, at(origin, y, s_.write.loop, 0));
        EXPECT_EQ(to % s_.write.vector, 0);
        for (int j = 0; j < s_.write.vector; ++j) {
          auto const found = tile.find(base + j * (s_.write.vector > 1 ? along : 0) + p);
          ASSERT_NE(found, tile.end()) << "nothing lies at " << base + j * along + p;
          EXPECT_TRUE(j == 0 || offset(false, at(origin, y, s_.write.loop, j)) == to + j);
          write(to + j, found->second);
        }
      }
    });
  }

  /// By the image's bytes: where rows are put, then the words of columns that are in whole sectors, one for each lane.
  void realigned(std::vector<int64_t> const& origin) {
    auto const i = static_cast<std::size_t>(s_.write.loop), j = static_cast<std::size_t>(s_.read.loop);
    int64_t const word = std::max(4, bytes_), per_word = word / bytes_, sector = s_.image.sector,
                  halo = sector / bytes_;
    auto const place = [&](int64_t r, int64_t c) {
      return (r % per_word * 32 + r / per_word) * s_.image.pitch + c * bytes_;
    };
    std::map<int64_t, int64_t> image;  // byte -> offset in the source
    for (int64_t r = 0; r < plan_.tile[i] + halo; ++r)
      for (int64_t c = 0; c < plan_.tile[j]; ++c) {
        std::vector<int64_t> x = origin;
        x[i] += r - halo;
        x[j] += c;
        EXPECT_LE(place(r, c) + bytes_, s_.shared_bytes);
        if (x[i] < 0 || x[i] >= m_.loops[i].extent || x[j] >= m_.loops[j].extent) continue;
        EXPECT_TRUE(image.emplace(place(r, c), offset(true, x)).second);
      }
    for (int64_t c = 0; c < plan_.tile[j] && origin[j] + c < m_.loops[j].extent; ++c) {
      std::vector<int64_t> x = origin;
      x[j] += c;
      int64_t const begin = offset(false, x) * bytes_ - sector, first = begin - modulo(begin, word);
      int64_t const whole = begin + sector - modulo(begin, sector);  // of the first sector that is the tile's
      for (int64_t at = first; at < first + 32 * word; at += bytes_) {
        int64_t const r = (at - begin) / bytes_;
        x[i] = origin[i] - halo + r;
        if (at < whole || at >= whole + plan_.tile[i] * bytes_ || x[i] < 0 || x[i] >= m_.loops[i].extent) continue;
        auto const found = image.find(place(r, c));
        ASSERT_NE(found, image.end());
        write(offset(false, x), found->second);
      }
    }
  }
  static int64_t modulo(int64_t a, int64_t n) { return (a % n + n) % n; }

  void gather() {
    int64_t const each = int64_t{s_.threads} * s_.write.at_once * s_.write.vector;
    EXPECT_GE(s_.blocks * each, m_.elements);  // the grid's cap is far beyond what a test holds
    for (int64_t i = 0; i < m_.elements; ++i) {
      int64_t from = m_.src_offset, to = m_.dst_offset, rest = i;
      if (m_.has_loops()) {
        for (loop const& l : m_.loops) {
          from += rest % l.extent * l.src;
          to += rest % l.extent * l.dst;
          rest /= l.extent;
        }
      } else {
        for (step const& l : m_.src_steps) from += rest % l.extent * l.stride, rest /= l.extent;
        rest = i;
        for (step const& l : m_.dst_steps) to += rest % l.extent * l.stride, rest /= l.extent;
      }
      to = m_.dst_swizzle(to);
      EXPECT_TRUE(i % s_.write.vector == 0 ? to % s_.write.vector == 0 : to == last_ + 1);
      last_ = to;
      write(to, m_.src_swizzle(from));
    }
  }

  copy_plan const& plan_;
  movement const& m_;
  cuda_schedule const& s_;
  int bytes_;
  int64_t last_ = 0;
  std::map<int64_t, int64_t> out_;
};

}  // namespace tilewright::tests

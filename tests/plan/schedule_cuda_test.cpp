// GPU schedules carried out on the CPU from their numbers alone, thread by thread, against the layouts' own account of
// where each element goes; and their kernels compiled where there is a CUDA compiler.
#include "engine/cuda/kernel_source.hpp"
#include "engine/plan/schedule.hpp"
#include "random_copies.hpp"
#include "tilewright/engine/tensor_view.hpp"
#include "tilewright/plan/copy_error.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>

namespace tilewright {
namespace {

using std::int64_t;

machine_model h200() {
  machine_model m;
  m.name = "sm_90";
  m.kind = device_kind::cuda;
  m.processors = 132;
  m.bytes_per_second = 4.2e12;
  m.compute_capability = 90;
  return m;
}

/// The plan of a pair of layouts as schedule_cuda leaves it; none for layouts that no copy serves.
std::optional<copy_plan> planned(copy_request const& request) {
  copy_plan plan;
  plan.machine = h200();
  try {
    plan.moves = make_movement(request.src, request.dst, request.element_bits);
  } catch (copy_error const&) {
    return std::nullopt;
  }
  if (plan.moves.elements == 0) return std::nullopt;
  plan.bytes = 2 * plan.moves.elements * request.element_bits / 8;
  plan::schedule_cuda(plan, request);
  return plan;
}

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

TEST(schedule_cuda, carries_every_element_once_to_its_place) {
  tests::random_copies copies(20261121, 3000);
  std::mt19937 random(7);
  std::map<cuda_kernel, int> kernels;
  for (int n = 0; n < 800; ++n) {
    tests::random_copy const c = copies.next();
    copy_request const request{c.src, c.dst, c.element_bits, int64_t{std::max(1, c.element_bits / 8)} << random() % 5,
                               int64_t{std::max(1, c.element_bits / 8)} << random() % 5};
    std::optional<copy_plan> const plan = planned(request);
    if (!plan) continue;
    ++kernels[std::get<cuda_schedule>(plan->schedule).kernel];
    std::map<int64_t, int64_t> const moved = interpreter(*plan).run();
    int64_t const width = plan->moves.element_bits / c.element_bits;
    std::map<int64_t, int64_t> expected;
    for (std::size_t i = 0; i < c.from.size(); ++i) expected[c.to[i]] = c.from[i];
    ASSERT_EQ(static_cast<int64_t>(expected.size()), static_cast<int64_t>(moved.size()) * width) << c.text();
    for (auto const& [to, from] : moved) {
      for (int64_t i = 0; i < width; ++i) {
        auto const found = expected.find(to * width + i);
        ASSERT_NE(found, expected.end()) << c.text();
        ASSERT_EQ(found->second, from * width + i) << c.text();
      }
    }
    ASSERT_FALSE(HasFailure()) << c.text();
  }
  for (cuda_kernel const kernel : {cuda_kernel::runs, cuda_kernel::staged, cuda_kernel::gather})
    EXPECT_GE(kernels[kernel], 40) << name_of(kernel);
}

copy_plan dense(std::string const& src, std::string const& dst, int bits) {
  copy_request const request{composed(parse_layout(src)), composed(parse_layout(dst)), bits, 256, 256};
  auto plan = planned(request);
  EXPECT_TRUE(plan) << src;
  return *plan;
}

TEST(schedule_cuda, transposes_are_staged_with_full_vectors_and_words) {
  for (int const bits : {8, 16, 32, 64}) {
    copy_plan const plan = dense("(4096,4096):(4096,1)", "(4096,4096):(1,4096)", bits);
    auto const& s = std::get<cuda_schedule>(plan.schedule);
    EXPECT_EQ(plan.path, copy_path::staged);
    EXPECT_EQ(s.read.vector * bits, 128);
    EXPECT_EQ(s.write.vector * bits, 128);
    EXPECT_EQ(s.packed, std::max(1, 32 / bits));
    EXPECT_LE(s.shared_bytes, 48 * 1024);
  }
}

TEST(schedule_cuda, shared_runs_need_no_shared_memory) {
  copy_plan const rows = dense("(256,64,32):(1,8192,256)", "(256,64,32):(1,256,16384)", 32);
  EXPECT_EQ(rows.path, copy_path::rows);
  EXPECT_EQ(rows.moves.element_bits, 128);
  copy_plan const flat = dense("1000003:1", "1000003:1", 32);
  EXPECT_EQ(flat.path, copy_path::contiguous);
  EXPECT_EQ(std::get<cuda_schedule>(flat.schedule).read.vector, 4);
}

TEST(schedule_cuda, batches_of_squares_that_fit_no_tile_whole_are_tiled) {
  copy_plan const plan = dense("(128,128,100):(128,1,16384)", "(128,128,100):(1,128,16384)", 32);
  EXPECT_EQ(plan.path, copy_path::staged);
}

/// nvcc, where the machine has it.
std::filesystem::path cuda_compiler() {
  for (char const* const path : {"/usr/local/cuda/bin/nvcc", "/usr/bin/nvcc"})
    if (std::filesystem::exists(path)) return path;
  return {};
}

TEST(schedule_cuda, kernels_compile_without_a_word) {
  std::filesystem::path const nvcc = cuda_compiler();
  if (nvcc.empty()) GTEST_SKIP() << "no CUDA compiler";
  std::filesystem::path const root = std::filesystem::path(TILEWRIGHT_TEST_DATA_DIR).parent_path().parent_path();
  std::filesystem::path const folder =
      std::filesystem::temp_directory_path() / ("tilewright_kernels_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  tests::random_copies copies(99, 6000);
  std::map<cuda_kernel, int> left{{cuda_kernel::runs, 1}, {cuda_kernel::staged, 3}, {cuda_kernel::gather, 2}};
  for (int n = 0; n < 400; ++n) {
    tests::random_copy const c = copies.next();
    auto const plan = planned({c.src, c.dst, c.element_bits, 16, 16});
    if (!plan || left[std::get<cuda_schedule>(plan->schedule).kernel]-- <= 0) continue;
    gpu::kernel_spec const kernel = gpu::make_kernel(*plan);
    std::string const file = (folder / ("k" + std::to_string(n))).string();
    std::ofstream(file + ".cu") << kernel.source;
    std::string const command = nvcc.string() + " -std=c++20 -arch=sm_90 -cubin -I" + (root / "include").string() +
                                " -o " + file + ".cubin " + file + ".cu > " + file + ".txt 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << c.text() << "\n" << kernel.source;
    std::ifstream said(file + ".txt");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(said), {}), "") << c.text() << "\n" << kernel.source;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tilewright

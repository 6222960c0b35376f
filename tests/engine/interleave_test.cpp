// Splitting into planes and joining them on the CPU, against the value face: every number of channels, every width, odd
// numbers of places, padding, any place within a cache line, tiles of several sizes, and every instruction set that this
// machine has. Buffers end where the layouts do, so that a sanitizer sees every step beyond them.
#include "tilewright/engine/copy.hpp"
#include "tilewright/plan/prove.hpp"

#include "effort.hpp"
#include "engine/cpu/program.hpp"
#include "engine/kernels/cpu/interleave/interleave.hpp"
#include "engine/plan/cpu_knobs.hpp"
#include "random_copies.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <bit>
#include <new>
#include <random>

namespace tilewright {
namespace {

using bytes = std::vector<std::uint8_t>;
using tests::random_bytes;

void run_with(copy_plan const& plan, void const* src, void* dst, int threads) {
  EXPECT_TRUE(cpu_engine::run(cpu_engine::compile(plan), src, dst, threads, nullptr, nullptr));
}

/// Bytes that start `shift` bytes behind the start of a cache line, and nothing behind them.
class bytes_at {
 public:
  bytes_at(bytes const& content, std::size_t shift)
      : size_(content.size()),
        shift_(shift),
        memory_(static_cast<std::uint8_t*>(operator new(size_ + shift, line))) {
    std::fill_n(memory_, shift, before);
    std::copy(content.begin(), content.end(), data());
  }
  bytes_at(bytes_at const&) = delete;
  bytes_at& operator=(bytes_at const&) = delete;
  ~bytes_at() { operator delete(memory_, line); }
  std::uint8_t* data() const { return memory_ + shift_; }
  bytes content() const {
    EXPECT_EQ(std::count(memory_, data(), before), static_cast<std::ptrdiff_t>(shift_)) << "written before the start";
    return {data(), data() + size_};
  }

 private:
  static constexpr std::align_val_t line{64};
  static constexpr std::uint8_t before = 0xa5;
  std::size_t size_, shift_;
  std::uint8_t* memory_;
};

/// Channels × places × batches, each place of `run` elements.
struct image {
  int bits, run, channels, places, batches;
  bool joins;
  int plane_gap = 0, batch_gap = 0;
  bool is_reversed = false;  // the source's planes

  std::string shape() const { return fmt::format("({},{},{},{}):", run, channels, places, batches); }
  int joined_size() const { return run * channels * places; }
  int plane() const { return run * places + plane_gap; }
  composed_value joined() const {
    return composed(
        parse_layout(shape() + fmt::format("(1,{},{},{})", run, run * channels, joined_size() + batch_gap)));
  }
  composed_value planar() const {
    int const step = is_reversed ? -plane() : plane();
    composed_value out =
        composed(parse_layout(shape() + fmt::format("(1,{},{},{})", step, run, plane() * channels + batch_gap)));
    if (is_reversed) out.offset = constant_leaf(plane() * (channels - 1));
    return out;
  }
  copy_request request() const {
    return {joins ? planar() : joined(), joins ? joined() : planar(), bits, bits / 8, bits / 8};
  }
  int elements() const { return joined_size() * batches; }
  std::size_t buffer(bool is_planar) const {
    int const one = (is_planar ? plane() * channels - plane_gap : joined_size());
    int const step = is_planar ? plane() * channels + batch_gap : joined_size() + batch_gap;
    return static_cast<std::size_t>(step * (batches - 1) + one) * static_cast<std::size_t>(bits / 8);
  }
  bytes expected(bytes const& source, bytes out) const {
    copy_request const r = request();
    auto const width = static_cast<std::size_t>(bits / 8);
    for (int i = 0; i < elements(); ++i) {
      auto const at = [&](composed_value const& side) {
        return static_cast<std::size_t>(side.offset.number + side.layout(i)) * width;
      };
      std::copy_n(&source[at(r.src)], width, &out[at(r.dst)]);
    }
    return out;
  }
  std::string text() const {
    copy_request const r = request();
    return fmt::format("{} -> {} of {} bits", format_composed(r.src), format_composed(r.dst), bits);
  }
};

/// One of each number of channels, width and direction, the rest at random.
class images {
 public:
  explicit images(std::uint64_t seed) : random_(seed) {}
  template <class Use>
  void each(Use const& use) {
    for (bool const joins : {false, true})
      for (int const bits : {8, 16, 32, 64, 128})
        for (int channels = 2; channels <= 8; ++channels) {
          int const run = 1 << below(std::countr_zero(128u / static_cast<unsigned>(bits)) + 1);
          int const least = std::max(64 / (run * bits / 8), 1);
          static constexpr int extra[] = {0, 1, 13, 63, 64, 65, 511, 1500};
          int const places = std::max(channels + 1, least) + extra[below(8)] + below(20);
          image one{bits, run, channels, places, 1 + below(3), joins, below(2) * below(70), below(2) * below(70)};
          one.is_reversed = joins && below(3) == 0;
          use(one);
        }
  }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

 private:
  std::mt19937_64 random_;
};

TEST(interleaving, agrees_with_the_value_face) {
  images all(1);
  for (int round = 0; round < tests::rounds(4); ++round)
    all.each([&](image const& one) {
      bytes const source = random_bytes(one.buffer(one.joins), 1), before = random_bytes(one.buffer(!one.joins), 2);
      bytes const after = one.expected(source, before);
      copy_plan plan = plan_copy(one.request(), machine_named("cpu-avx2"));
      for (bool const streaming : {false, true})
        for (std::int64_t const tile_bytes : {1 << 10, 1 << 18}) {
          plan::cpu_knobs knobs = plan::candidates(plan.moves, plan.machine, one.request()).front();
          knobs.streaming = streaming;
          knobs.tile_bytes = tile_bytes;
          plan::schedule_cpu_with(plan, one.request(), knobs);
          ASSERT_EQ(std::get<cpu_schedule>(plan.schedule).kernel, cpu_kernel::interleave) << one.text();
          ASSERT_TRUE(prove(plan)) << one.text() << ": " << prove(plan).failure;
          // Short runs are not streamed by plans, but the kernel has to be right with them as well.
          std::get<cpu_schedule>(plan.schedule).streaming = streaming;
          int const width = one.bits / 8;
          bytes_at const src(source, static_cast<std::size_t>(all.below(64 / width) * width));
          bytes_at const dst(before, static_cast<std::size_t>(all.below(64 / width) * width));
          run_with(plan, src.data(), dst.data(), 1 + all.below(4));
          ASSERT_EQ(dst.content(), after) << one.text() << "\n" << explain(plan);
        }
    });
}

TEST(interleaving, needs_no_alignment_to_elements) {
  images all(2);
  all.each([&](image const& one) {
    bytes const source = random_bytes(one.buffer(one.joins), 1), before = random_bytes(one.buffer(!one.joins), 2);
    copy_request request = one.request();
    request.src_alignment = request.dst_alignment = 1;
    copy_plan const plan = plan_copy(request, machine_named("cpu"));
    bytes_at const src(source, static_cast<std::size_t>(all.below(64)));
    bytes_at const dst(before, static_cast<std::size_t>(all.below(64)));
    run_with(plan, src.data(), dst.data(), 1);
    ASSERT_EQ(dst.content(), one.expected(source, before)) << one.text();
  });
}

TEST(interleaving, moves_large_images_on_all_threads) {
  for (bool const joins : {false, true})
    for (int const threads : {1, 2, 3, 4}) {
      image const one{8, 1, 3, 700'001, 5, joins};
      bytes const source = random_bytes(one.buffer(joins), 1), before = random_bytes(one.buffer(!joins), 2);
      copy_plan const plan = plan_copy(one.request(), machine_named("cpu"));
      ASSERT_TRUE(std::get<cpu_schedule>(plan.schedule).streaming);
      bytes_at const src(source, 5), dst(before, 11);
      run_with(plan, src.data(), dst.data(), threads);
      bytes const after = dst.content();
      std::size_t wrong = 0;
      for (std::size_t b = 0; b < 5; ++b)
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t p = 0; p < 700'001; ++p) {
            std::size_t const base = b * 3 * 700'001, joined = base + p * 3 + c, apart = base + c * 700'001 + p;
            wrong += joins ? after[joined] != source[apart] : after[apart] != source[joined];
          }
      EXPECT_EQ(wrong, 0u) << (joins ? "joining on " : "splitting on ") << threads;
    }
}

/// Puts back what the machine has.
struct all_instruction_sets {
  ~all_instruction_sets() { use(0); }
  static void use(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

TEST(interleaving, is_the_same_on_every_instruction_set) {
  std::int64_t const all = hwy::SupportedTargets();
  all_instruction_sets const restored;
  int sets = 0;
  for (std::int64_t left = all; left != 0; left &= left - 1) {
    std::int64_t const target = left & -left;
    all_instruction_sets::use(target);
    if (hwy::SupportedTargets() != target) continue;  // not one the kernels were compiled for
    ++sets;
    for (std::int64_t const unit : {1, 2, 4, 8, 16})
      for (int channels = 2; channels <= 8; ++channels)
        for (bool const joins : {false, true})
          for (bool const streaming : {false, true}) {
            std::int64_t const places = 3000 / unit + 7, plane = places * unit + 40;
            std::vector<std::int64_t> planes;
            for (int c = 0; c < channels; ++c) planes.push_back(c * plane);
            bytes const shuffles = cpu_engine::interleave_shuffles(channels, unit, joins);
            auto const joined = static_cast<std::size_t>(places * channels * unit),
                       planar = static_cast<std::size_t>(plane * channels);
            bytes const source = random_bytes(joins ? planar : joined, 1);
            bytes after = random_bytes(joins ? joined : planar, 2);
            bytes_at const src(source, 3), dst(after, 9);
            cpu_engine::interleave(
                {src.data(), dst.data(), planes.data(), shuffles.data(), places, unit, channels, joins, streaming});
            cpu_engine::fence();
            for (std::int64_t p = 0; p < places; ++p)
              for (int c = 0; c < channels; ++c) {
                std::int64_t const a = (p * channels + c) * unit, b = c * plane + p * unit;
                std::copy_n(&source[static_cast<std::size_t>(joins ? b : a)], unit,
                            &after[static_cast<std::size_t>(joins ? a : b)]);
              }
            ASSERT_EQ(dst.content(), after) << hwy::TargetName(target) << ", " << channels << " channels of " << unit;
          }
  }
  EXPECT_GE(sets, 1);
}

/// Planes that end within the line of the destination in which they start: the bytes of that line before and behind them stay.
TEST(interleaving, ends_within_its_first_line) {
  std::int64_t const all = hwy::SupportedTargets();
  all_instruction_sets const restored;
  for (std::int64_t left = all; left != 0; left &= left - 1) {
    std::int64_t const target = left & -left;
    all_instruction_sets::use(target);
    if (hwy::SupportedTargets() != target) continue;
    for (bool const joins : {false, true})
      for (std::int64_t const unit : {1, 2, 4, 8})
        for (std::int64_t places = 1; places * unit * (joins ? 3 : 1) < 64; ++places)
          for (std::size_t shift = 1; shift < 64; shift += 3) {
            std::int64_t const plane = 128;  // all start at the same place within a line
            std::vector<std::int64_t> const planes{0, plane, 2 * plane};
            bytes const shuffles = cpu_engine::interleave_shuffles(3, unit, joins);
            bytes const source = random_bytes(3 * plane, 1);
            bytes after = random_bytes(3 * plane + 64, 2);
            bytes_at const src(source, 3), dst(after, 0);
            cpu_engine::interleave(
                {src.data(), dst.data() + shift, planes.data(), shuffles.data(), places, unit, 3, joins, true});
            cpu_engine::fence();
            for (std::int64_t p = 0; p < places; ++p)
              for (std::int64_t c = 0; c < 3; ++c) {
                std::int64_t const joined = (p * 3 + c) * unit, apart = c * plane + p * unit;
                std::copy_n(&source[static_cast<std::size_t>(joins ? apart : joined)], unit,
                            &after[shift + static_cast<std::size_t>(joins ? joined : apart)]);
              }
            ASSERT_EQ(dst.content(), after)
                << hwy::TargetName(target) << ", " << places << " places of " << unit << " at " << shift;
          }
  }
}

}  // namespace
}  // namespace tilewright

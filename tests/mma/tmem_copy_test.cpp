// Copies of tensor memory on the CPU, next to the figures of the PTX ISA ("Data Movement Shape") written out as formulas: every
// shape and number of repeats, both directions, whole columns and their lower halves; copies from shared memory; who may allocate
// and address what.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/atom/tmem_allocator.hpp"
#include "tilewright/exec/launch.hpp"
#include "tilewright/mma/sm100_names.hpp"
#include "tilewright/mma/umma_copy.hpp"
#include "tilewright/tiled/make_tmem_copy.hpp"
#include "tilewright/tilewright.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace tilewright;
using tilewright::ptx::tmem_shape;

namespace {

/// What a test keeps in word (lane, column).
std::uint32_t word_at(int lane, int column) {
  return static_cast<std::uint32_t>(lane) << 16 | static_cast<std::uint32_t>(column) | 0x40005000u;
}

struct place {
  int lane, column;
};
/// Where register r of a thread is, in columns of 32 bits (whole columns), by the figures.
template <tmem_shape Shape_, int Repeat>
place place_of(int thread, int r) {
  if constexpr (Shape_ == tmem_shape::l32x32b) return {thread, r};
  else if constexpr (Shape_ == tmem_shape::l16x64b) return {thread / 4 + 8 * (thread / 2 % 2), thread % 2 + 2 * r};
  else if constexpr (Shape_ == tmem_shape::l16x128b) return {thread / 4 + 8 * (r % 2), thread % 4 + 4 * (r / 2)};
  else if constexpr (Shape_ == tmem_shape::l16x256b)
    return {thread / 4 + 8 * (r / 2 % 2), thread % 4 * 2 + r % 2 + 8 * (r / 4)};
  else return {thread % 16, r + Repeat * (thread / 16)};
}

/// A block of four warps with all columns.
template <class F>
void in_a_block(F const& f) {
  launch(1, 128, [&](auto& block) {
    TMEM::Allocator1Sm const allocator;
    std::uint32_t base = 0;
    if (block.thread() / 32 == 0) allocator.allocate(512, &base);
    block.sync();
    f(block);
    block.sync();
    if (block.thread() / 32 == 0) allocator.free(0, 512);
  });
}
host_tensor_memory& memory() { return host_thread->tensor_memory(0); }
void fill_memory() {
  for (int lane = 0; lane < 128; ++lane)
    for (int column = 0; column < 512; ++column) memory().word(lane, column) = word_at(lane, column);
}

template <tmem_shape Shape_, int Repeat>
void expect_figure() {
  using whole = detail::tmem_load<Shape_, Repeat, false>;
  using halves = detail::tmem_load<Shape_, Repeat, true>;
  constexpr int n = whole::pattern::registers, first = 16;  // columns
  std::vector<std::string> wrong;
  in_a_block([&](auto& block) {
    if (block.thread() == 0) fill_memory();
    block.sync();
    int const lane = block.thread() % 32, own = block.thread() / 32 * 32;
    for (int half = 0; half < (whole::pattern::lanes == 16 ? 2 : 1); ++half) {
      int const lane_0 = own + 16 * half;
      auto const address = static_cast<std::uint32_t>(lane_0 << 16 | first);
      typename whole::DRegisters r;
      whole::run(address, r);
      for (int i = 0; i < n; ++i) {
        auto const p = place_of<Shape_, Repeat>(lane, i);
        if (r[i] != word_at(lane_0 + p.lane, first + p.column))
          wrong.push_back("load of thread " + std::to_string(lane));
      }
      if constexpr (2 * Repeat * (whole::pattern::row_bits / Repeat) / 32 + first <= 512) {
        // Register i has columns 2c and 2c + 1, where a load of whole columns has c.
        typename halves::DRegisters packed;
        halves::run(address, packed);
        for (int i = 0; i < n; ++i) {
          auto const p = place_of<Shape_, Repeat>(lane, i);
          std::uint32_t const low = word_at(lane_0 + p.lane, first + 2 * p.column) & 0xffff,
                              high = word_at(lane_0 + p.lane, first + 2 * p.column + 1) & 0xffff;
          if (packed[i] != (low | high << 16)) wrong.push_back("load of halves of thread " + std::to_string(lane));
        }
      }
    }
    block.sync();
    // Back, to where loads found it: a store of twice the value, and then what memory has.
    typename whole::DRegisters r;
    auto const address = static_cast<std::uint32_t>(own << 16 | first);
    for (int i = 0; i < n; ++i) {
      auto const p = place_of<Shape_, Repeat>(lane, i);
      r[i] = 3 * word_at(own + p.lane, first + p.column);
    }
    detail::tmem_store<Shape_, Repeat, false>::run(r, address);
    block.sync();
    if (block.thread() == 0) {
      for (int l = 0; l < 128; ++l)
        for (int c = 0; c < 512; ++c) {
          bool const stored = l % 32 < whole::pattern::lanes && c >= first && c < first + whole::pattern::row_bits / 32;
          if (memory().word(l, c) != (stored ? 3 : 1) * word_at(l, c)) wrong.push_back("store at " + std::to_string(l));
        }
    }
  });
  EXPECT_TRUE(wrong.empty()) << wrong.size() << " wrong, first: " << wrong.front();
}
template <tmem_shape Shape_, int Repeat, int Last>
void expect_figures() {
  expect_figure<Shape_, Repeat>();
  if constexpr (Repeat < Last) expect_figures<Shape_, 2 * Repeat, Last>();
}

TEST(tmem_copy, shapes_are_those_of_the_figures) {
  expect_figures<tmem_shape::l32x32b, 1, 128>();
  expect_figures<tmem_shape::l16x64b, 1, 128>();
  expect_figures<tmem_shape::l16x128b, 1, 64>();
  expect_figures<tmem_shape::l16x256b, 1, 32>();
  expect_figures<tmem_shape::l16x32bx2, 1, 128>();
}

TEST(tmem_copy, registers_as_arguments) {
  in_a_block([](auto& block) {
    auto const address = static_cast<std::uint32_t>(block.thread() / 32 * 32 << 16 | 8);
    auto const mine = static_cast<std::uint32_t>(block.thread());
    SM100_TMEM_STORE_32dp32b2x::copy(mine, mine + 1000, address);
    std::uint32_t a = 0, b = 0;
    SM100_TMEM_LOAD_32dp32b2x::copy(address, a, b);
    EXPECT_EQ(a, mine);
    EXPECT_EQ(b, mine + 1000);
  });
}

TEST(tmem_copy, a_tiled_copy_moves_the_accumulators_of_each_thread) {
  constexpr auto K = UMMA::Major::K;
  auto const mma = make_tiled_mma(SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 64, K, K>{});
  auto const sums = mma.get_slice(0).make_fragment_C(
      make_tensor(make_gmem_ptr(static_cast<float*>(nullptr)), Shape<Shape<_128, _64>, _1, _2>{}));
  auto const tiled = make_tmem_copy(SM100_TMEM_LOAD_32dp32b16x{}, sums);
  static_assert(decltype(size(tiled))::value == 128);
  in_a_block([&](auto& block) {
    if (block.thread() == 0) fill_memory();
    block.sync();
    auto const mine = tiled.get_slice(block.thread());
    auto const from = mine.partition_S(sums);
    auto const share = mine.partition_D(make_tensor(counting_iterator<int>{}, make_layout(sums.shape())));
    auto to = make_tensor<float>(share.shape());
    copy(tiled, from, to);
    for (int i = 0; i < static_cast<int>(size(to)); ++i) {
      int const index = share(i), m = index % 128, n = index / 128;
      EXPECT_EQ(__builtin_bit_cast(std::uint32_t, to(i)), word_at(m, n));
      EXPECT_EQ(m, block.thread());
    }
  });
}

TEST(tmem_copy, rows_of_shared_memory_go_to_all_quarters) {
  launch(1, 128, [](auto& block) {
    TMEM::Allocator1Sm const allocator;
    auto rows =
        shared<std::uint8_t>(block, Shape<C<4096>>{});  // 128 rows of 32 bytes: (8, 16) pieces of 16, then again
    auto barrier = shared<std::uint64_t>(block, Shape<_1>{});
    for (int i = block.thread(); i < 4096; i += 128) rows(i) = static_cast<std::uint8_t>(i % 16 + i / 16 % 128 * 2);
    std::uint32_t base = 0;
    if (block.thread() / 32 == 0) allocator.allocate(32, &base);
    if (block.thread() == 0) initialize_barrier(barrier.data(), 1);
    block.sync();
    if (block.thread() == 0) {
      // Rows of 16 bytes one after another, eight of them 128 bytes.
      std::uint64_t const descriptor =
          std::uint64_t{detail::gmma_address(rows.data())} >> 4 | std::uint64_t{8} << 32 | std::uint64_t{1} << 46;
      SM100_UTCCP_128dp128bit_1cta::copy(descriptor, 0);
      SM100_UTCCP_4x32dp128bit_1cta::copy(descriptor, 4);
      SM100_UTCCP_2x64dp128bitlw0213_1cta::copy(descriptor, 8);
      SM100_UTCCP_2x64dp128bitlw0123_1cta::copy(descriptor, 12);
      SM100_UTCCP_4dp256bit_1cta::copy(descriptor, 64u << 16 | 16);
    }
    if (block.thread() < 32) umma_arrive(barrier.data());
    wait_barrier(barrier.data(), 0);
    block.sync();
    if (block.thread() == 0) {
      auto const first_byte = [](int lane, int column) {
        return static_cast<int>(host_thread->tensor_memory(0).word(lane, column) & 0xff);
      };
      for (int lane = 0; lane < 128; ++lane) {
        int const quarter = lane / 32;
        EXPECT_EQ(first_byte(lane, 0), lane * 2) << lane;
        EXPECT_EQ(first_byte(lane, 1), (4 + lane * 2) & 0xff) << lane;
        EXPECT_EQ(first_byte(lane, 4), lane % 32 * 2) << lane;
        EXPECT_EQ(first_byte(lane, 8), (lane % 32 + quarter % 2 * 32) * 2) << lane;
        EXPECT_EQ(first_byte(lane, 12), (lane % 32 + quarter / 2 * 32) * 2) << lane;
        if (lane / 4 == 16) {
          EXPECT_EQ(first_byte(lane, 16), lane % 4 * 2) << lane;
        }
      }
    }
    block.sync();
    if (block.thread() / 32 == 0) allocator.free(0, 32);
  });
}

/// The sentence that a kernel of one warp ends with.
template <class F>
std::string sentence_of_warp(F const& f) {
  try {
    launch(1, 32, [&](auto&) { f(TMEM::Allocator1Sm{}); });
  } catch (std::exception const& e) {
    return e.what();
  }
  return "";
}
void expect_in(std::string const& part, std::string const& whole) {
  EXPECT_NE(whole.find(part), std::string::npos) << whole;
}

TEST(tmem_allocator, refuses_what_the_hardware_has_not) {
  std::uint32_t at = 0;
  expect_in("such columns cannot be allocated or freed", sentence_of_warp([&](auto a) { a.allocate(48, &at); }));
  expect_in("such columns cannot be allocated or freed", sentence_of_warp([&](auto a) {
              a.allocate(64, &at);
              a.free(0, 32);
            }));
  expect_in("has given up its right to allocate", sentence_of_warp([&](auto a) {
              a.release_allocation_lock();
              a.allocate(32, &at);
            }));
  expect_in("TMEM::Allocator::allocate", sentence_of_warp([&](auto a) {
              a.allocate(512, &at);
              a.allocate(32, &at);
            }));
  std::uint32_t r = 0;
  expect_in("the address is not allocated", sentence_of_warp([&](auto) { SM100_TMEM_LOAD_32dp32b1x::copy(0, r); }));
  expect_in("reaches the 32 lanes of its number modulo 4 alone", sentence_of_warp([&](auto a) {
              a.allocate(32, &at);
              SM100_TMEM_LOAD_32dp32b1x::copy(32u << 16, r);
            }));
  expect_in("two threads of a warp pass different addresses", sentence_of_warp([&](auto a) {
              a.allocate(32, &at);
              SM100_TMEM_LOAD_32dp32b1x::copy(static_cast<std::uint32_t>(host_thread->lane()), r);
            }));
}

TEST(tmem_pointer, steps_within_and_over_columns) {
  auto const halves = make_tmem_ptr<half_t>(5);
  EXPECT_EQ((halves + 1).column(), 5u);
  EXPECT_EQ((halves + 1 + 1).column(), 6u);
  EXPECT_EQ((halves + 3 + 1).get(), (halves + 4).get());
  EXPECT_EQ((halves + TMEM::DP<half_t>{}).column(), (1u << 16) + 5);
  auto const bytes = make_tmem_ptr<std::int8_t>(0);
  EXPECT_EQ((bytes + 7 + 2).column(), 2u);
  EXPECT_EQ((make_tmem_ptr<float>(2) + 3).get(), 5u);
  EXPECT_TRUE(is_tmem_v<decltype(halves)> || is_tmem_v<std::remove_const_t<decltype(halves)>>);
}

}  // namespace

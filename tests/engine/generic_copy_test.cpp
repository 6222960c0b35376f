// The body of the precompiled kernel, run on the host: its division by multiplication, and whole movements against the
// value face.
#include "engine/cuda/generic_arguments.hpp"
#include "tilewright/plan/copy_error.hpp"

#include "fake_driver.hpp"
#include "random_copies.hpp"
#include "tilewright/engine/tensor_view.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace tilewright;
using namespace tilewright::gpu;

namespace {

movement loops_of(std::int64_t extent, std::int64_t elements) {
  movement m;
  m.element_bits = 8;
  m.elements = elements;
  m.loops = {{extent, 1, 1}, {2, 1000003, 0}};
  return m;
}

template <class Index>
void expect_division(std::int64_t extent, Index index, std::int64_t elements) {
  generic_arguments a = arguments_of(loops_of(extent, elements));
  a.steps = 1;
  generic_step const& s = a.step[0];
  Index const quotient = high_product(index, static_cast<Index>(s.multiplier)) >> s.shift;
  ASSERT_EQ(quotient, index / static_cast<std::uint64_t>(extent)) << index << " / " << extent;
}

TEST(generic_copy, divides_exactly_by_any_extent) {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> extents;
  for (std::int64_t d = 2; d < 300; ++d) extents.push_back(d);
  for (int b = 2; b < 62; ++b)
    for (std::int64_t const near : {-1, 0, 1}) extents.push_back((std::int64_t(1) << b) + near);
  for (int i = 0; i < 2000; ++i) extents.push_back(2 + std::int64_t(random() >> (2 + random() % 60)));
  constexpr std::uint64_t most = (std::uint64_t(1) << 63) - 1;
  for (std::int64_t const d : extents) {
    auto const u = static_cast<std::uint64_t>(d);
    std::vector<std::uint64_t> indices = {0, 1, u - 1, u, u + 1, most, most - 1, most / u * u, most / u * u - 1};
    for (int i = 0; i < 20; ++i) indices.push_back(random() >> (1 + random() % 62));
    for (std::uint64_t const i : indices) {
      expect_division<std::uint64_t>(d, i & most, std::int64_t(1) << 40);
      if (d < (1 << 30)) {
        std::uint64_t const narrow_most = (1u << 31) - 1;
        expect_division<std::uint32_t>(d, static_cast<std::uint32_t>(i & narrow_most), 1000);
        expect_division<std::uint32_t>(d, static_cast<std::uint32_t>(narrow_most / u * u), 1000);
      }
    }
  }
}

/// The kernel by so many threads, both halves of bytes where there are halves.
void run(movement const& m, std::vector<std::uint8_t> const& src, std::vector<std::uint8_t>& dst, unsigned threads,
         bool narrow) {
  generic_arguments a = arguments_of(m);
  if (!narrow && m.elements > 0) {
    movement wide = m;  // the arguments for indices of 64 bits
    wide.elements = narrow_index_limit;
    a = arguments_of(wide);
    a.elements = static_cast<std::uint64_t>(m.elements);
  }
  a.src = src.data();
  a.dst = dst.data();
  std::string const name = "tilewright_copy_" + std::to_string(m.element_bits) + (narrow ? "_32" : "_64");
  for (a.half = 0; a.half < (m.element_bits == 4 ? 2 : 1); ++a.half) fake::run_generic(name, a, 1, threads);
}

TEST(generic_copy, moves_what_the_value_face_says) {
  tests::random_copies copies(11, 3000);
  for (int i = 0; i < 1200; ++i) {
    auto const c = copies.next();
    movement m;
    ASSERT_NO_THROW(m = make_movement(c.src, c.dst, c.element_bits)) << c.text();
    auto const src = tests::random_bytes(static_cast<std::size_t>(c.bytes_of(c.src_elements)), 2 * std::uint64_t(i));
    auto const before =
        tests::random_bytes(static_cast<std::size_t>(c.bytes_of(c.dst_elements)), 2 * std::uint64_t(i) + 1);
    auto const expected = c.expected(src, before);
    auto dst = before;
    run(m, src, dst, 1 + unsigned(i % 70), i % 2 == 0);
    ASSERT_EQ(dst, expected) << c.text();
    // Wider elements where the runs allow it.
    dst = before;
    run(widened(m, 16, 16), src, dst, 1 + unsigned(i % 70), i % 2 == 0);
    ASSERT_EQ(dst, expected) << c.text() << ", widened";
  }
}

TEST(generic_copy, layouts_without_common_loops_have_steps_of_their_own) {
  tests::random_copy c;
  c.src.layout = parse_layout("(4,6):(6,1)");
  c.dst.layout = parse_layout("(24):(1)");
  movement m;
  m.element_bits = 8;
  m.elements = 24;
  m.src_steps = {{4, 6}, {6, 1}};
  m.dst_steps = {{6, 4}, {4, 1}};
  std::vector<std::uint8_t> src(24), dst(24), expected(24);
  for (std::size_t i = 0; i < 24; ++i) {
    src[i] = static_cast<std::uint8_t>(100 + i);
    expected[i % 6 * 4 + i / 6] = static_cast<std::uint8_t>(100 + i % 4 * 6 + i / 4);
  }
  for (unsigned const threads : {1u, 5u, 24u, 100u}) {
    for (bool const narrow : {true, false}) {
      std::fill(dst.begin(), dst.end(), std::uint8_t(0));
      run(m, src, dst, threads, narrow);
      EXPECT_EQ(dst, expected);
    }
  }
}

TEST(generic_copy, half_bytes_may_lie_before_the_pointer) {
  movement const m =
      make_movement(composed(parse_layout("(64,64):(64,1)")), composed(parse_layout("(64,64):(-64,-1)")), 4);
  auto const src = tests::random_bytes(2048, 3);
  std::vector<std::uint8_t> got(2049, 0);  // elements 0, -1 … -4095, from byte 2048 down
  generic_arguments a = arguments_of(m);
  a.src = src.data();
  a.dst = got.data() + 2048;
  for (a.half = 0; a.half < 2; ++a.half) fake::run_generic("tilewright_copy_4_32", a, 1, 64);
  auto const nibble = [](std::vector<std::uint8_t> const& of, int i) {
    return of[std::size_t(i / 2)] >> i % 2 * 4 & 15;
  };
  for (int x = 0; x < 64 * 64; ++x) ASSERT_EQ(nibble(got, 4096 - x), nibble(src, x)) << x;
  EXPECT_EQ(got[0] & 15, 0);
}

TEST(generic_copy, more_modes_than_memory_has_room_for_are_refused) {
  movement m;
  m.element_bits = 8;
  m.elements = 1;
  for (int i = 0; i < generic_step_capacity; ++i) m.loops.push_back({2, 1, std::int64_t(1) << i});
  EXPECT_NO_THROW(arguments_of(m));
  m.loops.push_back({2, 1, std::int64_t(1) << 50});
  EXPECT_THROW(arguments_of(m), copy_error);
  m.element_bits = 24;
  EXPECT_THROW(generic_kernel_name(m), copy_error);
}

TEST(generic_copy, arguments_fit_every_driver) { EXPECT_LE(sizeof(generic_arguments), 4096u); }

}  // namespace

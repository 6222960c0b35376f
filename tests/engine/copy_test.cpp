// copy(src, dst) on the CPU against the value face's own evaluation, in buffers of exactly the bytes that the layouts
// span, so that a sanitizer sees every step beyond them.
#include "tilewright/engine/copy.hpp"
#include "tilewright/plan/prove.hpp"

#include "effort.hpp"
#include "engine/cpu/program.hpp"
#include "engine/plan/cpu_knobs.hpp"
#include "engine/plan/schedule.hpp"
#include "random_copies.hpp"

#include <gtest/gtest.h>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <thread>

namespace tilewright {
namespace {

using tests::random_bytes;
using tests::random_copies;
using tests::random_copy;
using tests::rounds;

element_type bits_type(int bits) {
  switch (bits) {
    case 4: return element_type::b4;
    case 8: return element_type::b8;
    case 16: return element_type::b16;
    case 32: return element_type::b32;
    case 64: return element_type::b64;
    default: return element_type::b128;
  }
}

/// Bytes at an address that is `shift` bytes past what the allocator gives.
struct bytes_at {
  bytes_at(std::vector<std::uint8_t> const& content, std::size_t shift) : memory(content.size() + shift), at(shift) {
    std::copy(content.begin(), content.end(), memory.begin() + static_cast<std::ptrdiff_t>(shift));
  }
  std::uint8_t* data() { return memory.data() + at; }
  std::vector<std::uint8_t> content() const { return {memory.begin() + static_cast<std::ptrdiff_t>(at), memory.end()}; }
  std::vector<std::uint8_t> memory;
  std::size_t at;
};

TEST(copy_on_the_cpu, agrees_with_the_value_face_on_random_layouts) {
  random_copies cases(1, 300);
  for (int round = 0; round < rounds(100'000); ++round) {
    random_copy const c = cases.next();
    auto const source = random_bytes(static_cast<std::size_t>(c.bytes_of(c.src_elements)), 2 * round);
    auto const before = random_bytes(static_cast<std::size_t>(c.bytes_of(c.dst_elements)), 2 * round + 1);
    bytes_at src(source, round % 3 == 0 ? 1 : 0), dst(before, round % 5 == 0 ? 3 : 0);
    element_type const type = bits_type(c.element_bits);
    copy({src.data(), c.src, type}, {dst.data(), c.dst, type}, {.threads = 1});
    ASSERT_EQ(dst.content(), c.expected(source, before)) << c.text();
  }
}

TEST(copy_on_the_cpu, is_right_and_proved_with_every_schedule) {
  random_copies cases(2, 20'000);
  machine_model const machine = machine_named("cpu");
  for (int round = 0; round < rounds(800); ++round) {
    random_copy const c = cases.next();
    auto const source = random_bytes(static_cast<std::size_t>(c.bytes_of(c.src_elements)), 2 * round);
    auto const before = random_bytes(static_cast<std::size_t>(c.bytes_of(c.dst_elements)), 2 * round + 1);
    auto const after = c.expected(source, before);
    copy_request const request{c.src, c.dst, c.element_bits, 64, round % 2 == 0 ? 64 : 1};
    copy_plan const first = plan_copy(request, machine);
    ASSERT_TRUE(prove(first, request)) << c.text() << ": " << prove(first, request).failure;
    for (plan::cpu_knobs knobs : plan::candidates(first.moves, machine, request)) {
      for (bool const streaming : {false, true}) {
        knobs.streaming = streaming;
        knobs.row_bytes = std::max<std::int64_t>(64, knobs.row_bytes >> (round % 3));
        copy_plan plan = first;
        plan::schedule_cpu_with(plan, request, knobs);
        ASSERT_TRUE(prove(plan)) << c.text() << ": " << prove(plan).failure << "\n" << explain(plan);
        // At any place within a cache line, so that shifted tiles are seen too.
        bytes_at dst(before, static_cast<std::size_t>(round % 64));
        run(plan, source.data(), dst.data(), {.threads = 1 + round % 2});
        ASSERT_EQ(dst.content(), after) << c.text() << "\n" << explain(plan);
      }
    }
  }
}

TEST(copy_on_the_cpu, moves_large_tensors_on_all_threads) {
  for (char const* const text :
       {"(1031,1033):(1033,1)", "(64,32,33,17):(17952,561,17,1)", "(3,1000,1001):(1,3,3000)"}) {
    for (int const bits : {8, 16, 32, 64, 128}) {
      layout_value const from = parse_layout(text);
      arithmetic c{};
      layout_value const to(algebra::compact_left(c, from));
      auto const n = static_cast<std::size_t>(algebra::size(c, from).number),
                 width = static_cast<std::size_t>(bits / 8);
      auto const source = random_bytes(n * width, 3);
      std::vector<std::uint8_t> dst(n * width);
      element_type const type = bits_type(bits);
      copy({source.data(), composed(from), type}, {dst.data(), composed(to), type});
      for (std::size_t i = 0; i < n; i += 7) {
        auto const a = static_cast<std::size_t>(from(static_cast<long long>(i))) * width, b = i * width;
        ASSERT_TRUE(std::equal(&source[a], &source[a] + width, &dst[b]))
            << text << ", " << bits << " bits, element " << i;
      }
    }
  }
}

TEST(copy_on_the_cpu, shifts_tiles_to_cache_lines) {
  // Long rows at every place of a destination within a line, written past the caches.
  constexpr std::int64_t rows = 1007, columns = 75;
  auto const from = composed(parse_layout("(1007,75):(75,1)")), to = composed(parse_layout("(1007,75):(1,1024)"));
  auto const source = random_bytes(rows * columns * 4, 11);
  for (std::int64_t start = 0; start < 64; start += 4) {
    copy_request const request{from, to, 32, 4, 4};
    copy_plan plan = plan_copy(request, machine_named("cpu"));
    plan::cpu_knobs knobs = plan::candidates(plan.moves, plan.machine, request).front();
    knobs.streaming = true;
    plan::schedule_cpu_with(plan, request, knobs);
    std::vector<std::uint8_t> memory(1024 * columns * 4 + 128, 0xee), wanted = memory;
    auto const at = static_cast<std::size_t>(
        (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64 + static_cast<std::uintptr_t>(start)) % 64);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        std::copy_n(&source[(i * columns + j) * 4], 4, &wanted[at + (i + j * 1024) * 4]);
    run(plan, source.data(), memory.data() + at, {.threads = 1});
    ASSERT_EQ(memory, wanted) << start;
  }
}

TEST(copy_on_the_cpu, can_be_called_by_many_threads_at_once) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([t, &wrong] {
      random_copies cases(static_cast<std::uint64_t>(t % 2), 200);
      for (int round = 0; round < 200; ++round) {
        random_copy const c = cases.next();
        auto const source = random_bytes(static_cast<std::size_t>(c.bytes_of(c.src_elements)), 5);
        std::vector<std::uint8_t> dst(static_cast<std::size_t>(c.bytes_of(c.dst_elements)));
        auto const after = c.expected(source, dst);
        element_type const type = bits_type(c.element_bits);
        copy({source.data(), c.src, type}, {dst.data(), c.dst, type});
        wrong += dst != after;
      }
    });
  for (std::thread& t : callers) t.join();
  EXPECT_EQ(wrong, 0);
}

// --- memory that is shared -----------------------------------------------------------------------------------------------

TEST(copy_on_the_cpu, refuses_tensors_that_share_memory) {
  std::vector<float> a(64);
  auto const rows = composed(parse_layout("(8,8):(8,1)")), columns = composed(parse_layout("(8,8):(1,8)"));
  copy_status const s = try_copy({a.data(), rows, element_type::f32}, {a.data(), columns, element_type::f32});
  EXPECT_EQ(s.code, copy_errc::overlapping) << s.message;
  EXPECT_TRUE(try_copy({a.data(), rows, element_type::f32}, {a.data(), rows, element_type::f32}));
}

TEST(copy_on_the_cpu, transposes_in_place_through_a_temporary) {
  std::vector<float> a(64);
  std::iota(a.begin(), a.end(), 0.0f);
  auto const rows = composed(parse_layout("(8,8):(8,1)")), columns = composed(parse_layout("(8,8):(1,8)"));
  copy({a.data(), rows, element_type::f32}, {a.data(), columns, element_type::f32},
       {.overlap = on_overlap::through_temporary});
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) EXPECT_EQ(a[static_cast<std::size_t>(i + 8 * j)], static_cast<float>(8 * i + j));
}

TEST(copy_on_the_cpu, copies_between_interleaved_tensors) {
  std::vector<std::uint16_t> a(128);
  std::iota(a.begin(), a.end(), std::uint16_t{0});
  auto const every_other = composed(parse_layout("(64):(2)"));
  copy({a.data(), every_other, element_type::u16}, {a.data() + 1, every_other, element_type::u16});
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(a[2 * i + 1], 2 * i);
}

// --- doors -----------------------------------------------------------------------------------------------------------------

TEST(copy_on_the_cpu, says_what_is_wrong) {
  std::vector<float> a(64), b(64);
  auto const line = composed(parse_layout("(64):(1)"));
  auto const code = [&](const_tensor_view const& src, tensor_view const& dst, copy_options const& o = {}) {
    copy_status const s = try_copy(src, dst, o);
    EXPECT_TRUE(s || s.message.size() > 20) << s.message;
    return s.code;
  };
  const_tensor_view const src{a.data(), line, element_type::f32};
  EXPECT_EQ(code(src, {b.data(), line, element_type::f64}), copy_errc::bad_element);
  EXPECT_EQ(code(src, {nullptr, line, element_type::f32}), copy_errc::bad_pointer);
  EXPECT_EQ(code(src, {b.data(), line, element_type::f32, cuda(99)}), copy_errc::no_device);
  EXPECT_EQ(code(src, {b.data(), line, element_type::f32}, {.threads = -1}), copy_errc::bad_option);
  EXPECT_EQ(code(src, {b.data(), composed(parse_layout("(63):(1)")), element_type::f32}), copy_errc::different_shapes);
  EXPECT_EQ(code(src, {b.data(), line, element_type::f32}), copy_errc::ok);
}

TEST(copy_on_the_cpu, reports_progress_and_can_be_stopped) {
  std::vector<float> a(std::size_t{1} << 22), b(a.size());
  auto const rows = composed(parse_layout("(2048,2048):(2048,1)")),
             columns = composed(parse_layout("(2048,2048):(1,2048)"));
  std::int64_t last = 0;
  copy({a.data(), rows, element_type::f32}, {b.data(), columns, element_type::f32},
       {.progress = [&](std::int64_t done, std::int64_t total) {
         EXPECT_GE(done, last);
         EXPECT_EQ(total, std::int64_t{16} << 20);
         last = done;
         return true;
       }});
  EXPECT_EQ(last, std::int64_t{16} << 20);
  copy_status const s = try_copy({a.data(), rows, element_type::f32}, {b.data(), columns, element_type::f32},
                                 {.progress = [](std::int64_t, std::int64_t) { return false; }});
  EXPECT_EQ(s.code, copy_errc::cancelled);
}

TEST(copy_on_the_cpu, tunes_and_stays_right) {
  std::vector<float> a(600 * 700), b(a.size());
  std::iota(a.begin(), a.end(), 0.0f);
  for (int i = 0; i < 2; ++i) {
    std::fill(b.begin(), b.end(), -1.0f);
    copy({a.data(), composed(parse_layout("(600,700):(700,1)")), element_type::f32},
         {b.data(), composed(parse_layout("(600,700):(1,600)")), element_type::f32}, {.tune = true});
    for (std::size_t k = 0; k < b.size(); k += 11) ASSERT_EQ(b[k], a[k % 600 * 700 + k / 600]);
  }
}

// --- plans as values -------------------------------------------------------------------------------------------------------

TEST(copy_on_the_cpu, says_when_its_plan_is_final) {
  std::vector<std::uint8_t> const from = random_bytes(4200 * 4100, 11);
  std::vector<std::uint8_t> to(from.size());
  auto const view = [&](char const* text) { return composed(parse_layout(text)); };
  const_tensor_view const src{from.data(), view("(4200,4100):(4100,1)"), element_type::u8, cpu};
  tensor_view const dst{to.data(), view("(4200,4100):(1,4200)"), element_type::u8, cpu};
  EXPECT_FALSE(is_settled(src, dst));
  int runs = 0;
  for (; runs < 10 && !is_settled(src, dst); ++runs) copy(src, dst);
  EXPECT_GE(runs, 1);
  EXPECT_LE(runs, 8);  // 4 with parts, 4 past the caches or through them
  for (std::size_t i = 0; i < 4200; i += 7)
    for (std::size_t j = 0; j < 4100; j += 3) ASSERT_EQ(to[i + 4200 * j], from[4100 * i + j]);

  const_tensor_view const small_src{from.data(), view("(42,41):(41,1)"), element_type::u8, cpu};
  tensor_view const small_dst{to.data(), view("(42,41):(1,42)"), element_type::u8, cpu};
  EXPECT_TRUE(is_settled(small_src, small_dst));

  ::setenv("TILEWRIGHT_TRIALS", "none", 1);
  copy_options two;
  two.threads = 2;
  EXPECT_TRUE(is_settled(src, dst, two));  // another question, so another plan
  ::unsetenv("TILEWRIGHT_TRIALS");
}

TEST(copy_plan, is_a_value) {
  copy_request const request{composed(parse_layout("(64,32):(32,1)")), composed(parse_layout("(64,32):(1,64)"))};
  copy_plan const a = plan_copy(request, machine_named("cpu")), b = plan_copy(request, machine_named("cpu"));
  EXPECT_EQ(a, b);
  EXPECT_EQ(hash_of(a), hash_of(b));
  EXPECT_NE(a, plan_copy(request, machine_named("cpu-sse4")));
  EXPECT_NE(explain(a).find("transposed in vector registers"), std::string::npos) << explain(a);
  EXPECT_NE(to_json(a).find("\"kernel\": \"transpose\""), std::string::npos) << to_json(a);
}

TEST(copy_plan, of_nothing_says_so) {
  copy_request const request{composed(parse_layout("(0,4):(1,1)")), composed(parse_layout("(0,4):(1,1)"))};
  copy_plan const p = plan_copy(request, machine_named("cpu"));
  EXPECT_EQ(p.path, copy_path::nothing);
  EXPECT_TRUE(prove(p));
}

TEST(prove, finds_what_is_wrong_with_a_plan) {
  copy_request const request{composed(parse_layout("(64,32):(32,1)")), composed(parse_layout("(64,32):(1,64)"))};
  copy_plan const good = plan_copy(request, machine_named("cpu"));
  auto const fails = [&](auto change) {
    copy_plan bad = good;
    change(bad, std::get<cpu_schedule>(bad.schedule));
    plan_proof const p = prove(bad, request);
    EXPECT_NE(p.failure, "");
    return !p;
  };
  EXPECT_TRUE(prove(good, request));
  EXPECT_TRUE(fails([](copy_plan& p, cpu_schedule&) { p.moves.loops[1].dst = 63; }));
  EXPECT_TRUE(fails([](copy_plan& p, cpu_schedule&) { p.moves.loops[0].src = 33; }));
  EXPECT_TRUE(fails([](copy_plan& p, cpu_schedule&) { p.moves.elements = 2047; }));
  EXPECT_TRUE(fails([](copy_plan& p, cpu_schedule&) { p.tile[0] = 65; }));
  EXPECT_TRUE(fails([](copy_plan& p, cpu_schedule&) { p.tile[0] = 0; }));
  EXPECT_TRUE(fails([](copy_plan& p, cpu_schedule& s) { p.tile = {64, 32}, s.row_loops.clear(); }));
  EXPECT_TRUE(fails([](copy_plan& p, cpu_schedule& s) { s.row_loops = s.column_loops = {0}, p.tile = {1, 1}; }));
  EXPECT_TRUE(fails([](copy_plan& p, cpu_schedule&) { p.tile = {32, 32}, p.order = {}; }));
  EXPECT_TRUE(fails([](copy_plan&, cpu_schedule& s) { s.unit_bytes = 8; }));
}

TEST(prove, holds_for_gpu_plans_of_random_layouts) {
  random_copies cases(4, 20'000);
  machine_model const machine = machine_named("sm_90");
  for (int round = 0; round < rounds(400); ++round) {
    random_copy const c = cases.next();
    copy_request const request{c.src, c.dst, c.element_bits, 16, 16};
    copy_plan const p = plan_copy(request, machine);
    plan_proof const proof = prove(p, request);
    ASSERT_TRUE(proof) << c.text() << ": " << proof.failure << "\n" << to_json(p);
  }
}

}  // namespace
}  // namespace tilewright

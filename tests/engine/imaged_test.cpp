// The kernel that copies swizzled offsets and half bytes by images in a buffer: layouts as programs have them, at sizes of many
// tiles, next to the value face's account of each element.
#include "engine/cpu/program.hpp"
#include "engine/kernels/cpu/imaged/separate.hpp"
#include "guarded_memory.hpp"
#include "random_copies.hpp"
#include "tilewright/plan/prove.hpp"

#include <gtest/gtest.h>

namespace tilewright {
namespace {

using tests::guarded_memory;
using tests::random_copy;

struct side {
  char const* layout;
  swizzle_value swizzle{};
  std::int64_t offset = 0;
  composed_value value() const { return {swizzle, constant_leaf(offset), parse_layout(layout)}; }
};

random_copy case_of(int bits, side const& src, side const& dst) {
  random_copy out;
  out.element_bits = bits;
  out.src = src.value();
  out.dst = dst.value();
  for (long long i = 0; i < size(out.src.layout).value(); ++i) {
    out.from.push_back(crd2idx(i, out.src).value());
    out.to.push_back(crd2idx(i, out.dst).value());
    out.src_elements = std::max(out.src_elements, out.from.back() + 1);
    out.dst_elements = std::max(out.dst_elements, out.to.back() + 1);
  }
  return out;
}

/// Proves the plan, runs it and returns it. The destination begins at this place within a cache line.
copy_plan copied(random_copy const& c, machine_model const& machine, int threads, std::size_t place = 9) {
  copy_plan const plan = plan_copy({c.src, c.dst, c.element_bits, 1, 1}, machine);
  plan_proof const proof = prove(plan);
  EXPECT_TRUE(proof) << proof.failure << "\n" << c.text();
  auto const source = tests::random_bytes(static_cast<std::size_t>(c.bytes_of(c.src_elements)), 2),
             before = tests::random_bytes(static_cast<std::size_t>(c.bytes_of(c.dst_elements)), 3);
  guarded_memory const src(source, guarded_memory::place::at_end), dst(before, guarded_memory::place::between, place);
  EXPECT_TRUE(cpu_engine::run(cpu_engine::compile(plan), src.data(), dst.data(), threads, nullptr, nullptr));
  EXPECT_TRUE(dst.holds(c.expected(source, before))) << c.text() << "\n" << to_json(plan);
  return plan;
}

struct named_case {
  char const* what;
  int bits;
  side src, dst;
};

// Extents that end within tiles are among them.
named_case const swizzled_cases[] = {
    {"rows of 128 bytes", 16, {"(64,300):(1,64)"}, {"(64,300):(1,64)", {3, 3, 3}}},
    {"the same back", 16, {"(64,300):(1,64)", {3, 3, 3}}, {"(64,300):(1,64)"}},
    {"transposed", 16, {"(300,512):(1,300)"}, {"(300,512):(512,1)", {3, 3, 3}}},
    {"transposed back", 16, {"(300,512):(512,1)", {3, 3, 3}}, {"(300,512):(1,300)"}},
    {"between swizzles", 32, {"(96,128):(1,96)", {2, 2, 3}}, {"(96,128):(128,1)", {3, 2, 3}}},
    {"tiles of a matrix",
     32,
     {"((32,6),(64,5)):((1,32),(192,12288))"},
     {"((32,6),(64,5)):((1,2048),(32,12288))", {3, 2, 3}}},
    {"single elements",
     32,
     {"((32,5),(32,7)):((1,32),(160,5120))"},
     {"((32,5),(32,7)):((32,1024),(1,5120))", {5, 0, 5}}},
    {"single bytes", 8, {"(128,301):(1,128)"}, {"(128,301):(1,128)", {3, 0, 4}}},
    {"a shift to the left", 16, {"(64,200):(1,64)"}, {"(64,200):(1,64)", {2, 1, -3}}},
    {"a pitch that shares bits", 16, {"(64,300):(1,64)"}, {"(64,300):(1,72)", {3, 3, 3}}},
    {"an offset within the period", 16, {"(64,300):(1,64)"}, {"(64,300):(1,64)", {3, 3, 3}, 20}},
    {"a source backwards", 32, {"(64,100):(-1,64)", {}, 63}, {"(64,100):(1,64)", {3, 2, 3}}},
    {"a swizzled source backwards", 32, {"(64,100):(1,-64)", {3, 2, 3}, 6336}, {"(64,100):(100,1)"}},
    {"one row again and again", 32, {"(64,100):(1,0)"}, {"(64,100):(1,64)", {3, 2, 3}}},
    {"steps that cut runs", 32, {"(4,4,14):(56,14,1)"}, {"(4,4,14):(1,10,40)", {3, 2, 4}}},
    {"steps that cut runs of the source", 16, {"(3,3,6,2):(1,3,9,61)", {3, 1, 4}}, {"(3,3,6,2):(12,36,1,6)"}},
    {"16 bytes", 128, {"(70,64):(64,1)"}, {"(70,64):(1,70)", {2, 1, 3}}},
};
named_case const half_byte_cases[] = {
    {"transposed", 4, {"(520,1040):(1,520)"}, {"(520,1040):(1040,1)"}},
    {"transposed, odd", 4, {"(301,601):(1,301)"}, {"(301,601):(601,1)"}},
    {"channels last", 4, {"(20000,3):(1,20000)"}, {"(20000,3):(3,1)"}},
    {"channels first", 4, {"(20000,16):(16,1)"}, {"(20000,16):(1,20000)"}},
    {"odd rows", 4, {"(111,700):(1,128)"}, {"(111,700):(1,111)"}},
    {"odd offsets", 4, {"(128,700):(1,130)", {}, 3}, {"(128,700):(1,128)", {}, 1}},
    {"backwards", 4, {"(400,300):(-1,400)", {}, 399}, {"(400,300):(300,1)"}},
    {"every second", 4, {"(400,300):(2,800)"}, {"(400,300):(1,400)"}},
    {"one again and again", 4, {"(400,300):(0,1)"}, {"(400,300):(1,400)"}},
    {"into gaps", 4, {"(400,300):(1,400)"}, {"(400,300):(3,1200)"}},
    {"four modes", 4, {"(16,24,10,32):(1,16,384,3840)"}, {"(16,24,10,32):(320,5120,32,1)"}},
    {"swizzled rows", 4, {"(256,300):(1,256)"}, {"(256,300):(1,256)", {3, 5, 3}}},
    {"swizzled elements transposed", 4, {"(256,300):(300,1)"}, {"(256,300):(1,256)", {3, 0, 4}}},
};

void expect_right(named_case const& c) {
  SCOPED_TRACE(c.what);
  random_copy const one = case_of(c.bits, c.src, c.dst);
  for (std::int64_t const run : {1, 16, 512})
    for (std::int64_t const least : {1, 4096})
      for (int const threads : {1, 3}) {
        machine_model machine = machine_named("cpu");
        machine.processors = threads;
        machine.tuning.imaged_run_bytes = run;
        machine.tuning.imaged_min_bytes = least;
        machine.tuning.thread_bytes = 1000;
        copy_plan const plan = copied(one, machine, threads);
        EXPECT_EQ(std::get<cpu_schedule>(plan.schedule).kernel, cpu_kernel::imaged) << one.text();
        // Past the caches, in lines where the destination begins with one.
        machine.tuning.stream_bytes = machine.tuning.stream_blocks = 0;
        machine.tuning.streamed_run_bytes = 1;
        for (std::size_t const place : {0, 9}) {
          bool const streaming = std::get<cpu_schedule>(copied(one, machine, threads, place).schedule).streaming;
          bool const joins = !std::get<cpu_schedule>(plan.schedule).buffered;
          EXPECT_TRUE(plan.moves.element_bits >= 8 || streaming == joins) << one.text();
        }
      }
}

TEST(imaged, copies_swizzled_layouts) {
  for (named_case const& c : swizzled_cases) expect_right(c);
}

TEST(imaged, puts_whole_lines_of_a_swizzled_destination_together) {
  machine_model machine = machine_named("cpu");
  machine.tuning.stream_bytes = machine.tuning.stream_blocks = 0;
  auto const tables = [&](side const& src, side const& dst, int bits) {
    copy_plan const plan = plan_copy({src.value(), dst.value(), bits, 64, 64}, machine);
    return cpu_engine::compile(plan).imaged.variants.at(0);
  };
  side const rows{"(4096,512):(1,4096)"}, swizzled{"(4096,512):(512,1)", {3, 3, 3}};
  cpu_engine::imaged_tables const t = tables(rows, swizzled, 16);
  ASSERT_FALSE(t.lines.empty());
  EXPECT_EQ(t.write_run, 8);  // elements of 16 bits that the swizzle leaves together
  EXPECT_EQ(t.pieces.size(), 4 * t.lines.size());
  EXPECT_EQ(t.lines.size() * 64, static_cast<std::size_t>(t.write_bytes));
  EXPECT_FALSE(t.fetches.empty());
  // Rows in the order of both sides are written run by run.
  EXPECT_TRUE(tables({"(512,300):(1,512)"}, {"(512,300):(1,512)", {3, 3, 3}}, 16).lines.empty());
  machine.tuning.stream_bytes = INT64_MAX;
  EXPECT_TRUE(tables(rows, swizzled, 16).lines.empty());
}

TEST(imaged, copies_half_bytes) {
  for (named_case const& c : half_byte_cases) expect_right(c);
}

TEST(imaged, joins_pairs_where_both_sides_begin_with_bytes) {
  auto const joins = [](named_case const& c) {
    copy_plan const plan = copied(case_of(c.bits, c.src, c.dst), machine_named("cpu"), 1);
    return !std::get<cpu_schedule>(plan.schedule).buffered;
  };
  EXPECT_TRUE(joins(half_byte_cases[0]));
  EXPECT_FALSE(joins(half_byte_cases[1]));
  EXPECT_TRUE(joins(half_byte_cases[3]));
  EXPECT_FALSE(joins(half_byte_cases[4]));
}

/// Random plans of tiles that the rule refuses: the proof refuses them, too.
TEST(imaged, plans_whose_tiles_share_bits_with_their_places_are_not_proved) {
  copy_plan plan = plan_copy({side{"(64,300):(1,64)"}.value(), side{"(64,300):(1,72)", {3, 3, 3}}.value(), 16, 1, 1},
                             machine_named("cpu"));
  ASSERT_EQ(plan.moves.loops.size(), 2u);
  EXPECT_TRUE(prove(plan));
  plan.tile = {plan.moves.loops[0].extent, 1};
  EXPECT_FALSE(plan::swizzles_separate(plan.moves, plan.tile));
  plan_proof const proof = prove(plan);
  EXPECT_FALSE(proof);
  EXPECT_NE(proof.failure.find("swizzle"), std::string::npos) << proof.failure;
}

/// Where the bits are apart, a swizzled sum is what the law says: all places of random steps against the formula.
TEST(imaged, reached_bits_are_all_that_sums_have) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 3000; ++round) {
    std::vector<step> steps;
    for (std::uint64_t n = 1 + random() % 3; n > 0; --n)
      steps.push_back({static_cast<std::int64_t>(1 + random() % 9), static_cast<std::int64_t>(random() % 200) - 60});
    auto const offset = static_cast<std::int64_t>(random() % 300);
    std::int64_t const mask = (std::int64_t{1} << (random() % 10)) - 1;
    std::vector<std::int64_t> sums{offset};
    for (step const& s : steps)
      for (std::size_t below = sums.size(), j = 0; j < below; ++j)
        for (std::int64_t k = 1; k < s.extent; ++k) sums.push_back(sums[j] + k * s.stride);
    std::int64_t const reached = plan::reached_bits(steps, offset, mask);
    for (std::int64_t const sum : sums) ASSERT_EQ(sum & mask & ~reached, 0) << sum << " of " << reached;
  }
}

}  // namespace
}  // namespace tilewright

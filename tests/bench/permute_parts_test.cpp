// The parts of bench/permute that decide whether an element is right: cases, reference, naive loop, memcpy by threads,
// and that a party which copies wrongly is found out. What is right is worked out with the library's layout algebra.
#include "bench/permute/measure.hpp"
#include "bench/support/reference.hpp"
#include "tilewright/layout/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>
#include <span>
#include <vector>

namespace tilewright::bench {
namespace {

permute_case case_of(char const* src, char const* dst, char const* element = "f32") {
  std::string const json = std::string(R"([{"suite":"s","case":"c","element":")") + element + R"(","src":")" + src +
                           R"(","dst":")" + dst + R"("}])";
  return read_cases(json).front();
}

std::string complaint_of(char const* json) {
  try {
    read_cases(json);
  } catch (std::exception const& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(PermuteCases, AreReadWithTheirModes) {
  permute_case const one = case_of("(2,(3,4)):(12,(4,1))", "(2,(3,4)):(1,(8,2))", "bf16");
  EXPECT_EQ(one.element_bytes(), 2);
  EXPECT_EQ(modes_of(one), (modes{{2, 12, 1}, {3, 4, 8}, {4, 1, 2}}));
  EXPECT_EQ(elements_of(modes_of(one)), 24);
  EXPECT_TRUE(is_dense(modes_of(one)));
  EXPECT_FALSE(is_dense(modes_of(case_of("(2,3):(4,1)", "(2,3):(1,2)"))));
}

TEST(PermuteCases, SayWhatIsWrong) {
  EXPECT_NE(complaint_of("{]").find("no JSON array"), std::string::npos);
  EXPECT_NE(complaint_of(R"([{"suite":"s"}])").find("case 1: "), std::string::npos);
  char const* const row = R"([{"suite":"s","case":"c","element":"f33","src":"4:1","dst":"4:1"}])";
  EXPECT_EQ(complaint_of(row), "case 1: f33 is no element type of whole bytes.");
  EXPECT_THROW(case_of("4:1", "(2,2):(1,2)"), std::runtime_error);
  EXPECT_THROW(case_of("4:1", "4:0"), std::runtime_error);
  EXPECT_THROW(case_of("4:1", "4:1x"), std::runtime_error);
  char const* const outside =
      R"([{"suite":"s","case":"c","element":"u8","src":"4:-1","dst":"4:1","src_offset":2,"src_elements":9}])";
  EXPECT_EQ(complaint_of(outside), "case 1: the source touches elements -1 to 2 of a buffer of 9.");
}

TEST(PermuteCases, AreJoinedToAsFewModesAsPossible) {
  // N, C, H, W from NCHW to NHWC: H and W stay together.
  modes const nchw = modes_of(case_of("(2,3,4,5):(60,20,5,1)", "(2,3,4,5):(60,1,15,3)"));
  EXPECT_EQ(joined(nchw), (modes{{20, 1, 3}, {3, 20, 1}, {2, 60, 60}}));
  EXPECT_EQ(joined(modes_of(case_of("(4,1,5):(1,0,4)", "(4,1,5):(1,0,4)"))), (modes{{20, 1, 1}}));
  EXPECT_TRUE(joined(modes_of(case_of("1:0", "1:0"))).empty());
}

// Both loops, on all kinds of layouts, against the algebra's own evaluation.
TEST(PermuteReference, FollowsTheLayouts) {
  char const* const pairs[][2] = {{"(7,5):(5,1)", "(7,5):(1,7)"},
                                  {"(7,5):(6,1)", "(7,5):(1,9)"},
                                  {"(2,(3,4),5):(60,(5,15),1)", "(2,(3,4),5):(3,(1,30),6)"},
                                  {"(2,3,4,5,2):(1,2,6,24,120)", "(2,3,4,5,2):(120,40,10,2,1)"},
                                  {"24:1", "24:1"},
                                  {"1:0", "1:0"},
                                  {"(1,6,1):(0,1,0)", "(1,6,1):(0,2,0)"}};
  for (auto const& [src, dst] : pairs)
    for (char const* const element : {"u8", "bf16", "f32", "f64", "c128"}) {
      permute_case const one = case_of(src, dst, element);
      modes const all = modes_of(one);
      auto const width = static_cast<std::size_t>(one.element_bytes());
      std::vector<std::byte> from(static_cast<std::size_t>(src_span(all)) * width);
      fill_source(from, one.element_bytes());
      std::vector<std::byte> want(static_cast<std::size_t>(dst_span(all)) * width, poison);
      auto by_coordinate = want, naive = want;
      for (std::int64_t i = 0; i < elements_of(all); ++i)
        std::memcpy(want.data() + static_cast<std::size_t>(one.dst(i)) * width,
                    from.data() + static_cast<std::size_t>(one.src(i)) * width, width);
      copy_by_coordinate(all, one.element_bytes(), from.data(), by_coordinate.data());
      copy_naively(all, one.element_bytes(), from.data(), naive.data());
      EXPECT_EQ(by_coordinate, want) << src << " -> " << dst << " " << element;
      EXPECT_EQ(naive, want) << src << " -> " << dst << " " << element;
    }
}

// Reversed, repeated and sliced sources and padded destinations: strides below 1 and offsets.
TEST(PermuteReference, FollowsStridesOfAnySign) {
  char const* const rows[] = {
      R"j("src":"(5,7):(7,-1)","dst":"(5,7):(1,5)","src_offset":6,"src_elements":35)j",
      R"j("src":"(5,7):(0,1)","dst":"(5,7):(7,1)","src_offset":3,"src_elements":12)j",
      R"j("src":"(3,4,2):(-16,2,0)","dst":"(3,4,2):(2,8,1)","src_offset":33,"src_elements":40,"dst_offset":2,"dst_elements":60)j",
      R"j("src":"(6,5):(9,1)","dst":"(6,5):(-5,1)","dst_offset":25)j"};
  for (std::string const row : rows) {
    permute_case const one = read_cases(R"([{"suite":"s","case":"c","element":"bf16",)" + row + "}]").front();
    modes const all = modes_of(one);
    EXPECT_FALSE(has_positive_strides(all) || is_dense(all)) << row;
    std::vector<std::uint16_t> from(static_cast<std::size_t>(one.src_elements));
    std::iota(from.begin(), from.end(), std::uint16_t{1});
    std::vector<std::uint16_t> want(static_cast<std::size_t>(one.dst_elements)), got = want;
    for (std::int64_t i = 0; i < elements_of(all); ++i)
      want.at(static_cast<std::size_t>(one.dst_offset + one.dst(i))) =
          from.at(static_cast<std::size_t>(one.src_offset + one.src(i)));
    team threads(1);
    work job{.one = &one,
             .all = all,
             .src = std::as_bytes(std::span(from)),
             .dst = std::as_writable_bytes(std::span(got)),
             .threads = &threads};
    copy_by_coordinate(all, 2, job.src_start(), job.dst_start());
    EXPECT_EQ(got, want) << row;
    for (auto const& party : {make_naive(), make_library()}) {
      std::fill(got.begin(), got.end(), std::uint16_t{0});
      EXPECT_EQ(party->prepare(job), "");
      party->run(1);
      EXPECT_EQ(got, want) << row << " by " << party->name();
    }
  }
}

TEST(PermuteReference, FillsWithNormalNumbersThatDiffer) {
  std::vector<float> floats(10000);
  fill_source(std::as_writable_bytes(std::span(floats)), 4);
  EXPECT_TRUE(std::all_of(floats.begin(), floats.end(), [](float x) { return std::isnormal(x); }));
  EXPECT_EQ(std::set<float>(floats.begin(), floats.end()).size(), floats.size());
  std::vector<double> doubles(10000);
  fill_source(std::as_writable_bytes(std::span(doubles)), 8);
  EXPECT_TRUE(std::all_of(doubles.begin(), doubles.end(), [](double x) { return std::isnormal(x); }));
  // bf16: the upper half of a float.
  std::vector<std::uint16_t> halves(10000);
  fill_source(std::as_writable_bytes(std::span(halves)), 2);
  for (std::uint16_t const bits : halves)
    EXPECT_TRUE(std::isnormal(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16)));
  std::vector<std::byte> bytes(4096 + 3);
  fill_source(bytes, 1);
  EXPECT_EQ(std::set<std::byte>(bytes.begin(), bytes.end()).size(), 256u);
}

TEST(PermuteMemory, IsAlignedAndKeepsItsSize) {
  large_buffer buffer;
  for (std::size_t const bytes : {std::size_t{1}, std::size_t{5} << 20, std::size_t{100}}) {
    buffer.resize(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % large_buffer::alignment, 0u);
    EXPECT_EQ(buffer.bytes().size(), bytes);
    buffer.fill(poison);
    EXPECT_EQ(buffer.bytes().back(), poison);
  }
}

TEST(PermuteTeam, CopiesEveryByteOnce) {
  for (int const threads : {1, 2, 3, 7}) {
    team all(threads);
    for (std::size_t const bytes : {std::size_t{0}, std::size_t{1000}, (std::size_t{8} << 20) + 5}) {
      std::vector<std::byte> from(bytes), to(bytes, poison);
      fill_source(from, 1);
      memcpy_by(all, to.data(), from.data(), bytes);
      EXPECT_EQ(to, from) << threads << " threads, " << bytes << " bytes";
      std::fill(to.begin(), to.end(), poison);
      stream_by(all, to.data(), from.data(), bytes);
      EXPECT_EQ(to, from) << threads << " threads past the caches, " << bytes << " bytes";
    }
  }
}

/// Copies all but one element.
class careless final : public local_party {
 public:
  explicit careless(std::int64_t forgotten) : forgotten_(forgotten) {}
  std::string name() const override { return "careless"; }
  std::string prepare(work const& job) override {
    job_ = job;
    return {};
  }

 protected:
  void copy() override {
    copy_naively(job_.all, job_.one->element_bytes(), job_.src.data(), job_.dst.data());
    job_.dst[static_cast<std::size_t>(forgotten_ * job_.one->element_bytes())] = poison;
  }

 private:
  std::int64_t forgotten_;
};

TEST(PermuteCheck, FindsTheWrongElement) {
  permute_case const one = case_of("(6,5):(5,1)", "(6,5):(1,6)");
  modes const all = modes_of(one);
  std::vector<std::byte> from(120), want(120), to(120);
  fill_source(from, 4);
  copy_by_coordinate(all, 4, from.data(), want.data());
  team threads(1);
  work const job{.one = &one, .all = all, .src = from, .dst = to, .threads = &threads};
  auto const naive = make_naive();
  naive->prepare(job);
  EXPECT_EQ(complaint_about(*naive, job, want), "");
  careless forgets(1 + 6 * 3);  // offset 19 of the destination is the element (1,3)
  forgets.prepare(job);
  EXPECT_EQ(complaint_about(forgets, job, want),
            "s c f32: the element at (1,3) is wrong after a copy by careless, first at byte 76 of 120.");
}

/// Says of itself how long it took.
class sleeper final : public party {
 public:
  explicit sleeper(double seconds) : seconds_(seconds) {}
  std::string name() const override { return "sleeper"; }
  std::string prepare(work const&) override { return {}; }
  double run(int repeats) override { return ++turns_, seconds_ * repeats * (turns_ % 2 == 0 ? 1 : 2); }

 private:
  double seconds_;
  int turns_ = 0;
};

TEST(PermuteTurns, GiveTheTimeOfOneCopy) {
  for (double const seconds : {1e-9, 1e-6, 2e-2}) {
    sleeper own(seconds), other(3 * seconds);
    two_timings const both = alternate(own, other, {.rounds = 6, .seconds = 0, .only_check = false});
    EXPECT_NEAR(both.own.fastest / seconds, 1, 1e-9);
    EXPECT_NEAR(both.other.fastest / seconds, 3, 1e-9);
    EXPECT_TRUE(both.own.median >= both.own.fastest && both.own.median <= 2.1 * seconds);
  }
}

}  // namespace
}  // namespace tilewright::bench

// fill, clear, transform and axpby against plain loops, on tensors in memory with padding, in registers and
// packed below a byte; and cooperative_copy, where a group of threads shares a copy that need not divide
// among them.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

#include "memory_check.hpp"
#include "tilewright/algorithm/elementwise.hpp"

namespace tilewright {
namespace {

using tests::counted;
using tests::guarded;
using tests::number;

using Padded = Layout<Shape<_3, _4>, Stride<_1, _5>>;
using Rows = Layout<Shape<_3, _4>, Stride<_4, _1>>;

/// Runs `change` on a padded matrix of 1, 2, … and compares with want(element, row, column); the padding must
/// stay.
template <class Change, class Want>
bool changes(Change const& change, Want const& want) {
  auto memory = counted<int>(20), before = memory;
  auto const t = make_tensor(memory.data(), Padded{});
  change(t);
  for (int i = 0; i < 20; ++i) {
    auto const at = static_cast<std::size_t>(i);
    bool const inside = i % 5 < 3;
    if (memory[at] != (inside ? want(before[at], i % 5, i / 5) : before[at])) return false;
  }
  return memory.margins_are(0);
}

TEST(Elementwise, FillAndClear) {
  EXPECT_TRUE(changes([](auto const& t) { fill(t, 7); }, [](int, int, int) { return 7; }));
  EXPECT_TRUE(changes([](auto const& t) { clear(t); }, [](int, int, int) { return 0; }));
  EXPECT_TRUE(changes([](auto const& t) { fill(t(_, 2), 9); }, [](int x, int, int n) { return n == 2 ? 9 : x; }));
  auto fragment = make_tensor<float>(Shape<_4, _2>{});
  fill(fragment, 3);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(fragment(i), 3.0f);
  auto packed = make_tensor<int4b_t>(Shape<_5>{});
  fill(packed, -3);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(static_cast<int>(packed(i)), -3);
  clear(packed);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(static_cast<int>(packed(i)), 0);
}

TEST(Elementwise, Transform) {
  EXPECT_TRUE(changes([](auto const& t) { transform(t, [](int x) { return 3 * x + 1; }); },
                      [](int x, int, int) { return 3 * x + 1; }));
  std::array<int, 12> a{}, b{};
  for (std::size_t i = 0; i < 12; ++i) {
    a[i] = static_cast<int>(i) + 1;
    b[i] = 100 * static_cast<int>(i);
  }
  auto const ta = make_tensor(a.data(), Rows{});
  auto const tb = make_tensor(b.data(), Layout<Shape<_3, _4>>{});
  EXPECT_TRUE(changes([&](auto const& t) { transform(ta, t, [](int x) { return -x; }); },
                      [](int, int m, int n) { return -(4 * m + n + 1); }));
  EXPECT_TRUE(changes([&](auto const& t) { transform(ta, tb, t, [](int x, int y) { return x + y; }); },
                      [](int, int m, int n) { return 4 * m + n + 1 + 100 * (m + 3 * n); }));
  std::array<double, 12> wide{};
  transform(ta, make_tensor(wide.data(), make_layout(make_shape(3, 4))), [](int x) { return x / 2.0; });
  EXPECT_EQ(wide[3], 1.0);  // (0, 1) of rows is 2
}

TEST(Elementwise, Axpby) {
  std::array<int, 12> x{};
  for (std::size_t i = 0; i < 12; ++i) x[i] = static_cast<int>(i) + 1;
  auto const tx = make_tensor(x.data(), Rows{});
  auto const at = [](int m, int n) { return 4 * m + n + 1; };
  EXPECT_TRUE(
      changes([&](auto const& t) { axpby(2, tx, 3, t); }, [&](int y, int m, int n) { return 2 * at(m, n) + 3 * y; }));
  EXPECT_TRUE(changes([&](auto const& t) { axpby(2, tx, 0, t); }, [&](int, int m, int n) { return 2 * at(m, n); }));
  std::array<bool, 12> holds{};
  for (std::size_t i = 0; i < 12; ++i) holds[i] = i % 2 == 0;
  auto const pred = make_tensor(holds.data(), Rows{});
  EXPECT_TRUE(changes([&](auto const& t) { axpby(2, tx, 3, t, pred); },
                      [&](int y, int m, int n) { return n % 2 == 0 ? 2 * at(m, n) + 3 * y : y; }));
  EXPECT_TRUE(changes([&](auto const& t) { axpby(5, tx, 0, t, pred); },
                      [&](int y, int m, int n) { return n % 2 == 0 ? 5 * at(m, n) : y; }));
  // A beta of 0 does not read y, whatever stands there.
  std::array<float, 2> y{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::quiet_NaN()};
  std::array<float, 2> const ones{1.0f, 1.0f};
  axpby(4.0f, make_tensor(ones.data(), Layout<_2>{}), 0.0f, make_tensor(y.data(), Layout<_2>{}));
  EXPECT_EQ(y, (std::array<float, 2>{4.0f, 4.0f}));
}

constexpr int transformed_sum() {
  auto t = make_tensor<int>(Shape<_4>{});
  fill(t, 2);
  transform(t, [](int x) { return x * x; });
  axpby(1, t, 1, t);
  return t(0) + t(1) + t(2) + t(3);
}
static_assert(transformed_sum() == 32);

// --- cooperative_copy
// ------------------------------------------------------------------------------------------------
/// All threads, some beyond the group, and how often each element was written.
template <unsigned Threads, unsigned Bits, class T, class SL, class DL>
bool cooperates(SL const& from, DL const& to) {
  auto source = counted<T>(number(cosize(from)));
  guarded<T> target(static_cast<std::size_t>(number(cosize(to))), T(255));
  auto const s = make_tensor(static_cast<T const*>(source.data()), from);
  auto const d = make_tensor(target.data(), to);
  std::vector<int> writes(target.count, 0);
  for (unsigned tid = 0; tid < Threads + 5; ++tid) {
    guarded<T> alone(target.count, T(255));
    cooperative_copy<Threads, Bits>(tid, s, make_tensor(alone.data(), to));
    cooperative_copy<Threads, Bits>(tid, s, d);
    int own = 0;
    for (std::size_t i = 0; i < target.count; ++i) {
      writes[i] += alone[i] != T(255);
      own += alone[i] != T(255);
    }
    if (!alone.margins_are(T(255)) || (tid >= Threads && own != 0)) return false;
  }
  std::vector<bool> inside(target.count, false);
  for (int i = 0; i < static_cast<int>(size(to)); ++i) {
    inside[static_cast<std::size_t>(to(i))] = true;
    if (d(i) != s(i)) return false;
  }
  for (std::size_t i = 0; i < target.count; ++i)
    if (writes[i] != (inside[i] ? 1 : 0)) return false;
  return true;
}

TEST(CooperativeCopy, SharesThatDivideAndThatDoNot) {
  using Columns = Layout<Shape<_8, _12>>;
  using RowMajor = Layout<Shape<_8, _12>, Stride<_12, _1>>;
  EXPECT_TRUE((cooperates<32, 128, float>(Columns{}, Columns{})));
  EXPECT_TRUE((cooperates<7, 128, float>(Columns{}, Columns{})));
  EXPECT_TRUE((cooperates<100, 32, float>(Columns{}, RowMajor{})));
  EXPECT_TRUE((cooperates<5, 64, std::uint8_t>(RowMajor{}, Columns{})));
  EXPECT_TRUE((cooperates<1, 128, std::uint16_t>(RowMajor{}, RowMajor{})));
  EXPECT_TRUE((cooperates<32, 256, float>(Columns{}, Layout<Shape<_8, _12>, Stride<_1, _20>>{})));
  EXPECT_TRUE((cooperates<9, 128, float>(Layout<Shape<_7, _5>>{}, Layout<Shape<_7, _5>, Stride<_6, Int<50>>>{})));
  EXPECT_TRUE((cooperates<16, 128, std::uint16_t>(Layout<Shape<_64, _8>>{},
                                                  composition(Swizzle<3, 3, 3>{}, Layout<Shape<_64, _8>>{}))));
}

TEST(CooperativeCopy, NeighbouringThreadsWriteNeighbours) {
  std::array<int, 64> in{}, out{};
  auto const s = make_tensor(in.data(), Layout<Shape<_8, _8>>{});
  auto const d = make_tensor(out.data(), Layout<Shape<_8, _8>, Stride<_8, _1>>{});
  fill(s, 1);
  cooperative_copy<16, 32>(3, s, d);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(out[static_cast<std::size_t>(i)], i % 16 == 3 ? 1 : 0);
}

}  // namespace
}  // namespace tilewright

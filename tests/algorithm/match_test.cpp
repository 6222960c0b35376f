// Which tensors may be paired: the rule for shapes against another statement of it over generated shapes, what it says of
// shapes that users write, the sentences of run-time shapes, and the element types that an atom may move.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tilewright/tilewright.hpp"

namespace tilewright {
namespace {

// --- the rule ----------------------------------------------------------------------------------------------------------
/// A shape as a flat list of extents; nesting is added by `nested`.
using extents = std::vector<long long>;

int_tree nested(extents const& flat, std::mt19937& random) {
  int_tree out{};
  std::uniform_int_distribution<std::size_t> length(1, 3);
  std::vector<extents> groups;
  for (std::size_t at = 0; at < flat.size();) {
    std::size_t const n = std::min(length(random), flat.size() - at);
    groups.emplace_back(flat.begin() + static_cast<std::ptrdiff_t>(at),
                        flat.begin() + static_cast<std::ptrdiff_t>(at + n));
    at += n;
  }
  out.open(static_cast<int>(groups.size()));
  for (extents const& group : groups) {
    if (group.size() > 1) out.open(static_cast<int>(group.size()));
    for (long long const n : group) out.add_leaf(constant_leaf(n));
  }
  return out;
}

/// The products of the first 0, 1, 2, … extents, each once.
std::vector<long long> partial_products(extents const& flat) {
  std::vector<long long> out{1};
  for (long long const n : flat)
    if (n != 1) out.push_back(out.back() * n);
  return out;
}

/// The rule, said differently: between two neighbouring products that both shapes have, one of the shapes has none.
bool match_by_products(extents const& a, extents const& b) {
  auto const p = partial_products(a), q = partial_products(b);
  if (p.back() != q.back()) return false;
  std::vector<long long> common;
  std::set_intersection(p.begin(), p.end(), q.begin(), q.end(), std::back_inserter(common));
  for (std::size_t i = 1; i < common.size(); ++i) {
    auto const inside = [&](long long x) { return x > common[i - 1] && x < common[i]; };
    if (std::any_of(p.begin(), p.end(), inside) && std::any_of(q.begin(), q.end(), inside)) return false;
  }
  return true;
}

extents random_factors(long long n, std::mt19937& random) {
  extents out;
  while (n > 1) {
    std::vector<long long> divisors;
    for (long long d = 2; d <= n; ++d)
      if (n % d == 0) divisors.push_back(d);
    long long const d = divisors[std::uniform_int_distribution<std::size_t>(0, divisors.size() - 1)(random)];
    if (random() % 4 == 0) out.push_back(1);
    out.push_back(d);
    n /= d;
  }
  if (out.empty()) out.push_back(1);
  return out;
}

TEST(Match, AgreesWithPartialProducts) {
  std::mt19937 random(7);
  int yes = 0, no = 0;
  for (int round = 0; round < 20000; ++round) {
    long long const sizes[] = {8, 12, 24, 36, 64, 30, 7};
    long long const n = sizes[random() % 7];
    extents const a = random_factors(n, random),
                  b = random_factors(random() % 8 == 0 ? sizes[random() % 7] : n, random);
    int_tree const x = nested(a, random), y = nested(b, random);
    bool const alike = same_profile(x, x.root(), y, y.root());
    bool const expected = alike ? a == b : match_by_products(a, b);
    ASSERT_EQ(algebra::shapes_match(x, y), expected);
    ASSERT_EQ(algebra::shapes_match(y, x), expected);
    ++(expected ? yes : no);
  }
  EXPECT_GT(yes, 1000);
  EXPECT_GT(no, 1000);
}

template <class A, class B>
constexpr bool match = detail::static_shapes_match<A, B>;
static_assert(match<Shape<_8, _4>, _32> && match<_32, Shape<_4, _8>>);
static_assert(match<Shape<Shape<_4, _2>, _4>, Shape<_2, _4, Shape<_2, _2>>> == false);
static_assert(match<Shape<Shape<_4, _2>, _4>, Shape<_8, Shape<_2, _2>>>);
static_assert(match<Shape<Shape<_8, _1>, _1, _4>, Shape<_8, _4>> && match<Shape<Shape<_8, _1>>, Shape<_1, _8>>);
static_assert(!match<Shape<_8, _4>, Shape<_4, _8>> && !match<Shape<_1, _8>, Shape<_8, _1>> && !match<_8, _9>);
static_assert(!match<Shape<Shape<_4, _2>, _4>, Shape<Shape<_2, _4>, _4>>);
static_assert(match<Shape<_2, _3, _4>, Shape<_6, Shape<_2, _2>>> && !match<Shape<_4, _6>, Shape<_6, Shape<_2, _2>>>);

// --- run-time shapes, in every build -----------------------------------------------------------------------------------
template <class F>
std::string refused(F const& f) {
  try {
    f();
  } catch (layout_error const& e) {
    return e.what();
  }
  return "nothing";
}

std::array<float, 64> from{}, to{};
template <class... Extent>
auto source(Extent... extent) {
  return make_tensor(from.data(), make_layout(make_shape(extent...)));
}
template <class... Extent>
auto target(Extent... extent) {
  return make_tensor(to.data(), make_layout(make_shape(extent...)));
}

TEST(Match, RunTimeShapesAreNamed) {
  std::string const remedy =
      "; slice or partition both alike, or pair elements by index with with_shape(source, shape(destination)) "
      "(docs/errors.md#copy_shape)";
  EXPECT_EQ(refused([] { copy(source(8, 4), target(4, 8)); }),
            "copy: the shapes of source and destination do not match (source (8,4), destination (4,8))" + remedy);
  EXPECT_EQ(refused([] { copy(source(8, _4{}), target(_4{}, 8)); }),
            "copy: the shapes of source and destination do not match (source (8,4), destination (4,8))" + remedy);
  EXPECT_EQ(refused([] { copy(source(make_shape(2, 4), 4), target(4, 8)); }),
            "copy: the shapes of source and destination do not match (source ((2,4),4), destination (4,8))" + remedy);
  EXPECT_EQ(refused([] { copy(source(8), target(9)); }),
            "copy: the shapes of source and destination do not match (source (8), destination (9))" + remedy);
  EXPECT_EQ(refused([] { copy(AutoVectorizingCopy{}, source(8, 4), target(4, 8)); }).substr(0, 5), "copy:");
  EXPECT_EQ(refused([] { transform(source(8, 4), target(4, 8), [](float x) { return x; }); }),
            "transform: the shapes of source and destination do not match (source (8,4), destination (4,8))" + remedy);
  EXPECT_EQ(refused([] { axpby(1.0f, source(8), 0.0f, target(4)); }),
            "axpby: the shapes of source and destination do not match (source (8), destination (4))" + remedy);
  EXPECT_EQ(refused([] { copy_if(source(8, 4), source(8, 4), target(4, 8)); }),
            "copy_if: the shapes of source and destination do not match (source (8,4), destination (4,8))" + remedy);
  EXPECT_EQ(refused([] { copy_if(source(4, 8), source(8, 4), target(8, 4)); }),
            "copy_if: the shapes of predicate and source do not match (predicate (4,8), source (8,4)); give the "
            "predicate one element for each element (or atom) that may move (docs/errors.md#predicate_shape)");
}

// What matches is paired by index, whatever the nesting: nothing is refused, and every element arrives.
TEST(Match, OtherNestingsGoByIndex) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
  auto const arrives = [](auto const& s, auto const& d) {
    to.fill(-1);
    copy(s, d);
    for (int i = 0; i < static_cast<int>(size(s)); ++i)
      if (d(i) != s(i)) return false;
    return true;
  };
  EXPECT_TRUE(arrives(source(8, 4), target(32)));
  EXPECT_TRUE(arrives(source(make_shape(2, 4), 4), target(8, make_shape(2, 2))));
  EXPECT_TRUE(arrives(source(1, 8, 1), target(8)));
  EXPECT_TRUE(arrives(source(_8{}, 4), target(make_shape(2, _4{}), 4)));
  EXPECT_TRUE(arrives(make_tensor(from.data(), Layout<Shape<_8, _4>>{}),
                      make_tensor(to.data(), Layout<Shape<Shape<_2, _4>, _4>, Stride<Stride<_4, _8>, _1>>{})));
}

// An atom's partitions: mode 0 holds its values, the other modes match one by one.
TEST(Match, RestModesOneByOne) {
  Copy_Atom<UniversalCopy<float>, float> const atom{};
  EXPECT_EQ(
      refused([&] { copy(atom, source(_1{}, 4, 8), target(_1{}, 8, 4)); }),
      "copy: the shapes of source and destination do not match (source 4, destination 8); slice or partition both "
      "alike, or pair elements by index with with_shape(source, shape(destination)) (docs/errors.md#copy_shape)");
  EXPECT_EQ(refused([&] { copy(atom, source(_1{}, 4, 8), target(_1{}, 4, make_shape(2, 4))); }), "nothing");
}

// --- elements ----------------------------------------------------------------------------------------------------------
static_assert(detail::one_element_type<float, float> && detail::one_element_type<std::uint32_t, float> &&
              detail::one_element_type<float, word<32>>);
static_assert(!detail::one_element_type<float, double> && !detail::one_element_type<float, std::int32_t> &&
              !detail::one_element_type<std::uint16_t, float> && !detail::one_element_type<bool, std::int8_t>);

TEST(Match, UnsignedIntegersStandForBits) {
  std::array<float, 4> const in{1.5f, -2, 3, 4};
  std::array<std::uint32_t, 4> bits{};
  copy(Copy_Atom<UniversalCopy<std::uint32_t>, float>{}, make_tensor(in.data(), Layout<Shape<_1, _4>>{}),
       make_tensor(bits.data(), Layout<Shape<_1, _4>>{}));
  EXPECT_EQ(bits, (std::array<std::uint32_t, 4>{0x3fc00000, 0xc0000000, 0x40400000, 0x40800000}));
}

}  // namespace
}  // namespace tilewright

// make_cotiled_copy: threads and values given by the addresses they touch. Whatever the data's layout, value
// v of thread t is the element at that address, and the tile holds nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "coverage.hpp"

namespace tilewright {
namespace {

using tests::number;

template <class Tv, class Data>
constexpr bool touches_the_given_addresses(Tv const& tv, Data const& data) {
  auto const copy = make_cotiled_copy(Copy_Atom<UniversalCopy<uint_bit_t<32>>, float>{}, tv, data);
  int const threads = static_cast<int>(size<0>(tv)), values = static_cast<int>(size<1>(tv));
  if (copy.get_slice(0).partition_S(make_counting_tensor(data)).size() < values) return false;
  for (int t = 0; t < threads; ++t) {
    auto const mine = copy.get_slice(t).partition_S(make_counting_tensor(data));
    for (int v = 0; v < values; ++v)
      if (number(mine(v)) != number(tv(t, v))) return false;
  }
  return true;
}

/// Over the whole tensor: repetitions of the tile own every element once.
template <class Tv, class Data>
bool owns_everything_once(Tv const& tv, Data const& data) {
  auto const copy = make_cotiled_copy(Copy_Atom<UniversalCopy<uint_bit_t<32>>, float>{}, tv, data);
  std::vector<int> owners(static_cast<std::size_t>(number(cosize(data))), 0);
  for (int t = 0; t < static_cast<int>(size<0>(tv)); ++t)
    for (long long const at : tests::offsets(copy.get_slice(t).partition_D(make_counting_tensor(data))))
      ++owners[static_cast<std::size_t>(at)];
  std::vector<long long> const all = tests::offsets(data);
  return std::all_of(all.begin(), all.end(), [&](long long at) { return owners[static_cast<std::size_t>(at)] == 1; });
}

// 8 threads with 4 contiguous elements each, in data of one mode, two modes either way, and padded.
using Contiguous = Layout<Shape<_8, _4>, Stride<_4, _1>>;
static_assert(touches_the_given_addresses(Contiguous{}, Layout<Shape<_8, _16>>{}));
static_assert(touches_the_given_addresses(Contiguous{}, Layout<Shape<_8, _16>, Stride<_16, _1>>{}));
static_assert(touches_the_given_addresses(Contiguous{}, Layout<Shape<_4, _8, _4>>{}));
static_assert(touches_the_given_addresses(Contiguous{}, Layout<Shape<_4, _32>, Stride<_32, _1>>{}));

// Threads along the contiguous mode, values a row apart.
using Rows = Layout<Shape<_8, _4>, Stride<_1, _16>>;
static_assert(touches_the_given_addresses(Rows{}, Layout<Shape<_16, _8>>{}));
static_assert(touches_the_given_addresses(Rows{}, Layout<Shape<_8, _16>, Stride<_16, _1>>{}));
static_assert(touches_the_given_addresses(Layout<Shape<Shape<_4, _2>, _2>, Stride<Stride<_2, _16>, _1>>{},
                                          Layout<Shape<_16, _8>>{}));

TEST(Cotiled, RepetitionsOwnEveryElementOnce) {
  EXPECT_TRUE(owns_everything_once(Contiguous{}, Layout<Shape<_8, _16>>{}));
  EXPECT_TRUE(owns_everything_once(Contiguous{}, Layout<Shape<_8, _16>, Stride<_16, _1>>{}));
  EXPECT_TRUE(owns_everything_once(Rows{}, Layout<Shape<_16, _8>>{}));
  EXPECT_TRUE(owns_everything_once(Rows{}, Layout<Shape<_8, _16>, Stride<_16, _1>>{}));
}

}  // namespace
}  // namespace tilewright

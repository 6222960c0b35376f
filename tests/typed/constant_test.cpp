// Constants: arithmetic that stays in the type, folds with run-time integers, literals, functions of two
// integers; and run-time integers with a stated divisor.
#include <gtest/gtest.h>

#include <type_traits>

#include "tilewright/algebra/operations.hpp"

namespace tilewright {
namespace {

using namespace literals;

template <class A, class B>
constexpr bool same = std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>;

// --- constants with constants
// ----------------------------------------------------------------------------------------
static_assert(same<decltype(_6{} + _3{}), _9>);
static_assert(same<decltype(_6{} - _8{}), Int<-2>>);
static_assert(same<decltype(_6{} * _3{}), Int<18>>);
static_assert(same<decltype(_7{} / _3{}), _2>);
static_assert(same<decltype(_7{} % _3{}), _1>);
static_assert(same<decltype(-_7{}), Int<-7>>);
static_assert(same<decltype(+_7{}), _7>);
static_assert(same<decltype(~_0{}), _m1>);
static_assert(same<decltype(_6{} & _3{}), _2>);
static_assert(same<decltype(_6{} | _3{}), _7>);
static_assert(same<decltype(_6{} ^ _3{}), _5>);
static_assert(same<decltype(_3{} << _4{}), _48>);
static_assert(same<decltype(_48{} >> _4{}), _3>);
static_assert(same<decltype(_3{} < _4{}), true_type>);
static_assert(same<decltype(_3{} >= _4{}), false_type>);
static_assert(same<decltype(_3{} == _3{}), true_type>);
static_assert(same<decltype(_3{} != _3{}), false_type>);
static_assert(same<decltype(_3{} <= _3{}), true_type> && same<decltype(_3{} > _3{}), false_type>);
static_assert(same<decltype(true_type{} && false_type{}), false_type>);
static_assert(same<decltype(true_type{} || false_type{}), true_type>);
static_assert(same<decltype(!false_type{}), true_type>);
static_assert(same<decltype(C<4LL>{} + _4{}), C<8LL>>);

static_assert(same<Int<4>, C<4>> && same<Int<4>, _4> && !same<C<4>, C<4LL>>);
static_assert(same<normal_constant<4LL>, _4> && same<normal_constant<1LL << 40>, C<1LL << 40>>);
static_assert(same<normal_constant<int32_min>, Int<static_cast<int>(int32_min)>>);

static_assert(_16{} == 16 && _16{}() == 16 && _16::value == 16);
static_assert(_1024::value == 1024 && _65536::value == 65536);

// Every constant that has a name of its own is what it is called.
static_assert(_0{} == 0 && _1{} == 1 && _2{} == 2 && _5{} == 5 && _11{} == 11 && _13{} == 13 && _20{} == 20);
static_assert(_24{} == 24 && _28{} == 28 && _36{} == 36 && _40{} == 40 && _72{} == 72 && _136{} == 136);
static_assert(_192{} == 192 && _248{} == 248 && _320{} == 320 && _576{} == 576 && _832{} == 832 && _960{} == 960);

// --- literals
// --------------------------------------------------------------------------------------------------------
static_assert(same<decltype(0_c), _0> && same<decltype(16_c), _16> && same<decltype(1'024_c), _1024>);
static_assert(same<decltype(10'000'000'000_c), C<10'000'000'000LL>>);
static_assert(same<decltype(-3_c), Int<-3>>);

// --- folds with run-time integers
// ------------------------------------------------------------------------------------
int some_number = 37;

static_assert(same<decltype(_0{} * some_number), _0> && same<decltype(some_number * _0{}), _0>);
static_assert(same<decltype(_0{} / some_number), _0> && same<decltype(_0{} % some_number), _0>);
static_assert(same<decltype(some_number % _1{}), _0> && same<decltype(some_number % _m1{}), _0>);
static_assert(same<decltype(some_number * _2{}), int> && same<decltype(some_number % _2{}), int>);
static_assert(same<decltype(some_number + _2{}), int> && same<decltype(C<1LL << 40>{} + some_number), long long>);

TEST(Constant, ArithmeticWithRunTimeIntegers) {
  EXPECT_EQ(_3{} * some_number, 111);
  EXPECT_EQ(some_number * _3{}, 111);
  EXPECT_EQ(some_number / _5{}, 7);
  EXPECT_EQ(some_number % _5{}, 2);
}

// --- functions
// -------------------------------------------------------------------------------------------------------
static_assert(same<decltype(min(_3{}, _5{})), _3> && same<decltype(max(_3{}, _5{})), _5>);
static_assert(same<decltype(gcd(_12{}, Int<18>{})), _6> && same<decltype(lcm(_4{}, _6{})), _12>);
static_assert(same<decltype(gcd(_0{}, _5{})), _5> && same<decltype(lcm(_0{}, _5{})), _0>);
static_assert(same<decltype(abs(Int<-4>{})), _4> && same<decltype(abs(_4{})), _4>);
static_assert(same<decltype(ceil_div(_7{}, _2{})), _4> && same<decltype(round_up(_7{}, _4{})), _8>);
static_assert(min(3, _5{}) == 3 && max(3, _5{}) == 5 && min(_3{}, 5LL) == 3 && gcd(12, _8{}) == 4 && lcm(4, 6) == 12);
static_assert(abs(-9) == 9 && ceil_div(9, 4) == 3 && ceil_div(8, _4{}) == 2 && round_up(9, _4{}) == 12);
static_assert(same<decltype(max(3, 5LL)), long long>);

constexpr bool ceil_div_by_search() {
  for (int a = 0; a < 40; ++a)
    for (int b = 1; b < 12; ++b) {
      int times = 0;
      while (times * b < a) ++times;
      if (ceil_div(a, b) != times || round_up(a, b) != times * b) return false;
    }
  return true;
}
static_assert(ceil_div_by_search());

// --- run-time integers with a stated divisor
// -------------------------------------------------------------------------
static_assert(same<decltype(multiple_of<8>(16)), multiple<8, int>>);
static_assert(same<decltype(multiple_of<8>(_16{})), _16>);
static_assert(multiple_of<8>(24) == 24 && multiple<8, int>::divisor == 8 && sizeof(multiple<8, int>) == sizeof(int));
static_assert(is_multiple_v<multiple<8, int>> && !is_multiple_v<int> && is_constant_v<_4> && !is_constant_v<int>);

// --- constants take no space
// -----------------------------------------------------------------------------------------
static_assert(std::is_empty_v<_4> && std::is_trivially_copyable_v<_4>);

}  // namespace
}  // namespace tilewright

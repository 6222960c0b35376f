// Functions that a program adds to namespace cute for its own types, after it has included CuTe's headers: calls in the library's
// templates take them, as the arguments' types say.
#include <gtest/gtest.h>
#include <cute/tensor.hpp>

#include <string>
#include <vector>

namespace cute {

/// A copy of one float.
struct own_copy {
  using SRegisters = float[1];
  using DRegisters = float[1];
  CUTE_HOST_DEVICE static void copy(float const& src, float& dst) { dst = src; }
};
template <>
struct Copy_Traits<own_copy> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, Int<32>>>;
  using DstLayout = Layout<Shape<_1, Int<32>>>;
  using RefLayout = SrcLayout;
};
/// A product of one thread.
struct own_product {
  using DRegisters = float[1];
  using ARegisters = float[1];
  using BRegisters = float[1];
  using CRegisters = float[1];
  CUTE_HOST_DEVICE static void fma(float& d, float const& a, float const& b, float const& c) { d = c + a * b; }
};
template <>
struct MMA_Traits<own_product> : MMA_Traits<UniversalFMA<float, float, float, float>> {};
struct own_product_by_columns : own_product {};
template <>
struct MMA_Traits<own_product_by_columns> : MMA_Traits<own_product> {};

inline int copies = 0, predicated_copies = 0, operations = 0, columns = 0;

// CuTe's signatures.
template <class T, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
CUTE_HOST_DEVICE void copy(Copy_Atom<own_copy, T> const&, Tensor<SrcEngine, SrcLayout> const& src,
                           Tensor<DstEngine, DstLayout>& dst) {
  ++copies;
  for (int i = 0; i < size(src); ++i) dst(i) = -src(i);
}
template <class Predicate, class T, class SrcEngine, class SrcLayout, class DstEngine, class DstLayout>
CUTE_HOST_DEVICE void copy_if(Copy_Atom<own_copy, T> const&, Predicate const& moves,
                              Tensor<SrcEngine, SrcLayout> const& src, Tensor<DstEngine, DstLayout>& dst) {
  ++predicated_copies;
  for (int i = 0; i < size(src); ++i)
    if (moves(i)) dst(i) = 2 * src(i);
}
/// (V) × (V) => (V)
template <class TD, class DLayout, class TA, class ALayout, class TB, class BLayout, class TC, class CLayout>
requires(DLayout::rank == 1) CUTE_HOST_DEVICE
    void gemm(MMA_Atom<own_product> const& mma, Tensor<TD, DLayout>& D, Tensor<TA, ALayout> const& A,
              Tensor<TB, BLayout> const& B, Tensor<TC, CLayout> const& C) {
  ++operations;
  mma.call(D, A, B, C);
}
/// (V,M) × (V,N) => (V,M,N)
template <class TD, class DLayout, class TA, class ALayout, class TB, class BLayout, class TC, class CLayout>
requires(DLayout::rank == 3 && ALayout::rank == 2) CUTE_HOST_DEVICE
    void gemm(MMA_Atom<own_product_by_columns> const&, Tensor<TD, DLayout>& D, Tensor<TA, ALayout> const& A,
              Tensor<TB, BLayout> const& B, Tensor<TC, CLayout> const& C) {
  ++columns;
  for (int m = 0; m < size<1>(A); ++m)
    for (int n = 0; n < size<1>(B); ++n) D(0, m, n) = C(0, m, n) + A(0, m) * B(0, n);
}

}  // namespace cute

namespace program {

/// A number whose sums are maxima.
struct tropical {
  int value = 0;
};
inline void fma(tropical& d, tropical const& a, tropical const& b, tropical const& c) {
  d.value = std::max(a.value + b.value, c.value);
}
inline tropical max(tropical const& a, tropical const& b) { return a.value < b.value ? b : a; }
inline void print(tropical const& x) { printf("t%d", x.value); }

/// An element with pretty_print.
struct word {
  char text[4] = "";
};
inline void pretty_print(word const& w) { printf("[%s]", w.text); }

/// An iterator of squares.
struct squares {
  using value_type = int;
  using element_type = int const;
  using reference = int;
  int first = 0;
  int operator[](int i) const { return (first + i) * (first + i); }
  int operator*() const { return first * first; }
  squares operator+(int i) const { return {first + i}; }
};
inline void print(squares const& it) { printf("squares(%d)", it.first); }

}  // namespace program

using namespace cute;

namespace {

auto tiled_copy() {
  return make_tiled_copy(Copy_Atom<own_copy, float>{}, Layout<Shape<_2, _2>>{}, Layout<Shape<_1, _1>>{});
}

TEST(own_overloads, copy_of_an_own_atom_by_a_tiled_copy) {
  auto const tiled = tiled_copy();
  auto src = make_tensor<float>(Shape<_4, _2>{});
  auto dst = make_tensor<float>(Shape<_4, _2>{});
  for (int i = 0; i < 8; ++i) src(i) = static_cast<float>(i + 1), dst(i) = 0;
  auto const mine = tiled.get_slice(1);
  auto to = mine.partition_D(dst);
  copies = 0;
  copy(tiled, mine.partition_S(src), to);
  EXPECT_EQ(copies, 1);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(dst(i), i == 1 || i == 3 ? -src(i) : 0.0f) << i;
}

TEST(own_overloads, copy_if_of_an_own_atom_by_a_tiled_copy) {
  auto const tiled = tiled_copy();
  auto src = make_tensor<float>(Shape<_4, _2>{});
  auto dst = make_tensor<float>(Shape<_4, _2>{});
  for (int i = 0; i < 8; ++i) src(i) = static_cast<float>(i + 1), dst(i) = 0;
  auto const mine = tiled.get_slice(0);
  auto to = mine.partition_D(dst);
  predicated_copies = 0;
  copy_if(
      tiled, [](int i) { return i == 1; }, mine.partition_S(src), to);
  EXPECT_EQ(predicated_copies, 1);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(dst(i), i == 2 ? 2 * src(i) : 0.0f) << i;
}

template <class Op>
void expect_product() {
  auto const mma = make_tiled_mma(Op{});
  auto a = make_tensor<float>(Shape<_1, _4, _3>{});
  auto b = make_tensor<float>(Shape<_1, _2, _3>{});
  auto c = make_tensor<float>(Shape<_1, _4, _2>{});
  for (int i = 0; i < size(a); ++i) a(i) = static_cast<float>(i % 5 - 2);
  for (int i = 0; i < size(b); ++i) b(i) = static_cast<float>(i % 3 - 1);
  clear(c);
  gemm(mma, a, b, c);
  for (int m = 0; m < 4; ++m)
    for (int n = 0; n < 2; ++n) {
      float sum = 0;
      for (int k = 0; k < 3; ++k) sum += a(0, m, k) * b(0, n, k);
      EXPECT_EQ(c(0, m, n), sum) << m << "," << n;
    }
}
TEST(own_overloads, gemm_of_an_own_operation_by_rank) {
  operations = columns = 0;
  expect_product<own_product>();
  EXPECT_EQ(operations, 4 * 2 * 3);
  expect_product<own_product_by_columns>();
  EXPECT_EQ(columns, 3);
}

TEST(own_overloads, fma_and_max_of_an_own_number) {
  using program::tropical;
  auto a = make_tensor<tropical>(Shape<_2, _3>{});
  auto b = make_tensor<tropical>(Shape<_2, _3>{});
  auto c = make_tensor<tropical>(Shape<_2, _2>{});
  for (int i = 0; i < 6; ++i) a(i) = {3 * i % 7}, b(i) = {5 * i % 7};
  for (int i = 0; i < 4; ++i) c(i) = {0};
  gemm(a, b, c);
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 2; ++n) {
      int best = 0;
      for (int k = 0; k < 3; ++k) best = std::max(best, a(m, k).value + b(n, k).value);
      EXPECT_EQ(c(m, n).value, best);
    }
  EXPECT_EQ(max_fn{}(tropical{3}, tropical{5}).value, 5);
}

template <class F>
std::string printed(F const& f) {
  testing::internal::CaptureStdout();
  f();
  fflush(stdout);
  return testing::internal::GetCapturedStdout();
}
TEST(own_overloads, print_of_own_iterators_and_elements) {
  EXPECT_EQ(printed([] { print(make_tensor(program::squares{2}, Layout<_4>{})); }), "squares(2) o _4:_1");
  EXPECT_EQ(printed([] { print(make_tuple(program::tropical{7}, _1{})); }), "(t7,_1)");
  auto numbers = make_tensor<program::tropical>(Shape<_2>{});
  numbers(0) = {4}, numbers(1) = {5};
  auto const text = printed([&] { print_tensor(numbers); });
  EXPECT_NE(text.find(":\n  t4\n  t5\n"), std::string::npos) << text;
  auto words = make_tensor<program::word>(Shape<_1, _2>{});
  words(0) = {"a"}, words(1) = {"bc"};
  EXPECT_NE(printed([&] { print_tensor(words); }).find(":\n[a][bc]\n"), std::string::npos);
}

}  // namespace

// A program's function names the operators of constants beside its own.
namespace program {
struct number {
  int value;
};
constexpr bool operator<(number a, number b) { return a.value < b.value; }
template <class A, class B>
constexpr bool is_less(A const& a, B const& b) {
  using cute::operator<;
  using program::operator<;
  return bool(a < b);
}
static_assert(is_less(cute::_3{}, cute::_4{}) && !is_less(cute::_4{}, cute::_4{}) && is_less(cute::_3{}, 4));
static_assert(is_less(number{1}, number{2}) && !is_less(number{2}, number{2}));
}  // namespace program

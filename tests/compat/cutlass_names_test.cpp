// The names of CUTLASS that programs on CuTe's layouts and copies include: macros, arrays, conversions, the command line.
#include <cutlass/arch/arch.h>
#include <cutlass/arch/grid_dependency_control.h>
#include <cutlass/arch/memory.h>
#include <cutlass/arch/reg_reconfig.h>
#include <cutlass/array.h>
#include <cutlass/bfloat16.h>
#include <cutlass/cutlass.h>
#include <cutlass/device_kernel.h>
#include <cutlass/fast_math.h>
#include <cutlass/half.h>
#include <cutlass/layout/layout.h>
#include <cutlass/numeric_conversion.h>
#include <cutlass/numeric_size.h>
#include <cutlass/numeric_types.h>
#include <cutlass/relatively_equal.h>
#include <cutlass/util/command_line.h>
#include <gtest/gtest.h>
#include <cute/tensor.hpp>
#include <cutlass/arch/synclog.hpp>
#include <cutlass/cluster_launch.hpp>
#include <cutlass/detail/dependent_false.hpp>
#include <cutlass/detail/layout.hpp>
#include <cutlass/epilogue/collective/builders/sm90_common.inl>
#include <cutlass/epilogue/collective/detail.hpp>
#include <cutlass/gemm/collective/builders/sm90_common.inl>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/kernel_hardware_info.hpp>
#include <cutlass/util/GPU_Clock.hpp>
#include <cutlass/util/helper_cuda.hpp>
#include <cutlass/util/print_error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace {

CUTLASS_HOST_DEVICE int sum_of(cutlass::Array<int, 4> const& values) {
  int sum = 0;
  CUTLASS_PRAGMA_UNROLL
  for (int i = 0; i < 4; ++i) sum += values[std::size_t(i)];
  CUTLASS_PRAGMA_NO_UNROLL
  for (int i = 0; i < 4; ++i) sum += values[std::size_t(i)];
  return sum;
}
template <class T, int N>
constexpr int length(cutlass::Array<T, N> const&) {
  return N;
}

TEST(Cutlass, Arrays) {
  cutlass::Array<int, 4> values;
  values.fill(3);
  EXPECT_EQ(sum_of(values), 24);
  EXPECT_EQ(length(values), 4);
  static_assert(cutlass::Array<float, 6>::kElements == 6);
  cutlass::Array<cutlass::int4b_t, 8> packed;
  static_assert(sizeof(packed) == 4);
  packed.clear();
  packed[3] = cutlass::int4b_t(-5);
  EXPECT_EQ(int(packed[3]), -5);
  EXPECT_EQ(int(packed[2]), 0);
  using Access = cutlass::AlignedArray<cutlass::half_t, 8>;
  static_assert(alignof(Access) == 16 && sizeof(Access) == 16 && length(Access{}) == 8);
  static_assert(cute::sizeof_bits_v<Access> == 128);
}

TEST(Cutlass, LayoutsOfSharedMemoryForOperands) {
  using namespace cute;
  using cutlass::gemm::collective::detail::ss_smem_selector;
  auto const along_k = [](auto k) { return ss_smem_selector<GMMA::Major::K, half_t, _128, decltype(k)>(); };
  static_assert(std::is_same_v<decltype(along_k(_64{})), GMMA::Layout_K_SW128_Atom<half_t>>);
  static_assert(std::is_same_v<decltype(along_k(_96{})), GMMA::Layout_K_SW64_Atom<half_t>>);
  static_assert(std::is_same_v<decltype(along_k(Int<48>{})), GMMA::Layout_K_SW32_Atom<half_t>>);
  static_assert(std::is_same_v<decltype(along_k(_8{})), GMMA::Layout_K_INTER_Atom<half_t>>);
  // The other operand in registers; this one as it is, or transposed by the warpgroup.
  using cutlass::gemm::collective::detail::rs_smem_selector;
  using K = GMMA::Layout_K_SW128_Atom<float>;
  static_assert(std::is_same_v<decltype(rs_smem_selector<GMMA::Major::K, float, _128, _32, true>()), K>);
  using Narrow = GMMA::Layout_MN_SW32_Atom<half_t>;
  static_assert(std::is_same_v<decltype(rs_smem_selector<GMMA::Major::MN, half_t, _16, _64>()), Narrow>);
  using Half = GMMA::Layout_MN_SW64_Atom<half_t>;
  static_assert(std::is_same_v<decltype(rs_smem_selector<GMMA::Major::MN, half_t, _32, _64, true>()), Half>);
  using Words = GMMA::Layout_MN_SW32_Atom<float>;
  static_assert(std::is_same_v<decltype(rs_smem_selector<GMMA::Major::MN, float, _128, _64, true>()), Words>);
  using Bytes = GMMA::Layout_MN_SW128_Atom<int8_t>;
  static_assert(std::is_same_v<decltype(rs_smem_selector<GMMA::Major::MN, int8_t, _128, _32, true>()), Bytes>);
  static_assert(std::is_same_v<decltype(ss_smem_selector<GMMA::Major::MN, float, _96, _64>()),
                               GMMA::Layout_MN_SW128_Atom<float>>);
  using cutlass::epilogue::collective::detail::sm90_get_smem_store_op_for_accumulator;
  using row_major = Stride<std::int64_t, _1>;
  using column_major = Stride<_1, std::int64_t>;
  using tile = Shape<_64, _32>;
  using narrow = Shape<_8, _24>;  // N alone decides
  static_assert(
      std::is_same_v<decltype(sm90_get_smem_store_op_for_accumulator<row_major, half_t, tile>()), SM90_U32x4_STSM_N>);
  static_assert(std::is_same_v<decltype(sm90_get_smem_store_op_for_accumulator<column_major, half_t, tile>()),
                               SM90_U16x8_STSM_T>);
  static_assert(
      std::is_same_v<decltype(sm90_get_smem_store_op_for_accumulator<row_major, half_t, narrow>()), SM90_U32x2_STSM_N>);
  static_assert(
      std::is_same_v<decltype(sm90_get_smem_store_op_for_accumulator<row_major, half_t>()), SM90_U32x4_STSM_N>);
  static_assert(
      std::is_same_v<decltype(sm90_get_smem_store_op_for_accumulator<column_major, half_t, Shape<_24, _16>>()),
                     SM90_U16x8_STSM_T>);
  static_assert(std::is_same_v<decltype(sm90_get_smem_store_op_for_accumulator<row_major, float, tile>()),
                               AutoVectorizingCopyWithAssumedAlignment<128>>);
}

TEST(Cutlass, AccessesOfMemory) {
  alignas(16) std::array<int, 8> memory{1, 2, 3, 4, 5, 6, 7, 8};
  alignas(16) std::array<int, 4> held{};
  cutlass::arch::global_load<std::array<int, 4>, 16>(held, memory.data() + 4, true);
  EXPECT_EQ(held, (std::array<int, 4>{5, 6, 7, 8}));
  cutlass::arch::global_load<std::array<int, 4>, 16>(held, memory.data(), false);
  EXPECT_EQ(held[0], 5);
  cutlass::arch::global_store<std::array<int, 4>, 8>(held, memory.data(), true);
  EXPECT_EQ(memory, (std::array<int, 8>{5, 6, 3, 4, 5, 6, 7, 8}));
  cutlass::arch::cp_async<8>(held.data(), memory.data() + 2);
  cutlass::arch::cp_async<8>(held.data(), memory.data(), false);
  EXPECT_EQ(held, (std::array<int, 4>{3, 4, 7, 8}));
  cutlass::arch::cp_async_zfill<16, cutlass::arch::CacheOperation::Global>(held.data(), memory.data(), false);
  EXPECT_EQ(held, (std::array<int, 4>{}));
  cutlass::arch::cp_async_fence();
  cutlass::arch::cp_async_wait<0>();
  cutlass::arch::wait_on_dependent_grids();
  cutlass::arch::launch_dependent_grids();
  cutlass::arch::synclog_emit_named_barrier_arrive(__LINE__, 128, 1);
  int a = 1, b = 2;
  cutlass::swap(a, b);
  EXPECT_EQ(a * 10 + b, 21);
  static_assert(cutlass::arch::Sm90::kMinComputeCapability == 90);
}

TEST(Cutlass, Literals) {
  EXPECT_EQ((1.5_hf).raw(), 0x3e00);
  EXPECT_EQ((2_bf16).raw(), 0x4000);
  EXPECT_EQ(static_cast<float>(0.5_tf32), 0.5f);
  EXPECT_EQ((7_fe4m3).raw(), 0x4e);  // 1.75 * 2^2
  EXPECT_EQ((1.5_fe5m2).raw(), 0x3e);
}

TEST(Cutlass, Conversions) {
  using cutlass::FloatRoundStyle;
  using cutlass::NumericConverter;
  EXPECT_EQ((NumericConverter<cutlass::half_t, float>{}(2.5f)).raw(), 0x4100);
  EXPECT_EQ((NumericConverter<float, cutlass::half_t>::convert(cutlass::half_t(2.5f))), 2.5f);
  EXPECT_EQ((NumericConverter<cutlass::bfloat16_t, cutlass::half_t>{}(cutlass::half_t(3.0f))).raw(), 0x4040);
  for (int i = -4000; i <= 4000; ++i) {
    float const x = float(i) / 16;
    ASSERT_EQ((NumericConverter<int, float>{}(x)), int(std::nearbyint(x)));
    ASSERT_EQ((NumericConverter<int, float, FloatRoundStyle::round_toward_zero>{}(x)), int(std::trunc(x)));
    ASSERT_EQ((NumericConverter<int, float, FloatRoundStyle::round_toward_infinity>{}(x)), int(std::ceil(x)));
    ASSERT_EQ((NumericConverter<int, float, FloatRoundStyle::round_toward_neg_infinity>{}(x)), int(std::floor(x)));
    double const nearest = std::nearbyint(static_cast<double>(x));
    ASSERT_EQ((NumericConverter<std::int8_t, float>{}(x)), int(nearest < -128 ? -128 : nearest > 127 ? 127 : nearest));
    ASSERT_EQ((NumericConverter<std::uint8_t, float>{}(x)), unsigned(nearest < 0 ? 0 : nearest > 255 ? 255 : nearest));
  }
  EXPECT_EQ((NumericConverter<int, float>{}(1e20f)), std::numeric_limits<int>::max());
  EXPECT_EQ((NumericConverter<int, float>{}(-1e20f)), std::numeric_limits<int>::min());
  EXPECT_EQ((NumericConverter<std::int64_t, double>{}(-1e300)), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ((NumericConverter<std::uint64_t, double>{}(1e300)), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ((NumericConverter<int, float>{}(std::numeric_limits<float>::quiet_NaN())), 0);
  cutlass::Array<float, 3> from{};
  from[1] = 1.5f;
  auto const to = cutlass::NumericArrayConverter<cutlass::half_t, float, 3>{}(from);
  EXPECT_EQ(to[1].raw(), 0x3e00);
}

TEST(Cutlass, IntegerArithmetic) {
  for (int a = 0; a < 50; ++a)
    for (int b = 1; b < 12; ++b) {
      ASSERT_EQ(cutlass::ceil_div(a, b), (a + b - 1) / b);
      ASSERT_EQ(cutlass::round_up(a, b), (a + b - 1) / b * b);
      int quotient = 0, remainder = 0;
      cutlass::FastDivmod{b}(quotient, remainder, a);
      ASSERT_EQ(quotient * b + remainder, a);
      ASSERT_EQ(cutlass::FastDivmod{b}.divmod(remainder, a), a / b);
    }
  static_assert(cutlass::is_pow2<64>::value && !cutlass::is_pow2<48>::value);
  static_assert(cutlass::log2_down<48>::value == 5 && cutlass::log2_up<48>::value == 6 &&
                cutlass::log2_up<64>::value == 6);
  static_assert(cutlass::sqrt_est<48>::value == 8 && cutlass::divide_assert<48, 16>::value == 3);
  static_assert(cutlass::Min<3, 5>::kValue == 3 && cutlass::Max<3, 5>::kValue == 5);
  EXPECT_EQ(cutlass::gcd(12, 18), 6);
}

template <class To, class From>
void expect_conversion(int first, int last) {
  cutlass::Array<From, 4> numbers;
  for (int i = first; i <= last; ++i) {
    From const small = static_cast<From>(i);
    EXPECT_EQ(static_cast<float>(static_cast<To>(small)), static_cast<float>(i));
    for (std::size_t j = 0; j < 4; ++j) numbers[j] = static_cast<From>(j == 2 ? i : first);
    auto const converted = cutlass::NumericArrayConverter<To, From, 4>{}(numbers);
    auto const fast = cutlass::FastNumericArrayConverter<To, From, 4>{}(numbers);
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(static_cast<float>(converted[j]), static_cast<float>(j == 2 ? i : first));
      EXPECT_EQ(static_cast<float>(fast[j]), static_cast<float>(converted[j]));
    }
  }
}
TEST(Cutlass, IntegersNarrowerThanAByteConvertToEachFloat) {
  expect_conversion<cutlass::half_t, cutlass::int4b_t>(-8, 7);
  expect_conversion<cutlass::bfloat16_t, cutlass::uint4b_t>(0, 15);
  expect_conversion<cutlass::tfloat32_t, cutlass::int2b_t>(-2, 1);
  expect_conversion<cutlass::float_e4m3_t, cutlass::int4b_t>(-8, 7);
  expect_conversion<cutlass::float_e4m3_t, cutlass::uint4b_t>(0, 15);
  expect_conversion<cutlass::float_e5m2_t, cutlass::int4b_t>(-8, 7);
  expect_conversion<float, cutlass::int4b_t>(-8, 7);
}

TEST(Cutlass, TextsAreCutAtSeparators) {
  std::vector<std::string> parts = {"first"};
  cutlass::CommandLine::tokenize(parts, "64x32x8", 'x');
  EXPECT_EQ(parts, (std::vector<std::string>{"first", "64", "32", "8"}));
  parts.clear();
  cutlass::CommandLine::tokenize(parts, "1,,2");
  EXPECT_EQ(parts, (std::vector<std::string>{"1", "", "2"}));
}

TEST(Cutlass, CommandLine) {
  char const* words[] = {"program",     "--m=512",     "input",           "--verify",
                         "--alpha=1.5", "--name=left", "--tiles=8,16,32", "--adist=uniform,min:-1,max:2.5,integer"};
  cutlass::CommandLine const line(8, words);
  int m = 0, n = 0;
  float alpha = 0;
  std::string name;
  std::vector<int> tiles;
  line.get_cmd_line_argument("m", m, 128);
  line.get_cmd_line_argument("n", n, 256);
  line.get_cmd_line_argument("alpha", alpha);
  line.get_cmd_line_argument("name", name);
  line.get_cmd_line_arguments("tiles", tiles);
  EXPECT_EQ(m, 512);
  EXPECT_EQ(n, 256);
  EXPECT_EQ(alpha, 1.5f);
  EXPECT_EQ(name, "left");
  EXPECT_EQ(tiles, (std::vector<int>{8, 16, 32}));
  std::vector<std::pair<std::string, std::string>> pairs{{"x", "y"}};
  line.get_cmd_line_argument_pairs("bdist", pairs);
  EXPECT_EQ(pairs.size(), 1u);  // absent: unchanged
  line.get_cmd_line_argument_pairs("adist", pairs);
  EXPECT_EQ(pairs, (std::vector<std::pair<std::string, std::string>>{
                       {"uniform", ""}, {"min", "-1"}, {"max", "2.5"}, {"integer", ""}}));
  EXPECT_TRUE(line.check_cmd_line_flag("verify"));
  EXPECT_FALSE(line.check_cmd_line_flag("help"));
  EXPECT_EQ(line.num_naked_args(), 1);
}

TEST(Cutlass, Errors) {
  float const is[3] = {1, 2, 3.5f}, should_be[3] = {1, 2, 3};
  testing::internal::CaptureStdout();
  EXPECT_EQ(print_relative_error(3, is, should_be), 0);
  EXPECT_EQ(print_relative_error(3, is, is), 1);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "Relative error: 1.33630621e-01\nRelative error: 0.00000000e+00\n");
  auto const matrix = cute::make_tensor(&is[0], cute::Shape<cute::_1, cute::_3>{});
  EXPECT_EQ(matrix_inf_norm(matrix).inf_norm, 6.5);
  EXPECT_STREQ(cutlass::cutlassGetStatusString(cutlass::Status::kSuccess), "Success");
  CUTE_CHECK_LAST();
  GPU_Clock clock;
  clock.start();
  EXPECT_GE(clock.seconds(), 0);
}

TEST(Cutlass, FastFunctionsAreThoseOfTheStandardLibrary) {
  for (int i = -50; i <= 50; ++i) {
    double const x = i * 0.0625;
    auto const f = static_cast<float>(x);
    EXPECT_FLOAT_EQ(cutlass::fast_tanh(f), std::tanh(f));
    EXPECT_DOUBLE_EQ(cutlass::fast_tanh(x), std::tanh(x));
    EXPECT_EQ(cutlass::fast_tanh(cutlass::half_t(f)), cutlass::half_t(std::tanh(f)));
    EXPECT_FLOAT_EQ(cutlass::fast_exp(f), std::exp(f));
    EXPECT_FLOAT_EQ(cutlass::fast_cos(f), std::cos(f));
    EXPECT_DOUBLE_EQ(cutlass::fast_sin(x), std::sin(x));
    EXPECT_EQ(cutlass::absolute_value(f), std::abs(f));
    EXPECT_EQ(cutlass::abs_for_integer(i), std::abs(i));
    EXPECT_EQ(cutlass::fast_max(i, 3), std::max(i, 3));
    EXPECT_EQ(cutlass::fast_min(f, 0.5f), std::min(f, 0.5f));
    if (i <= 0) continue;
    EXPECT_FLOAT_EQ(cutlass::fast_log(f), std::log(f));
    EXPECT_DOUBLE_EQ(cutlass::fast_sqrt(x), std::sqrt(x));
    EXPECT_EQ(cutlass::find_log2(i), static_cast<int>(std::ceil(std::log2(i))));
    EXPECT_EQ(cutlass::clz(i), __builtin_clz(static_cast<unsigned>(i)));
  }
  cutlass::Array<float, 3> const three{1.0f, -2.0f, 0.5f};
  auto const powers = cutlass::fast_exp_op<cutlass::Array<float, 3>>{}(three);
  auto const tangents = cutlass::fast_tanh_op<cutlass::Array<float, 3>>{}(three);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FLOAT_EQ(powers[i], std::exp(three[i]));
    EXPECT_FLOAT_EQ(tangents[i], std::tanh(three[i]));
  }
  std::uint64_t rest = 0;
  EXPECT_EQ(cutlass::FastDivmodU64Pow2(4096).divmod(rest, 1000000000001ull), 1000000000001ull / 4096);
  EXPECT_EQ(rest, 1000000000001ull % 4096);
}

TEST(Cutlass, FastDivmodDividesExactly) {
  for (int divisor : {1, 2, 3, 5, 7, 10, 127, 128, 641, 65535, 65537, 1 << 30, (1 << 30) + 1, 2147483647}) {
    cutlass::FastDivmod const fast(divisor);
    for (long long near :
         {0LL, 1LL, 1LL * divisor, 2LL * divisor, 12345678LL, 2147483647LL / divisor * divisor, 2147483647LL}) {
      for (long long n : {near - 1, near, near + 1}) {
        if (n < 0 || n > 2147483647LL) continue;
        int quotient = 0, remainder = 0;
        fast(quotient, remainder, static_cast<int>(n));
        EXPECT_EQ(quotient, n / divisor) << n << " / " << divisor;
        EXPECT_EQ(remainder, n % divisor);
        EXPECT_EQ(fast.divide(static_cast<int>(n)), n / divisor);
        EXPECT_EQ(fast.rem(static_cast<int>(n)), n % divisor);
      }
    }
  }
  std::uint64_t rest = 0;
  EXPECT_EQ(cutlass::FastDivmodU64(1000000007).divmod(rest, 1000000000000ull), 999u);
  EXPECT_EQ(rest, 999993007u);
}

TEST(Cutlass, MatrixLayouts) {
  using cute::_128;
  using cute::_64;
  auto const k_fast =
      cute::composition(cute::Swizzle<3, 3, 3>{}, cute::Layout<cute::Shape<_128, _64>, cute::Stride<_64, cute::_1>>{});
  auto const m_fast = cute::composition(cute::Swizzle<3, 3, 4>{}, cute::Layout<cute::Shape<_128, _64>>{});
  auto const crosswise = cutlass::layout::RowMajorTensorOpMultiplicandCrosswise<16, 64>::packed({128, 64});
  auto const congruous = cutlass::layout::ColumnMajorTensorOpMultiplicandCongruous<16, 64>::packed({128, 64});
  for (int m = 0; m < 128; ++m)
    for (int n = 0; n < 64; ++n) {
      ASSERT_EQ(crosswise({m, n}), k_fast(m, n));
      ASSERT_EQ(congruous({m, n}), m_fast(m, n));
    }
  EXPECT_EQ(cutlass::layout::RowMajor::packed({3, 5})({2, 4}), 14);
  EXPECT_EQ(cutlass::layout::ColumnMajor::packed({3, 5})({2, 4}), 14);
  EXPECT_EQ(cutlass::layout::ColumnMajor::packed({3, 5})({1, 2}), 7);
}

/// 64 elements of 16 bits in a row, swizzled in units of 16 bytes.
constexpr auto k_major_tile = cute::composition(
    cute::Swizzle<3, 3, 3>{}, cute::Layout<cute::Shape<cute::_8, cute::_64>, cute::Stride<cute::_64, cute::_1>>{});

TEST(Cutlass, DetailLayout) {
  EXPECT_EQ(cutlass::detail::alignment_for_swizzle(cute::Swizzle<3, 4, 3>{}), 1024u);
  EXPECT_EQ(cutlass::detail::alignment_for_swizzle(cute::Swizzle<0, 4, 3>{}), 128u);
  EXPECT_EQ(cutlass::detail::alignment_for_swizzle(k_major_tile), 1024u);
  static_assert(cutlass::detail::is_major<1>(cutlass::detail::TagToStrideA_t<cutlass::layout::RowMajor>{}));
  static_assert(cutlass::detail::is_major<0>(cutlass::detail::TagToStrideB_t<cutlass::layout::RowMajor>{}));
  static_assert(cutlass::gemm::detail::is_k_major_A<cutlass::layout::RowMajor>() &&
                !cutlass::gemm::detail::is_mn_major_A<cutlass::layout::RowMajor>());
  static_assert(cutlass::gemm::detail::is_mn_major_B<cutlass::layout::RowMajor*>() &&
                cutlass::gemm::detail::is_k_major_B<cutlass::layout::ColumnMajor>());
  static_assert(cutlass::gemm::detail::is_m_major_C<cutlass::layout::ColumnMajor>() &&
                cutlass::gemm::detail::is_n_major_C<cutlass::layout::RowMajor*>());
}

/// A library whose copy and transform are called unqualified, as thrust's are.
namespace other_library {
struct any_policy {};
struct policy : any_policy {};
template <class From, class To>
int copy(any_policy const&, From, From, To) {
  return 1;
}
template <class From, class To, class F>
int transform(any_policy const&, From, From, To, F) {
  return 2;
}
template <class From, class To>
int call_both(From first, From last, To to) {
  return copy(policy{}, first, last, to) + transform(policy{}, first, last, to, [](auto x) { return x; });
}
}  // namespace other_library

TEST(Cutlass, CallsOfOtherLibrariesOnTheseElements) {
  std::vector<cutlass::half_t> from(2), to(2);
  EXPECT_EQ(other_library::call_both(from.data(), from.data() + 2, to.data()), 3);
  EXPECT_EQ(cutlass::ceil_div(9ll, 8), 2);
  EXPECT_EQ(cutlass::ceil_div(16, 8), 2);
}

TEST(Cutlass, SizesAndConstants) {
  static_assert(cutlass::bits_to_bytes(9) == 2 && cutlass::bytes_to_bits<long>(3) == 24);
  static_assert(cutlass::is_subbyte_v<cutlass::int4b_t> && !cutlass::is_subbyte<cutlass::half_t>::value);
  static_assert(!cutlass::detail::dependent_false<int> && cutlass::detail::dependent_bool_value<true, int, float>);
}

/// Every element of the tile once, an access along the mode that is contiguous, neighbouring threads along it first.
template <class Stride, int MN, int K, int Threads, int Alignment>
void expect_copy_of_tile(bool along_k) {
  using namespace cute;
  auto const copy =
      cutlass::gemm::collective::detail::make_simt_gmem_tiled_copy<Copy_Atom<UniversalCopy<uint128_t>, cutlass::half_t>,
                                                                   Threads, Alignment, Stride, Int<MN>, Int<K>>();
  EXPECT_EQ(static_cast<int>(size(copy)), Threads);
  auto const places = make_identity_tensor(Shape<Int<MN>, Int<K>>{});
  std::vector<int> times(MN * K, 0);
  int const accesses = (along_k ? K : MN) / Alignment;
  for (int thread = 0; thread < Threads; ++thread) {
    auto const mine = copy.get_slice(thread).partition_S(places);
    for (int i = 0; i < static_cast<int>(size(mine)); ++i) {
      int const m = static_cast<int>(get<0>(mine(i))), k = static_cast<int>(get<1>(mine(i)));
      ++times[static_cast<std::size_t>(m + k * MN)];
      if (i > 0) continue;
      EXPECT_EQ(along_k ? k : m, thread % accesses * Alignment);
      EXPECT_EQ(along_k ? m : k, thread / accesses);
    }
    EXPECT_EQ(static_cast<int>(get<0>(mine(1)) - get<0>(mine(0))), along_k ? 0 : 1);
    EXPECT_EQ(static_cast<int>(get<1>(mine(1)) - get<1>(mine(0))), along_k ? 1 : 0);
  }
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), MN * K);
}

TEST(Cutlass, CopiesOfTilesByThreads) {
  using RowB = cutlass::detail::TagToStrideB_t<cutlass::layout::RowMajor>;
  using ColumnB = cutlass::detail::TagToStrideB_t<cutlass::layout::ColumnMajor>;
  expect_copy_of_tile<ColumnB, 64, 32, 128, 8>(true);
  expect_copy_of_tile<RowB, 64, 32, 128, 8>(false);
  expect_copy_of_tile<ColumnB, 16, 64, 64, 8>(true);
}

TEST(Cutlass, RelativelyEqual) {
  using cutlass::relatively_equal;
  EXPECT_TRUE(relatively_equal(1.0f, 1.0f, 0.0f, 0.0f));
  EXPECT_TRUE(relatively_equal(1000.0, 1001.0, 1e-3, 1e-30));  // 1 < 1e-3 * 2001
  EXPECT_FALSE(relatively_equal(1000.0, 1003.0, 1e-3, 1e-30));
  EXPECT_FALSE(relatively_equal(1.0, -1.0, 0.5, 1e-30));
  EXPECT_TRUE(relatively_equal(0.0, 1e-5, 1e-3, 1e-1));  // near zero: 1e-5 < 1e-3 * 1e-1
  EXPECT_FALSE(relatively_equal(0.0, 1e-3, 1e-3, 1e-1));
  EXPECT_FALSE(relatively_equal(NAN, NAN, 1.0, 1.0));
  EXPECT_TRUE(relatively_equal(cutlass::half_t(2.0f), cutlass::half_t(2.002f), cutlass::half_t(0.01f),
                               cutlass::half_t(0.001f)));
  EXPECT_FALSE(relatively_equal(3, 4, 1, 1));
  using complex = cutlass::complex<double>;
  EXPECT_TRUE(relatively_equal(complex(1, 2), complex(1, 2.0001), complex(1e-3), complex(1e-3)));
  EXPECT_FALSE(relatively_equal(complex(1, 2), complex(1.1, 2), complex(1e-3), complex(1e-3)));
}

}  // namespace

// Every MMA atom: its maps cover A, B and C, and are those of the PTX ISA's figures; its host body on random fragments gives
// what a triple loop does.
#include "tilewright/algorithm/gemm.hpp"
#include "tilewright/exec/launch_checked.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace tilewright;

namespace {

/// One atom with its operands as plain matrices, column by column, in double.
struct mma_case {
  std::string name;
  int m, n, k, threads, warp_threads;
  std::function<int(int, int)> a, b, c;  // (thread, value) -> index
  int values_a, values_b, values_c;
  std::function<void(int, double const*, double const*, double const*, double*)> run;  // of one thread of the warp
  std::function<double(double)> rounded_a, rounded_b, rounded_c;
  double (*sum)(double, double, double) = nullptr;  // one step of the triple loop
  double (*end)(double) = nullptr;
  bool is_exact;
};

template <class T>
double rounded_to(double x) {
  if constexpr (std::is_integral_v<T> || is_subbyte_v<T>)
    return static_cast<double>(static_cast<int>(static_cast<T>(static_cast<int>(x))));
  else if constexpr (std::is_same_v<T, double>) return x;
  else return static_cast<double>(static_cast<float>(static_cast<T>(static_cast<float>(x))));
}
template <class T>
double number(T const& x) {
  if constexpr (std::is_integral_v<T> || is_subbyte_v<T>) return static_cast<double>(static_cast<int>(x));
  else if constexpr (std::is_same_v<T, double>) return x;
  else return static_cast<double>(static_cast<float>(x));
}
template <class T>
T element(double x) {
  if constexpr (std::is_integral_v<T> || is_subbyte_v<T>) return static_cast<T>(static_cast<int>(x));
  else return static_cast<T>(x);
}

template <class Op>
void run_thread(int thread, double const* a, double const* b, double const* c, double* d) {
  using T = MMA_Traits<Op>;
  using Atom = MMA_Atom<Op>;
  int const lane = thread % static_cast<int>(size_v<typename T::ThrID>);
  auto fa = make_tensor<typename T::ValTypeA>(Shape<C<detail::values_of<typename T::ALayout>>>{});
  auto fb = make_tensor<typename T::ValTypeB>(Shape<C<detail::values_of<typename T::BLayout>>>{});
  auto fc = make_tensor<typename T::ValTypeC>(Shape<C<detail::values_of<typename T::CLayout>>>{});
  auto fd = make_tensor<typename T::ValTypeD>(Shape<C<detail::values_of<typename T::CLayout>>>{});
  for (int v = 0; v < size(fa); ++v)
    fa(v) = element<typename T::ValTypeA>(a[static_cast<int>(typename T::ALayout{}(lane, v))]);
  for (int v = 0; v < size(fb); ++v)
    fb(v) = element<typename T::ValTypeB>(b[static_cast<int>(typename T::BLayout{}(lane, v))]);
  for (int v = 0; v < size(fc); ++v)
    fc(v) = element<typename T::ValTypeC>(c[static_cast<int>(typename T::CLayout{}(lane, v))]);
  gemm(Atom{}, fd, fa, fb, fc);
  for (int v = 0; v < size(fd); ++v)
    d[static_cast<int>(typename T::CLayout{}(lane, v))] = number(static_cast<typename T::ValTypeD>(fd(v)));
}
/// The threads of a quad pair by their lane in the warp.
template <class Op>
void run_lane(int lane, double const* a, double const* b, double const* c, double* d) {
  if constexpr (size_v<typename MMA_Traits<Op>::ThrID> == 8) {
    int const pair = lane % 16 / 4;
    run_thread<Op>(lane % 4 + 4 * (lane / 16), a + 32 * pair, b + 32 * pair, c + 64 * pair, d + 64 * pair);
  } else {
    run_thread<Op>(lane, a, b, c, d);
  }
}

double plain_sum(double x, double y, double s) { return x * y + s; }
double xor_sum(double x, double y, double s) { return s + (static_cast<int>(x) ^ static_cast<int>(y)); }
double and_sum(double x, double y, double s) { return s + (static_cast<int>(x) & static_cast<int>(y)); }
double as_it_is(double x) { return x; }
double wrapped(double x) {
  return static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(x) & 0xffffffff));
}
double saturated(double x) { return std::min(std::max(x, -2147483648.0), 2147483647.0); }

template <class Op>
mma_case case_of(char const* name) {
  using T = MMA_Traits<Op>;
  using S = typename T::Shape_MNK;
  mma_case out;
  out.name = name;
  out.m = tuple_element_t<0, S>::value;
  out.n = tuple_element_t<1, S>::value;
  out.k = tuple_element_t<2, S>::value;
  out.threads = static_cast<int>(size_v<typename T::ThrID>);
  out.warp_threads = out.threads == 1 ? 1 : 32;
  out.a = [](int t, int v) { return static_cast<int>(typename T::ALayout{}(t, v)); };
  out.b = [](int t, int v) { return static_cast<int>(typename T::BLayout{}(t, v)); };
  out.c = [](int t, int v) { return static_cast<int>(typename T::CLayout{}(t, v)); };
  out.values_a = static_cast<int>(detail::values_of<typename T::ALayout>);
  out.values_b = static_cast<int>(detail::values_of<typename T::BLayout>);
  out.values_c = static_cast<int>(detail::values_of<typename T::CLayout>);
  out.run = run_lane<Op>;
  out.rounded_a = rounded_to<typename T::ValTypeA>;
  out.rounded_b = rounded_to<typename T::ValTypeB>;
  out.rounded_c = rounded_to<typename T::ValTypeC>;
  out.is_exact = std::is_integral_v<typename T::ValTypeC>;
  bool const has_xor = out.name.find("XOR") != std::string::npos, has_and = out.name.find("AND") != std::string::npos;
  out.sum = has_xor ? xor_sum : has_and ? and_sum : plain_sum;
  out.end = !out.is_exact ? as_it_is : out.name.find("SATURATE") != std::string::npos ? saturated : wrapped;
  return out;
}

std::vector<mma_case> const& all_atoms() {
  static std::vector<mma_case> const all = {
#define TILEWRIGHT_X(NAME, ...) case_of<NAME>(#NAME),
#include "tilewright/atom/ptx/mma_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_d2_a2_b1.def"
#include "tilewright/atom/ptx/mma_d2_a4_b2.def"
#include "tilewright/atom/ptx/mma_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d2_a1_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a2_b1.def"
#include "tilewright/atom/ptx/mma_f64_d4_a4_b2.def"
#include "tilewright/atom/ptx/mma_f64_d4_a8_b4.def"
#include "tilewright/atom/ptx/mma_quad_pair_d4_a2_b2.def"
#include "tilewright/atom/ptx/mma_quad_pair_d8_a2_b2.def"
#undef TILEWRIGHT_X
      case_of<SM61_DP4A>("SM61_DP4A"), case_of<SM61_DP2A>("SM61_DP2A"),
      case_of<UniversalFMA<float>>("UniversalFMA<float>"),
      case_of<UniversalFMA<float, half_t, half_t, float>>("UniversalFMA<float, half_t>")};
  return all;
}

/// Each of `elements` once.
void expect_cover(std::string const& what, std::function<int(int, int)> const& map, int threads, int values,
                  int elements) {
  EXPECT_EQ(threads * values, elements) << what;
  std::vector<int> times(static_cast<std::size_t>(elements));
  for (int t = 0; t < threads; ++t)
    for (int v = 0; v < values; ++v) {
      int const i = map(t, v);
      ASSERT_TRUE(i >= 0 && i < elements) << what << " (" << t << "," << v << ") -> " << i;
      ++times[static_cast<std::size_t>(i)];
    }
  for (int i = 0; i < elements; ++i) ASSERT_EQ(times[static_cast<std::size_t>(i)], 1) << what << " element " << i;
}

/// One thread of the kernel for all atoms: the case is behind a pointer, so that launch is compiled once.
struct one_atom {
  mma_case const* of;
  double const *a, *b, *c;
  double* d;
  template <class Block>
  void operator()(Block& block) const {
    of->run(block.thread(), a, b, c, d);
  }
};

/// Random operands of all quad pairs of a warp, rounded to the atom's types; small integers where sums have to be exact.
void expect_triple_loop(mma_case const& atom, std::mt19937& random, bool is_small) {
  int const parts = atom.warp_threads / atom.threads;
  auto const draw = [&](int count, double wide, std::function<double(double)> const& rounded) {
    std::vector<double> out(static_cast<std::size_t>(count));
    std::uniform_real_distribution<double> real(-1, 1);
    std::uniform_int_distribution<int> small(-4, 4);
    for (double& x : out)
      x = rounded(is_small ? small(random) : atom.is_exact ? std::floor(real(random) * wide) : real(random));
    return out;
  };
  auto const a = draw(atom.m * atom.k * parts, 128, atom.rounded_a);
  auto const b = draw(atom.n * atom.k * parts, 128, atom.rounded_b);
  auto const c = draw(atom.m * atom.n * parts, 2147483648.0, atom.rounded_c);
  for (bool const checked : {false, true}) {
    std::vector<double> d(c.size(), 1e300);
    one_atom const kernel{&atom, a.data(), b.data(), c.data(), d.data()};
    auto const block = static_cast<unsigned>(atom.warp_threads);
    if (checked) launch_checked(checked_config{.grid = 1, .block = block, .seed = 5}, kernel);
    else launch(1, block, kernel);
    for (int p = 0; p < parts; ++p)
      for (int m = 0; m < atom.m; ++m)
        for (int n = 0; n < atom.n; ++n) {
          auto const at = static_cast<std::size_t>(p * atom.m * atom.n + m + atom.m * n);
          double sum = c[at], size = std::abs(sum);
          for (int k = 0; k < atom.k; ++k) {
            double const x = a[static_cast<std::size_t>(p * atom.m * atom.k + m + atom.m * k)];
            double const y = b[static_cast<std::size_t>(p * atom.n * atom.k + n + atom.n * k)];
            sum = atom.sum(x, y, sum);
            size += std::abs(x * y);
          }
          sum = atom.end(sum);
          if (is_small || atom.is_exact) {
            ASSERT_EQ(d[at], sum) << atom.name << " (" << m << "," << n << ")";
          } else {
            double const unit = atom.rounded_c(1.0001) == 1 ? 1e-3 : atom.rounded_c(1 + 1e-9) == 1 ? 1e-6 : 1e-15;
            ASSERT_NEAR(d[at], sum, unit * size) << atom.name << " (" << m << "," << n << ")";
          }
        }
  }
}

}  // namespace

TEST(mma_atoms, maps_cover_every_operand_once) {
  EXPECT_EQ(all_atoms().size(), 89u);
  for (mma_case const& atom : all_atoms()) {
    expect_cover(atom.name + " A", atom.a, atom.threads, atom.values_a, atom.m * atom.k);
    expect_cover(atom.name + " B", atom.b, atom.threads, atom.values_b, atom.n * atom.k);
    expect_cover(atom.name + " C", atom.c, atom.threads, atom.values_c, atom.m * atom.n);
  }
}

TEST(mma_atoms, host_body_is_a_triple_loop) {
  std::mt19937 random(11);
  for (mma_case const& atom : all_atoms()) {
    expect_triple_loop(atom, random, true);
    for (int round = 0; round < 3; ++round) expect_triple_loop(atom, random, false);
  }
}

// "Matrix Fragments for mma.…" of the PTX ISA: row and column of a_i for a lane, and those of b_i and c_i, as it writes them.
TEST(mma_atoms, maps_are_those_of_the_figures) {
  struct place {
    int row, column;
  };
  auto const expect = [](char const* what, auto const& map, int values, int rows, auto const& figure) {
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < values; ++i) {
        place const p = figure(lane >> 2, lane % 4, i);
        EXPECT_EQ(static_cast<int>(map(lane, i)), p.row + rows * p.column)
            << what << " lane " << lane << " value " << i;
      }
  };
  using f16 = MMA_Traits<SM80_16x8x16_F32F16F16F32_TN>;
  expect("m16n8k16 A", f16::ALayout{}, 8, 16, [](int group, int thread, int i) {
    bool const upper = (i >= 0 && i < 2) || (i >= 4 && i < 6);
    return place{upper ? group : group + 8, i < 4 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8};
  });
  expect("m16n8k16 B", f16::BLayout{}, 4, 8, [](int group, int thread, int i) {  // (n, k): the figure's column and row
    return place{group, i < 2 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8};
  });
  expect("m16n8k16 C", f16::CLayout{}, 4, 16, [](int group, int thread, int i) {
    return place{i < 2 ? group : group + 8, thread * 2 + (i & 1)};
  });
  using tf32 = MMA_Traits<SM80_16x8x8_F32TF32TF32F32_TN>;
  expect("m16n8k8 tf32 A", tf32::ALayout{}, 4, 16, [](int group, int thread, int i) {
    return place{i == 0 || i == 2 ? group : group + 8, i < 2 ? thread : thread + 4};
  });
  expect("m16n8k8 tf32 B", tf32::BLayout{}, 2, 8, [](int group, int thread, int i) {
    return place{group, i == 0 ? thread : thread + 4};
  });
  using s8 = MMA_Traits<SM80_16x8x32_S32S8S8S32_TN>;
  expect("m16n8k32 A", s8::ALayout{}, 16, 16, [](int group, int thread, int i) {
    bool const upper = (i >= 0 && i < 4) || (i >= 8 && i < 12);
    return place{upper ? group : group + 8, i < 8 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16};
  });
  expect("m16n8k32 B", s8::BLayout{}, 8, 8, [](int group, int thread, int i) {
    return place{group, i < 4 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16};
  });
  using s4 = MMA_Traits<SM80_16x8x64_S32S4S4S32_TN>;
  expect("m16n8k64 A", s4::ALayout{}, 32, 16, [](int group, int thread, int i) {
    bool const upper = (i >= 0 && i < 8) || (i >= 16 && i < 24);
    return place{upper ? group : group + 8, i < 16 ? thread * 8 + (i & 7) : thread * 8 + (i & 7) + 32};
  });
  using bits = MMA_Traits<SM80_16x8x256_S32U1U1S32_TN_ANDPOPC>;
  expect("m16n8k256 A", bits::ALayout{}, 128, 16, [](int group, int thread, int i) {
    bool const upper = i < 32 || (i >= 64 && i < 96);
    return place{upper ? group : group + 8, i < 64 ? thread * 32 + (i & 31) : thread * 32 + (i & 31) + 128};
  });
  using f64 = MMA_Traits<SM90_16x8x16_F64F64F64F64_TN>;
  expect("m16n8k16 f64 A", f64::ALayout{}, 8, 16, [](int group, int thread, int i) {
    return place{i % 2 == 0 ? group : group + 8, (i / 2) * 4 + thread};
  });
  expect("m16n8k16 f64 B", f64::BLayout{}, 4, 8, [](int group, int thread, int i) {
    return place{group, thread + i * 4};
  });
  using small = MMA_Traits<SM80_8x8x4_F64F64F64F64_TN>;
  expect("m8n8k4 f64 C", small::CLayout{}, 2, 8, [](int group, int thread, int i) {
    return place{group, thread * 2 + (i & 1)};
  });
}

// "Matrix Fragments for mma.m8n8k4 with .f16 floating point type": by the lane in the warp.
TEST(mma_atoms, maps_of_quad_pairs_are_those_of_the_figures) {
  using TN = MMA_Traits<SM70_8x8x4_F32F16F16F32_TN>;
  using NT = MMA_Traits<SM70_8x8x4_F32F16F16F32_NT>;
  using H = MMA_Traits<SM70_8x8x4_F16F16F16F16_TN>;
  for (int t = 0; t < 8; ++t) {
    int const lane = static_cast<int>(TN::ThrID{}(t));
    EXPECT_EQ(lane, t < 4 ? t : t + 12);
    for (int i = 0; i < 4; ++i) {
      int const row = lane < 16 ? lane % 4 : lane % 4 + 4;
      EXPECT_EQ(static_cast<int>(TN::ALayout{}(t, i)), row + 8 * i);
      EXPECT_EQ(static_cast<int>(TN::BLayout{}(t, i)), row + 8 * i);
      int const along = lane < 16 ? i % 4 : i % 4 + 4;
      EXPECT_EQ(static_cast<int>(NT::ALayout{}(t, i)), along + 8 * (lane % 4));
      EXPECT_EQ(static_cast<int>(NT::BLayout{}(t, i)), along + 8 * (lane % 4));
    }
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(static_cast<int>(H::CLayout{}(t, i)), (lane < 16 ? lane % 4 : lane % 4 + 4) + 8 * i);
      int const x = (lane & 1) + (i & 2), row = lane < 16 ? x : x + 4, column = (i & 4) + (lane & 2) + (i & 1);
      EXPECT_EQ(static_cast<int>(TN::CLayout{}(t, i)), row + 8 * column);
    }
  }
}

TEST(mma_atoms, fma_takes_registers_one_by_one) {
  float out[4] = {};
  auto const kernel = [&](auto& block) {
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    std::uint32_t const ones = 0x3c003c00;  // two halves of 1
    SM80_16x8x16_F32F16F16F32_TN::fma(d0, d1, d2, d3, ones, ones, ones, ones, ones, ones, 1.0f, 2.0f, 3.0f, 4.0f);
    if (block.thread() == 7) out[0] = d0, out[1] = d1, out[2] = d2, out[3] = d3;
  };
  launch(1, 32, kernel);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(out[i], 17.0f + static_cast<float>(i));
}

TEST(mma_atoms, a_warp_operation_outside_of_a_launch_is_refused) {
  auto a = make_tensor<half_t>(Shape<_8>{});
  auto b = make_tensor<half_t>(Shape<_4>{});
  auto c = make_tensor<float>(Shape<_4>{});
  EXPECT_THROW(gemm(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, a, b, c), layout_error);
}

TEST(mma_atoms, threads_that_call_different_operations_are_reported) {
  auto const kernel = [](auto& block) {
    auto a = make_tensor<half_t>(Shape<_4>{});
    auto b = make_tensor<half_t>(Shape<_2>{});
    auto c = make_tensor<float>(Shape<_4>{});
    if (block.thread() == 3) gemm(MMA_Atom<SM75_16x8x8_F32F16F16F32_TN>{}, a, b, c);
    else gemm(MMA_Atom<SM80_16x8x8_F32F16F16F32_TN>{}, a, b, c);
  };
  try {
    launch(1, 32, kernel);
    FAIL() << "no error";
  } catch (launch_error const& e) {
    EXPECT_NE(std::string(e.what()).find("SM75_16x8x8_F32F16F16F32_TN: thread 3"), std::string::npos) << e.what();
  }
}

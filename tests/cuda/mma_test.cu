// archs: 90
// Every matrix operation of a quad pair or warp on the device against its host body, on random fragments: integers and bits
// equal, floats within what sums in another order may differ.
#include "support/device.hpp"
#include "support/host_team.hpp"
#include "tilewright/algorithm/gemm.hpp"

#include <cmath>
#include <cstring>
#include <random>

using namespace tilewright;
using namespace tilewright::cuda_test;

constexpr int rounds = 16;

/// `rounds` operations by one warp, each on fragments of its own.
template <class Op>
struct one_operation {
  using RegA = detail::register_type<typename Op::ARegisters>;
  using RegB = detail::register_type<typename Op::BRegisters>;
  using RegC = detail::register_type<typename Op::CRegisters>;
  static constexpr int na = detail::register_count<typename Op::ARegisters>;
  static constexpr int nb = detail::register_count<typename Op::BRegisters>;
  static constexpr int nc = detail::register_count<typename Op::CRegisters>;

  TILEWRIGHT_NO_EXEC_CHECK
  template <class Block>
  TILEWRIGHT_HOST_DEVICE void operator()(Block& block, RegA const* a, RegB const* b, RegC const* c, RegC* d) const {
    for (int r = 0; r < rounds; ++r) {
      typename Op::ARegisters ra;
      typename Op::BRegisters rb;
      typename Op::CRegisters rc;
      typename Op::DRegisters rd;
      int const at = 32 * r + block.thread();
      for (int i = 0; i < na; ++i) ra[i] = a[at * na + i];
      for (int i = 0; i < nb; ++i) rb[i] = b[at * nb + i];
      for (int i = 0; i < nc; ++i) rc[i] = c[at * nc + i];
      Op::run(rd, ra, rb, rc);
      for (int i = 0; i < nc; ++i) d[at * nc + i] = rd[i];
    }
  }
};

/// Registers full of random elements: floats from -1 to 1, integers of all values.
template <class T, class Register>
std::vector<Register> random_registers(std::size_t n, std::mt19937& random) {
  std::vector<Register> out(n);
  if constexpr (std::is_integral_v<T> || is_subbyte_v<T>) {
    for (Register& x : out) x = static_cast<Register>(random());
  } else {
    std::uniform_real_distribution<double> real(-1, 1);
    for (Register& x : out) {
      T elements[sizeof(Register) / sizeof(T)];
      for (T& e : elements) e = static_cast<T>(real(random));
      std::memcpy(&x, elements, sizeof(x));
    }
  }
  return out;
}

template <class Op>
void test_operation(char const* name) {
  using T = MMA_Traits<Op>;
  using K = one_operation<Op>;
  using D = typename T::ValTypeD;
  std::mt19937 random(7);
  constexpr std::size_t threads = 32 * rounds;
  auto const a = random_registers<typename T::ValTypeA, typename K::RegA>(threads * K::na, random);
  auto const b = random_registers<typename T::ValTypeB, typename K::RegB>(threads * K::nb, random);
  auto const c = random_registers<typename T::ValTypeC, typename K::RegC>(threads * K::nc, random);
  std::vector<typename K::RegC> expected(c.size());
  run_on_host(1, 32, K{}, a.data(), b.data(), c.data(), expected.data());
  device_array<typename K::RegA> const on_a(a);
  device_array<typename K::RegB> const on_b(b);
  device_array<typename K::RegC> const on_c(c);
  device_array<typename K::RegC> on_d(c.size());
  on_d.poison();
  launch_cuda_and_wait({.grid = 1, .block = 32}, K{}, static_cast<typename K::RegA const*>(on_a.data()),
                       static_cast<typename K::RegB const*>(on_b.data()),
                       static_cast<typename K::RegC const*>(on_c.data()), on_d.data());
  auto const given = on_d.host();
  auto const* const x = reinterpret_cast<D const*>(given.data());
  auto const* const y = reinterpret_cast<D const*>(expected.data());
  std::size_t const n = given.size() * sizeof(typename K::RegC) / sizeof(D);
  // Products are at most 1, C too: sums of K + 1 numbers. Fp8 is added up with 13 bits of fraction on compute capability 9.0.
  double const k = static_cast<double>(tuple_element_t<2, typename T::Shape_MNK>::value);
  double const unit = std::is_same_v<D, half_t>                  ? 1e-3
                      : std::is_same_v<D, double>                ? 1e-15
                      : sizeof_bits_v<typename T::ValTypeA> == 8 ? 3e-4
                                                                 : 1e-6;
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_integral_v<D>) {
      expect(x[i] == y[i], name, static_cast<long long>(i));
    } else {
      double const difference = std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i]));
      worst = difference > worst ? difference : worst;
      expect(difference <= unit * (k + 1), name, static_cast<long long>(i));
    }
  }
  if (!std::is_integral_v<D>) std::printf("%s: largest difference %.2g\n", name, worst);
}

int main() {
  return run("mma", [] {
#define TILEWRIGHT_X(NAME, ...) test_operation<NAME>(#NAME);
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
  });
}

// Matrix products of a warpgroup on the CPU. A product happens when its thread waits for it, the latest moment the hardware
// allows: each thread reads the rows of A and of B that its values of C need, through their descriptors, and adds up. Sums are
// kept as mma_on_host keeps them. A's registers, in operations _RS, are read when the product is started.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/gmma_descriptor.hpp"
#include "tilewright/mma/host_mma.hpp"
#include "tilewright/mma/host_operand.hpp"

namespace tilewright::detail {

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

/// The elements of an operand that a matrix descriptor names.
template <class T, SM90::GMMA::Major Major>
struct gmma_reader : operand_reader<T, Major == SM90::GMMA::Major::K> {
  explicit gmma_reader(std::uint64_t descriptor)
      : operand_reader<T, Major == SM90::GMMA::Major::K>{operand_place::of_descriptor(
            descriptor,
            static_cast<int>(descriptor >> 62) == 0 ? 16u : 256u >> static_cast<unsigned>(descriptor >> 62))} {}
};

/// How a product of a warpgroup multiplies and adds.
struct gmma_signs {
  int a = 1, b = 1;
};

/// One product of one thread: what it needs when it happens.
template <class Traits, mma_rule Rule, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB, class RegD, std::size_t ND>
struct gmma_of_a_thread {
  using A = typename Traits::ValTypeA;
  using B = typename Traits::ValTypeB;
  using D = typename Traits::ValTypeD;
  using Sum = std::conditional_t<std::is_integral_v<D>, long long, float>;
  static constexpr int N = tuple_element_t<1, typename Traits::Shape_MNK>::value;
  static constexpr auto K = static_cast<std::size_t>(tuple_element_t<2, typename Traits::Shape_MNK>::value);
  static constexpr int per_register = static_cast<int>(sizeof(RegD) / sizeof(D));

  int thread;  // of the warpgroup
  std::uint64_t a_descriptor, b_descriptor;
  bool reads_a;  // from shared memory
  A a[2][K];     // rows of the thread, where not
  bool adds;
  gmma_signs signs;
  RegD* d[ND];

  void operator()() const {
    int const row = thread / 32 * 16 + thread % 32 / 4;
    A mine[2][K];
    if (reads_a) {
      gmma_reader<A, MajorA> const from(a_descriptor);
      from.read_row(row, mine[0]);
      from.read_row(row + 8, mine[1]);
    } else {
      __builtin_memcpy(mine, a, sizeof(mine));
    }
    gmma_reader<B, MajorB> const columns(b_descriptor);
    for (int n = 0; n < N / 4; ++n) {
      B b[K];
      columns.read_row(n / 2 * 8 + thread % 4 * 2 + n % 2, b);
      // Values (2,2,N/8): two columns, two rows, every eighth column.
      for (int i = 0; i < 2; ++i) add(n / 2 * 4 + i * 2 + n % 2, mine[i], b);
    }
  }

 private:
  void add(int value, A const (&x)[K], B const (&y)[K]) const {
    unsigned char* const at = reinterpret_cast<unsigned char*>(d[value / per_register]) +
                              static_cast<unsigned>(value % per_register) * sizeof(D);
    Sum sum = adds ? static_cast<Sum>(element_of_registers<D>(at, 0)) : Sum(0);
    Sum const sign = static_cast<Sum>(signs.a * signs.b);
    for (std::size_t k = 0; k < K; ++k) sum = sum + sign * add_product<Rule>(Sum(0), x[k], y[k]);
    if constexpr (Rule == mma_rule::saturating) {
      constexpr long long top = 2147483647;
      sum = sum > top ? top : sum < -top - 1 ? -top - 1 : sum;
    }
    D result;
    if constexpr (std::is_integral_v<D>) result = static_cast<D>(static_cast<std::uint32_t>(sum));
    else result = static_cast<D>(sum);
    __builtin_memcpy(at, &result, sizeof(D));
  }
};

/// What the threads of a warp have to agree on.
struct gmma_call {
  std::uint64_t a, b;
  std::uint32_t registers[4];
};

/// Starts d = A·B + d of this thread. Every thread of the warp passes the same descriptors.
/// error: layout_error gmma_descriptors, needs_a_warpgroup
template <class Traits, mma_rule Rule, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB, class RegD, std::size_t ND>
void start_gmma_on_host(char const* name, RegD* const (&d)[ND], std::uint64_t const* a_descriptor,
                        std::uint32_t const* a_registers, std::uint64_t b_descriptor, bool adds, gmma_signs signs) {
  using A = typename Traits::ValTypeA;
  constexpr int K = tuple_element_t<2, typename Traits::Shape_MNK>::value;
  host_thread_services& warp = thread_of_a_warp();
  gmma_call call{a_descriptor != nullptr ? *a_descriptor : 0, b_descriptor, {}};
  if (a_registers != nullptr) __builtin_memcpy(call.registers, a_registers, sizeof(call.registers));
  auto const* const all = reinterpret_cast<gmma_call const*>(warp.exchange(name, &call, sizeof(call)));
  for (int lane = 0; lane < warp_size; ++lane)
    if (all[lane].a != call.a || all[lane].b != call.b)
      raise({errc::gmma_descriptors, warp.thread_number(), warp.thread_number() - warp.lane() + lane});
  gmma_of_a_thread<Traits, Rule, MajorA, MajorB, RegD, ND> product{};
  product.thread = warp.thread_number() % 128;
  product.a_descriptor = call.a;
  product.b_descriptor = call.b;
  product.reads_a = a_descriptor != nullptr;
  product.adds = adds;
  product.signs = signs;
  for (std::size_t i = 0; i < ND; ++i) product.d[i] = d[i];
  if (a_registers != nullptr) {
    // A's fragment: ((4,8,4),(32/bits,2,2)), of 16 bytes of k in each four threads.
    constexpr int per_word = 4 / static_cast<int>(sizeof(A));
    int const first = warp.lane() / 4 * 4;
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < K; ++k) {
        int const word = i + 2 * (k / (4 * per_word)), thread = first + k / per_word % 4;
        product.a[i][k] =
            element_of_registers<A>(reinterpret_cast<unsigned char const*>(all[thread].registers + word), k % per_word);
      }
  }
  warp.matrix_products().start(product);
}

#endif

}  // namespace tilewright::detail

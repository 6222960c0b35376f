// Matrix products of a warpgroup on the CPU. A product happens when its thread waits for it, the latest moment the hardware
// allows: each thread reads the rows of A and of B that its values of C need, through their descriptors, and adds up. Sums are
// kept as mma_on_host keeps them. A's registers, in operations _RS, and the metadata of a sparse A are read when the product is
// started. Of a sparse A, elements that are not stored are no part of a sum.
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

/// What an operation multiplies: N columns, K rows of B, of which A has the elements of Stored.
template <int N, class D, class A, class B, int K, int Stored, SM90::GMMA::Major MajorA, SM90::GMMA::Major MajorB,
          mma_rule Rule>
struct gmma_of {
  using d_type = D;
  using a_type = A;
  using b_type = B;
  static constexpr int n = N;
  static constexpr auto k = static_cast<std::size_t>(K), stored = static_cast<std::size_t>(Stored);
  static constexpr bool is_sparse = Stored != K;
  static constexpr SM90::GMMA::Major major_a = MajorA, major_b = MajorB;
  static constexpr mma_rule rule = Rule;
};

/// One product of one thread: what it needs when it happens.
template <class Product, class RegD, std::size_t ND>
struct gmma_of_a_thread {
  using A = typename Product::a_type;
  using B = typename Product::b_type;
  using D = typename Product::d_type;
  using Sum = std::conditional_t<std::is_integral_v<D>, long long, float>;
  static constexpr auto K = Product::k, Stored = Product::stored;
  static constexpr int per_register = static_cast<int>(sizeof(RegD) / sizeof(D));

  int thread;  // of the warpgroup
  std::uint64_t a_descriptor, b_descriptor;
  bool reads_a;                                                       // from shared memory
  A a[2][Stored];                                                     // rows of the thread, where not
  unsigned char column[2][Product::is_sparse ? Product::stored : 1];  // of the elements of a sparse A
  bool adds;
  gmma_signs signs;
  RegD* d[ND];

  void operator()() const {
    int const row = thread / 32 * 16 + thread % 32 / 4;
    A mine[2][Stored];
    if (reads_a) {
      gmma_reader<A, Product::major_a> const from(a_descriptor);
      from.read_row(row, mine[0]);
      from.read_row(row + 8, mine[1]);
    } else {
      __builtin_memcpy(mine, a, sizeof(mine));
    }
    gmma_reader<B, Product::major_b> const columns(b_descriptor);
    for (int n = 0; n < Product::n / 4; ++n) {
      B b[K];
      columns.read_row(n / 2 * 8 + thread % 4 * 2 + n % 2, b);
      // Values (2,2,N/8): two columns, two rows, every eighth column.
      for (int i = 0; i < 2; ++i) add(n / 2 * 4 + i * 2 + n % 2, mine[i], column[i], b);
    }
  }

 private:
  void add(int value, A const (&x)[Stored], unsigned char const* at_column, B const (&y)[K]) const {
    unsigned char* const at = reinterpret_cast<unsigned char*>(d[value / per_register]) +
                              static_cast<unsigned>(value % per_register) * sizeof(D);
    Sum sum = adds ? static_cast<Sum>(element_of_registers<D>(at, 0)) : Sum(0);
    Sum const sign = static_cast<Sum>(signs.a * signs.b);
    for (std::size_t i = 0; i < Stored; ++i)
      sum = sum + sign * add_product<Product::rule>(Sum(0), x[i], y[Product::is_sparse ? at_column[i] : i]);
    if constexpr (Product::rule == mma_rule::saturating) {
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
  std::uint32_t metadata;
};

/// The columns of the stored elements of row r + 8 * half, by the metadata of the warp (PTX ISA, "Matrix fragments for
/// wgmma.mma_async with sparse matrix A"). Four bits name two of 4 columns, or one of 2 columns of 32 bits (0100 or 1110).
/// A thread of a quad has, of 8-bit elements, the bits of a row's half of K: of row r + 8 * (t % 2) and half t / 2; of wider
/// ones those of half t % 2 in 16 bits of each row, in threads 2 * selector and 2 * selector + 1.
template <std::size_t Stored>
void columns_of_metadata(gmma_call const* quad, int half, int selector, int bits, unsigned char (&to)[Stored]) {
  constexpr int count = static_cast<int>(Stored);
  int const elements = bits == 32 ? 1 : 2;  // that 4 bits name
  for (int i = 0; i < count; ++i) {
    int const of_half = count / 2, group = i % of_half / elements;
    int const thread = bits == 8 ? half + 2 * (i / of_half) : 2 * selector + i / of_half;
    std::uint32_t const names = quad[thread].metadata >> ((bits == 8 ? 0 : 16 * half) + 4 * group) & 15u;
    int const name = static_cast<int>(bits == 32 ? names >> 1 & 1u : names >> (2 * (i % 2)) & 3u);
    to[i] = static_cast<unsigned char>((i / of_half * of_half / elements + group) * 2 * elements + name);
  }
}

/// Starts d = A·B + d of this thread. Every thread of the warp passes the same descriptors.
/// a: A's descriptor, or its registers
/// error: layout_error gmma_descriptors, needs_a_warpgroup
template <class Product, class RegD, std::size_t ND, class RegA, std::size_t NA>
void start_gmma_on_host(char const* name, RegD* const (&d)[ND], RegA const (&a)[NA], std::uint64_t b_descriptor,
                        std::uint32_t metadata, int selector, bool adds, gmma_signs signs) {
  using A = typename Product::a_type;
  constexpr bool reads_a = sizeof(RegA) == 8;
  host_thread_services& warp = thread_of_a_warp();
  gmma_call call{0, b_descriptor, {}, metadata};
  if constexpr (reads_a) call.a = a[0];
  else __builtin_memcpy(call.registers, a, sizeof(call.registers));
  auto const* const all = reinterpret_cast<gmma_call const*>(warp.exchange(name, &call, sizeof(call)));
  for (int lane = 0; lane < warp_size; ++lane)
    if (all[lane].a != call.a || all[lane].b != call.b)
      raise({errc::gmma_descriptors, warp.thread_number(), warp.thread_number() - warp.lane() + lane});
  gmma_of_a_thread<Product, RegD, ND> product{};
  product.thread = warp.thread_number() % 128;
  product.a_descriptor = call.a;
  product.b_descriptor = call.b;
  product.reads_a = reads_a;
  product.adds = adds;
  product.signs = signs;
  for (std::size_t i = 0; i < ND; ++i) product.d[i] = d[i];
  int const first = warp.lane() / 4 * 4;
  if constexpr (!reads_a) {
    // A's fragment: ((4,8,4),(32/bits,2,2)), of 16 bytes of k in each four threads.
    constexpr int per_word = 4 / static_cast<int>(sizeof(A));
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < static_cast<int>(Product::stored); ++k) {
        int const word = i + 2 * (k / (4 * per_word)), thread = first + k / per_word % 4;
        product.a[i][k] =
            element_of_registers<A>(reinterpret_cast<unsigned char const*>(all[thread].registers + word), k % per_word);
      }
  }
  if constexpr (Product::is_sparse)
    for (int i = 0; i < 2; ++i) columns_of_metadata(all + first, i, selector, sizeof_bits_v<A>, product.column[i]);
  warp.matrix_products().start(product);
}

#endif

}  // namespace tilewright::detail

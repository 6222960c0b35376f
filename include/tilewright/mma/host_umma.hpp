// Blackwell's products on the CPU. A product happens when a barrier is waited for that its thread has told of it (umma_arrive),
// the latest moment the hardware allows: it reads A and B then, of both blocks of a pair, and adds up in tensor memory. A
// kernel that overwrites an operand, or reads the sums, too early sees wrong numbers here, always. Sums are kept as mma_on_host
// keeps them.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/machine/host_thread.hpp"
#include "tilewright/mma/host_mma.hpp"
#include "tilewright/mma/host_operand.hpp"
#include "tilewright/mma/umma_descriptor.hpp"

namespace tilewright::detail {

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

template <class T, UMMA::Major Major>
struct umma_reader : operand_reader<T, Major == UMMA::Major::K> {
  umma_reader(std::uint64_t descriptor, unsigned of_rank)
      : operand_reader<T, Major == UMMA::Major::K>{
            operand_place::of_descriptor(descriptor, width_of(static_cast<UMMA::LayoutType>(descriptor >> 61)))} {
    this->wide_pieces = static_cast<UMMA::LayoutType>(descriptor >> 61) == UMMA::LayoutType::SWIZZLE_128B_BASE32B;
    this->rank = static_cast<int>(of_rank);
  }

 private:
  static std::uint32_t width_of(UMMA::LayoutType type) {
    switch (type) {
      case UMMA::LayoutType::SWIZZLE_NONE: return 16;
      case UMMA::LayoutType::SWIZZLE_32B: return 32;
      case UMMA::LayoutType::SWIZZLE_64B: return 64;
      default: return 128;
    }
  }
};

/// Where a block keeps row m and column n of its rows of one product (PTX ISA, "Data Path Layout Organization").
/// Rows: of the block
template <int Rows, int Columns, int Blocks>
struct umma_place {
  int lane, column;
  static umma_place of(int m, int n) {
    if constexpr (Rows == 128) return {m, n};
    else if constexpr (Blocks == 1) return {m % 16 + m / 16 * 32, n};
    else return {m + n / (Columns / 2) * 64, n % (Columns / 2)};
  }
};

/// Numbers of a product for as long as it is added up.
template <class T>
struct umma_numbers {
  T* const all;
  explicit umma_numbers(int n) : all(new T[static_cast<unsigned>(n)]) {}
  umma_numbers(umma_numbers const&) = delete;
  umma_numbers& operator=(umma_numbers const&) = delete;
  ~umma_numbers() { delete[] all; }
};

/// K elements of a row. Elements of 4 bits are packed; those that TMA unpacked for the kinds of 8 bits are packed in 16 by 16,
/// each sixteen at the start of 16 bytes (PTX ISA, "Packing formats used in shared memory").
template <class T, UMMA::Major Major>
struct umma_row {
  template <std::size_t K, class Sum>
  static void read(umma_reader<T, Major> const& from, int row, Sum (&to)[K]) {
    T mine[K];
    from.read_row(row, mine);
    for (std::size_t k = 0; k < K; ++k) to[k] = static_cast<Sum>(mine[k]);
  }
};
template <class T, UMMA::Major Major>
requires(sizeof_bits_v<T> == 4) struct umma_row<T, Major> {
  template <std::size_t K, class Sum>
  static void read(umma_reader<T, Major> const& from, int row, Sum (&to)[K]) {
    umma_reader<unsigned char, Major> bytes{0, 0};
    static_cast<operand_place&>(bytes) = from;
    unsigned char mine[K / 2];
    bytes.read_row(row, mine);
    for (std::size_t k = 0; k < K; ++k)
      to[k] = static_cast<Sum>(T::bitcast(static_cast<unsigned char>(mine[k / 2] >> (k % 2 * 4) & 15)));
  }
};
template <class T, UMMA::Major Major>
struct umma_row<UMMA::in_a_byte<T>, Major> {
  template <std::size_t K, class Sum>
  static void read(umma_reader<UMMA::in_a_byte<T>, Major> const& from, int row, Sum (&to)[K]) {
    umma_reader<unsigned char, Major> bytes{0, 0};
    static_cast<operand_place&>(bytes) = from;
    unsigned char mine[K];
    bytes.read_row(row, mine);
    constexpr unsigned width = sizeof_bits_v<T>;
    for (unsigned k = 0; k < K; ++k) {
      unsigned const bit = k % 16 * width, at = k / 16 * 16 + bit / 8;
      unsigned const pair = mine[at] | (bit % 8 + width > 8 ? unsigned{mine[at + 1]} << 8 : 0u);
      to[k] = static_cast<Sum>(T::bitcast(static_cast<unsigned char>(pair >> bit % 8 & ((1u << width) - 1))));
    }
  }
};

/// Where the factors of a block-scaled product are in tensor memory (PTX ISA, "Scale Factor A layout" and its like): those of row r
/// in the r / 32-th column from here, in lane r % 32 of each quarter of the lanes, in bytes from the upper two bits of the address on.
struct umma_factors {
  std::uint32_t address = 0;

  /// `quarter` of the lanes: that of the row of D
  template <class T>
  float at(host_tensor_memory& memory, int row, int quarter, int vector) const {
    std::uint32_t const word = memory.word(32 * quarter + row % 32, static_cast<int>(address & 0xffff) + row / 32);
    unsigned const byte = (address >> 30) + static_cast<unsigned>(vector);
    return static_cast<float>(T::bitcast(static_cast<std::uint8_t>(word >> byte % 4 * 8)));
  }
};

/// What one product needs when it happens. Op: the operation
template <class Op>
struct umma_of_a_thread {
  using A = typename Op::a_type;
  using B = typename Op::b_type;
  using D = typename Op::d_type;
  using Sum = std::conditional_t<std::is_integral_v<D>, long long, float>;
  static constexpr int M = Op::rows, N = Op::columns, K = Op::k_extent, blocks = Op::blocks;
  static constexpr int rows = M / blocks, columns = N / blocks;  // that a block has of A and of B

  unsigned first_rank;
  std::uint64_t a, b;  // descriptors, or A's address
  std::uint32_t d;
  bool adds;
  umma_factors factors_a{}, factors_b{};

  void operator()() const {
    umma_numbers<Sum> const left(M * K), right(N * K);
    for (unsigned block = 0; block < static_cast<unsigned>(blocks); ++block) {
      Sum* const rows_of_a = left.all + static_cast<int>(block) * rows * K;
      if constexpr (Op::reads_a) read_shared<A, Op::major_a>(a, block, rows, rows_of_a);
      else read_tensor_memory(block, rows_of_a);
      read_shared<B, Op::major_b>(b, block, columns, right.all + static_cast<int>(block) * columns * K);
    }
    for (int m = 0; m < M; ++m) {
      host_tensor_memory& memory = host_thread->tensor_memory(first_rank + static_cast<unsigned>(m / rows));
      for (int n = 0; n < N; ++n) add(memory, m % rows, n, left.all + m * K, right.all + n * K);
    }
  }

 private:
  template <class T, UMMA::Major Major>
  void read_shared(std::uint64_t descriptor, unsigned block, int count, Sum* to) const {
    umma_reader<T, Major> const from(descriptor, first_rank + block);
    for (int row = 0; row < count; ++row) {
      Sum mine[static_cast<std::size_t>(K)];
      umma_row<T, Major>::read(from, row, mine);
      for (int k = 0; k < K; ++k) to[row * K + k] = mine[k];
    }
  }
  void read_tensor_memory(unsigned block, Sum* to) const {
    host_tensor_memory& memory = host_thread->tensor_memory(first_rank + block);
    auto const address = static_cast<std::uint32_t>(a);
    constexpr int per_column = 4 / static_cast<int>(sizeof(A));
    for (int row = 0; row < rows; ++row) {
      int const lane = umma_place<rows, N, blocks>::of(row, 0).lane + static_cast<int>(address >> 16);
      for (int k = 0; k < K; ++k) {
        std::uint32_t const word = memory.word(lane, static_cast<int>(address & 0xffff) + k / per_column);
        to[row * K + k] =
            static_cast<Sum>(element_of_registers<A>(reinterpret_cast<unsigned char const*>(&word), k % per_column));
      }
    }
  }
  void add(host_tensor_memory& memory, int m, int n, Sum const* x, Sum const* y) const {
    auto const at = umma_place<rows, N, blocks>::of(m, n);
    std::uint32_t& word = memory.word(at.lane + static_cast<int>(d >> 16), at.column + static_cast<int>(d & 0xffff));
    Sum sum =
        adds ? static_cast<Sum>(element_of_registers<D>(reinterpret_cast<unsigned char const*>(&word), 0)) : Sum(0);
    if constexpr (Op::divides_d_by != 0) sum = sum / static_cast<Sum>(1 << Op::divides_d_by);
    Sum const sign = Op::negative ? Sum(-1) : Sum(1);
    if constexpr (Op::scale_vector == 0) {
      for (int k = 0; k < K; ++k) sum = sum + sign * (x[k] * y[k]);
    } else {
      using F = typename Op::factor_type;
      for (int v = 0; v < K / Op::scale_vector; ++v) {
        Sum part = 0;
        for (int k = v * Op::scale_vector; k < (v + 1) * Op::scale_vector; ++k) part = part + x[k] * y[k];
        int const quarter = at.lane / 32;
        sum = sum + sign * part * factors_a.template at<F>(memory, m, quarter, v) *
                        factors_b.template at<F>(memory, n, quarter, v);
      }
    }
    if constexpr (Op::saturates && std::is_integral_v<Sum>) {
      constexpr long long top = 2147483647;
      sum = sum > top ? top : sum < -top - 1 ? -top - 1 : sum;
    }
    D result;
    if constexpr (std::is_integral_v<D>) result = static_cast<D>(static_cast<std::uint32_t>(sum));
    else result = static_cast<D>(sum);
    word = 0;
    __builtin_memcpy(&word, &result, sizeof(D));
  }
};

/// Starts the product of the running thread.
/// error: layout_error umma_descriptor, umma_cluster
template <class Op>
void start_umma_on_host(std::uint32_t d, std::uint64_t a, std::uint64_t b, std::uint32_t adds,
                        std::uint64_t instruction, umma_factors factors_a = {}, umma_factors factors_b = {}) {
  constexpr std::uint32_t ids = Op::scale_vector == 0 ? 0 : 3u << 29 | 3u << 4;  // which bytes have the factors
  constexpr std::uint32_t own = static_cast<std::uint32_t>(Op::instruction());
  if ((instruction >> 32 & ~ids) != own)
    raise({errc::umma_descriptor, static_cast<long long>(instruction >> 32), static_cast<long long>(own)});
  host_thread_services& thread = thread_of_a_warp();
  host_cluster const cluster = thread.cluster();
  if (Op::blocks == 2 && (cluster.rank % 2 != 0 || cluster.blocks % 2 != 0))
    raise({errc::umma_cluster, cluster.rank, cluster.blocks});
  thread.matrix_products().start(umma_of_a_thread<Op>{cluster.rank, a, b, d, adds != 0, factors_a, factors_b});
}

#endif

}  // namespace tilewright::detail

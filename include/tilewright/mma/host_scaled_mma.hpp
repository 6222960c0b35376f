// The products of SM120 by factors and of a sparse A on the CPU. Every thread hands its registers to the others of its warp. For D(m,n) a
// thread adds, over k, A(m,k) · B(n,k) · F_A(m,k / Vector) · F_B(n,k / Vector) to C(m,n), in floats. Of a sparse A half the columns are
// stored: of 4 columns 2, of columns of 4 bits two pairs of 8; 2 bits of metadata each name the columns.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/machine/host_thread.hpp"
#include "tilewright/mma/host_mma.hpp"
#include "tilewright/mma/sm120.hpp"

namespace tilewright::detail {

/// What the products of one operation are made of.
/// Bits: of a stored element, 8 (narrower floats have a byte too) or 4.  F: void without factors
template <class A, class B, int K, int Bits, class F, int Vector, bool IsSparse>
struct scaled_product {
  using a_type = A;
  using b_type = B;
  using factor_type = F;
  static constexpr int k_extent = K, bits = Bits, vector = Vector, stored_k = IsSparse ? K / 2 : K;
  static constexpr bool is_sparse = IsSparse, has_factors = !std::is_void_v<F>;
  static constexpr int a_registers = 16 * stored_k * bits / 32 / warp_size,
                       b_registers = 8 * k_extent * bits / 32 / warp_size;
};

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

template <std::size_t ARegisters, std::size_t BRegisters>
struct scaled_operands {
  std::uint32_t a[ARegisters], b[BRegisters], metadata, factors_a, factors_b;
};

template <class Product>
struct scaled_products_of_a_warp {
  using operands =
      scaled_operands<static_cast<std::size_t>(Product::a_registers), static_cast<std::size_t>(Product::b_registers)>;
  operands const* lanes;
  static constexpr int in_a_register = 32 / Product::bits;

  template <class T>
  static float number(std::uint32_t word, int i) {
    std::uint32_t const bits = word >> (i * Product::bits);
    if constexpr (Product::bits == 8) return static_cast<float>(narrow_float_byte<T>{static_cast<std::uint8_t>(bits)});
    else {
      T x;
      x.storage = static_cast<std::uint8_t>(bits & 15u);
      return static_cast<float>(x);
    }
  }
  /// Stored element (m, i) of A.
  float a(int m, int i) const {
    int const column = i / in_a_register;
    auto const& lane = lanes[4 * (m % 8) + column % 4];
    return number<typename Product::a_type>(lane.a[m / 8 + 2 * (column / 4)], i % in_a_register);
  }
  float b(int n, int k) const {
    int const column = k / in_a_register;
    return number<typename Product::b_type>(lanes[4 * n + column % 4].b[column / 4], k % in_a_register);
  }
  /// The column of A that is stored as (m, i).
  int column(int m, int i) const {
    if constexpr (!Product::is_sparse) return i;
    else {
      constexpr int in_a_step = Product::bits == 8 ? 1 : 2;  // elements that one name is for
      int const group = i / (2 * in_a_step), name = i / in_a_step % 2, half = group / 8;
      std::uint32_t const word = lanes[4 * (m % 8) + m / 8 + 2 * half].metadata;
      int const named = static_cast<int>(word >> (4 * (group % 8) + 2 * name) & 3u);
      return 4 * in_a_step * group + in_a_step * named + i % in_a_step;
    }
  }
  float factor(std::uint32_t word, int k) const {
    if constexpr (Product::has_factors)
      return static_cast<float>(
          Product::factor_type::bitcast(static_cast<std::uint8_t>(word >> (8 * (k / Product::vector)))));
    else return 1.0f;
  }
  float operator()(int m, int n, float sum) const {
    for (int i = 0; i < Product::stored_k; ++i) {
      int const k = column(m, i);
      sum += a(m, i) * b(n, k) * (factor(lanes[4 * (m % 8) + m / 8].factors_a, k) * factor(lanes[4 * n].factors_b, k));
    }
    return sum;
  }
};

/// pre: all threads of the warp call it
template <class Product, std::size_t NA, std::size_t NB>
void scaled_mma_on_host(char const* name, float (&d)[4], std::uint32_t const (&a)[NA], std::uint32_t const (&b)[NB],
                        float const (&c)[4], std::uint32_t metadata, std::uint32_t factors_a, std::uint32_t factors_b) {
  scaled_operands<NA, NB> mine{{}, {}, metadata, factors_a, factors_b};
  __builtin_memcpy(mine.a, a, sizeof(mine.a));
  __builtin_memcpy(mine.b, b, sizeof(mine.b));
  host_thread_services& warp = thread_of_a_warp();
  unsigned char const* const all = warp.exchange(name, &mine, static_cast<int>(sizeof(mine)));
  decltype(mine) lanes[warp_size];
  __builtin_memcpy(lanes, all, sizeof(lanes));
  scaled_products_of_a_warp<Product> const products{lanes};
  for (int v = 0; v < 4; ++v) d[v] = products(warp.lane() / 4 + 8 * (v / 2), 2 * (warp.lane() % 4) + v % 2, c[v]);
}

#endif

}  // namespace tilewright::detail

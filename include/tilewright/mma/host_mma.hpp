// Matrix operations of several threads on the CPU: every thread hands its registers of A and B to the others of its warp, takes
// those that its values of C need, and adds up the products. As for ldmatrix, all 32 threads of the warp take part.
//
// Products of 16-bit and narrower floats are exact in a float; they are added to C in the order of k, in float (double, int32)
// arithmetic, and rounded to D's type once. Hardware adds them in an order and with internal bits of its own.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/machine/host_thread.hpp"
#include "tilewright/mma/fragment_map.hpp"
#include "tilewright/tensor/small_float.hpp"

namespace tilewright::detail {

/// How products are added up: plainly (integers wrap around), saturating at the ends of int32, or as the number of bits that
/// are set in the exclusive or, or the conjunction, of rows of bits.
enum class mma_rule { multiply_add, saturating, xor_popc, and_popc };

#if TILEWRIGHT_HOSTED && !TILEWRIGHT_ON_DEVICE

/// Element `i` of registers of T's.
template <class T>
T element_of_registers(unsigned char const* bytes, int i) {
  if constexpr (is_subbyte_v<T>) {
    constexpr int bits = sizeof_bits_v<T>;
    T out;
    out.storage = static_cast<unsigned char>(bytes[i * bits / 8] >> (i * bits % 8) & T::mask);
    return out;
  } else {
    T out;
    __builtin_memcpy(&out, bytes + static_cast<unsigned>(i) * sizeof(T), sizeof(T));
    return out;
  }
}

/// The type that sums are kept in.
template <class T>
using sum_type = std::conditional_t<std::is_same_v<T, double> || std::is_integral_v<T>, T, float>;

template <mma_rule Rule, class Sum, class A, class B>
Sum add_product(Sum sum, A const& a, B const& b) {
  if constexpr (!std::is_integral_v<Sum>) {
    return static_cast<Sum>(a) * static_cast<Sum>(b) + sum;
  } else {
    long long const product = Rule == mma_rule::xor_popc ? static_cast<int>(a) ^ static_cast<int>(b)
                              : Rule == mma_rule::and_popc
                                  ? static_cast<int>(a) & static_cast<int>(b)
                                  : static_cast<long long>(static_cast<int>(a)) * static_cast<int>(b);
    return static_cast<Sum>(sum + product);
  }
}

/// Which thread of the atom has element `i` of an operand, as which of its values.
template <class Map>
struct holders_of {
  static constexpr int elements = static_cast<int>(cosize_v<Map>);
  struct place {
    short thread, value;
  } at[static_cast<std::size_t>(elements)];

  holders_of() {
    constexpr int threads = static_cast<int>(size_v<decltype(layout<0>(Map{}))>);
    constexpr int values = static_cast<int>(size_v<decltype(layout<1>(Map{}))>);
    for (int t = 0; t < threads; ++t)
      for (int v = 0; v < values; ++v)
        at[static_cast<int>(Map{}(t, v))] = {static_cast<short>(t), static_cast<short>(v)};
  }
  static place const* table() {
    static holders_of const all;
    return all.at;
  }
};

/// The atoms of a warp: quad pairs are four, of lanes 4q … 4q+3 and 16+4q … 16+4q+3.
template <class ThrID>
struct atoms_of_a_warp {
  static constexpr int threads = static_cast<int>(size_v<ThrID>);
  int first[warp_size];   // the lane of thread 0 of a lane's atom
  int thread[warp_size];  // the lane's number in its atom

  atoms_of_a_warp() {
    bool taken[warp_size] = {};
    for (int lane = 0; lane < warp_size; ++lane) {
      if (taken[lane]) continue;
      for (int t = 0; t < threads; ++t) {
        int const other = (lane + static_cast<int>(ThrID{}(t))) % warp_size;
        taken[other] = true;
        first[other] = lane;
        thread[other] = t;
      }
    }
  }
  static atoms_of_a_warp const& table() {
    static atoms_of_a_warp const all;
    return all;
  }
};

/// d = A·B + c of this thread, by all threads of the warp.
template <class Traits, mma_rule Rule, class RegD, std::size_t ND, class RegA, std::size_t NA, class RegB,
          std::size_t NB>
void mma_on_host(char const* name, RegD (&d)[ND], RegA const (&a)[NA], RegB const (&b)[NB], RegD const (&c)[ND]) {
  using A = typename Traits::ValTypeA;
  using B = typename Traits::ValTypeB;
  using D = typename Traits::ValTypeD;
  using Sum = sum_type<D>;
  constexpr int M = tuple_element_t<0, typename Traits::Shape_MNK>::value;
  constexpr int N = tuple_element_t<1, typename Traits::Shape_MNK>::value;
  constexpr int K = tuple_element_t<2, typename Traits::Shape_MNK>::value;
  constexpr int values = static_cast<int>(size_v<decltype(layout<1>(typename Traits::CLayout{}))>);
  struct operands {
    RegA a[NA];
    RegB b[NB];
  } mine;
  __builtin_memcpy(mine.a, a, sizeof(mine.a));
  __builtin_memcpy(mine.b, b, sizeof(mine.b));
  host_thread_services& warp = thread_of_a_warp();
  unsigned char const* const all = warp.exchange(name, &mine, static_cast<int>(sizeof(mine)));
  auto const& atoms = atoms_of_a_warp<typename Traits::ThrID>::table();
  int const lane = warp.lane(), first = atoms.first[lane];
  auto const of_thread = [&](int t) {
    return all + static_cast<unsigned>((first + static_cast<int>(typename Traits::ThrID{}(t))) % warp_size) *
                     sizeof(operands);
  };
  auto const* const holders_a = holders_of<typename Traits::ALayout>::table();
  auto const* const holders_b = holders_of<typename Traits::BLayout>::table();
  auto const* const from = reinterpret_cast<unsigned char const*>(c);
  array_of<D, values> results;
  for (int v = 0; v < values; ++v) {
    int const at = static_cast<int>(typename Traits::CLayout{}(atoms.thread[lane], v)), m = at % M, n = at / M;
    auto sum =
        static_cast<std::conditional_t<std::is_integral_v<Sum>, long long, Sum>>(element_of_registers<D>(from, v));
    for (int k = 0; k < K; ++k) {
      auto const x = holders_a[m + M * k];
      auto const y = holders_b[n + N * k];
      sum = add_product<Rule>(sum, element_of_registers<A>(of_thread(x.thread), x.value),
                              element_of_registers<B>(of_thread(y.thread) + sizeof(mine.a), y.value));
    }
    if constexpr (Rule == mma_rule::saturating) {
      constexpr long long top = 2147483647;
      sum = sum > top ? top : sum < -top - 1 ? -top - 1 : sum;
    }
    if constexpr (std::is_integral_v<Sum>) results[v] = static_cast<D>(static_cast<std::uint32_t>(sum));
    else results[v] = static_cast<D>(sum);
  }
  static_assert(sizeof(results) == sizeof(d));
  __builtin_memcpy(d, results, sizeof(d));
}

#endif

}  // namespace tilewright::detail

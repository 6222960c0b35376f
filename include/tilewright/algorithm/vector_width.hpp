// How wide a copy between two tensors may be: as many elements as both hold contiguously in the same order, at offsets
// that all are multiples of the width. Strides that are run-time values count by their stated divisors only.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/tensor/pointer_swizzle.hpp"
#include "tilewright/tiled/tiled_copy.hpp"

namespace tilewright {

namespace op {

template <int Limit>
struct provable_vector {
  static constexpr auto kind = lift::result_kind::tuple;

  /// The largest divisor of n for which n leading offsets are a run and every other stride is a multiple of it.
  static TILEWRIGHT_CONSTEXPR long long limited(arithmetic const& c, int_tree const& a, long long n) {
    bool in_run[int_tree::leaf_capacity]{};
    for (long long reached = 1; reached < n;) {
      int next = -1;
      for (int i = 0; i < a.leaves && next < 0; ++i)
        if (!in_run[i] && a.stride[i].is(reached) && a.shape[i].is_static() && a.shape[i].number > 1) next = i;
      if (next < 0) return limited_to(c, a, in_run, math::gcd(n, reached));
      in_run[next] = true;
      long long const extent = a.shape[next].number;
      // The run may end inside of this mode only where the vector divides it.
      if (!math::multiply(reached, extent, reached)) reached = n;
      if (reached % n != 0 && reached > n) n = math::gcd(n, reached);
    }
    return limited_to(c, a, in_run, n);
  }
  static TILEWRIGHT_CONSTEXPR long long limited_to(arithmetic const& c, int_tree const& a, bool const* in_run,
                                                   long long n) {
    for (int i = 0; i < a.leaves; ++i) {
      leaf const d = a.stride[i];
      if (in_run[i] || d.is(0) || a.shape[i].is(1)) continue;
      n = math::gcd(n, d.is_static() || c.tracked(d) ? c.divisor(d) : 1);
    }
    return n;
  }
  static TILEWRIGHT_CONSTEXPR int_tree apply(arithmetic& c, int_tree const& a, int_tree const& b) {
    leaf const common = algebra::max_common_vector(c, a, b);
    if (!common.is_static() || c.failed()) {
      c.error = {};
      return leaf_tree(constant_leaf(1));
    }
    long long n = math::gcd(common.number, Limit);
    n = limited(c, a, n);
    n = limited(c, b, n);
    n = limited(c, a, n);  // what b allows may end a's run elsewhere
    return leaf_tree(constant_leaf(n));
  }
};

}  // namespace op

namespace detail {

template <class O>
inline constexpr long long constant_or_zero = 0;
template <auto v>
inline constexpr long long constant_or_zero<C<v>> = v;
template <int B, int M>
inline constexpr long long kept_by_swizzle = B == 0 ? 1 << 20 : 1LL << M;
/// The elements that a swizzle keeps next to each other, from a constant offset on.
template <class L>
inline constexpr long long kept_together = 1 << 20;
/// After another layout one: what is contiguous below it need not be above.
template <class A, class O, class L>
inline constexpr long long kept_together<ComposedLayout<A, O, L>> = 1;
template <int B, int M, int S, class O, class L>
inline constexpr long long kept_together<ComposedLayout<Swizzle<B, M, S>, O, L>> = math::gcd(kept_by_swizzle<B, M>,
                                                                                             constant_or_zero<O>);

/// The same for the swizzle of a pointer, which counts in bytes.
template <class It, int ElementBits>
inline constexpr long long kept_together_at = 1 << 20;
template <class It, memory_space Space, int ElementBits>
inline constexpr long long kept_together_at<tagged_ptr<It, Space>, ElementBits> = kept_together_at<It, ElementBits>;
template <int B, int M, int S, class It, int ElementBits>
inline constexpr long long kept_together_at<swizzle_ptr<Swizzle<B, M, S>, It>, ElementBits> =
    B == 0                     ? 1 << 20
    : (8LL << M) < ElementBits ? 1
                               : (8LL << M) / ElementBits;

template <class T>
inline constexpr bool in_memory = can_be_null<std::remove_cvref_t<decltype(std::declval<T&>().data())>>;

template <int Bits, class Src, class Dst>
TILEWRIGHT_CONSTEXPR int count_vector_elements() {
  using S = typename Src::value_type;
  using D = typename Dst::value_type;
  if constexpr (!std::is_same_v<S, D> || !in_memory<Src const> || !in_memory<Dst> || Bits < 8 ||
                Bits % sizeof_bits_v<S> != 0) {
    return 1;
  } else {
    using SL = typename Src::layout_type;
    using DL = typename Dst::layout_type;
    constexpr long long layouts = math::gcd(kept_together<SL>, kept_together<DL>);
    constexpr long long pointers = math::gcd(kept_together_at<typename Src::iterator, sizeof_bits_v<S>>,
                                             kept_together_at<typename Dst::iterator, sizeof_bits_v<D>>);
    constexpr long long swizzles = math::gcd(layouts, pointers);
    constexpr int limit = static_cast<int>(math::gcd(Bits / sizeof_bits_v<S>, swizzles));
    using InnerS = decltype(inner_layout(std::declval<SL const&>()));
    using InnerD = decltype(inner_layout(std::declval<DL const&>()));
    constexpr int n = lift::Run<op::provable_vector<limit>, InnerS, InnerD>::value.tree.shape[0].number;
    constexpr int bits = n * sizeof_bits_v<S>;
    return n > 1 && bits >= 8 && math::has_single_bit(bits) ? n : 1;
  }
}
/// The vector, in elements, for tensors whose first elements are aligned to `Bits`.
template <int Bits, class Src, class Dst>
inline constexpr int vector_elements = count_vector_elements<Bits, Src, Dst>();

/// The alignment in bits that a tensor's type promises for its first element.
template <class T>
inline constexpr int promised_alignment = 8;
template <class It, class L>
inline constexpr int promised_alignment<Tensor<ViewEngine<It>, L>> =
    is_subbyte_v<iter_value_t<It>> ? 1 : sizeof_bits_v<iter_value_t<It>>;
template <class T, std::size_t N, class L>
inline constexpr int promised_alignment<Tensor<ArrayEngine<T, N>, L>> = ArrayEngine<T, N>::alignment * 8;

}  // namespace detail
}  // namespace tilewright

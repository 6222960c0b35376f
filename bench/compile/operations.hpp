// Families of operations, no two with the same operand types: the first n of a family cost n runs of the algebra, and
// what they leave behind is a sum that no compiler can drop. The units of this folder instantiate some of them.
#pragma once

#include "tilewright/algebra/operations.hpp"

#include <utility>

namespace tilewright::bench {

/// On static layouts: divisions, products, compositions, complements and inverses, one after another.
struct static_operations {
  template <int N>
  static constexpr auto run(int) {
    using K = Int<N / 8 + 2>;
    using K4 = Int<4 * K::value>;
    constexpr int kind = N % 8;
    if constexpr (kind == 0) {
      return zipped_divide(Layout<Shape<K4, _16>, Stride<_16, _1>>{}, make_tile(_4{}, Layout<_2, _8>{}));
    } else if constexpr (kind == 1) {
      return logical_product(Layout<Shape<_2, K>, Stride<K, _1>>{}, Layout<Shape<_3, _4>>{});
    } else if constexpr (kind == 2) {
      return composition(Layout<Shape<K4, _8>, Stride<_8, _1>>{}, Layout<Shape<_4, _8>, Stride<_1, K4>>{});
    } else if constexpr (kind == 3) {
      return complement(Layout<Shape<_4, K>, Stride<_2, _16>>{}, Int<64 * K::value>{});
    } else if constexpr (kind == 4) {
      return right_inverse(Layout<Shape<K, _4, _8>, Stride<_32, _1, _4>>{});
    } else if constexpr (kind == 5) {
      return raked_product(Layout<Shape<_4, K>, Stride<K, _1>>{}, Layout<Shape<_2, _2>>{});
    } else if constexpr (kind == 6) {
      return left_inverse(Layout<Shape<_8, K>, Stride<K, _1>>{});
    } else {
      return tiled_divide(Layout<Shape<Shape<_2, K4>, _8>, Stride<Stride<_1, _16>, _2>>{}, Shape<_2, _4>{});
    }
  }
};

/// On layouts with one extent and one stride known at run time only.
struct mixed_operations {
  template <int N>
  static constexpr auto run(int m) {
    using K = Int<N / 5 + 2>;
    using K8 = Int<8 * K::value>;
    constexpr int kind = N % 5;
    auto const matrix = make_layout(make_shape(m, K8{}), make_stride(_1{}, m));  // (m, K8)
    if constexpr (kind == 0) {
      return zipped_divide(matrix, make_tile(_4{}, Layout<_2, _4>{}));
    } else if constexpr (kind == 1) {
      return composition(matrix, make_tile(Layout<_2, _2>{}, K{}));
    } else if constexpr (kind == 2) {
      return logical_product(Layout<Shape<_2, K>, Stride<K, _1>>{}, make_layout(make_shape(m, _4{})));
    } else if constexpr (kind == 3) {
      return tiled_divide(matrix, Shape<_2, K>{});
    } else {
      return coalesce(make_layout(matrix, make_layout(K{}, 8 * m * K{})));
    }
  }
};

/// On static layouts of 30 leaves, 2 each, in permuted order.
struct deep_operations {
  template <class S, class D>
  struct joined;
  template <class... S, class... D>
  struct joined<tuple<S...>, tuple<D...>> {
    using type = Layout<Shape<S...>, Stride<D...>>;
  };
  template <int Rotation, int... I>
  static constexpr auto permuted(std::integer_sequence<int, I...>) {
    return typename joined<tuple<Int<2 + 0 * I>...>, tuple<Int<(1 << ((7 * I + Rotation) % 30))>...>>::type{};
  }

  template <int N>
  static constexpr auto run(int) {
    constexpr int kind = N % 5;
    auto const layout = permuted<N>(std::make_integer_sequence<int, 30>{});
    auto const other = permuted<N + 5>(std::make_integer_sequence<int, 30>{});
    if constexpr (kind == 0) return right_inverse(layout);
    else if constexpr (kind == 1) return composition(layout, other);
    else if constexpr (kind == 2) return left_inverse(layout);
    else if constexpr (kind == 3) return logical_divide(layout, Layout<Shape<_2, _4>, Stride<_32, _1>>{});
    else return complement(coalesce(layout), _1{});
  }
};

template <class Family, int... N>
constexpr long long sum_of_extents(int m, std::integer_sequence<int, N...>) {
  return (0LL + ... + (N + static_cast<long long>(size(Family::template run<N>(m)))));
}

/// The first Count operations of a family, for an extent m.
template <class Family, int Count>
constexpr long long first_operations(int m) {
  return sum_of_extents<Family>(m, std::make_integer_sequence<int, Count>{});
}

}  // namespace tilewright::bench

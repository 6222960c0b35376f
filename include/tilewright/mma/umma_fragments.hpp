// Accumulators of Blackwell's products, and operands A that are read from there, in tensor memory (PTX ISA, "Data Path Layout
// Organization"): which lane and column element (m, n) of one product has, and how products are placed beside one another.
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/mma/umma_descriptor.hpp"
#include "tilewright/tensor/tmem_pointer.hpp"

namespace tilewright {
namespace UMMA {

/// Products of 64 rows have half of the lanes: the other half of the same columns has the next product (Interleaved), none
/// (NonInterleaved), or a copy of this one (Duplicated).
enum class TmemAllocMode { Interleaved = 0, NonInterleaved = 1, Duplicated = 2, ScaleFactor = 3 };

}  // namespace UMMA

namespace detail {

template <bool Fits>
struct accumulators_fit_into_tensor_memory {
  static constexpr bool value = Fits;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(value,
                  "tensor memory: the accumulators need more than 512 columns of 32 bits; make the tile of the block "
                  "smaller (docs/errors.md#tensor_memory)");
    return invalid_layout{};
  }
};

/// (m, n) of one product -> element of T: layouts A, D (128 rows), F (64 rows) and B (64 rows of each of two blocks).
/// Step: elements from one column to the next
template <class T, int Rows, int Columns, int Blocks, int Step>
struct tmem_product_layout;
template <class T, int Columns, int Blocks, int Step>
struct tmem_product_layout<T, 128, Columns, Blocks, Step> {
  static constexpr int columns = Columns;
  using type = Layout<Shape<_128, C<Columns>>, Stride<TMEM::DP<T>, C<Step>>>;
};
template <class T, int Columns, int Step>
struct tmem_product_layout<T, 64, Columns, 1, Step> {
  static constexpr int columns = Columns;
  using type =
      Layout<Shape<Shape<_16, _4>, C<Columns>>, Stride<Stride<TMEM::DP<T>, C<32 * TMEM::DP<T>::value>>, C<Step>>>;
};
template <class T, int Columns, int Step>
struct tmem_product_layout<T, 64, Columns, 2, Step> {
  static constexpr int columns = Columns / 2;
  using type =
      Layout<Shape<_64, Shape<C<Columns / 2>, _2>>, Stride<TMEM::DP<T>, Stride<C<Step>, C<64 * TMEM::DP<T>::value>>>>;
};

/// Layout G: 32 rows, whose columns are in quarters of the lanes.
template <class T, int Columns, int Step>
struct tmem_product_layout<T, 32, Columns, 2, Step> {
  static constexpr int columns = Columns / 4;
  using type =
      Layout<Shape<_32, Shape<C<Columns / 4>, _4>>, Stride<TMEM::DP<T>, Stride<C<Step>, C<32 * TMEM::DP<T>::value>>>>;
};

/// Number of a product, first mode fastest -> element of T.
template <bool InPairs, class T, int Step, class Rest>
TILEWRIGHT_FN constexpr auto tmem_places(Rest const& rest) {
  auto const number = make_layout(rest);
  if constexpr (InPairs) {
    constexpr int pairs = static_cast<int>(size_v<Rest>) / 2;
    return composition(Layout<Shape<_2, C<pairs>>, Stride<C<16 * TMEM::DP<T>::value>, C<Step>>>{}, number);
  } else {
    return composition(Layout<C<static_cast<int>(size_v<Rest>)>, C<Step>>{}, number);
  }
}
template <bool InPairs, class T, int Step, class Product, class S, int... I>
TILEWRIGHT_FN constexpr auto tmem_fragment_layout(S const& shape, seq<I...>) {
  auto const places = tmem_places<InPairs, T, Step>(make_shape(get<I + 1>(shape)...));
  return make_layout(Product{}, tilewright::layout<I>(places)...);
}

template <class T, class Storage, int Blocks, UMMA::TmemAllocMode Mode, class L>
TILEWRIGHT_FN constexpr auto tmem_fragment(L const& layout) {
  using S = std::remove_cvref_t<decltype(layout.shape())>;
  constexpr int rows = static_cast<int>(decltype(size<0, 0>(layout))::value);
  constexpr int columns = static_cast<int>(decltype(size<0, 1>(layout))::value);
  constexpr int step = sizeof_bits_v<Storage> / sizeof_bits_v<T>, per_column = 32 / sizeof_bits_v<T>;
  constexpr int products = static_cast<int>(size_v<S>) / (rows * columns);
  constexpr bool in_pairs = rows == 64 && Blocks == 1 && Mode == UMMA::TmemAllocMode::Interleaved && products % 2 == 0;
  using product = tmem_product_layout<T, rows, columns, Blocks, step>;
  constexpr int taken = product::columns * step * (in_pairs ? products / 2 : products);
  using check = accumulators_fit_into_tensor_memory<taken <= 512 * per_column>;
  if constexpr (!check::value) return check::sentence();
  else
    return make_tensor(make_tmem_ptr<T>(),
                       tmem_fragment_layout<in_pairs, T, product::columns * step, typename product::type>(
                           layout.shape(), make_seq<tuple_size_v<S> - 1>{}));
}

}  // namespace detail

namespace UMMA {

/// The fragment type of what is in tensor memory: elements of Value, each stored as a Storage; N_SM blocks multiply together.
template <class Value, class Storage, int N_SM, TmemAllocMode Mode = TmemAllocMode::Interleaved>
struct tmem_frg {
  /// A tensor for a partition's shape ((M, N), RestM, RestN, …), at address 0 until an allocated one is assigned:
  /// tensor.data() = address.
  template <class L>
  TILEWRIGHT_FN static constexpr auto tensor_for(L const& layout) {
    return tilewright::detail::tmem_fragment<Value, Storage, N_SM, Mode>(layout);
  }
  template <class T>
  TILEWRIGHT_FN static constexpr auto fragment_of(T const& partition) {
    return tensor_for(make_layout(partition.shape()));
  }
};
template <class Value, class Storage = std::uint32_t, TmemAllocMode Mode = TmemAllocMode::Interleaved>
using tmem_frg_1sm = tmem_frg<Value, Storage, 1, Mode>;
template <class Value, class Storage = std::uint32_t, TmemAllocMode Mode = TmemAllocMode::Interleaved>
using tmem_frg_2sm = tmem_frg<Value, Storage, 2, Mode>;

/// The fragment type of factors of block-scaled products, elements of Value for SFVecSize elements of K each (PTX ISA, "Scale Factor A
/// layout"): row r in lane r % 32 of each quarter of the lanes and in column r / 32, the factors along K in the bytes of a column.
/// N_SM and IsFactorOfA do not matter: a block has the factors of its own rows of A, and those of all rows of B.
template <class Value, int SFVecSize, int N_SM, bool IsFactorOfA, TmemAllocMode Mode = TmemAllocMode::ScaleFactor>
struct tmem_sf_frg {
  static_assert(sizeof_bits_v<Value> == 8, "tmem_sf_frg: factors have 8 bits");
  /// A tensor for the shape of the factors in shared memory: ((rows, (SFVecSize, factors of a product)), 1, (products in four
  /// factors, groups of four)), at address 0 until an allocated one is assigned: tensor.data() = address.
  template <class L>
  TILEWRIGHT_FN static constexpr auto tensor_for(L const& layout) {
    using S = std::remove_cvref_t<decltype(layout.shape())>;
    static_assert(tuple_size_v<S> == 3 && decltype(size<1>(layout))::value == 1,
                  "tmem_sf_frg: the shape is ((rows, (vector, factors)), 1, (products, groups))");
    constexpr int columns = static_cast<int>(decltype(size<0, 0>(layout))::value) / 32;
    constexpr int factors = static_cast<int>(decltype(size<0, 1, 1>(layout))::value);
    constexpr int products = static_cast<int>(decltype(size<2, 0>(layout))::value);
    constexpr int groups = static_cast<int>(decltype(size<2, 1>(layout))::value);
    using lane = TMEM::DP<Value>;
    using shape = Shape<Shape<Shape<Shape<_32, C<columns>>, _4>, Shape<C<SFVecSize>, C<factors>>>, _1,
                        Shape<C<products>, C<groups>>>;
    using stride = Stride<Stride<Stride<Stride<lane, _4>, C<32 * lane::value>>, Stride<_0, _1>>, _0,
                          Stride<C<products == 1 ? 0 : factors>, C<groups == 1 ? 0 : 4 * columns>>>;
    return make_tensor(make_tmem_ptr<Value>(), Layout<shape, stride>{});
  }
};

/// Of products that one block makes by tcgen05.mma.ws: layouts E and G of 64 and 32 rows fold their columns over the lanes as
/// those of two blocks do.
template <class Value, class Storage = std::uint32_t>
using tmem_frg_ws_1sm = tmem_frg<Value, Storage, 2, TmemAllocMode::NonInterleaved>;

}  // namespace UMMA
}  // namespace tilewright

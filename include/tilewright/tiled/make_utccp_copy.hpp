// Declares a copy from shared to tensor memory by tcgen05.cp (mma/umma_copy.hpp): one instruction takes rows of 16 or 32 bytes, and
// the copy repeats it over the tensor. The instruction reads shared memory by a descriptor, so that the source is a tensor of these.
//
//   auto const copies = make_utccp_copy(SM100_UTCCP_4x32dp128bit_1cta{}, factors_in_tensor_memory);
//   auto const from = get_utccp_smem_desc_tensor<SM100_UTCCP_4x32dp128bit_1cta>(copies.get_slice(0).partition_S(factors_in_shared_memory));
//   copy(copies, from, copies.get_slice(0).partition_D(factors_in_tensor_memory));   // one thread
#pragma once

#include "tilewright/base/config.hpp"
#include "tilewright/base/error_sentences.hpp"  // first, for short lists of includes in messages
#include "tilewright/base/int_checks.hpp"

#include "tilewright/mma/umma_copy.hpp"
#include "tilewright/mma/umma_operands.hpp"
#include "tilewright/tiled/make_tmem_copy.hpp"

namespace tilewright {
namespace detail {

/// Which rows an instruction takes, element by element: value -> element of tensor memory; the rows first, then the elements of a
/// row, then the copies of a row in other quarters of the lanes. `bits`: bit of the values -> bit of shared memory.
template <ptx::tmem_copy_shape Shape_>
struct utccp_map {
  using rows = tmem_copy_rows<Shape_>;
  using bits = Layout<C<rows::rows * rows::bytes * 8>>;
  template <class T>
  using values = Layout<Shape<C<rows::rows>, C<rows::bytes * 8 / sizeof_bits_v<T>>>, Stride<TMEM::DP<T>, _1>>;
};
template <>
struct utccp_map<ptx::tmem_copy_shape::l32x128b_x4> {
  using bits = Layout<Shape<_32, _128, _4>, Stride<_1, _32, _0>>;
  template <class T>
  using values = Layout<Shape<_32, C<128 / sizeof_bits_v<T>>, _4>, Stride<TMEM::DP<T>, _1, C<32 * TMEM::DP<T>::value>>>;
};
template <>
struct utccp_map<ptx::tmem_copy_shape::l64x128b_02_13> {
  using bits = Layout<Shape<_64, _128, _2>, Stride<_1, _64, _0>>;
  template <class T>
  using values = Layout<Shape<_64, C<128 / sizeof_bits_v<T>>, _2>, Stride<TMEM::DP<T>, _1, C<64 * TMEM::DP<T>::value>>>;
};
template <>
struct utccp_map<ptx::tmem_copy_shape::l64x128b_01_23> {
  using bits = Layout<Shape<_32, _128, _2, _2>, Stride<_1, _32, _4096, _0>>;
  template <class T>
  using values = Layout<Shape<_32, C<128 / sizeof_bits_v<T>>, _2, _2>,
                        Stride<TMEM::DP<T>, _1, C<64 * TMEM::DP<T>::value>, C<32 * TMEM::DP<T>::value>>>;
};

}  // namespace detail

/// The blocks are the threads.
template <ptx::tmem_copy_shape Shape_, int Blocks>
struct Copy_Traits<detail::tmem_copy_operation<Shape_, Blocks>> {
  using operation = detail::tmem_copy_operation<Shape_, Blocks>;
  using source_bits = typename detail::utccp_map<Shape_>::bits;
  using ThrID = Layout<C<Blocks>>;
  using SrcLayout = decltype(make_layout(Layout<C<Blocks>, _0>{}, source_bits{}));
  using DstLayout = Layout<Shape<C<Blocks>, C<static_cast<int>(size_v<source_bits>)>>, Stride<_0, _1>>;
  using RefLayout = DstLayout;
};

namespace detail {

/// A descriptor's fields for the first instruction of a partition (V, Rest…) of shared memory, in units of 16 bytes: rows of one or two
/// pieces of 16 bytes, eight rows one after another. Pieces are as the instruction reads them: of the partition their first elements
/// count, since a smaller tensor of factors goes on beyond its end in a partition.
template <ptx::tmem_copy_shape Shape_, class Plain>
TILEWRIGHT_CONSTEXPR gmma_fields utccp_fields() {
  using L = std::remove_cvref_t<decltype(layout<0>(std::declval<typename Plain::layout_type>()))>;
  constexpr int bits = sizeof_bits_v<typename Plain::value_type>, pieces = umma_swizzle<get_swizzle_t<Plain>>::pieces;
  constexpr int rows = tmem_copy_rows<Shape_>::rows, row = tmem_copy_rows<Shape_>::bytes * 8 / bits, piece = 128 / bits;
  gmma_fields out;
  if constexpr (is_static_v<L> && pieces > 0 && umma_swizzle<get_swizzle_t<Plain>>::group == 8) {
    if constexpr (static_cast<int>(size_v<L>) * bits == static_cast<int>(size_v<typename utccp_map<Shape_>::bits>)) {
      long long const next = pieces * piece, eighth = rows > 8 ? static_cast<long long>(L{}(8)) : 0;
      long long const second = row > piece ? static_cast<long long>(L{}(rows * piece)) : piece;
      out.exists = eighth % piece == 0 && second % piece == 0 && (pieces == 1 || second == piece);
      for (int i = 0; i < row; i += piece)
        for (int r = 0; r < rows; ++r)
          out.exists = out.exists &&
                       static_cast<long long>(L{}(r + rows * i)) == r % 8 * next + r / 8 * eighth + i / piece * second;
      out.leading = pieces == 1 && row > piece ? second / piece : 1;
      out.stride = eighth / piece;
    }
  }
  return out;
}
template <bool Exists>
struct utccp_rows_have_a_descriptor {
  static constexpr bool value = Exists;
  TILEWRIGHT_FN static constexpr auto sentence() {
    static_assert(
        value,
        "get_utccp_smem_desc_tensor: the rows of a partition have no matrix descriptor; partition shared memory "
        "whose rows have 16 contiguous bytes, eight of them one after another, with the tiled copy of the same "
        "operation (docs/errors.md#umma_layout)");
    return invalid_layout{};
  }
};
template <ptx::tmem_copy_shape Shape_, class Plain>
struct utccp_source {
  static constexpr gmma_fields fields = utccp_fields<Shape_, Plain>();
  using type = all_hold<gmma_operand_is_shared<typename Plain::iterator>, utccp_rows_have_a_descriptor<fields.exists>>;
};

template <class Op>
struct utccp_of;
template <ptx::tmem_copy_shape Shape_, int Blocks>
struct utccp_of<tmem_copy_operation<Shape_, Blocks>> {
  static constexpr int blocks = Blocks;
  static constexpr ptx::tmem_copy_shape shape = Shape_;
  template <class T>
  using values = typename utccp_map<Shape_>::template values<T>;
};

}  // namespace detail

/// pre: the tensor is in tensor memory; its layout is static, injective, and has the lanes and columns that an instruction writes
template <class Op, TensorType Tmem>
TILEWRIGHT_FN constexpr auto make_utccp_copy(Op const&, Tmem const& tmem) {
  using T = typename Tmem::value_type;
  using operation = detail::utccp_of<Op>;
  using check = detail::tensor_is_in_tensor_memory<detail::iterator_of<Tmem const>>;
  if constexpr (!check::value) return check::sentence();
  else
    return make_cotiled_copy(Copy_Atom<Op, T>{},
                             make_layout(Layout<C<operation::blocks>, _0>{}, typename operation::template values<T>{}),
                             tmem.layout());
}

/// A source partition (V, Rest…) of such a copy as a tensor of descriptors (1, Rest…).
/// pre: the swizzle's period starts at a multiple of its bytes
TILEWRIGHT_NO_EXEC_CHECK
template <class Op, TensorType T>
TILEWRIGHT_FN constexpr auto get_utccp_smem_desc_tensor(T const& partition) {
  auto const plain = as_position_dependent_swizzle_tensor(partition);
  using Plain = std::remove_const_t<decltype(plain)>;
  using source = detail::utccp_source<detail::utccp_of<Op>::shape, Plain>;
  if constexpr (!source::type::value) {
    return source::type::sentence();
  } else {
    constexpr detail::gmma_fields fields = source::fields;
    constexpr UMMA::LayoutType type = detail::umma_swizzle<get_swizzle_t<Plain>>::type;
    UMMA::DescriptorIterator first;
    first.desc_.desc_ = static_cast<std::uint64_t>(detail::gmma_address(plain.data()) >> 4 & 0x3fff) |
                        static_cast<std::uint64_t>(fields.leading & 0x3fff) << 16 |
                        static_cast<std::uint64_t>(fields.stride & 0x3fff) << 32 | std::uint64_t{1} << 46 |
                        static_cast<std::uint64_t>(type) << 61;
    return make_tensor(first, detail::layout_of_descriptors<typename T::value_type>(plain.layout()));
  }
}

/// Starts the instructions, in order with the products of the same thread; done when umma_arrive's barrier is.
/// src: descriptors (1, Rest…); dst: tensor memory (V, Rest…), as partition_S and partition_D of one copy give them
/// pre: one thread calls it, the one that makes the products
TILEWRIGHT_NO_EXEC_CHECK
template <ptx::tmem_copy_shape Shape_, int Blocks, class T, TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy(Copy_Atom<detail::tmem_copy_operation<Shape_, Blocks>, T> const&, Src const& src,
                                  Dst&& dst) {
  using D = std::remove_cvref_t<Dst>;
  static_assert(
      std::is_same_v<typename Src::iterator, UMMA::DescriptorIterator> && is_tmem_v<typename D::iterator>,
      "copy by tcgen05.cp: the source is a tensor of descriptors, of get_utccp_smem_desc_tensor, the destination "
      "is in tensor memory");
  static_assert(rank_v<Src> == rank_v<D>,
                "copy by tcgen05.cp: source and destination differ in rank; partition both with "
                "one tiled copy");
  if constexpr (rank_v<Src> == 1) {
    detail::tmem_copy_operation<Shape_, Blocks>::copy((*src.data()).desc_, dst.data().column());
  } else {
    auto const source = group_modes<1, rank_v<Src>>(src).layout();  // (V, (Rest…))
    auto const target = group_modes<1, rank_v<D>>(dst).layout();    // (V, (Rest…))
    auto const n = static_cast<int>(size<1>(target));
    TILEWRIGHT_UNROLL
    for (int i = 0; i < n; ++i)
      detail::tmem_copy_operation<Shape_, Blocks>::copy((*(src.data() + source(0, i))).desc_,
                                                        (dst.data() + target(0, i)).column());
  }
}
TILEWRIGHT_NO_EXEC_CHECK
template <ptx::tmem_copy_shape Shape_, int Blocks, class T, class TV, class Tiler, TensorType Src, TensorType Dst>
TILEWRIGHT_FN constexpr void copy(
    TiledCopy<Copy_Atom<detail::tmem_copy_operation<Shape_, Blocks>, T>, TV, Tiler> const& tiled, Src const& src,
    Dst&& dst) {
  copy(static_cast<Copy_Atom<detail::tmem_copy_operation<Shape_, Blocks>, T> const&>(tiled), src, dst);
}

}  // namespace tilewright

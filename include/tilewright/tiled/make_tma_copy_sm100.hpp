// Declares the TMA copies of the operands of a tiled operation that one or two blocks make together (Blackwell): the tile of
// shared memory is a block's partition ((MmaMN, MmaK), RestMN, RestK), so the box follows the operation's own partition.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/mma/tiled_mma.hpp"
#include "tilewright/tiled/make_tma_copy.hpp"

namespace tilewright {

#if TILEWRIGHT_HOSTED

namespace detail {

/// ((MN, K), RestMN, RestK, …) as ((MN, RestMN), (K, RestK)).
template <class L>
auto operand_by_modes(L const& layout) {
  if constexpr (is_composed_layout_v<L>)
    return make_composed_layout(layout.layout_a(), layout.offset(), operand_by_modes(layout.layout_b()));
  else
    return make_layout(make_layout(tilewright::layout<0, 0>(layout), tilewright::layout<1>(layout)),
                       make_layout(tilewright::layout<0, 1>(layout), tilewright::layout<2>(layout)));
}
/// The rows of an operand's tile that the first block has: (MN, RestMN) -> row, of a view in which row 1 has offset 1.
template <class View>
auto rows_of_first_block(View const& view) {
  auto const rows = coalesce(make_layout(tilewright::layout<1, 0, 0>(view), tilewright::layout<1, 1, 0>(view)));
  // A block that has all rows in order: an extent.
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(tilewright::stride(rows))>, C<1>>)
    return tilewright::size(rows);
  else return rows;
}
template <class Operation, class G, class SL, class View, class Depth, class Blocks>
auto make_tma_copy_of_operand(Operation const& operation, G const& tensor, SL const& smem_layout, View const& view,
                              Depth const& depth, Blocks const& blocks) {
  return make_tma_copy(operation, tensor, operand_by_modes(smem_layout), make_tile(rows_of_first_block(view), depth),
                       blocks);
}

}  // namespace detail

/// The load of a block's part of A, of tiles `mma_tiler` (M, N, K) of tensor (M, K).
/// smem_layout: ((MmaM, MmaK), RestM, RestK, …), as UMMA::tile_to_mma_shape gives it
/// cluster_layout_vmnk: (blocks of an operation, M, N, K) -> rank; blocks along N share the tile
/// post: a tiled copy of the tile ((MmaM, RestM), (MmaK, RestK)) of the first block, one "thread" for each block that shares it
/// error: as make_tma_copy.  cost: host only
template <class Operation, TensorType G, AnyLayout SL, class Tiler, class A, class L, class P, class Cluster>
auto make_tma_copy_A_sm100(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& mma_tiler,
                           TiledMMA<A, L, P> const& mma, Cluster const& cluster_layout_vmnk) {
  auto const depth = get<2>(mma_tiler);
  return detail::make_tma_copy_of_operand(operation, tensor, smem_layout,
                                          mma.thrfrg_A(make_layout(make_shape(get<0>(mma_tiler), depth))), depth,
                                          size<2>(cluster_layout_vmnk));
}
/// The same of B, of tensor (N, K); blocks along M share the tile.
template <class Operation, TensorType G, AnyLayout SL, class Tiler, class A, class L, class P, class Cluster>
auto make_tma_copy_B_sm100(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& mma_tiler,
                           TiledMMA<A, L, P> const& mma, Cluster const& cluster_layout_vmnk) {
  auto const depth = get<2>(mma_tiler);
  return detail::make_tma_copy_of_operand(operation, tensor, smem_layout,
                                          mma.thrfrg_B(make_layout(make_shape(get<1>(mma_tiler), depth))), depth,
                                          size<1>(cluster_layout_vmnk));
}

#endif

}  // namespace tilewright

// TMA copies of the operands of Blackwell's matrix operations.
#pragma once

#include "tilewright/base/config.hpp"

#include "cute/arch/copy_sm100_tma.hpp"
#include "cute/atom/copy_traits_sm90_tma.hpp"
#include "tilewright/tiled/make_tma_copy_sm100.hpp"

#if TILEWRIGHT_HOSTED
namespace cute {

// T: as which type the elements are moved, void for their own.
template <class T = void, class Operation, class G, class SL, class Tiler, class Mma, class Cluster>
auto make_tma_copy_A_sm100(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& mma_tiler,
                           Mma const& mma, Cluster const& cluster_layout_vmnk) {
  return tilewright::make_tma_copy_A_sm100(operation, detail::tma_tensor_of<T, Operation>(tensor), smem_layout,
                                           mma_tiler, mma, cluster_layout_vmnk);
}
template <class T = void, class Operation, class G, class SL, class Tiler, class Mma, class Cluster>
auto make_tma_copy_B_sm100(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& mma_tiler,
                           Mma const& mma, Cluster const& cluster_layout_vmnk) {
  return tilewright::make_tma_copy_B_sm100(operation, detail::tma_tensor_of<T, Operation>(tensor), smem_layout,
                                           mma_tiler, mma, cluster_layout_vmnk);
}

/// The same for the blocks of the tiled operation alone.
template <class T = void, class Operation, class G, class SL, class Tiler, class Mma>
auto make_tma_copy_A_sm100(Operation const& operation, G const& tensor, SL const& smem_layout,
                           Tiler const& cluster_tiler, Mma const& mma) {
  return cute::make_tma_copy_A_sm100<T>(operation, tensor, smem_layout, cluster_tiler, mma, mma.get_thr_layout_vmnk());
}
template <class T = void, class Operation, class G, class SL, class Tiler, class Mma>
auto make_tma_copy_B_sm100(Operation const& operation, G const& tensor, SL const& smem_layout,
                           Tiler const& cluster_tiler, Mma const& mma) {
  return cute::make_tma_copy_B_sm100<T>(operation, tensor, smem_layout, cluster_tiler, mma, mma.get_thr_layout_vmnk());
}

/// The atoms of those copies, for tma_partition.
template <class T = void, class Operation, class G, class SL, class Tiler, class Mma, class Cluster>
auto make_tma_atom_A_sm100(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& mma_tiler,
                           Mma const& mma, Cluster const& cluster_layout_vmnk) {
  return detail::atom_of_tma(
      cute::make_tma_copy_A_sm100<T>(operation, tensor, smem_layout, mma_tiler, mma, cluster_layout_vmnk));
}
template <class T = void, class Operation, class G, class SL, class Tiler, class Mma, class Cluster>
auto make_tma_atom_B_sm100(Operation const& operation, G const& tensor, SL const& smem_layout, Tiler const& mma_tiler,
                           Mma const& mma, Cluster const& cluster_layout_vmnk) {
  return detail::atom_of_tma(
      cute::make_tma_copy_B_sm100<T>(operation, tensor, smem_layout, mma_tiler, mma, cluster_layout_vmnk));
}

}  // namespace cute
#endif

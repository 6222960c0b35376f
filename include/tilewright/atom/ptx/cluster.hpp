// Clusters of blocks (PTX ISA, "Special Registers": %clusterid …, "barrier.cluster", "mapa", "elect.sync"; sm_90). On
// earlier targets every block is a cluster of its own; what only a cluster has is refused there.
#pragma once

#include "tilewright/base/config.hpp"

#include "tilewright/atom/ptx/target.hpp"
#include "tilewright/machine/dim3.hpp"

namespace tilewright::ptx {

#if TILEWRIGHT_ON_DEVICE

inline constexpr char const* needs_clusters = "clusters need compute capability 9.0; compile for sm_90 or later";

/// The grid's extents in clusters.
TILEWRIGHT_FN dim3 cluster_grid() {
#if __CUDA_ARCH__ >= 900
  std::uint32_t x, y, z;
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(x));
  asm("mov.u32 %0, %%nclusterid.y;" : "=r"(y));
  asm("mov.u32 %0, %%nclusterid.z;" : "=r"(z));
  return {x, y, z};
#else
  return {gridDim.x, gridDim.y, gridDim.z};
#endif
}
/// The cluster's index in the grid.
TILEWRIGHT_FN dim3 cluster_index() {
#if __CUDA_ARCH__ >= 900
  std::uint32_t x, y, z;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
  asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
  asm("mov.u32 %0, %%clusterid.z;" : "=r"(z));
  return {x, y, z};
#else
  return {blockIdx.x, blockIdx.y, blockIdx.z};
#endif
}
/// The block's index in its cluster.
TILEWRIGHT_FN dim3 block_in_cluster() {
#if __CUDA_ARCH__ >= 900
  std::uint32_t x, y, z;
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
  asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
  asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(z));
  return {x, y, z};
#else
  return {0, 0, 0};
#endif
}
/// The cluster's extents in blocks.
TILEWRIGHT_FN dim3 cluster_extents() {
#if __CUDA_ARCH__ >= 900
  std::uint32_t x, y, z;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(x));
  asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(y));
  asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(z));
  return {x, y, z};
#else
  return {1, 1, 1};
#endif
}
TILEWRIGHT_FN std::uint32_t cluster_rank() {
#if __CUDA_ARCH__ >= 900
  std::uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
#else
  return 0;
#endif
}

TILEWRIGHT_FN void cluster_arrive_relaxed() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
#else
  refuse(needs_clusters);
#endif
}
TILEWRIGHT_FN void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#else
  refuse(needs_clusters);
#endif
}
TILEWRIGHT_FN void cluster_wait() {
#if __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#else
  refuse(needs_clusters);
#endif
}

/// A shared::cluster address: that of `smem` in the block of that rank.
TILEWRIGHT_FN std::uint32_t map_shared(std::uint32_t smem, [[maybe_unused]] std::uint32_t rank) {
#if __CUDA_ARCH__ >= 900
  std::uint32_t there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(smem), "r"(rank));
  return there;
#else
  refuse(needs_clusters);
  return smem;
#endif
}
/// The same on generic addresses.
TILEWRIGHT_FN void* map_shared(void const* smem, [[maybe_unused]] std::uint32_t rank) {
#if __CUDA_ARCH__ >= 900
  std::uint64_t there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(reinterpret_cast<std::uint64_t>(smem)), "r"(rank));
  return reinterpret_cast<void*>(there);
#else
  refuse(needs_clusters);
  return const_cast<void*>(smem);
#endif
}

/// 1 in one thread of the warp.
TILEWRIGHT_FN std::uint32_t elect_one() {
#if __CUDA_ARCH__ >= 900
  std::uint32_t elected;
  asm volatile(
      "{\n"
      ".reg .pred elected;\n"
      "elect.sync _|elected, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, elected;\n"
      "}"
      : "=r"(elected)
      :
      : "memory");
  return elected;
#else
  std::uint32_t lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane == 0 ? 1u : 0u;
#endif
}

TILEWRIGHT_FN std::uint32_t elect_one(std::uint32_t& elected_lane) {
  std::uint32_t elected = 0;
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n"
      ".reg .pred elected;\n"
      "elect.sync %1|elected, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, elected;\n"
      "}"
      : "=r"(elected), "=r"(elected_lane)
      :
      : "memory");
#else
  std::uint32_t lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  elected_lane = 0;
  elected = lane == 0 ? 1u : 0u;
#endif
  return elected;
}

#endif

}  // namespace tilewright::ptx

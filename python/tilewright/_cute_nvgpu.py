"""cute.nvgpu: operations of NVIDIA's GPUs by name."""
from ._cute_copies import CopyG2SOp, CopyUniversalOp, LoadCacheMode
from ._cute_matrices import LdMatrix8x16x8bOp, LdMatrix8x8x16bOp, StMatrix8x8x16bOp
from ._cute_mma import MmaF16BF16Op, MmaFP8Op, MmaTF32Op, MmaUniversalOp
from ._cute_names import Names
from ._cute_tcgen05 import tcgen05
from ._cute_umma_layouts import make_tiled_tma_atom_A, make_tiled_tma_atom_B
from ._cute_warpgroup import OperandMajorMode, warpgroup
from ._cute_barriers import SharedSpace
from . import _cute_accesses as _accesses, _cute_bulk as _bulk, _cute_stores as _stores, _cute_tma as _tma, _cute_tma_maps as _maps


class cpasync(metaclass=Names):
    """Asynchronous copies."""

    CopyG2SOp, LoadCacheMode = CopyG2SOp, LoadCacheMode
    CopyBulkTensorTileG2SOp, CopyBulkTensorTileS2GOp = _tma.CopyBulkTensorTileG2SOp, _tma.CopyBulkTensorTileS2GOp
    CopyBulkTensorTileG2SMulticastOp = _tma.CopyBulkTensorTileG2SMulticastOp
    CopyReduceBulkTensorTileS2GOp = _tma.CopyReduceBulkTensorTileS2GOp
    CopyBulkG2SOp, CopyBulkS2GOp = _bulk.CopyBulkG2SOp, _bulk.CopyBulkS2GOp
    CopyDsmemStoreOp, group_bulk_copy_modes = _stores.CopyDsmemStoreOp, staticmethod(_stores.group_bulk_copy_modes)
    make_tiled_tma_atom, tma_partition = staticmethod(_tma.make_tiled_tma_atom), staticmethod(_tma.tma_partition)
    TmaInfo = _tma.TmaInfo
    prefetch_descriptor = staticmethod(_tma.prefetch_descriptor)
    ReductionKind = ReductionOp = _tma.ReductionKind
    create_tma_multicast_mask = staticmethod(_tma.create_tma_multicast_mask)
    copy_tensormap, update_tma_descriptor = staticmethod(_maps.copy_tensormap), staticmethod(_maps.update_tma_descriptor)
    fence_tma_desc_acquire, fence_tma_desc_release = staticmethod(_maps.fence_tma_desc_acquire), staticmethod(_maps.fence_tma_desc_release)
    cp_fence_tma_desc_release = staticmethod(_maps.cp_fence_tma_desc_release)


class warp(metaclass=Names):
    """Operations of the 32 threads of a warp."""

    LdMatrix8x8x16bOp, MmaF16BF16Op, StMatrix8x8x16bOp = LdMatrix8x8x16bOp, MmaF16BF16Op, StMatrix8x8x16bOp
    LdMatrix8x16x8bOp, MmaFP8Op, MmaTF32Op = LdMatrix8x16x8bOp, MmaFP8Op, MmaTF32Op


class nvgpu(metaclass=Names):
    """Operations by name."""

    CopyUniversalOp, LoadCacheMode, MmaUniversalOp, cpasync, warp = CopyUniversalOp, LoadCacheMode, MmaUniversalOp, cpasync, warp
    CopyG2ROp, CopyR2GOp, CopyS2ROp, CopyR2SOp = _accesses.CopyG2ROp, _accesses.CopyR2GOp, _accesses.CopyS2ROp, _accesses.CopyR2SOp
    MemoryOrder, MemoryScope, L2PrefetchSize = _accesses.MemoryOrder, _accesses.MemoryScope, _accesses.L2PrefetchSize
    CacheEvictionPriority, StoreCacheMode, SharedSpace = _accesses.CacheEvictionPriority, _accesses.StoreCacheMode, SharedSpace
    warpgroup, tcgen05, OperandMajorMode = warpgroup, tcgen05, OperandMajorMode
    make_tiled_tma_atom_A, make_tiled_tma_atom_B = staticmethod(make_tiled_tma_atom_A), staticmethod(make_tiled_tma_atom_B)


nvgpu.common = nvgpu

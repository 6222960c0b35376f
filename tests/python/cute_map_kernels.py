"""Kernels that change maps of TMA, for cute_map_test and gpu_test: one launch copies matrices of several sizes, which the kernel knows by their
addresses."""
import numpy as np
from tilewright import cute, cutlass

cpasync, utils = cute.nvgpu.cpasync, cutlass.utils
Mode = utils.TensorMapUpdateMode
TILE, WORDS = (16, 32), 16


class Grouped:
    """b[g] = a[g] for each matrix of a group; block g copies it tile by tile, through maps in memory. `mode`: where the maps are changed;
    None: by the functions of cpasync."""

    def __init__(self, mode):
        self.mode = mode

    @cute.jit
    def __call__(self, first: cute.Tensor, addresses: cute.Tensor, shapes: cute.Tensor, maps: cute.Tensor):
        """`first`: a small matrix, whose type and order of strides all have; shapes: (rows, columns, stride) of each"""
        layout = cute.make_layout(TILE, stride=(TILE[1], 1))
        load, from_a = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), first, layout, TILE)
        store, to_b = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileS2GOp(), first, layout, TILE)
        self.kernel(load, from_a, store, to_b, addresses, shapes, maps).launch(grid=addresses.shape[0], block=32)

    @cute.jit
    def matrix(self, dtype, addresses, shapes, group, which: cutlass.Constexpr):
        pointer = cute.make_ptr(dtype, addresses[group, which], cute.AddressSpace.gmem, assumed_align=16)
        return cute.make_tensor(pointer, cute.make_layout((shapes[group, 0], shapes[group, 1]), stride=(shapes[group, 2], 1)))

    @cute.kernel
    def kernel(self, load, from_a: cute.Tensor, store, to_b: cute.Tensor, addresses: cute.Tensor, shapes: cute.Tensor, maps: cute.Tensor):
        group, _, _ = cute.arch.block_idx()
        dtype = load.value_type

        @cute.struct
        class Storage:
            barrier: cute.struct.MemRange[cutlass.Int64, 1]
            maps: cute.struct.Align[cute.struct.MemRange[cutlass.Int64, 2 * WORDS], 128]
            tile: cute.struct.Align[cute.struct.MemRange[load.value_type, TILE[0] * TILE[1]], 1024]
        storage = utils.SmemAllocator().allocate(Storage)
        barrier, tile = storage.barrier.data_ptr(), storage.tile.get_tensor(cute.make_layout(TILE, stride=(TILE[1], 1)))
        with cute.arch.elect_one():
            cute.arch.mbarrier_init(barrier, 1)
        cute.arch.mbarrier_init_fence()
        cute.arch.barrier()
        places = [maps[group, which, None].iterator for which in range(2)]
        matrices = [self.matrix(dtype, addresses, shapes, group, which) for which in range(2)]
        if cutlass.const_expr(self.mode is None):
            for atom, matrix, place in zip((load, store), matrices, places):
                cpasync.copy_tensormap(atom, place)
                cute.arch.sync_warp()
                cpasync.update_tma_descriptor(atom, matrix, place)
            cute.arch.sync_warp()
            cpasync.fence_tma_desc_release()
            for place in places:
                cpasync.fence_tma_desc_acquire(place)
        else:
            manager = utils.TensorMapManager(self.mode, 128)
            shared = [storage.maps.data_ptr() + which * WORDS for which in range(2)] if self.mode is Mode.SMEM else [None, None]
            places = [manager.get_tensormap_ptr(place) for place in places]
            for atom, place in zip((load, store), shared if self.mode is Mode.SMEM else places):
                manager.init_tensormap_from_atom(atom, place, 0)
            manager.fence_tensormap_initialization()
            manager.update_tensormap(tuple(matrices), (load, store), tuple(places), 0, tuple(shared))
            for place in places:
                manager.fence_tensormap_update(place)
            places = [manager.get_tensormap_ptr(place, cute.AddressSpace.generic) for place in places]
        whole = cute.group_modes(tile, 0, 2)
        one = cute.make_layout(1)
        s, g = cpasync.tma_partition(load, 0, one, whole, cute.group_modes(cute.local_tile(from_a, TILE, (None, None)), 0, 2))
        _, t = cpasync.tma_partition(store, 0, one, whole, cute.group_modes(cute.local_tile(to_b, TILE, (None, None)), 0, 2))
        phase = cutlass.Int32(0)
        for i in range((shapes[group, 0] + TILE[0] - 1) // TILE[0]):
            for j in range((shapes[group, 1] + TILE[1] - 1) // TILE[1]):
                with cute.arch.elect_one():
                    cute.arch.mbarrier_arrive_and_expect_tx(barrier, cute.size_in_bytes(dtype, tile.layout))
                cute.copy(load, g[None, i, j], s, tma_bar_ptr=barrier, tma_desc_ptr=places[0])
                cute.arch.mbarrier_wait(barrier, phase)
                phase = phase ^ 1
                cute.copy(store, s, t[None, i, j], tma_desc_ptr=places[1])
                cute.arch.cp_async_bulk_commit_group()
                cute.arch.cp_async_bulk_wait_group(0, read=True)
                cute.arch.sync_warp()


def group(dtype, sizes, seed=3):
    """(matrices a, matrices b of 7s with other strides, shapes as the kernel takes them)"""
    rng = np.random.default_rng(seed)
    step = 16 // np.dtype(dtype).itemsize
    wide = [-(-columns // step) * step + step for _, columns in sizes]
    a = [rng.integers(-99, 99, (rows, w)).astype(dtype) for (rows, _), w in zip(sizes, wide)]
    b = [np.full_like(x, 7) for x in a]
    shapes = np.array([(rows, columns, w) for (rows, columns), w in zip(sizes, wide)], np.int32)
    return a, b, shapes


def expected(a, b, sizes):
    """What b is after the copy: columns beyond a matrix stay as they were."""
    return [np.concatenate([x[:, :columns], y[:, columns:]], axis=1) for x, y, (_, columns) in zip(a, b, sizes)]


SIZES = [(16, 32), (40, 72), (3, 8), (64, 200)]
MODES = [None, Mode.GMEM, Mode.SMEM]

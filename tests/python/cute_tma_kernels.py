"""Kernels with clusters and TMA, for cute_barrier_test and gpu_test."""
import numpy as np
from tilewright import cute, cutlass

cpasync, pipeline = cute.nvgpu.cpasync, cutlass.pipeline


@cute.kernel
def around(a: cute.Tensor, b: cute.Tensor):
    """Each block reads what the next one of its cluster wrote, in reverse."""
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    rank, count = cute.arch.block_idx_in_cluster(), cute.arch.cluster_size()
    shared, barrier = cute.arch.alloc_smem(cutlass.Float32, 32), cute.arch.alloc_smem(cutlass.Int64, 1)
    if thread == 0:
        cute.arch.mbarrier_init(barrier, 32)
    cute.arch.mbarrier_init_fence()
    (shared + thread).store(a[block * 32 + thread])
    cute.arch.cluster_arrive()
    cute.arch.cluster_wait()
    there = cute.arch.mapa(shared, (rank + 1) % count)
    b[block * 32 + thread] = (there + (31 - thread)).load() + 100 * cute.arch.cluster_idx()[0]
    cute.arch.mbarrier_arrive(barrier, (rank + 1) % count)
    cute.arch.mbarrier_wait(barrier, 0)


def turned_around(a, blocks):
    """What `around` writes."""
    parts = a.reshape(-1, blocks, 32)
    return (np.roll(parts, -1, axis=1)[:, :, ::-1] + 100 * np.arange(len(parts), dtype=a.dtype)[:, None, None]).reshape(-1)


class Copied:
    """b = a, tile by tile, by one load and one store."""

    def __init__(self, layout, tile):
        self.layout, self.tile = layout, tile

    @cute.jit
    def __call__(self, a: cute.Tensor, b: cute.Tensor):
        load, from_a = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), a, self.layout, self.tile)
        store, to_b = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileS2GOp(), b, self.layout, self.tile)
        grid = tuple(cute.ceil_div(x, y) for x, y in zip(a.shape, self.tile))
        self.kernel(load, from_a, store, to_b).launch(grid=grid, block=32)

    @cute.kernel
    def kernel(self, load, from_a: cute.Tensor, store, to_b: cute.Tensor):
        x, y, _ = cute.arch.block_idx()

        @cute.struct
        class Storage:
            barrier: cute.struct.MemRange[cutlass.Int64, 1]
            tile: cute.struct.Align[cute.struct.MemRange[load.value_type, cute.cosize(self.layout)], 1024]
        storage = cutlass.utils.SmemAllocator().allocate(Storage)
        barrier, tile = storage.barrier.data_ptr(), storage.tile.get_tensor(self.layout)
        cpasync.prefetch_descriptor(load)
        with cute.arch.elect_one():
            cute.arch.mbarrier_init(barrier, 1)
            cute.arch.mbarrier_expect_tx(barrier, cute.size_in_bytes(load.value_type, self.layout))
        cute.arch.mbarrier_init_fence()
        cute.arch.barrier()
        whole = cute.group_modes(tile, 0, 2)
        shared, source = cpasync.tma_partition(load, 0, cute.make_layout(1), whole,
                                               cute.group_modes(cute.local_tile(from_a, self.tile, (None, None)), 0, 2))
        _, target = cpasync.tma_partition(store, 0, cute.make_layout(1), whole,
                                          cute.group_modes(cute.local_tile(to_b, self.tile, (None, None)), 0, 2))
        cute.copy(load, source[None, x, y], shared, tma_bar_ptr=barrier)
        with cute.arch.elect_one():
            cute.arch.mbarrier_arrive(barrier)
        cute.arch.mbarrier_wait(barrier, 0)
        cute.copy(store, shared, target[None, x, y])
        cute.arch.cp_async_bulk_commit_group()
        cute.arch.cp_async_bulk_wait_group(0, read=True)


class Shared:
    """b[tile of a block] = a[tile that the cluster's blocks load together, one half each] + 1, stage by stage."""

    stages, blocks = 2, 2

    @cute.jit
    def __call__(self, a: cute.Tensor, b: cute.Tensor):
        self.layout = cute.make_layout((32, 32, self.stages), stride=(32, 1, 1024))
        one = cute.slice_(self.layout, (None, None, 0))
        load, from_a = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SMulticastOp(), a, one, (32, 32), num_multicast=self.blocks)
        store, to_b = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileS2GOp(), b, one, (32, 32))
        self.kernel(load, from_a, store, to_b, a.shape[1] // 32).launch(grid=(2, 1, 1), block=64, cluster=(self.blocks, 1, 1))

    @cute.kernel
    def kernel(self, load, from_a: cute.Tensor, store, to_b: cute.Tensor, rounds: cutlass.Constexpr):
        thread, _, _ = cute.arch.thread_idx()
        warp, rank = cute.arch.warp_idx(), cute.arch.block_idx_in_cluster()
        blocks = cute.make_layout((1, self.blocks, 1, 1))
        barriers = cute.arch.alloc_smem(cutlass.Int64, 2 * self.stages)
        buffer = cute.make_tensor(cute.arch.alloc_smem(cutlass.Float32, cute.cosize(self.layout)), self.layout)
        made = cute.make_tensor(cute.arch.alloc_smem(cutlass.Float32, 1024), cute.make_layout((32, 32), stride=(32, 1)))
        group = pipeline.CooperativeGroup
        stages = pipeline.PipelineTmaAsync.create(
            num_stages=self.stages, producer_group=group(pipeline.Agent.Thread), consumer_group=group(pipeline.Agent.Thread, self.blocks),
            tx_count=4096, barrier_storage=barriers, cta_layout_vmnk=blocks, mcast_mode_mn=(1, 0))
        stores = pipeline.PipelineTmaStore.create(num_stages=1, producer_group=group(pipeline.Agent.Thread, 32))
        pipeline.pipeline_init_arrive(cluster_shape_mn=blocks, is_relaxed=True)
        pipeline.pipeline_init_wait(cluster_shape_mn=blocks)
        shared, source = cpasync.tma_partition(load, rank, cute.make_layout(self.blocks), cute.group_modes(buffer, 0, 2),
                                               cute.group_modes(cute.local_tile(from_a, (32, 32), (0, None)), 0, 2))
        given, target = cpasync.tma_partition(store, 0, cute.make_layout(1), cute.group_modes(made, 0, 2),
                                              cute.group_modes(cute.local_tile(to_b, (32, 32), (rank, None)), 0, 2))
        if warp == 0:
            state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, self.stages)
            for i in cutlass.range(rounds, unroll=1):
                stages.producer_acquire(state)
                cute.copy(load, source[None, i], shared[None, state.index], tma_bar_ptr=stages.producer_get_barrier(state),
                          mcast_mask=(1 << self.blocks) - 1)
                stages.producer_commit(state)
                state.advance()
            stages.producer_tail(state)
        else:
            state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, self.stages)
            for i in cutlass.range(rounds, unroll=1):
                stages.consumer_wait(state)
                for row in cutlass.range_constexpr(32):
                    made[row, thread - 32] = buffer[row, thread - 32, state.index] + 1 + rank
                stages.consumer_release(state)
                state.advance()
                cute.arch.fence_proxy("async.shared", space="cta")
                cute.arch.sync_warp()
                cute.copy(store, given, target[None, i])
                stores.producer_commit()
                stores.producer_acquire()
                cute.arch.sync_warp()
            stores.producer_tail()
        cute.arch.cluster_arrive()
        cute.arch.cluster_wait()


def copies():
    """(jit function, a): by tiles that end beyond the tensor, of swizzled and of split layouts."""
    rng = np.random.default_rng(6)
    made = cute.make_layout
    return [(Copied(layout, tile), rng.integers(-99, 99, shape).astype(dtype)) for layout, tile, shape, dtype in [
        (made((64, 64), stride=(64, 1)), (64, 64), (100, 72), np.float16),
        (cute.make_composed_layout("Sw<3,3,3>", 0, made((64, 64), stride=(64, 1))), (64, 64), (128, 64), np.float16),
        (made((32, (64, 2)), stride=(64, (1, 2048))), (32, 128), (64, 128), np.float16),
        (made((32, 32), stride=(32, 1)), (32, 32), (64, 64), np.float32)]]

"""Kernels that multiply by operations of a warpgroup, for cute_warpgroup_test and gpu_test."""
import numpy as np
from tilewright import cute, cutlass
from tilewright.cutlass import BFloat16, Float8E4M3FN, Float16, Float32, Int8, Int32

cpasync, pipeline, warpgroup = cute.nvgpu.cpasync, cutlass.pipeline, cute.nvgpu.warpgroup
K, MN = warpgroup.OperandMajorMode.K, warpgroup.OperandMajorMode.MN
rows, columns = cutlass.utils.LayoutEnum.ROW_MAJOR, cutlass.utils.LayoutEnum.COL_MAJOR
helpers = cutlass.utils.hopper_helpers


class Product:
    """c (M,N) = a (M,K) * b (N,K) of one tile by `groups` warpgroups; operands are copied to shared memory element by element."""

    def __init__(self, tile, types=(Float16, Float32), majors=(K, K), groups=1, from_registers=False, more=0):
        self.tile, self.types, self.majors, self.groups, self.more = tile, types, majors, groups, more
        self.source = warpgroup.OperandSource.RMEM if from_registers else warpgroup.OperandSource.SMEM

    @cute.jit
    def __call__(self, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
        self.mma = helpers.make_trivial_tiled_mma(self.types[0], self.types[0], *self.majors, self.types[1], (self.groups, 1, 1),
                                                  (64, self.tile[1]), self.source)
        major_a, major_b = (rows if major is K else columns for major in self.majors)
        self.layouts = (helpers.make_smem_layout_a(major_a, self.tile, self.types[0], 1),
                        helpers.make_smem_layout_b(major_b, self.tile, self.types[0], 1))
        self.kernel(a, b, c).launch(grid=1, block=128 * self.groups)

    @cute.kernel
    def kernel(self, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
        thread, _, _ = cute.arch.thread_idx()
        mine, staged = self.mma.get_slice(thread), []
        for given, layout in zip((a, b), self.layouts):
            memory = cutlass.utils.SmemAllocator().allocate_tensor(self.types[0], layout.outer, 1024, layout.inner)[None, None, 0]
            for i in cutlass.range_constexpr(cute.size(given) // (128 * self.groups)):
                memory[thread + i * 128 * self.groups] = given[thread + i * 128 * self.groups]
            staged.append(memory)
        cute.arch.fence_proxy("async.shared", space="cta")
        cute.arch.sync_threads()
        of_a, of_b = mine.partition_A(staged[0]), mine.partition_B(staged[1])
        x, y = self.mma.make_fragment_A(of_a), self.mma.make_fragment_B(of_b)
        if cutlass.const_expr(self.source is warpgroup.OperandSource.RMEM):
            cute.autovec_copy(of_a, x)
        sums = self.mma.make_fragment_C(mine.partition_C(c))
        sums.fill(7)
        self.mma.set(warpgroup.Field.ACCUMULATE, self.more > 0)
        warpgroup.fence()
        for k in cutlass.range(cute.size(x, mode=[2]), unroll_full=True):
            cute.gemm(self.mma, sums, x[None, None, k], y[None, None, k], sums)
            self.mma.set(warpgroup.Field.ACCUMULATE, True)
        warpgroup.commit_group()
        warpgroup.wait_group(0)
        cute.autovec_copy(sums, mine.partition_C(c))


def small(shape, dtype, seed):
    """Integers of -3 to 3: products and sums are exact."""
    return np.random.default_rng(seed).integers(-3, 4, shape).astype(dtype)


def products():
    """(name, jit function, [a, b, c]): the kinds of operands, and K and MN as their contiguous modes."""
    def case(name, tile, dtype=np.float16, sums=np.float32, **options):
        m, n, k = tile
        return name, Product(tile, **options), [small((m, k), dtype, 1), small((n, k), dtype, 2), np.zeros((m, n), sums)]
    return [case("K and K", (64, 32, 64)), case("no swizzle", (64, 8, 16)), case("MN and MN", (64, 64, 16), majors=(MN, MN)),
            case("K and MN, added to 7", (64, 32, 32), majors=(K, MN), more=7), case("A in registers", (64, 16, 64), from_registers=True),
            case("two warpgroups", (128, 16, 32), groups=2), case("sums in Float16", (64, 24, 32), sums=np.float16, types=(Float16, Float16)),
            case("bytes", (64, 16, 64), np.int8, np.int32, types=(Int8, Int32)),
            case("BFloat16", (64, 16, 16), np.float32, types=(BFloat16, Float32), majors=(MN, K)),
            case("floats of one byte", (64, 16, 32), np.float32, types=(Float8E4M3FN, Float32))]


class Persistent:
    """c = a * b.T, tile by tile: a warp loads by TMA what a warpgroup multiplies; blocks take tiles in turn."""

    tile, stages = (64, 32, 32), 2

    def __init__(self, blocks, **order):
        self.blocks, self.order = blocks, order

    @cute.jit
    def __call__(self, a: cute.Tensor, b: cute.Tensor, c: cute.Tensor):
        m, n, k = self.tile
        self.mma = helpers.make_trivial_tiled_mma(Float16, Float16, K, K, Float32, (1, 1, 1), (64, n))
        self.layouts = helpers.make_smem_layout_a(rows, self.tile, Float16, self.stages), helpers.make_smem_layout_b(rows, self.tile, Float16, self.stages)
        (load_a, from_a), (load_b, from_b) = (
            cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), x, cute.slice_(layout, (None, None, 0)), (extent, k))
            for x, layout, extent in zip((a, b), self.layouts, (m, n)))
        params = cutlass.utils.PersistentTileSchedulerParams((*cute.ceil_div(c.shape, (m, n)), 1), (1, 1, 1), **self.order)
        grid = cutlass.utils.StaticPersistentTileScheduler.get_grid_shape(params, self.blocks)
        self.kernel(load_a, from_a, load_b, from_b, c, params).launch(grid=grid, block=256)

    @cute.kernel
    def kernel(self, load_a, from_a: cute.Tensor, load_b, from_b: cute.Tensor, c: cute.Tensor, params: cutlass.Constexpr):
        thread, _, _ = cute.arch.thread_idx()
        m, n, k = self.tile
        group, memory = pipeline.CooperativeGroup, cutlass.utils.SmemAllocator()
        barriers = memory.allocate_array(cutlass.Int64, 2 * self.stages)
        stages = pipeline.PipelineTmaAsync.create(num_stages=self.stages, producer_group=group(pipeline.Agent.Thread), consumer_group=group(
            pipeline.Agent.Thread, 4), tx_count=2 * (m + n) * k, barrier_storage=barriers)
        staged = [memory.allocate_tensor(Float16, layout.outer, 1024, layout.inner) for layout in self.layouts]
        tiles = cutlass.utils.StaticPersistentTileScheduler.create(params, cute.arch.block_idx(), cute.arch.grid_dim())
        tile, steps = tiles.initial_work_tile_info(), from_a.shape[1] // k
        if thread >= 128:
            cute.arch.setmaxregister_decrease(40)
            if cute.arch.warp_idx() == 4:
                state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Producer, self.stages)
                while tile.is_valid_tile:
                    row, column, _ = tile.tile_idx
                    parts = [cpasync.tma_partition(load, 0, cute.make_layout(1), cute.group_modes(shared, 0, 2),
                                                   cute.group_modes(cute.local_tile(x, (extent, k), (at, None)), 0, 2))
                             for load, shared, x, extent, at in ((load_a, staged[0], from_a, m, row), (load_b, staged[1], from_b, n, column))]
                    for i in cutlass.range(steps, unroll=1):
                        stages.producer_acquire(state)
                        for load, (to, source) in zip((load_a, load_b), parts):
                            cute.copy(load, source[None, i], to[None, state.index], tma_bar_ptr=stages.producer_get_barrier(state))
                        stages.producer_commit(state)
                        state.advance()
                    tiles.advance_to_next_work()
                    tile = tiles.get_current_work()
                stages.producer_tail(state)
        else:
            cute.arch.setmaxregister_increase(160)
            mine, state = self.mma.get_slice(thread), pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, self.stages)
            x = self.mma.make_fragment_A(mine.partition_A(staged[0]))
            y = self.mma.make_fragment_B(mine.partition_B(staged[1]))
            while tile.is_valid_tile:
                row, column, _ = tile.tile_idx
                part = mine.partition_C(cute.local_tile(c, (m, n), (row, column)))
                sums = self.mma.make_fragment_C(part)
                self.mma.set(warpgroup.Field.ACCUMULATE, False)
                for i in cutlass.range(steps, unroll=1):
                    stages.consumer_wait(state)
                    warpgroup.fence()
                    for at in cutlass.range_constexpr(cute.size(x, mode=[2])):
                        cute.gemm(self.mma, sums, x[None, None, at, state.index], y[None, None, at, state.index], sums)
                        self.mma.set(warpgroup.Field.ACCUMULATE, True)
                    warpgroup.commit_group()
                    warpgroup.wait_group(0)
                    stages.consumer_release(state)
                    state.advance()
                cute.autovec_copy(sums, part)
                tiles.advance_to_next_work()
                tile = tiles.get_current_work()


def persistent():
    """(jit function, [a, b, c]): more tiles than blocks, in both orders. The first is small."""
    return [(Persistent(blocks, **order), [small((m, k), np.float16, 3), small((n, k), np.float16, 4), np.zeros((m, n), np.float32)])
            for blocks, order, m, n, k in ((1, {}, 128, 32, 96), (3, {"swizzle_size": 2, "raster_along_m": False}, 1024, 320, 256))]


def multiplied(a, b, c):
    """a * b.T in c's type."""
    return (a.astype(np.float64) @ b.astype(np.float64).T).astype(c.dtype)

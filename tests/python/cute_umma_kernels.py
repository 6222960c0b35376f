"""Kernels with products of Blackwell for cute_umma_test.py: one block or two multiply tiles that TMA, or threads, put into shared memory."""
from tilewright import cute, cutlass

tcgen05, cpasync = cute.nvgpu.tcgen05, cute.nvgpu.cpasync
pipeline, utils = cutlass.pipeline, cutlass.utils
helpers = utils.blackwell_helpers


class Gemm:
    """d = a b^T by tiles (m, n) and K of four products; `pairs`: two blocks multiply together; `cluster`: blocks along M and N share tiles; `stores`: by the
    kernel itself, or by the helpers of utils.gemm.sm100, by threads or by TMA, twice the sums."""

    def __init__(self, ab, sums, tile, a_major, b_major, pairs=False, cluster=(1, 1), stages=2, stores="itself"):
        self.stores, self.acc_dtype, self.use_2cta_instrs, self.epilogue_warp_id = stores, sums, pairs, (0, 1, 2, 3)
        self.epilog_sync_bar_id, self.num_c_stage = 3, 2
        self.ab, self.sums, self.tile, self.majors, self.pairs, self.stages = ab, sums, tile, (a_major, b_major), pairs, stages
        self.cluster = (cluster[0] * (2 if pairs else 1), cluster[1])

    @cute.jit
    def __call__(self, a: cute.Tensor, b: cute.Tensor, d: cute.Tensor):
        group = tcgen05.CtaGroup.TWO if self.pairs else tcgen05.CtaGroup.ONE
        mma = helpers.make_trivial_tiled_mma(self.ab, self.ab, *self.majors, self.sums, group, self.tile)
        self.tiler = (*self.tile, mma.shape_mnk[2] * 4)
        self.blocks = cute.tiled_divide(cute.make_layout((*self.cluster, 1)), (mma.thr_id.shape,))
        a_shared = helpers.make_smem_layout_a(mma, self.tiler, self.ab, self.stages)
        b_shared = helpers.make_smem_layout_b(mma, self.tiler, self.ab, self.stages)
        atoms = []
        for x, shared, make, choose in ((a, a_shared, cute.nvgpu.make_tiled_tma_atom_A, helpers.cluster_shape_to_tma_atom_A),
                                        (b, b_shared, cute.nvgpu.make_tiled_tma_atom_B, helpers.cluster_shape_to_tma_atom_B)):
            atoms += make(choose(self.cluster, mma.thr_id), x, cute.slice_(shared, (None, None, None, 0)), self.tiler, mma, self.blocks.shape)
        self.c_dtype, self.c_layout = d.element_type, utils.LayoutEnum.from_tensor(d)
        self.cta_tile_shape_mnk = (self.tile[0] // (2 if self.pairs else 1), *self.tiler[1:])
        self.epi_tile = helpers.compute_epilogue_tile_shape(self.cta_tile_shape_mnk, self.pairs, self.c_layout, self.c_dtype)
        atom_d = of_d = d_shared = None
        if self.stores == "tma":
            d_shared = helpers.make_smem_layout_epi(self.c_dtype, self.c_layout, self.epi_tile, self.num_c_stage)
            atom_d, of_d = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileS2GOp(), d, cute.slice_(d_shared, (None, None, 0)), self.epi_tile)
        grid = (cute.ceil_div(d.shape[0], self.tile[0]) * (2 if self.pairs else 1), cute.ceil_div(d.shape[1], self.tile[1]), 1)
        self.multiply(mma, *atoms, d, a_shared, b_shared, atom_d, of_d, d_shared).launch(grid=grid, block=(192, 1, 1), cluster=(*self.cluster, 1))

    @cute.kernel
    def multiply(self, mma: cute.TiledMma, atom_a, of_a, atom_b, of_b, d: cute.Tensor, a_shared, b_shared, atom_d, of_d, d_shared):
        thread, _, _ = cute.arch.thread_idx()
        warp = cute.arch.make_warp_uniform(cute.arch.warp_idx())
        x, y, _ = cute.arch.block_idx()
        rank = cute.arch.make_warp_uniform(cute.arch.block_idx_in_cluster())
        place = self.blocks.get_flat_coord(rank)
        width = cute.size(mma.thr_id.shape)
        leads = x % width == 0
        at = (x // width, y, None)

        @cute.struct
        class Storage:
            full: cute.struct.MemRange[cutlass.Int64, 2 * self.stages]
            done: cute.struct.MemRange[cutlass.Int64, 2]
            freed: cutlass.Int64
            address: cutlass.Int32
        memory = utils.SmemAllocator()
        storage = memory.allocate(Storage)
        sa = memory.allocate_tensor(self.ab, a_shared.outer, byte_alignment=1024, swizzle=a_shared.inner)
        sb = memory.allocate_tensor(self.ab, b_shared.outer, byte_alignment=1024, swizzle=b_shared.inner)
        one = pipeline.CooperativeGroup(pipeline.Agent.Thread)
        shares = cute.size(self.blocks, mode=[1]) + cute.size(self.blocks, mode=[2]) - 1
        bytes_ = sum(cute.size_in_bytes(self.ab, cute.slice_(s, (None, None, None, 0))) for s in (a_shared, b_shared)) * width
        loads = pipeline.PipelineTmaUmma.create(num_stages=self.stages, producer_group=one, consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, shares),
                                                tx_count=bytes_, barrier_storage=storage.full.data_ptr(), cta_layout_vmnk=self.blocks, defer_sync=True)
        sums = pipeline.PipelineUmmaAsync.create(num_stages=1, producer_group=one, consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, (128 if self.stores == "itself" else 4) * width),
                                                 barrier_storage=storage.done.data_ptr(), cta_layout_vmnk=self.blocks, defer_sync=True)
        pipeline.pipeline_init_arrive(cluster_shape_mn=self.cluster, is_relaxed=True)
        columns = utils.TmemAllocator(storage.address.ptr, barrier_for_retrieve=pipeline.NamedBarrier(1, 160), is_two_cta=self.pairs,
                                      two_cta_tmem_dealloc_mbar_ptr=storage.freed.ptr)
        pipeline.pipeline_init_wait(cluster_shape_mn=self.cluster)

        ga = cute.local_tile(of_a, self.tiler, at, proj=(1, None, 1))
        gb = cute.local_tile(of_b, self.tiler, at, proj=(None, 1, 1))
        gd = cute.local_tile(d, self.tiler, at, proj=(1, 1, None))
        mine = mma.get_slice(x % width)
        pa, pb, pd = mine.partition_A(ga), mine.partition_B(gb), mine.partition_C(gd)
        pa, pb = cute.group_modes(pa, 0, 3), cute.group_modes(pb, 0, 3)
        ta, tga = cpasync.tma_partition(atom_a, place[2], cute.make_layout(cute.size(self.blocks, mode=[2])), cute.group_modes(sa, 0, 3), pa)
        tb, tgb = cpasync.tma_partition(atom_b, place[1], cute.make_layout(cute.size(self.blocks, mode=[1])), cute.group_modes(sb, 0, 3), pb)
        mask_a = cpasync.create_tma_multicast_mask(self.blocks, place, mcast_mode=2)
        mask_b = cpasync.create_tma_multicast_mask(self.blocks, place, mcast_mode=1)
        ra, rb = mma.make_fragment_A(sa), mma.make_fragment_B(sb)
        accumulators = mma.make_fragment_C(mma.partition_shape_C(self.tile))
        steps = cute.size(ga, mode=[2])
        if warp == 5:
            producer = loads.make_producer()
            for k in cutlass.range(steps, unroll=1):
                stage = producer.acquire_and_advance()
                cute.copy(atom_a, tga[None, k], ta[None, stage.index], tma_bar_ptr=stage.barrier, mcast_mask=mask_a)
                cute.copy(atom_b, tgb[None, k], tb[None, stage.index], tma_bar_ptr=stage.barrier, mcast_mask=mask_b)
            producer.tail()
        if warp == 4:
            columns.wait_for_alloc()
            accumulators = cute.make_tensor(columns.retrieve_ptr(self.sums), accumulators.layout)
            if leads:
                consumer, whole = loads.make_consumer(), sums.make_producer()
                result = whole.acquire_and_advance()
                mma.set(tcgen05.Field.ACCUMULATE, False)
                for _ in cutlass.range(steps, unroll=1):
                    stage = consumer.wait_and_advance()
                    for k in cutlass.range_constexpr(cute.size(ra, mode=[2])):
                        part = (None, None, k, stage.index)
                        cute.gemm(mma, accumulators, ra[part], rb[part], accumulators)
                        mma.set(tcgen05.Field.ACCUMULATE, True)
                    stage.release()
                result.commit()
                whole.tail()
        if warp < 4:
            columns.allocate(512)
            columns.wait_for_alloc()
            address = columns.retrieve_ptr(self.sums)
            accumulators = cute.make_tensor(address, accumulators.layout)
            if cutlass.const_expr(self.stores != "itself"):
                state = pipeline.make_pipeline_state(pipeline.PipelineUserType.Consumer, 1)
                tiles = mine.partition_C(cute.local_tile(d if of_d is None else of_d, self.tiler, (None, None, None), proj=(1, 1, None)))
                staged = cute.make_tensor(accumulators.iterator, cute.append(accumulators.layout, cute.make_layout(1, stride=0)))
                given = (tiles, self.epi_tile, 0, lambda x: x * 2, at[:2], state, sums) if self.stores == "tma" else \
                    (tiles, self.epi_tile, lambda x: x * 2, at[:2], state, sums)
                if cutlass.const_expr(self.stores == "tma"):
                    sd = memory.allocate_tensor(self.c_dtype, d_shared.outer, byte_alignment=1024, swizzle=d_shared.inner)
                    to_d = pipeline.PipelineTmaStore.create(num_stages=self.num_c_stage, producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, 128))
                    utils.gemm.sm100.epilogue_tma_store(self, thread, warp, atom_d, staged, sd, *given, to_d)
                    to_d.producer_tail()
                else:
                    utils.gemm.sm100.epilogue(self, thread, staged, *given)
                columns.relinquish_alloc_permit()
                pipeline.NamedBarrier(2, 128).arrive_and_wait()
                columns.free(address)
                return
            epilogue = helpers.compute_epilogue_tile_shape((self.tile[0] // width, self.tile[1], self.tiler[2]), self.pairs, utils.LayoutEnum.ROW_MAJOR, d.element_type)
            atom = helpers.get_tmem_load_op((self.tile[0] // width, self.tile[1], self.tiler[2]), utils.LayoutEnum.ROW_MAJOR, d.element_type, self.sums, epilogue, self.pairs)
            divided, goal = (cute.flat_divide(t[(None, None), 0, 0], epilogue) for t in (accumulators, pd))
            copy = tcgen05.make_tmem_copy(atom, divided[None, None, 0, 0])
            part = copy.get_slice(thread)
            source, there = part.partition_S(divided), part.partition_D(goal)
            registers = cute.make_rmem_tensor(there[None, None, None, 0, 0].shape, self.sums)
            consumer = sums.make_consumer()
            result = consumer.wait_and_advance()
            for i in cutlass.range_constexpr(cute.size(there, mode=[3])):
                for j in cutlass.range_constexpr(cute.size(there, mode=[4])):
                    cute.copy(copy, source[None, None, None, i, j], registers)
                    to = there[None, None, None, i, j]
                    to.store(registers.load().to(d.element_type))
            result.release()
            columns.relinquish_alloc_permit()
            pipeline.NamedBarrier(2, 128).arrive_and_wait()
            columns.free(address)


def through_registers(op_store, op_load, width, columns):
    """A kernel: what four warps store into tensor memory by one operation, with its coordinate as the number, they load by another."""
    @cute.kernel
    def kernel(out: cute.Tensor, number: cutlass.Constexpr):
        thread, _, _ = cute.arch.thread_idx()
        place = utils.SmemAllocator().allocate(cutlass.Int32)
        if cute.arch.warp_idx() == 0:
            cute.arch.alloc_tmem(columns, place)
        cute.arch.sync_threads()
        pointer = cute.arch.retrieve_tmem_ptr(number, 16, place)
        lanes = 65536 * 32 // number.width
        shape = (128, columns * 32 // number.width)
        memory = cute.make_tensor(pointer, cute.make_layout(shape, stride=(lanes, 1)))
        places = cute.make_identity_tensor(shape)
        store = tcgen05.make_tmem_copy(cute.make_copy_atom(op_store, number), memory)
        mine = store.get_slice(thread)
        from_there, to = mine.partition_S(places), mine.partition_D(memory)
        registers = cute.make_rmem_tensor(from_there.shape, number)
        for i in range(cute.size(from_there)):
            m, n = from_there[i]
            registers[i] = number(m % 32 * 32 + n % 32)
        cute.copy(store, registers, to)
        cute.arch.fence_view_async_tmem_store()
        cute.arch.sync_threads()
        load = tcgen05.make_tmem_copy(cute.make_copy_atom(op_load, number), memory)
        mine = load.get_slice(thread)
        source, goal = mine.partition_S(memory), mine.partition_D(out)
        given = cute.make_rmem_tensor(goal.shape, number)
        cute.copy(load, source, given)
        cute.arch.fence_view_async_tmem_load()
        goal.store(given.load())
        cute.arch.sync_threads()
        if cute.arch.warp_idx() == 0:
            cute.arch.relinquish_tmem_alloc_permit()
            cute.arch.dealloc_tmem(pointer, columns)
    return kernel


@cute.kernel
def take_tiles(out: cute.Tensor, params: utils.ClcDynamicPersistentTileSchedulerParams):
    """Each block adds 1 + its index to its tiles: those of clusters that are not launched are taken over."""
    thread, _, _ = cute.arch.thread_idx()
    first, _, _ = cute.arch.block_idx()

    @cute.struct
    class Storage:
        barriers: cute.struct.MemRange[cutlass.Int64, 2]
        answer: cute.struct.Align[cute.struct.MemRange[cutlass.Int32, 4], 16]
    storage = utils.SmemAllocator().allocate(Storage)
    blocks = cute.make_layout((1, *params.cluster_shape_mnk))
    count = cute.size(blocks)
    answers = pipeline.PipelineClcFetchAsync.create(num_stages=1, producer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread),
                                                    consumer_group=pipeline.CooperativeGroup(pipeline.Agent.Thread, 64 * count), tx_count=16,
                                                    barrier_storage=storage.barriers.data_ptr(), cta_layout_vmnk=blocks)
    scheduler = utils.ClcDynamicPersistentTileScheduler.create(params, cute.arch.block_idx(), cute.arch.grid_dim(), storage.answer.data_ptr())
    asks, reads = (pipeline.make_pipeline_state(u, 1) for u in (pipeline.PipelineUserType.ProducerConsumer, pipeline.PipelineUserType.Consumer))
    tile = scheduler.initial_work_tile_info()
    while tile.is_valid_tile:
        if cute.arch.warp_idx() == 0 and cute.arch.block_idx_in_cluster() == 0:
            answers.producer_acquire(asks)
            scheduler.advance_to_next_work(answers.producer_get_barrier(asks))
            asks.advance()
        m, n, _ = tile.tile_idx
        if thread == 0:
            out[m, n] = out[m, n] + 1 + first
        answers.consumer_wait(reads)
        tile = scheduler.get_current_work()
        answers.consumer_release(reads)
        reads.advance()

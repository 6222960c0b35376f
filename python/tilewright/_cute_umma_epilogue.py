"""cutlass.utils.gemm.sm100: what epilogues of Blackwell's products share. `gemm` is the program's kernel object: it has the attributes c_dtype, c_layout,
acc_dtype, cta_tile_shape_mnk, epi_tile, epilogue_warp_id, epilog_sync_bar_id, num_c_stage and use_2cta_instrs that CUTLASS's examples give theirs.

The sums of a stage go from tensor memory to registers, through a function of the program, and to global memory: by each thread, or through shared memory by
TMA, a part of the tile (EpiM, EpiN) at a time.
"""
from ._cute_arch import arch
from ._cute_copies import copy, make_tiled_copy_D
from ._cute_layouts import flat_divide, group_modes, make_layout, make_rmem_tensor, rank, size
from ._cute_names import Names
from ._cute_tma import tma_partition
from ._cute_tmem_copies import make_tmem_copy
from ._cute_umma_layouts import get_smem_store_op, get_tmem_load_op

_WARP = 32


def transform_partitioned_tensor_layout(tensor, **_):
    """((M, N), RestM, RestN, …) as ((M, RestM), (N, RestN), …).  pre: one product"""
    return tensor[((None, None), 0, 0, *(None,) * (rank(tensor) - 3))]


def epilogue_tmem_copy_and_partition(gemm, tidx, tAcc, gC_mnl, epi_tile, use_2cta_instrs, **_):
    """(the copy from tensor memory, its part (T2R, T2R_M, T2R_N, EpiM, EpiN, stage), registers for the sums of one part). The tensors are partitions
    ((M, N), RestM, RestN, …), or what transform_partitioned_tensor_layout makes of them."""
    atom = get_tmem_load_op(gemm.cta_tile_shape_mnk, gemm.c_layout, gemm.c_dtype, gemm.acc_dtype, epi_tile, use_2cta_instrs)
    sums, there = (t if rank(t) == of else transform_partitioned_tensor_layout(t) for t, of in ((tAcc, 3), (gC_mnl, 5)))
    sums = flat_divide(sums, epi_tile)  # (EpiTileM, EpiTileN, EpiM, EpiN, stage)
    tiled = make_tmem_copy(atom, sums[None, None, 0, 0, 0])
    mine = tiled.get_slice(tidx)
    goal = mine.partition_D(flat_divide(there[(None, None, *(0,) * (rank(there) - 2))], epi_tile))
    return tiled, mine.partition_S(sums), make_rmem_tensor(goal[None, None, None, 0, 0].shape, gemm.acc_dtype)


def epilogue_smem_copy_and_partition(gemm, tiled_copy_t2r, tTR_rC, tidx, sC, **_):
    """(the copy to shared memory, its registers, its part of shared memory (R2S, R2S_M, R2S_N, stage))"""
    tiled = make_tiled_copy_D(get_smem_store_op(gemm.c_layout, gemm.c_dtype, gemm.acc_dtype, tiled_copy_t2r), tiled_copy_t2r)
    return tiled, tiled.retile(tTR_rC), tiled.get_slice(tidx).partition_D(sC)


def _begun(gemm, tidx, tCtAcc_base, tCgC, epi_tile, acc_consumer_state, acc_pipeline):
    """(the copy, its part of the stage's sums (…, parts), registers), after the products are done."""
    tiled, every, sums = epilogue_tmem_copy_and_partition(gemm, tidx, tCtAcc_base, tCgC, epi_tile, gemm.use_2cta_instrs)
    acc_pipeline.consumer_wait(acc_consumer_state)
    return tiled, group_modes(every[None, None, None, None, None, acc_consumer_state.index], 3, 5), sums


def _ended(acc_consumer_state, acc_pipeline):
    """The stage is empty: the state of the next one. One thread of each warp says so."""
    if arch.lane_idx() == 0:
        acc_pipeline.consumer_release(acc_consumer_state)
    acc_consumer_state.advance()
    return acc_consumer_state


def epilogue(gemm, epi_tidx, tCtAcc_base, tCgC, epi_tile, epilogue_op, mma_tile_coord_mnl, acc_consumer_state, acc_pipeline, **_):
    """Each thread stores its sums of a tile; the state of the next stage."""
    tiled, source, sums = _begun(gemm, epi_tidx, tCtAcc_base, tCgC, epi_tile, acc_consumer_state, acc_pipeline)
    there = tCgC[((None, None), 0, 0, *mma_tile_coord_mnl)]
    goal = group_modes(tiled.get_slice(epi_tidx).partition_D(flat_divide(there, epi_tile)), 3, 5)
    for part in range(size(source, [3])):
        copy(tiled, source[None, None, None, part], sums)
        goal[None, None, None, part].store(epilogue_op(sums.load().to(gemm.c_dtype)))
    return _ended(acc_consumer_state, acc_pipeline)


def epilogue_tma_store(gemm, epi_tidx, warp_idx, tma_atom_c, tCtAcc_base, sC, tCgC, epi_tile, num_tiles_executed, epilogue_op, mma_tile_coord_mnl,
                       acc_consumer_state, acc_pipeline, c_pipeline, **_):
    """The tile goes through the stages of sC to global memory by TMA; the state of the next stage of sums."""
    tiled, source, sums = _begun(gemm, epi_tidx, tCtAcc_base, tCgC, epi_tile, acc_consumer_state, acc_pipeline)
    made = make_rmem_tensor(sums.shape, gemm.c_dtype)
    to_shared, given, shared = epilogue_smem_copy_and_partition(gemm, tiled, made, epi_tidx, sC)
    there = flat_divide(tCgC[((None, None), 0, 0, *mma_tile_coord_mnl)], epi_tile)
    boxes, goal = tma_partition(tma_atom_c, 0, make_layout(1), group_modes(sC, 0, 2), group_modes(there, 0, 2))
    goal, parts = group_modes(goal, 1, 3), size(source, [3])
    threads, before = _WARP * len(gemm.epilogue_warp_id), num_tiles_executed * parts
    for part in range(parts):
        copy(tiled, source[None, None, None, part], sums)
        made.store(epilogue_op(sums.load().to(gemm.c_dtype)))
        stage = int(before + part) % gemm.num_c_stage
        copy(to_shared, given, shared[None, None, None, stage])
        arch.fence_proxy("async.shared", space="cta")
        arch.barrier(barrier_id=gemm.epilog_sync_bar_id, number_of_threads=threads)
        if warp_idx == gemm.epilogue_warp_id[0]:
            copy(tma_atom_c, boxes[None, stage], goal[None, part])
            c_pipeline.producer_commit()
            c_pipeline.producer_acquire()
        arch.barrier(barrier_id=gemm.epilog_sync_bar_id, number_of_threads=threads)
    return _ended(acc_consumer_state, acc_pipeline)


class sm100(metaclass=Names):
    """Epilogues of Blackwell's products, on the CPU."""

    epilogue, epilogue_tma_store = staticmethod(epilogue), staticmethod(epilogue_tma_store)
    epilogue_tmem_copy_and_partition = staticmethod(epilogue_tmem_copy_and_partition)
    epilogue_smem_copy_and_partition = staticmethod(epilogue_smem_copy_and_partition)
    transform_partitioned_tensor_layout = staticmethod(transform_partitioned_tensor_layout)


class gemm(metaclass=Names):
    """Parts of kernels that multiply matrices."""

    sm100 = sm100

"""Kernels with atomic operations, barriers in shared memory and barriers of some threads, for cute_dsl_test and cute_trace_test."""
import numpy as np
from tilewright import cute, cutlass


@cute.kernel
def counts(a: cute.Tensor, bins: cute.Tensor):
    """A histogram in shared memory, added to the one of all blocks."""
    thread, _, _ = cute.arch.thread_idx()
    block, _, _ = cute.arch.block_idx()
    mine = cute.arch.alloc_smem(cutlass.Int32, 16)
    if thread < 16:
        (mine + thread).store(0)
    cute.arch.sync_threads()
    cute.arch.atomic_add(mine + a[block * 64 + thread], cutlass.Int32(1), sem="relaxed", scope="cta")
    cute.arch.sync_threads()
    if thread < 16:
        cute.arch.red(bins.iterator + thread, (mine + thread).load(), op="add", dtype="s32")


@cute.kernel
def every_atomic(ints: cute.Tensor, words: cute.Tensor, floats: cute.Tensor):
    thread, _, _ = cute.arch.thread_idx()
    n = cutlass.Int32(thread)
    for at in cutlass.range_constexpr(2):  # of 4 and of 8 bytes
        given = (ints.iterator, words.iterator)[at]
        cute.arch.atomic_add(given, n)
        cute.arch.atomic_max(given + 1, n - 16)
        cute.arch.atomic_min(given + 2, n - 16)
        cute.arch.atomic_and(given + 3, ~(1 << n))
        cute.arch.atomic_or(given + 4, 1 << n)
        cute.arch.atomic_xor(given + 5, n)
    cute.arch.atomic_add(floats.iterator, cutlass.Float32(0.5))
    cute.arch.atomic_fmax(floats.iterator + 1, 0.25 * n - 3, sem="acq_rel", scope="gpu")
    cute.arch.atomic_fmin(floats.iterator + 2, 0.25 * n - 3, scope="cta")
    cute.arch.atomic_fmax(floats.iterator + 3, -0.25 * n - 1)
    cute.arch.atomic_fmin(floats.iterator + 4, 0.25 * n + 1)
    if thread == 3:
        ints[6] = cute.arch.atomic_exch(ints.iterator + 7, cutlass.Int32(70))
        ints[8] = cute.arch.atomic_cas(ints.iterator + 9, cmp=cutlass.Int32(5), val=cutlass.Int32(90))
        ints[10] = cute.arch.atomic_cas(ints.iterator + 11, cmp=cutlass.Int32(6), val=cutlass.Int32(90))


@cute.kernel
def locked(total: cute.Tensor, lock: cute.Tensor):
    """Each thread adds within a lock that it waits for in a loop."""
    thread, _, _ = cute.arch.thread_idx()
    if thread % 32 == 0:
        taken = cutlass.Int32(1)
        while taken != 0:
            taken = cute.arch.atomic_cas(lock.iterator, cmp=cutlass.Int32(0), val=cutlass.Int32(1), sem="acquire")
        before = cute.arch.load(total.iterator, cutlass.Int32, sem="relaxed")
        cute.arch.store(total.iterator, before + thread + 1, sem="relaxed")
        cute.arch.atomic_exch(lock.iterator, cutlass.Int32(0), sem="release")


@cute.kernel
def flagged(a: cute.Tensor, b: cute.Tensor):
    """Thread 0 waits for what thread 32 says."""
    thread, _, _ = cute.arch.thread_idx()
    flag = cute.arch.alloc_smem(cutlass.Int32, 1)
    if thread == 0:
        cute.arch.store(flag, cutlass.Int32(0), sem="relaxed")
    cute.arch.sync_threads()
    if thread == 0:
        said = cutlass.Int32(0)
        while said == 0:
            said = cute.arch.load(flag, cutlass.Int32, sem="acquire", scope="cta")
        b[0] = said
    if thread == 32:
        cute.arch.store(flag, a[5], sem="release", scope="cta")


@cute.kernel
def handed_over(a: cute.Tensor, b: cute.Tensor, rounds: cutlass.Constexpr):
    """The threads of warp 0 write a buffer, and those of warp 1 read it, round by round; two barriers say when."""
    thread, _, _ = cute.arch.thread_idx()
    lane, warp = cute.arch.lane_idx(), cute.arch.warp_idx()
    buffer = cute.arch.alloc_smem(cutlass.Float32, 32)
    full = cute.arch.alloc_smem(cutlass.Int64, 2)
    empty = full + 1
    if warp == 0:
        with cute.arch.elect_one():
            cute.arch.mbarrier_init(full, 32)
            cute.arch.mbarrier_init(empty, 32)
        cute.arch.mbarrier_init_fence()
    cute.arch.sync_threads()
    if warp == 0:
        for i in cutlass.range(rounds):
            cute.arch.mbarrier_wait(empty, (i + 1) % 2)
            (buffer + lane).store(a[i, lane])
            cute.arch.mbarrier_arrive(full)
    else:
        for i in cutlass.range(rounds):
            ready = cute.arch.mbarrier_try_wait(full, i % 2)
            if ready:
                b[rounds, 0] = 1
            cute.arch.mbarrier_wait(full, i % 2)
            b[i, lane] = (buffer + (lane + 1) % 32).load()
            cute.arch.mbarrier_arrive(empty)


@cute.kernel
def in_halves(a: cute.Tensor):
    """Two halves of a block each meet at a barrier of their own; then one waits for the other."""
    thread, _, _ = cute.arch.thread_idx()
    half = thread // 64
    shared = cute.arch.alloc_smem(cutlass.Int32, 128)
    (shared + thread).store(thread)
    cute.arch.barrier(barrier_id=half + 1, number_of_threads=64)
    a[thread] = (shared + half * 64 + (thread + 32) % 64).load()
    cute.arch.barrier(barrier_id=half + 1, number_of_threads=64)
    if half == 0:
        (shared + thread).store(1000 + thread)
        cute.arch.fence_acq_rel_cta()
        cute.arch.barrier_arrive(barrier_id=3, number_of_threads=128)
    else:
        cute.arch.barrier(barrier_id=3, number_of_threads=128)
        a[thread] = a[thread] + (shared + thread % 64).load()


def _pipeline(make, stages, threads):
    barriers = cute.arch.alloc_smem(cutlass.Int64, 2 * stages)
    group = cutlass.pipeline.CooperativeGroup(cutlass.pipeline.Agent.Thread, threads)
    return make.create(num_stages=stages, producer_group=group, consumer_group=group, barrier_storage=barriers)


@cute.kernel
def by_states(a: cute.Tensor, b: cute.Tensor, rounds: cutlass.Int32, stages: cutlass.Constexpr):
    """Warp 0 fills stages and warp 1 empties them, in loops of the kernel."""
    buffer = cute.make_tensor(cute.arch.alloc_smem(cutlass.Float32, 32 * stages), cute.make_layout((32, stages)))
    stages_of = _pipeline(cutlass.pipeline.PipelineAsync, stages, 32)
    lane, warp = cute.arch.lane_idx(), cute.arch.warp_idx()
    if warp == 0:
        state = cutlass.pipeline.make_pipeline_state(cutlass.pipeline.PipelineUserType.Producer, stages)
        for i in cutlass.range(rounds):
            stages_of.producer_acquire(state)
            buffer[lane, state.index] = a[i, lane]
            stages_of.producer_commit(state)
            state.advance()
        stages_of.producer_tail(state)
    else:
        state = cutlass.pipeline.make_pipeline_state(cutlass.pipeline.PipelineUserType.Consumer, stages)
        for i in cutlass.range(rounds):
            token = stages_of.consumer_try_wait(state)
            stages_of.consumer_wait(state, token)
            b[i, lane] = buffer[lane ^ 5, state.index] + state.count
            stages_of.consumer_release(state)
            state.advance()


@cute.kernel
def by_participants(a: cute.Tensor, b: cute.Tensor, rounds: cutlass.Int32, stages: cutlass.Constexpr):
    """The same by asynchronous copies."""
    buffer = cute.make_tensor(cute.arch.alloc_smem(cutlass.Float32, 32 * stages), cute.make_layout((32, stages)))
    producer, consumer = _pipeline(cutlass.pipeline.PipelineCpAsync, stages, 32).make_participants()
    atom = cute.make_copy_atom(cute.nvgpu.cpasync.CopyG2SOp(), cutlass.Float32, num_bits_per_copy=32)
    lane, warp = cute.arch.lane_idx(), cute.arch.warp_idx()
    if warp == 0:
        for i in cutlass.range(rounds):
            handle = producer.acquire_and_advance()
            cute.copy(atom, cute.local_tile(a, (1, 1), (i, lane)), cute.local_tile(buffer, (1, 1), (lane, handle.index)))
            handle.commit()
        producer.tail()
    else:
        for i in cutlass.range(rounds):
            handle = consumer.wait_and_advance()
            b[i, lane] = buffer[lane ^ 5, handle.index]
            handle.release()


@cute.kernel
def meets(a: cute.Tensor, blocks: cutlass.Int32):
    """One thread of each block waits until all have come."""
    if cute.arch.thread_idx()[0] == 0:
        cute.arch.atomic_add(a.iterator, cutlass.Int32(1))
        seen = cutlass.Int32(0)
        while seen < blocks:
            seen = cute.arch.atomic_add(a.iterator, cutlass.Int32(0))


def cases():
    """(name, kernel, arguments, grid, block)"""
    rng = np.random.default_rng(4)
    ints = np.array([0, -100, 100, -1, 0, 0, 0, 7, 0, 5, 0, 5], np.int32)
    floats = np.array([0, -9, 9, -9, 9], np.float32)
    rounds = np.zeros((6, 32), np.float32)
    rounds[5, 0] = 1
    return [("counts", counts, [rng.integers(0, 16, 128).astype(np.int32), np.zeros(16, np.int32)], 2, 64),
            ("every atomic", every_atomic, [ints, ints.astype(np.int64), floats], 1, 32),
            ("locked", locked, [np.zeros(1, np.int32), np.zeros(1, np.int32)], 1, 128),
            ("flagged", flagged, [np.arange(1, 9, dtype=np.int32), np.zeros(1, np.int32)], 1, 64),
            ("handed over", handed_over, [rng.random((5, 32), np.float32), rounds, 5], 1, 64),
            ("by states", by_states, [rng.random((7, 32), np.float32), np.zeros((7, 32), np.float32), 7, 3], 1, 64),
            ("by participants", by_participants, [rng.random((5, 32), np.float32), np.zeros((5, 32), np.float32), 5, 2], 1, 64),
            ("in halves", in_halves, [np.zeros(128, np.int32)], 1, 128)]

"""cutlass.pipeline: producers and consumers of stages of shared memory, who wait for each other by barriers with phases.

A stage is full after all producers have committed it, and empty after all consumers have released it. Each is a barrier in shared
memory (_cute_barriers.py), on the CPU and in a kernel on a GPU.
"""
import numpy as np

from ._cute_agents import (Agent, CooperativeGroup, NamedBarrier, PipelineOp, PipelineUserType, agent_sync, arrive,  # noqa: F401  cutlass.pipeline's
                           arrive_and_wait, sync)
from ._cute_arch import arch
from ._cute_copies import when
from ._cute_launch import thread_of
from ._cute_layouts import size as layout_size
from ._cute_numbers import Int64
from ._cute_pipeline_states import make_pipeline_state, Participant, PipelineState  # noqa: F401
from ._cute_ssa import select
from ._cute_tensor import Pointer
from ._cute_values import active, Value


class _Barriers:
    """The barriers of one side of a pipeline, which programs that extend it name."""

    def __init__(self, pipeline, full):
        self._pipeline, self._full = pipeline, full
        self.tx_count = getattr(pipeline, "tx_count", 0)

    def get_barrier(self, index, **_):
        """The barrier of a stage."""
        return self._pipeline.full(index) if self._full else self._pipeline.empty(index)

    def wait(self, index, phase, **_):
        """Waits for the end of a phase of a stage's barrier."""
        _converge()
        arch.mbarrier_wait(self.get_barrier(index), phase)
        _converge()

    def arrive(self, index, *_, **__):
        """Arrives at a stage's barrier as this side of the pipeline does; where TMA fills the stages, with the bytes of its copies."""
        if not self._full:
            return self._pipeline.arrive_empty(index)
        return self.arrive_and_expect_tx(index, self.tx_count) if self.tx_count else self._pipeline.arrive_full(index)

    def arrive_and_expect_tx(self, index, tx_count, **_):
        """One thread of the warp arrives at a stage's barrier, which so many more bytes are expected at."""
        _by_one(lambda: arch.mbarrier_arrive_and_expect_tx(self.get_barrier(index), tx_count))


class _Stages:
    """Barriers of the stages of one side, made by themselves: each call of arrive() is one arrival, here or at a block of the cluster."""

    def __init__(self, barriers):
        self._barriers = barriers

    def get_barrier(self, index, **_):
        """The barrier of a stage."""
        return self._barriers + index

    def wait(self, index, phase, **_):
        """Waits for the end of a phase of a stage's barrier."""
        arch.mbarrier_wait(self.get_barrier(index), phase)

    def arrive(self, index, dst=None, **_):
        """Arrives at a stage's barrier, of the block with the rank `dst` in the cluster where it is given."""
        arch.mbarrier_arrive(self.get_barrier(index), dst)

    def arrive_and_expect_tx(self, index, tx_count, **_):
        """Arrives at a stage's barrier, which so many more bytes are expected at."""
        arch.mbarrier_arrive_and_expect_tx(self.get_barrier(index), tx_count)


class _OfSyncObjects(type):
    """A program's own pipeline may be made of its parts: Class(sync_object_full, sync_object_empty, num_stages, producer_mask, consumer_mask,
    fields of the class …)."""

    def __call__(cls, *parts, **named):
        if not parts or not isinstance(parts[0], (_Barriers, _Stages)):
            return super().__call__(*parts, **named)
        made = cls.__new__(cls)
        for name, part in zip(("_sync_full", "_sync_empty", "num_stages", "producer_mask", "consumer_mask"), parts):
            object.__setattr__(made, name, part)  # a class of a program's own may be frozen
        if cls.__init__ is not PipelineAsync.__init__:
            cls.__init__(made, *parts[5:], **named)
        return made


class PipelineAsync(metaclass=_OfSyncObjects):
    """Stages between groups of producers and consumers; every thread of the block makes it."""

    _sync_full = _sync_empty = None  # where it is made of them

    def __init__(self, barriers, num_stages):
        self._barriers, self.num_stages = barriers, num_stages

    @staticmethod
    def _make_sync_object(barrier_storage, num_stages, agent, **_):
        """The barriers of so many stages, where (operation, group of threads) arrive: made by one thread, which no other waits for."""
        barriers = _barriers(barrier_storage, num_stages)
        _initialized([(barriers + i, agent[1].size) for i in range(num_stages)])
        return _Stages(barriers)

    @classmethod
    def create(cls, *, num_stages, producer_group, consumer_group, barrier_storage=None, **options):
        """The pipeline of the 2 num_stages barriers at `barrier_storage`, or of new ones: one thread makes them, and all threads of the
        block wait for that."""
        barriers = _barriers(barrier_storage, 2 * num_stages)
        out = cls(barriers, num_stages)
        _made([(barriers + i, cls.producers(producer_group)) for i in range(num_stages)]
              + [(barriers + num_stages + i, consumer_group.size) for i in range(num_stages)])
        return out

    @staticmethod
    def producers(group):
        """The arrivals that make a stage full."""
        return group.size

    producer_mask = consumer_mask = None  # for other blocks of the cluster

    @property
    def sync_object_full(self):
        """The barriers that stages are full."""
        return self._sync_full or _Barriers(self, True)

    @property
    def sync_object_empty(self):
        """The barriers that stages are empty."""
        return self._sync_empty or _Barriers(self, False)

    # --- barriers of a stage --------------------------------------------------------------------------------------------------
    def full(self, index):
        """The barrier that a stage is full."""
        return self._sync_full.get_barrier(index) if self._sync_full else self._barriers + index

    def empty(self, index):
        """The barrier that a stage is empty."""
        return self._sync_empty.get_barrier(index) if self._sync_empty else self._barriers + index + self.num_stages

    def _wait(self, barrier, phase, token):
        if token is None:
            return arch.mbarrier_wait(barrier, phase)
        if isinstance(token, Value):
            return when(token.trace.negated(token), lambda: arch.mbarrier_wait(barrier, phase))
        return None if token else arch.mbarrier_wait(barrier, phase)

    def wait_full(self, index, phase, token=None):
        self._wait(self.full(index), phase, token)

    def wait_empty(self, index, phase, token=None):
        self._wait(self.empty(index), phase, token)

    _wait_released = wait_empty

    def arrive_full(self, index):
        arch.mbarrier_arrive(self.full(index))

    def arrive_empty(self, index):
        arch.mbarrier_arrive(self.empty(index))

    # --- by the state of a thread -----------------------------------------------------------------------------------------------
    def producer_acquire(self, state, try_acquire_token=None, **_):
        """Waits until the state's stage is empty."""
        self.wait_empty(state.index, state.phase, try_acquire_token)

    def producer_try_acquire(self, state, **_):
        """Is the state's stage empty?"""
        return arch.mbarrier_try_wait(self.empty(state.index), state.phase)

    def producer_commit(self, state, **_):
        """Tells the consumers that the state's stage is full."""
        self.arrive_full(state.index)

    def producer_get_barrier(self, state, **_):
        """The barrier at which the state's stage becomes full."""
        return self.full(state.index)

    def producer_tail(self, state, **_):
        """Waits until the consumers have released all stages."""
        for _ in range(self.num_stages):
            self._wait_released(state.index, state.phase)
            state.advance()

    def consumer_wait(self, state, try_wait_token=None, **_):
        """Waits until the state's stage is full."""
        self.wait_full(state.index, state.phase, try_wait_token)

    def consumer_try_wait(self, state, **_):
        """Is the state's stage full?"""
        return arch.mbarrier_try_wait(self.full(state.index), state.phase)

    def consumer_release(self, state, **_):
        """Tells the producers that the state's stage is empty."""
        self.arrive_empty(state.index)

    def make_participants(self, **_):
        """(producer, consumer) of this thread."""
        return self.make_producer(), self.make_consumer()

    def make_producer(self, **_):
        """The producer of this thread."""
        return Participant(self, PipelineUserType.Producer)

    def make_consumer(self, **_):
        """The consumer of this thread."""
        return Participant(self, PipelineUserType.Consumer)


class PipelineCpAsync(PipelineAsync):
    """Stages that producers fill by asynchronous copies: a stage is full when the copies before producer_commit are done."""

    def arrive_full(self, index):
        arch.cp_async_mbarrier_arrive_noinc(self.full(index))


class Converging(PipelineAsync):
    """A pipeline whose waits a warp makes together."""

    def wait_full(self, index, phase, token=None):
        _converge()
        super().wait_full(index, phase, token)
        _converge()

    def wait_empty(self, index, phase, token=None):
        _converge()
        super().wait_empty(index, phase, token)
        _converge()


class PipelineTmaAsync(Converging):
    """Stages that TMA fills: a stage is full when the bytes of its copies are there. A warp of consumers arrives once at the barrier
    that a stage is empty: of its own block, or in a cluster of each block that shares a tile with it."""

    tx_count, blocks = 0, None

    @classmethod
    def create(cls, *, num_stages, producer_group, consumer_group, tx_count, barrier_storage=None, cta_layout_vmnk=None,
               mcast_mode_mn=(1, 1), **options):
        """As PipelineAsync's; `tx_count`: the bytes of a stage; `cta_layout_vmnk`: the blocks of the cluster, and `mcast_mode_mn` says
        along which of M and N they share tiles."""
        out = super().create(num_stages=num_stages, producer_group=producer_group, consumer_group=consumer_group,
                             barrier_storage=barrier_storage)
        out.tx_count = tx_count
        if cta_layout_vmnk is not None and layout_size(cta_layout_vmnk) > 1:
            out.blocks = (cta_layout_vmnk, tuple(mcast_mode_mn))
        return out

    def wait_empty(self, index, phase, token=None):
        super().wait_empty(index, phase, token)
        _by_one(lambda: arch.mbarrier_arrive_and_expect_tx(self.full(index), self.tx_count))

    def arrive_full(self, index):
        """Nothing: the copies themselves fill the stage."""

    def arrive_empty(self, index):
        _converge()
        if self.blocks is None:
            return _by_one(lambda: arch.mbarrier_arrive(self.empty(index)))
        layout, (along_m, along_n) = self.blocks
        mine, lane = arch.block_idx_in_cluster(), arch.lane_idx()
        count = layout_size(layout)
        here = layout.get_flat_coord(mine)
        for rank in range(count):
            there = layout.get_flat_coord(rank)
            same_row = (here[0] == there[0]) & (here[1] == there[1]) & (here[3] == there[3])
            same_column = (here[0] == there[0]) & (here[2] == there[2]) & (here[3] == there[3])
            shares = (same_row if along_n else False) | (same_column if along_m else False) | (mine == rank)
            when((lane == rank) & shares, lambda to=rank: arch.mbarrier_arrive(self.empty(index), to))


class PipelineTmaStore:
    """Stages of shared memory that TMA stores: a thread that starts the copies waits until the oldest has been read."""

    def __init__(self, num_stages):
        self.num_stages = num_stages

    @classmethod
    def create(cls, *, num_stages, producer_group=None, **_):
        """A pipeline of so many stages; it has no barriers."""
        return cls(num_stages)

    def producer_acquire(self, *_, **__):
        """Waits until a stage is free."""
        arch.cp_async_bulk_wait_group(self.num_stages - 1, read=True)

    def producer_commit(self, *_, **__):
        """Makes the copies that were started a stage."""
        arch.cp_async_bulk_commit_group()

    def producer_tail(self, *_, **__):
        """Waits until all stages have been read."""
        arch.cp_async_bulk_wait_group(0, read=True)


class PipelineOrder:
    """Groups of threads that take turns: each waits for the one before it, and the first begins."""

    def __init__(self, barriers, depth, length, group_id):
        self._barriers, self._length, self._group = barriers, length, group_id
        self._state = PipelineState(depth, phase=select(group_id == 0, 1, 0))

    @classmethod
    def create(cls, *, barrier_storage, depth, length, group_id, producer_group, **_):
        """Groups 0 to length-1, this thread in group_id, which take turns `depth` times before the barriers are used anew; each is of
        the threads of producer_group. There are depth * length barriers at `barrier_storage`."""
        barriers = _barriers(barrier_storage, depth * length)
        _made([(barriers + i, producer_group.size) for i in range(depth * length)])
        return cls(barriers, depth, length, group_id)

    def _barrier(self, group):
        return self._barriers + (self._state.index * self._length + group)

    def wait(self, **_):
        """Waits until it is this group's turn."""
        arch.mbarrier_wait(self._barrier(self._group), self._state.phase)

    def arrive(self, **_):
        """Ends the turn of this thread's group."""
        arch.mbarrier_arrive(self._barrier((self._group + 1) % self._length))
        self._state.advance()


def alloc_reserved_mbarrier(num_stages, *, multiplier=2, **_):
    """A pointer to num_stages * multiplier new Int64 in shared memory, for barriers."""
    return arch.alloc_smem(Int64, num_stages * multiplier)


def _barriers(storage, count):
    """A pointer to so many barriers: they may be of several fields of a structure, one behind another. Without storage they are new."""
    if storage is None:
        return arch.alloc_smem(Int64, count)
    barriers = storage if storage.dtype.width == 64 else storage.recast(Int64)
    if active() or barriers.offset + count <= len(barriers.memory.data):
        return barriers
    whole = thread_of("pipeline").block.memory[barriers.memory.number].memory
    return Pointer(whole.part(barriers.memory.first_byte + 8 * barriers.offset, count, Int64))


def _made(barriers):
    """Pairs of a barrier and its arrivals, made by one thread; all threads of the block wait for that."""
    _initialized(barriers)
    arch.mbarrier_init_fence()
    arch.sync_threads()


def _initialized(barriers):
    """Pairs of a barrier and its arrivals, made by one thread."""
    def make():
        for barrier, count in barriers:
            arch.mbarrier_init(barrier, count)
    if active():
        when(active().linear_thread() == 0, make)
    elif thread_of("pipeline").index == 0:
        make()


def pipeline_init_arrive(cluster_shape_mn=None, is_relaxed=False, **_):
    """After barriers were made: arrives at the cluster's barrier, where there is a cluster."""
    arch.mbarrier_init_fence()
    if _has_cluster(cluster_shape_mn):
        (arch.cluster_arrive_relaxed if is_relaxed else arch.cluster_arrive)()


def pipeline_init_wait(cluster_shape_mn=None, **_):
    """Waits until the barriers of the cluster, or of the block, are made."""
    (arch.cluster_wait if _has_cluster(cluster_shape_mn) else arch.sync_threads)()


def _has_cluster(shape):
    if shape is None:
        return False
    return (layout_size(shape) if hasattr(shape, "shape") else int(np.prod(shape))) > 1


def _converge():
    """On the CPU: one thread of a warp arrives for all of them, and goes on when all are here, as on a GPU."""
    if not active():
        thread_of("pipeline").converge()


def _by_one(do):
    """In the first thread of each warp."""
    when(arch.lane_idx() == 0, do)

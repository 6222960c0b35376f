"""cute.arch: what a thread knows of its place, barriers, the exchange of values within a warp, and atomic additions."""
import operator

import numpy as np

from ._cute_launch import WARP, thread_of
from ._cute_names import Names
from ._cute_ssa import larger, select, smaller
from ._cute_values import active, Value


class arch(metaclass=Names):
    """What a thread knows of its place, barriers, and the exchange of values."""

    WARP_SIZE = WARP

    @staticmethod
    def thread_idx(**_):
        """(x, y, z) of the thread in its block."""
        if active():
            return active().place("threadIdx")
        return thread_of("thread_idx").thread

    @staticmethod
    def block_idx(**_):
        """(x, y, z) of the block in the grid."""
        if active():
            return active().place("blockIdx")
        return thread_of("block_idx").block.index

    @staticmethod
    def block_dim(**_):
        """The threads of a block along x, y and z."""
        if active():
            return active().block
        return thread_of("block_dim").block.shape

    @staticmethod
    def grid_dim(**_):
        """The blocks of the grid along x, y and z."""
        if active():
            return tuple(active().let("index", f"gridDim.{axis}", positive=True) for axis in "xyz")
        return thread_of("grid_dim").block.grid

    @staticmethod
    def lane_idx(**_):
        """The thread's number in its warp."""
        if active():
            return active().linear_thread() % WARP
        return thread_of("lane_idx").index % WARP

    @staticmethod
    def warp_idx(**_):
        """The warp's number in its block."""
        if active():
            return active().linear_thread() // WARP
        return thread_of("warp_idx").warp

    @staticmethod
    def make_warp_uniform(value, **_):
        """The value itself, which is the same in all threads of a warp."""
        return value

    # --- barriers ---------------------------------------------------------------------------------------------------------
    @staticmethod
    def sync_threads(**_):
        """Waits until every thread of the block is here."""
        if active():
            return active().line("__syncthreads();")
        thread_of("sync_threads").sync()

    @staticmethod
    def barrier(*, barrier_id=None, number_of_threads=None, **_):
        """Waits until every thread of the block is here.  Raises ValueError for a barrier of a part of them."""
        x, y, z = arch.block_dim()
        if number_of_threads not in (None, x * y * z):
            raise ValueError(f"a barrier of {number_of_threads} of the block's {x * y * z} threads is not supported; let all take part")
        arch.sync_threads()

    @staticmethod
    def sync_warp(mask=-1, **_):
        """Waits until every thread of the warp is here."""
        if active():
            return active().line("__syncwarp();")
        thread_of("sync_warp").sync_warp()

    @staticmethod
    def griddepcontrol_wait(**_):
        """Nothing: a launch begins when those before it have ended."""

    @staticmethod
    def griddepcontrol_launch_dependents(**_):
        """Nothing: a launch begins when those before it have ended."""

    # --- exchange within a warp ---------------------------------------------------------------------------------------------
    @staticmethod
    def _exchanged(name, value, argument, source):
        if active():
            return active().exchanged(name, value, argument)
        me = thread_of(name)
        given = me.exchanged(value)
        lane = source(me.index % WARP)
        return given.get(lane, value) if 0 <= lane < WARP else value

    @staticmethod
    def shuffle_sync(value, offset, mask=-1, mask_and_clamp=31, **_):
        """The value of lane `offset` of the warp."""
        return arch._exchanged("shfl", value, offset, lambda lane: offset % WARP)

    @staticmethod
    def shuffle_sync_bfly(value, offset, mask=-1, mask_and_clamp=31, **_):
        """The value of the lane whose number differs in the bits of `offset`."""
        return arch._exchanged("shfl_xor", value, offset, lambda lane: lane ^ offset)

    @staticmethod
    def shuffle_sync_down(value, offset, mask=-1, mask_and_clamp=31, **_):
        """The value of the lane `offset` above; of lanes beyond the warp their own."""
        return arch._exchanged("shfl_down", value, offset, lambda lane: lane + offset)

    @staticmethod
    def shuffle_sync_up(value, offset, mask=-1, mask_and_clamp=0, **_):
        """The value of the lane `offset` below; of lanes below 0 their own."""
        return arch._exchanged("shfl_up", value, offset, lambda lane: lane - offset)

    @staticmethod
    def warp_reduction(val, op, threads_in_group=WARP, **_):
        """The values of groups of lanes joined by op(a, b); every lane gets the result."""
        step = threads_in_group // 2
        while step:
            val = op(val, arch.shuffle_sync_bfly(val, step))
            step //= 2
        return val

    @staticmethod
    def warp_reduction_sum(val, threads_in_group=WARP, **_):
        """The sum over groups of lanes, in every lane."""
        return arch.warp_reduction(val, operator.add, threads_in_group)

    @staticmethod
    def warp_reduction_max(val, threads_in_group=WARP, **_):
        """The largest value of groups of lanes, in every lane."""
        return arch.warp_reduction(val, larger, threads_in_group)

    @staticmethod
    def vote_any_sync(pred, mask=-1, **_):
        """Is it true in one lane of the warp?"""
        return arch.warp_reduction(select(pred, 1, 0), larger) > 0

    @staticmethod
    def vote_all_sync(pred, mask=-1, **_):
        """Is it true in all lanes of the warp?"""
        return arch.warp_reduction(select(pred, 1, 0), smaller) > 0

    @staticmethod
    def vote_ballot_sync(pred, mask=-1, **_):
        """The lanes in which it is true, as bits of an integer."""
        return arch.warp_reduction(select(pred, 1, 0) << arch.lane_idx(), operator.or_)

    # --- memory -----------------------------------------------------------------------------------------------------------------
    @staticmethod
    def alloc_smem(element_type, size_in_elems, alignment=None, **_):
        """A pointer to the block's own memory; the n-th call of every thread gives the same place."""
        from ._cute_tensor import Pointer
        if active():
            return Pointer(active().allocate(size_in_elems, element_type, "smem"))
        me = thread_of("alloc_smem")
        me.allocations += 1
        if me.allocations not in me.block.memory:
            me.block.memory[me.allocations] = Pointer.allocate(size_in_elems, element_type, "smem")
        return me.block.memory[me.allocations]

    @staticmethod
    def dynamic_smem_size(**_):
        """The bytes of shared memory that this thread's block has allocated so far."""
        if active():
            return active().shared_bytes
        memory = thread_of("dynamic_smem_size").block.memory
        return sum(p.memory.data.nbytes for p in memory.values())

    @staticmethod
    def atomic_add(ptr, val, **_):
        """Adds to the element at a pointer; what it was before. Atomic additions of several threads need no barrier."""
        if active():
            return ptr.memory.add_atomically(ptr.offset, val)
        return ptr.memory.add_atomically(ptr.offset, val, lambda: "the element of an atomic addition")

    @staticmethod
    def cp_async_commit_group(**_):
        """Makes the asynchronous copies that this thread issued since the last one a group."""
        if active():
            return active().asynchronous("tilewright::ptx::cp_async_commit_group()")
        thread_of("cp_async_commit_group").copies.append([])

    @staticmethod
    def cp_async_wait_group(n, **_):
        """Waits until at most n groups of this thread's copies are in flight; other threads see the data after a barrier."""
        if active():
            return active().asynchronous(f"tilewright::ptx::cp_async_wait_group<{int(n)}>()")
        me = thread_of("cp_async_wait_group")
        done, me.copies = me.copies[:max(len(me.copies) - 1 - n, 0)], me.copies[max(len(me.copies) - 1 - n, 0):]
        for finish in (f for group in done for f in group):
            finish()

    @staticmethod
    def fmax(a, b, **_):
        """The larger of two numbers."""
        return larger(a, b)

    @staticmethod
    def fmin(a, b, **_):
        """The smaller of two numbers."""
        return smaller(a, b)

    @staticmethod
    def rcp_approx(a, **_):
        """1 / a."""
        return 1 / a

    @staticmethod
    def fma(a, b, c, **_):
        """a * b + c."""
        return a * b + c

    @staticmethod
    def popc(value, **_):
        """The number of bits that are set."""
        if isinstance(value, Value):
            return value.trace.let("index", f"__popcll((unsigned long long){value.name}{' & 0xffffffffull' if value.kind in ('int32', 'uint32') else ''})")
        bits = 8 * np.asarray(value).dtype.itemsize if isinstance(value, np.generic) else 64
        return bin(int(value) & ((1 << bits) - 1)).count("1")

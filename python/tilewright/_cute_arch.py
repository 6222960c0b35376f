"""cute.arch: what a thread knows of its place, barriers, the exchange of values within a warp, and atomic operations."""
import numpy as np

from ._cute_arithmetic import Arithmetic
from ._cute_atomics import Atomics
from ._cute_barriers import Barriers
from ._cute_bits import Bits
from ._cute_clusters import Clusters
from ._cute_lanes import is_all, Lanes
from ._cute_launch import WARP, let_others_run, thread_of
from ._cute_names import Names
from ._cute_numbers import number_type, Uint8, Uint32
from ._cute_ptx import inline_ptx
from ._cute_math import math as _functions
from ._cute_ssa import larger, smaller
from ._cute_stores import Stores
from ._cute_tensor_memory import TensorMemoryOfBlocks
from ._cute_values import active, Value


def _registers(how, count):
    trace = active()
    if not isinstance(count, int) or count % 8 or not 24 <= count <= 256:
        raise ValueError(f"a thread has a multiple of 8 registers from 24 to 256, and {count!r} are asked for{trace.where()}")
    trace.headers.add("tilewright/atom/ptx/register_count.hpp")
    trace.needs_own_instructions = True
    trace.line(f"tilewright::ptx::{how}_registers<{count}>();")


class arch(Arithmetic, Atomics, Barriers, Bits, Clusters, Lanes, Stores, TensorMemoryOfBlocks, metaclass=Names):
    """What a thread knows of its place, barriers, and the exchange of values."""

    WARP_SIZE, FULL_MASK = WARP, 0xffffffff
    WARPS_PER_WARPGROUP, THREADS_PER_WARPGROUP = 4, 4 * WARP
    inline_ptx = staticmethod(inline_ptx)

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
    def sync_warp(mask=-1, **_):
        """Waits until every thread of the warp is here, or those of the lanes that have a bit of the mask."""
        if active():
            return active().line("__syncwarp();" if is_all(mask) else f"__syncwarp({active().lanes(mask)});")
        thread_of("sync_warp").sync_warp(int(mask))

    @staticmethod
    def griddepcontrol_wait(**_):
        """Nothing: a launch begins when those before it have ended."""

    @staticmethod
    def griddepcontrol_launch_dependents(**_):
        """Nothing: a launch begins when those before it have ended."""

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
            me.block.count_shared(number_type(element_type).width * size_in_elems // 8)
            made = me.block.memory[me.allocations] = Pointer.allocate(size_in_elems, element_type, "smem")
            made.memory.number = me.allocations
        return me.block.memory[me.allocations]

    @staticmethod
    def get_dyn_smem(element_type, alignment=None, **_):
        """A pointer to the shared memory that the launch asks for by smem=; every call gives the same place.

        Raises ValueError where it asks for none.
        """
        bytes_there, where = (active().smem, active().where()) if active() else (thread_of("get_dyn_smem").block.smem, "")
        if not bytes_there:
            raise ValueError(f"get_dyn_smem: the launch asks for no shared memory; give launch(…, smem=bytes){where}")
        if active():
            active().dynamic_smem = active().dynamic_smem or arch.alloc_smem(Uint8, bytes_there)
            return active().dynamic_smem.recast(element_type)
        block = thread_of("get_dyn_smem").block
        if "dynamic" not in block.memory:
            from ._cute_tensor import Pointer
            block.memory["dynamic"] = Pointer.allocate(bytes_there, Uint8, "smem")
            block.memory["dynamic"].memory.number = "dynamic"
        return block.memory["dynamic"].recast(element_type)

    @staticmethod
    def get_dyn_smem_size(**_):
        """The bytes of shared memory that the launch asks for by smem=."""
        return (active().smem if active() else thread_of("get_dyn_smem_size").block.smem) or 0

    @staticmethod
    def dynamic_smem_size(**_):
        """The bytes of shared memory that this thread's block has allocated so far."""
        if active():
            return active().shared_bytes
        memory = thread_of("dynamic_smem_size").block.memory
        return sum(p.memory.data.nbytes for p in memory.values())

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
    def cp_async_bulk_commit_group(**_):
        """Makes the bulk copies to global memory that this thread started since the last one a group."""
        if active():
            active().headers.add("tilewright/atom/ptx/bulk.hpp")
            return active().line("tilewright::ptx::bulk_commit_group();")
        thread_of("cp_async_bulk_commit_group").bulk.append([])

    @staticmethod
    def cp_async_bulk_wait_group(group, read=None, **_):
        """Waits until at most `group` groups of this thread's bulk copies have yet to read shared memory."""
        if active():
            active().headers.add("tilewright/atom/ptx/bulk.hpp")
            return active().line(f"tilewright::ptx::bulk_wait_group_read<{int(group)}>();")
        me = thread_of("cp_async_bulk_wait_group")
        keep = max(len(me.bulk) - 1 - int(group), 0)
        done, me.bulk = me.bulk[:keep], me.bulk[keep:]
        for finish in (f for one in done for f in one):
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
    def exp2(a, **_):
        """2 to the power of a number."""
        return _functions.exp2(a)

    @staticmethod
    def exp(a, **_):
        """e to the power of a number."""
        return _functions.exp(a)

    @staticmethod
    def exp_packed_f32x2(a, **_):
        """e to the power of each of a pair of numbers."""
        return _functions.exp(a[0]), _functions.exp(a[1])

    @staticmethod
    def prmt(a, b, selector, **_):
        """Four bytes of the eight of b and a; each four bits of the selector name one, lowest first, or with their highest bit its sign in eight bits."""
        if any(isinstance(x, Value) for x in (a, b, selector)):
            trace = active()
            given = ", ".join(f"\"r\"({trace.converted(x, 'uint32')})" for x in (a, b, selector))
            made = trace.name("v")
            trace.line(f"unsigned {made}; asm(\"prmt.b32 %0, %1, %2, %3;\" : \"=r\"({made}) : {given});")
            return Value(trace, made, "uint32")
        both, out = (int(a) & 0xffffffff) | (int(b) & 0xffffffff) << 32, 0
        for i in range(4):
            code = int(selector) >> 4 * i & 15
            byte = both >> 8 * (code & 7) & 255
            out |= (byte if code < 8 else 255 * (byte >> 7)) << 8 * i
        return Uint32(out)

    @staticmethod
    def add_packed_f32x2(a, b, **_):
        """The sums of two pairs of numbers."""
        return a[0] + b[0], a[1] + b[1]

    @staticmethod
    def sub_packed_f32x2(a, b, **_):
        """The differences of two pairs of numbers."""
        return a[0] - b[0], a[1] - b[1]

    @staticmethod
    def mul_packed_f32x2(a, b, **_):
        """The products of two pairs of numbers."""
        return a[0] * b[0], a[1] * b[1]

    @staticmethod
    def fma_packed_f32x2(a, b, c, **_):
        """a * b + c of pairs of numbers."""
        return a[0] * b[0] + c[0], a[1] * b[1] + c[1]

    @staticmethod
    def setmaxregister_increase(reg_count=None, **_):
        """So many registers for each thread of the warpgroup, which other warpgroups gave up; nothing on a CPU."""
        if active():
            _registers("take", reg_count)

    @staticmethod
    def setmaxregister_decrease(reg_count=None, **_):
        """So many registers for each thread of the warpgroup, which gives up the others; nothing on a CPU."""
        if active():
            _registers("give", reg_count)

    warpgroup_reg_alloc, warpgroup_reg_dealloc = setmaxregister_increase, setmaxregister_decrease

    @staticmethod
    def nanosleep(duration=0, **_):
        """Lets other threads run."""
        if active():
            return active().line(f"__nanosleep({active().converted(duration, 'uint32')});")
        let_others_run()

    @staticmethod
    def mul_hi(a, b, **_):
        """The upper 32 bits of the product of two numbers of 32 bits."""
        if isinstance(a, Value) or isinstance(b, Value):
            trace = active()
            return trace.let("uint32", f"__umulhi({trace.converted(a, 'uint32')}, {trace.converted(b, 'uint32')})")
        return Uint32((int(a) & 0xffffffff) * (int(b) & 0xffffffff) >> 32)

    @staticmethod
    def popc(value, **_):
        """The number of bits that are set."""
        if isinstance(value, Value):
            return value.trace.let("index", f"__popcll((unsigned long long){value.name}{' & 0xffffffffull' if value.kind in ('int32', 'uint32') else ''})")
        bits = 8 * np.asarray(value).dtype.itemsize if isinstance(value, np.generic) else 64
        return bin(int(value) & ((1 << bits) - 1)).count("1")

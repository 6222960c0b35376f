"""Tensor memory of Blackwell on the CPU: 128 lanes of 512 columns of 32 bits that a block allocates columns of.

An address has the lane in bits 31 to 16 and the column in bits 15 to 0. Strides of a tensor there count its elements: of Float32 the next lane is at
65536, of Float16 at 131072. A pointer gives no elements; a warp loads and stores the 32 lanes of its number modulo 4.

    alloc_tmem(64, place)      columns 0 to 63; their address, 0, is written to shared memory
"""
import numpy as np

from ._cute_launch import current, thread_of, WARP
from ._cute_memory import numpy_type, where
from ._cute_narrow import decoded, encoded, STORAGE
from ._cute_numbers import Int32, number_type
from ._cute_tensor import Pointer, Tensor
from ._cute_values import active

LANES, COLUMNS, SLICE = 128, 512, 32
LANE = 1 << 16  # of an address


def not_traced(what, part="tensor memory"):
    """error: TypeError in a kernel that is traced for a GPU"""
    if active():
        raise TypeError(f"{what} is of {part}, which kernels have on the CPU only; run it with arrays in the host's memory{active().where()}")


class TensorMemory:
    """What a block has of it."""

    def __init__(self):
        self.words = np.zeros((LANES, COLUMNS), np.uint32)
        self.taken = [0] * (COLUMNS // SLICE)  # columns of the allocation that a slice belongs to; 0 for none
        self.released = False

    def allocate(self, columns):
        """The address of so many columns, aligned to them; None where there is no place now.  error: ValueError"""
        _check_columns(columns)
        if self.released:
            raise ValueError(f"tensor memory: the block has given up its right to allocate, and asks for {columns} columns; allocate before "
                             f"relinquish_tmem_alloc_permit{where(current())}")
        for first in range(0, COLUMNS, columns):
            slices = range(first // SLICE, (first + columns) // SLICE)
            if not any(self.taken[s] for s in slices):
                for s in slices:
                    self.taken[s] = columns
                self.words[:, first:first + columns] = 0xffffffff  # nothing that a program may read
                return first
        return None

    def free(self, address, columns):
        """error: ValueError unless these columns were allocated together"""
        _check_columns(columns)
        first = address & LANE - 1
        slices = range(first // SLICE, min(first + columns, COLUMNS) // SLICE)
        if address >> 16 or first % columns or len(slices) != columns // SLICE or any(self.taken[s] != columns for s in slices):
            raise ValueError(f"tensor memory: {columns} columns at address {address:#x} were not allocated together; free what was allocated{where(current())}")
        for s in slices:
            self.taken[s] = 0

    def at(self, places, width, lanes=None):
        """(lanes, units of the width) of elements.  error: IndexError where they are not allocated, or beyond the `lanes` of a warp"""
        per = 32 // width
        lane, unit = places // (LANE * per), places % (LANE * per)
        column = unit // per
        inside = (lane >= 0) & (lane < LANES) & (column < COLUMNS)
        inside[inside] = np.array(self.taken)[column[inside] // SLICE] != 0
        if not inside.all():
            bad = int(np.argmin(inside))
            raise IndexError(f"tensor memory: lane {int(lane[bad])}, column {int(column[bad])} is not allocated; allocate as many columns as the tensors have"
                             + where(current()))
        if lanes is not None and (lane.min() < lanes or lane.max() >= lanes + WARP):
            raise IndexError(f"tensor memory: a warp reaches the 32 lanes of its number modulo 4, {lanes} to {lanes + WARP - 1}, and this copy has lane "
                             f"{int(lane.min() if lane.min() < lanes else lane.max())}; take get_slice of the thread's number in its four warps{where(current())}")
        return lane, unit

    def _units(self, width):
        return self.words.view({8: np.uint8, 16: np.uint16, 32: np.uint32}[width])

    def numbers(self, places, dtype, lanes=None):
        """The numbers of elements, as an array."""
        lane, unit = self.at(places, dtype.width, lanes)
        kind = getattr(dtype, "kind_name", None)
        found = self._units(dtype.width)[lane, unit]
        return decoded(found.view(STORAGE[kind]), kind) if kind in STORAGE else found.view(numpy_type(dtype))

    def put(self, places, dtype, numbers, lanes=None):
        """Elements become numbers."""
        lane, unit = self.at(places, dtype.width, lanes)
        kind, units = getattr(dtype, "kind_name", None), self._units(dtype.width)
        made = encoded(np.asarray(numbers), kind) if kind in STORAGE else np.asarray(numbers).astype(numpy_type(dtype))
        units[lane, unit] = np.ascontiguousarray(made).view(units.dtype)


def _check_columns(columns):
    if columns < SLICE or columns > COLUMNS or columns & columns - 1:
        raise ValueError(f"tensor memory: {columns} columns cannot be allocated or freed; a power of two from {SLICE} to {COLUMNS} can{where(current())}")


def memory_of(block):
    """The tensor memory of a block."""
    if not hasattr(block, "tensor_memory"):
        block.tensor_memory = TensorMemory()
    return block.tensor_memory


class TmemMemory:
    """The memory of a pointer into tensor memory, that of the block whose thread uses it; elements are moved by copies alone."""

    space, kind, shared, count, in_flight = "tmem", None, False, 1 << 40, 0

    def __init__(self, dtype):
        self.dtype = number_type(dtype)

    def recast(self, dtype):
        """The same as elements of another type."""
        return TmemMemory(dtype)

    def address_of(self, at):
        """lane * 65536 + column."""
        return Int32(int(at) * self.dtype.width // 32)

    def __tilewright_key__(self, key):
        """What a trace depends on."""
        return "tmem", key.of(self.dtype)

    def load(self, at, describe):
        """error: TypeError"""
        raise TypeError(f"{describe()} is in tensor memory, whose elements no thread reads or writes by itself; copy them by tcgen05.make_tmem_copy"
                        + where(current()))

    def store(self, at, value, describe):
        """error: TypeError"""
        self.load(at, describe)


def tmem_pointer(address, dtype):
    """The pointer of an address."""
    made = number_type(dtype)
    return Pointer(TmemMemory(made), int(address) * 32 // made.width)


# --- allocation ------------------------------------------------------------------------------------------------------------------
def once_by_warp(what):
    """Is this the first thread of its warp that comes here?"""
    me = thread_of(what)
    key = (me.warp, what)
    me.asked_for[key] = me.asked_for.get(key, 0) + 1
    if me.block.elected.get(key, 0) >= me.asked_for[key]:
        return False
    me.block.elected[key] = me.asked_for[key]
    return True


def alloc_tmem(num_columns, smem_ptr_to_write_address, is_two_cta=None, **_):
    """One warp allocates so many columns, a power of two from 32 to 512, and writes their address to shared memory."""
    not_traced("alloc_tmem")
    me = thread_of("alloc_tmem")
    if not once_by_warp("alloc_tmem"):
        return
    found = []

    def done():
        if not found:
            address = memory_of(me.block).allocate(int(num_columns))
            if address is not None:
                found.append(address)
        return bool(found)
    me.turns.wait_until(me, done)
    smem_ptr_to_write_address.recast(Int32).store(Int32(found[0]))


def retrieve_tmem_ptr(element_type, alignment, ptr_to_buffer_holding_addr, **_):
    """The pointer of the address that alloc_tmem wrote; after a barrier."""
    not_traced("retrieve_tmem_ptr")
    return tmem_pointer(ptr_to_buffer_holding_addr.recast(Int32).load(), element_type)


def dealloc_tmem(tmem_ptr, num_columns, is_two_cta=None, **_):
    """One warp frees columns that were allocated together."""
    not_traced("dealloc_tmem")
    if once_by_warp("dealloc_tmem"):
        memory_of(thread_of("dealloc_tmem").block).free(int(tmem_ptr.toint()), int(num_columns))


def relinquish_tmem_alloc_permit(is_two_cta=None, **_):
    """The block allocates no more."""
    not_traced("relinquish_tmem_alloc_permit")
    memory_of(thread_of("relinquish_tmem_alloc_permit").block).released = True


class TensorMemoryOfBlocks:
    """cute.arch's functions of tensor memory."""

    alloc_tmem, dealloc_tmem = staticmethod(alloc_tmem), staticmethod(dealloc_tmem)
    retrieve_tmem_ptr, relinquish_tmem_alloc_permit = staticmethod(retrieve_tmem_ptr), staticmethod(relinquish_tmem_alloc_permit)

    @staticmethod
    def get_max_tmem_alloc_cols(arch=None, **_):
        """The columns of tensor memory."""
        return COLUMNS

    @staticmethod
    def get_min_tmem_alloc_cols(arch=None, **_):
        """The fewest columns that can be allocated."""
        return SLICE

    @staticmethod
    def fence_view_async_tmem_load(**_):
        """The registers of this warp's loads are valid."""
        not_traced("fence_view_async_tmem_load")

    @staticmethod
    def fence_view_async_tmem_store(**_):
        """The stores of this warp are seen."""
        not_traced("fence_view_async_tmem_store")


def columns_of(tensor):
    """How many columns a tensor reaches over."""
    layout, width = tensor.plain if isinstance(tensor, Tensor) else tensor, number_type(tensor.element_type).width
    return ((layout.cosize - 1) * width // 32 & LANE - 1) + 1


def get_num_tmem_alloc_cols(tmem_tensors, rounding=True, **_):
    """The columns to allocate for tensors: their sum, rounded up to a power of two of 32 or more."""
    count = sum(map(columns_of, tmem_tensors if isinstance(tmem_tensors, (list, tuple)) else [tmem_tensors]))
    return max(SLICE, 1 << (count - 1).bit_length()) if rounding else count


class TmemAllocator:
    """Allocates columns by one warp, whose address the others take after a barrier."""

    def __init__(self, alloc_result_dst_smem_ptr, barrier_for_retrieve=None, allocator_warp_id=0, is_two_cta=False, num_allocated_columns=0,
                 two_cta_tmem_dealloc_mbar_ptr=None, **_):
        self._place, self._barrier, self._warp = alloc_result_dst_smem_ptr, barrier_for_retrieve, allocator_warp_id
        self._columns, self._freed = num_allocated_columns, two_cta_tmem_dealloc_mbar_ptr if is_two_cta else None
        if self._freed is not None:
            from ._cute_barriers import Barriers
            me = thread_of("TmemAllocator")
            if me.index == int(self._warp) * WARP:
                Barriers.mbarrier_init(self._freed, WARP)
                Barriers.mbarrier_init_fence()

    def _is_mine(self):
        return thread_of("TmemAllocator").warp == int(self._warp)

    def allocate(self, num_columns, **_):
        """The warp of the allocator allocates so many columns."""
        not_traced("TmemAllocator")
        self._columns = int(num_columns)
        if self._is_mine():
            alloc_tmem(num_columns, self._place)

    def wait_for_alloc(self, **_):
        """Waits until the address is there."""
        self._barrier.arrive_and_wait()

    def retrieve_ptr(self, dtype=None, **_):
        """The pointer to the allocated columns."""
        return retrieve_tmem_ptr(dtype or Int32, 16, self._place)

    def relinquish_alloc_permit(self, **_):
        """The block allocates no more."""
        if self._is_mine():
            relinquish_tmem_alloc_permit()

    def free(self, tmem_ptr, num_columns=0, **_):
        """The warp of the allocator frees the columns; of two blocks that multiply together, after the other's warp is here."""
        if not self._is_mine():
            return
        if self._freed is not None:
            from ._cute_barriers import Barriers
            from ._cute_clusters import Clusters
            Barriers.mbarrier_arrive(self._freed, Clusters.block_idx_in_cluster() ^ 1)
            Barriers.mbarrier_wait(self._freed, 0)
        dealloc_tmem(tmem_ptr, int(num_columns) or self._columns)

"""Memory of kernels on the CPU: elements in one row that know their bounds, and which thread wrote and read each."""
import numpy as np

from ._cute_launch import WARP, current, next_serial
from ._cute_numbers import number, number_type, NumberType


def where(me):
    """Which thread, in parentheses; nothing outside of kernels."""
    return f" (block {me[1]}, thread {me[2]})" if me else ""


def numpy_type(dtype):
    """NumPy's dtype of elements.  error: TypeError for a type that the CPU has not"""
    made = number_type(dtype)
    if isinstance(made, NumberType) and not hasattr(made, "numpy"):
        raise TypeError(f"{made!r} has no numbers on a CPU, where the kernel runs; give it arrays of a GPU, or of another type")
    return np.dtype(dtype)


class Memory:
    """Elements in one row, with the thread that wrote and read each since the last barrier."""

    def __init__(self, data, space, owner=None):
        self.data, self.space, self.owner = data, space, owner
        self.shared = space != "rmem"
        self.writer = {}   # element -> (epoch, block, thread)
        self.reader = {}
        self.views: dict = {}
        self.number, self.path = None, ()  # of shared memory: which allocation of the block, and how this view is made of it
        self.first_byte = 0  # in that allocation
        self.in_flight = 0  # products of a warpgroup that change it

    def _conflict(self, table, at, me):
        """The access of another thread that nothing orders with this one; launches are ordered."""
        other = table.get(at)
        if other is None or other[1:4] == me[1:4] or other[3] != me[3]:
            return None
        (barriers, warp_barriers), block, thread, _, serial = other
        # Between the two is a barrier of their block, or of their warp, or a phase of a pipeline.
        ordered = block == me[1] and (barriers < me[0][0] or thread // WARP == me[2] // WARP and warp_barriers < me[0][1]
                                      or serial < me[4]) or block in me[5] and serial < me[6]
        return None if ordered else other

    def check(self, at, describe, writes, value=None):
        """Raises IndexError outside of the memory, RuntimeError for what no barrier orders. Threads of one block may write the same
        value."""
        me = current()
        if not 0 <= at < len(self.data):
            raise IndexError(f"{describe()} is at offset {at}, outside of the {len(self.data)} elements in {self.space}"
                             + where(me))
        if self.in_flight:
            raise RuntimeError(f"{describe()} is a sum of products that are in flight; call warpgroup.wait_group before{where(me)}")
        if me is None or not self.shared:
            return
        other = self._conflict(self.writer, at, me)
        if writes and other is not None and other[1] == me[1] and self.data[at] == value:
            other = None
        other = other or (self._conflict(self.reader, at, me) if writes else None)
        if other is not None:
            raise RuntimeError(f"{describe()} in {self.space}: thread {me[2]} of block {me[1]} {'writes' if writes else 'reads'} "
                               f"what thread {other[2]} of block {other[1]} wrote or read, and no barrier orders the two")
        (self.writer if writes else self.reader)[at] = (*me[:4], next_serial())

    def check_all(self, places, describe, writes):
        """check() of many elements: what copies of boxes read and write."""
        me = current()
        if len(places) and not (0 <= places.min() and places.max() < len(self.data)):
            self.check(int(places.min() if places.min() < 0 else places.max()), lambda: describe, writes)
        if me is None or not self.shared:
            return
        mine, table = (*me[:4], next_serial()), self.writer if writes else self.reader
        for at in places.tolist():
            if (at in self.writer and self._conflict(self.writer, at, me)) or writes and at in self.reader and self._conflict(self.reader, at, me):
                self.check(at, lambda: f"element {at}, in {describe},", writes, np.nan)
            table[at] = mine

    def check_since(self, places, describe, serial):
        """error: RuntimeError where a thread accessed an element after that access, while a copy wrote it"""
        for at in places.tolist():
            other = self.reader.get(at) or (0, 0, 0, 0, -1)
            if other[4] > serial:
                raise RuntimeError(f"element {at} in {self.space}: thread {other[2]} of block {other[1]} reads it while {describe} writes it; wait "
                                   "for the copy's barrier first")

    @property
    def dtype(self):
        return number_type(self.data.dtype)

    def recast(self, dtype):
        """The same bytes as elements of another type; every thread gets the same one."""
        if dtype not in self.views:
            self.views[dtype] = self._viewed(self.data.view(numpy_type(dtype)), ("recast", dtype))
        return self.views[dtype]

    def _viewed(self, data, step):
        made = Memory(data, self.space, self.owner)
        made.number, made.path = self.number, (*self.path, step)
        made.first_byte = self.first_byte + (step[1] if step[0] == "part" else 0)
        return made

    def part(self, first, count, dtype):
        """So many elements of another type from a byte on; every thread gets the same one."""
        key = first, count, dtype
        if key not in self.views:
            made = numpy_type(dtype)
            self.views[key] = self._viewed(self.data.view(np.uint8)[first:first + count * made.itemsize].view(made), ("part", *key))
        return self.views[key]

    def load(self, at, describe):
        self.check(at, describe, False)
        return number(self.data[at])

    def change_atomically(self, at, change, describe, reads_only=False):
        """The element becomes change(element); what it was. Nothing needs to order that with other such changes."""
        if not 0 <= at < len(self.data):
            self.check(at, describe, True)
        was = number(self.data[at])
        if not reads_only:
            if not self.data.flags.writeable:
                raise ValueError(f"{describe()} cannot be written: its array is read-only{where(current())}")
            self.data[at] = change(was)
        return was

    def store(self, at, value, describe):
        self.check(at, describe, True, value)
        if not self.data.flags.writeable:
            raise ValueError(f"{describe()} cannot be written: its array is read-only{where(current())}")
        self.data[at] = value


class Outside:
    """In place of the memory behind a coordinate beyond a tensor's extents: every access is refused."""

    def __init__(self, memory, what):
        self.dtype, self.space, self.what = memory.dtype, memory.space, what

    def load(self, at, describe):
        raise IndexError(f"{self.what} is beyond its extents{where(current())}; a predicate must keep it from being accessed")

    def store(self, at, value, describe):
        self.load(at, describe)

    def recast(self, dtype):
        return self


def aligned_zeros(count, dtype, alignment=1024):
    """Zeros at an address that is a multiple of 1024 bytes, as shared memory's is."""
    made = numpy_type(dtype)
    bytes_ = np.zeros(count * made.itemsize + alignment, np.uint8)
    first = -bytes_.ctypes.data % alignment
    return bytes_[first:first + count * made.itemsize].view(made)

"""Memory of kernels on the CPU: elements in one row that know their bounds, and which thread wrote and read each."""
import numpy as np

from ._cute_launch import WARP, current, next_serial, note_addressed
from ._cute_narrow import decoded, encoded
from ._cute_narrow import STORAGE as FLOATS
from ._cute_numbers import Boolean, Int64, number, number_type
from ._cute_packed import loaded, PACKED, stored, units_of
from ._cute_packed import STORAGE as OF_PARTS


#: kind that NumPy lacks -> NumPy's type of what holds its elements
STORAGE = {**FLOATS, **OF_PARTS}


def where(me):
    """Which thread, in parentheses; nothing outside of kernels."""
    return f" (block {me[1]}, thread {me[2]})" if me else ""


def numpy_type(dtype):
    """NumPy's dtype of what holds elements: of those that it lacks another one.  error: TypeError for a type that has no numbers here"""
    made = number_type(dtype)
    kind = getattr(made, "kind_name", None)
    if kind is not None and kind not in STORAGE:
        raise TypeError(f"{made!r} has no numbers on a CPU, where the kernel runs; give it arrays of another type")
    return np.dtype(dtype) if kind is None else STORAGE[kind]


def _kind(dtype):
    """The name of a type that NumPy lacks; None for another type."""
    return getattr(number_type(dtype), "kind_name", None)


class Memory:
    """Elements in one row, with the thread that wrote and read each since the last barrier."""

    def __init__(self, data, space, owner=None, kind=None):
        """`kind`: of elements that NumPy lacks, held as others"""
        self.data, self.space, self.owner, self.kind = data, space, owner, kind
        self.shared = space != "rmem"
        self.halves = int(kind in PACKED)  # are two elements in a byte? Writing one is reading and writing both
        self.count = len(data) << self.halves  # of the elements
        self.writer = {}   # element -> (epoch, block, thread)
        self.reader = {}
        self.views: dict = {}
        self.number, self.path = None, ()  # of shared memory: which allocation of the block, and how this view is made of it
        self.first_byte = 0  # in that allocation
        self.in_flight = 0  # products of a warpgroup that change it

    @staticmethod
    def _conflict(other, me):
        """The access where it is of another thread and nothing orders it with this one; launches are ordered."""
        if other[3] != me[3] or other[2] == me[2] and other[1] == me[1]:
            return None
        (barriers, warp_barriers), block, thread, _, serial = other
        # Between the two is a barrier of their block, or of their warp, or a phase of a pipeline.
        ordered = block == me[1] and (barriers < me[0][0] or thread // WARP == me[2] // WARP and warp_barriers < me[0][1]
                                      or serial < me[4]) or block in me[5] and serial < me[6] \
            or me[7] and (serial < me[7].get(block, -1) or serial < me[7].get((block, thread), -1))
        return None if ordered else other

    def check(self, at, describe, writes, value=None):
        """Raises IndexError outside of the memory, RuntimeError for what no barrier orders. Threads of one block may write the same
        value."""
        if not 0 <= at < self.count:
            raise IndexError(f"{describe()} is at offset {at}, outside of the {self.count} elements in {self.space}" + where(current()))
        if self.in_flight:
            raise RuntimeError(f"{describe()} is a sum of products that are in flight; call warpgroup.wait_group before{where(current())}")
        me = current() if self.shared else None
        if me is None:
            return
        key = at >> self.halves
        other = self.writer.get(key)
        if other is not None:
            other = self._conflict(other, me)
            if writes and not self.halves and other is not None and other[1] == me[1] and self._number(at) == value:
                other = None
        if writes and other is None and key in self.reader:
            other = self._conflict(self.reader[key], me)
        if other is not None:
            raise RuntimeError(f"{describe()} in {self.space}: thread {me[2]} of block {me[1]} {'writes' if writes else 'reads'} "
                               f"what thread {other[2]} of block {other[1]} wrote or read, and no barrier orders the two"
                               + "; between blocks atomic operations do that release and acquire (sem='acq_rel', or arch.fence_acq_rel_gpu() "
                               "before them)" * (other[1] != me[1] and other[1] not in me[5])
                               + "; two elements of 4 bits are in one byte, which is written whole" * self.halves)
        (self.writer if writes else self.reader)[key] = (*me[:4], next_serial())

    def check_all(self, places, describe, writes, adds=False, numbers=None):
        """check() of many elements: what copies of boxes read and write. `adds`: to what is there, which nothing orders with other additions;
        `numbers`: what is written, of the memory's own type."""
        me = current()
        if len(places) and not (0 <= places.min() and places.max() < self.count):
            self.check(int(places.min() if places.min() < 0 else places.max()), lambda: describe, writes)
        if me is None or not self.shared:
            return
        places = places >> self.halves
        mine, table = (*me[:4], next_serial()), self.writer if writes else self.reader
        for i, at in enumerate(places.tolist()):
            if (at in self.writer and self._conflict(self.writer[at], me)) or writes and at in self.reader and self._conflict(self.reader[at], me):
                self.check(at << self.halves, lambda: f"element {at << self.halves}, in {describe},", writes,  # noqa: B023  called here
                           np.nan if numbers is None else self._of_bits(numbers[i]))
            if not adds:
                table[at] = mine

    def _of_bits(self, x):
        """The number that the memory would hold as this element."""
        return type(self)(np.array([x], self.data.dtype), self.space, kind=self.kind)._number(0)

    def check_since(self, places, describe, serial):
        """error: RuntimeError where a thread accessed an element after that access, while a copy wrote it"""
        for at in (places >> self.halves).tolist():
            other = self.reader.get(at) or (0, 0, 0, 0, -1)
            if other[4] > serial:
                raise RuntimeError(f"element {at} in {self.space}: thread {other[2]} of block {other[1]} reads it while {describe} writes it; wait "
                                   "for the copy's barrier first")

    @property
    def dtype(self):
        return number_type(self.kind or self.data.dtype)

    def numbers(self, places):
        """The numbers of elements, as an array."""
        if self.kind in OF_PARTS:
            return loaded(self.data, places, self.kind)
        found = self.data[places]
        return found if self.kind is None else decoded(found, self.kind)

    def put(self, places, numbers):
        """Elements become numbers; nothing is checked."""
        if self.kind is None:
            self.data[places] = numbers
            return
        if self.kind in OF_PARTS:
            return stored(self.data, places, numbers, self.kind)
        self.data[places] = encoded(numbers, self.kind)

    def _number(self, at):
        return number(self.data[at]) if self.kind is None else self.dtype(self.numbers(at))

    def recast(self, dtype):
        """The same bytes as elements of another type; every thread gets the same one."""
        if dtype not in self.views:
            self.views[dtype] = self._viewed(self.data.view(numpy_type(dtype)), ("recast", dtype), dtype)
        return self.views[dtype]

    def _viewed(self, data, step, dtype):
        made = Memory(data, self.space, self.owner, _kind(dtype))
        made.number, made.path = self.number, (*self.path, step)
        made.first_byte = self.first_byte + (step[1] if step[0] == "part" else 0)
        return made

    def part(self, first, count, dtype):
        """So many elements of another type from a byte on; every thread gets the same one."""
        key = first, count, dtype
        if key not in self.views:
            made = numpy_type(dtype)
            self.views[key] = self._viewed(self.data.view(np.uint8)[first:first + units_of(count, _kind(dtype)) * made.itemsize].view(made), ("part", *key), dtype)
        return self.views[key]

    def address_of(self, at):
        """The address of an element."""
        if self.space == "smem":
            note_addressed(self)
        return Int64(self.data.ctypes.data + (int(at) >> self.halves) * self.data.itemsize)

    def load(self, at, describe):
        self.check(at, describe, False)
        return self._number(at)

    def load_many(self, places, describe):
        """The numbers of elements, as a list. describe(i): what number i is."""
        self._check_many(places, describe, self.reader)
        if self.kind is not None:
            return [self._number(at) for at in places]
        data, made = self.data, self.dtype
        return [number(data[at]) for at in places] if made is Boolean else [data[at] for at in places] if not isinstance(made, type(Int64)) else [
            made.numpy.__new__(made, data[at]) for at in places]

    def store_many(self, places, values, describe):
        """Elements become numbers, in order."""
        me = current() if self.shared else None
        sure = not self.in_flight and self._holds(places) and self.data.flags.writeable
        mine = (*me[:4], next_serial()) if me is not None else None
        for i, (at, value) in enumerate(zip(places, values)):
            if not sure or me is not None and not self._is_free(at >> self.halves, me):
                self.store(at, value, lambda at=i: describe(at))
                continue
            if me is not None:
                self.writer[at >> self.halves] = mine
            self.put(at, value)

    def _is_free(self, key, me):
        """Has no thread written or read it without a barrier since?"""
        wrote, read = self.writer.get(key), self.reader.get(key)
        return (wrote is None or self._conflict(wrote, me) is None) and (read is None or self._conflict(read, me) is None)

    def _holds(self, places):
        return not places or min(places) >= 0 and max(places) < self.count

    def _check_many(self, places, describe, table):
        """check() of many elements that are read."""
        me = current() if self.shared else None
        if not self._holds(places) or self.in_flight:
            for i, at in enumerate(places):
                self.check(at, lambda at=i: describe(at), False)
        if me is None:
            return
        mine, writer, halves = (*me[:4], next_serial()), self.writer, self.halves
        for i, at in enumerate(places):
            other = writer.get(at >> halves)
            if other is not None and self._conflict(other, me):
                self.check(at, lambda at=i: describe(at), False)
            table[at >> halves] = mine

    def change_atomically(self, at, change, describe, reads_only=False):
        """The element becomes change(element); what it was. Nothing needs to order that with other such changes."""
        if not 0 <= at < self.count:
            self.check(at, describe, True)
        was = self._number(at)
        if not reads_only:
            if not self.data.flags.writeable:
                raise ValueError(f"{describe()} cannot be written: its array is read-only{where(current())}")
            self.put(at, change(was))
        return was

    def store(self, at, value, describe):
        self.check(at, describe, True, value)
        if not self.data.flags.writeable:
            raise ValueError(f"{describe()} cannot be written: its array is read-only{where(current())}")
        self.put(at, value)


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


def zeros(count, dtype):
    """What holds so many elements, all 0."""
    return np.zeros(units_of(count, _kind(dtype)), numpy_type(dtype))


def aligned_zeros(count, dtype, alignment=1024):
    """The same at an address that is a multiple of 1024 bytes, as shared memory's is."""
    made, count = numpy_type(dtype), units_of(count, _kind(dtype))
    bytes_ = np.zeros(count * made.itemsize + alignment, np.uint8)
    first = -bytes_.ctypes.data % alignment
    return bytes_[first:first + count * made.itemsize].view(made)

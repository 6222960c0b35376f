"""Tensors of kernels: a pointer into memory that knows its bounds and who wrote it, and a layout."""
import numpy as np

from . import _cute_gpu
from ._core import LayoutError
from ._cute_launch import current
from ._cute_trace import active
from ._cute_values import Value
from ._layout import Layout, evaluate, text_of


def _where(me):
    """Which thread, in parentheses; nothing outside of kernels."""
    return f" (block {me[1]}, thread {me[2]})" if me else ""


class Memory:
    """Elements in one row, with the thread that wrote and read each since the last barrier."""

    def __init__(self, data, space, owner=None):
        self.data, self.space, self.owner = data, space, owner
        self.shared = space != "rmem"
        self.writer = {}   # element -> (epoch, block, thread)
        self.reader = {}

    def _conflict(self, table, at, me):
        other = table.get(at)
        if other is None or other[1:] == me[1:]:
            return None
        ordered = other[1] == me[1] and other[0] < me[0]  # a barrier of their block lies between them
        return None if ordered else other

    def check(self, at, describe, writes):
        """Raises IndexError outside of the memory, RuntimeError for what no barrier orders."""
        me = current()
        if not 0 <= at < len(self.data):
            raise IndexError(f"{describe()} is at offset {at}, outside of the {len(self.data)} elements in {self.space}"
                             + _where(me))
        if me is None or not self.shared:
            return
        other = self._conflict(self.writer, at, me) or (self._conflict(self.reader, at, me) if writes else None)
        if other is not None:
            raise RuntimeError(f"{describe()} in {self.space}: thread {me[2]} of block {me[1]} {'writes' if writes else 'reads'} "
                               f"what thread {other[2]} of block {other[1]} wrote or read, and no barrier orders the two")
        (self.writer if writes else self.reader)[at] = me

    @property
    def dtype(self):
        return self.data.dtype.type

    def load(self, at, describe):
        self.check(at, describe, False)
        return self.data[at]

    def store(self, at, value, describe):
        self.check(at, describe, True)
        self.data[at] = value


class Pointer:
    """A place in a Memory; adding moves it by elements."""

    def __init__(self, memory, offset=0):
        self.memory, self.offset = memory, offset

    @classmethod
    def allocate(cls, count, dtype, space):
        if active():
            return cls(active().allocate(count, dtype, space))
        return cls(Memory(np.zeros(count, dtype), space))

    def __add__(self, elements):
        return Pointer(self.memory, self.offset + elements)

    @property
    def dtype(self):
        return self.memory.dtype

    @property
    def memspace(self):
        return self.memory.space


class Tensor:
    """Memory seen through a layout. `t[i]`, `t[m, k]` are elements; with None among the coordinates, a tensor of what is
    kept."""

    def __init__(self, iterator, layout):
        self.iterator, self.layout = iterator, layout

    @property
    def element_type(self):
        return self.iterator.dtype

    dtype = element_type

    @property
    def memspace(self):
        return self.iterator.memspace

    @property
    def shape(self):
        return self.layout.shape

    @property
    def stride(self):
        return self.layout.stride

    def __repr__(self):
        return f"Tensor({self.memspace} {type_name(self.element_type)}, {self.layout})"

    def _place(self, coordinate):
        if isinstance(coordinate, (int, np.integer)):
            size = self.layout.size
            if not 0 <= coordinate < size:
                raise IndexError(f"the index {coordinate} is outside of {self.layout}, which has {size} elements"
                                 + _where(current()))
            offset = self.layout(int(coordinate))
        else:
            offset = self._inside(coordinate)
        return self.iterator.offset + offset

    def _inside(self, coordinate):
        """The offset of a coordinate.  error: IndexError that names the thread"""
        try:
            return _offset(coordinate, self.layout)
        except LayoutError as error:
            if current() is None:
                raise
            raise IndexError(f"coordinate {coordinate} of {self.layout}{_where(current())}: {error}") from None

    def __getitem__(self, coordinate):
        if coordinate is None:
            return self
        if _keeps(coordinate):
            coordinate = coordinate if isinstance(coordinate, tuple) else (coordinate,)
            kept = evaluate(f"slice({text_of(coordinate)}, {self.layout})")
            offset = self._inside(_zeroed(coordinate))
            if isinstance(kept.shape, tuple) and len(kept.shape) == 1:
                kept = kept[0]
            return Tensor(self.iterator + offset, kept)
        return self.iterator.memory.load(self._place(coordinate), lambda: f"coordinate {coordinate} of {self.layout}")

    def __setitem__(self, coordinate, value):
        self.iterator.memory.store(self._place(coordinate), value, lambda: f"coordinate {coordinate} of {self.layout}")

    def fill(self, value):
        for i in range(self.layout.size):
            self[i] = value

    def load(self):
        """The elements as an array, in the order of indices; in a kernel on a GPU as a list."""
        if active():
            return [self[i] for i in range(self.layout.size)]
        return np.array([self[i] for i in range(self.layout.size)], self.element_type)

    def store(self, values):
        for i in range(self.layout.size):
            self[i] = values[i]


def type_name(dtype):
    return dtype if isinstance(dtype, str) else np.dtype(dtype)


def _offset(coordinate, layout):
    if active():
        return active().offset_of(coordinate, layout, evaluate, text_of)
    return evaluate(f"crd2idx({text_of(coordinate)}, {layout})")


def _keeps(coordinate):
    return coordinate is None or (isinstance(coordinate, tuple) and any(map(_keeps, coordinate)))


def _zeroed(coordinate):
    return 0 if coordinate is None else tuple(map(_zeroed, coordinate)) if isinstance(coordinate, tuple) else coordinate


def is_array(x):
    """What becomes a tensor when a kernel is launched: an array of at least one axis."""
    if isinstance(x, (Tensor, Value)):
        return False
    return bool(getattr(x, "ndim", 0)) and (hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__"))


def as_tensor(array):
    """An array's memory as a tensor with the array's layout; of NumPy, PyTorch or CuPy.  Raises LayoutError as
    Layout.from_array; ValueError for negative strides."""
    if isinstance(array, Tensor):
        return array
    if _cute_gpu.is_on_gpu(array):
        memory, layout = _cute_gpu.memory_and_layout(array)
        return Tensor(Pointer(memory), layout)
    if type(array).__module__.partition(".")[0] == "torch":
        array = array.detach().numpy()
    array = np.asarray(array)
    if any(s < 0 for s in array.strides):
        raise ValueError(f"an array with strides of {array.strides} bytes; a kernel's tensors need strides of 0 or more")
    layout = Layout.from_array(array)
    flat = np.lib.stride_tricks.as_strided(array, (layout.cosize,), (array.itemsize,), writeable=array.flags.writeable)
    return Tensor(Pointer(Memory(flat, "gmem", array)), layout)


from_dlpack = as_tensor

"""Tensors of kernels: a pointer into memory that knows its bounds and who wrote it, and a layout.

A swizzled layout, Sw<2,0,3> o 0 o (8,8):(8,1), exchanges offsets counted from where the tensor begins. Slices and partitions of the
tensor begin elsewhere, so their pointer keeps that origin: place = origin + Sw(offset - origin + layout(coordinate)).
"""
import functools
import re

import numpy as np

from . import _cute_gpu, _layout
from ._core import LayoutError
from ._cute_array import ArrayMethods, part as _part
from ._cute_launch import current
from ._cute_memory import Memory, Outside, where, zeros
from ._cute_narrow import STORAGE
from ._cute_numbers import number_type
from ._cute_places import Coordinates, Pointer, sum_of_coordinates, swizzling_of, type_name
from ._cute_ssa import TensorSSA
from ._cute_tree import mapped
from ._cute_values import active, Value
from ._layout import Layout, evaluate, text_of


class Tensor(ArrayMethods):
    """Memory seen through a layout. `t[i]`, `t[m, k]` are elements; with None among the coordinates, a tensor of what is
    kept."""

    def __init__(self, iterator, layout):
        self.iterator, self.layout, self.swizzling = iterator, layout, swizzling_of(layout)
        self.plain = layout if self.swizzling is None else self.swizzling.plain
        if self.swizzling is not None and isinstance(iterator, Pointer) and iterator.origin is None:
            self.iterator = Pointer(iterator.memory, iterator.offset, iterator.offset, iterator.swizzle)

    def __tilewright_key__(self, key):
        """What a trace depends on (_cute_kept.py)."""
        return "tensor", key.of(self.iterator), self.layout._text

    @property
    def element_type(self):
        """The number type of the elements."""
        return self.iterator.dtype

    @element_type.setter
    def element_type(self, dtype):
        """The same bytes as elements of another type of as many bits.  error: ValueError for another number of bits"""
        was, now = number_type(self.element_type), number_type(dtype)
        if was.width != now.width:
            raise ValueError(f"elements of {was.width} bits cannot be {now!r}, which has {now.width}; use recast_tensor")
        if was is not now:
            self.iterator = self.iterator.recast(now)

    dtype = _dtype = element_type

    @property
    def memspace(self):
        """Which memory it is: gmem, smem or rmem; coordinates have none."""
        return self.iterator.memspace

    @property
    def shape(self):
        """The extents of the layout."""
        return self.layout.shape

    @property
    def stride(self):
        """The strides of the layout, in elements."""
        return self.layout.stride

    def __repr__(self):
        return f"Tensor({self.memspace} {type_name(self.element_type)}, {self.layout})"

    def _offset_at(self, coordinate):
        """The offset of an index or a coordinate.  Raises IndexError for an index outside of the tensor."""
        if isinstance(coordinate, str):
            raise TypeError(f"{coordinate!r} is no coordinate of {self.layout}; a coordinate is an integer or a tuple of them{where(current())}")
        if isinstance(coordinate, (int, np.integer)):
            function, coordinate = self.plain._function, int(coordinate)
            size = self.plain.size if function is None else function.size
            if not 0 <= coordinate < size:
                raise IndexError(f"the index {coordinate} is outside of {self.layout}, which has {size} elements"
                                 + where(current()))
            return self.plain(coordinate) if function is None else function(coordinate)
        return self._inside(coordinate)

    def place(self, coordinate):
        """Where the element of an index or a coordinate is in the memory."""
        at = self.iterator.offset + self._offset_at(coordinate)
        origin = self.iterator.origin
        return at if self.swizzling is None else origin + self.swizzling(at - origin)

    def places(self):
        """Where the element of each index is in the memory, as an array.  pre: integers in the layout"""
        at = self.iterator.offset + _offsets(self.plain)
        return at if self.swizzling is None else self.iterator.origin + self.swizzling(at - self.iterator.origin)

    def _inside(self, coordinate):
        """The offset of a coordinate.  error: IndexError that names the thread"""
        try:
            return _offset(coordinate, self.plain)
        except LayoutError as error:
            if current() is None:
                raise
            raise IndexError(f"coordinate {coordinate} of {self.layout}{where(current())}: {error}") from None

    @property
    def leading_dim(self):
        """The first mode of stride 1, or None."""
        strides = self.stride if isinstance(self.stride, tuple) else (self.stride,)
        return next((i for i, s in enumerate(strides) if s == 1), None)

    @property
    def type(self):
        """The tensor's memory, element type and layout, for print()."""
        return repr(self)

    def __getitem__(self, coordinate, **_):
        if coordinate is None:
            return self
        if type(coordinate) is slice:
            return self.load_at(*_part(coordinate))
        if _keeps(coordinate):
            return self._kept(coordinate if isinstance(coordinate, tuple) else (coordinate,))
        if isinstance(self.iterator, Coordinates):
            return self.iterator.at if self.layout.size == 1 else sum_of_coordinates(self.iterator.at, self._offset_at(coordinate))
        return self.iterator.memory.load(self.place(coordinate), lambda: f"coordinate {coordinate} of {self.layout}")

    def _kept(self, coordinate):
        """The tensor of what the Nones of a coordinate keep. Of a coordinate beyond the extents: a tensor that a predicate must keep from
        being accessed, as in CuTe's DSL."""
        try:
            kept = evaluate(f"slice({text_of(coordinate)}, {self.plain})")
        except LayoutError as error:
            if "coordinate_out_of_range" not in str(error):
                raise
            if isinstance(self.iterator, Coordinates):
                inside = self._kept(mapped(coordinate, lambda x: x if x is None else 0))
                return Tensor(self.iterator + extended_offset(_zeroed(coordinate), self.plain), inside.plain)
            if active():  # the offset of a coordinate that the GPU knows is not checked
                return self._kept(mapped(coordinate, lambda x: active().let("index", f"{int(x)}LL", x >= 0) if isinstance(x, (int, np.integer)) else x))
            if current() is None:
                raise
            inside = self._kept(mapped(coordinate, lambda x: x if x is None else 0))
            return Tensor(Pointer(Outside(self.iterator.memory, f"coordinate {text_of(coordinate)} of {self.layout}")), inside.plain)
        offset = self._inside(_zeroed(coordinate))
        if isinstance(kept.shape, tuple) and len(kept.shape) == 1:
            kept = kept[0]
        return Tensor(self.iterator + offset, kept if self.swizzling is None else self.swizzling.of(kept))

    def __setitem__(self, coordinate, value, **_):
        if isinstance(self.iterator, Coordinates):
            raise TypeError(f"the elements of {self.layout} are coordinates, which cannot be assigned")
        if type(coordinate) is slice:
            return self.store_at(value, *_part(coordinate))
        if _keeps(coordinate):
            return self[coordinate].store(value) if isinstance(value, TensorSSA) else self[coordinate].fill(value)
        if isinstance(value, TensorSSA) and len(value) == 1:
            value = value.values[0]
        self.iterator.memory.store(self.place(coordinate), value, lambda: f"coordinate {coordinate} of {self.layout}")

    def _known_places(self):
        """Where the element of each index is in memory of the CPU, as a list; None for other memory and other layouts."""
        if type(getattr(self.iterator, "memory", None)) is not Memory or self.plain._function is None:
            return None
        first, offsets = self.iterator.offset, _offset_list(self.plain)
        if self.swizzling is None:
            return [first + o for o in offsets] if first else offsets
        origin, swizzle = self.iterator.origin, self.swizzling
        return [origin + swizzle(first - origin + o) for o in offsets]

    def _described(self, i):
        """What the element of an index is, for a message."""
        return f"coordinate {i} of {self.layout}"

    def fill(self, value, **_):
        """Every element becomes the value."""
        self._put([value] * self.layout.size)

    def _put(self, values):
        places = self._known_places()
        if places is not None:
            return self.iterator.memory.store_many(places, values, self._described)
        for i, value in enumerate(values):
            self[i] = value

    def load(self, index=None, vector_size=None, **_):
        """The elements as a TensorSSA, in the order of indices; with an index that element, or so many from there on."""
        if index is not None:
            return self.load_at(index, vector_size)
        places = self._known_places()
        if places is not None:
            return TensorSSA(self.iterator.memory.load_many(places, self._described), self.shape, self.element_type)
        return TensorSSA([self[i] for i in range(self.layout.size)], self.shape, self.element_type)

    def to(self, dtype, **_):
        """A tensor in registers of the elements as another type."""
        from ._cute_layouts import make_rmem_tensor_like  # which imports this module
        made = make_rmem_tensor_like(self, dtype)
        made.store(self.load().to(dtype))
        return made

    def store(self, values, index=None, vector_size=None, **_):
        """Each element becomes the value of its index; with an index, the elements from there on.  Raises ValueError for another number of values."""
        if index is not None:
            return self.store_at(values, index, vector_size)
        if isinstance(values, TensorSSA) and values.shape != self.shape and len(values) != self.layout.size:
            values = values.broadcast_to(self.shape)
        if not hasattr(values, "__len__"):
            raise TypeError(f"store takes the values of a tensor, as load() gives them, not {values!r}; fill({values!r}) sets every element")
        if len(values) != self.layout.size:
            raise ValueError(f"{len(values)} values cannot be stored in {self.layout}, which has {self.layout.size} elements")
        self._put(values.values if isinstance(values, TensorSSA) else [values[i] for i in range(len(values))])

    # What CuTe's Python DSL asks of a tensor that comes from another library; layouts here are those of the arrays at each
    # launch, so there is nothing to mark.
    def mark_layout_dynamic(self, leading_dim=None, **_):
        """The tensor itself: each launch takes the layout as it is."""
        return self

    def mark_compact_shape_dynamic(self, mode=None, stride_order=None, divisibility=None, **_):
        """The tensor itself: each launch takes the layout as it is."""
        return self


def seen(pointer, layout, swizzle):
    """The tensor at a pointer; a pointer's swizzle moves bytes by their address, whose multiples of 1024 it begins at."""
    if not swizzle or swizzling_of(layout) is not None:
        return Tensor(pointer, layout)
    bits = pointer.dtype.width
    beyond = pointer.memory.first_byte * 8 + pointer.offset * bits
    beyond = beyond % 8192 // bits if type(beyond) is int else 0
    there = Pointer(pointer.memory, pointer.offset, pointer.offset - beyond if pointer.origin is None else pointer.origin, swizzle)
    return Tensor(there, swizzled_by_bytes(swizzle, layout, pointer.dtype))


def swizzled_by_bytes(swizzle, layout, dtype):
    """A layout behind a pointer's swizzle, which counts bytes: Sw<3,4,3> of a pointer is Sw<3,3,3> of elements of 2 bytes.

    Raises ValueError where it would move parts of elements.
    """
    bits, base, shift = map(int, re.fullmatch(r"Sw<(\d+),(\d+),(-?\d+)>", swizzle).groups())
    log = (dtype.width // 8).bit_length() - 1
    if base < log:
        raise ValueError(f"the swizzle {swizzle} of a pointer counts bytes and moves parts of elements of {dtype.width} bits; its second "
                         f"number is {log} or more")
    return evaluate(f"Sw<{bits},{base - log},{shift}> o 0 o {layout}")


def number_width(pointer):
    """Bytes of an element at a pointer."""
    return pointer.dtype.width // 8


@functools.lru_cache(maxsize=4096)
def _offsets(layout):
    made = np.array(layout.offsets())
    made.setflags(write=False)  # it is kept
    return made


@functools.lru_cache(maxsize=4096)
def _offset_list(layout):
    return layout.offsets()


def _offset(coordinate, layout):
    if type(coordinate) is tuple and layout._function is not None:
        at = layout._function.at(coordinate)
        if at is not None:
            return at
    if active() and "@" not in str(layout):
        return active().offset_of(f"crd2idx({text_of(coordinate)}, {layout})", evaluate)
    return evaluate(f"crd2idx({text_of(coordinate)}, {layout})")


def extended_offset(coordinate, layout):
    """The offset of a coordinate that may be outside of a layout's extents: integers are taken as names, which are not checked, and
    put in their places."""
    numbers = []

    def name(x):
        if type(x) is not int and not isinstance(x, np.integer):
            return x
        numbers.append(int(x))
        return f"x_{len(numbers) - 1}_"
    named = mapped(coordinate, name)
    out = evaluate(f"crd2idx({text_of(named)}, {layout})")

    def number_of(x):
        if not isinstance(x, str):
            return x
        made = evaluate("0 + " + re.sub(r"x_(\d+)_", lambda m: f"({numbers[int(m[1])]})", x))
        return active().from_text(made) if isinstance(made, str) and active() else made
    return mapped(out, number_of)


def _offset_in_a_kernel(layout, index):
    return None if current() is None else extended_offset(index, layout)


_layout.offset_in_a_kernel = _offset_in_a_kernel


def _keeps(coordinate):
    if not isinstance(coordinate, tuple):
        return coordinate is None
    for c in coordinate:
        if c is None or isinstance(c, tuple) and _keeps(c):
            return True
    return False


def _zeroed(coordinate):
    return 0 if coordinate is None else tuple(map(_zeroed, coordinate)) if isinstance(coordinate, tuple) else coordinate


def is_array(x):
    """What becomes a tensor when a kernel is launched: an array of at least one axis."""
    if isinstance(x, (Tensor, Value, type)):
        return False
    return bool(getattr(x, "ndim", 0)) and (hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__"))


def as_tensor(array):
    """An array's memory as a tensor with the array's layout; of NumPy, PyTorch or CuPy.  Raises LayoutError as
    Layout.from_array; ValueError for negative strides."""
    if isinstance(array, Tensor):
        return array
    is_on_gpu = _cute_gpu.is_on_gpu(array)  # PyTorch's own interface raises for floats of 8 bits
    if not (is_on_gpu or hasattr(array, "__array_interface__") or hasattr(array, "__dlpack__")):
        raise TypeError(f"a {type(array).__name__} is no array: a tensor is made of what NumPy, PyTorch or CuPy hold")
    if is_on_gpu:
        memory, layout = _cute_gpu.memory_and_layout(array)
        return Tensor(Pointer(memory), layout)
    kind = None
    if type(array).__module__.partition(".")[0] == "torch":
        if type(array).__name__ == "FakeTensor" or array.device.type == "meta":  # of a shape alone, to compile with
            layout, made = Layout(tuple(array.shape), array.stride()), number_type(str(array.dtype).rpartition(".")[2])
            return Tensor(Pointer(Memory(zeros(layout.cosize, made), "gmem", kind=getattr(made, "kind_name", None))), layout)
        array, kind = _of_torch(array.detach())
    array = np.asarray(array)
    if array.dtype.hasobject:
        raise TypeError(f"an array of {array.dtype} holds Python objects, which kernels do not compute with")
    if any(s < 0 for s in array.strides):
        raise ValueError(f"an array with strides of {array.strides} bytes; a kernel's tensors need strides of 0 or more")
    layout = Layout.from_array(array)
    flat = np.lib.stride_tricks.as_strided(array, (layout.cosize,), (array.itemsize,), writeable=array.flags.writeable)
    return Tensor(Pointer(Memory(flat, "gmem", array, kind)), layout)


def _of_torch(array):
    """(a tensor of PyTorch's as NumPy's array, the kind of floats that NumPy lacks or None)"""
    kind = str(array.dtype).rpartition(".")[2]
    if kind not in STORAGE:
        return array.numpy(), None
    import torch
    return array.view(torch.int16 if kind == "bfloat16" else torch.uint8).numpy().view(STORAGE[kind]), kind


def from_dlpack(array, assumed_align=None, **_):
    """as_tensor, under the DSL's name; an access of several elements needs an address that is a multiple of it on a GPU."""
    return as_tensor(array)

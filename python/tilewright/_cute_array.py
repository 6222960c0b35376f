"""cutlass.Array: memory seen as numbers in rows, the last axis fastest, with loads and stores of several elements at once.

    tile = cutlass.Array(cutlass.Float32, (4, 8), space=cutlass.AddressSpace.smem)       element (i, j) is at 8 i + j
    tile[0, 3], tile[8:4]             an element; 4 elements from element 8 on, as a vector
    tile.subview(8), tile.data_ptr()  the array from element 8 on; a pointer to its first element

A parameter that is declared cutlass.Array is the tensor of what is given, which has these methods too.
"""
import math

from ._cute_numbers import number_type
from ._cute_values import active, Value
from ._layout import evaluate, Layout, product


def _vector_of(pointer, count):
    """So many elements from a pointer on, as a vector."""
    from ._cute_ssa import TensorSSA
    return TensorSSA([(pointer + i).load() for i in range(count)], count, pointer.dtype)


def _values_of(values, count):
    """The values of a vector, a list or one number that is repeated.  Raises ValueError for another count."""
    given = getattr(values, "values", values)
    if not hasattr(given, "__len__"):
        return [given] * (1 if count is None else count)
    if count is not None and len(given) != count:
        raise ValueError(f"{len(given)} values cannot be stored as {count}; give one for each element")
    return list(given)


def _count_of(count):
    """error: TypeError for a number of elements that the kernel computes, ValueError below 1"""
    if isinstance(count, Value) or not hasattr(count, "__index__"):
        raise TypeError(f"a vector has {count!r} elements; the number is known when the kernel is traced")
    if count.__index__() < 1:
        raise ValueError(f"a vector has {count.__index__()} elements; it has 1 or more")
    return count.__index__()


def part(given):
    """(first element, number of elements) of a slice: array[8:4] is 4 elements from element 8 on.  error: TypeError without the number"""
    if given.step is not None or given.stop is None:
        raise TypeError("a slice of an array is array[first:count], the first element and the number of elements; for a tensor of a mode write None")
    return 0 if given.start is None else given.start, given.stop


def _masked_load(pointer, count, mask, default):
    from ._cute_ssa import TensorSSA
    kind, out = number_type(pointer.dtype), []
    default = kind(default) if not isinstance(default, Value) else default
    for i in range(count):
        inside, at = mask[i], pointer + i
        if isinstance(inside, Value):
            out += active().branch(inside, lambda at=at: (at.load(),), lambda: (default,), ("an element of masked_load",), ())
        else:
            out.append(at.load() if inside else default)
    return TensorSSA(out, count, kind)


def _masked_store(pointer, values, mask):
    for i, x in enumerate(_values_of(values, None)):
        inside, at = mask[i], pointer + i
        if isinstance(inside, Value):
            active().branch(inside, lambda at=at, x=x: (at.store(x),), lambda: (None,), (None,), ())
        elif inside:
            at.store(x)


class PointerVectors:
    """What a pointer has for arrays; part of Pointer."""

    def load(self, count=None, **_):
        """The element at the pointer; so many elements from there on, as a vector."""
        if count is not None:
            return _vector_of(self, _count_of(count))
        return self.memory.load(self.offset, lambda: "the element at a pointer")

    def store(self, value, **_):
        """The element at the pointer becomes the value; of a vector each element from there on."""
        if hasattr(value, "values") and hasattr(value, "__len__"):
            for i, x in enumerate(value.values):
                (self + i).store(x)
            return
        self.memory.store(self.offset, value, lambda: "the element at a pointer")

    def masked_load(self, mask, default=0, **_):
        """A vector of elements from the pointer on; where the mask is false, the default, and memory is not read."""
        return _masked_load(self, len(mask), mask, default)

    def masked_store(self, values, mask, **_):
        """Elements from the pointer on become those of a vector where the mask is true; others are not written."""
        _masked_store(self, values, mask)

    def load_swizzled(self, swizzle, count, **_):
        """A vector of elements from the pointer on, in memory whose bytes a swizzle has exchanged, as TMA's do. They count from the memory's start."""
        from ._cute_ssa import TensorSSA
        return TensorSSA([(self + i).apply_swizzle(swizzle).load() for i in range(_count_of(count))], count, self.dtype)

    def apply_swizzle(self, swizzle, **_):
        """Where a swizzle of the memory's bytes has put the element."""
        from ._cute_tensor import Pointer, swizzled_by_bytes, swizzling_of
        found = swizzling_of(swizzled_by_bytes(str(swizzle), Layout(1, 0), number_type(self.dtype)))
        return self if found is None else Pointer(self.memory, found(self.offset))

    def __getitem__(self, i):
        return (self + i).load()

    def __setitem__(self, i, value):
        (self + i).store(value)

    def raw_ptr(self, **_):
        """The pointer itself; in NVIDIA's DSL one without a type."""
        return self

    def subview(self, start=0, **_):
        """The pointer so many elements further."""
        return self + start

    data_ptr = get_ptr = subview


class ArrayMethods:
    """What a tensor has as a cutlass.Array; part of Tensor."""

    def data_ptr(self, index=0, **_):
        """A pointer to an element, by default the first."""
        return self._at(index)

    get_ptr = data_ptr

    def _at(self, index):
        """A pointer to an element of an index, which counts rows, or of a coordinate."""
        if isinstance(index, tuple):
            return self.iterator + self._offset_at(index)
        if type(index) is int and index == 0:
            return self.iterator
        shape, at, rest = self.shape if isinstance(self.shape, tuple) else (self.shape,), [], index
        if len(shape) == 1:
            return self.iterator + self._offset_at(index)
        for extent in reversed(shape):
            at.append(rest % product(extent))
            rest = rest // product(extent)
        return self.iterator + self._offset_at(tuple(reversed(at)))

    def subview(self, start, size=None, **_):
        """The array from an element on, with the rest of the elements or so many.  Raises ValueError where that is beyond the array."""
        count = self.layout.size
        if self.plain.cosize != count:
            raise ValueError(f"a part of an array is contiguous, and {self!r} is not")
        if size is None:
            size = count if isinstance(start, Value) else count - int(start)
        if not isinstance(start, Value) and not 0 <= int(start) <= int(start) + size <= count or size < 1:
            raise ValueError(f"elements {start} to {start + size - 1} are not in {self!r}, which has {count}")
        return type(self)(self.iterator + start, Layout(int(size), 1))

    def load_at(self, index, vector_size=None):
        """An element, or so many from there on as a vector."""
        return self._at(index).load() if vector_size is None else _vector_of(self._at(index), _count_of(vector_size))

    def store_at(self, values, index, vector_size=None):
        """Elements from an index on become those of a vector, or one number."""
        pointer = self._at(index)
        for i, x in enumerate(_values_of(values, None if vector_size is None else _count_of(vector_size))):
            (pointer + i).store(x)

    def masked_load(self, index, vector_size, mask, default=0, **_):
        """A vector of elements from an index on; where the mask is false, the default, and memory is not read."""
        return _masked_load(self.iterator + self._linear(index), _count_of(vector_size), mask, default)

    def masked_store(self, index, values, mask, **_):
        """Elements from an index on become those of a vector where the mask is true; others are not written."""
        _masked_store(self.iterator + self._linear(index), values, mask)

    def _linear(self, index):
        """The offset of a coordinate; an index counts contiguous elements, and may be beyond the last, where a mask keeps it from being accessed."""
        return self._offset_at(index) if isinstance(index, tuple) else index

    def print_runtime(self, *format_and_values, max_elements=None, **_):
        """Prints a text with its values, then the elements."""
        from ._cute_print import print_tensor, printf
        if format_and_values:
            printf(*format_and_values)
        print_tensor(self if max_elements is None or max_elements >= self.layout.size else self.subview(0, max_elements))


class _ArrayType(type):
    def __instancecheck__(cls, x):
        from ._cute_tensor import Tensor
        return isinstance(x, Tensor)


class Array(metaclass=_ArrayType):
    """Array(type, shape, space=…, alignment=…): new memory of a thread, or of its block (AddressSpace.smem), its last axis fastest."""

    def __new__(cls, dtype, shape, *, space=None, alignment=None, **_):
        from ._cute_arch import arch
        from ._cute_tensor import Pointer, Tensor
        extents = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        if not extents or not all(hasattr(e, "__index__") and not isinstance(e, Value) and e.__index__() > 0 for e in extents):
            raise ValueError(f"an array has the shape {shape!r}; its extents are integers of 1 or more that are known when the kernel is traced")
        if space not in (None, "rmem", "generic", "smem"):
            raise ValueError(f"an array is made in shared memory (AddressSpace.smem) or by its thread (rmem), and not in {space}")
        extents = tuple(e.__index__() for e in extents)
        strides = tuple(math.prod(extents[i + 1:]) for i in range(len(extents)))
        count = math.prod(extents)
        pointer = arch.alloc_smem(dtype, count, alignment) if space == "smem" else Pointer.allocate(count, number_type(dtype), "rmem")
        return Tensor(pointer, Layout(extents[0], 1) if len(extents) == 1 else Layout(extents, strides))

    def __class_getitem__(cls, item):
        return cls


class Swizzle:
    """Swizzle(bits, base, shift) of bytes; from_name("s128b"): that of a map of TMA."""

    def __new__(cls, num_bits, num_base, num_shift):
        return evaluate(f"Sw<{num_bits},{num_base},{num_shift}> o 0 o 1:0").inner if num_bits else "Sw<0,4,3>"

    @classmethod
    def from_name(cls, name):
        """The swizzle of TensorMapSwizzle of that name.  Raises ValueError for one that there is not."""
        names = {"none": 0, "s32b": 1, "s64b": 2, "s128b": 3}
        if name not in names:
            raise ValueError(f"there is no swizzle {name!r}; there are {', '.join(names)}")
        return cls(names[name], 4, 3)


class GridConstant:
    """Marks a parameter that a GPU keeps among the constants of a launch: GridConstant[TensorMap]."""

    def __class_getitem__(cls, item):
        return cls


def make_array_view(x, shape=None, **_):
    """A tensor, or memory behind a pointer, as an array of a shape whose last axis is fastest."""
    from ._cute_tensor import Tensor
    if isinstance(x, Tensor) and shape is None:
        return x
    if shape is None:
        raise TypeError("make_array_view of a pointer needs the shape")
    extents = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    strides = tuple(math.prod(extents[i + 1:]) for i in range(len(extents)))
    return Tensor(x.iterator if isinstance(x, Tensor) else x, Layout(extents[0], 1) if len(extents) == 1 else Layout(extents, strides))

"""Shared memory by name: cute.struct describes what a block keeps there, SmemAllocator gives it.

    @cute.struct
    class Storage:
        tile: cute.struct.Align[cute.struct.MemRange[cutlass.Float32, 64], 128]

    tile = SmemAllocator().allocate(Storage).tile.get_tensor(cute.make_layout((8, 8)))

A struct has the places of one in C; Storage(pointer) sees memory that is allocated as bytes, so that two structs may share it.
"""
import sys

from ._cute_arch import arch
from ._cute_numbers import NumberType, Uint8
from ._cute_tensor import number_width, Pointer, seen
from ._layout import Layout


class MemRange:
    """So many elements of a type."""

    def __init__(self, dtype, count):
        self.dtype, self.size = dtype, count

    def __class_getitem__(cls, item):
        dtype, count = item
        if not isinstance(count, int) or count < 0:
            raise TypeError(f"MemRange[{dtype}, {count!r}]: the number of elements is an integer of 0 or more")
        return cls(dtype, count)

    @property
    def size_in_bytes(self):
        """The bytes of all elements."""
        return -(-self.dtype.width * self.size // 8)


class Align:
    """A field at an address that is a multiple of some bytes."""

    def __init__(self, dtype, align):
        self.dtype, self.align = dtype, align

    def __class_getitem__(cls, item):
        dtype, align = item
        if not isinstance(align, int) or align < 1 or align & (align - 1):
            raise TypeError(f"Align[{dtype}, {align!r}]: an alignment in bytes is a power of two")
        return cls(dtype, align)


class _Range(Pointer):
    """A field that is given: memory of a block, and a pointer to its first element where a function takes one."""

    def __init__(self, pointer, count):
        super().__init__(pointer.memory, pointer.offset, pointer.origin, pointer.swizzle)
        self.pointer, self.size = pointer, count

    def data_ptr(self, **_):
        return self.pointer

    @property
    def ptr(self):
        return self.pointer

    def get_tensor(self, layout, swizzle=None, dtype=None):
        """The field seen through a layout.  Raises ValueError for one that is larger."""
        layout = layout if isinstance(layout, Layout) else Layout(layout)
        pointer = self.pointer if dtype is None else self.pointer.recast(dtype)
        if dtype is None and layout.cosize > self.size:
            raise ValueError(f"{layout} needs {layout.cosize} elements and the field has {self.size}")
        return seen(pointer, layout, swizzle)


def _measures(field):
    """(bytes, alignment) of a field."""
    if isinstance(field, Align):
        return _measures(field.dtype)[0], max(field.align, _measures(field.dtype)[1])
    if isinstance(field, struct):
        return field.size_in_bytes(), field.__alignof__()
    if isinstance(field, MemRange):
        return field.size_in_bytes, max(field.dtype.width // 8, 1)
    return -(-field.width // 8), -(-field.width // 8)


class _Given:
    """The fields of a struct in memory; a field of one element is assigned by its name."""

    def __init__(self, fields):
        self.__dict__.update(fields)

    def __setattr__(self, name, value):
        field = self.__dict__.get(name)
        if not isinstance(field, _Range) or field.size != 1:
            raise AttributeError(f"{name} is no field of one element, which alone can be assigned")
        field[0] = value


class struct:
    """Makes a class of annotated fields a description of shared memory: MemRange[type, count], Align[field, bytes], a number type for
    one element, or another struct. Called with a pointer: the fields in the memory there."""

    MemRange, Align = MemRange, Align

    def __init__(self, described):
        self.__name__ = described.__name__
        self.fields, caller = dict(described.__annotations__), sys._getframe(1)
        for name, field in self.fields.items():
            if isinstance(field, str):  # from __future__ import annotations
                field = self.fields[name] = self._evaluated(name, field, caller)
            inner = field.dtype if isinstance(field, Align) else field
            if not isinstance(inner, (MemRange, struct, NumberType)):
                raise TypeError(f"the field {name} of {self.__name__} is {field!r}: a field is MemRange[type, count], Align[field, "
                                "bytes], a number type, or a struct")
        self.places, at = {}, 0
        for name, field in self.fields.items():
            count, align = _measures(field)
            self.places[name] = self._place(at, align)
            at = max(at, self.places[name] + count)
        self._bytes = -(-at // self.__alignof__()) * self.__alignof__()

    def _evaluated(self, name, field, caller):
        """The value of an annotation that is text, by the names of the function that defines the class."""
        try:
            return eval(field, caller.f_globals, caller.f_locals)  # noqa: S307  the program's own text
        except NameError as error:
            raise TypeError(f"the field {name} of {self.__name__} is the text {field!r}, and {error}: use the name in the function that defines "
                            "the class, or remove 'from __future__ import annotations'") from None

    def _place(self, end, align):
        return -(-end // align) * align

    def __alignof__(self):
        """The alignment of the field that needs most."""
        return max([_measures(f)[1] for f in self.fields.values()] or [1])

    def size_in_bytes(self):
        """The bytes of all fields and of what is between them."""
        return self._bytes

    __sizeof__ = size_in_bytes

    def __call__(self, pointer):
        made = {}
        for name, field in self.fields.items():
            inner = field.dtype if isinstance(field, Align) else field
            at = pointer.offset * number_width(pointer) + self.places[name]
            if isinstance(inner, struct):
                value = inner(pointer.part(at, inner.size_in_bytes(), Uint8))
            else:
                dtype, count = (inner.dtype, inner.size) if isinstance(inner, MemRange) else (inner, 1)
                value = _Range(pointer.part(at, count, dtype), count)
            made[name] = value
        return _Given(made)


class union(struct):
    """A struct whose fields all begin at its first byte."""

    def _place(self, end, align):
        return 0


class SmemAllocator:
    """Gives a block's shared memory, piece by piece; the n-th piece of every thread is the same."""

    def allocate(self, what, byte_alignment=1, **_):
        """The fields of a cute.struct, or a pointer to so many bytes."""
        if isinstance(what, struct):
            return what(arch.alloc_smem(Uint8, what.size_in_bytes()))
        return arch.alloc_smem(what, 1) if isinstance(what, NumberType) else arch.alloc_smem(Uint8, what)

    def allocate_array(self, element_type, num_elems=1, **_):
        """A pointer to so many elements."""
        return arch.alloc_smem(element_type, num_elems)

    def allocate_tensor(self, element_type, layout, byte_alignment=1, swizzle=None, **_):
        """A tensor of a layout."""
        layout = layout if isinstance(layout, Layout) else Layout(layout)
        pointer = arch.alloc_smem(element_type, layout.cosize)
        return seen(pointer, layout, swizzle)

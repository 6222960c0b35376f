"""Shared memory by name: cute.struct describes what a block keeps there, SmemAllocator gives it.

    @cute.struct
    class Storage:
        tile: cute.struct.Align[cute.struct.MemRange[cutlass.Float32, 64], 128]

    tile = SmemAllocator().allocate(Storage).tile.get_tensor(cute.make_layout((8, 8)))
"""
from ._cute_arch import arch
from ._cute_numbers import NumberType
from ._cute_tensor import Tensor
from ._layout import Layout, evaluate


class MemRange:
    """So many elements of a type."""

    def __init__(self, dtype, count):
        self.dtype, self.count = dtype, count

    def __class_getitem__(cls, item):
        dtype, count = item
        if not isinstance(count, int) or count < 0:
            raise TypeError(f"MemRange[{dtype}, {count!r}]: the number of elements is an integer of 0 or more")
        return cls(dtype, count)


class Align:
    """A field at an address that is a multiple of some bytes; all memory here is at multiples of 16."""

    def __class_getitem__(cls, item):
        return item[0]


class _Range:
    """A field that is given: memory of a block."""

    def __init__(self, pointer, count):
        self.pointer, self.count = pointer, count

    def data_ptr(self):
        return self.pointer

    @property
    def ptr(self):
        return self.pointer

    def get_tensor(self, layout, swizzle=None, dtype=None):
        """The field seen through a layout.  Raises ValueError for one that is larger."""
        layout = layout if isinstance(layout, Layout) else Layout(layout)
        pointer = self.pointer if dtype is None else self.pointer.recast(dtype)
        if dtype is None and layout.cosize > self.count:
            raise ValueError(f"{layout} needs {layout.cosize} elements and the field has {self.count}")
        return Tensor(pointer, evaluate(f"{swizzle} o 0 o {layout}") if swizzle else layout)


class struct:
    """Makes a class of annotated fields a description of shared memory: MemRange[type, count], Align[field, bytes], or a number
    type for one element."""

    MemRange, Align = MemRange, Align

    def __init__(self, described):
        self.__name__ = described.__name__
        self.fields = dict(described.__annotations__)
        for name, field in self.fields.items():
            if isinstance(field, str):
                raise TypeError(f"the field {name} of {self.__name__} is the text {field!r}: cute.struct needs annotations that are "
                                "values; remove 'from __future__ import annotations'")
            if not isinstance(field, (MemRange, struct, NumberType)):
                raise TypeError(f"the field {name} of {self.__name__} is {field!r}: a field is MemRange[type, count], Align[field, "
                                "bytes], a number type, or a struct")

    def size_in_bytes(self):
        """The bytes of all fields, each at a multiple of 16."""
        total = 0
        for field in self.fields.values():
            if isinstance(field, struct):
                total += field.size_in_bytes()
            else:
                total += -(-(field.dtype.width * field.count if isinstance(field, MemRange) else field.width) // 128) * 16
        return total

    __sizeof__ = size_in_bytes

    def _given(self):
        made = type(self.__name__, (), {})()
        for name, field in self.fields.items():
            if isinstance(field, struct):
                value = field._given()
            elif isinstance(field, MemRange):
                value = _Range(arch.alloc_smem(field.dtype, field.count), field.count)
            else:
                value = _Range(arch.alloc_smem(field, 1), 1)
            setattr(made, name, value)
        return made


class SmemAllocator:
    """Gives a block's shared memory, piece by piece; the n-th piece of every thread is the same."""

    def allocate(self, what, byte_alignment=1, **_):
        """The fields of a cute.struct, or a pointer to so many bytes."""
        from ._cute_numbers import Uint8
        if isinstance(what, struct):
            return what._given()
        return arch.alloc_smem(what, 1) if isinstance(what, NumberType) else arch.alloc_smem(Uint8, what)

    def allocate_array(self, element_type, num_elems=1, **_):
        """A pointer to so many elements."""
        return arch.alloc_smem(element_type, num_elems)

    def allocate_tensor(self, element_type, layout, byte_alignment=1, swizzle=None, **_):
        """A tensor of a layout."""
        layout = layout if isinstance(layout, Layout) else Layout(layout)
        return Tensor(arch.alloc_smem(element_type, layout.cosize), evaluate(f"{swizzle} o 0 o {layout}") if swizzle else layout)

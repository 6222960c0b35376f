"""Where tensors of kernels begin: places in memory, coordinates, and the function by which a swizzled layout exchanges offsets."""
import functools
import re

import numpy as np

from ._cute_array import PointerVectors
from ._cute_memory import aligned_zeros, Memory, zeros
from ._cute_numbers import number_type
from ._cute_values import active, Value
from ._layout import evaluate, Layout


def type_name(dtype):
    if isinstance(dtype, str) or hasattr(dtype, "kind_name"):
        return getattr(dtype, "kind_name", dtype)
    return "coordinates" if dtype is tuple else np.dtype(dtype)


class Swizzling:
    """The function of a swizzled layout behind its plain one: x -> Sw(constant + x), of integers and of a kernel's values."""

    def __init__(self, found):
        self.prefix = found[1] if found[5] else f"{found[1]} o 0"
        bits, base, shift = (int(found[i]) for i in (2, 3, 4))
        self.mask, self.shift, self.constant = ((1 << bits) - 1) << (base + max(shift, 0)), shift, int(found[5] or 0)
        self.base, self.plain = base, Layout(found[6])

    def __call__(self, x):
        x = x + self.constant
        high = x & self.mask
        return x ^ (high >> self.shift if self.shift >= 0 else high << -self.shift)

    def of(self, plain):
        """Another plain layout behind the same function."""
        return evaluate(f"{self.prefix} o {plain}")


@functools.lru_cache(maxsize=4096)
def _swizzling_of(text):
    found = re.match(r"(Sw<(\d+),(\d+),(-?\d+)>(?: o (-?\d+))?) o (.*:.*)$", text)
    return Swizzling(found) if found else None


def swizzling_of(layout):
    """The Swizzling of a layout; None for a plain one."""
    text = str(layout)
    return _swizzling_of(text) if text.startswith("Sw<") else None


class Pointer(PointerVectors):
    """A place in a Memory; adding moves it by elements. `origin`: where a swizzled layout begins, if it has one; `swizzle`: of bytes, that
    tensors made of the pointer have, or ''."""

    def __init__(self, memory, offset=0, origin=None, swizzle=""):
        self.memory, self.offset, self.origin, self.swizzle = memory, offset, origin, swizzle

    @classmethod
    def allocate(cls, count, dtype, space):
        """New memory of this thread or its block, all 0."""
        if active():
            return cls(active().allocate(count, dtype, space))
        return cls(Memory(aligned_zeros(count, dtype) if space == "smem" else zeros(count, dtype), space,
                          kind=getattr(number_type(dtype), "kind_name", None)))

    def __tilewright_key__(self, key):
        """What a trace depends on (_cute_kept.py)."""
        return "pointer", key.of(self.memory), key.of(self.offset), key.of(self.origin), self.swizzle

    def __add__(self, elements):
        elements = int(elements) if isinstance(elements, np.integer) else elements  # an offset has 64 bits
        return Pointer(self.memory, self.offset + elements, self.origin, self.swizzle)

    def recast(self, dtype, **_):
        """The same place as elements of another type.  Raises ValueError where it is not at a multiple of them."""
        was, now = number_type(self.dtype).width, number_type(dtype).width
        if not isinstance(self.offset, Value) and self.offset * was % now:
            raise ValueError(f"element {self.offset} of {was} bits is not at a multiple of {now} bits")
        origin = None if self.origin is None else self.origin * was // now
        return Pointer(self.memory.recast(number_type(dtype)), self.offset * was // now, origin)

    def part(self, first, count, dtype):
        """So many elements of a type from a byte of the memory on."""
        return Pointer(self.memory.part(first, count, number_type(dtype)))

    @property
    def max_alignment(self):
        """Bytes of which the address is a multiple, as far as it is known: an element's."""
        return max(number_type(self.dtype).width // 8, 1)

    alignment = max_alignment

    def align(self, min_align, **_):
        """The pointer itself: all memory here begins at a multiple of 16 bytes."""
        return self

    @property
    def dtype(self):
        """The element type."""
        return self.memory.dtype

    value_type = dtype

    def toint(self, *_, **__):
        """The address: of shared memory on a GPU 32 bits in its own space, else 64 bits. A host function has none of a GPU's memory."""
        return self.memory.address_of(self.offset)

    def ir_value(self, **_):
        """The pointer itself; in NVIDIA's DSL a value of its compiler."""
        return self

    @property
    def llvm_ptr(self):
        """The pointer itself, which the DSL's atomic operations take in this form too."""
        return self

    def __str__(self):
        return f"ptr<{type_name(self.dtype)}, {self.memspace}>"

    @property
    def memspace(self):
        """Which memory it is: gmem, smem or rmem."""
        return self.memory.space


class Coordinates:
    """The iterator of a tensor whose elements are coordinates: the coordinate that its layout starts at."""

    memory, memspace, dtype = None, "coordinates", tuple

    def __init__(self, at):
        self.at = at

    def __add__(self, step):
        return Coordinates(sum_of_coordinates(self.at, step))


def sum_of_coordinates(a, b):
    """The sum of two coordinates; b may lack modes at its end, which are 0."""
    if isinstance(a, tuple):
        b = b if isinstance(b, tuple) else (b,)
        return tuple(sum_of_coordinates(x, y) for x, y in zip(a, b + (0,) * (len(a) - len(b))))
    if isinstance(b, tuple):
        b = b[0] if b else 0
    b = active().from_text(b) if isinstance(b, str) else b
    return a if type(b) is int and b == 0 else b if type(a) is int and a == 0 else a + b

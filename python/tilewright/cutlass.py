"""The names of NVIDIA's `cutlass` module that kernels in its Python notation use, for tilewright.cute."""
import builtins

import numpy as np

from . import cute  # noqa: F401  `cutlass.cute`


class Constexpr:
    """Marks an argument whose value is known when the kernel is built; any Python value here."""

    def __class_getitem__(cls, item):
        return cls


def range(*bounds, unroll=None, **_):  # noqa: A001  the notation's own name
    """`range`; what it says of unrolling changes nothing on a CPU."""
    return builtins.range(*bounds)


range_constexpr = range
const_expr = bool

Float64, Float32, Float16 = np.float64, np.float32, np.float16
Int64, Int32, Int16, Int8 = np.int64, np.int32, np.int16, np.int8
Uint64, Uint32, Uint16, Uint8 = np.uint64, np.uint32, np.uint16, np.uint8
Boolean = np.bool_

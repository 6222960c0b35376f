"""The names of NVIDIA's `cutlass` module that kernels in its Python notation use, for tilewright.cute."""
import builtins

import numpy as np

from . import cute  # noqa: F401  `cutlass.cute`
from ._cute_trace import UNROLLED, DynamicRange, active
from ._cute_values import Value


class Constexpr:
    """Marks an argument whose value is known when the kernel is built; any Python value here."""

    def __class_getitem__(cls, item):
        return cls


def range(*bounds, unroll=None, **_):  # noqa: A001  the notation's own name
    """`range`; on a GPU a loop of the kernel where its bounds are known there only, or where it has many rounds."""
    if active() and (any(isinstance(b, Value) for b in bounds) or len(builtins.range(*bounds)) > UNROLLED):
        return DynamicRange(bounds)
    return builtins.range(*bounds)


range_constexpr = builtins.range
const_expr = bool

Float64, Float32, Float16 = np.float64, np.float32, np.float16
Int64, Int32, Int16, Int8 = np.int64, np.int32, np.int16, np.int8
Uint64, Uint32, Uint16, Uint8 = np.uint64, np.uint32, np.uint16, np.uint8
Boolean = np.bool_

"""Copies between arrays: NumPy, PyTorch on CPU and CUDA, CuPy, and whatever shows its memory."""
from __future__ import annotations

import operator
from typing import Any, Sequence

from . import _core
from ._picture import Picture


def stream_of(*arrays: Any) -> int:
    """The current stream of the library that the first CUDA array belongs to, as a number; 0 where none is on a GPU."""
    for array in arrays:
        module = type(array).__module__.partition(".")[0]
        if module == "torch" and array.is_cuda:
            return _core.torch_stream(array.device.index)
        if module == "cupy":
            return stream_of_cupy()
    return 0


def stream_of_cupy() -> int:
    import cupy
    return cupy.cuda.get_current_stream().ptr or 1  # 1: the legacy default stream


def shown(array: Any) -> Any:
    """What a copy can look at: of a class derived from PyTorch's tensor, the tensor without its history."""
    if type(array).__module__.partition(".")[0] == "torch" or not hasattr(array, "requires_grad"):
        return array
    return array.detach() if array.requires_grad else array


def copy_(dst: Any, src: Any, *, threads: int = 0, overlap: str = "temporary", tune: bool = False) -> Any:
    """Every element of `dst` becomes that of `src` at the same coordinate; `src` is broadcast as NumPy does. Returns `dst`.

    threads: of the CPU; 0 uses all. overlap: 'temporary' copies as if the whole source were read first where the two
    share memory, 'refuse' raises. tune: measure the best few plans first and remember the fastest (GPU).

    Raises TypeError for different element types, ValueError for different shapes or memory that cannot be written,
    CopyError for what the planner refuses. Elements are moved as bits, so every dtype of one size works.

    >>> import numpy as np
    >>> copy_(np.zeros((3, 2)), np.arange(6.0).reshape(2, 3).T)
    array([[0., 3.],
           [1., 4.],
           [2., 5.]])
    """
    stream = 0 if type(dst).__module__ == "numpy" else stream_of(dst, src)
    if not isinstance(overlap, str):
        raise TypeError(f"overlap is {overlap!r}; it is 'temporary' or 'refuse'")
    _core.copy_(shown(dst), shown(src), threads=threads_of(threads), overlap=overlap, tune=tune, stream=stream)
    return dst


copy_ = _core.with_fast_path(copy_)


def threads_of(threads: Any) -> int:
    """A number of threads.  Raises TypeError for what is no integer, ValueError for less than 0 or more than a system has."""
    if isinstance(threads, bool) or not hasattr(threads, "__index__"):
        raise TypeError(f"threads is {threads!r}; it is an integer, 0 for all")
    count = threads.__index__()
    if not 0 <= count <= 1 << 20:
        raise ValueError(f"threads is {count}; it is 0 for all, or a number of threads")
    return count


def library_of(array):
    """What makes an array of the same library: (module, device)."""
    module = type(array).__module__.partition(".")[0]
    if module == "torch":
        import torch
        return torch, array.device
    if module == "cupy":
        import cupy
        return cupy, None
    import numpy
    return numpy, None


def empty_like(array: Any, shape: Sequence[int]) -> Any:
    """A contiguous array of another shape, of the same library, element type and device."""
    library, device = library_of(array)
    if library.__name__ == "torch":
        return library.empty(tuple(shape), dtype=array.dtype, device=device)
    dtype = array.dtype if hasattr(array, "dtype") else library.asarray(array).dtype
    if library.__name__ == "numpy":
        return _empty_at_a_line(library, tuple(shape), dtype)
    return library.empty(tuple(shape), dtype=dtype)


#: NumPy's arrays of more bytes than this begin anywhere in a cache line, and ours at its start: copies write whole lines faster.
_LARGE = 1 << 20
_LINE = 64


def _empty_at_a_line(numpy, shape, dtype):
    """numpy.empty; a large array is a view that begins with a cache line."""
    count = 1
    for extent in shape:
        count *= extent
    if count * dtype.itemsize < _LARGE or dtype.hasobject:
        return numpy.empty(shape, dtype)
    memory = numpy.empty(count * dtype.itemsize + _LINE, numpy.uint8)
    first = -memory.ctypes.data % _LINE
    return memory[first:first + count * dtype.itemsize].view(dtype).reshape(shape)


def order_axes(order: str | Sequence[int], rank: int) -> tuple[int, ...]:
    """The axes from the slowest to the fastest, of 'C', 'F' or a tuple.  Raises ValueError."""
    if isinstance(order, str):
        if order not in ("C", "F"):
            raise ValueError(f"the order is {order!r}; it is 'C', 'F' or the axes from the slowest to the fastest")
        return tuple(range(rank)) if order == "C" else tuple(reversed(range(rank)))
    try:
        axes = tuple(a + rank if a < 0 else a for a in map(operator.index, order))
    except TypeError:
        raise TypeError(f"{order!r} is not a sequence of axes, which are integers") from None
    if sorted(axes) != list(range(rank)):
        raise ValueError(f"{tuple(order)} is not a permutation of the axes 0 to {rank - 1}")
    return axes


def _transposed(array, axes):
    return array.permute(axes) if library_of(array)[0].__name__ == "torch" else array.transpose(axes)


def _as_array(x):
    """What has axes: arrays as they are; scalars, lists, and what shows memory by DLPack alone through NumPy."""
    import numpy
    if type(x) is numpy.ndarray:
        return x
    if any(isinstance(one, numpy.ma.MaskedArray) for one in (x if isinstance(x, (list, tuple)) else [x])):
        raise TypeError("a masked array has a mask beside its elements, which a copy would lose; give x.data or x.filled()")
    if hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, numpy.generic):
        return x
    if hasattr(x, "__dlpack__") and not hasattr(x, "__array_interface__"):
        return numpy.from_dlpack(x)
    if isinstance(x, str):
        raise TypeError(f"the array is the text {x!r}; it is an array, a number, or a list of them")
    if isinstance(x, bytes):  # NumPy would make one element of it
        return numpy.frombuffer(x, numpy.uint8)
    if isinstance(x, (list, tuple)):
        shapes = {tuple(getattr(one, "shape", ())) for one in x}
        if len(shapes) > 1:
            raise ValueError(f"the arrays of a list become one array, and their shapes {', '.join(map(str, sorted(shapes)))} differ")
        try:
            return numpy.asarray(x)
        except ValueError:
            raise ValueError("the elements of a list become one array, and its parts have different lengths") from None
    array = numpy.asarray(x)
    if array.dtype.hasobject and not hasattr(x, "__array__"):
        raise TypeError(f"the array is {x!r}; it is an array, a number, or a list of them")
    return array


def shape_of(array: Any) -> tuple[int, ...]:
    """The shape of what shows its memory.  Raises TypeError for what does not."""
    return tuple(_core.strides_of(shown(array))[0])


def contiguous(x: Any, order: str | Sequence[int] = "C", out: Any = None) -> Any:
    """The elements of `x` packed: the same shape, its last axis fastest ('C'), its first ('F'), or axes from the slowest
    to the fastest.

    >>> import numpy as np
    >>> contiguous(np.zeros((2, 3, 4), np.int8), order=(0, 2, 1)).strides
    (12, 1, 3)
    """
    x = _as_array(x)
    axes = order_axes(order, x.ndim)
    if out is None:
        back = [0] * x.ndim
        for place, axis in enumerate(axes):
            back[axis] = place
        out = _transposed(empty_like(x, [x.shape[a] for a in axes]), tuple(back))
    return copy_(out, x)


def permute(x: Any, axes: Sequence[int], out: Any = None) -> Any:
    """`x` with its axes in another order, packed.

    >>> import numpy as np
    >>> permute(np.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    x = _as_array(x)
    if isinstance(axes, str):
        raise TypeError(f"{axes!r} is not a sequence of axes, which are integers")
    view = _transposed(x, order_axes(axes, x.ndim))
    return copy_(empty_like(x, view.shape) if out is None else out, view)


class Plan:
    """What a copy would do and why: prepared once, run as often as wanted while the arrays keep their memory."""

    def __init__(self, dst: Any, src: Any, *, threads: int = 0):
        self._cupy = any(type(a).__module__.partition(".")[0] == "cupy" for a in (dst, src))
        self._plan = _core.plan(shown(dst), shown(src), threads=threads_of(threads), stream=stream_of(dst, src))
        if not self._cupy:
            self.run = self._plan.run  # one call less

    def run(self, *arrays: Any) -> None:
        """Copies; on a GPU in the current stream of PyTorch or CuPy. With other arrays, run(dst, src): the same copy of those.

        >>> import numpy as np
        >>> p, other = plan(np.zeros((2, 3)), np.ones((3, 2)).T), np.zeros((2, 3))
        >>> p.run(other, np.full((3, 2), 7.0).T)
        >>> float(other[1, 2])
        7.0

        Raises ValueError for arrays of other layouts.
        """
        self._plan.run(*map(shown, arrays), stream=stream_of_cupy() if self._cupy else 0)

    @property
    def proved(self) -> bool:
        """Is every element of the destination written once, from the right place, and nothing else?"""
        return self._plan.proof() == ""

    def explain(self) -> str:
        """What the plan does, and why, as text."""
        return self._plan.explain()

    @property
    def reasons(self) -> list[str]:
        """Why this plan and not another, one sentence each."""
        return list(self._plan.reasons)

    @property
    def seconds(self) -> float:
        """The expected time, by the model."""
        return self._plan.seconds

    @property
    def bytes(self) -> int:
        """Read and written."""
        return self._plan.bytes

    def json(self) -> dict[str, Any]:
        """The plan as a dictionary."""
        import json
        return json.loads(self._plan.json())

    def plot(self) -> Picture:
        """A Picture of the plan."""
        return Picture(self._plan.draw)

    def _draw_plan(self, form):
        return self._plan.draw(form)

    def _repr_svg_(self):
        return self.plot()._repr_svg_()

    def _repr_html_(self):
        return self.plot()._repr_html_()

    def __repr__(self):
        return self.explain()


def is_settled(dst: Any, src: Any, *, threads: int = 0) -> bool:
    """Is the plan by which copy_(dst, src) moves these arrays final? The first few copies of 8 MB and more try others: a
    program that times copies makes them until this says so.

    >>> import numpy as np
    >>> is_settled(np.zeros((64, 32)), np.ones((32, 64)).T)
    True
    """
    return _core.is_settled(shown(dst), shown(src), threads=threads_of(threads), stream=stream_of(dst, src))


def plan(dst: Any, src: Any, *, threads: int = 0) -> Plan:
    """The plan that copy_(dst, src) would run.

    >>> import numpy as np
    >>> p = plan(np.zeros((64, 32)), np.ones((32, 64)).T)
    >>> p.proved, p.bytes
    (True, 32768)
    """
    return Plan(dst, src, threads=threads)

"""Tensors that are spread over ranks: layouts of them, plans, and redistribution over mpi4py and torch.distributed.

>>> from tilewright import distributed as twd
>>> rows = twd.distribute((10, 8), 4, "S0")
>>> rows.local_shape(0), rows.local_shape(3), rows.places(7, 2)
((3, 8), (1, 8), [(2, 10)])
>>> columns = twd.distribute((10, 8), 4, "S1")
>>> twd.plan(rows, columns).sent_bytes(item=4)
240

Each rank calls `redistribute(mine, rows, columns, comm)` with its own part and gets its part of the other layout.
"""
from __future__ import annotations

import json
from typing import Any, Sequence

from . import _core
from ._picture import Picture

__all__ = ["DistributedLayout", "ExchangePlan", "Redistribution", "distribute", "from_placements", "from_scalapack", "plan",
           "redistribute", "redistribute_dtensor", "relabelled", "whole_on"]


class DistributedLayout:
    """A map from coordinates to (rank, offset), as text: a layout with the strides `1@0` (ranks) and `1@1` (offsets), or
    `distribute(SHAPE,MESH,PLACEMENT,…)`.

    >>> DistributedLayout("((3,4),8):((1@1,1@0),3@1) within (10,8)").places(7, 2)
    [(2, 7)]
    >>> DistributedLayout("distribute((8,8),2,S0)") == distribute((8, 8), 2, "S0")
    True

    Raises LayoutError with one sentence for a layout in which an element has no owner or shares its place.
    """

    __slots__ = ("_core",)

    def __init__(self, text: str):
        object.__setattr__(self, "_core", _core.DistributedLayout(str(text)))

    @classmethod
    def _of(cls, made):
        out = object.__new__(cls)
        object.__setattr__(out, "_core", made)
        return out

    def __setattr__(self, name, value):
        raise AttributeError("a DistributedLayout does not change")

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the whole tensor."""
        return self._core.shape

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return self._core.ranks

    def local_shape(self, rank: int) -> tuple[int, ...]:
        """How many coordinates of each axis the rank has."""
        return self._core.local_shape(rank)

    def local_span(self, rank: int) -> int:
        """How many elements the rank's memory must have."""
        return self._core.local_span(rank)

    def places(self, *coordinate: int) -> list[tuple[int, int]]:
        """(rank, offset) of the element, one for each replica.  Raises LayoutError outside of the shape."""
        return self._core.places(coordinate)

    def packed(self, order: str = "C") -> DistributedLayout:
        """The same owners, each rank's part contiguous: its last axis fastest ('C') or its first ('F')."""
        return self._of(self._core.packed(_column_major(order)))

    def empty(self, rank: int, dtype: Any = float) -> Any:
        """A NumPy array for the rank's part: of its local shape where each axis has one stride, else one axis of memory.

        >>> distribute((10, 8), 4, "S0", order="F").empty(0).strides
        (8, 24)
        """
        import numpy
        memory = numpy.empty(self.local_span(rank), dtype)
        return self.view(memory, rank)

    def view(self, memory: Any, rank: int) -> Any:
        """The rank's memory, an array of one axis, as an array of its local shape; unchanged where no strides describe it."""
        import numpy
        strides = self._core.local_strides(rank)
        if strides is None or memory.size == 0:
            return memory if memory.size or strides is None else memory.reshape(self.local_shape(rank))
        return numpy.ndarray(self.local_shape(rank), memory.dtype, memory, self._core.offset * memory.itemsize,
                             [s * memory.itemsize for s in strides])

    def part(self, whole: Any, rank: int) -> Any:
        """The rank's part of a whole array, as a new array.

        >>> import numpy as np
        >>> distribute((4, 3), 2, "S0").part(np.arange(12).reshape(4, 3), 1)
        array([[ 6,  7,  8],
               [ 9, 10, 11]])

        Raises ValueError where the array has another shape.
        """
        import numpy
        whole = numpy.ascontiguousarray(whole)
        if whole.shape != self.shape:
            raise ValueError(f"the array has the shape {whole.shape}, and the layout {self.shape}; they must be equal")
        memory = numpy.empty(self.local_span(rank), whole.dtype)
        if memory.size:
            everywhere = _core.distribute(self.shape, [self.ranks], ["R"], False)
            _exchange(everywhere, self._core, rank, whole.itemsize).copy_own(whole, memory)
        return self.view(memory, rank)

    def whole(self, parts: Sequence[Any]) -> Any:
        """The whole array of the parts of all ranks.

        >>> rows = distribute((5, 2), 2, "S0")
        >>> import numpy as np
        >>> rows.whole([np.zeros((3, 2), int), np.ones((2, 2), int)]).sum()
        4
        """
        import numpy
        if len(parts) != self.ranks:
            raise ValueError(f"{len(parts)} parts for {self.ranks} ranks; give one for each, None where a rank has nothing")
        first = next((p for p in parts if p is not None), None)
        if first is None:
            raise ValueError("all parts are None; give the part of at least one rank")
        out = numpy.empty(self.shape, first.dtype)
        everywhere = _core.distribute(self.shape, [self.ranks], ["R"], False)
        for rank, mine in enumerate(parts):
            if out.size and self.local_span(rank):
                _exchange(self._core, everywhere, rank, out.itemsize).copy_own(mine, out)
        return out

    def __eq__(self, other):
        return self._core == other._core if isinstance(other, DistributedLayout) else NotImplemented

    def __hash__(self):
        return hash(str(self))

    def __str__(self):
        return str(self._core)

    def __repr__(self):
        return f"DistributedLayout({str(self)!r})"

    def __reduce__(self):
        return DistributedLayout, (str(self),)


def _column_major(order):
    if order not in ("C", "F"):
        raise ValueError(f"order is {order!r}; it is 'C' (last axis fastest) or 'F' (first axis fastest)")
    return order == "F"


def _layout(x):
    return x if isinstance(x, DistributedLayout) else DistributedLayout(x)


def _axes(x):
    return [int(n) for n in x] if hasattr(x, "__iter__") else [int(x)]


def distribute(shape: Sequence[int], mesh: int | Sequence[int], *placements: str, order: str = "C") -> DistributedLayout:
    """One placement for each axis of the mesh of ranks: 'S0' (blocks of axis 0), 'R' (replicas), 'C0' (cyclic), 'B0/16'
    (block-cyclic, blocks of 16).

    >>> distribute((10, 8), (2, 2), "S0", "R").places(9, 0)
    [(2, 32), (3, 32)]
    """
    return DistributedLayout._of(_core.distribute(_axes(shape), _axes(mesh), list(placements), _column_major(order)))


def _placement_word(p):
    """'S0' of Shard(0), 'R' of Replicate(); text stays."""
    if isinstance(p, str):
        return p
    kind = type(p).__name__
    if kind == "Replicate":
        return "R"
    if kind == "Shard":
        return f"S{p.dim}"
    raise _core.LayoutError(f"{p!r} has no layout: each element of a tensor is on the ranks that own it, whole; redistribute to "
                            "Shard or Replicate first" if kind == "Partial" or kind == "_Partial" else
                            f"{p!r} is not a placement with a layout; there are Shard(axis) and Replicate()")


def from_placements(shape: Sequence[int], mesh: Any, placements: Sequence[Any]) -> DistributedLayout:
    """A tensor as PyTorch's DTensor places it: a DeviceMesh (or an array of its ranks, or its shape) and Shard(axis) or
    Replicate() for each of its axes.

    >>> class Shard:
    ...     def __init__(self, dim): self.dim = dim
    >>> from_placements((10, 8), [[0, 1], [2, 3]], [Shard(0), "R"]).places(9, 0)
    [(2, 32), (3, 32)]

    Raises LayoutError where no layout describes the placements: Partial, and ragged blocks that DTensor cuts another way
    than the whole ones.
    """
    import numpy
    numbers = getattr(mesh, "mesh", mesh)
    if hasattr(numbers, "numpy"):
        numbers = numbers.numpy()
    numbers = numpy.asarray(numbers)
    words = [_placement_word(p) for p in placements]
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"the mesh is {mesh!r}; it is a DeviceMesh, an array of ranks, or its shape")
    if numbers.ndim == 0 or (isinstance(mesh, tuple) and numbers.ndim == 1):  # the shape of a mesh of the ranks 0, 1, …
        return DistributedLayout._of(_core.from_dtensor(list(shape), [int(n) for n in numbers.reshape(-1)], words, []))
    return DistributedLayout._of(_core.from_dtensor(list(shape), list(numbers.shape), words,
                                                    [int(r) for r in numbers.reshape(-1)]))


def from_scalapack(descriptor: Sequence[int], rows: int, columns: int, column_major_grid: bool = False) -> DistributedLayout:
    """The matrix of an array descriptor (DESC_, 9 integers) on a grid of rows x columns processes.

    >>> from_scalapack([1, 0, 100, 80, 16, 16, 0, 0, 52], 2, 2).local_shape(0)
    (52, 48)
    """
    return DistributedLayout._of(_core.from_scalapack([int(x) for x in descriptor], rows, columns, column_major_grid))


def whole_on(shape: Sequence[int], ranks: int, root: int = 0) -> DistributedLayout:
    """The whole tensor on one rank, nothing on the others: what to redistribute from to scatter, and to to gather.

    >>> whole_on((4, 4), 3, root=1).local_span(0)
    0
    """
    return DistributedLayout._of(_core.whole_on(_axes(shape), ranks, root))


def relabelled(source: DistributedLayout | str, target: DistributedLayout | str) -> DistributedLayout:
    """`target` with its parts given to other ranks, so that as few elements as possible are sent.

    >>> rows = distribute((8, 8), 4, "S0")
    >>> reverse = DistributedLayout(f"{rows} on (3,2,1,0)")
    >>> plan(rows, reverse).sent_bytes(), plan(rows, relabelled(rows, reverse)).sent_bytes()
    (256, 0)
    """
    return DistributedLayout._of(_core.relabelled(_layout(source)._core, _layout(target)._core))


class ExchangePlan:
    """Who sends what to whom, computed without any communication.

    >>> p = plan("distribute((8,8),2,S0)", "distribute((8,8),2,S1)")
    >>> p.traffic, p.proved
    ([(0, 0, 16), (1, 0, 16), (0, 1, 16), (1, 1, 16)], True)
    """

    def __init__(self, source: DistributedLayout, target: DistributedLayout):
        self.source, self.target = source, target

    @property
    def traffic(self) -> list[tuple[int, int, int]]:
        """(from, to, elements) of each pair of ranks with elements in common; a rank's own copies among them."""
        return _core.traffic(self.source._core, self.target._core)

    def sent_bytes(self, item: int = 4) -> int:
        """Bytes between ranks, of elements of `item` bytes; no plan sends less."""
        return item * sum(n for a, b, n in self.traffic if a != b)

    @property
    def proved(self) -> bool:
        """Whether each rank gets each element that it lacks once, from a rank that has it."""
        return not _core.exchange_proof(self.source._core, self.target._core)

    def explain(self, item: int = 4, topology: str = "host", rank: int = -1) -> str:
        """Bytes and messages of each pair, the lower bound, the expected time; of one rank where `rank` is given."""
        return _core.explain_exchange(self.source._core, self.target._core, item, topology, rank)

    def json(self, item: int = 4, topology: str = "host") -> dict:
        """The plan as a dictionary."""
        return json.loads(_core.exchange_json(self.source._core, self.target._core, item, topology))

    def svg(self, item: int = 4) -> str:
        """A square for each pair of ranks, darker where more bytes travel."""
        return _core.exchange_svg(self.source._core, self.target._core, item)

    def _repr_svg_(self):
        return self.svg()

    def __repr__(self):
        return f"plan({str(self.source)!r}, {str(self.target)!r})"


def plan(source: DistributedLayout | str, target: DistributedLayout | str) -> ExchangePlan:
    """The plan from one distributed layout to another."""
    return ExchangePlan(_layout(source), _layout(target))


def _exchange(source, target, rank, item, message=1 << 20, threads=1):
    return _core.Exchange(source, target, rank, item, message, threads)


class Redistribution:
    """A redistribution that is prepared once and run any number of times. Collective: every rank of `comm` makes it, with
    equal arguments, and every rank runs it.

    comm: a communicator of mpi4py, or a process group of torch.distributed (None of it: dist.group.WORLD).
    staging_bytes: what a rank allocates for packing, at most. threads: of each rank's copies. shared_memory (MPI): ranks of
    one machine exchange packed elements through it.

    device: 'cuda', 'cuda:1' or a number: the tensors are on GPUs, one of each rank; without it they are where the group is of
    NCCL. run() is then ordered in the current stream. transport: 'peers' (each GPU stores into the others), 'nccl' (packed
    messages), or 'automatic': peers where all of them can be mapped. timeout: seconds that a rank waits for the call of another.
    A destination must not be freed before the next run or the end of the Redistribution: other ranks keep it mapped.

    What one rank finds wrong is raised on all of them: CopyError, with the rank in the sentence.
    """

    def __init__(self, source: DistributedLayout | str, target: DistributedLayout | str, dtype: Any, comm: Any, *,
                 staging_bytes: int = 64 << 20, threads: int = 1, shared_memory: bool = True, device: Any = None,
                 transport: str = "automatic", timeout: float = 60.0):
        from . import _ranks
        self._job = _ranks.prepare(source, target, dtype, comm, staging_bytes, threads, shared_memory, device, transport,
                                   timeout)

    @property
    def source(self) -> DistributedLayout:
        """The layout before the redistribution."""
        return self._job.source

    @property
    def target(self) -> DistributedLayout:
        """The layout after it."""
        return self._job.target

    @property
    def sent_bytes(self) -> int:
        """What this rank sent to others since the start."""
        return self._job.sent_bytes

    def run(self, x: Any, out: Any = None) -> Any:
        """Collective. `x` is this rank's part of the source, contiguous memory of at least `source.local_span(rank)`
        elements (None where that is 0). Returns `out`, or a new array for this rank's part of the target."""
        return self._job.run(x, out)


def redistribute(x: Any, source: DistributedLayout | str, target: DistributedLayout | str, comm: Any, out: Any = None,
                 *, dtype: Any = None, **options: Any) -> Any:
    """One run of a Redistribution: this rank's part of a tensor in one layout becomes its part in another.

    `dtype` is needed on ranks whose `x` is None, and `device` where the others' are on GPUs. Options as in Redistribution.
    """
    from . import _gpu_ranks, _ranks
    options = _ranks.with_defaults(options)
    on = _gpu_ranks.device_of_array(x)
    if on is not None and options["device"] is None:
        options["device"] = on
    job = _ranks.prepare(source, target, getattr(x, "dtype", dtype), comm, **options)
    out = job.run(x, out)
    if options["device"] is not None and hasattr(job, "finish"):
        job.finish()
    return out


def redistribute_dtensor(x: Any, placements: Sequence[Any], mesh: Any = None, **options: Any) -> Any:
    """A DTensor of PyTorch with other placements, and on another mesh of the same ranks where `mesh` is given, in one exchange.

    Raises LayoutError where no layout describes the placements, such as Partial. Options as in Redistribution.
    """
    from torch.distributed.tensor import DTensor
    mesh = x.device_mesh if mesh is None else mesh
    source = from_placements(tuple(x.shape), x.device_mesh, x.placements)
    target = from_placements(tuple(x.shape), mesh, placements)
    mine = x.to_local().contiguous()
    if mine.is_cuda:
        options.setdefault("device", mine.device.index)
    out = redistribute(mine, source, target, None, **options)
    return DTensor.from_local(out, mesh, list(placements), run_check=False, shape=x.shape, stride=x.stride())

"""Tiled matrix operations as values: which thread has which element of A (M,K), B (N,K) and C (M,N)."""
from __future__ import annotations

import functools
import json
from typing import Any

from . import _core
from ._layout import Layout, LayoutError, Operand, evaluate, integer_of, leaves_of, text_of
from ._picture import Picture
from ._reports import plot

#: The operand's modes among M, N and K.
_MODES = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}


@functools.lru_cache(maxsize=None)
def maps_of(name: str) -> dict[str, Any]:
    """Of a matrix operation: shape, types, threads, and the maps (thread, value) -> index of A, B and C.

    Raises LayoutError for a name that no operation has; `tilewright mma` lists them.
    """
    if name == "UniversalFMA":
        return {"name": name, "shape": [1, 1, 1], "types": {}, "threads": "1:0", **dict.fromkeys("ABC", "(1,1):(0,0)")}
    if name.startswith("SM100_"):
        from ._cute_umma import umma_maps
        found = umma_maps(name)
        if found is not None:
            return found
    return json.loads(_core.verb("mma", ["--json", name])[1])


class TiledMMA:
    """A matrix operation by its name, the layout of such operations that threads run side by side, and the tile.

    >>> mma = TiledMMA("SM80_16x8x16_F32F16F16F32_TN", (2, 2), (32, 32, 16))
    >>> mma.threads, mma.tile
    (128, (32, 32, 16))
    >>> mma.thr_layout
    Layout('(32,2,2,1):(1,32,64,0)')
    >>> mma.partition("A", "(64,64):(64,1)", thread=5)
    (Layout('((2,2,2),2,4):((1,512,8),2048,16)'), 66)

    atom: a name that `tilewright mma` lists, or 'UniversalFMA', one multiplication by one thread. atoms: (m, n, k) -> number of
    the operation, as a layout or a shape. permutation: for each of M, N and K the extent of the tile, a layout that says where each
    coordinate of the operations is in the tile, or None for the operations' own order.

    Raises LayoutError with one sentence for what cannot be tiled.
    """

    def __init__(self, atom: str, atoms: Operand = 1, permutation: Any = ()):
        self.atom, self.permutation = atom, (*permutation, None, None, None)[:3]
        maps = maps_of(atom)
        made = atoms if isinstance(atoms, Layout) else Layout(atoms)
        if made.rank > 3 or len(tuple(permutation)) > 3:
            raise LayoutError(f"a tiled matrix operation has the modes M, N and K; the layout of operations is {made} and the "
                              f"permutation {text_of(tuple(permutation))}")
        while made.rank < 3:
            made = evaluate(f"append({made}, 1:0)")
        self.atoms, self.shape = made, tuple(maps["shape"])
        #: (thread of the operation, m, n, k) -> thread index
        self.thr_layout = evaluate(f"tiled_product({maps['threads']}, {made})")
        counts = tuple(mode.size for mode in self.thr_layout)
        self.threads = counts[0] * counts[1] * counts[2] * counts[3]
        #: The extents M, N and K of one tile.
        self.tile = tuple(e * n if p is None else evaluate(f"size({text_of(p)})")
                          for e, n, p in zip(self.shape, counts[1:], self.permutation))

    def _declared(self, operand):
        """(permutation, extents of the operation, its map, numbers of operations, modes) of an operand, as texts."""
        if operand not in _MODES:
            raise ValueError(f"the operand is {operand!r}; it is 'A', 'B' or 'C'")
        i, j = _MODES[operand]
        counts = (self.thr_layout[i + 1].size, self.thr_layout[j + 1].size)
        permutation = text_of((self.permutation[i], self.permutation[j]))
        return permutation, text_of((self.shape[i], self.shape[j])), maps_of(self.atom)[operand], text_of(counts), (i + 1, j + 1)

    def tv(self, operand: str) -> Layout:
        """(thread, value) -> index in the operand's tile, first mode fastest.

        >>> TiledMMA("SM80_16x8x16_F32F16F16F32_TN").tv("C")
        Layout('((4,8),((2,2),(1,1))):((32,1),((16,8),(0,0)))')
        """
        permutation, atom, tv, _, (i, j) = self._declared(operand)
        return evaluate(f"mma_tv({permutation}, {atom}, {tv}, {self.thr_layout}, {i}, {j})")

    def view(self, operand: str, tensor: Operand) -> Layout:
        """A tensor as ((thread of the operation, (m, n)), (values, (rest…))), of A with k for n, of B with n and k."""
        permutation, atom, tv, counts, _ = self._declared(operand)
        return evaluate(f"mma_view({text_of(tensor)}, {permutation}, {atom}, {tv}, {counts})")

    def place(self, operand: str, thread: Any) -> tuple:
        """The coordinate of a thread in the first mode of `view`."""
        at = [(thread // s) % e if s else 0 for e, s in zip(leaves_of(self.thr_layout.shape), leaves_of(self.thr_layout.stride))]
        split = len(leaves_of(self.thr_layout.shape[0]))
        first = at[0] if split == 1 else tuple(at[:split])
        i, j = _MODES[operand]
        return first, (at[split + i], at[split + j])

    def partition(self, operand: str, tensor: Operand, thread: int) -> tuple[Layout, int]:
        """(Layout, offset): a thread's elements of A, B or C, as (values, rest…) -> offset from the first."""
        thread = integer_of(thread, "a thread")
        if not 0 <= thread < self.threads:
            raise IndexError(f"there is no thread {thread} in a tiled matrix operation of {self.threads}")
        view, place = self.view(operand, tensor), self.place(operand, thread)
        rests = (None,) * view[1][1].rank
        offset = evaluate(f"crd2idx({text_of((place, (0, (0,) * len(rests))))}, {view})")
        kept = evaluate(f"slice({text_of((place, (None, rests)))}, {view})")
        return kept[0] if kept.rank == 1 else kept, offset

    def plot(self, operand: str = "C", **options: Any) -> Picture:
        """A Picture of which thread has which element of A, B or C; the options are those of tilewright plot."""
        i, j = _MODES[operand] if operand in _MODES else self._declared(operand)
        return plot(self.tv(operand), view="tv", tile=(self.tile[i], self.tile[j]), **options)

    def _repr_svg_(self):
        return self.plot()._repr_svg_()

    def _repr_html_(self):
        return self.plot()._repr_html_()

    def _key(self):
        return self.atom, self.atoms, tuple(text_of(p) for p in self.permutation)

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, TiledMMA) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        permutation = tuple(str(p) if isinstance(p, Layout) else p for p in self.permutation)
        return f"TiledMMA({self.atom!r}, {str(self.atoms)!r}, {permutation!r})"

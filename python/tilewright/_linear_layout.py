"""Layouts over GF(2), as Triton has them, and their conversion to layouts."""
from __future__ import annotations

from typing import Any, Sequence

from . import _core
from ._layout import evaluate, integer_of, Layout, text_of

LayoutError = _core.LayoutError


def bases_of(bases: Any) -> list[int]:
    """Offsets of powers of two as a list.  Raises TypeError for anything but a sequence of integers."""
    if isinstance(bases, (str, bytes, Layout)) or not hasattr(bases, "__iter__"):
        raise TypeError(f"bases are a list of integers, the offset of each power of two, found {bases!r}")
    return [integer_of(b, "a basis") for b in bases]


class LinearLayout:
    """A layout over GF(2), as Triton has them: `bases[k]` is the offset of index 2**k; others are their xor.

    >>> LinearLayout([1, 2, 4])(5)
    5
    """

    def __init__(self, bases: Sequence[int]):
        self.bases = bases_of(bases)
        if any(b < 0 for b in self.bases):
            raise LayoutError(f"bases are offsets, 0 or more, found {min(self.bases)}")

    def __call__(self, index: int) -> int:
        index = integer_of(index, "an index")
        if not 0 <= index < 1 << len(self.bases):
            raise IndexError(f"the index {index} is outside of [0, {1 << len(self.bases)})")
        out = 0
        for k, base in enumerate(self.bases):
            if index >> k & 1:
                out ^= base
        return out

    def __eq__(self, other):
        return self.bases == other.bases if isinstance(other, LinearLayout) else NotImplemented

    def __hash__(self):
        return hash(tuple(self.bases))

    def __repr__(self):
        return f"LinearLayout({self.bases})"


def from_linear(linear: LinearLayout | Sequence[int]) -> Layout:
    """The layout with the same offsets; exact, or refused.

    >>> from_linear(LinearLayout([8, 16, 1, 2, 4]))
    Layout('(4,8):(8,1)')

    Raises LayoutError where two bases share a bit: their offsets then are no sums, which a layout's are.
    """
    bases = linear.bases if isinstance(linear, LinearLayout) else bases_of(linear)
    seen = 0
    for k, base in enumerate(bases):
        if seen & base:
            raise LayoutError(f"basis {k} ({base}) shares bits with those before it, so offsets are no sums of strides")
        seen |= base
    if not bases:
        return Layout(1, 0)
    return evaluate(f"coalesce({text_of([2] * len(bases))}:{text_of(bases)})")

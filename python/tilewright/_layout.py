"""Layouts as values. All arithmetic happens in the extension module; here are the Python notations for it."""
from __future__ import annotations

import functools
import math
import re
from typing import Any, Iterator, Sequence, TYPE_CHECKING, Union

from . import _core

if TYPE_CHECKING:
    from ._linear_layout import LinearLayout
    from ._picture import Picture

FORMATS = ("svg", "html", "text", "latex", "json")

#: What stands for a layout, a shape, a stride, a coordinate or a tiler: a Layout, an integer, nested tuples, or text.
Operand = Union["Layout", int, str, None, Sequence["Operand"]]
#: What an expression gives.
Value = Union["Layout", int, bool, str, tuple]


def text_of(x: Operand) -> str:
    """What stands for `x` in an expression: layouts as they print, tuples in parentheses, None as `_`.

    >>> text_of((4, (2, None)))
    '(4,(2,_))'
    """
    if x is None:
        return "_"
    if type(x) is int:
        return str(x)
    if type(x) is Layout:
        return x._text
    if isinstance(x, (Layout, str)):
        return str(x)
    if isinstance(x, (tuple, list)):
        inner = ",".join([str(v) if type(v) is int else text_of(v) for v in x])
        # A layout alone in parentheses would be that layout, and not a tuple of one tiler.
        return f"<{inner}>" if len(x) == 1 and isinstance(x[0], (Layout, str)) and ":" in inner else f"({inner})"
    if hasattr(x, "__tilewright_name__"):  # a number of a kernel that is traced
        return x.__tilewright_name__
    if not isinstance(x, bool) and hasattr(x, "__index__"):
        try:
            return str(x.__index__())
        except TypeError:  # an array of several integers
            pass
    raise TypeError(f"expected a layout, an integer, a tuple of them, None or text, found {x!r}")


def integer_of(x: Any, what: str) -> int:
    """A Python integer of 64 bits.  Raises TypeError for anything else, IndexError for a larger one."""
    if isinstance(x, bool) or not hasattr(x, "__index__"):
        raise TypeError(f"{what} is an integer, found {x!r}")
    out = x.__index__()
    if not -(1 << 63) <= out < 1 << 63:
        raise IndexError(f"{what} is an integer of at most 64 bits, found {out}")
    return out


def facts_of(facts: Any) -> tuple[str, ...]:
    """Facts as a tuple of texts; one text is one fact, or several with commas between."""
    if type(facts) is tuple and not facts:
        return facts
    if isinstance(facts, str):
        facts = [f for f in facts.split(",") if f.strip()]
    if not isinstance(facts, (list, tuple)) or not all(isinstance(f, str) for f in facts):
        raise TypeError(f"facts are texts such as 'M%8=0', found {facts!r}")
    return tuple(facts)


def _at_offset(shape, stride, offset):
    if isinstance(shape, tuple):
        return tuple(_at_offset(s, d, offset) for s, d in zip(shape, stride))
    if isinstance(shape, int) and shape < 2 or isinstance(stride, int) and stride == 0:
        return 0  # of a layout without elements too
    return offset // stride % shape


def _joined_index(shape, coordinate):
    """A coordinate as the index in its shape, first entry fastest."""
    if not isinstance(shape, tuple):
        return coordinate
    index = 0
    for n, (s, x) in enumerate(zip(shape, coordinate)):
        x = _joined_index(s, x)
        index = index if isinstance(x, int) and x == 0 else index + x * product(shape[:n])
    return index


def leaves_of(x: Any) -> list:
    """The leaves of nested tuples, in order."""
    return [leaf for one in x for leaf in leaves_of(one)] if isinstance(x, tuple) else [x]


def product(a: Any) -> Any:
    """The product of the leaves of a tuple; an expression where one of them is a name."""
    if not isinstance(a, (tuple, list)):
        return a
    parts = [product(x) for x in a]
    return evaluate(f"size({text_of(tuple(parts))})") if any(isinstance(x, str) for x in parts) else math.prod(parts)


def _no_kernel(layout, index):
    """None: outside of kernels an index is one of the layout's."""


#: The offset of an index outside of a layout's domain in a kernel that runs, which a GPU does not check; set where kernels are run.
offset_in_a_kernel = _no_kernel


def _in_a_kernel(out, coordinate):
    """An offset by numbers of a kernel that is traced, which is such a number."""
    if isinstance(out, str):
        for x in coordinate:
            if isinstance(x, (tuple, list)):
                made = _in_a_kernel(out, x)
                if made is not out:
                    return made
            elif hasattr(x, "trace"):
                return x.trace.from_text(out)
    return out


def evaluate(expression: Operand, facts: Sequence[str] = ()) -> Any:
    """What an expression of the field's notation gives: a Layout, an integer, a tuple, or True or False.

    `facts` says what is known of names: "M%8=0".

    >>> evaluate("zipped_divide((M,N):(1,M), (16,8))", facts=["M%16=0"])
    Layout('((16,8),(M/16,ceil_div(N,8))):((1,M),(16,8*M))')
    >>> evaluate("size((4,8):(8,1))")
    32

    Raises LayoutError with one sentence where there is no answer.
    """
    if not facts:
        return _evaluated(text_of(expression))
    facts = facts_of(facts)
    return _result(_core.evaluate(text_of(expression), list(facts)), facts)


@functools.lru_cache(maxsize=1 << 14)
def _evaluated(text):
    """What an expression without facts gives: kernels ask the same for each of their threads."""
    return _result(_core.evaluate(text, []), ())


def _result(answer, facts):
    kind, text, shape, stride, value, condition = answer
    if kind == "layout":
        return Layout._of(text, shape, stride, value, condition, facts)
    if kind == "swizzle" or text == "_":
        return text
    return _entries(text, facts) if value is None else value


def _entries(text, facts):
    """A tuple that has layouts, such as '((4):(8),1)', from its text: each entry is what it is alone."""
    depth, begin, out = 0, 1, []
    for at, c in enumerate(text):
        if c in ",)" and depth == 1:
            out.append(text[begin:at])
            begin = at + 1
        depth += (c in "(<") - (c in ")>")
    return tuple(None if entry == "_" else evaluate(entry, facts) for entry in out)


class Layout:
    """A function from coordinates to offsets: extents and strides, nested alike.

    >>> Layout("(4,8):(8,1)")
    Layout('(4,8):(8,1)')
    >>> Layout((4, (2, 3)), (1, (4, 8))) == Layout("(4,(2,3)):(1,(4,8))")
    True
    >>> Layout((4, 8))                      # compact strides, first mode fastest
    Layout('(4,8):(1,4)')
    >>> import numpy as np
    >>> Layout.from_array(np.zeros((4, 8), np.float32))
    Layout('(4,8):(8,1)')
    >>> Layout("(M,8):(1,M)").shape         # extents may be names
    ('M', 8)
    """

    __slots__ = ("_text", "_shape", "_stride", "_function", "_condition", "_facts")

    def __new__(cls, shape: Operand, stride: Operand = None, *, facts: Sequence[str] = ()) -> Layout:
        text = text_of(shape) if stride is None else f"{text_of(shape)}:{text_of(stride)}"
        if stride is None and not isinstance(shape, (Layout, str)) and ":" not in text:  # a shape alone
            return evaluate(f"compact_left({text})", facts)
        made = evaluate(text, facts)
        return made if isinstance(made, Layout) else evaluate(f"compact_left({text})", facts)

    @classmethod
    def _of(cls, text, shape, stride, function, condition, facts):
        self = object.__new__(cls)
        self._text, self._shape, self._stride, self._function = text, shape, stride, function
        self._condition, self._facts = condition, facts
        return self

    @classmethod
    def from_array(cls, array: Any) -> Layout:
        """The layout of an array's elements in its memory; offsets count elements from the first.

        Raises LayoutError where a stride is not a whole number of elements.
        """
        shape, strides, item = _core.strides_of(array)
        if any(s % item for s in strides):
            raise LayoutError(f"strides of {tuple(strides)} bytes are not whole elements of {item} bytes")
        return cls(tuple(shape) or 1, tuple(s // item for s in strides) or 0)

    def __reduce__(self):
        return _again, (self._text, self._facts)

    # --- what it is -------------------------------------------------------------------------------------------------
    @property
    def shape(self) -> Any:
        """The extents: an integer, or a tuple nested as the layout is; names as text."""
        return self._shape

    @property
    def stride(self) -> Any:
        """The strides, nested as the shape is."""
        return self._stride

    @property
    def size(self) -> Any:
        """The number of coordinates."""
        return self._function.size if self._function is not None else evaluate(f"size({self})", self._facts)

    @property
    def cosize(self) -> Any:
        """The span of the offsets: how many elements of memory there must be."""
        return evaluate(f"cosize({self})", self._facts)

    def _parts(self) -> tuple[str, int, str]:
        found = re.match(r"(Sw<[^>]*>) o (?:(-?\d+) o )?(.*)$", self._text)
        return (found[1], int(found[2] or 0), found[3]) if found else ("", 0, self._text)

    @property
    def inner(self) -> str:
        """The swizzle of a swizzled layout, inner o offset o outer; '' of a plain one.

        >>> a = Layout("Sw<1,0,2> o 8 o (4,4):(4,1)")
        >>> a.inner, a.offset, a.outer
        ('Sw<1,0,2>', 8, Layout('(4,4):(4,1)'))
        """
        return Swizzle(self._parts()[0])

    @property
    def offset(self) -> int:
        """What is added before the swizzle; 0 of a plain layout."""
        return self._parts()[1]

    @property
    def outer(self) -> Layout:
        """The layout below the swizzle; a plain layout itself."""
        return evaluate(self._parts()[2], self._facts) if self.inner else self

    @property
    def max_alignment(self) -> int:
        """The largest power of two that divides the extent: under this name CuTe's DSL asks how wide an access may be.

        >>> Layout("24:1").max_alignment
        8
        """
        return self.size & -self.size if isinstance(self.size, int) else 1

    @property
    def rank(self) -> int:
        """The number of modes."""
        return len(self._shape) if isinstance(self._shape, tuple) else 1

    @property
    def depth(self) -> int:
        """How deep the shape is nested; 0 for an integer."""
        return evaluate(f"depth({self})", self._facts)

    @property
    def condition(self) -> str:
        """What a symbolic result rests on, such as 'M%8=0'; '' where nothing is assumed."""
        return self._condition

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"Layout({self._text!r})"

    def __eq__(self, other):
        return self._text == other._text if isinstance(other, Layout) else NotImplemented

    def __hash__(self):
        return hash(self._text)

    def __len__(self) -> int:
        return self.rank

    def __getitem__(self, i: int | slice) -> Layout:
        """The layout of one mode, or of a range of modes.

        >>> Layout("(4,(2,3)):(1,(4,8))")[1]
        Layout('(2,3):(4,8)')
        """
        if isinstance(i, slice):
            begin, end, step = i.indices(self.rank)
            if step != 1:
                raise ValueError(f"modes are taken one after another; the step is {step}")
            return evaluate(f"take({self},{begin},{end})", self._facts)
        i = integer_of(i, "a mode")
        at = i + self.rank if i < 0 else i
        if not 0 <= at < self.rank:
            raise IndexError(f"there is no mode {i} in {self}, which has {self.rank}")
        return evaluate(f"mode({self},{at})", self._facts)

    def __iter__(self) -> Iterator[Layout]:
        return (self[i] for i in range(self.rank))

    # --- the function -----------------------------------------------------------------------------------------------
    def get_hier_coord(self, offset):
        """The coordinate, nested as the shape is, whose offset that is: each entry is offset // stride % extent.

        >>> Layout("(2,4):(4,1)").get_hier_coord(6)
        (1, 2)
        """
        return _at_offset(self.shape, self.stride, offset)

    def get_flat_coord(self, offset):
        """The same with one integer for each mode.

        >>> Layout("((2,2),4):((4,8),1)").get_flat_coord(13)
        (3, 1)
        """
        modes = self.shape if isinstance(self.shape, tuple) else (self.shape,)
        return tuple(_joined_index(s, x) for s, x in zip(modes, _at_offset(modes, self.stride if isinstance(self.stride, tuple) else
                                                                          (self.stride,), offset)))

    def __call__(self, *coordinate: Any) -> Any:
        """The offset of an index or a coordinate; where a part is None, the layout of the modes kept.

        >>> a = Layout("(4,(2,3)):(1,(4,8))")
        >>> a(5), a(1, 2), a(1, (0, 1))
        (5, 9, 9)
        >>> a(1, None)                      # a tuple of the one mode that is kept
        Layout('((2,3)):((4,8))')
        """
        if len(coordinate) == 1 and isinstance(coordinate[0], int) and self._function is not None:
            try:
                return self._function(integer_of(coordinate[0], "an index"))
            except IndexError:
                out = offset_in_a_kernel(self, coordinate[0])
                if out is None:
                    raise
                return out
        if len(coordinate) == 1 and isinstance(coordinate[0], (tuple, list)):
            coordinate = coordinate[0]
        if self._function is not None and type(coordinate) is tuple:
            at = self._function.at(coordinate)
            if at is not None:
                return at
        where = ",".join(map(text_of, coordinate))
        if len(coordinate) == 1 and isinstance(coordinate[0], (tuple, list)):
            where = f"({where})"  # of one mode: a call with one tuple takes its entries as coordinates
        return _in_a_kernel(evaluate(f"({self})({where})", self._facts), coordinate)

    def offsets(self) -> list[int]:
        """The offsets of all indices, as a list: first mode fastest.

        >>> Layout("(2,3):(3,1)").offsets()
        [0, 3, 1, 4, 2, 5]
        """
        return self._constant("offsets").offsets()

    def _constant(self, what):
        if self._function is None:
            raise LayoutError(f"{what} needs a layout of integers, and {self} has names or coordinates for offsets")
        return self._function

    def to_linear(self) -> LinearLayout:
        """The layout as a matrix over GF(2): the offset of each power of two, so that offset(i ^ j) = offset(i) ^ offset(j).

        >>> Layout("(4,8):(8,1)").to_linear()
        LinearLayout([8, 16, 1, 2, 4])

        Raises LayoutError for a layout that is not linear.
        """
        from ._linear_layout import LinearLayout  # which imports this module
        return LinearLayout(self._constant("to_linear").to_linear())

    # --- pictures ---------------------------------------------------------------------------------------------------
    def plot(self, view: str = "offsets") -> Picture:
        """A Picture of the layout; views: offsets, indices, coordinates, banks, order."""
        from ._reports import plot
        return plot(self, view=view)

    def _shown(self):
        """What a notebook shows: a picture of what is not too large for one."""
        return self.plot() if self._function is not None and 0 < self._function.size <= 4096 else None

    def _repr_svg_(self):
        picture = self._shown()
        return picture and picture._repr_svg_()

    def _repr_html_(self):
        picture = self._shown()
        return picture and picture._repr_html_()


def _again(text, facts):
    """A Layout from its pickled form."""
    return Layout(text, facts=facts)


class Swizzle(str):
    """A swizzle as text, 'Sw<3,4,3>', with its three numbers."""

    def _numbers(self):
        return tuple(map(int, re.fullmatch(r"Sw<(-?\d+),(-?\d+),(-?\d+)>", self).groups()))

    @property
    def num_bits(self) -> int:
        """How many bits are exchanged."""
        return self._numbers()[0]

    @property
    def num_base(self) -> int:
        """How many bits below stay."""
        return self._numbers()[1]

    @property
    def num_shift(self) -> int:
        """How far above the bits are that exchange them."""
        return self._numbers()[2]


LayoutError = _core.LayoutError

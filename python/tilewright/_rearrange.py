"""Rearrangements in the notation of einops: rearrange(x, "b (h d) s -> b h s d", h=8).

A pattern names the axes of both sides. Names in parentheses are one axis made of several, the last fastest; `...` stands
for all axes that have no name (`(...)` on the right merges them), `1` and `()` for an axis of one. Both sides hold the same names. The copy itself is one
planned copy between two strided views.
"""
from __future__ import annotations

import functools
import math
import operator
import re
from typing import Any

from . import _core
from ._copy import _as_array, empty_like, shape_of, shown, stream_of

_TOKEN = re.compile(r"\s*(\.\.\.|…|->|[()]|[^\W\d]\w*|1(?!\w))\s*")


class PatternError(ValueError):
    """A pattern that says nothing, or does not fit the array."""


def _tokens(pattern):
    at, out = 0, []
    while at < len(pattern):
        match = _TOKEN.match(pattern, at)
        if match is None:
            number = "; a name begins with a letter; an axis without a name has extent 1: give larger ones a name" if pattern[at:].lstrip()[:1].isdigit() else ""
            raise PatternError(f"'{pattern}': expected names, '(', ')', '...', '1' or '->' at '{pattern[at:]}'{number}")
        out.append("..." if match[1] == "…" else match[1])
        at = match.end()
    return out


def _side(tokens, pattern):
    """(axes, names): each axis a list of names; the axes without names are the text '...', or '...' among an axis's names."""
    axes, group = [], None
    for token in tokens:
        if token == "(":
            if group is not None:
                raise PatternError(f"'{pattern}': parentheses do not nest")
            group = []
        elif token == ")":
            if group is None:
                raise PatternError(f"'{pattern}': ')' without '('")
            axes.append(group)
            group = None
        elif group is not None:
            group += [] if token == "1" else [token]
        else:
            axes.append(token if token == "..." else [] if token == "1" else [token])
    if group is not None:
        raise PatternError(f"'{pattern}': '(' without ')'")
    names = [n for axis in axes for n in ([axis] if axis == "..." else axis)]
    for name in names:
        if names.count(name) > 1:
            raise PatternError(f"'{pattern}': '{name}' is twice on one side; each axis has its own name")
    return axes, names


@functools.lru_cache(maxsize=1024)
def parse(pattern: str) -> tuple[list[Any], list[Any]]:
    """(axes of the left side, axes of the right side), each axis a list of names.

    >>> parse("b (h d) ... -> h b ... d")
    ([['b'], ['h', 'd'], '...'], [['h'], ['b'], '...', ['d']])
    """
    tokens = _tokens(pattern)
    if tokens.count("->") != 1:
        raise PatternError(f"'{pattern}': expected one '->' between the two sides")
    at = tokens.index("->")
    (left, names), (right, others) = _side(tokens[:at], pattern), _side(tokens[at + 1:], pattern)
    if any(axis != "..." and "..." in axis for axis in left):
        raise PatternError(f"'{pattern}': '...' in parentheses on the left; its axes have no sizes to split by, so give them names")
    for side, only, what in (("left", set(names) - set(others), "reduces nothing; call sum() or max() of the array"),
                             ("right", set(others) - set(names), "repeats nothing; call numpy.broadcast_to or torch.expand")):
        if only:
            raise PatternError(f"'{pattern}': {', '.join(sorted(only))} {'is' if len(only) == 1 else 'are'} on the {side} side only; a rearrangement "
                               f"{what} before")
    return left, right


def _expanded(axes, unnamed):
    """The axes, with a name for each that '...' stands for."""
    out = []
    for axis in axes:
        if axis == "...":
            out += [[name] for name in unnamed]
        else:
            out.append([name for one in axis for name in (unnamed if one == "..." else [one])])
    return out


def _split(axis, extent, sizes, pattern):
    """The extents of the names of one axis."""
    unknown = [n for n in axis if n not in sizes]
    known = 1
    for n in axis:
        known *= sizes.get(n, 1)
    if len(unknown) > 1:
        raise PatternError(f"'{pattern}': the axis ({' '.join(axis)}) of {extent} needs the size of all of its names but one; "
                           f"give {' or '.join(unknown)}")
    if unknown:
        if known == 0 or extent % known:
            raise PatternError(f"'{pattern}': the axis ({' '.join(axis)}) has extent {extent}, which {known} does not divide")
        sizes[unknown[0]] = extent // known
    elif known != extent:
        raise PatternError(f"'{pattern}': the axis ({' '.join(axis) or '1'}) has extent {extent}, and its names give {known}")


def _size(name, size, pattern):
    """The size of a name as a Python integer, which does not overflow.  Raises PatternError."""
    if isinstance(size, bool) or not hasattr(size, "__index__") or size < 0:
        raise PatternError(f"'{pattern}': the size of {name} is {size!r}; it is an integer of 0 or more")
    return operator.index(size)


def rearrange(x: Any, /, pattern: str, out: Any = None, **sizes: int) -> Any:
    """`x` with its axes split, merged and reordered as the pattern says, packed.

    >>> import numpy as np
    >>> rearrange(np.arange(12).reshape(2, 6), "b (h d) -> h b d", h=2).shape
    (2, 2, 3)
    >>> rearrange(np.zeros((8, 32, 32, 3)), "b (h p) (w q) c -> b (h w) (p q c)", p=4, q=4).shape
    (8, 64, 48)
    >>> rearrange(np.zeros((8, 32, 32, 3)), "b ... c -> b c (...)").shape
    (8, 3, 1024)
    >>> rearrange([np.zeros(4), np.ones(4)], "b w -> w b").shape     # a list of arrays is one array
    (4, 2)

    Raises PatternError (a ValueError) for a pattern that does not fit; otherwise as copy_.
    """
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern is text such as 'b (h d) s -> b h s d', found {pattern!r}")
    x = _as_array(x)
    if out is not None and _is_size(out) and any("out" in axis for axis in parse(pattern)[0]):
        sizes, out = {**sizes, "out": out}, None  # the size of an axis of that name
    shape, strides, _ = _core.strides_of(shown(x))
    try:
        key = tuple((name, operator.index(size)) for name, size in sizes.items() if not isinstance(size, bool))
    except TypeError:
        key = ()
    if len(key) != len(sizes):
        _check_sizes(pattern, sizes)
    merged, extents, from_axes, to_axes = _recipe(pattern, tuple(shape), key)
    if out is None:
        out = empty_like(x, merged)
    elif shape_of(out) != merged:
        raise PatternError(f"'{pattern}': the result has shape {merged} and out {shape_of(out)}")
    _, steps, _ = _core.strides_of(shown(out))
    _core.copy_strided(shown(out), shown(x), extents, [steps[axis] * below for axis, below in to_axes],
                       [strides[axis] * below for axis, below in from_axes], stream=stream_of(x))
    return out


def _is_size(out):
    """Is it an integer, of Python or of NumPy, and no array that a result could be written to?"""
    import numpy
    return hasattr(out, "__index__") and (isinstance(out, numpy.generic) or not hasattr(out, "shape"))


def _check_sizes(pattern, sizes):
    """error: PatternError for the first size that is no integer of 0 or more"""
    for name, size in sizes.items():
        _size(name, size, pattern)


def _places(axes, sizes):
    """{name: (axis, elements of the axis that one step of the name goes on)}"""
    out = {}
    for at, axis in enumerate(axes):
        below = 1
        for name in reversed(axis):
            out[name] = at, below
            below *= sizes[name]
    return out


@functools.lru_cache(maxsize=1024)
def _recipe(pattern, shape, given):
    """(shape of the result, extents of the names in its order, (axis, step) of each name in the array, and in the result)"""
    left, right = parse(pattern)
    sizes = dict(given)
    rest = len(shape) - sum(1 for axis in left if axis != "...")
    if rest < 0 or (rest > 0 and "..." not in left):
        raise PatternError(f"'{pattern}': the left side has {len(shape) - rest} axes and the array {len(shape)}")
    unnamed = [f"...{i}" for i in range(rest)]
    left, right = _expanded(left, unnamed), _expanded(right, unnamed)
    for name in sizes:
        if not any(name in axis for axis in left):
            raise PatternError(f"'{pattern}': there is no name '{name}', whose size is given")
    _check_sizes(pattern, sizes)
    for axis, extent in zip(left, shape):
        _split(axis, extent, sizes, pattern)
    names = [name for axis in right for name in axis]
    merged = tuple(math.prod(sizes[name] for name in axis) for axis in right)
    from_axes, to_axes = _places(left, sizes), _places(right, sizes)
    return merged, [sizes[n] for n in names], [from_axes[n] for n in names], [to_axes[n] for n in names]

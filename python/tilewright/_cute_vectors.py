"""cutlass.vector: vectors that are made of numbers, of bounds and of each other. The axes of vectors are broadcast from the last one on, as NumPy's.

    vector.create_mask([8], [n])         true below n                    vector.outerproduct(a, b)[i, j] = a[i] b[j]
"""
import itertools
import math

from . import _cute_ssa as _ssa
from ._cute_names import Names
from ._cute_numbers import Boolean, number_type
from ._cute_ssa import TensorSSA
from ._cute_values import Value


def _extents(shape):
    """The extents as a tuple.  Raises ValueError for one below 1."""
    made = tuple(int(e) for e in shape) if isinstance(shape, (tuple, list)) else (int(shape),)
    if not made or any(e < 1 for e in made):
        raise ValueError(f"a vector has the shape {shape}; its extents are 1 or more")
    return made


def _made(extents, element, dtype):
    """The vector whose element at a coordinate is element(coordinate); the values are kept first axis fastest."""
    every = (tuple(reversed(at)) for at in itertools.product(*(range(e) for e in reversed(extents))))
    return TensorSSA([element(at) for at in every], extents[0] if len(extents) == 1 else extents, dtype)


def _shape_of(x):
    return x.shape if isinstance(x.shape, tuple) else (x.shape,)


class vector(metaclass=Names):
    """Functions that make vectors."""

    where, full_like = staticmethod(_ssa.where), staticmethod(_ssa.full_like)

    @staticmethod
    def full(shape, value, dtype=None, **_):
        """A vector whose elements are all one number."""
        kind = number_type(dtype) if dtype is not None else value.dtype if isinstance(value, Value) else type(value)
        return _made(_extents(shape), lambda _: value if isinstance(value, Value) else number_type(kind)(value), number_type(kind))

    @staticmethod
    def create_mask(shape, bounds, **_):
        """True where each number of the coordinate is below its bound.  Raises ValueError for another number of bounds."""
        extents = _extents(shape)
        given = tuple(bounds) if isinstance(bounds, (tuple, list)) else (bounds,)
        if len(given) != len(extents):
            raise ValueError(f"a mask of shape {extents} has {len(extents)} bounds, and {len(given)} are given")

        def inside(at):
            out = True
            for i, bound in zip(at, given):
                below = bound > i
                out = below if out is True else out & below
            return out if isinstance(out, Value) else Boolean(out)
        return _made(extents, inside, Boolean)

    @staticmethod
    def broadcast_to(x, shape, **_):
        """The vector repeated along axes of extent 1 and along new first axes.  Raises ValueError where the shapes do not fit."""
        extents, given = _extents(shape), _shape_of(x)
        last = extents[len(extents) - len(given):]
        if len(given) > len(extents) or any(g not in (1, e) for g, e in zip(given, last)):
            raise ValueError(f"a vector of shape {given} cannot be repeated to {extents}; from the last axis on extents are equal, or 1")
        steps = [math.prod(given[:i]) for i in range(len(given))]  # the values are kept first axis fastest

        def element(at):
            return x.values[sum(s * (i if g > 1 else 0) for s, i, g in zip(steps, at[len(extents) - len(given):], given))]
        return _made(extents, element, x.dtype)

    @staticmethod
    def outerproduct(a, b, **_):
        """The products of each element of one vector with each of another."""
        return _made((len(a), len(b)), lambda at: a.values[at[0]] * b.values[at[1]], a.dtype)

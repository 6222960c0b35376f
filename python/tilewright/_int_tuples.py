"""PyCuTe's functions of integers and nested tuples of them, under its names: shapes, strides and coordinates without a layout.

    prefix_product((2, 3, 4))          (1, 2, 6)       the strides of a compact layout
    crd2idx((1, 2), (3, 4), (4, 1))    6
    shape_div((2, 3, 4), 6)            (1, 1, 4)
"""
from __future__ import annotations

import operator
from typing import Any

__all__ = ["crd2crd", "crd2idx", "elem_scale", "has_none", "idx2crd", "inner_product", "is_int", "is_tuple", "prefix_product", "shape_div",
           "signum", "suffix_product", "tuple_max"]


def is_int(x: Any) -> bool:
    """Is it an integer?

    >>> is_int(3), is_int(True), is_int((3,))
    (True, False, False)
    """
    return not isinstance(x, (bool, tuple)) and hasattr(x, "__index__")


def is_tuple(x: Any) -> bool:
    """Is it a tuple?"""
    return isinstance(x, tuple)


def _integer(x, name):
    if not is_int(x):
        raise TypeError(f"{name} takes integers and nested tuples of them, found {x!r}")
    return operator.index(x)


def _product(a, name):
    out = 1
    for x in a if isinstance(a, tuple) else (a,):
        out *= _product(x, name) if isinstance(x, tuple) else _integer(x, name)
    return out


def _together(function, name, *tuples):
    """The function of each mode of tuples of one length.  error: ValueError for others"""
    if len({len(t) if isinstance(t, tuple) else -1 for t in tuples}) != 1:
        raise ValueError(f"{name}: {', '.join(map(str, tuples))} have different numbers of modes; give tuples of one profile")
    return tuple(function(*each) for each in zip(*tuples))


def signum(a: int) -> int:
    """-1, 0 or 1, as the integer is less than, equal to or more than 0."""
    a = _integer(a, "signum")
    return (a > 0) - (a < 0)


def inner_product(a: Any, b: Any) -> int:
    """The sum of the products of leaves at one place.

    >>> inner_product((2, (1, 3)), (5, (7, 1)))
    20
    """
    if isinstance(a, tuple) or isinstance(b, tuple):
        return sum(_together(inner_product, "inner_product", a, b))
    return _integer(a, "inner_product") * _integer(b, "inner_product")


def tuple_max(a: Any) -> int:
    """The largest leaf."""
    return max(map(tuple_max, a)) if isinstance(a, tuple) else _integer(a, "tuple_max")


def elem_scale(a: Any, b: Any) -> Any:
    """Each leaf of `a` times the size of what is at its place in `b`.

    >>> elem_scale((2, 3), (4, (5, 6)))
    (8, 90)
    """
    if isinstance(a, tuple):
        return _together(elem_scale, "elem_scale", a, b)
    return _integer(a, "elem_scale") * _product(b, "elem_scale")


def shape_div(a: Any, b: Any) -> Any:
    """A shape without its first `b` elements' extents: leaves are divided until `b` is used up.  Raises ValueError where one of two does
    not divide the other.

    >>> shape_div((2, 3, 4), 6), shape_div(3, 6), shape_div((6, 8), (2, 4))
    ((1, 1, 4), 1, (3, 2))
    """
    if isinstance(a, tuple):
        if isinstance(b, tuple):
            return _together(shape_div, "shape_div", a, b)
        out = []
        for x in a:
            out.append(shape_div(x, b))
            b = shape_div(b, _product(x, "shape_div"))
        return tuple(out)
    a, b = _integer(a, "shape_div"), _product(b, "shape_div")
    if b == 0 or a and a % b and b % a:
        raise ValueError(f"shape_div: {a} and {b} do not divide one another")
    return -(-a // b)


def prefix_product(a: Any, init: Any = 1) -> Any:
    """The strides of a compact layout of a shape, its first mode fastest, beginning with `init`.

    >>> prefix_product((2, (3, 4), 5))
    (1, (2, 6), 24)
    """
    if not isinstance(a, tuple):
        return _integer(init, "prefix_product")
    if isinstance(init, tuple):
        return _together(prefix_product, "prefix_product", a, init)
    out = []
    for x in a:
        out.append(prefix_product(x, init))
        init *= _product(x, "prefix_product")
    return tuple(out)


def suffix_product(a: Any, init: Any = 1) -> Any:
    """The strides of a compact layout of a shape, its last mode fastest, beginning with `init`.

    >>> suffix_product((2, (3, 4), 5))
    (60, (20, 5), 1)
    """
    if not isinstance(a, tuple):
        return _integer(init, "suffix_product")
    if isinstance(init, tuple):
        return _together(suffix_product, "suffix_product", a, init)
    out = []
    for x in reversed(a):
        out.insert(0, suffix_product(x, init))
        init *= _product(x, "suffix_product")
    return tuple(out)


def has_none(a: Any) -> bool:
    """Is None among the leaves of a coordinate?"""
    return any(map(has_none, a)) if isinstance(a, tuple) else a is None


def crd2idx(crd: Any, shape: Any, stride: Any = None) -> int:
    """The index of a coordinate in a shape, whose strides are those of a compact layout where they are not given; None counts as 0.

    >>> crd2idx((1, 2), (3, 4)), crd2idx((1, 2), (3, 4), (4, 1)), crd2idx(5, (3, 4), (4, 1))
    (7, 6, 9)
    """
    stride = prefix_product(shape) if stride is None else stride
    if isinstance(crd, tuple):
        return sum(_together(crd2idx, "crd2idx", crd, shape, stride))
    crd = 0 if crd is None else _integer(crd, "crd2idx")
    if not isinstance(shape, tuple):
        return crd * _integer(stride, "crd2idx")
    out = 0
    for s, d in zip(shape[:-1], stride[:-1]):
        size = _product(s, "crd2idx")
        out, crd = out + crd2idx(crd % size, s, d), crd // size
    return out + (crd2idx(crd, shape[-1], stride[-1]) if shape else 0)


def idx2crd(idx: Any, shape: Any, stride: Any = None) -> Any:
    """The coordinate of an index in a shape with strides, those of a compact layout where they are not given.

    >>> idx2crd(7, (3, 4)), idx2crd(6, (3, 4), (4, 1))
    ((1, 2), (1, 2))
    """
    stride = prefix_product(shape) if stride is None else stride
    if isinstance(idx, tuple):
        return _together(idx2crd, "idx2crd", idx, shape, stride)
    if isinstance(shape, tuple):
        return _together(lambda s, d: idx2crd(idx, s, d), "idx2crd", shape, stride)
    return _integer(idx, "idx2crd") // _integer(stride, "idx2crd") % _integer(shape, "idx2crd")


def crd2crd(crd: Any, dst_shape: Any, src_shape: Any = None) -> Any:
    """A coordinate of one shape as that of the same index in another; `src_shape` may be left out where the coordinate is an index.

    >>> crd2crd((1, 2), (2, 2, 3), (3, 4)), crd2crd(7, (3, 4))
    ((1, 1, 1), (1, 2))
    """
    if isinstance(crd, tuple):
        if isinstance(dst_shape, tuple) and len(dst_shape) == len(crd):  # each mode for itself
            return _together(crd2crd, "crd2crd", crd, dst_shape)
        if src_shape is None:
            raise ValueError(f"crd2crd: the coordinate {crd} has a shape, which dst_shape is not; give src_shape")
        index = crd2idx(crd, src_shape)
        return idx2crd(index, dst_shape) if isinstance(dst_shape, tuple) else index
    return idx2crd(crd, dst_shape) if isinstance(dst_shape, tuple) else _integer(crd, "crd2crd")

"""Helpers of CuTe's Python DSL for nested tuples, and layouts that step along coordinates.

    unflatten((1, 2, 3), (0, (0, 0)))                           (1, (2, 3))
    make_layout((4, 8), stride=(E(1), E(0)))                     (4,8):(1@1,1@0)
"""
from . import _int_tuples, _operations as _algebra
from ._cute_layouts import layout_of, rank
from ._cute_tensor import Tensor
from ._cute_values import Value
from ._layout import Layout, leaves_of, text_of

__all__ = ["E", "ScaledBasis", "append_ones", "basis_get", "basis_value", "filter_tuple", "find", "find_if", "front", "get_leaves",
           "increment_coord", "is_int_tuple", "is_integer", "leading_dim", "max_common_layout", "max_common_vector", "nullspace",
           "prepend_ones", "pretty_str", "repeat_as_tuple", "shape_div", "transform_apply", "transform_leaf", "tuple_cat", "unflatten",
           "unwrap", "wrap"]


class ScaledBasis:
    """A stride along one mode of coordinates: `value` steps along `mode`, an integer or a list that goes inwards."""

    def __init__(self, value, mode):
        self.value, self.mode = value, [*mode] if isinstance(mode, (list, tuple)) else [mode]

    @property
    def __tilewright_name__(self):
        """In layouts, 2@1 is two steps along mode 1."""
        return text_of(self.value) + "".join(f"@{m}" for m in self.mode)

    def __mul__(self, factor):
        return ScaledBasis(self.value * factor, self.mode)

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, ScaledBasis) and (self.value, self.mode) == (other.value, other.mode)

    def __hash__(self):
        return hash((self.value, *self.mode))

    def __repr__(self):
        return self.__tilewright_name__


def E(mode):  # noqa: N802  the DSL's name
    """One step along a mode of coordinates, as a stride: E(1) is 1@1; of no mode, E([]), the integer 1.

    Raises TypeError for what is no integer and no list of integers.
    """
    modes = mode if isinstance(mode, list) else [mode]
    if not all(type(m) is int for m in modes):
        raise TypeError(f"E() takes a mode, or a list of modes, and not {mode!r}")
    return ScaledBasis(1, modes) if modes else 1


def basis_value(e):
    """The steps of a ScaledBasis; anything else as it is."""
    return e.value if isinstance(e, ScaledBasis) else e


def basis_get(basis, t):
    """The entry of a tuple or a layout at the mode of a ScaledBasis; the whole of it if `basis` is no ScaledBasis."""
    for m in basis.mode if isinstance(basis, ScaledBasis) else ():
        t = t[m]
    return t


# --- tuples -----------------------------------------------------------------------------------------------------------------
def wrap(x):
    """A tuple as it is; (x,) of anything else."""
    return x if isinstance(x, tuple) else (x,)


def unwrap(x):
    """What a tuple of one entry has; anything else as it is."""
    return x[0] if isinstance(x, tuple) and len(x) == 1 else x


def tuple_cat(*tuples):
    """One tuple of the entries of all; what is no tuple is one entry."""
    return tuple(e for t in tuples for e in wrap(t))


def repeat_as_tuple(x, n):
    """A tuple that has x n times."""
    return (x,) * n


def transform_leaf(f, *args):
    """f of the leaves at each place of tuples that are nested alike.  Raises TypeError where they are not."""
    if not any(isinstance(a, tuple) for a in args):
        return f(*args)
    if not all(isinstance(a, tuple) and len(a) == len(args[0]) for a in args):
        raise TypeError(f"transform_leaf is of tuples that are nested alike, and these are {', '.join(map(text_of, args))}")
    return tuple(transform_leaf(f, *entries) for entries in zip(*args))


def transform_apply(*args, f, g):
    """g of all results of f, which is called with the entries at each place."""
    return g(*map(f, *map(wrap, args)))


def filter_tuple(*args, f):
    """The tuples that f gives for the entries at each place, one behind another."""
    return transform_apply(*args, f=f, g=tuple_cat)


def unflatten(sequence, profile):
    """The values of a flat sequence, nested as a profile is.  Raises RuntimeError where they are too few."""
    rest = iter(sequence)

    def made(p):
        if isinstance(p, tuple):
            return tuple(map(made, p))
        for value in rest:
            return value
        raise RuntimeError(f"{sequence!r} has fewer values than the profile {profile!r}")
    return made(profile)


def find_if(t, pred_fn, hierarchical=True):
    """Where pred_fn(entry, place) is first true: an index, or a tuple of indices that goes inwards; None where it never is."""
    def search(x, place):
        if isinstance(x, tuple) and (hierarchical or not place):
            return next((found for i, e in enumerate(x) for found in [search(e, (*place, i))] if found is not None), None)
        return place if pred_fn(x, unwrap(place) if place else 0) else None
    found = search(wrap(t), ())
    return None if found is None else unwrap(found)


def find(t, x, hierarchical=True):
    """The index of the first entry that equals x, or None."""
    return find_if(t, lambda e, _: not isinstance(e, (str, Value)) and e == x, hierarchical)


def is_integer(a):
    """Is it an integer, also one that a kernel computes?"""
    return isinstance(a, Value) and a.kind not in ("bool",) and "float" not in a.kind or not isinstance(a, bool) and (
        isinstance(a, int) or hasattr(type(a), "is_integer") and type(a).is_integer is True)


def is_int_tuple(a):
    """Is it an integer, or a nested tuple of integers?"""
    return all(map(is_int_tuple, a)) if isinstance(a, tuple) else is_integer(a)


def pretty_str(arg):
    """A text of tuples, layouts and tensors in the notation of layouts."""
    return text_of(arg) if isinstance(arg, (tuple, Layout)) or arg is None else str(arg)


def increment_coord(coord, shape):
    """The coordinate behind another in a shape, first mode fastest; behind the last one, the first.  Raises ValueError for other nesting."""
    try:
        flat = transform_leaf(lambda x, _: x, coord, shape)
    except TypeError:
        raise ValueError(f"increment_coord: {text_of(coord)} is no coordinate of {text_of(shape)}") from None
    out, carry = [], 1
    for x, extent in zip(leaves_of(flat), leaves_of(shape)):
        x, carry = (0, 1) if carry and x + 1 == extent else (x + carry, 0)
        out.append(x)
    return unflatten(out, coord)


# --- layouts ----------------------------------------------------------------------------------------------------------------
def _with_ones(x, up_to_rank, together):
    layout = layout_of(x)
    count = rank(layout)
    missing = (count + 1 if up_to_rank is None else up_to_rank) - count
    if missing < 0:
        raise ValueError(f"{layout} has {count} modes, more than {up_to_rank}")
    modes = (list(layout) if isinstance(layout.shape, tuple) else [layout])
    modes = together(modes, [Layout(1, 0)] * missing)
    made = Layout(tuple(m.shape for m in modes), tuple(m.stride for m in modes))
    return Tensor(x.iterator, made) if isinstance(x, Tensor) else made


def append_ones(t, up_to_rank=None, **_):
    """A layout or a tensor with modes of extent 1 behind, until it has so many modes; without a number one more."""
    return _with_ones(t, up_to_rank, lambda modes, ones: modes + ones)


def prepend_ones(t, up_to_rank=None, **_):
    """A layout or a tensor with modes of extent 1 in front, until it has so many modes; without a number one more."""
    return _with_ones(t, up_to_rank, lambda modes, ones: ones + modes)


def leading_dim(shape, stride):
    """The index of the first mode whose stride is 1 and whose extent is not, or None."""
    places = transform_leaf(lambda s, d: 1 if type(d) is int and d == 1 and s != 1 else 0, shape, stride)
    return find(places, 1)


def front(input, **_):  # noqa: A002  the DSL's name
    """The first leaf: of a tuple, or of the strides of a layout or a tensor."""
    layout = layout_of(input)
    return leaves_of(layout.stride if isinstance(layout, Layout) else layout)[0]


def get_leaves(t):
    """The values of nested tuples in order."""
    return tuple(leaves_of(t))


def shape_div(lhs, rhs, **_):
    """One shape divided by another, mode by mode; of a shape and an integer, the integer divides the first modes.

    Raises ValueError where neither extent divides the other.
    """
    if isinstance(lhs, tuple) and not isinstance(rhs, tuple):
        return _int_tuples.shape_div(lhs, rhs)
    return transform_leaf(_divided, lhs, rhs)


def _divided(a, b):
    if type(a) is int and type(b) is int and a % b and b % a:
        raise ValueError(f"shape_div: {a} and {b} do not divide each other")
    return -(-a // b)


def nullspace(layout, **_):
    """The layout of the coordinates whose offset is 0."""
    return _algebra.nullspace(layout)


def max_common_vector(a, b, **_):
    """The number of elements that are contiguous in both layouts, or tensors, from the first on."""
    return _algebra.max_common_vector(layout_of(a), layout_of(b))


def max_common_layout(a, b, **_):
    """The layout of the elements that are contiguous in both layouts, or tensors, from the first on."""
    return _algebra.max_common_layout(layout_of(a), layout_of(b))

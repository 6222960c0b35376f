"""What Tensor.load() gives: the values of a tensor with their shape, which compute element by element.

    a.load() + b.load() * 2      a TensorSSA of a's shape; extents of 1 are repeated as NumPy does
    x.reduce(ReductionOp.ADD, 0.0, reduction_profile=0)

On a GPU each value is a variable of the kernel. The order of values is that of indices: first mode fastest.
"""
import builtins
import operator

import numpy as np

from ._cute_numbers import Boolean, Float32, number, number_type
from ._cute_values import active, Truth, Value
from ._layout import Layout, evaluate, text_of


class ReductionOp:
    """How TensorSSA.reduce joins two values."""

    ADD, MUL, MAX, MIN = "add", "mul", "max", "min"


def _size(shape):
    return evaluate(f"size({text_of(shape)})")


def select(test, a, b):
    """a where the number `test` is true, else b."""
    if isinstance(test, Value):
        return test.trace.select(test, a, b)
    return a if test else b


def larger(a, b):
    return select(a > b, a, b)


def smaller(a, b):
    return select(a < b, a, b)


JOIN = {"add": operator.add, "mul": operator.mul, "max": larger, "min": smaller}


class TensorSSA:
    """Values with a shape; arithmetic, comparisons and functions of cute.math work on each."""

    def __init__(self, values, shape, dtype):
        self.values, self._shape, self._dtype = list(values), shape, dtype

    @property
    def shape(self):
        """The extents, nested as those of the tensor that was loaded."""
        return self._shape

    @property
    def dtype(self):
        """The number type of the values."""
        return self._dtype

    element_type = dtype

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype or {int: object}.get(getattr(self.dtype, "numpy", None), self.dtype))

    def __repr__(self):
        return f"TensorSSA({getattr(self.dtype, 'kind_name', None) or np.dtype(self.dtype)}, {text_of(self.shape)})"

    # --- parts --------------------------------------------------------------------------------------------------------
    def __getitem__(self, coordinate, **_):
        """A value, or with None among the coordinates a TensorSSA of what is kept.  Raises IndexError outside of it."""
        layout = Layout(self.shape)
        if coordinate is None:
            return self
        if isinstance(coordinate, tuple) and any(c is None for c in coordinate):
            kept = evaluate(f"slice({text_of(coordinate)}, {layout})")
            first = layout(*(0 if c is None else c for c in coordinate))
            if isinstance(kept.shape, tuple) and len(kept.shape) == 1:
                kept = kept[0]
            return TensorSSA([self.values[first + o] for o in kept.offsets()], kept.shape, self.dtype)
        at = layout(*coordinate) if isinstance(coordinate, tuple) else coordinate
        if isinstance(at, Value) or not 0 <= at < len(self.values):
            raise IndexError(f"{coordinate} is not a constant coordinate of values of shape {text_of(self.shape)}")
        return self.values[at]

    def reshape(self, shape, **_):
        """The same values with another shape of as many.  Raises ValueError."""
        if _size(shape) != len(self.values):
            raise ValueError(f"{len(self.values)} values cannot have the shape {text_of(shape)}")
        return TensorSSA(self.values, shape, self.dtype)

    def broadcast_to(self, shape, **_):
        """The values repeated along modes of extent 1.  Raises ValueError for other extents."""
        mine = self.shape if isinstance(self.shape, tuple) else (self.shape,)
        theirs = shape if isinstance(shape, tuple) else (shape,)
        mine = mine + (1,) * (len(theirs) - len(mine))
        if len(mine) != len(theirs) or any(a not in (1, b) for a, b in zip(mine, theirs)):
            raise ValueError(f"values of shape {text_of(self.shape)} cannot be repeated to {text_of(shape)}: extents must be equal, or 1")
        strides, step = [], 1
        for a in mine:
            strides.append(Layout(a, 0) if a == 1 else evaluate(f"composition({_size(a)}:{step}, {text_of(a)})"))
            step *= _size(a)
        offsets = [0]
        for b, layout in zip(theirs, strides):
            along = [0] * _size(b) if layout.size == 1 else layout.offsets()
            offsets = [o + a for a in along for o in offsets]
        return TensorSSA([self.values[o] for o in offsets], shape, self.dtype)

    def to(self, dtype, **_):
        """Each value as another type."""
        made = number_type(dtype)
        return TensorSSA([x.to(made) if hasattr(x, "to") else made(x) for x in self.values], self.shape, made)

    # --- arithmetic -----------------------------------------------------------------------------------------------------
    def _with(self, other, compute, swapped=False, result=None):
        if isinstance(other, TensorSSA):
            a, b = self, other
            if a.shape != b.shape:
                shape = _joint_shape(a.shape, b.shape)
                a, b = a.broadcast_to(shape), b.broadcast_to(shape)
            pairs, shape = zip(a.values, b.values), a.shape
        elif isinstance(other, (bool, int, float, np.generic, Value)):
            pairs, shape = ((x, other) for x in self.values), self.shape
        else:
            return NotImplemented
        return _of([compute(y, x) if swapped else compute(x, y) for x, y in pairs], shape, result or self.dtype)

    def apply(self, function):
        """A TensorSSA of function(value) for each value."""
        return _of([function(x) for x in self.values], self.shape, self.dtype)

    def __neg__(self):
        return self.apply(operator.neg)

    def __invert__(self):
        return self.apply(operator.invert)

    def __abs__(self):
        return self.apply(abs)

    __hash__ = None

    def __bool__(self):
        raise TypeError(f"values of shape {text_of(self.shape)} are no one condition; use cute.any_(x), cute.all_(x) or cute.where")

    # --- reductions -------------------------------------------------------------------------------------------------------
    @classmethod
    def from_elements(cls, values, dtype, **_):
        """A vector of numbers, or of values of a kernel, of a type."""
        kind = number_type(dtype)
        given = [x.to(kind) if isinstance(x, Value) else kind(x) for x in values]
        return cls(given, len(given), kind)

    def reduce(self, op, init_val=None, reduction_profile=0, **_):
        """The values joined: all of them (profile 0), or along the modes whose entry of the profile is not None. Without init_val of themselves alone."""
        if op not in JOIN:
            raise ValueError(f"{op!r} is no reduction; use cute.ReductionOp.ADD, MUL, MAX or MIN")
        join = JOIN[op]

        def joined(values):
            out = values[0] if init_val is None else init_val
            for x in values[1:] if init_val is None else values:
                out = join(out, x)
            return number_type(self.dtype)(out) if isinstance(out, (int, float)) else out
        if not isinstance(reduction_profile, tuple):
            return joined(self.values)
        shape = self.shape if isinstance(self.shape, tuple) else (self.shape,)
        if len(reduction_profile) != len(shape):
            raise ValueError(f"the profile {reduction_profile} has {len(reduction_profile)} modes and the values {len(shape)}")
        kept = tuple(e for e, p in zip(shape, reduction_profile) if p is None)
        groups: dict = {}
        for i, x in enumerate(self.values):
            place, key = i, []
            for extent, p in zip(shape, reduction_profile):
                place, at = divmod(place, _size(extent))
                key += [at] if p is None else []
            groups.setdefault(tuple(key), []).append(x)
        return _of([joined(g) for g in groups.values()], kept[0] if len(kept) == 1 else kept or 1, self.dtype)


def _joint_shape(a, b):
    a, b = (s if isinstance(s, tuple) else (s,) for s in (a, b))
    rank = builtins.max(len(a), len(b))
    a, b = a + (1,) * (rank - len(a)), b + (1,) * (rank - len(b))
    return tuple(y if x == 1 else x for x, y in zip(a, b))


def _of(values, shape, dtype):
    first = values[0] if values else None
    if isinstance(first, Value):
        dtype = number_type(first.kind if first.kind != "index" else "int64")
    elif isinstance(first, (np.generic, bool, Truth)):
        dtype = Boolean if isinstance(first, (bool, np.bool_, Truth)) else type(number(first))
    return TensorSSA(values, shape, dtype)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift"):
    _compute = getattr(operator, _name + "_" * (_name in ("and", "or")))
    setattr(TensorSSA, f"__{_name}__", lambda self, other, f=_compute: self._with(other, f))
    setattr(TensorSSA, f"__r{_name}__", lambda self, other, f=_compute: self._with(other, f, True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(TensorSSA, f"__{_name}__", lambda self, other, f=getattr(operator, _name): self._with(other, f, result=Boolean))


def where(cond, x, y, **_):
    """x where `cond` is true, else y: of each value, or of numbers."""
    test, a, b = cond, x, y
    if not isinstance(test, TensorSSA):
        return select(test, a, b)
    a, b = (x if isinstance(x, TensorSSA) else full_like(test, x, getattr(y, "dtype", None)) for x, y in ((a, b), (b, a)))
    shape = _joint_shape(_joint_shape(test.shape, a.shape), b.shape) if not test.shape == a.shape == b.shape else test.shape
    test, a, b = (x if x.shape == shape else x.broadcast_to(shape) for x in (test, a, b))
    return _of([select(t, x, y) for t, x, y in zip(test, a, b)], shape, a.dtype)


def full(shape, fill_value, dtype=Float32, **_):
    """Values of a shape that are all one number."""
    made = number_type(dtype)
    one = fill_value.to(made) if isinstance(fill_value, Value) else fill_value if active() else made(fill_value)
    return TensorSSA([one] * _size(shape), shape, made)


def full_like(a, fill_value, dtype=None, **_):
    """As many values as `like` has, all one number."""
    return full(a.shape, fill_value, dtype or a.dtype)


def zeros_like(a, dtype=None, **_):
    """Zeros of the shape of `like`."""
    return full_like(a, 0, dtype)


def ones_like(a, dtype=None, **_):
    """Ones of the shape of `like`."""
    return full_like(a, 1, dtype)


def any_(x, **_):
    """Is one of the values true?"""
    out = False
    for v in x:
        out = v | out
    return out


def all_(x, **_):
    """Are all values true?"""
    out = True
    for v in x:
        out = v & out
    return out

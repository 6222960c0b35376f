"""Arithmetic of number types on the CPU for usual numbers: Python's integers and floats compute. Where the type does not hold the
result (an integer that wraps, an infinity, NaN), _cute_numbers.py computes it in full; both ways give the same.

    Int32(7) + Int32(5)       12 is an Int32
    Float32(1) / Float32(3)   the quotient of float64, rounded to float32: what float32 gives, since float64 has more than twice its digits
"""
import numpy as np

_EXACT = ("add", "sub", "mul", "and", "or", "xor")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_TRUE, _FALSE = np.bool_(True), np.bool_(False)
#: The largest number of a float: a result below it is rounded as the type rounds.
_LARGEST = {np.float32: float(np.finfo(np.float32).max), np.float64: float(np.finfo(np.float64).max)}


def _bounds(numpy):
    """(the smallest, the largest) integer of a type of NumPy; None for another type."""
    return (int(np.iinfo(numpy).min), int(np.iinfo(numpy).max)) if issubclass(numpy, np.integer) else None


def _integers(name, compute, cls, other):
    """Of two numbers of one type of integers, or of one and Python's; None for another operation."""
    low, high = _bounds(cls.numpy)
    make, mixed = cls.numpy.__new__, other is int

    def of(a, b):
        a, b = int(a), int(b)
        if mixed and not (low <= a <= high and low <= b <= high):
            return None
        out = compute(a, b)
        return make(cls, out) if low <= out <= high else None

    def divided(a, b):
        return None if int(b) == 0 else of(a, b)

    def shifted(a, b):
        return of(a, b) if 0 <= int(b) < 32 else None

    def compared(a, b):
        a, b = int(a), int(b)
        if mixed and not (low <= a <= high and low <= b <= high):
            return None
        return _TRUE if compute(a, b) else _FALSE
    return (of if name in _EXACT else compared if name in _COMPARISONS else divided if name in ("floordiv", "mod") else
            shifted if name == "rshift" else None)


def _floats(name, compute, cls, other):
    """Of two numbers of one type of floats, or of one and Python's; None for another operation."""
    largest, make = _LARGEST[cls.numpy], cls.numpy.__new__
    rounds = cls.numpy is not np.float64 and other is not cls  # Python's number becomes one of the type first

    def both(a, b):
        """The two as floats; None for one that the type does not hold."""
        a, b = float(a), float(b)
        if not rounds:
            return a, b
        return (float(cls.numpy(a)), float(cls.numpy(b))) if -largest <= a <= largest and -largest <= b <= largest else None

    def of(a, b):
        pair = both(a, b)
        if pair is None or name == "truediv" and pair[1] == 0:
            return None
        out = compute(*pair)
        return make(cls, out) if -largest <= out <= largest else None

    def compared(a, b):
        pair = both(a, b)
        return None if pair is None else _TRUE if compute(*pair) else _FALSE
    return of if name in ("add", "sub", "mul", "truediv") else compared if name in _COMPARISONS else None


def fast_binary(name, compute, cls, other):
    """A function of two numbers, of `cls` and of `other` in either order, that gives what _cute_numbers.py gives, or None where it is not
    sure; None where there is no such function."""
    if "kind_name" in vars(cls) or not hasattr(cls, "numpy") or not (other is cls or other is int or other is float):  # not ==: Int64 equals int
        return None
    if issubclass(cls.numpy, np.integer):
        return None if other is float else _integers(name, compute, cls, other)
    return _floats(name, compute, cls, other) if cls.numpy in _LARGEST else None


def fast_new(cls, x):
    """cls(x) of a number that the type holds; None for another one."""
    t, numpy = type(x), cls.numpy
    if t is cls:
        return x
    if t is int and issubclass(numpy, np.integer):
        low, high = _limits(numpy)
        return numpy.__new__(cls, x) if low <= x <= high else None
    if (t is int or t is float) and numpy in _LARGEST:
        return numpy.__new__(cls, x) if -_LARGEST[numpy] <= x <= _LARGEST[numpy] else None
    return None


_LIMITS = {t: _bounds(t) for t in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)}
_limits = _LIMITS.__getitem__

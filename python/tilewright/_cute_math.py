"""cute.math: functions of numbers and of each value of a TensorSSA: NumPy's on the CPU, CUDA's in a kernel on a GPU."""
import math as _python
import operator

import numpy as np

from ._cute_numbers import Boolean, Float32, number
from ._cute_ssa import larger, smaller, TensorSSA, where
from ._cute_values import FLOATS, NARROW, TYPES, Truth, Value, joint_kind, kind_of_number


def _function(name, compute, text=None):
    """A function of one number: NumPy's on a CPU, CUDA's on a GPU; of integers as Float32."""
    def of(x, fastmath=False, **_):
        if isinstance(x, TensorSSA):
            return x.apply(of)
        if isinstance(x, Value):
            x = x if x.kind in FLOATS else x.to(Float32)
            return x.trace.call(text or name, x)
        x = number(x) if isinstance(x, np.generic) else Float32(x)
        kind = type(x) if type(x).is_float else Float32
        with np.errstate(all="ignore"):
            return kind(compute(np.float32(x) if kind.width == 16 else kind.numpy(x)))
    of.__name__ = of.__qualname__ = name
    of.__doc__ = f"{name}(x) of a number or of each value; fastmath changes nothing."
    return staticmethod(of)


def _over_values(compute, *given):
    """compute of numbers, or of the values at each place where some are a TensorSSA."""
    if not any(isinstance(x, TensorSSA) for x in given):
        return compute(*given)
    first, *rest = given
    if not rest:
        return first.apply(compute)
    if len(rest) == 1:
        a, b = first, rest[0]
        return a._with(b, compute) if isinstance(a, TensorSSA) else b._with(a, compute, True)
    shaped = next(x for x in given if isinstance(x, TensorSSA))
    columns = [x.broadcast_to(shaped.shape).values if isinstance(x, TensorSSA) else [x] * len(shaped) for x in given]
    of = iter(zip(*columns))
    return shaped.apply(lambda _: compute(*next(of)))


def _of_two(name, compute, text):
    """A function of two floats."""
    def one(a, b):
        held = next((x for x in (a, b) if isinstance(x, Value)), None)
        if held is not None:
            trace, kind = held.trace, _float_kind(a, b)
            of = "float32" if kind in NARROW else kind
            made = f"{text}({trace.operand(a, of)}, {trace.operand(b, of)})"
            return trace.let(kind, f"({TYPES[kind]})({made})" if kind in NARROW else made)
        a, b = (x if isinstance(x, np.generic) else Float32(x) for x in (a, b))
        kind = type(number(a) + number(b))
        kind = kind if kind.is_float else Float32
        with np.errstate(all="ignore"):
            return kind(compute(*(np.float32(x) if kind.width == 16 else kind.numpy(x) for x in (a, b))))

    def of(a, b, fastmath=False, **_):
        return _over_values(one, a, b)
    of.__name__ = of.__qualname__ = name
    of.__doc__ = f"{name}(a, b) of two numbers, or of the values of each place."
    return staticmethod(of)


def _float_kind(a, b):
    kinds = [kind_of_number(x) for x in (a, b) if not isinstance(x, (int, float)) or isinstance(x, (Truth, np.generic))]
    kind = joint_kind(*kinds) if len(kinds) == 2 else kinds[0]
    return kind if kind in FLOATS else "float32"


def _test(name, compute):
    """A question about one number."""
    def one(x):
        if isinstance(x, Value):
            return x.trace.let("bool", f"(bool){name}({x.trace.number(x)})")
        return Boolean(compute(np.float64(x)))

    def of(x, **_):
        return x.apply(one) if isinstance(x, TensorSSA) else one(x)
    of.__name__ = of.__qualname__ = name
    of.__doc__ = f"{name}(x): Is it so of a number, or of each value?"
    return staticmethod(of)


def _rounded(x):
    whole = np.floor(np.abs(x))
    return np.copysign(whole + (np.abs(x) - whole >= 0.5), x)


def _vectorized(name):
    return np.vectorize(getattr(_python, name), otypes=[float])


class math:
    """Functions of numbers and of TensorSSA."""

    sqrt, rsqrt = _function("sqrt", np.sqrt), _function("rsqrt", lambda x: 1 / np.sqrt(x))
    exp, exp2 = _function("exp", np.exp), _function("exp2", np.exp2)
    log, log2, log10 = _function("log", np.log), _function("log2", np.log2), _function("log10", np.log10)
    sin, cos, tan = _function("sin", np.sin), _function("cos", np.cos), _function("tan", np.tan)
    asin, acos, atan = _function("asin", np.arcsin), _function("acos", np.arccos), _function("atan", np.arctan)
    tanh, floor, ceil = _function("tanh", np.tanh), _function("floor", np.floor), _function("ceil", np.ceil)
    absf, roundeven = _function("absf", np.abs, "fabs"), _function("roundeven", np.rint, "rint")
    erf, erfc = _function("erf", _vectorized("erf")), _function("erfc", _vectorized("erfc"))
    sinh, cosh = _function("sinh", np.sinh), _function("cosh", np.cosh)
    asinh, acosh, atanh = _function("asinh", np.arcsinh), _function("acosh", np.arccosh), _function("atanh", np.arctanh)
    expm1, log1p, cbrt = _function("expm1", np.expm1), _function("log1p", np.log1p), _function("cbrt", np.cbrt)
    trunc, round = _function("trunc", np.trunc), _function("round", _rounded)
    atan2, copysign = _of_two("atan2", np.arctan2, "atan2"), _of_two("copysign", np.copysign, "copysign")
    pow, rem = _of_two("pow", np.power, "pow"), _of_two("rem", np.fmod, "fmod")
    isnan, isinf, isfinite = _test("isnan", np.isnan), _test("isinf", np.isinf), _test("isfinite", np.isfinite)

    @staticmethod
    def max(a, b, **_):
        """The larger of two numbers, or of the values of each place."""
        return where(a > b, a, b)

    @staticmethod
    def min(a, b, **_):
        """The smaller of two numbers, or of the values of each place."""
        return where(a < b, a, b)

    @staticmethod
    def abs(x, **_):
        """The number, or its negative where it is less than 0; of each value."""
        return _over_values(abs, x)

    @staticmethod
    def neg(x, **_):
        """The negative."""
        return -x

    @staticmethod
    def add(a, b, **_):
        """a + b."""
        return a + b

    @staticmethod
    def sub(a, b, **_):
        """a - b."""
        return a - b

    @staticmethod
    def mul(a, b, **_):
        """a * b."""
        return a * b

    @staticmethod
    def div(a, b, **_):
        """a / b."""
        return a / b

    @staticmethod
    def rcp(x, **_):
        """1 / x."""
        return 1.0 / x

    @staticmethod
    def fma(a, b, c, **_):
        """a * b + c, of numbers or of the values of each place."""
        return a * b + c

    @staticmethod
    def clamp(x, lo, hi, **_):
        """The number, not less than lo and not more than hi; of each value."""
        return _over_values(lambda x, lo, hi: larger(lo, smaller(x, hi)), x, lo, hi)

    @staticmethod
    def sincos(x, **_):
        """(sin(x), cos(x))."""
        return math.sin(x), math.cos(x)

"""Number types of kernels: Float32, Int32 … as NumPy's scalars that compute as a kernel on a GPU does.

    Int32(7) + Float32(0.5)   Float32(7.5)    an integer gives way to a float
    Float32(2) * 3.0          Float32(6.0)    Python's numbers give way to the type beside them
    Int32(7) / Int32(2)       Float64(3.5)
    Int32(300).to(Int8)       Int8(44)

Elements that a kernel reads are of these types, so that the executor on a CPU and the traced kernel compute the same.
"""
import functools
import operator

import numpy as np

from ._cute_fast import fast_binary, fast_new
from ._cute_narrow import decoded, encoded
from ._cute_packed import INTEGERS, PACKED, wrapped
from ._cute_values import FLOATS, NARROW, Truth, Value, fits, joint_kind, kind_of, kind_of_number


class NumberType(type):
    """The type of number types, which compare and hash as NumPy's own."""

    def __eq__(cls, other):
        if other is None or "kind_name" in vars(cls) or "kind_name" in getattr(other, "__dict__", ()):
            return cls is other
        # Not np.dtype(cls): NumPy 2 looks the type up in a dictionary, which asks this function.
        try:
            return np.dtype(cls.numpy) == np.dtype(other.numpy if isinstance(other, NumberType) else other)
        except TypeError:
            return NotImplemented

    def __ne__(cls, other):
        equal = NumberType.__eq__(cls, other)
        return equal if equal is NotImplemented else not equal

    def __hash__(cls):
        return hash(getattr(cls, "numpy", cls.__name__))

    def __instancecheck__(cls, x):
        """A number that the GPU knows is an instance of its type; an index of Int32."""
        if isinstance(x, Value):
            return TYPES["int32" if x.kind == "index" else x.kind] is cls
        return type.__instancecheck__(cls, x)

    def __repr__(cls):
        return cls.__name__

    @property
    def width(cls):
        """Bits of an element."""
        return getattr(cls, "bits", 0) or 8 * np.dtype(cls.numpy).itemsize

    @property
    def bytes(cls):
        """Bytes of an element; of less than 8 bits 1."""
        return max(cls.width // 8, 1)

    @property
    def _letter(cls):
        return getattr(cls, "letter", "f") if hasattr(cls, "bits") else np.dtype(cls.numpy).kind

    @property
    def mlir_type(cls):
        """The type itself; in NVIDIA's DSL a type of its compiler."""
        return cls

    @property
    def is_integer(cls):
        """Is it a type of integers?"""
        return cls._letter in "iu"

    @property
    def is_float(cls):
        """Is it a type of floats?"""
        return cls._letter == "f"

    @property
    def signed(cls):
        """Has it negative numbers?"""
        return cls._letter in "if"

    @property
    def numpy_dtype(cls):
        """NumPy's type of the numbers; None for those that NumPy lacks."""
        return None if hasattr(cls, "kind_name") else cls.numpy

    @property
    def min(cls):
        """The least number of a type of integers.  Raises TypeError for floats."""
        return cls._range()[0]

    @property
    def max(cls):
        """The largest number of a type of integers.  Raises TypeError for floats."""
        return cls._range()[1]

    def _range(cls):
        if not cls.is_integer:
            raise TypeError(f"{cls.__name__} has inf, and no least and largest number here")
        return (-1 << cls.width - 1, (1 << cls.width - 1) - 1) if cls.signed else (0, (1 << cls.width) - 1)

    @property
    def zero(cls):
        """0 of the type."""
        return cls(0)

    @property
    def inf(cls):
        """Infinity.  Raises TypeError for integers."""
        if not cls.is_float:
            raise TypeError(f"{cls.__name__} has no infinity")
        return cls(np.inf)

    @property
    def nan(cls):
        """The float that is no number.  Raises TypeError for integers."""
        if not cls.is_float:
            raise TypeError(f"{cls.__name__} has no NaN")
        return cls(np.nan)

    def is_same_kind(cls, other):
        """Are both integers, or both floats?"""
        return cls._letter == other._letter


#: kind -> number type
TYPES: dict = {}
_OF_SCALAR: dict = {}  # NumPy's scalar type -> number type


def number_type(dtype):
    """The number type of a dtype; the dtype itself where there is none."""
    if type(dtype) is NumberType:
        return dtype
    return _of_numpy(dtype) if isinstance(dtype, np.dtype) else _of_other(dtype)


@functools.lru_cache(maxsize=256)
def _of_numpy(dtype):
    return _of_other(dtype)


def _of_other(dtype):
    try:
        return TYPES.get(kind_of(dtype), dtype)
    except TypeError:
        return TYPES.get(dtype, dtype) if isinstance(dtype, str) else dtype


def number(x):
    """A NumPy scalar as a number of a kernel; anything else as it is."""
    if type(type(x)) is NumberType:
        return x
    made = _OF_SCALAR.get(type(x))
    return x if made is None else _make(made, x)


def _cast(x, scalar):
    """A number as that scalar type of NumPy, or int; too large integers keep their lower bits."""
    if type(x) is scalar:
        return x
    if scalar is int:
        return int(x)
    if isinstance(x, int) and not -1 << 63 <= x < 1 << 63 and issubclass(scalar, np.integer):
        x = wrapped(x, 8 * np.dtype(scalar).itemsize, np.dtype(scalar).kind == "i")
    return np.asarray(x).astype(scalar)[()] if isinstance(x, int) or isinstance(x, np.generic) else scalar(x)


def _make(cls, x):
    return cls.numpy.__new__(cls, x)


class _Lasting:
    """The types of numbers that fast_binary() knows, none of which ends before the program."""

    def __contains__(self, t):
        return t is int or t is float or type(t) is NumberType


_LASTING = _Lasting()


@functools.lru_cache(maxsize=None)
def _result(a, b, floating):
    """(the NumPy type that a and b are computed in, the number type of the result), as a traced kernel chooses them: Python's floats give
    way to a float beside them. `a` and `b` are types."""
    mine, theirs = (kind_of_number(t(0)) for t in (a, b))
    if b is float and mine in FLOATS:
        kind = mine
    else:
        kind = joint_kind(mine, theirs, floating)
    kind = "int64" if kind == "index" else kind
    # Numbers of 2 bytes are computed as float and rounded after each operation, as on a GPU.
    return np.float32 if kind in NARROW else np.int64 if kind in PACKED else int if kind in INTEGERS else np.dtype(kind).type, TYPES[kind]


def _binary(name, compute, floating=False, compares=False):
    quiet = name in ("add", "sub", "mul", "truediv", "floordiv", "mod")
    fast = {}  # (id of a type, id of the other) -> the same for usual numbers, faster; types of numbers live as long as the program

    def of(self, other, swapped=False):
        found = fast.get((id(type(self)), id(type(other))))
        if found is not None:
            out = found(other, self) if swapped else found(self, other)
            if out is not None:
                return out
        elif type(other) in _LASTING and found is None:
            fast[id(type(self)), id(type(other))] = fast_binary(name, compute, type(self), type(other)) or _unusual
        return in_full(self, other, swapped)

    def in_full(self, other, swapped):
        if not isinstance(other, (bool, int, float, np.generic)) or isinstance(other, (Value, np.void, np.str_)):
            return NotImplemented
        if compares and isinstance(other, int) and type(self).is_integer and not fits(other, getattr(type(self), "kind_name", None) or type(self).numpy.__name__):
            return np.bool_(compute(int(self), int(other)))  # an integer that the type does not hold keeps its size
        scalar, kind = _result(type(self), type(other), floating)
        if quiet:  # additions and the like may wrap, which NumPy warns of
            with np.errstate(all="ignore"):
                return finish(_cast(self, scalar), _cast(other, scalar), kind, swapped)
        return finish(_cast(self, scalar), _cast(other, scalar), kind, swapped)

    def finish(a, b, kind, swapped):
        try:
            out = compute(b, a) if swapped else compute(a, b)
        except ZeroDivisionError:  # of Python's integers; NumPy's give 0
            out = 0
        if compares:
            return out
        return kind(out) if kind is Boolean or hasattr(kind, "kind_name") else _make(kind, _cast(out, kind.numpy))

    def reflected(self, other):
        return of(self, other, True)
    of.__name__, reflected.__name__ = f"__{name}__", f"__r{name}__"
    return of, reflected


def _unusual(a, b):
    """None: the pair of types is computed in full."""


def _like(x, made):
    """A NumPy scalar as a number; of a float that NumPy lacks as one of its type."""
    return type(x)(made) if hasattr(type(x), "kind_name") else number(made)


class Number:
    """What all number types share: arithmetic, and conversion by .to(). They copy it, since NumPy's scalars of integers fail with
    a base class in front of them."""

    def to(self, dtype, **_):
        """The number as another type; too large integers keep their lower bits."""
        made = number_type(dtype)
        with np.errstate(all="ignore"):
            if hasattr(made, "kind_name"):
                return made(self.numpy(self))
            return number(np.asarray(_cast(self.numpy(self), np.dtype(made).type)).astype(np.dtype(made))[()])

    def ir_value(self, **_):
        """The number itself; in NVIDIA's DSL a value of its compiler."""
        return self

    def _value(self):
        return int(self) if type(self).is_integer else float(self)

    def __neg__(self):
        with np.errstate(all="ignore"):
            return _like(self, -self.numpy(self))

    def __abs__(self):
        return _like(self, abs(self.numpy(self)))

    def __invert__(self):
        return _like(self, ~self.numpy(self))

    def __divmod__(self, other):
        return other.divmod(self) if hasattr(other, "divmod") else (self // other, self % other)

    def __rdivmod__(self, other):
        return other // self, other % self

    def __pow__(self, other):
        return _like(self, np.power(self.numpy(self), other))

    def __str__(self):
        return str(int(self)) if type(self).is_integer else str(self.numpy(self))

    def __format__(self, spec):
        return format(self.item() if hasattr(self, "item") else int(self), spec) if spec else str(self)

    __repr__ = __str__


for _name, _compute in [("add", operator.add), ("sub", operator.sub), ("mul", operator.mul), ("floordiv", operator.floordiv),
                        ("mod", operator.mod), ("and", operator.and_), ("or", operator.or_), ("xor", operator.xor),
                        ("lshift", operator.lshift), ("rshift", operator.rshift)]:
    _of, _reflected = _binary(_name, _compute)
    setattr(Number, f"__{_name}__", _of)
    setattr(Number, f"__r{_name}__", _reflected)
Number.__truediv__, Number.__rtruediv__ = _binary("truediv", operator.truediv, floating=True)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Number, f"__{_name}__", _binary(_name, getattr(operator, _name), compares=True)[0])


def _new(cls, x=0):
    made = fast_new(cls, x)
    if made is not None:
        return made
    if isinstance(x, Value):
        return x.to(cls)
    if type(x) is float and x - x != 0 and issubclass(cls.numpy, np.integer):
        raise (ValueError if x != x else OverflowError)(f"{cls.__name__}({x}): an integer is made of a finite number")
    with np.errstate(all="ignore"):
        x = _cast(x, cls.numpy) if isinstance(x, int) else x
        return _make(cls, np.asarray(x).astype(np.dtype(cls.numpy))[()] if not isinstance(x, str) else x)


def _type(name, numpy):
    shared = {n: f for n, f in vars(Number).items() if callable(f) or n == "value"}
    made = NumberType(name, (numpy,), {**shared, "numpy": numpy, "__new__": _new, "__hash__": numpy.__hash__, "__module__": __name__,
                                              "__doc__": f"A number of {8 * np.dtype(numpy).itemsize} bits, as NumPy's {numpy.__name__}."})
    TYPES[np.dtype(numpy).name] = _OF_SCALAR[numpy] = made
    return made


#: The number as Python's.
Number.value = property(Number._value, doc="The number as Python's; of one that the GPU knows the number itself.")


Float64, Float32, Float16 = _type("Float64", np.float64), _type("Float32", np.float32), _type("Float16", np.float16)
Int64, Int32, Int16, Int8 = (_type(f"Int{8 * np.dtype(t).itemsize}", t) for t in (np.int64, np.int32, np.int16, np.int8))
Uint64, Uint32, Uint16, Uint8 = (_type(f"Uint{8 * np.dtype(t).itemsize}", t) for t in (np.uint64, np.uint32, np.uint16, np.uint8))


class Boolean(metaclass=NumberType):
    """True or false, as NumPy's bool_."""

    numpy = np.bool_
    dtype = np.dtype(np.bool_)

    def __new__(cls, x=False):
        return x.to(cls) if isinstance(x, Value) else Truth(x)


def _new_narrow(cls, x=0):
    if isinstance(x, Value):
        return x.to(cls)
    with np.errstate(all="ignore"):
        return np.float32.__new__(cls, decoded(encoded(np.float32(x), cls.kind_name), cls.kind_name)[()])


def _narrow(name, kind, bits, what):
    """A float that NumPy lacks: a float32 that is rounded to its numbers."""
    shared = {n: f for n, f in vars(Number).items() if callable(f) or n == "value"}
    return NumberType(name, (np.float32,), {**shared, "numpy": np.float32, "kind_name": kind, "bits": bits, "letter": "f", "__new__": _new_narrow,
                                            "__hash__": np.float32.__hash__, "__module__": __name__, "__doc__": what})


BFloat16 = _narrow("BFloat16", "bfloat16", 16, "The float of 16 bits with the range of float32.")
Float8E4M3FN = _narrow("Float8E4M3FN", "float8_e4m3fn", 8, "The float of 8 bits with 4 bits of exponent, whose largest number is 448.")
TFloat32 = _narrow("TFloat32", "tfloat32", 32, "The float of 32 bits of which matrix operations take 19: a float32 that is rounded to them.")
Float8E8M0FNU = _narrow("Float8E8M0FNU", "float8_e8m0fnu", 8, "A power of two, 2^-127 to 2^127: the scale of a block. Other numbers become the next larger one.")
Float6E2M3FN = _narrow("Float6E2M3FN", "float6_e2m3fn", 6, "The float of 6 bits with 2 bits of exponent, up to 7.5; an element is a byte here.")
Float6E3M2FN = _narrow("Float6E3M2FN", "float6_e3m2fn", 6, "The float of 6 bits with 3 bits of exponent, up to 28; an element is a byte here.")
Float4E2M1FN = _narrow("Float4E2M1FN", "float4_e2m1fn", 4, "The float of 4 bits, up to 6; two are stored in a byte, the first in the low half.")
Float8E5M2 = _narrow("Float8E5M2", "float8_e5m2", 8, "The float of 8 bits with 5 bits of exponent.")


def _new_integer(cls, x=0):
    return x.to(cls) if isinstance(x, Value) else cls.numpy.__new__(cls, wrapped(x, *INTEGERS[cls.kind_name]))


def _integer(name, numpy, what):
    """An integer that NumPy lacks: one of NumPy's, or Python's, that is wrapped to its bits."""
    shared = {n: f for n, f in vars(Number).items() if callable(f) or n == "value"}
    bits, signed = INTEGERS[name.lower()]
    made = NumberType(name, (numpy,), {**shared, "numpy": numpy, "kind_name": name.lower(), "bits": bits, "letter": "i" if signed else "u",
                                       "__new__": _new_integer, "__hash__": numpy.__hash__, "__module__": __name__, "__doc__": what})
    TYPES[made.kind_name] = made
    return made


Int4 = _integer("Int4", np.int8, "The integer of 4 bits, -8 to 7; two are stored in a byte.")
Uint4 = _integer("Uint4", np.uint8, "The integer of 4 bits without a sign, 0 to 15; two are stored in a byte.")
Int128 = _integer("Int128", int, "The integer of 128 bits.")
Uint128 = _integer("Uint128", int, "The integer of 128 bits without a sign.")


class _Named(metaclass=NumberType):
    """A type of elements that has no numbers here."""

    kind_name, bits, letter = "", 8, "f"

    def __new__(cls, x=0):
        raise TypeError(f"{cls.__name__} has no numbers here; kernels move such elements as integers of {cls.bits} bits, and compute in "
                        "Float16 or wider types")


def _named(name, kind, bits, letter, what):
    return NumberType(name, (_Named,), {"kind_name": kind, "bits": bits, "letter": letter, "__module__": __name__, "__doc__": what})


Float8E4M3 = _named("Float8E4M3", "float8_e4m3", 8, "f", "The float of 8 bits with 4 bits of exponent and infinity: a name to compare with.")
Float8E4M3B11FNUZ = _named("Float8E4M3B11FNUZ", "float8_e4m3b11fnuz", 8, "f", "The float of 8 bits with the bias 11: a name to compare with.")
Float4E2M1FNx2 = _named("Float4E2M1FNx2", "float4_e2m1fn_x2", 8, "f", "Two floats of 4 bits in a byte: a name to compare with.")


TYPES["bool"], TYPES["bfloat16"] = Boolean, BFloat16
for _type in (Float8E4M3FN, Float8E5M2, Float8E8M0FNU, Float6E2M3FN, Float6E3M2FN, Float4E2M1FN, TFloat32):
    TYPES[_type.kind_name] = _type
NUMBERS = {t.__name__: t for t in (Float64, Float32, Float16, BFloat16, Float8E4M3FN, Float8E5M2, Int64, Int32, Int16, Int8, Uint64,
                                   Uint32, Uint16, Uint8, Boolean, Float8E4M3, Float8E8M0FNU, Float6E2M3FN, Float6E3M2FN, Float4E2M1FN,
                                   TFloat32, Int4, Uint4, Int128, Uint128, Float8E4M3B11FNUZ, Float4E2M1FNx2)}


class _Family(type):
    """The type of families of number types: a number type is a subclass of its families, and its numbers are instances."""

    def __subclasscheck__(cls, other):
        return cls is other or isinstance(other, NumberType) and other._letter in cls.letters

    def __instancecheck__(cls, x):
        if isinstance(x, Value):
            return _letter_of_kind(x.kind) in cls.letters
        return isinstance(type(x), NumberType) and type(x)._letter in cls.letters or isinstance(x, Truth) and "b" in cls.letters


def _letter_of_kind(kind):
    return "i" if kind == "index" else "f" if kind in FLOATS else "b" if kind == "bool" else TYPES[kind]._letter


class Numeric(metaclass=_Family):
    """All number types: isinstance(Float32(1), Numeric), issubclass(Int8, Numeric).

    >>> isinstance(Float32(1), Numeric), issubclass(Int8, Numeric), isinstance(1.0, Numeric)
    (True, True, False)
    """

    letters = "bfiu"

    @staticmethod
    def from_python(value):
        """A number of Python as the type that it has in a kernel: Boolean, Int32 (Int64 where it needs more bits) or Float32.

        >>> type(Numeric.from_python(1.5)), type(Numeric.from_python(1 << 40))
        (Float32, Int64)
        """
        if isinstance(value, bool):
            return Boolean(value)
        if isinstance(value, int):
            return (Int32 if -1 << 31 <= value < 1 << 31 else Int64)(value)
        if isinstance(value, float):
            return Float32(value)
        if isinstance(value, Numeric):
            return value
        raise TypeError(f"a {type(value).__name__} is no number of Python's that a kernel takes: bool, int or float")


class Integer(metaclass=_Family):
    """The types of integers.

    >>> issubclass(Int8, Integer), isinstance(Float32(1), Integer)
    (True, False)
    """

    letters, zero = "iu", 0


class Float(metaclass=_Family):
    """The types of floats.

    >>> issubclass(BFloat16, Float), isinstance(Int32(1), Float)
    (True, False)
    """

    letters, zero = "f", 0.0

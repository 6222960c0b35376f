"""Values of a traced kernel: numbers that are known on the GPU only. Arithmetic with them writes lines of the kernel."""
import contextvars
import operator

import numpy as np

from ._cute_packed import INTEGERS, PACKED

_active = contextvars.ContextVar("trace", default=None)


def active():
    """The trace that is being made; None outside of one."""
    return _active.get()


#: Element types in kernels: name -> (type in CUDA C++, is it computed as float?)
TYPES = {"float64": "double", "float32": "float", "float16": "tilewright::half_t", "bfloat16": "tilewright::bfloat16_t",
         "float8_e4m3fn": "tilewright::float_e4m3_t", "float8_e5m2": "tilewright::float_e5m2_t", "float4_e2m1fn": "tilewright::float_e2m1_t",
         "float6_e2m3fn": "tilewright::float_e2m3_t", "float6_e3m2fn": "tilewright::float_e3m2_t", "float8_e8m0fnu": "tilewright::float_ue8m0_t",
         "tfloat32": "tilewright::tfloat32_t",
         "int64": "long long", "int32": "int", "int16": "short", "int8": "signed char", "uint64": "unsigned long long",
         "uint32": "unsigned", "uint16": "unsigned short", "uint8": "unsigned char", "bool": "bool", "index": "long long",
         "int4": "tilewright::int4b_t", "uint4": "tilewright::uint4b_t", "int128": "__int128", "uint128": "unsigned __int128"}
#: Integers of two words, which a thread keeps to itself.
WIDE = ("int128", "uint128")
#: Floats of the library: name -> bytes. They are computed as float.
NARROW = {"float16": 2, "bfloat16": 2, "float8_e4m3fn": 1, "float8_e5m2": 1, "float6_e2m3fn": 1, "float6_e3m2fn": 1, "float8_e8m0fnu": 1, "tfloat32": 4,
          "float4_e2m1fn": 0.5}
FLOATS = ("float64", "float32", *NARROW)


def kind_of(dtype):
    """The name of an element type of NumPy or PyTorch.  Raises TypeError for one that kernels on a GPU do not compute with."""
    name = getattr(dtype, "kind_name", None) or str(dtype).replace("torch.", "")
    if name not in TYPES and not hasattr(dtype, "kind_name"):
        try:
            name = np.dtype(dtype).name
        except TypeError:
            pass
    if name not in TYPES or name == "index":
        raise TypeError(f"a kernel on a GPU cannot have elements of {name}; use one of {', '.join(n for n in TYPES if n != 'index')}")
    return name


class Truth(int):
    """True or false, as Boolean(x) gives it: an integer of 0 or 1 with the DSL's methods, since Python's own bool has no others."""

    def __new__(cls, x=False):
        return int.__new__(cls, bool(x))

    def ir_value(self, **_):
        """The value itself; in NVIDIA's DSL a value of its compiler."""
        return self

    @property
    def value(self):
        """The same as Python's bool."""
        return bool(self)

    def to(self, dtype, **_):
        """The same as another type: 0 or 1."""
        return dtype(int(self))

    @property
    def dtype(self):
        """NumPy's type of it."""
        return np.dtype(np.bool_)

    def _joined(self, other, compute):
        if isinstance(other, (bool, Truth, np.bool_)):
            return Truth(compute(bool(self), bool(other)))
        return NotImplemented if isinstance(other, Value) else compute(int(self), other)

    def __and__(self, other):
        return self._joined(other, operator.and_)

    def __or__(self, other):
        return self._joined(other, operator.or_)

    def __xor__(self, other):
        return self._joined(other, operator.xor)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self):
        return Truth(not self)

    def __repr__(self):
        return str(bool(self))

    __str__ = __repr__


def bytes_of(kind):
    """The bytes of an element of that type."""
    return NARROW[kind] if kind in NARROW else 8 if kind == "index" else 16 if kind in WIDE else 0.5 if kind in PACKED else np.dtype(kind).itemsize


def pointed(kind):
    """What a pointer to elements of that type points to in CUDA C++: those of 4 bits are parts of bytes."""
    return "unsigned char" if kind in PACKED else TYPES[kind]


def computed_as(kind):
    """The type in which numbers of that type are computed, and then rounded or wrapped."""
    return "float32" if kind in NARROW else "int32" if kind in PACKED else kind


def _joint_integers(a, b):
    """The type of two integers' result, one of which NumPy lacks: of 4 bits it gives way to a wider one, of 128 bits it does not."""
    if {a, b} <= set(PACKED):
        return "int8"
    if a in PACKED or b in PACKED:
        small, other = (a, b) if a in PACKED else (b, a)
        return other if other in INTEGERS or np.dtype(other).kind == "i" or small == "uint4" else np.result_type(other, "int8").name
    return "uint128" if "uint128" in (a, b) else "int128"


def constant_text(x, kind):
    """A Python number as a constant of that type."""
    if kind in FLOATS:
        x = float(x)
        if x != x or x in (float("inf"), float("-inf")):
            text = "__longlong_as_double(%dLL)" % np.float64(x).view(np.int64)
        else:
            text = x.hex() if abs(x) > 0 else repr(x)  # hexadecimal: exact
        return text if kind == "float64" else f"({TYPES[kind]})({text})"
    if kind == "bool":
        return "true" if x else "false"
    x = int(x)
    if kind in WIDE:
        words = [x >> shift & (1 << 64) - 1 for shift in (64, 0)]
        return f"({TYPES[kind]})((unsigned __int128){words[0]}ULL << 64 | {words[1]}ULL)"
    if kind == "uint64":
        return f"{x}ULL"
    if kind in ("index", "int64"):
        return f"{x}LL" if x != -2**63 else "(-9223372036854775807LL - 1)"
    return f"({TYPES[kind]})({x}LL)"


def fits(x, kind):
    """Does a type of integers hold an integer of Python?"""
    if kind in INTEGERS:
        bits, signed = INTEGERS[kind]
        return -(1 << bits - 1) <= x < 1 << bits - 1 if signed else 0 <= x < 1 << bits
    limits = np.iinfo(np.int64 if kind == "index" else kind)
    return limits.min <= x <= limits.max


_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_SHORT = ("int8", "int16", "int32", "uint8", "uint16", "uint32")


def is_number(x):
    return isinstance(x, (Value, bool, int, float, np.number, np.bool_))


def joint_kind(a, b, floating=False):
    """The type of a result: Python's numbers (index, and float64 of a constant) give way to element types."""
    if a == b:
        out = a
    elif a in ("index", "bool") and b not in ("index", "bool"):
        out = b
    elif b in ("index", "bool") and a not in ("index", "bool"):
        out = a
    elif {a, b} == {"index", "bool"}:
        out = "index"
    elif (a in FLOATS) != (b in FLOATS):  # an integer gives way to a float
        out = a if a in FLOATS else b
    elif a in NARROW or b in NARROW:
        out = "float64" if "float64" in (a, b) else "float32"
    elif a in INTEGERS or b in INTEGERS:
        out = _joint_integers(a, b)
    else:
        out = np.result_type(a, b).name
    if floating and out not in FLOATS:
        out = "float64"
    return out


def kind_of_number(x):
    if isinstance(x, Value):
        return x.kind
    if hasattr(x, "kind_name"):
        return x.kind_name
    return x.dtype.name if isinstance(x, (np.generic, Truth)) else "bool" if isinstance(x, bool) else "index" if isinstance(x, int) else "float64"


def joint(a, b):
    """The type of a variable that is a or b; Python's float gives way to an element type."""
    if isinstance(a, float) and isinstance(b, Value) and b.kind in FLOATS:
        return b.kind
    if isinstance(b, float) and isinstance(a, Value) and a.kind in FLOATS:
        return a.kind
    return joint_kind(kind_of_number(a), kind_of_number(b))


def is_positive(x):
    return x.positive if isinstance(x, Value) else x >= 0


class Value:
    """A number of the kernel, in a variable that is never assigned again. `positive`: it is known to be 0 or more."""

    __slots__ = ("trace", "name", "kind", "positive")

    def __init__(self, trace, name, kind, positive=False):
        self.trace, self.name, self.kind, self.positive = trace, name, kind, positive

    @property
    def __tilewright_name__(self):
        """In layouts, an integer of the kernel is a symbol of that name."""
        if self.kind not in ("index", "int64", "int32", "int16", "int8", "uint32", "uint16", "uint8", *PACKED):
            raise TypeError(f"a coordinate is an integer, and {self.name} is a {self.kind}")
        return self.name if self.kind == "index" else self.trace.let("index", self.name, self.positive).name

    @property
    def dtype(self):
        """The name of the number's type."""
        return self.kind

    def ir_value(self, **_):
        """The number itself; in NVIDIA's DSL a value of its compiler."""
        return self

    @property
    def value(self):
        """The number itself."""
        return self

    def to(self, dtype, **_):
        """The number as another type."""
        kind = kind_of(dtype)
        return self.trace.let(kind, f"({TYPES[kind]})({self.trace.number(self)})")

    def _with(self, other, operator, swapped=False, floating=False):
        if isinstance(other, str):  # an extent or a stride that the kernel computes
            other = self.trace.from_text(other)
        if isinstance(other, (bool, int, float, np.number, np.bool_)):
            if operator in "+-" and self.kind == "index" and type(other) is int and other == 0 and not swapped or \
                    operator == "+" and self.kind == "index" and type(other) is int and other == 0:
                return self
            theirs = kind_of_number(other)
            kind = joint_kind(self.kind, theirs, floating)
            if isinstance(other, float) and self.kind in FLOATS:
                kind = self.kind
            positive = other >= 0
            if operator in _COMPARISONS and isinstance(other, int) and kind in _SHORT and not fits(other, kind):
                kind = "int64"  # an integer that the type does not hold keeps its size
        elif isinstance(other, Value):
            kind, positive = joint_kind(self.kind, other.kind, floating), other.positive
        else:
            return NotImplemented
        of = computed_as(kind) if kind in NARROW or kind in PACKED else "index" if kind == "bool" and not isinstance(other, (bool, Truth, Value)) else kind
        a, b = self.trace.operand(self, of), self.trace.operand(other, of)
        return self.trace.combine(operator, a, b, kind, self.positive and positive, swapped)

    def __add__(self, other):
        return self._with(other, "+")

    def __radd__(self, other):
        return self._with(other, "+", True)

    def __sub__(self, other):
        return self._with(other, "-")

    def __rsub__(self, other):
        return self._with(other, "-", True)

    def __mul__(self, other):
        return self._with(other, "*")

    def __rmul__(self, other):
        return self._with(other, "*", True)

    def __floordiv__(self, other):
        return self._with(other, "//")

    def __rfloordiv__(self, other):
        return self._with(other, "//", True)

    def __mod__(self, other):
        return self._with(other, "%")

    def __rmod__(self, other):
        return self._with(other, "%", True)

    def __truediv__(self, other):
        return self._with(other, "/", floating=True)

    def __rtruediv__(self, other):
        return self._with(other, "/", True, floating=True)

    def __divmod__(self, other):
        return other.divmod(self) if hasattr(other, "divmod") else (self // other, self % other)

    def __rdivmod__(self, other):
        return other // self, other % self

    def __pow__(self, other):
        if isinstance(other, int) and 0 <= other <= 64:
            out = 1
            for bit in bin(other)[2:]:
                out = out * out if isinstance(out, Value) else 1
                out = out * self if bit == "1" else out
            return out
        return self.trace.power(self, other)

    def __rpow__(self, other):
        return 1 << self if other == 2 and self.kind not in FLOATS else self.trace.power(other, self)

    def __round__(self, digits=None):
        if digits:
            self._refuse("round() to digits")
        return self if self.kind not in FLOATS else self.trace.let("index", f"(long long)rint({self.trace.number(self)})")

    def __array_ufunc__(self, function, method, *inputs, **_):
        """NumPy's scalars ask for arithmetic with a value of the kernel; functions of NumPy do not compute on a GPU."""
        compute = _UFUNCS.get(function.__name__)
        if method != "__call__" or compute is None or len(inputs) != 2:
            raise TypeError(f"np.{function.__name__} computes on the host, and {self.trace.describe(self)} is known on the GPU only; "
                            f"cute.math has functions for kernels{self.trace.where()}")
        a, b = (x.item() if isinstance(x, np.ndarray) and x.ndim == 0 else x for x in inputs)
        return compute(a, b) if isinstance(a, Value) else _REFLECTED[function.__name__](b, a)

    def __and__(self, other):
        return self._with(other, "&")

    def __or__(self, other):
        return self._with(other, "|")

    def __xor__(self, other):
        return self._with(other, "^")

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self):
        return self.trace.negated(self) if self.kind == "bool" else self.trace.let(
            self.kind, f"({TYPES[self.kind]})(~{self.name})")

    def __rlshift__(self, other):
        return self._with(other, "<<", True)

    def __rrshift__(self, other):
        return self._with(other, ">>", True)

    def __lshift__(self, other):
        return self._with(other, "<<")

    def __rshift__(self, other):
        return self._with(other, ">>")

    def __neg__(self):
        return 0 - self

    def __pos__(self):
        return self

    def __abs__(self):
        text = self.trace.number(self)
        return self.trace.let(self.kind, f"{text} < 0 ? -({text}) : {text}", positive=True)

    def __eq__(self, other):
        return self._with(other, "==")

    def __ne__(self, other):
        return self._with(other, "!=")

    def __lt__(self, other):
        return self._with(other, "<")

    def __le__(self, other):
        return self._with(other, "<=")

    def __gt__(self, other):
        return self._with(other, ">")

    def __ge__(self, other):
        return self._with(other, ">=")

    __hash__ = None

    def _refuse(self, what):
        raise TypeError(f"{what} needs a number that is known when the kernel is traced, and {self.trace.describe(self)} is known "
                        f"on the GPU only{self.trace.where()}")

    def __bool__(self):
        self._refuse("this condition (write it in a @cute.kernel or @cute.jit function whose source can be read, and loops with exits "
                     "without else, try and with)")

    def __index__(self):
        self._refuse("an integer here (loops over it: cutlass.range)")

    def __float__(self):
        self._refuse("float() (x.to(cutlass.Float32) converts, cute.math has functions)")

    __int__ = __index__

    def __repr__(self):
        return f"<{self.kind} of the kernel: {self.name}>"


_NAMES = {"add": "add", "subtract": "sub", "multiply": "mul", "true_divide": "truediv", "divide": "truediv", "floor_divide": "floordiv",
          "remainder": "mod", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor", "left_shift": "lshift",
          "right_shift": "rshift"}
_COMPARED = {"less": "gt", "less_equal": "ge", "greater": "lt", "greater_equal": "le", "equal": "eq", "not_equal": "ne"}
_UFUNCS = {n: getattr(Value, f"__{of}__") for n, of in _NAMES.items()}
_REFLECTED = {n: getattr(Value, f"__r{of}__") for n, of in _NAMES.items()}
for _n, _of in _COMPARED.items():  # x < value is value > x
    _REFLECTED[_n] = getattr(Value, f"__{_of}__")
    _UFUNCS[_n] = getattr(Value, "__" + {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge"}.get(_of, _of) + "__")

"""cute.arch: integer arithmetic that carries, saturates or uses 24 bits, funnel shifts, and products of halves that are added.

    low = add_cc(a0, b0); high = addc(a1, b1)      a number of 64 bits in two of 32
    mul24(Int32(5), Int32(-3))                     -15, of the lowest 24 bits of each
"""
from ._cute_launch import thread_of
from ._cute_numbers import BFloat16, Float16, Float32, Int32, Int64, number_type, Uint32, Uint64
from ._cute_ssa import larger, smaller
from ._cute_values import active, kind_of_number, Value

_WORDS = {"int32": Int32, "uint32": Uint32, "int64": Int64, "uint64": Uint64}
_UNSIGNED = {32: Uint32, 64: Uint64}


def _type_of(name, *values):
    """The integer type of operands: that of the first one that is no integer of Python."""
    kinds = [kind_of_number(v) for v in values if isinstance(v, Value) or type(v) is not int]
    kind = {"index": "int64", "bool": "int32"}.get(kinds[0], kinds[0]) if kinds else "int32"
    if kind not in _WORDS:
        raise TypeError(f"{name} is of integers of 32 or 64 bits, and an operand is a {kind}")
    return _WORDS[kind]


class _Carry:
    """The bit that add_cc and its like leave for the next operation: of a thread on the CPU, a variable of a traced kernel."""

    @staticmethod
    def get(made):
        trace = active()
        return made(thread_of("addc").carry) if trace is None else made(trace.let("uint32", _Carry._name(trace)))

    @staticmethod
    def set(bit):
        trace = active()
        if trace is None:
            thread_of("add_cc").carry = int(bit)
        else:
            trace.line(f"{_Carry._name(trace)} = {trace.converted(bit, 'uint32')};")

    @staticmethod
    def _name(trace):
        if not hasattr(trace, "carry"):
            trace.carry = trace.name("carry")
            trace.arrays.append(f"unsigned {trace.carry} = 0u;")
        return trace.carry


def _added(made, a, b, carry=0):
    """a + b + carry in the bits of the type; the carry is kept."""
    of = _UNSIGNED[made.width]
    a, b = of(a), of(b)
    first = of(a + b)
    total = of(first + of(carry))
    _Carry.set(Uint32(first < a) | Uint32(total < first))
    return made(total)


def _taken(made, a, b, borrow=0):
    of = _UNSIGNED[made.width]
    a, b = of(a), of(b)
    first = of(a - b)
    total = of(first - of(borrow))
    _Carry.set(Uint32(a < b) | Uint32(first < of(borrow)))
    return made(total)


def _low_product(made, a, b):
    of = _UNSIGNED[made.width]
    return of(of(a) * of(b))


def _of_24_bits(made, x):
    """The lowest 24 bits of a number, with their sign if the type has one."""
    return made(made(made(x) << 8) >> 8)


def _fma(a, b, c, made):
    """a * b + c, rounded once on the CPU: a product of two halves is exact in Float32."""
    return made(Float32(a) * Float32(b) + Float32(c))


class Arithmetic:
    """Part of cute.arch."""

    @staticmethod
    def mul24(a, b, hi=False, **_):
        """The product of the lowest 24 bits of two numbers: its bits 0 to 31, or 16 to 47."""
        made = _type_of("mul24", a, b)
        if made.width != 32:
            raise TypeError(f"mul24 is of Int32 and Uint32, and not of {made!r}")
        wide = Int64 if made is Int32 else Uint64
        product = wide(_of_24_bits(made, a)) * wide(_of_24_bits(made, b))
        return made(product >> 16) if hi else made(product)

    @staticmethod
    def mad24(a, b, c, hi=False, **_):
        """mul24(a, b, hi) + c."""
        made = _type_of("mad24", a, b, c)
        return made(Arithmetic.mul24(made(a), made(b), hi) + made(c))

    @staticmethod
    def add_cc(a, b, **_):
        """a + b; addc adds its carry to the next sum."""
        return _added(_type_of("add_cc", a, b), a, b)

    @staticmethod
    def addc(a, b, **_):
        """a + b and the carry of the sum before."""
        made = _type_of("addc", a, b)
        return _added(made, a, b, _Carry.get(_UNSIGNED[made.width]))

    @staticmethod
    def sub_cc(a, b, **_):
        """a - b; subc takes its borrow from the next difference."""
        return _taken(_type_of("sub_cc", a, b), a, b)

    @staticmethod
    def subc(a, b, **_):
        """a - b less the borrow of the difference before."""
        made = _type_of("subc", a, b)
        return _taken(made, a, b, _Carry.get(_UNSIGNED[made.width]))

    @staticmethod
    def mad_cc(a, b, c, **_):
        """The lower half of a * b, plus c; its carry is kept."""
        made = _type_of("mad_cc", a, b, c)
        return _added(made, _low_product(made, a, b), c)

    @staticmethod
    def madc(a, b, c, **_):
        """The lower half of a * b, plus c and the carry before."""
        made = _type_of("madc", a, b, c)
        return _added(made, _low_product(made, a, b), c, _Carry.get(_UNSIGNED[made.width]))

    @staticmethod
    def add_sat_int(a, b, **_):
        """The sum of two Int32, the nearest number of the type."""
        return Int32(larger(smaller(Int64(a) + Int64(b), Int64(0x7fffffff)), Int64(-0x80000000)))

    @staticmethod
    def sub_sat_int(a, b, **_):
        """The difference of two Int32, the nearest number of the type."""
        return Int32(larger(smaller(Int64(a) - Int64(b), Int64(0x7fffffff)), Int64(-0x80000000)))

    @staticmethod
    def shf(a, b, shift, kind="l", **_):
        """32 bits of a (the upper half) and b (the lower): the upper ones after a shift to the left ('l'), or the lower ones after one to the right
        ('r'), by the lowest five bits of `shift`; 'clamp_left' and 'clamp_right' by at most 32."""
        if kind not in ("l", "r", "clamp", "clamp_left", "clamp_right"):
            raise ValueError(f"there is no funnel shift {kind!r}; there are 'l', 'r', 'clamp_left' and 'clamp_right'")
        made = _type_of("shf", a, b)
        both = Uint64(Uint32(a)) << 32 | Uint64(Uint32(b))
        by = smaller(Uint32(shift), Uint32(32)) if "clamp" in kind else Uint32(shift) & 31
        left = kind in ("l", "clamp", "clamp_left")
        return made(Uint32((both << Uint64(by)) >> 32 if left else both >> Uint64(by)))

    @staticmethod
    def fma_f16(a, b, c, **_):
        """a * b + c of Float16."""
        return _fma(a, b, c, Float16)

    @staticmethod
    def fma_bf16(a, b, c, **_):
        """a * b + c of BFloat16."""
        return _fma(a, b, c, BFloat16)

    @staticmethod
    def fma_packed_f16x2(a, b, c, **_):
        """a * b + c of pairs of Float16."""
        return tuple(_fma(*x, Float16) for x in zip(a, b, c))

    @staticmethod
    def fma_packed_bf16x2(a, b, c, **_):
        """a * b + c of pairs of BFloat16."""
        return tuple(_fma(*x, BFloat16) for x in zip(a, b, c))

    @staticmethod
    def atomic_max_float32(ptr, value, *, positive_only=True, **_):
        """atomic_fmax by its earlier name."""
        from ._cute_atomics import Atomics
        return Atomics.atomic_fmax(ptr, number_type(Float32)(value))

"""cute.arch: operations on the bits of integers, the lanes of a warp as bits, and what a thread reads from the multiprocessor it runs on.

    bfe(Uint32(0x12345678), 8, 4)   Uint32(6): bits 8 … 11
    match_sync(mask, value)         the lanes that have the same value, as bits
"""
import time

import numpy as np

from ._cute_launch import WARP, thread_of
from ._cute_numbers import Int32, Int64, number_type, Uint32
from ._cute_values import active, kind_of_number, TYPES, Value

_WIDER = {"int16": "int32", "uint16": "uint32", "int32": "int64", "uint32": "uint64"}


def _kind(x):
    """The integer type of a number; Python's integers are Int32."""
    kind = kind_of_number(x)
    kind = "int64" if isinstance(x, Value) and kind == "index" else "int32" if kind in ("index", "bool") else kind
    if np.dtype(kind).kind not in "iu":
        raise TypeError(f"the operation is of integers, and {x!r} is a {kind}")
    return kind


def _traced(*values):
    return any(isinstance(v, Value) for v in values)


def _bits(x, width):
    return int(x) & ((1 << width) - 1)


def _width(kind):
    return 8 * np.dtype(kind).itemsize


def _let(kind, text):
    return active().let(kind, text)


def _register(kind, name, made):
    """A special register of PTX; on the CPU what `made` gives."""
    trace = active()
    if not trace:
        return made()
    value, wide = trace.name("v"), _width(kind) == 64
    trace.kinds.add(kind)
    trace.line(f"{TYPES[kind]} {value}; asm volatile(\"mov.{'u64' if wide else 'u32'} %0, %%{name};\" : \"={'l' if wide else 'r'}\"({value}));")
    return Value(trace, value, kind)


class Bits:
    """Part of cute.arch."""

    @staticmethod
    def clz(value, **_):
        """The number of zeros above the highest bit that is set."""
        kind = _kind(value)
        width = _width(kind)
        if _traced(value):
            return _let("uint32", f"(unsigned)__clz{'ll' if width == 64 else ''}({active().converted(value, f'int{width}')})")
        return Uint32(width - _bits(value, width).bit_length())

    @staticmethod
    def brev(value, **_):
        """The bits in the other order."""
        kind = _kind(value)
        width = _width(kind)
        if _traced(value):
            return _let(kind, f"({TYPES[kind]})__brev{'ll' if width == 64 else ''}({active().converted(value, f'uint{width}')})")
        return number_type(kind)(np.array(int(f"{_bits(value, width):0{width}b}"[::-1], 2), f"u{width // 8}").astype(kind)[()])

    @staticmethod
    def bfind(value, **_):
        """The number of the highest bit that is 1, of a negative number of the highest that is 0; 0xffffffff without such a bit."""
        kind = _kind(value)
        width, signed = _width(kind), kind.startswith("int")
        if _traced(value):
            x = active().converted(value, kind)
            x = f"(({x}) < 0 ? ~({x}) : ({x}))" if signed else f"({x})"
            return _let("uint32", f"(unsigned)({width - 1} - __clz{'ll' if width == 64 else ''}((int{width}_t){x}))".replace(
                "int64_t", "long long").replace("int32_t", "int"))
        x = ~int(value) if signed and int(value) < 0 else _bits(value, width)
        return Uint32((x.bit_length() - 1) & 0xffffffff)

    @staticmethod
    def bfe(value, start, length, **_):
        """`length` bits from bit `start` on, as a number of the value's type: its highest bit is the sign."""
        kind = _kind(value)
        width, signed = _width(kind), kind.startswith("int")
        if _traced(value, start, length):
            trace, made, wide = active(), active().name("v"), width == 64
            trace.kinds.add(kind)
            letter = "l" if wide else "r"
            trace.line(f"{TYPES[kind]} {made}; asm(\"bfe.{'s' if signed else 'u'}{width} %0, %1, %2, %3;\" : \"={letter}\"({made}) : "
                       f"\"{letter}\"({trace.converted(value, kind)}), \"r\"({trace.converted(start, 'uint32')}), "
                       f"\"r\"({trace.converted(length, 'uint32')}));")
            return Value(trace, made, kind)
        start, length, out = int(start) & 255, int(length) & 255, 0
        top = min(start + length - 1, width - 1)
        sign = int(value) >> top & 1 if signed and length else 0
        for i in range(width):
            bit = int(value) >> (start + i) & 1 if i < length and start + i < width else sign
            out |= bit << i
        return number_type(kind)(np.array(out, f"u{width // 8}").astype(kind)[()])

    @staticmethod
    def bfi(replacement, value, start, length, **_):
        """The value with `length` bits from bit `start` on taken from the replacement's lowest."""
        kind = _kind(value)
        width = _width(kind)
        if _traced(replacement, value, start, length):
            trace, made = active(), active().name("v")
            trace.kinds.add(kind)
            letter = "l" if width == 64 else "r"
            trace.line(f"{TYPES[kind]} {made}; asm(\"bfi.b{width} %0, %1, %2, %3, %4;\" : \"={letter}\"({made}) : "
                       f"\"{letter}\"({trace.converted(replacement, kind)}), \"{letter}\"({trace.converted(value, kind)}), "
                       f"\"r\"({trace.converted(start, 'uint32')}), \"r\"({trace.converted(length, 'uint32')}));")
            return Value(trace, made, kind)
        start, length = int(start) & 255, int(length) & 255
        field = ((1 << length) - 1) << start & ((1 << width) - 1)
        out = _bits(value, width) & ~field | int(replacement) << start & field
        return number_type(kind)(np.array(out, f"u{width // 8}").astype(kind)[()])

    @staticmethod
    def lop3(a, b, c, lut, **_):
        """The function of three bits that `lut` has a bit for: bit 4 a + 2 b + c, for each bit of the numbers."""
        if not isinstance(lut, int):
            raise TypeError("the table of lop3 is a number that is known when the kernel is traced")
        if _traced(a, b, c):
            trace, made = active(), active().name("v")
            trace.kinds.add("uint32")
            given = ", ".join(f"\"r\"({trace.converted(x, 'uint32')})" for x in (a, b, c))
            trace.line(f"unsigned {made}; asm(\"lop3.b32 %0, %1, %2, %3, {lut & 255};\" : \"=r\"({made}) : {given});")
            return Value(trace, made, "uint32")
        out = 0
        for i in range(32):
            out |= (lut >> ((int(a) >> i & 1) << 2 | (int(b) >> i & 1) << 1 | int(c) >> i & 1) & 1) << i
        return Uint32(out)

    @staticmethod
    def mul_wide(a, b, **_):
        """The product of two numbers of 16 or 32 bits, in twice as many."""
        kind = _kind(a)
        if kind not in _WIDER:
            raise TypeError(f"mul_wide is of numbers of 16 or 32 bits, and {a!r} is a {kind}")
        wide = _WIDER[kind]
        if _traced(a, b):
            trace = active()
            return trace.let(wide, f"({TYPES[wide]})({trace.converted(a, kind)}) * ({TYPES[wide]})({trace.converted(b, kind)})")
        return number_type(wide)(int(a) * int(b))

    # --- lanes ----------------------------------------------------------------------------------------------------------------
    @staticmethod
    def activemask(**_):
        """The lanes of the warp that are here together, as bits."""
        if active():
            return _let("uint32", "__activemask()")
        me = thread_of("activemask")
        me.asked_for["activemask"] = me.asked_for.get("activemask", 0) + 1
        here = me.block.exchanges.setdefault(("activemask", me.warp, me.warp_barriers, me.asked_for["activemask"]), set())
        here.add(me.index % WARP)
        me.converge()  # until all have come, or the others do not
        return Uint32(sum(1 << lane for lane in here))

    @staticmethod
    def match_sync(mask, value, kind="any", **_):
        """The lanes that have the same value as this one ('any'), or all lanes if all have the same, else 0 ('all'); as bits."""
        if kind not in ("any", "all"):
            raise ValueError(f"match_sync finds 'any' or 'all', and not {kind!r}")
        if active():
            trace, of = active(), _kind(value)
            given = f"{trace.converted(mask, 'uint32')}, {trace.converted(value, of)}"
            if kind == "any":
                return trace.let("uint32", f"__match_any_sync({given})")
            same = trace.name("same")
            trace.line(f"int {same};")
            return trace.let("uint32", f"__match_all_sync({given}, &{same})")
        me = thread_of("match_sync")
        given = me.exchanged(int(value), int(mask))
        equal = sum(1 << lane for lane, x in given.items() if x == int(value))
        everyone = sum(1 << lane for lane in given)
        return Uint32(equal if kind == "any" or equal == everyone else 0)

    @staticmethod
    def lanemask_eq(**_):
        """This lane's bit."""
        return _register("uint32", "lanemask_eq", lambda: Uint32(1 << _lane()))

    @staticmethod
    def lanemask_lt(**_):
        """The bits of the lanes below this one."""
        return _register("uint32", "lanemask_lt", lambda: Uint32((1 << _lane()) - 1))

    @staticmethod
    def lanemask_le(**_):
        """The bits of the lanes up to this one."""
        return _register("uint32", "lanemask_le", lambda: Uint32((2 << _lane()) - 1))

    @staticmethod
    def lanemask_gt(**_):
        """The bits of the lanes above this one."""
        return _register("uint32", "lanemask_gt", lambda: Uint32(0xffffffff & ~((2 << _lane()) - 1)))

    @staticmethod
    def lanemask_ge(**_):
        """The bits of this lane and those above."""
        return _register("uint32", "lanemask_ge", lambda: Uint32(0xffffffff & ~((1 << _lane()) - 1)))

    # --- the multiprocessor ---------------------------------------------------------------------------------------------------
    @staticmethod
    def smid(**_):
        """The number of the multiprocessor; the CPU is one."""
        return _register("int32", "smid", lambda: Int32(0))

    @staticmethod
    def nsmid(**_):
        """A number above those of all multiprocessors; the CPU is one."""
        return _register("int32", "nsmid", lambda: Int32(1))

    @staticmethod
    def physical_warp_id(**_):
        """The warp's place in the multiprocessor; on the CPU its number in the block."""
        return _register("int32", "warpid", lambda: Int32(thread_of("physical_warp_id").warp))

    @staticmethod
    def nwarpid(**_):
        """A number above those of all warps' places."""
        return _register("int32", "nwarpid", lambda: Int32(64))

    @staticmethod
    def gridid(**_):
        """The number of the launch."""
        return _register("int64", "gridid", lambda: Int64(thread_of("gridid").block.launch))

    @staticmethod
    def total_smem_size(**_):
        """The bytes of shared memory of the block; on the CPU those that it has allocated so far."""
        return _register("int32", "total_smem_size", lambda: Int32(thread_of("total_smem_size").block.shared_bytes))

    @staticmethod
    def aggr_smem_size(**_):
        """The same with what the system reserves, 1 KiB."""
        return _register("int32", "aggr_smem_size", lambda: Int32(thread_of("aggr_smem_size").block.shared_bytes + 1024))

    @staticmethod
    def warpsize(**_):
        """The lanes of a warp: 32."""
        return Int32(WARP) if not active() else WARP

    @staticmethod
    def clock(**_):
        """The multiprocessor's clock, of which 32 bits; on the CPU nanoseconds."""
        return _register("int32", "clock", lambda: Int32(time.perf_counter_ns()))

    @staticmethod
    def clock64(**_):
        """The multiprocessor's clock; on the CPU nanoseconds."""
        return _register("int64", "clock64", lambda: Int64(time.perf_counter_ns()))

    @staticmethod
    def globaltimer(**_):
        """Nanoseconds."""
        return _register("int64", "globaltimer", lambda: Int64(time.perf_counter_ns()))

    @staticmethod
    def globaltimer_lo(**_):
        """Nanoseconds, of which 32 bits."""
        return _register("uint32", "globaltimer_lo", lambda: Uint32(time.perf_counter_ns() & 0xffffffff))


def _lane():
    return thread_of("lane_idx").index % WARP

"""Inline PTX: the parts of NVIDIA's `cutlass._mlir` by which programs write an instruction themselves.

    llvm.inline_asm(T.f32(), [x.ir_value()], "ex2.approx.ftz.f32 $0, $1;", "=f,f", ...)

In a traced kernel it is an asm statement. The CPU computes the instructions of _HOST, and refuses others.
"""
import functools
import re

import numpy as np

from ._cute_atomics import Atomics
from ._cute_barriers import Barriers
from ._cute_elsewhere import Elsewhere, refusal
from ._cute_launch import let_others_run
from ._cute_numbers import BFloat16, Boolean, Float16, Float32, Float64, Int16, Int32, Int64, Int8, number, number_type, Uint32
from ._cute_math import math as _functions
from ._cute_ptx_blocks import Block, NotComputed
from ._cute_remote import on_shared_memory
from ._cute_ssa import larger, smaller
from ._cute_values import active, bytes_of, kind_of_number, TYPES, Value


class Struct:
    """Several results of an instruction."""

    def __init__(self, types):
        self.types = types


class T(metaclass=Elsewhere):
    """Types of results."""


def _giving(made):
    def of():
        return made
    of.__doc__ = f"{made!r}."
    return staticmethod(of)


for _name, _type in {"f64": Float64, "f32": Float32, "f16": Float16, "bf16": BFloat16, "i64": Int64, "i32": Int32, "i16": Int16, "i8": Int8,
                     "bool": Boolean, "i1": Boolean}.items():
    setattr(T, _name, _giving(_type))


# --- on the CPU ----------------------------------------------------------------------------------------------------------------
def _quiet(compute):
    def of(*x):
        with np.errstate(all="ignore"):
            return compute(*map(np.float32, x))
    return of


def _of_words(compute):
    """An operation on integers without sign."""
    def of(*x):
        return Uint32(compute(*(int(v) & 0xffffffff for v in x)) & 0xffffffff)
    return of


def _signed(x):
    return (int(x) & 0xffffffff ^ 0x80000000) - 0x80000000


#: The beginning of an instruction, without modifiers of rounding -> what it computes of its operands.
_HOST = {"ex2.f32": _quiet(np.exp2), "lg2.f32": _quiet(np.log2), "rcp.f32": _quiet(lambda x: 1 / x), "sqrt.f32": _quiet(np.sqrt),
         "rsqrt.f32": _quiet(lambda x: 1 / np.sqrt(x)), "tanh.f32": _quiet(np.tanh), "sin.f32": _quiet(np.sin), "cos.f32": _quiet(np.cos),
         "max.f32": larger, "min.f32": smaller, "add.f32": _quiet(np.add), "sub.f32": _quiet(np.subtract), "mul.f32": _quiet(np.multiply),
         "fma.f32": _quiet(lambda a, b, c: np.float32(np.float64(a) * b + c)), "abs.f32": _quiet(np.abs), "neg.f32": _quiet(np.negative),
         "div.f32": _quiet(np.divide),
         "mul.hi.u32": lambda a, b: (int(a) & 0xffffffff) * (int(b) & 0xffffffff) >> 32,
         "add.u32": lambda a, b: a + b, "add.s32": lambda a, b: a + b, "and.b32": lambda a, b: a & b, "or.b32": lambda a, b: a | b,
         "xor.b32": lambda a, b: a ^ b, "mov.b32": lambda a: a, "mov.f32": lambda a: a, "mov.u32": lambda a: a,
         "shl.b32": _of_words(lambda a, n: a << n if n < 32 else 0), "shr.u32": _of_words(lambda a, n: a >> min(n, 32)),
         "shr.b32": _of_words(lambda a, n: a >> min(n, 32)), "shr.s32": lambda a, n: Int32(_signed(a) >> min(int(n) & 0xffffffff, 31)),
         "sub.u32": _of_words(lambda a, b: a - b), "sub.s32": lambda a, b: a - b, "not.b32": _of_words(lambda a: ~a),
         "min.u32": _of_words(min), "max.u32": _of_words(max), "min.s32": lambda a, b: Int32(min(_signed(a), _signed(b))),
         "max.s32": lambda a, b: Int32(max(_signed(a), _signed(b))), "popc.b32": _of_words(lambda a: bin(a).count("1"))}
_MODIFIERS = r"\.(approx|ftz|rn|rz|rm|rp|full|sat)(?=\.|\b)"
_SPECIAL = {"%laneid": lambda: _arch().lane_idx(), "%smid": lambda: 0, "%globaltimer": lambda: 0, "%clock": lambda: 0, "%clock64": lambda: 0,
            "%warpid": lambda: _arch().warp_idx()}


def _arch():
    from ._cute_arch import arch
    return arch


def _on_the_cpu(types, operands, text):
    """error: TypeError for an instruction that the CPU does not compute"""
    found = re.fullmatch(r"\s*\{?\s*([\w.:]+)\s+\$0\s*((?:,\s*[$%]?\w+\s*)*);?\s*\}?\s*", text)
    name = re.sub(_MODIFIERS, "", found[1]) if found else ""
    if re.fullmatch(r"\s*nanosleep\.u32\s+(\$0|\d+)\s*;?\s*", text):
        return let_others_run(now=True)
    there = on_shared_memory(types, operands, text)
    if there is not None:
        return there[0]
    given = [x.strip() for x in found[2].split(",")[1:]] if found else []
    if len(given) == 1 and given[0] in _SPECIAL:
        return types[0](_SPECIAL[given[0]]())
    if len(types) != 1 or name not in _HOST or not all(g.startswith("$") and g[1:].isdigit() for g in given):
        try:
            made = Block(types, operands, lambda n: _HOST.get(re.sub(_MODIFIERS, "", n)), _SPECIAL, _arch()).run(text)
            return types[0](made[0]) if len(types) == 1 else [t(x) for t, x in zip(types, made)]
        except NotComputed as instruction:
            text = str(instruction)
        raise TypeError(f"the CPU does not compute the inline PTX {text.strip()!r}; it does setp, selp, vote.sync, {', '.join(_HOST)}, and mapa, st.async, ld, st and mbarrier.arrive of shared::cluster. Run the kernel on a GPU")
    return types[0](_HOST[name](*(operands[int(g[1:]) - 1] for g in given)))


def _results_on_the_cpu(types, operands, text):
    made = _on_the_cpu(types, operands, text)
    return made if isinstance(made, list) else [made]


# --- traced ------------------------------------------------------------------------------------------------------------------------
def _traced(types, operands, text, constraints):
    trace = active()
    outputs = [c for c in constraints if c.startswith(("=", "+"))]
    inputs = [c for c in constraints if not c.startswith(("=", "+", "~"))]
    if len(outputs) != len(types) or len(inputs) != len(operands):
        raise TypeError(f"inline PTX {text.strip()!r} has {len(outputs)} results and {len(inputs)} operands by its constraints, and "
                        f"{len(types)} and {len(operands)} are given{trace.where()}")
    kinds = [_kind(t) for t in types]
    names = [trace.name("a") for _ in types]
    for name, kind in zip(names, kinds):
        trace.kinds.add(kind)
        trace.line(f"{'int' if kind == 'bool' else TYPES[kind]} {name};")
    text = re.sub(r"\$(\d+|\{\d+\})", lambda m: "%" + m[1].strip("{}"), text.replace("%", "%%")).replace("$$", "$")
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    given = [f'"{c.replace("i", "n")}"({_operand(c, x)})' for c, x in zip(inputs, operands)]
    results = [f'"{"=" + c.lstrip("=&+")}"({_register(n, k, c)})' for n, k, c in zip(names, kinds, outputs)]
    trace.line(f'asm volatile("{quoted}" : {", ".join(results)} : {", ".join(given)} : "memory");')
    return [trace.let(k, n) for n, k in zip(names, kinds)]


def _kind(made):
    from ._cute_values import kind_of
    return kind_of(made)


def _register(name, kind, constraint):
    """A result in a register of its constraint; halves are 16 bits."""
    return f"reinterpret_cast<unsigned short&>({name})" if "h" in constraint and kind in ("float16", "bfloat16") else name


_OF_LETTER = {"r": "uint32", "l": "uint64", "f": "float32", "d": "float64", "h": "uint16", "n": "int32"}


def _operand(constraint, x):
    trace, of = active(), _OF_LETTER.get(constraint.strip("{}")[-1], "uint32")
    if hasattr(x, "memory"):  # a pointer: its address, of shared memory in its own space
        at = trace.number(x.offset) if isinstance(x.offset, Value) else x.offset
        address = f"{x.memory.name} + {at}"
        if of == "uint64":
            return f"(unsigned long long)({address})"
        trace.headers.add("tilewright/atom/ptx/target.hpp")
        return f"tilewright::cast_smem_ptr_to_uint({address})"
    if isinstance(x, Value) and x.kind in ("float16", "bfloat16") and of == "uint16":
        return f"reinterpret_cast<unsigned short const&>({x.name})"
    return trace.converted(x, of)


#: kind -> constraint of a register
_LETTERS = {"float32": "f", "float64": "d", "int64": "l", "uint64": "l", "float16": "h", "bfloat16": "h", "int16": "h", "uint16": "h"}


def _letter(x):
    """The constraint of an operand: a pointer's address and numbers of 64 bits are l, Python's integers 32 bits."""
    if hasattr(x, "memory"):
        return "l"
    return "f" if type(x) is float else _LETTERS.get(kind_of_number(x), "r")


def inline_ptx(ptx, *, write_only_types=(), read_only_args=(), **_):
    """The results of instructions in PTX, in whose text {$w0} is the first result and {$r0} the first operand: a number for one type of
    `write_only_types`, a tuple for several, None for none. On the CPU as llvm.inline_asm.

    Raises TypeError for other arguments.
    """
    if not isinstance(ptx, str) or set(_) - {"loc", "ip"}:
        raise TypeError(f"inline_ptx has a text, write_only_types and read_only_args; there is {', '.join(_) or repr(ptx)}")
    types, operands = list(write_only_types), list(read_only_args)
    text = re.sub(r"\{\$([wr])(\d+)\}", lambda m: f"${int(m[2]) + (len(types) if m[1] == 'r' else 0)}", ptx)
    if active():
        letters = ["=" + _LETTERS.get(_kind(t), "r") for t in types] + [_letter(x) for x in operands]
        made = _traced(types, operands, text, letters)
    else:
        made = _results_on_the_cpu(types, operands, text)
    return made[0] if len(types) == 1 else tuple(made) if types else None


def _bits_as(made, x):
    """The bits of a number as one of another type of as many."""
    was, now = kind_of_number(x), _kind(made)
    if bytes_of(was if was != "index" else "int32") != bytes_of(now):
        raise TypeError(f"the bits of a {was} are not as many as those of a {now}")
    if not isinstance(x, Value):
        return number(np.asarray(x, np.int32 if was == "index" else was).view(now)[()])
    trace = active()
    kind = "int32" if was == "index" else was
    name, out = trace.name("b"), trace.name("b")
    trace.line(f"{TYPES[kind]} const {name} = {trace.converted(x, kind)};")
    trace.line(f"{TYPES[now]} {out};")
    trace.line(f"memcpy(&{out}, &{name}, sizeof {out});")
    return trace.let(now, out)


class llvm(metaclass=Elsewhere):
    """LLVM's instructions: inline_asm, and the parts of its results."""

    class AsmDialect(metaclass=Elsewhere):
        """Of the text."""

        AD_ATT, AD_Intel = 0, 1

    class StructType(metaclass=Elsewhere):
        """Several results."""

        get_literal = staticmethod(Struct)

    @staticmethod
    def inline_asm(res, operands_, asm_string, constraints, **_):
        """The results of instructions in PTX: a number, or several, of which extractvalue gives one."""
        types = list(res.types) if isinstance(res, Struct) else [] if res is None else [res]
        if active():
            made = _traced(types, list(operands_), asm_string, [c for c in constraints.split(",") if c])
        else:
            made = _results_on_the_cpu(types, list(operands_), asm_string)
        return made if isinstance(res, Struct) else made[0] if made else None

    @staticmethod
    def ptrtoint(res, ptr, **_):
        """The address that a pointer has."""
        return ptr.toint()

    @staticmethod
    def bitcast(res, x, **_):
        """The bits of a number as another type; vectors are of NVIDIA's compiler."""
        if isinstance(res, Elsewhere):
            raise refusal("llvm.bitcast of vectors")
        return _bits_as(res, x)

    class PointerType(metaclass=Elsewhere):
        """The type of a pointer, which casts name."""

        @staticmethod
        def get(*_, **__):
            """The type."""
            return llvm.PointerType

    @staticmethod
    def addrspacecast(res, ptr, **_):
        """The pointer itself, which knows its memory."""
        return ptr

    @staticmethod
    def extractvalue(res, container, position, **_):
        """One of several results."""
        return container[position[0]]


def _lower(x):
    """RELAXED of an enumeration as 'relaxed'."""
    return None if x is None else str(x).lower()


def _numbers_of(operands, *named):
    """The operands that are numbers."""
    return [x for x in (*operands, *named) if x is not None and not isinstance(x, type)]


#: AtomicOpKind and ReductionOp -> function of Atomics
_ATOMICS = {"add": "add", "fadd": "add", "and": "and", "or": "or", "xor": "xor", "max": "max", "fmax": "max", "umax": "max", "min": "min",
            "fmin": "min", "umin": "min", "exch": "exch", "xchg": "exch", "cas": "cas"}


def _as_numbers_of(ptr, x, unsigned):
    """(the pointer as one to numbers of x's type, x): an instruction takes the element as what its operand is.  Raises TypeError."""
    plain = type(x) is int or type(x) is float  # types of numbers equal Python's, so `in` would find them
    was = _kind(ptr.dtype) if plain else kind_of_number(x)
    kind = f"u{was}" if unsigned and was.startswith("int") else was
    made = number_type("int32" if kind == "index" else kind)
    if made.width != number_type(_kind(ptr.dtype)).width:
        raise TypeError(f"an atomic operation of a {was} on memory of {_kind(ptr.dtype)}; both need as many bits: convert the number")
    return (ptr if made is ptr.dtype else ptr.recast(made)), (x if kind == was else _bits_as(made, x))


def _joined(op, ptr, a, b, order, scope):
    """What was at a pointer before a value joined it. `b` of a comparison: what the element becomes."""
    name = _ATOMICS.get(op)
    if name is None:
        raise TypeError(f"there is no atomic operation {op!r} here; there are {', '.join(_ATOMICS)}")
    sem, scope = _lower(order), {"cta": "cta", "cluster": "cluster", "sys": "sys"}.get(_lower(scope), "gpu")
    there, x = _as_numbers_of(ptr, a, op in ("umax", "umin"))
    if name == "cas":
        return Atomics.atomic_cas(there, cmp=x, val=b, sem=sem, scope=scope)
    return getattr(Atomics, f"atomic_{name}")(there, x, sem=sem, scope=scope)


def _names(kind, *names):
    return type(kind, (), {"__doc__": "Names.", **{n: n.lower() for n in names}})


class nvvm(metaclass=Elsewhere):
    """NVIDIA's instructions in LLVM."""

    AtomicOpKind = _names("AtomicOpKind", "ADD", "FADD", "AND", "OR", "XOR", "MAX", "MIN", "UMAX", "UMIN", "FMAX", "FMIN", "EXCH", "CAS")
    ReductionOp = _names("ReductionOp", "ADD", "AND", "OR", "XOR", "MAX", "MIN")
    ReductionType = _names("ReductionType", "S32", "U32", "S64", "U64", "F32", "F64", "B32", "B64")
    MemOrderKind = _names("MemOrderKind", "RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL")
    MemScopeKind = _names("MemScopeKind", "CTA", "CLUSTER", "GPU", "SYS")
    SharedSpace = type("SharedSpace", (), {"__doc__": "Names.", "shared_cta": "cta", "shared_cluster": "cluster"})

    @staticmethod
    def atomicrmw(*given, res=None, op=None, ptr=None, a=None, b=None, mem_order=None, syncscope=None, **_):
        """What was at a pointer before the number `a` joined it by an AtomicOpKind; `b` of a CAS: what the element becomes."""
        given = given[1:] if given and not isinstance(given[0], str) else given  # older programs name the result's type first
        op, ptr, a = (*given, *(x for x in (op, ptr, a)[len(given):]))
        return _joined(op, ptr, a, b, mem_order, syncscope)

    @staticmethod
    def red(op, type_, a, b, mem_order=None, mem_scope=None, **_):
        """The element at the pointer `a` is joined with the number `b` by a ReductionOp."""
        _joined(op, a, b, None, mem_order, mem_scope)

    @staticmethod
    def fmax(*operands, a=None, b=None, c=None, **_):
        """The larger of two or three numbers; a type of the result may come first."""
        return functools.reduce(larger, _numbers_of(operands, a, b, c))

    @staticmethod
    def fmin(*operands, a=None, b=None, c=None, **_):
        """The smaller of two or three numbers; a type of the result may come first."""
        return functools.reduce(smaller, _numbers_of(operands, a, b, c))

    @staticmethod
    def mbarrier_try_wait_parity_timelimit(addr, phase, ticks, **_):
        """Waits until the phase of that parity has ended: true."""
        Barriers.mbarrier_wait(addr, phase)  # not that of arch, in whose place a program may put its own
        return True

    TMALoadMode = CpAsyncBulkTensorLoadMode = _names("TMALoadMode", "TILE", "IM2COL")

    @staticmethod
    def elect_sync(*_, **__):
        """Is this the one thread of its warp that is chosen?"""
        return Barriers.elect_one().chosen

    @staticmethod
    def CpAsyncBulkTensorGlobalToSharedClusterOp(dstMem, tmaDescriptor, coordinates, mbar, im2colOffsets=(), *, predicate=None,  # noqa: N802, N803
                                                 multicastMask=None, mode=None, loadMode=None, **_):  # noqa: N803
        """A box of the map at a pointer, loaded to shared memory by each thread for which the predicate is true."""
        from ._cute_tma import load_box
        if im2colOffsets or "im2col" in (mode, loadMode):
            raise refusal("nvvm.CpAsyncBulkTensorGlobalToSharedClusterOp with offsets of im2col")
        load_box(dstMem, tmaDescriptor, coordinates, mbar, predicate, multicastMask)


class ir(metaclass=Elsewhere):
    """Values and types of the compiler, which annotate."""


class arith(metaclass=Elsewhere):
    """Arithmetic of the compiler."""


class math(metaclass=Elsewhere):
    """Functions of numbers."""

    log, log2, exp, exp2 = _functions.log, _functions.log2, _functions.exp, _functions.exp2
    sqrt, rsqrt, tanh, sin, cos, absf = _functions.sqrt, _functions.rsqrt, _functions.tanh, _functions.sin, _functions.cos, _functions.absf


class vector(metaclass=Elsewhere):
    """Vectors of the compiler."""

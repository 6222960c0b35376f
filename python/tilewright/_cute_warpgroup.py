"""Matrix operations of a warpgroup, 128 threads: cute.nvgpu.warpgroup. B, and mostly A, are read from shared memory.

    warpgroup.fence(); cute.gemm(mma, sums, a, b, sums); warpgroup.commit_group(); warpgroup.wait_group(0)

A product is asynchronous. On the CPU it is computed when its group is waited for, once for all threads; sums that are read before
are refused. On a GPU it is one instruction of include/tilewright/mma/sm90_gmma.hpp, whose operands are descriptors: an address of
shared memory, and the fields that Descriptor finds in the layout.
"""
import enum
import functools

import numpy as np

from . import _operations as _algebra
from ._cute_launch import thread_of
from ._cute_layouts import make_composed_layout, make_layout, size
from ._cute_names import MmaOp, Names
from ._cute_numbers import BFloat16, Float8E4M3FN, Float8E5M2, Float16, Float32, Int8, Int32, number_type, Uint8
from ._cute_values import active, kind_of, Value
from ._layout import Layout
from ._tiled_mma import maps_of

WARPGROUP = 128
_LETTERS = {Float16: "F16", BFloat16: "BF16", Float32: "F32", Float8E4M3FN: "E4M3", Float8E5M2: "E5M2", Int8: "S8", Uint8: "U8", Int32: "S32"}
_HEADER = "tilewright/mma/sm90_gmma.hpp"


class OperandMajorMode(enum.Enum):
    """Which mode of an operand is contiguous: K, or M or N."""

    MN, K = "mn", "k"


class OperandSource(enum.Enum):
    """Where A is: in registers or in shared memory."""

    RMEM, SMEM = "rmem", "smem"


class Field(enum.Enum):
    """What tiled_mma.set() sets: whether products add to the sums, or replace them."""

    ACCUMULATE = "accumulate"


class SmemLayoutAtomKind(enum.Enum):
    """Tiles of shared memory by their contiguous mode and the bits that a row of eight spans; INTER has no swizzle."""

    MN_INTER, MN_SW32, MN_SW64, MN_SW128, MN_SW128_32B = "mn 128", "mn 256", "mn 512", "mn 1024", "mn 32B"
    K_INTER, K_SW32, K_SW64, K_SW128 = "k 128", "k 256", "k 512", "k 1024"


def make_smem_layout_atom(kind, element_type, **_):
    """The tile of a kind: K_SW128 of Float16 is Sw<3,4,3> o 0 o (8,64):(64,1). The swizzle counts bytes, as that of a pointer."""
    which, span = kind.value.split()
    if not span.isdigit():
        raise ValueError(f"{kind} is a tile of Blackwell; use MN_SW128")
    row = int(span) // number_type(element_type).width
    shape, stride = ((8, row), (row, 1)) if which == "k" else ((row, 8), (1, row))
    return make_composed_layout(f"Sw<{(int(span) // 128).bit_length() - 1},4,3>", 0, make_layout(shape, stride=stride))


class WarpgroupOp(MmaOp):
    """A multiply-add of a warpgroup: A of 64 x K elements of 256 bits, B of N x K, N a multiple of 8 up to 256."""

    def __init__(self, a_dtype, b_dtype, acc_dtype, shape_mnk, a_src, a_major_mode, b_major_mode):
        self.a_dtype, self.b_dtype, self.acc_dtype = map(number_type, (a_dtype, b_dtype, acc_dtype))
        self.ab_dtype, k = self.a_dtype, 256 // self.a_dtype.width
        self.shape_mnk = shape = (*shape_mnk, k)[:3]
        self.a_src, self.a_major_mode, self.b_major_mode = a_src, a_major_mode, b_major_mode
        if self.acc_dtype not in self._sums or shape[0] != 64 or shape[1] % 8 or not 8 <= shape[1] <= 256 or shape[2] != k:
            raise ValueError(f"there is no matrix operation of a warpgroup with A of {a_dtype!r}, sums of {acc_dtype!r} and the shape "
                             f"{tuple(shape_mnk)}: sums are {' or '.join(map(repr, self._sums))}, the shape is (64, N, {k}), N a multiple of 8 up to 256")
        k_major = a_major_mode is OperandMajorMode.K and b_major_mode is OperandMajorMode.K
        if k != 16 and not k_major or self.reads_registers and a_major_mode is not OperandMajorMode.K:
            raise ValueError("operands of a warpgroup's product of 8 bits, and A in registers, are K-major; use OperandMajorMode.K")
        d, a, b = (_LETTERS[t] for t in (self.acc_dtype, self.a_dtype, self.b_dtype))
        self.atom_name = f"SM90_64x{shape[1]}x{k}_{d}{a}{b}_{'RS' if self.reads_registers else 'SS'}{'' if k == 16 else '_TN'}"

    @property
    def reads_registers(self):
        """Is A in registers?"""
        return self.a_src is OperandSource.RMEM


class MmaF16BF16Op(WarpgroupOp):
    """A and B of Float16 or BFloat16, sums in Float32, of Float16 also in Float16."""

    def __init__(self, ab_dtype, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode):
        made = number_type(ab_dtype)
        if made not in (Float16, BFloat16):
            raise ValueError(f"A and B are Float16 or BFloat16, and {ab_dtype!r} is given")
        self._sums = (Float32, Float16) if made is Float16 else (Float32,)
        super().__init__(made, made, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode)


class _Of8Bits(WarpgroupOp):
    def __init__(self, a_dtype, b_dtype, acc_dtype, instruction_shape, a_src, a_major_mode=OperandMajorMode.K, b_major_mode=OperandMajorMode.K):
        for made in map(number_type, (a_dtype, b_dtype)):
            if made not in self._operands:
                raise ValueError(f"A and B are {' or '.join(map(repr, self._operands))}, and {made!r} is given")
        super().__init__(a_dtype, b_dtype, acc_dtype, instruction_shape, a_src, a_major_mode, b_major_mode)


class MmaF8Op(_Of8Bits):
    """A and B of Float8E4M3FN or Float8E5M2, sums in Float32 or Float16."""

    _operands, _sums = (Float8E4M3FN, Float8E5M2), (Float32, Float16)


class MmaI8Op(_Of8Bits):
    """A and B of Int8 or Uint8, sums in Int32."""

    _operands, _sums = (Int8, Uint8), (Int32,)


# --- descriptors ---------------------------------------------------------------------------------------------------------------
@functools.lru_cache(maxsize=None)
def descriptor_fields(layout, pieces, bits, k_major):
    """(leading offset, stride offset, kind of swizzle) of a tile (MN, K), offsets in 16 bytes; None for one that has no descriptor. The
    forms are those of include/tilewright/mma/gmma_descriptor.hpp. pieces: 16 bytes of a row that the swizzle spreads"""
    rows, columns = (mode.size for mode in layout)
    piece, kind = 128 // bits, {8: 1, 4: 2, 2: 3, 1: 0}[pieces]
    row = rows if pieces * piece % rows == 0 else pieces * piece
    split = ((8, rows // 8), (piece, columns // piece)) if k_major else ((row, rows // row), (8, columns // 8))
    tiled = _algebra.composition(layout, tuple(map(Layout, split)))
    (inner_mn, outer_mn), (inner_k, outer_k) = tiled.stride
    if k_major:
        if inner_k != 1 or inner_mn != pieces * piece or outer_mn % piece or outer_k % piece or pieces > 1 and outer_k != piece:
            return None
        return (outer_k // piece if pieces == 1 else 1), (0 if rows == 8 else outer_mn // piece), kind
    if inner_mn != 1 or inner_k != pieces * piece or outer_mn % piece or outer_k % piece:
        return None
    next_mn, next_k = 0 if rows == row else outer_mn // piece, outer_k // piece
    return (next_k, next_mn, kind) if pieces == 1 else (next_mn, next_k, kind)


def _fields_of(op, tensor, tile, major):
    """The fields of a tile (MN, K) of an operand.  error: ValueError for a layout that has no descriptor"""
    bits, swizzle = op.a_dtype.width, tensor.swizzling
    pieces = 1 if swizzle is None else 1 << bin(swizzle.mask).count("1")
    fits = swizzle is None or (swizzle.base == (128 // bits).bit_length() - 1 and swizzle.shift == 3 and not swizzle.constant)
    fields = descriptor_fields(tile, pieces, bits, major is OperandMajorMode.K) if fits and pieces <= 8 else None
    if fields is None:
        raise ValueError(f"{op.atom_name}: {tensor.layout} has no matrix descriptor with {major}; make the tile by "
                         "make_smem_layout_atom and tile_to_shape")
    return fields


# --- products ----------------------------------------------------------------------------------------------------------------------
def start_product(mma, d, a, b, c):
    """d = a * b + c of fragments (V, M, N), (V, M, K) and (V, N, K); a product begins at 0 where ACCUMULATE is false."""
    op = mma.op
    for operand, of_shared, major in ((a, not op.reads_registers, op.a_major_mode), (b, True, op.b_major_mode)):
        if operand.memspace != ("smem" if of_shared else "rmem"):
            raise ValueError(f"{op.atom_name} reads this operand from {'shared memory' if of_shared else 'registers'}, and it is {operand!r}")
        if of_shared:
            _fields_of(op, operand, operand.plain[0], major)
    if d.memspace != "rmem":
        raise ValueError(f"{op.atom_name} has its sums in registers, and they are {d!r}")
    if c.iterator.memory is not d.iterator.memory or c.layout != d.layout:
        for i in range(size(d)):
            d[i] = c[i]
    (_traced if active() else _begun)(mma, op, d, a, b)


def _traced(mma, op, d, a, b):
    trace, of = active(), kind_of(op.acc_dtype)
    trace.headers.add(_HEADER)
    trace.has_warpgroups = True
    sums = d.iterator.memory
    trace.sums.add((sums.name, sums.count, of))
    adds = trace.field_of(mma.fields)
    for k in range(size(a, [2])):
        for n in range(size(d, [2])):
            for m in range(size(d, [1])):
                part = d[None, m, n]
                offsets = part.layout.offsets()
                if offsets != list(range(offsets[0], offsets[0] + len(offsets))) or type(part.iterator.offset) is not int:
                    raise ValueError(f"{op.atom_name}: the sums of one operation are not contiguous in {d.layout}; make them by "
                                     f"make_fragment_C{trace.where()}")
                given = a[None, m, k]
                given = trace.registers(given) if op.reads_registers else _descriptor(op, given, op.a_major_mode)
                trace.line(f"tw_product<{_operation(op)}>({sums.name}[{part.iterator.offset}], {_descriptor(op, b[None, n, k], op.b_major_mode)}, "
                           f"{adds if k == 0 else 'true'}, {given});")


_ELEMENTS = {"E4M3": "tilewright::float_e4m3_t", "E5M2": "tilewright::float_e5m2_t", "F16": "tilewright::half_t", "BF16": "tilewright::bfloat16_t",
             "F32": "float", "S8": "signed char", "U8": "unsigned char", "S32": "int"}


def _operation(op):
    """The operation's type in C++."""
    types = (_ELEMENTS[_LETTERS[t]] for t in (op.acc_dtype, op.a_dtype, op.b_dtype))
    majors = (f"tilewright::SM90::GMMA::Major::{m.name}" for m in (op.a_major_mode, op.b_major_mode))
    return f"tilewright::warpgroup_mma<{op.shape_mnk[1]}, {', '.join(types)}, {'false' if op.reads_registers else 'true'}, {', '.join(majors)}>"


def _descriptor(op, tile, major):
    leading, stride, kind = _fields_of(op, tile, tile.plain, major)
    trace, at = active(), tile.iterator.offset
    place = trace.number(at) if isinstance(at, Value) else at
    return f"tw_descriptor({tile.iterator.memory.name} + {place}, {leading << 16 | stride << 32 | kind << 62:#x}ull)"


# --- on the CPU ------------------------------------------------------------------------------------------------------------------------
def _elements(t, me, what):
    """(the elements of one operation, repetitions…) as float64; checked as reads of this thread"""
    places, memory = t.places(), t.iterator.memory
    memory.check_all(places, what, False)
    return memory.numbers(places).reshape(size(t, [0]), -1, order="F").astype(np.float64)


def _begun(mma, op, d, a, b):
    me = thread_of("gemm")
    number = me.started = me.started + 1
    key, adds = (me.index // WARPGROUP, number), bool(me.fields.get(id(mma.fields), True))
    held = me.block.products.setdefault(key, {"given": {}, "taken": 0})
    if op.reads_registers:
        held["given"][me.index % WARPGROUP] = a.iterator.memory.numbers(a.places()).copy()
    memory = d.iterator.memory
    memory.in_flight += 1

    def finish():
        if op.reads_registers and "steps" not in held and len(held["given"]) < WARPGROUP:
            me.turns.wait_until(me, lambda: "steps" in held or len(held["given"]) == WARPGROUP)
        if "steps" not in held:
            held["steps"] = _products(op, d, a, b, held["given"], me)
        memory.in_flight -= 1
        _add(op, d, held["steps"], adds, me.index % WARPGROUP)
        held["taken"] += 1
        if held["taken"] == WARPGROUP:
            del me.block.products[key]
    me.products[-1].append(finish)


def _products(op, d, a, b, given, me):
    """For each k: a * b of all threads as (m + 64 n, M, N)."""
    (m, n, k), steps = op.shape_mnk, size(a, [2])
    rows, columns = size(d, [1]), size(d, [2])
    of_b = _elements(b, me, f"B of {op.atom_name}").reshape(n, k, columns, steps, order="F")
    if op.reads_registers:
        index = np.array(_algebra.make_layout(maps_of(op.atom_name)["A"]).offsets())
        values = np.stack([given[t] for t in range(WARPGROUP)])  # (thread, V …)
        of_a = np.zeros((m * k, rows * steps))
        of_a[index] = values.reshape(len(index), -1, order="F")
    else:
        of_a = _elements(a, me, f"A of {op.atom_name}")
    of_a = of_a.reshape(m, k, rows, steps, order="F")
    with np.errstate(all="ignore"):
        return [np.einsum("mkr,nkc->mnrc", of_a[..., s], of_b[..., s]).reshape(m * n, rows, columns, order="F") for s in range(steps)]


@functools.lru_cache(maxsize=None)
def _mine(name, thread):
    """m + 64 n of each value of a thread."""
    tv = _algebra.make_layout(maps_of(name)["C"])
    return np.array(tv.offsets()).reshape(WARPGROUP, -1, order="F")[thread]


def _add(op, d, steps, adds, thread):
    memory, places = d.iterator.memory, d.places()
    total = memory.data[places] if adds else np.zeros(len(places), memory.data.dtype)
    with np.errstate(all="ignore"):
        for step in steps:
            total = (total + step[_mine(op.atom_name, thread)].reshape(-1, order="F")).astype(total.dtype)
    memory.data[places] = total


# --- order --------------------------------------------------------------------------------------------------------------------------------
def _line(text):
    trace = active()
    trace.headers.add(_HEADER)
    trace.has_warpgroups = True
    trace.line("TW_HOLD_SUMS")
    trace.line(f"tilewright::{text};")
    trace.line("TW_HOLD_SUMS")


class warpgroup(metaclass=Names):
    """Matrix operations of a warpgroup."""

    OperandMajorMode, OperandSource, Field, SmemLayoutAtomKind = OperandMajorMode, OperandSource, Field, SmemLayoutAtomKind
    MmaF16BF16Op, MmaF8Op, MmaI8Op = MmaF16BF16Op, MmaF8Op, MmaI8Op
    make_smem_layout_atom = staticmethod(make_smem_layout_atom)

    @staticmethod
    def fence(**_):
        """Orders this thread's accesses to registers, and to shared memory after a fence_proxy, before the next products."""
        if active():
            _line("warpgroup_arrive()")

    @staticmethod
    def commit_group(**_):
        """Makes the products that were started since the last one a group."""
        if active():
            return _line("warpgroup_commit_batch()")
        thread_of("commit_group").products.append([])

    @staticmethod
    def wait_group(group, **_):
        """Waits until at most so many groups of products are in flight: the sums of the others are complete."""
        if active():
            return _line(f"warpgroup_wait<{int(group)}>()")
        me = thread_of("wait_group")
        keep = max(len(me.products) - 1 - int(group), 0)
        done, me.products = me.products[:keep], me.products[keep:]
        for finish in (f for one in done for f in one):
            finish()

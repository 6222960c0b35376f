"""Copies between registers and tensor memory of Blackwell on the CPU (tcgen05.ld and tcgen05.st): which lanes and columns a thread's registers have.

    atom = cute.make_copy_atom(tcgen05.Ld32x32bOp(tcgen05.Repetition.x64), cutlass.Float32)
    copy = tcgen05.make_tmem_copy(atom, accumulators)          128 threads, 64 columns of a lane each
"""
import enum
import functools

import numpy as np

from ._cute_launch import thread_of, WARP
from ._cute_layouts import size
from ._cute_names import CopyOp
from ._cute_numbers import number_type
from ._cute_tensor_memory import LANE, memory_of, not_traced
from ._layout import evaluate, Layout, text_of


class Repetition(enum.IntEnum):
    """How often an instruction's columns are repeated."""

    x1, x2, x4, x8, x16, x32, x64, x128 = (1 << i for i in range(8))


class Pack(enum.Enum):
    """Of a load: are the lower halves of two columns in one register?"""

    NONE, PACK_16b_IN_32b = "none", "pack"


class Unpack(enum.Enum):
    """Of a store: does a register fill the lower halves of two columns?"""

    NONE, UNPACK_32b_IN_16b = "none", "unpack"


class TmemOp(CopyOp):
    """A copy of a warp: 32 or 16 lanes of some columns."""

    loads, lanes, row = True, 32, 32  # row: bits of a lane that one repetition has

    def __init__(self, repeat=Repetition.x1, pack=None, *_, unpack=None, **__):
        self.repeat = int(getattr(repeat, "value", repeat))
        self.halves = (pack or unpack) in (Pack.PACK_16b_IN_32b, Unpack.UNPACK_32b_IN_16b)
        limit = 128 * 32 // (self.row * self.lanes // 32)
        if self.repeat not in (1, 2, 4, 8, 16, 32, 64, 128) or self.repeat > limit:
            raise ValueError(f"{type(self).__name__} has no repetition {repeat!r}; it has powers of two up to {limit}")

    @property
    def bits(self):
        """Of a lane."""
        return self.row * self.repeat

    def maps(self, width):
        """((thread, value) -> element of the warp's in registers, bit patterns of the warp's elements in tensor memory), in elements."""
        return maps_of_op(type(self)._pattern, self.repeat, self.halves, self.lanes, self.row, width)


@functools.lru_cache(maxsize=None)
def maps_of_op(pattern, repeat, halves, lanes, row, width):
    """The maps of include/tilewright/atom/tmem_copy.hpp, in elements."""
    total = row * repeat
    registers = {
        "32x32b": f"(32,{total}):({total},1)",
        "16x64b": f"((2,2,8),(32,{repeat})):((32,{8 * total},{total}),(1,64))",
        "16x128b": f"((4,8),(32,2,{repeat})):((32,{total}),(1,{8 * total},128))",
        "16x256b": f"((4,8),(64,2,{repeat})):((64,{total}),(1,{8 * total},256))",
        "16x32bx2": f"((16,2),{32 * repeat}):(({total},{32 * repeat}),1)"}[pattern]
    lane = LANE * 32
    valid = f"((16,{total // 16}),{lanes}):((1,32),{lane})" if halves else f"({total},{lanes}):(1,{lane})"
    return tuple(evaluate(f"upcast({text}, {width})") for text in (registers, f"(1,{valid.split(':')[0]}):(0,{valid.split(':')[1]})"))


def _op(name, pattern, lanes, row, loads):
    words = f"{'Loads' if loads else 'Stores'} {lanes} lanes of a warp, {row} bits of each repeated."
    return type(name, (TmemOp,), {"_pattern": pattern, "lanes": lanes, "row": row, "loads": loads, "__doc__": words})


Ld32x32bOp, St32x32bOp = (_op(f"{x}32x32bOp", "32x32b", 32, 32, x == "Ld") for x in ("Ld", "St"))
Ld16x64bOp, St16x64bOp = (_op(f"{x}16x64bOp", "16x64b", 16, 64, x == "Ld") for x in ("Ld", "St"))
Ld16x128bOp, St16x128bOp = (_op(f"{x}16x128bOp", "16x128b", 16, 128, x == "Ld") for x in ("Ld", "St"))
Ld16x256bOp, St16x256bOp = (_op(f"{x}16x256bOp", "16x256b", 16, 256, x == "Ld") for x in ("Ld", "St"))
Ld16x32bx2Op, St16x32bx2Op = (_op(f"{x}16x32bx2Op", "16x32bx2", 16, 64, x == "Ld") for x in ("Ld", "St"))


def describe_atom(atom, op, width):
    """The maps of a copy atom of tensor memory: source, destination, reference."""
    registers, valid = op.maps(width)
    whole = Layout((WARP, valid.size), (0, 1))
    atom.maps_of_registers = registers
    atom.source, atom.destination = (whole, registers) if op.loads else (registers, whole)
    atom.reference, atom.values = whole, whole[1].size


def make_tmem_copy(atom, tmem_tensor, **_):
    """The copy of a tensor in tensor memory by four warps, each of its quarter of the lanes.

    Raises TypeError for another tensor or atom, LayoutError where the operation's columns do not divide the tensor's.
    """
    from ._cute_copies import CopyAtom, TiledCopy
    if not isinstance(atom, CopyAtom) or not isinstance(atom.op, TmemOp):
        raise TypeError(f"make_tmem_copy: {atom!r} is no copy of tensor memory; make the atom of tcgen05.Ld32x32bOp, St32x32bOp and the like")
    if tmem_tensor.memspace != "tmem":
        raise TypeError(f"make_tmem_copy: the tensor is not in tensor memory but {tmem_tensor!r}; give an accumulator of make_fragment_C")
    width = number_type(atom.dtype).width
    _, valid = atom.op.maps(width)
    data, lane = tmem_tensor.plain, LANE * 32 // width
    quarter = 32 * lane
    values = evaluate(f"coalesce({valid[1]})")
    tv = Layout(f"((32,4),{text_of(values.shape)}):((0,{quarter}),{text_of(values.stride)})")
    place = evaluate(f"composition(left_inverse({data}), {tv})")  # -> index in the tensor
    shape = data.shape if isinstance(data.shape, tuple) else (data.shape,)
    tiler = []
    for i in range(len(shape)):
        steps = ",".join(text_of(_steps(e, 1 if k == i else 0)) for k, e in enumerate(shape))
        tiler.append(evaluate(f"filter(composition({text_of(shape)}:({steps}), {place}))"))
    whole = evaluate(f"composition({text_of(shape)}, {text_of(tuple(tiler))})") if len(tiler) > 1 else evaluate(f"composition({data.size}, {tiler[0]})")
    return TiledCopy(atom, evaluate(f"composition(left_inverse({whole}), {place})"), tuple(tiler), shared=True)


def _steps(extent, first):
    """Strides of a compact mode, 0 where `first` is 0."""
    if not isinstance(extent, tuple):
        return first
    out = []
    for e in extent:
        out.append(_steps(e, first))
        first *= _product(e)
    return tuple(out)


def _product(extent):
    out = 1
    for e in extent if isinstance(extent, tuple) else (extent,):
        out *= _product(e) if isinstance(e, tuple) else e
    return out


def copy_tmem(atom, src, dst):
    """Copies by tcgen05.ld and tcgen05.st.  Raises ValueError for other memories and sizes."""
    not_traced("a copy of tensor memory")
    op = atom.op
    wanted = ("tmem", "rmem") if op.loads else ("rmem", "tmem")
    if (src.memspace, dst.memspace) != wanted:
        raise ValueError(f"{type(op).__name__} copies from {wanted[0]} to {wanted[1]}, and this copy is from {src.memspace} to {dst.memspace}")
    there, mine = (src, dst) if op.loads else (dst, src)
    each, warps = atom.maps_of_registers[1].size, atom.values
    if size(there) % warps or size(there) // warps * each != size(mine):
        raise ValueError(f"{type(op).__name__} has {warps} elements of a warp and {each} of a thread, and this copy has {src.layout} and {dst.layout}; "
                         "partition both by one copy of make_tmem_copy")
    me = thread_of("copy")
    index = _lane_elements(atom.maps_of_registers, me.index % WARP)
    places = there.places().reshape(warps, -1, order="F")[index].reshape(-1, order="F")
    memory, dtype, lanes = memory_of(me.block), number_type(there.element_type), me.warp % 4 * WARP
    if op.loads:
        numbers = memory.numbers(places, dtype, lanes)
        _put_registers(mine, numbers, dtype)
    else:
        memory.put(places, dtype, _registers(mine, dtype), lanes)


@functools.lru_cache(maxsize=None)
def _lane_elements(registers, lane):
    return np.array(registers.offsets()).reshape(WARP, -1, order="F")[lane]


def _put_registers(t, numbers, dtype):
    if number_type(t.element_type) is not dtype:
        raise ValueError(f"a copy of tensor memory moves {dtype!r} to registers of {t.element_type!r}; make them of the same type")
    t.iterator.memory.put(t.places(), numbers)


def _registers(t, dtype):
    if number_type(t.element_type) is not dtype:
        raise ValueError(f"a copy to tensor memory moves registers of {t.element_type!r} to {dtype!r}; make them of the same type")
    return t.iterator.memory.numbers(t.places())

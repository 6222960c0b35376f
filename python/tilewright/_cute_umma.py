"""Products of Blackwell on the CPU (tcgen05.mma): operands are tiles of shared memory, or A is in tensor memory, and sums are in tensor memory.

One thread of a warp starts a product, for its block or for two blocks of a cluster (CtaGroup.TWO). It happens when a barrier is waited for that was
told of it by tcgen05.commit, as TMA's copies do: a kernel that reads a sum too early gets other numbers always.
"""
import enum
import functools
import re

import numpy as np

from ._cute_barriers import phases_at
from ._cute_clusters import peer_pointer
from ._cute_launch import thread_of
from ._cute_layouts import product, size
from ._cute_names import MmaOp
from ._cute_numbers import BFloat16, Float16, Float32, Float8E4M3FN, Float8E5M2, Int8, Int32, number_type, TFloat32, Uint8
from ._cute_tensor import Pointer, Tensor
from ._cute_tensor_memory import COLUMNS, LANE, memory_of, not_traced, once_by_warp, TmemMemory
from ._cute_warpgroup import OperandMajorMode
from ._layout import Layout, text_of

_LETTERS = {Float16: "F16", BFloat16: "BF16", Float32: "F32", TFloat32: "TF32", Float8E4M3FN: "E4M3", Float8E5M2: "E5M2", Int8: "S8", Uint8: "U8",
            Int32: "S32"}


class CtaGroup(enum.Enum):
    """The blocks that multiply together."""

    ONE, TWO = 1, 2


class OperandSource(enum.Enum):
    """Where A is: in tensor memory or in shared memory."""

    TMEM, SMEM = "tmem", "smem"


class Field(enum.Enum):
    """What tiled_mma.set() sets: whether products add to the sums or replace them, and the signs of the operands."""

    ACCUMULATE, NEGATE_A, NEGATE_B = "accumulate", "negate_a", "negate_b"


class UmmaOp(MmaOp):
    """A product of M x N x 256 bits; M is 64 or 128 for one block, 128 or 256 for two."""

    def __init__(self, a_dtype, b_dtype, acc_dtype, instruction_shape, cta_group, a_src=OperandSource.SMEM, a_major_mode=OperandMajorMode.K,
                 b_major_mode=OperandMajorMode.K):
        self.a_dtype, self.b_dtype, self.acc_dtype = map(number_type, (a_dtype, b_dtype, acc_dtype))
        self.ab_dtype, k = self.a_dtype, 256 // self.a_dtype.width
        self.shape_mnk = m, n, depth = (*instruction_shape, k)[:3]
        self.blocks, self.cta_group = cta_group.value, cta_group
        self.a_src, self.a_major_mode, self.b_major_mode = (getattr(x, "value", x) for x in (a_src, a_major_mode, b_major_mode))
        self.a_src, self.a_major_mode, self.b_major_mode = OperandSource(self.a_src), OperandMajorMode(self.a_major_mode), OperandMajorMode(self.b_major_mode)
        step = 8 if m == 64 else 16 if self.blocks == 1 else 32 if m == 256 and self.a_dtype.width == 8 else 16
        for made, allowed in ((self.a_dtype, self._operands), (self.b_dtype, self._operands), (self.acc_dtype, self._sums)):
            if made not in allowed:
                raise ValueError(f"{type(self).__name__} has no {made!r} here; there are {', '.join(map(repr, allowed))}")
        if m not in (64 * self.blocks, 128 * self.blocks) or n % step or not step <= n <= 256 or depth != k:
            raise ValueError(f"there is no product by {self.blocks} block{'s' * (self.blocks > 1)} of the shape {tuple(instruction_shape)}: M is {64 * self.blocks} or "
                             f"{128 * self.blocks}, N a multiple of {step} up to 256, K {k}")
        letters = "".join(_LETTERS[t] for t in (self.acc_dtype, self.a_dtype, self.b_dtype))
        self.atom_name = f"SM100_{m}x{n}x{k}_{letters}_{'SS' if self.a_src is OperandSource.SMEM else 'TS'}{'_2x1SM' if self.blocks == 2 else ''}"

    @property
    def reads_registers(self):
        """Is A in registers? Never."""
        return False

    fields = Field


class MmaF16BF16Op(UmmaOp):
    """A and B of Float16 or BFloat16, sums in Float32, of Float16 also in Float16."""

    _operands, _sums = (Float16, BFloat16), (Float32, Float16)

    def __init__(self, ab_dtype, acc_dtype, instruction_shape, cta_group=CtaGroup.ONE, a_src=OperandSource.SMEM, *majors, **named):
        super().__init__(ab_dtype, ab_dtype, acc_dtype, instruction_shape, cta_group, a_src, *majors, **named)


class MmaTF32Op(UmmaOp):
    """A and B of Float32 of which 19 bits count, sums in Float32."""

    _operands, _sums = (TFloat32, Float32), (Float32,)

    def __init__(self, instruction_shape, cta_group=CtaGroup.ONE, a_src=OperandSource.SMEM, *majors, **named):
        super().__init__(TFloat32, TFloat32, Float32, instruction_shape, cta_group, a_src, *majors, **named)


class MmaFP8Op(UmmaOp):
    """A and B of Float8E4M3FN or Float8E5M2, sums in Float32 or Float16."""

    _operands, _sums = (Float8E4M3FN, Float8E5M2), (Float32, Float16)


class MmaF8F6F4Op(MmaFP8Op):
    """The same; floats of 6 and 4 bits have no numbers here."""


class MmaI8Op(UmmaOp):
    """A and B of Int8 or Uint8, sums in Int32."""

    _operands, _sums = (Int8, Uint8), (Int32,)


# --- fragments in tensor memory ---------------------------------------------------------------------------------------------------
def tmem_layout(shape, dtype, blocks, step):
    """The layout in tensor memory of ((M, N), RestM, RestN, …), M the rows of a block: 128 rows have a lane each, 64 of a block the first 16 of
    each quarter, 64 of each of two blocks fold their columns over the lanes. `step`: elements from one column to the next.

    error: ValueError for products that need more than 512 columns
    """
    lane = LANE * 32 // dtype.width
    (rows, columns), rest = (product(x) for x in shape[0]), shape[1:]
    if rows == 128:
        first, strides, taken = (128, columns), (lane, step), columns
    elif blocks == 1:
        first, strides, taken = ((16, 4), columns), ((lane, 32 * lane), step), columns
    else:
        first, strides, taken = (64, (columns // 2, 2)), (lane, (step, 64 * lane)), columns // 2
    shapes, steps, at = [], [], taken * step
    for extent in rest:
        shapes.append(extent)
        steps.append(_compact(extent, at))
        at *= product(extent)
    if at * dtype.width > COLUMNS * 32:
        raise ValueError(f"tensor memory: accumulators of {text_of(shape)} need {at * dtype.width // 32} columns, and there are {COLUMNS}; make the tile of "
                         "the block or the number of stages smaller")
    return Layout(f"{text_of((first, *shapes))}:{text_of((strides, *steps))}")


def _compact(extent, at):
    """The strides of extents one after another; of an extent of 1 it is 0."""
    if not isinstance(extent, tuple):
        return at if extent > 1 else 0
    out = []
    for e in extent:
        out.append(_compact(e, at))
        at *= product(e)
    return tuple(out)


def fragment_of_sums(op, shape):
    """The accumulators of a partition's shape at address 0."""
    made = op.acc_dtype
    layout = tmem_layout(shape, made, op.blocks, 32 // made.width)
    return Tensor(Pointer(TmemMemory(made)), layout)


def fragment_of_a(op, partition):
    """A in tensor memory: of a tensor there the same place, else address 0."""
    shape = partition.shape if hasattr(partition, "shape") else partition
    pointer = Pointer(TmemMemory(op.a_dtype))
    if isinstance(partition, Tensor):
        if partition.memspace != "tmem":
            raise ValueError(f"{op.atom_name} reads A from tensor memory; give a tensor there or a shape, not {partition!r}")
        pointer = partition.iterator.recast(op.a_dtype)
    return Tensor(pointer, tmem_layout(shape, op.a_dtype, op.blocks, 1))


# --- products -----------------------------------------------------------------------------------------------------------------------
class _Queue:
    """The products that a warp has started, of which the first `done` have happened."""

    def __init__(self):
        self.waiting, self.done = [], 0

    def run_to(self, count):
        while self.done < count:
            self.waiting[self.done]()
            self.waiting[self.done] = None
            self.done += 1


def _queue(me):
    queues = me.block.__dict__.setdefault("umma_queues", {})
    return queues.setdefault(me.warp, _Queue())


def start_product(mma, d, a, b, c):
    """d = a * b + c of fragments (V, M, N), (V, M, K) and (V, N, K); the first product replaces the sums where ACCUMULATE is false."""
    op = mma.op
    not_traced(op.atom_name)
    me = thread_of("gemm")
    if d.memspace != "tmem" or c.iterator.memory is not d.iterator.memory and c.iterator.offset != d.iterator.offset:
        raise ValueError(f"{op.atom_name} has its sums in tensor memory and adds to them, and they are {d!r} and {c!r}")
    for operand, what, wanted in ((a, "A", "smem" if op.a_src is OperandSource.SMEM else "tmem"), (b, "B", "smem")):
        if operand.memspace != wanted:
            raise ValueError(f"{op.atom_name} reads {what} from {'shared' if wanted == 'smem' else 'tensor'} memory, and it is {operand!r}")
    fields = {f: me.fields.get((id(mma.fields), f)) for f in Field}
    if not once_by_warp(("umma", op.atom_name)):
        return
    rank = me.block.rank_in_cluster
    if op.blocks == 2 and (len(me.block.cluster.blocks) % 2 or rank % 2):
        raise ValueError(f"{op.atom_name} is a product of two blocks, which the block of even rank starts in a cluster of an even number of them; this is rank "
                         f"{rank} of {len(me.block.cluster.blocks)} (block {me.block.index}, thread {me.index})")
    work = _prepared(op, d, a, b, fields, me)
    _queue(me).waiting.append(work)


def _reader(op, t, me, rank, what):
    """A function that gives the numbers of a tensor (V, X, K) in the block of that rank, as (V, X, K)."""
    extents = tuple(size(t, [i]) for i in range(3))
    places = t.places()
    if t.memspace == "tmem":
        dtype, block = number_type(t.element_type), me.block.cluster.blocks[rank]
        return lambda: memory_of(block).numbers(places, dtype).reshape(extents, order="F")
    memory = t.iterator.memory if rank == me.block.rank_in_cluster else peer_pointer(t.iterator, rank, me).memory
    if rank == me.block.rank_in_cluster:
        memory.check_all(places, f"{what} of {op.atom_name}", False)
    return lambda: memory.numbers(places).reshape(extents, order="F")


def operand_numbers(op, numbers):
    """An operand's numbers as a product reads them, as float64."""
    numbers = np.asarray(numbers)
    if op.ab_dtype.width == 32:  # of 32 bits a GPU reads 19
        numbers = (np.ascontiguousarray(numbers, np.float32).view(np.uint32) & np.uint32(0xffffe000)).view(np.float32)
    return numbers.astype(np.float64)


def _prepared(op, d, a, b, fields, me):
    rank, blocks = me.block.rank_in_cluster, op.blocks
    ranks = [rank + i for i in range(blocks)]
    m, n, k = op.shape_mnk
    rows, steps, columns = size(a, [1]), size(a, [2]), size(b, [1])
    readers = [(_reader(op, a, me, r, "A"), _reader(op, b, me, r, "B")) for r in ranks]
    places, dtype = d.places(), op.acc_dtype
    adds = bool(fields[Field.ACCUMULATE])
    sign = -1 if bool(fields[Field.NEGATE_A]) != bool(fields[Field.NEGATE_B]) else 1
    memories = [memory_of(me.block.cluster.blocks[r]) for r in ranks]

    def happen():
        given = [(operand_numbers(op, x()), operand_numbers(op, y())) for x, y in readers]
        of_b = np.concatenate([y.reshape(n // blocks, k, columns, steps, order="F") for _, y in given])
        for (x, _), memory in zip(given, memories):
            of_a = x.reshape(m // blocks, k, rows, steps, order="F")
            total = memory.numbers(places, dtype).astype(np.float64) if adds else np.zeros(len(places))
            for s in range(steps):
                with np.errstate(all="ignore"):
                    made = np.einsum("mkr,nkc->mnrc", of_a[..., s], of_b[..., s], optimize=True).reshape(-1, order="F")
                    total = (total + sign * made).astype(dtype.numpy).astype(np.float64)
            memory.put(places, dtype, total)
    return happen


def commit(mbar_ptr, mcast_mask=None, cta_group=CtaGroup.ONE, **_):
    """The warp's products up to here arrive at a barrier when they are done: of this block, or of those that a mask has bits for."""
    not_traced("tcgen05.commit")
    me = thread_of("commit")
    queue = _queue(me)
    count, ranks = len(queue.waiting), [None]
    if mcast_mask is not None:
        ranks = [r for r in range(len(me.block.cluster.blocks)) if int(mcast_mask) >> r & 1]
    for rank in ranks:
        phases = phases_at(mbar_ptr, rank)

        def arrive(phases=phases, rank=rank):
            queue.run_to(count)
            phases.change(arrivals=1, remote=rank is not None)
        phases.pending.append(arrive)


@functools.lru_cache(maxsize=None)
def umma_maps(name):
    """As maps_of of _tiled_mma; None for another name."""
    found = re.fullmatch(r"SM100_(\d+)x(\d+)x(\d+)_([A-Z0-9]+)_(SS|TS)(_2x1SM)?", name)
    if not found:
        return None
    m, n, k = (int(found[i]) for i in (1, 2, 3))
    blocks = 2 if found[6] else 1

    def shared(rows, columns):
        return f"({blocks},({rows // blocks},{columns})):({rows // blocks if blocks > 1 else 0},(1,{rows}))"
    return {"name": name, "shape": [m, n, k], "types": {}, "threads": "2:1" if blocks == 2 else "1:0",
            "A": shared(m, k), "B": shared(n, k), "C": shared(m, n)}

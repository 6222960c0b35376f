"""Products of Blackwell on the CPU (tcgen05.mma): operands are tiles of shared memory, or A is in tensor memory, and sums are in tensor memory.

One thread of a warp starts a product, for its block or for two blocks of a cluster (CtaGroup.TWO). It happens when a barrier is waited for that was
told of it by tcgen05.commit, as TMA's copies do: a kernel that reads a sum too early gets other numbers always.
"""
import dataclasses
import enum
import functools

import numpy as np

from . import _operations as _algebra
from ._cute_barriers import phases_at
from ._cute_clusters import peer_pointer
from ._cute_launch import thread_of
from ._cute_layouts import flat_divide, group_modes, product, size, tile_to_shape
from ._cute_names import MmaOp, Names
from ._cute_numbers import BFloat16, Float16, Float32, Float8E4M3FN, Float8E5M2, Int8, Int32, number_type, TFloat32, Uint8
from ._cute_tensor import Pointer, Tensor
from ._cute_tensor_memory import (columns_of, copy_tmem, COLUMNS, get_num_tmem_alloc_cols, LANE, make_tmem_copy, memory_of, not_traced,  # noqa: F401
                                  Pack, Repetition, tmem_pointer, TmemMemory, TmemOp, Unpack, once_by_warp)
from . import _cute_tensor_memory as _copies
from ._cute_warpgroup import make_smem_layout_atom, OperandMajorMode, SmemLayoutAtomKind
from ._layout import evaluate, Layout, text_of

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


# --- layouts of shared memory ---------------------------------------------------------------------------------------------------------
def tile_to_mma_shape(atom, mma_tile_shape, order=None, **_):
    """A swizzled tile repeated to ((M, K), RestM, RestK, stages…)."""
    (m, k), rest_m, rest_k, *more = mma_tile_shape
    m, k = product(m), product(k)
    whole = tile_to_shape(atom, (m * product(rest_m), k * product(rest_k), *more), order or tuple(range(2 + len(more))))
    return group_modes(flat_divide(whole, (m, k)), 0, 2)


def _operand_layout(tiled_mma, mma_tiler_mnk, dtype, num_stages, operand, is_k_major):
    m, n, k = mma_tiler_mnk
    shape = (tiled_mma.partition_shape_A((m, k)) if operand == "A" else tiled_mma.partition_shape_B((n, k)))
    rows, depth = (product(x) for x in shape[0])
    width, extent = number_type(dtype).width, (depth * product(shape[2]) if is_k_major else rows * product(shape[1]))
    span = next((s for s in (1024, 512, 256, 128) if extent * width % s == 0), None)
    if span is None:
        raise ValueError(f"a contiguous mode of {extent} elements of {width} bits has rows of {extent * width} bits; they are a multiple of 128 bits")
    atom = make_smem_layout_atom(SmemLayoutAtomKind(f"{'k' if is_k_major else 'mn'} {span}"), dtype)
    return tile_to_mma_shape(atom, (*shape, num_stages), (0, 1, 2) if is_k_major else (1, 0, 2))


def make_smem_layout_a(tiled_mma, mma_tiler_mnk, a_dtype, num_stages, *, is_k_major=None, **_):
    """((M, K), RestM, RestK, stages) of a block's part of A, swizzled."""
    major = tiled_mma.op.a_major_mode is OperandMajorMode.K if is_k_major is None else is_k_major
    return _operand_layout(tiled_mma, mma_tiler_mnk, a_dtype, num_stages, "A", major)


def make_smem_layout_b(tiled_mma, mma_tiler_mnk, b_dtype, num_stages, *, is_k_major=None, **_):
    """((N, K), RestN, RestK, stages) of a block's part of B, swizzled."""
    major = tiled_mma.op.b_major_mode is OperandMajorMode.K if is_k_major is None else is_k_major
    return _operand_layout(tiled_mma, mma_tiler_mnk, b_dtype, num_stages, "B", major)


def make_trivial_tiled_mma(*given, **named):
    """The operation for types and major modes: (A's type, [B's type,] A's and B's major modes, type of the sums, CtaGroup, (M, N), [source of A])."""
    from ._cute_mma import make_tiled_mma
    names = ["a_dtype", "b_dtype", "a_leading_mode", "b_leading_mode", "acc_dtype", "cta_group", "mma_tiler_mn", "a_source"]
    if len(given) > 1 and isinstance(getattr(given[1], "value", None), str) or "ab_dtype" in named:  # one type for both
        names.remove("b_dtype")
    values = {**dict(zip(names, given)), **named}
    a = number_type(values.get("a_dtype", values.get("ab_dtype")))
    b = number_type(values.get("b_dtype", a))
    a_major, b_major = (values.get(x, values.get(x.replace("leading", "major"))) for x in ("a_leading_mode", "b_leading_mode"))
    group, source, sums = values["cta_group"], values.get("a_source", OperandSource.SMEM), values["acc_dtype"]
    shape = tuple(values["mma_tiler_mn"])
    if a.width == 16:
        op = MmaF16BF16Op(a, sums, shape, group, source, a_major, b_major)
    elif a.width == 32:
        op = MmaTF32Op(shape, group, source, a_major, b_major)
    else:
        op = (MmaFP8Op if a.is_float else MmaI8Op)(a, b, sums, shape, group, source, a_major, b_major)
    return make_tiled_mma(op)


def _by_extents(smem_layout):
    """((M, K), RestM, RestK) as ((M, RestM), (K, RestK))."""
    from ._cute_tensor import swizzling_of
    found = swizzling_of(smem_layout)
    plain = smem_layout if found is None else found.plain
    (m, k), rest_m, rest_k = plain[0], plain[1], plain[2]
    out = Layout(f"(({text_of(m.shape)},{text_of(rest_m.shape)}),({text_of(k.shape)},{text_of(rest_k.shape)})):"
                 f"(({text_of(m.stride)},{text_of(rest_m.stride)}),({text_of(k.stride)},{text_of(rest_k.stride)}))")
    return out if found is None else found.of(out)


def _make_tma(op, gmem_tensor, smem_layout, mma_tiler_mnk, tiled_mma, cluster, internal_type, operand):
    from ._cute_tma import make_tiled_tma_atom
    m, n, k = mma_tiler_mnk
    shape = tiled_mma.partition_shape_A((m, k)) if operand == "A" else tiled_mma.partition_shape_B((n, k))
    (rows, depth), rest_rows, rest_depth = map(product, shape[0]), product(shape[1]), product(shape[2])
    if rest_rows > 1:
        raise ValueError(f"TMA of {operand}: the tile {tuple(mma_tiler_mnk)} has {rest_rows} products of {tiled_mma.op.atom_name} along its rows; give an operation "
                         "with M and N of the tile")
    multicast = 1
    if cluster is not None and op.multicast:
        extents = [product(x) for x in (cluster.shape if hasattr(cluster, "shape") else cluster)]
        multicast = extents[2] if operand == "A" else extents[1]
    made = make_tiled_tma_atom(op, gmem_tensor, _by_extents(smem_layout), (rows, depth * rest_depth), multicast, internal_type=internal_type)
    return dataclasses.replace(made, smem_layout=smem_layout)


def make_tiled_tma_atom_A(op, gmem_tensor, smem_layout, mma_tiler_mnk, tiled_mma, cluster_shape_vmnk=None, *, internal_type=None, **_):
    """(the atom of TMA loads of A, the tensor of coordinates); smem_layout is ((M, K), RestM, RestK) of one stage."""
    return _make_tma(op, gmem_tensor, smem_layout, mma_tiler_mnk, tiled_mma, cluster_shape_vmnk, internal_type, "A")


def make_tiled_tma_atom_B(op, gmem_tensor, smem_layout, mma_tiler_mnk, tiled_mma, cluster_shape_vmnk=None, *, internal_type=None, **_):
    """(the atom of TMA loads of B, the tensor of coordinates); smem_layout is ((N, K), RestN, RestK) of one stage."""
    return _make_tma(op, gmem_tensor, smem_layout, mma_tiler_mnk, tiled_mma, cluster_shape_vmnk, internal_type, "B")


def _tma_op(cta_group_size, shares):
    from . import _cute_tma as tma
    group = CtaGroup.TWO if cta_group_size == 2 else CtaGroup.ONE
    return (tma.CopyBulkTensorTileG2SMulticastOp if shares else tma.CopyBulkTensorTileG2SOp)(group)


def cluster_shape_to_tma_atom_A(cluster_shape_mnk, atom_thr_id, **_):
    """The TMA operation of A: multicast where blocks of the cluster share a row of tiles."""
    return _tma_op(size(atom_thr_id), product(cluster_shape_mnk[1]) > 1)


def cluster_shape_to_tma_atom_B(cluster_shape_mnk, atom_thr_id, **_):
    """The TMA operation of B: multicast where blocks of the cluster share a column of tiles."""
    return _tma_op(size(atom_thr_id), product(cluster_shape_mnk[0]) // size(atom_thr_id) > 1)


def compute_epilogue_tile_shape(cta_tile_shape, use_2cta_instrs, layout_d, elem_ty_d, *, layout_c=None, elem_ty_c=None, **_):
    """The (M, N) that an epilogue stores at once: all rows, and 32 columns or fewer; of 64 rows of each of two blocks columns of both halves, which are in
    different lanes: (64, (16,2):(1,N/2))."""
    m, n = (product(x) for x in cta_tile_shape[:2])
    width = next(w for w in (32, 16, 8, n) if n % w == 0)
    return (64, Layout((width // 2, 2), (1, n // 2))) if m == 64 and use_2cta_instrs else (min(m, 128), width)


def get_tmem_load_op(cta_tile_shape, layout_d, elem_ty_d, elem_ty_acc, epi_tile, use_2cta_instrs, **_):
    """The load of sums: a lane's columns by each thread, or of 64 rows of one block 16 lanes of a warp."""
    from ._cute_copies import make_copy_atom
    m, columns = product(cta_tile_shape[0]), size(epi_tile[1])
    if m == 64 and not use_2cta_instrs:
        times = next(t for t in (16, 8, 4, 2, 1) if columns % (8 * t) == 0)
        return make_copy_atom(_copies.Ld16x256bOp(Repetition(times)), elem_ty_acc)
    columns = columns // 2 if m == 64 else columns
    times = next(t for t in (128, 64, 32, 16, 8, 4, 2, 1) if columns % t == 0)
    return make_copy_atom(_copies.Ld32x32bOp(Repetition(times)), elem_ty_acc)


def get_smem_store_op(layout_d, elem_ty_d, elem_ty_acc, tiled_tmem_load, **_):
    """The copy of sums to shared memory: element by element."""
    from ._cute_copies import CopyUniversalOp, make_copy_atom
    return make_copy_atom(CopyUniversalOp(), elem_ty_d)


class _Copies(metaclass=Names):
    """tcgen05.copy: copies of tensor memory."""

    Repetition, Pack, Unpack = Repetition, Pack, Unpack


for _name in ("32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"):
    for _kind in ("Ld", "St"):
        setattr(_Copies, f"{_kind}{_name}Op", getattr(_copies, f"{_kind}{_name}Op"))


class _Mma(metaclass=Names):
    """tcgen05.mma: products."""

    CtaGroup, OperandSource, OperandMajorMode, Field, SmemLayoutAtomKind = CtaGroup, OperandSource, OperandMajorMode, Field, SmemLayoutAtomKind
    MmaF16BF16Op, MmaTF32Op, MmaFP8Op, MmaF8F6F4Op, MmaI8Op = MmaF16BF16Op, MmaTF32Op, MmaFP8Op, MmaF8F6F4Op, MmaI8Op


class tcgen05(metaclass=Names):
    """Products and copies of tensor memory, on the CPU."""

    copy, mma = _Copies, _Mma
    make_tmem_copy, commit, tile_to_mma_shape = staticmethod(make_tmem_copy), staticmethod(commit), staticmethod(tile_to_mma_shape)
    make_smem_layout_atom = staticmethod(make_smem_layout_atom)
    find_tmem_tensor_col_offset = staticmethod(columns_of)

    @staticmethod
    def is_tmem_load(atom, **_):
        """Does the atom load from tensor memory?"""
        op = getattr(getattr(atom, "atom", atom), "op", None)
        return isinstance(op, TmemOp) and op.loads

    @staticmethod
    def is_tmem_store(atom, **_):
        """Does the atom store to tensor memory?"""
        op = getattr(getattr(atom, "atom", atom), "op", None)
        return isinstance(op, TmemOp) and not op.loads


for _part in (_Copies, _Mma):
    for _name, _value in list(vars(_part).items()):
        if not _name.startswith("_"):
            setattr(tcgen05, _name, _value)


@functools.lru_cache(maxsize=None)
def umma_maps(name):
    """As maps_of of _tiled_mma; None for another name."""
    import re
    found = re.fullmatch(r"SM100_(\d+)x(\d+)x(\d+)_([A-Z0-9]+)_(SS|TS)(_2x1SM)?", name)
    if not found:
        return None
    m, n, k = (int(found[i]) for i in (1, 2, 3))
    blocks = 2 if found[6] else 1

    def shared(rows, columns):
        return f"({blocks},({rows // blocks},{columns})):({rows // blocks if blocks > 1 else 0},(1,{rows}))"
    return {"name": name, "shape": [m, n, k], "types": {}, "threads": "2:1" if blocks == 2 else "1:0",
            "A": shared(m, k), "B": shared(n, k), "C": shared(m, n)}

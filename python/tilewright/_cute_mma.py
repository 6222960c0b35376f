"""Matrix operations in kernels: atoms by the names of CuTe's Python DSL, tiled operations, their partitions and fragments, and gemm.

On the CPU the 32 threads of a warp meet at gemm, and the product is computed once for all of them. On a GPU each product is one
instruction of include/tilewright/mma/warp_atoms.hpp.
"""
import numpy as np

from . import _operations as _algebra
from ._cute_launch import thread_of, WARP
from ._cute_layouts import layout_of, make_rmem_tensor, size
from ._cute_names import Atom, MmaOp
from ._cute_numbers import BFloat16, Float16, Float32, Float8E4M3FN, Float8E5M2, number_type, TFloat32
from ._cute_tensor import Tensor
from ._cute_tiles import whole_tiles
from ._cute_values import active, kind_of
from ._cute_tensor_memory import not_traced
from ._cute_umma import fragment_of_a, fragment_of_sums, operand_numbers as _as_operand, start_product as start_umma, UmmaOp
from ._cute_warpgroup import Field, start_product, WarpgroupOp
from ._tiled_mma import TiledMMA, maps_of


class MmaUniversalOp(MmaOp):
    """A multiply-add of one element by one thread."""

    atom_name = "UniversalFMA"

    def __init__(self, abacc_dtype):
        self.dtype = self.ab_dtype = self.acc_dtype = abacc_dtype
        self.shape_mnk = (1, 1, 1)


class MmaF16BF16Op(MmaOp):
    """A multiply-add of a warp: A of 16 x 8 or 16 x 16 elements of Float16 or BFloat16, B of 8, sums in Float32 or Float16."""

    def __init__(self, ab_dtype, acc_dtype, shape_mnk):
        ab, acc, shape = number_type(ab_dtype), number_type(acc_dtype), tuple(shape_mnk)
        letters = {Float16: "F16", BFloat16: "BF16", Float32: "F32"}
        if ab not in (Float16, BFloat16) or acc not in ((Float32, Float16) if ab is Float16 else (Float32,)) or \
                shape not in ((16, 8, 8), (16, 8, 16)):
            raise ValueError(f"there is no matrix operation of a warp with A and B of {ab!r}, sums of {acc!r} and the shape {shape}: A "
                             "and B are Float16 or BFloat16, sums Float32 (of Float16 also Float16), the shape (16, 8, 8) or (16, 8, 16)")
        self.ab_dtype, self.acc_dtype, self.shape_mnk = ab, acc, shape
        self.atom_name = f"SM80_16x8x{shape[2]}_{letters[acc]}{letters[ab]}{letters[ab]}{letters[acc]}_TN"


class MmaFP8Op(MmaOp):
    """A multiply-add of a warp: A of 16 x 32 elements of Float8E4M3FN or Float8E5M2, B of 8, sums in Float32 or Float16."""

    def __init__(self, ab_dtype, acc_dtype, shape_mnk):
        ab, acc, shape = number_type(ab_dtype), number_type(acc_dtype), tuple(shape_mnk)
        letters = {Float8E4M3FN: "E4M3", Float8E5M2: "E5M2", Float32: "F32", Float16: "F16"}
        if ab not in (Float8E4M3FN, Float8E5M2) or acc not in (Float32, Float16) or shape != (16, 8, 32):
            raise ValueError(f"there is no matrix operation of a warp with A and B of {ab!r}, sums of {acc!r} and the shape {shape}: A and B are "
                             "Float8E4M3FN or Float8E5M2, sums Float32 or Float16, the shape (16, 8, 32)")
        self.ab_dtype, self.acc_dtype, self.shape_mnk = ab, acc, shape
        self.atom_name = f"SM89_16x8x32_{letters[acc]}{letters[ab]}{letters[ab]}{letters[acc]}_TN"


class MmaTF32Op(MmaOp):
    """A multiply-add of a warp: A of 16 x 4 or 16 x 8 elements of TFloat32 (Float32 of which 19 bits count), B of 8, sums in Float32."""

    def __init__(self, shape_mnk=(16, 8, 8)):
        self.shape_mnk = shape = tuple(shape_mnk)
        if shape not in ((16, 8, 4), (16, 8, 8)):
            raise ValueError(f"there is no matrix operation of a warp with A and B of TFloat32 and the shape {shape}; there are (16, 8, 4) and (16, 8, 8)")
        self.ab_dtype, self.acc_dtype = TFloat32, Float32
        self.atom_name = f"SM80_16x8x{shape[2]}_F32TF32TF32F32_TN"


class MmaAtom(Atom):
    """One matrix operation."""

    def __init__(self, op):
        if not hasattr(op, "atom_name"):
            raise TypeError(f"{op!r} is no matrix operation; there are cute.nvgpu.MmaUniversalOp, cute.nvgpu.warp.MmaF16BF16Op and MmaFP8Op, and those of "
                            "cute.nvgpu.warpgroup and cute.nvgpu.tcgen05")
        self.op, self.shape_mnk, maps = op, tuple(op.shape_mnk), maps_of(op.atom_name)
        self.thr_id = _algebra.make_layout(maps["threads"])
        self.tv_layout_A, self.tv_layout_B, self.tv_layout_C = (_algebra.make_layout(maps[x]) for x in "ABC")

        self.fields = object()  # names what set() sets

    def make_fragment_A(self, partition, **_):
        """Registers for a thread's elements of A; an operation that reads A from shared memory has the partition itself."""
        if _is_umma(self.op) and self.op.a_src.name == "TMEM":
            return fragment_of_a(self.op, partition)
        return self._operand(partition, not getattr(self.op, "reads_registers", True))

    def make_fragment_B(self, partition, **_):
        """Registers for a thread's elements of B; an operation of a warpgroup has the partition itself, of shared memory."""
        return self._operand(partition, isinstance(self.op, WarpgroupOp) or _is_umma(self.op))

    def _operand(self, partition, is_shared):
        if is_shared and not (isinstance(partition, Tensor) and partition.memspace == "smem"):
            raise ValueError(f"{self.op.atom_name} reads this operand from shared memory; give the partition of a tensor there, not {partition!r}")
        return partition if is_shared else _fragment(partition, self.op.ab_dtype)

    def make_fragment_C(self, partition, **_):
        """Registers for a thread's sums, or tensor memory; of a partition or its shape."""
        if _is_umma(self.op):
            return fragment_of_sums(self.op, partition.shape if hasattr(partition, "shape") else partition)
        return _fragment(partition, self.op.acc_dtype)

    def set(self, field, value, **_):
        """Of an operation of a warpgroup, Field.ACCUMULATE: do this thread's next products add to the sums, or replace them?

        Raises ValueError for another operation or field.
        """
        if _is_umma(self.op) and isinstance(field, self.op.fields):
            not_traced(f"{self.op.atom_name}.set")
            thread_of("set").fields[id(self.fields), field] = bool(value)
            return None
        if not isinstance(self.op, WarpgroupOp) or field is not Field.ACCUMULATE:
            raise ValueError(f"{self.op.atom_name} has no field {field!r}; warpgroup.Field.ACCUMULATE is one of operations of a warpgroup"
                             + ("" if isinstance(self.op, WarpgroupOp) else ", and other sums begin at 0 where the accumulator is filled with 0"))
        if active():
            return active().line(f"{active().field_of(self.fields)} = {active().converted(value, 'bool')};")
        thread_of("set").fields[id(self.fields)] = bool(value)

    def get(self, field, **_):
        """What set() set; of an operation of a warpgroup true at first, of Blackwell's false."""
        if _is_umma(self.op):
            return thread_of("get").fields.get((id(self.fields), field), False)
        if active():
            return active().let("bool", active().field_of(self.fields))
        return thread_of("get").fields.get(id(self.fields), True)


def _is_umma(op):
    """Is it an operation of Blackwell, whose sums are in tensor memory?"""
    return isinstance(op, UmmaOp)


def _fragment(partition, dtype):
    return make_rmem_tensor(partition.shape if isinstance(partition, Tensor) else partition, dtype)


def make_mma_atom(op, **_):
    """One matrix operation, for make_tiled_mma.  Raises TypeError for anything else."""
    return op if isinstance(op, MmaAtom) else MmaAtom(op)


class TiledMma(MmaAtom):
    """Matrix operations side by side: which thread has which elements of the operands."""

    def __init__(self, atom, atom_layout, permutation):
        super().__init__(atom.op)
        self.value = TiledMMA(atom.op.atom_name, atom_layout, permutation)
        self.permutation_mnk = self.value.permutation
        self.thr_layout_vmnk, self.size = self.value.thr_layout, self.value.threads
        self.tv_layout_A_tiled, self.tv_layout_B_tiled, self.tv_layout_C_tiled = (self.value.tv(x) for x in "ABC")

    def get_tile_size(self, mode_idx, **_):
        """The extent of M, N or K (0, 1, 2) of one tile."""
        return self.value.tile[mode_idx]

    def get_slice(self, thr_idx, **_):
        """The part of one thread; threads beyond the operation's repeat them."""
        return ThrMma(self, thr_idx)

    def _tile_of(self, operand):
        """The extents of an operand's tile."""
        m, n, k = self.value.tile
        return {"A": (m, k), "B": (n, k), "C": (m, n)}[operand]

    def _partition_shape(self, operand, shape):
        view = self.value.view(operand, whole_tiles(_algebra.make_layout(shape), self._tile_of(operand)))
        rest = view[1][1].shape
        return (view[1][0].shape, *(rest if isinstance(rest, tuple) else (rest,)))

    def partition_shape_A(self, shape_mk, **_):
        """The shape of a thread's part of A."""
        return self._partition_shape("A", shape_mk)

    def partition_shape_B(self, shape_nk, **_):
        """The shape of a thread's part of B."""
        return self._partition_shape("B", shape_nk)

    def partition_shape_C(self, shape_mn, **_):
        """The shape of a thread's part of C."""
        return self._partition_shape("C", shape_mn)


    def __repr__(self):
        return repr(self.value)


class ThrMma(TiledMma):
    """One thread of a tiled matrix operation."""

    def __init__(self, whole, thr_idx):
        self.__dict__.update(whole.__dict__)
        self.thr_idx = thr_idx

    def _partition(self, operand, tensor):
        view = self.value.view(operand, whole_tiles(tensor.layout, self._tile_of(operand)))
        rest = view.shape[1][1]
        keeps = (None,) * len(rest) if isinstance(rest, tuple) else None
        return Tensor(tensor.iterator, view)[self.value.place(operand, self.thr_idx), (None, keeps)]

    def partition_A(self, tensor, **_):
        """This thread's elements of A: (V, RestM, RestK, ...)."""
        return self._partition("A", tensor)

    def partition_B(self, tensor, **_):
        """This thread's elements of B: (V, RestN, RestK, ...)."""
        return self._partition("B", tensor)

    def partition_C(self, tensor, **_):
        """This thread's elements of C: (V, RestM, RestN, ...)."""
        return self._partition("C", tensor)


def make_tiled_mma(op_or_atom, atom_layout_mnk=(1, 1, 1), permutation_mnk=None, **_):
    """Matrix operations side by side. `permutation_mnk` has for each of M, N and K the extent of the tile, a layout, or None.

    Raises LayoutError for what cannot be tiled.
    """
    return TiledMma(make_mma_atom(op_or_atom), atom_layout_mnk, permutation_mnk or ())


# --- gemm -------------------------------------------------------------------------------------------------------------------
def _shaped(t, without_values):
    """(V, M, N): of a tensor without V, and of one without the last modes, those have extent 1."""
    layout = _algebra.prepend(t.plain, "1:0") if without_values else t.plain
    while layout.rank < 3:
        layout = _algebra.append(layout, "1:0")
    return Tensor(t.iterator, layout if t.swizzling is None else t.swizzling.of(layout))


def gemm(atom, d, a, b, c, **_):
    """d = a * b + c of fragments: (V), or (V, M), (V, N) and (V, M, N), or (V, M, K), (V, N, K) and (V, M, N); of one thread also
    (M), (N) and (M, N), or (M, K), (N, K) and (M, N).

    Raises ValueError for fragments of other sizes, RuntimeError where threads of the warp are missing.
    """
    op = getattr(atom, "op", atom)
    warp = op is not None and not isinstance(op, MmaUniversalOp)
    given, (d, a, b, c) = (a, b, d), (_shaped(t, d.layout.rank == 2) for t in (d, a, b, c))
    sizes = [[size(t, [i]) for i in range(3)] for t in (d, a, b, c)]
    values, rows, columns = sizes[0]
    steps = sizes[1][2]
    maps = maps_of(op.atom_name) if warp else None
    wanted = [_algebra.make_layout(maps[x])[1].size for x in "CAB"] if warp else [values] * 3
    if sizes != [[wanted[0], rows, columns], [wanted[1], rows, steps], [wanted[2], columns, steps], sizes[0]]:
        a, b, d = map(layout_of, given)
        raise ValueError(f"gemm: {a} is (V, M, K), {b} is (V, N, K) and {d} is (V, M, N), and their sizes differ"
                         + (f"; V of {op.atom_name} is {wanted[1]}, {wanted[2]} and {wanted[0]}" if warp else ""))
    if _is_umma(op):
        start_umma(atom, d, a, b, c)
    elif isinstance(op, WarpgroupOp):
        start_product(atom, d, a, b, c)
    elif warp:
        (_traced if active() else _by_a_warp)(op, d, a, b, c, (rows, columns, steps))
    elif active() or any(t.memspace != "rmem" for t in (a, b, c, d)):
        _one_by_one(d, a, b, c, sizes[0], steps)
    else:
        _of_arrays(d, a, b, c, steps)


def _one_by_one(d, a, b, c, extents, steps):
    for n in range(extents[2]):
        for m in range(extents[1]):
            for v in range(extents[0]):
                total = c[v, m, n]
                for k in range(steps):
                    total = total + a[v, m, k] * b[v, n, k]
                d[v, m, n] = total


def _of_arrays(d, a, b, c, steps):
    """The same of registers, a step of k at a time: each product and sum is rounded as it is one by one."""
    x, y, total = map(_array, (a, b, c))
    with np.errstate(all="ignore"):
        for k in range(steps):
            total = total + x[:, :, None, k] * y[:, None, :, k]
    _store(d, total)


def _array(t):
    """The elements as an array (V, M, N)."""
    values = t.iterator.memory.numbers(t.places()) if t.memspace == "rmem" else np.array([t[i] for i in range(size(t))])
    return values.reshape([size(t, [i]) for i in range(3)], order="F")


def _store(t, values):
    """An array (V, M, N) into a fragment."""
    values, memory = values.reshape(-1, order="F"), t.iterator.memory
    if t.memspace == "rmem":
        memory.put(t.places(), values if memory.kind else values.astype(memory.data.dtype))
    else:
        t.store(list(values))


def _by_a_warp(op, d, a, b, c, extents):
    """The first thread that goes on computes the product for all of the warp."""
    me = thread_of("gemm")
    given = me.exchanged(tuple(map(_array, (a, b, c))))
    if len(given) - ("product" in given) != WARP:
        raise RuntimeError(f"{op.atom_name} needs the {WARP} threads of a warp, and {len(given)} are here (block {me.block.index}, "
                           f"thread {me.index}); let all of them reach gemm")
    if "product" not in given:
        given["product"] = _product(op, [given[lane] for lane in range(WARP)], extents)
    _store(d, given["product"][:, me.index % WARP])


def _product(op, lanes, extents):
    """D as (V, lane, M, N): exact products are added in float64, and the sum is rounded to the accumulator's type."""
    maps, (rows, columns, steps) = maps_of(op.atom_name), extents
    m, n, k = op.shape_mnk

    def gathered(which, operand, i, j):
        """An operand of all lanes as (i, j, repetitions…)."""
        index = np.array(_algebra.make_layout(maps[operand]).offsets())  # of (thread, value), thread first
        values = np.stack([lane[which] for lane in lanes], axis=0)  # (lane, V, …)
        out = np.zeros((i * j, *values.shape[2:]), values.dtype)
        out[index] = values.reshape(-1, *values.shape[2:], order="F")
        return out.reshape(i, j, *values.shape[2:], order="F")
    a, b = (_as_operand(op, gathered(*x)) for x in ((0, "A", m, k), (1, "B", n, k)))
    total = gathered(2, "C", m, n)
    with np.errstate(all="ignore"):
        for step in range(steps):
            total = (total + np.einsum("mkr,nkc->mnrc", a[..., step], b[..., step])).astype(total.dtype)
    index = np.array(_algebra.make_layout(maps["C"]).offsets())
    values = total.reshape(-1, rows, columns, order="F")[index]
    return values.reshape(WARP, -1, rows, columns, order="F").transpose(1, 0, 2, 3)


def _traced(op, d, a, b, c, extents):
    """The operations one by one; each element is in a register or is loaded."""
    def places(t, i, j):
        part = t[None, i, j]
        return [(t.iterator.memory, part.place(n)) for n in range(size(part))]
    kinds = kind_of(op.acc_dtype), kind_of(op.ab_dtype)
    for k in range(extents[2]):
        for n in range(extents[1]):
            for m in range(extents[0]):
                before = places(c if k == 0 else d, m, n)
                active().multiply(op.atom_name, kinds, places(d, m, n), places(a, m, k), places(b, n, k), before)

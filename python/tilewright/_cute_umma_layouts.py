"""What goes with products of Blackwell on the CPU: layouts of their operands in shared memory, TMA loads of those, the operation for types and shapes, and
the parts in which an epilogue stores sums.
"""
import dataclasses

from ._cute_layouts import flat_divide, group_modes, product, size, tile_to_shape
from ._cute_numbers import number_type
from ._cute_tmem_copies import Ld16x256bOp, Ld32x32bOp, Repetition
from ._cute_umma import CtaGroup, MmaF16BF16Op, MmaFP8Op, MmaI8Op, MmaTF32Op, OperandSource
from ._cute_warpgroup import make_smem_layout_atom, OperandMajorMode, SmemLayoutAtomKind
from ._layout import Layout, text_of

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
        return make_copy_atom(Ld16x256bOp(Repetition(times)), elem_ty_acc)
    columns = columns // 2 if m == 64 else columns
    times = next(t for t in (128, 64, 32, 16, 8, 4, 2, 1) if columns % t == 0)
    return make_copy_atom(Ld32x32bOp(Repetition(times)), elem_ty_acc)


def get_smem_store_op(layout_d, elem_ty_d, elem_ty_acc, tiled_tmem_load, **_):
    """The copy of sums to shared memory: element by element."""
    from ._cute_copies import CopyUniversalOp, make_copy_atom
    return make_copy_atom(CopyUniversalOp(), elem_ty_d)

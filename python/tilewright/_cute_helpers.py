"""cutlass.utils for matrices in shared memory: which mode is contiguous, and the swizzled layouts that TMA and matrix operations take.

A K-major tile of 64 x 64 Float16 in two stages: Sw<3,4,3> o 0 o ((8,8),(64,1),(1,2)):((64,512),(1,0),(0,4096)). The swizzle counts
bytes, as that of a pointer: get_tensor(layout.outer, swizzle=layout.inner).
"""
import enum
import math

from ._cute_copies import CopyUniversalOp, make_copy_atom
from ._cute_layouts import coalesce, product, size, tile_to_shape
from ._cute_matrices import StMatrix8x8x16bOp
from ._cute_mma import make_tiled_mma
from ._cute_names import Names
from ._cute_numbers import number_type
from . import _cute_tensor_memory as _tensor_memory
from . import _cute_umma_layouts as _umma
from ._cute_warpgroup import (MmaF16BF16Op, MmaF8Op, MmaI8Op, OperandMajorMode, OperandSource, SmemLayoutAtomKind,
                              make_smem_layout_atom)
from ._layout import Layout, leaves_of


class LayoutEnum(enum.Enum):
    """Which mode of a matrix is contiguous."""

    ROW_MAJOR, COL_MAJOR = "row-major", "col-major"

    @staticmethod
    def from_tensor(tensor):
        """That of a tensor of two or more modes."""
        return LayoutEnum.COL_MAJOR if tensor.leading_dim == 0 else LayoutEnum.ROW_MAJOR

    def mma_major_mode(self):
        """The contiguous mode of an operand (M or N, K)."""
        return OperandMajorMode.K if self is LayoutEnum.ROW_MAJOR else OperandMajorMode.MN

    sm90_mma_major_mode = mma_major_mode

    def is_k_major_a(self):
        """Is it K of (M, K)?"""
        return self is LayoutEnum.ROW_MAJOR

    def is_m_major_a(self):
        """Is it M of (M, K)?"""
        return self is LayoutEnum.COL_MAJOR

    is_k_major_b, is_n_major_b, is_n_major_c, is_m_major_c = is_k_major_a, is_m_major_a, is_k_major_a, is_m_major_a


def _atom_kind(second_is_major, dtype, extent):
    """The widest tile whose rows fill a contiguous mode of so many elements.  error: ValueError where no tile's rows do"""
    width = number_type(dtype).width
    span = next((s for s in (1024, 512, 256, 128) if extent * width % s == 0), None)
    if span is None:
        raise ValueError(f"a contiguous mode of {extent} elements of {width} bits has rows of {extent * width} bits; they are a multiple of 128 bits")
    return SmemLayoutAtomKind(f"{'k' if second_is_major else 'mn'} {span}")


def _contiguous(extent):
    """The elements of a tile's mode that follow each other in a tensor: of (16,2):(1,32) there are 16."""
    if not isinstance(extent, Layout):
        return product(extent)
    return next((e for e, step in zip(leaves_of(coalesce(extent).shape), leaves_of(coalesce(extent).stride)) if step == 1), 1)


def _staged(tile, second_is_major, dtype, stages, shape=None, order=None):
    """A tile's layout by the widest swizzle that its contiguous mode is a multiple of, repeated to another shape than (tile, stages)."""
    kind = _atom_kind(second_is_major, dtype, _contiguous(tile[1 if second_is_major else 0]))
    tile = tuple(size(x) if isinstance(x, Layout) else x for x in tile)
    return tile_to_shape(make_smem_layout_atom(kind, dtype), shape or (*tile, stages), order or ((0, 1, 2) if second_is_major else (1, 0, 2)))


def _operation(a, b, a_major, b_major, sums, shape_mn, a_source):
    """The operation of a warpgroup for types of A and B."""
    shape = (*shape_mn, 256 // a.width)
    if a.width == 16:
        return MmaF16BF16Op(a, sums, shape, a_source, a_major, b_major)
    return (MmaF8Op if a.is_float else MmaI8Op)(a, b, sums, shape, a_source, a_major, b_major)


class hopper_helpers(metaclass=Names):
    """Layouts of tiles in shared memory, and matrix operations of a warpgroup."""

    @staticmethod
    def get_smem_layout_atom(layout, element_type, major_mode_size, **_):
        """The kind of tile, for make_smem_layout_atom, whose contiguous mode has so many elements."""
        return _atom_kind(layout is LayoutEnum.ROW_MAJOR, element_type, major_mode_size)

    make_smem_layout_atom = staticmethod(make_smem_layout_atom)

    @staticmethod
    def make_trivial_tiled_mma(a_dtype, b_dtype, a_leading_mode, b_leading_mode, acc_dtype, atom_layout_mnk, tiler_mn,
                               a_source=OperandSource.SMEM, **_):
        """Operations of warpgroups, each of tiler_mn, side by side as atom_layout_mnk says."""
        op = _operation(number_type(a_dtype), number_type(b_dtype), a_leading_mode, b_leading_mode, acc_dtype, tuple(tiler_mn), a_source)
        return make_tiled_mma(op, atom_layout_mnk)

    @staticmethod
    def compute_tile_shape_or_override(tile_shape_mnk, element_type, is_cooperative=False, epi_tile_override=None, **_):
        """The (M, N) that an epilogue stores at once."""
        if epi_tile_override is not None:
            return epi_tile_override
        m, n = tile_shape_mnk[:2]
        if is_cooperative:
            return min(128, m), math.gcd(32, n)
        return min(64, m), math.gcd(64 if number_type(element_type).width == 8 else 32, n)

    @staticmethod
    def sm90_get_smem_store_op(layout_d, elem_ty_d, elem_ty_acc, **_):
        """The copy of sums to shared memory: stmatrix for elements of 16 bits, else element by element."""
        if number_type(elem_ty_d).width == 16:
            return make_copy_atom(StMatrix8x8x16bOp(layout_d.is_m_major_c(), 4), elem_ty_d)
        return make_copy_atom(CopyUniversalOp(), elem_ty_d)

    get_smem_store_op = sm90_get_smem_store_op

    @staticmethod
    def make_smem_layout_a(a_layout, mma_tiler_mnk, a_dtype, num_stages, **_):
        """(M, K, stages), swizzled."""
        return _staged((mma_tiler_mnk[0], mma_tiler_mnk[2]), a_layout.is_k_major_a(), a_dtype, num_stages)

    @staticmethod
    def make_smem_layout_b(b_layout, mma_tiler_mnk, b_dtype, num_stages, **_):
        """(N, K, stages), swizzled."""
        return _staged((mma_tiler_mnk[1], mma_tiler_mnk[2]), b_layout.is_k_major_b(), b_dtype, num_stages)

    @staticmethod
    def make_smem_layout_epi(epi_dtype, epi_layout, epi_tile, epi_stage, smem_trg_shape=None, smem_order=None, **_):
        """(M, N, stages), swizzled; or another shape, whose modes are repeated in an order."""
        return _staged(tuple(epi_tile), epi_layout.is_n_major_c(), epi_dtype, epi_stage, smem_trg_shape, smem_order)


class blackwell_helpers(metaclass=Names):
    """Layouts of tiles in shared memory, and products of Blackwell."""

    @staticmethod
    def make_smem_layout(leading_mode, smem_tile_shape, smem_dtype, num_stages, **_):
        """The tile's modes and the stages, swizzled."""
        return _staged(tuple(smem_tile_shape), leading_mode is OperandMajorMode.K, smem_dtype, num_stages)

    make_smem_layout_epi = staticmethod(hopper_helpers.make_smem_layout_epi)
    make_smem_layout_a, make_smem_layout_b = staticmethod(_umma.make_smem_layout_a), staticmethod(_umma.make_smem_layout_b)
    make_trivial_tiled_mma = staticmethod(_umma.make_trivial_tiled_mma)
    cluster_shape_to_tma_atom_A = staticmethod(_umma.cluster_shape_to_tma_atom_A)
    cluster_shape_to_tma_atom_B = staticmethod(_umma.cluster_shape_to_tma_atom_B)
    compute_epilogue_tile_shape = staticmethod(_umma.compute_epilogue_tile_shape)
    get_tmem_load_op, get_smem_store_op = staticmethod(_umma.get_tmem_load_op), staticmethod(_umma.get_smem_store_op)
    get_num_tmem_alloc_cols = staticmethod(_tensor_memory.get_num_tmem_alloc_cols)

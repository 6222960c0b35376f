"""cutlass.utils for matrices in shared memory: which mode is contiguous, and the swizzled layouts that TMA and matrix operations take.

A K-major tile of 64 x 64 Float16 in two stages: Sw<3,4,3> o 0 o ((8,8),(64,1),(1,2)):((64,512),(1,0),(0,4096)). The swizzle counts
bytes, as that of a pointer: get_tensor(layout.outer, swizzle=layout.inner).
"""
import enum

from ._cute_layouts import make_composed_layout, make_layout, product, tile_to_shape
from ._cute_names import Names
from ._cute_numbers import number_type


class OperandMajorMode(enum.Enum):
    """Which mode of an operand is contiguous: K, or M or N."""

    MN, K = "mn", "k"


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


def _staged(tile, second_is_major, dtype, stages):
    """A tile's layout by the widest swizzle that its contiguous mode is a multiple of."""
    width, major = number_type(dtype).width, product(tile[1 if second_is_major else 0])
    span = next((s for s in (1024, 512, 256, 128) if major * width % s == 0), None)
    if span is None:
        raise ValueError(f"a tile of {tile} elements of {width} bits has rows of {major * width} bits; they are a multiple of 128 bits")
    row = span // width
    shape, stride = ((8, row), (row, 1)) if second_is_major else ((row, 8), (1, row))
    bits = (span // 128).bit_length() - 1
    atom = make_composed_layout(f"Sw<{bits},4,3>", 0, make_layout(shape, stride=stride))
    return tile_to_shape(atom, (*tile, stages), (0, 1, 2) if second_is_major else (1, 0, 2))


class hopper_helpers(metaclass=Names):
    """Layouts of tiles in shared memory."""

    @staticmethod
    def make_smem_layout_a(a_layout, mma_tiler_mnk, a_dtype, num_stages, **_):
        """(M, K, stages), swizzled."""
        return _staged((mma_tiler_mnk[0], mma_tiler_mnk[2]), a_layout.is_k_major_a(), a_dtype, num_stages)

    @staticmethod
    def make_smem_layout_b(b_layout, mma_tiler_mnk, b_dtype, num_stages, **_):
        """(N, K, stages), swizzled."""
        return _staged((mma_tiler_mnk[1], mma_tiler_mnk[2]), b_layout.is_k_major_b(), b_dtype, num_stages)

    @staticmethod
    def make_smem_layout_epi(epi_dtype, epi_layout, epi_tile, epi_stage, **_):
        """(M, N, stages), swizzled."""
        return _staged(tuple(epi_tile), epi_layout.is_n_major_c(), epi_dtype, epi_stage)


class blackwell_helpers(metaclass=Names):
    """Layouts of tiles in shared memory."""

    @staticmethod
    def make_smem_layout(leading_mode, smem_tile_shape, smem_dtype, num_stages, **_):
        """The tile's modes and the stages, swizzled."""
        return _staged(tuple(smem_tile_shape), leading_mode is OperandMajorMode.K, smem_dtype, num_stages)

    make_smem_layout_epi = staticmethod(hopper_helpers.make_smem_layout_epi)

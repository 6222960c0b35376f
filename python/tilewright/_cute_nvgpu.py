"""cute.nvgpu: operations of NVIDIA's GPUs by name."""
from ._cute_copies import CopyG2SOp, CopyUniversalOp, LoadCacheMode
from ._cute_matrices import LdMatrix8x8x16bOp, StMatrix8x8x16bOp
from ._cute_mma import MmaF16BF16Op, MmaUniversalOp
from ._cute_names import Names


class cpasync(metaclass=Names):
    """Asynchronous copies."""

    CopyG2SOp, LoadCacheMode = CopyG2SOp, LoadCacheMode


class warp(metaclass=Names):
    """Operations of the 32 threads of a warp."""

    LdMatrix8x8x16bOp, MmaF16BF16Op, StMatrix8x8x16bOp = LdMatrix8x8x16bOp, MmaF16BF16Op, StMatrix8x8x16bOp


class nvgpu(metaclass=Names):
    """Operations by name."""

    CopyUniversalOp, LoadCacheMode, MmaUniversalOp, cpasync, warp = CopyUniversalOp, LoadCacheMode, MmaUniversalOp, cpasync, warp

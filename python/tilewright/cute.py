"""Kernels in the notation of CuTe's Python DSL, run on the CPU without a compiler, every access checked; where the arrays
are on a GPU, traced to CUDA C++ and run there.

>>> import numpy as np
>>> from tilewright import cute, cutlass
>>> @cute.kernel
... def scale(a: cute.Tensor, factor: cutlass.Constexpr):
...     thread, _, _ = cute.arch.thread_idx()
...     a[thread] = a[thread] * factor
>>> x = np.arange(4.0)
>>> scale(x, 10).launch(grid=(1, 1, 1), block=(4, 1, 1))
>>> x
array([ 0., 10., 20., 30.])

A kernel is called once for each thread. Threads of a block take turns: each runs until it reaches a barrier or its end.
What no barrier orders is refused: an element that one thread writes and another reads or writes. So is an index outside
of a tensor; the message names block, thread and coordinate. Arrays become tensors when a kernel or a jit function is
called; layouts and their algebra are those of this package.
"""
# ruff: noqa: F401
from . import _cute_launch as _launch
from . import _cute_layouts
from ._cute_arch import arch
from ._cute_compile import (EnableAssertions, EnableTVMFFI, GPUArch, GenerateLineInfo, KeepCUBIN, KeepPTX, KeepSASS,  # noqa: A004  the DSL's names
                            NvdisasmOptions, OptLevel, compile, runtime,
                            sym_int, sym_int32, sym_int64, testing)
from ._cute_copies import (CopyAtom, CopyG2SOp, CopyUniversalOp, LoadCacheMode, ThrCopy, TiledCopy, autovec_copy, basic_copy,
                           basic_copy_if, copy, make_copy_atom, make_cotiled_copy, make_tiled_copy, make_tiled_copy_A,
                           make_tiled_copy_B, make_tiled_copy_C, make_tiled_copy_C_atom, make_tiled_copy_D, make_tiled_copy_S, make_tiled_copy_tv)
from ._cute_launch import jit, kernel
from ._cute_accesses import CacheEvictionPriority
from ._cute_divisors import *  # noqa: F401,F403  divisors
from ._cute_layouts import *  # noqa: F401,F403  the algebra
from ._cute_tiles import *  # noqa: F401,F403  tiles
from ._cute_portions import *  # noqa: F401,F403  parts of layouts
from ._cute_native import make_native_struct, native_struct
from ._cute_mma import MmaAtom, MmaUniversalOp, ThrMma, TiledMma, gemm, make_mma_atom, make_tiled_mma
from ._cute_elsewhere import elsewhere as _elsewhere
from ._cute_names import Atom, CopyOp, MmaOp, Op
from ._cute_numbers import NumberType
from ._cute_numbers import (BFloat16, Boolean, Float, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Integer, Numeric, Uint8, Uint16,
                            Uint32, Uint64)
from ._cute_numbers import (Float4E2M1FN, Float6E2M3FN, Float6E3M2FN, Float8E4M3B11FNUZ, Float8E4M3FN, Float8E5M2, Float8E8M0FNU, Int4, Int128,
                            TFloat32, Uint4, Uint128)
from ._cute_experimental import experimental, iket
from ._cute_nvgpu import nvgpu
from ._cute_print import print_tensor, printf
from ._cute_shared import struct, union
from ._cute_math import math
from ._cute_ssa import ReductionOp, TensorSSA, all_, any_, full, full_like, ones_like, where, zeros_like
from ._cute_tuples import *  # noqa: F401,F403  nested tuples
from ._cute_tensor import Pointer, Tensor, as_tensor, from_dlpack
from ._layout import Layout, Swizzle

Shape = Coord = Stride = Tile = Tiler = IntTuple = tuple
erf, exp, exp2, rsqrt, sqrt, tanh = math.erf, math.exp, math.exp2, math.rsqrt, math.sqrt, math.tanh
log1p = math.log1p
log, log2, log10, sin, cos, tan = math.log, math.log2, math.log10, math.sin, math.cos, math.tan
acos, asin, atan, atan2, floor, ceil = math.acos, math.asin, math.atan, math.atan2, math.floor, math.ceil
empty_like, copy_atom_call, mma_atom_call = zeros_like, copy, gemm
ReductionKind = nvgpu.cpasync.ReductionKind
make_fragment, make_fragment_like = _cute_layouts.make_rmem_tensor, _cute_layouts.make_rmem_tensor_like


class AddressSpace:
    """Names of memories."""

    generic, gmem, smem, rmem, dsmem, tmem = "generic", "gmem", "smem", "rmem", "dsmem", "tmem"


runtime.AddressSpace = AddressSpace
launch = _launch.launch


def prefetch(*_, **__):
    """Nothing: a hint to the caches."""


make_ptr, SymInt = runtime.make_ptr, sym_int


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    made = _elsewhere(f"cute.{name}")
    if made is not None:
        return made
    raise AttributeError(f"tilewright.cute has no '{name}'; docs/reference/python.md#kernels lists what it has of CuTe's Python DSL")

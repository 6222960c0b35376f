"""The names of NVIDIA's `cutlass` module that kernels in its Python notation use, for tilewright.cute.

A program that says `import cutlass` and `import cutlass.cute as cute` runs on this package after

    import tilewright.cutlass
    tilewright.cutlass.register()
"""
import builtins
import sys
import types

import numpy as np

from . import _cute_pipeline as _pipeline
from . import cute
from ._cute_helpers import LayoutEnum, blackwell_helpers, hopper_helpers
from ._cute_names import Names as _Names
from ._cute_numbers import (NUMBERS, BFloat16, Boolean, Float8E4M3FN, Float8E5M2, Float16, Float32, Float64, Int8, Int16,  # noqa: F401
                            Int32, Int64, Uint8, Uint16, Uint32, Uint64)
from ._cute_numbers import NumberType as Numeric  # noqa: F401  in annotations
from ._cute_shared import SmemAllocator
from ._cute_trace import UNROLLED, DynamicRange, active
from ._cute_values import Value
from ._reports import plot


class Constexpr:
    """Marks an argument whose value is known when the kernel is built; any Python value here."""

    def __class_getitem__(cls, item):
        return cls


def range(*bounds, unroll=None, unroll_full=False, **_):  # noqa: A001  the notation's own name
    """`range`; on a GPU a loop of the kernel where its bounds are known there only, where it has many rounds, or with unroll=1."""
    if active() and (any(isinstance(b, Value) for b in bounds) or not unroll_full and
                     len(builtins.range(*bounds)) > (1 if unroll == 1 else UNROLLED)):
        return DynamicRange(bounds)
    return builtins.range(*bounds)


def range_constexpr(*bounds, **_):
    """`range`, unrolled."""
    return builtins.range(*bounds)


def const_expr(value):
    """The truth of what is known when the kernel is built.  Raises TypeError for what a GPU decides."""
    return bool(value)


def dynamic_expr(value):
    """The condition itself; a trace finds what a GPU decides."""
    return value


def dtype(name):
    """The number type of a name: dtype("Float16").  Raises TypeError for one that there is not."""
    if name not in NUMBERS:
        raise TypeError(f"there is no number type {name!r}; there are {', '.join(NUMBERS)}")
    return NUMBERS[name]


def dsl_user_op(function):
    """The function itself; `loc` and `ip` are None."""
    return function


def _of_the_compiler(name):
    def refuse(*_, **__):
        raise TypeError(f"{name} builds code of NVIDIA's compiler, which does not run here; write for, while and if in Python")
    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "Raises TypeError: a program may import it, and writes `for`, `while` and `if` in its place."
    return refuse


for_generate, if_generate, while_generate, yield_out = map(_of_the_compiler, ("for_generate", "if_generate", "while_generate", "yield_out"))


def min(*values):  # noqa: A001
    """The smallest of numbers."""
    return cute.min(*values)


def max(*values):  # noqa: A001
    """The largest of numbers."""
    return cute.max(*values)


class tensor_helpers:
    """Tensors of types that other libraries lack."""

    @staticmethod
    def is_fp8_dtype(dtype):
        """Is it a float of 8 bits?"""
        return dtype in (Float8E4M3FN, Float8E5M2)

    @staticmethod
    def create_cute_tensor_for_fp8(storage_tensor, dtype, leading_dim, source_f32_tensor=None):
        """The tensor of an array.  Raises TypeError for floats of 8 bits."""
        if tensor_helpers.is_fp8_dtype(dtype):
            raise TypeError(f"{dtype!r} has no numbers here; use Float16 or BFloat16")
        return cute.from_dlpack(storage_tensor)


class utils(metaclass=_Names):
    """Helpers around kernels."""

    SmemAllocator, tensor_helpers, LayoutEnum = SmemAllocator, tensor_helpers, LayoutEnum
    hopper_helpers, blackwell_helpers = hopper_helpers, blackwell_helpers

    @staticmethod
    def get_smem_capacity_in_bytes(compute_capability="sm_90"):
        """The shared memory that a block may have, by the name of an architecture.  Raises ValueError for one that is not known."""
        kibibytes = {"80": 163, "86": 99, "87": 163, "89": 99, "90": 227, "100": 227, "103": 227, "120": 99}
        number = str(compute_capability).rpartition("_")[2].rstrip("af")
        if number not in kibibytes:
            raise ValueError(f"there is no architecture {compute_capability!r}; there are sm_{', sm_'.join(kibibytes)}")
        return kibibytes[number] << 10

    @staticmethod
    def print_latex(layout):
        """Prints a picture of a layout as LaTeX."""
        print(plot(layout)._draw("latex"))

    @staticmethod
    def print_latex_tv(layout_tv, tile_mn):
        """Prints a picture of a (thread, value) map as LaTeX."""
        print(plot(layout_tv, view="tv", tile=tile_mn)._draw("latex"))


testing = cute.testing


class pipeline(metaclass=_Names):
    """Producers and consumers of stages of shared memory."""

    Agent, CooperativeGroup, NamedBarrier = _pipeline.Agent, _pipeline.CooperativeGroup, _pipeline.NamedBarrier
    PipelineAsync, PipelineCpAsync = _pipeline.PipelineAsync, _pipeline.PipelineCpAsync
    PipelineTmaAsync, PipelineTmaStore = _pipeline.PipelineTmaAsync, _pipeline.PipelineTmaStore
    pipeline_init_arrive = staticmethod(_pipeline.pipeline_init_arrive)
    pipeline_init_wait = staticmethod(_pipeline.pipeline_init_wait)
    PipelineState, PipelineUserType = _pipeline.PipelineState, _pipeline.PipelineUserType
    make_pipeline_state, sync = staticmethod(_pipeline.make_pipeline_state), staticmethod(_pipeline.sync)


class torch:
    """Types of PyTorch for number types."""

    @staticmethod
    def dtype(number_type):
        """PyTorch's dtype of the same elements."""
        import torch as pytorch
        return getattr(pytorch, getattr(number_type, "kind_name", None) or np.dtype(number_type).name)

    @staticmethod
    def current_stream():
        """PyTorch's current stream, which launches use."""
        import torch as pytorch
        return pytorch.cuda.current_stream()


class cuda:
    """The GPU's context, which the first launch opens."""

    @staticmethod
    def initialize_cuda_context(*_):
        """Nothing: the first launch on a GPU opens its context."""

    @staticmethod
    def default_stream():
        """The stream 0."""
        return 0

    @staticmethod
    def stream_sync(_stream):
        """Nothing on a CPU, where a launch returns when it has ended; PyTorch and CuPy wait for their streams."""


def register():
    """Makes this package answer `import cutlass`, `cutlass.cute`, `cutlass.cute.runtime` and the like in this process.

    Raises ImportError where another `cutlass` is imported already.
    """
    here = sys.modules[__name__]
    if sys.modules.get("cutlass", here) is not here:
        raise ImportError("another cutlass is imported already; call tilewright.cutlass.register() before")
    sys.modules["cutlass"], sys.modules["cutlass.cute"] = here, cute
    parts = {"cutlass.cute.runtime": cute.runtime, "cutlass.cute.testing": cute.testing, "cutlass.testing": testing,
             "cutlass.cute.nvgpu": cute.nvgpu, "cutlass.cute.nvgpu.cpasync": cute.nvgpu.cpasync,
             "cutlass.cute.nvgpu.warp": cute.nvgpu.warp, "cutlass.cute.nvgpu.warpgroup": cute.nvgpu.warpgroup, "cutlass.utils.tensor_helpers": tensor_helpers, "cutlass.cute.math": cute.math, "cutlass.cute.arch": cute.arch,
             "cutlass.utils": utils, "cutlass.utils.hopper_helpers": hopper_helpers, "cutlass.utils.blackwell_helpers": blackwell_helpers,
             "cutlass.cutlass_dsl": here, "cutlass.pipeline": pipeline, "cutlass.torch": torch}
    for name, names in parts.items():
        module = types.ModuleType(name, names.__doc__)
        module.__dict__.update({n: getattr(names, n) for n in dir(names) if not n.startswith("__")})
        module.__path__ = []
        sys.modules[name] = module
    here.__path__ = cute.__path__ = []  # packages, as far as imports are concerned
    if not any(isinstance(finder, _Missing) for finder in sys.meta_path):
        sys.meta_path.append(_Missing())


class _Missing:
    """Refuses imports of modules that this package does not have."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith("cutlass.") and sys.modules.get("cutlass") is sys.modules[__name__]:
            why = " is NVIDIA's compiler, whose operations and inline PTX do not run here" if name.startswith("cutlass._mlir") else ""
            raise ModuleNotFoundError(f"tilewright.cutlass has no module '{name}'{', which' if why else ''}{why}; docs/reference/python.md"
                                      "#kernels lists what it has of CuTe's Python DSL", name=name)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(f"tilewright.cutlass has no '{name}'; docs/reference/python.md#kernels lists what it has of CuTe's Python DSL")

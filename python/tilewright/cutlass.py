"""The names of NVIDIA's `cutlass` module that kernels in its Python notation use, for tilewright.cute.

A program that says `import cutlass` and `import cutlass.cute as cute` runs on this package after

    import tilewright.cutlass
    tilewright.cutlass.register()
"""
import builtins
import enum
import functools

from ._cute_between import distributed as _distributed
from . import _cute_clc as _clc
from . import _cute_groups as _groups
from . import _cute_pipeline as _pipeline
from . import _cute_pipeline_umma as _umma_pipeline
from . import _cute_tensor_memory as _tmem
from . import _cute_tma_maps as _maps
from . import _cute_umma_epilogue as _epilogue
from . import cute
from ._cute_array import Array, GridConstant, Swizzle, make_array_view  # noqa: F401
from ._cute_helpers import LayoutEnum, blackwell_helpers, hopper_helpers
from ._cute_control import with_number_types
from ._cute_copies import block_copy as _block_copy
from ._cute_elsewhere import elsewhere as _elsewhere
from ._cute_architectures import Arch
from ._cute_names import Names as _Names
from ._cute_numbers import (NUMBERS, BFloat16, Boolean, Float4E2M1FN, Float4E2M1FNx2, Float6E2M3FN, Float6E3M2FN, Float8E4M3,  # noqa: F401
                            Float8E4M3B11FNUZ, Float8E4M3FN, Float8E5M2, Float8E8M0FNU, Float16, Float32, Float64, Int4, Int8, Int16, Int32,
                            Int64, Int128, TFloat32, Uint4, Uint8, Uint16, Uint32, Uint64, Uint128)
from ._cute_numbers import Float, Integer, Numeric  # noqa: F401
from ._cute_numbers import NumberType as NumericMeta
from ._cute_ptx import T  # noqa: F401
from ._cute_experimental import experimental  # noqa: F401
from ._cute_schedule import (HardwareInfo, PersistentTileSchedulerParams, StaticPersistentRuntimeTileScheduler, StaticPersistentTileScheduler,
                             WorkTileInfo)
from ._cute_shared import SmemAllocator
from ._cute_trace_loops import UNROLLED, DynamicRange, active
from ._cute_tree import mapped, parts_of
from ._cute_values import Value
from ._cute_vectors import vector  # noqa: F401
from ._cutlass_torch import torch, write_bytes as _write_bytes
from ._reports import plot

__version__ = "4.4.0"  # of the DSL whose names these are
IntegerMeta = FloatMeta = NumericMeta
Vector, full, full_like = cute.TensorSSA, cute.full, cute.full_like
# What cutlass.cute.typing has, which annotates.
AddressSpace, Layout, Pointer, Tensor = cute.AddressSpace, cute.Layout, cute.Pointer, cute.Tensor
Coord, IntTuple, Shape, Stride, Tile, Tiler = cute.Coord, cute.IntTuple, cute.Shape, cute.Stride, cute.Tile, cute.Tiler


class Constexpr:
    """Marks an argument whose value is known when the kernel is built; any Python value here."""

    def __class_getitem__(cls, item):
        return cls


def range(*bounds, unroll=None, unroll_full=False, **_):  # noqa: A001  the notation's own name
    """`range`; on a GPU a loop of the kernel where its bounds are known there only, where it has many rounds, or with unroll=1."""
    if active() and (any(isinstance(b, Value) for b in bounds) or not unroll_full and
                     len(builtins.range(*bounds)) > (1 if unroll == 1 else UNROLLED)):
        return DynamicRange(bounds)
    return tuple(builtins.range(*bounds)) if unroll_full and active() else builtins.range(*bounds)


def range_constexpr(*bounds, **_):
    """`range`, unrolled."""
    return tuple(builtins.range(*bounds)) if active() else builtins.range(*bounds)


def const_expr(value):
    """The value itself, which is known when the kernel is built.  Raises TypeError for what a GPU decides."""
    if isinstance(value, Value):
        bool(value)
    return value


def dynamic_expr(value):
    """The condition itself; a trace finds what a GPU decides."""
    return value


def dtype(name):
    """The number type of a name: dtype("Float16").  Raises TypeError for one that there is not."""
    if name not in NUMBERS:
        raise TypeError(f"there is no number type {name!r}; there are {', '.join(NUMBERS)}")
    return NUMBERS[name]


def dsl_user_op(function):
    """The function, to which Python's numbers are of the types that annotate its parameters; `loc` and `ip` are None.

    >>> @dsl_user_op
    ... def type_of(x: Int32, *, loc=None, ip=None):
    ...     return type(x.ir_value())
    >>> type_of(3)
    Int32
    """
    annotated = {n: NUMBERS.get(a.rpartition(".")[2]) if isinstance(a, str) else a for n, a in getattr(function, "__annotations__", {}).items()}
    types = {n: a for n, a in annotated.items() if isinstance(a, NumericMeta) and n != "return"}
    if not types and "type" not in function.__code__.co_names:
        return function
    names = function.__code__.co_varnames[:function.__code__.co_argcount]

    def typed(name, x):
        return types[name](x) if name in types and type(x) in (int, float, bool) else x

    def made(*given, **named):
        called = with_number_types(function) if active() else function
        return called(*(typed(n, x) for n, x in zip(names, given)), *given[len(names):], **{n: typed(n, x) for n, x in named.items()})
    return functools.update_wrapper(made, function)


def extract_mlir_values(x):
    """The values of what conditions and loops may change, as a list."""
    parts = parts_of(x)
    return [x] if parts is None else [v for one in parts[0] for v in extract_mlir_values(one)]


def new_from_mlir_values(x, values):
    """The same container of other values."""
    rest = iter(values)
    return mapped(x, lambda _: next(rest))


class BaseDSL:
    """The DSL itself, which programs ask for the architecture."""

    @classmethod
    def _get_dsl(cls):
        return cls

    @staticmethod
    def get_arch_enum():
        """The architecture of the GPU that PyTorch uses, sm_90a without one."""
        return Arch.current()


CuTeDSL = BaseDSL


class DSLRuntimeError(RuntimeError):
    """What the DSL raises for a program that it cannot run; this package raises Python's own errors."""


DSLCudaRuntimeError = DSLRuntimeError


def and_(*values):
    """Are all true?"""
    out = values[0]
    for v in values[1:]:
        out = v & out if isinstance(v, Value) or isinstance(out, Value) else out and v
    return out


def or_(*values):
    """Is one true?"""
    out = values[0]
    for v in values[1:]:
        out = v | out if isinstance(v, Value) or isinstance(out, Value) else out or v
    return out


def not_(value):
    """Is it false?"""
    return value.trace.negated(value) if isinstance(value, Value) else not value


def select_(test, a, b):
    """a where the condition is true, else b."""
    return cute.where(test, a, b)


def _of_the_compiler(name):
    def refuse(*_, **__):
        raise TypeError(f"{name} builds code of NVIDIA's compiler, which does not run here; write for, while and if in Python")
    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "Raises TypeError: a program may import it, and writes `for`, `while` and `if` in its place."
    return refuse


for_generate, while_generate, yield_out = map(_of_the_compiler, ("for_generate", "while_generate", "yield_out"))


def if_generate(pred, then_body, else_body=None, input_args=None, return_types=(), **_):
    """What one of two functions gives: the first where the condition holds. In a program of one's own write `if`."""
    given = tuple(input_args or ())
    other = else_body or (lambda *_: None)
    if not isinstance(pred, Value):
        return (then_body if pred else other)(*given)
    return active().branch(pred, lambda: (then_body(*given),), lambda: (other(*given),), ("the result of if_generate",), ())[0]


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
        """The tensor of an array; of floats of 8 bits the array of bytes, which get the numbers of source_f32_tensor."""
        made = cute.from_dlpack(storage_tensor)
        if tensor_helpers.is_fp8_dtype(dtype):
            made.element_type = dtype
            if source_f32_tensor is not None:
                _write_bytes(storage_tensor, source_f32_tensor, dtype)
        return made


class SmemPartition(enum.Enum):
    """Which part of a block's shared memory an allocation is in; here they follow each other in the order of their calls."""

    RESERVED, USER = "reserved", "user"


class utils(metaclass=_Names):
    """Helpers around kernels."""

    is_fp8_dtype = staticmethod(tensor_helpers.is_fp8_dtype)
    create_cute_tensor_for_fp8 = staticmethod(tensor_helpers.create_cute_tensor_for_fp8)

    SmemAllocator, tensor_helpers, LayoutEnum = SmemAllocator, tensor_helpers, LayoutEnum
    SmemPartition, block_copy = SmemPartition, staticmethod(_block_copy)
    hopper_helpers, blackwell_helpers, sm100 = hopper_helpers, blackwell_helpers, blackwell_helpers
    ClcDynamicPersistentTileSchedulerParams = _clc.ClcDynamicPersistentTileSchedulerParams
    ClcDynamicPersistentTileScheduler = _clc.ClcDynamicPersistentTileScheduler
    gemm, distributed = _epilogue.gemm, _distributed
    StaticPersistentRuntimeTileScheduler = StaticPersistentRuntimeTileScheduler
    TmemAllocator, get_num_tmem_alloc_cols = _tmem.TmemAllocator, staticmethod(_tmem.get_num_tmem_alloc_cols)
    get_tmem_load_op, get_smem_store_op = staticmethod(blackwell_helpers.get_tmem_load_op), staticmethod(blackwell_helpers.get_smem_store_op)
    compute_epilogue_tile_shape = staticmethod(blackwell_helpers.compute_epilogue_tile_shape)
    PersistentTileSchedulerParams, StaticPersistentTileScheduler = PersistentTileSchedulerParams, StaticPersistentTileScheduler
    WorkTileInfo, HardwareInfo = WorkTileInfo, HardwareInfo
    GroupSearchResult, GroupedGemmGroupSearchState = _groups.GroupSearchResult, _groups.GroupedGemmGroupSearchState
    GroupedGemmTileSchedulerHelper = _groups.GroupedGemmTileSchedulerHelper
    StaticPersistentGroupTileScheduler = _groups.StaticPersistentGroupTileScheduler
    TensorMapManager, TensorMapUpdateMode = _maps.TensorMapManager, _maps.TensorMapUpdateMode
    create_initial_search_state = staticmethod(_groups.create_initial_search_state)

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


class memory(metaclass=_Names):
    """Allocators of a block's memory, as cutlass.utils has them."""

    SmemAllocator, TmemAllocator = SmemAllocator, _tmem.TmemAllocator


testing = cute.testing


class _Version:
    """CUDA's, of which this package is made for: major and minor."""

    def __init__(self, text):
        self.major, self.minor = (int(x) for x in (text.split(".") + ["0"])[:2])

    def _key(self):
        return self.major, self.minor

    def __str__(self):
        return f"{self.major}.{self.minor}"


CUDA_VERSION = _Version("13.0")


def target_version(exact_version=None, *, min_version=None, max_version=None):
    """Is CUDA's version, 13.0, that one, or in that range?  Raises ValueError without a version, and for both."""
    if (exact_version is None) == (min_version is None and max_version is None):
        raise ValueError("target_version takes exact_version, or min_version and max_version")
    here = CUDA_VERSION._key()
    low, high = (None if v is None else v._key() if isinstance(v, _Version) else _Version(str(v))._key()
                 for v in ((exact_version, exact_version) if exact_version is not None else (min_version, max_version)))
    if low is not None and high is not None and low > high:
        raise ValueError(f"target_version: min_version {min_version} is above max_version {max_version}")
    return (low is None or here >= low) and (high is None or here <= high)


def register_jit_arg_adapter(*_, **__):
    """Marks a class that turns objects of a framework into arguments for NVIDIA's compiler; here objects are arguments as they are."""
    return lambda made: made


class pipeline(metaclass=_Names):
    """Producers and consumers of stages of shared memory."""

    Agent, CooperativeGroup, NamedBarrier, PipelineOp = _pipeline.Agent, _pipeline.CooperativeGroup, _pipeline.NamedBarrier, _pipeline.PipelineOp
    agent_sync = staticmethod(_pipeline.agent_sync)
    alloc_reserved_mbarrier = staticmethod(_pipeline.alloc_reserved_mbarrier)
    PipelineAsync, PipelineCpAsync = _pipeline.PipelineAsync, _pipeline.PipelineCpAsync
    PipelineTmaAsync, PipelineTmaStore, PipelineOrder = _pipeline.PipelineTmaAsync, _pipeline.PipelineTmaStore, _pipeline.PipelineOrder
    PipelineTmaUmma, PipelineUmmaAsync = _umma_pipeline.PipelineTmaUmma, _umma_pipeline.PipelineUmmaAsync
    PipelineAsyncUmma, PipelineClcFetchAsync = _umma_pipeline.PipelineAsyncUmma, _clc.PipelineClcFetchAsync
    PipelineProducer = PipelineConsumer = _pipeline.Participant
    arrive, arrive_and_wait = staticmethod(_pipeline.arrive), staticmethod(_pipeline.arrive_and_wait)
    pipeline_init_arrive = staticmethod(_pipeline.pipeline_init_arrive)
    pipeline_init_wait = staticmethod(_pipeline.pipeline_init_wait)
    PipelineState, PipelineUserType = _pipeline.PipelineState, _pipeline.PipelineUserType
    make_pipeline_state, sync = staticmethod(_pipeline.make_pipeline_state), staticmethod(_pipeline.sync)


utils.pipeline = pipeline  # where it was first


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
    from ._cutlass_modules import register as registered
    registered()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    made = _elsewhere(f"cutlass.{name}")
    if made is not None:
        return made
    raise AttributeError(f"tilewright.cutlass has no '{name}'; docs/reference/python.md#kernels lists what it has of CuTe's Python DSL")

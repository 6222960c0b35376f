"""The names of NVIDIA's `cutlass` module that kernels in its Python notation use, for tilewright.cute. Written by python/write_kernel_stubs.py."""
from typing import Any, ClassVar, TypeVar, Union
from . import cute as cute, cutlass as _here
from .cute import Number as Number

from .cute import AddressSpace as AddressSpace
class Arch:
    """Architectures, older ones first. The value: (major number, minor number, what is special of it)."""
    @property
    def major(self) -> Any:
        """The number before the point: 9 of sm_90a."""
    @property
    def minor(self) -> Any:
        """The number behind the point."""
    @property
    def suffix(self) -> Any:
        """What is special of it: "", "a" or "f"."""
    def __lt__(self, other: Any) -> Any:
        """Return self<value."""
    def is_family_of(self, arch: Any) -> Any:
        """Does it run what is made for another of its family?"""
    @classmethod
    def from_string(cls, text: Any) -> Any:
        """The architecture of a name such as "sm_90a".  Raises ValueError for one that is not known."""
    @classmethod
    def current(cls) -> Any:
        """The architecture that CUTE_DSL_ARCH names, or of the GPU that PyTorch uses; sm_90a without both.  Raises ValueError for a name that is not known."""
    sm_70: Any
    sm_75: Any
    sm_80: Any
    sm_86: Any
    sm_87: Any
    sm_89: Any
    sm_90: Any
    sm_90a: Any
    sm_100: Any
    sm_100a: Any
    sm_100f: Any
    sm_101: Any
    sm_101a: Any
    sm_101f: Any
    sm_103: Any
    sm_103a: Any
    sm_103f: Any
    sm_107: Any
    sm_107a: Any
    sm_107f: Any
    sm_110: Any
    sm_110a: Any
    sm_110f: Any
    sm_120: Any
    sm_120a: Any
    sm_120f: Any
    sm_121: Any
    sm_121a: Any
    sm_121f: Any
    def __gt__(self, other: Any) -> Any:
        """Return a > b.  Computed by @total_ordering from (not a < b) and (a != b)."""
    def __le__(self, other: Any) -> Any:
        """Return a <= b.  Computed by @total_ordering from (a < b) or (a == b)."""
    def __ge__(self, other: Any) -> Any:
        """Return a >= b.  Computed by @total_ordering from (not a < b)."""
class Array:
    """Array(type, shape, space=…, alignment=…): new memory of a thread, or of its block (AddressSpace.smem), its last axis fastest."""
    @classmethod
    def __class_getitem__(cls, item: Any) -> Any: ...
from .cute import BFloat16 as BFloat16
class BaseDSL:
    """The DSL itself, which programs ask for the architecture."""
    @staticmethod
    def get_arch_enum() -> Any:
        """The architecture of the GPU that PyTorch uses, sm_90a without one."""
from .cute import Boolean as Boolean
CUDA_VERSION: Any
_T = TypeVar("_T")
Constexpr = Union[_T, Any]
Coord = tuple[Any, ...]
CuTeDSL = BaseDSL
class DSLCudaRuntimeError(RuntimeError):
    """What the DSL raises for a program that it cannot run; this package raises Python's own errors."""
DSLRuntimeError = DSLCudaRuntimeError
from .cute import Float as Float
from .cute import Float16 as Float16
from .cute import Float32 as Float32
from .cute import Float4E2M1FN as Float4E2M1FN
class Float4E2M1FNx2(Number):
    """Two floats of 4 bits in a byte: a name to compare with."""
from .cute import Float64 as Float64
from .cute import Float6E2M3FN as Float6E2M3FN
from .cute import Float6E3M2FN as Float6E3M2FN
class Float8E4M3(Number):
    """The float of 8 bits with 4 bits of exponent and infinity: a name to compare with."""
from .cute import Float8E4M3B11FNUZ as Float8E4M3B11FNUZ
from .cute import Float8E4M3FN as Float8E4M3FN
from .cute import Float8E5M2 as Float8E5M2
from .cute import Float8E8M0FNU as Float8E8M0FNU
FloatMeta = Number
class GridConstant:
    """Marks a parameter that a GPU keeps among the constants of a launch: GridConstant[TensorMap]."""
    @classmethod
    def __class_getitem__(cls, item: Any) -> Any: ...
class HardwareInfo:
    """Of the GPU that programs run on; an H200's on a CPU."""
    def __init__(self, device_id: Any = ...) -> None: ...
    def get_device_multiprocessor_count(self) -> Any:
        """The number of multiprocessors."""
    def get_max_active_clusters(self, cluster_size: Any, *_: Any, **__: Any) -> Any:
        """How many clusters of so many blocks run at the same time, a block on each multiprocessor."""
    def get_l2_cache_size_in_bytes(self) -> Any:
        """The bytes of the cache that all multiprocessors share."""
from .cute import Int128 as Int128
from .cute import Int16 as Int16
from .cute import Int32 as Int32
from .cute import Int4 as Int4
from .cute import Int64 as Int64
from .cute import Int8 as Int8
IntTuple = tuple[Any, ...]
from .cute import Integer as Integer
IntegerMeta = Number
from ._layout import Layout as Layout
class LayoutEnum:
    """Which mode of a matrix is contiguous."""
    @staticmethod
    def from_tensor(tensor: Any) -> Any:
        """That of a tensor of two or more modes."""
    def mma_major_mode(self) -> Any:
        """The contiguous mode of an operand (M or N, K)."""
    sm90_mma_major_mode = _here.LayoutEnum.mma_major_mode
    def is_k_major_a(self) -> Any:
        """Is it K of (M, K)?"""
    def is_m_major_a(self) -> Any:
        """Is it M of (M, K)?"""
    is_k_major_b = _here.LayoutEnum.is_k_major_a
    is_n_major_b = _here.LayoutEnum.is_m_major_a
    is_n_major_c = _here.LayoutEnum.is_k_major_a
    is_m_major_c = _here.LayoutEnum.is_m_major_a
    ROW_MAJOR: Any
    COL_MAJOR: Any
NUMBERS: Any
from .cute import Numeric as Numeric
NumericMeta = Number
class PersistentTileSchedulerParams:
    """Tiles of a problem, the blocks of a cluster, and the order of tiles: along M first or along N; `swizzle_size` clusters of the other mode are next to each other."""
    def __init__(self, problem_shape_ntile_mnl: Any, cluster_shape_mnk: Any, swizzle_size: Any = ..., raster_along_m: Any = ..., **_: Any) -> None: ...
    def get_grid_shape(self, max_active_clusters: Any, **_: Any) -> Any:
        """The grid of so many clusters, or fewer where there are fewer tiles."""
    def cluster_at(self, number: Any) -> Any:
        """(m, n, l) of the cluster of tiles of that number; the last `swizzle_size` of the other mode may be fewer."""
from .cute import Pointer as Pointer
Shape = tuple[Any, ...]
class SmemAllocator:
    """Gives a block's shared memory, piece by piece; the n-th piece of every thread is the same."""
    def allocate(self, what: Any, byte_alignment: Any = ..., **_: Any) -> Any:
        """The fields of a cute.struct, or a pointer to so many bytes."""
    def allocate_array(self, element_type: Any, num_elems: Any = ..., **_: Any) -> Any:
        """A pointer to so many elements."""
    def allocate_tensor(self, element_type: Any, layout: Any, byte_alignment: Any = ..., swizzle: Any = ..., **_: Any) -> Any:
        """A tensor of a layout."""
class SmemPartition:
    """Which part of a block's shared memory an allocation is in; here they follow each other in the order of their calls."""
    RESERVED: Any
    USER: Any
class StaticPersistentRuntimeTileScheduler:
    """The same of parameters that a kernel makes. `inner_mode`: of clusters (M, N, L), the mode that neighbours differ in, 0 or 1."""
    @classmethod
    def create(cls, params: Any, block_idx: Any, grid_dim: Any, inner_mode: Any = ..., **_: Any) -> Any:
        """The scheduler of the block at an index of a grid."""
class StaticPersistentTileScheduler:
    """The tiles of one block: that of its cluster's number, and then each that is a grid of clusters further."""
    def __init__(self, params: Any, number: Any, step: Any, in_cluster: Any) -> None: ...
    @classmethod
    def create(cls, params: Any, block_idx: Any, grid_dim: Any, **_: Any) -> Any:
        """The scheduler of the block at an index of a grid that get_grid_shape gave."""
    @staticmethod
    def get_grid_shape(params: Any, max_active_clusters: Any, **_: Any) -> Any:
        """The grid of so many clusters, or fewer where there are fewer tiles."""
    def get_current_work(self, **_: Any) -> Any:
        """The tile that it is at."""
    initial_work_tile_info = _here.StaticPersistentTileScheduler.get_current_work
    def advance_to_next_work(self, *, advance_count: Any = ..., **_: Any) -> Any:
        """Goes on to the next tile of the block."""
    @property
    def num_tiles_executed(self) -> Any:
        """How often it went on."""
Stride = tuple[Any, ...]
class Swizzle:
    """Swizzle(bits, base, shift) of bytes; from_name("s128b"): that of a map of TMA."""
    @classmethod
    def from_name(cls, name: Any) -> Any:
        """The swizzle of TensorMapSwizzle of that name.  Raises ValueError for one that there is not."""
class T:
    """Types of results."""
    @staticmethod
    def f64() -> Any:
        """Float64."""
    @staticmethod
    def f32() -> Any:
        """Float32."""
    @staticmethod
    def f16() -> Any:
        """Float16."""
    @staticmethod
    def bf16() -> Any:
        """BFloat16."""
    @staticmethod
    def i64() -> Any:
        """Int64."""
    @staticmethod
    def i32() -> Any:
        """Int32."""
    @staticmethod
    def i16() -> Any:
        """Int16."""
    @staticmethod
    def i8() -> Any:
        """Int8."""
    @staticmethod
    def bool() -> Any:
        """Boolean."""
    @staticmethod
    def i1() -> Any:
        """Boolean."""
from .cute import TFloat32 as TFloat32
from .cute import Tensor as Tensor
Tile = tuple[Any, ...]
Tiler = tuple[Any, ...]
from .cute import Uint128 as Uint128
from .cute import Uint16 as Uint16
from .cute import Uint32 as Uint32
from .cute import Uint4 as Uint4
from .cute import Uint64 as Uint64
from .cute import Uint8 as Uint8
from .cute import TensorSSA as Vector
class WorkTileInfo:
    """A tile, (m, n, l), and whether there is one."""
    def __init__(self, tile_idx: Any, is_valid_tile: Any) -> None: ...
def and_(*values: Any) -> Any:
    """Are all true?"""
def const_expr(value: Any) -> Any:
    """The value itself, which is known when the kernel is built.  Raises TypeError for what a GPU decides."""
class cuda:
    """The GPU's context, which the first launch opens."""
    @staticmethod
    def initialize_cuda_context(*_: Any) -> Any:
        """Nothing: the first launch on a GPU opens its context."""
    @staticmethod
    def default_stream() -> Any:
        """The stream 0."""
    @staticmethod
    def stream_sync(_stream: Any) -> Any:
        """Nothing on a CPU, where a launch returns when it has ended; PyTorch and CuPy wait for their streams."""
def dsl_user_op(function: Any) -> Any:
    """The function, to which Python's numbers are of the types that annotate its parameters; `loc` and `ip` are None."""
def dtype(name: Any) -> Any:
    """The number type of a name: dtype("Float16").  Raises TypeError for one that there is not."""
def dynamic_expr(value: Any) -> Any:
    """The condition itself; a trace finds what a GPU decides."""
def extract_mlir_values(x: Any) -> Any:
    """The values of what conditions and loops may change, as a list."""
def for_generate(*_: Any, **__: Any) -> Any:
    """Raises TypeError: a program may import it, and writes `for`, `while` and `if` in its place."""
from .cute import full as full
from .cute import full_like as full_like
def if_generate(pred: Any, then_body: Any, else_body: Any = ..., input_args: Any = ..., return_types: Any = ..., **_: Any) -> Any:
    """What one of two functions gives: the first where the condition holds. In a program of one's own write `if`."""
def make_array_view(x: Any, shape: Any = ..., **_: Any) -> Any:
    """A tensor, or memory behind a pointer, as an array of a shape whose last axis is fastest."""
def max(*values: Any) -> Any:
    """The largest of numbers."""
def min(*values: Any) -> Any:
    """The smallest of numbers."""
def new_from_mlir_values(x: Any, values: Any) -> Any:
    """The same container of other values."""
def not_(value: Any) -> Any:
    """Is it false?"""
def or_(*values: Any) -> Any:
    """Is one true?"""
def plot(*subjects: Any, **options: Any) -> Any:
    """A Picture of layouts, a TiledCopy, a TiledMMA, a copy atom (atom="SM75_U32x4_LDSM_N"), a Plan, or source and destination."""
def range(*bounds: Any, unroll: Any = ..., unroll_full: Any = ..., **_: Any) -> Any:
    """`range`; on a GPU a loop of the kernel where its bounds are known there only, where it has many rounds, or with unroll=1."""
def range_constexpr(*bounds: Any, **_: Any) -> Any:
    """`range`, unrolled."""
def register() -> Any:
    """Makes this package answer `import cutlass`, `cutlass.cute`, `cutlass.cute.runtime` and the like in this process."""
def register_jit_arg_adapter(*_: Any, **__: Any) -> Any:
    """Marks a class that turns objects of a framework into arguments for NVIDIA's compiler; here objects are arguments as they are."""
def select_(test: Any, a: Any, b: Any) -> Any:
    """a where the condition is true, else b."""
def target_version(exact_version: Any = ..., *, min_version: Any = ..., max_version: Any = ...) -> Any:
    """Is CUDA's version, 13.0, that one, or in that range?  Raises ValueError without a version, and for both."""
class tensor_helpers:
    """Tensors of types that other libraries lack."""
    @staticmethod
    def is_fp8_dtype(dtype: Any) -> Any:
        """Is it a float of 8 bits?"""
    @staticmethod
    def create_cute_tensor_for_fp8(storage_tensor: Any, dtype: Any, leading_dim: Any, source_f32_tensor: Any = ...) -> Any:
        """The tensor of an array; of floats of 8 bits the array of bytes, which get the numbers of source_f32_tensor."""
class torch:
    """PyTorch's tensors and types for number types."""
    class TensorInitType:
        """What a new tensor holds."""
        SKIP: Any
        SCALAR: Any
        RANDOM: Any
        GAUSSIAN: Any
    class ScalarInitConfig:
        """One number."""
        value: Any
        def __init__(self, value: Any = ...) -> None: ...
    class RandomInitConfig:
        """Integers from min_val on, less than max_val."""
        min_val: Any
        max_val: Any
        def __init__(self, min_val: Any = ..., max_val: Any = ...) -> None: ...
    class GaussianInitConfig:
        """Numbers of a normal distribution, scaled."""
        mean: Any
        std: Any
        scale: Any
        def __init__(self, mean: Any = ..., std: Any = ..., scale: Any = ...) -> None: ...
    @staticmethod
    def dtype(number_type: Any) -> Any:
        """PyTorch's dtype of the same elements."""
    @staticmethod
    def matrix(l: Any, mode0: Any, mode1: Any, is_mode0_major: Any, cutlass_dtype: Any, init_type: Any = ..., init_config: Any = ..., device: Any = ...) -> Any:
        """A tensor (mode0, mode1, l) on the CPU, contiguous along mode0 or mode1; of numbers that PyTorch lacks as float32."""
    @staticmethod
    def cute_tensor_like(data_ref: Any, cutlass_dtype: Any, is_dynamic_layout: Any = ..., assumed_align: Any = ...) -> Any:
        """(a kernel's tensor, PyTorch's tensor of the same memory) with the numbers of `data_ref`: on its GPU where there is one."""
    @staticmethod
    def create_and_permute_torch_tensor(shape: Any, dtype: Any, permute_order: Any = ..., init_type: Any = ..., init_config: Any = ..., device: Any = ...) -> Any:
        """A tensor on the CPU, its modes in another order; random integers of -2 to 1 unless another content is asked for."""
    from_dlpack = cute.from_dlpack
    @staticmethod
    def convert_cute_tensor(f32_torch_tensor: Any, cute_tensor: Any, dtype: Any, is_dynamic_layout: Any = ...) -> Any:
        """The kernel's tensor; one of floats of 8 bits in the host's memory gets the numbers of the other.  Raises TypeError for one on a GPU."""
    @staticmethod
    def get_leading_dim(tensor: Any) -> Any:
        """The mode of stride 1."""
    @staticmethod
    def current_stream() -> Any:
        """PyTorch's current stream, which launches use."""
    @staticmethod
    def default_stream() -> Any:
        """PyTorch's default stream."""
def while_generate(*_: Any, **__: Any) -> Any:
    """Raises TypeError: a program may import it, and writes `for`, `while` and `if` in its place."""
def with_number_types(function: Any) -> Any:
    """`function`, whose `type(x)` gives the number types of a kernel that is traced."""
def yield_out(*_: Any, **__: Any) -> Any:
    """Raises TypeError: a program may import it, and writes `for`, `while` and `if` in its place."""
class blackwell_helpers:
    """Layouts of tiles in shared memory, and products of Blackwell."""
    @staticmethod
    def make_smem_layout(leading_mode: Any, smem_tile_shape: Any, smem_dtype: Any, num_stages: Any, **_: Any) -> Any:
        """The tile's modes and the stages, swizzled."""
    @staticmethod
    def make_smem_layout_epi(epi_dtype: Any, epi_layout: Any, epi_tile: Any, epi_stage: Any, smem_trg_shape: Any = ..., smem_order: Any = ..., **_: Any) -> Any:
        """(M, N, stages), swizzled; or another shape, whose modes are repeated in an order."""
    @staticmethod
    def make_smem_layout_a(tiled_mma: Any, mma_tiler_mnk: Any, a_dtype: Any, num_stages: Any, *, is_k_major: Any = ..., **_: Any) -> Any:
        """((M, K), RestM, RestK, stages) of a block's part of A, swizzled."""
    @staticmethod
    def make_smem_layout_b(tiled_mma: Any, mma_tiler_mnk: Any, b_dtype: Any, num_stages: Any, *, is_k_major: Any = ..., **_: Any) -> Any:
        """((N, K), RestN, RestK, stages) of a block's part of B, swizzled."""
    @staticmethod
    def make_trivial_tiled_mma(*given: Any, **named: Any) -> Any:
        """The operation for types and major modes: (A's type, [B's type,] A's and B's major modes, type of the sums, CtaGroup, (M, N), [source of A])."""
    @staticmethod
    def cluster_shape_to_tma_atom_A(cluster_shape_mnk: Any, atom_thr_id: Any, **_: Any) -> Any:
        """The TMA operation of A: multicast where blocks of the cluster share a row of tiles."""
    @staticmethod
    def cluster_shape_to_tma_atom_B(cluster_shape_mnk: Any, atom_thr_id: Any, **_: Any) -> Any:
        """The TMA operation of B: multicast where blocks of the cluster share a column of tiles."""
    @staticmethod
    def compute_epilogue_tile_shape(cta_tile_shape: Any, use_2cta_instrs: Any, layout_d: Any, elem_ty_d: Any, *, layout_c: Any = ..., elem_ty_c: Any = ..., **_: Any) -> Any:
        """The (M, N) that an epilogue stores at once: all rows, and 32 columns or fewer; of 64 rows of each of two blocks columns of both halves, which are in different lanes: (64, (16,2):(1,N/2))."""
    @staticmethod
    def get_tmem_load_op(cta_tile_shape: Any, layout_d: Any, elem_ty_d: Any, elem_ty_acc: Any, epi_tile: Any, use_2cta_instrs: Any, **_: Any) -> Any:
        """The load of sums: a lane's columns by each thread, or of 64 rows of one block 16 lanes of a warp."""
    @staticmethod
    def get_smem_store_op(layout_d: Any, elem_ty_d: Any, elem_ty_acc: Any, tiled_tmem_load: Any, **_: Any) -> Any:
        """The copy of sums to shared memory: element by element."""
    @staticmethod
    def get_num_tmem_alloc_cols(tmem_tensors: Any, rounding: Any = ..., **_: Any) -> Any:
        """The columns to allocate for tensors: their sum, rounded up to a power of two of 32 or more."""
from .cute import experimental as experimental
class hopper_helpers:
    """Layouts of tiles in shared memory, and matrix operations of a warpgroup."""
    @staticmethod
    def get_smem_layout_atom(layout: Any, element_type: Any, major_mode_size: Any, **_: Any) -> Any:
        """The kind of tile, for make_smem_layout_atom, whose contiguous mode has so many elements."""
    make_smem_layout_atom = cute.nvgpu.warpgroup.make_smem_layout_atom
    @staticmethod
    def make_trivial_tiled_mma(a_dtype: Any, b_dtype: Any, a_leading_mode: Any, b_leading_mode: Any, acc_dtype: Any, atom_layout_mnk: Any, tiler_mn: Any, a_source: Any = ..., **_: Any) -> Any:
        """Operations of warpgroups, each of tiler_mn, side by side as atom_layout_mnk says."""
    @staticmethod
    def compute_tile_shape_or_override(tile_shape_mnk: Any, element_type: Any, is_cooperative: Any = ..., epi_tile_override: Any = ..., **_: Any) -> Any:
        """The (M, N) that an epilogue stores at once."""
    @staticmethod
    def sm90_get_smem_store_op(layout_d: Any, elem_ty_d: Any, elem_ty_acc: Any, **_: Any) -> Any:
        """The copy of sums to shared memory: stmatrix for elements of 16 bits, else element by element."""
    get_smem_store_op = _here.hopper_helpers.sm90_get_smem_store_op
    @staticmethod
    def make_smem_layout_a(a_layout: Any, mma_tiler_mnk: Any, a_dtype: Any, num_stages: Any, **_: Any) -> Any:
        """(M, K, stages), swizzled."""
    @staticmethod
    def make_smem_layout_b(b_layout: Any, mma_tiler_mnk: Any, b_dtype: Any, num_stages: Any, **_: Any) -> Any:
        """(N, K, stages), swizzled."""
    make_smem_layout_epi = _here.blackwell_helpers.make_smem_layout_epi
class memory:
    """Allocators of a block's memory, as cutlass.utils has them."""
    SmemAllocator = _here.SmemAllocator
    class TmemAllocator:
        """Allocates columns by one warp, whose address the others take after a barrier."""
        def __init__(self, alloc_result_dst_smem_ptr: Any, barrier_for_retrieve: Any = ..., allocator_warp_id: Any = ..., is_two_cta: Any = ..., num_allocated_columns: Any = ..., two_cta_tmem_dealloc_mbar_ptr: Any = ..., **_: Any) -> None: ...
        def allocate(self, num_columns: Any, **_: Any) -> Any:
            """The warp of the allocator allocates so many columns."""
        def wait_for_alloc(self, **_: Any) -> Any:
            """Waits until the address is there."""
        def retrieve_ptr(self, dtype: Any = ..., **_: Any) -> Any:
            """The pointer to the allocated columns."""
        def relinquish_alloc_permit(self, **_: Any) -> Any:
            """The block allocates no more."""
        def free(self, tmem_ptr: Any, num_columns: Any = ..., **_: Any) -> Any:
            """The warp of the allocator frees the columns; of two blocks that multiply together, after the other's warp is here."""
class pipeline:
    """Producers and consumers of stages of shared memory."""
    class Agent:
        """What a group counts."""
        Thread: Any
        Warp: Any
        ThreadBlock: Any
        ThreadBlockCluster: Any
    class CooperativeGroup:
        """So many threads that arrive at a barrier."""
        def __init__(self, agent: Any, size: Any = ..., alignment: Any = ...) -> None: ...
    class NamedBarrier:
        """A barrier of some of the block's threads."""
        def __init__(self, barrier_id: Any = ..., num_threads: Any = ..., **_: Any) -> None: ...
        def arrive_and_wait(self, **_: Any) -> Any:
            """Waits until every thread is here."""
        sync = _here.pipeline.NamedBarrier.arrive_and_wait
        wait = _here.pipeline.NamedBarrier.arrive_and_wait
        def arrive(self, **_: Any) -> Any:
            """Arrives without waiting."""
        arrive_unaligned = _here.pipeline.NamedBarrier.arrive
    class PipelineOp:
        """What a side of a pipeline does, which a program names."""
        AsyncThread: Any
        TCGen05Mma: Any
        TmaLoad: Any
        ClcLoad: Any
        TmaStore: Any
        Composite: Any
        AsyncLoad: Any
    @staticmethod
    def agent_sync(group: Any, is_relaxed: Any = ..., **_: Any) -> Any:
        """Waits until all threads of a warp, a block or a cluster are here.  error: ValueError for another agent"""
    @staticmethod
    def alloc_reserved_mbarrier(num_stages: Any, *, multiplier: Any = ..., **_: Any) -> Any:
        """A pointer to num_stages * multiplier new Int64 in shared memory, for barriers."""
    class PipelineAsync:
        """Stages between groups of producers and consumers; every thread of the block makes it."""
        def __init__(self, barriers: Any, num_stages: Any) -> None: ...
        @classmethod
        def create(cls, *, num_stages: Any, producer_group: Any, consumer_group: Any, barrier_storage: Any = ..., **options: Any) -> Any:
            """The pipeline of the 2 num_stages barriers at `barrier_storage`, or of new ones: one thread makes them, and all threads of the block wait for that."""
        @staticmethod
        def producers(group: Any) -> Any:
            """The arrivals that make a stage full."""
        producer_mask: Any
        consumer_mask: Any
        @property
        def sync_object_full(self) -> Any:
            """The barriers that stages are full."""
        @property
        def sync_object_empty(self) -> Any:
            """The barriers that stages are empty."""
        def full(self, index: Any) -> Any:
            """The barrier that a stage is full."""
        def empty(self, index: Any) -> Any:
            """The barrier that a stage is empty."""
        def wait_full(self, index: Any, phase: Any, token: Any = ...) -> Any: ...
        def wait_empty(self, index: Any, phase: Any, token: Any = ...) -> Any: ...
        def arrive_full(self, index: Any) -> Any: ...
        def arrive_empty(self, index: Any) -> Any: ...
        def producer_acquire(self, state: Any, try_acquire_token: Any = ..., **_: Any) -> Any:
            """Waits until the state's stage is empty."""
        def producer_try_acquire(self, state: Any, **_: Any) -> Any:
            """Is the state's stage empty?"""
        def producer_commit(self, state: Any, **_: Any) -> Any:
            """Tells the consumers that the state's stage is full."""
        def producer_get_barrier(self, state: Any, **_: Any) -> Any:
            """The barrier at which the state's stage becomes full."""
        def producer_tail(self, state: Any, **_: Any) -> Any:
            """Waits until the consumers have released all stages."""
        def consumer_wait(self, state: Any, try_wait_token: Any = ..., **_: Any) -> Any:
            """Waits until the state's stage is full."""
        def consumer_try_wait(self, state: Any, **_: Any) -> Any:
            """Is the state's stage full?"""
        def consumer_release(self, state: Any, **_: Any) -> Any:
            """Tells the producers that the state's stage is empty."""
        def make_participants(self, **_: Any) -> Any:
            """(producer, consumer) of this thread."""
        def make_producer(self, **_: Any) -> Any:
            """The producer of this thread."""
        def make_consumer(self, **_: Any) -> Any:
            """The consumer of this thread."""
    class PipelineCpAsync:
        """Stages that producers fill by asynchronous copies: a stage is full when the copies before producer_commit are done."""
        def arrive_full(self, index: Any) -> Any: ...
    class PipelineTmaAsync:
        """Stages that TMA fills: a stage is full when the bytes of its copies are there. A warp of consumers arrives once at the barrier that a stage is empty: of its own block, or in a cluster of each block that shares a tile with it."""
        tx_count: Any
        blocks: Any
        @classmethod
        def create(cls, *, num_stages: Any, producer_group: Any, consumer_group: Any, tx_count: Any, barrier_storage: Any = ..., cta_layout_vmnk: Any = ..., mcast_mode_mn: Any = ..., **options: Any) -> Any:
            """As PipelineAsync's; `tx_count`: the bytes of a stage; `cta_layout_vmnk`: the blocks of the cluster, and `mcast_mode_mn` says along which of M and N they share tiles."""
        def wait_empty(self, index: Any, phase: Any, token: Any = ...) -> Any: ...
        def arrive_full(self, index: Any) -> Any:
            """Nothing: the copies themselves fill the stage."""
        def arrive_empty(self, index: Any) -> Any: ...
    class PipelineTmaStore:
        """Stages of shared memory that TMA stores: a thread that starts the copies waits until the oldest has been read."""
        def __init__(self, num_stages: Any) -> None: ...
        @classmethod
        def create(cls, *, num_stages: Any, producer_group: Any = ..., **_: Any) -> Any:
            """A pipeline of so many stages; it has no barriers."""
        def producer_acquire(self, *_: Any, **__: Any) -> Any:
            """Waits until a stage is free."""
        def producer_commit(self, *_: Any, **__: Any) -> Any:
            """Makes the copies that were started a stage."""
        def producer_tail(self, *_: Any, **__: Any) -> Any:
            """Waits until all stages have been read."""
    class PipelineOrder:
        """Groups of threads that take turns: each waits for the one before it, and the first begins."""
        def __init__(self, barriers: Any, depth: Any, length: Any, group_id: Any) -> None: ...
        @classmethod
        def create(cls, *, barrier_storage: Any, depth: Any, length: Any, group_id: Any, producer_group: Any, **_: Any) -> Any:
            """Groups 0 to length-1, this thread in group_id, which take turns `depth` times before the barriers are used anew; each is of the threads of producer_group. There are depth * length barriers at `barrier_storage`."""
        def wait(self, **_: Any) -> Any:
            """Waits until it is this group's turn."""
        def arrive(self, **_: Any) -> Any:
            """Ends the turn of this thread's group."""
    class PipelineTmaUmma:
        """Stages that TMA fills and products read."""
        def wait_empty(self, index: Any, phase: Any, token: Any = ...) -> Any: ...
        def arrive_full(self, index: Any) -> Any:
            """Nothing: the copies themselves fill the stage."""
        def arrive_empty(self, index: Any) -> Any: ...
    class PipelineUmmaAsync:
        """Stages that products write, sums in tensor memory, and threads read."""
        def arrive_full(self, index: Any) -> Any: ...
        def arrive_empty(self, index: Any) -> Any: ...
    class PipelineAsyncUmma:
        """Stages that threads write and products read."""
        def arrive_full(self, index: Any) -> Any: ...
        def arrive_empty(self, index: Any) -> Any: ...
    class PipelineClcFetchAsync:
        """Stages of answers: the producer is one warp of the cluster's first block, and threads of all blocks read."""
        def wait_empty(self, index: Any, phase: Any, token: Any = ...) -> Any: ...
        def arrive_full(self, index: Any) -> Any:
            """Nothing: the answer itself fills the stage."""
        def arrive_empty(self, index: Any) -> Any: ...
    class PipelineProducer:
        """A producer or a consumer, which goes through the stages in order."""
        def __init__(self, pipeline: Any, type: Any) -> None: ...
        def acquire(self, try_acquire_token: Any = ..., **_: Any) -> Any:
            """Waits until the stage that it is at is empty; a Handle of it."""
        def wait(self, try_wait_token: Any = ..., **_: Any) -> Any:
            """Waits until the stage that it is at is full; a Handle of it."""
        def advance(self, **_: Any) -> Any:
            """Goes on to the next stage."""
        def clone(self, **_: Any) -> Any:
            """Another one at the same stage."""
        def acquire_and_advance(self, try_acquire_token: Any = ..., **_: Any) -> Any:
            """Waits until the next stage is empty; a Handle of it."""
        def wait_and_advance(self, try_wait_token: Any = ..., **_: Any) -> Any:
            """Waits until the next stage is full; a Handle of it."""
        def try_acquire(self, **_: Any) -> Any:
            """Is the next stage empty?"""
        def try_wait(self, **_: Any) -> Any:
            """Is the next stage full?"""
        def commit(self, handle: Any = ..., **_: Any) -> Any:
            """Tells the consumers that a stage is full: that of the handle, or the one that it is at."""
        def release(self, handle: Any = ..., **_: Any) -> Any:
            """Tells the producers that a stage is empty: that of the handle, or the one that it is at."""
        def tail(self, **_: Any) -> Any:
            """Waits until the consumers have released all stages."""
        def reset(self, **_: Any) -> Any:
            """Back to the first stage, whose phase begins anew."""
        class ImmutableResourceHandle:
            """A stage that a thread holds: its index, its barrier, how many were before it, and commit() or release()."""
            def __init__(self, index: Any, barrier: Any, leave: Any, count: Any = ...) -> None: ...
            def commit(self, **_: Any) -> Any:
                """Tells the consumers that the stage is full."""
            release = _here.pipeline.PipelineProducer.ImmutableResourceHandle.commit
    PipelineConsumer = _here.pipeline.PipelineProducer
    @staticmethod
    def arrive(barrier_id: Any = ..., num_threads: Any = ..., **_: Any) -> Any:
        """Arrives at the barrier of that number, without waiting."""
    @staticmethod
    def arrive_and_wait(barrier_id: Any = ..., num_threads: Any = ..., **_: Any) -> Any:
        """Waits until so many threads of the block are at the barrier of that number."""
    @staticmethod
    def pipeline_init_arrive(cluster_shape_mn: Any = ..., is_relaxed: Any = ..., **_: Any) -> Any:
        """After barriers were made: arrives at the cluster's barrier, where there is a cluster."""
    @staticmethod
    def pipeline_init_wait(cluster_shape_mn: Any = ..., **_: Any) -> Any:
        """Waits until the barriers of the cluster, or of the block, are made."""
    class PipelineState:
        """The stage that a thread is at: `index`, and the `phase` that it waits for there; advance() goes on. In a traced kernel both are variables, so that a loop of the kernel may advance them."""
        def __init__(self, stages: Any, count: Any = ..., index: Any = ..., phase: Any = ...) -> None: ...
        @property
        def index(self) -> Any:
            """The stage."""
        @property
        def phase(self) -> Any:
            """The parity of the phase that is waited for: 0 or 1."""
        @property
        def count(self) -> Any:
            """How often it advanced."""
        def advance(self, **_: Any) -> Any:
            """Goes on to the next stage, and after the last to the first one's other phase."""
        def reset_count(self, **_: Any) -> Any:
            """Counts from 0 again."""
        def clone(self, **_: Any) -> Any:
            """Another state at the same stage."""
    class PipelineUserType:
        """On which side of a pipeline a state is."""
        Producer: Any
        Consumer: Any
        ProducerConsumer: Any
    @staticmethod
    def make_pipeline_state(type: Any, stages: Any, **_: Any) -> Any:
        """The state of a producer, or of a side that is both, whose stages are empty at first, or of a consumer."""
    @staticmethod
    def sync(barrier_id: Any = ..., **_: Any) -> Any:
        """Waits until every thread of the block is here."""
from .cute import testing as testing
class utils:
    """Helpers around kernels."""
    is_fp8_dtype = _here.tensor_helpers.is_fp8_dtype
    create_cute_tensor_for_fp8 = _here.tensor_helpers.create_cute_tensor_for_fp8
    SmemAllocator = _here.SmemAllocator
    tensor_helpers = _here.tensor_helpers
    LayoutEnum = _here.LayoutEnum
    SmemPartition = _here.SmemPartition
    @staticmethod
    def block_copy(tiled_copy: Any, src: Any, dst: Any, *, tma_multicast: Any = ..., **named: Any) -> Any:
        """A TMA copy between tensors (tile, rest…) that are not partitioned: those of a block that shares its tiles with no other."""
    hopper_helpers = _here.hopper_helpers
    blackwell_helpers = _here.blackwell_helpers
    sm100 = _here.blackwell_helpers
    class ClcDynamicPersistentTileSchedulerParams:
        """Tiles of a problem and the blocks of a cluster. With a `swizzle_size` clusters are numbered as PersistentTileSchedulerParams numbers them."""
        def __init__(self, problem_shape_ntile_mnl: Any, cluster_shape_mnk: Any, swizzle_size: Any = ..., raster_along_m: Any = ..., **_: Any) -> None: ...
        def get_grid_shape(self, **_: Any) -> Any:
            """The tiles, rounded up to whole clusters."""
        def tile_of(self, first: Any, inside: Any) -> Any:
            """The tile of the block at a place of the cluster that begins at a block of the grid."""
    class ClcDynamicPersistentTileScheduler:
        """The tiles of one block: its own, and then those of clusters that it takes."""
        def __init__(self, params: Any, block_idx: Any, response: Any) -> None: ...
        @classmethod
        def create(cls, params: Any, block_idx: Any, grid_dim: Any, clc_response_ptr: Any, **_: Any) -> Any:
            """The scheduler of a block; answers are written to clc_response_ptr."""
        @staticmethod
        def get_grid_shape(params: Any, **_: Any) -> Any:
            """A block for each tile."""
        def initial_work_tile_info(self, **_: Any) -> Any:
            """The tile of the block's own index."""
        def get_current_work(self, **_: Any) -> Any:
            """The tile of the last answer."""
        def advance_to_next_work(self, mbarrier_addr: Any, **_: Any) -> Any:
            """Asks for another cluster's tile."""
        @property
        def num_tiles_executed(self) -> Any:
            """How often it went on."""
    class gemm:
        """Parts of kernels that multiply matrices."""
        class sm100:
            """Epilogues of Blackwell's products, on the CPU."""
            @staticmethod
            def epilogue(gemm: Any, epi_tidx: Any, tCtAcc_base: Any, tCgC: Any, epi_tile: Any, epilogue_op: Any, mma_tile_coord_mnl: Any, acc_consumer_state: Any, acc_pipeline: Any, **_: Any) -> Any:
                """Each thread stores its sums of a tile; the state of the next stage."""
            @staticmethod
            def epilogue_tma_store(gemm: Any, epi_tidx: Any, warp_idx: Any, tma_atom_c: Any, tCtAcc_base: Any, sC: Any, tCgC: Any, epi_tile: Any, num_tiles_executed: Any, epilogue_op: Any, mma_tile_coord_mnl: Any, acc_consumer_state: Any, acc_pipeline: Any, c_pipeline: Any, **_: Any) -> Any:
                """The tile goes through the stages of sC to global memory by TMA; the state of the next stage of sums."""
            @staticmethod
            def epilogue_tmem_copy_and_partition(gemm: Any, tidx: Any, tAcc: Any, gC_mnl: Any, epi_tile: Any, use_2cta_instrs: Any, **_: Any) -> Any:
                """(the copy from tensor memory, its part (T2R, T2R_M, T2R_N, EpiM, EpiN, stage), registers for the sums of one part). The tensors are partitions ((M, N), RestM, RestN, …), or what transform_partitioned_tensor_layout makes of them."""
            @staticmethod
            def epilogue_smem_copy_and_partition(gemm: Any, tiled_copy_t2r: Any, tTR_rC: Any, tidx: Any, sC: Any, **_: Any) -> Any:
                """(the copy to shared memory, its registers, its part of shared memory (R2S, R2S_M, R2S_N, stage))"""
            @staticmethod
            def transform_partitioned_tensor_layout(tensor: Any, **_: Any) -> Any:
                """((M, N), RestM, RestN, …) as ((M, RestM), (N, RestN), …).  pre: one product"""
    class distributed:
        """Flags between blocks."""
        @staticmethod
        def red_add1(lock_ptr: Any, *, order: Any = ..., scope: Any = ..., **_: Any) -> Any:
            """Adds 1 to a flag."""
        @staticmethod
        def spin_lock_atom_cas_relaxed_wait(lock_ptr: Any, *, expected_val: Any, reset_val: Any, scope: Any = ..., **_: Any) -> Any:
            """Waits until a flag has a value, which becomes reset_val."""
        @staticmethod
        def spin_lock_atom_cas_acquire_wait(lock_ptr: Any, *, expected_val: Any, reset_val: Any, scope: Any = ..., **_: Any) -> Any:
            """The same; what the threads did that released the flag is read after it."""
        @staticmethod
        def spin_lock_ld_lt_relaxed_wait(lock_ptr: Any, *, expected_val: Any, scope: Any = ..., **_: Any) -> Any:
            """Waits until a flag is a value or more."""
        class multimem_ld_reduce: ...
        class multimem_ld_reduce_4xf32: ...
        class multimem_red_add1: ...
        class multimem_st: ...
        class multimem_st_4xb32: ...
    StaticPersistentRuntimeTileScheduler = _here.StaticPersistentRuntimeTileScheduler
    TmemAllocator = _here.memory.TmemAllocator
    get_num_tmem_alloc_cols = _here.blackwell_helpers.get_num_tmem_alloc_cols
    get_tmem_load_op = _here.blackwell_helpers.get_tmem_load_op
    get_smem_store_op = _here.blackwell_helpers.get_smem_store_op
    compute_epilogue_tile_shape = _here.blackwell_helpers.compute_epilogue_tile_shape
    PersistentTileSchedulerParams = _here.PersistentTileSchedulerParams
    StaticPersistentTileScheduler = _here.StaticPersistentTileScheduler
    WorkTileInfo = _here.WorkTileInfo
    HardwareInfo = _here.HardwareInfo
    class GroupSearchResult:
        """A tile's group, where the tile is in it, and the group's sizes."""
        def __init__(self, group_idx: Any, cta_tile_idx_m: Any, cta_tile_idx_n: Any, problem_shape_m: Any, problem_shape_n: Any, problem_shape_k: Any, cta_tile_count_k: Any) -> None: ...
    class GroupedGemmGroupSearchState:
        """Where a search begins: here each begins at the first group."""
        def __init__(self, start_group_idx: Any = ..., tile_count_prev_group: Any = ..., tile_count_searched: Any = ..., found: Any = ...) -> None: ...
    class GroupedGemmTileSchedulerHelper:
        """Finds the groups of tiles. `cluster_tile_shape_mnk`: the elements that the blocks of a cluster have together."""
        def __init__(self, group_count: Any, tile_sched_params: Any, cluster_tile_shape_mnk: Any, search_state: Any = ...) -> None: ...
        def delinearize_z(self, cta_tile_coord: Any, problem_shape_mnkl: Any, **_: Any) -> Any:
            """The group of the tile (m, n, number) of a scheduler, whose sizes are row `group` of a tensor (groups, 4), and the tile's place there."""
        def searched(self, cta_tile_coord: Any, problem_shape_mnkl: Any) -> Any:
            """(what delinearize_z gives, the number of clusters' tiles of all groups)."""
        def search_cluster_tile_count_k(self, cta_tile_coord: Any, problem_shape_mnkl: Any, **_: Any) -> Any:
            """(tiles along K, group) of a tile of the scheduler."""
    class StaticPersistentGroupTileScheduler:
        """The tiles of one block, of all groups."""
        @classmethod
        def create(cls, params: Any, block_idx: Any, grid_dim: Any, cluster_tile_shape_mnk: Any = ..., initial_search_state: Any = ..., group_count: Any = ..., problem_shape_mnkl: Any = ..., **_: Any) -> Any:
            """The scheduler of the block at an index of a grid that get_grid_shape gave; the sizes of group g are row g of `problem_shape_mnkl`."""
        def delinearize_z(self, cta_tile_coord: Any, **_: Any) -> Any:
            """The group of a tile, and the tile's place there."""
        def get_current_work(self, **_: Any) -> Any:
            """The tile that it is at, with its group. There is one if a group has it: the host may not know how many tiles the groups have."""
        initial_work_tile_info = _here.utils.StaticPersistentGroupTileScheduler.get_current_work
    class TensorMapManager:
        """Maps of TMA in a kernel's memory: written once, changed where the kernel goes on to the next problem of a group."""
        def __init__(self, tensormap_update_mode: Any, bytes_per_tensormap: Any) -> None: ...
        def get_tensormap_ptr(self, ptr: Any, address_space: Any = ..., **_: Any) -> Any:
            """The pointer, as one to a map."""
        def init_tensormap_from_atom(self, copy_atom: Any, dst_ptr: Any, warp_id: Any, **_: Any) -> Any:
            """One warp of the block writes an atom's map to memory."""
        def fence_tensormap_initialization(self, **_: Any) -> Any:
            """Orders the maps that were written before their changes."""
        def update_tensormap(self, tensor_gmem: Any, tma_copy_atom: Any, tensormap_gmem_ptr: Any, warp_id: Any, tensormap_smem_ptr: Any, **_: Any) -> Any:
            """One warp of the block changes maps to those of other tensors, one for each atom, after its stores by the old ones have read shared memory."""
        def fence_tensormap_update(self, tensormap_ptr: Any, **_: Any) -> Any:
            """The copies that follow use the map as it was changed last."""
    class TensorMapUpdateMode:
        """Where a kernel changes its maps: in shared memory, from which they are copied, or in global memory."""
        GMEM: Any
        SMEM: Any
    @staticmethod
    def create_initial_search_state() -> Any:
        """The state before a search."""
    @staticmethod
    def get_smem_capacity_in_bytes(compute_capability: Any = ...) -> Any:
        """The shared memory that a block may have, by the name of an architecture.  Raises ValueError for one that is not known."""
    @staticmethod
    def print_latex(layout: Any) -> Any:
        """Prints a picture of a layout as LaTeX."""
    @staticmethod
    def print_latex_tv(layout_tv: Any, tile_mn: Any) -> Any:
        """Prints a picture of a (thread, value) map as LaTeX."""
    pipeline = _here.pipeline
class vector:
    """Functions that make vectors."""
    where = cute.where
    full_like = cute.full_like
    @staticmethod
    def full(shape: Any, value: Any, dtype: Any = ..., **_: Any) -> Any:
        """A vector whose elements are all one number."""
    @staticmethod
    def create_mask(shape: Any, bounds: Any, **_: Any) -> Any:
        """True where each number of the coordinate is below its bound.  Raises ValueError for another number of bounds."""
    @staticmethod
    def broadcast_to(x: Any, shape: Any, **_: Any) -> Any:
        """The vector repeated along axes of extent 1 and along new first axes.  Raises ValueError where the shapes do not fit."""
    @staticmethod
    def outerproduct(a: Any, b: Any, **_: Any) -> Any:
        """The products of each element of one vector with each of another."""

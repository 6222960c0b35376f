"""The names of NVIDIA's `cutlass` module that kernels in its Python notation use, for tilewright.cute. Written by python/write_kernel_stubs.py."""
from typing import Any, ClassVar, TypeVar, Union
from . import cute as cute
from .cute import Number as Number

class BFloat16(Number):
    """The float of 16 bits with the range of float32; of tensors on a GPU only, since NumPy has no such type."""
class Boolean(Number):
    """True or false, as NumPy's bool_."""
_T = TypeVar("_T")
Constexpr = Union[_T, Any]
class Float16(Number):
    """A number of 16 bits, as NumPy's float16."""
class Float32(Number):
    """A number of 32 bits, as NumPy's float32."""
class Float64(Number):
    """A number of 64 bits, as NumPy's float64."""
class Float8E4M3FN(Number):
    """The float of 8 bits with 4 bits of exponent; a name to compare with, since kernels here do not compute with it."""
class Float8E5M2(Number):
    """The float of 8 bits with 5 bits of exponent; a name to compare with, since kernels here do not compute with it."""
class Int16(Number):
    """A number of 16 bits, as NumPy's int16."""
class Int32(Number):
    """A number of 32 bits, as NumPy's int32."""
class Int64(Number):
    """A number of 64 bits, as NumPy's int64."""
class Int8(Number):
    """A number of 8 bits, as NumPy's int8."""
class LayoutEnum:
    """Which mode of a matrix is contiguous."""
    @staticmethod
    def from_tensor(tensor: Any) -> Any:
        """That of a tensor of two or more modes."""
    def mma_major_mode(self) -> Any:
        """The contiguous mode of an operand (M or N, K)."""
    def sm90_mma_major_mode(self) -> Any:
        """The contiguous mode of an operand (M or N, K)."""
    def is_k_major_a(self) -> Any:
        """Is it K of (M, K)?"""
    def is_m_major_a(self) -> Any:
        """Is it M of (M, K)?"""
    def is_k_major_b(self) -> Any:
        """Is it K of (M, K)?"""
    def is_n_major_b(self) -> Any:
        """Is it M of (M, K)?"""
    def is_n_major_c(self) -> Any:
        """Is it K of (M, K)?"""
    def is_m_major_c(self) -> Any:
        """Is it M of (M, K)?"""
    ROW_MAJOR: Any
    COL_MAJOR: Any
NUMBERS: Any
Numeric = Number
class SmemAllocator:
    """Gives a block's shared memory, piece by piece; the n-th piece of every thread is the same."""
    def allocate(self, what: Any, byte_alignment: Any = ..., **_: Any) -> Any:
        """The fields of a cute.struct, or a pointer to so many bytes."""
    def allocate_array(self, element_type: Any, num_elems: Any = ..., **_: Any) -> Any:
        """A pointer to so many elements."""
    def allocate_tensor(self, element_type: Any, layout: Any, byte_alignment: Any = ..., swizzle: Any = ..., **_: Any) -> Any:
        """A tensor of a layout."""
class Uint16(Number):
    """A number of 16 bits, as NumPy's uint16."""
class Uint32(Number):
    """A number of 32 bits, as NumPy's uint32."""
class Uint64(Number):
    """A number of 64 bits, as NumPy's uint64."""
class Uint8(Number):
    """A number of 8 bits, as NumPy's uint8."""
class blackwell_helpers:
    """Layouts of tiles in shared memory."""
    @staticmethod
    def make_smem_layout(leading_mode: Any, smem_tile_shape: Any, smem_dtype: Any, num_stages: Any, **_: Any) -> Any:
        """The tile's modes and the stages, swizzled."""
    @staticmethod
    def make_smem_layout_epi(epi_dtype: Any, epi_layout: Any, epi_tile: Any, epi_stage: Any, **_: Any) -> Any:
        """(M, N, stages), swizzled."""
def const_expr(value: Any) -> Any:
    """The truth of what is known when the kernel is built.  Raises TypeError for what a GPU decides."""
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
    """The function itself; `loc` and `ip` are None."""
def dtype(name: Any) -> Any:
    """The number type of a name: dtype("Float16").  Raises TypeError for one that there is not."""
def dynamic_expr(value: Any) -> Any:
    """The condition itself; a trace finds what a GPU decides."""
def for_generate(*_: Any, **__: Any) -> Any:
    """Raises TypeError: a program may import it, and writes `for`, `while` and `if` in its place."""
class hopper_helpers:
    """Layouts of tiles in shared memory."""
    @staticmethod
    def make_smem_layout_a(a_layout: Any, mma_tiler_mnk: Any, a_dtype: Any, num_stages: Any, **_: Any) -> Any:
        """(M, K, stages), swizzled."""
    @staticmethod
    def make_smem_layout_b(b_layout: Any, mma_tiler_mnk: Any, b_dtype: Any, num_stages: Any, **_: Any) -> Any:
        """(N, K, stages), swizzled."""
    @staticmethod
    def make_smem_layout_epi(epi_dtype: Any, epi_layout: Any, epi_tile: Any, epi_stage: Any, **_: Any) -> Any:
        """(M, N, stages), swizzled."""
def if_generate(*_: Any, **__: Any) -> Any:
    """Raises TypeError: a program may import it, and writes `for`, `while` and `if` in its place."""
def max(*values: Any) -> Any:
    """The largest of numbers."""
def min(*values: Any) -> Any:
    """The smallest of numbers."""
class pipeline:
    """Producers and consumers of stages of shared memory."""
    class Agent:
        """What a group counts."""
        Thread: Any
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
        def sync(self, **_: Any) -> Any:
            """Waits until every thread is here."""
        def wait(self, **_: Any) -> Any:
            """Waits until every thread is here."""
        def arrive(self, **_: Any) -> Any:
            """Arrives without waiting."""
    class PipelineAsync:
        """Stages between groups of producers and consumers; every thread of the block makes it."""
        def __init__(self, barriers: Any, num_stages: Any) -> None: ...
        @classmethod
        def create(cls, *, num_stages: Any, producer_group: Any, consumer_group: Any, barrier_storage: Any = ..., **options: Any) -> Any:
            """The pipeline of the 2 num_stages barriers at `barrier_storage`: one thread makes them, and all threads of the block wait for that."""
        @staticmethod
        def producers(group: Any) -> Any:
            """The arrivals that make a stage full."""
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
        def wait_full(self, index: Any, phase: Any, token: Any = ...) -> Any: ...
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
    @staticmethod
    def make_pipeline_state(type: Any, stages: Any, **_: Any) -> Any:
        """The state of a producer, whose stages are empty at first, or of a consumer."""
    @staticmethod
    def sync(barrier_id: Any = ..., **_: Any) -> Any:
        """Waits until every thread of the block is here."""
def plot(*subjects: Any, **options: Any) -> Any:
    """A Picture of layouts, a TiledCopy, a TiledMMA, a copy atom (atom="SM75_U32x4_LDSM_N"), a Plan, or source and destination."""
def range(*bounds: Any, unroll: Any = ..., unroll_full: Any = ..., **_: Any) -> Any:
    """`range`; on a GPU a loop of the kernel where its bounds are known there only, or where it has many rounds."""
def range_constexpr(*bounds: Any, **_: Any) -> Any:
    """`range`, unrolled."""
def register() -> Any:
    """Makes this package answer `import cutlass`, `cutlass.cute`, `cutlass.cute.runtime` and the like in this process."""
class tensor_helpers:
    """Tensors of types that other libraries lack."""
    @staticmethod
    def is_fp8_dtype(dtype: Any) -> Any:
        """Is it a float of 8 bits?"""
    @staticmethod
    def create_cute_tensor_for_fp8(storage_tensor: Any, dtype: Any, leading_dim: Any, source_f32_tensor: Any = ...) -> Any:
        """The tensor of an array.  Raises TypeError for floats of 8 bits."""
class testing:
    """Measurement."""
    class JitArguments:
        """Arguments of a call, for benchmark."""
        def __init__(self, *arguments: Any, **named: Any) -> None: ...
    @staticmethod
    def get_workspace_count(one_workspace_bytes: Any, warmup_iterations: Any, iterations: Any) -> Any:
        """How many sets of arguments a measurement uses: one."""
    @staticmethod
    def benchmark(function: Any, *, warmup_iterations: Any = ..., iterations: Any = ..., kernel_arguments: Any = ..., workspace_generator: Any = ..., **_: Any) -> Any:
        """The mean time of a call in microseconds, on the host's clock."""
    @staticmethod
    def tune(function: Any, params_dict: Any, kernel_arguments: Any = ..., warmup_iterations: Any = ..., iterations: Any = ..., **_: Any) -> Any:
        """The values, one for each name of params_dict, for which function(arguments, **values) gives the fastest function to call."""
    @staticmethod
    def autotune_jit(params_dict: Any = ..., update_on_change: Any = ..., warmup_iterations: Any = ..., iterations: Any = ..., **_: Any) -> Any:
        """Calls a function with the fastest values of params_dict; they are tried anew where an argument of update_on_change differs."""
class torch:
    """Types of PyTorch for number types."""
    @staticmethod
    def dtype(number_type: Any) -> Any:
        """PyTorch's dtype of the same elements."""
    @staticmethod
    def current_stream() -> Any:
        """PyTorch's current stream, which launches use."""
class utils:
    """Helpers around kernels."""
    class SmemAllocator:
        """Gives a block's shared memory, piece by piece; the n-th piece of every thread is the same."""
        def allocate(self, what: Any, byte_alignment: Any = ..., **_: Any) -> Any:
            """The fields of a cute.struct, or a pointer to so many bytes."""
        def allocate_array(self, element_type: Any, num_elems: Any = ..., **_: Any) -> Any:
            """A pointer to so many elements."""
        def allocate_tensor(self, element_type: Any, layout: Any, byte_alignment: Any = ..., swizzle: Any = ..., **_: Any) -> Any:
            """A tensor of a layout."""
    class tensor_helpers:
        """Tensors of types that other libraries lack."""
        @staticmethod
        def is_fp8_dtype(dtype: Any) -> Any:
            """Is it a float of 8 bits?"""
        @staticmethod
        def create_cute_tensor_for_fp8(storage_tensor: Any, dtype: Any, leading_dim: Any, source_f32_tensor: Any = ...) -> Any:
            """The tensor of an array.  Raises TypeError for floats of 8 bits."""
    class LayoutEnum:
        """Which mode of a matrix is contiguous."""
        @staticmethod
        def from_tensor(tensor: Any) -> Any:
            """That of a tensor of two or more modes."""
        def mma_major_mode(self) -> Any:
            """The contiguous mode of an operand (M or N, K)."""
        def sm90_mma_major_mode(self) -> Any:
            """The contiguous mode of an operand (M or N, K)."""
        def is_k_major_a(self) -> Any:
            """Is it K of (M, K)?"""
        def is_m_major_a(self) -> Any:
            """Is it M of (M, K)?"""
        def is_k_major_b(self) -> Any:
            """Is it K of (M, K)?"""
        def is_n_major_b(self) -> Any:
            """Is it M of (M, K)?"""
        def is_n_major_c(self) -> Any:
            """Is it K of (M, K)?"""
        def is_m_major_c(self) -> Any:
            """Is it M of (M, K)?"""
        ROW_MAJOR: Any
        COL_MAJOR: Any
    class hopper_helpers:
        """Layouts of tiles in shared memory."""
        @staticmethod
        def make_smem_layout_a(a_layout: Any, mma_tiler_mnk: Any, a_dtype: Any, num_stages: Any, **_: Any) -> Any:
            """(M, K, stages), swizzled."""
        @staticmethod
        def make_smem_layout_b(b_layout: Any, mma_tiler_mnk: Any, b_dtype: Any, num_stages: Any, **_: Any) -> Any:
            """(N, K, stages), swizzled."""
        @staticmethod
        def make_smem_layout_epi(epi_dtype: Any, epi_layout: Any, epi_tile: Any, epi_stage: Any, **_: Any) -> Any:
            """(M, N, stages), swizzled."""
    class blackwell_helpers:
        """Layouts of tiles in shared memory."""
        @staticmethod
        def make_smem_layout(leading_mode: Any, smem_tile_shape: Any, smem_dtype: Any, num_stages: Any, **_: Any) -> Any:
            """The tile's modes and the stages, swizzled."""
        @staticmethod
        def make_smem_layout_epi(epi_dtype: Any, epi_layout: Any, epi_tile: Any, epi_stage: Any, **_: Any) -> Any:
            """(M, N, stages), swizzled."""
    @staticmethod
    def get_smem_capacity_in_bytes(compute_capability: Any = ...) -> Any:
        """The shared memory that a block may have, by the name of an architecture.  Raises ValueError for one that is not known."""
    @staticmethod
    def print_latex(layout: Any) -> Any:
        """Prints a picture of a layout as LaTeX."""
    @staticmethod
    def print_latex_tv(layout_tv: Any, tile_mn: Any) -> Any:
        """Prints a picture of a (thread, value) map as LaTeX."""
def while_generate(*_: Any, **__: Any) -> Any:
    """Raises TypeError: a program may import it, and writes `for`, `while` and `if` in its place."""
def yield_out(*_: Any, **__: Any) -> Any:
    """Raises TypeError: a program may import it, and writes `for`, `while` and `if` in its place."""

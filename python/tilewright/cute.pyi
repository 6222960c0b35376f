"""Kernels in the notation of CuTe's Python DSL, run on the CPU without a compiler, every access checked; where the arrays Written by python/write_kernel_stubs.py."""
from typing import Any, ClassVar, TypeVar, Union
from . import cute as _here

class Number:
    """What number types share."""
    width: ClassVar[int]
    is_integer: ClassVar[bool]
    is_float: ClassVar[bool]
    signed: ClassVar[bool]
    zero: ClassVar[Any]
    inf: ClassVar[Any]
    nan: ClassVar[Any]
    def __init__(self, x: Any = ...) -> None: ...
    def to(self, dtype: Any) -> Any: ...
    def __index__(self) -> int: ...
    def __float__(self) -> float: ...
    def __neg__(self) -> Any: ...
    def __invert__(self) -> Any: ...
    def __abs__(self) -> Any: ...
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def __rtruediv__(self, other: Any) -> Any: ...
    def __floordiv__(self, other: Any) -> Any: ...
    def __rfloordiv__(self, other: Any) -> Any: ...
    def __mod__(self, other: Any) -> Any: ...
    def __rmod__(self, other: Any) -> Any: ...
    def __and__(self, other: Any) -> Any: ...
    def __rand__(self, other: Any) -> Any: ...
    def __or__(self, other: Any) -> Any: ...
    def __ror__(self, other: Any) -> Any: ...
    def __xor__(self, other: Any) -> Any: ...
    def __rxor__(self, other: Any) -> Any: ...
    def __lshift__(self, other: Any) -> Any: ...
    def __rshift__(self, other: Any) -> Any: ...
    def __pow__(self, other: Any) -> Any: ...
    def __lt__(self, other: Any) -> Any: ...
    def __le__(self, other: Any) -> Any: ...
    def __gt__(self, other: Any) -> Any: ...
    def __ge__(self, other: Any) -> Any: ...
class AddressSpace:
    """Names of memories."""
    generic: Any
    gmem: Any
    smem: Any
    rmem: Any
    dsmem: Any
    tmem: Any
class Atom:
    """One operation with its types: a copy atom, or that of a matrix operation."""
class BFloat16(Number):
    """The float of 16 bits with the range of float32."""
class Boolean(Number):
    """True or false, as NumPy's bool_."""
class CacheEvictionPriority:
    """Which lines leave a cache first."""
    EVICT_NORMAL: Any
    EVICT_FIRST: Any
    EVICT_LAST: Any
    EVICT_UNCHANGED: Any
    NO_ALLOCATE: Any
class ComposedLayout:
    """A Python function of the offsets, or coordinates, of a layout."""
    def __init__(self, inner: Any, offset: Any, outer: Any) -> None: ...
    @property
    def shape(self) -> Any:
        """The extents of the layout within."""
    def __call__(self, *coordinate: Any) -> Any:
        """Call self as a function."""
Coord = tuple[Any, ...]
class CopyAtom:
    """One access: an operation, an element type, how many elements it moves (of several threads: each one's in registers), and its maps (thread, value) -> element of the source and of the destination."""
    def __init__(self, op: Any, dtype: Any, num_bits_per_copy: Any = ...) -> None: ...
    @property
    def value_type(self) -> Any:
        """The element type."""
    @property
    def layout_src_tv(self) -> Any:
        """(thread, value) -> element of the source."""
    @property
    def layout_dst_tv(self) -> Any:
        """(thread, value) -> element of the destination."""
class CopyG2SOp:
    """A copy from global to shared memory that is complete after cp_async_wait_group and a barrier."""
    def __init__(self, cache_mode: Any = ...) -> None: ...
class CopyOp:
    """An operation that copies."""
class CopyUniversalOp:
    """A load or store of its width."""
def E(mode: Any) -> Any:
    """One step along a mode of coordinates, as a stride: E(1) is 1@1; of no mode, E([]), the integer 1."""
class EnableAssertions:
    """An option that changes nothing here."""
class EnableTVMFFI:
    """An option that changes nothing here."""
class FastDivmodDivisor:
    """A divisor: divmod(n, it), n // it and n % it are those of its number."""
    def __init__(self, divisor: Any, is_power_of_2: Any = ..., **_: Any) -> None: ...
    def divmod(self, n: Any, **_: Any) -> Any:
        """(quotient, remainder) of n."""
    def __rfloordiv__(self, n: Any) -> Any: ...
    def __rmod__(self, n: Any) -> Any: ...
class FastDivmodDivisorV2:
    """A divisor whose number kernels read as `divisor`, as that of FastDivmodDivisor here."""
class Float:
    """The types of floats."""
    letters: Any
    zero: Any
class Float16(Number):
    """A number of 16 bits, as NumPy's float16."""
class Float32(Number):
    """A number of 32 bits, as NumPy's float32."""
class Float4E2M1FN(Number):
    """The float of 4 bits, up to 6; two are stored in a byte, the first in the low half."""
class Float64(Number):
    """A number of 64 bits, as NumPy's float64."""
class Float6E2M3FN(Number):
    """The float of 6 bits with 2 bits of exponent, up to 7.5; an element is a byte here."""
class Float6E3M2FN(Number):
    """The float of 6 bits with 3 bits of exponent, up to 28; an element is a byte here."""
class Float8E4M3B11FNUZ(Number):
    """The float of 8 bits with the bias 11: a name to compare with."""
class Float8E4M3FN(Number):
    """The float of 8 bits with 4 bits of exponent, whose largest number is 448."""
class Float8E5M2(Number):
    """The float of 8 bits with 5 bits of exponent."""
class Float8E8M0FNU(Number):
    """A power of two, 2^-127 to 2^127: the scale of a block. Other numbers become the next larger one."""
class GPUArch:
    """The architecture that an export is for, GPUArch("sm_90a"); kernels that are launched are compiled for the GPU that they run on."""
    def __init__(self, name: Any, *_: Any) -> None: ...
class GenerateLineInfo:
    """An option that changes nothing here."""
class Int128(Number):
    """The integer of 128 bits."""
class Int16(Number):
    """A number of 16 bits, as NumPy's int16."""
class Int32(Number):
    """A number of 32 bits, as NumPy's int32."""
class Int4(Number):
    """The integer of 4 bits, -8 to 7; two are stored in a byte."""
class Int64(Number):
    """A number of 64 bits, as NumPy's int64."""
class Int8(Number):
    """A number of 8 bits, as NumPy's int8."""
IntTuple = tuple[Any, ...]
class Integer:
    """The types of integers."""
    letters: Any
    zero: Any
class KeepCUBIN:
    """An option that changes nothing here."""
class KeepPTX:
    """An option that changes nothing here."""
class KeepSASS:
    """An option that changes nothing here."""
from ._layout import Layout as Layout
class LoadCacheMode:
    """Which caches an asynchronous copy uses; it changes no result."""
    ALWAYS: Any
    GLOBAL: Any
    STREAMING: Any
    LAST_USE: Any
    NONE: Any
class MmaAtom:
    """One matrix operation."""
    def __init__(self, op: Any) -> None: ...
    def make_fragment_A(self, partition: Any, **_: Any) -> Any:
        """Registers for a thread's elements of A; an operation that reads A from shared memory has the partition itself."""
    def make_fragment_B(self, partition: Any, **_: Any) -> Any:
        """Registers for a thread's elements of B; an operation of a warpgroup has the partition itself, of shared memory."""
    def make_fragment_C(self, partition: Any, **_: Any) -> Any:
        """Registers for a thread's sums, or tensor memory; of a partition or its shape."""
    def set(self, field: Any, value: Any, **_: Any) -> Any:
        """Of an operation of a warpgroup, Field.ACCUMULATE: do this thread's next products add to the sums, or replace them?"""
    def get(self, field: Any, **_: Any) -> Any:
        """What set() set; of an operation of a warpgroup true at first, of Blackwell's false."""
class MmaOp:
    """An operation that multiplies matrices."""
class MmaUniversalOp:
    """A multiply-add of one element by one thread."""
    atom_name: Any
    def __init__(self, abacc_dtype: Any) -> None: ...
NumberType = Number
class Numeric:
    """All number types: isinstance(Float32(1), Numeric), issubclass(Int8, Numeric)."""
    letters: Any
    @staticmethod
    def from_python(value: Any) -> Any:
        """A number of Python as the type that it has in a kernel: Boolean, Int32 (Int64 where it needs more bits) or Float32."""
class NvdisasmOptions:
    """An option that changes nothing here."""
class Op:
    """An operation that an atom does."""
class OptLevel:
    """An option that changes nothing here."""
class Pointer:
    """A place in a Memory; adding moves it by elements. `origin`: where a swizzled layout begins, if it has one; `swizzle`: of bytes, that tensors made of the pointer have, or ''."""
    def load(self, count: Any = ..., **_: Any) -> Any:
        """The element at the pointer; so many elements from there on, as a vector."""
    def store(self, value: Any, **_: Any) -> Any:
        """The element at the pointer becomes the value; of a vector each element from there on."""
    def masked_load(self, mask: Any, default: Any = ..., **_: Any) -> Any:
        """A vector of elements from the pointer on; where the mask is false, the default, and memory is not read."""
    def masked_store(self, values: Any, mask: Any, **_: Any) -> Any:
        """Elements from the pointer on become those of a vector where the mask is true; others are not written."""
    def load_swizzled(self, swizzle: Any, count: Any, **_: Any) -> Any:
        """A vector of elements from the pointer on, in memory whose bytes a swizzle has exchanged, as TMA's do. They count from the memory's start."""
    def apply_swizzle(self, swizzle: Any, **_: Any) -> Any:
        """Where a swizzle of the memory's bytes has put the element."""
    def __getitem__(self, i: Any) -> Any: ...
    def __setitem__(self, i: Any, value: Any) -> Any: ...
    def raw_ptr(self, **_: Any) -> Any:
        """The pointer itself; in NVIDIA's DSL one without a type."""
    def subview(self, start: Any = ..., **_: Any) -> Any:
        """The pointer so many elements further."""
    data_ptr = _here.Pointer.subview
    get_ptr = _here.Pointer.subview
    def __init__(self, memory: Any, offset: Any = ..., origin: Any = ..., swizzle: Any = ...) -> None: ...
    @classmethod
    def allocate(cls, count: Any, dtype: Any, space: Any) -> Any:
        """New memory of this thread or its block, all 0."""
    def __add__(self, elements: Any) -> Any: ...
    def recast(self, dtype: Any, **_: Any) -> Any:
        """The same place as elements of another type.  Raises ValueError where it is not at a multiple of them."""
    def part(self, first: Any, count: Any, dtype: Any) -> Any:
        """So many elements of a type from a byte of the memory on."""
    @property
    def max_alignment(self) -> Any:
        """Bytes of which the address is a multiple, as far as it is known: an element's."""
    @property
    def alignment(self) -> Any:
        """Bytes of which the address is a multiple, as far as it is known: an element's."""
    def align(self, min_align: Any, **_: Any) -> Any:
        """The pointer itself: all memory here begins at a multiple of 16 bytes."""
    @property
    def dtype(self) -> Any:
        """The element type."""
    @property
    def value_type(self) -> Any:
        """The element type."""
    def toint(self, *_: Any, **__: Any) -> Any:
        """The address: of shared memory on a GPU 32 bits in its own space, else 64 bits. A host function has none of a GPU's memory."""
    def ir_value(self, **_: Any) -> Any:
        """The pointer itself; in NVIDIA's DSL a value of its compiler."""
    @property
    def llvm_ptr(self) -> Any:
        """The pointer itself, which the DSL's atomic operations take in this form too."""
    @property
    def memspace(self) -> Any:
        """Which memory it is: gmem, smem or rmem."""
class ReductionKind:
    """How TMA joins elements with those in global memory; here it adds."""
    ADD: Any
    MIN: Any
    MAX: Any
    INC: Any
    DEC: Any
    AND: Any
    OR: Any
    XOR: Any
class ReductionOp:
    """How TensorSSA.reduce joins two values."""
    ADD: Any
    MUL: Any
    MAX: Any
    MIN: Any
class ScaledBasis:
    """A stride along one mode of coordinates: `value` steps along `mode`, an integer or a list that goes inwards."""
    def __init__(self, value: Any, mode: Any) -> None: ...
    def __mul__(self, factor: Any) -> Any: ...
    __rmul__ = _here.ScaledBasis.__mul__
Shape = tuple[Any, ...]
Stride = tuple[Any, ...]
class Swizzle:
    """A swizzle as text, 'Sw<3,4,3>', with its three numbers."""
    @property
    def num_bits(self) -> Any:
        """How many bits are exchanged."""
    @property
    def num_base(self) -> Any:
        """How many bits below stay."""
    @property
    def num_shift(self) -> Any:
        """How far above the bits are that exchange them."""
def SymInt(*_: Any, **__: Any) -> Any:
    """A name for an extent that is not known when a function is compiled."""
class TFloat32(Number):
    """The float of 32 bits of which matrix operations take 19: a float32 that is rounded to them."""
class Tensor:
    """Memory seen through a layout. `t[i]`, `t[m, k]` are elements; with None among the coordinates, a tensor of what is kept."""
    def data_ptr(self, index: Any = ..., **_: Any) -> Any:
        """A pointer to an element, by default the first."""
    get_ptr = _here.Tensor.data_ptr
    def subview(self, start: Any, size: Any = ..., **_: Any) -> Any:
        """The array from an element on, with the rest of the elements or so many.  Raises ValueError where that is beyond the array."""
    def load_at(self, index: Any, vector_size: Any = ...) -> Any:
        """An element, or so many from there on as a vector."""
    def store_at(self, values: Any, index: Any, vector_size: Any = ...) -> Any:
        """Elements from an index on become those of a vector, or one number."""
    def masked_load(self, index: Any, vector_size: Any, mask: Any, default: Any = ..., **_: Any) -> Any:
        """A vector of elements from an index on; where the mask is false, the default, and memory is not read."""
    def masked_store(self, index: Any, values: Any, mask: Any, **_: Any) -> Any:
        """Elements from an index on become those of a vector where the mask is true; others are not written."""
    def print_runtime(self, *format_and_values: Any, max_elements: Any = ..., **_: Any) -> Any:
        """Prints a text with its values, then the elements."""
    def __init__(self, iterator: Any, layout: Any) -> None: ...
    @property
    def element_type(self) -> Any:
        """The number type of the elements."""
    @property
    def dtype(self) -> Any:
        """The number type of the elements."""
    @property
    def memspace(self) -> Any:
        """Which memory it is: gmem, smem or rmem; coordinates have none."""
    @property
    def shape(self) -> Any:
        """The extents of the layout."""
    @property
    def stride(self) -> Any:
        """The strides of the layout, in elements."""
    def place(self, coordinate: Any) -> Any:
        """Where the element of an index or a coordinate is in the memory."""
    def places(self) -> Any:
        """Where the element of each index is in the memory, as an array.  pre: integers in the layout"""
    @property
    def leading_dim(self) -> Any:
        """The first mode of stride 1, or None."""
    @property
    def type(self) -> Any:
        """The tensor's memory, element type and layout, for print()."""
    def __getitem__(self, coordinate: Any, **_: Any) -> Any: ...
    def __setitem__(self, coordinate: Any, value: Any, **_: Any) -> Any: ...
    def fill(self, value: Any, **_: Any) -> Any:
        """Every element becomes the value."""
    def load(self, index: Any = ..., vector_size: Any = ..., **_: Any) -> Any:
        """The elements as a TensorSSA, in the order of indices; with an index that element, or so many from there on."""
    def to(self, dtype: Any, **_: Any) -> Any:
        """A tensor in registers of the elements as another type."""
    def store(self, values: Any, index: Any = ..., vector_size: Any = ..., **_: Any) -> Any:
        """Each element becomes the value of its index; with an index, the elements from there on.  Raises ValueError for another number of values."""
    def mark_layout_dynamic(self, leading_dim: Any = ..., **_: Any) -> Any:
        """The tensor itself: each launch takes the layout as it is."""
    def mark_compact_shape_dynamic(self, mode: Any = ..., stride_order: Any = ..., divisibility: Any = ..., **_: Any) -> Any:
        """The tensor itself: each launch takes the layout as it is."""
class TensorSSA:
    """Values with a shape; arithmetic, comparisons and functions of cute.math work on each."""
    def __init__(self, values: Any, shape: Any, dtype: Any) -> None: ...
    @property
    def shape(self) -> Any:
        """The extents, nested as those of the tensor that was loaded."""
    @property
    def dtype(self) -> Any:
        """The number type of the values."""
    @property
    def element_type(self) -> Any:
        """The number type of the values."""
    def __len__(self) -> Any: ...
    def __iter__(self) -> Any: ...
    def __getitem__(self, coordinate: Any, **_: Any) -> Any:
        """A value, or with None among the coordinates a TensorSSA of what is kept.  Raises IndexError outside of it."""
    def reshape(self, shape: Any, **_: Any) -> Any:
        """The same values with another shape of as many.  Raises ValueError."""
    def broadcast_to(self, shape: Any, **_: Any) -> Any:
        """The values repeated along modes of extent 1.  Raises ValueError for other extents."""
    def to(self, dtype: Any, **_: Any) -> Any:
        """Each value as another type."""
    def apply(self, function: Any) -> Any:
        """A TensorSSA of function(value) for each value."""
    def __neg__(self) -> Any: ...
    def __invert__(self) -> Any: ...
    def __abs__(self) -> Any: ...
    @classmethod
    def from_elements(cls, values: Any, dtype: Any, **_: Any) -> Any:
        """A vector of numbers, or of values of a kernel, of a type."""
    def reduce(self, op: Any, init_val: Any = ..., reduction_profile: Any = ..., **_: Any) -> Any:
        """The values joined: all of them (profile 0), or along the modes whose entry of the profile is not None. Without init_val of themselves alone."""
    def __add__(self, other: Any, f: Any = ...) -> Any: ...
    def __radd__(self, other: Any, f: Any = ...) -> Any: ...
    def __sub__(self, other: Any, f: Any = ...) -> Any: ...
    def __rsub__(self, other: Any, f: Any = ...) -> Any: ...
    def __mul__(self, other: Any, f: Any = ...) -> Any: ...
    def __rmul__(self, other: Any, f: Any = ...) -> Any: ...
    def __truediv__(self, other: Any, f: Any = ...) -> Any: ...
    def __rtruediv__(self, other: Any, f: Any = ...) -> Any: ...
    def __floordiv__(self, other: Any, f: Any = ...) -> Any: ...
    def __rfloordiv__(self, other: Any, f: Any = ...) -> Any: ...
    def __mod__(self, other: Any, f: Any = ...) -> Any: ...
    def __rmod__(self, other: Any, f: Any = ...) -> Any: ...
    def __pow__(self, other: Any, f: Any = ...) -> Any: ...
    def __and__(self, other: Any, f: Any = ...) -> Any: ...
    def __rand__(self, other: Any, f: Any = ...) -> Any: ...
    def __or__(self, other: Any, f: Any = ...) -> Any: ...
    def __ror__(self, other: Any, f: Any = ...) -> Any: ...
    def __xor__(self, other: Any, f: Any = ...) -> Any: ...
    def __rxor__(self, other: Any, f: Any = ...) -> Any: ...
    def __lshift__(self, other: Any, f: Any = ...) -> Any: ...
    def __rshift__(self, other: Any, f: Any = ...) -> Any: ...
    def __lt__(self, other: Any, f: Any = ...) -> Any: ...
    def __le__(self, other: Any, f: Any = ...) -> Any: ...
    def __gt__(self, other: Any, f: Any = ...) -> Any: ...
    def __ge__(self, other: Any, f: Any = ...) -> Any: ...
class ThrCopy:
    """One thread of a tiled copy."""
    def __init__(self, copy: Any, thread: Any) -> None: ...
    @property
    def thr_idx(self) -> Any:
        """The thread's number."""
    def partition_S(self, tensor: Any, **_: Any) -> Any:
        """This thread's part of the source: ((AtomV, RestV), RestM, RestN, ...)."""
    def partition_D(self, tensor: Any, **_: Any) -> Any:
        """This thread's part of the destination."""
    def retile(self, src: Any, **_: Any) -> Any:
        """A fragment (V, RestM, RestN, ...), made for another partition, in this copy's atoms: ((AtomV, RestV), RestM, RestN, ...)."""
class ThrMma:
    """One thread of a tiled matrix operation."""
    def __init__(self, whole: Any, thr_idx: Any) -> None: ...
    def partition_A(self, tensor: Any, **_: Any) -> Any:
        """This thread's elements of A: (V, RestM, RestK, ...)."""
    def partition_B(self, tensor: Any, **_: Any) -> Any:
        """This thread's elements of B: (V, RestN, RestK, ...)."""
    def partition_C(self, tensor: Any, **_: Any) -> Any:
        """This thread's elements of C: (V, RestM, RestN, ...)."""
Tile = tuple[Any, ...]
class TiledCopy:
    """Which thread carries which values of a tile: `tv` maps (thread, value) to an index of the tile, first mode fastest. Threads may share elements only where `shared` says so, as those of a matrix operation share A and B."""
    def __init__(self, atom: Any, tv: Any, tiler: Any, shared: Any = ...) -> None: ...
    @property
    def size(self) -> Any:
        """The number of threads."""
    @property
    def tiler_mn(self) -> Any:
        """The tile as a layout for each mode."""
    @property
    def layout_src_tv_tiled(self) -> Any:
        """(thread, value) -> index of the tile that a thread reads."""
    @property
    def layout_dst_tv_tiled(self) -> Any:
        """(thread, value) -> index of the tile that a thread writes."""
    def retile(self, src: Any, **_: Any) -> Any:
        """A fragment made for another partition, in this copy's atoms; the same for every thread."""
    def get_slice(self, thread: Any, **_: Any) -> Any:
        """The part of one thread. In a kernel, other threads than the copy's may ask for theirs, and must not access it.  Raises IndexError for a thread that the copy does not have."""
class TiledMma:
    """Matrix operations side by side: which thread has which elements of the operands."""
    def __init__(self, atom: Any, atom_layout: Any, permutation: Any) -> None: ...
    def get_tile_size(self, mode_idx: Any, **_: Any) -> Any:
        """The extent of M, N or K (0, 1, 2) of one tile."""
    def get_slice(self, thr_idx: Any, **_: Any) -> Any:
        """The part of one thread; threads beyond the operation's repeat them."""
    def partition_shape_A(self, shape_mk: Any, **_: Any) -> Any:
        """The shape of a thread's part of A."""
    def partition_shape_B(self, shape_nk: Any, **_: Any) -> Any:
        """The shape of a thread's part of B."""
    def partition_shape_C(self, shape_mn: Any, **_: Any) -> Any:
        """The shape of a thread's part of C."""
Tiler = tuple[Any, ...]
class Uint128(Number):
    """The integer of 128 bits without a sign."""
class Uint16(Number):
    """A number of 16 bits, as NumPy's uint16."""
class Uint32(Number):
    """A number of 32 bits, as NumPy's uint32."""
class Uint4(Number):
    """The integer of 4 bits without a sign, 0 to 15; two are stored in a byte."""
class Uint64(Number):
    """A number of 64 bits, as NumPy's uint64."""
class Uint8(Number):
    """A number of 8 bits, as NumPy's uint8."""
def acos(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """acos(x) of a number or of each value; fastmath changes nothing."""
def all_(x: Any, **_: Any) -> Any:
    """Are all values true?"""
def any_(x: Any, **_: Any) -> Any:
    """Is one of the values true?"""
def append(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """append(A, B): B as one more mode behind."""
def append_ones(t: Any, up_to_rank: Any = ..., **_: Any) -> Any:
    """A layout or a tensor with modes of extent 1 behind, until it has so many modes; without a number one more."""
def as_tensor(array: Any) -> Any:
    """An array's memory as a tensor with the array's layout; of NumPy, PyTorch or CuPy.  Raises LayoutError as Layout.from_array; ValueError for negative strides."""
def asin(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """asin(x) of a number or of each value; fastmath changes nothing."""
def assume(src: Any, divby: Any = ..., **_: Any) -> Any:
    """The value itself; a layout's facts say what is known of names (facts=["M%8=0"])."""
def atan(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """atan(x) of a number or of each value; fastmath changes nothing."""
def atan2(a: Any, b: Any, fastmath: Any = ..., **_: Any) -> Any:
    """atan2(a, b) of two numbers, or of the values of each place."""
def autovec_copy(src: Any, dst: Any, **_: Any) -> Any:
    """basic_copy; on a CPU there is no width to choose."""
def basic_copy(src: Any, dst: Any, **_: Any) -> Any:
    """Each element of `src` into `dst`, in the order of indices.  Raises ValueError for different sizes."""
def basic_copy_if(pred: Any, src: Any, dst: Any, **_: Any) -> Any:
    """basic_copy of the elements for which `pred` is true."""
def basis_get(basis: Any, t: Any) -> Any:
    """The entry of a tuple or a layout at the mode of a ScaledBasis; the whole of it if `basis` is no ScaledBasis."""
def basis_value(e: Any) -> Any:
    """The steps of a ScaledBasis; anything else as it is."""
def blocked_product(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """blocked_product(A, B): A repeated as B says, blocks kept whole."""
def ceil(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """ceil(x) of a number or of each value; fastmath changes nothing."""
def ceil_div(input: Any, tiler: Any, **_: Any) -> Any:
    """input / tiler rounded up; of tuples mode by mode."""
def coalesce(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """coalesce(A[, profile]): the same function of an index with the fewest modes."""
compile: Any
def complement(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """complement(A[, shape]): what reaches the offsets that A leaves out."""
def composition(lhs: Any, rhs: Any, **_: Any) -> Any:
    """lhs visited in the order of rhs, mode by mode where rhs is a tuple (None keeps a mode)."""
def copy(atom: Any, src: Any, dst: Any, pred: Any = ..., tma_bar_ptr: Any = ..., mcast_mask: Any = ..., tma_desc_ptr: Any = ..., mbar_ptr: Any = ..., **_: Any) -> Any:
    """The elements of `src` into `dst` by an atom or a tiled copy; where `pred` is given, those for which it is true: it has an entry for each element, or for each access of the atom. A TMA load completes on the barrier at `tma_bar_ptr`, a bulk copy on that at `mbar_ptr`; `mcast_mask` has a bit for each block of the cluster that it goes to; `tma_desc_ptr` points to a map in memory in place of the atom's."""
copy_atom_call = copy
def cos(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """cos(x) of a number or of each value; fastmath changes nothing."""
def cosize(a: Any, mode: Any = ..., **_: Any) -> Any:
    """How many elements of memory there must be."""
def crd2idx(coord: Any, layout: Any, **_: Any) -> Any:
    """The offset of a coordinate in a layout or a shape."""
def depth(a: Any, **_: Any) -> Any:
    """How deep the shape is nested; 0 for an integer."""
def dice(src: Any, dicer: Any, **_: Any) -> Any:
    """What a coordinate keeps where it has no None: of a layout, or a tuple."""
def domain_offset(coord: Any, tensor: Any, **_: Any) -> Any:
    """The tensor from a coordinate on, which may be outside of its extents."""
def elem_less(lhs: Any, rhs: Any, **_: Any) -> Any:
    """Is each entry of a coordinate less than that of another, or of a shape?"""
def empty_like(a: Any, dtype: Any = ..., **_: Any) -> Any:
    """Zeros of the shape of `like`."""
def erf(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """erf(x) of a number or of each value; fastmath changes nothing."""
def exp(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """exp(x) of a number or of each value; fastmath changes nothing."""
def exp2(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """exp2(x) of a number or of each value; fastmath changes nothing."""
def fast_divmod_compute(divisor: Any, n: Any, **_: Any) -> Any:
    """(quotient, remainder) of n."""
def fast_divmod_create_divisor(divisor: Any, **_: Any) -> Any:
    """The divisor, for fast_divmod_compute and divmod."""
def fast_divmod_create_divisor_v2(divisor: Any, **_: Any) -> Any:
    """The divisor, for divmod, // and %."""
def filter(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """filter(A): coalesced, without modes of stride 0."""
def filter_tuple(*args: Any, f: Any) -> Any:
    """The tuples that f gives for the entries at each place, one behind another."""
def filter_zeros(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """filter_zeros(A): extents of 1 where the stride is 0."""
def find(t: Any, x: Any, hierarchical: Any = ...) -> Any:
    """The index of the first entry that equals x, or None."""
def find_if(t: Any, pred_fn: Any, hierarchical: Any = ...) -> Any:
    """Where pred_fn(entry, place) is first true: an index, or a tuple of indices that goes inwards; None where it never is."""
def flat_divide(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """flat_divide(A, T): (tile, tile, ..., rest, rest, ...)."""
def flat_product(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """flat_product(A, T): (block, ..., repetition, ...)."""
def flatten(a: Any = ..., **named: Any) -> Any:
    """A layout or a tensor of one level; of a tuple its values in order, as a tuple."""
def flatten_to_tuple(a: Any, **_: Any) -> Any:
    """The values of nested tuples in order; (a,) for a number."""
def floor(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """floor(x) of a number or of each value; fastmath changes nothing."""
def from_dlpack(array: Any, assumed_align: Any = ..., **_: Any) -> Any:
    """as_tensor, under the DSL's name; an access of several elements needs an address that is a multiple of it on a GPU."""
def front(input: Any, **_: Any) -> Any:
    """The first leaf: of a tuple, or of the strides of a layout or a tensor."""
def full(shape: Any, fill_value: Any, dtype: Any = ..., **_: Any) -> Any:
    """Values of a shape that are all one number."""
def full_like(a: Any, fill_value: Any, dtype: Any = ..., **_: Any) -> Any:
    """As many values as `like` has, all one number."""
def gemm(atom: Any, d: Any, a: Any, b: Any, c: Any, **_: Any) -> Any:
    """d = a * b + c of fragments: (V), or (V, M), (V, N) and (V, M, N), or (V, M, K), (V, N, K) and (V, M, N); of one thread also (M), (N) and (M, N), or (M, K), (N, K) and (M, N)."""
def get(input: Any, mode: Any) -> Any:
    """One mode of a layout, a tensor, or a tuple; a list of modes goes inwards."""
def get_leaves(t: Any) -> Any:
    """The values of nested tuples in order."""
def get_nonswizzle_portion(layout: Any, **_: Any) -> Any:
    """A layout without its swizzle."""
def get_swizzle_portion(layout: Any, **_: Any) -> Any:
    """The swizzle of a layout; one that changes nothing of a layout without."""
def group_modes(input: Any, begin: Any, end: Any = ..., **_: Any) -> Any:
    """The modes begin … end-1 as one; without an end, all from begin on."""
def has_scaled_basis(a: Any, **_: Any) -> Any:
    """Is there a stride along a coordinate?"""
def has_underscore(a: Any, **_: Any) -> Any:
    """Is there a None in a coordinate?"""
def idx2crd(idx: Any, shape: Any, **_: Any) -> Any:
    """The coordinate of an index in a shape, first mode fastest; of a tuple, of each entry in its mode."""
def increment_coord(coord: Any, shape: Any) -> Any:
    """The coordinate behind another in a shape, first mode fastest; behind the last one, the first.  Raises ValueError for other nesting."""
def is_congruent(a: Any, b: Any) -> Any:
    """Are two tuples nested alike?"""
def is_int_tuple(a: Any) -> Any:
    """Is it an integer, or a nested tuple of integers?"""
def is_int_tuple_type(t: Any, **_: Any) -> Any:
    """Is it the type of nested tuples of integers?"""
def is_integer(a: Any) -> Any:
    """Is it an integer, also one that a kernel computes?"""
def is_major(mode: Any, stride: Any, **_: Any) -> Any:
    """Is a mode, or the leaf that a list of modes names, the contiguous one?"""
def is_static(x: Any) -> Any:
    """Is a layout, a tuple or a number known before the kernel runs?"""
def is_valid_leaf(a: Any, **_: Any) -> Any:
    """May a tuple of integers have it as an element?"""
def is_weakly_congruent(a: Any, b: Any) -> Any:
    """Is each tuple of a one of b at its place?"""
def jit(function: Any = ..., **options: Any) -> Any:
    """Marks a function that launches kernels, or that kernels call; arrays among its arguments become tensors."""
def kernel(function: Any = ..., **options: Any) -> Any:
    """Makes a function a kernel: kernel(arguments).launch(grid=..., block=...)."""
def launch(function: Any, arguments: Any, grid: Any, block: Any, cluster: Any = ..., cooperative: Any = ..., smem: Any = ...) -> Any:
    """Runs `function` once for each thread of each block: on the CPU, clusters of blocks one after another, or on the GPU whose memory the arguments are in. `cooperative`: all blocks run at the same time, so that they may wait for each other."""
def leading_dim(shape: Any, stride: Any) -> Any:
    """The index of the first mode whose stride is 1 and whose extent is not, or None."""
def left_inverse(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """left_inverse(A): R with R(A(i)) = i."""
def local_partition(target: Any, tiler: Any, index: Any, proj: Any = ..., **_: Any) -> Any:
    """The elements of one thread: each mode divided by the thread layout's, interleaved."""
def local_tile(input: Any, tiler: Any, coord: Any, proj: Any = ..., **_: Any) -> Any:
    """The tile of a tensor at a coordinate of tiles; None keeps all of them: (tile..., kept...). `proj` names by 1 the modes of tiler and coordinate that the tensor has."""
def log(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """log(x) of a number or of each value; fastmath changes nothing."""
def log10(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """log10(x) of a number or of each value; fastmath changes nothing."""
def log1p(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """log1p(x) of a number or of each value; fastmath changes nothing."""
def log2(x: Any, fastmath: Any = ..., **_: Any) -> Any:
    """log2(x) of a number or of each value; fastmath changes nothing."""
def logical_divide(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """logical_divide(A, T): (tile, rest), of each mode for a tiler."""
def logical_product(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """logical_product(A, T): (block, repetition), of each mode for a tiler."""
def make_composed_layout(inner: Any, offset: Any, outer: Any, **_: Any) -> Any:
    """x -> inner(offset + outer(x)): a swizzled layout, or a Python function of offsets or coordinates."""
def make_copy_atom(op: Any, copy_internal_type: Any, *, num_bits_per_copy: Any = ..., **_: Any) -> Any:
    """An access of so many bits; 0: of one element."""
def make_cotiled_copy(atom: Any, layout_tv: Any, tiler_mn: Any, **_: Any) -> Any:
    """A tiled copy of a (thread, value) map and the tile that it covers."""
def make_fragment(layout_or_shape: Any, dtype: Any, **_: Any) -> Any:
    """A tensor of this thread's own; compact.  `shape` may be a Layout."""
def make_fragment_like(src: Any, dtype: Any = ..., **_: Any) -> Any:
    """A compact tensor of this thread's own, of the shape of another."""
def make_identity_layout(shape: Any, **_: Any) -> Any:
    """The layout whose offsets are coordinates."""
def make_identity_tensor(shape: Any, **_: Any) -> Any:
    """A tensor whose elements are their own coordinates; divided and partitioned as the data are, it tells where an element is."""
def make_layout(shape: Any, *, stride: Any = ..., **_: Any) -> Any:
    """A layout of a shape; without strides they are compact, first mode fastest. Of a tuple of layouts: each one mode."""
def make_layout_image_mask(lay: Any, coord: Any, mode: Any, **_: Any) -> Any:
    """The offsets of a layout along one mode from a coordinate on, as bits: the blocks of a cluster that share tiles with one."""
def make_layout_like(input: Any, **_: Any) -> Any:
    """The compact layout of a shape whose modes have the order of a layout's strides; strides of 0 stay 0."""
def make_layout_tv(thr_layout: Any, val_layout: Any, **_: Any) -> Any:
    """(tiler, layout): the tile that threads of these values cover, and the map from (thread, value) to its indices."""
def make_mma_atom(op: Any, **_: Any) -> Any:
    """One matrix operation, for make_tiled_mma.  Raises TypeError for anything else."""
def make_native_struct(name: Any, fields: Any, **options: Any) -> Any:
    """The same of a name and {field: type}."""
def make_ordered_layout(shape: Any, order: Any, **_: Any) -> Any:
    """Compact strides; the mode of the smallest entry of `order` is fastest."""
def make_ptr(dtype: Any, value: Any, mem_space: Any = ..., assumed_align: Any = ..., **_: Any) -> Any:
    """A pointer to memory at an address, of the host or, in a kernel on a GPU, there; how far it may be used is not checked."""
make_rmem_tensor = make_fragment
make_rmem_tensor_like = make_fragment_like
def make_swizzle(b: Any, m: Any, s: Any, **_: Any) -> Any:
    """A swizzle, for make_composed_layout."""
def make_tensor(iterator: Any, layout: Any, **_: Any) -> Any:
    """The memory at a pointer, seen through a layout; behind the pointer's swizzle, where it has one."""
make_tiled_copy = make_cotiled_copy
def make_tiled_copy_A(atom: Any, tiled_mma: Any, **_: Any) -> Any:
    """The tiled copy that fills fragments of A of a tiled matrix operation."""
def make_tiled_copy_B(atom: Any, tiled_mma: Any, **_: Any) -> Any:
    """The tiled copy that fills fragments of B of a tiled matrix operation."""
def make_tiled_copy_C(atom: Any, tiled_mma: Any, **_: Any) -> Any:
    """The tiled copy that fills or stores fragments of C of a tiled matrix operation."""
def make_tiled_copy_C_atom(atom: Any, mma: Any, **_: Any) -> Any:
    """The tiled copy of the first values of C that one access of the atom takes: the smallest that all threads share in."""
def make_tiled_copy_D(atom: Any, tiled_copy: Any, **_: Any) -> Any:
    """A tiled copy by another atom, whose threads have the elements that those of a tiled copy write."""
def make_tiled_copy_S(atom: Any, tiled_copy: Any, **_: Any) -> Any:
    """A tiled copy by another atom, whose threads have the elements that those of a tiled copy read."""
def make_tiled_copy_tv(atom: Any, thr_layout: Any, val_layout: Any, **_: Any) -> Any:
    """A tiled copy of where the threads are and how many values each carries."""
def make_tiled_mma(op_or_atom: Any, atom_layout_mnk: Any = ..., permutation_mnk: Any = ..., **_: Any) -> Any:
    """Matrix operations side by side. `permutation_mnk` has for each of M, N and K the extent of the tile, a layout, or None."""
class math:
    """Functions of numbers and of TensorSSA."""
    @staticmethod
    def sqrt(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """sqrt(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def rsqrt(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """rsqrt(x) of a number or of each value; fastmath changes nothing."""
    exp = _here.exp
    exp2 = _here.exp2
    log = _here.log
    log2 = _here.log2
    log10 = _here.log10
    @staticmethod
    def sin(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """sin(x) of a number or of each value; fastmath changes nothing."""
    cos = _here.cos
    @staticmethod
    def tan(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """tan(x) of a number or of each value; fastmath changes nothing."""
    asin = _here.asin
    acos = _here.acos
    atan = _here.atan
    @staticmethod
    def tanh(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """tanh(x) of a number or of each value; fastmath changes nothing."""
    floor = _here.floor
    ceil = _here.ceil
    @staticmethod
    def absf(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """absf(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def roundeven(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """roundeven(x) of a number or of each value; fastmath changes nothing."""
    erf = _here.erf
    @staticmethod
    def erfc(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """erfc(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def sinh(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """sinh(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def cosh(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """cosh(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def asinh(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """asinh(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def acosh(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """acosh(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def atanh(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """atanh(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def expm1(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """expm1(x) of a number or of each value; fastmath changes nothing."""
    log1p = _here.log1p
    @staticmethod
    def cbrt(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """cbrt(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def trunc(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """trunc(x) of a number or of each value; fastmath changes nothing."""
    @staticmethod
    def round(x: Any, fastmath: Any = ..., **_: Any) -> Any:
        """round(x) of a number or of each value; fastmath changes nothing."""
    atan2 = _here.atan2
    @staticmethod
    def copysign(a: Any, b: Any, fastmath: Any = ..., **_: Any) -> Any:
        """copysign(a, b) of two numbers, or of the values of each place."""
    @staticmethod
    def pow(a: Any, b: Any, fastmath: Any = ..., **_: Any) -> Any:
        """pow(a, b) of two numbers, or of the values of each place."""
    @staticmethod
    def rem(a: Any, b: Any, fastmath: Any = ..., **_: Any) -> Any:
        """rem(a, b) of two numbers, or of the values of each place."""
    @staticmethod
    def isnan(x: Any, **_: Any) -> Any:
        """isnan(x): Is it so of a number, or of each value?"""
    @staticmethod
    def isinf(x: Any, **_: Any) -> Any:
        """isinf(x): Is it so of a number, or of each value?"""
    @staticmethod
    def isfinite(x: Any, **_: Any) -> Any:
        """isfinite(x): Is it so of a number, or of each value?"""
    @staticmethod
    def max(a: Any, b: Any, **_: Any) -> Any:
        """The larger of two numbers, or of the values of each place."""
    @staticmethod
    def min(a: Any, b: Any, **_: Any) -> Any:
        """The smaller of two numbers, or of the values of each place."""
    @staticmethod
    def abs(x: Any, **_: Any) -> Any:
        """The number, or its negative where it is less than 0; of each value."""
    @staticmethod
    def neg(x: Any, **_: Any) -> Any:
        """The negative."""
    @staticmethod
    def add(a: Any, b: Any, **_: Any) -> Any:
        """a + b."""
    @staticmethod
    def sub(a: Any, b: Any, **_: Any) -> Any:
        """a - b."""
    @staticmethod
    def mul(a: Any, b: Any, **_: Any) -> Any:
        """a * b."""
    @staticmethod
    def div(a: Any, b: Any, **_: Any) -> Any:
        """a / b."""
    @staticmethod
    def rcp(x: Any, **_: Any) -> Any:
        """1 / x."""
    @staticmethod
    def fma(a: Any, b: Any, c: Any, **_: Any) -> Any:
        """a * b + c, of numbers or of the values of each place."""
    @staticmethod
    def clamp(x: Any, lo: Any, hi: Any, **_: Any) -> Any:
        """The number, not less than lo and not more than hi; of each value."""
    @staticmethod
    def sincos(x: Any, **_: Any) -> Any:
        """(sin(x), cos(x))."""
def max(*values: Any) -> Any:
    """The largest of numbers."""
def max_common_layout(a: Any, b: Any, **_: Any) -> Any:
    """The layout of the elements that are contiguous in both layouts, or tensors, from the first on."""
def max_common_vector(a: Any, b: Any, **_: Any) -> Any:
    """The number of elements that are contiguous in both layouts, or tensors, from the first on."""
def min(*values: Any) -> Any:
    """The smallest of numbers."""
mma_atom_call = gemm
def native_struct(cls, *, zero_init: Any = ..., packed: Any = ..., **_: Any) -> Any:
    """Makes a class one of numbers: fields that are not given are 0. Fields of Constexpr are Python's.  Raises TypeError for a field of another type."""
def nullspace(layout: Any, **_: Any) -> Any:
    """The layout of the coordinates whose offset is 0."""
def ones_like(a: Any, dtype: Any = ..., **_: Any) -> Any:
    """Ones of the shape of `like`."""
def prefetch(*_: Any, **__: Any) -> Any:
    """Nothing: a hint to the caches."""
def prepend(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """prepend(A, B): B as one more mode in front."""
def prepend_ones(t: Any, up_to_rank: Any = ..., **_: Any) -> Any:
    """A layout or a tensor with modes of extent 1 in front, until it has so many modes; without a number one more."""
def pretty_str(arg: Any) -> Any:
    """A text of tuples, layouts and tensors in the notation of layouts."""
def print_tensor(tensor: Any, *, verbose: Any = ..., **_: Any) -> Any:
    """The tensor's memory, type, layout and elements, first mode downwards; verbose: each element with its coordinate."""
def printf(text: Any = ..., *arguments: Any, **_: Any) -> Any:
    """Prints from a kernel; {} stands for the next argument, and so do printf's formats such as %d. Of a tensor: its elements, as print_tensor prints them."""
def product(a: Any, **_: Any) -> Any:
    """The product of the leaves of a tuple."""
def product_each(a: Any, **_: Any) -> Any:
    """The product of each mode."""
def product_like(a: Any, target_profile: Any) -> Any:
    """The product of each part of a that is a leaf of the profile."""
def raked_product(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """raked_product(A, B): A repeated as B says, blocks interleaved."""
def rank(a: Any, mode: Any = ..., **_: Any) -> Any:
    """The number of modes."""
def recast_layout(new_type_bits: Any, old_type_bits: Any, src_layout: Any, **_: Any) -> Any:
    """A layout of elements of old bits, as one of elements of new bits."""
def recast_ptr(ptr: Any, swizzle_: Any = ..., dtype: Any = ..., **_: Any) -> Any:
    """The same memory as elements of another type, and behind a swizzle of bytes, or none."""
def recast_tensor(src: Any, dtype: Any, **_: Any) -> Any:
    """The same bytes as elements of another type: the last-level contiguous mode grows or shrinks."""
def repeat(x: Any, n: Any, **_: Any) -> Any:
    """A tuple of a value, so many times; of one: the value."""
def repeat_as_tuple(x: Any, n: Any) -> Any:
    """A tuple that has x n times."""
def repeat_like(x: Any, target: Any, **_: Any) -> Any:
    """The value at each leaf of a tuple, or of a shape."""
def right_inverse(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """right_inverse(A): R with A(R(i)) = i."""
def round_up(a: Any, b: Any, **_: Any) -> Any:
    """The multiple of b that is a or next above it; of tuples mode by mode."""
rsqrt = math.rsqrt
def select(input: Any, mode: Any) -> Any:
    """The modes named, in that order; of a layout, a tensor, or a tuple."""
def shape(input: Any, mode: Any = ..., **_: Any) -> Any:
    """The extents, of one mode."""
def shape_div(lhs: Any, rhs: Any, **_: Any) -> Any:
    """One shape divided by another, mode by mode; of a shape and an integer, the integer divides the first modes."""
sin = math.sin
def size(a: Any, mode: Any = ..., **_: Any) -> Any:
    """The number of coordinates, of one mode (a list of modes goes inwards); of a tiled copy or a tiled matrix operation its threads."""
def size_in_bytes(dtype: Any, layout: Any, **_: Any) -> Any:
    """The bytes that elements of a layout span; 0 for None."""
def slice_(src: Any, coord: Any, **_: Any) -> Any:
    """What the Nones of a coordinate keep: of a tensor, a layout, or a tuple."""
def slice_and_offset(coord: Any, src: Any, **_: Any) -> Any:
    """(what the Nones of a coordinate keep, the offset of the rest)."""
sqrt = math.sqrt
def static(value: Any, **_: Any) -> Any:
    """A number that is known; as it is.  Raises TypeError for one that the GPU knows."""
class struct:
    """Makes a class of annotated fields a description of shared memory: MemRange[type, count], Align[field, bytes], a number type for one element, or another struct. Called with a pointer: the fields in the memory there."""
    class MemRange:
        """So many elements of a type."""
        def __init__(self, dtype: Any, count: Any) -> None: ...
        @classmethod
        def __class_getitem__(cls, item: Any) -> Any: ...
        @property
        def size_in_bytes(self) -> Any:
            """The bytes of all elements."""
    class Align:
        """A field at an address that is a multiple of some bytes."""
        def __init__(self, dtype: Any, align: Any) -> None: ...
        @classmethod
        def __class_getitem__(cls, item: Any) -> Any: ...
    def __init__(self, described: Any) -> None: ...
    def size_in_bytes(self) -> Any:
        """The bytes of all fields and of what is between them."""
    def __call__(self, pointer: Any) -> Any:
        """Call self as a function."""
sym_int = SymInt
sym_int32 = SymInt
sym_int64 = SymInt
tan = math.tan
tanh = math.tanh
def tile_to_shape(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """tile_to_shape(A, shape[, order]): A repeated until it covers the shape."""
def tiled_divide(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """tiled_divide(A, T): ((tiles...), rest, rest, ...)."""
def tiled_product(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """tiled_product(A, T): ((blocks...), repetition, ...)."""
def transform_apply(*args: Any, f: Any, g: Any) -> Any:
    """g of all results of f, which is called with the entries at each place."""
def transform_leaf(f: Any, *args: Any) -> Any:
    """f of the leaves at each place of tuples that are nested alike.  Raises TypeError where they are not."""
def tuple_cat(*tuples: Any) -> Any:
    """One tuple of the entries of all; what is no tuple is one entry."""
def unflatten(sequence: Any, profile: Any) -> Any:
    """The values of a flat sequence, nested as a profile is.  Raises RuntimeError where they are too few."""
class union:
    """A struct whose fields all begin at its first byte."""
def unwrap(x: Any) -> Any:
    """What a tuple of one entry has; anything else as it is."""
def where(cond: Any, x: Any, y: Any, **_: Any) -> Any:
    """x where `cond` is true, else y: of each value, or of numbers."""
def wrap(x: Any) -> Any:
    """A tuple as it is; (x,) of anything else."""
zeros_like = empty_like
def zipped_divide(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """zipped_divide(A, T): ((tiles...), (rests...))."""
def zipped_product(*arguments: Any, loc: Any = ..., ip: Any = ..., **named: Any) -> Any:
    """zipped_product(A, T): ((blocks...), (repetitions...))."""
class arch:
    """What a thread knows of its place, barriers, and the exchange of values."""
    @staticmethod
    def alloc_tmem(num_columns: Any, smem_ptr_to_write_address: Any, is_two_cta: Any = ..., **_: Any) -> Any:
        """One warp allocates so many columns, a power of two from 32 to 512, and writes their address to shared memory."""
    @staticmethod
    def dealloc_tmem(tmem_ptr: Any, num_columns: Any, is_two_cta: Any = ..., **_: Any) -> Any:
        """One warp frees columns that were allocated together."""
    @staticmethod
    def retrieve_tmem_ptr(element_type: Any, alignment: Any, ptr_to_buffer_holding_addr: Any, **_: Any) -> Any:
        """The pointer of the address that alloc_tmem wrote; after a barrier."""
    @staticmethod
    def relinquish_tmem_alloc_permit(is_two_cta: Any = ..., **_: Any) -> Any:
        """The block allocates no more."""
    @staticmethod
    def get_max_tmem_alloc_cols(arch: Any = ..., **_: Any) -> Any:
        """The columns of tensor memory."""
    @staticmethod
    def get_min_tmem_alloc_cols(arch: Any = ..., **_: Any) -> Any:
        """The fewest columns that can be allocated."""
    @staticmethod
    def fence_view_async_tmem_load(**_: Any) -> Any:
        """The registers of this warp's loads are valid."""
    @staticmethod
    def fence_view_async_tmem_store(**_: Any) -> Any:
        """The stores of this warp are seen."""
    @staticmethod
    def store_async_dsmem(smem_ptr: Any, value: Any, mbar_ptr: Any, peer_cta_rank: Any, **_: Any) -> Any:
        """Stores a number, or a tuple of 2 or 4, to the same place in the block of that rank; the barrier there counts the bytes."""
    @staticmethod
    def cp_async_shared_global(dst: Any, src: Any, size: Any, modifier: Any = ..., *, cp_size: Any = ..., **_: Any) -> Any:
        """Copies 4, 8 or 16 bytes from global to shared memory; of them the first cp_size, and 0 for the others. Complete after cp_async_wait_group."""
    @staticmethod
    def shuffle_sync(value: Any, offset: Any, mask: Any = ..., mask_and_clamp: Any = ..., **_: Any) -> Any:
        """The value of lane `offset` of the warp, or of the lane's group, which mask_and_clamp says."""
    @staticmethod
    def shuffle_sync_bfly(value: Any, offset: Any, mask: Any = ..., mask_and_clamp: Any = ..., **_: Any) -> Any:
        """The value of the lane whose number differs in the bits of `offset`."""
    @staticmethod
    def shuffle_sync_down(value: Any, offset: Any, mask: Any = ..., mask_and_clamp: Any = ..., **_: Any) -> Any:
        """The value of the lane `offset` above; of lanes beyond the warp, or beyond the group, their own."""
    @staticmethod
    def shuffle_sync_up(value: Any, offset: Any, mask: Any = ..., mask_and_clamp: Any = ..., **_: Any) -> Any:
        """The value of the lane `offset` below; of lanes below the warp's first, or the group's, their own."""
    @staticmethod
    def shuffle_sync_op(value: Any, offset: Any, mask: Any = ..., mask_and_clamp: Any = ..., kind: Any = ..., **_: Any) -> Any:
        """The value of another lane: of number `offset` (kind 'idx'), or that far 'up' or 'down', or by its bits ('bfly')."""
    @staticmethod
    def warp_reduction(val: Any, op: Any, threads_in_group: Any = ..., **_: Any) -> Any:
        """The values of groups of lanes joined by op(a, b); every lane gets the result."""
    @staticmethod
    def warp_reduction_sum(val: Any, threads_in_group: Any = ..., **_: Any) -> Any:
        """The sum over groups of lanes, in every lane."""
    @staticmethod
    def warp_reduction_max(val: Any, threads_in_group: Any = ..., **_: Any) -> Any:
        """The largest value of groups of lanes, in every lane."""
    @staticmethod
    def vote_any_sync(pred: Any, mask: Any = ..., **_: Any) -> Any:
        """Is it true in one lane of the warp, or of those that have a bit of the mask?"""
    @staticmethod
    def vote_all_sync(pred: Any, mask: Any = ..., **_: Any) -> Any:
        """Is it true in all of these lanes?"""
    @staticmethod
    def vote_ballot_sync(pred: Any, mask: Any = ..., **_: Any) -> Any:
        """The lanes in which it is true, as bits of an integer."""
    @staticmethod
    def vote_uni_sync(pred: Any, mask: Any = ..., **_: Any) -> Any:
        """Is it the same in all of these lanes?"""
    @staticmethod
    def warp_redux_sync(value: Any, kind: Any, mask_and_clamp: Any = ..., abs: Any = ..., nan: Any = ..., **_: Any) -> Any:
        """The values of the warp joined by 'add', 'min', 'max', 'and', 'or', 'xor', 'fmin' or 'fmax'; every lane gets the result."""
    @staticmethod
    def cluster_idx(**_: Any) -> Any:
        """(x, y, z) of the cluster in the grid."""
    @staticmethod
    def cluster_dim(**_: Any) -> Any:
        """The clusters of the grid along x, y and z."""
    @staticmethod
    def block_in_cluster_idx(**_: Any) -> Any:
        """(x, y, z) of the block in its cluster."""
    @staticmethod
    def block_in_cluster_dim(**_: Any) -> Any:
        """The blocks of a cluster along x, y and z."""
    @staticmethod
    def block_idx_in_cluster(**_: Any) -> Any:
        """The block's number in its cluster, x fastest."""
    @staticmethod
    def cluster_size(**_: Any) -> Any:
        """The blocks of a cluster."""
    @staticmethod
    def cluster_arrive(aligned: Any = ..., **_: Any) -> Any:
        """Arrives at the barrier of the cluster's threads; cluster_wait waits there."""
    @staticmethod
    def cluster_arrive_relaxed(aligned: Any = ..., **_: Any) -> Any:
        """The same; on a GPU it orders no accesses to memory."""
    @staticmethod
    def cluster_wait(aligned: Any = ..., **_: Any) -> Any:
        """Waits until every thread of the cluster has arrived."""
    @staticmethod
    def mapa(ptr: Any, cta_rank_in_cluster: Any = ..., **_: Any) -> Any:
        """A pointer to the same place in the shared memory of the block of that number."""
    map_dsmem_ptr = _here.arch.mapa
    @staticmethod
    def clz(value: Any, **_: Any) -> Any:
        """The number of zeros above the highest bit that is set."""
    @staticmethod
    def brev(value: Any, **_: Any) -> Any:
        """The bits in the other order."""
    @staticmethod
    def bfind(value: Any, **_: Any) -> Any:
        """The number of the highest bit that is 1, of a negative number of the highest that is 0; 0xffffffff without such a bit."""
    @staticmethod
    def bfe(value: Any, start: Any, length: Any, **_: Any) -> Any:
        """`length` bits from bit `start` on, as a number of the value's type: its highest bit is the sign."""
    @staticmethod
    def bfi(replacement: Any, value: Any, start: Any, length: Any, **_: Any) -> Any:
        """The value with `length` bits from bit `start` on taken from the replacement's lowest."""
    @staticmethod
    def lop3(a: Any, b: Any, c: Any, lut: Any, **_: Any) -> Any:
        """The function of three bits that `lut` has a bit for: bit 4 a + 2 b + c, for each bit of the numbers."""
    @staticmethod
    def mul_wide(a: Any, b: Any, **_: Any) -> Any:
        """The product of two numbers of 16 or 32 bits, in twice as many."""
    @staticmethod
    def activemask(**_: Any) -> Any:
        """The lanes of the warp that are here together, as bits."""
    @staticmethod
    def match_sync(mask: Any, value: Any, kind: Any = ..., **_: Any) -> Any:
        """The lanes that have the same value as this one ('any'), or all lanes if all have the same, else 0 ('all'); as bits."""
    @staticmethod
    def lanemask_eq(**_: Any) -> Any:
        """This lane's bit."""
    @staticmethod
    def lanemask_lt(**_: Any) -> Any:
        """The bits of the lanes below this one."""
    @staticmethod
    def lanemask_le(**_: Any) -> Any:
        """The bits of the lanes up to this one."""
    @staticmethod
    def lanemask_gt(**_: Any) -> Any:
        """The bits of the lanes above this one."""
    @staticmethod
    def lanemask_ge(**_: Any) -> Any:
        """The bits of this lane and those above."""
    @staticmethod
    def smid(**_: Any) -> Any:
        """The number of the multiprocessor; the CPU is one."""
    @staticmethod
    def nsmid(**_: Any) -> Any:
        """A number above those of all multiprocessors; the CPU is one."""
    @staticmethod
    def physical_warp_id(**_: Any) -> Any:
        """The warp's place in the multiprocessor; on the CPU its number in the block."""
    @staticmethod
    def nwarpid(**_: Any) -> Any:
        """A number above those of all warps' places."""
    @staticmethod
    def gridid(**_: Any) -> Any:
        """The number of the launch."""
    @staticmethod
    def total_smem_size(**_: Any) -> Any:
        """The bytes of shared memory of the block; on the CPU those that it has allocated so far."""
    @staticmethod
    def aggr_smem_size(**_: Any) -> Any:
        """The same with what the system reserves, 1 KiB."""
    @staticmethod
    def warpsize(**_: Any) -> Any:
        """The lanes of a warp: 32."""
    @staticmethod
    def clock(**_: Any) -> Any:
        """The multiprocessor's clock, of which 32 bits; on the CPU nanoseconds."""
    @staticmethod
    def clock64(**_: Any) -> Any:
        """The multiprocessor's clock; on the CPU nanoseconds."""
    @staticmethod
    def globaltimer(**_: Any) -> Any:
        """Nanoseconds."""
    @staticmethod
    def globaltimer_lo(**_: Any) -> Any:
        """Nanoseconds, of which 32 bits."""
    class ProxyKind:
        """Which accesses fence_proxy orders."""
        alias: Any
        async_: Any
        async_global: Any
        async_shared: Any
        tensormap: Any
        generic: Any
    class SharedSpace:
        """Shared memory of the block, or of the cluster."""
        shared_cta: Any
        shared_cluster: Any
    @staticmethod
    def elect_one(**_: Any) -> Any:
        """`with cute.arch.elect_one():` runs its block in one thread of each warp, the first."""
    @staticmethod
    def mbarrier_init(mbar_ptr: Any, cnt: Any, **_: Any) -> Any:
        """Makes the 8 bytes at a pointer a barrier of so many arrivals; one thread does, and others use it after sync_threads."""
    @staticmethod
    def mbarrier_init_fence(**_: Any) -> Any:
        """Shows barriers that were made to asynchronous copies and to the cluster."""
    @staticmethod
    def mbarrier_arrive(mbar_ptr: Any, peer_cta_rank_in_cluster: Any = ..., arrive_count: Any = ..., **_: Any) -> Any:
        """Arrives at a barrier."""
    @staticmethod
    def mbarrier_expect_tx(mbar_ptr: Any, bytes: Any, peer_cta_rank_in_cluster: Any = ..., **_: Any) -> Any:
        """The phase of a barrier ends when copies have written so many more bytes."""
    @staticmethod
    def mbarrier_arrive_and_expect_tx(mbar_ptr: Any, bytes: Any, peer_cta_rank_in_cluster: Any = ..., **_: Any) -> Any:
        """Arrives, and the phase ends when copies have written so many more bytes."""
    @staticmethod
    def mbarrier_wait(mbar_ptr: Any, phase: Any, **_: Any) -> Any:
        """Waits until the phase of that parity has ended."""
    @staticmethod
    def mbarrier_try_wait(mbar_ptr: Any, phase: Any, **_: Any) -> Any:
        """Has the phase of that parity ended? On a GPU it waits a while for it."""
    mbarrier_test_wait = _here.arch.mbarrier_try_wait
    @staticmethod
    def mbarrier_conditional_try_wait(cond: Any, mbar_ptr: Any, phase: Any, **_: Any) -> Any:
        """mbarrier_try_wait where the condition holds; true where it does not."""
    @staticmethod
    def cp_async_mbarrier_arrive_noinc(mbar_ptr: Any, **_: Any) -> Any:
        """Arrives at a barrier when the asynchronous copies that this thread has issued are done."""
    @staticmethod
    def barrier(*, barrier_id: Any = ..., number_of_threads: Any = ..., **_: Any) -> Any:
        """Waits until every thread of the block is here, or `number_of_threads` of them at the barrier of that number, 0 to 15."""
    @staticmethod
    def barrier_arrive(*, barrier_id: Any = ..., number_of_threads: Any = ..., **_: Any) -> Any:
        """Arrives at the barrier of that number, for which other threads wait by barrier()."""
    @staticmethod
    def fence_proxy(kind: Any = ..., space: Any = ..., **_: Any) -> Any:
        """Orders this thread's accesses to shared memory before asynchronous copies that start later."""
    @staticmethod
    def fence_view_async_shared(**_: Any) -> Any:
        """Orders this thread's accesses to shared memory before asynchronous copies that start later."""
    @staticmethod
    def fence_acq_rel_cta(**_: Any) -> Any:
        """Orders this thread's accesses for the threads of its block."""
    @staticmethod
    def fence_acq_rel_cluster(**_: Any) -> Any:
        """Orders this thread's accesses for the threads of its cluster."""
    @staticmethod
    def fence_acq_rel_gpu(**_: Any) -> Any:
        """Orders this thread's accesses for the threads of the GPU."""
    @staticmethod
    def fence_acq_rel_sys(**_: Any) -> Any:
        """Orders this thread's accesses for all that see the memory."""
    @staticmethod
    def atomic_add(ptr: Any, val: Any, *, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """Adds to the element at a pointer; what it was before. Atomic operations of several threads need no barrier."""
    @staticmethod
    def atomic_and(ptr: Any, val: Any, *, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The element at a pointer keeps the bits that the value has too; what it was before."""
    @staticmethod
    def atomic_or(ptr: Any, val: Any, *, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The element at a pointer gets the value's bits too; what it was before."""
    @staticmethod
    def atomic_xor(ptr: Any, val: Any, *, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The value's bits of the element at a pointer flip; what it was before."""
    @staticmethod
    def atomic_max(ptr: Any, val: Any, *, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The element at a pointer becomes the larger of it and the value; what it was before."""
    @staticmethod
    def atomic_min(ptr: Any, val: Any, *, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The element at a pointer becomes the smaller of it and the value; what it was before."""
    @staticmethod
    def atomic_fmax(ptr: Any, val: Any, *, sign_bit: Any = ..., sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The same of a Float32."""
    @staticmethod
    def atomic_fmin(ptr: Any, val: Any, *, sign_bit: Any = ..., sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The same of a Float32."""
    @staticmethod
    def atomic_exch(ptr: Any, val: Any, *, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The element at a pointer becomes the value; what it was before."""
    @staticmethod
    def atomic_cas(ptr: Any, *, cmp: Any, val: Any, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The element at a pointer becomes `val` if it is `cmp`; what it was before."""
    @staticmethod
    def red(ptr: Any, val: Any, *, op: Any, dtype: Any = ..., sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The element at a pointer joined with the value by 'add', 'min', 'max', 'and', 'or' or 'xor', without what it was."""
    @staticmethod
    def load(ptr: Any, dtype: Any = ..., *, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The element at a pointer; with an order (sem) it needs no barrier, as atomic operations."""
    @staticmethod
    def store(ptr: Any, val: Any, *, sem: Any = ..., scope: Any = ..., **_: Any) -> Any:
        """The element at a pointer becomes the value; with an order (sem) it needs no barrier, as atomic operations."""
    @staticmethod
    def mul24(a: Any, b: Any, hi: Any = ..., **_: Any) -> Any:
        """The product of the lowest 24 bits of two numbers: its bits 0 to 31, or 16 to 47."""
    @staticmethod
    def mad24(a: Any, b: Any, c: Any, hi: Any = ..., **_: Any) -> Any:
        """mul24(a, b, hi) + c."""
    @staticmethod
    def add_cc(a: Any, b: Any, **_: Any) -> Any:
        """a + b; addc adds its carry to the next sum."""
    @staticmethod
    def addc(a: Any, b: Any, **_: Any) -> Any:
        """a + b and the carry of the sum before."""
    @staticmethod
    def sub_cc(a: Any, b: Any, **_: Any) -> Any:
        """a - b; subc takes its borrow from the next difference."""
    @staticmethod
    def subc(a: Any, b: Any, **_: Any) -> Any:
        """a - b less the borrow of the difference before."""
    @staticmethod
    def mad_cc(a: Any, b: Any, c: Any, **_: Any) -> Any:
        """The lower half of a * b, plus c; its carry is kept."""
    @staticmethod
    def madc(a: Any, b: Any, c: Any, **_: Any) -> Any:
        """The lower half of a * b, plus c and the carry before."""
    @staticmethod
    def add_sat_int(a: Any, b: Any, **_: Any) -> Any:
        """The sum of two Int32, the nearest number of the type."""
    @staticmethod
    def sub_sat_int(a: Any, b: Any, **_: Any) -> Any:
        """The difference of two Int32, the nearest number of the type."""
    @staticmethod
    def shf(a: Any, b: Any, shift: Any, kind: Any = ..., **_: Any) -> Any:
        """32 bits of a (the upper half) and b (the lower): the upper ones after a shift to the left ('l'), or the lower ones after one to the right ('r'), by the lowest five bits of `shift`; 'clamp_left' and 'clamp_right' by at most 32."""
    @staticmethod
    def fma_f16(a: Any, b: Any, c: Any, **_: Any) -> Any:
        """a * b + c of Float16."""
    @staticmethod
    def fma_bf16(a: Any, b: Any, c: Any, **_: Any) -> Any:
        """a * b + c of BFloat16."""
    @staticmethod
    def fma_packed_f16x2(a: Any, b: Any, c: Any, **_: Any) -> Any:
        """a * b + c of pairs of Float16."""
    @staticmethod
    def fma_packed_bf16x2(a: Any, b: Any, c: Any, **_: Any) -> Any:
        """a * b + c of pairs of BFloat16."""
    @staticmethod
    def atomic_max_float32(ptr: Any, value: Any, *, positive_only: Any = ..., **_: Any) -> Any:
        """atomic_fmax by its earlier name."""
    WARP_SIZE: Any
    FULL_MASK: Any
    WARPS_PER_WARPGROUP: Any
    THREADS_PER_WARPGROUP: Any
    @staticmethod
    def inline_ptx(ptx: Any, *, write_only_types: Any = ..., read_only_args: Any = ..., **_: Any) -> Any:
        """The results of instructions in PTX, in whose text {$w0} is the first result and {$r0} the first operand: a number for one type of `write_only_types`, a tuple for several, None for none. On the CPU as llvm.inline_asm."""
    @staticmethod
    def thread_idx(**_: Any) -> Any:
        """(x, y, z) of the thread in its block."""
    @staticmethod
    def block_idx(**_: Any) -> Any:
        """(x, y, z) of the block in the grid."""
    @staticmethod
    def block_dim(**_: Any) -> Any:
        """The threads of a block along x, y and z."""
    @staticmethod
    def grid_dim(**_: Any) -> Any:
        """The blocks of the grid along x, y and z."""
    @staticmethod
    def lane_idx(**_: Any) -> Any:
        """The thread's number in its warp."""
    @staticmethod
    def warp_idx(**_: Any) -> Any:
        """The warp's number in its block."""
    @staticmethod
    def make_warp_uniform(value: Any, **_: Any) -> Any:
        """The value itself, which is the same in all threads of a warp."""
    @staticmethod
    def sync_threads(**_: Any) -> Any:
        """Waits until every thread of the block is here."""
    @staticmethod
    def sync_warp(mask: Any = ..., **_: Any) -> Any:
        """Waits until every thread of the warp is here, or those of the lanes that have a bit of the mask."""
    @staticmethod
    def griddepcontrol_wait(**_: Any) -> Any:
        """Nothing: a launch begins when those before it have ended."""
    @staticmethod
    def griddepcontrol_launch_dependents(**_: Any) -> Any:
        """Nothing: a launch begins when those before it have ended."""
    @staticmethod
    def alloc_smem(element_type: Any, size_in_elems: Any, alignment: Any = ..., **_: Any) -> Any:
        """A pointer to the block's own memory; the n-th call of every thread gives the same place."""
    @staticmethod
    def get_dyn_smem(element_type: Any, alignment: Any = ..., **_: Any) -> Any:
        """A pointer to the shared memory that the launch asks for by smem=; every call gives the same place."""
    @staticmethod
    def get_dyn_smem_size(**_: Any) -> Any:
        """The bytes of shared memory that the launch asks for by smem=."""
    @staticmethod
    def dynamic_smem_size(**_: Any) -> Any:
        """The bytes of shared memory that this thread's block has allocated so far."""
    @staticmethod
    def cp_async_commit_group(**_: Any) -> Any:
        """Makes the asynchronous copies that this thread issued since the last one a group."""
    @staticmethod
    def cp_async_wait_group(n: Any, **_: Any) -> Any:
        """Waits until at most n groups of this thread's copies are in flight; other threads see the data after a barrier."""
    @staticmethod
    def cp_async_bulk_commit_group(**_: Any) -> Any:
        """Makes the bulk copies to global memory that this thread started since the last one a group."""
    @staticmethod
    def cp_async_bulk_wait_group(group: Any, read: Any = ..., **_: Any) -> Any:
        """Waits until at most `group` groups of this thread's bulk copies have yet to read shared memory."""
    @staticmethod
    def fmax(a: Any, b: Any, **_: Any) -> Any:
        """The larger of two numbers."""
    @staticmethod
    def fmin(a: Any, b: Any, **_: Any) -> Any:
        """The smaller of two numbers."""
    @staticmethod
    def rcp_approx(a: Any, **_: Any) -> Any:
        """1 / a."""
    @staticmethod
    def fma(a: Any, b: Any, c: Any, **_: Any) -> Any:
        """a * b + c."""
    @staticmethod
    def exp2(a: Any, **_: Any) -> Any:
        """2 to the power of a number."""
    @staticmethod
    def exp(a: Any, **_: Any) -> Any:
        """e to the power of a number."""
    @staticmethod
    def exp_packed_f32x2(a: Any, **_: Any) -> Any:
        """e to the power of each of a pair of numbers."""
    @staticmethod
    def prmt(a: Any, b: Any, selector: Any, **_: Any) -> Any:
        """Four bytes of the eight of b and a; each four bits of the selector name one, lowest first, or with their highest bit its sign in eight bits."""
    @staticmethod
    def add_packed_f32x2(a: Any, b: Any, **_: Any) -> Any:
        """The sums of two pairs of numbers."""
    @staticmethod
    def sub_packed_f32x2(a: Any, b: Any, **_: Any) -> Any:
        """The differences of two pairs of numbers."""
    @staticmethod
    def mul_packed_f32x2(a: Any, b: Any, **_: Any) -> Any:
        """The products of two pairs of numbers."""
    @staticmethod
    def fma_packed_f32x2(a: Any, b: Any, c: Any, **_: Any) -> Any:
        """a * b + c of pairs of numbers."""
    @staticmethod
    def setmaxregister_increase(reg_count: Any = ..., **_: Any) -> Any:
        """So many registers for each thread of the warpgroup, which other warpgroups gave up; nothing on a CPU."""
    @staticmethod
    def setmaxregister_decrease(reg_count: Any = ..., **_: Any) -> Any:
        """So many registers for each thread of the warpgroup, which gives up the others; nothing on a CPU."""
    warpgroup_reg_alloc = _here.arch.setmaxregister_increase
    warpgroup_reg_dealloc = _here.arch.setmaxregister_decrease
    @staticmethod
    def nanosleep(duration: Any = ..., **_: Any) -> Any:
        """Lets other threads run."""
    @staticmethod
    def mul_hi(a: Any, b: Any, **_: Any) -> Any:
        """The upper 32 bits of the product of two numbers of 32 bits."""
    @staticmethod
    def popc(value: Any, **_: Any) -> Any:
        """The number of bits that are set."""
    def issue_clc_query(mbar_ptr: Any, clc_response_ptr: Any, multicast: Any = ..., **_: Any) -> Any:
        """One thread of a warp asks for a cluster that has not been launched: the answer's 16 bytes count at the barriers of the cluster's blocks."""
    def clc_response(result_addr: Any, **_: Any) -> Any:
        """(x, y, z) of the first block of the cluster that an answer gives, and 1, or 0 where there was none."""
class experimental:
    """Parts of the DSL that may change."""
    class primitives:
        """PTX's instructions by their names."""
        class Shfl:
            """Which lane shfl_sync reads."""
            IDX: Any
            UP: Any
            DOWN: Any
            BFLY: Any
        class VoteSync:
            """What vote_sync asks."""
            ALL: Any
            ANY: Any
            UNI: Any
            BALLOT: Any
        class ReductionKind:
            """How redux_sync joins the values of lanes."""
            ADD: Any
            MIN: Any
            MAX: Any
            UMIN: Any
            UMAX: Any
            AND: Any
            OR: Any
            XOR: Any
            FMIN: Any
            FMAX: Any
        class ReductionOp:
            """How red joins a value with memory."""
            ADD: Any
            MIN: Any
            MAX: Any
            AND: Any
            OR: Any
            XOR: Any
            INC: Any
            DEC: Any
        class ReductionType:
            """What red joins."""
            U32: Any
            S32: Any
            U64: Any
            S64: Any
            F16: Any
            F16X2: Any
            BF16: Any
            BF16X2: Any
            F32: Any
            F64: Any
            B32: Any
            B64: Any
        class MemOrder:
            """How an atomic operation orders other accesses."""
            RELAXED: Any
            ACQUIRE: Any
            RELEASE: Any
            ACQ_REL: Any
            WEAK: Any
        class MemScope:
            """The threads that an atomic operation orders."""
            CTA: Any
            CLUSTER: Any
            GPU: Any
            SYS: Any
        class Proxy:
            """Which accesses fence_proxy orders."""
            ALIAS: Any
            ASYNC: Any
            ASYNC_GLOBAL: Any
            ASYNC_SHARED: Any
            TENSORMAP: Any
            GENERIC: Any
        SharedSpace = _here.arch.SharedSpace
        class GridDepAction:
            """What griddepcontrol does."""
            WAIT: Any
            LAUNCH_DEPENDENTS: Any
        class SetMaxRegisterAction:
            """What setmaxregister does."""
            INCREASE: Any
            DECREASE: Any
        class CTAGroup:
            """One block, or the two blocks of a pair."""
            CTA_1: Any
            CTA_2: Any
        class MBarrierWait:
            """Whether mbarrier_wait_parity may wait a while."""
            TRY: Any
            TEST: Any
        class MMALayout:
            """Whether lanes have parts of rows or of columns."""
            ROW: Any
            COL: Any
        class LoadShape:
            """The matrices that ldmatrix loads."""
            M8N8: Any
            M8N16: Any
            M16N16: Any
        class StoreShape:
            """The matrices that stmatrix stores."""
            M8N8: Any
            M16N8: Any
        class LoadSrcFormat:
            """The elements that ldmatrix reads."""
            B16: Any
            B8: Any
            B6: Any
            B4: Any
        @staticmethod
        def elect_sync(membermask: Any = ..., **_: Any) -> Any:
            """Is this thread the one of its warp, or of the lanes that have a bit, that is chosen? The lowest lane is."""
        @staticmethod
        def bar_warp_sync(mask: Any = ..., **_: Any) -> Any:
            """Waits until the lanes that have a bit of the mask are here."""
        @staticmethod
        def shfl_sync(mask: Any, value: Any, offset: Any, mask_and_clamp: Any = ..., kind: Any = ..., *, return_value_and_is_valid: Any = ..., **_: Any) -> Any:
            """The value of another lane, as shfl.sync has it; with return_value_and_is_valid also whether that lane is in the group."""
        @staticmethod
        def vote_sync(mask: Any, pred: Any, kind: Any = ..., **_: Any) -> Any:
            """A vote of the lanes that have a bit of the mask: ALL, ANY, UNI give true or false, BALLOT the lanes as bits."""
        @staticmethod
        def redux_sync(value: Any, kind: Any, mask: Any = ..., *, abs: Any = ..., nan: Any = ..., **_: Any) -> Any:
            """The values of the lanes that have a bit joined; each of those lanes gets the result."""
        @staticmethod
        def barrier_cta_sync(barrier_id: Any = ..., thread_count: Any = ..., **_: Any) -> Any:
            """Waits until the block's threads, or so many of them, are at the barrier of that number."""
        barrier_cta_sync_aligned = _here.experimental.primitives.barrier_cta_sync
        @staticmethod
        def barrier_cta_arrive(barrier_id: Any = ..., thread_count: Any = ..., **_: Any) -> Any:
            """Arrives at the barrier of that number, for which others wait."""
        @staticmethod
        def barrier_cta_red(pred: Any, barrier_id: Any = ..., kind: Any = ..., thread_count: Any = ..., **_: Any) -> Any:
            """Waits for the block's threads; is the condition true for one of them ('or'), for all ('and'), or for how many ('popc')?"""
        @staticmethod
        def barrier_cluster_arrive(**_: Any) -> Any:
            """Arrives at the barrier of the cluster's threads."""
        @staticmethod
        def barrier_cluster_arrive_relaxed(**_: Any) -> Any:
            """The same; on a GPU it orders no accesses to memory."""
        @staticmethod
        def barrier_cluster_wait(**_: Any) -> Any:
            """Waits until every thread of the cluster has arrived."""
        @staticmethod
        def cluster_ctarank(**_: Any) -> Any:
            """The block's number in its cluster."""
        @staticmethod
        def mbarrier_init(mbar: Any, count: Any, **_: Any) -> Any:
            """Makes 8 bytes of shared memory a barrier of so many arrivals."""
        @staticmethod
        def mbarrier_inval(mbar: Any, **_: Any) -> Any:
            """The 8 bytes are no barrier from here on."""
        @staticmethod
        def fence_mbarrier_init(**_: Any) -> Any:
            """Shows barriers that were made to asynchronous copies and to the cluster."""
        @staticmethod
        def mbarrier_arrive(mbar: Any, count: Any = ..., **_: Any) -> Any:
            """Arrives at a barrier of this block, or by mapa of another block. Its state, of which the phase is used, for mbarrier_try_wait."""
        @staticmethod
        def mbarrier_arrive_expect_tx(mbar: Any, txcount: Any, **_: Any) -> Any:
            """Arrives, and the phase ends when copies have written so many bytes more."""
        @staticmethod
        def mbarrier_expect_tx(mbar: Any, txcount: Any, **_: Any) -> Any:
            """The phase ends when copies have written so many bytes more."""
        @staticmethod
        def mbarrier_try_wait_parity(mbar: Any, phase: Any, time_limit: Any = ..., **_: Any) -> Any:
            """Has the phase of that parity ended? It may wait a while for it."""
        mbarrier_try_wait_parity_timelimit = _here.experimental.primitives.mbarrier_try_wait_parity
        mbarrier_test_wait_parity = _here.experimental.primitives.mbarrier_try_wait_parity
        @staticmethod
        def mbarrier_wait_parity(mbar: Any, phase: Any, kind: Any = ..., **_: Any) -> Any:
            """The same as mbarrier_try_wait_parity."""
        @staticmethod
        def mbarrier_try_wait(mbar: Any, state: Any, time_limit: Any = ..., **_: Any) -> Any:
            """Has the phase ended in which mbarrier_arrive gave that state?  Raises TypeError in a kernel on a GPU, which waits by parity."""
        mbarrier_try_wait_timelimit = _here.experimental.primitives.mbarrier_try_wait
        @staticmethod
        def mapa(address: Any, rank: Any, **_: Any) -> Any:
            """The same place in the shared memory of the block of that rank; of an array its first element."""
        @staticmethod
        def fence_proxy(kind: Any = ..., space: Any = ..., **_: Any) -> Any:
            """Orders this thread's accesses to shared memory before asynchronous copies that start later."""
        @staticmethod
        def cp_async_shared_global(dst: Any, src: Any, size: Any, modifier: Any = ..., cp_size: Any = ..., **_: Any) -> Any:
            """Copies 4, 8 or 16 bytes from global to shared memory."""
        @staticmethod
        def cp_async_commit_group(**_: Any) -> Any:
            """The copies that this thread has started since are one group."""
        @staticmethod
        def cp_async_wait_group(n: Any = ..., **_: Any) -> Any:
            """Waits until at most n groups are not complete."""
        @staticmethod
        def cp_async_mbarrier_arrive(mbar: Any, noinc: Any = ..., **_: Any) -> Any:
            """Arrives at a barrier when the asynchronous copies that this thread has issued are done."""
        @staticmethod
        def cp_async_bulk_shared_cluster_global(dst: Any, src: Any, mbar: Any, size: Any, **_: Any) -> Any:
            """Copies contiguous bytes from global memory to this block's shared memory; a barrier counts them."""
        cp_async_bulk_shared_cta_global = _here.experimental.primitives.cp_async_bulk_shared_cluster_global
        @staticmethod
        def cp_async_bulk_global_shared_cta(dst: Any, src: Any, size: Any, **_: Any) -> Any:
            """Copies contiguous bytes from shared to global memory; complete after cp_async_bulk_wait_group."""
        @staticmethod
        def cp_async_bulk_prefetch(*_: Any, **__: Any) -> Any:
            """Nothing: a hint to the caches."""
        @staticmethod
        def cp_async_bulk_commit_group(**_: Any) -> Any:
            """The bulk copies that this thread has started since are one group."""
        @staticmethod
        def cp_async_bulk_wait_group(n: Any = ..., read: Any = ..., **_: Any) -> Any:
            """Waits until at most n groups of bulk copies are not complete."""
        @staticmethod
        def prefetch_tensormap(tensor_map: Any, **_: Any) -> Any:
            """Brings a map near before the first copy."""
        @staticmethod
        def cp_async_bulk_tensor_shared_cta_global(dst: Any, tensor_map: Any, coordinate: Any, mbar: Any, im2col_offsets: Any = ..., **_: Any) -> Any:
            """Loads the box at a coordinate, whose first number counts contiguous elements, by TMA; a barrier counts the bytes."""
        @staticmethod
        def cp_async_bulk_tensor_shared_cluster_global(dst: Any, tensor_map: Any, coordinate: Any, mbar: Any, im2col_offsets: Any = ..., multicast_mask: Any = ..., group: Any = ..., **_: Any) -> Any:
            """The same into the blocks of the cluster that have a bit of the mask; group=CTA_2: the block of even rank counts the bytes of its pair."""
        @staticmethod
        def cp_async_bulk_tensor_global_shared_cta(tensor_map: Any, src: Any, coordinate: Any, **_: Any) -> Any:
            """Stores a box by TMA; complete after cp_async_bulk_wait_group."""
        @staticmethod
        def ldmatrix(src: Any, num: Any, layout: Any = ..., *, shape: Any = ..., **_: Any) -> Any:
            """Loads 1, 2 or 4 matrices of 8 x 8 elements of 16 bits, whose rows the lanes point to; the 32 bits that this lane has of each."""
        @staticmethod
        def stmatrix(dst: Any, registers: Any, layout: Any = ..., *, shape: Any = ..., **_: Any) -> Any:
            """Stores matrices of 8 x 8 elements of 16 bits, of each of which a lane gives 32 bits, to the rows that the lanes point to."""
        @staticmethod
        def red(op: Any, kind: Any, ptr: Any, value: Any, *, mem_order: Any = ..., mem_scope: Any = ..., **_: Any) -> Any:
            """The element at a pointer joined with a value in one step."""
        @staticmethod
        def griddepcontrol(kind: Any = ..., **_: Any) -> Any:
            """Nothing: a launch begins when those before it have ended."""
        @staticmethod
        def setmaxregister(count: Any, action: Any, **_: Any) -> Any:
            """How many registers the threads of a warpgroup have from here on."""
        @staticmethod
        def print_runtime(text: Any = ..., *arguments: Any, **_: Any) -> Any:
            """Prints from a kernel or a host function, as cute.printf."""
    class cuda:
        """What a host function makes for kernels."""
        class TensorMap:
            """A map of TMA: extents, strides and boxes of a tensor, and its memory."""
            def __init__(self, pointer: Any, extents: Any, strides: Any, box: Any, swizzle: Any) -> None: ...
            def atom(self, kind: Any, in_pairs: Any = ...) -> Any:
                """The copies of an operation by this map."""
            def get_ptr(self, **_: Any) -> Any:
                """What copies are given: the map itself."""
            def global_tx_bytes(self, **_: Any) -> Any:
                """The bytes of a box, which a barrier counts."""
        class TensorMapSwizzle:
            """How a map exchanges the 16 bytes of rows in shared memory: among none, 2, 4 or 8 of them."""
            none: Any
            s32b: Any
            s64b: Any
            s128b: Any
        class TensorMapInterleave:
            """Whether a map interleaves channels; here it does not."""
            none: Any
        @staticmethod
        def create_tensor_map_tiled(global_address: Any, dtype: Any, global_dims: Any, global_strides: Any, box_dims: Any, *, swizzle: Any = ..., tma_format: Any = ..., **_: Any) -> Any:
            """The map of memory at an address: extents and box from the contiguous mode on, and the strides of the others in units of 16 bytes."""
        @staticmethod
        def create_tensor_map_tiled_from_view(tensor: Any, box_dims: Any, *, stride_order: Any = ..., swizzle: Any = ..., **_: Any) -> Any:
            """The map of a tensor; `box_dims` in the order of its modes. `stride_order`: the modes' ranks, 0 for the contiguous one."""
    class iket:
        """Marks within kernels for NVIDIA's profiler; they are no work, and none is measured here."""
        @staticmethod
        def range_push(*_: Any, **__: Any) -> Any:
            """Nothing: a range that a profiler would show begins."""
        @staticmethod
        def range_pop(*_: Any, **__: Any) -> Any:
            """Nothing: the range ends."""
        @staticmethod
        def mark(*_: Any, **__: Any) -> Any:
            """Nothing: a point that a profiler would show."""
iket = experimental.iket
class nvgpu:
    """Operations by name."""
    CopyUniversalOp = _here.CopyUniversalOp
    LoadCacheMode = _here.LoadCacheMode
    MmaUniversalOp = _here.MmaUniversalOp
    class cpasync:
        """Asynchronous copies."""
        CopyG2SOp = _here.CopyG2SOp
        LoadCacheMode = _here.LoadCacheMode
        class CopyBulkTensorTileG2SOp:
            """TMA from global to shared memory; a barrier counts the bytes."""
        class CopyBulkTensorTileS2GOp:
            """TMA from shared to global memory; it is complete after cp_async_bulk_wait_group."""
            loads: Any
        class CopyBulkTensorTileG2SMulticastOp:
            """The same into several blocks of a cluster, each of which loads a part of the tile for all."""
            multicast: Any
        class CopyReduceBulkTensorTileS2GOp:
            """The same, added to what is in global memory.  Raises ValueError for another reduction than a sum."""
            loads: Any
            adds: Any
            def __init__(self, reduction_kind: Any = ..., *_: Any, **__: Any) -> None: ...
        class CopyBulkG2SOp:
            """A bulk copy from global to shared memory; a barrier counts the bytes."""
            is_bulk: Any
            source: Any
            destination: Any
        class CopyBulkS2GOp:
            """A bulk copy from shared to global memory; it is complete after cp_async_bulk_wait_group."""
            is_bulk: Any
            source: Any
            destination: Any
        class CopyDsmemStoreOp:
            """A store of 1, 2 or 4 registers of 32 or 64 bits to shared memory of a block of the cluster, which is complete when the barrier there has counted its bytes."""
            is_store_to_cluster: Any
            def __init__(self, *_: Any, **__: Any) -> None: ...
        @staticmethod
        def group_bulk_copy_modes(src: Any, dst: Any, **_: Any) -> Any:
            """(source, destination), each with all its modes as one, for a bulk copy of the whole."""
        @staticmethod
        def make_tiled_tma_atom(op: Any, gmem_tensor: Any, smem_layout: Any, cta_tiler: Any, num_multicast: Any = ..., *, internal_type: Any = ..., **_: Any) -> Any:
            """(the atom of TMA copies between tiles of a tensor and shared memory of a layout, the tensor of coordinates). `num_multicast`: so many blocks of a cluster load a tile together."""
        @staticmethod
        def tma_partition(atom: Any, cta_coord: Any, cta_layout: Any, smem_tensor: Any, gmem_tensor: Any, **_: Any) -> Any:
            """(shared memory, coordinates) of one block's share, as ((elements of a copy, copies), rest…). Mode 0 of both is the tile."""
        class TmaInfo:
            """What make_tiled_tma_atom gives: the atom, the tensor of coordinates and the layout in shared memory; `atom, tensor = …` takes two of them."""
            smem_layout: Any
            def __iter__(self) -> Any: ...
            def __getitem__(self, i: Any) -> Any: ...
            def __len__(self) -> Any: ...
            def __init__(self, atom: Any, tma_tensor: Any, smem_layout: Any = ...) -> None: ...
        @staticmethod
        def prefetch_descriptor(atom: Any, **_: Any) -> Any:
            """Brings a map near before the first copy."""
        ReductionKind = _here.ReductionKind
        ReductionOp = _here.ReductionKind
        @staticmethod
        def create_tma_multicast_mask(cta_layout_vmnk: Any, cta_coord_vmnk: Any, mcast_mode: Any, **_: Any) -> Any:
            """The blocks, as bits, that a block of a cluster shares a mode of its tiles with."""
        @staticmethod
        def copy_tensormap(tma_atom: Any, tensormap_ptr: Any, **_: Any) -> Any:
            """Writes the map of an atom to the 128 bytes at a pointer; one thread of the warp does."""
        @staticmethod
        def update_tma_descriptor(tma_atom: Any, gmem_tensor: Any, tma_desc_ptr: Any, **_: Any) -> Any:
            """The map at a pointer becomes that of another tensor: its address, extents and strides; box and swizzle are the atom's."""
        @staticmethod
        def fence_tma_desc_acquire(tma_desc_ptr: Any, **_: Any) -> Any:
            """The copies that follow use the map at a pointer as another thread released it."""
        @staticmethod
        def fence_tma_desc_release(**_: Any) -> Any:
            """Orders the changes of maps in global memory before their use by threads that call fence_tma_desc_acquire."""
        @staticmethod
        def cp_fence_tma_desc_release(tma_desc_global_ptr: Any, tma_desc_shared_ptr: Any, **_: Any) -> Any:
            """Copies a map from shared to global memory and releases it. All threads of the warp call it."""
    class warp:
        """Operations of the 32 threads of a warp."""
        class LdMatrix8x8x16bOp:
            """Loads 1, 2 or 4 matrices of 8x8 elements of 16 bits from shared memory; every thread of the warp takes part."""
        class MmaF16BF16Op:
            """A multiply-add of a warp: A of 16 x 8 or 16 x 16 elements of Float16 or BFloat16, B of 8, sums in Float32 or Float16."""
            def __init__(self, ab_dtype: Any, acc_dtype: Any, shape_mnk: Any) -> None: ...
        class StMatrix8x8x16bOp:
            """Stores 1, 2 or 4 matrices of 8x8 elements of 16 bits in shared memory; every thread of the warp takes part."""
        class LdMatrix8x16x8bOp:
            """Loads 1, 2 or 4 matrices of 8x16 elements of 8 bits from shared memory: the same rows of 16 bytes."""
            def __init__(self, transpose: Any = ..., num_matrices: Any = ..., **_: Any) -> None: ...
        class MmaFP8Op:
            """A multiply-add of a warp: A of 16 x 32 elements of Float8E4M3FN or Float8E5M2, B of 8, sums in Float32 or Float16."""
            def __init__(self, ab_dtype: Any, acc_dtype: Any, shape_mnk: Any) -> None: ...
        class MmaTF32Op:
            """A multiply-add of a warp: A of 16 x 4 or 16 x 8 elements of TFloat32 (Float32 of which 19 bits count), B of 8, sums in Float32."""
            def __init__(self, shape_mnk: Any = ...) -> None: ...
    class CopyG2ROp:
        """A load or store from global memory to registers."""
        memories: Any
    class CopyR2GOp:
        """A load or store from registers to global memory."""
        memories: Any
    class CopyS2ROp:
        """A load or store from shared memory to registers."""
        memories: Any
    class CopyR2SOp:
        """A load or store from registers to shared memory."""
        memories: Any
    class MemoryOrder:
        """How an access is ordered with others."""
        WEAK: Any
        RELAXED: Any
        ACQUIRE: Any
        RELEASE: Any
        ACQ_REL: Any
        SC: Any
        MMIO: Any
        CONSTANT: Any
        VOLATILE: Any
    class MemoryScope:
        """For which threads."""
        CTA: Any
        CLUSTER: Any
        GPU: Any
        SYS: Any
    class L2PrefetchSize:
        """How much a load brings into the L2 cache."""
        NONE: Any
        SIZE_64B: Any
        SIZE_128B: Any
        SIZE_256B: Any
    CacheEvictionPriority = _here.CacheEvictionPriority
    class StoreCacheMode:
        """Which caches a store uses."""
        WRITE_BACK: Any
        GLOBAL: Any
        STREAMING: Any
        WRITE_THROUGH: Any
    SharedSpace = _here.arch.SharedSpace
    class warpgroup:
        """Matrix operations of a warpgroup."""
        class OperandMajorMode:
            """Which mode of an operand is contiguous: K, or M or N."""
            MN: Any
            K: Any
        class OperandSource:
            """Where A is: in registers or in shared memory."""
            RMEM: Any
            SMEM: Any
        class Field:
            """What tiled_mma.set() sets: whether products add to the sums, or replace them."""
            ACCUMULATE: Any
        class SmemLayoutAtomKind:
            """Tiles of shared memory by their contiguous mode and the bits that a row of eight spans; INTER has no swizzle."""
            MN_INTER: Any
            MN_SW32: Any
            MN_SW64: Any
            MN_SW128: Any
            MN_SW128_32B: Any
            K_INTER: Any
            K_SW32: Any
            K_SW64: Any
            K_SW128: Any
        class MmaF16BF16Op:
            """A and B of Float16 or BFloat16, sums in Float32, of Float16 also in Float16."""
            def __init__(self, ab_dtype: Any, acc_dtype: Any, instruction_shape: Any, a_src: Any, a_major_mode: Any, b_major_mode: Any) -> None: ...
        class MmaF8Op:
            """A and B of Float8E4M3FN or Float8E5M2, sums in Float32 or Float16."""
        class MmaI8Op:
            """A and B of Int8 or Uint8, sums in Int32."""
        @staticmethod
        def make_smem_layout_atom(kind: Any, element_type: Any, **_: Any) -> Any:
            """The tile of a kind: K_SW128 of Float16 is Sw<3,4,3> o 0 o (8,64):(64,1). The swizzle counts bytes, as that of a pointer."""
        @staticmethod
        def fence(**_: Any) -> Any:
            """Orders this thread's accesses to registers, and to shared memory after a fence_proxy, before the next products."""
        @staticmethod
        def commit_group(**_: Any) -> Any:
            """Makes the products that were started since the last one a group."""
        @staticmethod
        def wait_group(group: Any, **_: Any) -> Any:
            """Waits until at most so many groups of products are in flight: the sums of the others are complete."""
    class tcgen05:
        """Products and copies of tensor memory, on the CPU."""
        class copy:
            """tcgen05.copy: copies of tensor memory."""
            class Repetition:
                """How often an instruction's columns are repeated."""
                x1: Any
                x2: Any
                x4: Any
                x8: Any
                x16: Any
                x32: Any
                x64: Any
                x128: Any
            class Pack:
                """Of a load: are the lower halves of two columns in one register?"""
                NONE: Any
                PACK_16b_IN_32b: Any
            class Unpack:
                """Of a store: does a register fill the lower halves of two columns?"""
                NONE: Any
                UNPACK_32b_IN_16b: Any
            class Ld32x32bOp:
                """Loads 32 lanes of a warp, 32 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
            class St32x32bOp:
                """Stores 32 lanes of a warp, 32 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
            class Ld16x64bOp:
                """Loads 16 lanes of a warp, 64 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
            class St16x64bOp:
                """Stores 16 lanes of a warp, 64 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
            class Ld16x128bOp:
                """Loads 16 lanes of a warp, 128 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
            class St16x128bOp:
                """Stores 16 lanes of a warp, 128 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
            class Ld16x256bOp:
                """Loads 16 lanes of a warp, 256 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
            class St16x256bOp:
                """Stores 16 lanes of a warp, 256 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
            class Ld16x32bx2Op:
                """Loads 16 lanes of a warp, 64 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
            class St16x32bx2Op:
                """Stores 16 lanes of a warp, 64 bits of each repeated."""
                lanes: Any
                row: Any
                loads: Any
        class mma:
            """tcgen05.mma: products."""
            class CtaGroup:
                """The blocks that multiply together."""
                ONE: Any
                TWO: Any
            class OperandSource:
                """Where A is: in tensor memory or in shared memory."""
                TMEM: Any
                SMEM: Any
            OperandMajorMode = _here.nvgpu.warpgroup.OperandMajorMode
            class Field:
                """What tiled_mma.set() sets: whether products add to the sums or replace them, and the signs of the operands."""
                ACCUMULATE: Any
                NEGATE_A: Any
                NEGATE_B: Any
            SmemLayoutAtomKind = _here.nvgpu.warpgroup.SmemLayoutAtomKind
            class MmaF16BF16Op:
                """A and B of Float16 or BFloat16, sums in Float32, of Float16 also in Float16."""
                def __init__(self, ab_dtype: Any, acc_dtype: Any, instruction_shape: Any, cta_group: Any = ..., a_src: Any = ..., *majors: Any, **named: Any) -> None: ...
            class MmaTF32Op:
                """A and B of Float32 of which 19 bits count, sums in Float32."""
                def __init__(self, instruction_shape: Any, cta_group: Any = ..., a_src: Any = ..., *majors: Any, **named: Any) -> None: ...
            class MmaFP8Op:
                """A and B of Float8E4M3FN or Float8E5M2, sums in Float32 or Float16."""
            class MmaF8F6F4Op:
                """The same; floats of 6 and 4 bits have no numbers here."""
            class MmaI8Op:
                """A and B of Int8 or Uint8, sums in Int32."""
        @staticmethod
        def make_tmem_copy(atom: Any, tmem_tensor: Any, **_: Any) -> Any:
            """The copy of a tensor in tensor memory by four warps, each of its quarter of the lanes."""
        @staticmethod
        def commit(mbar_ptr: Any, mcast_mask: Any = ..., cta_group: Any = ..., **_: Any) -> Any:
            """The warp's products up to here arrive at a barrier when they are done: of this block, or of those that a mask has bits for."""
        @staticmethod
        def tile_to_mma_shape(atom: Any, mma_tile_shape: Any, order: Any = ..., **_: Any) -> Any:
            """A swizzled tile repeated to ((M, K), RestM, RestK, stages…)."""
        make_smem_layout_atom = _here.nvgpu.warpgroup.make_smem_layout_atom
        @staticmethod
        def find_tmem_tensor_col_offset(tensor: Any) -> Any:
            """How many columns a tensor reaches over."""
        @staticmethod
        def is_tmem_load(atom: Any, **_: Any) -> Any:
            """Does the atom load from tensor memory?"""
        @staticmethod
        def is_tmem_store(atom: Any, **_: Any) -> Any:
            """Does the atom store to tensor memory?"""
        Repetition = _here.nvgpu.tcgen05.copy.Repetition
        Pack = _here.nvgpu.tcgen05.copy.Pack
        Unpack = _here.nvgpu.tcgen05.copy.Unpack
        Ld32x32bOp = _here.nvgpu.tcgen05.copy.Ld32x32bOp
        St32x32bOp = _here.nvgpu.tcgen05.copy.St32x32bOp
        Ld16x64bOp = _here.nvgpu.tcgen05.copy.Ld16x64bOp
        St16x64bOp = _here.nvgpu.tcgen05.copy.St16x64bOp
        Ld16x128bOp = _here.nvgpu.tcgen05.copy.Ld16x128bOp
        St16x128bOp = _here.nvgpu.tcgen05.copy.St16x128bOp
        Ld16x256bOp = _here.nvgpu.tcgen05.copy.Ld16x256bOp
        St16x256bOp = _here.nvgpu.tcgen05.copy.St16x256bOp
        Ld16x32bx2Op = _here.nvgpu.tcgen05.copy.Ld16x32bx2Op
        St16x32bx2Op = _here.nvgpu.tcgen05.copy.St16x32bx2Op
        CtaGroup = _here.nvgpu.tcgen05.mma.CtaGroup
        OperandSource = _here.nvgpu.tcgen05.mma.OperandSource
        OperandMajorMode = _here.nvgpu.warpgroup.OperandMajorMode
        Field = _here.nvgpu.tcgen05.mma.Field
        SmemLayoutAtomKind = _here.nvgpu.warpgroup.SmemLayoutAtomKind
        MmaF16BF16Op = _here.nvgpu.tcgen05.mma.MmaF16BF16Op
        MmaTF32Op = _here.nvgpu.tcgen05.mma.MmaTF32Op
        MmaFP8Op = _here.nvgpu.tcgen05.mma.MmaFP8Op
        MmaF8F6F4Op = _here.nvgpu.tcgen05.mma.MmaF8F6F4Op
        MmaI8Op = _here.nvgpu.tcgen05.mma.MmaI8Op
    OperandMajorMode = _here.nvgpu.warpgroup.OperandMajorMode
    @staticmethod
    def make_tiled_tma_atom_A(op: Any, gmem_tensor: Any, smem_layout: Any, mma_tiler_mnk: Any, tiled_mma: Any, cluster_shape_vmnk: Any = ..., *, internal_type: Any = ..., **_: Any) -> Any:
        """(the atom of TMA loads of A, the tensor of coordinates); smem_layout is ((M, K), RestM, RestK) of one stage."""
    @staticmethod
    def make_tiled_tma_atom_B(op: Any, gmem_tensor: Any, smem_layout: Any, mma_tiler_mnk: Any, tiled_mma: Any, cluster_shape_vmnk: Any = ..., *, internal_type: Any = ..., **_: Any) -> Any:
        """(the atom of TMA loads of B, the tensor of coordinates); smem_layout is ((N, K), RestN, RestK) of one stage."""
    common = _here.nvgpu
class runtime:
    """Tensors of other libraries' arrays."""
    @staticmethod
    def find_runtime_libraries(**_: Any) -> Any:
        """The libraries that compiled functions need beside this package: none."""
    @staticmethod
    def make_fake_stream(*, use_tvm_ffi_env_stream: Any = ..., **_: Any) -> Any:
        """A stream to compile with: None, since launches use the array's own. With use_tvm_ffi_env_stream calls of the compiled function are without it."""
    @staticmethod
    def make_fake_tensor(dtype: Any, shape: Any, stride: Any, **_: Any) -> Any:
        """A tensor to compile with; names among extents and strides count as 1."""
    @staticmethod
    def make_fake_compact_tensor(dtype: Any, shape: Any, *, stride_order: Any = ..., **_: Any) -> Any:
        """A tensor to compile with; names among the extents count as 1. What is compiled runs with the tensors that it is called with."""
    from_dlpack = _here.from_dlpack
    as_tensor = _here.as_tensor
    make_ptr = _here.make_ptr
    Pointer = _here.Pointer
    AddressSpace = _here.AddressSpace
class testing:
    """Measurement."""
    class JitArguments:
        """Arguments of a call, for benchmark."""
        def __init__(self, *arguments: Any, **named: Any) -> None: ...
        def add_to_scope(self, values: Any) -> Any:
            """Keeps what the arguments' memory belongs to."""
    class CantImplementError(Exception):
        """What a program raises for a problem that its kernel does not solve."""
    @staticmethod
    def assert_(cond: Any, msg: Any = ..., **_: Any) -> Any:
        """Raises AssertionError where the condition does not hold; a kernel on a GPU ends there, and its launch fails."""
    @staticmethod
    def convert(src: Any, dst: Any) -> Any:
        """Each element of a tensor as one of another's type."""
    @staticmethod
    def add_tensor_init_args(parser: Any, supports_int_dtypes: Any = ...) -> Any:
        """The options --init_normal, --normal_mean and --normal_std for a program's argparse.ArgumentParser."""
    @staticmethod
    def validate_tensor_init_args(args: Any, parser: Any) -> Any:
        """Ends the program with the parser's error where the standard deviation is below 0."""
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

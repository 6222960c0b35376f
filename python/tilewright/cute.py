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
from . import _cute_launch as _launch
from . import _operations as _algebra
from ._cute_launch import arch, jit, kernel  # noqa: F401
from ._cute_tensor import Pointer, Tensor, as_tensor, from_dlpack, type_name  # noqa: F401
from ._cute_trace import active
from ._cute_values import Value
from ._layout import Layout, evaluate, text_of

Shape = Coord = Tile = tuple


class nvgpu:
    """Copy operations by name."""

    class CopyUniversalOp:
        """A load or store of its width."""


def make_layout(shape, *, stride=None):
    """A layout of a shape; without strides they are compact, first mode fastest."""
    return Layout(shape, stride)


def make_ordered_layout(shape, order):
    """Compact strides; the mode of the smallest entry of `order` is fastest."""
    return _algebra.compact_order(shape, order)


def make_identity_layout(shape):
    """The layout whose offsets are coordinates."""
    return _algebra.identity_layout(shape)


def make_tensor(iterator, layout):
    """The memory at a pointer, seen through a layout."""
    return Tensor(iterator, layout if isinstance(layout, Layout) else Layout(layout))


def make_rmem_tensor(shape, dtype):
    """A tensor of this thread's own; compact.  `shape` may be a Layout."""
    layout = shape if isinstance(shape, Layout) else Layout(shape)
    return Tensor(Pointer.allocate(layout.cosize, dtype, "rmem"), layout)


def make_rmem_tensor_like(like, dtype=None):
    """A compact tensor of this thread's own, of the shape of another."""
    return make_rmem_tensor(like.layout.shape, dtype or like.element_type)


make_fragment = make_rmem_tensor
make_fragment_like = make_rmem_tensor_like


# --- the algebra on tensors and layouts ------------------------------------------------------------------------------
def _on_layout(name):
    operation = getattr(_algebra, name)

    def of(x, *arguments):
        if isinstance(x, Tensor):
            return Tensor(x.iterator, operation(x.layout, *arguments))
        return operation(x, *arguments)
    of.__name__, of.__doc__ = name, operation.__doc__ + "\n\nOf a tensor: the tensor with that layout."
    return of


composition = _on_layout("composition")
coalesce = _on_layout("coalesce")
logical_divide = _on_layout("logical_divide")
zipped_divide = _on_layout("zipped_divide")
tiled_divide = _on_layout("tiled_divide")
flat_divide = _on_layout("flat_divide")
group_modes = _on_layout("group")
flatten = _on_layout("flatten")
logical_product = _algebra.logical_product
blocked_product = _algebra.blocked_product
raked_product = _algebra.raked_product
complement = _algebra.complement
right_inverse = _algebra.right_inverse
left_inverse = _algebra.left_inverse


def _layout_of(x):
    return x.layout if isinstance(x, Tensor) else x


def select(x, mode):
    """The modes named, in that order."""
    return _on_layout("select")(x, *mode)


def size(x, mode=None):
    """The number of coordinates, of one mode (a list of modes goes inwards)."""
    layout = _layout_of(x)
    for m in mode or []:
        layout = (layout if isinstance(layout, Layout) else Layout(layout))[m]
    out = evaluate(f"size({text_of(layout)})")
    return active().from_text(out) if isinstance(out, str) and active() else out


def rank(x):
    """The number of modes."""
    layout = _layout_of(x)
    return layout.rank if isinstance(layout, Layout) else len(layout) if isinstance(layout, tuple) else 1


def cosize(x):
    """How many elements of memory there must be."""
    return _layout_of(x).cosize


def ceil_div(a, b):
    """a / b rounded up."""
    return -(-a // b)


def local_tile(tensor, tiler, coord):
    """The tile of a tensor at a coordinate of tiles; None keeps all of them: (tile..., kept...)."""
    divided = zipped_divide(tensor, tiler)
    coord = coord if isinstance(coord, tuple) else (coord,)
    coord = coord + (None,) * (rank(divided.layout[1]) - len(coord))
    return divided[(None,) * rank(divided.layout[0]), coord]


# --- copies ------------------------------------------------------------------------------------------------------------
class CopyAtom:
    """One access: an operation, an element type, and how many elements it moves."""

    def __init__(self, op, dtype, num_bits_per_copy=0):
        import numpy as np
        bits = 8 * np.dtype(dtype).itemsize
        self.op, self.dtype, self.values = op, dtype, max(1, num_bits_per_copy // bits)
        if num_bits_per_copy % bits:
            raise ValueError(f"an access of {num_bits_per_copy} bits is not a whole number of elements of {bits} bits")


def make_copy_atom(op, dtype, *, num_bits_per_copy=0):
    """An access of so many bits; 0: of one element."""
    return CopyAtom(op, dtype, num_bits_per_copy)


class TiledCopy:
    """Which thread carries which values of a tile: `tv` maps (thread, value) to an index of the tile, first mode fastest."""

    def __init__(self, atom, tv, tiler):
        self.atom, self.layout_tv_tiled = atom, tv
        self.tiler_mn = tiler if isinstance(tiler, tuple) else (tiler,)
        tile = evaluate(f"size({text_of(self.tiler_mn)})")
        owner = {}
        threads, values = size(tv, [0]), size(tv, [1])
        for n, index in enumerate(tv.offsets()):
            at = f"thread {n % threads}, value {n // threads}"
            if not 0 <= index < tile:
                raise ValueError(f"{tv} maps {at} to index {index}, outside of the tile {self.tiler_mn} of {tile} elements")
            if index in owner:
                where = evaluate(f"idx2crd({index}, {text_of(self.tiler_mn)})")
                raise ValueError(f"{tv} copies element {where} of the tile twice: as {owner[index]} and as {at}; every "
                                 "element belongs to one thread and value")
            owner[index] = at
        if len(owner) != tile:
            missing = next(i for i in range(tile) if i not in owner)
            where = evaluate(f"idx2crd({missing}, {text_of(self.tiler_mn)})")
            raise ValueError(f"{tv} skips element {where} of the tile: it has {threads} x {values} places for {tile} elements")

    def get_slice(self, thread):
        """The part of one thread.  Raises IndexError for a thread that the copy does not have."""
        threads = size(self.layout_tv_tiled, [0])
        if not isinstance(thread, Value) and not 0 <= thread < threads:
            raise IndexError(f"there is no thread {thread} in a tiled copy of {threads}")
        return ThrCopy(self, thread)


class ThrCopy:
    """One thread of a tiled copy."""

    def __init__(self, copy, thread):
        self.copy, self.thread = copy, thread

    def _partition(self, tensor):
        """((AtomV, RestV), RestM, RestN, ...)"""
        divided = zipped_divide(tensor, self.copy.tiler_mn)
        tv = _algebra.composition(divided.layout[0], self.copy.layout_tv_tiled)
        rest = divided.layout[1]
        whole = Layout((tv.shape, rest.shape), (tv.stride, rest.stride))
        mine = Tensor(tensor.iterator, whole)[(self.thread, None), None]
        value, rests = mine.layout[0], mine.layout[1]
        value = _algebra.logical_divide(_algebra.coalesce(value), self.copy.atom.values)
        rests = list(rests) if isinstance(rests.shape, tuple) else [rests]
        return Tensor(mine.iterator, Layout((value.shape, *(r.shape for r in rests)),
                                            (value.stride, *(r.stride for r in rests))))

    def partition_S(self, tensor):
        """This thread's part of the source: ((AtomV, RestV), RestM, RestN, ...)."""
        return self._partition(tensor)

    def partition_D(self, tensor):
        """This thread's part of the destination."""
        return self._partition(tensor)

    def retile(self, tensor):
        """A fragment seen as this copy's partitions are."""
        return tensor


def make_tiled_copy(atom, layout_tv, tiler):
    """A tiled copy of a (thread, value) map and the tile that it covers.

    Raises ValueError for a map that copies an element twice, skips one, or leaves the tile.
    """
    return TiledCopy(atom, layout_tv, tiler)


def make_tiled_copy_tv(atom, thr_layout, val_layout):
    """A tiled copy of where the threads are and how many values each carries."""
    tiler = evaluate(f"shape(raked_product({thr_layout}, {val_layout}))")
    flat = tuple(evaluate(f"size({text_of(m)})") for m in tiler) if isinstance(tiler, tuple) else (tiler,)
    return TiledCopy(atom, _algebra.make_layout_tv(thr_layout, val_layout), flat)


def basic_copy(src, dst):
    """Each element of `src` into `dst`, in the order of indices.  Raises ValueError for different sizes."""
    if size(src) != size(dst):
        raise ValueError(f"basic_copy: {src.layout} has {size(src)} elements and {dst.layout} has {size(dst)}")
    for i in range(size(src)):
        dst[i] = src[i]


def autovec_copy(src, dst):
    """basic_copy; on a CPU there is no width to choose."""
    basic_copy(src, dst)


def copy(atom, src, dst, pred=None):
    """The elements of `src` into `dst` by an atom or a tiled copy; where `pred` is given, those for which it is true."""
    if src.layout.shape != dst.layout.shape and size(src) != size(dst):
        raise ValueError(f"copy: source {src.layout} and destination {dst.layout} have different shapes")
    width = getattr(getattr(atom, "atom", atom), "values", 1)
    if active() and pred is None and width > 1 and _moves_whole_accesses(src, dst, width):
        return
    for i in range(size(src)):
        if pred is None:
            dst[i] = src[i]
        elif isinstance(pred[i], Value):
            active().branch(pred[i], lambda at=i: dst.__setitem__(at, src[at]) or (), lambda: (), (), ())
        elif pred[i]:
            dst[i] = src[i]


def _moves_whole_accesses(src, dst, width):
    """On a GPU: one access for each `width` elements, where they are contiguous on both sides and their bytes are an access."""
    from ._cute_trace import kind_bytes
    a, b = src.iterator.memory, dst.iterator.memory
    from_at, to_at = src.layout.offsets(), dst.layout.offsets()
    contiguous = all(at[i] + 1 == at[i + 1] for at in (from_at, to_at) for i in range(len(at) - 1) if (i + 1) % width)
    if a.kind != b.kind or len(from_at) % width or not contiguous or width * kind_bytes(a.kind) not in (2, 4, 8, 16):
        return False
    for i in range(0, len(from_at), width):
        active().move(b, dst.iterator.offset + to_at[i], a, src.iterator.offset + from_at[i], width)
    return True


# --- printing ----------------------------------------------------------------------------------------------------------
def print_tensor(tensor):
    """The tensor's memory, type, layout and elements, first mode downwards."""
    layout = tensor.layout
    rows = layout.shape if isinstance(layout.shape, int) else size(layout[0])
    columns = size(layout) // max(1, rows)
    head = f"tensor({tensor.memspace} {type_name(tensor.element_type)}, {layout}):\n"

    def formatted(values):
        if columns <= 1:
            return head + "  [" + ", ".join(map(str, values)) + "]"
        return head + "\n".join("  [" + ", ".join(str(values[i + j * rows]) for j in range(columns)) + "]" for i in range(rows))
    _say([tensor[i] for i in range(size(layout))], formatted)


def printf(text, *arguments):
    """Prints from a kernel; {} stands for the next argument."""
    _say([a for a in arguments if isinstance(a, Value)],
         lambda values: _filled(str(text), arguments, iter(values)))


def _filled(text, arguments, values):
    return text.format(*(next(values) if isinstance(a, Value) else a for a in arguments)) if arguments else text


def _say(values, formatted):
    if active():
        active().print_values(values, formatted)
    else:
        print(formatted(values))


launch = _launch.launch

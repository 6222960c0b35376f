"""Copy atoms, tiled copies and their partitions in kernels, copies, and the multiply-add of fragments."""
import functools

from . import _operations as _algebra
from ._cute_launch import thread_of
from ._cute_layouts import layout_of, make_layout_tv, size, zipped_divide
from ._cute_numbers import number_type
from ._cute_tensor import Coordinates, Tensor
from ._cute_values import active, Value
from ._layout import Layout, evaluate, text_of


class CopyUniversalOp:
    """A load or store of its width."""


class CopyG2SOp:
    """A copy from global to shared memory that is complete after cp_async_wait_group and a barrier."""

    def __init__(self, cache_mode=None):
        self.cache_mode = cache_mode


class LoadCacheMode:
    """Which caches an asynchronous copy uses; it changes no result."""

    ALWAYS, GLOBAL, STREAMING, LAST_USE, NONE = range(5)


class MmaUniversalOp:
    """A multiply-add of one element by one thread."""

    def __init__(self, dtype):
        self.dtype = dtype


class cpasync:
    """Asynchronous copies."""

    CopyG2SOp, LoadCacheMode = CopyG2SOp, LoadCacheMode


class nvgpu:
    """Operations by name."""

    CopyUniversalOp, MmaUniversalOp, cpasync = CopyUniversalOp, MmaUniversalOp, cpasync


class CopyAtom:
    """One access: an operation, an element type, and how many elements it moves."""

    def __init__(self, op, dtype, num_bits_per_copy=0):
        bits = number_type(dtype).width
        self.op, self.dtype, self.values = op, dtype, max(1, num_bits_per_copy // bits)
        if num_bits_per_copy % bits:
            raise ValueError(f"an access of {num_bits_per_copy} bits is not a whole number of elements of {bits} bits")

    @property
    def value_type(self):
        """The element type."""
        return self.dtype


def make_copy_atom(op, dtype, *, num_bits_per_copy=0, **_):
    """An access of so many bits; 0: of one element."""
    return CopyAtom(op, dtype, num_bits_per_copy)


@functools.lru_cache(maxsize=256)
def _prove(tv, tiler):
    """Raises ValueError where a (thread, value) map copies an element of the tile twice, skips one, or leaves the tile."""
    tile = evaluate(f"size({text_of(tiler)})")
    owner = {}
    threads, values = size(tv, [0]), size(tv, [1])
    for n, index in enumerate(tv.offsets()):
        at = f"thread {n % threads}, value {n // threads}"
        if not 0 <= index < tile:
            raise ValueError(f"{tv} maps {at} to index {index}, outside of the tile {tiler} of {tile} elements")
        if index in owner:
            where = evaluate(f"idx2crd({index}, {text_of(tiler)})")
            raise ValueError(f"{tv} copies element {where} of the tile twice: as {owner[index]} and as {at}; every "
                             "element belongs to one thread and value")
        owner[index] = at
    if len(owner) != tile:
        missing = next(i for i in range(tile) if i not in owner)
        where = evaluate(f"idx2crd({missing}, {text_of(tiler)})")
        raise ValueError(f"{tv} skips element {where} of the tile: it has {threads} x {values} places for {tile} elements")


class TiledCopy:
    """Which thread carries which values of a tile: `tv` maps (thread, value) to an index of the tile, first mode fastest."""

    def __init__(self, atom, tv, tiler):
        self.atom, self.layout_tv_tiled = atom, tv
        self.tiler_mn = tiler if isinstance(tiler, tuple) else (tiler,)
        _prove(tv, self.tiler_mn)

    @property
    def size(self):
        """The number of threads."""
        return size(self.layout_tv_tiled, [0])

    def get_slice(self, thread):
        """The part of one thread.  Raises IndexError for a thread that the copy does not have."""
        threads = self.size
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
        if not isinstance(mine.iterator, Coordinates):  # coordinates keep their modes: a merged stride is of one of them only
            value = _algebra.coalesce(value)
        value = _algebra.logical_divide(value, self.copy.atom.values)
        rests = list(rests) if isinstance(rests.shape, tuple) else [rests]
        return Tensor(mine.iterator, Layout((value.shape, *(r.shape for r in rests)),
                                            (value.stride, *(r.stride for r in rests))))

    def partition_S(self, tensor, **_):
        """This thread's part of the source: ((AtomV, RestV), RestM, RestN, ...)."""
        return self._partition(tensor)

    def partition_D(self, tensor, **_):
        """This thread's part of the destination."""
        return self._partition(tensor)

    def retile(self, tensor, **_):
        """A fragment seen as this copy's partitions are."""
        return tensor


def make_tiled_copy(atom, layout_tv, tiler, **_):
    """A tiled copy of a (thread, value) map and the tile that it covers.

    Raises ValueError for a map that copies an element twice, skips one, or leaves the tile.
    """
    return TiledCopy(atom, layout_tv, tiler)


def make_tiled_copy_tv(atom, thr_layout, val_layout, **_):
    """A tiled copy of where the threads are and how many values each carries."""
    tiler, tv = make_layout_tv(thr_layout, val_layout)
    return TiledCopy(atom, tv, tiler)


make_cotiled_copy = make_tiled_copy


# --- copies ------------------------------------------------------------------------------------------------------------
def basic_copy(src, dst, **_):
    """Each element of `src` into `dst`, in the order of indices.  Raises ValueError for different sizes."""
    if size(src) != size(dst):
        raise ValueError(f"basic_copy: {src.layout} has {size(src)} elements and {dst.layout} has {size(dst)}")
    for i in range(size(src)):
        dst[i] = src[i]


def basic_copy_if(pred, src, dst, **_):
    """basic_copy of the elements for which `pred` is true."""
    copy(None, src, dst, pred=pred)


def autovec_copy(src, dst, **_):
    """basic_copy; on a CPU there is no width to choose."""
    basic_copy(src, dst)


def copy(atom, src, dst, pred=None, **_):
    """The elements of `src` into `dst` by an atom or a tiled copy; where `pred` is given, those for which it is true: it has an
    entry for each element, or for each access of the atom."""
    if src.layout.shape != dst.layout.shape and size(src) != size(dst):
        raise ValueError(f"copy: source {src.layout} and destination {dst.layout} have different shapes")
    atom = getattr(atom, "atom", atom)
    width = getattr(atom, "values", 1)
    if isinstance(getattr(atom, "op", None), CopyG2SOp):
        return _copy_async(src, dst, width, pred)
    if active() and pred is None and width > 1 and _contiguous(src, dst, width, (2, 4, 8, 16)):
        for i in range(0, size(src), width):
            _move(src, dst, i, width)
        return
    allowed = _predicate(pred, size(src), width)
    for i in range(size(src)):
        _when(allowed(i), lambda at=i: dst.__setitem__(at, src[at]))


def _predicate(pred, count, width):
    """index -> may the element be copied?  Raises ValueError for a predicate of another size."""
    if pred is None:
        return lambda i: True
    entries = size(pred) if isinstance(pred, Tensor) else len(pred)
    if entries == count:
        return lambda i: pred[i]
    if entries * width == count:
        return lambda i: pred[i // width]
    raise ValueError(f"copy: the predicate has {entries} entries for {count} elements and accesses of {width}; it has one for "
                     "each element, or for each access")


def _when(allowed, do):
    if isinstance(allowed, Value):
        active().branch(allowed, lambda: do() or (), lambda: (), (), ())
    elif allowed:
        do()


def _contiguous(src, dst, width, sizes):
    """Are the `width` elements of each access contiguous on both sides, and their bytes an access?"""
    from ._cute_trace import kind_bytes
    a, b = src.iterator.memory, dst.iterator.memory
    count = size(src)
    follow = all(at[i] + 1 == at[i + 1] for at in (src.plain.offsets(), dst.plain.offsets()) for i in range(count - 1) if (i + 1) % width)
    together = all(t.swizzling is None or (1 << t.swizzling.base) % width == 0 for t in (src, dst))  # a swizzle moves whole accesses
    return a.kind == b.kind and count % width == 0 and follow and together and width * kind_bytes(a.kind) in sizes


def _move(src, dst, first, width, asynchronous=False):
    active().move(dst.iterator.memory, dst.place(first), src.iterator.memory, src.place(first), width, asynchronous)


def _copy_async(src, dst, width, pred):
    """pre: src is in global and dst in shared memory, else ValueError"""
    if src.memspace != "gmem" or dst.memspace != "smem":
        raise ValueError(f"an asynchronous copy is from gmem to smem, and this one from {src.memspace} to {dst.memspace}")
    count = size(src)
    allowed = _predicate(pred, count, width)
    if active():
        if not _contiguous(src, dst, width, (4, 8, 16)):
            raise ValueError(f"asynchronous copies have accesses of 4, 8 or 16 contiguous bytes, and this one has {width} elements of "
                             f"{src.layout} and {dst.layout}; give num_bits_per_copy and a layout that fits{active().where()}")
        for i in range(0, count, width):
            _when(allowed(i), lambda at=i: _move(src, dst, at, width, True))
        return
    issued = thread_of("cp_async").copies[-1]
    for i in range(count):
        if allowed(i):
            issued.append(lambda at=i, value=src[i]: dst.__setitem__(at, value))


# --- multiply-add --------------------------------------------------------------------------------------------------------
def gemm(atom, d, a, b, c, **_):
    """d = a * b + c of one thread's fragments: (V,) by element, or (M, K), (N, K) and (M, N), a first mode V before them aside."""
    if a.layout.rank == 1:
        for i in range(size(d)):
            d[i] = a[i] * b[i] + c[i]
        return
    if a.layout.rank == 3 and size(a, [0]) == size(b, [0]) == size(d, [0]) == 1:
        a, b, c, d = (t[(0, *([None] * (t.layout.rank - 1)))] for t in (a, b, c, d))
    a, b, c, d = (t if t.layout.rank == 2 else Tensor(t.iterator, _algebra.append(t.layout, "1:0")) for t in (a, b, c, d))
    rows, columns, steps = size(a, [0]), size(b, [0]), size(a, [1])
    if size(b, [1]) != steps or size(d, [0]) != rows or size(d, [1]) != columns:
        raise ValueError(f"gemm: {layout_of(a)} is (M, K), {layout_of(b)} is (N, K) and {layout_of(d)} is (M, N), and their sizes differ")
    for n in range(columns):
        for m in range(rows):
            total = c[m, n]
            for k in range(steps):
                total = total + a[m, k] * b[n, k]
            d[m, n] = total

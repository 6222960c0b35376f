"""Copy atoms, tiled copies and their partitions in kernels, and copies."""
import functools

from ._cute_accesses import check_memories
from ._cute_bulk import copy_bulk
from ._cute_launch import current, thread_of
from ._cute_layouts import make_layout_tv, size
from ._cute_matrices import LdMatrix8x8x16bOp, copy_matrices, maps_in_elements
from ._cute_names import Atom, CopyOp
from ._cute_numbers import number_type
from ._cute_stores import copy_to_cluster, CopyDsmemStoreOp
from ._cute_tensor import Tensor
from ._cute_tmem_copies import copy_tmem, describe_atom, TmemOp
from ._cute_tiles import whole_tiles
from ._cute_tma import copy_tma, tma_partition, TmaAtom
from ._cute_values import active, bytes_of, Value
from ._layout import Layout, evaluate, text_of


class CopyUniversalOp(CopyOp):
    """A load or store of its width."""


class CopyG2SOp(CopyOp):
    """A copy from global to shared memory that is complete after cp_async_wait_group and a barrier."""

    def __init__(self, cache_mode=None):
        self.cache_mode = cache_mode


class LoadCacheMode:
    """Which caches an asynchronous copy uses; it changes no result."""

    ALWAYS, GLOBAL, STREAMING, LAST_USE, NONE = range(5)


class CopyAtom(Atom):
    """One access: an operation, an element type, how many elements it moves (of several threads: each one's in registers), and its maps
    (thread, value) -> element of the source and of the destination."""

    def __init__(self, op, dtype, num_bits_per_copy=0):
        bits = number_type(dtype).width
        self.op, self.dtype, self.values = op, dtype, max(1, num_bits_per_copy // bits)
        if num_bits_per_copy % bits:
            raise ValueError(f"an access of {num_bits_per_copy} bits is not a whole number of elements of {bits} bits")
        self.source = self.destination = self.reference = Layout((1, self.values), (0, 1))
        if isinstance(op, TmemOp):
            describe_atom(self, op, bits)
        elif hasattr(op, "atom_name"):
            self.source, self.destination = maps_in_elements(op.atom_name, bits)
            self.reference = self.destination if isinstance(op, LdMatrix8x8x16bOp) else self.source
            self.values = self.reference[1].size

    @property
    def value_type(self):
        """The element type."""
        return self.dtype

    @property
    def layout_src_tv(self):
        """(thread, value) -> element of the source."""
        return self.source

    @property
    def layout_dst_tv(self):
        """(thread, value) -> element of the destination."""
        return self.destination


def make_copy_atom(op, copy_internal_type, *, num_bits_per_copy=0, **_):
    """An access of so many bits; 0: of one element."""
    return CopyAtom(op, copy_internal_type, num_bits_per_copy)


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
    """Which thread carries which values of a tile: `tv` maps (thread, value) to an index of the tile, first mode fastest. Threads may
    share elements only where `shared` says so, as those of a matrix operation share A and B."""

    def __init__(self, atom, tv, tiler, shared=False):
        self.atom, self.layout_tv_tiled = atom, tv
        self._tiler = tiler if isinstance(tiler, tuple) else (tiler,)
        values = size(tv, [1]) if tv.rank > 1 else 1
        if atom.reference[0].size == 1 and values % atom.values:
            raise ValueError(f"each thread has {values} values by {tv}, and an access of the atom moves {atom.values}; give a multiple of them, or "
                             f"num_bits_per_copy={number_type(atom.dtype).width} for accesses of one element")
        if not shared:
            _prove(tv, self._tiler)

    @property
    def size(self):
        """The number of threads."""
        return size(self.layout_tv_tiled, [0])

    @property
    def tiler_mn(self):
        """The tile as a layout for each mode."""
        return tuple(t if isinstance(t, Layout) else Layout(t, 1) for t in self._tiler)

    def _tv_of(self, side):
        """(thread, value) -> index of the tile, of the source or of the destination."""
        if side == self.atom.reference:
            return self.layout_tv_tiled
        sizes = tuple(size(t) if isinstance(t, Layout) else evaluate(f"size({text_of(t)})") for t in self._tiler)
        parts = Layout(sizes), sizes, self.layout_tv_tiled, self.atom.reference, side
        view = evaluate(f"copy_view({', '.join(map(text_of, parts))})")
        return Layout(f"({text_of(view[0].shape)},{text_of(view[1].shape)}):({text_of(view[0].stride)},{text_of(view[1].stride)})")

    @property
    def layout_src_tv_tiled(self):
        """(thread, value) -> index of the tile that a thread reads."""
        return self._tv_of(self.atom.source)

    @property
    def layout_dst_tv_tiled(self):
        """(thread, value) -> index of the tile that a thread writes."""
        return self._tv_of(self.atom.destination)

    def retile(self, src, **_):
        """A fragment made for another partition, in this copy's atoms; the same for every thread."""
        return self.get_slice(0).retile(src)

    def get_slice(self, thread, **_):
        """The part of one thread. In a kernel, other threads than the copy's may ask for theirs, and must not access it.  Raises
        IndexError for a thread that the copy does not have."""
        threads = self.size
        if not isinstance(thread, Value) and (thread < 0 or thread >= threads and current() is None):
            raise IndexError(f"there is no thread {thread} in a tiled copy of {threads}")
        return ThrCopy(self, thread)


class ThrCopy(TiledCopy):
    """One thread of a tiled copy."""

    def __init__(self, copy, thread):  # the copy is checked already
        self.atom, self.layout_tv_tiled, self._tiler = copy.atom, copy.layout_tv_tiled, copy._tiler
        self.copy, self.thread = copy, thread

    @property
    def thr_idx(self):
        """The thread's number."""
        return self.thread

    def _partition(self, tensor, side):
        """((AtomV, RestV), RestM, RestN, ...)"""
        copy = self.copy
        parts = whole_tiles(tensor.layout, self.tiler_mn), copy._tiler, copy.layout_tv_tiled, copy.atom.reference, side
        view = evaluate(f"copy_view({', '.join(map(text_of, parts))})")
        rest = view.shape[2]
        return Tensor(tensor.iterator, view)[self.thread, None, (None,) * len(rest) if isinstance(rest, tuple) else None]

    def partition_S(self, tensor, **_):
        """This thread's part of the source: ((AtomV, RestV), RestM, RestN, ...)."""
        return self._partition(tensor, self.copy.atom.source)

    def partition_D(self, tensor, **_):
        """This thread's part of the destination."""
        return self._partition(tensor, self.copy.atom.destination)

    def retile(self, src, **_):
        """A fragment (V, RestM, RestN, ...), made for another partition, in this copy's atoms: ((AtomV, RestV), RestM, RestN, ...)."""
        parts = src.layout, self.copy._tiler, self.copy.layout_tv_tiled, self.copy.atom.values
        return Tensor(src.iterator, evaluate(f"retile({', '.join(map(text_of, parts))})"))


def make_tiled_copy(atom, layout_tv, tiler_mn, **_):
    """A tiled copy of a (thread, value) map and the tile that it covers.

    Raises ValueError for a map that copies an element twice, skips one, or leaves the tile.
    """
    return TiledCopy(atom, layout_tv, tiler_mn)


def make_tiled_copy_tv(atom, thr_layout, val_layout, **_):
    """A tiled copy of where the threads are and how many values each carries."""
    tiler, tv = make_layout_tv(thr_layout, val_layout)
    return TiledCopy(atom, tv, tiler)


make_cotiled_copy = make_tiled_copy


def _of_operand(atom, tiled_mma, operand, i, j):
    tile = tiled_mma.value.tile
    return TiledCopy(atom, tiled_mma.value.tv(operand), (tile[i], tile[j]), shared=True)


def make_tiled_copy_A(atom, tiled_mma, **_):
    """The tiled copy that fills fragments of A of a tiled matrix operation."""
    return _of_operand(atom, tiled_mma, "A", 0, 2)


def make_tiled_copy_B(atom, tiled_mma, **_):
    """The tiled copy that fills fragments of B of a tiled matrix operation."""
    return _of_operand(atom, tiled_mma, "B", 1, 2)


def make_tiled_copy_C(atom, tiled_mma, **_):
    """The tiled copy that fills or stores fragments of C of a tiled matrix operation."""
    return _of_operand(atom, tiled_mma, "C", 0, 1)


def make_tiled_copy_C_atom(atom, mma, **_):
    """The tiled copy of the first values of C that one access of the atom takes: the smallest that all threads share in."""
    tile, tv = mma.value.tile[:2], mma.value.tv("C")
    tv = evaluate(f"composition({tv}, ({size(tv, [0])},{atom.values}))")
    tiler = tuple(evaluate(f"filter(composition({text_of(tile)}:{text_of(steps)}, {tv}))") for steps in ((1, 0), (0, 1)))
    whole = evaluate(f"composition({text_of(tile)}, {text_of(tiler)})")
    return TiledCopy(atom, evaluate(f"composition(left_inverse({whole}), {tv})"), tiler, shared=True)


def make_tiled_copy_S(atom, tiled_copy, **_):
    """A tiled copy by another atom, whose threads have the elements that those of a tiled copy read."""
    return TiledCopy(atom, tiled_copy.layout_src_tv_tiled, tiled_copy._tiler, shared=True)


def make_tiled_copy_D(atom, tiled_copy, **_):
    """A tiled copy by another atom, whose threads have the elements that those of a tiled copy write."""
    return TiledCopy(atom, tiled_copy.layout_dst_tv_tiled, tiled_copy._tiler, shared=True)


# --- copies ------------------------------------------------------------------------------------------------------------
def basic_copy(src, dst, **_):
    """Each element of `src` into `dst`, in the order of indices.  Raises ValueError for different sizes."""
    if size(src) != size(dst):
        raise ValueError(f"basic_copy: {src.layout} has {size(src)} elements and {dst.layout} has {size(dst)}")
    _copy_elements(src, dst, None)


def _copy_elements(src, dst, allowed):
    """Each element of `src`, or those of the indices for which allowed(i) is true, into `dst`."""
    count = size(src)
    taken = range(count) if allowed is None else [i for i in range(count) if allowed(i)]
    origins, goals = (None, None) if src.iterator.memory is dst.iterator.memory else (src._known_places(), dst._known_places())
    if origins is None or goals is None:
        for i in taken:
            dst[i] = src[i]
        return
    if allowed is not None:
        origins, goals = [origins[i] for i in taken], [goals[i] for i in taken]
    values = src.iterator.memory.load_many(origins, lambda i: src._described(taken[i]))
    dst.iterator.memory.store_many(goals, values, lambda i: dst._described(taken[i]))


def basic_copy_if(pred, src, dst, **_):
    """basic_copy of the elements for which `pred` is true."""
    copy(None, src, dst, pred=pred)


def autovec_copy(src, dst, **_):
    """basic_copy; on a CPU there is no width to choose."""
    basic_copy(src, dst)


def copy(atom, src, dst, pred=None, tma_bar_ptr=None, mcast_mask=None, tma_desc_ptr=None, mbar_ptr=None, **_):
    """The elements of `src` into `dst` by an atom or a tiled copy; where `pred` is given, those for which it is true: it has an
    entry for each element, or for each access of the atom. A TMA load completes on the barrier at `tma_bar_ptr`, a bulk copy on that at `mbar_ptr`; `mcast_mask` has a bit
    for each block of the cluster that it goes to; `tma_desc_ptr` points to a map in memory in place of the atom's."""
    atom = getattr(atom, "atom", atom)
    width = getattr(atom, "values", 1)
    if isinstance(atom, TmaAtom):
        return copy_tma(atom, src, dst, tma_bar_ptr, mcast_mask, tma_desc_ptr)
    if getattr(getattr(atom, "op", None), "is_bulk", False):
        return copy_bulk(atom.op, src, dst, mbar_ptr or tma_bar_ptr)
    if isinstance(getattr(atom, "op", None), CopyDsmemStoreOp):
        return copy_to_cluster(src, dst, mbar_ptr)
    if isinstance(getattr(atom, "op", None), TmemOp):
        return copy_tmem(atom, src, dst)
    if hasattr(getattr(atom, "op", None), "atom_name"):
        if pred is not None:
            raise ValueError(f"{atom.op.atom_name} is of all threads of a warp, and takes no predicate")
        return copy_matrices(atom, src, dst)
    check_memories(getattr(atom, "op", None), src, dst)
    if size(src) != size(dst):
        raise ValueError(f"copy: source {src.layout} and destination {dst.layout} have different shapes")
    if isinstance(getattr(atom, "op", None), CopyG2SOp):
        return _copy_async(src, dst, width, pred)
    if active() and pred is None and width > 1 and _contiguous(src, dst, width, (2, 4, 8, 16)):
        for i in range(0, size(src), width):
            _move(src, dst, i, width)
        return
    allowed = _predicate(pred, size(src), width)
    if not active():
        return _copy_elements(src, dst, None if pred is None else allowed)
    for i in range(size(src)):
        when(allowed(i), lambda at=i: dst.__setitem__(at, src[at]))


def block_copy(tiled_copy, src, dst, *, tma_multicast=None, **named):
    """A TMA copy between tensors (tile, rest…) that are not partitioned: those of a block that shares its tiles with no other.

    Raises TypeError for another copy, ValueError for a multicast.
    """
    if not isinstance(tiled_copy, TmaAtom):
        raise TypeError(f"block_copy is of TMA, and {tiled_copy!r} is no atom of it; partition the tensors for cute.copy")
    if tma_multicast:
        raise ValueError("block_copy loads for one block; for several use tma_partition and cute.copy(…, mcast_mask=)")
    loads = tiled_copy.op.loads
    shared, coordinates = tma_partition(tiled_copy, 0, Layout(1), *((dst, src) if loads else (src, dst)))
    copy(tiled_copy, *((coordinates, shared) if loads else (shared, coordinates)), **named)


def _predicate(pred, count, width):
    """index -> may the element be copied?  Raises ValueError for a predicate of another size."""
    if pred is None:
        return lambda i: True
    entries = size(pred) if isinstance(pred, Tensor) else len(pred)
    if isinstance(pred, Tensor) and not active():
        pred = pred.load().values
    if entries == count:
        return lambda i: pred[i]
    if entries * width == count:
        return lambda i: pred[i // width]
    raise ValueError(f"copy: the predicate has {entries} entries for {count} elements and accesses of {width}; it has one for "
                     "each element, or for each access")


def when(allowed, do):
    if isinstance(allowed, Value):
        active().branch(allowed, lambda: do() or (), lambda: (), (), ())
    elif allowed:
        do()


def _contiguous(src, dst, width, sizes):
    """Are the `width` elements of each access contiguous on both sides, and their bytes an access?"""
    a, b = src.iterator.memory, dst.iterator.memory
    count = size(src)
    follow = all(at[i] + 1 == at[i + 1] for at in (src.plain.offsets(), dst.plain.offsets()) for i in range(count - 1) if (i + 1) % width)
    together = all(t.swizzling is None or (1 << t.swizzling.base) % width == 0 for t in (src, dst))  # a swizzle moves whole accesses
    return a.kind == b.kind and count % width == 0 and follow and together and width * bytes_of(a.kind) in sizes


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
            when(allowed(i), lambda at=i: _move(src, dst, at, width, True))
        return
    issued = thread_of("cp_async").copies[-1]
    taken = [i for i in range(count) if allowed(i)]
    origins, goals = src._known_places(), dst._known_places()
    if origins is None or goals is None:
        issued.extend(lambda at=i, value=src[i]: dst.__setitem__(at, value) for i in taken)
        return
    values = src.iterator.memory.load_many([origins[i] for i in taken], lambda i: src._described(taken[i]))
    issued.append(lambda: dst.iterator.memory.store_many([goals[i] for i in taken], values, lambda i: dst._described(taken[i])))

"""TMA in kernels: copies of boxes of a tensor between global and shared memory, which one thread of a warp starts.

    atom, coordinates = cpasync.make_tiled_tma_atom(cpasync.CopyBulkTensorTileG2SOp(), tensor, smem_layout, (64, 64))

`coordinates` is a tensor of the tensor's shape whose elements are coordinates; kernels tile it as they tile tensors. The plan of a copy
and what a box covers come from the library (python/src/tma.cpp). On the CPU a load is done when a thread asks for its barrier, and a
store when its group is waited for.
"""
import dataclasses
import enum
import functools

import numpy as np

from . import _core
from ._cute_barriers import barrier_text, phases_at
from ._cute_clusters import peer_pointer
from ._cute_gpu_memory import GpuMemory
from ._cute_launch import next_serial, thread_of
from ._cute_layouts import make_layout_image_mask
from ._cute_names import Atom, CopyOp
from ._cute_numbers import number_type
from ._cute_tma_memory import MapInMemory, numbers
from ._cute_tensor import Coordinates, Pointer, swizzling_of, Tensor
from ._cute_values import active, kind_of, Value
from ._layout import Layout, evaluate, leaves_of, text_of

#: CU_TENSOR_MAP_DATA_TYPE_… by element type; others go by their width.
_ELEMENTS = {"float16": 6, "float32": 7, "float64": 8, "bfloat16": 9, "int32": 3, "int64": 5}
_OF_WIDTH = {8: 0, 16: 1, 32: 2, 64: 4}


class _TmaOp(CopyOp):
    loads, multicast, adds, in_pairs = True, False, False, False

    def __init__(self, cta_group=None, *_, **__):
        self.in_pairs = getattr(cta_group, "name", None) == "TWO"  # the bytes count at the barrier of the block of even rank


class CopyBulkTensorTileG2SOp(_TmaOp):
    """TMA from global to shared memory; a barrier counts the bytes."""


class CopyBulkTensorTileG2SMulticastOp(_TmaOp):
    """The same into several blocks of a cluster, each of which loads a part of the tile for all."""

    multicast = True


class CopyBulkTensorTileS2GOp(_TmaOp):
    """TMA from shared to global memory; it is complete after cp_async_bulk_wait_group."""

    loads = False


class ReductionKind(enum.Enum):
    """How TMA joins elements with those in global memory; here it adds."""

    ADD, MIN, MAX, INC, DEC, AND, OR, XOR = "add", "min", "max", "inc", "dec", "and", "or", "xor"


class CopyReduceBulkTensorTileS2GOp(_TmaOp):
    """The same, added to what is in global memory.  Raises ValueError for another reduction than a sum."""

    loads, adds = False, True

    def __init__(self, reduction_kind="add", *_, **__):
        super().__init__()
        if str(reduction_kind).rpartition(".")[2].lower() != "add":
            raise ValueError(f"TMA adds to global memory here, and the reduction is {reduction_kind}; use ReductionOp.ADD")


def _map(offset, width, extents, strides, box, element, swizzle, writes, address):
    """The map of a tensor in memory that begins at an address."""
    return _core.TmaMap(address + offset * width, extents, [s * width for s in strides], box, element, width, swizzle, writes)


class TmaAtom(Atom):
    """One TMA copy: an operation, a tensor's map, and the (block, value) map of the tile."""

    values, is_tma_atom = 1, True

    def __init__(self, op, pointer, dtype, described, tv, swizzle_period, leaves=()):
        """`leaves`: for each leaf of the tensor's layout the mode of the map that it steps along, and by how much"""
        self.op, self.pointer, self.dtype, self.tv, self.swizzle_period, self.leaves = op, pointer, dtype, tv, swizzle_period, leaves
        self.extents, self.strides, self.box, self.element, self.swizzle = described
        self.memory = memory = pointer.memory
        self.map_at = functools.partial(_map, pointer.offset, dtype.width // 8, self.extents, self.strides, self.box, self.element, self.swizzle,
                                        not op.loads)
        self.map = self.map_at(memory.address if isinstance(memory, GpuMemory) else memory.data.ctypes.data)
        self.elements = int(np.prod(self.box))
        self.values, self.number = self.elements, next(numbers)

    def map_of(self, pointer, extents, strides):
        """The map of another tensor on the CPU."""
        return _map(int(pointer.offset), self.dtype.width // 8, extents, strides, self.box, self.element, self.swizzle, not self.op.loads,
                    pointer.memory.data.ctypes.data)

    def packed(self):
        """The bytes of a kernel's parameter: the map."""
        return self.map.encoded(self.memory.ordinal)

    @property
    def tma_description(self):
        """All that a copy depends on but the address."""
        return (type(self.op).__name__, self.dtype, self.tv, self.swizzle_period, self.extents, self.strides, self.box, self.element, self.swizzle,
                self.pointer.offset)

    @property
    def value_type(self):
        """The element type."""
        return self.dtype


def _like(shape, values):
    """The values of an iterator, nested as a shape is."""
    return tuple(_like(x, values) for x in shape) if isinstance(shape, tuple) else next(values)


def _described(layout, leaves, box):
    """(extents, strides in elements) of the map's modes; the leaves of the tensor step along them."""
    extents, strides = [1] * len(box), [1] * len(box)
    for (mode, step), extent, stride in zip(leaves, leaves_of(layout.shape), leaves_of(layout.stride)):
        if mode >= 0:
            extents[mode] += (extent - 1) * step
            if step == 1:
                strides[mode] = stride
    for (mode, step), extent, stride in zip(leaves, leaves_of(layout.shape), leaves_of(layout.stride)):
        if mode >= 0 and extent > 1 and step * strides[mode] != stride:
            raise ValueError(f"TMA: the modes of {layout} do not fit into the five of a map: those that share one have strides that are "
                             "multiples of the smallest")
    return extents, strides


def _swizzle(smem_layout, dtype):
    """(plain layout, bits of the swizzle).  error: ValueError for one that the hardware has not"""
    found = swizzling_of(smem_layout)
    if found is None:
        return smem_layout, 0
    bits = bin(found.mask).count("1")
    of_16_bytes = found.base == 4 or dtype.width << found.base == 128  # the swizzle of a pointer counts bytes
    if bits and (bits > 3 or not of_16_bytes or found.shift != 3 or found.constant):
        raise ValueError(f"TMA swizzles by Sw<1,4,3>, Sw<2,4,3> or Sw<3,4,3> of bytes, and the shared layout of {dtype.width} bits an element "
                         f"is {smem_layout}; use a swizzle that moves 16 bytes")
    return found.plain, bits


def _extents_of(tiler):
    """The extents of a tile that is given as the layout of its coordinates, (64,32):(1@0,1@1); other tilers as they are."""
    if not isinstance(tiler, Layout) or "@" not in str(tiler) or not isinstance(tiler.shape, tuple):
        return tiler
    modes = [evaluate(f"coalesce({mode})") for mode in tiler]
    steps = all(mode.shape == 1 or str(mode) == f"{mode.shape}:1@{i}" for i, mode in enumerate(modes))
    return tuple(mode.shape for mode in modes) if steps else tiler


@dataclasses.dataclass(frozen=True, eq=False)
class TmaInfo:
    """What make_tiled_tma_atom gives: the atom, the tensor of coordinates and the layout in shared memory; `atom, tensor = …` takes two of them."""

    atom: object
    tma_tensor: object
    smem_layout: object = None

    def __iter__(self):
        return iter((self.atom, self.tma_tensor))

    def __getitem__(self, i):
        return (self.atom, self.tma_tensor)[i]

    def __len__(self):
        return 2


def make_tiled_tma_atom(op, gmem_tensor, smem_layout, cta_tiler, num_multicast=1, *, internal_type=None, **_):
    """(the atom of TMA copies between tiles of a tensor and shared memory of a layout, the tensor of coordinates). `num_multicast`: so
    many blocks of a cluster load a tile together.

    Raises LayoutError or ValueError with the rule of TMA that is broken.
    """
    if not isinstance(op, _TmaOp):
        raise TypeError(f"{op!r} is no operation of TMA; there are CopyBulkTensorTileG2SOp, CopyBulkTensorTileG2SMulticastOp, "
                        "CopyBulkTensorTileS2GOp and CopyReduceBulkTensorTileS2GOp")
    if num_multicast > 1 and not op.multicast:
        raise ValueError(f"{num_multicast} blocks load a tile together by CopyBulkTensorTileG2SMulticastOp only")
    if not isinstance(gmem_tensor, Tensor) or gmem_tensor.memspace != "gmem":
        raise ValueError(f"TMA copies a tensor of global memory, and this one is {gmem_tensor!r}")
    dtype, layout = number_type(gmem_tensor.element_type), gmem_tensor.layout
    if dtype.width not in _OF_WIDTH:
        raise ValueError(f"TMA copies elements of 8, 16, 32 or 64 bits, and {dtype!r} has {dtype.width}")
    smem_layout = smem_layout if isinstance(smem_layout, Layout) else Layout(smem_layout)
    plain, bits = _swizzle(smem_layout, dtype)
    cta_tiler = _extents_of(cta_tiler)
    modes = len(cta_tiler) if isinstance(cta_tiler, tuple) else 1
    if isinstance(plain.shape, tuple) and plain.rank == modes + 1:  # stages, of which each is a tile
        plain = plain[:modes]
    tv, box, leaves = _core.plan_tma(text_of(layout), text_of(plain), text_of(cta_tiler), dtype.width, dtype.width, num_multicast,
                                     16 << bits if bits else 0)
    extents, strides = _described(layout, leaves, box)
    element = _ELEMENTS.get(kind_of(dtype), _OF_WIDTH[dtype.width])
    atom = TmaAtom(op, gmem_tensor.iterator, dtype, (extents, strides, box, element, bits), Layout(tv), 128 << bits if bits else 128, leaves)
    steps = iter([f"{step}@{mode}" if mode >= 0 else 0 for mode, step in leaves])
    coordinates = Layout(f"{text_of(layout.shape)}:{text_of(_like(layout.shape, steps))}")
    return TmaInfo(atom, Tensor(Coordinates((0,) * len(box)), coordinates), smem_layout)


def tma_partition(atom, cta_coord, cta_layout, smem_tensor, gmem_tensor, **_):
    """(shared memory, coordinates) of one block's share, as ((elements of a copy, copies), rest…). Mode 0 of both is the tile."""
    index = cta_layout(cta_coord)

    def share(tensor):
        rest = ",_" * (tensor.plain.rank - 1)
        view = evaluate(f"composition({tensor.plain}, ({atom.tv}{rest}))") if rest else \
            evaluate(f"composition({tensor.plain if not isinstance(tensor.plain.shape, tuple) else tensor.plain}, {atom.tv})")
        whole = Tensor(tensor.iterator, view if tensor.swizzling is None else tensor.swizzling.of(view))
        return whole[((index, None), *(None,) * (tensor.plain.rank - 1))] if rest else whole[index, None]
    return share(smem_tensor), share(gmem_tensor)


def prefetch_descriptor(atom, **_):
    """Brings a map near before the first copy."""
    if active():
        trace = active()
        trace.headers.add("tilewright/atom/ptx/tma.hpp")
        trace.line(f"tilewright::ptx::prefetch_tensor_map(&{trace.tensor_map(atom)});")


def create_tma_multicast_mask(cta_layout_vmnk, cta_coord_vmnk, mcast_mode, **_):
    """The blocks, as bits, that a block of a cluster shares a mode of its tiles with."""
    return make_layout_image_mask(cta_layout_vmnk, cta_coord_vmnk, mcast_mode)


# --- copies -------------------------------------------------------------------------------------------------------------------
def copy_tma(atom, src, dst, barrier, mask, changed=None):
    """One instruction for each box of the share; one thread of a warp starts it. `changed`: the pointer to a map that a kernel changed, in place of
    the atom's.  Raises TypeError for other operands."""
    loads = atom.op.loads
    coordinates, shared = (src, dst) if loads else (dst, src)
    if not isinstance(coordinates.iterator, Coordinates) or shared.memspace != "smem":
        raise TypeError(f"a TMA {'load' if loads else 'store'} is between coordinates of the tensor and shared memory, and this one from {src!r} "
                        f"to {dst!r}; partition both by tma_partition")
    if loads and barrier is None:
        raise TypeError("a TMA load completes on a barrier; give tma_bar_ptr")
    count = shared.plain.size
    if coordinates.layout.size != count or count % atom.elements:
        raise ValueError(f"a TMA copy moves boxes of {atom.elements} elements, and this one has {coordinates.layout} and {shared.layout}; "
                         "partition both by tma_partition")
    for first in range(0, count, atom.elements):
        at = coordinates[first] if count > 1 else coordinates.iterator.at
        place = shared.iterator.offset + shared.plain(first)
        (_traced if active() else _started)(atom, at if isinstance(at, tuple) else (at,), shared.iterator, place, barrier, mask, changed)


class _Load:
    """The load of a box by a map in memory, without an atom."""

    def __init__(self, dtype, swizzle_period):
        self.op, self.dtype, self.swizzle_period = CopyBulkTensorTileG2SMulticastOp(), dtype, swizzle_period


def load_box(pointer, map_at, at, barrier, predicate=None, mask=None):
    """The box at a coordinate of the map at a pointer, loaded to shared memory by each thread for which the predicate is true."""
    at = tuple(at)
    if active():
        by = "true" if predicate is None else active().converted(predicate, "bool")
        return _traced(_Load(pointer.dtype, 0), at, pointer, pointer.offset, barrier, mask, map_at, by)
    if predicate is None or predicate:
        found = MapInMemory.at(map_at)
        _started(_Load(found.dtype, found.swizzle_period), at, pointer, pointer.offset, barrier, mask, map_at, by_warp=False)


def _map_text(trace, atom, changed):
    """The map of a traced copy: the atom's, or the one at a pointer."""
    return f"&{trace.tensor_map(atom)}" if changed is None else f"(void const*){trace.address_text(changed)}"


def _traced(atom, at, pointer, place, barrier, mask, changed, by="tw_elected()"):
    """`by`: the condition under which a thread starts the copy"""
    trace = active()
    trace.headers.add("tilewright/atom/ptx/tma.hpp")
    trace.headers.add("tilewright/atom/ptx/cluster.hpp")
    name, memory, box = _map_text(trace, atom, changed), pointer.memory, trace.name("c")
    trace.has_boxes = True
    trace.line(f"int const {box}[{len(at)}] = {{{', '.join(trace.converted(x, 'int32') for x in at)}}};")
    where = f"{memory.name} + {trace.number(place) if isinstance(place, Value) else place}"
    if not atom.op.loads:
        call = f"{'tma_reduce_add' if atom.op.adds else 'tma_store'}({name}, {box}, {where})"
    elif atom.op.multicast and mask is not None and (isinstance(mask, Value) or mask):
        call = f"tma_load_multicast({name}, {box}, {where}, {barrier_text(barrier)}, (unsigned short){trace.converted(mask, 'uint32')}, " \
               "0x1000000000000000ull)"
    else:
        call = f"tma_load({name}, {box}, {where}, {barrier_text(barrier)}, 0x1000000000000000ull)"
    trace.line(f"if ({by}) tilewright::ptx::{call};")


def _is_first(me, key):
    """Is this the first thread of its warp that comes to a copy? Each of the others comes to it too, in its own time."""
    key = (me.warp, *key)
    me.asked_for[key] = me.asked_for.get(key, 0) + 1
    if me.block.elected.get(key, 0) >= me.asked_for[key]:
        return False
    me.block.elected[key] = me.asked_for[key]
    return True


def _started(atom, at, pointer, place, barrier, mask, changed, by_warp=True):
    """`by_warp`: the threads of a warp that come here start one copy together"""
    me = thread_of("TMA")
    atom = atom if changed is None else MapInMemory.at(changed).of(atom)
    at = [int(x) for x in at]
    memory, width = pointer.memory, atom.dtype.width // 8
    begin = memory.data.ctypes.data + int(pointer.origin if pointer.origin is not None else place) * memory.data.itemsize
    address = memory.data.ctypes.data + int(place) * memory.data.itemsize
    if by_warp and not _is_first(me, (atom.number, tuple(at), address, None if barrier is None else (id(barrier.memory), int(barrier.offset)))):
        return
    if begin % atom.swizzle_period or address % 128:
        raise ValueError(f"TMA: the tile starts at byte {begin % 1024} of 1024 in shared memory, and its box at byte {address % 1024}; the tile is "
                         f"at a multiple of {atom.swizzle_period}, the box of 128 (cute.struct.Align, byte_alignment) (block {me.block.index}, "
                         f"thread {me.index})")
    if not atom.op.loads:
        me.bulk[-1].append(lambda: _store(atom, at, memory, address, width, me))
        return
    if atom.op.multicast and mask:
        for rank in range(len(me.block.cluster.blocks)):
            if int(mask) >> rank & 1:
                there = peer_pointer(Pointer(memory, place), rank, me).memory
                _load(atom, at, there, there.data.ctypes.data + int(place) * there.data.itemsize, width, me, barrier, rank & ~1 if atom.op.in_pairs else rank)
    else:
        _load(atom, at, memory, address, width, me, barrier, me.block.rank_in_cluster & ~1 if atom.op.in_pairs else None)


def _box(atom, at, address, memory, width):
    """(elements of the tensor's memory or -1, elements of shared memory), box element by box element."""
    where = np.frombuffer(atom.map.elements(at, address), np.int64).reshape(2, -1)
    begin = atom.memory.data.ctypes.data
    inside = where[0] != 0
    item = atom.memory.data.itemsize
    given = np.where(inside, (where[0] - begin) // item, -1)
    return given, (where[1] - memory.data.ctypes.data) // memory.data.itemsize


def _load(atom, at, memory, address, width, me, barrier, rank):
    phases = phases_at(barrier, rank)
    given, taken = _box(atom, at, address, memory, width)
    what = f"the TMA load of the box at {tuple(at)}"
    atom.memory.check_all(given[given >= 0], f"the tensor of {what}", False)
    memory.check_all(taken, what, True)
    begun = next_serial()

    def finish():
        memory.check_since(taken, what, begun)
        source = atom.memory.data
        memory.data[taken] = np.where(given >= 0, source[np.maximum(given, 0)], np.zeros((), source.dtype)).view(memory.data.dtype)
        phases.change(expected_bytes=-len(taken) * width, remote=rank is not None)
    phases.pending.append(finish)


def _store(atom, at, memory, address, width, me):
    taken, given = _box(atom, at, address, memory, width)
    what = f"the TMA store of the box at {tuple(at)}"
    memory.check_all(given, what, False)
    inside = taken >= 0
    data = atom.memory.data
    if not data.flags.writeable:
        raise ValueError(f"{what} cannot be written: its array is read-only")
    values = memory.data[given[inside]].view(data.dtype)
    atom.memory.check_all(taken[inside], what, True, adds=atom.op.adds, numbers=None if atom.op.adds else values)
    if atom.op.adds:
        atom.memory.put(taken[inside], atom.memory.numbers(taken[inside]) + memory.numbers(given[inside]))
    else:
        data[taken[inside]] = values

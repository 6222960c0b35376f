"""cutlass.experimental.cuda: maps of TMA that a host function makes of a tensor, or of memory at an address, and that kernels are given.

    made = cuda.create_tensor_map_tiled_from_view(a, box_dims=(64, 64), swizzle=cuda.TensorMapSwizzle.s128b)
    prims.cp_async_bulk_tensor_shared_cta_global(tile, made.get_ptr(), (k, m), bar)          in the kernel

A box and its coordinate count from the contiguous mode on: of a matrix whose columns are contiguous (column, row).
"""
import enum
import math

from . import _cute_tma as _tma
from ._cute_gpu_memory import GpuMemory
from ._cute_names import Names
from ._cute_numbers import number_type
from ._cute_tensor import Tensor
from ._cute_values import active, kind_of, Value
from ._layout import leaves_of


class TensorMapSwizzle(enum.Enum):
    """How a map exchanges the 16 bytes of rows in shared memory: among none, 2, 4 or 8 of them."""

    none, s32b, s64b, s128b = 0, 1, 2, 3


class TensorMapInterleave(enum.Enum):
    """Whether a map interleaves channels; here it does not."""

    none = 0


class TensorMap:
    """A map of TMA: extents, strides and boxes of a tensor, and its memory."""

    def __init__(self, pointer, extents, strides, box, swizzle):
        self.pointer, self.dtype = pointer, number_type(pointer.dtype)
        self.described = (list(extents), list(strides), list(box))
        self.swizzle, self.memory, self._atoms = swizzle, pointer.memory, {}

    def __tilewright_key__(self, key):
        """What a trace depends on (_cute_kept.py)."""
        return "tensor map", key.of(self.atom(_tma.CopyBulkTensorTileG2SMulticastOp)), key.of(self.atom(_tma.CopyBulkTensorTileS2GOp))

    def atom(self, kind, in_pairs=False):
        """The copies of an operation by this map."""
        key = kind, in_pairs
        if key not in self._atoms:
            extents, strides, box = self.described
            element = _tma._ELEMENTS.get(kind_of(self.dtype), _tma._OF_WIDTH[self.dtype.width])
            op = kind()
            op.in_pairs = in_pairs
            self._atoms[key] = _tma.TmaAtom(op, self.pointer, self.dtype, (extents, strides, box, element, self.swizzle), None, 128 << self.swizzle)
        return self._atoms[key]

    def get_ptr(self, **_):
        """What copies are given: the map itself."""
        return self

    def global_tx_bytes(self, **_):
        """The bytes of a box, which a barrier counts."""
        return math.prod(self.described[2]) * self.dtype.width // 8

    def __repr__(self):
        extents, strides, box = self.described
        return f"TensorMap({self.dtype!r}, extents {extents}, strides {strides}, box {box}, swizzle {self.swizzle})"


def _checked(extents, strides, box, swizzle, dtype):
    """The bits of the swizzle.  error: ValueError with the rule of TMA that is broken"""
    bits = swizzle.value if isinstance(swizzle, TensorMapSwizzle) else int(swizzle or 0)
    width = dtype.width
    if width not in _tma._OF_WIDTH:
        raise ValueError(f"TMA copies elements of 8, 16, 32 or 64 bits, and {dtype!r} has {width}")
    if not 1 <= len(extents) <= 5 or len(box) != len(extents) or len(strides) != len(extents):
        raise ValueError(f"a map has 1 to 5 modes, each with an extent, a stride and a box; given are extents {extents}, strides {strides} and the box {box}")
    if strides[0] != 1:
        raise ValueError(f"the first mode of a map is contiguous, and its stride is {strides[0]}; give stride_order")
    if any(not 1 <= b <= 256 for b in box):
        raise ValueError(f"a box has 1 to 256 elements along each mode, and this one is {tuple(box)}")
    for what, count in (("box", box[0] * width // 8), *((f"stride {s}", s * width // 8) for s in strides[1:])):
        if count % 16:
            raise ValueError(f"TMA moves 16 bytes, and the {what} has {count} bytes, which is no multiple")
    if bits and box[0] * width // 8 > 16 << bits:
        raise ValueError(f"a box with the swizzle of {16 << bits} bytes has {box[0] * width // 8} contiguous bytes; it has at most {16 << bits}")
    return bits


def create_tensor_map_tiled_from_view(tensor, box_dims, *, stride_order=None, swizzle=TensorMapSwizzle.none, **_):
    """The map of a tensor; `box_dims` in the order of its modes. `stride_order`: the modes' ranks, 0 for the contiguous one.

    Raises ValueError with the rule of TMA that is broken.
    """
    if not isinstance(tensor, Tensor) or tensor.memspace != "gmem":
        raise TypeError(f"a map is of a tensor in global memory, and this is {tensor!r}")
    extents, strides = leaves_of(tensor.shape), leaves_of(tensor.stride)
    if len(extents) != len(box_dims):
        raise ValueError(f"the tensor {tensor!r} has {len(extents)} modes and the box {tuple(box_dims)} {len(box_dims)}")
    order = sorted(range(len(extents)), key=(lambda i: (strides[i], -i)) if stride_order is None else (lambda i: stride_order[i]))
    extents, strides, box = ([int(x[i]) for i in order] for x in (extents, strides, box_dims))
    strides[0] = 1 if extents[0] == 1 else strides[0]
    return TensorMap(tensor.iterator, extents, strides, box, _checked(extents, strides, box, swizzle, number_type(tensor.element_type)))


def create_tensor_map_tiled(global_address, dtype, global_dims, global_strides, box_dims, *, swizzle=TensorMapSwizzle.none, tma_format=None, **_):
    """The map of memory at an address: extents and box from the contiguous mode on, and the strides of the others in units of 16 bytes.

    Raises ValueError with the rule of TMA that is broken.
    """
    from ._cute_compile import make_ptr
    dtype = number_type(dtype)
    extents, box = ([int(x) for x in xs] for xs in (global_dims, box_dims))
    strides = [1, *(int(s) * 128 // dtype.width for s in global_strides)]
    pointer = global_address if hasattr(global_address, "memspace") else make_ptr(dtype, int(global_address), "gmem")
    pointer = pointer if pointer.dtype == dtype else pointer.recast(dtype)
    return TensorMap(pointer, extents, strides, box, _checked(extents, strides, box, swizzle, dtype))


class cuda(metaclass=Names):
    """What a host function makes for kernels."""

    TensorMap, TensorMapSwizzle, TensorMapInterleave = TensorMap, TensorMapSwizzle, TensorMapInterleave
    create_tensor_map_tiled = staticmethod(create_tensor_map_tiled)
    create_tensor_map_tiled_from_view = staticmethod(create_tensor_map_tiled_from_view)


def _map_of(x):
    if not isinstance(x, TensorMap):
        raise TypeError(f"a copy by TMA is given a map, as create_tensor_map_tiled makes it, and not {x!r}")
    return x


def _at(given, coordinate):
    """The coordinate of a box.  error: ValueError for another number of modes"""
    at = tuple(coordinate) if isinstance(coordinate, (tuple, list)) else (coordinate,)
    if len(at) != len(given.described[0]):
        raise ValueError(f"the coordinate {at} has {len(at)} numbers and {given!r} {len(given.described[0])} modes")
    return at


def prefetch_map(tensor_map):
    """Brings a map near before the first copy."""
    if active() and isinstance(_map_of(tensor_map).memory, GpuMemory):
        _tma.prefetch_descriptor(tensor_map.atom(_tma.CopyBulkTensorTileG2SMulticastOp))


def load_by_map(pointer, tensor_map, coordinate, barrier, mask, im2col_offsets, in_pairs=False):
    """Loads a box to shared memory; each thread that comes here starts it.  Raises TypeError for maps of images."""
    if len(tuple(im2col_offsets or ())):
        raise TypeError("a map of images (im2col) is not run here; give im2col_offsets=[]")
    given = _map_of(tensor_map)
    mask = None if mask is None or not isinstance(mask, Value) and not int(mask) else mask
    _started(given.atom(_tma.CopyBulkTensorTileG2SMulticastOp, in_pairs), _at(given, coordinate), pointer, barrier, mask)


def store_by_map(tensor_map, pointer, coordinate):
    """Stores a box of shared memory."""
    given = _map_of(tensor_map)
    _started(given.atom(_tma.CopyBulkTensorTileS2GOp), _at(given, coordinate), pointer, None, None)


def _started(atom, at, pointer, barrier, mask):
    if active():
        _tma._traced(atom, at, pointer, pointer.offset, barrier, mask, None, "true")
    else:
        _tma._started(atom, at, pointer, pointer.offset, barrier, mask, None, by_warp=False)

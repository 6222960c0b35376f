"""Maps of TMA that a kernel writes to memory and changes: the problems of a group have tensors of their own, and one kernel copies tiles of all.

    cpasync.copy_tensormap(atom, place)                  the atom's map, 128 bytes
    cpasync.update_tma_descriptor(atom, tensor, place)   its address, extents and strides become those of the tensor
    cpasync.fence_tma_desc_release()                     before other threads use it, who call fence_tma_desc_acquire(place)
    cute.copy(atom, …, tma_desc_ptr=place)

On the CPU a map in memory is the number of what it describes (MapInMemory), so that a copy of its bytes is a map too.
"""
import enum

from ._cute_arch import arch
from ._cute_copies import when
from ._cute_launch import WARP
from ._cute_tensor import Tensor
from ._cute_tma import TmaAtom
from ._cute_tma_memory import MapInMemory
from ._cute_values import active, Value
from ._layout import leaves_of

_HEADER = "tilewright/atom/ptx/tensor_map_change.hpp"


def _checked(atom):
    if not isinstance(atom, TmaAtom):
        raise TypeError(f"{atom!r} is no atom of TMA; cpasync.make_tiled_tma_atom makes one")
    return atom


def copy_tensormap(tma_atom, tensormap_ptr, **_):
    """Writes the map of an atom to the 128 bytes at a pointer; one thread of the warp does."""
    atom, trace = _checked(tma_atom), active()
    if trace is None:
        return MapInMemory.write(tensormap_ptr, atom, lambda: atom.map, atom.memory, atom.tma_description[4:])
    name = trace.tensor_map(atom)
    trace.line(f"if (tw_elected()) tw_copy_map(&{name}, {trace.address_text(tensormap_ptr)});")


def _of_modes(atom, tensor):
    """(extents, strides in elements) of the map's modes for another tensor.  error: ValueError for one that is nested otherwise"""
    shape, stride = leaves_of(tensor.layout.shape), leaves_of(tensor.layout.stride)
    if len(shape) != len(atom.leaves):
        raise ValueError(f"a map is changed to a tensor of as many modes, and {tensor.layout} has {len(shape)} where the atom's tensor has "
                         f"{len(atom.leaves)}")
    shape, stride = ([active().from_text(x) if isinstance(x, str) else x for x in of] for of in (shape, stride))
    extents, strides = [1] * len(atom.box), list(atom.strides)
    for (mode, step), extent, one in zip(atom.leaves, shape, stride):
        if mode >= 0:
            extents[mode] = (extent - 1) * step + extents[mode] if step != 1 or extents[mode] != 1 else extent
            strides[mode] = one if step == 1 else strides[mode]
    return extents, strides


def update_tma_descriptor(tma_atom, gmem_tensor, tma_desc_ptr, **_):
    """The map at a pointer becomes that of another tensor: its address, extents and strides; box and swizzle are the atom's."""
    atom, trace = _checked(tma_atom), active()
    if not isinstance(gmem_tensor, Tensor) or gmem_tensor.memspace != "gmem":
        raise ValueError(f"a map of TMA is of a tensor of global memory, and this one is {gmem_tensor!r}")
    extents, strides = _of_modes(atom, gmem_tensor)
    width, pointer = atom.dtype.width // 8, gmem_tensor.iterator
    if trace is None:
        extents, strides = [int(e) for e in extents], [int(s) for s in strides]
        MapInMemory.bytes_at(tma_desc_ptr)
        described = (tuple(extents), tuple(strides), tuple(atom.box), atom.element, atom.swizzle, int(pointer.offset), atom.op.loads)
        return MapInMemory.write(tma_desc_ptr, atom, lambda: atom.map_of(pointer, extents, strides), pointer.memory, described)
    trace.headers.add(_HEADER)
    trace.needs_own_instructions = True
    space = "shared" if tma_desc_ptr.memory.space == "smem" else "global"
    at = trace.address_text(tma_desc_ptr)
    trace.has_boxes = True
    trace.headers.add("tilewright/atom/ptx/cluster.hpp")
    texts = [(trace.converted(e, "uint32"), trace.converted(s * width, "int64")) for e, s in zip(extents, strides)]
    trace.line("if (tw_elected()) {")
    trace.line(f"tilewright::ptx::replace_map_address_in_{space}({at}, {trace.address_text(pointer)});")
    for mode, (extent, stride) in enumerate(texts):
        trace.line(f"tilewright::ptx::replace_map_extent_in_{space}<{mode}>({at}, {extent});")
        if mode > 0:
            trace.line(f"tilewright::ptx::replace_map_stride_in_{space}<{mode}>({at}, {stride});")
    trace.line("}")


def _fence(text):
    trace = active()
    if trace is not None:
        trace.headers.add(_HEADER)
        trace.line(f"tilewright::ptx::{text};")


def fence_tma_desc_release(**_):
    """Orders the changes of maps in global memory before their use by threads that call fence_tma_desc_acquire."""
    _fence("release_maps()")


def fence_tma_desc_acquire(tma_desc_ptr, **_):
    """The copies that follow use the map at a pointer as another thread released it."""
    if active():
        _fence(f"acquire_map({active().address_text(tma_desc_ptr)})")


def cp_fence_tma_desc_release(tma_desc_global_ptr, tma_desc_shared_ptr, **_):
    """Copies a map from shared to global memory and releases it. All threads of the warp call it."""
    if active():
        return _fence(f"publish_map({active().address_text(tma_desc_global_ptr)}, {active().address_text(tma_desc_shared_ptr)})")
    MapInMemory.bytes_at(tma_desc_global_ptr)[:] = MapInMemory.bytes_at(tma_desc_shared_ptr)


class TensorMapUpdateMode(enum.Enum):
    """Where a kernel changes its maps: in shared memory, from which they are copied, or in global memory."""

    GMEM, SMEM = 1, 2


class TensorMapManager:
    """Maps of TMA in a kernel's memory: written once, changed where the kernel goes on to the next problem of a group."""

    def __init__(self, tensormap_update_mode, bytes_per_tensormap):
        self.tensormap_update_mode, self.bytes_per_tensormap = tensormap_update_mode, bytes_per_tensormap

    def get_tensormap_ptr(self, ptr, address_space="gmem", **_):
        """The pointer, as one to a map."""
        if str(address_space).rpartition(".")[2] not in ("gmem", "generic"):
            raise ValueError(f"a copy takes its map from gmem or generic memory, and the address space is {address_space}")
        return ptr

    def init_tensormap_from_atom(self, copy_atom, dst_ptr, warp_id, **_):
        """One warp of the block writes an atom's map to memory."""
        when(arch.warp_idx() == warp_id, lambda: copy_tensormap(copy_atom, dst_ptr))

    def fence_tensormap_initialization(self, **_):
        """Orders the maps that were written before their changes."""
        if active():
            active().line("__threadfence(); __syncwarp();")

    def update_tensormap(self, tensor_gmem, tma_copy_atom, tensormap_gmem_ptr, warp_id, tensormap_smem_ptr, **_):
        """One warp of the block changes maps to those of other tensors, one for each atom, after its stores by the old ones have read shared memory."""
        when(arch.warp_idx() == warp_id, lambda: self._updated(tensor_gmem, tma_copy_atom, tensormap_gmem_ptr, tensormap_smem_ptr))

    def _updated(self, tensors, atoms, in_global, in_shared):
        is_shared = self.tensormap_update_mode == TensorMapUpdateMode.SMEM
        for atom, tensor, place in zip(atoms, tensors, in_shared if is_shared else ()):
            update_tma_descriptor(atom, tensor, place)
        lane = arch.lane_idx()
        when(lane == 0 if isinstance(lane, Value) else lane % WARP == 0, _stores_read)
        arch.sync_warp()
        if is_shared:
            for place, source in zip(in_global, in_shared):
                cp_fence_tma_desc_release(place, source)
            return
        for atom, tensor, place in zip(atoms, tensors, in_global):
            update_tma_descriptor(atom, tensor, place)
        arch.sync_warp()
        fence_tma_desc_release()

    def fence_tensormap_update(self, tensormap_ptr, **_):
        """The copies that follow use the map as it was changed last."""
        fence_tma_desc_acquire(tensormap_ptr)


def _stores_read():
    arch.cp_async_bulk_commit_group()
    arch.cp_async_bulk_wait_group(0, read=True)

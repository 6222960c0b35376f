"""Stores to the shared memory of other blocks of a cluster that a barrier there counts (st.async), and asynchronous copies of a thread's 4, 8 or 16 bytes.

    store = cute.make_copy_atom(cpasync.CopyDsmemStoreOp(), cutlass.Float32)
    cute.copy(store, one_register, cute.make_tensor(arch.mapa(place, 1), 1), mbar_ptr=arch.mapa(barrier, 1))     the barrier counts 4 bytes
"""
import numpy as np

from ._cute_barriers import phases_at
from ._cute_clusters import Clusters
from ._cute_launch import next_serial, thread_of
from ._cute_names import CopyOp
from ._cute_numbers import number_type
from ._cute_values import active


class CopyDsmemStoreOp(CopyOp):
    """A store of 1, 2 or 4 registers of 32 or 64 bits to shared memory of a block of the cluster, which is complete when the barrier there has counted
    its bytes."""

    is_store_to_cluster = True

    def __init__(self, *_, **__):
        pass


def copy_to_cluster(src, dst, barrier):
    """Stores a thread's registers.  Raises TypeError for other memories and without a barrier, ValueError for sizes that there are not."""
    if (src.memspace, dst.memspace) != ("rmem", "smem") or barrier is None:
        raise TypeError(f"CopyDsmemStoreOp stores rmem to smem and completes on the barrier mbar_ptr; this copy is from {src.memspace} to {dst.memspace}"
                        + ("" if barrier is not None else ", without one"))
    count, width = src.plain.size, number_type(src.element_type).width
    offsets = dst.plain.offsets()
    if dst.plain.size != count or width not in (32, 64) or count not in (1, 2, 4) or width * count > 128 or offsets != list(range(count)) or \
            number_type(dst.element_type).width != width:
        raise ValueError(f"CopyDsmemStoreOp stores 1, 2 or 4 elements of 32 bits, or 1 or 2 of 64, that follow each other; this copy is from {src!r} to {dst!r}")
    _store([src[i] for i in range(count)], dst.iterator, barrier)


def _store(values, pointer, barrier):
    dtype = number_type(pointer.dtype)
    if active():
        return _traced(values, pointer, barrier, dtype)
    me, memory = thread_of("st.async"), pointer.memory
    places, begun, phases = int(pointer.offset) + np.arange(len(values)), next_serial(), phases_at(barrier)
    what = f"st.async of {len(values)} numbers of {dtype.width} bits"
    address = memory.data.ctypes.data + int(pointer.offset) * memory.data.itemsize
    if address % (len(values) * dtype.width // 8):
        raise ValueError(f"{what} goes to a multiple of its bytes, and this one to byte {address % 16} of 16 (block {me.block.index}, thread {me.index})")
    memory.check_all(places, what, True)

    def finish():
        memory.check_since(places, what, begun)
        memory.put(places, np.array([dtype(v) for v in values]))
        phases.change(expected_bytes=-len(values) * dtype.width // 8, remote=True)
    phases.pending.append(finish)


def _address(trace, pointer):
    """The text of the address of a pointer in the cluster's shared memory."""
    name = trace.name("at")
    trace.line(f"unsigned long long {name}; asm(\"cvta.to.shared::cluster.u64 %0, %1;\" : \"=l\"({name}) : \"l\"({trace.address_text(pointer)}));")
    return f"\"r\"((unsigned){name})"


def _traced(values, pointer, barrier, dtype):
    trace, of, names = active(), f"b{dtype.width}", []
    for v in values:
        made, of_bits = trace.name("w"), f"unsigned {'long long' if dtype.width == 64 else 'int'}"
        trace.line(f"{of_bits} const {made} = __builtin_bit_cast({of_bits}, {trace.converted(v, pointer.memory.kind)});")
        names.append(f"\"{'l' if dtype.width == 64 else 'r'}\"({made})")
    to, at = _address(trace, pointer), _address(trace, barrier)
    places = [f"%{2 + i}" for i in range(len(names))]
    given = places[0] if len(names) == 1 else "{" + ", ".join(places) + "}"
    vector = "" if len(names) == 1 else f".v{len(names)}"
    trace.line(f"asm volatile(\"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes{vector}.{of} [%0], {given}, [%1];\" : : {to}, {at}, "
               f"{', '.join(names)} : \"memory\");")


class Stores:
    """Part of cute.arch."""

    @staticmethod
    def store_async_dsmem(smem_ptr, value, mbar_ptr, peer_cta_rank, **_):
        """Stores a number, or a tuple of 2 or 4, to the same place in the block of that rank; the barrier there counts the bytes."""
        values = list(value) if isinstance(value, (tuple, list)) else [value]
        if len(values) not in (1, 2, 4):
            raise ValueError(f"store_async_dsmem stores a number, or 2 or 4 of them, and {len(values)} are given")
        _store(values, Clusters.mapa(smem_ptr, peer_cta_rank), Clusters.mapa(mbar_ptr, peer_cta_rank))

    @staticmethod
    def cp_async_shared_global(dst, src, size, modifier="ca", *, cp_size=None, **_):
        """Copies 4, 8 or 16 bytes from global to shared memory; of them the first cp_size, and 0 for the others. Complete after cp_async_wait_group."""
        modifier = str(getattr(modifier, "value", modifier)).lower()
        if size not in (4, 8, 16) or modifier not in ("ca", "cg") or modifier == "cg" and size != 16:
            raise ValueError(f"cp_async_shared_global copies 4, 8 or 16 bytes ('ca'), or 16 ('cg'), and not {size} bytes by {modifier!r}")
        if (src.memspace, dst.memspace) != ("gmem", "smem"):
            raise ValueError(f"an asynchronous copy is from gmem to smem, and this one from {src.memspace} to {dst.memspace}")
        if active():
            return _copied(dst, src, size, modifier, cp_size)
        issued, taken = thread_of("cp_async").copies[-1], size if cp_size is None else int(cp_size)
        if not 0 <= taken <= size:
            raise ValueError(f"cp_size is {taken}; it is 0 to {size}")
        item = number_type(dst.dtype).width // 8
        if item < 1 or size % item or taken % item or number_type(src.dtype).width != 8 * item:
            raise ValueError(f"cp_async_shared_global copies whole elements, and {taken} of {size} bytes of {src.dtype!r} to {dst.dtype!r} are none")
        values = [(src + i).load() for i in range(taken // item)] + [0] * ((size - taken) // item)
        issued.append(lambda: [(dst + i).store(v) for i, v in enumerate(values)])


def _copied(dst, src, size, modifier, cp_size):
    trace = active()
    to, at = trace.name("to"), trace.address_text(dst)
    trace.line(f"unsigned const {to} = (unsigned)__cvta_generic_to_shared({at});")
    bytes_ = "" if cp_size is None else ", %2"
    given = "" if cp_size is None else f", \"r\"({trace.converted(cp_size, 'int32')})"
    trace.line(f"asm volatile(\"cp.async.{modifier}.shared.global [%0], [%1], {size}{bytes_};\" : : \"r\"({to}), \"l\"({trace.address_text(src)}){given} : \"memory\");")


def group_bulk_copy_modes(src, dst, **_):
    """(source, destination), each with all its modes as one, for a bulk copy of the whole."""
    from ._cute_layouts import group_modes, rank
    return tuple(group_modes(t, 0, rank(t)) for t in (src, dst))


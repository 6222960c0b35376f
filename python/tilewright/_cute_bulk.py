"""Bulk copies in kernels: contiguous bytes between global and shared memory, without a map. Each thread that comes to the copy starts one.

    atom = cute.make_copy_atom(cpasync.CopyBulkG2SOp(), cutlass.Float32)
    with cute.arch.elect_one():
        cute.copy(atom, row, buffer, mbar_ptr=barrier)     # 256 floats are 1024 bytes, which the barrier counts

On the CPU a load is done when a thread asks for its barrier, and a store when its group is waited for, as copies by TMA.
"""
import numpy as np

from ._cute_barriers import barrier_text, phases_at
from ._cute_launch import next_serial, thread_of
from ._cute_names import CopyOp
from ._cute_numbers import number_type
from ._cute_tensor import Coordinates
from ._cute_values import active, Value
from ._layout import evaluate


class _BulkOp(CopyOp):
    def __init__(self, *_, **__):
        pass


class CopyBulkG2SOp(_BulkOp):
    """A bulk copy from global to shared memory; a barrier counts the bytes."""

    is_bulk, source, destination = True, "gmem", "smem"


class CopyBulkS2GOp(_BulkOp):
    """A bulk copy from shared to global memory; it is complete after cp_async_bulk_wait_group."""

    is_bulk, source, destination = True, "smem", "gmem"


def copy_bulk(op, src, dst, barrier):
    """One copy of the elements of `src` to `dst`.  Raises TypeError for memory of other kinds and a load without a barrier, ValueError for
    elements that are not contiguous on both sides, or no multiple of 16 bytes."""
    name = type(op).__name__
    for tensor, space, role in ((src, op.source, "source"), (dst, op.destination, "destination")):
        if isinstance(tensor.iterator, Coordinates) or tensor.memspace != space:
            raise TypeError(f"{name} copies from {op.source} to {op.destination}, and the {role} is {tensor!r}")
        if tensor.swizzling is not None or str(evaluate(f"coalesce({tensor.plain})")) != f"{tensor.plain.size}:1":
            raise ValueError(f"{name} copies contiguous elements, and the {role} is {tensor!r}; copy its rows one by one, or by TMA")
    width = number_type(src.element_type).width
    if width < 8:
        raise TypeError(f"{name} copies whole bytes, and elements of {number_type(src.element_type)!r} have {width} bits; recast the tensors to Uint8")
    size = src.plain.size * width // 8
    if dst.plain.size != src.plain.size or number_type(dst.element_type).width != width:
        raise ValueError(f"{name} copies {src!r} to {dst!r}, which is not as many bytes")
    if size % 16:
        raise ValueError(f"{name} copies a multiple of 16 bytes, and {src!r} has {size}")
    if op.destination == "smem" and barrier is None:
        raise TypeError(f"{name} completes on a barrier; give mbar_ptr")
    (_traced if active() else _started)(name, src.iterator, dst.iterator, src.plain.size, size, barrier)


def _traced(name, src, dst, count, size, barrier):
    trace = active()
    trace.headers.add("tilewright/atom/ptx/bulk.hpp")
    to, of = (f"{p.memory.name} + {trace.number(p.offset) if isinstance(p.offset, Value) else p.offset}" for p in (dst, src))
    call = f"bulk_load({to}, {of}, {size}u, {barrier_text(barrier)})" if name == "CopyBulkG2SOp" else f"bulk_store({to}, {of}, {size}u)"
    trace.line(f"tilewright::ptx::{call};")


def _started(name, src, dst, count, size, barrier):
    me = thread_of(name)
    given, taken = (int(p.offset) + np.arange(count) for p in (src, dst))
    what = f"the bulk copy of {size} bytes"
    for pointer, role in ((src, "source"), (dst, "destination")):
        address = pointer.memory.data.ctypes.data + int(pointer.offset) * pointer.memory.data.itemsize
        if address % 16:
            raise ValueError(f"{name}: the {role} starts at byte {address % 16} of 16; it must start at a multiple of 16 bytes "
                             f"(block {me.block.index}, thread {me.index})")

    def move():
        if not dst.memory.data.flags.writeable:
            raise ValueError(f"{what} cannot be written: its array is read-only")
        dst.memory.data[taken] = src.memory.data[given].view(dst.memory.data.dtype)
    if name == "CopyBulkG2SOp":
        phases = phases_at(barrier, None)
        src.memory.check_all(given, what, False)
        dst.memory.check_all(taken, what, True)
        begun = next_serial()

        def finish():
            dst.memory.check_since(taken, what, begun)
            move()
            phases.change(expected_bytes=-size, remote=False)
        phases.pending.append(finish)
        return

    def store():
        src.memory.check_all(given, what, False)
        dst.memory.check_all(taken, what, True)
        move()
    me.bulk[-1].append(store)

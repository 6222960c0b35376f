"""Redistributions over communicators: of mpi4py, by the library itself; of torch.distributed, by messages that PyTorch sends.

What one rank finds wrong is text that all ranks exchange before anything else, so that each of them raises it and none waits.
"""
from __future__ import annotations

import threading
from typing import Any

from . import _core
from .distributed import DistributedLayout, _exchange

MESSAGE_BYTES = 1 << 20  # of torch.distributed, each
SLOTS = 4  # messages in flight on each side


def with_defaults(options):
    out = {"staging_bytes": 64 << 20, "threads": 1, "shared_memory": True, "device": None, "transport": "automatic",
           "timeout": 60.0}
    for name in options:
        if name not in out:
            raise TypeError(f"redistribute has no option '{name}'; there are {', '.join(out)}")
    return {**out, **options}


class _Request:
    """What one rank was asked for, or the sentence that says what is wrong with it."""

    def __init__(self, source, target, dtype):
        self.wrong, self.source, self.target, self.item = "", None, None, 1
        try:
            self.source = source if isinstance(source, DistributedLayout) else DistributedLayout(source)
            self.target = target if isinstance(target, DistributedLayout) else DistributedLayout(target)
            self.item = _item_bytes(dtype)
        except Exception as error:  # noqa: BLE001  whatever it is, the other ranks must hear of it
            self.wrong = str(error)

    def text(self):
        return f"{self.source} -> {self.target} of {self.item} bytes"


def _item_bytes(dtype):
    if dtype is None:
        raise TypeError("this rank has no array and no dtype; give dtype= on ranks whose part is None")
    if type(dtype).__module__ == "torch":
        import torch
        return torch.empty((), dtype=dtype).element_size()
    import numpy
    dtype = numpy.dtype(dtype)
    if dtype.hasobject:
        raise TypeError(f"elements of {dtype} are references into this process; other ranks cannot use them")
    if dtype.itemsize == 0:
        raise TypeError(f"elements of {dtype} have no bytes")
    return dtype.itemsize


def check_part(shape, strides, size, item, needed, role):
    """Raises where an array of these bytes is no contiguous memory of a rank's part."""
    if size != item:
        raise TypeError(f"the {role} has elements of {size} bytes, and the redistribution of {item}")
    reach = size
    for stride, extent in sorted(zip(strides, shape)):
        if extent > 1 and 0 not in shape:
            if stride != reach:
                raise ValueError(f"the {role} of shape {tuple(shape)} is not contiguous; give a contiguous copy of it")
            reach *= extent
    if reach < needed or (0 in shape and needed):
        raise ValueError(f"the {role} of shape {tuple(shape)} has {0 if 0 in shape else reach} bytes, and this rank's part of the "
                         f"layout {needed}")


def _check(x, item, needed, role):
    """The array, or a sentence."""
    if x is None:
        if needed:
            raise ValueError(f"the {role} is None, and this rank has {needed} bytes of it")
        return None
    shape, strides, size = _core.strides_of(x)
    check_part(shape, strides, size, item, needed, role)
    return x


class _Job:
    """A prepared redistribution; `_move` of the subclasses sends the elements, and tells the other ranks of `wrong`."""

    def run(self, x, out=None):
        wrong, given = "", out
        try:
            x = _as_memory(x)
            _check(x, self.item, self.source.local_span(self.rank) * self.item, "source")
            if given is None:
                given = self._new()
            out = _as_memory(given)
            _check(out, self.item, self.target.local_span(self.rank) * self.item, "destination")
            _core.check_writable(out)
        except Exception as error:  # noqa: BLE001  whatever it is, the other ranks must hear of it
            wrong = str(error)
        self._move(x, out, wrong)
        return given


# --- MPI --------------------------------------------------------------------------------------------------------------

def _mpi_module():
    """The extension that was built with an MPI.  Raises ImportError with what to do."""
    try:
        from mpi4py import MPI  # loads the MPI library, before the extension looks for its symbols
        from . import _mpi
    except ImportError as error:
        raise ImportError(f"redistribution over mpi4py needs mpi4py, and the package built where an MPI was installed (Debian: "
                          f"libopenmpi-dev python3-mpi4py): {error}") from None
    theirs, ours = MPI.Get_library_version().rstrip("\0 \n"), _mpi.library_version().rstrip("\0 \n")
    if theirs != ours or MPI._sizeof(MPI.Comm) != _mpi.handle_bytes:
        raise ImportError(f"mpi4py uses '{theirs}' and tilewright was built with '{ours}'; build it with the MPI of mpi4py")
    return MPI, _mpi


class _MpiJob(_Job):
    def __init__(self, request, dtype, comm, staging_bytes, threads, shared_memory):
        MPI, module = _mpi_module()
        self.source, self.target, self.item = request.source, request.target, request.item
        self.rank, self._dtype = comm.Get_rank(), dtype
        self._comm = comm  # kept: the job has its handle
        self._job = module.Redistribution(str(self.source), str(self.target), self.item, MPI._addressof(comm), request.wrong,
                                          staging_bytes, threads, shared_memory)

    def _new(self):
        return _new_array(self)

    def _move(self, x, out, wrong):
        self._job.run(0 if wrong else _core.address_of(x), 0 if wrong else _core.address_of(out), wrong)

    @property
    def sent_bytes(self):
        return self._job.sent_bytes


def _new_array(job, kind="cpu", ordinal=0):
    """A new array for the rank's part of the target, of the library of the element type."""
    if type(job._dtype).__module__ == "torch":
        import torch
        shape, strides = job.target.local_shape(job.rank), job.target._core.local_strides(job.rank)
        memory = torch.empty(job.target.local_span(job.rank), dtype=job._dtype, device=torch.device(kind, ordinal))
        if strides is None or memory.numel() == 0:
            return memory
        return memory[job.target._core.offset:].as_strided(shape, strides)
    if kind != "cpu":
        import cupy
        shape, strides = job.target.local_shape(job.rank), job.target._core.local_strides(job.rank)
        with cupy.cuda.Device(ordinal):
            memory = cupy.empty(job.target.local_span(job.rank), job._dtype)
        if strides is None or memory.size == 0:
            return memory
        return cupy.lib.stride_tricks.as_strided(memory[job.target._core.offset:], shape, [s * memory.itemsize for s in strides])
    return job.target.empty(job.rank, job._dtype)


# --- torch.distributed ------------------------------------------------------------------------------------------------

class _TorchJob(_Job):
    def __init__(self, request, dtype, group, staging_bytes, threads):
        import torch.distributed as dist
        self._dist, self._group, self._dtype = dist, group, dtype
        self.source, self.target, self.item = request.source, request.target, request.item
        self.rank, ranks = dist.get_rank(group), dist.get_world_size(group)
        self.sent_bytes = 0
        wrong = request.wrong
        needed = 0 if wrong else max(self.source.ranks, self.target.ranks)
        if not wrong and needed > ranks:
            wrong = f"the layouts have {needed} ranks and the process group {ranks}; start {needed} processes"
        if not wrong and dist.get_backend(group) == "nccl":
            wrong = "the process group uses NCCL, and the tensor is on the CPU; give a tensor on a GPU, or a group of gloo"
        slots = min(SLOTS, staging_bytes // (2 * 65536))
        if not wrong and slots < 1:
            wrong = f"staging of {staging_bytes} bytes is too small; give 131072 or more"
        self._slots, self._message = max(slots, 1), min(MESSAGE_BYTES, staging_bytes // (2 * max(slots, 1)))
        if not wrong:
            try:
                self._plan = _exchange(self.source._core, self.target._core, self.rank, self.item, self._message, threads)
            except ValueError as error:
                wrong = str(error)
        self._agree(wrong, request.text())

    def _agree(self, wrong, asked=""):
        """Raises the first rank's sentence on all ranks."""
        import torch
        word = int.from_bytes(_digest(asked), "little") >> 2
        lowest = torch.tensor([-1 if wrong else 0, word, -word])
        self._dist.all_reduce(lowest, op=self._dist.ReduceOp.MIN, group=self._group)
        failed, low, high = lowest.tolist()
        if failed == 0 and low == -high:
            return
        answers = [None] * self._dist.get_world_size(self._group)
        self._dist.all_gather_object(answers, (wrong, asked), group=self._group)
        for rank, (sentence, _) in enumerate(answers):
            if sentence:
                raise _core.CopyError(f"rank {rank}: {sentence}")
        rank = next(r for r, (_, text) in enumerate(answers) if text != answers[0][1])
        raise _core.CopyError(f"rank {rank}: asked for {answers[rank][1]}, and rank 0 for something else; all ranks must give "
                              "the same layouts and element")

    def _new(self):
        return _new_array(self)

    def _move(self, x, out, wrong):
        self._agree(wrong)
        errors = []
        receiver = threading.Thread(target=self._attempt, args=(errors, self._receive, out))
        receiver.start()
        try:
            self._attempt(errors, self._send, x)
            if not errors and x is not None and out is not None:
                self._attempt(errors, self._plan.copy_own, x, out)
        finally:
            receiver.join()
        lost = next((e for e in errors if not isinstance(e, (ValueError, TypeError))), None)
        if lost is not None:  # of the group itself, which is needed to agree
            raise lost
        self._agree(str(errors[0]) if errors else "")

    @staticmethod
    def _attempt(errors, call, *arguments):
        try:
            call(*arguments)
        except Exception as error:  # noqa: BLE001  raised by the thread that called run()
            errors.append(error)

    def _peer(self, rank):
        return rank if self._group is None else self._dist.get_global_rank(self._group, rank) \
            if hasattr(self._dist, "get_global_rank") else self._dist.distributed_c10d._get_global_rank(self._group, rank)

    def _in_flight(self, messages, start, finish):
        """Starts the messages in order, `slots` of them at a time, and finishes them in order."""
        import torch
        buffers = [torch.empty(self._message, dtype=torch.uint8) for _ in range(min(self._slots, len(messages)))]
        waiting = []
        for i, (peer, size) in enumerate(messages):
            if len(waiting) == len(buffers):
                finish(*waiting.pop(0))
            buffer = buffers[i % len(buffers)][:size]
            waiting.append((i, buffer, start(i, buffer, self._peer(peer))))
        for one in waiting:
            finish(*one)

    def _send(self, x):
        first = []

        def start(i, buffer, peer):
            if not first:
                self._attempt(first, self._plan.pack, i, x, buffer.numpy())
            self.sent_bytes += buffer.numel()
            return self._dist.isend(buffer, peer, group=self._group)
        self._in_flight(self._plan.sends, start, lambda i, buffer, work: work.wait())
        if first:  # the other ranks got their messages, so that none of them waits
            raise first[0]

    def _receive(self, out):
        first = []

        def finish(i, buffer, work):
            work.wait()
            if not first:
                self._attempt(first, self._plan.unpack, i, buffer.numpy(), out)
        self._in_flight(self._plan.receives, lambda i, buffer, peer: self._dist.irecv(buffer, peer, group=self._group), finish)
        if first:
            raise first[0]


def _digest(text):
    import hashlib
    return hashlib.sha256(text.encode()).digest()[:8]


def _as_memory(x):
    """What the extension can look at: a tensor without its history."""
    from ._copy import shown
    return None if x is None else shown(x)


def prepare(source: Any, target: Any, dtype: Any, comm: Any, staging_bytes: int, threads: int, shared_memory: bool,
            device: Any = None, transport: str = "automatic", timeout: float = 60.0) -> _Job:
    from . import _gpu_ranks
    request = _Request(source, target, dtype)
    module = type(comm).__module__.partition(".")[0]
    ordinal = _gpu_ranks.ordinal_of(device, comm)
    if ordinal is not None and (module in ("mpi4py", "torch") or comm is None):
        return _gpu_ranks.GpuJob(request, dtype, comm, ordinal, staging_bytes, transport, timeout)
    if module == "mpi4py":
        return _MpiJob(request, dtype, comm, staging_bytes, threads, shared_memory)
    if module == "torch" or comm is None:
        return _TorchJob(request, dtype, comm, staging_bytes, threads)
    raise TypeError(f"{comm!r} is no communicator; give one of mpi4py, or a process group of torch.distributed (None: all "
                    "processes)")

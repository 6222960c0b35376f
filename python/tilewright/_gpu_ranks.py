"""Redistributions between GPUs: ranks gather a few bytes through mpi4py or torch.distributed while one is prepared; the library
moves the elements, from GPU to GPU.
"""
from __future__ import annotations

from typing import Any

from . import _core
from ._ranks import _Job, _new_array, check_part


def ordinal_of(device: Any, comm: Any) -> int | None:
    """The number of the GPU that a rank uses, None for the CPU: of `device`, else the current one where the group is of NCCL."""
    if device is None:
        if type(comm).__module__.partition(".")[0] != "torch":
            return None
        import torch.distributed as dist
        if dist.get_backend(comm) != "nccl":
            return None
        device = "cuda"
    if isinstance(device, int):
        return device
    text = str(device)
    if text.startswith("cuda:") and text[5:].isdigit():
        return int(text[5:])
    if text == "cuda":
        import torch
        return torch.cuda.current_device()
    if text == "cpu":
        return None
    raise ValueError(f"device is {device!r}; it is 'cpu', 'cuda', 'cuda:1', a number, or a torch.device of these")


def device_of_array(x: Any) -> int | None:
    """The number of the GPU that the array is on, None for the CPU."""
    if type(x).__module__.partition(".")[0] == "torch":
        return x.device.index if x.is_cuda else None
    if type(x).__module__.partition(".")[0] == "cupy":
        return x.device.id
    return None


def _facts(x):
    """(address, shape, strides in bytes, bytes of an element, number of the GPU) of a tensor of PyTorch or an array of CuPy."""
    module = type(x).__module__.partition(".")[0]
    if module == "torch" and x.is_cuda:
        size = x.element_size()
        return x.data_ptr(), tuple(x.shape), [s * size for s in x.stride()], size, x.device.index
    if module == "cupy":
        return x.data.ptr, x.shape, x.strides, x.dtype.itemsize, x.device.id
    raise TypeError(f"a {type(x).__name__} is not on a GPU; give a CUDA tensor of PyTorch or an array of CuPy")


def _gatherer(comm):
    """(rank, size, function from bytes to those of all ranks)"""
    if type(comm).__module__.partition(".")[0] == "mpi4py":
        return comm.Get_rank(), comm.Get_size(), comm.allgather
    import torch.distributed as dist

    def gather(mine):
        answers = [None] * dist.get_world_size(comm)
        dist.all_gather_object(answers, mine, group=comm)
        return answers
    return dist.get_rank(comm), dist.get_world_size(comm), gather


class GpuJob(_Job):
    """As the jobs of _ranks.py, with memory of GPUs, ordered in the current stream of the array's library."""

    def __init__(self, request, dtype, comm, ordinal, staging_bytes, transport, timeout):
        self.source, self.target, self.item, self._dtype = request.source, request.target, request.item, dtype
        self.rank, size, gather = _gatherer(comm)
        self._ordinal, self._gather = ordinal, gather
        wrong = request.wrong
        if not wrong and transport not in ("automatic", "peers", "nccl"):
            wrong = f"transport is {transport!r}; it is 'automatic', 'peers' or 'nccl'"
        for rank, sentence in enumerate(gather(wrong)):
            if sentence:
                raise _core.CopyError(f"rank {rank}: {sentence}")
        self._exchange = _core.GpuExchange(str(self.source), str(self.target), self.item, self.rank, size, gather, ordinal,
                                           staging_bytes, transport, timeout)

    @property
    def sent_bytes(self):
        return self._exchange.sent_bytes

    @property
    def transport(self):
        """'peers' or 'nccl'."""
        return self._exchange.transport

    def _address(self, x, needed, role):
        if x is None:
            if needed:
                raise ValueError(f"the {role} is None, and this rank has {needed} bytes of it")
            return 0
        address, shape, strides, size, ordinal = _facts(x)
        if ordinal != self._ordinal:
            raise ValueError(f"the {role} is on GPU {ordinal}, and this rank uses {self._ordinal}")
        check_part(shape, strides, size, self.item, needed, role)
        return address

    def run(self, x, out=None):
        from ._copy import stream_of
        wrong, given, source, target, stream = "", out, 0, 0, 0
        try:
            source = self._address(x, self.source.local_span(self.rank) * self.item, "source")
            if given is None:
                given = _new_array(self, "cuda", self._ordinal)
            target = self._address(given, self.target.local_span(self.rank) * self.item, "destination")
            stream = stream_of(given if x is None else x)
        except Exception as error:  # noqa: BLE001  whatever it is, the other ranks must hear of it
            wrong = str(error)
        self._exchange.run(source, target, stream, wrong)
        return given

    def finish(self):
        """Waits for the GPUs of all ranks: other ranks have destinations mapped that end with this job."""
        if type(self._dtype).__module__ == "torch":
            import torch
            torch.cuda.synchronize(self._ordinal)
        else:
            import cupy
            cupy.cuda.Device(self._ordinal).synchronize()
        self._exchange = None
        self._gather("")

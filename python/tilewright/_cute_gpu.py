"""Kernels on a GPU: tensors of its memory, and launches of traced kernels, compiled by NVIDIA's run-time compiler and kept in
the folder of kernels (TILEWRIGHT_CACHE_DIR)."""
import inspect
import struct

import numpy as np

from . import _core
from ._copy import stream_of
from ._cute_numbers import NUMBERS, NumberType, number_type
from ._cute_trace import LOG_BYTES, traced
from ._cute_trace_memory import TracedMemory
from ._cute_tree import mapped
from ._cute_values import TYPES, Value, kind_of
from ._layout import Layout

#: The text of the kernel that was launched last, for reading.
last_source = ""
_kernels: dict = {}


class GpuMemory:
    """A GPU's memory, which kernels read and write."""

    space = "gmem"

    def __init__(self, address, count, dtype, ordinal, keeper):
        self.address, self.count, self.dtype, self.ordinal, self.keeper = address, count, dtype, ordinal, keeper

    def recast(self, dtype):
        """The same bytes as elements of another type."""
        return GpuMemory(self.address, self.count * self.dtype.width // dtype.width, dtype, self.ordinal, self.keeper)

    def load(self, at, describe):
        raise TypeError(f"{describe()} is in the memory of a GPU; read it in a kernel, or copy the array to the host")

    def store(self, at, value, describe):
        self.load(at, describe)


def is_on_gpu(array):
    """An array of PyTorch or CuPy in a GPU's memory."""
    return getattr(array, "is_cuda", False) is True or hasattr(type(array), "__cuda_array_interface__") and \
        type(array).__module__.partition(".")[0] != "torch"


def memory_and_layout(array):
    """(GpuMemory, Layout).  Raises ValueError for strides of less than 0."""
    held = array
    if str(array.dtype).startswith("torch.float8"):  # PyTorch hands on no such floats
        import torch
        held = array.detach().view(torch.uint8)
    address, shape, strides, item, ordinal, keeper = _core.memory_of(held, stream_of(held))
    if any(s < 0 for s in strides):
        raise ValueError(f"an array with strides of {tuple(strides)} bytes; a kernel's tensors need strides of 0 or more")
    layout = Layout(tuple(shape) or 1, tuple(s // item for s in strides) or 0)
    name = kind_of(array.dtype)
    return GpuMemory(address, layout.cosize if layout.size else 0, number_type(name), ordinal, keeper), layout


def on_gpu(arguments):
    """Is one of these tensors in a GPU's memory?"""
    found = []

    def look(x):
        memory = getattr(getattr(x, "iterator", None), "memory", None) or getattr(x, "memory", None)  # of a tensor, of a TMA atom
        found.append(isinstance(memory, GpuMemory))
        return x
    for a in arguments:
        mapped(a, look)
    return any(found)


def _annotated_kind(annotation):
    """The kind of a number type that annotates a parameter, as a type or as its text."""
    if isinstance(annotation, str):
        annotation = NUMBERS.get(annotation.rpartition(".")[2])
    if isinstance(annotation, NumberType) or isinstance(annotation, type) and issubclass(annotation, (np.number, np.bool_)):
        return kind_of(annotation)
    return None


def _scalar_kinds(function):
    """Parameters that are declared as a number's type and so are given at each launch: {position: kind}."""
    out = {}
    for i, p in enumerate(inspect.signature(function).parameters.values()):
        kind = _annotated_kind(p.annotation)
        if kind is not None:
            out[i] = kind
    return out


def _tensor_argument(position, value, memories):
    """What makes a tensor's argument within a trace."""
    from ._cute_tensor import Pointer, Tensor
    memory = value.iterator.memory
    if not isinstance(memory, GpuMemory):
        raise TypeError(f"argument {position} is in the host's memory and another one on a GPU; copy it there first "
                        "(tw.copy_, or x.cuda())")

    def make(trace):
        if memory not in memories:
            memories.append(memory)
        name = f"p{memories.index(memory)}"
        of = kind_of(memory.dtype)
        trace.kinds.add(of)
        declared = f"{TYPES[of]}* {name}"
        if declared not in trace.parameters:
            trace.parameters.append(declared)
        return Tensor(Pointer(TracedMemory(trace, name, of, memory.dtype, "gmem", memory.count), value.iterator.offset),
                      value.layout)
    return make


def _number_argument(position, kind):
    """What makes the argument of a number that is given at each launch."""
    def make(trace):
        trace.parameters.append(f"{TYPES[kind]} a{position}")
        trace.kinds.add(kind)
        if np.dtype(kind).kind in "iu":  # a coordinate may be made of it
            return trace.let("index", f"a{position}")
        return Value(trace, f"a{position}", kind)
    return make


def _argument(position, value, kind, memories):
    """A function of the trace that gives the argument: tensors, those in containers too, and numbers that are given at each launch;
    other values are constants of the kernel."""
    from ._cute_tensor import Coordinates, Tensor
    if kind is not None:
        return _number_argument(position, kind)

    def made(trace, x):
        if isinstance(x, Tensor) and not isinstance(x.iterator, Coordinates):
            return _tensor_argument(position, x, memories)(trace)
        return x
    return lambda trace: mapped(value, lambda x: made(trace, x))


def source_of(function, arguments, block, cluster=(1, 1, 1)):
    """(the kernel's text, its trace, the memories behind its parameters in order, the numbers behind the others)"""
    memories, kinds = [], _scalar_kinds(function)
    given = [_argument(i, a, kinds.get(i), memories) for i, a in enumerate(arguments)]
    trace, text = traced(function, given, block, cluster)
    packed = []
    for declared in trace.parameters:
        name = declared.rsplit(" ", 1)[1]
        if name.startswith("m"):
            packed.append(trace.maps[int(name[1:])].map)  # encoded when it is launched
        elif name.startswith("p"):
            packed.append(struct.pack("P", memories[int(name[1:])].address))
        else:
            i = int(name[1:])
            packed.append(np.array(arguments[i], kinds[i]).tobytes())
    return text, trace, memories, packed


def launch(function, arguments, grid, block, cluster=(1, 1, 1), together=False):
    """Traces, compiles and starts the kernel in the current stream of the arrays' library; waits only if it prints."""
    global last_source
    text, trace, memories, packed = source_of(function, arguments, block, cluster)
    last_source = text
    memories = [*memories, *(atom.memory for atom in trace.maps)]
    if not all(isinstance(m, GpuMemory) for m in memories):
        raise TypeError("a TMA copy is of a tensor in the host's memory and another argument is on a GPU; copy it there first "
                        "(tw.copy_, or x.cuda())")
    ordinals = {m.ordinal for m in memories}
    if len(ordinals) > 1:
        raise TypeError(f"the arguments are in the memory of the GPUs {sorted(ordinals)}; a kernel runs on one")
    ordinal = next(iter(ordinals), 0)
    made = _kernels.get((ordinal, text))
    if made is None:
        made = _kernels[ordinal, text] = _core.GpuKernel(text, function.__name__, ordinal, trace.dynamic_bytes,
                                                         trace.has_warpgroups or trace.needs_own_instructions)
    stream = stream_of(*(m.keeper for m in memories)) or _core.torch_stream(ordinal)
    log = None
    if trace.sites:
        log = _core.GpuMemory(LOG_BYTES + 16, ordinal)
        log.fill(0)
    packed = [p if isinstance(p, bytes) else p.encoded(ordinal) for p in packed]
    packed.append(struct.pack("P", log.address if log else 0))
    made.launch(grid, block, packed, stream, log is not None, together)
    if log:
        _print(log, trace.sites)


def _print(log, sites):
    """What threads noted, in the order of blocks and threads."""
    used = struct.unpack("Q", log.download(8))[0]
    words = np.frombuffer(log.download(16 + min(used, LOG_BYTES)), np.uint64)[2:]
    records, at, lost = [], 0, used > LOG_BYTES
    while at + 3 <= len(words):
        count = int(words[at]) >> 32
        if at + 3 + count > len(words) or (lost and count == 0 and not words[at:at + 3].any()):
            break
        records.append((int(words[at + 1]), int(words[at + 2]), int(words[at]) & 0xffffffff, words[at + 3:at + 3 + count]))
        at += 3 + count
    for _, _, site, values in sorted(records, key=lambda r: r[:2]):
        kinds, format_values = sites[site]
        print(format_values([_number(w, k) for w, k in zip(values, kinds)]))
    if lost:
        print(f"(the kernel printed {used} bytes of numbers, of which {LOG_BYTES} are kept)")


def _number(word, kind):
    raw = np.array([word], np.uint64).tobytes()
    if kind == "bfloat16":
        return np.frombuffer(b"\0\0" + raw[:2], np.float32)[0]
    if kind == "index":
        return int(np.frombuffer(raw, np.int64)[0])
    return np.frombuffer(raw, np.dtype(kind), 1)[0]

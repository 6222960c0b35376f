"""Kernels on a GPU: launches of traced kernels, compiled by NVIDIA's run-time compiler and kept in the folder of kernels
(TILEWRIGHT_CACHE_DIR). A trace is kept too, for launches of the same kind (_cute_kept.py)."""
import struct

import numpy as np

from . import _core
from ._copy import stream_of
from ._cute_calls import exporting, note_launch
from ._cute_gpu_memory import GpuMemory, is_on_gpu, memory_and_layout  # noqa: F401  named here by their users
from ._cute_kept import Kept, Key, NotKept
from ._cute_numbers import NUMBERS, NumberType
from ._cute_packed import INTEGERS
from ._cute_trace import LOG_BYTES, traced
from ._cute_trace_memory import TracedMemory
from ._cute_tree import mapped
from ._cute_values import TYPES, Value, WIDE, kind_of, pointed

#: The text of the kernel that was launched last, for reading.
last_source = ""
_kernels: dict = {}


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
    names = function.__code__.co_varnames[:function.__code__.co_argcount]
    kinds = ((i, _annotated_kind(function.__annotations__[n])) for i, n in enumerate(names) if n in function.__annotations__)
    return {i: kind for i, kind in kinds if kind is not None}


def _tensor_argument(position, value, memories):
    """What makes the argument of a tensor, or of a pointer, within a trace."""
    from ._cute_tensor import Pointer, Tensor
    given = value if isinstance(value, Pointer) else value.iterator
    memory = given.memory
    if not isinstance(memory, GpuMemory):
        raise TypeError(f"argument {position} is in the host's memory and another one on a GPU; copy it there first "
                        "(tw.copy_, or x.cuda())")

    def make(trace):
        if memory not in memories:
            memories.append(memory)
        name = f"p{memories.index(memory)}"
        of = kind_of(memory.dtype)
        trace.kinds.add(of)
        declared = f"{pointed(of)}* {name}"
        if declared not in trace.parameters:
            trace.parameters.append(declared)
        pointer = Pointer(TracedMemory(trace, name, of, memory.dtype, "gmem", memory.count), given.offset, given.origin, given.swizzle)
        return pointer if value is given else Tensor(pointer, value.layout)
    return make


def _number_argument(position, kind):
    """What makes the argument of a number that is given at each launch."""
    if kind in INTEGERS:
        narrower = "Int64" if kind in WIDE else "Int32"
        raise TypeError(f"argument {position} is a number of {kind}, which no launch passes; declare {narrower} and convert it in the kernel")

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
    from ._cute_tensor import Coordinates, Pointer, Tensor
    if kind is not None:
        return _number_argument(position, kind)

    def made(trace, x):
        if isinstance(x, Tensor) and not isinstance(x.iterator, Coordinates) or isinstance(x, Pointer):
            return _tensor_argument(position, x, memories)(trace)
        return x
    return lambda trace: mapped(value, lambda x: made(trace, x))


def source_of(function, arguments, block, cluster=(1, 1, 1), smem=None):
    """(the kernel's text, its trace, the memories behind its parameters in order, the parameters: each has
    packed(), which gives its bytes)"""
    memories, kinds = [], _scalar_kinds(function)
    given = [_argument(i, a, kinds.get(i), memories) for i, a in enumerate(arguments)]
    trace, text = traced(function, given, block, cluster, smem)
    return text, trace, memories, [_parameter(n, trace.maps, memories, arguments, kinds) for n in _names_of(trace)]


def _names_of(trace):
    return [declared.rsplit(" ", 1)[1] for declared in trace.parameters]


class _Number:
    """A parameter that is a number: its bytes."""

    def __init__(self, value, kind):
        self.bytes = np.array(value, kind).tobytes()

    def packed(self):
        """The bytes."""
        return self.bytes


def _parameter(name, atoms, memories, arguments, kinds):
    """The parameter of a name: p0 is the first memory, m0 the first map, a2 the number that is argument 2."""
    i = int(name[1:])
    return atoms[i] if name[0] == "m" else memories[i] if name[0] == "p" else _Number(arguments[i], kinds[i])


class Prepared:
    """A kernel that was traced and compiled; it holds no memory of the launch that it was made for."""

    def __init__(self, function, kinds, block, trace, text, ordinal):
        self.kinds, self.block, self.text, self.ordinal = kinds, block, text, ordinal
        self.names, self.sites = _names_of(trace), trace.sites
        self.kernel = _kernels.get((ordinal, text))
        if self.kernel is None:
            self.kernel = _kernels[ordinal, text] = _core.GpuKernel(text, function.__name__, ordinal, trace.dynamic_bytes,
                                                                    trace.has_warpgroups or trace.needs_own_instructions)

    def parameters(self, memories, atoms, arguments):
        """The kernel's parameters: what has packed(), which gives the bytes."""
        return [_parameter(n, atoms, memories, arguments, self.kinds) for n in self.names]

    def start(self, grid, packed, keepers, together):
        """Starts the kernel in the current stream of the arrays' library; waits only if it prints."""
        global last_source
        last_source = self.text
        stream = stream_of(*keepers) or _core.torch_stream(self.ordinal)
        if not self.sites:
            self.kernel.launch(grid, self.block, [*packed, _NO_LOG], stream, False, together)
            return
        log = _core.GpuMemory(LOG_BYTES + 16, self.ordinal)
        log.fill(0)
        self.kernel.launch(grid, self.block, [*packed, struct.pack("P", log.address)], stream, True, together)
        _print(log, self.sites)


_NO_LOG = bytes(8)
#: What a launch depends on -> (Prepared, places of its memories, of its atoms in the key, what the key holds)
_kept = Kept(512)


def _prepared(function, arguments, kinds, block, cluster, smem):
    """(Prepared, the memories behind its pointers, the TMA atoms behind its maps)"""
    text, trace, memories, _ = source_of(function, arguments, block, cluster, smem)
    atoms, trace.maps = trace.maps, []
    every = [*memories, *(atom.memory for atom in atoms)]
    if not all(isinstance(m, GpuMemory) for m in every):
        raise TypeError("a TMA copy is of a tensor in the host's memory and another argument is on a GPU; copy it there first "
                        "(tw.copy_, or x.cuda())")
    ordinals = {m.ordinal for m in every}
    if len(ordinals) > 1:
        raise TypeError(f"the arguments are in the memory of the GPUs {sorted(ordinals)}; a kernel runs on one")
    return Prepared(function, kinds, block, trace, text, next(iter(ordinals), 0)), memories, atoms


def _found(key, made, function, arguments, kinds, block, cluster, smem):
    """The same, kept from a launch of the same key where there was one."""
    found = None if made is None else _kept.get(made)
    if found is not None:
        prepared, of_memories, of_atoms, _ = found
        return prepared, [key.memories[i] for i in of_memories], [key.atoms[i] for i in of_atoms]
    prepared, memories, atoms = _prepared(function, arguments, kinds, block, cluster, smem)
    of_memories = [key.place_of(m) for m in memories]
    of_atoms = [next((i for i, a in enumerate(key.atoms) if a is atom), None) for atom in atoms]
    if made is not None and None not in (*of_memories, *of_atoms):
        _kept.put(made, (prepared, of_memories, of_atoms, key.held))
    return prepared, memories, atoms


def launch(function, arguments, grid, block, cluster=(1, 1, 1), together=False, smem=None):
    """Traces and compiles the kernel, where no launch of the same kind was before, and starts it."""
    if exporting() is not None:
        return exporting().launch(function, arguments, grid, block, cluster, together, smem)
    key, kinds = Key(), _scalar_kinds(function)
    try:
        made = (block, cluster, smem, *kinds.items(), *key.of_all(function, *(None if i in kinds else a for i, a in enumerate(arguments))))
    except NotKept:
        made = None
    prepared, memories, atoms = _found(key, made, function, arguments, kinds, block, cluster, smem)
    parameters = prepared.parameters(memories, atoms, arguments)
    note_launch(prepared, grid, parameters, together)
    prepared.start(grid, [p.packed() for p in parameters], [m.keeper for m in [*memories, *(a.memory for a in atoms)]], together)


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

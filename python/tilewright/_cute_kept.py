"""What a trace depends on, as a key: a launch whose key was seen before needs no new trace.

    scale(x, 10)   (scale's code and what it reads, float32 1024:1 of memory 0, 10)   y in place of x: the same key; 11 in place of 10: another

A key has the values of numbers, texts and layouts, of what a function encloses, and of the global names that it and the functions that it calls
read. Memory of a GPU is its place in the order in which the key meets it, so that another address gives the same key.
"""
import collections
import enum
import functools
import sys
import types

import numpy as np

from ._cute_gpu_memory import GpuMemory, is_on_gpu, seen
from ._layout import Layout

#: Packages whose functions and classes do not change while a program runs.
_FIXED = {"tilewright", "numpy", "torch", "cupy", "cutlass", "cuda", "builtins", *getattr(sys, "stdlib_module_names", ())}
_STREAMS = ("CUstream", "Stream", "ExternalStream")  # a launch is in the stream that is current then
_PLACES = (types.MemberDescriptorType, types.GetSetDescriptorType)  # of attributes, in classes
_OF_PYTHON = 1 << 9  # types that are made while a program runs
MAX_BYTES = 1 << 16  # of a constant array


class NotKept(Exception):
    """A value that a key cannot describe."""


def _is_fixed(thing):
    return (getattr(thing, "__module__", None) or "").partition(".")[0] in _FIXED


@functools.lru_cache(maxsize=4096)
def _names_in(code):
    """The global names and attributes that a function reads, with those of the functions within it."""
    out = dict.fromkeys(code.co_names)
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            out.update(dict.fromkeys(_names_in(c)))
    return tuple(out)


class Key:
    """Makes keys. `memories`, `atoms`: the memories of a GPU and the atoms of TMA, in the order in which they were met; `held`: what keys name by
    identity, which must live as long as the key. No memory of a GPU is among it."""

    def __init__(self):
        self.memories, self.atoms, self.held = [], [], []
        self._met, self._places = {}, {}  # of what refers to itself and of memories: what was met -> its number
        self._living: list = []  # what was met, so that no other object gets its id

    def of_all(self, *values):
        """The key of these values.  Raises NotKept."""
        try:
            return tuple(map(self.of, values))
        except RecursionError:
            raise NotKept from None

    def of(self, x):
        """The key of a value.  Raises NotKept, or RecursionError."""
        t = type(x)
        if x is None or t in (int, bool, str, bytes, complex):
            return t, x
        if t is float:
            return t, x.hex()  # -0.0 is not 0.0
        if t is tuple or t is list:
            return (t, *map(self.of, x))
        if hasattr(t, "__tilewright_key__"):
            return x.__tilewright_key__(self)
        if t is Layout:
            return x._text, tuple(x._facts)
        if isinstance(x, np.generic):
            return t, x.tobytes()
        if isinstance(x, (int, str, bytes)) and not isinstance(x, enum.Enum):
            return self._same(t), x
        if t is GpuMemory:
            return self._memory(x)
        if isinstance(x, type):
            return self._type(x)
        if isinstance(x, (enum.Enum, types.BuiltinFunctionType)):
            return self._same(x)
        if t.__name__ in _STREAMS:
            return t.__name__
        if hasattr(t, "__dlpack__") and t is not np.ndarray or hasattr(t, "__cuda_array_interface__"):
            return self._array(x)
        return self._object(x)

    def _array(self, x):
        """An array of a GPU that an object has; a trace may read its extents, and its address as a number.  Raises NotKept for one of the host."""
        if not is_on_gpu(x):
            raise NotKept
        address, shape, strides, _, ordinal, _ = seen(x)
        return (type(x), address, *shape, *strides, str(x.dtype), ordinal)

    def _same(self, x):
        self.held.append(x)
        return "is", id(x)

    def _memory(self, x):
        place = self._places.setdefault((x.ordinal, x.address), len(self.memories))
        if place == len(self.memories):
            self.memories.append(x)
        return "memory", place, x.count, getattr(x.dtype, "__name__", x.dtype), x.ordinal

    def place_of(self, memory):
        """The memory's place among those that the key met, or None."""
        return self._places.get((memory.ordinal, memory.address))

    def _object(self, x):
        """What may refer to itself: a second time it is a number."""
        if id(x) in self._met:
            return "again", self._met[id(x)]
        self._met[id(x)] = len(self._met)
        self._living.append(x)
        t = type(x)
        if t is object:  # it is other than those that the key met before
            return t
        if t is dict:
            return t, tuple((self.of(k), self.of(v)) for k, v in x.items())
        if t in (set, frozenset):
            return t, frozenset(map(self.of, x))
        if t is types.MethodType:
            return t, self.of(x.__func__), self.of(x.__self__)
        if t is types.FunctionType:
            return self._function(x)
        if t is functools.partial:
            return t, self.of(x.func), self.of(x.args), self.of(x.keywords)
        if isinstance(x, np.ndarray):
            if x.nbytes > MAX_BYTES or x.dtype.hasobject:
                raise NotKept
            return t, str(x.dtype), x.shape, x.tobytes()
        return self._instance(x)

    def _instance(self, x):
        t = type(x)
        if getattr(t, "is_tma_atom", False):  # its map is encoded for each launch
            self.atoms.append(x)
            return t, len(self.atoms), self.of(x.tma_description), x.memory.ordinal if isinstance(x.memory, GpuMemory) else -1
        values = [(n, self.of(v)) for n, v in getattr(x, "__dict__", {}).items()]
        for of in t.__mro__:
            slots = vars(of).get("__slots__", ())
            values += [(n, self.of(getattr(x, n, None))) for n in ((slots,) if isinstance(slots, str) else slots) if not n.startswith("__")]
        if isinstance(x, (tuple, list)):
            values += [self.of(v) for v in x]
        elif isinstance(x, (dict, set)):
            raise NotKept
        elif not values and not hasattr(x, "__dict__") or not t.__flags__ & _OF_PYTHON:  # of C: attributes do not say what it is
            return self._same(x)
        return (self._type(t), *values)

    def _type(self, t):
        """A type with its functions and values; a second time it is itself."""
        if _is_fixed(t) or id(t) in self._met:
            return self._same(t)
        self._met[id(t)] = len(self._met)
        values = [(n, getattr(v, "__func__", getattr(v, "fget", v))) for c in t.__mro__ if not _is_fixed(c) for n, v in vars(c).items()
                  if (not n.startswith("__") or isinstance(v, types.FunctionType)) and not isinstance(v, _PLACES)]
        return (self._same(t), *((n, self.of(v)) for n, v in values))

    def _function(self, f):
        """Its code, its defaults, what it encloses, and the global names that it reads."""
        while f.__globals__.get("__package__") == "tilewright" and isinstance(getattr(f, "__wrapped__", None), types.FunctionType):
            f = f.__wrapped__
        if _is_fixed(f):
            return self._same(f)
        self.held.append(f.__globals__)
        names, globals_ = _names_in(f.__code__), f.__globals__
        return (f.__code__, id(globals_), self.of(f.__defaults__), self.of(f.__kwdefaults__), *map(self._cell, f.__closure__ or ()),
                *(self._global(globals_[n], names) for n in names if n in globals_))

    def _cell(self, cell):
        try:
            return self.of(cell.cell_contents)
        except ValueError:  # it has no value yet
            return "empty"

    def _global(self, x, names):
        """The value of a global name; of a module, its names among those that a function reads."""
        if isinstance(x, types.ModuleType):
            fixed = x.__name__.partition(".")[0] in _FIXED
            if fixed or ("module", id(x), names) in self._met:
                return self._same(x)
            self._met["module", id(x), names] = len(self._met)
            return (self._same(x), *(self._global(vars(x)[n], names) for n in names if n in vars(x)))
        return self.of(x)


class CallKey(Key):
    """The key of a call, whose arguments may be arrays."""

    def _array(self, x):
        """Raises NotKept for an array of the host."""
        if not is_on_gpu(x):
            raise NotKept
        address, shape, strides, _, ordinal, keeper = seen(x)
        return (type(x), *shape, *strides, self._memory(GpuMemory(address, 0, x.dtype, ordinal, keeper)))

    def _object(self, x):
        if isinstance(x, np.ndarray):
            raise NotKept
        return super()._object(x)


class Kept:
    """A dictionary of the values that were used last."""

    def __init__(self, limit):
        self._limit, self._values = limit, collections.OrderedDict()

    def get(self, key):
        """The value of a key, or None."""
        found = self._values.get(key)
        if found is not None:
            self._values.move_to_end(key)
        return found

    def put(self, key, value):
        """Keeps a value, and forgets the one that was not used for the longest time."""
        self._values[key] = value
        while len(self._values) > self._limit:
            self._values.popitem(last=False)

    def clear(self):
        """Forgets all."""
        self._values.clear()

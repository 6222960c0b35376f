"""Maps of TMA in memory of the CPU."""
import copy
import itertools

import numpy as np

numbers = itertools.count()


class MapInMemory:
    """A map in memory of the CPU, which is the number of what it describes behind a word that no other data has: its 128 bytes are copied as data
    are."""

    MARK = 0x70616d20616d7420  # " tma map"
    LIMIT = 4096  # maps that are kept
    _known: dict = {}  # description -> number
    _every: dict = {}  # number -> MapInMemory

    def __init__(self, map_, memory, dtype, swizzle_period):
        self.map, self.memory, self.dtype, self.swizzle_period, self.number = map_, memory, dtype, swizzle_period, next(numbers)

    @staticmethod
    def bytes_at(pointer):
        """The 128 bytes at a pointer, to read and write.  error: IndexError beyond the memory, ValueError where they begin at no
        multiple of 64 bytes"""
        memory, width = pointer.memory, pointer.memory.data.itemsize
        first = int(pointer.offset)
        if first < 0 or (first + -(-128 // width)) > len(memory.data):
            raise IndexError(f"a map of TMA has 128 bytes, and at offset {first} of {len(memory.data)} elements of {width} bytes there are fewer")
        found = memory.data[first:first + 128 // width].view(np.uint8)
        if found.ctypes.data % 64:
            raise ValueError(f"a map of TMA is at a multiple of 64 bytes, and this one at byte {found.ctypes.data % 64} of them")
        return found

    @classmethod
    def write(cls, pointer, atom, map_, memory, description):
        """Writes map_() to memory: a map of what an atom's box and types are."""
        bytes_, key = cls.bytes_at(pointer), (memory.data.ctypes.data, repr(description))
        if cls._known.get(key) not in cls._every:
            made = cls(map_(), memory, atom.dtype, atom.swizzle_period)
            cls._known[key] = made.number
            cls._every[made.number] = made
            while len(cls._every) > cls.LIMIT:
                for oldest in (cls._known, cls._every):
                    del oldest[next(iter(oldest))]
        bytes_[:16] = np.array([cls.MARK, cls._known[key]], np.uint64).view(np.uint8)

    @classmethod
    def at(cls, pointer):
        """The map that was written at a pointer.  error: as bytes_at, ValueError where none was"""
        mark, number = cls.bytes_at(pointer)[:16].view(np.uint64)
        if int(mark) != cls.MARK or int(number) not in cls._every:
            raise ValueError("tma_desc_ptr points to memory that has no map of TMA; write one there first: cpasync.copy_tensormap, or "
                             "TensorMapManager.init_tensormap_from_atom")
        return cls._every[int(number)]

    def of(self, atom):
        """The atom with this map in place of its own."""
        made = copy.copy(atom)
        made.map, made.memory, made.number = self.map, self.memory, self.number
        return made

"""Numbers that NumPy lacks and that are no elements of it, on the CPU: those of 4 bits, floats too, are stored two to a byte, the first in the low half;
integers of 128 bits are two words of 64, the low one first.

    Int4 -3, 5      the byte 0x5d
"""
import numpy as np

from ._cute_narrow import decoded, encoded

#: kind -> (bits, is it signed?)
INTEGERS = {"int4": (4, True), "uint4": (4, False), "int128": (128, True), "uint128": (128, False)}
#: Kinds of less than a byte.
PACKED = ("int4", "uint4", "float4_e2m1fn")
#: kind -> NumPy's type of what holds the elements
STORAGE = {**dict.fromkeys(PACKED, np.dtype(np.uint8)),
           **dict.fromkeys(("int128", "uint128"), np.dtype([("low", np.uint64), ("high", np.uint64)]))}
_WORD = (1 << 64) - 1


def wrapped(x, bits, signed):
    """The low bits of a number as an integer: 9 of 4 bits with a sign is -7. Infinity and NaN are 0."""
    whole = int(x) if isinstance(x, (int, np.integer)) or np.isfinite(x) else 0
    low = whole & (1 << bits) - 1
    return low - (1 << bits) if signed and low >> bits - 1 else low


def units_of(count, kind):
    """How many of the storage's elements hold so many of a kind."""
    return -(-count // 2) if kind in PACKED else count


def loaded(data, places, kind):
    """The numbers of elements: one, or an array."""
    if kind in PACKED:
        at = np.asarray(places)
        low = data[at >> 1] >> (at % 2 * 4).astype(np.uint8) & 15
        if kind not in INTEGERS:
            return decoded(low, kind)
        return (low ^ 8).astype(np.int8) - np.int8(8) if kind == "int4" else low
    found = np.asarray(data[places])
    whole = [wrapped(int(w["low"]) | int(w["high"]) << 64, *INTEGERS[kind]) for w in found.reshape(-1)]
    return whole[0] if found.ndim == 0 else np.array(whole, object).reshape(found.shape)


def stored(data, places, numbers, kind):
    """Elements become the low bits of numbers."""
    at = np.asarray(places)
    if kind in PACKED:
        given = (np.asarray(numbers).astype(np.int64) if kind in INTEGERS else encoded(numbers, kind).astype(np.int64)) & 15
        shift = at % 2 * 4
        np.bitwise_and.at(data, at >> 1, (~(15 << shift) & 255).astype(np.uint8))
        np.bitwise_or.at(data, at >> 1, (given << shift).astype(np.uint8))
        return
    for i, x in np.broadcast(at, np.asarray(numbers, object)):
        x = wrapped(x, 128, False)
        data[int(i)] = (x & _WORD, x >> 64)

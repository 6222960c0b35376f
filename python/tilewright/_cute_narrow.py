"""Floats that NumPy lacks, on the CPU: their elements as integers, and their numbers as float32.

A BFloat16 is the upper half of a float32, rounded to the nearest, to even ones of two that are as near. Floats of 8 bits have tables.
"""
import functools

import numpy as np

#: kind -> (bits of the exponent, bits of the mantissa, has it infinity?)
_FORMATS = {"float8_e4m3fn": (4, 3, False), "float8_e5m2": (5, 2, True)}
#: kind -> NumPy's type of the elements
STORAGE = {"bfloat16": np.dtype(np.uint16), **dict.fromkeys(_FORMATS, np.dtype(np.uint8))}


@functools.lru_cache(maxsize=None)
def _numbers(kind):
    """The numbers of all 256 patterns."""
    exponent_bits, mantissa_bits, has_infinity = _FORMATS[kind]
    bits = np.arange(256)
    exponent, mantissa = bits >> mantissa_bits & (1 << exponent_bits) - 1, bits & (1 << mantissa_bits) - 1
    bias = (1 << exponent_bits - 1) - 1
    value = np.where(exponent == 0, mantissa * 2.0 ** (1 - bias - mantissa_bits),
                     (1 + mantissa * 2.0 ** -mantissa_bits) * 2.0 ** (exponent - bias))
    largest = exponent == (1 << exponent_bits) - 1
    if has_infinity:
        value = np.where(largest, np.where(mantissa == 0, np.inf, np.nan), value)
    else:
        value = np.where(largest & (mantissa == (1 << mantissa_bits) - 1), np.nan, value)
    return np.where(bits < 128, value, -value).astype(np.float32)


def decoded(bits, kind):
    """The numbers of elements, as float32."""
    bits = np.asarray(bits)
    if kind == "bfloat16":
        return (bits.reshape(-1).astype(np.uint32) << np.uint32(16)).view(np.float32).reshape(bits.shape)
    return _numbers(kind)[bits]


def encoded(numbers, kind):
    """The elements nearest to numbers; a float of 8 bits that is too large becomes the largest, as a GPU converts."""
    x = np.asarray(numbers, np.float32)
    if kind == "bfloat16":
        word = x.reshape(-1).view(np.uint32).astype(np.uint64)
        out = np.where(np.isnan(x.reshape(-1)), 0x7fff, word + 0x7fff + (word >> 16 & 1) >> 16)
        return out.astype(np.uint16).reshape(x.shape)
    table = _numbers(kind)[:128]
    finite = table[np.isfinite(table)]
    size = np.minimum(np.abs(np.nan_to_num(x, posinf=finite[-1], neginf=finite[-1])), finite[-1])
    above = np.clip(np.searchsorted(finite, size), 1, len(finite) - 1)
    low, high = finite[above - 1], finite[above]
    upper = (size - low > high - size) | ((size - low == high - size) & (above % 2 == 0))
    out = np.where(np.isnan(x), 127, np.where(upper, above, above - 1))
    return (out | np.where(np.signbit(x), 128, 0)).astype(np.uint8)

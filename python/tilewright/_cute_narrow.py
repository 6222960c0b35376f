"""Floats that NumPy lacks, on the CPU: their elements as integers, and their numbers as float32.

A BFloat16 is the upper half of a float32, rounded to the nearest, to even ones of two that are as near; a TFloat32 a float32 without its lowest 13 bits.
Floats of 4, 6 and 8 bits have tables: of Float4E2M1FN 0, 0.5, 1, 1.5, 2, 3, 4, 6 and the same below zero. A Float8E8M0FNU is a power of two.
"""
import functools

import numpy as np

#: kind -> (bits of the exponent, bits of the mantissa, what is beyond the largest number: "infinity", "NaN" or nothing)
_FORMATS = {"float8_e4m3fn": (4, 3, "NaN"), "float8_e5m2": (5, 2, "infinity"), "float6_e2m3fn": (2, 3, None),
            "float6_e3m2fn": (3, 2, None), "float4_e2m1fn": (2, 1, None)}
#: kind -> NumPy's type of the elements; two of 4 bits are in one
STORAGE = {"bfloat16": np.dtype(np.uint16), "tfloat32": np.dtype(np.uint32), "float8_e8m0fnu": np.dtype(np.uint8),
           **dict.fromkeys(_FORMATS, np.dtype(np.uint8))}


@functools.lru_cache(maxsize=None)
def _numbers(kind):
    """The numbers of all patterns of a format."""
    exponent_bits, mantissa_bits, beyond = _FORMATS[kind]
    width = 1 + exponent_bits + mantissa_bits
    bits = np.arange(1 << width)
    exponent, mantissa = bits >> mantissa_bits & (1 << exponent_bits) - 1, bits & (1 << mantissa_bits) - 1
    bias = (1 << exponent_bits - 1) - 1
    value = np.where(exponent == 0, mantissa * 2.0 ** (1 - bias - mantissa_bits),
                     (1 + mantissa * 2.0 ** -mantissa_bits) * 2.0 ** (exponent - bias))
    largest = exponent == (1 << exponent_bits) - 1
    if beyond == "infinity":
        value = np.where(largest, np.where(mantissa == 0, np.inf, np.nan), value)
    elif beyond == "NaN":
        value = np.where(largest & (mantissa == (1 << mantissa_bits) - 1), np.nan, value)
    return np.where(bits >> width - 1, -value, value).astype(np.float32)


def decoded(bits, kind):
    """The numbers of elements, as float32."""
    bits = np.asarray(bits)
    if kind == "bfloat16":
        return (bits.reshape(-1).astype(np.uint32) << np.uint32(16)).view(np.float32).reshape(bits.shape)
    if kind == "tfloat32":
        return (bits.reshape(-1) & np.uint32(0xffffe000)).view(np.float32).reshape(bits.shape)
    if kind == "float8_e8m0fnu":
        return np.where(bits == 255, np.nan, np.ldexp(np.float64(1), bits.astype(np.int64) - 127)).astype(np.float32)
    return _numbers(kind)[bits]


def encoded(numbers, kind):
    """The elements nearest to numbers; a float of 8 bits that is too large becomes the largest, as a GPU converts."""
    x = np.asarray(numbers, np.float32)
    if kind == "bfloat16":
        word = x.reshape(-1).view(np.uint32).astype(np.uint64)
        out = np.where(np.isnan(x.reshape(-1)), 0x7fff, word + 0x7fff + (word >> 16 & 1) >> 16)
        return out.astype(np.uint16).reshape(x.shape)
    if kind == "tfloat32":
        word = x.reshape(-1).view(np.uint32).astype(np.uint64)
        return np.where(np.isfinite(x.reshape(-1)), word + 0xfff + (word >> 13 & 1) & 0xffffe000, word).astype(np.uint32).reshape(x.shape)
    if kind == "float8_e8m0fnu":  # the smallest power of two that is no less
        mantissa, exponent = np.frexp(np.abs(np.nan_to_num(x.astype(np.float64), posinf=0.0, neginf=0.0)))
        power = np.where(mantissa == 0, -127, exponent - (mantissa == 0.5))
        return np.where(np.isfinite(x), np.clip(power, -127, 127) + 127, 255).astype(np.uint8)
    values = _numbers(kind)
    sign = len(values) // 2
    table = values[:sign]
    finite = table[np.isfinite(table)]
    size = np.minimum(np.abs(np.nan_to_num(x, posinf=finite[-1], neginf=finite[-1])), finite[-1])
    above = np.clip(np.searchsorted(finite, size), 1, len(finite) - 1)
    low, high = finite[above - 1], finite[above]
    upper = (size - low > high - size) | ((size - low == high - size) & (above % 2 == 0))
    out = np.where(np.isnan(x), sign - 1, np.where(upper, above, above - 1))
    return (out | np.where(np.signbit(x) & (~np.isnan(x) | (len(finite) < sign)), sign, 0)).astype(np.uint8)

"""The cases of `--suite families`: drawn at random from families of copies, so that no one can tune to them.

The same seed gives the same cases everywhere: numbers come from SplitMix64, not from a library. Case i belongs to family
i % len(FAMILIES). Each family draws an element type, the small extents, which axes are permuted, sliced, reversed or padded,
and last the extent that makes the larger of the two tensors about as large as the size drawn for the case, 50 MB to 1 GB,
evenly by its logarithm.

usage: families.py [--seed N] [--count K] [--min-bytes N] [--max-bytes N] [--device cpu|cuda]    prints the cases as JSON
"""
import argparse
import json
import math
import sys

from strided import BYTES, StridedCase, View, roof_bytes

SUITE = "families"
MIN_BYTES, MAX_BYTES = 50_000_000, 1_000_000_000
MASK = (1 << 64) - 1


class Draw:
    """SplitMix64."""

    def __init__(self, *seeds):
        self.state = 0
        for seed in seeds:
            self.state = (self.state ^ (seed & MASK)) * 0xBF58476D1CE4E5B9 & MASK
            self.state = self.word()

    def word(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def between(self, low, high):
        """A whole number, both ends included."""
        return low + self.word() % (high - low + 1)

    def fraction(self):
        return (self.word() >> 11) / (1 << 53)

    def pick(self, *choices):
        return choices[self.word() % len(choices)]

    def odds(self, one_in):
        return self.word() % one_in == 0

    def shuffled(self, values):
        values = list(values)
        for i in range(len(values) - 1, 0, -1):
            j = self.word() % (i + 1)
            values[i], values[j] = values[j], values[i]
        return values

    def about(self, low, high):
        """A whole number, evenly by its logarithm."""
        return int(math.exp(math.log(low) + self.fraction() * (math.log(high + 1) - math.log(low))))


class Array:
    """A dense array of named axes, slowest first, and a view of it: axes sliced, stepped or reversed."""

    def __init__(self, order, whole):
        self.order, self.whole = list(order), dict(whole)
        self.strides, step = {}, 1
        for axis in reversed(self.order):
            self.strides[axis] = step
            step *= self.whole[axis]
        self.elements, self.offset = step, 0

    def start(self, axis, first):
        self.offset += first * self.strides[axis]
        return self

    def reverse(self, axis, extent):
        self.offset += (extent - 1) * self.strides[axis]
        self.strides[axis] = -self.strides[axis]
        return self

    def every(self, axis, step):
        self.strides[axis] *= step
        return self

    def view(self, extents):
        return View(tuple(extents.values()), tuple(self.strides.get(axis, 0) for axis in extents), self.offset,
                    self.elements)


def case(family, detail, element, extents, src, dst):
    shape = "x".join(map(str, extents.values())) if len(extents) <= 8 else f"{len(extents)} modes"
    return StridedCase(SUITE, f"{family} {detail} {shape}".replace("  ", " "), element, src.view(extents),
                       dst.view(extents))


def permuted(family, detail, element, extents, src, dst):
    return case(family, detail, element, extents, Array(src, extents), Array(dst, extents))


def fill(target, element, *others):
    """The extent that makes a tensor with the other extents as large as the target, at least 1."""
    return max(1, round(target / (BYTES[element] * math.prod(others))))


ALL = ("u8", "bf16", "f32", "f64", "c128")


# --- The families. Each takes a Draw and the bytes that the larger tensor should have. ----------------------------------

def heads(d, target):
    """(B,S,H,D) to (B,H,S,D), and back; sometimes with the three of q, k and v in front of the heads."""
    element, depth = d.pick("u8", "bf16", "bf16", "f32"), d.pick(16, 32, 40, 48, 64, 72, 80, 96, 128, d.between(9, 160))
    heads_, batch, three = d.between(2, 48), d.between(1, 8), d.odds(3)
    extents = {"B": batch, "S": 0, "H": heads_, "D": depth}
    if three:
        extents = {"B": batch, "S": 0, "T": 3, "H": heads_, "D": depth}
    extents["S"] = fill(target, element, batch, heads_, depth, 3 if three else 1)
    together, apart = ("BSTHD", "TBHSD") if three else ("BSHD", "BHSD")
    return permuted("heads", *(("split", element, extents, together, apart) if d.odds(2) else
                               ("merged", element, extents, apart, together)))


def windows(d, target):
    """Windows of w x w pixels out of an image (B,H,W,C) and back."""
    element, w = d.pick("u8", "bf16", "f32", "f64"), d.pick(4, 7, 8, 12, 14, 16, d.between(2, 20))
    channels = d.pick(1, 3, 4, 32, 96, 128, d.between(1, 192))
    across = d.between(2, 24)
    batch = d.between(1, 4)
    down = fill(target, element, w, w, channels, across, batch)
    extents = {"B": batch, "Y": down, "y": w, "X": across, "x": w, "C": channels}
    image, tiles = "BYyXxC", "BYXyxC"
    return permuted("window", *(("partition", element, extents, image, tiles) if d.odds(2) else
                                ("reverse", element, extents, tiles, image)))


def pixel_shuffle(d, target):
    """(B,C,r,r,H,W) to (B,C,H,r,W,r), and back."""
    element, r = d.pick("u8", "u8", "bf16", "f32"), d.pick(2, 2, 3, 4)
    channels, width, height = d.between(1, 64), d.between(20, 700), d.between(20, 700)
    extents = {"B": 0, "C": channels, "y": r, "x": r, "H": height, "W": width}
    extents["B"] = fill(target, element, channels, r, r, height, width)
    deep, wide = "BCyxHW", "BCHyWx"
    return permuted("pixel", *(("shuffle", element, extents, deep, wide) if d.odds(2) else
                               ("unshuffle", element, extents, wide, deep)))


def patches(d, target):
    """Patches of p x p pixels, a vector each, out of images (C,H,W) or (H,W,C), and back."""
    element, p = d.pick("u8", "u8", "bf16", "f32"), d.pick(2, 4, 8, 14, 16, 32)
    channels, across = d.pick(1, 3, 3, 4), d.between(7, 64)
    down = d.between(7, 64)
    extents = {"B": fill(target, element, channels, down, p, across, p), "C": channels, "Y": down, "y": p, "X": across,
               "x": p}
    image, vectors = d.pick("BCYyXx", "BYyXxC"), d.pick("BYXyxC", "BYXCyx")
    return permuted("patches", *(("out", element, extents, image, vectors) if d.odds(2) else
                                 ("in", element, extents, vectors, image)))


def small_matrices(d, target):
    """A batch of small matrices, each transposed; sometimes their elements are short vectors."""
    element, rows, columns = d.pick(*ALL), d.between(2, 40), d.between(2, 40)
    if d.odds(3):
        columns = rows
    extents = {"N": 0, "R": rows, "C": columns}
    if d.odds(4):
        extents["k"] = d.between(2, 5)
    extents["N"] = fill(target, element, *list(extents.values())[1:])
    order = "".join(extents)
    return permuted("matrices", "batch", element, extents, order, order.replace("RC", "CR"))


def slices(d, target):
    """A block out of an array, from an odd offset on, with an odd pitch; sometimes transposed on the way."""
    element = d.pick(*ALL)
    columns = d.about(20, 5000)
    planes = d.between(1, 6)
    first, tail = 2 * d.between(0, 20) + 1, d.between(1, 40)
    rows = fill(target, element, first + columns + tail, planes)
    extents = {"P": planes, "R": rows, "C": columns}
    whole = {"P": planes, "R": rows + d.between(0, 3), "C": first + columns + tail}
    src = Array("PRC", whole).start("C", first).start("R", whole["R"] - rows)
    dst = Array(d.pick("PRC", "PRC", "PCR"), extents)
    kind = "rows" if dst.order[-1] == "C" else "transposed"
    return case("slice", f"{kind} at {first} pitch {whole['C']}", element, extents, src, dst)


def gathers(d, target):
    """Every k-th element, or every k-th row, or both; what is copied has 50 MB at least."""
    element, k = d.pick(*ALL), d.between(2, 9)
    columns, j = d.about(40, 4000), d.pick(1, 1, 2, 3)
    if d.odds(2):
        k, j = j, k
    copied = max(target / (k * j), min(target, MIN_BYTES))
    extents = {"R": fill(copied, element, columns), "C": columns}
    src = Array("RC", {"R": extents["R"] * j, "C": columns * k}).every("C", k).every("R", j)
    dst = Array(d.pick("RC", "RC", "CR"), extents)
    return case("gather", f"every {j} rows, every {k}" + (" transposed" if dst.order[0] == "C" else ""), element,
                extents, src, dst)


def broadcasts(d, target):
    """A source that lacks an axis of the destination: the slowest, one in the middle, or the fastest."""
    element, kind = d.pick(*ALL), d.pick("rows", "middle", "columns")
    times, columns = d.between(2, 300), d.about(16, 3000)
    extents = {"A": 0, "B": 0, "C": columns}
    if kind == "rows":
        extents.update(A=times, B=fill(target, element, times, columns))
        src = Array("BC", extents)
    elif kind == "middle":
        extents.update(B=times, A=fill(target, element, times, columns))
        src = Array("AC", extents)
    else:
        extents.update(C=times, B=columns, A=fill(target, element, times, columns))
        src = Array("AB", extents)
    return case("broadcast", kind, element, extents, src, Array(d.pick("ABC", "ABC", "BAC"), extents))


def reversals(d, target):
    """Axes that run backwards in the source, with or without a permutation."""
    element, columns = d.pick(*ALL), d.about(6, 5000)
    planes = d.between(2, 60)
    extents = {"A": planes, "B": fill(target, element, columns, planes), "C": columns}
    src = Array("ABC", extents)
    axes = d.pick("C", "C", "B", "BC", "AC", "ABC")
    for axis in axes:
        src.reverse(axis, extents[axis])
    dst = Array(d.pick("ABC", "ABC", "ACB", "BAC"), extents)
    return case("reversed", f"{axes} to {''.join(dst.order)}", element, extents, src, dst)


def k_interleaved(d, target):
    """A matrix of (K,N) or (N,K) to (K/k, N, k), and back."""
    element, k = d.pick("u8", "u8", "bf16", "bf16", "f32"), d.pick(2, 4)
    columns = d.pick(d.between(30, 4000), 16 * d.between(4, 256))
    extents = {"K": fill(target, element, k, columns), "k": k, "N": columns}
    plain, mixed = d.pick("KkN", "NKk"), "KNk"
    return permuted("interleaved", *((f"by {k} from {plain}", element, extents, plain, mixed) if d.odds(2) else
                                     (f"by {k} to {plain}", element, extents, mixed, plain)))


def channels(d, target):
    """(N,H,W,C) to (N,C,H,W), and back, with 1 to 16 channels."""
    element, count = d.pick("u8", "u8", "bf16", "f32", "f64"), d.between(1, 16)
    width = d.pick(d.between(20, 2000), 64 * d.between(1, 30))
    height = d.between(20, 1200)
    extents = {"N": fill(target, element, count, height, width), "C": count, "H": height, "W": width}
    return permuted("channels", *(("last", element, extents, "NCHW", "NHWC") if d.odds(2) else
                                  ("first", element, extents, "NHWC", "NCHW")))


def ranks(d, target):
    """6 to 14 modes of 2 to 17 elements, in a random order."""
    element, rank = d.pick(*ALL), d.between(6, 14)
    wanted = target / BYTES[element]
    while 17 ** rank < wanted:
        rank += 1
    extents = [2] * rank
    while math.prod(extents) * 1.5 < wanted:  # a mode more likely grows where it has room
        i = d.between(0, rank - 1)
        if extents[i] < 17:
            extents[i] = min(17, extents[i] + d.between(1, 3))
    letters = "ABCDEFGHIJKLMN"[:rank]
    order = "".join(d.shuffled(letters))
    return permuted("rank", f"{rank} {'.'.join(map(str, extents))}", element, dict(zip(letters, extents)), letters, order)


def bits(d, target):
    """The bits of an index permuted: reversed, rotated, two groups swapped, groups of two reversed, or at random."""
    element = d.pick(*ALL)
    count = max(2, round(math.log2(target / BYTES[element])))
    letters = [f"b{i}" for i in range(count)]
    kind = d.pick("reversed", "rotated", "swapped", "fours reversed", "random")
    if kind == "reversed":
        order = letters[::-1]
    elif kind == "rotated":
        by = d.between(1, count - 1)
        order = letters[by:] + letters[:by]
    elif kind == "swapped":
        n = d.between(1, max(1, count // 2 - 1))
        order = letters[count - n:] + letters[n:count - n] + letters[:n]
    elif kind == "fours reversed":
        pairs = [letters[i:i + 2] for i in range(count % 2, count, 2)]
        order = letters[:count % 2] + [bit for pair in reversed(pairs) for bit in pair]
    else:
        order = d.shuffled(letters)
    return permuted("bits", f"{kind} {' '.join(bit[1:] for bit in order)}", element, {bit: 2 for bit in letters},
                    letters, order)


def thin_matrices(d, target):
    """Transposes of tall and of flat matrices."""
    element, side = d.pick(*ALL), d.between(2, 200)
    long = fill(target, element, side)
    if d.odds(2):
        return permuted("thin", "tall", element, {"R": long, "C": side}, "RC", "CR")
    return permuted("thin", "flat", element, {"R": side, "C": long}, "RC", "CR")


def ragged(d, target):
    """Transposes with odd extents, alone or in a batch."""
    element = d.pick(*ALL)
    rows = 2 * d.about(100, 8000) + 1
    batch = d.pick(1, 1, d.between(2, 9))
    columns = fill(target, element, rows, batch) | 1
    return permuted("ragged", "", element, {"N": batch, "R": rows, "C": columns}, "NRC", "NCR")


def padded(d, target):
    """A permutation of three or four modes into a destination with a padded pitch; sometimes the source has one too."""
    element, rank = d.pick(*ALL), d.pick(2, 3, 4)
    letters = "ABCD"[:rank]
    extents = {letter: d.about(3, 300) for letter in letters}
    order = "".join(d.shuffled(letters))
    pad, src_pad = d.pick(1, 8, 16, d.between(1, 70)), d.pick(0, d.between(1, 40))
    src_whole, dst_whole = dict(extents), dict(extents)
    src_whole[letters[-1]] += src_pad
    dst_whole[order[-1]] += pad
    largest = max(math.prod(whole[axis] for axis in letters[1:]) for whole in (src_whole, dst_whole))
    extents["A"] = fill(target, element, largest)
    src_whole["A"] = extents["A"]
    dst_whole["A"] = extents["A"] + (pad if order[-1] == "A" else 0)
    return case("padded", f"{letters} to {order} by {pad}", element, extents, Array(letters, src_whole),
                Array(order, dst_whole))


FAMILIES = [heads, windows, pixel_shuffle, patches, small_matrices, slices, gathers, broadcasts, reversals, k_interleaved,
            channels, ranks, bits, thin_matrices, ragged, padded]


def cases_of(seed=1, count=100, max_bytes=None, min_bytes=None):
    """The first `count` cases of a seed; with `max_bytes` or `min_bytes`, the same draws at other sizes."""
    highest = min(MAX_BYTES, max_bytes or MAX_BYTES)
    lowest = min(min_bytes or min(MIN_BYTES, max(highest // 20, 1)), highest)
    for i in range(count):
        d = Draw(seed, i)
        target = math.exp(math.log(lowest) + d.fraction() * (math.log(highest) - math.log(lowest)))
        yield FAMILIES[i % len(FAMILIES)](d, target)


def main():
    parser = argparse.ArgumentParser(description="print the cases of --suite families as JSON")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--min-bytes", type=int)
    parser.add_argument("--max-bytes", type=int)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    arguments = parser.parse_args()
    rows = [{**one.to_json(), "roof_bytes": roof_bytes(one, arguments.device)}
            for one in cases_of(arguments.seed, arguments.count, arguments.max_bytes, arguments.min_bytes)]
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    sys.exit(main())

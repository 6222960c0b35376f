"""The cases of bench/permute, for CPU and GPU alike: two layouts of equal shape, an element type and a name each.

A case is a dense tensor whose modes have letters, stored in one order and wanted in another: extents {"N": 64, "C": 256,
"H": 56, "W": 56} from "NCHW" to "NHWC", slowest mode first. A lower-case letter is the inner part of a split mode:
channels in blocks of 16 are {"c": 16, "C": 16}, and NChw16c is "NCHWc". The program for the CPU reads the cases as JSON.

The cases of the suite `families` come from families.py.

usage: cases.py [--suite NAME] [--device cpu|cuda] [--max-bytes N] [--seed N] [--count K]    prints the cases as JSON
"""
import argparse
import dataclasses
import json
import math
import pathlib
import re
import string
import sys

import families
import strided
from strided import ANYWHERE, BYTES

HERE = pathlib.Path(__file__).resolve().parent
NAMED_SUITES = ["ttc", "transposes", "formats", "small"]  # the suites of "all"
SUITES = [*NAMED_SUITES, families.SUITE]
# The field's names of orders, for libraries that take formats by name.
FORMATS = {"NCHW": "nchw", "NHWC": "nhwc", "NcCHW": "nchw", "NCcHW": "nchw", "NHWCc": "nhwc", "NCHWc": "nChw16c"}


class CaseError(ValueError):
    """One sentence on what is wrong with a table of cases."""


@dataclasses.dataclass(frozen=True)
class Case:
    suite: str
    name: str
    element: str
    extents: dict  # letter -> extent; the order of the letters is that of the layouts' modes
    src: str       # letters, slowest mode first
    dst: str
    devices: tuple = ANYWHERE

    @property
    def elements(self):
        return math.prod(self.extents.values())

    @property
    def bytes(self):
        """Of one tensor."""
        return self.elements * BYTES[self.element]

    @property
    def key(self):
        """What --case matches."""
        return f"{self.suite}/{self.name} {self.element}"

    def strides(self, order):
        """letter -> stride in elements of a dense tensor"""
        strides, step = {}, 1
        for letter in reversed(order):
            strides[letter] = step
            step *= self.extents[letter]
        return strides

    def modes(self):
        """(extent, source stride, destination stride) of every mode"""
        src, dst = self.strides(self.src), self.strides(self.dst)
        return [(extent, src[letter], dst[letter]) for letter, extent in self.extents.items()]

    def layout(self, order):
        """SHAPE:STRIDE; the parts of a split mode form one mode of the shape."""
        strides = self.strides(order)
        groups = {}
        for letter in self.extents:
            groups.setdefault(letter.upper(), []).append(letter)

        def write(values):
            parts = [",".join(str(values[letter]) for letter in sorted(group, reverse=True))
                     for group in groups.values()]
            return "(" + ",".join(f"({part})" if "," in part else part for part in parts) + ")"
        return f"{write(self.extents)}:{write(strides)}"

    def view(self, order):
        strides = self.strides(order)
        return strided.View(tuple(self.extents.values()), tuple(strides[letter] for letter in self.extents), 0,
                            self.elements)

    def src_view(self):
        return self.view(self.src)

    def dst_view(self):
        return self.view(self.dst)

    def layout_texts(self):
        return self.layout(self.src), self.layout(self.dst)

    def to_json(self):
        found = strided.to_json(self)
        if self.src in FORMATS and self.dst in FORMATS and self.extents.get("c", 16) == 16:
            channels = self.extents["C"] * self.extents.get("c", 1)
            found["format"] = {"dims": [self.extents["N"], channels, self.extents["H"], self.extents["W"]],
                               "src": FORMATS[self.src], "dst": FORMATS[self.dst]}
        return found

    def shrunk(self, max_bytes):
        """The same case with its largest extents halved until a tensor has at most so many bytes."""
        extents = dict(self.extents)
        while math.prod(extents.values()) * BYTES[self.element] > max_bytes and max(extents.values()) > 2:
            largest = max(extents, key=extents.get)
            extents[largest] = (extents[largest] + 1) // 2
        return dataclasses.replace(self, extents=extents)


# --- The suites --------------------------------------------------------------------------------------------------------

def read_permutations(path):
    """The rows of a table "permutation<tab>extents", both lists with commas, after a line of headings: column-major,
    mode i of the destination is mode permutation[i] of the source."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or lines[0].split("\t") != ["permutation", "extents"]:
        raise CaseError(f"{path}:1: expected the headings permutation and extents with a tab between them.")
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != 2 or not all(re.fullmatch(r"\d+(,\d+)*", cell) for cell in cells):
            raise CaseError(f"{path}:{number}: expected two lists of numbers with a tab between them, found {line!r}.")
        permutation, extents = ([int(n) for n in cell.split(",")] for cell in cells)
        if sorted(permutation) != list(range(len(extents))) or min(extents) < 1:
            raise CaseError(f"{path}:{number}: {cells[0]} is not a permutation of the {len(extents)} modes of {cells[1]}, "
                            "or an extent is 0.")
        yield permutation, extents


def ttc(path=HERE / "ttc57.tsv"):
    for permutation, extents in read_permutations(path):
        letters = string.ascii_uppercase[:len(extents)]  # fastest mode first
        name = "".join(map(str, permutation)) + " " + "x".join(map(str, extents))
        yield Case("ttc", name, "f32", dict(zip(letters, extents)), letters[::-1],
                   "".join(letters[mode] for mode in reversed(permutation)))


def matrix(suite, kind, element, rows, columns, devices=ANYWHERE):
    name = f"{kind} {rows}x{columns}" if kind else f"{rows}x{columns}"
    return Case(suite, name, element, {"R": rows, "C": columns}, "RC", "CR", devices)


def transposes():
    """Row-major matrices. Strides of the squares are multiples of large powers of two, so that the rows of a tile
    compete for the same sets of a cache; those of the ragged ones are prime."""
    sides = {"u8": 14336, "bf16": 10240, "f32": 7168, "f64": 5120}
    primes = {"u8": (14143, 14149), "bf16": (10007, 9973), "f32": (7151, 7013), "f64": (4999, 5009)}
    for element, side in sides.items():
        long = 2_000_000 // BYTES[element]
        yield matrix("transposes", "square", element, side, side)
        yield matrix("transposes", "tall", element, long, 100)
        yield matrix("transposes", "wide", element, 100, long)
        yield matrix("transposes", "ragged", element, *primes[element])
    yield matrix("transposes", "square", "f32", 8192, 8192)
    yield matrix("transposes", "square", "u8", 16384, 16384)
    for element in ["bf16", "f32", "f64"]:
        yield matrix("transposes", "square", element, 16384, 16384, ("cuda",))


def order_case(name, element, extents, src, dst, devices=ANYWHERE, suite="formats"):
    return Case(suite, name, element, extents, src, dst, devices)


def formats():
    def image_batch(n):
        return {"N": n, "C": 256, "H": 56, "W": 56}
    for element, n in [("f32", 64), ("bf16", 128), ("u8", 256)]:
        yield order_case("NCHW-NHWC", element, image_batch(n), "NCHW", "NHWC")
        yield order_case("NHWC-NCHW", element, image_batch(n), "NHWC", "NCHW")
    blocked = {"N": 64, "C": 16, "c": 16, "H": 56, "W": 56}
    yield order_case("NCHW-NChw16c", "f32", blocked, "NCcHW", "NCHWc")
    yield order_case("NChw16c-NCHW", "f32", blocked, "NCHWc", "NCcHW")
    yield order_case("NHWC-NChw16c", "f32", blocked, "NHWCc", "NCHWc")
    yield order_case("NChw16c-NHWC", "f32", blocked, "NCHWc", "NHWCc")
    for element, depth in [("bf16", 64), ("bf16", 128), ("f32", 64)]:
        heads = {"B": 16, "S": 2048, "H": 32, "D": depth}
        yield order_case(f"attention 0213 D={depth}", element, heads, "BSHD", "BHSD")
    for element, n in [("u8", 32), ("f32", 8)]:
        frames = {"N": n, "H": 1080, "W": 1920, "C": 3}
        yield order_case("frames HWC-CHW", element, frames, "NHWC", "NCHW")
        yield order_case("frames CHW-HWC", element, frames, "NCHW", "NHWC")
    # The permutations that PyTorch was measured on, as arguments of permute().
    for element in ["f32", "bf16", "u8"]:
        for order in ["0231", "3210", "1023", "0213"]:
            yield order_case(f"permute {order} 64x256x128x128", element, {"A": 64, "B": 256, "C": 128, "D": 128}, "ABCD",
                             "".join("ABCD"[int(mode)] for mode in order), ANYWHERE if element == "u8" else ("cuda",))


def small():
    """Tensors whose copy takes about as long as the call."""
    for side in [4, 16, 32, 64, 256]:
        yield matrix("small", "", "f32", side, side)
    yield matrix("small", "", "u8", 64, 64)
    yield Case("small", "contiguous 1024", "f32", {"A": 1024}, "A", "A")
    yield Case("small", "210 8x8x8", "f32", {"A": 8, "B": 8, "C": 8}, "CBA", "ABC")
    yield Case("small", "3210 4x4x4x4", "f32", {"A": 4, "B": 4, "C": 4, "D": 4}, "DCBA", "ABCD")
    yield Case("small", "NCHW-NHWC 1x3x32x32", "f32", {"N": 1, "C": 3, "H": 32, "W": 32}, "NCHW", "NHWC")


def all_cases():
    return [*ttc(), *transposes(), *formats(), *small()]


def select(suite="all", device=None, pattern="", max_bytes=None, seed=1, count=100, min_bytes=None):
    """The cases of a suite that run on a device, whose keys the regular expression `pattern` finds something in. "all" is
    every suite but `families`, whose cases depend on `seed` and `count`."""
    if suite == families.SUITE:
        found = [case for case in families.cases_of(seed, count, max_bytes, min_bytes) if re.search(pattern, case.key)]
        return [case for case in found if device is None or device in case.devices]
    found = [case for case in all_cases() if suite in ("all", case.suite) and (device is None or device in case.devices)
             and re.search(pattern, case.key)]
    return found if max_bytes is None else [case.shrunk(max_bytes) for case in found]


def main():
    parser = argparse.ArgumentParser(description="print the cases of bench/permute as JSON")
    parser.add_argument("--suite", default="all", choices=[*SUITES, "all"])
    parser.add_argument("--device", choices=ANYWHERE)
    parser.add_argument("--max-bytes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    found = select(arguments.suite, arguments.device, max_bytes=arguments.max_bytes, seed=arguments.seed,
                   count=arguments.count)
    print(json.dumps([case.to_json() for case in found], indent=1))


if __name__ == "__main__":
    sys.exit(main())

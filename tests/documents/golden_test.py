#!/usr/bin/env python3
"""The expected outputs of tests/examples/ are those that the four documents print, where the documents are at hand.

They are texts 001_*.txt to 004_*.txt in the folder TILEWRIGHT_DOCUMENTS names, or in a folder "sources" of a neighbour of
the repository; without them the test is skipped. Blanks count as one, empty lines not at all, and of addresses only which
are the same: one of the documents has lost its blank lines and columns.
"""
import difflib
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# document, first line of the output, a line that is no longer part of it, the file that must begin with the output
OUTPUTS = [
    ("001", "=== TiledCopy Ownership Map ===", "```", "tiled_copy_16x8"),
    ("002", "=== Full matrix layout ===", "Block (0,0) gets", "slicing"),
    ("004", "gmem_tensor_A:", "More specifically,", "tiled_copy_preview"),
]


def find_document(number):
    if "TILEWRIGHT_DOCUMENTS" in os.environ:
        found = pathlib.Path(os.environ["TILEWRIGHT_DOCUMENTS"]).glob(f"{number}_*.txt")
    else:
        found = ROOT.parent.glob(f"*/sources/{number}_*.txt")
    return min(found, default=None)


def normalised(lines):
    names = {}
    for line in lines:
        line = re.sub(r"0x[0-9a-fA-F]+|0x#\d+", lambda a: names.setdefault(a[0], f"0x#{len(names) + 1}"), line)
        line = " ".join(line.split())
        if line:
            yield line


def output_in(document, first, end):
    lines = document.read_text(encoding="utf-8").splitlines()
    begin = lines.index(first)
    length = next(i for i, line in enumerate(lines[begin:]) if line.startswith(end))
    return list(normalised(lines[begin:begin + length]))


def main():
    compared = failed = 0
    for number, first, end, name in OUTPUTS:
        document = find_document(number)
        if document is None:
            continue
        compared += 1
        printed = output_in(document, first, end)
        expected_file = ROOT / "tests" / "examples" / f"{name}.txt"
        expected = list(normalised(expected_file.read_text(encoding="utf-8").splitlines()))[:len(printed)]
        difference = list(difflib.unified_diff(printed, expected, document.name, expected_file.name, lineterm=""))
        print("\n".join(difference) if difference else f"{number}: {len(printed)} lines equal those of {name}.txt")
        failed += bool(difference)
    if compared == 0:
        print("skipped: the documents are not at hand")
        return 77
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

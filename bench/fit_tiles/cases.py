#!/usr/bin/env python3
"""Prints cases of bench/permute/families.py for measure_tiles (measure.cpp), one a line.

usage: cases.py SEED COUNT [MIN_BYTES MAX_BYTES]
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "permute"))
import families  # noqa: E402
from strided import BYTES, roof_bytes  # noqa: E402

seed, count = int(sys.argv[1]), int(sys.argv[2])
low, high = (int(sys.argv[3]), int(sys.argv[4])) if len(sys.argv) > 4 else (100_000_000, 140_000_000)
for i, case in enumerate(families.cases_of(seed, count, min_bytes=low, max_bytes=high)):
    src, dst = case.src_view(), case.dst_view()
    print("\t".join(map(str, [f"{seed}/{i} {case.name} {case.element}", 8 * BYTES[case.element], *case.layout_texts(), src.offset,
                              dst.offset, src.elements, dst.elements, roof_bytes(case, "cuda")])))

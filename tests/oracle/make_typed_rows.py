#!/usr/bin/env python3
"""Turns the oracle's rows into static_asserts on types: each row becomes one is_same between what an operation on typed
layouts gives and the type of the expected layout. Usage: make_typed_rows.py ROWS.tsv OUT_DIR PARTS; writes part_N.cpp.
"""
import pathlib
import re
import sys


def typed(text):
    """((4,2),8) -> tuple<tuple<C<4>,C<2>>,C<8>>; a kept mode is Underscore."""
    text = text.replace("_", "K") if re.search(r"_(?!\d)", text) else text.replace("_", "")
    text = re.sub(r"K(?=\d)", "", text)
    text = re.sub(r"-?\d+", lambda m: f"C<{m.group(0)}>", text)
    return text.replace("(", "tuple<").replace(")", ">").replace("K", "Underscore")


def layout(text):
    shape, stride = text.split(":")
    return f"Layout<{typed(shape)},{typed(stride)}>"


def tiler(text):
    if not text.startswith("<"):
        return layout(text)
    entries, depth, start = [], 0, 1
    for i, ch in enumerate(text):
        depth += (ch in "(<") - (ch in ")>")
        if (ch == "," and depth == 1) or i == len(text) - 1:
            entries.append(layout(text[start:i]))
            start = i + 1
    return f"Tile<{','.join(entries)}>"


def expression(op, args):
    a = f"{layout(args[0])}{{}}" if ":" in args[0] else f"{typed(args[0])}{{}}"
    if op in ("coalesce", "filter", "filter_zeros", "right_inverse", "left_inverse", "nullspace", "cosize"):
        return f"{op}({a})"
    if op == "coalesce_bymode":
        return f"coalesce_each({a})"
    if op in ("complement", "tile_to_shape", "domain_distribute", "upcast", "downcast"):
        return f"{op}({a}, {typed(args[1])}{{}})"
    if op in ("slice", "dice"):
        return f"{op}({typed(args[1])}{{}}, {a})"
    if op in ("group", "select"):
        return f"{op}<{args[1]}>({a})"
    if op == "make_layout_tv":
        val = f"{layout(args[1])}{{}}"
        return f"right_inverse(raked_product({a}, {val})).with_shape(make_shape(size({a}), size({val})))"
    return f"{op.removesuffix('_bymode')}({a}, {tiler(args[1])}{{}})"


def main():
    rows_file, out_dir, parts = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    out_dir.mkdir(parents=True, exist_ok=True)
    lines = [[] for _ in range(parts)]
    for number, line in enumerate(pathlib.Path(rows_file).read_text().splitlines()):
        op, args, want = line.split("\t")
        expected = layout(want) if ":" in want else typed(want)
        check = f"static_assert(same<decltype({expression(op, args.split(' ; '))}), {expected}>, R\"(row {number + 1}: {op})\");"
        lines[number % parts].append(check)
    for part, checks in enumerate(lines):
        body = "\n".join(checks)
        text = (f'#include "oracle/typed_rows.hpp"\n\n{body}\n\n'
                f"int const typed_rows_part_{part} = {len(checks)};\n")
        path = out_dir / f"part_{part}.cpp"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


main()

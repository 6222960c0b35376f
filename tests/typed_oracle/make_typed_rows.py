#!/usr/bin/env python3
"""Turns the oracle's rows into static_asserts on types: each row becomes one is_same between what an operation on typed
layouts gives and the type of the expected layout.

Usage: make_typed_rows.py OUT_DIR PARTS ROWS.tsv…; writes OUT_DIR/part_N.cpp, each with a function that counts its rows.
"""
import pathlib
import re
import sys


def typed(text):
    """((4,2),8) -> tuple<tuple<C<4>,C<2>>,C<8>>; a kept mode is Underscore."""
    text = re.sub(r"_(?=\d)", "", text).replace("_", "Underscore")
    text = re.sub(r"-?\d+", lambda m: f"C<{m.group(0)}>", text)
    return text.replace("(", "tuple<").replace(")", ">")


def layout(text):
    shape, stride = text.split(":")
    return f"Layout<{typed(shape)},{typed(stride)}>"


def tiler(text):
    """A layout, or <a,b,…> with one layout for each mode."""
    if not text.startswith("<"):
        return layout(text)
    entries, depth, start = [], 0, 1
    for i, ch in enumerate(text):
        depth += (ch in "(<") - (ch in ")>")
        if (ch == "," and depth == 1) or i == len(text) - 1:
            entries.append(layout(text[start:i]))
            start = i + 1
    return f"Tile<{','.join(entries)}>"


UNARY = ("coalesce", "filter", "filter_zeros", "right_inverse", "left_inverse", "nullspace", "cosize")
WITH_TUPLE = ("complement", "tile_to_shape", "domain_distribute", "upcast", "downcast")


def expression(op, args):
    a = f"{layout(args[0])}{{}}" if ":" in args[0] else f"{typed(args[0])}{{}}"
    if op in UNARY:
        return f"{op}({a})"
    if op == "coalesce_bymode":
        return f"coalesce_each({a})"
    if op in WITH_TUPLE:
        return f"{op}({a}, {typed(args[1])}{{}})"
    if op in ("slice", "dice"):
        return f"{op}({typed(args[1])}{{}}, {a})"
    if op in ("group", "select"):
        return f"{op}<{args[1]}>({a})"
    if op == "make_layout_tv":
        val = f"{layout(args[1])}{{}}"
        return f"right_inverse(raked_product({a}, {val})).with_shape(make_shape(size({a}), size({val})))"
    return f"{op.removesuffix('_bymode')}({a}, {tiler(args[1])}{{}})"


def checks_of(line, where):
    op, args, want = line.split("\t")
    args, want = args.split(" ; "), want.split(" ; ")
    if op != "tiled_copy":
        expected = layout(want[0]) if ":" in want[0] else typed(want[0])
        return [f'static_assert(same<decltype({expression(op, args)}), {expected}>, "{where}: {op}");']
    row = (f"tiled_copy_row<{args[0]}, {args[1]}, {layout(args[2])}, {layout(args[3])}, {layout(args[4])}>")
    return [
        f'static_assert(same<typename {row}::tiler, {typed(want[0])}>, "{where}: tiler");',
        f'static_assert(same<typename {row}::tv, {layout(want[1])}>, "{where}: thread-value layout");',
        f'static_assert(same<typename {row}::partition, {layout(want[2])}>, "{where}: partition");',
        f'static_assert({row}::offset({args[5]}) == {want[3]}, "{where}: offset");',
    ]


def main():
    out_dir, parts = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    out_dir.mkdir(parents=True, exist_ok=True)
    lines, rows = [[] for _ in range(parts)], [0] * parts
    count = 0
    for path in map(pathlib.Path, sys.argv[3:]):
        for number, line in enumerate(path.read_text().splitlines()):
            lines[count % parts] += checks_of(line, f"{path.name} row {number + 1}")
            rows[count % parts] += 1
            count += 1
    for part, checks in enumerate(lines):
        body = "\n".join(checks)
        text = f'#include "typed_rows.hpp"\n\n{body}\n\nint typed_rows_{part}() {{ return {rows[part]}; }}\n'
        path = out_dir / f"part_{part}.cpp"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


main()

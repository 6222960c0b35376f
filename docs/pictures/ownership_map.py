#!/usr/bin/env python3
"""Writes ownership_map.svg beside itself: atom × threads × values = the tile, coloured by the thread that owns each cell.

A column of threads has one hue, a row of threads one lightness.
"""
import pathlib

ROWS, COLUMNS, ATOM = 16, 8, 4
CELL_W, CELL_H = 50, 21
TILE_X, TILE_Y = 410, 60
SMALL = 17
HUES = [212, 190, 164, 132, 46, 24, 350, 288]
LIGHTNESS = [84, 77, 70, 63]
INK, QUIET = "#1f2733", "#66707f"


def colour(row, column):
    return f"hsl({HUES[column]},62%,{LIGHTNESS[row]}%)"


def text(x, y, content, size=13, anchor="start", fill=INK, weight="400", mono=False):
    family = ' font-family="ui-monospace,Menlo,Consolas,monospace"' if mono else ""
    return (f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}" '
            f'font-weight="{weight}"{family}>{content}</text>')


def box(x, y, w, h, fill, stroke="#ffffff", width=1.5, radius=0):
    return (f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{radius}" fill="{fill}" stroke="{stroke}" '
            f'stroke-width="{width}"/>')


def declarations():
    """The three things one declares, from top to bottom."""
    for i in range(ATOM):
        yield box(48, 62 + SMALL * i, SMALL * 1.6, SMALL, colour(0, 0))
    yield text(96, 84, "Copy_Atom", 14, weight="600", mono=True)
    yield text(96, 104, "4 floats, 128 bits: one access", 13, fill=QUIET)

    yield text(60, 159, "×", 20, "middle", QUIET)
    for row in range(4):
        for column in range(8):
            yield box(28 + SMALL * column, 181 + SMALL * row, SMALL, SMALL, colour(row, column))
    yield text(180, 203, "thr_layout (4,8)", 14, weight="600", mono=True)
    yield text(180, 223, "where 32 threads stand", 13, fill=QUIET)

    yield text(60, 281, "×", 20, "middle", QUIET)
    yield box(48, 303, SMALL * 1.6, SMALL * 1.6, "#e8ebf0")
    yield text(96, 316, "val_layout (1,1)", 14, weight="600", mono=True)
    yield text(96, 336, "one atom for each thread", 13, fill=QUIET)
    yield text(358, 238, "=", 26, "middle", QUIET)


def tile():
    for column in range(COLUMNS):
        x = TILE_X + CELL_W * column
        yield text(x + CELL_W / 2, TILE_Y - 9, column, 11, "middle", QUIET)
        for row in range(ROWS // ATOM):
            y = TILE_Y + CELL_H * ATOM * row
            yield box(x, y, CELL_W, CELL_H * ATOM, colour(row, column), width=3)
            for cell in range(1, ATOM):
                line, dashes = y + CELL_H * cell, "none" if cell != ATOM // 2 else "7 36"  # leaves room for the name
                yield (f'<line x1="{x}" y1="{line}" x2="{x + CELL_W}" y2="{line}" stroke="#ffffff" '
                       f'stroke-width="1" stroke-opacity="0.8" stroke-dasharray="{dashes}"/>')
            yield text(x + CELL_W / 2, y + CELL_H * ATOM / 2 + 5, f"T{row + 4 * column:02}", 14, "middle", INK, "600",
                       True)
    for row in range(ROWS):
        yield text(TILE_X - 9, TILE_Y + CELL_H * row + 15, row, 11, "end", QUIET)
    yield box(TILE_X, TILE_Y, CELL_W, CELL_H * ATOM, "none", INK, 2.5, 2)
    yield text(TILE_X, TILE_Y + CELL_H * ROWS + 24, "tile (16,8): every element is carried exactly once", 13, fill=QUIET)
    yield text(48, TILE_Y + CELL_H * ROWS + 24, "T00 carries rows 0–3 of column 0", 13, fill=QUIET)


def main():
    width, height = TILE_X + CELL_W * COLUMNS + 40, TILE_Y + CELL_H * ROWS + 46
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}" font-family="system-ui,Segoe UI,Helvetica,Arial,sans-serif" role="img" '
             f'aria-label="Which of 32 threads owns which cell of a 16 by 8 tile">',
             box(0.5, 0.5, width - 1, height - 1, "#ffffff", "#e3e6ea", 1, 10), *declarations(), *tile(), "</svg>"]
    target = pathlib.Path(__file__).with_suffix(".svg")
    target.write_text("\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

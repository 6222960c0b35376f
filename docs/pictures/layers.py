"""The floors of the library as a picture: each uses those below it; the two wings do not include each other."""

LEFT, WIDTH, TOP, FLOOR = 20, 860, 56, 46
GAP = 10
INK, QUIET, LINE = "#1f2733", "#5b6573", "#c9d2dc"
COMMON, KERNEL, VALUE, JOIN, DOORS = "#dbe8f6", "#d9efe0", "#fbe9cf", "#ece0f3", "#f5f7fa"

DOOR_NAMES = ["kernels: C++, CUDA", "CuTe: compat/", "whole tensors: C++", "C: tilewright.h", "Python: python/",
              "command: apps/cli/"]
# From the top: (floor, what is in it) of the two wings, then what both use.
KERNEL_WING = [("exec", "launch, checked launch"), ("algorithm", "copy, fill, print"),
               ("tiled", "TiledCopy, ThrCopy, TMA"), ("mma", "matrix operations, TiledMMA"), ("atom", "what one instruction carries"),
               ("tensor", "pointers, tensors, tiles")]
VALUE_WING = [("render", "pictures"), ("plan", "movement, plan, proof"), ("analysis", "reports, proofs, searches")]
COMMON_FLOORS = [("tiling", "threads and values on tiles; accesses, banks, sectors, coverage"), ("machine", "architectures"),
                 ("algebra", "composition, divide, product …; the bridge between the faces"),
                 ("layout", "layouts as values and as types, their text"),
                 ("ints", "integer tuples, symbols, arithmetic"), ("base", "configuration, errors, units")]


def text(x, y, content, size=13, anchor="start", fill=INK, weight=400):
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="{fill}" '
            f'font-weight="{weight}">{content}</text>')


def box(x, y, w, h, fill):
    return f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="5" fill="{fill}" stroke="{LINE}"/>'


def floor(x, y, w, h, fill, name, what):
    yield box(x, y, w, h, fill)
    yield text(x + 12, y + h / 2 + 5, name, 14, weight=650)
    yield text(x + 108, y + h / 2 + 5, what, 13, fill=QUIET)


def wing(x, y, w, height, fill, floors):
    """Floors of equal height that fill `height`."""
    h = (height - GAP / 2 * (len(floors) - 1)) / len(floors)
    for i, (name, what) in enumerate(floors):
        yield from floor(x, y + i * (h + GAP / 2), w, h, fill, name, what)


def parts():
    yield text(LEFT, 32, "Floors and doors", 18, weight=650)
    w = (WIDTH - GAP * (len(DOOR_NAMES) - 1)) / len(DOOR_NAMES)
    for i, name in enumerate(DOOR_NAMES):
        x = LEFT + i * (w + GAP)
        yield box(x, TOP, w, 34, DOORS)
        yield text(x + w / 2, TOP + 22, name, 12, "middle", QUIET)
    y = TOP + 34 + GAP
    half = (WIDTH - GAP) / 2
    yield from floor(LEFT, y, WIDTH, FLOOR, JOIN, "engine",
                     "the compiled library: grids on a CPU, plans on CPU and GPU, pictures, C")
    y += FLOOR + GAP
    height = 5 * FLOOR
    yield from wing(LEFT, y, half, height, KERNEL, KERNEL_WING)
    yield from wing(LEFT + half + GAP, y, half, height, VALUE, VALUE_WING)
    y += height + GAP
    yield from wing(LEFT, y, WIDTH, 6 * (FLOOR - 8), COMMON, COMMON_FLOORS)
    y += 6 * (FLOOR - 8) + 24
    for x, fill, label in ((0, KERNEL, "kernel wing: types, host and device"),
                           (290, VALUE, "value wing: values, at run time"),
                           (540, COMMON, "common: both faces"), (740, JOIN, "joins them")):
        yield box(LEFT + x, y - 11, 14, 14, fill)
        yield text(LEFT + x + 20, y + 1, label, 12, fill=QUIET)


def page(title, width, height, elements):
    body = "\n".join(elements)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            "role=\"img\" font-family=\"system-ui,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif\">\n"
            f'<title>{title}</title>\n<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n')


def svg():
    return page("Floors and doors", 900, 674, parts())

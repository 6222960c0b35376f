"""The plot of bench/permute as SVG: a panel a suite, a line a case, the library's share of memcpy as a bar, each peer's
share as a mark. The suite of small tensors shows times instead. Equal rows give equal bytes.
"""
import html
import math

LEFT, RIGHT, PLOT = 330, 90, 700  # widths of the labels, the figures and the plot in between
ROW, TITLE, AXIS = 18, 46, 26     # heights
MAX_SHARE = 1.25                 # of the axis; what goes beyond is drawn at its end with its figure
INK, QUIET, GRID, PAPER, BAR = "#1f2733", "#66707f", "#e3e6ea", "#ffffff", "#3f7fca"
# name -> (colour, shape)
MARKS = {"naive": ("#8a8f98", "cross"), "eigen": ("#d9822b", "circle"), "eigen matrix": ("#a9591a", "diamond"),
         "onednn": ("#2f9e6e", "triangle"), "numpy": ("#b5446e", "square"), "torch": ("#d9822b", "circle"),
         "torch.compile": ("#2f9e6e", "triangle"), "cupy": ("#b5446e", "square")}
OTHER = ("#5b4bb3", "circle")


def text(x, y, content, size=12, anchor="start", fill=INK, weight="400"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{fill}" '
            f'font-weight="{weight}">{html.escape(content)}</text>')


def segment(x1, y1, x2, y2, stroke, width=1.0, dash=""):
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
            f'stroke-width="{width}"{dashes}/>')


def box(x, y, width, height, fill):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'


def mark(x, y, name, title=""):
    colour, shape = MARKS.get(name, OTHER)
    style = f'fill="{PAPER}" stroke="{colour}" stroke-width="1.8"'
    inner = f"<title>{html.escape(title)}</title>" if title else ""
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" {style}>{inner}</circle>'
    corners = {"square": [(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)],
               "diamond": [(0, -5), (5, 0), (0, 5), (-5, 0)], "triangle": [(0, -4.8), (4.6, 3.4), (-4.6, 3.4)]}
    if shape == "cross":
        return (f'<path d="M{x - 3.6:.1f} {y - 3.6:.1f}L{x + 3.6:.1f} {y + 3.6:.1f}M{x - 3.6:.1f} {y + 3.6:.1f}'
                f'L{x + 3.6:.1f} {y - 3.6:.1f}" stroke="{colour}" stroke-width="1.8">{inner}</path>')
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners[shape])
    return f'<polygon points="{points}" {style}>{inner}</polygon>'


def peer_times(row):
    """name -> seconds, of the peers that were measured"""
    return {name: peer["seconds"] for name, peer in row["peers"].items() if "seconds" in peer}


class ShareAxis:
    title = "share of memcpy's speed"

    def __init__(self, rows):
        self.rows = rows

    def x(self, share):
        return LEFT + PLOT * min(share, MAX_SHARE) / MAX_SHARE

    def ticks(self):
        return [(i / 5, f"{i / 5:.1f}") for i in range(int(MAX_SHARE * 5 + 1e-9) + 1)]

    def line(self, row, y):
        middle = y + ROW / 2
        yield box(LEFT, y + 3, self.x(row["share"]) - LEFT, ROW - 6, BAR)
        for name, peer in row["peers"].items():
            if "ratio" in peer:
                share = row["share"] / peer["ratio"]
                yield mark(self.x(share), middle, name, f"{name} {share:.3f}")
        yield text(LEFT + PLOT + 12, middle + 4, f"{row['share']:.3f}", weight="600")

    def reference(self):
        return self.x(1)


class TimeAxis:
    """Logarithmic, in whole decades."""
    title = "time of a call"

    def __init__(self, rows):
        times = [time for row in rows for time in [row["seconds"], row["memcpy_seconds"], *peer_times(row).values()]]
        self.low, self.high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
        self.high = max(self.high, self.low + 1)

    def x(self, seconds):
        return LEFT + PLOT * (math.log10(seconds) - self.low) / (self.high - self.low)

    def ticks(self):
        names = {-9: "1 ns", -8: "10 ns", -7: "100 ns", -6: "1 µs", -5: "10 µs", -4: "100 µs", -3: "1 ms", -2: "10 ms"}
        return [(10.0 ** power, names.get(power, f"1e{power} s")) for power in range(self.low, self.high + 1)]

    def line(self, row, y):
        middle, memcpy = y + ROW / 2, self.x(row["memcpy_seconds"])
        yield segment(memcpy, y + 2, memcpy, y + ROW - 2, INK, 2)
        for name, seconds in peer_times(row).items():
            yield mark(self.x(seconds), middle, name, f"{name} {seconds * 1e6:.3f} µs")
        yield f'<circle cx="{self.x(row["seconds"]):.1f}" cy="{middle:.1f}" r="5" fill="{BAR}"/>'
        yield text(LEFT + PLOT + 12, middle + 4, f"{row['seconds'] * 1e6:.3g} µs", weight="600")

    def reference(self):
        return None


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def panel(suite, rows, top):
    """The panel's elements and the height it takes."""
    axis = (TimeAxis if suite == "small" else ShareAxis)(rows)
    shares = [row["share"] for row in rows]
    about = f"{len(rows)} cases"
    if suite != "small":
        about += f", geometric mean {geometric_mean(shares):.3f}, worst {min(shares):.3f}"
    first, last = top + TITLE, top + TITLE + ROW * len(rows)
    parts = [text(16, top + 22, suite, 16, weight="600"), text(LEFT, top + 22, f"{axis.title}: {about}", 13, fill=QUIET)]
    for value, name in axis.ticks():
        parts += [segment(axis.x(value), first, axis.x(value), last, GRID),
                  text(axis.x(value), first - 6, name, 11, "middle", QUIET)]
    for i, row in enumerate(rows):
        y = first + ROW * i
        parts.append(text(LEFT - 10, y + ROW / 2 + 4, f"{row['case']}  {row['element']}", anchor="end"))
        parts += axis.line(row, y)
    if axis.reference() is not None:
        parts.append(segment(axis.reference(), first, axis.reference(), last, INK, 1.4, "4 3"))
    return parts, TITLE + ROW * len(rows) + AXIS


def legend(peers, device, y):
    parts, x = [box(LEFT, y - 6, 26, ROW - 6, BAR), text(LEFT + 32, y + 4, "tilewright")], LEFT + 116
    memcpy = "memcpy" if device == "cpu" else "cudaMemcpy"
    parts += [segment(x, y - 8, x, y + 8, INK, 1.4, "4 3"), text(x + 8, y + 4, memcpy)]
    x += 96
    for name in peers:
        parts += [mark(x, y, name), text(x + 10, y + 4, name)]
        x += 34 + 7 * len(name)
    return parts


def draw(document):
    """The SVG of a document of rows (report.py)."""
    rows = [row for row in document["rows"] if "seconds" in row]
    peers = [name for name in MARKS if any(name in peer_times(row) for row in rows)]
    threads = document.get("threads")
    where = ", ".join(filter(None, [document.get("machine", ""), f"{threads} threads" if threads and threads > 1 else
                                    "1 thread" if threads else ""]))
    body, top = [text(16, 34, "Copies between layouts", 20, weight="600"), text(LEFT, 34, where, 13, fill=QUIET),
                 *legend(peers, document.get("device", "cpu"), 62)], 80
    for suite in dict.fromkeys(row["suite"] for row in rows):
        parts, height = panel(suite, [row for row in rows if row["suite"] == suite], top)
        body += parts
        top += height
    width = LEFT + PLOT + RIGHT
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" height="{top}" '
         'font-family="system-ui,Segoe UI,Helvetica,Arial,sans-serif" role="img" '
         'aria-label="Speed of copies between layouts, as a share of the speed of memcpy">',
         box(0, 0, width, top, PAPER), *body, "</svg>"]) + "\n"

"""A case of bench/permute as two strided views of two buffers, and the sectors of memory that a copy has to touch.

Every suite is measured through this form: extents, and on each side a stride for each mode (negative where the axis is
reversed, 0 where the source is broadcast), the element at which coordinate (0, 0, ...) is stored, and the elements that the
buffer holds in all, padding included.
"""
import dataclasses
import functools
import math

BYTES = {"u8": 1, "bf16": 2, "f32": 4, "f64": 8, "c128": 16}
ANYWHERE = ("cpu", "cuda")
SECTOR_BYTES = {"cpu": 64, "cuda": 32}  # what a memory hands out at least


@dataclasses.dataclass(frozen=True)
class View:
    """One side of a case, in elements."""
    extents: tuple
    strides: tuple
    offset: int = 0    # of coordinate (0, 0, ...)
    elements: int = 0  # of the buffer

    def layout(self):
        """SHAPE:STRIDE, flat."""
        return f"({','.join(map(str, self.extents))}):({','.join(map(str, self.strides))})"

    def is_dense(self):
        """Does every element of the buffer belong to one coordinate?"""
        expected = 1
        for stride, extent in sorted((abs(stride), extent) for stride, extent in zip(self.strides, self.extents)
                                     if extent > 1):
            if stride != expected:
                return False
            expected *= extent
        return expected == self.elements

    def lowest(self):
        """The smallest element that a coordinate is stored at."""
        return self.offset + sum((extent - 1) * min(stride, 0) for extent, stride in zip(self.extents, self.strides))


@dataclasses.dataclass(frozen=True)
class StridedCase:
    """Two views of equal extents. `src_view` and `dst_view` give them, as a dense Case (cases.py) does."""
    suite: str
    name: str
    element: str
    source: View
    target: View
    devices: tuple = ANYWHERE

    @property
    def elements(self):
        return math.prod(self.target.extents)

    @property
    def bytes(self):
        """That are written."""
        return self.elements * BYTES[self.element]

    @property
    def key(self):
        """What --case matches."""
        return f"{self.suite}/{self.name} {self.element}"

    def src_view(self):
        return self.source

    def dst_view(self):
        return self.target

    def layout_texts(self):
        return self.source.layout(), self.target.layout()

    def to_json(self):
        return to_json(self)


def to_json(case):
    """What the program for the CPU reads: layouts as text, offsets and buffers in elements, and the bytes of the lines
    that have to be touched."""
    src, dst = case.src_view(), case.dst_view()
    texts = case.layout_texts()
    return {"suite": case.suite, "case": case.name, "element": case.element, "src": texts[0], "dst": texts[1],
            "src_offset": src.offset, "dst_offset": dst.offset, "src_elements": src.elements,
            "dst_elements": dst.elements, "roof_bytes": roof_bytes(case, "cpu")}


# --- The roof ----------------------------------------------------------------------------------------------------------

def touched_sectors(view, element_bytes, sector):
    """How many sectors hold an element of the view.

    Counted mode by mode, by stride: copies of what the lower modes touch, less the sector that a copy shares with the next
    one. The phases of the copies within a sector repeat after at most `sector` of them. Exact where a mode's stride is
    at least the span of the modes below it, as in every view of an array; otherwise (overlapping windows) the sectors of the
    span, or those of the copies if these are fewer.
    """
    run, modes = element_bytes, []
    for stride, extent in sorted((abs(stride) * element_bytes, extent)
                                 for stride, extent in zip(view.strides, view.extents) if stride and extent > 1):
        if not modes and stride == run:
            run *= extent
        else:
            modes.append((extent, stride))
    spans = [run]
    for extent, step in modes:
        spans.append(spans[-1] + (extent - 1) * step)
    is_nested = all(step >= span for (_, step), span in zip(modes, spans))

    @functools.lru_cache(maxsize=None)
    def count(level, phase):
        if level == 0:
            return (phase + run - 1) // sector + 1
        extent, step = modes[level - 1]
        period = sector // math.gcd(step, sector)

        def copy(i):
            begin = phase + i * step
            last_sector = (begin + spans[level - 1] - 1) // sector
            is_shared = is_nested and i + 1 < extent and last_sector == (begin + step) // sector
            return count(level - 1, begin % sector) - is_shared
        if extent <= period:
            return sum(map(copy, range(extent)))
        # The last copy has no next one; the others repeat.
        whole, rest = divmod(extent - 1, period)
        head = [copy(i) for i in range(min(period, extent - 1))]
        return whole * sum(head) + sum(head[:rest]) + copy(extent - 1)

    phase = view.lowest() * element_bytes % sector
    found = count(len(modes), phase)
    return found if is_nested else min(found, (phase + spans[-1] - 1) // sector + 1)


def roof_bytes(case, device):
    """The bytes of the sectors that a copy has to read and of those that it has to write, together."""
    sector, size = SECTOR_BYTES[device], BYTES[case.element]
    return sector * sum(touched_sectors(view, size, sector) for view in (case.src_view(), case.dst_view()))

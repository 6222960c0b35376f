"""What the command says of a layout, a tiled copy or a plan, as values: explain, check, plot, TiledCopy."""
from __future__ import annotations

import json
from typing import Any

from . import _core
from ._layout import Layout, Operand, evaluate, text_of
from ._picture import Picture


def _words(subjects, options):
    """Positional subjects and named options as the command's words: `no_conflicts=True` becomes --no-conflicts."""
    words = []
    for name, value in options.items():
        if name in ("output", "json", "format", "help"):
            raise TypeError(f"{name} is an option of the command alone; results are returned")
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not False and value is not None:
            if isinstance(value, (tuple, list)) and value and all(isinstance(v, str) for v in value):
                value = ",".join(value)
            words.append(f"{option}={text_of(value)}")
    for subject in subjects:
        if isinstance(subject, TiledCopy):
            words += _words((), subject._options)
        else:
            words += ["--", text_of(subject)] if "--" not in words else [text_of(subject)]
    return words


class Report:
    """What `explain` says: `str()` is the text, `values` the same as a dictionary, indexed directly too."""

    def __init__(self, text: str, values: dict[str, Any]):
        self._text, self.values = text, values

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def __str__(self):
        return self._text

    def __repr__(self):
        return self._text.rstrip("\n")


def explain(*subjects: Any, **options: Any) -> Report:
    """What a layout, a TiledCopy or a pair of layouts (source, destination: a plan) does, and why it is fast or slow.

    Options are those of `tilewright explain`: element, machine, tile, align, to, space …

    >>> explain("(32,4):(4,1)", tile="(16,8)")
    128 elements of 32 bits in 512 bytes of memory
    injective: each stride steps over all that the smaller ones reach
    contiguous: 128 offsets in [0, 127]
    covers (16,8) exactly once: 32 threads x 4 values = 128 elements
    >>> explain("(8,8):(8,1)", element="f32")["injective"]
    True

    Raises LayoutError with one sentence for what is no layout or no option.
    """
    words = _words(subjects, options)
    return Report(_core.verb("explain", words)[1], json.loads(_core.verb("explain", ["--json", *words])[1]))


class Check:
    """What `check` found: true if every condition holds; `conditions` is a list of (condition, holds, reason)."""

    def __init__(self, holds: bool, conditions: list[tuple[str, bool, str]]):
        self._holds, self.conditions = holds, conditions

    def __bool__(self) -> bool:
        return self._holds

    @property
    def reason(self) -> str:
        """Why the first condition that does not hold does not; '' where all hold."""
        return next((reason for _, holds, reason in self.conditions if not holds), "")

    def __repr__(self):
        return "\n".join(f"{'holds' if holds else 'does not hold'}: {name} ({reason})"
                         for name, holds, reason in self.conditions)


def check(*subjects: Any, **options: Any) -> Check:
    """Do these conditions hold of a layout, a TiledCopy or a pair of layouts?

    Conditions: covers, injective, contiguous, no_conflicts, coalesced (True or per cent), vector (bits); other options as
    for explain.

    >>> bool(check("(8,8):(8,1)", injective=True, vector=32))
    True
    >>> check("(4,8):(1,2)", injective=True).reason
    'aliased: (2,0) and (0,1) share offset 2'
    """
    answer = json.loads(_core.verb("check", ["--json", *_words(subjects, options)])[1])
    return Check(answer["holds"], [(c["condition"].lstrip("-"), c["holds"], c["reason"]) for c in answer["conditions"]])


def plot(*subjects: Any, **options: Any) -> Picture:
    """A Picture of layouts, a TiledCopy, a TiledMMA, a copy atom (atom="SM75_U32x4_LDSM_N"), a Plan, or source and destination.

    Options are those of `tilewright plot`: view (offsets, banks, order, divide, product, tv, copy …), by, tile, title …

    >>> plot("(2,3):(3,1)").svg.rstrip().endswith("</svg>")
    True
    >>> "T0" in str(plot(TiledCopy("(2,2)", "(1,2)", element="f32")))
    True
    """
    if len(subjects) == 1 and hasattr(subjects[0], "_draw_plan"):
        return Picture(subjects[0]._draw_plan)
    if len(subjects) == 1 and hasattr(subjects[0], "thr_layout"):
        return subjects[0].plot(**options)
    words = _words(subjects, options)
    _core.verb("plot", ["--format=json", *words])  # an error is raised here, not when the picture is shown
    formats = {"latex": "tex"}
    return Picture(lambda form: _core.verb("plot", [f"--format={formats.get(form, form)}", "--colour=never", *words])[1])


class TiledCopy:
    """A copy whose threads are arranged as `thr`, each with the values `val` of the atom: who moves which element of a tile.

    >>> copy = TiledCopy("(4,8):(1,4)", "(4,1)", atom_bits=128, element="f32")
    >>> copy.tiler, copy.tv, copy.threads, copy.values
    ((16, 8), Layout('(32,4):(4,1)'), 32, 4)
    >>> copy.partition("(128,128):(1,128)", thread=5)
    (Layout('((4,1),8,16):((1,0),16,1024)'), 132)
    >>> bool(check(copy, covers=True, tensor="(16,8):(1,16)"))
    True

    thr, val: layouts from (m, n) to a thread and to a value. The value layout counts values where its size is a multiple
    of the atom's, else atoms. element: 'f32' or bits; atom_bits: what one thread moves at a time, an element if left out.

    Raises LayoutError for what cannot be tiled.
    """

    def __init__(self, thr: Operand, val: Operand, *, element: str | int = "f32", atom_bits: int | None = None):
        if atom_bits is None:
            digits = "".join(c for c in str(element) if c.isdigit())
            atom_bits = int(digits or 8)
        self.thr, self.val, self.element, self.atom_bits = Layout(thr), Layout(val), element, atom_bits
        self._options = {"atom_bits": atom_bits, "element": str(element), "thr": self.thr, "val": self.val}
        tiler, tv, self.threads, self.values, self.atom_values = _core.tiled_copy(
            str(atom_bits), str(element), str(self.thr), str(self.val))
        self.tiler, self.tv = evaluate(tiler), Layout(tv)

    def _partition(self, tensor, thread):
        words = _words((self,), {"tensor": tensor, "thread": thread})
        return json.loads(_core.verb("tiled-copy", ["--json", *words])[1])

    def partition(self, tensor: Operand, thread: int) -> tuple[Layout, int]:
        """(Layout, offset): the elements of `tensor` that one thread moves, as (value, rest…) -> offset from the first."""
        said = self._partition(tensor, thread)
        return Layout(said["partition"]), said["first_offset"]

    def partition_all(self, tensor: Operand) -> Layout:
        """The elements of `tensor` as (thread, value, rest) -> offset."""
        return Layout(self._partition(tensor, 0)["whole_view"])

    def explain(self, tensor: Operand, **options: Any) -> Report:
        """A Report of the copy of a tensor: what each access moves, sectors and bank conflicts."""
        return explain(self, tensor=tensor, **options)

    def plot(self, **options: Any) -> Picture:
        """A Picture of which thread has which element; the options are those of tilewright plot."""
        return plot(self, **options)

    def _repr_svg_(self):
        return self.plot()._repr_svg_()

    def _repr_html_(self):
        return self.plot()._repr_html_()

    def __eq__(self, other):
        return self._options == other._options if isinstance(other, TiledCopy) else NotImplemented

    def __hash__(self):
        return hash((self.thr, self.val, str(self.element), self.atom_bits))

    def __repr__(self):
        return f"TiledCopy({str(self.thr)!r}, {str(self.val)!r}, element={self.element!r}, atom_bits={self.atom_bits})"

"""Copies of 8x8 matrices of 16-bit elements between shared memory and the registers of a warp: ldmatrix and stmatrix. Each thread
names a row of 8 elements, and gets or gives 2 elements of each matrix.

On the CPU the threads of a warp meet and exchange rows; on a GPU a copy is an instruction of include/tilewright/atom/ptx/matrix.hpp.
"""
import functools

from . import _core
from ._cute_launch import thread_of, WARP
from ._cute_layouts import size
from ._cute_values import active
from ._layout import evaluate

ROW = 8  # elements


class _MatrixOp:
    """So many matrices of 8x8 elements of 16 bits; `transpose`: a thread gets elements of a column."""

    def __init__(self, transpose=False, num_matrices=1, **_):
        if num_matrices not in (1, 2, 4):
            raise ValueError(f"{type(self).__name__} moves 1, 2 or 4 matrices, and {num_matrices} are asked for")
        self.transpose, self.num_matrices = bool(transpose), num_matrices

    @property
    def atom_name(self):
        """The name of the copy atom, as tw.plot takes it."""
        prefix, suffix = self._words
        n = self.num_matrices
        return f"{prefix}_U16x{2 * n}_{suffix}_T" if self.transpose else f"{prefix}_U32x{n}_{suffix}_N"


class LdMatrix8x8x16bOp(_MatrixOp):
    """Loads 1, 2 or 4 matrices of 8x8 elements of 16 bits from shared memory; every thread of the warp takes part."""

    _words = ("SM75", "LDSM")


class StMatrix8x8x16bOp(_MatrixOp):
    """Stores 1, 2 or 4 matrices of 8x8 elements of 16 bits in shared memory; every thread of the warp takes part."""

    _words = ("SM90", "STSM")


@functools.lru_cache(maxsize=None)
def maps_in_elements(name, bits):
    """(source, destination) of a copy atom: (thread, element) -> element.  Raises LayoutError for elements of other bits."""
    return tuple(evaluate(f"upcast({text}, {bits})") for text in _core.atom_maps(name))


def copy_matrices(op, src, dst):
    """Copies by ldmatrix or stmatrix.  Raises ValueError for other memories, RuntimeError where threads of the warp are missing."""
    loads = isinstance(op, LdMatrix8x8x16bOp)
    wanted = ("smem", "rmem") if loads else ("rmem", "smem")
    if (src.memspace, dst.memspace) != wanted:
        raise ValueError(f"{op.atom_name} copies from {wanted[0]} to {wanted[1]}, and this copy is from {src.memspace} to {dst.memspace}")
    rows, parts = (src, dst) if loads else (dst, src)
    each = 2 * op.num_matrices
    if size(rows) % ROW or size(rows) // ROW * each != size(parts):
        raise ValueError(f"{op.atom_name} has rows of {ROW} elements in shared memory and {each} elements in registers, and this copy has "
                         f"{rows.layout} and {parts.layout}; partition both by one tiled copy of the atom")
    if active():
        return _traced(op, rows, parts, each, loads)
    (_load if loads else _store)(op, rows, parts, each)


def _exchanged(op, value):
    me = thread_of("copy")
    given = me.exchanged(value)
    if len(given) != WARP:
        raise RuntimeError(f"{op.atom_name} needs the {WARP} threads of a warp, and {len(given)} are here (block {me.block.index}, "
                           f"thread {me.index}); let all of them reach the copy")
    return given, me.index % WARP


def _load(op, rows, parts, each):
    lane, count = thread_of("copy").index % WARP, size(rows) // ROW
    has_row = lane < ROW * op.num_matrices
    mine = [[rows[ROW * n + i] for i in range(ROW)] if has_row else None for n in range(count)]
    given, lane = _exchanged(op, mine)
    for n in range(count):
        for i in range(each):
            matrix, along, across = i // 2, 2 * (lane % 4) + i % 2, lane // 4
            row, column = (along, across) if op.transpose else (across, along)
            parts[each * n + i] = given[ROW * matrix + row][n][column]


def _store(op, rows, parts, each):
    given, lane = _exchanged(op, [parts[i] for i in range(size(parts))])
    if lane >= ROW * op.num_matrices:
        return
    matrix, row = lane // ROW, lane % ROW
    for n in range(size(rows) // ROW):
        for column in range(ROW):
            along, across = (row, column) if op.transpose else (column, row)
            rows[ROW * n + column] = given[4 * across + along // 2][each * n + 2 * matrix + along % 2]


def _traced(op, rows, parts, each, loads):
    offsets = rows.plain.offsets()
    follow = all(offsets[i] + 1 == offsets[i + 1] for i in range(len(offsets) - 1) if (i + 1) % ROW)
    if not follow or rows.swizzling is not None and (1 << rows.swizzling.base) % ROW:
        raise ValueError(f"{op.atom_name} accesses rows of {ROW} contiguous elements, which {rows.layout} has not{active().where()}")
    for n in range(size(rows) // ROW):
        part = [(parts.iterator.memory, parts.place(each * n + i)) for i in range(each)]
        active().move_matrices(op, rows.iterator.memory, rows.place(ROW * n), part, loads)

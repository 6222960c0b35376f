"""Copies of 8x8 matrices of 16 bits between shared memory and the registers of a warp: ldmatrix and stmatrix. Each thread names a row
of 16 bytes, and gets or gives 4 bytes of each matrix.

On the CPU the threads of a warp meet and exchange rows; on a GPU a copy is an instruction of include/tilewright/atom/ptx/matrix.hpp.
"""
import functools

from . import _core
from ._cute_launch import thread_of, WARP
from ._cute_layouts import size
from ._cute_names import CopyOp
from ._cute_values import active
from ._layout import evaluate


class _MatrixOp(CopyOp):
    """So many matrices of 8x8 units of 16 bits; `transpose`: a thread gets elements of a column."""

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


class LdMatrix8x16x8bOp(LdMatrix8x8x16bOp):
    """Loads 1, 2 or 4 matrices of 8x16 elements of 8 bits from shared memory: the same rows of 16 bytes.

    Raises ValueError for transpose=True.
    """

    def __init__(self, transpose=False, num_matrices=1, **_):
        if transpose:
            raise ValueError("LdMatrix8x16x8bOp does not transpose: the instruction moves units of 16 bits; copy with CopyUniversalOp")
        super().__init__(False, num_matrices)


class StMatrix8x8x16bOp(_MatrixOp):
    """Stores 1, 2 or 4 matrices of 8x8 elements of 16 bits in shared memory; every thread of the warp takes part."""

    _words = ("SM90", "STSM")


@functools.lru_cache(maxsize=None)
def maps_in_elements(name, bits):
    """(source, destination) of a copy atom: (thread, element) -> element.  Raises ValueError for elements that it would cut."""
    maps = tuple(evaluate(f"upcast({text}, {bits})") for text in _core.atom_maps(name))
    if any(m[0].size != WARP for m in maps):
        raise ValueError(f"{name} moves units of 16 bits, and elements of {bits} bits would be cut; choose the operation that does not "
                         "transpose")
    return maps


@functools.lru_cache(maxsize=None)
def _holders(source, lanes):
    """place -> (lane, value) of a map of a source, of the first lanes."""
    return {source(lane, value): (lane, value) for value in range(source[1].size) for lane in range(lanes)}


def copy_matrices(atom, src, dst):
    """Copies by ldmatrix or stmatrix.  Raises ValueError for other memories, RuntimeError where threads of the warp are missing."""
    op, loads = atom.op, isinstance(atom.op, LdMatrix8x8x16bOp)
    wanted = ("smem", "rmem") if loads else ("rmem", "smem")
    if (src.memspace, dst.memspace) != wanted:
        raise ValueError(f"{op.atom_name} copies from {wanted[0]} to {wanted[1]}, and this copy is from {src.memspace} to {dst.memspace}")
    given, taken = atom.source[1].size, atom.destination[1].size
    if size(src) % given or size(src) // given * taken != size(dst):
        raise ValueError(f"{op.atom_name} takes {given} elements of a thread and gives {taken}, and this copy has {src.layout} and "
                         f"{dst.layout}; partition both by one tiled copy of the atom")
    (_traced if active() else _exchanged)(atom, src, dst, given, taken)


def _exchanged(atom, src, dst, given, taken):
    me, count = thread_of("copy"), size(src) // given
    rows, loads = 8 * atom.op.num_matrices, isinstance(atom.op, LdMatrix8x8x16bOp)
    lane = me.index % WARP
    gives, takes = (lane < rows or not loads), (lane < rows or loads)
    values = me.exchanged([src[i] for i in range(size(src))] if gives else None)
    if len(values) != WARP:
        raise RuntimeError(f"{atom.op.atom_name} needs the {WARP} threads of a warp, and {len(values)} are here (block {me.block.index}, "
                           f"thread {me.index}); let all of them reach the copy")
    holders = _holders(atom.source, rows if loads else WARP)
    for n in range(count if takes else 0):
        for i in range(taken):
            giver, value = holders[atom.destination(lane, i)]
            dst[taken * n + i] = values[giver][given * n + value]


def _traced(atom, src, dst, given, taken):
    loads = isinstance(atom.op, LdMatrix8x8x16bOp)
    (rows, row), (parts, each) = ((src, given), (dst, taken)) if loads else ((dst, taken), (src, given))
    offsets = rows.plain.offsets()
    follow = all(offsets[i] + 1 == offsets[i + 1] for i in range(len(offsets) - 1) if (i + 1) % row)
    if not follow or rows.swizzling is not None and (1 << rows.swizzling.base) % row:
        raise ValueError(f"{atom.op.atom_name} accesses rows of {row} contiguous elements, which {rows.layout} has not{active().where()}")
    for n in range(size(rows) // row):
        part = [(parts.iterator.memory, parts.place(each * n + i)) for i in range(each)]
        active().move_matrices(atom.op, rows.iterator.memory, rows.place(row * n), part, loads)

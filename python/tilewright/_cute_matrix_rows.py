"""ldmatrix and stmatrix of primitives: a warp loads or stores matrices of 8 x 8 elements of 16 bits, whose rows lanes point to.

Lanes 8 j to 8 j + 7 give the rows of matrix j. Lane t has, of each matrix, 32 bits: the elements (t / 4, 2 (t % 4)) and the one beside it;
by MMALayout.COL those of the transposed matrix.
"""
import enum

from ._cute_launch import thread_of, WARP
from ._cute_numbers import Int32, Uint16
from ._cute_ssa import TensorSSA
from ._cute_values import active, Value


class MMALayout(enum.Enum):
    """Whether lanes have parts of rows or of columns."""

    ROW, COL = "row", "col"


class LoadShape(enum.Enum):
    """The matrices that ldmatrix loads."""

    M8N8, M8N16, M16N16 = "m8n8", "m8n16", "m16n16"


class StoreShape(enum.Enum):
    """The matrices that stmatrix stores."""

    M8N8, M16N8 = "m8n8", "m16n8"


class LoadSrcFormat(enum.Enum):
    """The elements that ldmatrix reads."""

    B16, B8, B6, B4 = "b16", "b8", "b6x16_p32", "b4x16_p64"


def _checked(name, pointer, count, shape):
    if shape is not None and shape.value != "m8n8":
        raise TypeError(f"{name} of {shape.name} is of other GPUs and not run here; there is M8N8")
    if count not in (1, 2, 4):
        raise ValueError(f"{name} is of 1, 2 or 4 matrices, and not of {count}")
    if pointer.memspace != "smem":
        raise TypeError(f"{name} is of shared memory, and the pointer is {pointer}")


def _place(lane, element, transposed):
    """(row, element of the row) of one of the two elements that a lane has of a matrix."""
    row, column = lane // 4, 2 * (lane % 4) + element
    return (column, row) if transposed else (row, column)


def _rows(name, pointer, *values):
    """{lane: (pointer to its row as elements of 16 bits, …values)} of the warp, and this thread's lane."""
    me = thread_of(name)
    return me.exchanged((pointer.recast(Uint16), *values)), me.index % WARP


def ldmatrix(pointer, count, layout, shape=None):
    """The 32 bits of each of `count` matrices that this lane has."""
    _checked("ldmatrix", pointer, count, shape)
    transposed = layout is MMALayout.COL
    if active():
        return _traced_load(pointer, count, transposed)
    given, lane = _rows("ldmatrix", pointer)
    out = []
    for j in range(count):
        words = 0
        for element in (0, 1):
            row, at = _place(lane, element, transposed)
            words |= int((given[8 * j + row][0] + at).load()) << 16 * element
        out.append(Int32(words))
    thread_of("ldmatrix").sync_warp()
    return TensorSSA(out, count, Int32)


def stmatrix(pointer, registers, layout, shape=None):
    """Stores the 32 bits that each lane has of each matrix."""
    values = list(getattr(registers, "values", registers))
    _checked("stmatrix", pointer, len(values), shape)
    transposed = layout is MMALayout.COL
    if active():
        return _traced_store(pointer, values, transposed)
    given, lane = _rows("stmatrix", pointer)
    for j, word in enumerate(values):
        for element in (0, 1):
            row, at = _place(lane, element, transposed)
            (given[8 * j + row][0] + at).store(Uint16(int(word) >> 16 * element & 0xffff))
    thread_of("stmatrix").sync_warp()


def _address(pointer):
    trace, name = active(), active().name("row")
    trace.line(f"unsigned const {name} = (unsigned)__cvta_generic_to_shared({trace.address_text(pointer)});")
    return name


def _traced_load(pointer, count, transposed):
    trace, row = active(), _address(pointer)
    names = [trace.name("w") for _ in range(count)]
    trace.line(f"int {', '.join(names)};")
    places, out = ", ".join(f"%{i}" for i in range(count)), ", ".join(f"\"=r\"({n})" for n in names)
    trace.line(f"asm volatile(\"ldmatrix.sync.aligned.m8n8.x{count}{'.trans' if transposed else ''}.shared.b16 {{{places}}}, [%{count}];\" : {out} : \"r\"({row}) : \"memory\");")
    return TensorSSA([Value(trace, n, "int32") for n in names], count, Int32)


def _traced_store(pointer, values, transposed):
    trace, row = active(), _address(pointer)
    places = ", ".join(f"%{i + 1}" for i in range(len(values)))
    given = ", ".join(f"\"r\"({trace.converted(v, 'int32')})" for v in values)
    trace.line(f"asm volatile(\"stmatrix.sync.aligned.m8n8.x{len(values)}{'.trans' if transposed else ''}.shared.b16 [%0], {{{places}}};\" : : \"r\"({row}), {given} : \"memory\");")

"""Kernels for a GPU: a kernel's function is run once, on values that stand for what a thread computes, and every operation
writes a line of CUDA C++. The layout algebra runs at that time; its symbolic answers become index arithmetic.

    @cute.kernel
    def scale(a):                        const long long ix1 = threadIdx.x;
        i, _, _ = cute.arch.thread_idx() const float v2 = p0[ix1];
        a[i] = a[i] * 10                 const float v3 = v2 * 10.f;
                                         p0[ix1] = v3;
"""
import re
import sys

import numpy as np

from . import _cute_control
from ._cute_threads import SHARED_BYTES
from ._cute_numbers import number_type
from ._cute_packed import PACKED, units_of
from ._cute_text import ASYNC, BOXES, EXTREMES, HALF_BYTES, LOG_BYTES, MATRICES, PRELUDE, PRINTING, WARPGROUPS
from ._cute_trace_loops import ControlFlow, Left
from ._cute_trace_matrices import MatrixLines
from ._cute_trace_memory import TracedMemory
from ._cute_values import (_active, FLOATS, NARROW, TYPES, Value, bytes_of, computed_as, constant_text, is_positive, joint, kind_of,
                           kind_of_number, pointed, WIDE)

BOX_ALIGNMENT = 1024
STATIC_BYTES = 48 << 10  # shared memory that every kernel has; a block may ask for SHARED_BYTES


class Trace(ControlFlow, MatrixLines):
    """A kernel that is traced: its lines, and what they need."""

    def __init__(self, block, cluster=(1, 1, 1), smem=None):
        self.cluster, self.smem = cluster, smem  # smem: bytes that the launch asks for
        self.block, self.lines, self.count, self.dynamic = block, [], 0, 0
        self.symbols, self.kinds, self.sites, self.shared_bytes = set(), set(), [], 0
        self.parameters, self.arrays = [], []
        self.shared = []  # (first byte, type, name, count)
        self.known = {}  # place of a thread -> Value
        self.has_async = self.has_float_extremes = self.has_warpgroups = self.needs_own_instructions = False
        self.sums: set = set()  # (name, count, kind) of arrays that a warpgroup's products change
        self.fields: dict = {}  # what TiledMma.set() sets -> its variable
        self.headers = set()  # of the library, that its lines need
        self.maps: list = []  # TMA atoms whose maps are parameters
        self.has_boxes, self.dynamic_smem = False, None

    # --- lines ------------------------------------------------------------------------------------------------------------
    def line(self, text):
        self.lines.append(text)

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def let(self, kind, text, positive=False):
        """A new constant of the kernel."""
        name = self.name("ix" if kind == "index" else "v")
        self.kinds.add(kind)
        if kind == "index":
            self.symbols.add(name)
        self.line(f"const {TYPES[kind]} {name} = {text};")
        return Value(self, name, kind, positive)

    def number(self, value):
        """The text of a value for arithmetic."""
        return f"({TYPES[computed_as(value.kind)]}){value.name}" if value.kind in (*NARROW, *PACKED) else value.name

    def operand(self, value, kind):
        """The text of a number in arithmetic of that type."""
        return self.converted(value, kind) if isinstance(value, Value) else constant_text(value, kind)

    def converted(self, value, kind):
        """The text of a number as one of that type."""
        if isinstance(value, Value):
            return value.name if value.kind == kind else f"({TYPES[kind]})({self.number(value)})"
        if isinstance(value, (bool, int, float, np.number, np.bool_)):
            return constant_text(value, kind)
        raise TypeError(f"an element of {kind} becomes a number, not {type(value).__name__}{self.where()}")

    def combine(self, operator, a, b, kind, positive, swapped):
        if swapped:
            a, b = b, a
        if operator in ("==", "!=", "<", "<=", ">", ">="):
            return self.let("bool", f"{a} {operator} {b}")
        of = TYPES[computed_as(kind)]
        if kind in FLOATS and operator in ("//", "%"):
            quotient = f"floor({a} / {b})"
            text = quotient if operator == "//" else f"{a} - {quotient} * {b}"
        elif operator in ("//", "%"):
            call = "tw_div" if operator == "//" else "tw_mod"
            text = f"{a} {operator[0]} {b}" if positive else f"{call}<{of}>({a}, {b})"
        else:
            text = f"{a} {operator} {b}"
        if kind in ("int8", "int16", "uint8", "uint16", *NARROW, *PACKED):  # C++ computes in a wider type
            text = f"({TYPES[kind]})({text})"
        return self.let(kind, text, positive and operator != "-")

    def select(self, test, a, b):
        """`test ? a : b` of two numbers."""
        kind = joint(a, b)
        return self.let(kind, f"{test.name} ? {self.converted(a, kind)} : {self.converted(b, kind)}", is_positive(a) and is_positive(b))

    def call(self, name, x):
        """A function of CUDA's mathematics, computed as float for numbers of 2 bytes."""
        text = f"{name}({self.number(x)})"
        return self.let(x.kind, f"({TYPES[x.kind]})({text})" if x.kind in NARROW else text)

    def power(self, a, b):
        """a to the power of b, computed as a float."""
        kind = joint(a, b)
        kind = kind if kind in FLOATS else "float64"
        of = "float32" if kind in NARROW else kind
        text = f"pow({self.operand(a, of)}, {self.operand(b, of)})"
        return self.let(kind, f"({TYPES[kind]})({text})" if kind in NARROW else text)

    def exchanged(self, name, value, argument, width=32, lanes=-1):
        """A value of another lane of the warp; numbers of less than 4 bytes cross as float or int. `lanes`: those that come here, as bits."""
        kind = value.kind if isinstance(value, Value) else kind_of_number(value)
        self.refuse_wide(kind, "exchange with another lane")
        of = "float" if kind in NARROW else "int" if bytes_of(kind) < 4 else TYPES[kind]
        text = self.number(value) if isinstance(value, Value) else self.converted(value, kind)
        made = f"__{name}_sync({self.lanes(lanes)}, ({of}){text}, {self.converted(argument, 'int32')}{'' if width == 32 else f', {width}'})"
        return self.let(kind, f"({TYPES[kind]}){made}", is_positive(value))

    def lanes(self, mask):
        """The text of the lanes that take part in an operation of a warp."""
        return f"{int(mask) & 0xffffffff:#x}u" if not isinstance(mask, Value) else self.converted(mask, "uint32")

    def refuse_wide(self, kind, what):
        """error: TypeError for integers of two words"""
        if kind in WIDE:
            raise TypeError(f"a GPU does not {what} numbers of {kind}; convert both halves to Uint64: x.to(cutlass.Uint64) and (x >> 64).to(cutlass.Uint64){self.where()}")

    def field_of(self, fields):
        """The variable that TiledMma.set() sets."""
        if fields not in self.fields:
            self.fields[fields] = self.name("adds")
            self.arrays.append(f"bool {self.fields[fields]} = true;")
        return self.fields[fields]

    def tensor_map(self, atom):
        """The parameter that is the map of a TMA atom."""
        if atom not in self.maps:
            self.maps.append(atom)
            self.parameters.append(f"const __grid_constant__ tw_tensor_map m{len(self.maps) - 1}")
            self.headers.add("tilewright/atom/ptx/cluster.hpp")
            self.has_boxes = True
        return f"m{self.maps.index(atom)}"

    def address_text(self, pointer):
        """The address that a pointer is, as a pointer of C++."""
        return f"({pointer.memory.name} + {self._text(pointer.offset)})"

    def asynchronous(self, call):
        """A line that needs the header of asynchronous copies."""
        self.has_async = True
        self.line(f"{call};")

    def from_text(self, text):
        """An integer that the algebra gives in terms of the kernel's values."""
        def checked(match):
            word = match[0]
            if word in ("ceil_div", "min", "max", "abs", "sign"):
                return f"tw_{word}"
            if word not in self.symbols:
                raise TypeError(f"{text}: {word} has no value in a kernel{self.where()}")
            return word
        return self.let("index", re.sub(r"[A-Za-z_]\w*", checked, text), positive=True)

    def offset_of(self, text, evaluate):
        """An offset as an integer, or as a Value where the coordinate in the text has one."""
        out = evaluate(text)
        return self.from_text(out) if isinstance(out, str) else out

    def where(self):
        """" (file:line)" of the user's code that runs."""
        frame = sys._getframe(1)
        while frame is not None:
            path = frame.f_code.co_filename
            if frame.f_globals.get("__package__") != "tilewright":
                return f" ({path.rsplit('/', 1)[-1]}:{frame.f_lineno})"
            frame = frame.f_back
        return ""

    def describe(self, value):
        return "this condition" if value.kind == "bool" else f"this {value.kind}"

    # --- what a thread knows ------------------------------------------------------------------------------------------------
    def place(self, what):
        """threadIdx and blockIdx; an extent of 1 has index 0."""
        def one(axis, extent):
            if extent == 1:
                return 0
            if (what, axis) not in self.known:
                self.known[what, axis] = Value(self, f"{what}_{axis}", "index", positive=True)
                self.symbols.add(f"{what}_{axis}")
            return self.known[what, axis]
        extents = self.block if what == "threadIdx" else (None, None, None)
        return tuple(one(axis, extent) for axis, extent in zip("xyz", extents))

    def linear_thread(self):
        x, y, z = self.place("threadIdx")
        return x + self.block[0] * (y + self.block[1] * z)

    def allocate(self, count, dtype, space):
        kind = kind_of(dtype)
        self.kinds.add(kind)
        if not isinstance(count, int) or count < 0:
            raise TypeError(f"memory of a kernel has a size that is known when it is traced{self.where()}")
        name = self.name("s" if space == "smem" else "r")
        if space == "smem":
            bytes_ = int(units_of(count, kind) * (1 if kind in PACKED else bytes_of(kind)))
            large = bytes_ >= BOX_ALIGNMENT  # boxes of TMA are at multiples of it
            self.shared_bytes = -(-self.shared_bytes // BOX_ALIGNMENT) * BOX_ALIGNMENT if large else self.shared_bytes
            self.shared.append((self.shared_bytes, pointed(kind), name, max(units_of(count, kind), 1)))
            self.shared_bytes += -(-bytes_ // 16) * 16
            if self.shared_bytes > SHARED_BYTES:
                raise ValueError(f"the kernel allocates {self.shared_bytes} bytes of shared memory; a block has {SHARED_BYTES}")
        else:
            self.arrays.append(f"alignas(16) {pointed(kind)} {name}[{max(units_of(count, kind), 1)}]{'' if kind in NARROW and kind not in PACKED else ' = {}'};")
        return TracedMemory(self, name, kind, number_type(dtype), space, count)

    def move(self, to, to_at, source, from_at, count, asynchronous=False):
        """One access of `count` elements."""
        of, name = TYPES[to.kind], "tw_move_async" if asynchronous else "tw_move"
        self.has_async |= asynchronous
        if to.kind in PACKED:
            if any(not isinstance(at, Value) and at % count for at in (to_at, from_at)):
                raise ValueError(f"an access of {count} elements of 4 bits begins at a multiple of them, and this one at {to_at} and {from_at}{self.where()}")
            return self.line(f"{name}<{count // 2}>({to.name} + ({self._text(to_at)}) / 2, {source.name} + ({self._text(from_at)}) / 2);")
        self.line(f"{name}<{count} * sizeof({of})>({to.name} + {self._text(to_at)}, {source.name} + {self._text(from_at)});")

    def _text(self, x):
        return self.number(x) if isinstance(x, Value) else str(x)

    def print_values(self, values, format_values):
        """The kernel notes these numbers; format_values of them is printed after the launch."""
        kinds = []
        self.line("if (unsigned long long* const record = tw_record(tw_log, "
                  f"{len(self.sites)}u, {len(values)}u, tw_turn++)) {{")
        for i, value in enumerate(values):
            if not isinstance(value, Value):
                value = self.let("index" if isinstance(value, int) else "float64", constant_text(value, "float64" if isinstance(value, float) else "index"))
            value = self.let("int32", self.number(value)) if value.kind in PACKED else value
            self.refuse_wide(value.kind, "print")
            kinds.append(value.kind)
            self.line(f"record[{i}] = tw_bits({value.name});")
        self.line("}")
        self.sites.append((kinds, format_values))

    @property
    def dynamic_bytes(self):
        """The shared memory that a launch must ask for; 0 where the kernel's own arrays hold it."""
        return self.shared_bytes if self.shared_bytes > STATIC_BYTES else 0

    def _shared_arrays(self):
        if not self.dynamic_bytes:
            return [f"alignas({BOX_ALIGNMENT if self.has_boxes and at % BOX_ALIGNMENT == 0 else 16}) __shared__ {of} {name}[{count}];"
                    for at, of, name, count in self.shared]
        alignment = BOX_ALIGNMENT if self.has_boxes else 128
        return [f"extern __shared__ __align__({alignment}) unsigned char tw_shared[];"] + [
            f"{of}* const {name} = reinterpret_cast<{of}*>(tw_shared + {at});" for at, of, name, _ in self.shared]

    # --- the kernel's text ----------------------------------------------------------------------------------------------------
    def source(self, name):
        threads = self.block[0] * self.block[1] * self.block[2]
        narrow = '#include "tilewright/tensor/small_float.hpp"\n' if self.kinds & set(NARROW) else ""
        narrow += '#include "tilewright/tensor/element.hpp"\n' if self.kinds & set(PACKED) else ""
        narrow += "".join(f'#include "{header}"\n' for header in sorted(self.headers))
        asynchronous = HALF_BYTES if self.kinds & set(PACKED) else ""
        asynchronous += (ASYNC if self.has_async else "") + (MATRICES if self.has_matrices else "")
        asynchronous += WARPGROUPS if self.has_warpgroups else ""
        asynchronous += (EXTREMES if self.has_float_extremes else "") + (BOXES if self.has_boxes else "")
        printing = f"#define TW_LOG_BYTES {LOG_BYTES}ull\n{PRINTING}" if self.sites else ""
        body = [f"const long long {what}_{axis} = {what}.{axis};" for what, axis in sorted(self.known)]
        body += self._shared_arrays() + self.arrays + (["unsigned tw_turn = 0;"] if self.sites else []) + self.lines
        text, depth = [], 1
        for one in body:
            depth -= one.startswith("}")
            text.append("  " * depth + one)
            depth += one.endswith("{")
        cluster = "" if self.cluster == (1, 1, 1) else "__cluster_dims__({}, {}, {}) ".format(*self.cluster)
        if self.has_warpgroups:
            printing += f"#define TW_HOLD_SUMS {' '.join(f'tw_hold({name});' for name, _, _ in sorted(self.sums))}\n"
        blocks = ", 1" if self.needs_own_instructions else ""  # the compiler moves registers between warpgroups where it knows how many there are
        return (f"{narrow}{PRELUDE}{asynchronous}{printing}extern \"C\" __global__ void {cluster}__launch_bounds__({threads}{blocks}) {name}("
                + ", ".join([*self.parameters, "unsigned char* tw_log"]) + ") {\n" + "\n".join(text) + "\n}\n")


def traced(function, arguments, block, cluster=(1, 1, 1), smem=None):
    """(trace, source): each of `arguments` is a function of the trace that gives the argument, such as a tensor's parameter."""
    trace = Trace(block, cluster, smem)
    token = _active.set(trace)
    try:
        made = [a(trace) for a in arguments]
        try:
            _cute_control.rewritten(function, trace, is_kernel=True)(*made)
        except Left:
            pass
    finally:
        _active.reset(token)
    return trace, trace.source(function.__name__)

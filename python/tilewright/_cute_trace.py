"""Kernels for a GPU: a kernel's function is run once, on values that stand for what a thread computes, and every operation
writes a line of CUDA C++. The layout algebra runs at that time; its symbolic answers become index arithmetic.

    @cute.kernel
    def scale(a):                        const long long ix1 = threadIdx.x;
        i, _, _ = cute.arch.thread_idx() const float v2 = p0[ix1];
        a[i] = a[i] * 10                 const float v3 = v2 * 10.f;
                                         p0[ix1] = v3;
"""
import builtins
import operator
import re
import sys

import numpy as np

from . import _cute_control
from ._cute_numbers import number_type
from ._cute_text import ASYNC, BOXES, EXTREMES, LOG_BYTES, MATRICES, PRELUDE, PRINTING, WARPGROUPS
from ._cute_trace_matrices import MatrixLines
from ._cute_tree import alike, copied, mapped, parts_of
from ._cute_values import _active, FLOATS, NARROW, TYPES, Value, active, bytes_of, constant_text, joint_kind, kind_of, Truth

UNROLLED = 256  # loops of more rounds stay loops
BOX_ALIGNMENT = 1024
STATIC_BYTES, SHARED_BYTES = 48 << 10, 227 << 10  # shared memory that every kernel has, and that a block may ask for


class Left(Exception):
    """`return` in a part of a function that became one of its own."""


class DynamicRange:
    """cutlass.range whose rounds become a loop of the kernel."""

    def __init__(self, bounds):
        start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        if isinstance(step, Value) or step == 0:
            raise TypeError("the step of a loop on a GPU is a number other than 0 that is known when the kernel is traced")
        self.start, self.stop, self.step = start, stop, step

    def __iter__(self):
        active()._refuse_loop()


def _range(*bounds, unroll=None, unroll_full=False, **_):
    return DynamicRange(bounds) if any(isinstance(b, Value) for b in bounds) else range(*bounds)


def _extreme(name, compare):
    def of(*values, **options):
        every = list(values[0]) if len(values) == 1 else list(values)
        if options or not any(isinstance(v, Value) for v in every):
            return getattr(builtins, name)(*values, **options)
        out = every[0]
        for v in every[1:]:
            test = compare(v, out)
            out = test.trace.select(test, v, out) if isinstance(test, Value) else v if test else out
        return out
    return of


def _any(values):
    out = False
    for v in values:
        if out is False and not isinstance(v, Value):
            out = bool(v)
        elif out is not True:
            out = v | out
    return out


def _all(values):
    out = True
    for v in values:
        if out is True and not isinstance(v, Value):
            out = bool(v)
        elif out is not False:
            out = v & out
    return out


smallest, largest = _extreme("min", operator.lt), _extreme("max", operator.gt)


class TracedMemory:
    """Memory of a kernel: a pointer or an array in its text."""

    first_byte = 0  # in the allocation that it is a part of

    def __init__(self, trace, name, kind, dtype, space, count):
        self.trace, self.name, self.kind, self.dtype, self.space, self.count = trace, name, kind, dtype, space, count

    def recast(self, dtype):
        """The same bytes as elements of another type."""
        kind = kind_of(dtype)
        self.trace.kinds.add(kind)
        made = TracedMemory(self.trace, f"reinterpret_cast<{TYPES[kind]}*>({self.name})", kind, dtype, self.space,
                            self.count * bytes_of(self.kind) // bytes_of(kind))
        made.first_byte = self.first_byte
        return made

    def part(self, first, count, dtype):
        """So many elements of another type from a byte on."""
        kind = kind_of(dtype)
        self.trace.kinds.add(kind)
        name = f"reinterpret_cast<{TYPES[kind]}*>(reinterpret_cast<unsigned char*>({self.name}) + {first})"
        made = TracedMemory(self.trace, f"({name})", kind, dtype, self.space, count)
        made.first_byte = self.first_byte + first
        return made

    def _at(self, at, describe):
        if isinstance(at, Value):
            return self.trace.number(at)
        if not 0 <= at < self.count:
            raise IndexError(f"{describe()} is at offset {at}, outside of the {self.count} elements in {self.space}"
                             + self.trace.where())
        return str(at)

    def load(self, at, describe):
        return self.trace.let(self.kind, f"{self.name}[{self._at(at, describe)}]")

    def _place(self, at):
        return f"{self.name} + {self.trace.number(at) if isinstance(at, Value) else self._at(at, lambda: 'an element')}"

    def _fenced(self, sem, scope, make):
        """The value that make() gives, ordered as `sem` says."""
        fence = {"cta": "__threadfence_block();", "sys": "__threadfence_system();"}.get(scope, "__threadfence();")
        if sem in ("release", "acq_rel"):
            self.trace.line(fence)
        out = make()
        if sem in ("acquire", "acq_rel"):
            self.trace.line(fence)
        return out

    def change_atomically(self, name, at, values, sem, scope):
        place, kind, given = self._place(at), self.kind, [self.trace.converted(v, self.kind) for v in values]
        wide, system = kind in ("int64", "index", "uint64"), "_system" if scope == "sys" else ""
        if kind not in ATOMIC[name]:
            raise TypeError(f"a GPU has no atomic operation '{name}' of {kind}; it has it of {', '.join(ATOMIC[name])}{self.trace.where()}")
        if kind == "float32" and name in ("max", "min"):
            self.trace.has_float_extremes = True
            call = f"tw_atomic_f{name}({place}, {given[0]})"
        else:
            of = "unsigned long long" if wide and name not in ("max", "min") else TYPES[kind]
            cased = {"cas": "CAS"}.get(name, name.capitalize())
            call = f"({TYPES[kind]})atomic{cased}{system}(reinterpret_cast<{of}*>({place}), {', '.join(f'({of}){g}' for g in given)})"
        return self._fenced(sem, scope, lambda: self.trace.let(kind, call))

    def load_ordered(self, at, sem, scope):
        text = f"*const_cast<{TYPES[self.kind]} const volatile*>({self._place(at)})"
        return self._fenced(sem, scope, lambda: self.trace.let(self.kind, text))

    def store_ordered(self, at, value, sem, scope):
        text = f"*const_cast<{TYPES[self.kind]} volatile*>({self._place(at)}) = {self.trace.converted(value, self.kind)};"
        self._fenced(sem, scope, lambda: self.trace.line(text))

    def store(self, at, value, describe):
        self.trace.line(f"{self.name}[{self._at(at, describe)}] = {self.trace.converted(value, self.kind)};")


#: Atomic operations of CUDA: name -> element types.
_WORDS = ("int32", "uint32", "int64", "uint64", "index")
ATOMIC = {"add": (*_WORDS, "float32", "float64"), "exch": (*_WORDS, "float32"), "max": (*_WORDS, "float32"), "min": (*_WORDS, "float32"),
          "and": _WORDS, "or": _WORDS, "xor": _WORDS, "cas": _WORDS}


class Trace(MatrixLines):
    def __init__(self, block, cluster=(1, 1, 1)):
        self.cluster = cluster
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
        self.has_boxes = False

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
        return f"(float){value.name}" if value.kind in NARROW else value.name

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
        of = "float" if kind in NARROW else TYPES[kind]
        if kind in FLOATS and operator in ("//", "%"):
            quotient = f"floor({a} / {b})"
            text = quotient if operator == "//" else f"{a} - {quotient} * {b}"
        elif operator in ("//", "%"):
            call = "tw_div" if operator == "//" else "tw_mod"
            text = f"{a} {operator[0]} {b}" if positive else f"{call}<{of}>({a}, {b})"
        else:
            text = f"{a} {operator} {b}"
        if kind in ("int8", "int16", "uint8", "uint16", *NARROW):  # C++ computes in a wider type
            text = f"({TYPES[kind]})({text})"
        return self.let(kind, text, positive and operator != "-")

    def select(self, test, a, b):
        """`test ? a : b` of two numbers."""
        kind = _joint(a, b)
        return self.let(kind, f"{test.name} ? {self.converted(a, kind)} : {self.converted(b, kind)}", _positive(a) and _positive(b))

    def call(self, name, x):
        """A function of CUDA's mathematics, computed as float for numbers of 2 bytes."""
        text = f"{name}({self.number(x)})"
        return self.let(x.kind, f"({TYPES[x.kind]})({text})" if x.kind in NARROW else text)

    def power(self, a, b):
        """a to the power of b, computed as a float."""
        kind = _joint(a, b)
        kind = kind if kind in FLOATS else "float64"
        of = "float32" if kind in NARROW else kind
        text = f"pow({self.operand(a, of)}, {self.operand(b, of)})"
        return self.let(kind, f"({TYPES[kind]})({text})" if kind in NARROW else text)

    def exchanged(self, name, value, argument):
        """A value of another lane of the warp; numbers of less than 4 bytes cross as float or int."""
        kind = value.kind if isinstance(value, Value) else _kind(value)
        of = "float" if kind in NARROW else "int" if bytes_of(kind) < 4 else TYPES[kind]
        text = self.number(value) if isinstance(value, Value) else self.converted(value, kind)
        made = f"__{name}_sync(0xffffffffu, ({of}){text}, {self.converted(argument, 'int32')})"
        return self.let(kind, f"({TYPES[kind]}){made}", _positive(value))

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
            large = count * int(bytes_of(kind)) >= BOX_ALIGNMENT  # boxes of TMA are at multiples of it
            self.shared_bytes = -(-self.shared_bytes // BOX_ALIGNMENT) * BOX_ALIGNMENT if large else self.shared_bytes
            self.shared.append((self.shared_bytes, TYPES[kind], name, max(count, 1)))
            self.shared_bytes += -(-count * int(bytes_of(kind)) // 16) * 16
            if self.shared_bytes > SHARED_BYTES:
                raise ValueError(f"the kernel allocates {self.shared_bytes} bytes of shared memory; a block has {SHARED_BYTES}")
        else:
            self.arrays.append(f"alignas(16) {TYPES[kind]} {name}[{max(count, 1)}]{'' if kind in NARROW else ' = {}'};")
        return TracedMemory(self, name, kind, number_type(dtype), space, count)

    def move(self, to, to_at, source, from_at, count, asynchronous=False):
        """One access of `count` elements."""
        of, name = TYPES[to.kind], "tw_move_async" if asynchronous else "tw_move"
        self.has_async |= asynchronous
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
            kinds.append(value.kind)
            self.line(f"record[{i}] = tw_bits({value.name});")
        self.line("}")
        self.sites.append((kinds, format_values))

    # --- control flow: what _cute_control calls -----------------------------------------------------------------------------
    def value_of(self, name, get):
        try:
            return get()
        except NameError:
            return _cute_control.Absent(name)

    def _captured(self, run):
        """(lines that run() writes, what it returns)"""
        before, self.lines = self.lines, []
        self.dynamic += 1
        try:
            out = run()
            return self.lines, out
        finally:
            self.lines = before
            self.dynamic -= 1

    def branch(self, test, then, other, names, state):
        if not isinstance(test, Value):
            return (then if test else other)(*state)
        # Each branch has lists and dictionaries of its own to change.
        here, mine = self._captured(lambda: then(*map(copied, state)))
        there, theirs = self._captured(lambda: other(*map(copied, state)))
        out = [self._joined(name, a, b, here, there) for name, a, b in zip(names, mine, theirs)]
        self.lines += [f"if ({test.name}) {{", *here, "} else {", *there, "}"] if there else [f"if ({test.name}) {{", *here, "}"]
        return tuple(out)

    def _joined(self, name, a, b, here, there):
        """The value of a name after a condition: a variable that both branches assign."""
        if a is b:
            return a
        if alike(a, b):
            values, made_of = parts_of(a)
            return made_of([self._joined(name, x, y, here, there) for x, y in zip(values, parts_of(b)[0])])
        if not (_is_number(a) and _is_number(b)):
            return a if not isinstance(a, Value) and not isinstance(b, Value) and _equal(a, b) else _cute_control.Absent(name)
        if not isinstance(a, Value) and not isinstance(b, Value) and type(a) is type(b) and a == b:
            return a
        kind = _joint(a, b)
        variable = self.name("ix" if kind == "index" else "m")
        self.kinds.add(kind)
        if kind == "index":
            self.symbols.add(variable)
        self.line(f"{TYPES[kind]} {variable};")
        here.append(f"{variable} = {self.converted(a, kind)};")
        there.append(f"{variable} = {self.converted(b, kind)};")
        return Value(self, variable, kind, _positive(a) and _positive(b))

    def builtin(self, name, found):
        """What Python's own range, min, max, any and all are in a kernel; another function of that name is itself."""
        if found is not getattr(builtins, name):
            return found
        return {"range": _range, "min": smallest, "max": largest, "any": _any, "all": _all}[name]

    def loop(self, over, body, names, state, stop=None):
        """`stop` names the flag that ends the loop."""
        flag = names.index(stop) if stop else None
        if not isinstance(over, DynamicRange):
            for item in over:
                if flag is not None and state[flag] is True:
                    break
                if flag is not None and isinstance(state[flag], Value):
                    state = self.branch(self.negated(state[flag]), lambda *s, it=item: body(it, *s), lambda *s: s, names, state)
                else:
                    state = body(item, *state)
            return state
        index = self.name("ix")
        self.symbols.add(index)
        start, stop, step = self.converted(over.start, "index"), self.converted(over.stop, "index"), over.step
        head = f"for (long long {index} = {start}; {index} {'<' if step > 0 else '>'} {stop}; {index} += {step}) {{"
        item = Value(self, index, "index", _positive(over.start) and step > 0)

        def once(s):
            if flag is not None and isinstance(s[flag], Value):
                self.line(f"if ({s[flag].name}) break;")
            return body(item, *s)
        return self._repeated(head, once, names, state)

    def while_loop(self, test, body, names, state):
        """Rounds whose condition is known are run one by one; from the first that the GPU decides on, it is a loop of the kernel."""
        while True:
            lines, asked = self._captured(lambda: test(*state))
            if isinstance(asked, Value):
                break
            self.lines += lines
            if not asked:
                return state
            state = body(*state)

        def once(s):
            self.line(f"if (!({self.converted(test(*s), 'bool')})) break;")
            return body(*s)
        return self._repeated("for (;;) {", once, names, state)

    def _repeated(self, head, once, names, state):
        """A loop: each number that it changes is a variable, read at the start of a round and assigned at its end. Containers of
        numbers are taken apart."""
        state = tuple(map(copied, state))
        every_round = once

        def once(s):  # what has no value before the loop has none behind it
            return tuple(x if isinstance(x, _cute_control.Absent) else y for x, y in zip(state, every_round(s)))
        flat, whole = _flat(state)
        kinds = {i: _kind(x) for i, x in enumerate(flat) if _is_number(x)}
        if any(type(flat[i]) is float for i in kinds):  # Python's float gives way to the element type that a round makes of it
            first, _ = _flat(self._captured(lambda: once(tuple(map(copied, state))))[1])
            for i, x in enumerate(flat):
                if type(x) is float and len(first) == len(flat) and isinstance(first[i], Value) and first[i].kind in FLOATS:
                    kinds[i] = first[i].kind
        while True:
            variables = {i: self.name("m") for i in kinds}

            def run():
                now = list(flat)
                for i, kind in kinds.items():
                    now[i] = self.let(kind, variables[i])
                return once(tuple(map(copied, whole(now))))
            lines, out = self._captured(run)
            after, _ = _flat(out)
            if len(after) != len(flat):
                changed = [n for n, x, y in zip(names, state, out) if len(_flat((x,))[0]) != len(_flat((y,))[0])]
                raise TypeError(f"{', '.join(changed) or 'a container'} changes its number of values within a loop that the GPU runs; make "
                                f"it of its final size before{self.where()}")
            wider = {i: joint_kind(kinds[i], _kind(after[i])) for i in kinds if _is_number(after[i])}
            if all(wider[i] == kinds[i] for i in wider):
                break
            kinds.update(wider)
        for i, variable in variables.items():
            self.line(f"{TYPES[kinds[i]]} {variable} = {self.converted(flat[i], kinds[i])};")
            if _is_number(after[i]):
                lines.append(f"{variable} = {self.converted(after[i], kinds[i])};")
        self.lines += [head, *lines, "}"]
        places = [n for n, x in zip(names, state) for _ in _flat((x,))[0]]
        return whole([self.let(kinds[i], variables[i]) if i in kinds and _is_number(after[i])
                      else before if after[i] is before or _equal(after[i], before) else _cute_control.Absent(places[i])
                      for i, before in enumerate(flat)])

    def _refuse_loop(self):
        raise TypeError("this loop runs on the GPU, and Python cannot run it: write it in a @cute.kernel or @cute.jit function "
                        f"whose source can be read, without else, and without exits in try or with{self.where()}")

    def leave(self):
        if not self.dynamic:
            raise Left
        self.line("return;")

    def _truth(self, x):
        return x if isinstance(x, Value) else bool(x)

    def all_of(self, *terms):
        out = terms[0]()
        for term in terms[1:]:
            if isinstance(out, Value):
                out, = self.branch(out, lambda t=term: (self._truth(t()),), lambda: (False,), ("it",), ())
            elif out:
                out = term()
        return out

    def any_of(self, *terms):
        out = terms[0]()
        for term in terms[1:]:
            if isinstance(out, Value):
                out, = self.branch(out, lambda: (True,), lambda t=term: (self._truth(t()),), ("it",), ())
            elif not out:
                out = term()
        return out

    def negated(self, x):
        return self.let("bool", f"!{x.name}") if isinstance(x, Value) else not x

    def choose(self, test, a, b):
        return self.branch(test, lambda: (a(),), lambda: (b(),), ("the conditional expression",), ())[0]

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
        narrow += "".join(f'#include "{header}"\n' for header in sorted(self.headers))
        asynchronous = (ASYNC if self.has_async else "") + (MATRICES if self.has_matrices else "")
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
        return (f"{narrow}{PRELUDE}{asynchronous}{printing}extern \"C\" __global__ void {cluster}__launch_bounds__({threads}) {name}("
                + ", ".join([*self.parameters, "unsigned char* tw_log"]) + ") {\n" + "\n".join(text) + "\n}\n")


def _flat(state):
    """(the values of nested containers in order, a function that makes the containers of others)"""
    out: list = []

    def note(x):
        out.append(x)
        return x
    for x in state:
        mapped(x, note)

    def whole(values):
        rest = iter(values)
        return tuple(mapped(x, lambda _: next(rest)) for x in state)
    return out, whole


def _is_number(x):
    return isinstance(x, (Value, bool, int, float, np.number, np.bool_))


def _kind(x):
    if isinstance(x, Value):
        return x.kind
    return x.dtype.name if isinstance(x, (np.generic, Truth)) else "bool" if isinstance(x, bool) else "index" if isinstance(x, int) else "float64"


def _joint(a, b):
    """The type of a variable that is a or b; Python's float gives way to an element type."""
    if isinstance(a, float) and isinstance(b, Value) and b.kind in FLOATS:
        return b.kind
    if isinstance(b, float) and isinstance(a, Value) and a.kind in FLOATS:
        return a.kind
    return joint_kind(_kind(a), _kind(b))


def _positive(x):
    return x.positive if isinstance(x, Value) else x >= 0


def _equal(a, b):
    try:
        return bool(a == b)
    except Exception:  # noqa: BLE001  whatever cannot be compared is not equal
        return False


def traced(function, arguments, block, cluster=(1, 1, 1)):
    """(trace, source): each of `arguments` is a function of the trace that gives the argument, such as a tensor's parameter."""
    trace = Trace(block, cluster)
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

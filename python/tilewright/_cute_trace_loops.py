"""Conditions and loops of a traced kernel: what _cute_control's rewritten functions ask a trace, and the lines that it writes.

    for i in cutlass.range(n):     float m1 = 0.f;
        total = total + a[i]       for (long long ix2 = 0; ix2 < n; ix2 += 1) { const float v3 = m1; … m1 = v5; }
"""
import builtins
import copy
import operator

from . import _cute_control
from ._cute_tree import alike, copied, mapped, parts_of
from ._cute_values import FLOATS, TYPES, Value, active, is_number, is_positive, joint, joint_kind, kind_of_number

UNROLLED = 256  # loops of more rounds stay loops
UNROLLED_BY_THE_COMPILER = 32
UNROLLED_LINES = 4096  # and so do those of more lines, where they can


class Left(Exception):
    """`return` in a part of a function that became one of its own."""


class DynamicRange:
    """cutlass.range whose rounds become a loop of the kernel."""

    def __init__(self, bounds):
        start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        if not isinstance(step, Value) and step == 0:
            raise TypeError("the step of a loop on a GPU is a number other than 0")
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


def _folded(ends, join):
    """Python's any (it ends with True) or all (with False), of values that the GPU knows too."""
    def of(values):
        out = not ends
        for v in values:
            if out is (not ends) and not isinstance(v, Value):
                out = bool(v)
            elif out is not ends:
                out = join(v, out)
        return out
    return of


smallest, largest = _extreme("min", operator.lt), _extreme("max", operator.gt)


class ControlFlow:
    """Part of a Trace."""

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
        if is_of_coordinates(a) and is_of_coordinates(b) and str(a.layout) == str(b.layout):
            return _starting_at(a, self._joined(name, a.iterator.at, b.iterator.at, here, there))
        if not (is_number(a) and is_number(b)):
            return a if not isinstance(a, Value) and not isinstance(b, Value) and _equal(a, b) else _cute_control.Absent(name)
        if not isinstance(a, Value) and not isinstance(b, Value) and type(a) is type(b) and a == b:
            return a
        kind = joint(a, b)
        variable = self.name("ix" if kind == "index" else "m")
        self.kinds.add(kind)
        if kind == "index":
            self.symbols.add(variable)
        self.line(f"{TYPES[kind]} {variable};")
        here.append(f"{variable} = {self.converted(a, kind)};")
        there.append(f"{variable} = {self.converted(b, kind)};")
        return Value(self, variable, kind, is_positive(a) and is_positive(b))

    def builtin(self, name, found):
        """What Python's own range, min, max, any and all are in a kernel; another function of that name is itself."""
        if found is not getattr(builtins, name):
            return found
        return {"range": _range, "min": smallest, "max": largest, "any": _folded(True, operator.or_), "all": _folded(False, operator.and_)}[name]

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
                    before = len(self.lines)
                    state = body(item, *state)
                    rest = over[1:] if isinstance(over, range) and item == over[0] else ()
                    if len(rest) > 1 and (len(self.lines) - before) * len(rest) > UNROLLED_LINES:
                        return self._rest_of_a_loop(rest, body, names, state, stop)
            return state
        index = self.name("ix")
        self.symbols.add(index)
        start, stop, step = self.converted(over.start, "index"), self.converted(over.stop, "index"), over.step
        is_known = isinstance(over.start, int) and isinstance(over.stop, int) and not isinstance(step, Value)
        rounds = len(range(over.start, over.stop, step)) if is_known else UNROLLED
        if rounds <= UNROLLED_BY_THE_COMPILER:  # so that elements of registers have constant indices
            self.line("#pragma unroll")
        up = is_positive(step) if isinstance(step, Value) or step > 0 else False
        step = self.converted(step, "index")
        more = f"{step} > 0 ? {index} < {stop} : {index} > {stop}" if isinstance(over.step, Value) and not up else f"{index} {'<' if up else '>'} {stop}"
        head = f"for (long long {index} = {start}; {more}; {index} += {step}) {{"
        item = Value(self, index, "index", is_positive(over.start) and up)

        def once(s):
            if flag is not None and isinstance(s[flag], Value):
                self.line(f"if ({s[flag].name}) break;")
            return body(item, *s)
        return self._repeated(head, once, names, state)

    def _rest_of_a_loop(self, rest, body, names, state, stop):
        """Rounds behind the first one, which has many lines: a loop of the kernel, or unrolled where they need to know their number."""
        before = self._snapshot()
        try:
            return self.loop(DynamicRange((rest.start, rest.stop, rest.step)), body, names, tuple(map(copied, state)), stop)
        except (TypeError, NameError, IndexError, ValueError):
            self._restore(before)
        return self.loop(tuple(rest), body, names, state, stop)

    def _snapshot(self):
        return {name: copy.copy(value) if isinstance(value, (list, dict, set)) else value for name, value in vars(self).items()}

    def _restore(self, snapshot):
        vars(self).update({name: copy.copy(value) if isinstance(value, (list, dict, set)) else value for name, value in snapshot.items()})

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
        numbers are taken apart; a number in one that a round leaves alone stays what it is."""
        state = tuple(_cute_control.Absent(n) if n == "_" else copied(x) for n, x in zip(names, state))  # _ is what nothing reads
        every_round = once

        def once(s):  # what has no value before the loop has none behind it
            return tuple(x if isinstance(x, _cute_control.Absent) else y for x, y in zip(state, every_round(s)))
        flat, whole = _taken_apart(state)
        alone = [is_number(x) for x in state for _ in _taken_apart((x,))[0]]
        kinds = {i: kind_of_number(x) for i, x in enumerate(flat) if is_number(x) and alone[i]}
        if any(type(flat[i]) is float for i in kinds):  # Python's float gives way to the element type that a round makes of it
            first, _ = _taken_apart(self._captured(lambda: once(tuple(map(copied, state))))[1])
            for i, x in enumerate(flat):
                if type(x) is float and len(first) == len(flat) and isinstance(first[i], Value) and first[i].kind in FLOATS:
                    kinds[i] = first[i].kind
        places = [n for n, x in zip(names, state) for _ in _taken_apart((x,))[0]]
        moved: set = set()  # tensors and pointers that a round puts elsewhere in their memory: their offset is a variable
        lost: set = set()  # what else a round changes: it has no value at the start of the next one
        while True:
            variables = {i: self.name("m") for i in (*kinds, *moved)}

            def run():
                now = list(flat)
                for i, kind in kinds.items():
                    now[i] = self.let(kind, variables[i])
                for i in moved:
                    now[i] = _put_at(flat[i], self.let("index", variables[i]))
                for i in lost:
                    now[i] = _cute_control.Absent(places[i])
                return once(tuple(map(copied, whole(now))))
            lines, out = self._captured(run)
            after, _ = _taken_apart(out)
            if len(after) != len(flat):
                changed = [n for n, x, y in zip(names, state, out) if len(_taken_apart((x,))[0]) != len(_taken_apart((y,))[0])]
                raise TypeError(f"{', '.join(changed) or 'a container'} changes its number of values within a loop that the GPU runs; make "
                                f"it of its final size before{self.where()}")
            wider = {i: joint_kind(kinds[i], kind_of_number(after[i])) for i in kinds if is_number(after[i])}
            changed = [i for i, before in enumerate(flat) if i not in kinds and i not in lost and not _stays(before, after[i])
                       and (i not in moved or not _moves(before, after[i]))]
            for i in changed:
                if is_number(flat[i]) and is_number(after[i]):
                    kinds[i] = joint(flat[i], after[i])
                    continue
                (moved.add if i not in moved and _moves(flat[i], after[i]) else lost.add)(i)
            moved -= lost
            if not changed and all(wider[i] == kinds[i] for i in wider):
                break
            kinds.update({i: kind for i, kind in wider.items() if i not in changed})
        lines += self._carried_over(kinds, moved, variables, flat, after)
        self.lines += [head, *lines, "}"]
        return whole([self.let(kinds[i], variables[i]) if i in kinds and is_number(after[i])
                      else _put_at(before, self.let("index", variables[i])) if i in moved
                      else before if after[i] is before or _stays(before, after[i]) else _cute_control.Absent(places[i])
                      for i, before in enumerate(flat)])

    def _carried_over(self, kinds, moved, variables, flat, after):
        """Declares a loop's variables with what they have before it, and gives the lines that assign them at the end of a round."""
        lines = []
        for i, kind in kinds.items():
            self.line(f"{TYPES[kind]} {variables[i]} = {self.converted(flat[i], kind)};")
            if is_number(after[i]):
                lines.append(f"{variables[i]} = {self.converted(after[i], kind)};")
        for i in sorted(moved):
            self.line(f"{TYPES['index']} {variables[i]} = {self.converted(_pointer_of(flat[i]).offset, 'index')};")
            lines.append(f"{variables[i]} = {self.converted(_pointer_of(after[i]).offset, 'index')};")
        return lines

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

    def is_in(self, x, values):
        """`x in values`, where the GPU knows some of them."""
        if isinstance(values, range) and isinstance(x, Value) and abs(values.step) == 1:
            low, high = (values.start, values.stop) if values.step > 0 else (values.stop + 1, values.start + 1)
            return self.all_of(lambda: x >= low, lambda: x < high)
        if not isinstance(values, (tuple, list, set, frozenset, range)) or not any(isinstance(v, Value) for v in (x, *values)):
            return x in values
        return self.any_of(*(lambda v=v: x == v for v in values)) if values else False

    def is_not_in(self, x, values):
        """`x not in values`."""
        return self.negated(self.is_in(x, values))

    def negated(self, x):
        return self.let("bool", f"!{x.name}") if isinstance(x, Value) else not x

    def choose(self, test, a, b):
        return self.branch(test, lambda: (a(),), lambda: (b(),), ("the conditional expression",), ())[0]


def _taken_apart(state):
    """(the values of nested containers in order, a function that makes the containers of others). A tensor of coordinates is its layout and the
    numbers that it starts at."""
    out: list = []

    def note(x):
        if is_of_coordinates(x):
            out.append(str(x.layout))
            mapped(x.iterator.at, note)
        else:
            out.append(x)
        return x
    for x in state:
        mapped(x, note)

    def whole(values):
        rest = iter(values)

        def made(x):
            if not is_of_coordinates(x):
                return next(rest)
            layout, at = next(rest), mapped(x.iterator.at, lambda _: next(rest))
            return layout if isinstance(layout, _cute_control.Absent) else _starting_at(x, at)
        return tuple(mapped(x, made) for x in state)
    return out, whole


def is_of_coordinates(x):
    """Is it a tensor whose elements are coordinates?"""
    return not isinstance(x, (_cute_control.Absent, Value)) and hasattr(getattr(x, "iterator", None), "at")


def _starting_at(x, at):
    """A tensor of coordinates that starts at others."""
    return type(x)(type(x.iterator)(at), x.layout)


def _pointer_of(x):
    """The pointer that x is, or that it is a tensor of; None for what has none."""
    if isinstance(x, _cute_control.Absent):
        return None
    x = getattr(x, "iterator", x)
    return x if hasattr(x, "memory") and hasattr(x, "offset") else None


def _moves(a, b):
    """Is b what a is, elsewhere in the same memory?"""
    p, q = _pointer_of(a), _pointer_of(b)
    return (p is not None and q is not None and type(a) is type(b) and p.memory is q.memory and p.swizzle == q.swizzle
            and _stays(p.origin, q.origin) and (a is p or str(a.layout) == str(b.layout)))


def _put_at(x, offset):
    """A tensor, or a pointer, at another offset in its memory."""
    old = _pointer_of(x)
    new = type(old)(old.memory, offset, old.origin, old.swizzle)
    return new if x is old else type(x)(new, x.layout)


def _stays(a, b, depth=3):
    """Is b what a is, in the same place? Objects are, if all that they have is."""
    if a is b:
        return True
    if isinstance(a, Value) or isinstance(b, Value):
        return isinstance(a, Value) and isinstance(b, Value) and a.name == b.name
    if _pointer_of(a) is not None:
        return _moves(a, b) and _stays(_pointer_of(a).offset, _pointer_of(b).offset)
    if _equal(a, b):
        return True
    mine, other = getattr(a, "__dict__", None), getattr(b, "__dict__", None)
    return (depth > 0 and type(a) is type(b) and bool(mine) and mine.keys() == other.keys()
            and all(_stays(mine[n], other[n], depth - 1) for n in mine))


def _equal(a, b):
    try:
        return bool(a == b)
    except Exception:  # noqa: BLE001  whatever cannot be compared is not equal
        return False

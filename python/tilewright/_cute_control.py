"""Control flow of a kernel that is traced: a copy of the function in which every `if`, `for` and `while`, every `and`, `or`,
`not` and conditional expression asks the trace, so that what depends on a thread becomes code of the kernel.

`if thread < n: x = 1` becomes
    def then(x): x = 1; return (x,)
    def other(x): return (x,)
    (x,) = trace.branch(thread < n, then, other, ("x",), (x,))
and the trace runs one of the two, or both and joins what they assign. `break`, `continue` and `return` in loops become flags before
(_cute_exits.py), and `return` in conditions assignments.
"""
import ast
import copy
import functools
import inspect
import sys
import textwrap
import types

from ._cute_exits import LoopExits, NamedInTests

HELPER = "__tilewright_trace"


class Absent:
    """The value of a name that is not assigned on every way to here."""

    def __init__(self, name):
        self.name = name

    def _refuse(self, *_, **__):
        raise NameError(f"{self.name} is used after a condition or a loop that the GPU decides, and has no one value there: "
                        "assign it a number before, or in both branches")
    __str__ = __format__ = __len__ = __iter__ = __setitem__ = __sub__ = __rsub__ = __truediv__ = __gt__ = __index__ = _refuse
    __getattr__ = __getitem__ = __call__ = __add__ = __radd__ = __mul__ = __rmul__ = __lt__ = __bool__ = _refuse


def _changed_in_place(node):
    """The name of what `x[i] = …`, `x.y = …` and `x.append(…)` change, or any other method may; None for another node."""
    if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
        of = node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        of = node.func.value
    else:
        return None
    return of.id if isinstance(of, ast.Name) else None


def _stored(nodes, local=()):
    """The names that these statements assign, in order, and those of `local` that they change in place."""
    out = []

    def visit(node):
        if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in out:
            out.append(node.id)
        changed = _changed_in_place(node)
        if changed in local and changed not in out:
            out.append(changed)
        for child in ast.iter_child_nodes(node):
            visit(child)
    for node in nodes:
        visit(node)
    return out


def _has(nodes, kinds, loops_too=True):
    """Is there a statement of these kinds, outside of functions (and of loops of their own)?"""
    for node in nodes:
        if isinstance(node, kinds):
            return True
        if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)) or (not loops_too and isinstance(node, (ast.For, ast.While))):
            continue
        if _has(list(ast.iter_child_nodes(node)), kinds, loops_too):
            return True
    return False


def _parsed(text):
    """Statements that have no line yet."""
    body = ast.parse(textwrap.dedent(text)).body
    for node in (inner for s in body for inner in ast.walk(s)):
        for place in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            node.__dict__.pop(place, None)
    return body


def _parameters(function):
    arguments = function.args
    return [a.arg for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]


class _Rewriter(ast.NodeTransformer):
    def __init__(self, is_kernel, local):
        self.count, self.is_kernel, self.local = 0, is_kernel, local

    def _leaves(self, nodes):
        """Is there a `return` that cannot become a line of the kernel? One without a value can, in the kernel's own function: it ends
        the thread."""
        for node in nodes:
            if isinstance(node, ast.Return) and (node.value is not None or not self.is_kernel):
                return True
            if not isinstance(node, (ast.FunctionDef, ast.Lambda)) and self._leaves(list(ast.iter_child_nodes(node))):
                return True
        return False

    def _name(self, stem):
        self.count += 1
        return f"__{stem}{self.count}"

    def _function(self, name, parameters, body, names):
        made = _parsed(f"def {name}({', '.join(parameters)}): pass")[0]
        back = _parsed(f"def f():\n return ({''.join(n + ', ' for n in names)})")[0].body
        made.body = [_Leaves().visit(s) for s in body] + back
        return made

    def _state(self, names):
        """Names that have no value yet are absent."""
        return "(" + "".join(f"{HELPER}.value_of({n!r}, lambda: {n}), " for n in names) + ")"

    def _assigned(self, names, call):
        if not names:
            return _parsed(call)
        return _parsed(f"({''.join(n + ', ' for n in names)}) = {call}")

    def visit_If(self, node):
        fixed = _has([node], (ast.Break, ast.Continue), loops_too=False) or self._leaves([node])
        names = _stored(node.body + node.orelse, self.local)
        self.generic_visit(node)
        if fixed:
            return node
        then, other = self._name("then"), self._name("else")
        test = self._name("test")
        out = _parsed(f"{test} = 0")
        out[0].value = node.test
        out += [self._function(then, names, node.body, names), self._function(other, names, node.orelse or [ast.Pass()], names)]
        out += self._assigned(names, f"{HELPER}.branch({test}, {then}, {other}, {tuple(names)!r}, {self._state(names)})")
        return [self._at(s, node) for s in out]

    def visit_For(self, node):
        fixed = _has(node.body, (ast.Break, ast.Continue), loops_too=False) or self._leaves(node.body) or node.orelse
        names = _stored(node.body + [node.target], self.local)
        self.generic_visit(node)
        if fixed:
            return node
        body, over, item = self._name("body"), self._name("over"), self._name("item")
        out = _parsed(f"{over} = 0")
        out[0].value = node.iter
        take = ast.Assign(targets=[node.target], value=ast.Name(id=item, ctx=ast.Load()))
        out.append(self._function(body, [item, *names], [take, *node.body], names))
        stop = getattr(node, "stop", None)
        out += self._assigned(names, f"{HELPER}.loop({over}, {body}, {tuple(names)!r}, {self._state(names)}, {stop!r})")
        return [self._at(s, node) for s in out]

    def visit_While(self, node):
        fixed = _has(node.body, (ast.Break, ast.Continue), loops_too=False) or self._leaves(node.body) or node.orelse
        names = _stored(node.body, self.local)
        self.generic_visit(node)
        if fixed:
            return node
        body, test = self._name("body"), self._name("test")
        asks = _parsed(f"def {test}({', '.join(names)}): return 0")[0]
        asks.body[0].value = node.test
        out = [asks, self._function(body, names, node.body, names)]
        out += self._assigned(names, f"{HELPER}.while_loop({test}, {body}, {tuple(names)!r}, {self._state(names)})")
        return [self._at(s, node) for s in out]

    def visit_Call(self, node):
        """Python's own range, min, max, any and all take values of the kernel."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("range", "min", "max", "any", "all"):
            call = ast.parse(f"{HELPER}.builtin({node.func.id!r}, {node.func.id})", mode="eval").body
            node.func = self._at(call, node.func)
        return node

    def visit_BoolOp(self, node):
        if any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(node)):
            return node  # a name that a condition assigns would be one of a lambda's
        self.generic_visit(node)
        name = "all_of" if isinstance(node.op, ast.And) else "any_of"
        call = ast.parse(f"{HELPER}.{name}()", mode="eval").body
        call.args = [ast.Lambda(args=_no_arguments(), body=v) for v in node.values]
        return self._at(call, node)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if len(node.ops) == 1:
            if not isinstance(node.ops[0], (ast.In, ast.NotIn)):
                return node
            call = ast.parse(f"{HELPER}.{'is_in' if isinstance(node.ops[0], ast.In) else 'is_not_in'}(0)", mode="eval").body
            call.args = [node.left, *node.comparators]
            return self._at(call, node)
        terms = [node.left, *node.comparators]
        call = ast.parse(f"{HELPER}.all_of()", mode="eval").body
        call.args = [ast.Lambda(args=_no_arguments(), body=ast.Compare(left=a, ops=[op], comparators=[b]))
                     for a, op, b in zip(terms, node.ops, terms[1:])]
        return self._at(call, node)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        call = ast.parse(f"{HELPER}.negated(0)", mode="eval").body
        call.args = [node.operand]
        return self._at(call, node)

    def visit_IfExp(self, node):
        self.generic_visit(node)
        call = ast.parse(f"{HELPER}.choose(0)", mode="eval").body
        call.args = [node.test, ast.Lambda(args=_no_arguments(), body=node.body), ast.Lambda(args=_no_arguments(), body=node.orelse)]
        return self._at(call, node)

    def visit_FunctionDef(self, node):
        """A function within the kernel asks the trace as well."""
        if node.name.startswith("__"):
            return node
        was = self.is_kernel, self.local
        node.body = LoopExits(ends_the_thread=False).rewritten(node.body)
        self.is_kernel, self.local = False, _parameters(node) + _stored(node.body)
        node.body = [s for one in with_one_return(node.body) for s in _listed(self.visit(one))]
        self.is_kernel, self.local = was
        return node

    @staticmethod
    def _at(new, old):
        ast.copy_location(new, old)
        for inner in ast.walk(new):
            if not hasattr(inner, "lineno"):
                ast.copy_location(inner, old)
        return ast.fix_missing_locations(new)


class _Leaves(ast.NodeTransformer):
    """`return` within what became a function of its own."""

    def visit_Return(self, node):
        return ast.copy_location(_parsed(f"{HELPER}.leave()")[0], node)

    def visit_FunctionDef(self, node):
        return node

    visit_Lambda = visit_FunctionDef


def _no_arguments():
    return ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])


# --- return within a condition ------------------------------------------------------------------------------------------
RESULT = "__result"


def with_one_return(body):
    """Statements whose `return`s within conditions become assignments, so that both ways of a condition give a value:

        if x > 0:            if x > 0: __result = 1
            return 1   ->    else: __result = 2
        return 2             return __result

    Statements with a `return` within a loop, `try` or `with` stay as they are.
    """
    if not any(isinstance(s, ast.If) and _has([s], ast.Return) for s in body) or _returns_elsewhere(body):
        return body
    done = _parsed(f"return {RESULT}")
    return [ast.copy_location(s, body[0]) for s in _parsed(f"{RESULT} = None")] + _assigning(body) + [
        ast.copy_location(s, body[-1]) for s in done]


def _returns_elsewhere(nodes):
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            continue
        if not isinstance(node, (ast.If, ast.Return)) and _has([node], ast.Return):
            return True
        if isinstance(node, ast.If) and _returns_elsewhere(node.body + node.orelse):
            return True
    return False


def _assigning(body):
    for at, s in enumerate(body):
        if isinstance(s, ast.Return):
            value = s.value or ast.Constant(value=None)
            return body[:at] + [ast.copy_location(ast.Assign(targets=[ast.Name(id=RESULT, ctx=ast.Store())], value=value), s)]
        if isinstance(s, ast.If) and _has([s], ast.Return):
            rest = body[at + 1:]
            made = ast.If(test=s.test, body=_assigning(s.body + copy.deepcopy(rest)), orelse=_assigning(s.orelse + rest))
            made.body = made.body or [ast.Pass()]
            return body[:at] + [ast.fix_missing_locations(ast.copy_location(made, s))]
    return body


#: Keywords that CuTe's DSL adds to Python's own range.
_UNROLLING = {"unroll", "unroll_full", "prefetch_stages", "pipelining", "vectorize"}


def range_of_any_keywords(*bounds, **_):
    """Python's own range; how loops are unrolled changes no result on a CPU."""
    return range(*bounds)


def _names_unrolling(code):
    return any(_UNROLLING & {x for x in c if isinstance(x, str)} if isinstance(c, tuple) else _names_unrolling(c)
               for c in code.co_consts if isinstance(c, (tuple, types.CodeType)))


_printing: dict = {}  # "launch" -> the launch that prints, (code, line) -> the thread that prints there


def print_of_one_thread(*values, **options):
    """Python's own print. In a kernel each place prints for one thread of a launch, the first that comes there: in the DSL a kernel is traced once,
    and prints then; cute.printf prints for every thread."""
    from ._cute_launch import current
    me = current()
    if me is not None:
        if _printing.get("launch") != me[3]:
            _printing.clear()
            _printing["launch"] = me[3]
        frame = sys._getframe(1)
        if _printing.setdefault((frame.f_code, frame.f_lineno), me[1:3]) != me[1:3]:
            return
    print(*values, **options)


def _calls_print(code):
    return "print" in code.co_names or any(_calls_print(c) for c in code.co_consts if isinstance(c, types.CodeType))


#: What a kernel on a CPU has in place of Python's own functions.
_OWN = {"range": range_of_any_keywords, "print": print_of_one_thread}

#: Methods of the DSL's numbers that Python's own lack.
METHODS, METHOD_OF = {"to", "ir_value", "bitcast"}, "__tilewright_method"
TYPE_OF = "__tilewright_type"


class _DslMeanings(ast.NodeTransformer):
    """What the DSL means where Python means something else. `with cute.arch.elect_one():` becomes `if` the thread is the one: Python runs the
    body of every `with`. `x.to(T)` takes Python's numbers for x: an index is an Int32 in the DSL and an int here. `type(x)` of a number that
    the GPU knows is its number type."""

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            asked = ast.Call(func=ast.Name(id=METHOD_OF, ctx=ast.Load()), args=[node.func.value, ast.Constant(value=node.func.attr)], keywords=[])
            node.func = ast.fix_missing_locations(ast.copy_location(asked, node.func))
        elif isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1 and not node.keywords:
            node.func = ast.copy_location(ast.Name(id=TYPE_OF, ctx=ast.Load()), node.func)
        return node

    def visit_With(self, node):
        self.generic_visit(node)
        call = node.items[0].context_expr
        name = getattr(getattr(call, "func", None), "attr", getattr(getattr(call, "func", None), "id", None))
        if len(node.items) != 1 or name != "elect_one":
            return node
        test = ast.Attribute(value=call, attr="chosen", ctx=ast.Load())
        return ast.fix_missing_locations(ast.copy_location(ast.If(test=test, body=node.body, orelse=[]), node))


def _method_of(x, name):
    """A method of a number; of one of Python's that of the type that it has in a kernel."""
    if type(x) in (int, float, bool):
        from ._cute_numbers import Numeric
        x = Numeric.from_python(x)
    return getattr(x, name)


def _type_of(x):
    """The type of a value; of a number that the GPU knows its number type, where an index is an Int32."""
    from ._cute_values import Value
    if not isinstance(x, Value):
        return type(x)
    from ._cute_numbers import TYPES
    return TYPES["int32" if x.kind == "index" else x.kind]


def with_number_types(function):
    """`function`, whose `type(x)` gives the number types of a kernel that is traced."""
    return _as_dsl(function) if "type" in function.__code__.co_names else function


def _means_other(code):
    """Does the code, or one within it, have what the DSL and Python understand differently?"""
    return not {"elect_one", *METHODS}.isdisjoint(code.co_names) or any(_means_other(c) for c in code.co_consts if isinstance(c, types.CodeType))


_as_dsl_of: dict = {}  # code -> the changed code, or None where its source cannot be read


def _as_dsl(function):
    code = function.__code__
    if code not in _as_dsl_of:
        found = _parsed_source(function)
        if found is not None:
            found.body = [_DslMeanings().visit(s) for s in found.body]
        _as_dsl_of[code] = None if found is None else _built(function, found, function.__globals__).__code__
    changed = _as_dsl_of[code]
    return function if changed is None else _of_code(function, changed, function.__globals__)


def for_a_cpu(function):
    """`function` with a range that takes the DSL's keywords, a print of one thread, and what `with elect_one()` says, where it has such calls."""
    code = getattr(function, "__code__", None)
    if code is not None and _means_other(code):
        function = _as_dsl(function)
        code = function.__code__
    if code is None:
        return function
    used = {"range": _names_unrolling(code), "print": _calls_print(code)}
    names = {name: _OWN[name] for name, is_used in used.items() if is_used and name not in function.__globals__}
    if not names:
        return function
    made = types.FunctionType(code, {**function.__globals__, **names}, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _parsed_source(function):
    """The function's definition without decorators, annotations and defaults; None where its source cannot be read."""
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return None
    tree = ast.parse(textwrap.dedent("".join(lines)))
    made = tree.body[0]
    if not isinstance(made, ast.FunctionDef):
        return None
    ast.increment_lineno(tree, first - 1)
    made.decorator_list, made.returns = [], None
    every = made.args.posonlyargs + made.args.args + made.args.kwonlyargs
    for argument in every:
        argument.annotation = None
    made.args.defaults, made.args.kw_defaults = [], [None] * len(made.args.kwonlyargs)
    return made


@functools.lru_cache(maxsize=256)
def _returns_early(code):
    made = _parsed_source(code)
    inner = [n for statement in (made.body if made else ()) for n in ast.walk(statement) if isinstance(n, (ast.FunctionDef, ast.Lambda))]
    nested = {id(r) for f in inner for r in ast.walk(f) if isinstance(r, ast.Return)}
    return any(isinstance(n, ast.Return) and id(n) not in nested for statement in (made.body[:-1] if made else ()) for n in ast.walk(statement))


def returns_early(function):
    """Has a kernel a `return` before its end?"""
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code is not None and _returns_early(code)


def _built(function, made, names):
    """The function of a changed definition, with these global names and the enclosed values of `function`."""
    free = (*function.__code__.co_freevars, METHOD_OF, TYPE_OF)
    outer = ast.parse(f"def __made({', '.join(free)}):\n return 0").body[0]
    name, made.name = made.name, "__made"  # the function's own name is a global one, as in the original, so that it may call itself
    outer.body = [made, ast.Return(value=ast.Name(id="__made", ctx=ast.Load()))]
    module = ast.fix_missing_locations(ast.Module(body=[outer], type_ignores=[]))
    found = {}
    exec(compile(module, inspect.getsourcefile(function) or "<kernel>", "exec"), found)  # noqa: S102  the user's own function
    code = found["__made"](*free).__code__.replace(co_name=name)
    return _of_code(function, code, names)


def _of_code(function, code, names):
    """The function of a changed code, with these global names and the enclosed values of `function`."""
    cells = {METHOD_OF: types.CellType(_method_of), TYPE_OF: types.CellType(_type_of),
             **dict(zip(function.__code__.co_freevars, function.__closure__ or ()))}
    out = types.FunctionType(code, names, function.__name__, function.__defaults__, tuple(cells[n] for n in code.co_freevars))
    out.__kwdefaults__ = function.__kwdefaults__
    return out


def rewritten(function, trace, is_kernel=False):
    """`function` with its control flow asking `trace`; as it is where its source cannot be read. is_kernel: it is the kernel's own,
    and not one that the kernel calls."""
    made = _parsed_source(function)
    if made is None:
        return function
    made.body = [s for one in made.body for s in _listed(NamedInTests().visit(_DslMeanings().visit(one)))]
    made.body = LoopExits(ends_the_thread=is_kernel).rewritten(made.body)
    rewriter = _Rewriter(is_kernel, _parameters(made) + _stored(made.body))
    made.body = [s for one in with_one_return(made.body) for s in _listed(rewriter.visit(one))]
    return _built(function, made, {**function.__globals__, HELPER: trace})


def _listed(x):
    return x if isinstance(x, list) else [x]

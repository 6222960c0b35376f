"""`break`, `continue` and `return` within loops of a kernel that is traced, as flags, so that a condition that the GPU decides may hold
them:

    for i in range(n):           stop = False
        if a[i] < 0:             for i in range(n):      # ends where stop is true
            break         ->         if a[i] < 0: stop = True
        total += a[i]                if not stop: total += a[i]

A loop with `else`, and one whose exits are within `try` or `with`, stay as they are. So does `return` without a value in the kernel's
own function, which ends the thread.
"""
import ast
import copy


class _Kept(Exception):
    """The loop has exits that flags do not express."""


def _flag(name, value):
    return ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value if isinstance(value, ast.AST) else ast.Constant(value=value))


def _read(name):
    return ast.Name(id=name, ctx=ast.Load())


def _not(test):
    return ast.UnaryOp(op=ast.Not(), operand=test)


class LoopExits(ast.NodeTransformer):
    """Rewrites the loops of a function's body, the innermost first."""

    def __init__(self, ends_the_thread):
        self.ends_the_thread, self.count = ends_the_thread, 0  # what `return` without a value does

    def rewritten(self, body):
        """The statements of a function's body."""
        return [ast.fix_missing_locations(s) for one in body for s in self._listed(self.visit(one))]

    @staticmethod
    def _listed(x):
        return x if isinstance(x, list) else [x]

    def visit_FunctionDef(self, node):
        return node  # a function within the kernel is rewritten when its own body is

    visit_Lambda = visit_ClassDef = visit_FunctionDef

    def _is_exit(self, node):
        if isinstance(node, ast.Return):
            return node.value is not None or not self.ends_the_thread
        return isinstance(node, (ast.Break, ast.Continue))

    def _exits(self, nodes, loops=False):
        """The exits of a loop among its statements; those of loops within are theirs, except for `return`."""
        out = []
        for node in nodes:
            if self._is_exit(node) and (isinstance(node, ast.Return) or not loops):
                out.append(node)
            elif not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
                out += self._exits(ast.iter_child_nodes(node), loops or isinstance(node, (ast.For, ast.While)))
        return out

    def visit_For(self, node):
        return self._loop(node)

    def visit_While(self, node):
        return self._loop(node)

    def _loop(self, node):
        before = copy.deepcopy(node)
        self.generic_visit(node)
        exits = self._exits(node.body)
        if not exits or node.orelse:
            return node
        self.count += 1
        names = {word: f"__{word}{self.count}" for word in ("stop", "skip", "left", "gave")}
        try:
            body = self._guarded(node.body, names)
        except _Kept:
            return before
        returns = any(isinstance(e, ast.Return) for e in exits)
        node.body = [_flag(names["skip"], False)] + body
        head, tail = [_flag(names["skip"], False), _flag(names["stop"], False)], []
        if returns:
            head += [_flag(names["left"], False), _flag(names["gave"], 0)]
            tail = [ast.If(test=_read(names["left"]), body=[ast.Return(value=_read(names["gave"]))], orelse=[])]
        if any(not isinstance(e, ast.Continue) for e in exits):
            node.stop = names["stop"]
            if isinstance(node, ast.While):
                node.test = ast.BoolOp(op=ast.And(), values=[_not(_read(names["stop"])), node.test])
        return [self._at(s, node) for s in head] + [node] + [self._at(s, node) for s in tail]

    @staticmethod
    def _at(new, old):
        for inner in ast.walk(new):
            ast.copy_location(inner, old)
        return new

    def _guarded(self, statements, names):
        """Statements whose exits are flags; what follows a statement with exits is done where none is set."""
        out = []
        for n, s in enumerate(statements):
            if self._is_exit(s):
                return out + [self._at(flag, s) for flag in self._flags(s, names)]
            out.append(s)
            if not self._exits([s]):
                continue
            if not isinstance(s, ast.If):
                raise _Kept
            s.body, s.orelse = self._guarded(s.body, names), self._guarded(s.orelse, names)
            rest = self._guarded(statements[n + 1:], names)
            if rest:
                either = ast.BoolOp(op=ast.Or(), values=[_read(names["stop"]), _read(names["skip"])])
                out.append(self._at(ast.If(test=_not(either), body=[], orelse=[]), rest[0]))
                out[-1].body = rest
            return out
        return out

    def _flags(self, s, names):
        if isinstance(s, ast.Continue):
            return [_flag(names["skip"], True)]
        if isinstance(s, ast.Break):
            return [_flag(names["stop"], True)]
        given = [_flag(names["gave"], s.value)] if s.value is not None else [_flag(names["gave"], None)]
        return given + [_flag(names["left"], True), _flag(names["stop"], True)]


class NamedInTests(ast.NodeTransformer):
    """Names that the test of a `while` always assigns, as assignments before the loop and at the end of its body:

        while (x := step(x)) > 0:          x = step(x)
            total += x              ->     while x > 0:
                                               total += x
                                               x = step(x)
    """

    def visit_While(self, node):
        self.generic_visit(node)
        found = []
        test = self._without(copy.deepcopy(node.test), found)
        again = any(isinstance(inner, ast.Continue) for statement in node.body for inner in ast.walk(statement))
        if not found or again or node.orelse:
            return node
        node.test, node.body = test, node.body + [copy.deepcopy(s) for s in found]
        return [*found, node]

    def _without(self, x, found):
        """An expression without the assignments that it always makes, in the order in which they are made."""
        if isinstance(x, ast.NamedExpr):
            value = self._without(x.value, found)
            found.append(ast.copy_location(ast.Assign(targets=[x.target], value=value), x))
            return ast.copy_location(ast.Name(id=x.target.id, ctx=ast.Load()), x)
        if isinstance(x, ast.BoolOp):
            x.values[0] = self._without(x.values[0], found)
        elif isinstance(x, ast.Compare):
            x.left = self._without(x.left, found)
            if len(x.comparators) == 1:
                x.comparators[0] = self._without(x.comparators[0], found)
        elif isinstance(x, ast.BinOp):
            x.left, x.right = self._without(x.left, found), self._without(x.right, found)
        elif isinstance(x, ast.UnaryOp):
            x.operand = self._without(x.operand, found)
        return x

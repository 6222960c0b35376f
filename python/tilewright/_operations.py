"""Every operation of the algebra as a function, under the names of the field; made from the extension's own table.

Arguments are Layouts, integers, tuples, or text in the field's notation; results are Layouts, integers, tuples or bools.
"""
from . import _core
from ._layout import Layout, evaluate, facts_of, text_of


def _make(name, parameters, purpose):
    def operation(*arguments, facts=()):
        known = facts_of(facts) + tuple(f for a in arguments if isinstance(a, Layout) for f in a._facts)
        return evaluate(f"{name}({', '.join(map(text_of, arguments))})", known)
    operation.__name__ = operation.__qualname__ = name
    operation.__doc__ = f"{name}({parameters}): {purpose}.\n\nRaises LayoutError where there is no answer."
    return operation


__all__ = []
for _name, _parameters, _purpose, _group in _core.operations():
    if _name in ("min", "max", "abs", "sign"):  # Python's own
        continue
    globals()[_name] = _make(_name, _parameters, _purpose)
    __all__.append(_name)

# Names under which PyCuTe has the same operations.
make_layout = Layout
group_modes = globals()["group"]
__all__ += ["group_modes", "make_layout"]

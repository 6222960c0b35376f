"""Every operation of the algebra as a function, under the names of the field; made from the extension's own table.

Arguments are Layouts, integers, tuples, or text in the field's notation; results are Layouts, integers, tuples or bools.
"""
from . import _core, _int_tuples
from ._core import LayoutError
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


def _is_layout(x):
    return isinstance(x, Layout) or (isinstance(x, str) and ":" in x)


def make_layout(*parts, facts=()):
    """The layout of a shape, or of a shape and a stride; of layouts, the layout that has each of them as a mode.

    >>> make_layout((4, 8), (8, 1)), make_layout("4:8", "(2,4):(1,2)")
    (Layout('(4,8):(8,1)'), Layout('(4,(2,4)):(8,(1,2))'))
    """
    if len(parts) == 1 and isinstance(parts[0], (tuple, list)) and any(map(_is_layout, parts[0])):
        parts = tuple(parts[0])
    if not any(map(_is_layout, parts)) or (len(parts) == 1 and isinstance(parts[0], str)):
        return Layout(*parts, facts=facts)
    known = facts_of(facts) + tuple(f for a in parts if isinstance(a, Layout) for f in a._facts)
    modes = [evaluate(text_of(a), known) for a in parts]
    for a in modes:
        if not isinstance(a, Layout) or a.inner:
            raise LayoutError(f"make_layout takes a shape, a shape and a stride, or layouts, which become modes; {a} is no mode beside them")
    return Layout(tuple(a.shape for a in modes), tuple(a.stride for a in modes), facts=known)


def _with_strides(name):
    """PyCuTe's form with a third argument, the strides of a shape of integers, beside the operation."""
    plain, of_integers = globals()[name], getattr(_int_tuples, name)

    def operation(*arguments, facts=()):
        return of_integers(*arguments) if len(arguments) == 3 else plain(*arguments, facts=facts)
    operation.__name__ = operation.__qualname__ = name
    operation.__doc__ = f"{plain.__doc__}\n\nWith a third argument, of a shape with these strides."
    return operation


crd2idx, idx2crd = _with_strides("crd2idx"), _with_strides("idx2crd")

# Names under which PyCuTe has the same operations.
group_modes, slice_, product = globals()["group"], globals()["slice"], globals()["size"]
__all__ += ["group_modes", "make_layout", "product", "slice_"]

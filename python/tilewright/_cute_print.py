"""What kernels print: tensors, and texts with numbers. On a GPU the numbers are noted, and printed after the launch."""
import re

import numpy as np

from ._cute_calls import not_repeated
from ._cute_layouts import size
from ._cute_ssa import TensorSSA
from ._cute_tensor import type_name
from ._cute_values import active
from ._cute_tree import mapped
from ._cute_values import Value
from ._layout import Layout

#: printf's own formats: %d, %5.2f, %p; %% is a percent sign.
_PERCENT = re.compile(r"%(%|[-+ 0#]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?[diuxXoeEfFgGcsp])")


def print_tensor(tensor, *, verbose=False, **_):
    """The tensor's memory, type, layout and elements, first mode downwards; verbose: each element with its coordinate."""
    if not hasattr(tensor, "element_type"):
        raise TypeError(f"print_tensor prints a tensor, and this is {tensor!r}; use print or cute.printf")
    _say(*_of_tensor(tensor, verbose))


def _of_tensor(tensor, verbose=False):
    """(the elements, a function that gives the text of their values)."""
    layout = Layout(tensor.shape) if isinstance(tensor, TensorSSA) else tensor.layout
    rows = layout.shape if isinstance(layout.shape, int) else size(layout[0])
    columns = size(layout) // max(1, rows)
    memory = "values" if isinstance(tensor, TensorSSA) else tensor.memspace
    head = f"tensor({memory} {type_name(tensor.element_type)}, {layout}):\n"

    def formatted(values):
        if verbose:
            from ._operations import idx2crd
            return head + "\n".join(f"  {idx2crd(i, layout.shape)} = {v}" for i, v in enumerate(values))
        if columns <= 1:
            return head + "  [" + ", ".join(map(str, values)) + "]"
        return head + "\n".join("  [" + ", ".join(str(values[i + j * rows]) for j in range(columns)) + "]" for i in range(rows))
    return [tensor[i] for i in range(size(layout))], formatted


def printf(text="", *arguments, **_):
    """Prints from a kernel; {} stands for the next argument, and so do printf's formats such as %d. Of a tensor: its elements, as print_tensor prints them."""
    if not isinstance(text, str):
        text, arguments = "{}", (text, *arguments)
    shown = [_of_tensor(a) if _has_elements(a) else (a, _as_c) for a in arguments]
    _say([elements for elements, _ in shown], lambda values: _filled(text, [of(v) for v, (_, of) in zip(values, shown)]))


def _has_elements(x):
    return isinstance(x, TensorSSA) or hasattr(x, "element_type") and getattr(x, "memspace", None) in ("gmem", "smem", "rmem")


class _Float(float):
    """A float that {} prints as C's %f does."""

    def __format__(self, spec):
        return format(float(self), spec or ".6f")

    def __str__(self):
        return format(float(self), ".6f")


def _as_c(value):
    """A value as the DSL prints it: 2.500000, 1 for true, (3,8)."""
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if type(value) is tuple:
        return f"({','.join(str(_as_c(v)) for v in value)})"
    return _Float(value) if isinstance(value, (float, np.floating)) else value


def _filled(text, values):
    if not values:
        return text
    try:
        if "{" in text or not _PERCENT.search(text):
            return text.format(*values)
        rest = iter(values)
        return _PERCENT.sub(lambda m: "%" if m[1] == "%" else _as_printf(m[1], next(rest)), text)
    except (IndexError, StopIteration, RuntimeError):
        raise TypeError(f"printf: the text {text!r} has places for more arguments than the {len(values)} that are given") from None


def _as_printf(form, value):
    form = re.sub(r"(hh|h|ll|l|z)(?=[diuxXo]$)", "", form).replace("u", "d").replace("p", "s")
    return f"%{form}" % (int(value) if form[-1] in "dixXo" else value)


def _say(values, formatted):
    """Prints formatted(values), where values may hold numbers that the GPU knows."""
    if not active():
        not_repeated()
        return print(formatted(values))
    known_there: list = []

    def note(x):
        if isinstance(x, Value):
            known_there.append(x)
        return x
    for v in values:
        mapped(v, note)

    def filled(numbers):
        rest = iter(numbers)
        return formatted([mapped(v, lambda x: next(rest) if isinstance(x, Value) else x) for v in values])
    active().print_values(known_there, filled)

"""Groups of names, as cute.arch and cute.nvgpu are: a name that is missing is one sentence. And the classes that annotate operations."""
from ._cute_elsewhere import elsewhere


class Names(type):
    """The type of such a group, which is a class."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = elsewhere(f"cute.{cls.__name__}.{name}")
        if made is not None:
            return made
        raise AttributeError(f"tilewright.cute's {cls.__name__} has no '{name}'; docs/reference/python.md#kernels lists what it has of "
                             "CuTe's Python DSL")


class Op:
    """An operation that an atom does."""


class CopyOp(Op):
    """An operation that copies."""


class MmaOp(Op):
    """An operation that multiplies matrices."""


class Atom:
    """One operation with its types: a copy atom, or that of a matrix operation."""

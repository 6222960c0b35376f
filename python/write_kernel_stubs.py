"""Writes cute.pyi and cutlass.pyi next to the package's sources, from the built package in the folder given: names, parameters and
docstrings of what kernels use. Types are Any: a kernel's values are numbers while it runs on a CPU and lines of code while it is
traced. tests/python/reports_test.py refuses stubs that are not what this writes.

    PYTHONPATH=build/python/python python3 python/write_kernel_stubs.py
"""
import inspect
import pathlib
import sys

OPERATORS = ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "rfloordiv", "mod", "rmod", "and", "rand",
             "or", "ror", "xor", "rxor", "lshift", "rshift", "pow", "lt", "le", "gt", "ge")
NUMBER = ["class Number:", '    """What number types share."""', "    width: ClassVar[int]", "    is_integer: ClassVar[bool]",
          "    is_float: ClassVar[bool]", "    signed: ClassVar[bool]", "    zero: ClassVar[Any]", "    inf: ClassVar[Any]",
          "    nan: ClassVar[Any]",
          "    def __init__(self, x: Any = ...) -> None: ...", "    def to(self, dtype: Any) -> Any: ...",
          "    def __index__(self) -> int: ...", "    def __float__(self) -> float: ...", "    def __neg__(self) -> Any: ...",
          "    def __invert__(self) -> Any: ...", "    def __abs__(self) -> Any: ..."]
NUMBER += [f"    def __{name}__(self, other: Any) -> Any: ..." for name in OPERATORS]
#: Classes whose methods are part of other classes' own.
MIXED_IN = ("ArrayMethods", "PointerVectors")
#: Methods of double underscores that a type checker needs.
SPECIAL = ("__init__", "__call__", "__getitem__", "__setitem__", "__len__", "__iter__", "__class_getitem__",
           *(f"__{name}__" for name in OPERATORS), "__neg__", "__invert__", "__abs__")


def documented(head, thing, indent):
    text = (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ").replace('"""', "'''")
    return [f"{indent}{head}", f'{indent}    """{text}"""'] if text else [f"{indent}{head} ..."]


def parameters(function):
    out = []
    for p in inspect.signature(function).parameters.values():
        if p.name == "self" or p.name == "cls":
            out.append(p.name)
            continue
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        if p.kind is p.KEYWORD_ONLY and not any(x.startswith("*") for x in out):
            out.append("*")
        name = f"_{p.name.strip('_')}" if star and p.name == "_" else p.name
        out.append(f"{star}{name}: Any" + ("" if p.default is p.empty else " = ..."))
    return ", ".join(out)


class Stubs:
    """The stubs of modules; what has been written once is named from there."""

    def __init__(self, types):
        self.types, self.places = types, {}  # places: id -> (module, its dotted name there)

    def module(self, module, imports):
        """The text of one module's stubs."""
        self.name = module.__name__.rpartition(".")[2]
        lines = [f'"""{module.__doc__.strip().splitlines()[0]} Written by python/write_kernel_stubs.py."""',
                 "from typing import Any, ClassVar, TypeVar, Union", *imports, ""]
        if self.name == "cute":
            lines += NUMBER
        names = [n for n in sorted(vars(module)) if self.is_public(n, getattr(module, n))]
        groups = [n for n in names if type(getattr(module, n)).__name__ == "Names"]  # behind what they may name
        for name in [n for n in names if n not in groups] + groups:
            thing = getattr(module, name)
            if thing is tuple:
                lines.append(f"{name} = tuple[Any, ...]")
            elif name == "Layout":
                lines.append("from ._layout import Layout as Layout")
            else:
                lines += self.stub(name, thing)
        return "\n".join(lines) + "\n"

    @staticmethod
    def is_public(name, thing):
        return not name.startswith("_") and not inspect.ismodule(thing) and name not in (
            "active", "Value", "DynamicRange", "UNROLLED", "mapped", "parts_of", "annotations")

    def again(self, name, thing, indent):
        """The line that names what is written elsewhere; None for what is not."""
        module, place = self.places.get(id(thing), ("", ""))
        if not module:
            return None
        if module == self.name:
            return f"{indent}{name} = {'_here.' if indent else ''}{place}"
        return f"from .{module} import {place} as {name}" if not indent and "." not in place else f"{indent}{name} = {module}.{place}"

    def stub(self, name, thing, indent="", inside=""):
        """The lines of one name; `inside`: the classes that it is in, with a dot behind each."""
        if name == "Constexpr":  # any value, and Constexpr[int] an int
            return [f'{indent}_T = TypeVar("_T")', f"{indent}{name} = Union[_T, Any]"]
        if thing is self.types.get("NumberType"):
            return [f"{indent}{name} = Number"]
        is_class, is_function = inspect.isclass(thing) and thing.__module__.startswith("tilewright"), inspect.isfunction(thing)
        if not is_class and not is_function:
            return [f"{indent}{name}: Any"]
        again = self.again(name, thing, indent)
        if again is not None:
            return [again]
        self.places[id(thing)] = self.name, inside + name
        if type(thing).__name__ == "NumberType":
            return [f"{indent}class {name}(Number):", f'{indent}    """{inspect.getdoc(thing).splitlines()[0]}"""']
        if is_function:
            return documented(f"def {name}({parameters(thing)}) -> Any:", thing, indent)
        base = f"({thing.__base__.__name__})" if issubclass(thing, Exception) else ""
        lines = documented(f"class {name}{base}:", thing, indent)
        inner = []
        # A group of names shows those of its parts, tensors and pointers those of arrays.
        bases = thing.__mro__ if type(thing).__name__ == "Names" else [b for b in thing.__mro__ if b is thing or b.__name__ in MIXED_IN]
        for n, f in {n: f for base in reversed(bases) if base is not object for n, f in vars(base).items()}.items():
            if not n.startswith("_") or n in SPECIAL:
                inner += self.member(n, f, indent + "    ", inside + name + ".")
        if lines[-1].endswith(" ...") and inner:
            lines[-1] = lines[-1][:-4]
        return lines + inner

    def member(self, name, thing, indent, inside):
        if isinstance(thing, property):
            return [f"{indent}@property", *documented(f"def {name}(self) -> Any:", thing, indent)]
        if isinstance(thing, staticmethod):
            again = self.again(name, thing.__func__, indent)
            if again is not None:
                return [again]
            self.places[id(thing.__func__)] = self.name, inside + name
            return [f"{indent}@staticmethod", *documented(f"def {name}({parameters(thing.__func__)}) -> Any:", thing.__func__, indent)]
        if isinstance(thing, classmethod):
            return [f"{indent}@classmethod", *documented(f"def {name}({parameters(thing.__func__)}) -> Any:", thing.__func__, indent)]
        if name == "__init__":
            return [f"{indent}def __init__({parameters(thing)}) -> None: ..."]
        if name == "__class_getitem__":
            return [f"{indent}def __class_getitem__(cls, item: Any) -> Any: ..."]
        return self.stub(name, thing, indent, inside)


def written():
    """{file name: text}"""
    from tilewright import _cute_numbers, cute, cutlass

    made = Stubs({"NumberType": _cute_numbers.NumberType})
    return {"cute.pyi": made.module(cute, ["from . import cute as _here"]),
            "cutlass.pyi": made.module(cutlass, ["from . import cute as cute, cutlass as _here", "from .cute import Number as Number"])}


if __name__ == "__main__":
    sys.path.pop(0)  # this folder has the package's sources without its extension
    for file, text in written().items():
        (pathlib.Path(__file__).resolve().parent / "tilewright" / file).write_text(text, encoding="utf-8")

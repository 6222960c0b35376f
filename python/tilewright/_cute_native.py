"""cute.native_struct: a class of numbers whose fields kernels change, in loops and conditions as well.

    @cute.native_struct
    class Sums:
        total: cutlass.Int32
        count: cutlass.Int32

    sums = Sums(total=3); sums.total += 2          count is 0; a field has its type always
"""
import dataclasses
import typing

from ._cute_numbers import number_type, NumberType
from ._cute_values import kind_of, Value


def _fields(cls):
    try:
        return typing.get_type_hints(cls)
    except NameError:  # a type of the function that the class is in
        return dict(cls.__annotations__)


def native_struct(cls=None, *, zero_init=True, packed=False, **_):
    """Makes a class one of numbers: fields that are not given are 0. Fields of Constexpr are Python's.  Raises TypeError for a field of another type."""
    if cls is None:
        return lambda c: native_struct(c, zero_init=zero_init, packed=packed)
    types = {}
    for name, kind in _fields(cls).items():
        made = getattr(kind, "__origin__", kind)
        if "Constexpr" in getattr(made, "__name__", str(made)):
            continue
        types[name] = number_type(kind)
        if not isinstance(types[name], NumberType):
            raise TypeError(f"native_struct: the field {name} of {cls.__name__} is {kind!r}; it is a number such as cutlass.Int32, or a Constexpr")
        if name not in vars(cls):
            setattr(cls, name, types[name](0))
    made = dataclasses.dataclass(cls)

    def set_(self, name, value):
        kind = types.get(name)
        object.__setattr__(self, name, value if kind is None or isinstance(value, Value) and value.kind == kind_of(kind) else kind(value))
    made.__setattr__ = set_
    made._native_fields = types
    return made


def make_native_struct(name, fields, **options):
    """The same of a name and {field: type}."""
    return native_struct(type(name, (), {"__annotations__": dict(fields)}), **options)

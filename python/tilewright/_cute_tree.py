"""Values within tuples, lists, dictionaries and dataclasses: the arguments of kernels, and what a condition or a loop assigns."""
import copy
import dataclasses

from ._cute_ssa import TensorSSA


def crosses(x):
    """Is it an object of a class that says, by the DSL's own methods, that conditions and loops may change its attributes?"""
    return hasattr(type(x), "__extract_mlir_values__") and hasattr(type(x), "__new_from_mlir_values__") and hasattr(x, "__dict__")


def changes(x):
    """Is it an object of a dataclass whose attributes may be assigned?"""
    return dataclasses.is_dataclass(x) and not isinstance(x, type) and not type(x).__dataclass_params__.frozen and hasattr(x, "__dict__")


def _with_attributes(x, names, values):
    made = copy.copy(x)
    made.__dict__.update(zip(names, values))
    return made


def parts_of(x):
    """(the values of a container, a function that makes a container of others); None for what is no container."""
    if crosses(x):
        names = list(vars(x))
        return list(vars(x).values()), lambda values: _with_attributes(x, names, values)
    if isinstance(x, TensorSSA):
        return x.values, lambda values: TensorSSA(values, x.shape, x.dtype)
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return list(x), lambda values: type(x)(*values)
    if type(x) in (tuple, list):
        return list(x), type(x)
    if type(x) is dict:
        return list(x.values()), lambda values: dict(zip(x, values))
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        if changes(x):
            names = list(vars(x))
            return list(vars(x).values()), lambda values: _with_attributes(x, names, values)
        names = [f.name for f in dataclasses.fields(x) if f.init]
        if len(names) == len(dataclasses.fields(x)):
            return [getattr(x, n) for n in names], lambda values: dataclasses.replace(x, **dict(zip(names, values)))
    return None


def mapped(x, function):
    """function(value) of each value in x; x itself where nothing changes."""
    parts = parts_of(x)
    if parts is None:
        return function(x)
    values, made_of = parts
    new = [mapped(v, function) for v in values]
    return x if all(a is b for a, b in zip(values, new)) else made_of(new)


def copied(x):
    """x with lists, dictionaries and objects whose attributes may be assigned of its own."""
    own = isinstance(x, (list, dict)) or crosses(x) or changes(x)
    parts = parts_of(x) if own or isinstance(x, tuple) else None
    if parts is None:
        return x
    new = [copied(v) for v in parts[0]]
    return parts[1](new) if own or any(a is not b for a, b in zip(new, parts[0])) else x


def alike(a, b):
    """Are two values containers of the same kind and as many values?"""
    p, q = parts_of(a), parts_of(b)
    if p is None or q is None or type(a) is not type(b) or len(p[0]) != len(q[0]):
        return False
    return list(a) == list(b) if isinstance(a, dict) else not isinstance(a, TensorSSA) or a.shape == b.shape

"""Atomic operations of cute.arch, and loads and stores with an order: on the CPU one thread at a time, on a GPU CUDA's functions.

A loop that waits by them for another thread of the block lets the others run: after each operation it may be another thread's turn.
"""
import operator

import numpy as np

from ._cute_launch import let_others_run, thread_here
from ._cute_order import passed
from ._cute_ssa import larger, smaller
from ._cute_values import active

_CHANGES = {"add": operator.add, "and": operator.and_, "or": operator.or_, "xor": operator.xor, "max": larger, "min": smaller,
            "exch": lambda was, value: value}
_REDUCTIONS = {**{name: name for name in ("add", "min", "max", "and", "or", "xor")}, "umin": "min", "umax": "max"}
_ORDERS, _SCOPES = (None, "relaxed", "acquire", "release", "acq_rel"), (None, "cta", "cluster", "gpu", "sys")


def _check_order(sem, scope):
    if sem not in _ORDERS or scope not in _SCOPES:
        raise ValueError(f"sem is {sem!r} and scope {scope!r}; sem is 'relaxed', 'acquire', 'release' or 'acq_rel', scope 'cta', "
                         "'cluster', 'gpu' or 'sys'")


def _after(pointer, sem, scope, reads=True, writes=True):
    """Orders threads by an atomic operation on the CPU, and lets others run."""
    me = thread_here()
    if me is not None:
        passed(me, pointer, sem, scope, reads, writes)
    let_others_run()


def _changed(name, pointer, value, sem, scope):
    """What was at the pointer before value joined it."""
    _check_order(sem, scope)
    if active():
        return pointer.memory.change_atomically(name, pointer.offset, (value,), sem, scope)
    change = _CHANGES[name]
    was = pointer.memory.change_atomically(pointer.offset, lambda x: change(x, value), lambda: "the element of an atomic operation")
    _after(pointer, sem, scope)
    return was


class Atomics:
    """Atomic operations: the element at a pointer changes in one step; what it was before is given. sem: 'relaxed', 'acquire', 'release'
    or 'acq_rel'; scope: 'cta', 'cluster', 'gpu' or 'sys'."""

    @staticmethod
    def atomic_add(ptr, val, *, sem=None, scope=None, **_):
        """Adds to the element at a pointer; what it was before. Atomic operations of several threads need no barrier."""
        return _changed("add", ptr, val, sem, scope)

    @staticmethod
    def atomic_and(ptr, val, *, sem=None, scope=None, **_):
        """The element at a pointer keeps the bits that the value has too; what it was before."""
        return _changed("and", ptr, val, sem, scope)

    @staticmethod
    def atomic_or(ptr, val, *, sem=None, scope=None, **_):
        """The element at a pointer gets the value's bits too; what it was before."""
        return _changed("or", ptr, val, sem, scope)

    @staticmethod
    def atomic_xor(ptr, val, *, sem=None, scope=None, **_):
        """The value's bits of the element at a pointer flip; what it was before."""
        return _changed("xor", ptr, val, sem, scope)

    @staticmethod
    def atomic_max(ptr, val, *, sem=None, scope=None, **_):
        """The element at a pointer becomes the larger of it and the value; what it was before."""
        return _changed("max", ptr, val, sem, scope)

    @staticmethod
    def atomic_min(ptr, val, *, sem=None, scope=None, **_):
        """The element at a pointer becomes the smaller of it and the value; what it was before."""
        return _changed("min", ptr, val, sem, scope)

    @staticmethod
    def atomic_fmax(ptr, val, *, sign_bit=None, sem=None, scope=None, **_):
        """The same of a Float32."""
        return _changed("max", ptr, val, sem, scope)

    @staticmethod
    def atomic_fmin(ptr, val, *, sign_bit=None, sem=None, scope=None, **_):
        """The same of a Float32."""
        return _changed("min", ptr, val, sem, scope)

    @staticmethod
    def atomic_exch(ptr, val, *, sem=None, scope=None, **_):
        """The element at a pointer becomes the value; what it was before."""
        return _changed("exch", ptr, val, sem, scope)

    @staticmethod
    def atomic_cas(ptr, *, cmp, val, sem=None, scope=None, **_):
        """The element at a pointer becomes `val` if it is `cmp`; what it was before."""
        _check_order(sem, scope)
        if active():
            return ptr.memory.change_atomically("cas", ptr.offset, (cmp, val), sem, scope)
        was = ptr.memory.change_atomically(ptr.offset, lambda x: val if x == cmp else x, lambda: "the element of an atomic operation")
        _after(ptr, sem, scope)
        return was

    @staticmethod
    def red(ptr, val, *, op, dtype=None, sem=None, scope=None, **_):
        """The element at a pointer joined with the value by 'add', 'min', 'max', 'and', 'or' or 'xor', without what it was."""
        if op not in _REDUCTIONS:
            raise ValueError(f"there is no reduction {op!r}; there are {', '.join(_REDUCTIONS)}")
        if op in ("umin", "umax") and np.dtype(ptr.dtype).kind != "u":
            raise TypeError(f"{op} is of unsigned integers, and the element is a {ptr.dtype!r}; recast the pointer")
        _changed(_REDUCTIONS[op], ptr, val, sem, scope)

    @staticmethod
    def load(ptr, dtype=None, *, sem=None, scope=None, **_):
        """The element at a pointer; with an order (sem) it needs no barrier, as atomic operations."""
        _check_order(sem, scope)
        ptr = ptr if dtype is None or dtype == ptr.dtype else ptr.recast(dtype)
        if sem is None:
            return ptr.load()
        if active():
            return ptr.memory.load_ordered(ptr.offset, sem, scope)
        was = ptr.memory.change_atomically(ptr.offset, lambda x: x, lambda: "the element of an atomic operation", reads_only=True)
        _after(ptr, sem, scope, writes=False)
        return was

    @staticmethod
    def store(ptr, val, *, sem=None, scope=None, **_):
        """The element at a pointer becomes the value; with an order (sem) it needs no barrier, as atomic operations."""
        _check_order(sem, scope)
        if sem is None:
            return ptr.store(val)
        if active():
            return ptr.memory.store_ordered(ptr.offset, val, sem, scope)
        ptr.memory.change_atomically(ptr.offset, lambda x: val, lambda: "the element of an atomic operation")
        return _after(ptr, sem, scope, reads=False)

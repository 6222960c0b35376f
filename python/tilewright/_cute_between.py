"""cutlass.utils.distributed: flags in memory by which blocks, or GPUs that share memory, wait for each other.

    red_add1(flag, order="release", scope="gpu")                       each block that is done
    spin_lock_atom_cas_acquire_wait(flag, expected_val=4, reset_val=0, scope="gpu")        waits for four of them, and makes the flag 0 again
"""
from ._cute_atomics import Atomics
from ._cute_elsewhere import Elsewhere
from ._cute_launch import jit
from ._cute_names import Names


def red_add1(lock_ptr, *, order="relaxed", scope="gpu", **_):
    """Adds 1 to a flag."""
    Atomics.red(lock_ptr, 1, op="add", sem=order, scope=scope)


@jit
def _until_exchanged(lock_ptr, expected_val, reset_val, sem, scope):
    found = Atomics.atomic_cas(lock_ptr, cmp=expected_val, val=reset_val, sem=sem, scope=scope)
    while found != expected_val:
        found = Atomics.atomic_cas(lock_ptr, cmp=expected_val, val=reset_val, sem=sem, scope=scope)


@jit
def _until_reached(lock_ptr, expected_val, scope):
    found = Atomics.load(lock_ptr, sem="relaxed", scope=scope)
    while found < expected_val:
        found = Atomics.load(lock_ptr, sem="relaxed", scope=scope)


def spin_lock_atom_cas_relaxed_wait(lock_ptr, *, expected_val, reset_val, scope="gpu", **_):
    """Waits until a flag has a value, which becomes reset_val."""
    _until_exchanged(lock_ptr, expected_val, reset_val, "relaxed", scope)


def spin_lock_atom_cas_acquire_wait(lock_ptr, *, expected_val, reset_val, scope="gpu", **_):
    """The same; what the threads did that released the flag is read after it."""
    _until_exchanged(lock_ptr, expected_val, reset_val, "acquire", scope)


def spin_lock_ld_lt_relaxed_wait(lock_ptr, *, expected_val, scope="gpu", **_):
    """Waits until a flag is a value or more."""
    _until_reached(lock_ptr, expected_val, scope)


class distributed(metaclass=Names):
    """Flags between blocks."""

    red_add1 = staticmethod(red_add1)
    spin_lock_atom_cas_relaxed_wait = staticmethod(spin_lock_atom_cas_relaxed_wait)
    spin_lock_atom_cas_acquire_wait = staticmethod(spin_lock_atom_cas_acquire_wait)
    spin_lock_ld_lt_relaxed_wait = staticmethod(spin_lock_ld_lt_relaxed_wait)


for _name in ("multimem_ld_reduce", "multimem_ld_reduce_4xf32", "multimem_red_add1", "multimem_st", "multimem_st_4xb32"):
    setattr(distributed, _name, Elsewhere(f"cutlass.utils.distributed.{_name}", (), {}))

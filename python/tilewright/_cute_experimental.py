"""cutlass.experimental and cute.experimental: instructions by their names, maps of TMA, and marks of a profiler, which do nothing here."""
from ._cute_names import Names
from ._cute_primitives import primitives
from ._cute_tensor_maps import cuda


class iket(metaclass=Names):
    """Marks within kernels for NVIDIA's profiler; they are no work, and none is measured here."""

    @staticmethod
    def range_push(*_, **__):
        """Nothing: a range that a profiler would show begins."""

    @staticmethod
    def range_pop(*_, **__):
        """Nothing: the range ends."""

    @staticmethod
    def mark(*_, **__):
        """Nothing: a point that a profiler would show."""


class experimental(metaclass=Names):
    """Parts of the DSL that may change."""

    primitives, cuda, iket = primitives, cuda, iket

"""Memory of a GPU as kernels are given it."""
from . import _core
from ._copy import stream_of
from ._cute_numbers import number_type
from ._cute_values import kind_of
from ._layout import Layout


class GpuMemory:
    """A GPU's memory, which kernels read and write."""

    space = "gmem"

    def __init__(self, address, count, dtype, ordinal, keeper):
        self.address, self.count, self.dtype, self.ordinal, self.keeper = address, count, dtype, ordinal, keeper

    def packed(self):
        """The bytes of a kernel's parameter: the address."""
        return self.address.to_bytes(8, "little")

    def recast(self, dtype):
        """The same bytes as elements of another type."""
        return GpuMemory(self.address, self.count * self.dtype.width // dtype.width, dtype, self.ordinal, self.keeper)

    def address_of(self, at):
        """Raises TypeError: launches are repeated with other addresses."""
        raise TypeError("the address of a GPU's memory is known in kernels, and a host function asks for it; call toint() in the kernel")

    def load(self, at, describe):
        raise TypeError(f"{describe()} is in the memory of a GPU; read it in a kernel, or copy the array to the host")

    def store(self, at, value, describe):
        self.load(at, describe)


def is_on_gpu(array):
    """An array of PyTorch or CuPy in a GPU's memory."""
    return getattr(array, "is_cuda", False) is True or hasattr(type(array), "__cuda_array_interface__") and \
        type(array).__module__.partition(".")[0] != "torch"


def seen(array):
    """(address, extents, strides in bytes, bytes of an element, the GPU's number, what keeps the memory) of an array on a GPU."""
    if str(array.dtype).startswith("torch.float8"):  # PyTorch hands on no such floats
        import torch
        array = array.detach().view(torch.uint8)
    return _core.memory_of(array, stream_of(array))


def memory_and_layout(array):
    """(GpuMemory, Layout).  Raises ValueError for strides of less than 0."""
    address, shape, strides, item, ordinal, keeper = seen(array)
    if any(s < 0 for s in strides):
        raise ValueError(f"an array with strides of {tuple(strides)} bytes; a kernel's tensors need strides of 0 or more")
    layout = Layout(tuple(shape) or 1, tuple(s // item for s in strides) or 0)
    name = kind_of(array.dtype)
    return GpuMemory(address, layout.cosize if layout.size else 0, number_type(name), ordinal, keeper), layout

"""PyTorch: packing as an operator with a gradient and a kernel for shapes alone, and a context in which PyTorch's own calls use it.

>>> import torch
>>> import tilewright.torch as twt
>>> x = torch.arange(6.0).reshape(2, 3)
>>> twt.pack(x, (1, 0)).stride()            # the same shape; axis 0 is now the fastest
(1, 2)
>>> with twt.fast():
...     y = x.t().contiguous()              # the planned copy
>>> torch.equal(y, x.t())
True
"""
import contextlib

import torch as _torch
from torch.overrides import TorchFunctionMode as _Mode

from ._copy import copy_, order_axes

__all__ = ["fast", "pack", "permute"]

#: Smaller tensors, in bytes, are left to PyTorch by `fast()`: there its call is as quick as the copy.
SMALLEST = 1 << 14


def _strides(shape, order):
    """Strides of a packed tensor whose axes, from the slowest to the fastest, are `order`."""
    strides, step = [0] * len(shape), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= max(shape[axis], 1)
    return strides


def _pack(x, order):
    out = _torch.empty_strided(x.shape, _strides(x.shape, order), dtype=x.dtype, device=x.device)
    with _torch.no_grad():
        copy_(out, x.detach())
    return out


def _pack_meta(x, order):
    return x.new_empty_strided(x.shape, _strides(x.shape, order))


class _Pack(_torch.autograd.Function):
    """A packed tensor has the elements of its source at the same coordinates: the gradient passes through."""

    @staticmethod
    def forward(context, x, order):
        with _below_autograd():
            return _torch.ops.tilewright.pack(x, order)

    @staticmethod
    def backward(context, gradient):
        return gradient, None


def _below_autograd():
    guard = _torch._C._AutoDispatchBelowAutograd()
    return guard if hasattr(guard, "__enter__") else contextlib.nullcontext(guard)  # up to PyTorch 1.13 it acts while it lives


_library = _torch.library.Library("tilewright", "DEF")
_library.define("pack(Tensor x, int[] order) -> Tensor")
_library.impl("pack", _pack, "CPU")
_library.impl("pack", _pack, "CUDA")
_library.impl("pack", _pack_meta, "Meta")
_library.impl("pack", lambda x, order: _Pack.apply(x, order), "Autograd")


def pack(x, order=None):
    """`x` in memory without gaps, its axes from the slowest to the fastest as `order` says (as they stand if left out).

    The operator torch.ops.tilewright.pack: differentiable, with a kernel for shapes alone, by which torch.compile traces it.

    Raises ValueError for what is not a permutation of the axes.
    """
    return _torch.ops.tilewright.pack(x, list(order_axes("C" if order is None else order, x.dim())))


def permute(x, axes):
    """x.permute(axes).contiguous() by one planned copy."""
    return pack(x.permute(axes))


_CHANNELS_LAST = {_torch.channels_last: (0, 2, 3, 1), _torch.channels_last_3d: (0, 2, 3, 4, 1)}


def _order_of(memory_format, rank):
    """The order of axes that a memory format asks for; None where it asks for none that we know."""
    if memory_format is _torch.contiguous_format:
        return tuple(range(rank))
    order = _CHANNELS_LAST.get(memory_format)
    return order if order is not None and len(order) == rank else None


def _ours(x):
    return (type(x) in (_torch.Tensor, _torch.nn.Parameter) and x.layout is _torch.strided and x.dim() > 0
            and x.device.type in ("cpu", "cuda") and x.numel() * x.element_size() >= SMALLEST
            and not x.is_conj() and not x.is_neg())


def _packed(x, memory_format):
    """`x` in that format by a planned copy; None where PyTorch should do it, or has nothing to do."""
    order = _order_of(memory_format, x.dim())
    if order is None or not _ours(x) or x.is_contiguous(memory_format=memory_format):
        return None
    return pack(x, order)


# Each of these gives what the call of PyTorch would, or None where PyTorch should do it, wrong arguments among them.

def _contiguous(x, *arguments, **options):
    if arguments or set(options) - {"memory_format"}:
        return None
    return _packed(x, options.get("memory_format", _torch.contiguous_format))


def _to(x, *arguments, **options):
    return _contiguous(x, *arguments, **options) if "memory_format" in options else None


def _reshape(x, *shape, **options):
    """A view stays a view, as in PyTorch; what must be copied is packed first, and then it is one."""
    if options or not _ours(x) or x.is_contiguous():
        return None
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    try:
        return x.view(shape)
    except (RuntimeError, TypeError):
        pass
    try:
        return pack(x).view(shape)
    except (RuntimeError, TypeError):
        return None


_REPLACED = {_torch.Tensor.contiguous: _contiguous, _torch.Tensor.to: _to, _torch.Tensor.reshape: _reshape,
             _torch.reshape: _reshape}


class fast(_Mode):
    """Within `with fast():` these calls of PyTorch use planned copies where they move large tensors on a CPU or a GPU:
    `permute(…).contiguous()`, `.contiguous(memory_format=…)`, `.to(memory_format=…)`, and `reshape` where it has to copy.
    """

    def __torch_function__(self, function, types, arguments=(), options=None):
        options = options or {}
        ours = _REPLACED.get(function)
        if ours is not None and isinstance(arguments[0] if arguments else None, _torch.Tensor):
            done = ours(*arguments, **options)
            if done is not None:
                return done
        return function(*arguments, **options)

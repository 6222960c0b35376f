"""cutlass.torch: PyTorch's tensors as programs in CuTe's Python DSL make them for their tests."""
import dataclasses
import enum

import numpy as np

from ._cute_narrow import encoded
from ._cute_numbers import number_type, TFloat32
from ._cute_tensor import as_tensor, from_dlpack


class TensorInitType(enum.Enum):
    """What a new tensor holds."""

    SKIP, SCALAR, RANDOM, GAUSSIAN = "skip", "scalar", "random", "gaussian"


@dataclasses.dataclass
class ScalarInitConfig:
    """One number."""

    value: float = 0.0


@dataclasses.dataclass
class RandomInitConfig:
    """Integers from min_val on, less than max_val."""

    min_val: int = -2
    max_val: int = 2


@dataclasses.dataclass
class GaussianInitConfig:
    """Numbers of a normal distribution, scaled."""

    mean: float = 0.0
    std: float = 1.0
    scale: float = 1.0


def dtype(number_type):
    """PyTorch's dtype of the same elements."""
    import torch as pytorch
    name = getattr(number_type, "kind_name", None) or np.dtype(number_type).name
    return getattr(pytorch, "float32" if name == "tfloat32" else name)


def _is_bytes(made):
    """Are elements of 8 bits held as bytes, since they have no numbers here?"""
    return getattr(made, "kind_name", "").startswith("float8")


def create_and_permute_torch_tensor(shape, dtype, permute_order=None, init_type=TensorInitType.RANDOM, init_config=None, device=None):
    """A tensor on the CPU, its modes in another order; random integers of -2 to 1 unless another content is asked for."""
    import torch as pytorch
    made = pytorch.empty(*shape, dtype=dtype)
    if init_type is TensorInitType.RANDOM:
        of = init_config or RandomInitConfig()
        made = (pytorch.empty(*shape, dtype=pytorch.float32) if dtype.is_floating_point else made).random_(of.min_val, of.max_val).to(dtype=dtype)
    elif init_type is TensorInitType.SCALAR:
        made = made.fill_((init_config or ScalarInitConfig()).value)
    elif init_type is TensorInitType.GAUSSIAN:
        of = init_config or GaussianInitConfig()
        made = (pytorch.empty(*shape, dtype=pytorch.float32).normal_(of.mean, of.std) * of.scale).to(dtype=dtype)
    made = made if permute_order is None else made.permute(permute_order)
    return made if device is None else made.to(device)


def matrix(l, mode0, mode1, is_mode0_major, cutlass_dtype, init_type=TensorInitType.RANDOM, init_config=None, device=None):  # noqa: E741
    """A tensor (mode0, mode1, l) on the CPU, contiguous along mode0 or mode1; of numbers that PyTorch lacks as float32."""
    import torch as pytorch
    made = number_type(cutlass_dtype)
    kind = pytorch.float32 if _is_bytes(made) or made.width < 8 else dtype(made)
    if init_config is None and init_type is TensorInitType.RANDOM and not made.signed:
        init_config = RandomInitConfig(0, 4)
    shape, order = ((l, mode1, mode0), (2, 1, 0)) if is_mode0_major else ((l, mode0, mode1), (1, 2, 0))
    return create_and_permute_torch_tensor(shape, kind, order, init_type, init_config, device)


def cute_tensor_like(data_ref, cutlass_dtype, is_dynamic_layout=False, assumed_align=None):
    """(a kernel's tensor, PyTorch's tensor of the same memory) with the numbers of `data_ref`: on its GPU where there is one."""
    import torch as pytorch
    made = number_type(cutlass_dtype)
    if made.width < 8:
        raise TypeError(f"PyTorch computes with no elements of {made!r}; put two into a byte of a tensor of int8, and see it by recast_tensor")
    if _is_bytes(made) and not hasattr(pytorch, "float8_e4m3fn"):  # an earlier PyTorch: bytes
        there = pytorch.empty_like(data_ref, dtype=pytorch.uint8)
        write_bytes(there, data_ref, made)
        tensor = as_tensor(there)
        tensor.element_type = made
        return tensor, there
    there = data_ref.to(dtype=pytorch.float8_e4m3fn if made.__name__ == "Float8E4M3FN" else pytorch.float8_e5m2) if _is_bytes(made) else \
        data_ref.to(dtype=dtype(made))
    there = there.cuda() if pytorch.cuda.is_available() else there
    tensor = as_tensor(there)
    if made is TFloat32:  # PyTorch's float32, of which matrix operations take 19 bits
        tensor.element_type = made
    return tensor, there


def write_bytes(bytes_, numbers, dtype):
    """The bytes of a tensor of PyTorch's become floats of 8 bits, the nearest to numbers."""
    import torch as pytorch
    made = encoded(numbers.detach().cpu().numpy(), number_type(dtype).kind_name)
    bytes_.copy_(pytorch.from_numpy(made.view(str(bytes_.cpu().numpy().dtype))))


def convert_cute_tensor(f32_torch_tensor, cute_tensor, dtype, is_dynamic_layout=True):
    """The kernel's tensor; one of floats of 8 bits in the host's memory gets the numbers of the other.  Raises TypeError for one on a GPU."""
    if _is_bytes(number_type(dtype)):
        memory = cute_tensor.iterator.memory
        if not hasattr(memory, "put"):
            raise TypeError(f"{dtype!r} on a GPU is not written here; make the tensor of PyTorch's own float8 elements")
        memory.put(cute_tensor.places(), np.asarray(f32_torch_tensor.detach().cpu().numpy()).reshape(-1, order="F"))
    return cute_tensor


def get_leading_dim(tensor):
    """The mode of stride 1."""
    return next((i for i, s in enumerate(tensor.stride()) if s == 1), None)


def current_stream():
    """PyTorch's current stream, which launches use."""
    import torch as pytorch
    return pytorch.cuda.current_stream()


def default_stream():
    """PyTorch's default stream."""
    import torch as pytorch
    return pytorch.cuda.default_stream()


class torch:
    """PyTorch's tensors and types for number types."""

    TensorInitType, ScalarInitConfig, RandomInitConfig, GaussianInitConfig = TensorInitType, ScalarInitConfig, RandomInitConfig, GaussianInitConfig
    dtype, matrix, cute_tensor_like = staticmethod(dtype), staticmethod(matrix), staticmethod(cute_tensor_like)
    create_and_permute_torch_tensor = staticmethod(create_and_permute_torch_tensor)
    from_dlpack = staticmethod(from_dlpack)
    convert_cute_tensor, get_leading_dim = staticmethod(convert_cute_tensor), staticmethod(get_leading_dim)
    current_stream, default_stream = staticmethod(current_stream), staticmethod(default_stream)

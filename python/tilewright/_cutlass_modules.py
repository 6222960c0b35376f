"""Modules by NVIDIA's names: what tilewright.cutlass.register() puts where `import cutlass.cute.nvgpu.cpasync` looks."""
import importlib
import importlib.machinery
import sys
import types
import typing

from . import _cute_ptx as _ptx
from . import _cute_schedule, cute, cutlass
from ._cute_architectures import Arch
from ._cute_elsewhere import elsewhere, Elsewhere, why_not
from ._cute_numbers import number as _number


class _Types:
    """Number types, tensors and pointers, which annotate."""


for _name in ("Pointer", "Tensor", "Layout", "Shape", "Coord", "Stride", "Tile", "Tiler", "IntTuple", "Numeric", "Float", "NumberType",
              "TensorSSA", "AddressSpace"):
    setattr(_Types, _name, getattr(cute, _name))
for _name, _type in cutlass.NUMBERS.items():
    setattr(_Types, _name, _type)
_Types.NumericMeta, _Types.T, _Types.JitArgument, _Types.Integer = cute.NumberType, _ptx.T, object, cute.Integer
for _name in ("SymInt", "sym_int", "sym_int32", "sym_int64", "is_valid_leaf", "is_int_tuple", "is_int_tuple_type", "ComposedLayout"):
    setattr(_Types, _name, getattr(cute, _name))
_Types.is_integer = lambda x, **_: isinstance(x, int) or getattr(type(x), "is_integer", False)
_Types.as_numeric = staticmethod(lambda x, **_: _number(x))
_Types.is_integer = staticmethod(_Types.is_integer)
_Types.XTuple = _Types.ScaledBasis = object
_Types.Optional, _Types.Type, _Types.Union = typing.Optional, typing.Type, typing.Union  # which programs take from there too
_Types.Int, _Types.FloatMeta, _Types.IntegerMeta = int, cute.NumberType, cute.NumberType


class _Tensors(metaclass=type(cute.nvgpu)):
    """cutlass.cute.tensor: what cutlass.cute has, and the class of tensors by its other name."""

    _Tensor = cute.Tensor


for _name in dir(cute):
    if not _name.startswith("_"):
        setattr(_Tensors, _name, getattr(cute, _name))


class _Enums:
    """Names of architectures."""

    Arch = Arch


class _Driver:
    """Calls of CUDA's driver."""

    @staticmethod
    def checkCudaErrors(result):
        """What a call of cuda-python gives behind its status.  Raises RuntimeError for another status than success."""
        status, *given = result
        if getattr(status, "value", status):
            raise RuntimeError(f"CUDA's driver answers {status}")
        return None if not given else given[0] if len(given) == 1 else tuple(given)


def _all():
    """name -> what its names are taken from"""
    nvgpu, utils, pipeline = cute.nvgpu, cutlass.utils, cutlass.pipeline
    return {"cutlass.cute.runtime": cute.runtime, "cutlass.cute.testing": cute.testing, "cutlass.testing": cutlass.testing,
            "cutlass.cute.nvgpu": nvgpu, "cutlass.cute.nvgpu.cpasync": nvgpu.cpasync, "cutlass.cute.nvgpu.warp": nvgpu.warp,
            "cutlass.cute.nvgpu.warpgroup": nvgpu.warpgroup, "cutlass.cute.math": cute.math, "cutlass.cute.arch": cute.arch,
            "cutlass.cute.arch.nvvm_wrappers": cute.arch, "cutlass.cute.arch.smem": cute.arch, "cutlass.cute.arch.tmem": cute.arch, "cutlass.cute.arch.mbar": cute.arch,
            "cutlass.cute.typing": _Types, "cutlass.cute.tensor": _Tensors, "cutlass.cute.core": cute, "cutlass.cute.algorithm": cute, "cutlass.cute.atom": cute,
            "cutlass.cute.tuple": cute, "cutlass.cute.nvgpu.common": nvgpu, "cutlass.cute.nvgpu.warp.mma": nvgpu.warp,
            "cutlass.cute.nvgpu.warp.copy": nvgpu.warp, "cutlass.cute.nvgpu.cpasync.copy": nvgpu.cpasync,
            "cutlass.cute.nvgpu.cpasync.helpers": nvgpu.cpasync, "cutlass.cute.nvgpu.warpgroup.mma": nvgpu.warpgroup,
            "cutlass.cute.nvgpu.warpgroup.helpers": nvgpu.warpgroup,
            "cutlass.cute.nvgpu.tcgen05": nvgpu.tcgen05, "cutlass.cute.nvgpu.tcgen05.mma": nvgpu.tcgen05.mma,
            "cutlass.cute.nvgpu.tcgen05.copy": nvgpu.tcgen05.copy, "cutlass.cute.nvgpu.tcgen05.helpers": nvgpu.tcgen05,
            "cutlass.utils.sm100": utils.blackwell_helpers, "cutlass.utils.sm90": utils.hopper_helpers, "cutlass.memory": cutlass.memory,
            "cutlass.utils.distributed": utils.distributed, "cutlass.experimental": cutlass.experimental,
            "cutlass.experimental.primitives": cutlass.experimental.primitives, "cutlass.experimental.cuda": cutlass.experimental.cuda,
            "cutlass.cute.experimental": cute.experimental, "cutlass.cute.experimental.iket": cute.iket, "cutlass.cute.iket": cute.iket,
            "cutlass.utils.gemm": utils.gemm, "cutlass.utils.gemm.sm100": utils.gemm.sm100, "cutlass.utils.print_latex": utils,
            "cutlass.cute.nvgpu.helpers": nvgpu, "cutlass.pipeline.sm100": pipeline, "cutlass.utils.tmem_allocator": utils,
            "cutlass.utils": utils, "cutlass.utils.tensor_helpers": cutlass.tensor_helpers, "cutlass.utils.layout": utils,
            "cutlass.utils.hopper_helpers": utils.hopper_helpers, "cutlass.utils.blackwell_helpers": utils.blackwell_helpers,
            "cutlass.utils.static_persistent_tile_scheduler": _cute_schedule, "cutlass.utils.hardware_info": _cute_schedule,
            "cutlass.utils.grouped_gemm_persistent_tile_scheduler": utils,
            "cutlass.utils.smem_allocator": utils, "cutlass.cutlass_dsl": cutlass, "cutlass.pipeline": pipeline,
            "cutlass.pipeline.sm90": pipeline, "cutlass.utils.pipeline": pipeline, "cutlass.pipeline.helpers": pipeline, "cutlass.torch": cutlass.torch,
            "cutlass.base_dsl": cutlass, "cutlass.base_dsl.typing": _Types, "cutlass.base_dsl.arch": _Enums,
            "cutlass.base_dsl.enums": _Enums, "cutlass.base_dsl.dsl": cutlass,
            "cutlass.base_dsl.runtime": _Driver, "cutlass.base_dsl.runtime.cuda": _Driver}


def register():
    """error: ImportError where another cutlass is imported"""
    if sys.modules.get("cutlass", cutlass) is not cutlass:
        raise ImportError("another cutlass is imported already; call tilewright.cutlass.register() before")
    sys.modules["cutlass"], sys.modules["cutlass.cute"] = cutlass, cute
    for name, names in _all().items():
        module = types.ModuleType(name, names.__doc__)
        module.__dict__.update({n: getattr(names, n) for n in dir(names) if not n.startswith("_") or n == "_Tensor"})
        module.__dict__["__getattr__"] = _refusal(names, name)
        module.__path__ = []
        sys.modules[name] = module
        parent, _, last = name.rpartition(".")
        if isinstance(sys.modules.get(parent), types.ModuleType) and last not in vars(sys.modules[parent]):
            setattr(sys.modules[parent], last, module)
    cutlass.__path__ = cute.__path__ = []  # packages, as far as imports are concerned
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
    # Names that programs take from there, beside those that the parts have.
    vars(sys.modules["cutlass.base_dsl.typing"])["__STR_TO_DTYPE__"] = dict(cutlass.NUMBERS)
    dialects = importlib.import_module("cutlass._mlir.dialects.nvvm"), importlib.import_module("cutlass._mlir.dialects.llvm")
    sys.modules["cutlass.cute.arch"].Arch, sys.modules["cutlass.cute.arch.nvvm_wrappers"].prefetch = Arch, cute.prefetch
    for name in ("cutlass.cute.arch", "cutlass.cute.arch.nvvm_wrappers"):
        vars(sys.modules[name]).update(zip(("nvvm", "llvm"), dialects))


def _refusal(names, module):
    """The __getattr__ of a module: the sentence of the group that its names are of."""
    def refused(name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return getattr(names, name)
        except AttributeError as error:
            if module.startswith("cutlass.base_dsl"):  # a part of NVIDIA's compiler, to put aside
                return Elsewhere(f"{module}.{name}", (), {})
            made = elsewhere(f"{module}.{name}")
            if made is None:
                raise AttributeError(f"{module}: {error}") from None
            return made
    return refused


class _Finder:
    """Gives parts of NVIDIA's compiler that inline PTX needs, and names of what is not run here; refuses imports of other modules."""

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("cutlass.") or sys.modules.get("cutlass") is not cutlass:
            return None
        if name.startswith(("cutlass._mlir", "cutlass.base_dsl")) or why_not(name):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        raise ModuleNotFoundError(f"tilewright.cutlass has no module '{name}'; docs/reference/python.md#kernels lists what it has of CuTe's "
                                  "Python DSL", name=name)

    def create_module(self, spec):
        part = getattr(_ptx, spec.name.rpartition(".")[2], None)
        made = types.ModuleType(spec.name)
        if isinstance(part, type):
            made.__dict__.update({n: v for n in dir(part) if not n.startswith("_") for v in [getattr(part, n)]})
        if spec.name.endswith(".types"):
            made.__dict__.update({n: getattr(_ptx.T, n) for n in vars(_ptx.T) if not n.startswith("_")})

        def given(name):
            if name.startswith("__"):
                raise AttributeError(name)
            known = getattr(_ptx, name, None)
            if spec.name.startswith("cutlass.base_dsl") and name in vars(cutlass):  # such as dsl_user_op, where earlier versions had it
                return vars(cutlass)[name]
            return known if isinstance(known, Elsewhere) else Elsewhere(f"{spec.name}.{name}", (), {})
        made.__dict__["__getattr__"] = given
        return made

    def exec_module(self, module):
        """The module is complete."""

"""What programs for several GPUs name and this package does not run: parts of NVIDIA's compiler, and of hardware that an H200 lacks. Such a name
may be imported, have attributes and annotate; a call of it is refused with one sentence.

    tcgen05.Cp4x32x128bOp                           a name
    tcgen05.Cp4x32x128bOp(…)                        TypeError: … a block-scaled product is not run here
"""
#: What is not run here -> words of its names.
_NOT_RUN = {"TMA of images": ("im2col",),
            "a block-scaled product": ("blockscaled", "block_scale", "sfa", "sfb", "make_s2t", "cp4x32"),
            "this part of tensor memory": ("tcgen05", "tmem", "umma", "sm100", "sm103", "sm107", "rubin", "blackwell_helpers", "multiconsumers"),
            "an operation of another GPU": ("ldmatrix16x", "stmatrix16x", "mmamxf", "nonexectrait"),
            "this part of cluster launch control": ("clc",), "a kernel compiled ahead": ("load_module", "jitcompiledfunction",
                                                                            "jit_executor", "tvm_ffi", "export_to_c"),
            "an operation on memory of several GPUs": ("multimem",),
            "an experimental part of the DSL": ("experimental", "iket", "frontendnext")}


def why_not(name):
    """The feature, one that is not run here, that a name is part of; None if it is part of none."""
    low = name.lower()
    return next((what for what, words in _NOT_RUN.items() if any(word in low for word in words)), None)


def refusal(name):
    """The error of a call."""
    name = name if name.startswith(("cutlass.", "cute.")) else f"cutlass._mlir.{name}"
    what = why_not(name)
    if what is None or name.startswith(("cutlass._mlir", "cutlass.base_dsl")):
        return TypeError(f"{name} is of NVIDIA's compiler, which does not run here; of it there are llvm.inline_asm and the types that it takes "
                         "(docs/reference/python.md#kernels)")
    return TypeError(f"{name}: {what} is not run here; docs/reference/python.md#kernels lists what there is of CuTe's Python DSL")


class Elsewhere(type):
    """The type of such a name."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Elsewhere(f"{cls.__name__}.{name}", (), {})

    def __call__(cls, *_, **__):
        raise refusal(cls.__name__)

    def __or__(cls, other):
        return cls

    __ror__ = __or__

    def __eq__(cls, other):
        return cls is other or isinstance(other, Elsewhere) and cls.__name__ == other.__name__

    def __hash__(cls):
        return hash(cls.__name__)


def elsewhere(name):
    """The name, where it is of what is not run here; else None."""
    return Elsewhere(name, (), {}) if why_not(name) else None

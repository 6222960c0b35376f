"""cute.compile, cute.runtime and cute.testing: what programs in CuTe's Python DSL do around kernels. Nothing is compiled ahead:
a kernel on a CPU needs no compiler, and one on a GPU is compiled at its first launch and kept, and so is what a function launches."""
import ctypes
import functools
import inspect
import itertools
import pathlib
import re
import sys
import tempfile
import time

import numpy as np

from . import _core
from . import _operations as _algebra
from ._cute_arch import arch
from ._cute_calls import Call, is_noted, noted
from ._cute_gpu_memory import GpuMemory
from ._cute_kept import CallKey, Kept, NotKept
from ._cute_launch import current, kernel
from ._cute_memory import numpy_type, zeros
from ._cute_names import Names
from ._cute_numbers import number_type
from ._cute_tensor import Memory, Pointer, Tensor, as_tensor, from_dlpack
from ._cute_trace_memory import memory_at
from ._cute_values import active, Value
from ._layout import Layout


def _is_constant(parameter):
    annotation = parameter.annotation
    return "Constexpr" in annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "").startswith("Constexpr")


def _is_repeated(function):
    """Is it a function of @cute.jit, or an object that is called by one? What others do is not known."""
    return getattr(function if inspect.isroutine(function) else getattr(type(function), "__call__", None), "launches_kernels", False)


class Compiled:
    """A function with its Constexpr arguments; it is called with the others. On a GPU, calls with arguments of the same kind repeat what the first
    one launched, without the function."""

    def __init__(self, function, arguments, named, architecture=None):
        self.function, self.architecture = function, architecture
        target = function if inspect.isroutine(function) or isinstance(function, functools.partial) else function.__call__
        self.signature = inspect.signature(target)
        bound = self.signature.bind(*arguments, **named)
        bound.apply_defaults()
        self.fixed = {n: bound.arguments[n] for n, p in self.signature.parameters.items() if _is_constant(p)}
        self.fixed.update({n: None for n, x in bound.arguments.items() if isinstance(x, _OfTheCaller)})
        self.given = bound.arguments
        self.calls = Kept(256) if _is_repeated(function) else None

    def __call__(self, *arguments, **named):
        if self.calls is None or is_noted():
            return self.run(arguments, named)
        key = CallKey()
        try:
            kind = (*named, *key.of_all(*arguments, *named.values()))
        except NotKept:
            return self.run(arguments, named)
        kept = self.calls.get(kind)
        if kept is not None:
            return kept.run(key.memories)
        out, notes = noted(lambda: self.run(arguments, named))
        kept = Call.of(notes, key) if out is None else None
        if kept is not None:
            self.calls.put(kind, kept)
        return out

    def export_to_c(self, file_path, file_name=None, function_prefix=None, **_):
        """Writes FILE_NAME.h, FILE_NAME.o and the kernels' text FILE_NAME.cu into a folder: the function for C and C++, for the layouts and numbers
        that it was compiled with; `function_prefix` begins the names in C. Needs NVIDIA's run-time compiler, and no GPU.

        Raises TypeError for a function that cannot be exported, CopyError without the compiler, RuntimeError without a C compiler.
        """
        from ._cute_export import export_to_c
        if file_name is None:
            raise TypeError("export_to_c has a folder and a file_name: export_to_c('build', 'add_one')")
        export_to_c(self, file_path, file_name, function_prefix, self.architecture)

    def dump_to_object(self, function_prefix):
        """The bytes of the object file that export_to_c writes.  error: as export_to_c"""
        with tempfile.TemporaryDirectory() as folder:
            self.export_to_c(folder, function_prefix)
            return pathlib.Path(folder, function_prefix + ".o").read_bytes()

    @property
    def __cubin__(self):
        """The machine code of the function's only kernel.  error: as export_to_c; TypeError where it launches several"""
        from ._cute_export import capability_of, launches_of, machine_code_of
        launches = launches_of(self)[0].launches
        if len({one.text for one in launches}) != 1:
            raise TypeError(f"the function launches {len(launches)} kernels, and __cubin__ is of one; use export_to_c")
        return machine_code_of(launches[0], capability_of(self.architecture))

    def run(self, arguments, named):
        """Runs the function with the arguments that are not Constexpr."""
        free = [n for n, p in self.signature.parameters.items() if n not in self.fixed]
        if len(arguments) > len(free):
            raise TypeError(f"{getattr(self.function, '__name__', 'the function')} was compiled for the arguments {', '.join(free)}, and "
                            f"{len(arguments)} are given; Constexpr arguments are those of cute.compile")
        values = {**self.given, **self.fixed, **dict(zip(free, arguments)), **named}
        call = inspect.BoundArguments(self.signature, {n: values[n] for n in self.signature.parameters})
        return self.function(*call.args, **call.kwargs)


class _Compile:
    """compile(function, arguments…): a function to call with the arguments that are not Constexpr."""

    architecture = None  # that an export is for

    def __call__(self, function, *arguments, options=None, **named):
        """A function to call with the arguments that are not Constexpr. `options`: of these --gpu-arch=sm_90a matters, to exports."""
        found = re.search(r"--gpu-arch[= ](\w+)", options) if isinstance(options, str) else None
        return Compiled(function, arguments, named, found[1] if found else self.architecture)

    def __getitem__(self, options):
        made = _Compile()
        given = options if isinstance(options, tuple) else (options,)
        made.architecture = next((o.name for o in given if isinstance(o, GPUArch)), self.architecture)
        return made


compile = _Compile()  # noqa: A001  the DSL's name


class _Option:
    """An option of the DSL's compiler, which changes nothing here: cute.compile[cute.KeepPTX](f)."""

    def __init__(self, *_):
        pass


class KeepPTX(_Option):
    """An option that changes nothing here."""


class KeepCUBIN(_Option):
    """An option that changes nothing here."""


class GenerateLineInfo(_Option):
    """An option that changes nothing here."""


class GPUArch(_Option):
    """The architecture that an export is for, GPUArch("sm_90a"); kernels that are launched are compiled for the GPU that they run on."""

    def __init__(self, name, *_):
        self.name = name


class EnableTVMFFI(_Option):
    """An option that changes nothing here."""


class OptLevel(_Option):
    """An option that changes nothing here."""


class EnableAssertions(_Option):
    """An option that changes nothing here."""


class KeepSASS(_Option):
    """An option that changes nothing here."""


class NvdisasmOptions(_Option):
    """An option that changes nothing here."""


#: Bytes of a make_ptr whose extent is not known: reads beyond what the program allocated are not found.
_UNBOUNDED = 1 << 40


def gpu_of(address):
    """The GPU whose memory an address is in; -1 for the host's."""
    return _core.gpu_of(address)


def make_ptr(dtype, value, mem_space="generic", assumed_align=None, **_):
    """A pointer to memory at an address, of the host or, in a kernel on a GPU, there; how far it may be used is not checked."""
    if active():
        return Pointer(memory_at(active(), value, number_type(dtype), "smem" if mem_space == "smem" else "gmem", _UNBOUNDED))
    value = int(value)
    ordinal = gpu_of(value) if mem_space != "smem" and current() is None else -1
    if ordinal >= 0:
        made = number_type(dtype)
        return Pointer(GpuMemory(value, _UNBOUNDED * 8 // made.width, made, ordinal, None))
    if value == 0:  # to compile with
        return Pointer(Memory(np.zeros(0, numpy_type(dtype)), "gmem", kind=getattr(number_type(dtype), "kind_name", None)))
    memory = np.frombuffer((ctypes.c_byte * _UNBOUNDED).from_address(value), numpy_type(dtype))
    return Pointer(Memory(memory, "smem" if mem_space == "smem" else "gmem", kind=getattr(number_type(dtype), "kind_name", None)))


class _OfTheCaller:
    """In place of a stream that calls do not name."""


def make_fake_stream(*, use_tvm_ffi_env_stream=False, **_):
    """A stream to compile with: None, since launches use the array's own. With use_tvm_ffi_env_stream calls of the compiled function are
    without it."""
    return _OfTheCaller() if use_tvm_ffi_env_stream else None


def make_fake_compact_tensor(dtype, shape, *, stride_order=None, **_):
    """A tensor to compile with; names among the extents count as 1. What is compiled runs with the tensors that it is called with."""
    extents = tuple(1 if isinstance(e, str) else int(e) for e in shape)
    order = stride_order or tuple(range(len(extents)))
    return _named(shape, Tensor(Pointer(Memory(zeros(int(np.prod(extents)), dtype), "gmem", kind=getattr(number_type(dtype), "kind_name", None))), _algebra.compact_order(extents, order)))


def _named(numbers, tensor):
    """The tensor, which knows the names among its extents and strides."""
    tensor.unknown = [x for x in numbers if isinstance(x, str)]
    return tensor


def make_fake_tensor(dtype, shape, stride, **_):
    """A tensor to compile with; names among extents and strides count as 1."""
    layout = Layout(*(tuple(1 if isinstance(e, str) else int(e) for e in x) for x in (shape, stride)))
    return _named((*shape, *stride), Tensor(Pointer(Memory(zeros(layout.cosize, dtype), "gmem", kind=getattr(number_type(dtype), "kind_name", None))),
                                            layout))


_names = itertools.count()


def sym_int(*_, **__):
    """A name for an extent that is not known when a function is compiled."""
    return f"n{next(_names)}"


sym_int32 = sym_int64 = sym_int


class runtime(metaclass=Names):
    """Tensors of other libraries' arrays."""

    @staticmethod
    def find_runtime_libraries(**_):
        """The libraries that compiled functions need beside this package: none."""
        return []

    make_fake_stream, make_fake_tensor = staticmethod(make_fake_stream), staticmethod(make_fake_tensor)
    make_fake_compact_tensor = staticmethod(make_fake_compact_tensor)

    from_dlpack = staticmethod(from_dlpack)
    as_tensor = staticmethod(as_tensor)
    make_ptr, Pointer = staticmethod(make_ptr), Pointer


def _converted(src, dst):
    """A thread's element; the kernel of testing.convert on a GPU."""
    i = arch.block_idx()[0] * 256 + arch.thread_idx()[0]
    if i < src.layout.size:
        dst[i] = src[i].to(dst.element_type)


class CantImplementError(Exception):
    """What a program raises for a problem that its kernel does not solve."""


class JitArguments:
    """Arguments of a call, for benchmark."""

    def __init__(self, *arguments, **named):
        self.arguments, self.named, self.held = arguments, named, []

    def add_to_scope(self, values):
        """Keeps what the arguments' memory belongs to."""
        self.held += values


class testing(metaclass=Names):
    """Measurement."""

    JitArguments, CantImplementError = JitArguments, CantImplementError

    @staticmethod
    def assert_(cond, msg=None, **_):
        """Raises AssertionError where the condition does not hold; a kernel on a GPU ends there, and its launch fails."""
        if isinstance(cond, Value):
            active().line(f"if (!({active().converted(cond, 'bool')})) __trap();")
        elif not cond:
            raise AssertionError(msg or "the condition of testing.assert_ does not hold")

    @staticmethod
    def convert(src, dst):
        """Each element of a tensor as one of another's type."""
        if src.iterator.memspace == "gmem" and isinstance(src.iterator.memory, GpuMemory):
            kernel(_converted)(src, dst).launch(grid=-(-src.layout.size // 256), block=256)
            return
        for i in range(src.layout.size):
            dst[i] = src[i]

    @staticmethod
    def add_tensor_init_args(parser, supports_int_dtypes=True):
        """The options --init_normal, --normal_mean and --normal_std for a program's argparse.ArgumentParser."""
        parser.add_argument("--init_normal", action="store_true", help="numbers of a normal distribution")
        parser.add_argument("--normal_mean", type=float, default=0.0, help="its mean")
        parser.add_argument("--normal_std", type=float, default=1.0, help="its standard deviation")

    @staticmethod
    def validate_tensor_init_args(args, parser):
        """Ends the program with the parser's error where the standard deviation is below 0."""
        if args.normal_std < 0:
            parser.error(f"--normal_std is {args.normal_std}; it is 0 or more")

    @staticmethod
    def get_workspace_count(one_workspace_bytes, warmup_iterations, iterations):
        """How many sets of arguments a measurement uses: one."""
        return 1

    @staticmethod
    def benchmark(function, *, warmup_iterations=10, iterations=100, kernel_arguments=None, workspace_generator=None, **_):
        """The mean time of a call in microseconds, on the host's clock."""
        given = kernel_arguments or (workspace_generator() if workspace_generator else JitArguments())
        for _ in range(warmup_iterations):
            function(*given.arguments, **given.named)
        _wait()
        begin = time.perf_counter()
        for _ in range(iterations):
            function(*given.arguments, **given.named)
        _wait()
        return (time.perf_counter() - begin) * 1e6 / max(iterations, 1)

    @staticmethod
    def tune(function, params_dict, kernel_arguments=None, warmup_iterations=1, iterations=1, **_):
        """The values, one for each name of params_dict, for which function(arguments, **values) gives the fastest function to call.

        Raises ValueError where it refuses all of them.
        """
        given, times, refusal = kernel_arguments or JitArguments(), [], None
        for values in _combinations(params_dict):
            try:
                ready = function(*given.arguments, **given.named, **values)
                times.append((testing.benchmark(ready, warmup_iterations=warmup_iterations, iterations=iterations), len(times), values))
            except ValueError as error:
                refusal = error
        if not times:
            raise ValueError(f"none of the values {params_dict} can be used: {refusal}")
        return min(times)[2]

    @staticmethod
    def autotune_jit(params_dict=None, update_on_change=(), warmup_iterations=1, iterations=1, **_):
        """Calls a function with the fastest values of params_dict; they are tried anew where an argument of update_on_change differs."""
        def decorated(function):
            signature, chosen = inspect.signature(function), {}

            def made(*arguments, **named):
                bound = signature.bind_partial(*arguments, **named).arguments
                key = tuple(str(bound.get(n)) for n in update_on_change or ())

                def run(**values):  # in place of those that are given
                    call = signature.bind_partial(*arguments, **named)
                    call.arguments.update(values)
                    ordered = inspect.BoundArguments(signature, {n: call.arguments[n] for n in signature.parameters if n in call.arguments})
                    return function(*ordered.args, **ordered.kwargs)
                if key not in chosen:
                    chosen[key] = testing.tune(lambda **values: lambda: run(**values), params_dict or {},
                                               warmup_iterations=min(warmup_iterations, 1), iterations=min(iterations, 1))
                return run(**chosen[key])
            return functools.update_wrapper(made, function)
        return decorated


def _combinations(params_dict):
    for values in itertools.product(*params_dict.values()):
        yield dict(zip(params_dict, values))


def _wait():
    """Until PyTorch's GPU has done what was started, where a program uses one."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.synchronize()

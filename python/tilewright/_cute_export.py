"""Kernels compiled ahead: what a host function launches for the layouts that it was compiled with, as a C header and an object file that loads the
machine code by CUDA's driver.

    compiled = cute.compile(add_one, a, b, stream)          add_one.h     add_one_Tensor_a_t, add_one_Kernel_Module_Load, cute_dsl_add_one_wrapper …
    compiled.export_to_c("build", "add_one")                add_one.o     the machine code and the functions; the kernels' text is in add_one.cu

Extents, strides and numbers are those of cute.compile; a call gives the addresses and the stream.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from . import _core
from ._cute_architectures import Arch
from ._cute_calls import exported
from ._cute_export_text import HEADER, SOURCE
from ._cute_gpu_memory import GpuMemory
from ._cute_launch import _tensors
from ._cute_tensor import Coordinates, Pointer, Tensor
from ._cute_tree import mapped

_STEP = 48  # an argument's address is its number in the bits above


class Launched:
    """A launch of the host function: the kernel's text, its place and what it is given."""

    def __init__(self, name, text, trace, grid, block, together, parameters):
        self.name, self.text, self.grid, self.block, self.together = name, text, grid, block, together
        self.shared_bytes, self.needs_own = trace.dynamic_bytes, trace.has_warpgroups or trace.needs_own_instructions
        self.parameters = parameters


class Export:
    """A host function's launches on memory that has no addresses yet."""

    def __init__(self):
        self.tensors, self.launches = [], []  # (name, layout, element type); Launched

    def argument(self, name, value):
        """The argument with each of its tensors and pointers in memory of the export."""
        numbers = iter(range(1 << 16))

        def made(x):
            if isinstance(x, Tensor) and isinstance(x.iterator, Coordinates) or not isinstance(x, (Tensor, Pointer)):
                return x
            at = next(numbers)
            return self._tensor(name if x is value else f"{name}_{at}", x)
        return mapped(value, made)

    def _tensor(self, name, x):
        pointer = x if isinstance(x, Pointer) else x.iterator
        if getattr(x, "unknown", None):
            raise TypeError(f"export_to_c: the extents or strides {', '.join(x.unknown)} of {name} have no number; an exported function is of one "
                            "layout: give integers, and export a function for each layout")
        self.tensors.append((name, x.layout if isinstance(x, Tensor) else "pointer", pointer.dtype))
        memory = GpuMemory(len(self.tensors) << _STEP, pointer.memory.count, pointer.dtype, 0, None)
        there = Pointer(memory, 0, None, pointer.swizzle)
        return there if isinstance(x, Pointer) else Tensor(there, x.layout)

    def launch(self, function, arguments, grid, block, cluster, together, smem):
        """Notes a launch.  error: TypeError for what an exported function cannot do"""
        from . import _cute_gpu
        text, trace, _, parameters = _cute_gpu.source_of(function, arguments, block, cluster, smem)
        if trace.sites:
            raise TypeError(f"export_to_c: the kernel {function.__name__} prints, which needs this package at the launch; export it without print")
        given = [self._place(p.address) if isinstance(p, GpuMemory) else self._map(p) if hasattr(p, "tma_description") else p.packed() for p in parameters]
        self.launches.append(Launched(function.__name__, text, trace, grid, block, together, given))

    def _place(self, address):
        """(the argument, bytes from its beginning)"""
        return self.tensors[(address >> _STEP) - 1][0], address & (1 << _STEP) - 1

    def _map(self, atom):
        """(the argument, bytes from its beginning, what cuTensorMapEncodeTiled takes of the map)"""
        address, *described = atom.map.described()
        return (*self._place(address), described)


def _is_stream(name, value):
    return name == "stream" or "stream" in type(value).__name__.lower()


def launches_of(compiled):
    """(Export, the parameters of the C function in order: names of tensors and "stream") of a compiled function.

    error: TypeError for a function that launches nothing, and as Export
    """
    export, given, order = Export(), {}, []
    for name, value in compiled.given.items():
        before = len(export.tensors)
        value = value if name in compiled.fixed else _tensors([value])[0]
        given[name] = value if name in compiled.fixed else export.argument(name, value)
        order += [t[0] for t in export.tensors[before:]]
        if name not in compiled.fixed and _is_stream(name, value):
            order.append("stream")
    exported(export, lambda: compiled.run([], given))
    if not export.launches:
        raise TypeError("export_to_c: the function launches no kernel")
    return export, order


def capability_of(architecture):
    """90 for "sm_90a"; of the GPU here, else 90, for None.  error: ValueError"""
    found = re.fullmatch(r"(?:sm_|compute_)?(\d+)[af]?", str(architecture or Arch.current().name))
    if not found:
        raise ValueError(f"there is no architecture {architecture!r}; give one such as sm_90a")
    return int(found[1])


def machine_code_of(launched, capability):
    """The bytes of the kernel's machine code.  error: CopyError without a compiler"""
    return bytes(_core.machine_code(launched.text, launched.name, capability, launched.needs_own))


# --- as C ------------------------------------------------------------------------------------------------------------------------
def _words(data):
    return ",".join(str(b) for b in data)


def _map_text(k, name, offset, described):
    """The lines that encode a map of TMA, p and the number, for an argument's address."""
    element, extents, strides, box, swizzle = described
    listed = [f"    static uint{bits}_t const {what}{k}[] = {{{', '.join(map(str, values or [0]))}}};"
              for bits, what, values in ((64, "extent", extents), (64, "stride", strides), (32, "box", box), (32, "step", [1] * len(box)))]
    return [f"    unsigned char p{k}[128] __attribute__((aligned(64)));", *listed,
            f"    result = api.cuTensorMapEncodeTiled(p{k}, {element}, {len(extents)}, (char *){name}->data + {offset}, extent{k}, stride{k}, box{k}, step{k}, "
            f"0, {swizzle}, 2, 0);", "    if (result != 0) return result;"]


def _launch_text(one, image, stream):
    lines, names = [], []
    for k, p in enumerate(one.parameters):
        if isinstance(p, tuple) and len(p) == 3:
            lines += _map_text(k, *p)
            names.append(f"(void *)p{k}")
            continue
        if isinstance(p, tuple):
            lines.append(f"    void *const p{k} = (char *){p[0]}->data + {p[1]};")
        else:
            lines.append(f"    static unsigned char const p{k}[] __attribute__((aligned(16))) = {{{_words(p)}}};")
        names.append(f"(void *)&p{k}" if isinstance(p, tuple) else f"(void *)p{k}")
    lines.append("    void *const no_log = 0;")
    names.append("(void *)&no_log")
    return "\n".join(["  {", *lines, f"    void *parameters[] = {{{', '.join(names)}}};",
                      f"    result = launch(module, {image}, {', '.join(map(str, (*one.grid, *one.block)))}, {one.shared_bytes}, "
                      f"{stream}, parameters, {int(one.together)});",
                      "    if (result != 0) return result;", "  }"])


def texts_of(compiled, prefix, file_name, capability):
    """{ending: text} of the header, of the C file and of the kernels."""
    export, order = launches_of(compiled)
    kernels = {}  # text -> (number, Launched)
    for one in export.launches:
        kernels.setdefault(one.text, (len(kernels), one))
    structs = "\n".join(f"/* {dtype!r} {layout} */\ntypedef struct {{ void *data; }} {prefix}_Tensor_{name}_t;" for name, layout, dtype in export.tensors)
    declared = "".join(", void *stream" if n == "stream" else f", {prefix}_Tensor_{n}_t *{n}" for n in order)
    images = "\n".join(f"static unsigned char const image{i}[] __attribute__((aligned(64))) = {{{_words(machine_code_of(one, capability))}}};" for i, one in kernels.values())
    stream = "stream" if "stream" in order else "0"
    body = "\n".join(_launch_text(one, kernels[one.text][0], stream) for one in export.launches)
    names = {"prefix": prefix, "file": file_name, "guard": prefix.upper() + "_H", "structs": structs, "declared": declared, "images": images, "count": len(kernels),
             "list": ", ".join(f"image{i}" for i, _ in kernels.values()), "body": body, "architecture": f"sm_{capability}",
             "kernels": ", ".join(f'"{one.name}"' for _, one in kernels.values()),
             "shared": ", ".join(str(one.shared_bytes) for _, one in kernels.values())}

    def filled(text):
        return re.sub(r"@(\w+)@", lambda m: str(names[m[1]]), text)
    return {".h": filled(HEADER), ".c": filled(SOURCE), ".cu": "\n".join(one.text for _, one in kernels.values())}


def _compiler():
    found = os.environ.get("CC") or next((c for c in ("cc", "gcc", "clang") if shutil.which(c)), None)
    if found is None:
        raise RuntimeError("export_to_c needs a C compiler for the object file; install gcc, or set CC")
    return found


def export_to_c(compiled, file_path, file_name, function_prefix, architecture):
    """Writes NAME.h, NAME.o and NAME.cu into a folder, over those that are there.

    error: TypeError for a function that cannot be exported, CopyError without NVIDIA's compiler, RuntimeError without a C compiler
    """
    prefix = function_prefix or file_name
    if not re.fullmatch(r"[A-Za-z_]\w*", prefix):
        raise ValueError(f"export_to_c: {prefix!r} is no name in C; give function_prefix letters, digits and _")
    texts, folder, compiler = texts_of(compiled, prefix, file_name, capability_of(architecture)), pathlib.Path(file_path), _compiler()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".tilewright_") as beside:  # renamed when all of them are complete
        for ending, text in texts.items():
            pathlib.Path(beside, file_name + ending).write_text(text, encoding="utf-8")
        made = subprocess.run([compiler, "-c", "-fPIC", "-O1", "-I", beside, "-o", str(pathlib.Path(beside, file_name + ".o")),
                               str(pathlib.Path(beside, file_name + ".c"))], capture_output=True, text=True, check=False)
        if made.returncode:
            raise RuntimeError(f"export_to_c: {compiler} refuses the C file of {file_name}: {made.stderr.strip()}")
        for ending in (".h", ".cu", ".o"):
            os.replace(pathlib.Path(beside, file_name + ending), folder / (file_name + ending))

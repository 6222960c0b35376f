"""libtilewright.so from Python, by its C interface (include/tilewright/tilewright.h), with nothing in between that would
count in a measurement: arguments are made once, and a call is one foreign call."""
import ctypes
import json
import time

ABI_VERSION = 1
CPU, CUDA = 0, 1


class TilewrightError(RuntimeError):
    """What the library says of a call that failed."""


class Tensor(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_void_p), ("layout", ctypes.c_void_p),
                ("element", ctypes.c_int32), ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32),
                ("reserved", ctypes.c_int32)]


class CopyOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("threads", ctypes.c_int32), ("overlap", ctypes.c_int32),
                ("stream", ctypes.c_void_p), ("tune", ctypes.c_int32), ("reserved", ctypes.c_int32),
                ("progress", ctypes.c_void_p), ("progress_context", ctypes.c_void_p)]


class Layout:
    def __init__(self, library, text):
        self.library, self.handle = library, ctypes.c_void_p()
        library.check(library.raw.tw_layout_parse(text.encode(), ctypes.byref(self.handle)))

    def __del__(self):
        self.library.raw.tw_layout_destroy(self.handle)


class Library:
    def __init__(self, path):
        self.raw = ctypes.CDLL(str(path))
        pointer = ctypes.c_void_p
        for name, result, arguments in [
                ("tw_abi_version", ctypes.c_int32, []), ("tw_last_error", ctypes.c_char_p, []),
                ("tw_version", ctypes.c_char_p, []),
                ("tw_element_named", ctypes.c_int32, [ctypes.c_char_p, ctypes.POINTER(ctypes.c_int32)]),
                ("tw_layout_parse", ctypes.c_int32, [ctypes.c_char_p, ctypes.POINTER(pointer)]),
                ("tw_layout_destroy", None, [pointer]), ("tw_copy", ctypes.c_int32, [pointer, pointer, pointer]),
                ("tw_is_settled", ctypes.c_int32, [pointer, pointer, pointer, ctypes.POINTER(ctypes.c_int32)]),
                ("tw_plan_create", ctypes.c_int32, [pointer, pointer, pointer, ctypes.POINTER(pointer)]),
                ("tw_plan_json", ctypes.c_char_p, [pointer]), ("tw_plan_explain", ctypes.c_char_p, [pointer]),
                ("tw_plan_destroy", None, [pointer])]:
            function = getattr(self.raw, name)
            function.restype, function.argtypes = result, arguments
        if self.raw.tw_abi_version() != ABI_VERSION:
            raise TilewrightError(f"{path} has interface {self.raw.tw_abi_version()}; this program is for {ABI_VERSION}")

    @property
    def version(self):
        return self.raw.tw_version().decode()

    def check(self, code):
        if code != 0:
            raise TilewrightError(self.raw.tw_last_error().decode(errors="replace"))

    def element(self, name):
        number = ctypes.c_int32()
        self.check(self.raw.tw_element_named(name.encode(), ctypes.byref(number)))
        return number.value


class Copy:
    """One copy with its arguments at hand; call it to run it. `src` and `dst` are the addresses of coordinate (0, 0, ...)."""

    def __init__(self, library, case, src, dst, device=CUDA, stream=None, threads=0, tune=False):
        self.library = library
        self.layouts = [Layout(library, text) for text in case.layout_texts()]
        self.tensors = [Tensor(size=ctypes.sizeof(Tensor), data=data, layout=layout.handle,
                               element=library.element(case.element), device=device)
                        for data, layout in zip((src, dst), self.layouts)]
        self.options = CopyOptions(size=ctypes.sizeof(CopyOptions), threads=threads, stream=stream,
                                   tune=int(tune))
        self.arguments = [ctypes.byref(one) for one in [*self.tensors, self.options]]
        self.function = library.raw.tw_copy

    def __call__(self):
        code = self.function(*self.arguments)
        if code != 0:
            self.library.check(code)

    def settle(self, wait, seconds=20.0):
        """Copies until the library has tried all plans that it tries in its first copies of a large tensor, or for so long.
        `wait` returns when a copy is done: under a sanitizer, which slows the device down, copies would pile up. Was that enough?"""
        settled, end = ctypes.c_int32(), time.perf_counter() + seconds
        while True:
            self.library.check(self.library.raw.tw_is_settled(*self.arguments, ctypes.byref(settled)))
            if settled.value or time.perf_counter() > end:
                return bool(settled.value)
            self()
            wait()
            time.sleep(0.001)  # others are compiled meanwhile

    def plan(self):
        """The plan as a dictionary, and its explanation."""
        handle = ctypes.c_void_p()
        self.library.check(self.library.raw.tw_plan_create(*self.arguments, ctypes.byref(handle)))
        try:
            return (json.loads(self.library.raw.tw_plan_json(handle).decode()),
                    self.library.raw.tw_plan_explain(handle).decode())
        finally:
            self.library.raw.tw_plan_destroy(handle)

#!/usr/bin/env python3
"""The C interface from Python's ctypes, as another language uses it: the symbols that the library shows, structures by
their documented members, threads with errors of their own.

usage: ctypes_check.py LIBRARY HEADER
"""
import array
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import threading

OK, BAD_LAYOUT, BAD_ELEMENT = 0, 1, 4
F32, I64 = 20, 11


class Tensor(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_void_p), ("layout", ctypes.c_void_p),
                ("element", ctypes.c_int32), ("device", ctypes.c_int32), ("ordinal", ctypes.c_int32),
                ("reserved", ctypes.c_int32)]


PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


class CopyOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("threads", ctypes.c_int32), ("overlap", ctypes.c_int32),
                ("stream", ctypes.c_void_p), ("tune", ctypes.c_int32), ("reserved", ctypes.c_int32),
                ("progress", PROGRESS), ("progress_context", ctypes.c_void_p)]


class Machine(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("name", ctypes.c_char * 128), ("device", ctypes.c_int32),
                ("processors", ctypes.c_int32), ("widest_access_bits", ctypes.c_int32), ("line_bytes", ctypes.c_int32),
                ("near_bytes", ctypes.c_int64), ("block_bytes", ctypes.c_int64), ("far_bytes", ctypes.c_int64),
                ("bytes_per_second", ctypes.c_double), ("start_seconds", ctypes.c_double),
                ("compute_capability", ctypes.c_int32), ("reserved", ctypes.c_int32)]


def loaded(path):
    tw = ctypes.CDLL(path)
    for name in ("tw_version", "tw_last_error", "tw_error_name", "tw_layout_text", "tw_plan_explain", "tw_plan_json",
                 "tw_element_name"):
        getattr(tw, name).restype = ctypes.c_char_p
    for name in ("tw_layout_text", "tw_layout_destroy", "tw_plan_explain", "tw_plan_json", "tw_plan_destroy"):
        getattr(tw, name).argtypes = [ctypes.c_void_p]
    tw.tw_layout_parse.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)]
    tw.tw_plan_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    return tw


def layout(tw, text):
    handle = ctypes.c_void_p()
    assert tw.tw_layout_parse(text.encode(), ctypes.byref(handle)) == OK, tw.tw_last_error()
    return handle


def tensor(data, handle, element):
    return Tensor(size=ctypes.sizeof(Tensor), data=data.buffer_info()[0], layout=handle, element=element)


def check_symbols(library, header):
    """What the library shows is what the header declares: tw_* and nothing else."""
    declared = set(re.findall(r"\b(tw_\w+)\(", re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)))
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[-1].split("@")[0] for line in listed.splitlines()}
    assert len(declared) > 20
    assert shown == declared, f"shown and not declared: {shown - declared}; declared and not shown: {declared - shown}"


def check_copies(tw):
    src = array.array("q", range(6 * 4))
    dst = array.array("q", bytes(8 * 6 * 4))
    rows, columns = layout(tw, "(6,4):(4,1)"), layout(tw, "(6,4):(1,6)")
    calls = []
    options = CopyOptions(size=ctypes.sizeof(CopyOptions), threads=1,
                          progress=PROGRESS(lambda _, done, total: calls.append((done, total)) or 0))
    a, b = tensor(src, rows, I64), tensor(dst, columns, I64)
    assert tw.tw_copy(ctypes.byref(a), ctypes.byref(b), ctypes.byref(options)) == OK, tw.tw_last_error()
    wanted = [src[4 * i + j] for j in range(4) for i in range(6)]
    assert list(dst) == wanted
    settled = ctypes.c_int32(-1)
    assert tw.tw_is_settled(ctypes.byref(a), ctypes.byref(b), None, ctypes.byref(settled)) == OK, tw.tw_last_error()
    assert settled.value == 1
    assert tw.tw_is_settled(ctypes.byref(a), ctypes.byref(b), None, None) != OK
    assert all(0 <= done <= total for done, total in calls)

    plan = ctypes.c_void_p()
    assert tw.tw_plan_create(ctypes.byref(a), ctypes.byref(b), None, ctypes.byref(plan)) == OK, tw.tw_last_error()
    dst[:] = array.array("q", bytes(8 * 24))
    assert tw.tw_plan_run(plan, src.buffer_info()[0], dst.buffer_info()[0], None) == OK, tw.tw_last_error()
    assert list(dst) == wanted
    assert tw.tw_plan_json(plan).startswith(b"{") and tw.tw_plan_explain(plan)
    tw.tw_plan_destroy(plan)

    b.element = F32
    assert tw.tw_copy(ctypes.byref(a), ctypes.byref(b), None) == BAD_ELEMENT
    assert tw.tw_error_name(BAD_ELEMENT) == b"bad_element"
    for handle in (rows, columns):
        tw.tw_layout_destroy(handle)


def check_strides(tw):
    """Extents and strides as DLPack and NumPy have them."""
    handle, offset = ctypes.c_void_p(), ctypes.c_int64()
    shape, strides = (ctypes.c_int64 * 3)(2, 3, 4), (ctypes.c_int64 * 3)(1, 20, 5)
    assert tw.tw_layout_strided(3, shape, strides, ctypes.byref(handle)) == OK
    assert tw.tw_layout_text(handle) == b"(2,3,4):(1,20,5)"
    for index in range(24):
        i, j, k = index % 2, index // 2 % 3, index // 6
        assert tw.tw_layout_offset(handle, ctypes.c_int64(index), ctypes.byref(offset)) == OK
        assert offset.value == i + 20 * j + 5 * k
    tw.tw_layout_destroy(handle)


def check_machines(tw):
    machine = Machine(size=ctypes.sizeof(Machine))
    assert tw.tw_machine_info(0, 0, 1, ctypes.byref(machine)) == OK, tw.tw_last_error()
    assert machine.name and machine.processors == 1 and machine.compute_capability == 0


def check_errors_belong_to_threads(tw):
    found = {}

    def fail(text):
        handle = ctypes.c_void_p()
        for _ in range(200):
            assert tw.tw_layout_parse(text.encode(), ctypes.byref(handle)) == BAD_LAYOUT
            found[text] = tw.tw_last_error().decode()
            assert text in found[text]

    threads = [threading.Thread(target=fail, args=(text,)) for text in ("(4,", "8:(1)", "x")]
    before = tw.tw_last_error()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found.values())) == 3
    assert tw.tw_last_error() == before


def with_sanitizer(library):
    """A library under AddressSanitizer needs its run time first, which has to find that of exceptions: start again with both."""
    needed = subprocess.run(["ldd", library], capture_output=True, text=True).stdout
    runtimes = re.findall(r"=> (\S*lib(?:asan|ubsan|tsan)\S*)", needed)
    if runtimes and "TILEWRIGHT_PRELOADED" not in os.environ:
        runtimes += re.findall(r"=> (\S*libstdc\+\+\S*)", needed)
        environment = dict(os.environ, LD_PRELOAD=":".join(runtimes), TILEWRIGHT_PRELOADED="1",
                           ASAN_OPTIONS="detect_leaks=0")
        os.execve(sys.executable, [sys.executable, "-B", *sys.argv], environment)


def main(library, header):
    with_sanitizer(library)
    check_symbols(library, pathlib.Path(header))
    tw = loaded(library)
    assert tw.tw_abi_version() == 1
    assert re.fullmatch(rb"\d+\.\d+\.\d+", tw.tw_version())
    for check in (check_copies, check_strides, check_machines, check_errors_belong_to_threads):
        check(tw)
    print("the C interface holds from Python")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

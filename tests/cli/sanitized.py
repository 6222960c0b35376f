"""Whether a program was built with a sanitizer, which keeps memory of its own."""
import pathlib


def is_sanitized(program):
    code = pathlib.Path(program).read_bytes()
    return b"__asan_init" in code or b"__tsan_init" in code

#!/usr/bin/env python3
"""`tilewright convert` against NumPy: every element type, order and permutation gives the very bytes that np.save would
write; layouts and formats are checked element by element; a header that NumPy refuses is refused here too, in one
sentence, without an output. Skips where NumPy is not installed."""
import io
import itertools
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from numpy_cases import CLI, expect, failures, np, saved
from sanitized import is_sanitized

DTYPES = ["|b1", "|i1", "|u1", "<i2", ">i2", "<u2", "<i4", ">i4", "<u4", "<i8", ">i8", "<u8", "<f2", ">f2", "<f4", ">f4",
          "<f8", ">f8", "<c8", ">c8", "<c16", ">c16", "<M8[ns]", "|V2"]
rng = np.random.default_rng(4)


def some_array(dtype, shape, order="C"):
    count = int(np.prod(shape, dtype=np.int64))
    flat = np.frombuffer(rng.bytes(count * np.dtype(dtype).itemsize), dtype=dtype)
    if dtype == "|b1":
        flat = np.frombuffer(rng.integers(0, 2, count, dtype=np.uint8).tobytes(), dtype=dtype)
    return np.asarray(flat.reshape(shape), order=order)


class Folder:
    def __init__(self, path):
        self.path = pathlib.Path(path)

    def convert(self, data, *options, name="in.npy"):
        """(exit status, stderr, the output's bytes or None)"""
        source, target = self.path / name, self.path / "out.npy"
        source.write_bytes(data)
        target.unlink(missing_ok=True)
        done = subprocess.run([CLI, "convert", str(source), str(target), *options], capture_output=True, text=True)
        result = target.read_bytes() if target.exists() else None
        left = sorted(p.name for p in self.path.iterdir() if p.name not in ("in.npy", "out.npy"))
        expect(left == [], f"{options}: left {left} behind")
        return done.returncode, done.stderr, result

    def expect_bytes(self, data, wanted, *options):
        status, err, got = self.convert(data, *options)
        expect(status == 0 and err == "" and got == wanted,
               f"convert {options} of {data[:100]!r}: status {status}, {err!r}, {'right' if got == wanted else 'wrong'} bytes")


def check_orders_and_types(folder):
    for dtype in DTYPES:
        a = some_array(dtype, (3, 4, 5), random.choice("CF"))
        axes = random.choice(list(itertools.permutations(range(3))))
        folder.expect_bytes(saved(a), saved(np.ascontiguousarray(a.transpose(axes))), "--permute=" + ",".join(map(str, axes)))
        folder.expect_bytes(saved(a), saved(np.asfortranarray(a)), "--order", "F", "--verify")
    for shape in [(), (7,), (1,), (1, 7), (7, 1), (1, 1, 1), (0,), (3, 0), (0, 5, 2), (2, 3), (2,) * 9, (1,) * 20, (17, 33)]:
        for order in "CF":
            a = some_array("<f4", shape, order)
            # ascontiguousarray makes an array of one axis from one without
            folder.expect_bytes(saved(a), saved(np.asarray(a, order="C")))
            folder.expect_bytes(saved(a), saved(np.asarray(a, order="F")), "--order", "F")


def smallest_memory(folder):
    """In MB, as the refusal of less says."""
    _, err, _ = folder.convert(saved(some_array("|u1", (2, 3))), "--memory", "0")
    return int(re.search(r"the smallest that works here is (\d+)M", err).group(1))


def check_permutations(folder):
    a = some_array("<u2", (2, 3, 5, 7), "F")
    for axes in itertools.permutations(range(4)):
        given = [axis - random.choice([0, 4]) for axis in axes]
        options = ["--permute=" + ",".join(map(str, given))] + random.choice([[], ["--verify"], ["--no-verify"]])
        folder.expect_bytes(saved(a), saved(np.ascontiguousarray(a.transpose(axes))), *options)
    big = some_array("<f4", (300, 70, 90))
    smallest = smallest_memory(folder)
    if is_sanitized(CLI):  # the sanitizer's own memory grows with the array
        smallest += smallest // 4
    for more in [1, 3, 1000]:  # than the least: 2, and 1 blocks or more
        folder.expect_bytes(saved(big), saved(np.ascontiguousarray(big.transpose(2, 0, 1))), "--permute", "2,0,1", "--memory",
                            f"{smallest + more}M", "--verify", "--threads", random.choice("12"))


def check_versions(folder):
    a = some_array("<f8", (4, 6))
    for version in [(1, 0), (2, 0), (3, 0)]:
        folder.expect_bytes(saved(a, version), saved(np.ascontiguousarray(a.T)), "--permute", "1,0")


def check_formats(folder):
    a = some_array("<i2", (2, 32, 3, 5))
    folder.expect_bytes(saved(a), saved(np.ascontiguousarray(a.transpose(0, 2, 3, 1))), "--to", "nhwc")
    blocked = np.ascontiguousarray(a.reshape(2, 2, 16, 3, 5).transpose(0, 1, 3, 4, 2))
    folder.expect_bytes(saved(a), saved(blocked), "--to", "nChw16c", "--verify")
    folder.expect_bytes(saved(np.asfortranarray(a)), saved(blocked), "--to", "nChw16c")
    f = some_array("<f4", (32, 64, 3, 3))
    weights = np.ascontiguousarray(f.reshape(2, 16, 4, 16, 3, 3).transpose(0, 2, 4, 5, 3, 1))
    folder.expect_bytes(saved(f), saved(weights), "--to", "OIhw16i16o")


def check_layouts(folder):
    a = some_array("<u4", (6, 8), "F")
    wanted = np.zeros(5 * 11 + 7 * 1 + 1, "<u4")  # (6,8):(11,1)
    for i, j in itertools.product(range(6), range(8)):
        wanted[11 * i + j] = a[i, j]
    folder.expect_bytes(saved(a), saved(wanted), "--to", "(6,8):(11,1)", "--verify")
    reversed_rows = np.ascontiguousarray(a[::-1])
    folder.expect_bytes(saved(a), saved(reversed_rows), "--to", "(6,8):(-8,1)", "--verify")
    nested = np.zeros(48, "<u4")  # ((2,3),(4,2)):((24,1),(3,12)): mode 0 is i = i0 + 2*i1
    for i, j in itertools.product(range(6), range(8)):
        nested[24 * (i % 2) + (i // 2) + 3 * (j % 4) + 12 * (j // 4)] = a[i, j]
    folder.expect_bytes(saved(a), saved(nested.reshape(2, 2, 4, 3)), "--to", "((2,3),(4,2)):((24,1),(3,12))")
    s = some_array("<f2", (8, 64))
    swizzled = np.zeros(512, "<f2")  # Sw<3,3,3>: bits 6…8 are added to bits 3…5
    for i, j in itertools.product(range(8), range(64)):
        offset = 64 * i + j
        swizzled[offset ^ ((offset >> 6 & 7) << 3)] = s[i, j]
    folder.expect_bytes(saved(s), saved(swizzled), "--to", "Sw<3,3,3> o 0 o (8,64):(64,1)", "--verify")


def numpy_reads(data):
    """The array of a whole file, or None."""
    file = io.BytesIO(data)
    try:
        a = np.load(file, allow_pickle=False)
    except Exception:  # whatever NumPy's reader and Python's parser raise
        return None
    return a if file.read(1) == b"" else None


def check_broken_files(folder):
    """What we accept, NumPy accepts, and the elements are the same; the rest is one sentence with the path."""
    a = some_array("<f4", (3, 5))
    good = saved(a)
    for cut in [0, 5, 7, 9, 60, 127, 128, 150, len(good) - 1]:
        refuse(folder, good[:cut])
    refuse(folder, good + b"x")
    random.seed(4)
    accepted = 0
    for _ in range(120):
        data = bytearray(good)
        for _ in range(random.choice([1, 1, 2, 3])):
            at = random.randrange(70)
            data[at:at + random.choice([0, 1, 1])] = random.choice(
                [bytes([random.randrange(256)]), b"", b" ", b"'", b"(", b",", b"3", b"L", b"True"])
        status, err, got = folder.convert(bytes(data))
        if status == 0:
            accepted += 1
            theirs = numpy_reads(bytes(data))
            expect(theirs is not None and got == saved(np.asarray(theirs, order="C")), f"accepted {bytes(data[:100])!r}")
        else:
            expect_sentence(status, err, got, bytes(data[:100]))
    expect(accepted < 60, f"{accepted} of 120 broken files were accepted")


def refuse(folder, data):
    status, err, got = folder.convert(data)
    expect(numpy_reads(data) is None, f"NumPy reads {data[:100]!r}")
    expect_sentence(status, err, got, data[:100])


def expect_sentence(status, err, got, data):
    whole = err.startswith("tilewright: '") and err.count("\n") == 1 and "in.npy' cannot be read as an array: " in err
    expect(status == 2 and got is None and whole and "byte" in err, f"{data!r}: status {status}, {err!r}")


def main():
    random.seed(4)
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(path)
        for check in [check_orders_and_types, check_permutations, check_versions, check_formats, check_layouts,
                      check_broken_files]:
            check(folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

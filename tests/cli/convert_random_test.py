#!/usr/bin/env python3
"""`tilewright convert` against NumPy on random arrays (1,000 with TILEWRIGHT_TEST_ALL, otherwise 100): every kind of element
(numbers of both byte orders, strings, dates, structures, odd widths), every order, permutation, byte order and version of
the format, arrays without axes and without elements, NaN payloads, members of .npz archives and standard streams. The
output is, byte for byte, what NumPy writes. Damaged files of each kind are refused in one sentence. Skips where NumPy is not
installed."""
import pathlib
import random
import subprocess
import sys
import tempfile
import zipfile
from os import environ

from numpy_cases import ALL_TESTS, CLI, expect, failures, np, saved

CONVERSIONS, DAMAGED_ARRAYS, DAMAGED_ARCHIVES = (1000, 32, 40) if ALL_TESTS else (100, 8, 12)
SIMPLE = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "g", "c8", "c16", "G", "M8[ns]", "M8[25s]",
          "m8[D]", "S1", "S3", "S5", "S16", "S33", "U1", "U3", "U7", "V1", "V2", "V3", "V7", "V12", "V16", "V24"]
NAMES = ["x", "y", "a name", "it's", 'say "x"', "naïve", "π", "back\\slash"]
random.seed(int(environ.get("TILEWRIGHT_SEED", "12")))
rng = np.random.default_rng(12)
has_npz = True


def run(*words, **options):
    return subprocess.run([CLI, *map(str, words)], capture_output=True, **options)


def some_type(depth=0):
    if depth < 2 and random.random() < 0.25:
        names = random.sample(NAMES, random.randint(1, 4))
        fields = []
        for name in names:
            shape = random.choice([(), (), (2,), (2, 3), (1,)])
            fields.append((name, some_type(depth + 1), *([shape] if shape else [])))
        return np.dtype(fields, align=random.random() < 0.3 and "back\\slash" not in names)
    return np.dtype(random.choice("<>") + random.choice(SIMPLE)) if random.random() < 0.7 else np.dtype(random.choice(SIMPLE))


def some_shape():
    rank = random.choice([0, 1, 2, 2, 3, 3, 4, 5])
    longest = [40, 40, 25, 12, 7, 5][rank]
    shape = [random.randint(1, longest) for _ in range(rank)]
    if rank and random.random() < 0.06:
        shape[random.randrange(rank)] = 0
    if rank and random.random() < 0.05:
        shape[random.randrange(rank)] = random.choice([257, 400, 4099])
    return tuple(shape)


def some_array():
    dtype, shape = some_type(), some_shape()
    count = int(np.prod(shape, dtype=np.int64))
    # Random bytes are NaNs of every payload, denormals, strings with zeros inside.
    a = np.frombuffer(rng.bytes(count * dtype.itemsize), dtype=dtype) if dtype.itemsize else np.zeros(count, dtype)
    if "?" in dtype.str or "b1" in str(dtype):
        a = a.copy()
    return np.asarray(a.reshape(shape), order=random.choice("CF"))


def padding_is_kept(dtype):
    """NumPy's own reader drops the fields of padding, so that only files without them come back byte for byte."""
    return np.lib.format.descr_to_dtype(np.lib.format.dtype_to_descr(dtype)) == dtype and "''" not in repr(
        np.lib.format.dtype_to_descr(dtype))


def some_conversion(a):
    """Options, and what NumPy makes of the array with them."""
    options, b = [], a
    kind = random.choice(["none", "order", "permute", "permute"])
    if kind == "order":
        order = random.choice("CF")
        options, b = ["--order", order], np.asarray(a, order=order)
    elif kind == "permute":
        axes = random.sample(range(a.ndim), a.ndim)
        given = ",".join(str(axis - random.choice([0, a.ndim])) for axis in axes)
        options, b = [f"--permute={given}"], np.asarray(a.transpose(axes), order="C")
    else:
        b = np.asarray(a, order="C")
    if random.random() < 0.4:
        order = random.choice(["little", "big", "native"])
        options += ["--byte-order", order]
        b = b.astype(b.dtype.newbyteorder({"little": "<", "big": ">", "native": "="}[order]), order="K", copy=False)
    if random.random() < 0.3:
        options.append(random.choice(["--verify", "--no-verify"]))
    return options, b


def version_of(a, options):
    """A version of the format for the output; None where NumPy is to choose."""
    if random.random() < 0.7:
        return None
    version = random.choice([1, 2, 3])
    try:
        with np.testing.suppress_warnings() as quiet:
            quiet.filter(UserWarning)
            saved(a, (version, 0))
    except (ValueError, UnicodeError):
        return None
    options += ["--npy-version", str(version)]
    return (version, 0)


def members(path):
    with zipfile.ZipFile(path) as z:
        return {i.filename: z.read(i) for i in z.infolist()}


def convert_somehow(folder, data, options):
    """Through files, streams or archives: the bytes of the output's array."""
    source, target = folder / "in.npy", folder / "out.npy"
    way = random.choice(["files", "files", "files", "streams", "archive", "to archive"]) if has_npz else "files"
    if way == "streams":
        done = run("convert", "-", "-", *options, input=data)
        return done, done.stdout
    if way == "archive":
        with zipfile.ZipFile(folder / "in.npz", "w", random.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as z:
            z.writestr("other.npy", b"not an array")
            z.writestr("the one.npy", data)
        done = run("convert", f"{folder}/in.npz:the one", target, *options)
    elif way == "to archive":
        source.write_bytes(data)
        with zipfile.ZipFile(folder / "out.npz", "w") as z:
            z.writestr("kept.npy", data)
        done = run("convert", source, f"{folder}/out.npz:new", *random.choice([[], ["--compress"]]), *options)
        if done.returncode:
            return done, None
        found = members(folder / "out.npz")
        expect(sorted(found) == ["kept.npy", "new.npy"] and found["kept.npy"] == data, f"members {sorted(found)}")
        return done, found.get("new.npy")
    else:
        source.write_bytes(data)
        done = run("convert", source, target, *options)
    return done, target.read_bytes() if target.exists() else None


def check_random_conversions(folder):
    done_with = 0
    while done_with < CONVERSIONS and len(failures) < 10:
        a = some_array()
        if not padding_is_kept(a.dtype):
            continue
        options, b = some_conversion(a)
        with np.testing.suppress_warnings() as quiet:
            quiet.filter(UserWarning)
            data = saved(a)
            wanted = saved(b, version_of(b, options))
        done, got = convert_somehow(folder, data, options)
        right = done.returncode == 0 and done.stderr == b"" and got == wanted
        expect(right, f"{options} of {a.dtype} {a.shape}: status {done.returncode}, {done.stderr!r}"
               f"{'' if got == wanted else f', wrong bytes: {got and got[:200]!r} for {wanted[:200]!r}'}")
        for path in folder.iterdir():
            path.unlink()
        done_with += 1


def check_padding(folder):
    """Structures with padding: the bytes of each element are those of the input, the padding included."""
    dtype = np.dtype([("x", "u1"), ("y", "<f8"), ("z", "<i2")], align=True)
    a = np.frombuffer(rng.bytes(20 * 30 * dtype.itemsize), dtype=dtype).reshape(20, 30)
    (folder / "in.npy").write_bytes(saved(a))
    run("convert", folder / "in.npy", folder / "out.npy", "--permute", "1,0")
    got = (folder / "out.npy").read_bytes()
    wanted = a.view(np.dtype(f"V{dtype.itemsize}")).T.tobytes()
    expect(got[-len(wanted):] == wanted and np.load(folder / "out.npy").shape == (30, 20), "padding")


def check_objects(folder):
    for a in [np.array([1, "a", None], dtype=object), np.array([(1, None)], dtype=[("n", "i4"), ("o", object)])]:
        np.save(folder / "objects.npy", a, allow_pickle=True)
        done = run("convert", folder / "objects.npy", folder / "no.npy")
        expect(done.returncode == 2 and done.stderr.count(b"\n") == 1 and b"means Python objects" in done.stderr,
               f"objects: {done.stderr!r}")


def one_sentence(done, what):
    err = done.stderr.decode(errors="replace")
    expect(done.returncode == 2 and err.startswith("tilewright: ") and err.count("\n") == 1 and len(err) < 600 and
           done.stdout == b"", f"{what}: status {done.returncode}, {err!r}, {done.stdout[:80]!r}")


def damaged(data, count):
    """Cut, lengthened, changed in the header, emptied."""
    cuts = [data[:random.randrange(len(data))] for _ in range(count // 2)]
    longer = [data + rng.bytes(random.randint(1, 300)) for _ in range(count // 4)]
    magic = [rng.bytes(1).replace(data[i:i + 1], b"!") + data[:0] for i in range(2)]
    changed = []
    for _ in range(count - len(cuts) - len(longer)):
        at = random.randrange(8)
        changed.append(data[:at] + bytes([data[at] ^ random.randint(1, 255)]) + data[at + 1:])
    return cuts + longer + magic + changed


def check_damaged_arrays(folder):
    kinds = [np.zeros((3, 5), "f4"), np.zeros((2, 3), "S5"), np.zeros(4, [("x", "<f4"), ("s", "S3", (2,))]), np.zeros((3, 0)),
             np.zeros((2, 2), ">M8[s]")]
    for a in kinds:
        for number, data in enumerate(damaged(saved(a), DAMAGED_ARRAYS)):
            if data == saved(a):
                continue
            (folder / "bad.npy").write_bytes(data)
            for words in [("convert", folder / "bad.npy", folder / "no.npy"), ("info", folder / "bad.npy")]:
                one_sentence(run(*words), f"damaged {a.dtype} {number}")
            one_sentence(run("convert", "-", "-", input=data), f"damaged {a.dtype} {number} from a stream")
    expect(not (folder / "no.npy").exists(), "a damaged file gave an output")


def check_damaged_archives(folder):
    """Whatever is cut or changed: one sentence, or, where only the file's unused bytes were hit, the right array."""
    a = rng.integers(0, 50, (40, 50)).astype("<u4")
    refused = 0
    for pack in [np.savez, np.savez_compressed]:
        pack(folder / "good.npz", a=a, b=a)
        good = (folder / "good.npz").read_bytes()
        for number in range(DAMAGED_ARCHIVES):
            if number % 2:
                data = good[:random.randrange(len(good))]
            else:
                at = random.randrange(len(good))
                data = good[:at] + bytes([good[at] ^ (1 << random.randrange(8))]) + good[at + 1:]
            (folder / "bad.npz").write_bytes(data)
            done = run("convert", f"{folder}/bad.npz:a", folder / "out.npy", "--force")
            if done.returncode == 0:
                expect(np.array_equal(np.load(folder / "out.npy"), a), f"a damaged archive gave a wrong array ({number})")
            else:
                refused += 1
                one_sentence(done, f"damaged archive {number}")
    expect(refused >= DAMAGED_ARCHIVES, f"{refused} of {2 * DAMAGED_ARCHIVES} damaged archives were refused")


def check_archives(folder):
    a, b = np.arange(12.0).reshape(3, 4), np.arange(5)
    path = folder / "two.npz"
    np.savez(path, a=a, b=b)
    before = members(path)
    one_sentence(run("convert", path, folder / "x.npy"), "no member named")
    one_sentence(run("convert", f"{path}:c", folder / "x.npy"), "no such member")
    one_sentence(run("convert", f"{path}:a", f"{path}:b"), "a member that exists")
    expect(members(path) == before, "a refused member changed the archive")
    done = run("convert", f"{path}:a", f"{path}:b", "--permute", "1,0", "--force", "--verify")
    expect(done.returncode == 0 and b"read back" in done.stdout, f"replacing: {done.stderr!r}")
    after = np.load(path)
    expect(sorted(after) == ["a", "b"] and np.array_equal(after["b"], a.T) and np.array_equal(after["a"], a), "replaced")
    done = run("convert", f"{path}:a", folder / "new.npz", "--compress")
    expect(done.returncode == 0 and np.array_equal(np.load(folder / "new.npz")["a"], a), f"a new archive: {done.stderr!r}")
    (folder / "one.npy").write_bytes(saved(b))
    run("convert", folder / "one.npy", folder / "default.npz")
    expect(np.array_equal(np.load(folder / "default.npz")["arr_0"], b), "NumPy's own name for a single array")
    done = run("convert", folder / "new.npz", folder / "single.npy")
    expect(done.returncode == 0 and np.array_equal(np.load(folder / "single.npy"), a), "the only member needs no name")
    done = run("info", path)
    expect(done.returncode == 0 and b"a .npz archive with 2 members" in done.stdout and b"(4, 3) of '<f8'" in done.stdout,
           f"info: {done.stdout!r}")
    (folder / "text.npz").write_bytes(b"no archive")
    one_sentence(run("convert", folder / "one.npy", f"{folder}/text.npz:a", "--force"), "an output that is no archive")
    expect((folder / "text.npz").read_bytes() == b"no archive", "what is no archive was replaced")
    names = sorted(p.name for p in folder.iterdir())
    expect(not [n for n in names if n.endswith(".part")], f"left {names}")


def has_archives(folder):
    np.savez(folder / "probe.npz", a=np.zeros(2))
    return b"no libzip" not in run("info", folder / "probe.npz").stderr


def main():
    global has_npz
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        has_npz = has_archives(folder)
        (folder / "probe.npz").unlink()
        if not has_npz:
            print("left out: .npz archives, since this build has no libzip (Debian: libzip-dev).")
        checks = [check_random_conversions, check_padding, check_objects, check_damaged_arrays]
        for check in checks + ([check_archives, check_damaged_archives] if has_npz else []):
            check(folder)
            for left in folder.iterdir():
                left.unlink()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

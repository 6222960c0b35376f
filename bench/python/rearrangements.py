"""Times rearrangements of arrays as models use them: tilewright next to NumPy, einops and PyTorch (eager and compiled).

Every result is compared with NumPy's. Rows: the median time of each library, and its ratio to tilewright's (above 1: it
takes longer). --json FILE writes them.
"""
import argparse
import json
import math
import os
import re
import statistics
import sys
import time

import numpy as np
import tilewright as tw

# name, shape, element type, pattern in einops' notation, sizes
CASES = [
    ("heads_split", (8, 1024, 1024), "float32", "b s (h d) -> b h s d", {"h": 16}),
    ("heads_merged", (8, 16, 1024, 64), "float32", "b h s d -> b s (h d)", {}),
    ("heads_half", (8, 2048, 2048), "float16", "b s (h d) -> b h s d", {"h": 32}),
    ("windows", (8, 224, 224, 64), "float32", "b (h p) (w q) c -> (b h w) p q c", {"p": 7, "q": 7}),
    ("windows_back", (8192, 7, 7, 64), "float32", "(b h w) p q c -> b (h p) (w q) c", {"h": 32, "w": 32}),
    ("patches", (32, 3, 224, 224), "float32", "b c (h p) (w q) -> b (h w) (p q c)", {"p": 16, "q": 16}),
    ("patches_bytes", (64, 224, 224, 3), "uint8", "b (h p) (w q) c -> b (h w) (p q c)", {"p": 16, "q": 16}),
    ("channels_last", (32, 64, 112, 112), "float32", "b c h w -> b h w c", {}),
    ("channels_first", (32, 112, 112, 64), "float32", "b h w c -> b c h w", {}),
    ("images", (64, 512, 512, 3), "uint8", "b h w c -> b c h w", {}),
    ("pixel_shuffle", (16, 64, 128, 128), "float32", "b (c p q) h w -> b c (h p) (w q)", {"p": 2, "q": 2}),
    ("matrices", (200000, 8, 8), "float32", "b i j -> b j i", {}),
    ("transpose", (4096, 4096), "float32", "i j -> j i", {}),
    ("batch_to_last", (64, 1024, 256), "float32", "b s d -> s d b", {}),
]


def median_time(call, seconds):
    call()
    times, began = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - began < seconds:
        at = time.perf_counter()
        call()
        times.append(time.perf_counter() - at)
    return statistics.median(times)


def axes_of(side):
    """'b (h d) s' as [['b'], ['h', 'd'], ['s']]."""
    return [token.strip("()").split() for token in re.findall(r"\([^)]*\)|\w+", side)]


def numpy_view(x, pattern, sizes):
    """The result as NumPy's own reshape and transpose give it, before the copy, and the shape that it is to have."""
    left, right = map(axes_of, pattern.split("->"))
    extents = dict(sizes)
    for axis, extent in zip(left, x.shape):
        for name in axis:
            if name not in extents:  # the others of its axis are given
                extents[name] = extent // math.prod(sizes[n] for n in axis if n != name)
    names = [name for axis in left for name in axis]
    split = x.reshape([extents[name] for name in names])
    moved = split.transpose([names.index(name) for axis in right for name in axis])
    return moved, [math.prod(extents[name] for name in axis) for axis in right]


def contenders(x, pattern, sizes, threads):
    moved, shape = numpy_view(x, pattern, sizes)
    out = np.empty(moved.shape, x.dtype)
    target = out.reshape(shape)
    yield "tilewright", lambda: tw.rearrange(x, pattern, out=target, **sizes), lambda: target
    mine = np.empty(moved.shape, x.dtype)
    yield "numpy", lambda: np.copyto(mine, moved), lambda: mine.reshape(shape)
    try:
        import einops
        result = []
        yield "einops", lambda: result.__setitem__(slice(None), [np.ascontiguousarray(einops.rearrange(x, pattern, **sizes))]), \
            lambda: result[0]
    except ImportError:
        pass
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(threads)
    view = torch.from_numpy(moved)
    into = torch.empty(moved.shape, dtype=view.dtype)
    yield "torch", lambda: into.copy_(view), lambda: into.numpy().reshape(shape)
    if hasattr(torch, "compile"):
        pack = torch.compile(lambda v: v.contiguous())
        kept = []
        yield "torch.compile", lambda: kept.__setitem__(slice(None), [pack(view)]), lambda: kept[0].numpy().reshape(shape)


def measure(case, threads, seconds):
    name, shape, dtype, pattern, sizes = case
    x = np.random.default_rng(0).integers(0, 255, shape).astype(dtype)
    moved, out_shape = numpy_view(x, pattern, sizes)
    wanted = np.ascontiguousarray(moved).reshape(out_shape)
    row = {"case": name, "pattern": pattern, "dtype": dtype, "bytes": 2 * x.nbytes, "threads": threads, "seconds": {}}
    for library, call, result in contenders(x, pattern, sizes, threads):
        row["seconds"][library] = median_time(call, seconds)
        if not np.array_equal(result(), wanted):
            sys.exit(f"{name}: the result of {library} differs from NumPy's")
    ours = row["seconds"]["tilewright"]
    row["ratio"] = {k: v / ours for k, v in row["seconds"].items() if k != "tilewright"}
    return row


def small_copies():
    """A copy of 64 floats: what a call costs."""
    a, b = np.zeros(64, np.float32), np.ones(64, np.float32)
    return {"tilewright.copy_": per_call(lambda: tw.copy_(a, b)), "numpy.copyto": per_call(lambda: np.copyto(a, b))}


def per_call(call):
    call()
    best = math.inf
    for _ in range(20):
        at = time.perf_counter()
        for _ in range(2000):
            call()
        best = min(best, (time.perf_counter() - at) / 2000)
    return best


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=0.5, help="time for each library and case")
    options.add_argument("--threads", type=int, default=2, help="threads of PyTorch")
    options.add_argument("--json", help="file for the rows")
    options.add_argument("--only", default="", help="cases whose names contain this")
    given = options.parse_args()
    rows = []
    for case in CASES:
        if given.only not in case[0]:
            continue
        row = measure(case, given.threads, given.seconds)
        rows.append(row)
        peers = "  ".join(f"{k} {v:.2f}" for k, v in row["ratio"].items())
        print(f"{row['case']:<16} {row['dtype']:<8} {row['bytes'] / row['seconds']['tilewright'] / 1e9:7.1f} GB/s   {peers}",
              flush=True)
    for library in sorted({k for r in rows for k in r["ratio"]}):
        ratios = [r["ratio"][library] for r in rows if library in r["ratio"]]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{library}: {mean:.2f} times tilewright's time in the geometric mean, at least {min(ratios):.2f}")
    calls = small_copies()
    print("64 floats: " + ", ".join(f"{k} {v * 1e6:.2f} us" for k, v in calls.items()))
    if given.json:
        with open(given.json + ".part", "w", encoding="utf-8") as file:
            json.dump({"rows": rows, "call_seconds": calls}, file, indent=1)
        os.replace(given.json + ".part", given.json)


if __name__ == "__main__":
    main()

"""Times rearrangements of arrays as models use them: tilewright next to NumPy, einops and PyTorch (eager and compiled).

Every result is compared with NumPy's. Rows: the median time of each library, and its ratio to tilewright's (above 1: it
takes longer). With --device cuda, tensors are on a GPU, four times as large, and times are those of its events, the L2 cache
cleared before each run. "memcpy" is a plain copy of as many bytes: on a GPU PyTorch's of a contiguous tensor, which
tells what memory gives, on a CPU NumPy's, which one thread makes. --json FILE writes the rows, --markdown FILE a table of them.
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
from tilewright._copy import empty_like

# name, shape, element type, pattern in einops' notation, sizes. Every rearrangement of floating-point numbers is there with
# the 32 bits of training and, twice as many, with the 16 of inference.
FLOATS = [
    ("heads_split", (8, 1024, 1024), "b s (h d) -> b h s d", {"h": 16}),
    ("heads_merged", (8, 16, 1024, 64), "b h s d -> b s (h d)", {}),
    ("windows", (8, 224, 224, 64), "b (h p) (w q) c -> (b h w) p q c", {"p": 7, "q": 7}),
    ("windows_back", (8192, 7, 7, 64), "(b h w) p q c -> b (h p) (w q) c", {"h": 32, "w": 32}),
    ("patches", (32, 3, 224, 224), "b c (h p) (w q) -> b (h w) (p q c)", {"p": 16, "q": 16}),
    ("channels_last", (32, 64, 112, 112), "b c h w -> b h w c", {}),
    ("channels_first", (32, 112, 112, 64), "b h w c -> b c h w", {}),
    ("pixel_shuffle", (16, 64, 128, 128), "b (c p q) h w -> b c (h p) (w q)", {"p": 2, "q": 2}),
    ("matrices", (200000, 8, 8), "b i j -> b j i", {}),
    ("transpose", (4096, 4096), "i j -> j i", {}),
    ("batch_to_last", (64, 1024, 256), "b s d -> s d b", {}),
]
BYTES = [
    ("patches_bytes", (64, 224, 224, 3), "uint8", "b (h p) (w q) c -> b (h w) (p q c)", {"p": 16, "q": 16}),
    ("images", (64, 512, 512, 3), "uint8", "b h w c -> b c h w", {}),
]
# What parts of published models do: GPT-2, GPT-J, DiT, ShuffleNet, MLP-Mixer, Whisper, video transformers, local attention.
PARTS = [
    ("queries_keys_values", (8, 1024, 3072), "b s (k h d) -> k b h s d", {"k": 3, "h": 16}),
    ("rotary_halves", (16, 1024, 16, 64), "b s h (d r) -> b s h (r d)", {"r": 2}),
    ("rotary_pairs", (16, 1024, 16, 64), "b s h (r d) -> b s h (d r)", {"r": 2}),
    ("unpatchify", (256, 1024, 16), "b (h w) (p q c) -> b c (h p) (w q)", {"h": 32, "p": 2, "q": 2}),
    ("space_to_depth", (16, 16, 256, 256), "b c (h p) (w q) -> b (c p q) h w", {"p": 2, "q": 2}),
    ("channel_shuffle", (64, 240, 28, 28), "b (g c) h w -> b (c g) h w", {"g": 3}),
    ("patches_to_channels", (128, 196, 768), "b s d -> b d s", {}),
    ("spectra", (48, 80, 3000), "b f t -> b t f", {}),
    ("frames_first", (8, 64, 16, 56, 56), "b c t h w -> b t c h w", {}),
    ("frames_last", (8, 64, 16, 56, 56), "b c t h w -> (b h w) t c", {}),
    ("sequence_first", (1024, 32, 512), "s b d -> b s d", {}),
    ("weights_last", (1024, 1024, 3, 3), "o i h w -> o h w i", {}),
    ("attention_blocks", (32, 16, 512, 64), "b h (n s) d -> (b n) s (h d)", {"s": 128}),
]
SUITES = {
    "common": [(name, (first * (4 // np.dtype(dtype).itemsize), *others), dtype, pattern, sizes)
               for name, (first, *others), pattern, sizes in FLOATS for dtype in ("float32", "float16")] + BYTES,
    "parts": [(name, (first * (4 // np.dtype(dtype).itemsize), *others), dtype, pattern, sizes)
              for name, (first, *others), pattern, sizes in PARTS for dtype in ("float32", "float16")],
}


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


def split_and_moved(x, pattern, sizes):
    """The result as reshape and transpose of NumPy or PyTorch give it, before the copy, and the shape that it is to have."""
    left, right = map(axes_of, pattern.split("->"))
    extents = dict(sizes)
    for axis, extent in zip(left, x.shape):
        for name in axis:
            if name not in extents:  # the others of its axis are given
                extents[name] = extent // math.prod(sizes[n] for n in axis if n != name)
    names = [name for axis in left for name in axis]
    split = x.reshape([extents[name] for name in names])
    order = [names.index(name) for axis in right for name in axis]
    moved = split.transpose(order) if isinstance(x, np.ndarray) else split.permute(order)
    return moved, [math.prod(extents[name] for name in axis) for axis in right]


def contenders(x, pattern, sizes, threads):
    moved, shape = split_and_moved(x, pattern, sizes)
    target = empty_like(x, shape)
    yield "tilewright", lambda: tw.rearrange(x, pattern, out=target, **sizes), lambda: target
    mine = empty_like(x, moved.shape)  # memory of the same alignment
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


def gpu_contenders(x, moved, shape, pattern, sizes):
    """Of tensors on a GPU: (library, call, what it gave)."""
    import torch
    out = torch.empty(shape, dtype=x.dtype, device="cuda")
    yield "tilewright", lambda: tw.rearrange(x, pattern, out=out, **sizes), lambda: out
    into = torch.empty(moved.shape, dtype=x.dtype, device="cuda")
    yield "torch", lambda: into.copy_(moved), lambda: into.reshape(shape)
    torch._dynamo.reset()
    pack = torch.compile(lambda v: v.contiguous(), dynamic=False)
    kept = []
    yield "torch.compile", lambda: kept.__setitem__(slice(None), [pack(moved)]), lambda: kept[0].reshape(shape)


def gpu_median(call, seconds):
    """Seconds of one run by events; each run begins with a cache that holds other data."""
    import torch
    call()
    torch.cuda.synchronize()
    other = torch.empty(1 << 28, dtype=torch.uint8, device="cuda")
    times, began = [], time.perf_counter()
    while len(times) < 20 or time.perf_counter() - began < seconds:
        pairs = []
        for _ in range(10):
            other.zero_()
            pairs.append((torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)))
            pairs[-1][0].record()
            call()
            pairs[-1][1].record()
        torch.cuda.synchronize()
        times += [a.elapsed_time(b) / 1e3 for a, b in pairs]
    return statistics.median(times)


def settle(call, seconds=2.5):
    """As a program does that copies again and again: the library's first copies try other plans, compiled in the background."""
    import torch
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        call()
        torch.cuda.synchronize()
        time.sleep(0.002)


def measure_on_gpu(case, seconds):
    """A row as measure() gives it."""
    import torch
    name, shape, dtype, pattern, sizes = case
    shape = (4 * shape[0], *shape[1:])
    generator = torch.Generator(device="cuda").manual_seed(0)
    x = torch.randint(0, 255, shape, device="cuda", generator=generator).to(getattr(torch, dtype))
    moved, out_shape = split_and_moved(x, pattern, sizes)
    wanted = moved.contiguous().reshape(out_shape)
    row = {"case": name, "pattern": pattern, "dtype": dtype, "bytes": 2 * x.numel() * x.element_size(), "seconds": {}}
    for library, call, result in gpu_contenders(x, moved, out_shape, pattern, sizes):
        if library == "tilewright":
            settle(call)
        row["seconds"][library] = gpu_median(call, seconds)
        if not torch.equal(result(), wanted):
            sys.exit(f"{name}: the result of {library} differs from PyTorch's")
    plain = torch.empty_like(x)
    row["seconds"]["memcpy"] = gpu_median(lambda: plain.copy_(x), seconds)
    ours = row["seconds"]["tilewright"]
    row["ratio"] = {k: v / ours for k, v in row["seconds"].items() if k != "tilewright"}
    return row


def measure(case, threads, seconds):
    name, shape, dtype, pattern, sizes = case
    x = np.random.default_rng(0).integers(0, 255, shape).astype(dtype)
    moved, out_shape = split_and_moved(x, pattern, sizes)
    wanted = np.ascontiguousarray(moved).reshape(out_shape)
    row = {"case": name, "pattern": pattern, "dtype": dtype, "bytes": 2 * x.nbytes, "threads": threads, "seconds": {}}
    for library, call, result in contenders(x, pattern, sizes, threads):
        row["seconds"][library] = median_time(call, seconds)
        if not np.array_equal(result(), wanted):
            sys.exit(f"{name}: the result of {library} differs from NumPy's")
    plain = empty_like(x, x.shape)
    row["seconds"]["memcpy"] = median_time(lambda: np.copyto(plain, x), seconds)
    ours = row["seconds"]["tilewright"]
    row["ratio"] = {k: v / ours for k, v in row["seconds"].items() if k != "tilewright"}
    return row


def small_copies(device):
    """A copy of 64 floats: what a call costs."""
    out, wait = {}, lambda: None
    if device == "cpu":
        a, b = np.zeros(64, np.float32), np.ones(64, np.float32)
        out["a planned tilewright.copy_"] = tw.plan(a, b).run
        out["tilewright.copy_"] = lambda: tw.copy_(a, b)
        out["numpy.copyto"] = lambda: np.copyto(a, b)
    try:
        import torch
        x, y = torch.zeros(64, device=device), torch.ones(64, device=device)
        out["a planned tilewright.copy_ of tensors"] = tw.plan(x, y).run
        out["tilewright.copy_ of tensors"] = lambda: tw.copy_(x, y)
        out["torch.Tensor.copy_"] = lambda: x.copy_(y)
        transposed = y.view(8, 8).t()
        p = tw.plan(x.view(8, 8), transposed)
        out["the same transposed: planned"] = p.run
        out["torch, transposed"] = lambda at=x.view(8, 8): at.copy_(transposed)
        wait = torch.cuda.synchronize if device == "cuda" else wait
    except ImportError:
        pass
    return {name: per_call(call, wait) for name, call in out.items()}


def per_call(call, wait):
    """Seconds of one of many calls, the wait for a GPU at the end among them."""
    call()
    best = math.inf
    for _ in range(20):
        wait()
        at = time.perf_counter()
        for _ in range(2000):
            call()
        wait()
        best = min(best, (time.perf_counter() - at) / 2000)
    return best


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def summarize(suite, rows):
    """Prints the geometric mean of each library's ratios."""
    for library in sorted({k for r in rows for k in r["ratio"]}):
        ratios = [r["ratio"][library] for r in rows if library in r["ratio"]]
        to_memcpy = [r["seconds"][library] / r["seconds"]["memcpy"] for r in rows if library in r["ratio"]]
        print(f"{suite}: {library} takes {geometric_mean(ratios):.3f} times tilewright's time in the geometric mean, at least "
              f"{min(ratios):.2f}; {geometric_mean(to_memcpy):.3f} times that of a plain copy", flush=True)


def table(rows, calls):
    """The rows as Markdown."""
    peers = sorted({k for r in rows for k in r["ratio"]})
    lines = ["| case | pattern | type | GB/s | " + " | ".join(peers) + " |", "|---|---|---|---|" + "---|" * len(peers)]
    for r in rows:
        lines.append(f"| {r['case']} | `{r['pattern']}` | {r['dtype']} | {r['bytes'] / r['seconds']['tilewright'] / 1e9:.1f} | "
                     + " | ".join(f"{r['ratio'][k]:.2f}" if k in r["ratio"] else "" for k in peers) + " |")
    means = [[r["ratio"][k] for r in rows if k in r["ratio"]] for k in peers]
    lines.append("| geometric mean | | | | " + " | ".join(f"{geometric_mean(m):.2f}" for m in means) + " |")
    lines += ["", "| a copy of 64 floats | microseconds |", "|---|---|"]
    lines += [f"| {name} | {seconds * 1e6:.2f} |" for name, seconds in calls.items()]
    return "\n".join(lines) + "\n"


def write(path, text):
    """Beside it, then renamed."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".part", path)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=0.5, help="time for each library and case")
    options.add_argument("--threads", type=int, default=2, help="threads of PyTorch")
    options.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    options.add_argument("--json", help="file for the rows")
    options.add_argument("--markdown", help="file for a table of them")
    options.add_argument("--suites", default="common,parts", help="common, or parts (of published models), or both, with a comma")
    options.add_argument("--only", default="", help="cases whose names contain this")
    given = options.parse_args()
    rows = []
    for suite in given.suites.split(","):
        if suite not in SUITES:
            sys.exit(f"--suites: there is no suite {suite}; use {' or '.join(SUITES)}")
        cases = [case for case in SUITES[suite] if given.only in case[0]]
        for case in cases:
            row = measure(case, given.threads, given.seconds) if given.device == "cpu" else measure_on_gpu(case, given.seconds)
            rows.append({"suite": suite, **row})
            peers = "  ".join(f"{k} {v:.2f}" for k, v in row["ratio"].items())
            print(f"{row['case']:<20} {row['dtype']:<8} {row['bytes'] / row['seconds']['tilewright'] / 1e9:7.1f} GB/s   {peers}",
                  flush=True)
        if cases:
            summarize(suite, [r for r in rows if r["suite"] == suite])
    if len({r["suite"] for r in rows}) > 1:
        summarize("all", rows)
    calls = small_copies(given.device)
    print("64 floats: " + ", ".join(f"{k} {v * 1e6:.2f} us" for k, v in calls.items()))
    if given.json:
        write(given.json, json.dumps({"device": given.device, "threads": given.threads, "rows": rows, "call_seconds": calls}, indent=1))
    if given.markdown:
        write(given.markdown, table(rows, calls))


if __name__ == "__main__":
    main()

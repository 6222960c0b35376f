"""The part of bench/permute that measures on a GPU: the library (through its C interface), cudaMemcpy, PyTorch eager and
compiled, CuPy. Needs PyTorch; CuPy and the compiler behind torch.compile may be absent. run.py calls this.

Times are of CUDA events around the work, medians over rounds that the library and another party take one after the other.
A round is a few calls of one party on different memory, the first of them uncounted: what a party finds in the second-level
cache is then what its own last copy of another tensor left there, not a source that it, or its neighbour, has just read.
For PyTorch a case is two strided views (strided.py); axes that run backwards are flipped, since it has no negative
strides. torch.compile gets clone() of the permuted source where the destination is dense, else dst.copy_(src).
"""
import ctypes
import functools
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import capi
import cases
from strided import BYTES, View, roof_bytes

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = HERE.parent.parent / "build/release/engine/c_api/libtilewright.so"
POISON = 0xA5
SMALL_BYTES = 1 << 20   # below this a round is many copies, so that events can tell their time
SMALL_REPEATS = 100
PAIRS = 3               # of source and destination that the calls of a round go through, where a call is no small one
MIN_ROUNDS = 20
MAX_AXES = 24           # that PyTorch's kernels take
FIRST_CALL = ("transposes", "square 10240x10240", "bf16")


class Gpu:
    """Streams, events and memory of the device, through PyTorch."""

    def __init__(self):
        import torch
        if not torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no GPU")
        self.torch, self.device = torch, "cuda"
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.driver.cuMemcpyDtoDAsync_v2.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p]
        properties = torch.cuda.get_device_properties(0)
        self.name = f"{properties.name}, {properties.multi_processor_count} multiprocessors, PyTorch {torch.__version__}"

    @property
    def stream_handle(self):
        return self.stream.cuda_stream

    def event(self):
        return self.torch.cuda.Event(enable_timing=True)

    def synchronize(self):
        self.torch.cuda.synchronize()

    def release(self):
        """Gives unused memory back, so that tensors of another size find room."""
        self.torch.cuda.synchronize()
        self.torch.cuda.empty_cache()

    def memcpy(self, dst, src, count):
        """A function that copies `count` bytes from device to device."""
        arguments = (dst, src, count, self.stream_handle)

        def copy():
            if self.driver.cuMemcpyDtoDAsync_v2(*arguments) != 0:
                raise RuntimeError("cuMemcpyDtoDAsync failed")
        return copy


def joined(src, dst):
    """The two views with as few axes as possible."""
    axes = sorted(zip(dst.strides, src.strides, dst.extents), reverse=True)
    out = []
    for to, of, extent in axes:
        if out and out[-1][0] == to * extent and out[-1][1] == of * extent:
            out[-1] = (to, of, out[-1][2] * extent)
        elif extent > 1:
            out.append((to, of, extent))
    out = out or [(1, 1, 1)]
    extents = tuple(axis[2] for axis in out)
    return (View(extents, tuple(axis[1] for axis in out), src.offset, src.elements),
            View(extents, tuple(axis[0] for axis in out), dst.offset, dst.elements))


class Work:
    """One case with its memory: raw bytes, and the views that PyTorch sees there; `pairs` of source and destination, with
    the same elements in every source. What is checked is the first pair, with the bytes between the elements."""

    def __init__(self, gpu, case, pairs=1):
        torch = gpu.torch
        self.gpu, self.case = gpu, case
        self.src_view, self.dst_view = joined(case.src_view(), case.dst_view())
        self.dtype = {"u8": torch.uint8, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
                      "c128": torch.complex128}[case.element]
        # The axes in the destination's order, slowest first, as dst.copy_(src.permute(...)) has them.
        axes = range(len(self.dst_view.extents))
        self.axes = sorted(axes, key=lambda axis: (-self.dst_view.strides[axis], -self.dst_view.extents[axis]))
        self.flipped = [i for i, axis in enumerate(self.axes) if self.src_view.strides[axis] < 0]
        self.size = BYTES[case.element]
        self.src_bytes = [self.random_bytes(self.src_view.elements * self.size)]
        self.src_bytes += [self.src_bytes[0].clone() for _ in range(pairs - 1)]
        self.dst_bytes = [torch.empty(self.dst_view.elements * self.size, dtype=torch.uint8, device=gpu.device)
                          for _ in range(pairs)]
        self.src = [self.seen(one, self.src_view) for one in self.src_bytes]
        self.dst = [self.seen(one, self.dst_view) for one in self.dst_bytes]
        self.want_bytes = torch.full_like(self.dst_bytes[0], POISON)
        self.copy_apart(self.seen(self.want_bytes, self.dst_view), self.forwards(self.src[0]))

    def copy_apart(self, dst, src):
        """dst.copy_(src), an index of the slowest axis at a time where there are more axes than PyTorch's kernels take."""
        if src.dim() <= MAX_AXES:
            dst.copy_(src)
            return
        for i in range(src.shape[0]):
            self.copy_apart(dst[i], src[i])

    def random_bytes(self, count):
        """Every element a normal number of its type, so that no peer may change it: bit w-2 and its inverse in bit w-3."""
        torch = self.gpu.torch
        top = {"bf16": 0x4000400040004000, "f32": 0x4000000040000000, "f64": 0x4000000000000000,
               "c128": 0x4000000000000000}.get(self.case.element, 0)
        bits = torch.randint(-2 ** 62, 2 ** 62, (-(-count // 8),), dtype=torch.int64, device=self.gpu.device)
        bits ^= bits << 1
        if top:
            # Shifted without the sign: no bit of `top` is the sign bit.
            bits = (bits & ~(top >> 1)) | ((~bits & top) >> 1)
        return bits.view(torch.uint8)[:count]

    def seen(self, raw, view):
        """The view of a buffer, axes that run backwards seen forwards."""
        return raw.view(self.dtype).as_strided([view.extents[axis] for axis in self.axes],
                                               [abs(view.strides[axis]) for axis in self.axes], view.lowest())

    def forwards(self, src):
        """The source with its reversed axes flipped."""
        return src.flip(self.flipped) if self.flipped else src

    def pointers(self):
        """Of coordinate (0, 0, ...) of each pair."""
        return [(src.data_ptr() + self.src_view.offset * self.size, dst.data_ptr() + self.dst_view.offset * self.size)
                for src, dst in zip(self.src_bytes, self.dst_bytes)]

    def is_right(self, result=None):
        """Is the destination, or the tensor `result`, what it should be in every byte?"""
        found = self.dst_bytes[0]
        if isinstance(result, self.gpu.torch.Tensor):
            found = result.reshape(-1).view(self.gpu.torch.uint8)
        return self.gpu.torch.equal(found, self.want_bytes)


# --- The peers ---------------------------------------------------------------------------------------------------------

# A party is a function of the pair's number.

def torch_eager(work):
    """dst.copy_(src) of the two views"""
    def copy(i):
        work.dst[i].copy_(work.forwards(work.src[i]))
    return copy


def torch_compiled(work):
    """torch.compile of src.clone() in the destination's order, or of dst.copy_(src) where the destination is not dense; the
    clone's memory comes from PyTorch's cache of blocks, as many of them, one after the other, as there are pairs."""
    torch = work.gpu.torch
    if not hasattr(torch, "compile"):
        raise ImportError(f"PyTorch {torch.__version__} has no torch.compile")
    torch._dynamo.reset()  # each case is a program of its own, not one more specialisation of the last
    kept = [None] * len(work.src)
    if not work.dst_view.is_dense():
        into = torch.compile(lambda dst, src: dst.copy_(work.forwards(src)), dynamic=False)
        return lambda i: into(work.dst[i], work.src[i]) is None
    clone = torch.compile(lambda src: work.forwards(src).clone(memory_format=torch.contiguous_format), dynamic=False)

    def copy(i):
        kept[i] = None
        kept[i] = clone(work.src[i])
        return kept[i]
    return copy


def cupy_copy(work):
    """cupy.copyto(dst, src) of the two views; 16-bit floats as integers, which CuPy has."""
    if importlib.util.find_spec("cupy") is None:
        raise ImportError("CuPy is not installed")
    import cupy
    torch = work.gpu.torch
    kind = torch.int16 if work.dtype == torch.bfloat16 else work.dtype
    backwards = tuple(slice(None, None, -1 if i in work.flipped else 1) for i in range(len(work.axes)))
    pairs = [(cupy.asarray(dst.view(kind)), cupy.asarray(src.view(kind))[backwards])
             for src, dst in zip(work.src, work.dst)]
    stream = cupy.cuda.ExternalStream(work.gpu.stream_handle)

    def copy(i):
        with stream:
            cupy.copyto(*pairs[i])
    return copy


PEERS = {"torch": torch_eager, "torch.compile": torch_compiled, "cupy": cupy_copy}


# --- Measuring ---------------------------------------------------------------------------------------------------------

def alternate(gpu, own, other, rounds, calls):
    """(median, fastest) seconds of one call of each, which alternate. `calls` are the pairs that a round goes through,
    after the last of them once, uncounted."""
    marks = []
    for run in (own, other):  # a second time, to warm up
        run(calls[-1])
    for round_ in range(2 * rounds):
        run = own if round_ % 2 else other
        run(calls[-1])
        marks.append([gpu.event(), gpu.event()])
        marks[-1][0].record()
        for i in calls:
            run(i)
        marks[-1][1].record()
    gpu.synchronize()
    times = [begin.elapsed_time(end) * 1e-3 / len(calls) for begin, end in marks]
    return [(statistics.median(mine), min(mine)) for mine in (times[1::2], times[0::2])]


def host_seconds(gpu, call, calls=200):
    """The median of the time that a call takes to return; the device is idle at the start of each."""
    times = []
    for _ in range(calls):
        gpu.synchronize()
        began = time.perf_counter()
        call(0)
        times.append(time.perf_counter() - began)
    gpu.synchronize()
    return statistics.median(times)


def is_right_after(name, run, gpu, work, case, row):
    """Runs a copy into poisoned memory and says whether every element is right; notes it in the row."""
    work.dst_bytes[0].fill_(POISON)
    gpu.synchronize()
    result = run(0)  # a tensor, maybe one of its own memory, or nothing
    gpu.synchronize()
    row["checked"].append(name)
    right = work.is_right(result)
    if not right:
        row["wrong"].append(f"{case.key}: an element is wrong after a copy by {name}.")
    return right


def planned_copies(library, pointers, check, case, row, stream, tune):
    """The library's copies, one for each pair of tensors, planned and checked; none where it refuses or is wrong."""
    try:
        copies = [capi.Copy(library, case, *pair, stream=stream, tune=tune) for pair in pointers]
        began = time.perf_counter()
        plan, row["explanation"] = copies[0].plan()
        row["plan_seconds"], row["path"] = time.perf_counter() - began, plan.get("path")
        began = time.perf_counter()
        right = check("tilewright", lambda i: copies[i]())
        row["first_call_seconds"] = time.perf_counter() - began
        return copies if right else None
    except capi.TilewrightError as error:
        row["wrong"].append(f"{case.key}: the library refuses: {error}")
        return None


def ready_peers(peers, work, check, row):
    """The peers that copy this case rightly. The others are noted with what they stumbled over."""
    ready = {}
    for name in peers:
        try:
            run = PEERS[name](work)
            if check(name, run):
                ready[name] = run
        except Exception as error:  # whatever a peer stumbles over is a reason not to take part
            row["peers"][name] = {"absent": (str(error).splitlines() or [type(error).__name__])[0][:200]}
    return ready


def roof_copies(gpu, work, pairs, calls, touched):
    """memcpy of as many bytes as must be touched; what the copy itself would take is in proportion."""
    if touched <= min(len(work.src_bytes[0]), len(work.dst_bytes[0])):
        sides = [(src.data_ptr(), dst.data_ptr()) for src, dst in zip(work.src_bytes, work.dst_bytes)]
    else:
        spare = [gpu.torch.empty(touched, dtype=gpu.torch.uint8, device=gpu.device) for _ in range(len(calls) + 1)]
        sides = [(spare[i].data_ptr(), spare[i + 1].data_ptr()) for i in range(pairs)]
    return [gpu.memcpy(dst, src, touched) for src, dst in sides]


def row_of(gpu, library, case, peers, rounds, arguments):
    """A row as the CPU's (measure.hpp), with call_seconds: the host's time of one call."""
    texts = case.layout_texts()
    row = {"suite": case.suite, "case": case.name, "element": case.element, "src": texts[0], "dst": texts[1],
           "bytes": 2 * case.bytes, "roof_bytes": roof_bytes(case, "cuda"), "peers": {}, "checked": [], "wrong": []}
    is_small = case.bytes < SMALL_BYTES
    work = Work(gpu, case, pairs=1 if is_small or arguments.check else PAIRS)
    pointers = work.pointers()
    check = functools.partial(is_right_after, gpu=gpu, work=work, case=case, row=row)
    copies = planned_copies(library, pointers, check, case, row, gpu.stream_handle, arguments.tune)
    if copies is None:
        return row
    ready = ready_peers(peers, work, check, row)
    if arguments.check:
        return row

    def own(i):
        copies[i]()
    began = time.perf_counter()
    row["settled"] = copies[0].settle(gpu.synchronize)
    gpu.synchronize()
    row["trial_seconds"] = time.perf_counter() - began
    if not check("tilewright", own):
        return row
    calls = [0] * SMALL_REPEATS if is_small else list(range(PAIRS))
    memcpies = roof_copies(gpu, work, len(pointers), calls, row["roof_bytes"] // 2)
    (row["seconds"], row["min_seconds"]), (roof, fastest_roof) = alternate(
        gpu, own, lambda i: memcpies[i](), rounds, calls)
    row["roof_share"] = roof / row["seconds"]
    row["memcpy_seconds"] = roof * row["bytes"] / row["roof_bytes"]
    row["memcpy_min_seconds"] = fastest_roof * row["bytes"] / row["roof_bytes"]
    row["share"] = row["memcpy_seconds"] / row["seconds"]
    row["call_seconds"] = host_seconds(gpu, own, 200 if is_small else 20)
    for name, run in ready.items():
        ours, theirs = alternate(gpu, own, run, rounds, calls)
        row["peers"][name] = {"seconds": theirs[0], "min_seconds": theirs[1], "ratio": theirs[0] / ours[0]}
    return row


# --- The first call ----------------------------------------------------------------------------------------------------

def time_first_call(path):
    """Prints, as JSON, how long the first, the second and later calls of a process take, up to the end of the copy."""
    gpu, library = Gpu(), capi.Library(path)
    case = next(case for case in cases.all_cases() if (case.suite, case.name, case.element) == FIRST_CALL)
    work = Work(gpu, case)
    gpu.synchronize()
    copy, times = capi.Copy(library, case, *work.pointers()[0], stream=gpu.stream_handle), []
    for _ in range(2):
        began = time.perf_counter()
        copy()
        gpu.synchronize()
        times.append(time.perf_counter() - began)
    print(json.dumps({"first": times[0], "second": times[1], "call": host_seconds(gpu, lambda _: copy()),
                      "right": work.is_right()}))


def first_calls(path):
    """Two processes, one after the other, with one disk cache that is empty at first."""
    found = {"case": " ".join(FIRST_CALL)}
    with tempfile.TemporaryDirectory() as cache:
        for name in ["compiled", "from_disk"]:
            done = subprocess.run([sys.executable, "-B", str(HERE / "on_gpu.py"), "--first-call", str(path)],
                                  env={**os.environ, "TILEWRIGHT_CACHE_DIR": cache}, stdout=subprocess.PIPE, text=True)
            if done.returncode != 0:
                return {**found, "error": f"the process of the {name} call ended with status {done.returncode}"}
            found[name] = json.loads(done.stdout.splitlines()[-1])
    return found


def rows_of(arguments, chosen):
    """First what the rows are of, then the rows, as they come."""
    path = (arguments.library or LIBRARY).resolve()
    if not path.exists():
        sys.exit(f"permute: there is no {path}; build the target tilewright_c, or name a library with --library.")
    if importlib.util.find_spec("torch") is None:
        sys.exit("permute: the benchmark for GPUs needs PyTorch, and this python3 has none.")
    wanted = list(PEERS) if arguments.peers is None else [name for name in arguments.peers.split(",") if name != "none"]
    if unknown := [name for name in wanted if name not in PEERS]:
        sys.exit(f"permute: there is no peer {unknown[0]}; there are {', '.join(PEERS)}.")
    gpu, library = Gpu(), capi.Library(path)
    about = {"device": "cuda", "machine": gpu.name, "library": library.version, "peers": wanted,
             "tuned": arguments.tune}
    if not arguments.check and not arguments.quick:
        about["first_calls"] = calls = first_calls(path)
        for name in ["compiled", "from_disk"]:
            if name not in calls:
                print(f"first calls: {calls['error']}")
                break
            print(f"first call of a process, {name.replace('_', ' ')}: {calls[name]['first'] * 1e3:.1f} ms; second: "
                  f"{calls[name]['second'] * 1e3:.2f} ms; host time of later ones: {calls[name]['call'] * 1e6:.1f} µs")
    yield about
    rounds = MIN_ROUNDS if arguments.quick else 2 * MIN_ROUNDS
    for case in chosen:
        yield row_of(gpu, library, case, wanted, rounds, arguments)
        gpu.release()


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "--first-call":
        sys.exit("usage: on_gpu.py --first-call LIBRARY; run.py --device cuda is the benchmark.")
    time_first_call(pathlib.Path(sys.argv[2]))

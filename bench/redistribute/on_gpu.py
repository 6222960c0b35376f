"""Redistributions between the GPUs of one host: the library next to all-pairs peer copies, all_to_all_single with packing, and
DTensor.redistribute. One process a GPU; all parties take turns on the same memory, and each result is compared with what the
placements' definitions say, element by element.

usage: on_gpu.py [--ranks N] [--json FILE] [--cases N] [--seed N] [--max-mib N] [--only TEXT] [--transport peers|nccl]

Figures are medians over rounds of the slowest rank, by CUDA events around a few calls, the first of them uncounted. Peer copies are
cuMemcpyDtoDAsync of as many bytes between each pair of ranks, contiguous, to all peers at once on streams of their own, and of as many
bytes as the rank keeps. `share` is their time divided by the library's; a peer's `ratio` is its time divided by the library's.
"""
import argparse
import ctypes
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import gpu_cases

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
POISON = 0xA5
ROUNDS = 5


def values(torch, axes, dtype, device):
    """An element's value depends on its coordinates alone, in wrapping integers of its size."""
    factors = [1, 40503, 30011, 20011] if dtype == torch.int16 else [1, 73856093, 19349663, 83492791]
    out = None
    for k, index in enumerate(axes):
        one = torch.tensor(index, device=device) if isinstance(index, list) else torch.arange(
            index.start, index.stop, index.step, device=device)
        one = ((one + 1) * factors[len(axes) - 1 - k]).to(dtype)
        one = one.view([-1 if i == k else 1 for i in range(len(axes))])
        out = one if out is None else out + one
    return out


def selector(torch, have, want, device):
    """Where the wanted indices are in what a rank has: a slice, or numbers."""
    at = {x: i for i, x in enumerate(have)}
    found = [at[x] for x in want if x in at]
    if not found:
        return None
    step = found[1] - found[0] if len(found) > 1 else 1
    if step > 0 and all(b - a == step for a, b in zip(found, found[1:])):
        return slice(found[0], found[-1] + 1, step)
    return torch.tensor(found, device=device)


def pick(torch, x, selectors):
    for axis, s in enumerate(selectors):
        x = x[(slice(None),) * axis + (s,)] if isinstance(s, slice) else x.index_select(axis, s)
    return x


class Rank:
    """One process: memory for all cases, allocated once, and the parties."""

    def __init__(self, arguments, rank):
        import torch
        import torch.distributed as dist
        self.torch, self.dist, self.rank, self.ranks = torch, dist, rank, arguments.ranks
        torch.cuda.set_device(rank)
        self.device = torch.device("cuda", rank)
        dist.init_process_group("nccl", rank=rank, world_size=self.ranks, device_id=self.device)
        self.hosts = dist.new_group(backend="gloo")
        self.transport = arguments.transport
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.driver.cuMemcpyDtoDAsync_v2.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_size_t, ctypes.c_void_p]
        self.room = max(c.bytes // (1 if "R" in (c.source, c.target) else self.ranks) for c in arguments.chosen) * 9 // 8 + (1 << 20)
        self.src_arena, self.dst_arena = (torch.empty(self.room, dtype=torch.uint8, device=self.device) for _ in range(2))
        self.peers = self.share(self.dst_arena)
        self.streams = [torch.cuda.Stream() for _ in range(self.ranks)]

    def share(self, mine):
        """The address of the same buffer of each rank, mapped for this rank's GPU."""
        class Handle(ctypes.Structure):
            _fields_ = [("bytes", ctypes.c_char * 64)]
        handle, base, size = Handle(), ctypes.c_uint64(), ctypes.c_size_t()
        self.driver.cuMemGetAddressRange_v2(ctypes.byref(base), ctypes.byref(size), ctypes.c_uint64(mine.data_ptr()))
        if self.driver.cuIpcGetMemHandle(ctypes.byref(handle), ctypes.c_uint64(mine.data_ptr())) != 0:
            raise RuntimeError("cuIpcGetMemHandle failed")
        answers, out = [None] * self.ranks, []
        self.dist.all_gather_object(answers, (bytes(handle), mine.data_ptr() - base.value), group=self.hosts)
        for rank, (words, offset) in enumerate(answers):
            at = ctypes.c_uint64(mine.data_ptr() - offset)
            if rank != self.rank and self.driver.cuIpcOpenMemHandle_v2(
                    ctypes.byref(at), Handle.from_buffer_copy(words), ctypes.c_uint(1)) != 0:
                raise RuntimeError("cuIpcOpenMemHandle failed")
            out.append(at.value + offset)
        return out

    def tensor(self, arena, axes, order, dtype):
        shape = [len(a) for a in axes]
        flat = arena[:math.prod(shape) * dtype.itemsize].view(dtype)
        return flat.view(shape) if order == "C" else flat.view(shape[::-1]).permute(*reversed(range(len(shape))))

    # --- the parties ---

    def library(self, case):
        sys.path.insert(0, os.environ["TILEWRIGHT_PYTHON"])
        from tilewright import distributed as twd
        src, dst = (twd.distribute(case.shape, self.ranks, p, order=o)
                    for p, o in zip((case.source, case.target), case.orders))
        began = time.perf_counter()
        job = twd.Redistribution(src, dst, self.dtype, self.hosts, device=self.rank, transport=self.transport)
        self.job, self.layouts, self.plan_seconds = job._job, (str(src), str(dst)), time.perf_counter() - began
        return lambda: job.run(self.src, self.dst)

    def peer_copies(self, case):
        bytes_to = [math.prod(len(set(a) & set(b)) if not (a == b) else len(a) for a, b in zip(self.have, self.wanted_by(case, r)))
                    * self.dtype.itemsize for r in range(self.ranks)]
        if case.source == "R":  # each rank has what it wants
            bytes_to = [n if r == self.rank else 0 for r, n in enumerate(bytes_to)]
        self.sent = sum(n for r, n in enumerate(bytes_to) if r != self.rank)
        order = [(self.rank + k) % self.ranks for k in range(1, self.ranks + 1)]
        begin, ends = self.torch.cuda.Event(), [self.torch.cuda.Event() for _ in order]

        def copy():
            begin.record(self.stream)
            for r, end in zip(order, ends):
                stream = self.streams[r]
                stream.wait_event(begin)
                if bytes_to[r] and self.driver.cuMemcpyDtoDAsync_v2(self.peers[r], self.src_arena.data_ptr(), bytes_to[r],
                                                                    stream.cuda_stream) != 0:
                    raise RuntimeError("cuMemcpyDtoDAsync failed")
                end.record(stream)
                self.stream.wait_event(end)
        return copy

    def wanted_by(self, case, rank):
        return gpu_cases.axes_of(case.target, case.shape, self.ranks, rank)

    def all_to_all(self, case):
        torch = self.torch
        if case.source == "R":
            raise NotImplementedError("nothing is sent")
        sends, receives = [], []
        for r in range(self.ranks):
            theirs = gpu_cases.axes_of(case.source, case.shape, self.ranks, r)
            sends.append([selector(torch, a, b, self.device) for a, b in zip(self.have, self.wanted_by(case, r))])
            receives.append([selector(torch, b, a, self.device) for a, b in zip(theirs, self.want)])
        first = [None if None in s else pick(torch, self.src, s) for s in sends]
        counts = [0 if x is None else x.numel() for x in first]
        shapes = [None if None in s else pick(torch, self.dst, s).shape for s in receives]
        incoming = [0 if s is None else math.prod(s) for s in shapes]
        del first
        out = torch.empty(sum(counts), dtype=self.dtype, device=self.device)
        into = torch.empty(sum(incoming), dtype=self.dtype, device=self.device)

        def exchange():
            for s, piece in zip(sends, out.split(counts)):
                if piece.numel():
                    x = pick(torch, self.src, s)
                    piece.view(x.shape).copy_(x)
            self.dist.all_to_all_single(into, out, incoming, counts)
            for s, shape, piece in zip(receives, shapes, into.split(incoming)):
                if not piece.numel():
                    continue
                view, numbers = self.dst, None
                for axis, one in enumerate(s):
                    if isinstance(one, slice):
                        view = view[(slice(None),) * axis + (one,)]
                    else:
                        numbers = (axis, one)
                if numbers is None:
                    view.copy_(piece.view(shape))
                else:
                    view.index_copy_(numbers[0], numbers[1], piece.view(shape))
        return exchange

    def dtensor(self, case):
        if not case.is_dtensor():
            raise NotImplementedError("DTensor has no such placement, or order")
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.tensor import DTensor, Replicate, Shard
        mesh = init_device_mesh("cuda", (self.ranks,))
        a, b = (Replicate() if p == "R" else Shard(int(p[1:])) for p in (case.source, case.target))
        strides = [math.prod(case.shape[k + 1:]) for k in range(len(case.shape))]
        x = DTensor.from_local(self.src, mesh, [a], run_check=False, shape=self.torch.Size(case.shape), stride=tuple(strides))
        kept = [None]

        def run():
            kept[0] = None
            kept[0] = x.redistribute(mesh, [b])
            return kept[0].to_local()
        return run

    # --- measuring ---

    def slowest(self, seconds):
        t = self.torch.tensor([seconds], dtype=self.torch.float64)
        self.dist.all_reduce(t, op=self.dist.ReduceOp.MAX, group=self.hosts)
        return t.item()

    def seconds(self, run, calls):
        """Of one call, on the slowest rank."""
        run()
        self.torch.cuda.synchronize()
        self.dist.barrier(group=self.hosts)
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        run()  # not counted: ranks leave the barrier some 50 microseconds apart
        begin.record()
        for _ in range(calls):
            run()
        end.record()
        self.torch.cuda.synchronize()
        return self.slowest(begin.elapsed_time(end) * 1e-3 / calls)

    def is_right(self, run):
        self.dst_arena.fill_(POISON)
        self.torch.cuda.synchronize()
        self.dist.barrier(group=self.hosts)
        result = run()
        self.torch.cuda.synchronize()
        self.dist.barrier(group=self.hosts)
        result = result if isinstance(result, self.torch.Tensor) else self.dst
        right = True
        for first in range(0, len(self.want[0]), max(1, len(self.want[0]) // 8)):
            part = slice(first, first + max(1, len(self.want[0]) // 8))
            expected = values(self.torch, [self.want[0][part], *self.want[1:]], self.bits, self.device)
            right = right and self.torch.equal(result.view(self.bits)[part], expected)
            del expected
        return self.slowest(0.0 if right else 1.0) == 0.0

    def row(self, case):
        torch = self.torch
        self.dtype, self.bits = {2: (torch.bfloat16, torch.int16), 4: (torch.float32, torch.int32),
                                 8: (torch.float64, torch.int64)}[gpu_cases.BYTES[case.element]]
        self.have = gpu_cases.axes_of(case.source, case.shape, self.ranks, self.rank)
        self.want = self.wanted_by(case, self.rank)
        self.src = self.tensor(self.src_arena, self.have, case.orders[0], self.dtype)
        self.dst = self.tensor(self.dst_arena, self.want, case.orders[1], self.dtype)
        step = max(1, len(self.have[0]) // 8)
        for first in range(0, len(self.have[0]), step):
            part = slice(first, first + step)
            self.src.view(self.bits)[part] = values(torch, [self.have[0][part], *self.have[1:]], self.bits, self.device)
        row = {"suite": "redistribute on GPUs", "case": case.name, "element": case.element, "ranks": self.ranks,
               "bytes": case.bytes, "peers": {}, "checked": [], "wrong": []}
        ready = {}
        for name, make in [("tilewright", self.library), ("peer_copies", self.peer_copies), ("all_to_all", self.all_to_all),
                           ("dtensor", self.dtensor)]:
            failed = ""
            try:
                run = make(case)
            except (NotImplementedError, RuntimeError, ImportError) as error:
                if name == "tilewright":
                    raise
                failed = str(error).splitlines()[0][:200]
            if failed:
                row["peers"][name] = {"absent": failed}
                continue
            ready[name] = run
            if name != "peer_copies":
                row["checked"].append(name)
                if not self.is_right(run):
                    row["wrong"].append(f"{name}: an element is wrong")
        own = ready.pop("tilewright")
        calls = 10 if case.bytes < 1 << 30 else 3
        times = {name: ([], []) for name in ready}
        for _ in range(ROUNDS):
            for name, run in ready.items():
                times[name][0].append(self.seconds(own, calls))
                times[name][1].append(self.seconds(run, calls))
        everything = [t for mine, _ in times.values() for t in mine]
        row.update(src=self.layouts[0], dst=self.layouts[1], transport=self.job.transport, seconds=statistics.median(everything),
                   sent_bytes=self.sent, plan_seconds=self.plan_seconds, extra_bytes=self.job._exchange.staging_bytes)
        for name, (mine, theirs) in times.items():
            row["peers"][name] = {"seconds": statistics.median(theirs), "ratio": statistics.median(theirs) / statistics.median(mine)}
        row["share"] = row["peers"]["peer_copies"]["ratio"]
        del ready, own
        self.job.finish()
        torch.cuda.empty_cache()
        return row


def print_row(row):
    cells = [f"{row['peers'][n]['ratio']:.2f}" if "ratio" in row["peers"].get(n, {}) else "-" for n in ("all_to_all", "dtensor")]
    rate = row["sent_bytes"] / row["seconds"] / 1e9
    print(f"{row['case']:<48} {row['element']:>5} {row['sent_bytes'] / 2**20:8.0f} {row['seconds'] * 1e3:9.3f} {rate:7.1f} "
          f"{row['share']:6.2f} {cells[0]:>10} {cells[1]:>8} {'' if not row['wrong'] else row['wrong']}", flush=True)


def summary(rows):
    for what, pick_value in [("share of all-pairs peer copies", lambda r: r["share"]),
                             ("all_to_all_single with packing, as a multiple of the library's time",
                              lambda r: r["peers"].get("all_to_all", {}).get("ratio")),
                             ("DTensor.redistribute, as a multiple of the library's time",
                              lambda r: r["peers"].get("dtensor", {}).get("ratio"))]:
        found = [v for v in map(pick_value, rows) if v]
        if found:
            print(f"{what}: {math.exp(sum(map(math.log, found)) / len(found)):.2f} in the geometric mean of {len(found)} cases, "
                  f"least {min(found):.2f}")
    print(f"most extra memory of a rank: {max(r['extra_bytes'] for r in rows) / 2**20:.1f} MiB")


def worker(arguments, rank):
    me = Rank(arguments, rank)
    rows = []
    if rank == 0:
        print(f"{me.torch.cuda.get_device_name()}, {me.ranks} ranks, PyTorch {me.torch.__version__}; share: of all-pairs peer "
              f"copies; peers: multiples of the library's time\n{'case':<48} {'':>5} {'MiB sent':>8} {'ms':>9} {'GB/s':>7} "
              f"{'share':>6} {'all_to_all':>10} {'dtensor':>8}", flush=True)
    for case in arguments.chosen:
        rows.append(me.row(case))
        if rank == 0:
            print_row(rows[-1])
            if arguments.json:
                arguments.json.write_text(json.dumps({"device": me.torch.cuda.get_device_name(), "rows": rows}, indent=1) + "\n")
    if rank == 0:
        summary(rows)
    me.dist.destroy_process_group()
    return 1 if any(r["wrong"] for r in rows) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-mib", type=int, default=8192)
    parser.add_argument("--only", default="")
    parser.add_argument("--transport", default="automatic")
    parser.add_argument("--rank", type=int, default=-1, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.chosen = [c for c in gpu_cases.drawn(arguments.ranks, arguments.cases, arguments.seed, arguments.max_mib)
                        if arguments.only in c.name]
    if arguments.rank >= 0:
        return worker(arguments, arguments.rank)
    if "TILEWRIGHT_PYTHON" not in os.environ:
        os.environ["TILEWRIGHT_PYTHON"] = str(ROOT / "build/release/python")
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29511", "TMPDIR": scratch}
        started = [subprocess.Popen([sys.executable, "-B", __file__, *sys.argv[1:], "--rank", str(r)], env=environment)
                   for r in range(arguments.ranks)]
        status = 0
        while started:
            for p in list(started):
                if p.poll() is not None:
                    started.remove(p)
                    status = status or p.returncode
            if status:
                for p in started:
                    p.terminate()
            time.sleep(0.1)
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())

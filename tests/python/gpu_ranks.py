"""tilewright.distributed between GPUs: random pairs element by element, DTensors, packed messages, and what each rank hears of an
error of another. Starts one process for each GPU, at most four; with one GPU two processes share it.

usage: gpu_ranks.py [FOLDER of the package [PART...]]; 77 where PyTorch or a GPU is missing. tools/gpu_check runs it.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def start(torch, rank, ranks, backend):
    import torch.distributed as dist
    torch.cuda.set_device(rank % torch.cuda.device_count())
    dist.init_process_group(backend, rank=rank, world_size=ranks)
    return dist, torch.cuda.current_device()


def random_layout(rng, twd, shape, ranks):
    axis = rng.randrange(len(shape))
    words = [f"S{axis}", f"C{axis}", f"B{axis}/{rng.randint(1, 7)}", "R"]
    return twd.distribute(shape, ranks, rng.choice(words), order=rng.choice("CF"))


def as_tensor(torch, part, device):
    """A part with its strides, on the GPU."""
    import numpy as np
    flat = torch.from_numpy(np.ascontiguousarray(part.ravel("K"))).to(device)
    if part.size == 0:
        return torch.empty(part.shape, dtype=flat.dtype, device=device)
    return flat.as_strided(part.shape, [s // part.itemsize for s in part.strides])


def pairs(torch, tw, twd, rank, ranks, number, **options):
    import numpy as np
    _, device = start(torch, rank, ranks, "gloo")
    rng = random.Random(4)  # the same on every rank
    for n in range(number):
        large = n % 10 == 9
        shape = [rng.randint(200, 900) if large else rng.randint(1, 40) for _ in range(2 if large else rng.randint(1, 4))]
        source, target = (random_layout(rng, twd, shape, ranks) for _ in range(2))
        dtype = rng.choice(["u1", "i2", "f4", "f8", "c16"])
        whole = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
        mine = as_tensor(torch, source.part(whole, rank), device)
        job = twd.Redistribution(source, target, mine.dtype, None, device=device, **options)
        out = [job.run(mine) for _ in range(2)]  # a new destination each time
        torch.cuda.synchronize()
        for one in out:
            expect(np.array_equal(one.cpu().numpy().reshape(target.local_shape(rank)), target.part(whole, rank)),
                   f"case {n}: {source} -> {target} of {dtype}")
        job._job.finish()
    if rank == 0:
        print(f"{number} random pairs on {ranks} ranks by {job._job.transport if job._job._exchange else options}: right")


def ordered(torch, tw, twd, rank, ranks):
    """Kernels before and after in one stream, without waiting: ranks must neither write too early nor read too early."""
    dist, device = start(torch, rank, ranks, "gloo")
    n = 4096
    rows, columns = twd.distribute((n, n), ranks, "S0"), twd.distribute((n, n), ranks, "S1")
    forth, back = (twd.Redistribution(*pair, torch.float32, None, device=device) for pair in [(rows, columns), (columns, rows)])
    x, y = torch.zeros(rows.local_shape(rank), device=device), torch.zeros(columns.local_shape(rank), device=device)
    for _ in range(50):
        x += rank + 1
        forth.run(x, y)
        y += 1
        back.run(y, x)
    torch.cuda.synchronize()
    expect(bool((x == 50 * (rank + 1 + 1)).all()), "stream order")
    dist.barrier()
    if rank == 0:
        print("100 redistributions between kernels in one stream: right")


def one_after_another(torch, tw, twd, rank, ranks):
    """Objects that begin and end while the stream still works: what they wait by is used again."""
    dist, device = start(torch, rank, ranks, "gloo")
    n = 4096
    rows, columns = twd.distribute((n, n), ranks, "S0"), twd.distribute((n, n), ranks, "S1")
    x, y = torch.zeros(rows.local_shape(rank), device=device), torch.zeros(columns.local_shape(rank), device=device)
    with torch.cuda.stream(torch.cuda.Stream()):
        for _ in range(12):
            for source, target, a, b in [(rows, columns, x, y), (columns, rows, y, x)]:
                a += 1
                job = twd.Redistribution(source, target, torch.float32, None, device=device)
                job.run(a, b)
                del job
    torch.cuda.synchronize()
    expect(bool((x == 24).all()), "stream order")
    dist.barrier()
    if rank == 0:
        print("24 redistributions of as many objects in one stream: right")


def dtensors(torch, tw, twd, rank, ranks):
    dist, device = start(torch, rank, ranks, "nccl")
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor
    mesh = init_device_mesh("cuda", (ranks,))
    whole = torch.arange(96 * 130, device=device, dtype=torch.float32).reshape(96, 130)
    for a in [Shard(0), Shard(1), Replicate()]:
        for b in [Shard(0), Shard(1), Replicate()]:
            x = distribute_tensor(whole, mesh, [a])
            y = twd.redistribute_dtensor(x, [b])
            expect(isinstance(y, DTensor) and y.placements == (b,) and y.shape == whole.shape, "a DTensor")
            expect(torch.equal(y.full_tensor(), whole), f"{a} -> {b}")
    if rank == 0:
        print("DTensors: right")


def errors(torch, tw, twd, rank, ranks):
    dist, device = start(torch, rank, ranks, "gloo")
    rows, columns = twd.distribute((64, 64), ranks, "S0"), twd.distribute((64, 64), ranks, "S1")
    x = torch.zeros(rows.local_shape(rank), device=device)

    def heard(words, call):
        try:
            call()
        except (tw.CopyError, ValueError) as error:
            expect(words in str(error), f"expected '{words}' and heard '{error}'")
        else:
            raise AssertionError(f"no error: {words}")
        dist.barrier()
    job = twd.Redistribution(rows, columns, x.dtype, None, device=device)
    heard("rank 1: the source is None", lambda: job.run(None if rank == 1 else x))
    heard("rank 1: the source of shape (3,) has 12 bytes", lambda: job.run(x[0, :3] if rank == 1 else x))
    heard("rank 1: a Tensor is not on a GPU", lambda: job.run(x.cpu() if rank == 1 else x))
    heard("rank 1: asked for", lambda: twd.redistribute(x, rows, rows if rank == 1 else columns, None))
    heard("rank 0: transport is 'tubes'", lambda: twd.redistribute(x, rows, columns, None, transport="tubes"))
    expect(job.run(x).shape == columns.local_shape(rank), "a run after an error")
    if rank == 0:
        print("errors: heard on every rank")


def killed(torch, tw, twd, rank, ranks):
    _, device = start(torch, rank, ranks, "gloo")
    rows, columns = twd.distribute((640, 640), ranks, "S0"), twd.distribute((640, 640), ranks, "S1")
    x = torch.zeros(rows.local_shape(rank), device=device)
    job = twd.Redistribution(rows, columns, x.dtype, None, device=device)
    for i in range(10):
        if rank == 1 and i == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            job.run(x)
        except tw.CopyError as error:
            print(f"rank {rank} hears: {error}", flush=True)
            os._exit(0 if "its process" in str(error) and "has ended" in str(error) else 1)
    os._exit(1)


def killed_in_flight(torch, tw, twd, rank, ranks):
    """A rank ends while its copies run in streams of the callers: the others hear of it at their next call, and nothing of theirs
    waits for it any longer."""
    _, device = start(torch, rank, ranks, "gloo")
    n = 16384
    rows, columns = twd.distribute((n, n), ranks, "S0"), twd.distribute((n, n), ranks, "S1")
    x = torch.zeros(rows.local_shape(rank), device=device)
    job = twd.Redistribution(rows, columns, x.dtype, None, device=device)
    y = job.run(x)
    with torch.cuda.stream(torch.cuda.Stream()):
        for i in range(40):
            try:
                job.run(x, y)
            except tw.CopyError as error:
                print(f"rank {rank} hears: {error}", flush=True)
                expect("its process" in str(error) and "has ended" in str(error), "the sentence")
                torch.cuda.synchronize()
                os._exit(0)
            if rank == 1 and i == 20:
                os.kill(os.getpid(), signal.SIGKILL)
    os._exit(1)


def packed(torch, tw, twd, rank, ranks):
    pairs(torch, tw, twd, rank, ranks, 30, transport="nccl", staging_bytes=1 << 17)


def peers(torch, tw, twd, rank, ranks):
    pairs(torch, tw, twd, rank, ranks, 150)


PARTS = {"peers": peers, "ordered": ordered, "one_after_another": one_after_another, "errors": errors, "dtensors": dtensors,
         "packed": packed, "killed": killed, "killed_in_flight": killed_in_flight}


def main(folder):
    try:
        import torch
    except ImportError:
        print("skipped: PyTorch is not installed")
        return 77
    if not torch.cuda.is_available():
        print("skipped: PyTorch finds no GPU")
        return 77
    sys.path.insert(0, folder)
    if "RANK_OF_TEST" in os.environ:
        import tilewright as tw
        from tilewright import distributed as twd
        PARTS[sys.argv[2]](torch, tw, twd, int(os.environ["RANK_OF_TEST"]), int(os.environ["WORLD_SIZE"]))
        return 0
    gpus = torch.cuda.device_count()
    ranks, status = min(4, max(2, gpus)), 0
    for number, part in enumerate(PARTS):
        if sys.argv[2:] and part not in sys.argv[2:]:
            continue
        if gpus < 2 and part in ("dtensors", "packed"):
            print(f"{part}: skipped, NCCL needs two GPUs")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            began = time.time()
            environment = {**os.environ, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(29600 + number), "WORLD_SIZE": str(ranks),
                           "TMPDIR": scratch}
            started = [subprocess.Popen([sys.executable, "-B", __file__, folder, part],
                                        env={**environment, "RANK_OF_TEST": str(r)}) for r in range(ranks)]
            codes = []
            for p in started:
                try:
                    codes.append(p.wait(timeout=90))
                except subprocess.TimeoutExpired:
                    p.kill()
                    codes.append("no end")
            expected = [0 if not part.startswith("killed") or r != 1 else -signal.SIGKILL for r in range(ranks)]
            right = codes == expected
            status |= 0 if right else 1
            print(f"{part}: {'passed' if right else f'FAILED, {codes}'} in {time.time() - began:.1f} s", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("TILEWRIGHT_PYTHON", "build/release/python")))

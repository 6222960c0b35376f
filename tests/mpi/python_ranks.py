"""tilewright.distributed on real processes: mpirun -n 4 python3 python_ranks.py [folder of the package].

Random pairs of layouts over mpi4py, element by element against the layouts' own places; what one rank finds wrong is heard by all.
"""
import os
import random
import sys

sys.path.insert(0, os.environ["TILEWRIGHT_PYTHON"])
try:
    import numpy as np
    from mpi4py import MPI
except ImportError as missing:
    print(f"skipped: {missing}", file=sys.stderr)
    sys.exit(77)
import tilewright as tw  # noqa: E402
from tilewright import distributed as twd  # noqa: E402

COMM = MPI.COMM_WORLD
RANK, RANKS = COMM.Get_rank(), COMM.Get_size()
DTYPES = ["u1", "i2", "f4", "f8", "c16", "S3", [("a", "u1"), ("b", "f4")], "M8[s]"]


def expect(holds, what):
    if not holds:
        print(f"rank {RANK}: {what}", file=sys.stderr, flush=True)
        COMM.Abort(1)


def random_layout(rng, shape):
    mesh = rng.choice([(RANKS,), (2, RANKS // 2), (RANKS - 1,)])
    words = [rng.choice([f"S{rng.randrange(len(shape))}", "R", f"C{rng.randrange(len(shape))}",
                         f"B{rng.randrange(len(shape))}/2"]) for _ in mesh]
    try:
        return twd.distribute(shape, mesh, *words, order=rng.choice("CF"))
    except tw.LayoutError:
        return twd.distribute(shape, mesh[0], words[0])


def whole_array(rng, dtype, shape):
    count = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer(rng.randbytes(count), np.uint8).copy().view(dtype).reshape(shape)


def random_pairs():
    rng = random.Random(11)  # the same on every rank
    for n in range(60):
        shape = [rng.randint(1, 9) for _ in range(rng.randint(1, 3))]
        source, target = random_layout(rng, shape), random_layout(rng, shape)
        whole = whole_array(rng, rng.choice(DTYPES), shape)
        mine = source.part(whole, RANK)
        shared = rng.random() < 0.5
        job = twd.Redistribution(source, target, whole.dtype, COMM, staging_bytes=1 << rng.randint(16, 20), shared_memory=shared)
        for _ in range(rng.choice([1, 2])):
            out = job.run(mine)
            expect(out.tobytes() == target.part(whole, RANK).tobytes(), f"case {n}: {source} -> {target} of {whole.dtype}")
        given = target.empty(RANK, whole.dtype)
        expect(twd.redistribute(mine, source, target, COMM, given) is given, "out= is returned")
        expect(given.tobytes() == out.tobytes(), f"case {n}: out= has other elements")


def scatter_and_gather():
    whole = np.arange(70.0).reshape(10, 7)
    everything, rows = twd.whole_on((10, 7), RANKS, root=1), twd.distribute((10, 7), RANKS, "S0")
    mine = twd.redistribute(whole if RANK == 1 else None, everything, rows, COMM, dtype=whole.dtype)
    expect(np.array_equal(mine, rows.part(whole, RANK)), "scatter")
    back = twd.redistribute(mine, rows, everything, COMM)
    expect(RANK != 1 or np.array_equal(back.reshape(10, 7), whole), "gather")


def large():
    rows, columns = twd.distribute((600, 700), RANKS, "S0"), twd.distribute((600, 700), RANKS, "S1", order="F")
    whole = np.random.default_rng(1).random((600, 700))
    out = twd.redistribute(rows.part(whole, RANK), rows, columns, COMM, staging_bytes=1 << 16)
    expect(np.array_equal(out, columns.part(whole, RANK)), "a transposed redistribution")
    expect(out.flags["F_CONTIGUOUS"], "the order of a rank's part")


def expect_error(words, call):
    heard = "no error"
    try:
        call()
    except (tw.CopyError, TypeError) as error:
        heard = str(error)
    expect(words in heard, f"expected '{words}' and heard '{heard}'")
    COMM.Barrier()


def errors():
    rows, columns = twd.distribute((16, 16), RANKS, "S0"), twd.distribute((16, 16), RANKS, "S1")
    mine = rows.empty(RANK, "f4")
    mine[...] = 0
    expect_error("rank 2: 'Q0' is not a placement", lambda: twd.redistribute(
        mine, "distribute((16,16),4,Q0)" if RANK == 2 else rows, columns, COMM))
    expect_error("rank 3: the source is None, and this rank has 256 bytes of it",
                 lambda: twd.redistribute(None if RANK == 3 else mine, rows, columns, COMM, dtype="f4"))
    expect_error("rank 1: the source of shape (16, 2) is not contiguous",
                 lambda: twd.redistribute(mine[:, ::8] if RANK == 1 else mine, rows, columns, COMM)
                 if RANK != 1 else twd.redistribute(np.zeros((16, 4), "f4")[:, :2], rows, columns, COMM))
    expect_error("rank 0: the source of shape (3,) has 12 bytes, and this rank's part of the layout 256",
                 lambda: twd.redistribute(np.zeros(3, "f4") if RANK == 0 else mine, rows, columns, COMM))
    expect_error("asked for", lambda: twd.redistribute(mine, rows, columns if RANK else rows, COMM))
    fixed = columns.empty(RANK, "f4")
    if RANK == 2:
        fixed.flags.writeable = False
    expect_error("rank 2: the destination cannot be written", lambda: twd.redistribute(mine, rows, columns, COMM, fixed))
    expect_error("references into this process", lambda: twd.redistribute(mine.astype(object), rows, columns, COMM))
    expect_error("is no communicator", lambda: twd.redistribute(mine, rows, columns, 7))
    expect_error("the layouts have 8 ranks and the communicator 4",
                 lambda: twd.redistribute(mine, "distribute((16,16),8,S0)", "distribute((16,16),8,S1)", COMM))


random_pairs()
scatter_and_gather()
large()
errors()
if RANK == 0:
    print("all redistributions are right")

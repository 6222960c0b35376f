"""Times what a copy of 64 floats costs in Python: tw.copy_, a plan's run(), the same copy called in a loop of the library's own
("C call"), numpy.copyto and torch.Tensor.copy_, in one run. Times are the least of several rounds, in microseconds, on the CPU.

"beyond" is what Python adds to the C call: to copy() for tw.copy_, to running the plan for run().
"""
import argparse
import time

import numpy as np
import tilewright as tw

try:
    import torch
except ImportError:
    torch = None

PAIRS = {"contiguous": lambda a: a.reshape(-1), "transposed": lambda a: a.reshape(8, 8).T}


def least(call, calls, rounds):
    """Microseconds of one call."""
    out = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        out.append((time.perf_counter() - begin) / calls)
    return 1e6 * min(out)


def rows(name, calls, rounds):
    """(what, microseconds, microseconds beyond the C call or None)"""
    src, dst = PAIRS[name](np.arange(64, dtype=np.float32)), np.zeros(64, np.float32).reshape(PAIRS[name](np.zeros(64)).shape)
    plan = tw.plan(dst, src)
    by_copy, by_plan = (1e6 * min(plan._plan.seconds_without_python(calls, by_plan=p) for _ in range(rounds)) for p in (False, True))
    loop = least(lambda: None, calls, rounds)
    copied, ran = (least(call, calls, rounds) - loop for call in (lambda: tw.copy_(dst, src), plan.run))
    yield "C call: copy()", by_copy, None
    yield "tw.copy_(dst, src)", copied, copied - by_copy
    yield "C call: the plan", by_plan, None
    yield "plan.run()", ran, ran - by_plan
    yield "numpy.copyto(dst, src)", least(lambda: np.copyto(dst, src), calls, rounds) - loop, None
    if torch is not None:
        to, of = torch.from_numpy(dst), torch.from_numpy(src)
        yield "torch: dst.copy_(src)", least(lambda: to.copy_(of), calls, rounds) - loop, None
    assert np.array_equal(dst, src)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    print(f"{'64 floats':12}{'':24}{'us':>9}{'beyond':>9}")
    for name in PAIRS:
        for what, microseconds, beyond in rows(name, given.calls, given.rounds):
            print(f"{name:12}{what:24}{microseconds:9.3f}{'' if beyond is None else f'{beyond:9.3f}'}")


if __name__ == "__main__":
    main()

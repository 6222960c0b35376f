"""NumPy's side of bench/permute: a process that holds a case in arrays of its own and copies when it is told to.

Requests are lines of JSON on standard input, each with one answer on standard output:
  {"op": "load", "element_bytes", "extents", "src_strides", "dst_strides", "src_offset",
   "dst_offset", "src_bytes", "dst_bytes", "poison"}, then the
                               source's bytes -> "ready"; a line that begins with "no" says why it cannot
  {"op": "poison"}          -> "ready", when the destination is overwritten
  {"op": "run", "repeats"}  -> the seconds that many copies took
  {"op": "dump"}            -> the destination's bytes
"""
import json
import mmap
import sys
import time

PAGES = 2 << 20
TYPES = {1: "u1", 2: "u2", 4: "f4", 8: "f8", 16: "c16"}


def aligned_bytes(numpy, count):
    """An array of bytes at a multiple of 2 MiB, in large pages where the system has them, as those of all other parties are."""
    memory = mmap.mmap(-1, count + PAGES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    whole = numpy.frombuffer(memory, dtype="u1")
    start = -whole.ctypes.data % PAGES
    whole[:] = 0
    return whole[start:start + count]


class Job:
    def __init__(self, numpy, request, stream):
        size = request["element_bytes"]
        self.numpy = numpy
        self.poison_byte = request["poison"]
        source = aligned_bytes(numpy, request["src_bytes"])
        self.target = aligned_bytes(numpy, request["dst_bytes"])
        view, filled = memoryview(source), 0
        while filled < len(view):
            filled += stream.readinto(view[filled:])
        self.poison()

        def tensor(raw, offset, strides):
            return numpy.lib.stride_tricks.as_strided(raw.view(TYPES[size])[offset:], request["extents"],
                                                      [stride * size for stride in strides])
        # The axes of the destination's order, slowest first, as dst[...] = src.transpose(...) has them.
        self.src = tensor(source, request["src_offset"], request["src_strides"])
        self.dst = tensor(self.target, request["dst_offset"], request["dst_strides"])
        order = sorted(range(len(request["extents"])), key=lambda axis: -abs(request["dst_strides"][axis]))
        self.src, self.dst = self.src.transpose(order), self.dst.transpose(order)

    def poison(self):
        self.target[:] = self.poison_byte

    def run(self, repeats):
        copyto, src, dst = self.numpy.copyto, self.src, self.dst
        began = time.perf_counter()
        for _ in range(repeats):
            copyto(dst, src)
        return time.perf_counter() - began


def main():
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    try:
        import numpy
    except ImportError as error:
        numpy, complaint = None, error
    job = None
    for line in requests:
        request = json.loads(line)
        if numpy is None:
            requests.read(request["src_bytes"])
            answer = f"no NumPy: {complaint}\n".encode()
        elif request["op"] == "load":
            job = None  # gives its memory back first
            job = Job(numpy, request, requests)
            answer = b"ready\n"
        elif request["op"] == "poison":
            job.poison()
            answer = b"ready\n"
        elif request["op"] == "run":
            answer = f"{job.run(request['repeats'])!r}\n".encode()
        else:
            answer = memoryview(job.target)
        answers.write(answer)
        answers.flush()


if __name__ == "__main__":
    main()

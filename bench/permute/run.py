"""Copies between layouts against memcpy and against other libraries, on the CPU or on a GPU: table, JSON and plot.

Called by run.sh, which builds what this measures; README.md says what is measured and how.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import cases
import families
import report
from plot import draw

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAM = ROOT / "build/release/bench/permute/bench_permute"


def arguments_of(argv):
    parser = argparse.ArgumentParser(prog="./run bench permute", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of the CPU, default all")
    parser.add_argument("--suite", choices=[*cases.SUITES, "all"], default="all")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of --suite families")
    parser.add_argument("--count", type=int, default=100, metavar="K", help="cases that --suite families draws")
    parser.add_argument("--case", default="", metavar="REGEX", help='only cases whose "suite/name type" this finds')
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--tune", action="store_true",
                        help="let the library measure its best few plans before (cuda)")
    parser.add_argument("--check", action="store_true", help="check every element and measure nothing")
    parser.add_argument("--max-bytes", type=int, metavar="N", help="shrink every case to tensors of at most N bytes")
    parser.add_argument("--min-bytes", type=int, metavar="N", help="draw no case of --suite families below N bytes")
    parser.add_argument("--peers", metavar="A,B", help='only these of the other libraries, or "none"')
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the rows here, after each case")
    parser.add_argument("--svg", type=pathlib.Path, metavar="FILE", help="draw the plot here")
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM, help="bench_permute (cpu)")
    parser.add_argument("--library", type=pathlib.Path, help="libtilewright.so (cuda)")
    parser.add_argument("--list", action="store_true", help="print the cases' names and stop")
    arguments = parser.parse_args(argv)
    if arguments.threads < 1:
        parser.error(f"--threads is a number from 1, not {arguments.threads}")
    if arguments.count < 1:
        parser.error(f"--count must be 1 or more, not {arguments.count}")
    if arguments.tune and arguments.device != "cuda":
        parser.error("--tune is for --device cuda")
    try:
        re.compile(arguments.case)
    except re.error as error:
        parser.error(f"--case {arguments.case!r} is no regular expression: {error}")
    for path in filter(None, [arguments.json, arguments.svg]):
        if not path.resolve().parent.is_dir():
            parser.error(f"there is no folder {path.resolve().parent} to write {path.name} in")
    return arguments


# --- The CPU -----------------------------------------------------------------------------------------------------------

def processor():
    try:
        found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return f"{found.group(1) if found else platform.machine()}, {os.cpu_count()} cores"


def python_with_numpy():
    """An interpreter that has NumPy, or None: this one, or the system's, which Debian's python3-numpy belongs to."""
    for candidate in [sys.executable, "/usr/bin/python3"]:
        probe = [candidate, "-c", "import numpy"]
        if os.path.exists(candidate) and subprocess.run(probe, stderr=subprocess.DEVNULL).returncode == 0:
            return candidate
    return None


def rows_of_cpu(arguments, chosen):
    """First what the rows are of, then the rows, as they come."""
    if not arguments.program.exists():
        sys.exit(f"permute: {arguments.program} is not built; run ./run bench permute, or name another with --program.")
    command = [str(arguments.program.resolve()), "--threads", str(arguments.threads)]
    command += [flag for flag in ["--quick", "--check"] if getattr(arguments, flag[2:])]
    if arguments.peers is not None:
        command += ["--peers", arguments.peers]
    numpy = python_with_numpy() if arguments.peers is None or "numpy" in arguments.peers else None
    if numpy:
        command += ["--python", numpy, "--numpy-script", str(HERE / "numpy_child.py")]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([case.to_json() for case in chosen], file)
        file.flush()
        with subprocess.Popen([*command, "--cases", file.name], stdout=subprocess.PIPE, text=True) as program:
            try:
                for line in program.stdout:
                    found = json.loads(line)
                    yield found if "case" in found else {"device": "cpu", "machine": processor(), **found}
            except BaseException:  # interrupted, or closed before the end: the program need not go on
                program.terminate()
                raise
    if program.returncode not in (0, 1):
        raise RuntimeError(f"bench_permute ended with status {program.returncode}.")


# --- Either ------------------------------------------------------------------------------------------------------------

def rows_of(arguments, chosen):
    if arguments.device == "cpu":
        return rows_of_cpu(arguments, chosen)
    import on_gpu  # needs PyTorch, which only a machine with a GPU has
    return on_gpu.rows_of(arguments, chosen)


def main(argv=None):
    arguments = arguments_of(argv)
    chosen = cases.select(arguments.suite, arguments.device, arguments.case, arguments.max_bytes,
                          arguments.seed, arguments.count, arguments.min_bytes)
    if arguments.list or not chosen:
        print("\n".join(case.key for case in chosen) if chosen else f"permute: no case matches {arguments.case!r}.")
        return 0 if chosen else 2
    measured = rows_of(arguments, chosen)
    try:
        about = next(measured)
    except RuntimeError as error:
        sys.exit(f"permute: {error}")
    if arguments.suite == families.SUITE:
        about |= {"seed": arguments.seed, "count": arguments.count}
    about |= {name: value for name, value in (("min_bytes", arguments.min_bytes), ("max_bytes", arguments.max_bytes))
              if value}
    print(f"{about['machine']}; {arguments.threads} threads" if arguments.device == "cpu" else about["machine"])
    print("time and GB/s (read and written) are the library's, medians; share = memcpy's time / its time; "
          "roof = the time in which memcpy moves the sectors that must be touched / its time; "
          "peers: their time / its time")
    peers, rows = about["peers"], []
    print(report.header(peers), flush=True)
    try:
        for row in measured:
            rows.append(row)
            print(report.line(row, peers), flush=True)
            if arguments.json:
                report.write_json(arguments.json, report.document_of(about, rows))
    except KeyboardInterrupt:
        print("interrupted.")
    except RuntimeError as error:
        print(f"permute: {error}")
    document = report.document_of(about, rows)
    report.print_end(document)
    if arguments.svg and any(map(report.is_measured, rows)):
        report.write_beside(arguments.svg, draw(document))
    complete = len(rows) == len(chosen)
    if not complete:
        print(f"only {len(rows)} of {len(chosen)} cases were measured.")
    return 1 if any(row["wrong"] for row in rows) or not complete else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares what the analysis says of accesses to memory with what a GPU's counters say.

usage: measure.py [--report FILE] [--data FILE] [--random N]

Builds accesses.cu and runs it under Nsight Compute (ncu): each launch is one warp that makes one access, and the
counters of the launch must be what include/tilewright/analysis predicted: the sectors of an access to global memory, the
wavefronts and bank conflicts of one to shared memory, ldmatrix and stmatrix among them. FILE of --report gets the tables
in Markdown; FILE of --data gets every access with what was measured, which tests/analysis/agreement_test.cpp compares
with the analysis where there is no GPU. The exit status is 0 when every access agrees, 1 when one does not, 77 where
there is no GPU, nvcc or ncu, or where its counters cannot be read.
"""
import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
sys.path.insert(0, str(HERE.parent))
from program import FLAGS, Program, find_tool  # noqa: E402

SOURCE = HERE / "accesses.cu"
RANDOM = 8
SHARED = {"wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum",
          "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"}
GLOBAL = {"sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum"}
# What is predicted, and the counter that it is compared with. ldmatrix counts as a load, stmatrix as a store.
COUNTERS = {f"{space}_{verb}": {what: name.format(op) for what, name in names.items()}
            for space, names in (("global", GLOBAL), ("shared", SHARED)) for verb, op in (("load", "ld"), ("store", "st"))}
COLUMNS = ["space", "kind", "bytes", "matrices", "transposed", "lanes", "offsets", "sectors", "wavefronts", "conflicts",
           "name"]


class Unavailable(Exception):
    """There is nothing to measure with; the reason."""


class Failed(Exception):
    """A tool failed; what it said."""


def run(command):
    """(exit status, output and errors)"""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.returncode, done.stdout


def build(nvcc, target, scratch):
    program = pathlib.Path(scratch) / "accesses"
    status, text = run([nvcc, *FLAGS, "-O3", f"-gencode=arch=compute_{target},code=sm_{target}", f"-I{ROOT / 'include'}",
                        SOURCE, "-o", program])
    if status != 0:
        raise Failed(f"{SOURCE.name} does not build:\n{text[:3000]}")
    return program


def listed(program, group, random):
    """The accesses of a group, in the order of their launches, with what is predicted of each."""
    status, text = run([program, group, random, "--list"])
    if status != 0:
        raise Failed(f"accesses --list exits with {status}:\n{text[-3000:]}")
    return [json.loads(line) for line in text.splitlines()]


def parsed(text, counters):
    """The counters of each launch, from ncu's table of comma-separated values: a header, a row of units, the launches."""
    rows = list(csv.DictReader(line for line in text.splitlines() if line.startswith('"')))[1:]
    found = []
    for expected, row in enumerate(rows):
        if int(row["ID"]) != expected:
            raise Failed(f"ncu reports launch {row['ID']} where launch {expected} is due.")
        values = {}
        for what, counter in counters.items():
            if not re.fullmatch(r"[\d,]+", row.get(counter) or ""):
                raise Failed(f"ncu gives {row.get(counter)!r} for {counter} of launch {expected}.")
            values[what] = int(row[counter].replace(",", ""))
        found.append(values)
    return found


def profiled(ncu, program, group, random, scratch):
    """What the counters say of each access of a group."""
    log = pathlib.Path(scratch) / f"{group}.csv"
    status, text = run([ncu, "--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw", "--print-units",
                        "base", "--log-file", log, "--metrics", ",".join(COUNTERS[group].values()), program, group, random])
    said = (log.read_text(encoding="utf-8") if log.exists() else "") + text
    if "ERR_NVGPUCTRPERM" in said or "LibraryNotLoaded" in said:
        raise Unavailable("ncu cannot read this GPU's counters")
    if status != 0:
        errors = [line for line in said.splitlines() if "==ERROR==" in line or line.startswith("agreement:")]
        raise Failed(f"ncu exits with {status}: {' '.join(errors)[:3000]}")
    return parsed(log.read_text(encoding="utf-8"), COUNTERS[group])


def joined(accesses, measured):
    """Each access with its counters as "measured". They are as many, or something is wrong."""
    if len(accesses) != len(measured):
        raise Failed(f"{len(accesses)} accesses were launched and {len(measured)} were counted.")
    return [{**access, "measured": values} for access, values in zip(accesses, measured)]


def agrees(access):
    return all(access[what] == value for what, value in access["measured"].items())


def instruction(access):
    """("load, shared memory", "8 bytes")"""
    if access["matrices"]:
        return access["kind"], f"x{access['matrices']}" + (".trans" if access["transposed"] else "")
    return f"{access['kind']}, {access['space']} memory", f"{access['width']} byte" + "s" * (access["width"] > 1)


def numbers(access, values):
    """"2 / 1": wavefronts and conflicts; "4": sectors"""
    return " / ".join(str(values[what]) for what in access["measured"])


def complaint(access):
    kind, form = instruction(access)
    return (f"{kind}, {form}, {access['name']}, lanes {access['active']}: predicted {numbers(access, access)}, measured "
            f"{numbers(access, access['measured'])} ({' / '.join(access['measured'])}); offsets {access['offset']}")


def percentage(part, whole):
    """Rounded down, so that 100 % means all."""
    return f"{1000 * part // whole / 10:g} %"


def summary(results):
    """Lines: agreement by instruction, and the sum."""
    classes = {}
    for access in results:
        classes.setdefault(instruction(access), []).append(access)
    lines = ["| instruction | form | accesses | measured | agree | |", "|---|---|---|---|---|---|"]
    for (kind, form), members in classes.items():
        first = [list(access["measured"].values())[0] for access in members]
        unit = list(members[0]["measured"])[0]
        good = sum(map(agrees, members))
        lines.append(f"| {kind} | {form} | {len(members)} | {min(first)} to {max(first)} {unit} | {good} | "
                     f"{percentage(good, len(members))} |")
    good = sum(map(agrees, results))
    lines.append(f"| all | | {len(results)} | | {good} | {percentage(good, len(results))} |")
    return lines


def by_layout(results):
    """Lines: a table for each instruction, layouts down, forms across, random accesses left to the sum."""
    tables = {}
    for access in results:
        kind, form = instruction(access)
        table = tables.setdefault(kind, ({}, {}, " / ".join(access["measured"])))
        table[0][form] = None
        if not access["name"].startswith("random"):
            cell = numbers(access, access["measured"])
            table[1].setdefault(access["name"], {})[form] = \
                cell if agrees(access) else f"**{cell}**, predicted {numbers(access, access)}"
    lines = []
    for kind, (forms, rows, what) in tables.items():
        lines += ["", f"## {kind[0].upper() + kind[1:]}: {what}", "", "| lanes | " + " | ".join(forms) + " |",
                  "|---|" + "---|" * len(forms)]
        lines += [f"| `{name}` | " + " | ".join(cells.get(form, "") for form in forms) + " |" for name, cells in rows.items()]
    return lines


def data(results):
    """Every access and its counters, tab-separated; "-" for what was not counted. Offsets count in accesses' widths."""
    lines = ["\t".join(COLUMNS)]
    for a in results:
        values = [str(a["measured"].get(what, "-")) for what in ("sectors", "wavefronts", "conflicts")]
        offsets = ",".join(str(at // a["width"]) for at in a["offset"])
        lines.append("\t".join([a["space"], a["kind"], str(a["width"]), str(a["matrices"]), str(int(a["transposed"])),
                                a["active"], offsets, *values, a["name"]]))
    return "\n".join(lines) + "\n"


def write(path, text):
    """Beside it, then renamed into place."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)


def gpu():
    """Name, compute capability as 90, driver."""
    tool = find_tool("nvidia-smi")
    if tool is None:
        raise Unavailable("there is no GPU")
    status, text = run([tool, "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader"])
    parts = [part.strip() for part in text.strip().splitlines()[0].split(",")] if status == 0 and text.strip() else []
    if len(parts) != 3:
        raise Unavailable("there is no GPU")
    return parts[0], int(parts[1].replace(".", "")), parts[2]


def compare(random=RANDOM):
    """All accesses with their counters, lines about the machine, sentences about what is wrong.

    error: Unavailable, Failed
    """
    nvcc, ncu, cuobjdump = find_tool("nvcc"), find_tool("ncu"), find_tool("cuobjdump")
    if nvcc is None or ncu is None:
        raise Unavailable("nvcc or ncu is not installed")
    name, capability, driver = gpu()
    program_text = Program(SOURCE)
    target = program_text.target_on(capability)
    if target is None:
        raise Unavailable(f"{name} has no stmatrix")
    wrong, results = [], []
    with tempfile.TemporaryDirectory() as scratch:
        program = build(nvcc, target, scratch)
        if cuobjdump:  # that each kernel makes one access
            wrong += program_text.sass_complaints(run([cuobjdump, "--dump-sass", program])[1])[0]
        for group in COUNTERS:
            results += joined(listed(program, group, random), profiled(ncu, program, group, random, scratch))
    wrong += [complaint(access) for access in results if not agrees(access)]
    version = re.search(r"Version ([\d.]+)", run([ncu, "--version"])[1])
    nvcc_version = re.search(r", V([\d.]+)", run([nvcc, "--version"])[1])
    machine = [f"* GPU: {name}, compute capability {capability // 10}.{capability % 10}, driver {driver}",
               f"* nvcc {nvcc_version.group(1) if nvcc_version else 'unknown'}, "
               f"Nsight Compute {version.group(1) if version else 'unknown'}",
               f"* date: {datetime.date.today().isoformat()}"]
    return results, machine, wrong


PREFACE = """\
Made by `tests/cuda/agreement/measure.py`; every figure is of one run of it. Each access was made by one warp in a launch
of its own, as the only access of its memory and direction, and counted by the profiler. In the second part, cells are what
was measured: sectors of 32 bytes for global memory, wavefronts / bank conflicts for shared memory. A cell that differs from
the prediction is bold, with the prediction beside it. Lanes are layouts from lane to offset, in units of the access
(rows of 16 bytes for ldmatrix and stmatrix), so that `32:1` is a row, `32:0` one address for all, `32:32` a column.
The sums also count accesses at random offsets with random lanes.
"""


def report(results, machine, wrong):
    outcome = f"{sum(map(agrees, results))} of {len(results)} accesses agree"
    if wrong and all(map(agrees, results)):
        outcome += "; the machine code is not as stated"
    counters = dict.fromkeys(counter for names in COUNTERS.values() for counter in names.values())
    lines = ["# Agreement of the analysis with hardware", "", PREFACE.rstrip(), "", *machine, f"* outcome: {outcome}",
             "* counters: " + ", ".join(f"`{counter}`" for counter in counters), "", "## Sums", "", *summary(results),
             *by_layout(results)]
    if wrong:
        lines += ["", "## What is wrong", ""] + [f"* {sentence}" for sentence in wrong]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="compare the analysis of accesses with a GPU's counters")
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--random", type=int, default=RANDOM, help="random accesses of each instruction")
    arguments = parser.parse_args()
    try:
        results, machine, wrong = compare(arguments.random)
    except Unavailable as reason:
        print(f"skipped: {reason}.")
        return 77
    except Failed as reason:
        print(reason)
        return 1
    text = report(results, machine, wrong)
    print(text)
    if arguments.report:
        write(arguments.report, text)
    if arguments.data:
        write(arguments.data, data(results))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

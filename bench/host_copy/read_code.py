#!/usr/bin/env python3
"""Compiles copies.cpp with each compiler at -O2 and reads the machine code of its functions.

usage: read_code.py [COMPILER...]     default: those of g++ and clang++ that are installed

An access is an instruction with an operand in memory, the stack and constants aside. The copies must load and store
128 bits in each of them, as many loads as stores, and no float (or other) by itself; run_threads.cpp then shows that
these accesses move the whole tile, so each moves 4 floats. Exits with 1 if not. Instructions are counted in the code, not
as executed: a loop counts once.
"""
import collections
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLAGS = ["-std=c++20", "-O2", "-DNDEBUG", f"-I{ROOT / 'include'}"]
HELD = ["copy_16x8", "copy_128x128", "active_16x8"]
BASELINE = "by_hand_16x8"

WIDE = re.compile(r"v?mov(ups|aps|upd|apd|dqu|dqa)\d*$")
NO_ACCESS = re.compile(r"(lea\w*|nop\w*|data16|cs|prefetch\w*)$")
Code = collections.namedtuple("Code", "instructions loads stores other branches")


def functions(listing):
    """name -> [(mnemonic, operands)] of objdump's listing."""
    found, name = {}, None
    for line in listing.splitlines():
        if head := re.match(r"[0-9a-f]+ <(.+)>:$", line):
            name = head.group(1)
            found[name] = []
        elif name and (code := re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*(.*)$", line)):
            found[name].append((code.group(1), code.group(2).split("#")[0].strip()))
    return found


def split(operands):
    """The operands; commas inside of parentheses separate none."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", operands)]


def read(instructions):
    loads = stores = other = branches = count = 0
    for mnemonic, operands in instructions:
        if re.match(r"(nop\w*|data16|cs|xchg)$", mnemonic):
            continue  # padding
        count += 1
        branches += mnemonic.startswith("j") and mnemonic != "jmp"
        parts = split(operands)
        memory = [i for i, part in enumerate(parts) if "(" in part and "%rsp" not in part and "%rip" not in part]
        if not memory or NO_ACCESS.match(mnemonic):
            continue
        if WIDE.match(mnemonic) and any("mm" in part for part in parts):
            loads += memory == [0]
            stores += memory == [1]
        else:
            other += 1
    return Code(count, loads, stores, other, branches)


def compile_and_read(compiler, scratch):
    unit, program = scratch / "copies.o", scratch / "run_threads"
    subprocess.run([compiler, *FLAGS, "-c", str(HERE / "copies.cpp"), "-o", str(unit)], check=True)
    subprocess.run([compiler, *FLAGS, str(HERE / "run_threads.cpp"), str(unit), "-o", str(program)], check=True)
    moves = subprocess.run([str(program)]).returncode == 0
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(unit)], check=True, stdout=subprocess.PIPE,
                             text=True).stdout
    return {name: read(code) for name, code in functions(listing).items()}, moves


def main():
    if platform.machine() not in ("x86_64", "AMD64"):
        print(f"skipped: this reads x86-64 code, not {platform.machine()}'s.")
        return 0
    compilers = sys.argv[1:] or [name for name in ("g++", "clang++") if shutil.which(name)]
    if shutil.which("objdump") is None or not compilers:
        print("host_copy: objdump (binutils) and a compiler are needed.", file=sys.stderr)
        return 1
    wrong = False
    for compiler in compilers:
        version = subprocess.run([compiler, "--version"], stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
        with tempfile.TemporaryDirectory() as scratch:
            codes, moves = compile_and_read(compiler, pathlib.Path(scratch))
        print(f"{version}, {' '.join(FLAGS[1:3])}")
        print("  function       128-bit loads  stores  other accesses  instructions  branches  instructions / by hand")
        all_wide = True
        for name in [*HELD, BASELINE]:
            code = codes[name]
            wide = name == BASELINE or (code.loads == code.stores > 0 and code.other == 0)
            all_wide = all_wide and wide
            ratio = f"{code.instructions / codes[BASELINE].instructions:.2f}" if name.endswith("16x8") else "-"
            print(f"  {name:14} {code.loads:13} {code.stores:7} {code.other:15} {code.instructions:13} {code.branches:9} "
                  f"{ratio:>23}" + ("" if wide else "   not 4 floats an instruction"))
        if all_wide and moves:
            print("  4 floats an access, and every thread moves its share; threads beyond the copy's own move nothing.")
        tests = [f"{codes['copy_16x8'].instructions - codes[name].instructions} more instructions and "
                 f"{codes['copy_16x8'].branches - codes[name].branches} more branches than {what}"
                 for name, what in (("active_16x8", "without their range test"), (BASELINE, "by hand"))]
        print(f"  what such threads cost: {tests[0]}, {tests[1]}.\n")
        wrong = wrong or not (all_wide and moves)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

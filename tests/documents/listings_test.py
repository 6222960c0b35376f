#!/usr/bin/env python3
"""The documents' CUDA listings compile byte for byte as printed, with nvcc, against compat/ in CuTe's place.

001, 002 and 004 are taken from the texts (see golden_test.py for where these are looked for). 004 runs on the host: it
is compiled by g++ as well, with the thrust of CUDA's toolkit, run, and compared with the output that the text prints.
Without TILEWRIGHT_COMPILE_ALL, nvcc leaves 004 to g++. 001 and 002 run where there is a GPU; 002's partition is interleaved, as rule R2 of docs/documents.md says. Skipped
where the texts or nvcc are not at hand.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "compat"))
sys.dont_write_bytecode = True
from cuda_test import ROOT, SKIPPED, compiled, find_nvcc, has_gpu  # noqa: E402
from golden_test import OUTPUTS, find_document, normalised, output_in  # noqa: E402

# document: first line of the listing, how it ends, whether that line belongs to it
LISTINGS = {
    "001": ("#include <cute/tensor.hpp>", "```"),
    "002": ("#include <cute/tensor.hpp>", "Expected Output:"),
    "004": ("#include <cassert>", "The tiled copy operation"),
}
# What rule R2 changes in 002's output.
INTERLEAVED = {"(_2,_2):(_1,_8)": "(_2,_2):(_2,_16)",
               "Thread 0 owns elements: 0 1 8 9": "Thread 0 owns elements: 0 2 16 18"}


def listing_in(document, first, end):
    """The bytes of the text from the first line up to the line that ends the listing."""
    lines = document.read_bytes().split(b"\n")
    begin = lines.index(first.encode())
    length = next(i for i, line in enumerate(lines[begin:]) if line.startswith(end.encode()))
    return b"\n".join(lines[begin:begin + length]) + b"\n"


def expected_output(number, document):
    first, end = next((first, end) for n, first, end, _ in OUTPUTS if n == number)
    lines = output_in(document, first, end)
    return [INTERLEAVED.get(line, line) for line in lines] if number == "002" else lines


def prints(program, number, document):
    """Runs a program and compares its output with the text's; True when they agree."""
    done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    printed = list(normalised(done.stdout.splitlines()))
    difference = list(difflib.unified_diff(expected_output(number, document), printed, document.name, "printed",
                                           lineterm=""))
    print("\n".join(difference) if difference else f"{number}: {program.name} prints what the text prints")
    return done.returncode == 0 and not difference


def toolkit_includes(nvcc):
    """The include options that nvcc itself compiles with, as g++ takes them; without warnings from those headers."""
    done = subprocess.run([nvcc, "--dryrun", "-x", "cu", "-c", os.devnull], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    options = []
    for line in re.findall(r"^#\$ (?:SYSTEM_)?INCLUDES=(.*)$", done.stdout, re.MULTILINE):
        options += [re.sub("^-I", "-isystem", word) for word in shlex.split(line)]
    return options


def host_compiled(source, program, includes):
    """Compiles a host-only listing with g++; returns the compiler's lines, or None when it compiled."""
    command = ["g++", "-std=c++20", f"-I{ROOT / 'include'}", f"-I{ROOT / 'compat'}", *includes, str(source), "-o",
               str(program)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return None if done.returncode == 0 else done.stdout


def finds_thrust(includes):
    probe = subprocess.run(["g++", "-std=c++20", *includes, "-E", "-P", "-x", "c++", "-"], text=True,
                           input="#if __has_include(<thrust/host_vector.h>)\nFOUND\n#endif\n",
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return "FOUND" in probe.stdout


def right_on_the_host(source, scratch, includes, document):
    """Does 004, compiled by g++, print what the text prints?"""
    host_source = source.with_suffix(".cpp")
    host_source.write_bytes(source.read_bytes())
    lines = host_compiled(host_source, scratch / "004_g++", includes)
    if lines is None:
        return prints(scratch / "004_g++", "004", document)
    print(f"004: g++ refuses it:\n{lines}")
    return False


def main():
    nvcc = find_nvcc()
    documents = {number: find_document(number) for number in LISTINGS}
    if nvcc is None or not any(documents.values()):
        print("skipped: the documents or nvcc are not at hand.")
        return SKIPPED
    gpu = has_gpu()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for number, document in documents.items():
            if document is None:
                continue
            source = scratch / f"{number}.cu"
            source.write_bytes(listing_in(document, *LISTINGS[number]))
            includes = toolkit_includes(nvcc) if number == "004" else []
            on_host = number == "004" and finds_thrust(includes)
            if on_host and "TILEWRIGHT_COMPILE_ALL" not in os.environ:
                failed += not right_on_the_host(source, scratch, includes, document)
                continue
            program = scratch / f"{number}_nvcc"
            runs = gpu or number == "004"
            lines = compiled(nvcc, source, program, *([] if runs else ["-cuda"]))  # all but the host's code generation
            print(f"{number}: " + ("compiles with nvcc as printed" if lines is None else f"nvcc refuses it:\n{lines}"))
            failed += lines is not None
            if lines is None and runs:
                failed += not prints(program, number, document)
            if on_host:
                failed += not right_on_the_host(source, scratch, includes, document)
            elif number == "004":
                print(f"{number}: g++ left out: the toolkit's headers have no thrust for it.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

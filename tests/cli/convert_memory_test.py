#!/usr/bin/env python3
"""`tilewright convert --memory` bounds what the process keeps resident: VmHWM, the most that the system ever saw, with files
several times the bound, for each way to verify. Needs no NumPy."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from sanitized import is_sanitized

CLI = os.environ.get("TILEWRIGHT_CLI", "build/dev/apps/cli/tilewright")
ROWS, COLUMNS = 4000, 4000  # of 4 bytes: 64 MB, and as many again for the output
failures = []


def write_input(path):
    text = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({ROWS}, {COLUMNS}), }}".encode()
    text += b" " * (64 - (10 + len(text) + 1) % 64) + b"\n"
    row = bytes(range(256)) * (COLUMNS * 4 // 256 + 2)
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text)
        for i in range(ROWS):
            file.write(row[i % 251:i % 251 + COLUMNS * 4])


def resident_peak(words):
    """VmHWM in MB, asked until the command ends: rusage would count this process, of which the command begins as a copy."""
    with tempfile.TemporaryFile() as said:
        run = subprocess.Popen(words, stdout=said, stderr=said)
        peak = 0
        while run.poll() is None:
            try:
                status = pathlib.Path(f"/proc/{run.pid}/status").read_text()
                name = pathlib.Path(f"/proc/{run.pid}/comm").read_text().strip()
            except OSError:
                continue
            found = re.search(r"VmHWM:\s+(\d+) kB", status)
            if found and name == pathlib.Path(CLI).name[:15]:
                peak = max(peak, int(found.group(1)) / 1024)
            time.sleep(0.002)
        said.seek(0)
        return peak, run.returncode, said.read().decode()


def smallest(source, target):
    _, _, text = resident_peak([CLI, "convert", str(source), str(target), "--memory", "0"])
    return int(re.search(r"the smallest that works here is (\d+)M", text).group(1))


def main():
    if is_sanitized(CLI):
        print("skipped: a sanitizer keeps memory of its own.")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "in.npy", pathlib.Path(folder) / "out.npy"
        write_input(source)
        least = smallest(source, target)
        cases = [(least + 1, options) for options in
                 [["--permute", "1,0"], ["--permute", "1,0", "--verify"], ["--to", f"({ROWS},{COLUMNS}):(-{COLUMNS},1)"],
                  ["--to", f"({ROWS},{COLUMNS}):({COLUMNS + 96},1)"]]]
        cases.append((least + 16, ["--permute", "1,0", "--byte-order", "big"]))
        for memory, options in cases[::1 if "TILEWRIGHT_TEST_ALL" in os.environ else 2]:
            words = [CLI, "convert", str(source), str(target), "--memory", f"{memory}M", *options, "--force"]
            peak, status, text = resident_peak(words)
            if status != 0 or not 5 < peak <= memory:
                failures.append(words)
                print(f"wrong: --memory {memory}M {options}: {peak:.1f} MB were resident, status {status}, {text}")
            elif os.environ.get("TILEWRIGHT_SHOW"):
                print(f"--memory {memory}M {' '.join(options)}: {peak:.1f} MB")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""`tilewright convert` when things go wrong half-way: a full disk, a limit on file sizes, a kill at any moment, an input
that is cut off while it is read. The output is then absent or what it was before, or else complete; nothing else is
left behind. Needs no NumPy."""
import array
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

CLI = os.environ.get("TILEWRIGHT_CLI", "build/dev/apps/cli/tilewright")
ROWS, COLUMNS = 1024, 1536  # of 4 bytes: 6 MB
KILLS = 12
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print(f"wrong: {what}")


def npy(shape, data):
    text = f"{{'descr': '<u4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (64 - (10 + len(text) + 1) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


def elements_of(file):
    return file[10 + int.from_bytes(file[8:10], "little"):]


def transposed():
    return b"".join(array.array("I", range(j, ROWS * COLUMNS, COLUMNS)).tobytes() for j in range(COLUMNS))


INPUT = npy((ROWS, COLUMNS), array.array("I", range(ROWS * COLUMNS)).tobytes())
WANTED = transposed()
OLD = b"what was there before"


class Case:
    """A folder with an input, and perhaps an old output."""

    def __init__(self, folder, with_old=False):
        self.folder = pathlib.Path(folder)
        self.source, self.target = self.folder / "in.npy", self.folder / "out.npy"
        self.with_old = with_old
        self.source.write_bytes(INPUT)
        if with_old:
            self.target.write_bytes(OLD)

    def command(self, *options):
        force = ["--force"] if self.with_old else []
        return [CLI, "convert", str(self.source), str(self.target), "--permute", "1,0", *force, *options]

    def state(self):
        """'absent', 'old', 'complete', or what is wrong."""
        if not self.target.exists():
            return "absent"
        file = self.target.read_bytes()
        if file == OLD:
            return "old"
        return "complete" if elements_of(file) == WANTED else f"half-written: {len(file)} bytes"

    def before(self):
        return "old" if self.with_old else "absent"

    def strangers(self):
        return sorted(p.name for p in self.folder.iterdir() if p.name not in ("in.npy", "out.npy"))

    def expect_untouched(self, what):
        expect(self.state() == self.before(), f"{what}: the output is {self.state()}, not {self.before()}")
        expect(self.strangers() == [], f"{what}: left {self.strangers()} behind")



def expect_refusal(case, done, *words):
    one_sentence = done.returncode == 2 and done.stderr.count("\n") == 1 and done.stderr.startswith("tilewright: '")
    expect(one_sentence and all(word in done.stderr for word in words),
           f"status {done.returncode}, {done.stderr!r}; wanted {words}")
    case.expect_untouched(done.stderr.strip())


def check_limit_on_file_sizes(with_old):
    with tempfile.TemporaryDirectory() as folder:
        case = Case(folder, with_old)

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

        done = subprocess.run(case.command(), capture_output=True, text=True, preexec_fn=limit)
        expect_refusal(case, done, "File too large")


def check_full_disk(with_old):
    """A file system of 8 MB: room for the input and not for the output."""
    with tempfile.TemporaryDirectory() as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], capture_output=True, text=True)
        if mounted.returncode != 0:
            print(f"left out: a full disk, since no tmpfs can be mounted here ({mounted.stderr.strip()})")
            return
        try:
            case = Case(folder, with_old)
            done = subprocess.run(case.command(), capture_output=True, text=True)
            room = os.statvfs(folder)
            # The figures are true: what is needed, and what is free with nothing reserved.
            expect_refusal(case, done, f"needs 6.3 MB ({len(INPUT)} bytes)",
                           f"({room.f_bfree * room.f_frsize} bytes) free; make room or write elsewhere")
        finally:
            subprocess.run(["umount", folder], check=True)


def start(case, *options):
    return subprocess.Popen(case.command(*options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def seconds_of_a_run():
    with tempfile.TemporaryDirectory() as folder:
        case = Case(folder)
        begin = time.monotonic()
        done = start(case, "--verify")
        out, err = done.communicate()
        expect(done.returncode == 0 and err == "" and "every element compared" in out, f"a plain run: {out!r} {err!r}")
        expect(case.state() == "complete", f"a plain run: {case.state()}")
        return time.monotonic() - begin


def check_kills(number, longest, with_old):
    for _ in range(KILLS):
        with tempfile.TemporaryDirectory() as folder:
            case = Case(folder, with_old)
            running = start(case, "--verify")
            time.sleep(random.uniform(0, longest))
            running.send_signal(number)
            _, err = running.communicate()
            state = case.state()
            what = f"{signal.Signals(number).name}, status {running.returncode}"
            expect(state in (case.before(), "complete"), f"{what}: the output is {state}")
            expect(running.returncode in (0, -number), f"{what}: {err!r}")
            if number == signal.SIGKILL:
                # Between getting its hidden name and its own a file is complete; nobody is left to remove it.
                expect(all(name.endswith(".part") for name in case.strangers()), f"{what}: left {case.strangers()}")
                expect(with_old or case.strangers() == [], f"{what}: left {case.strangers()}")
            else:
                expect(case.strangers() == [], f"{what}: left {case.strangers()}")


def check_cut_input(with_old):
    """The input loses its second half while it is read: stopped as soon as it is open, cut, continued."""
    refused = 0
    for _ in range(6):
        with tempfile.TemporaryDirectory() as folder:
            case = Case(folder, with_old)
            running = start(case)
            files = pathlib.Path(f"/proc/{running.pid}/fd")
            while running.poll() is None:
                try:
                    is_open = str(case.source) in [os.readlink(file) for file in files.iterdir()]
                except OSError:
                    is_open = False
                if is_open:
                    running.send_signal(signal.SIGSTOP)
                    os.truncate(case.source, len(INPUT) // 2)
                    running.send_signal(signal.SIGCONT)
                    break
            _, err = running.communicate()
            what = f"a cut input, status {running.returncode}, {err!r}"
            if running.returncode == 0:
                expect(case.state() == "complete", f"{what}: the output is {case.state()}")
                continue
            refused += 1
            expect(running.returncode == 2 and err.count("\n") == 1 and "in.npy'" in err, what)
            case.expect_untouched(what)
    print(f"a cut input was noticed in {refused} of 6 runs")


def check_changed_links():
    """IN and OUT under different names of one file."""
    with tempfile.TemporaryDirectory() as folder:
        case = Case(folder)
        for name, link in [("hard", os.link), ("soft", os.symlink)]:
            other = case.folder / name
            link(case.source, other)
            for options in [[], ["--force"]]:
                done = subprocess.run([CLI, "convert", str(case.source), str(other), *options], capture_output=True, text=True)
                expect(done.returncode == 2 and "are the same file" in done.stderr, f"{name}: {done.stderr!r}")
            os.unlink(other)
        expect(case.source.read_bytes() == INPUT, "the input changed")


def main():
    random.seed(4)
    for with_old in (False, True):
        check_limit_on_file_sizes(with_old)
        check_full_disk(with_old)
        check_cut_input(with_old)
    check_changed_links()
    longest = 1.2 * seconds_of_a_run()
    for with_old in (False, True):
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            check_kills(number, longest, with_old)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

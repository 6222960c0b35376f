"""What a CUDA program says of itself in the comments that open it, for the scripts that build and run such programs.

    // archs: 80 90     architectures to compile it for; it runs on those from the first on, and with an "a" (90a), which
                        admits that architecture's own instructions, on that one alone
    // sanitizer: TOOL …
                        compute-sanitizer's tools to run it under, all of them where this line is missing; "no": it
                        provokes errors, which they would report
    // sass: KERNEL PATTERN=COUNT …
                        in machine code, the instructions of the kernel named so that match \\bPATTERN are so many
    // length: KERNEL OTHER N
                        KERNEL has at most N instructions more than OTHER; both have a line "sass:"
"""
import os
import pathlib
import re
import shutil

SANITIZERS = ["memcheck", "racecheck", "initcheck", "synccheck"]
FLAGS = ["-std=c++20", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra"]


class Program:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.stem
        self.archs, self.sanitizers, self.sass, self.lengths = ["80"], SANITIZERS, [], []
        for line in self.path.read_text(encoding="utf-8").splitlines():
            if not line.startswith("//"):
                break
            key, _, value = line[2:].strip().partition(": ")
            if key == "archs":
                self.archs = value.split()
            elif key == "sanitizer":
                self.sanitizers = [] if value == "no" else value.split()
                if not set(self.sanitizers) <= set(SANITIZERS):
                    raise ValueError(f"{self.path}: \"{line}\" names a tool that is none of {', '.join(SANITIZERS)}")
            elif key == "sass":
                kernel, *counts = value.split()
                self.sass.append((kernel, [count.rsplit("=", 1) for count in counts]))
            elif key == "length":
                kernel, other, more = value.split()
                self.lengths.append((kernel, other, int(more)))

    def target_on(self, capability):
        """What to compile it for, to run on a GPU of compute capability 90 (9.0): "90", "90a", or None if it cannot run."""
        own = f"{capability}a"
        if own in self.archs:
            return own
        first = self.archs[0]
        return str(capability) if first.isdigit() and int(first) <= capability else None

    def sass_complaints(self, listing):
        """Sentences about kernels of a `cuobjdump --dump-sass` listing whose instructions are not as stated, and notes."""
        wrong, notes, length = [], [], {}
        kernels = re.split(r"^\s*Function : ", listing, flags=re.MULTILINE)[1:]
        for name, counts in self.sass:
            found = [body for body in kernels if name in body.split("\n", 1)[0]]
            if not found:
                wrong.append(f"{self.name}: there is no kernel {name} in the machine code.")
            for body in found:
                code = re.findall(r"^\s*/\*[0-9a-f]{4,}\*/\s+(.*?);", body, flags=re.MULTILINE)
                code = [line for line in code if not line.startswith("NOP")]
                length[name] = len(code)
                for pattern, count in counts:
                    seen = sum(bool(re.search(r"\b" + pattern, line)) for line in code)
                    if seen != int(count):
                        wrong.append(f"{self.name}: kernel {name} has {seen} instructions like {pattern} instead of {count}.")
                notes.append(f"{name}: {len(code)} instructions, " +
                             ", ".join(f"`{pattern}` × {count}" for pattern, count in counts))
        for name, other, more in self.lengths:
            if name in length and other in length and length[name] > length[other] + more:
                wrong.append(f"{self.name}: kernel {name} has {length[name]} instructions, more than {more} beyond the "
                             f"{length[other]} of {other}.")
        return wrong, notes


def find_tool(name):
    found = shutil.which(name)
    if found is None and os.access(f"/usr/local/cuda/bin/{name}", os.X_OK):
        found = f"/usr/local/cuda/bin/{name}"
    return found

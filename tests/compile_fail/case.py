"""A compile-fail file: its header comments, its two bodies, and what a compiler says of it.

    // name: a tiler that does not divide
    // error: composition: an extent of the right-hand layout is not a multiple of …
    // meaning: one or more sentences; a comment line without a key
    //   continues the entry above it.
    // remedy: what to do.
    #include "tilewright/…"
    #ifdef TILEWRIGHT_FIXED
    … the corrected code …
    #else
    … the code that fails …
    #endif

`error` is one sentence, or the part of it that matters, and must appear in the message of a static_assert. Optional:
`// anchor: word`, the section of docs/errors.md, where it is not the one that the message names; `// within: a kernel`,
where the line that fails is in a function that the library calls.
"""
import os
import pathlib
import re
import shutil
import subprocess

REQUIRED = ("name", "error", "meaning", "remedy")
KEYS = REQUIRED + ("anchor", "within")

# g++ (and clang++ from 16 on) end the line with the bare sentence, older clang++ with a string literal.
STATIC_ASSERT = re.compile(
    r"error: (?:static assertion failed|static_assert failed)(?: due to requirement '.*?'(?=:|$| \"))?:?(?P<rest>.*)$")
ERROR = re.compile(r"^(?P<where>[^\n]*?)(?:fatal )?error: (?P<what>.*)$")


class MalformedCase(Exception):
    """The file's comments are not those of a compile-fail file."""


class Case:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        lines = self.path.read_text(encoding="utf-8").splitlines()
        self.entries = {}
        key = None
        body_at = 0
        for body_at, line in enumerate(lines):
            if not line.startswith("//"):
                break
            text = line[2:].strip()
            match = re.match(r"(\w+):\s*(.*)$", text)
            if match and match.group(1) in KEYS:
                key = match.group(1)
                self.entries[key] = match.group(2)
            elif key is not None:
                self.entries[key] = (self.entries[key] + " " + text).strip()
        for required in REQUIRED:
            if not self.entries.get(required):
                raise MalformedCase(f"{self.path}: the comments at the top lack '// {required}: …'.")
        self.before, self.fixed, self.failing, self.after = self._split(lines[body_at:])

    def _split(self, lines):
        """The lines before the switch, the corrected ones, the failing ones and the lines after the switch."""
        before, fixed, failing, after = [], [], [], []
        target, depth, seen = before, 0, False
        for line in lines:
            word = line.strip().split(" ")[0] if line.strip().startswith("#") else ""
            if depth == 0 and re.match(r"\s*#\s*if(def)?\b.*\bTILEWRIGHT_FIXED\b", line):
                target, depth, seen = fixed, 1, True
                continue
            if depth > 0:
                if word.startswith("#if"):
                    depth += 1
                elif word == "#endif":
                    depth -= 1
                    if depth == 0:
                        target = after
                        continue
                elif word == "#else" and depth == 1:
                    target = failing
                    continue
            target.append(line)
        if not seen:
            raise MalformedCase(f"{self.path}: there is no '#ifdef TILEWRIGHT_FIXED' with the corrected code.")
        return before, fixed, failing, after

    def common_lines(self):
        """What both bodies need before them, but for includes and using-directives."""
        return [line for line in self.before if not re.match(r"\s*(#\s*include|using namespace)\b", line)]

    def is_switched_inside(self):
        """Does the switch stand within a function, so that a body is nothing without the lines around it?"""
        return any(line.strip() for line in self.after)

    def whole(self, body):
        """A body with the lines around it."""
        return self.common_lines() + body + self.after

    @property
    def name(self):
        return self.entries["name"]

    @property
    def error(self):
        return self.entries["error"]


def sentence_of(rest):
    """The sentence as written, from what follows "static assertion failed" in a compiler's line."""
    text = rest.strip()
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    text = re.sub(rb"\\([0-7]{3})", lambda octal: bytes([int(octal.group(1), 8)]), text[1:-1].encode())
    return text.decode(errors="replace").replace('\\"', '"')


class Outcome:
    """What one compiler said: whether it accepted the file, its failed static_asserts, its other errors."""

    def __init__(self, accepted, output):
        self.accepted = accepted
        self.output = output
        self.sentences = []
        self.other_errors = []
        for line in output.splitlines():
            match = ERROR.match(line)
            if not match:
                continue
            sentence = STATIC_ASSERT.search(line)
            if sentence is None:
                self.other_errors.append(line)
            else:
                text = sentence_of(sentence.group("rest"))
                if text not in self.sentences:
                    self.sentences.append(text)

    @property
    def lines(self):
        return len(self.output.splitlines())


def compile_case(compiler, path, include_dir, fixed=False):
    command = [compiler, "-std=c++20", "-fsyntax-only", "-fdiagnostics-color=never", "-fmessage-length=0",
               f"-I{include_dir}"]
    if fixed:
        command.append("-DTILEWRIGHT_FIXED")
    done = subprocess.run([*command, str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace", env=os.environ | {"LC_ALL": "C.UTF-8"})
    return Outcome(done.returncode == 0, done.stdout)


def cases_in(folder):
    return [Case(path) for path in sorted(pathlib.Path(folder).glob("*.cpp"))]


def installed(compilers):
    return [compiler for compiler in compilers if shutil.which(compiler)]

"""The code in README.md and docs/: finds it, and makes a program of it.

A page's fenced blocks mean
  ```cpp      compiled and run. A block with `int main()` is a whole program; any other is the body of a function that sees
              the library, launch, <cassert> and the usual headers. Its #include lines are hoisted.
              README.md, the tutorial and the how-to pages have whole programs alone (verbatim_test.py).
              After `<!-- continues -->` on the line before: continues the scope of the cpp block before it.
              After `<!-- does not compile -->`: a function body that a static_assert refuses (refusals_test.py).
  ```text     after `<!-- prints -->` on the line before: what the last cpp block prints, apart from trailing blanks;
              after `<!-- says -->`: a part of the sentence with which the last block is refused.
  ```console  `$ ./run tilewright …` lines and what the command prints to standard output or standard error.
  any block   after `<!-- file NAME -->` or `<!-- runs … -->`: a file or a script in a scratch folder (run_scripts.py).
Any other block is text.
"""
import pathlib
import re
import shlex

# Generated or written elsewhere: docs/errors.md has tests of its own.
NOT_READ = {"docs/errors.md"}
FENCE = re.compile(r"^```(\w*)\s*$")
PRINTS = "<!-- prints -->"
SAYS = "<!-- says -->"
CONTINUES = "<!-- continues -->"
REFUSED = "<!-- does not compile -->"
MAIN = re.compile(r"int main\(")
OF_SCRIPTS = re.compile(r"<!-- (file|runs)\b")


class Snippet:
    """Code of a page. `earlier` are the blocks whose scope it continues, the first one first."""

    def __init__(self, page, line, code, earlier=()):
        self.page, self.line, self.code, self.expected, self.earlier = page, line, code, None, list(earlier)

    @property
    def is_program(self):
        return any(MAIN.match(line) for line in self.code)

    @property
    def place(self):
        return f"{self.page}:{self.line}"


class Command:
    def __init__(self, page, line, words):
        self.place, self.words, self.expected = f"{page}:{line}", words, []


def pages(root):
    found = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [page for page in found if page.relative_to(root).as_posix() not in NOT_READ]


def blocks(page):
    """(language, line number of the first line, lines, the line before the fence)"""
    language, begin, lines, before = None, 0, [], ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = FENCE.match(line)
        if language is None and fence:
            language, begin, lines = fence.group(1), number + 1, []
        elif language is not None and line.startswith("```"):
            yield language, begin, lines, before
            language = None
        elif language is not None:
            lines.append(line)
        if language is None and line.strip():
            before = line.strip()


def read(root):
    """All snippets and commands of all pages."""
    snippets, commands = [], []
    for page in pages(root):
        name = page.relative_to(root).as_posix()
        last, speaker = None, None  # the cpp block to continue; the one whose output comes next, if it is checked here
        for language, number, lines, before in blocks(page):
            if OF_SCRIPTS.match(before) or before == REFUSED:
                speaker = None
            elif language == "cpp":
                earlier = []
                if before == CONTINUES:
                    if last is None:
                        raise SystemExit(f"{name}:{number}: no cpp block comes before this one that it could continue")
                    earlier = [*last.earlier, last]
                last = speaker = Snippet(name, number, lines, earlier)
                snippets.append(last)
            elif language == "text" and before == PRINTS:
                if speaker is not None:
                    speaker.expected = lines
                elif not any(OF_SCRIPTS.match(b) for _, _, _, b in blocks(page)):
                    raise SystemExit(f"{name}:{number}: no cpp block comes before this output")
            elif language == "console":
                for offset, line in enumerate(lines):
                    if line.startswith("$ ./run tilewright "):
                        commands.append(Command(name, number + offset, shlex.split(line[2:])[2:]))
                    elif line.startswith("$ "):
                        raise SystemExit(f"{name}:{number + offset}: only ./run tilewright is run in console blocks")
                    elif commands:
                        commands[-1].expected.append(line)
    return snippets, commands


def hoisted(snippet, includes, system):
    """A snippet's code without its #include lines, which go to the two lists."""
    code = []
    for line in snippet.code:
        include = re.match(r'\s*#include\s*[<"](.+)[>"]', line)
        if include:
            (includes if "/" in include[1] else system).append(include[1])
        code.append("" if include else line)
    return "\n".join(code)


def translation_unit(numbered):
    """C++ source with one function snippet_N::run() for each (N, snippet)."""
    includes = ["tilewright/exec/launch_checked.hpp", "tilewright/tilewright.hpp"]
    system = ["cassert", "cstdio", "numeric", "string", "vector"]
    bodies = []
    for number, snippet in numbered:
        earlier = "".join(f'#line {s.line} "{s.page}"\n{hoisted(s, includes, system)}\n' for s in snippet.earlier)
        if earlier:
            earlier += 'std::printf("\\x03");\n'  # what is printed up to here belongs to the earlier blocks
        text = hoisted(snippet, includes, system)
        if snippet.is_program:
            text = text.rstrip().removesuffix("}") + "return 0;\n}"
        text = re.sub(r"^int main\(\)", "int run()", text, flags=re.MULTILINE)
        head = "" if snippet.is_program else "int run() {\n"
        tail = "" if snippet.is_program else "\nreturn 0;\n}"
        bodies.append(f"namespace snippet_{number} {{\nusing namespace tilewright;\n{head}{earlier}"
                      f'#line {snippet.line} "{snippet.page}"\n{text}{tail}\nint run();\n}}\n')
    head = "#undef NDEBUG\n" + "".join(f'#include "{i}"\n' for i in sorted(set(includes)))
    return head + "".join(f"#include <{i}>\n" for i in sorted(set(system))) + "\n" + "\n".join(bodies)


def main_unit(snippets):
    """Runs every snippet; a line of \\x01 and its number introduces what it prints, \\x03 ends what is not its own."""
    declared = "".join(f"namespace snippet_{n} {{ int run(); }}\n" for n in range(len(snippets)))
    calls = "".join(f"  run({n}, snippet_{n}::run);\n" for n in range(len(snippets)))
    return ('#include <cstdio>\n#include <exception>\n' + declared + """
static void run(int number, int (*snippet)()) {
  std::printf("\\x01%d\\n", number);
  try {
    if (int const status = snippet(); status != 0) std::printf("\\x02status %d\\n", status);
  } catch (std::exception const& e) {
    std::printf("\\x02%s\\n", e.what());
  }
  std::fflush(stdout);
}

int main() {
""" + calls + "}\n")


def write(root, folder, units):
    """snippets_0.cpp … and snippets_main.cpp, in the given number of translation units besides main."""
    snippets, _ = read(root)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    numbered = list(enumerate(snippets))
    for unit in range(units):
        begin, end = len(numbered) * unit // units, len(numbered) * (unit + 1) // units
        (folder / f"snippets_{unit}.cpp").write_text(translation_unit(numbered[begin:end]), encoding="utf-8")
    (folder / "snippets_main.cpp").write_text(main_unit(snippets), encoding="utf-8")

#!/usr/bin/env python3
"""Runs the program made of the pages' code, and the pages' commands, and compares what they print with the pages; and
looks whether the pages' links lead anywhere.

usage: check_snippets.py ROOT PROGRAM [COMMAND]
"""
import difflib
import pathlib
import re
import subprocess
import sys

import snippets


def lines_of(text):
    names = {}
    named = re.sub(r"0x[0-9a-fA-F]+", lambda a: names.setdefault(a[0], f"0x#{len(names) + 1}"), text)
    return [line.rstrip() for line in named.strip("\n").splitlines()]


def difference(expected, printed):
    return list(difflib.unified_diff(lines_of("\n".join(expected)), lines_of(printed), "on the page", "printed",
                                     lineterm=""))


def check_program(found, program):
    done = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    outputs = {int(number): text.rpartition("\x03")[2] for number, _, text in
               (part.partition("\n") for part in done.stdout.split("\x01")[1:])}
    failed = 0
    for number, snippet in enumerate(found):
        text = outputs.get(number)
        complaint = ""
        if text is None:
            complaint = "did not run"
        elif "\x02" in text:
            complaint = "failed: " + text.partition("\x02")[2].strip()
        elif snippet.expected is not None:
            complaint = "\n".join(difference(snippet.expected, text))
        if complaint:
            print(f"{snippet.place}: {complaint}")
            failed += 1
    if done.returncode != 0:
        print(f"the program ended with status {done.returncode} in the snippet of "
              f"{found[max(outputs, default=0)].place}\n{done.stderr}")
    return failed + (done.returncode != 0)


def check_commands(found, command):
    failed = 0
    for wanted in found:
        done = subprocess.run([command, *wanted.words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8")
        complaint = "\n".join(difference(wanted.expected, done.stdout))
        if complaint:
            print(f"{wanted.place}: {complaint}")
            failed += 1
    return failed


def anchors_of(page):
    """The anchors of a page's headings, as web views of Markdown name them."""
    headings = re.findall(r"^#+ +(.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(root):
    failed = 0
    for page in snippets.pages(root):
        prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", prose):
            if "://" in link:
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (anchor and anchor not in anchors_of(target)):
                print(f"{page.relative_to(root)}: the link {link} leads nowhere")
                failed += 1
    return failed


def main(root, program, command=None):
    code, commands = snippets.read(pathlib.Path(root))
    failed = check_program(code, program) + check_links(pathlib.Path(root))
    if command:
        failed += check_commands(commands, command)
    print(f"{len(code)} snippets, {len(commands)} commands{'' if command else ' (not run)'}, {failed} of them wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))

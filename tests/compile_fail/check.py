#!/usr/bin/env python3
"""Checks that every file of a folder fails to compile, for the reason it gives, with one sentence.

usage: check.py FOLDER INCLUDE_DIR [--jobs N] [--verbose] [--only NAME] [--save FILE]

For each FOLDER/*.cpp (case.py says what it looks like), with g++ and with clang++ (every second, or every eighth without TILEWRIGHT_COMPILE_ALL):
  * it must not compile, and exactly one distinct static_assert sentence must be reported, which holds the file's
    `error:` words; no other error may follow, for a reader wants one sentence and no cascade;
  * what the compiler prints, with its default options, has at most LINE_LIMIT lines: the includes, the user's line and the
    sentence. A file whose error is inside of a kernel that is passed on (`// within: a kernel`) may have a frame more;
  * with -DTILEWRIGHT_FIXED (g++ only) it must compile, so that it failed for the reason it gives.
With --save, what g++ prints for each file is written for tools/make_errors_page --sentences.
The exit status is 0 when all files behave, 1 when one does not, 77 when there is nothing to check or no compiler.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from case import MalformedCase, cases_in, compile_case, installed  # noqa: E402

SKIPPED = 77
LINE_LIMIT = 15
LINES_OF_A_FRAME = 3  # of clang++: what is instantiated, the line that asks for it, and a caret


def line_limit(case):
    return LINE_LIMIT + (LINES_OF_A_FRAME if "within" in case.entries else 0)


def complaints(case, compiler, outcome, limit):
    """What is wrong with the failing mode, a sentence each."""
    where = f"{case.path.name} ({compiler})"
    if outcome.accepted:
        return [f"{where}: compiles, but should fail with '{case.error}'."]
    wrong = []
    if not outcome.sentences:
        wrong.append(f"{where}: fails without a static_assert sentence.")
    elif len(outcome.sentences) > 1:
        listed = "".join(f"\n    {sentence}" for sentence in outcome.sentences)
        wrong.append(f"{where}: prints {len(outcome.sentences)} sentences instead of one:{listed}")
    if outcome.sentences and not any(case.error in sentence for sentence in outcome.sentences):
        wrong.append(f"{where}: the sentence is\n    {outcome.sentences[0]}\n  and should hold\n    {case.error}")
    if outcome.other_errors:
        listed = "".join(f"\n    {line}" for line in outcome.other_errors[:5])
        wrong.append(f"{where}: {len(outcome.other_errors)} further errors follow the sentence, the first of them:{listed}")
    if outcome.lines > limit:
        wrong.append(f"{where}: {outcome.lines} lines of diagnostics, more than {limit}.")
    return wrong


def parsed_arguments():
    parser = argparse.ArgumentParser(description="check that files fail to compile with the sentence they name")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("include_dir", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="check the file of this name alone (without .cpp)")
    parser.add_argument("--save", type=pathlib.Path, help="write the sentences that g++ prints to this file")
    parser.add_argument("--verbose", action="store_true", help="print the lines of diagnostics for each file")
    return parser.parse_args()


def main():
    arguments = parsed_arguments()
    try:
        cases = cases_in(arguments.folder)
    except MalformedCase as problem:
        print(problem)
        return 1
    if arguments.only:
        cases = [case for case in cases if case.path.stem == arguments.only]
    compilers = installed(["g++", "clang++"])
    if not cases:
        print(f"nothing to check: there is no such compile-fail file in {arguments.folder}.")
        return SKIPPED
    if not compilers:
        print("skipped: neither g++ nor clang++ is installed.")
        return SKIPPED

    if arguments.save:
        arguments.save.unlink(missing_ok=True)
    wrong, sentences = [], {}
    counts = {compiler: [] for compiler in compilers}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        def start(case, compiler, fixed):
            return pool.submit(compile_case, compiler, case.path, arguments.include_dir, fixed)
        # A second compiler and the test of the tests: every second file with TILEWRIGHT_COMPILE_ALL, every eighth without.
        step = 1 if arguments.only else 2 if "TILEWRIGHT_COMPILE_ALL" in os.environ else 8
        failing = {(case, compiler): start(case, compiler, False) for compiler in compilers
                   for case in cases[::1 if compiler == compilers[0] else step]}
        fixed = {case: start(case, compilers[0], True) for case in cases[::step]}
        for (case, compiler), job in failing.items():
            outcome = job.result()
            counts[compiler].append((outcome.lines, case.path.name))
            if compiler == "g++":
                sentences[case.path.name] = outcome.sentences
            wrong += complaints(case, compiler, outcome, line_limit(case))
        for case, job in fixed.items():
            outcome = job.result()
            if not outcome.accepted:
                wrong.append(f"{case.path.name} ({compilers[0]}): the corrected code does not compile either:\n{outcome.output}")

    if arguments.save and sentences:
        arguments.save.write_text(json.dumps(sentences), encoding="utf-8")
    for sentence in wrong:
        print(sentence)
    for compiler in compilers:
        total = sum(lines for lines, _ in counts[compiler])
        most, name = max(counts[compiler])
        print(f"{compiler}: {total / len(counts[compiler]):.1f} lines of diagnostics a file, at most {most} ({name}).")
        if arguments.verbose:
            for lines, file in sorted(counts[compiler], reverse=True):
                print(f"  {lines:4} {file}")
    print(f"{len(cases)} files, {len(wrong)} complaints.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

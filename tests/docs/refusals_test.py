#!/usr/bin/env python3
"""Compiles the blocks of the pages that must not compile (whole programs as they are), and looks for the sentence that the
page shows.

Skipped (exit status 77) where there is neither g++ nor clang++.
"""
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/compile_fail"))

import case  # noqa: E402  (found through the line above)
import snippets  # noqa: E402

SKIPPED = 77


def refused_blocks(root):
    """(place, snippet, words of the sentence) of every block that must not compile."""
    for page in snippets.pages(root):
        name = page.relative_to(root).as_posix()
        waiting = None
        for language, number, lines, before in snippets.blocks(page):
            if before == snippets.REFUSED:
                waiting = snippets.Snippet(name, number, lines)
            elif before == snippets.SAYS:
                if waiting is None:
                    raise SystemExit(f"{name}:{number}: no block that does not compile comes before this sentence")
                yield waiting, " ".join(lines).strip()
                waiting = None
        if waiting is not None:
            raise SystemExit(f"{waiting.place}: the page does not say with which sentence this is refused")


def complaint_of(snippet, words, compiler, folder):
    path = folder / "refused.cpp"
    whole = "\n".join(snippet.code) + "\n"
    path.write_text(whole if snippet.is_program else snippets.translation_unit([(0, snippet)]), encoding="utf-8")
    outcome = case.compile_case(compiler, path, ROOT / "include")
    if outcome.accepted:
        return "compiles"
    if not any(words in sentence for sentence in outcome.sentences):
        return f"is refused with another message than on the page: {outcome.sentences or outcome.other_errors[:1]}"
    if outcome.other_errors:
        return f"has another error: {outcome.other_errors[0]}"
    return ""


def main():
    compilers = case.installed(["g++", "clang++"])
    if not compilers:
        print("skipped: there is no g++ and no clang++ to refuse the pages' code")
        return SKIPPED
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for snippet, words in refused_blocks(ROOT):
            count += 1
            complaint = complaint_of(snippet, words, compilers[0], pathlib.Path(folder))
            if complaint:
                print(f"{snippet.place}: {complaint}")
                failed += 1
    print(f"{count} blocks that must not compile, {failed} of them wrong")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())

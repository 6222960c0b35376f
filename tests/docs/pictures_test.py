#!/usr/bin/env python3
"""The pictures of the pages are, byte for byte, what the command draws; and every page's picture is one of them.

Skipped (exit status 77) where the command is not built.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77


def unused_pictures():
    """Pictures in docs/pictures that no page shows."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {(page.parent / link).resolve() for page in pages
             for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))}
    return [path for path in sorted((ROOT / "docs/pictures").glob("*.svg")) if path not in shown]


def main():
    command = os.environ.get("TILEWRIGHT_CLI")
    if not command:
        print("skipped: TILEWRIGHT_CLI names no command to draw with")
        return SKIPPED
    done = subprocess.run([sys.executable, "-B", str(ROOT / "docs/pictures/make_pictures"), "--check", command])
    unused = unused_pictures()
    for path in unused:
        print(f"{path.relative_to(ROOT)} is shown on no page.")
    return 1 if done.returncode or unused else 0


if __name__ == "__main__":
    sys.exit(main())

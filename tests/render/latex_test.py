#!/usr/bin/env python3
"""Typesets every golden LaTeX picture, which must be one page without errors.

Skipped (exit status 77) where there is no pdflatex.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def main():
    program = shutil.which("pdflatex")
    styles = subprocess.run(["kpsewhich", "standalone.cls", "tikz.sty", "lmodern.sty"], stdout=subprocess.PIPE,
                            encoding="utf-8").stdout.split() if program else []
    if len(styles) < 3:
        print("SKIPPED: pdflatex with standalone, TikZ and lmodern is not installed (Debian: texlive-latex-extra "
              "texlive-pictures lmodern), so no LaTeX picture was typeset.")
        return SKIPPED
    failed = 0
    pictures = sorted(pathlib.Path("tests/data/render").glob("*.tex"))
    for picture in pictures:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([program, "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}",
                                   str(picture)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            log = done.stdout.decode("utf-8", "replace")
        if done.returncode != 0 or "(1 page" not in log.replace("\n", ""):
            failed += 1
            print(f"{picture} does not typeset:\n{log[-2000:]}")
    print(f"{len(pictures) - failed} of {len(pictures)} pictures typeset")
    return 1 if failed or not pictures else 0


if __name__ == "__main__":
    sys.exit(main())

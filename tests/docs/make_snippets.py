#!/usr/bin/env python3
"""Writes the pages' code as snippets_0.cpp … and snippets_main.cpp.

usage: make_snippets.py ROOT FOLDER UNITS
"""
import pathlib
import sys

import snippets

if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    snippets.write(pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))

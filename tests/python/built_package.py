"""Puts the built package, whose folder TILEWRIGHT_PYTHON names, first on the path: a test imports this before the package. Without the
folder or without NumPy the test is skipped.
"""
import os
import sys

SKIP = 77
FOLDER = os.environ.get("TILEWRIGHT_PYTHON")


def skip(why):
    """Ends the test as one that was skipped."""
    print(f"skipped: {why}", file=sys.stderr)
    sys.exit(SKIP)


if not FOLDER:
    skip("TILEWRIGHT_PYTHON does not name the folder of the built package")
sys.path.insert(0, FOLDER)
try:
    import numpy  # noqa: F401
except ImportError:
    skip("NumPy is not installed (Debian: python3-numpy)")

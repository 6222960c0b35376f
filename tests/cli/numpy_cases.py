"""What the tests of `tilewright convert` against NumPy share: NumPy itself (without it a test ends as skipped), the command,
the bytes that NumPy writes for an array, and the list of what was wrong."""
import io
import os
import sys

SKIPPED = 77
OTHER_PYTHON = "/usr/bin/python3"  # where Debian installs python3-numpy

try:
    import numpy as np
except ImportError:
    if os.path.realpath(sys.executable) != os.path.realpath(OTHER_PYTHON) and os.path.exists(OTHER_PYTHON):
        os.execv(OTHER_PYTHON, [OTHER_PYTHON, "-B", *sys.argv])
    print("skipped: NumPy is not installed (Debian: python3-numpy).")
    sys.exit(SKIPPED)

CLI = os.environ.get("TILEWRIGHT_CLI", "build/dev/apps/cli/tilewright")
# Most cases start a process, which takes a sanitized command a tenth of a second.
ALL_TESTS = "TILEWRIGHT_TEST_ALL" in os.environ
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)
        print(f"wrong: {what}")
    return holds


def saved(array, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version, allow_pickle=False)
    return out.getvalue()

#!/usr/bin/env bash
# Rearrangements as models use them, in Python: tilewright next to NumPy, einops and PyTorch, as far as they are there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
exec "$here/../../run" python "$here/rearrangements.py" "$@"

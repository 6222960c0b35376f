#!/usr/bin/env bash
# Arrays in Python: what a copy of 64 floats costs, and rearrangements as models use them; tilewright next to NumPy, einops and
# PyTorch, as far as they are there. `--overhead` runs the first alone; options go to the second.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
run=$here/../../run
if [[ ${1-} == --overhead ]]; then
  exec "$run" python "$here/overhead.py" "${@:2}"
fi
(($# > 0)) || "$run" python "$here/overhead.py"
exec "$run" python "$here/rearrangements.py" "$@"

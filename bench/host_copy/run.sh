#!/usr/bin/env bash
# How many floats an instruction moves in the tiled copy as compiled for the host, against the same copy by hand.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "host_copy: python3 is needed to read the disassembly; install it." >&2
  exit 1
fi
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/read_code.py" "$@"

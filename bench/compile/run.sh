#!/usr/bin/env bash
# Time and memory to compile units of this folder, from the bare header to the tiled-copy program, against an empty one.
set -euo pipefail
if ! command -v python3 >/dev/null; then
  echo "compile: python3 is needed to time the compilers; install it." >&2
  exit 1
fi
exec python3 -B "$(dirname "${BASH_SOURCE[0]}")/measure.py" "$@"

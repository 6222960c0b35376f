#!/usr/bin/env bash
# Copies from any layout to any layout against memcpy and the libraries that also permute tensors, on the CPU or a GPU.
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
root=$(cd "$here/../.." && pwd)
options=" ${*//=/ } "

# build TARGET in build/release; the compiler's lines are shown only when it fails. Configured anew each time, so that
# libraries to compare with that were installed since are found.
build() {
  local log="$root/build/release/bench_permute.log"
  if ! command -v cmake >/dev/null; then
    echo "permute: cmake is needed to build $1; install it, or name what is built with --program or --library." >&2
    exit 1
  fi
  mkdir -p "$root/build/release"
  echo "building $1" >&2
  if ! (cd "$root" && cmake --preset release && cmake --build --preset release --target "$1") >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    exit 1
  fi
}

if ! command -v python3 >/dev/null; then
  echo "permute: python3 is needed to run the cases and to report on them; install it." >&2
  exit 1
fi
case $options in
  *" --help "* | *" -h "* | *" --list "* | *" --program "* | *" --library "*) ;;
  *" --device cuda "*) [[ -e $root/build/release/engine/c_api/libtilewright.so ]] || build tilewright_c ;;
  *) build bench_permute ;;
esac
exec python3 -B "$here/run.py" "$@"

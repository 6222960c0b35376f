#!/usr/bin/env bash
# What verification costs: tilewright convert with the sums by position that it takes by default, against --no-verify, on arrays
# of 1, 2, 4 and 8 bytes that the system caches. Prints the ratio of the times, the median of each of REPEATS runs, one of each after the other.
# usage: bench/convert.sh [TILEWRIGHT [MEGABYTES [REPEATS]]]
set -euo pipefail
cli=${1:-build/release/apps/cli/tilewright} megabytes=${2:-400} repeats=${3:-5}
if [[ ! -x $cli ]]; then
  cd "$(dirname "${BASH_SOURCE[0]}")/.."
  { cmake --preset release && cmake --build --preset release --target tilewright; } >&2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

make_array() { # TYPE ROWS COLUMNS FILE
  local text bytes=$(($2 * $3 * ${1: -1}))
  text="{'descr': '$1', 'fortran_order': False, 'shape': ($2, $3), }"
  text=$(printf '%-117s' "$text")
  { printf '\x93NUMPY\x01\x00v\x00%s\n' "$text" && head -c "$bytes" /dev/urandom; } >"$4"
}

seconds() { # OPTIONS: the user's wait, by the clock
  local begin
  begin=$(date +%s.%N)
  "$cli" convert "$folder/in.npy" "$folder/out.npy" --force "$@" >/dev/null
  date +%s.%N | awk -v begin="$begin" '{ printf "%.4f\n", $1 - begin }'
}

median() { sort -n | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }

for type in '|u1' '<u2' '<f4' '<f8'; do
  width=${type: -1}
  columns=8000
  rows=$((megabytes * 1000000 / columns / width))
  make_array "$type" "$rows" "$columns" "$folder/in.npy"
  for options in '--permute 1,0' '--order C'; do
    : >"$folder/with"
    : >"$folder/without"
    # shellcheck disable=SC2086  # words
    seconds $options >/dev/null
    for ((i = 0; i < repeats; ++i)); do
      # shellcheck disable=SC2086
      seconds $options >>"$folder/with"
      # shellcheck disable=SC2086
      seconds $options --no-verify >>"$folder/without"
    done
    with=$(median <"$folder/with") without=$(median <"$folder/without")
    awk -v type="$type" -v options="$options" -v with="$with" -v without="$without" \
      'BEGIN { printf "%-4s %-14s %7.3f s verified, %7.3f s not: %.2f times\n", type, options, with, without, with / without }'
  done
done

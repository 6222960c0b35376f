#!/bin/sh
# The gate: the conditions that this project's copies must meet. It fails with the first sentence that says why a change
# of a layout would cost coverage, vector width, bank conflicts or coalescing. Nothing is compiled and no GPU is needed.
set -u
tilewright=${TILEWRIGHT:-tilewright}
failed=0

# check NAME ARGUMENTS...: reports what does not hold, and goes on, so that one run shows everything.
check() {
  name=$1
  shift
  report=$("$tilewright" check "$@" 2>&1)
  case $? in
    0)
      echo "ok    $name"
      return
      ;;
    1) echo "FAIL  $name" ;;
    *) echo "WRONG $name" ;;  # the question itself is wrong, or there is no such program
  esac
  echo "$report" | sed 's/^/      /'
  failed=1
}

folder=$(dirname "$0")
. "${1:-$folder/layouts.sh}"

check "load of A: global to shared" --atom-bits 128 --element f32 --thr "$a_thr" --val "$a_val" --tensor "$a_tile" \
  --covers --vector 128 --no-conflicts --coalesced
check "tile of B in shared memory" "$b_tile" --element f32 --injective --no-conflicts
check "output, row-major to column-major" "$out_src" "$out_dst" --element f32 --machine sm_90 --covers --injective

exit $failed

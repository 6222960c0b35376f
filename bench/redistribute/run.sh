#!/usr/bin/env bash
# Redistributions between processes, next to MPI_Alltoallw, ScaLAPACK's pdgemr2d, FFTW's transpose and memcpy through shared memory.
# With --device cuda: between GPUs, next to all-pairs peer copies, all_to_all_single and DTensor (on_gpu.py).
# usage: run.sh [--ranks N] [--json FILE] [--mib N] [--rounds N] [--only TEXT] [--peers none]
#        run.sh --device cuda [--ranks N] [--json FILE] [--cases N] [--seed N] [--max-mib N] [--only TEXT] [--transport peers|nccl]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if [[ ${1:-} == --device ]]; then
  [[ ${2:-} == cuda ]] || { echo "redistribute: --device takes cuda, not '${2:-}'" >&2; exit 2; }
  shift 2
  exec python3 -B "$root/bench/redistribute/on_gpu.py" "$@"
fi
ranks=2 words=()
while (($# > 0)); do
  case $1 in
    --ranks) ranks=${2:?--ranks needs a number}; shift 2 ;;
    --ranks=*) ranks=${1#*=}; shift ;;
    --json | --mib | --rounds | --only | --peers) words+=("$1" "${2:?$1 needs a value}"); shift 2 ;;
    --json=* | --mib=* | --rounds=* | --only=* | --peers=*) words+=("${1%%=*}" "${1#*=}"); shift ;;
    *) echo "redistribute: there is no option $1; there are --ranks, --json, --mib, --rounds, --only and --peers" >&2; exit 2 ;;
  esac
done
[[ $ranks =~ ^[1-9][0-9]*$ ]] || { echo "redistribute: --ranks takes a number of processes, not '$ranks'" >&2; exit 2; }
if ! command -v mpirun >/dev/null; then
  echo "redistribute: mpirun is missing; install an MPI (Debian: libopenmpi-dev openmpi-bin)" >&2
  exit 1
fi
log=$root/build/release/bench_redistribute.log
mkdir -p "$root/build/release"
echo "building bench_redistribute" >&2
if ! (cd "$root" && cmake --preset release && cmake --build --preset release --target bench_redistribute) >"$log" 2>&1; then
  tail -n 60 "$log" >&2
  exit 1
fi
launcher=(mpirun -n "$ranks")
if mpirun --version 2>/dev/null | grep -q 'Open MPI'; then launcher+=(--allow-run-as-root --oversubscribe); fi
exec "${launcher[@]}" "$root/build/release/bench/redistribute/bench_redistribute" ${words[@]+"${words[@]}"}

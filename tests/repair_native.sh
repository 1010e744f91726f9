#!/usr/bin/env bash
# Applies the best patch of each program of tests/programs/repair to a copy, compiles it with -Wall -Wextra -Werror
# and ThreadSanitizer, and runs it natively. Not part of the tests: it takes minutes.
#
#     tests/repair_native.sh [BUILD_FOLDER [RUNS]]
set -uo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$top/build}
runs=${2:-20}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$top"/tests/programs/repair/* "$scratch"
printf '#include <stdlib.h>\nint __VERIFIER_nondet_int(void) { return rand() %% 10 - 5; }\n' >"$scratch/inputs.inc"
failed=0 count=0
for file in "$scratch"/*.c "$scratch"/units/*/main.c; do
  name=$(basename "$file" .c)
  files=("$file")
  if [[ $name == main ]]; then  # a folder is a program of several files
    name=$(basename "$(dirname "$file")")
    for other in "$(dirname "$file")"/*.c; do [[ $other == "$file" ]] || files+=("$other"); done
  fi
  if ! "$build/bin/heddle" repair "${files[@]}" --budget 60s --apply 1 >"$scratch/log" 2>&1; then
    echo "FAIL $name: $(tail -n 1 "$scratch/log")"
    failed=$((failed + 1))
    continue
  fi
  extra=()
  if grep -q __VERIFIER_nondet_int "$file"; then extra=(-x c "$scratch/inputs.inc"); fi
  if ! gcc -std=gnu11 -Wall -Wextra -Werror -g -O1 -fsanitize=thread -pthread "${files[@]}" "${extra[@]}" -o "$scratch/program" \
    >"$scratch/log" 2>&1; then
    echo "FAIL $name does not compile: $(head -n 3 "$scratch/log")"
    failed=$((failed + 1))
    continue
  fi
  for ((run = 0; run < runs; run++)); do
    if ! timeout 20 "$scratch/program" >"$scratch/log" 2>&1; then
      echo "FAIL $name in run $run: $(grep -m1 -E 'WARNING|Assertion|ERROR' "$scratch/log")"
      failed=$((failed + 1))
      break
    fi
  done
  count=$((count + 1))
done
echo "$count programs patched, compiled and run $runs times under ThreadSanitizer; $failed failures"
[[ $failed == 0 ]]

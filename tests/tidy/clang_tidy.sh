#!/usr/bin/env bash
# clang-tidy on many files, in batches: most of its time goes into headers that all of them include.
#
#   clang_tidy.sh TOOL JOBS STAMPS < FILES
#
# FILES are relative to the checkout, the working directory; build/commands/compile_commands.json says how each is compiled. A file that is clean
# gets a newer stamp in the directory STAMPS. A batch that is not clean, or whose files cannot be compiled together (two of
# them may use one name for different things), is halved until it is: what is printed and counted is always of one file.
set -euo pipefail
export tool=$1 stamps=$3
jobs=$2
batch_size=16

# The compiler's options for a file, one a line, without input and output.
options_of() {
  local command words
  command=$(grep -B 1 -F "\"file\": \"$PWD/$1\"" build/commands/compile_commands.json | sed -n 's/^ *"command": "\(.*\)",$/\1/p')
  command=$(sed 's/\\\\/\\/g; s/\\"/"/g' <<<"$command")  # from JSON
  eval "words=($command)"
  printf '%s\n' "${words[@]:1}" | sed '/^-o$/,$d'
}

check_file() {
  local output
  if output=$("$tool" --quiet --extra-arg=-w -p build/commands "$1" 2>/dev/null); then
    touch "$stamps/${1//\//_}"
  else
    printf '%s\n' "$output"
    return 1
  fi
}

check_batch() {
  local batch=$1 count file options=() best=() failed=0
  count=$(wc -l <"$batch")
  if ((count == 1)); then
    check_file "$(<"$batch")"
    return
  fi
  while read -r file; do
    mapfile -t options < <(options_of "$file")
    ((${#options[@]} <= ${#best[@]})) || best=("${options[@]}")  # one of them may need a macro more
  done <"$batch"
  sed "s|.*|#include \"$PWD/&\"|" "$batch" >"$batch.cpp"
  if "$tool" --quiet --header-filter='.*/(analysis|protocol|server)/.*\.(h|cpp)$' "$batch.cpp" -- "${best[@]}" -w >/dev/null 2>&1; then
    while read -r file; do touch "$stamps/${file//\//_}"; done <"$batch"
  else
    head -n "$((count / 2))" "$batch" >"$batch.a"
    tail -n "+$((count / 2 + 1))" "$batch" >"$batch.b"
    check_batch "$batch.a" || failed=1
    check_batch "$batch.b" || failed=1
  fi
  return "$failed"
}
export -f options_of check_file check_batch

batches=$(mktemp -d "$stamps/batches.XXXXXX")
trap 'rm -rf "$batches"' EXIT
# Only files of one library share their options.
awk -v size="$batch_size" -v folder="$batches" '
  { split($0, part, "/"); library = part[1] == "analysis" ? part[1] "_" part[2] : part[1]
    batch = folder "/" library "_" int((count[library]++) / size)
    print > batch }'
find "$batches" -type f | LC_ALL=C sort | xargs -P "$jobs" -I{} bash -c 'set -euo pipefail; check_batch "$1"' tidy {}

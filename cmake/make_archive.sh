#!/usr/bin/env bash
# Makes the self-contained archive heddle-VERSION-linux-x86_64.tar.xz: Heddle with every library that it needs, the C
# library and its dynamic linker among them, and Clang's own headers. It runs on any Linux on x86-64. And
# heddle-VERSION-svcomp.zip of the same files, for competitions (docs/svcomp.md).
#
#   cmake/make_archive.sh BUILD_DIRECTORY OUTPUT_DIRECTORY
#
# BUILD_DIRECTORY holds a release build with the targets heddle and heddle_launcher. Prints the archives' paths.
set -euo pipefail
build=$1 output=$2

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=heddle-$version-linux-x86_64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name private=$work/$name/lib/heddle

cmake --install "$build" --prefix "$root" --strip >/dev/null
cmake --install "$build" --prefix "$root" --component archive >/dev/null
[[ -e $private/clang/include/stddef.h ]] || { echo "make_archive.sh: no headers of Clang: install clang-22" >&2; exit 1; }
mv "$root/bin/heddle" "$private/heddle"
install -m 755 "$build/bin/heddle_launcher" "$root/bin/heddle"

# "libz3.so.4 => /lib/…/libz3.so.4 (0x…)", and the linker's own line without an arrow.
ldd "$private/heddle" | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' |
  while read -r library; do
    install -m 755 "$library" "$private/$(basename "$library")"
  done
[[ -x $private/ld-linux-x86-64.so.2 ]] || { echo "make_archive.sh: no dynamic linker was found with ldd" >&2; exit 1; }

mkdir -p "$output"
# The same build gives the same bytes: times are those of the last commit, names are sorted.
times=@${SOURCE_DATE_EPOCH:-$(git -C "$(dirname "$0")/.." log -1 --format=%ct 2>/dev/null || echo 0)}
tar -C "$work" --owner=0 --group=0 --sort=name --mtime="$times" -cf - "$name" | xz -T 0 -4 >"$output/$name.tar.xz"
echo "$output/$name.tar.xz"

# What SV-COMP takes: the same files with the tool-info module, as a ZIP with one folder.
competition=heddle-$version-svcomp
mv "$root" "$work/$competition"
install -m 644 "$(dirname "$0")/../LICENSE" "$(dirname "$0")/../docs/svcomp.md" "$(dirname "$0")/../docs/svcomp/heddle.py" "$work/$competition/"
find "$work/$competition" -exec touch -h -d "$times" {} +
rm -f "$output/$competition.zip"
(cd "$work" && find "$competition" -type f | LC_ALL=C sort >names &&
  cmake -E tar cf "$competition.zip" --format=zip --files-from=names)
mv "$work/$competition.zip" "$output/"
echo "$output/$competition.zip"

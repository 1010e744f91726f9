#!/usr/bin/env bash
# Makes the self-contained archive heddle-VERSION-linux-x86_64.tar.xz: Heddle with every library that it needs, the C
# library and its dynamic linker among them, and Clang's own headers. It runs on any Linux on x86-64.
#
#   cmake/make_archive.sh BUILD_DIRECTORY OUTPUT_DIRECTORY
#
# BUILD_DIRECTORY holds a release build with the targets heddle and heddle_launcher. Prints the archive's path.
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
tar -C "$work" --owner=0 --group=0 --sort=name -cf - "$name" | xz -T 0 -4 >"$output/$name.tar.xz"
echo "$output/$name.tar.xz"

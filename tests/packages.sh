#!/usr/bin/env bash
# Do the packages work where nothing of the build is? Installs the Debian package in a bare Debian 12, unpacks the archive
# and the server of the VS Code extension in a bare Debian 11 (glibc 2.31), and finds the bug of the example and verifies its
# correction there.
# Needs root, debootstrap and network.
#
#   tests/packages.sh [--roots DIR] HEDDLE.deb HEDDLE.tar.xz [HEDDLE.vsix]
#
# --roots DIR: debootstrapped roots DIR/bookworm and DIR/bullseye to start from (made there when absent; they are copied,
# never changed).
set -euo pipefail

self=$(readlink -f "${BASH_SOURCE[0]}")
roots=
[[ ${1:-} != --roots ]] || { roots=$2; shift 2; }
(($# == 2 || $# == 3)) || { sed -n 's/^#   //p' "$self" >&2; exit 3; }
deb=$(readlink -f "$1") archive=$(readlink -f "$2") vsix=
(($# == 2)) || vsix=$(readlink -f "$3")
[[ $(id -u) == 0 ]] || { echo "packages.sh: needs root" >&2; exit 1; }
if [[ -z ${HEDDLE_PACKAGES_INSIDE:-} ]]; then
  HEDDLE_PACKAGES_INSIDE=1 exec unshare --mount --pid --fork --kill-child "$self" ${roots:+--roots "$roots"} "$deb" "$archive" ${vsix:+"$vsix"}
fi

exec </dev/null
work=$(mktemp -d)
clean_up() {
  umount -R "$work"/*/proc "$work"/*/dev 2>/dev/null || true
  mountpoint -q "$work/bookworm/dev" || mountpoint -q "$work/bullseye/dev" || rm -rf "$work"
}
trap clean_up EXIT

# Makes $work/RELEASE, with names that resolve as they do outside.
make_root() {
  local release=$1 base=${roots:-$work/base}
  if [[ ! -e $base/$release/etc/debian_version ]]; then
    mkdir -p "$base"
    debootstrap --variant=minbase "$release" "$base/$release" http://deb.debian.org/debian >"$work/log" 2>&1 ||
      { tail "$work/log" >&2; exit 1; }
  fi
  cp -a "$base/$release" "$work/$release"
  cp -L /etc/resolv.conf /etc/hosts "$work/$release/etc/" 2>/dev/null || true
  mount -t proc proc "$work/$release/proc"
  mount --rbind /dev "$work/$release/dev"
  mount --make-rslave "$work/$release/dev"
}

inside() {
  local release=$1
  shift
  env -i HOME=/srv PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$work/$release" "$@"
}

# quiet COMMAND…: shows what it printed only when it fails.
quiet() { "$@" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }; }

# demo RELEASE HEDDLE EXAMPLES: the first finding, a replay of it, and a correct program.
demo() {
  local release=$1 heddle=$2 examples=$3 code=0 schedule
  inside "$release" "$heddle" check --format json --property assert "$examples/bank_transfer.c" >"$work/report" || code=$?
  ((code == 1)) || { cat "$work/report"; echo "packages.sh: $release: no finding, exit code $code" >&2; exit 1; }
  schedule=$(grep -o '"schedule": *"[^"]*"' "$work/report" | head -n 1 | cut -d '"' -f 4)
  code=0
  inside "$release" "$heddle" replay "$examples/bank_transfer.c" "$schedule" >"$work/log" 2>&1 || code=$?
  ((code == 1)) || { cat "$work/log"; echo "packages.sh: $release: the schedule does not replay" >&2; exit 1; }
  quiet inside "$release" "$heddle" check "$examples/bank_transfer_fixed.c"
  # The server starts workers of its own.
  local body='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}'
  printf 'Content-Length: %d\r\n\r\n%s' "${#body}" "$body" |
    inside "$release" "$heddle" lsp >"$work/answer" 2>"$work/log" || true
  grep -q '"capabilities"' "$work/answer" ||
    { tail "$work/log" >&2; echo "packages.sh: $release: the server does not answer" >&2; exit 1; }
  echo "$release: found, replayed, verified, served by $(inside "$release" "$heddle" --version)"
}

make_root bookworm
echo 'deb http://deb.debian.org/debian-security bookworm-security main' >"$work/bookworm/etc/apt/sources.list.d/security.list"
cp "$deb" "$work/bookworm/heddle.deb"
quiet inside bookworm apt-get update
start=$SECONDS
quiet inside bookworm apt-get install -y --no-install-recommends /heddle.deb
echo "bookworm: installed with apt in $((SECONDS - start)) s"
demo bookworm heddle /usr/share/doc/heddle/examples

make_root bullseye
quiet inside bullseye apt-get update
quiet inside bullseye apt-get install -y --no-install-recommends libc6-dev  # who compiles C has it
start=$SECONDS
tar -C "$work/bullseye/opt" -xf "$archive"
echo "bullseye: unpacked in $((SECONDS - start)) s"
folder=/opt/$(basename "$archive" .tar.xz)
demo bullseye "$folder/bin/heddle" "$folder/share/doc/heddle/examples"
[[ $(inside bullseye /bin/sh -c "ls $folder/share/man/man1 $folder/share/bash-completion/completions" | wc -w) -ge 4 ]] ||
  { echo "packages.sh: the archive has no manual page or no completion" >&2; exit 1; }

# The entry for Mason names the archive and its program as they are.
entry=$(dirname "$self")/../docs/editors/mason/package.yaml
version=$(sed -n 's/^  id: .*@v//p' "$entry")
named() { sed -n "s/^ *\(- \)\?$1: //p" "$entry" | head -n 1 | sed "s/{{ version | strip_prefix \"v\" }}/$version/"; }
[[ $(named file) == $(basename "$archive") && -x $work/bullseye/opt/$(named bin) ]] ||
  { echo "packages.sh: $entry names $(named file) and $(named bin), which are not there" >&2; exit 1; }

[[ -z $vsix ]] || {
  quiet unzip -q "$vsix" -d "$work/bullseye/opt/vsix"
  demo bullseye /opt/vsix/extension/server/bin/heddle /opt/vsix/extension/server/share/doc/heddle/examples
}

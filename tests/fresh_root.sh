#!/usr/bin/env bash
# A clean clone in a fresh Debian 12 that has none of the packages: do the README's two commands work, and how long do
# they take? Needs root, debootstrap and network. Mounts live in a namespace of their own and end with the script.
#
#   tests/fresh_root.sh [--base DIR] [COMMAND...]
#
# --base DIR: a debootstrapped root to start from (made there when absent; it is copied, never changed). Without it
# everything is temporary. COMMANDs are run in the clone, default: './dev demo' './dev test'.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
base=
if [[ ${1:-} == --base ]]; then
  base=$2
  shift 2
fi
(($#)) || set -- './dev demo' './dev test'
[[ $(id -u) == 0 ]] || { echo "fresh_root.sh: needs root" >&2; exit 1; }

if [[ -z ${HEDDLE_FRESH_INSIDE:-} ]]; then
  HEDDLE_FRESH_INSIDE=1 exec unshare --mount --pid --fork --kill-child "${BASH_SOURCE[0]}" ${base:+--base "$base"} "$@"
fi

work=$(mktemp -d)
root=$work/root
clean_up() {
  umount -R "$root/proc" "$root/dev" 2>/dev/null || true
  mountpoint -q "$root/dev" || rm -rf "$work"
}
trap clean_up EXIT

if [[ -z $base || ! -e $base/etc/debian_version ]]; then
  echo "== debootstrap"
  debootstrap --variant=minbase bookworm "${base:-$root}" http://deb.debian.org/debian >"$work/debootstrap.log" 2>&1 ||
    { tail "$work/debootstrap.log"; exit 1; }
fi
[[ -z $base ]] || cp -a "$base" "$root"

# Names resolve as they do outside; nothing else comes from outside.
cp -L /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
git clone --quiet "$repository" "$root/heddle"
rm -rf "$root/heddle/.git"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"

failed=0
for command in "$@"; do
  echo "== $command"
  start=$SECONDS
  code=0
  env -i HOME=/srv PATH=/usr/sbin:/usr/bin:/sbin:/bin CI=true chroot "$root" \
    bash -c "cd /heddle && $command" </dev/null || code=$?
  echo "== $command: exit code $code, $((SECONDS - start)) s"
  ((code == 0)) || failed=1
done
exit "$failed"

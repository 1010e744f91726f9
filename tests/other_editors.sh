#!/usr/bin/env bash
# Editors that Debian 12 does not have, from later Debians, with the self-contained archive: Emacs with dape and Helix of
# Debian 13, Neovim of the testing Debian, each in a bare root. Needs root, debootstrap and network.
#
#   tests/other_editors.sh [--roots DIR] HEDDLE.tar.xz
#
# --roots DIR: debootstrapped roots DIR/trixie and DIR/forky (made there when absent; they are changed). Mounts live in a
# namespace of their own.
set -euo pipefail

self=$(readlink -f "${BASH_SOURCE[0]}")
roots=
[[ ${1:-} != --roots ]] || { roots=$2; shift 2; }
(($# == 1)) || { sed -n 's/^#   //p' "$self" >&2; exit 3; }
archive=$(readlink -f "$1") source=$(dirname "$self")/..
[[ $(id -u) == 0 ]] || { echo "other_editors.sh: needs root" >&2; exit 1; }
[[ -n ${HEDDLE_EDITORS_INSIDE:-} ]] ||
  HEDDLE_EDITORS_INSIDE=1 exec unshare --mount --pid --fork --kill-child "$self" ${roots:+--roots "$roots"} "$archive"

exec </dev/null
work=$(mktemp -d)
[[ -n $roots ]] || roots=$work/roots
clean() {
  umount -R "$roots"/*/proc "$roots"/*/dev 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap clean EXIT
mkdir -p "$roots"

# root RELEASE PACKAGE…: with the archive and the example in /srv.
root() {
  local release=$1 at=$roots/$1
  shift
  # What a testing release is made with changes seldom; its lists may be older than they say.
  [[ -e $at/etc/debian_version ]] ||
    debootstrap --variant=minbase "$release" "$at" http://deb.debian.org/debian /usr/share/debootstrap/scripts/sid >"$work/log" 2>&1 ||
    { tail "$work/log" >&2; exit 1; }
  cp -L /etc/resolv.conf /etc/hosts "$at/etc/" 2>/dev/null || true
  mount -t proc proc "$at/proc"
  mount --rbind /dev "$at/dev"
  mount --make-rslave "$at/dev"
  inside "$release" sh -c "apt-get -o Acquire::Check-Valid-Until=false update && apt-get install -y --no-install-recommends libc6-dev $*" >"$work/log" 2>&1 ||
    { tail "$work/log" >&2; exit 1; }
  rm -rf "$at/srv/heddle" "$at/srv/home"
  mkdir -p "$at/srv/heddle" "$at/srv/home"
  tar -C "$at/srv/heddle" --strip-components=1 -xf "$archive"
  cp "$source"/docs/examples/bank_transfer.c "$source"/docs/examples/heddle.h "$at/srv/home/"
  cp -r "$source/docs/editors/nvim" "$source"/tests/lsp/*.lua "$source"/tests/lsp/*.el "$at/srv/home/"
}

inside() {
  local release=$1
  shift
  env -i HOME=/srv/home TERM=xterm-256color LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/srv/heddle/bin:/usr/sbin:/usr/bin:/sbin:/bin HEDDLE_EXAMPLE=/srv/home/bank_transfer.c HEDDLE_EDITORS=/srv/home/nvim \
    chroot "$roots/$release" "$@"
}

failed=0
# session NAME COMMAND…: it has said ALL OK.
session() {
  local name=$1
  shift
  if "$@" >"$work/session" 2>&1 && grep -q '^ALL OK' "$work/session"; then
    echo "$name: $(grep -c '^ok' "$work/session") things seen, ALL OK"
  else
    echo "FAIL $name" && cat "$work/session"
    failed=1
  fi
}

# Helix has no scripts: it is looked at, through a terminal, with the cursor in the line that fails.
helix() {
  local shown line
  line=$(grep -n 'assert(checking' "$source/docs/examples/bank_transfer.c" | cut -d : -f 1)
  mkdir -p "$roots/trixie/srv/home/.config/helix"
  sed -n '/^## Helix/,/^## /{/^```toml/,/^```$/p}' "$source/docs/editors/other.md" | grep -v '^```' | sed 's/"clangd", //' \
    >"$roots/trixie/srv/home/.config/helix/languages.toml"
  inside trixie tmux -L heddle new-session -d -x 150 -y 45 "hx /srv/home/bank_transfer.c:$line:5"
  for _ in $(seq 300); do
    shown=$(inside trixie tmux -L heddle capture-pane -p)
    [[ $shown != *"assertion 'checking.balance >= 0' failed"* ]] || break
    inside trixie sleep 0.1
  done
  inside trixie tmux -L heddle kill-server || true
  echo "$shown"
  [[ $shown == *"assertion 'checking.balance >= 0' failed"* ]] && echo 'ok   the finding is shown' && echo 'ALL OK'
}

root trixie emacs-nox elpa-dape hx tmux
session "$(inside trixie emacs --version | head -n 1) with dape" inside trixie timeout 180 emacs -Q --batch -l /srv/home/dape_session.el
session "$(inside trixie hx --version)" helix
root forky neovim
session "$(inside forky nvim --version | head -n 1)" inside forky timeout 180 nvim --headless -n -i NONE -u /srv/home/nvim_enable.lua
exit "$failed"

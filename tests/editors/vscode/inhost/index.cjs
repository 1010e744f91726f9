// Tests inside VS Code's extension host: the extension as other extensions and the workbench's services see it. Each waits for
// what it wants to see; nothing depends on how fast the machine is.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const workspace = process.env.HEDDLE_WORKSPACE;
const patience = 60_000;

const shown = () =>
  vscode.languages
    .getDiagnostics()
    .flatMap(([uri, list]) => list.map((d) => `${path.basename(uri.path)}:${d.range.start.line + 1} ${d.message.split('\n')[0]}`))
    .join('; ') || 'nothing';

async function until(what, condition) {
  const begun = Date.now();
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() - begun > patience) throw new Error(`timeout: ${what}; shown: ${shown()}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const uriOf = (name) => vscode.Uri.file(path.join(workspace, name));
const heddle = (uri) => vscode.languages.getDiagnostics(uri).filter((d) => d.source === 'heddle');
const errors = (uri) => heddle(uri).filter((d) => d.severity === vscode.DiagnosticSeverity.Error);
const setting = (name, value) => vscode.workspace.getConfiguration('heddle').update(name, value, vscode.ConfigurationTarget.Workspace);
const codeOf = (diagnostic) => diagnostic.code?.value ?? diagnostic.code;

async function open(name) {
  const document = await vscode.workspace.openTextDocument(uriOf(name));
  await vscode.window.showTextDocument(document);
  return document;
}

async function replaceText(document, before, after) {
  const at = document.getText().indexOf(before);
  assert.notEqual(at, -1, `'${before}' is in the text`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + before.length)), after);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

const tests = {
  async 'contributes what package.json says'() {
    const extension = await until('activation', () => vscode.extensions.all.find((e) => e.packageJSON.name === 'heddle' && e.isActive));
    const known = new Set(await vscode.commands.getCommands(true));
    for (const { command } of extension.packageJSON.contributes.commands) assert.ok(known.has(command), command);
    assert.equal(extension.packageJSON.capabilities.untrustedWorkspaces.supported, 'limited');
  },

  async 'a finding is a diagnostic with a link, related places and a code'() {
    const uri = uriOf('tickets.c');
    const found = await until('the finding', () => errors(uri).length > 0 && errors(uri));
    const assertion = found.find((d) => codeOf(d) === 'heddle-assert');
    assert.match(assertion.message, /sold == 1/);
    assert.match(String(assertion.code.target), /diagnostics\.md/);
    const race = await until('the race', () => errors(uri).find((d) => codeOf(d) === 'heddle-race'));
    assert.ok(race.relatedInformation.length > 0);
  },

  async 'hover, lenses and document symbols of others live side by side'() {
    const uri = uriOf('tickets.c');
    const [finding] = errors(uri);
    const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, finding.range.start);
    assert.ok(hovers.some((h) => h.contents.some((c) => /heddle replay/.test(c.value))));
    const lenses = await until('lenses', async () => {
      const all = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri);
      return all.some((l) => /violated/.test(l.command?.title)) && all;
    });
    assert.ok(lenses.some((l) => l.command.title === 'show interleaving' && l.command.command === 'heddle.showInterleaving'));
    assert.ok(lenses.some((l) => l.command.title === 'verify'));
  },

  async 'inlay hints at shared reads, when asked for'() {
    const uri = uriOf('tickets.c');
    const hints = () => vscode.commands.executeCommand('vscode.executeInlayHintProvider', uri, new vscode.Range(0, 0, 99, 0));
    assert.equal((await hints()).length, 0);
    await setting('inlayHints.sharedReads', true);
    const shown = await until('hints', async () => (await hints()).length > 0 && (await hints()));
    const text = shown.map((hint) => (typeof hint.label === 'string' ? hint.label : hint.label.map((part) => part.value).join(''))).join('\n');
    assert.match(text, /reads 1/);
    assert.match(text, /\(buy\)/);
    await setting('inlayHints.sharedReads', undefined);
    await until('no hints', async () => (await hints()).length === 0);
  },

  async 'a quick fix is resolved, applied, saved and verified again'() {
    const document = await open('tickets.c');
    const before = document.getText();
    await until('the finding', () => errors(document.uri).some((d) => codeOf(d) === 'heddle-assert'));
    const finding = errors(document.uri).find((d) => codeOf(d) === 'heddle-assert');
    const action = await until('a fix', async () => {
      const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, finding.range, 'quickfix', 10);
      return actions.find((a) => a.edit && !a.disabled && /verified: /.test(a.title));
    });
    assert.ok(await vscode.workspace.applyEdit(action.edit));
    assert.notEqual(document.getText(), before);
    assert.ok(await document.save());
    await until('no finding is left', () => errors(document.uri).length === 0 && heddle(document.uri).every((d) => codeOf(d) !== 'heddle-assert'));
    const lens = await until('verified', async () => (await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri)).find((l) => /verified/.test(l.command?.title)));
    assert.match(lens.command.title, /verified/);
    await replaceText(document, document.getText(), before);
    assert.ok(await document.save());
    await until('undone, the finding is back', () => errors(document.uri).some((d) => codeOf(d) === 'heddle-assert'));
  },

  async 'a program is a test: failed with a bug, passed when it is verified'() {
    const extension = vscode.extensions.all.find((e) => e.packageJSON.name === 'heddle');
    const document = await open('tickets.c');
    const before = document.getText();
    const outcome = () => extension.exports.testOutcomes.get(document.uri.toString());
    const run = () => vscode.commands.executeCommand('testing.runCurrentFile');
    void run();
    await until('the test has failed', () => outcome() === 'failed');
    const fixed = before.replace('static int sold;', 'static int sold;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;')
      .replace('  if (tickets', '  pthread_mutex_lock(&m);\n  if (tickets').replace('  return arg;', '  pthread_mutex_unlock(&m);\n  return arg;');
    await replaceText(document, before, fixed);
    assert.ok(await document.save());
    await until('no finding is left', () => errors(document.uri).length === 0);
    void run();
    await until('the test has passed', () => outcome() === 'passed');
    await replaceText(document, fixed, before);
    assert.ok(await document.save());
    await until('undone, the finding is back', () => errors(document.uri).some((d) => codeOf(d) === 'heddle-assert'));
  },

  async 'findings are a tree: file, finding, threads, steps'() {
    const tree = vscode.extensions.all.find((e) => e.packageJSON.name === 'heddle').exports.findings;
    const uri = uriOf('tickets.c');
    await until('the finding', () => errors(uri).length > 0);
    const file = (await tree.getChildren()).find((node) => node.uri.toString() === uri.toString());
    const findings = await tree.getChildren(file);
    const finding = findings.find((node) => /sold == 1/.test(tree.getTreeItem(node).label));
    assert.ok(finding, findings.map((node) => tree.getTreeItem(node).label).join('; '));
    const threads = await tree.getChildren(finding);
    assert.ok(threads.length >= 2);
    const steps = await tree.getChildren(threads.find((node) => node.thread.label !== 'T0'));
    const step = steps.map((node) => tree.getTreeItem(node)).find((item) => item.command);
    assert.equal(step.command.arguments[0].toString(), uri.toString());
  },

  async 'a buffer that was never saved is explored'() {
    const content = fs.readFileSync(path.join(workspace, 'tickets.c'), 'utf8');
    const document = await vscode.workspace.openTextDocument({ language: 'c', content });
    await vscode.window.showTextDocument(document);
    assert.equal(document.uri.scheme, 'untitled');
    await until('its finding', () => errors(document.uri).some((d) => codeOf(d) === 'heddle-assert'));
    const [finding] = errors(document.uri);
    assert.ok(finding.relatedInformation.every((each) => each.location.uri.toString() === document.uri.toString()));
    // What reads files says so, and opens nothing.
    const windows = vscode.window.terminals.length;
    await vscode.commands.executeCommand('heddle.replay', { uri: document.uri.toString() });
    assert.equal(vscode.window.terminals.length, windows);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('nothing is left', () => heddle(document.uri).length === 0);
  },

  async 'in front of a header, the status is that of the open files'() {
    const { status } = vscode.extensions.all.find((e) => e.packageJSON.name === 'heddle').exports;
    await open('tickets.c');
    await until('the status of the file', () => /^Heddle: \d+ bugs?$/.test(status.text));
    await open('heddle.h');
    await until(`the status in a header, now '${status.text}'`, () => /tickets\.c: \d+ bugs?$|bugs? in open files$/.test(status.text));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await open('tickets.c');
  },

  async 'the example has a bug'() {
    await vscode.commands.executeCommand('heddle.openExample');
    const document = await until('the example', () => vscode.workspace.textDocuments.find((d) => /globalStorage.*tickets\.c$/.test(d.uri.path)));
    await until('its finding', () => errors(document.uri).some((d) => codeOf(d) === 'heddle-assert'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  },

  async 'settings work at once: manual, then by command'() {
    const document = await open('tickets.c');
    await setting('verify.trigger', 'manual');
    await replaceText(document, 'tickets = 1', 'tickets = 2');
    await until('the results are stale', () => heddle(document.uri).every((d) => codeOf(d) !== 'heddle-assert' || d.severity !== vscode.DiagnosticSeverity.Error) || heddle(document.uri).some((d) => /changed since|stale/.test(d.message)));
    await vscode.commands.executeCommand('heddle.verifyFile');
    await until('verified by command', () => errors(document.uri).some((d) => codeOf(d) === 'heddle-assert'));
    await replaceText(document, 'tickets = 2', 'tickets = 1');
    await document.save();
    await setting('verify.trigger', undefined);
    await until('back', () => errors(document.uri).some((d) => codeOf(d) === 'heddle-assert'));
  },

  async 'a mistake in .heddle.yaml is a diagnostic in it'() {
    const document = await open('.heddle.yaml');
    assert.equal(heddle(document.uri).length, 0);
    await replaceText(document, 'budget: 60s', 'budget: soon');
    const [wrong] = await until('the mistake', () => heddle(document.uri).length > 0 && heddle(document.uri));
    assert.equal(codeOf(wrong), 'heddle-config');
    assert.equal(wrong.range.start.line, 0);
    await replaceText(document, 'budget: soon', 'budget: 60s');
    await until('no mistake', () => heddle(document.uri).length === 0);
  },

  async 'the task prints the report and its problem matcher reads it'() {
    await open('tickets.c');
    const [task] = await vscode.tasks.fetchTasks({ type: 'heddle' });
    const ended = new Promise((done) => vscode.tasks.onDidEndTaskProcess((event) => event.execution.task.name === task.name && done(event.exitCode)));
    const definition = { type: 'heddle', file: path.join(workspace, 'tickets.c') };
    const run = new vscode.Task(definition, vscode.TaskScope.Workspace, task.name, 'heddle', new vscode.ProcessExecution(process.env.HEDDLE, ['check', definition.file]), '$heddle');
    await vscode.tasks.executeTask(run);
    assert.equal(await ended, 1);
  },

  async 'a file without main is explored in the program of its project, over unsaved edits of both files'() {
    const folder = path.join(workspace, 'project');
    const sources = {
      'counter.h': 'extern int count;\nvoid *countUp(void *unused);\n',
      'counter.c': '#include "counter.h"\nint count;\nvoid *countUp(void *unused) {\n  count = count + 1;\n  return unused;\n}\n',
      'main.c':
        '#include <assert.h>\n#include <pthread.h>\n#include "counter.h"\nint main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, countUp, 0);\n' +
        '  pthread_create(&b, 0, countUp, 0);\n  pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(count == 2);\n  return 0;\n}\n',
    };
    fs.mkdirSync(folder);
    for (const [name, text] of Object.entries(sources)) fs.writeFileSync(path.join(folder, name), text);
    const command = (file) => ({ directory: folder, file, command: `cc -c ${file}` });
    fs.writeFileSync(path.join(folder, 'compile_commands.json'), JSON.stringify([command('counter.c'), command('main.c')]));

    const counter = await open('project/counter.c');
    const race = await until('the race in the file without main', () => errors(counter.uri).find((d) => codeOf(d) === 'heddle-race'));
    assert.equal(race.range.start.line, 3);
    const main = await open('project/main.c');
    const codes = () => errors(main.uri).map(codeOf);
    await until('the assertion of the other file', () => codes().includes('heddle-assert'));
    // Both edits stay unsaved: what is explored is what is on the screen.
    await replaceText(main, 'pthread_create(&b', 'pthread_join(a, 0);\n  pthread_create(&b');
    await replaceText(main, 'pthread_join(a, 0);\n  pthread_join(b', 'pthread_join(b');
    await until('one after the other, all is well in both files', () => errors(main.uri).length === 0 && errors(counter.uri).length === 0);
    await replaceText(counter, 'count + 1', 'count + 2');
    await until('the edit of one file shows in the other', () => codes().includes('heddle-assert'));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await open('project/counter.c');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  },

  async 'a finding is walked backwards in the debugger, and the program passes with the thread switched'() {
    const uri = uriOf('bank.c');
    await open('bank.c');
    const finding = await until('the finding', () => errors(uri).find((d) => codeOf(d) === 'heddle-assert'));
    const stops = [];
    const tracker = vscode.debug.registerDebugAdapterTrackerFactory('heddle', {
      createDebugAdapterTracker: () => ({ onDidSendMessage: (message) => message.event === 'stopped' && stops.push(message.body) }),
    });
    const lenses = await until('the lens', async () => {
      const all = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri);
      return all.some((l) => l.command?.title === 'debug') && all;
    });
    const lens = lenses.find((l) => l.command?.title === 'debug');
    await vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments);
    const session = await until('a session', () => vscode.debug.activeDebugSession);
    const stop = (count) => until(`stop ${count}`, () => stops.length >= count && stops[count - 1]);
    const top = async (threadId) => (await session.customRequest('stackTrace', { threadId })).stackFrames[0];
    const claim = await stop(1);
    assert.equal(claim.reason, 'exception');
    let frame = await top(claim.threadId);
    assert.equal(frame.line, finding.range.start.line + 1);
    const info = await session.customRequest('dataBreakpointInfo', { name: 'checking.balance', frameId: frame.id });
    await session.customRequest('setDataBreakpoints', { breakpoints: [{ dataId: info.dataId, accessType: 'write' }] });
    await session.customRequest('reverseContinue', { threadId: claim.threadId });
    const last = await stop(2);
    assert.equal(last.reason, 'data breakpoint');
    await session.customRequest('reverseContinue', { threadId: last.threadId });
    const first = await stop(3);
    assert.notEqual(first.threadId, last.threadId);
    // Both have looked: before the second one looks, the first one goes on to its end.
    await session.customRequest('setDataBreakpoints', { breakpoints: [{ dataId: info.dataId, accessType: 'read' }] });
    let reader = first;
    for (let count = 4; reader.threadId !== last.threadId; ++count) {
      await session.customRequest('reverseContinue', { threadId: reader.threadId });
      reader = await stop(count);
      frame = await top(reader.threadId);
    }
    // It holds the lock there: back to before it takes it.
    while ((await top(reader.threadId)).name !== 'transfer') {
      const count = stops.length + 1;
      await session.customRequest('setDataBreakpoints', { breakpoints: [] });
      await session.customRequest('stepBack', { threadId: reader.threadId });
      reader = await stop(count);
    }
    const { targets } = await session.customRequest('stepInTargets', { frameId: (await top(reader.threadId)).id });
    const other = targets.find((target) => target.id === first.threadId);
    assert.ok(other, JSON.stringify(targets));
    const run = await session.customRequest('heddle/switchThread', { threadId: other.id });
    assert.ok(run.passes, run.outcome);
    await vscode.debug.stopDebugging(session);
    tracker.dispose();
    await until('the session is over', () => vscode.debug.activeDebugSession === undefined);
  },

  async 'coverage is of the text on the screen, and what a budget leaves is open'() {
    const document = await open('visitors.c');
    const stateAt = (coverage, text) => {
      const { line } = document.positionAt(document.getText().indexOf(text));
      return coverage.branches.find((branch) => branch.location.range.start.line === line).sides.map((side) => `${side.side}: ${side.state}`);
    };
    const before = await vscode.commands.executeCommand('heddle.showCoverage');
    assert.deepEqual(stateAt(before, 'if (visitors > 2)'), ['true: cannot be', 'false: covered']);
    await replaceText(document, 'visitors > 2', 'visitors > 1'); // stays unsaved
    const after = await vscode.commands.executeCommand('heddle.showCoverage');
    assert.deepEqual(stateAt(after, 'if (visitors > 1)'), ['true: covered', 'false: covered']);
    assert.equal(after.version, document.version);
    await replaceText(document, 'if (first == 2)', 'for (unsigned even = 0; even != 77777;) even = even * 6 + 2 * heddle_input_int();\n  if (first == 2)');
    await replaceText(document, '#include <pthread.h>', '#include <pthread.h>\nint heddle_input_int(void);');
    await setting('verify.saveTimeBudget', '1s');
    const open_ = await vscode.commands.executeCommand('heddle.showCoverage');
    assert.ok(open_.open > 0 && open_.cannotBe === 0 && open_.limits.length > 0, open_.text);
    await setting('verify.saveTimeBudget', undefined);
    await vscode.commands.executeCommand('heddle.hideCoverage');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  },

  async 'restart, off and on again'() {
    const uri = uriOf('tickets.c');
    await open('tickets.c');
    await vscode.commands.executeCommand('heddle.restart');
    await until('the findings are back', () => errors(uri).length > 0);
    await setting('enable', false);
    await until('off, nothing is shown', () => heddle(uri).length === 0);
    await setting('enable', undefined);
    await until('on, they are back', () => errors(uri).length > 0);
  },
};

exports.run = async function run() {
  await open('tickets.c');
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      console.log(`ok   in host: ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAIL in host: ${name}: ${error.stack ?? error}`);
    }
  }
  fs.writeFileSync(path.join(workspace, 'in-host.txt'), `${failed}\n`);
  if (failed > 0) throw new Error(`${failed} tests in the extension host failed`);
};

// Entry point: nothing runs before the workspace is trusted; then the server, the status item, the panel, the commands.
import * as vscode from 'vscode';
import { CoverageView } from './coverage';
import { Debugger } from './debugger';
import { FindingTree, isFindingNode } from './findings';
import { notFound } from './findServer';
import { InterleavingPanel } from './panel';
import type { Interleaving } from './protocol';
import { HeddleServer } from './server';
import { StatusItem } from './status';
import { CheckTasks } from './tasks';
import { ProgramTests } from './testing';

interface Place {
  uri: string;
  finding?: string;
}

/** What other extensions, and the tests, may use. */
export interface Api {
  /** Outcomes of the last runs in the Testing view, by the URI of the file. */
  testOutcomes?: ReadonlyMap<string, string>;
  /** What the view "Findings" shows. */
  findings?: FindingTree;
  /** What the status bar says of the file in front. */
  status?: StatusItem;
}

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
  const api: Api = {};
  if (vscode.workspace.isTrusted) {
    await begin(context, api);
    return api;
  }
  const item = vscode.window.createStatusBarItem('heddle.trust', vscode.StatusBarAlignment.Left, 10);
  item.name = 'Heddle';
  item.text = '$(workspace-untrusted) Heddle: needs trust';
  item.tooltip = 'Heddle starts no server and reads no file before this workspace is trusted.';
  item.command = 'workbench.trust.manage';
  item.show();
  const granted = vscode.workspace.onDidGrantWorkspaceTrust(() => {
    item.dispose();
    void begin(context, api);
  });
  context.subscriptions.push(item, granted);
  return api;
}

async function begin(context: vscode.ExtensionContext, api: Api): Promise<void> {
  const output = vscode.window.createOutputChannel('Heddle', { log: true });
  const server = new HeddleServer(output, context.extensionPath);
  const status = new StatusItem(server);
  const panel = new InterleavingPanel(context.extensionUri, server, {
    replay: (interleaving) => void replay(server, interleaving),
    debug: (interleaving) =>
      void vscode.commands.executeCommand('heddle.debug', {
        uri: interleaving.uri,
        finding: interleaving.finding,
      }),
    goTo: (uri, step) => void walker.goTo(uri, step),
  });
  const walker = new Debugger(server, (uri, position) => panel.follow(uri, position));
  const coverage = new CoverageView(context.extensionUri, server);
  const tests = new ProgramTests(server);
  const findings = new FindingTree(server);
  api.testOutcomes = tests.outcomes;
  api.findings = findings;
  api.status = status;
  context.subscriptions.push(
    output,
    server,
    status,
    panel,
    walker,
    coverage,
    tests,
    findings,
    vscode.tasks.registerTaskProvider('heddle', new CheckTasks(server)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const restart = ['heddle.path', 'heddle.arguments', 'heddle.enable'].some((name) =>
        event.affectsConfiguration(name),
      );
      if (restart) void server.restart();
      else if (event.affectsConfiguration('heddle')) void server.tellSettings();
    }),
  );
  registerCommands(context, { output, server, panel, walker, coverage });
  await server.restart();
  if (server.health === 'missing') await offerHelp();
}

interface Parts {
  output: vscode.LogOutputChannel;
  server: HeddleServer;
  panel: InterleavingPanel;
  walker: Debugger;
  coverage: CoverageView;
}

function registerCommands(
  context: vscode.ExtensionContext,
  { output, server, panel, walker, coverage }: Parts,
): void {
  const bind = (name: string, run: (place?: Place) => Promise<unknown> | undefined): void => {
    const guarded = async (place?: Place): Promise<unknown> => {
      try {
        return await run(place);
      } catch (error) {
        output.error(String(error));
        void vscode.window.showErrorMessage(
          `Heddle: ${error instanceof Error ? error.message : String(error)}`,
        );
        return undefined;
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(name, guarded));
  };
  /** The place that a lens gives, else that of the cursor. */
  const here = (place?: Place): Place => {
    if (place && typeof place.uri === 'string') return place;
    if (place && isFindingNode(place)) return { uri: place.uri.toString(), finding: place.id };
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== 'c') throw new Error('open a C file first');
    const finding = server.findingAt(editor.document.uri, editor.selection.active);
    const uri = editor.document.uri.toString();
    return finding === undefined ? { uri } : { uri, finding };
  };

  /** Both are programs of their own, which read files. */
  const mustBeSaved = (place: Place, what: string): void => {
    if (place.uri.startsWith('untitled:'))
      throw new Error(`${what} reads the file from disk: save this buffer first`);
  };

  bind('heddle.verifyFile', (place) => server.execute('heddle.server.verify', { uri: here(place).uri }));
  bind('heddle.verifyFunction', () => verifyFunction(server, here().uri));
  bind('heddle.stop', (place) => server.execute('heddle.server.stop', { uri: here(place).uri }));
  bind('heddle.clearResults', (place) => server.execute('heddle.server.clear', { uri: here(place).uri }));
  bind('heddle.showInterleaving', (place) => {
    const at = here(place);
    return panel.show(at.uri, at.finding);
  });
  bind('heddle.replay', async (place) => {
    const at = here(place);
    const interleaving = await server.interleaving(at.uri, at.finding);
    if (!interleaving) throw new Error('there is no finding to replay in this file');
    mustBeSaved(at, 'replay');
    await replay(server, interleaving);
  });
  bind('heddle.debug', async (place) => {
    const at = here(place);
    const interleaving = await server.interleaving(at.uri, at.finding);
    if (!interleaving) throw new Error('there is no finding to debug in this file');
    mustBeSaved(at, 'the debugger');
    await walker.debug(interleaving);
  });
  bind('heddle.showCoverage', (place) => coverage.show(here(place).uri));
  bind('heddle.hideCoverage', () => Promise.resolve(coverage.hide()));
  bind('heddle.debugSwitchThread', () => walker.switchThread());
  bind('heddle.debugKeepSchedule', () => walker.keepSchedule());
  bind('heddle.setPath', setPath);
  bind('heddle.openExample', () => openExample(context));
  bind('heddle.restart', () => server.restart());
  bind('heddle.showOutput', () => Promise.resolve(output.show()));
  bind('heddle.showVersion', () =>
    Promise.resolve(void vscode.window.showInformationMessage(server.version())),
  );
  bind('heddle.statusMenu', () => statusMenu(server));
}

/** A program with a race, in a file of the user's own: to be changed and mended at will. */
async function openExample(context: vscode.ExtensionContext): Promise<void> {
  const file = vscode.Uri.joinPath(context.globalStorageUri, 'tickets.c');
  await vscode.workspace.fs.createDirectory(context.globalStorageUri);
  await vscode.workspace.fs.copy(
    vscode.Uri.joinPath(context.extensionUri, 'walkthrough', 'tickets.c'),
    file,
    { overwrite: true },
  );
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
}

async function verifyFunction(server: HeddleServer, uri: string): Promise<void> {
  const symbols =
    (await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>(
      'vscode.executeDocumentSymbolProvider',
      vscode.Uri.parse(uri),
    )) ?? [];
  // Another extension knows the functions, or none does.
  const names = symbols
    .filter((symbol) => symbol.kind === vscode.SymbolKind.Function)
    .map((symbol) => symbol.name.replace(/\W.*$/, ''));
  const symbol =
    names.length > 0
      ? await vscode.window.showQuickPick([...new Set(names)], { placeHolder: 'The function to begin with' })
      : await vscode.window.showInputBox({
          prompt: 'The function to begin with',
          value: 'main',
          validateInput: (text) => (/^[A-Za-z_]\w*$/.test(text) ? undefined : 'the name of a function'),
        });
  if (symbol !== undefined) await server.execute('heddle.server.verify', { uri, function: symbol });
}

async function statusMenu(server: HeddleServer): Promise<void> {
  const running = [
    { label: '$(play) Verify File', run: 'heddle.verifyFile' },
    { label: '$(debug-stop) Stop', run: 'heddle.stop' },
    { label: '$(list-tree) Show Interleaving', run: 'heddle.showInterleaving' },
    { label: '$(debug-alt) Debug Finding', run: 'heddle.debug' },
    { label: '$(checklist) Show Coverage', run: 'heddle.showCoverage' },
    { label: '$(clear-all) Clear Results', run: 'heddle.clearResults' },
  ];
  const always = [
    { label: '$(output) Show Output', run: 'heddle.showOutput' },
    { label: '$(debug-restart) Restart Server', run: 'heddle.restart' },
    { label: '$(folder-opened) Set the Path of the Server…', run: 'heddle.setPath' },
  ];
  const items =
    server.health === 'running'
      ? [...running, ...always]
      : server.health === 'missing'
        ? [...always].reverse()
        : always;
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Heddle' });
  if (chosen) await vscode.commands.executeCommand(chosen.run);
}

/** Where the server is, in the settings of the machine that it runs on. */
async function setPath(): Promise<void> {
  const [file] =
    (await vscode.window.showOpenDialog({ title: 'The heddle binary', openLabel: 'Use This' })) ?? [];
  if (file)
    await vscode.workspace
      .getConfiguration('heddle')
      .update('path', file.fsPath, vscode.ConfigurationTarget.Global);
}

async function replay(server: HeddleServer, interleaving: Interleaving): Promise<void> {
  if (server.binary === undefined) throw new Error('there is no heddle binary');
  const file = vscode.Uri.parse(interleaving.uri).fsPath;
  const run = new vscode.ProcessExecution(server.binary, interleaving.arguments);
  const task = new vscode.Task(
    { type: 'heddle', file },
    vscode.TaskScope.Workspace,
    'replay',
    'heddle',
    run,
    [],
  );
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true };
  await vscode.tasks.executeTask(task);
}

async function offerHelp(): Promise<void> {
  const set = 'Set the Path',
    start = 'Get Started';
  const answer = await vscode.window.showWarningMessage(
    `Heddle: ${notFound(vscode.workspace.getConfiguration('heddle').get('path', ''))}`,
    set,
    start,
  );
  if (answer === set) await setPath();
  if (answer === start)
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'heddle.heddle#heddle.start');
}

export function deactivate(): void {
  // The context's subscriptions end everything.
}

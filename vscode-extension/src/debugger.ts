// Debugging: the server's binary as a debug adapter, for findings and for F5 in a C file. Nothing here exists before the
// workspace is trusted.
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Interleaving } from './protocol';
import type { HeddleServer } from './server';
import { signalsOf } from './settings';

/** The body of the adapter's own event heddle/position. */
export interface DebugPosition {
  step: number;
  steps: number;
  thread: string;
  line: number;
  /** The steps that come next, as an interleaving shows them, which may leave some out. */
  next: NamedStep[];
}

/** A step of a schedule, whatever else is shown of it. */
export interface NamedStep {
  thread: string;
  text: string;
  /** Among the thread's steps of that text, from 0. */
  occurrence: number;
}

interface Run {
  outcome: string;
  passes: boolean;
}

export class Debugger
  implements vscode.Disposable, vscode.DebugAdapterDescriptorFactory, vscode.DebugConfigurationProvider
{
  private readonly disposables: vscode.Disposable[];

  constructor(
    private readonly server: HeddleServer,
    moved: (uri: string, position: DebugPosition) => void,
  ) {
    this.disposables = [
      vscode.debug.registerDebugAdapterDescriptorFactory('heddle', this),
      vscode.debug.registerDebugConfigurationProvider('heddle', this),
      vscode.debug.onDidReceiveDebugSessionCustomEvent((event) => {
        if (event.session.type !== 'heddle' || event.event !== 'heddle/position') return;
        const { program, shownIn } = event.session.configuration as { program?: unknown; shownIn?: unknown };
        const file: unknown = shownIn ?? (Array.isArray(program) ? program[0] : program);
        if (typeof file === 'string') moved(vscode.Uri.file(file).toString(), event.body as DebugPosition);
      }),
    ];
  }

  createDebugAdapterDescriptor(): vscode.DebugAdapterDescriptor {
    const binary = this.server.binary ?? this.server.find();
    if (binary === undefined) throw new Error('there is no heddle binary; set heddle.path');
    return new vscode.DebugAdapterExecutable(binary, ['dap']);
  }

  /** F5 without a configuration: the open file, and its first finding. */
  resolveDebugConfiguration(
    _: vscode.WorkspaceFolder | undefined,
    given: vscode.DebugConfiguration,
  ): vscode.DebugConfiguration | undefined {
    if (given.type) return given;
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== 'c') {
      void vscode.window.showErrorMessage('Heddle: open a C file to debug it.');
      return undefined;
    }
    return {
      type: 'heddle',
      request: 'launch',
      name: 'Heddle: first finding',
      program: editor.document.uri.fsPath,
      options: settings(editor.document.uri),
    };
  }

  /** The adapter reads files, so what is in editors is saved first. */
  async debug(interleaving: Interleaving): Promise<void> {
    const uri = vscode.Uri.parse(interleaving.uri);
    const files = new Set([uri.fsPath, ...interleaving.files]);
    for (const document of vscode.workspace.textDocuments)
      if (document.isDirty && files.has(document.uri.fsPath) && !(await document.save()))
        throw new Error(`${path.basename(document.uri.fsPath)} could not be saved`);
    const started = await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), {
      type: 'heddle',
      request: 'launch',
      name: `Heddle: ${path.basename(uri.fsPath)}`,
      program: interleaving.files,
      schedule: interleaving.schedule,
      options: interleaving.options,
      shownIn: uri.fsPath,
      internalConsoleOptions: 'neverOpen',
    });
    if (!started) throw new Error('the debug session did not start');
  }

  /** Moves the debug session of the file to a step of its interleaving. Without such a session nothing happens. */
  async goTo(uri: string, step: NamedStep): Promise<void> {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== 'heddle' || session.configuration['shownIn'] !== vscode.Uri.parse(uri).fsPath)
      return;
    // After a switch of threads the session is on another schedule, which may lack the step.
    await session.customRequest('heddle/goTo', step).then(undefined, () => undefined);
  }

  async switchThread(): Promise<void> {
    const session = here();
    const { targets } = (await session.customRequest('stepInTargets', {
      frameId: await anyFrame(session),
    })) as {
      targets: { id: number; label: string }[];
    };
    if (targets.length === 0) throw new Error('no other thread can go on here');
    const chosen =
      targets.length === 1
        ? targets[0]
        : await vscode.window.showQuickPick(targets, { placeHolder: 'Which thread runs on from here?' });
    if (!chosen) return;
    const run = (await session.customRequest('heddle/switchThread', { threadId: chosen.id })) as Run;
    const keep = 'Keep Schedule…';
    const answer = await vscode.window.showInformationMessage(
      `Heddle: the changed schedule ${run.outcome}.`,
      keep,
    );
    if (answer === keep) await this.keepSchedule();
  }

  async keepSchedule(): Promise<void> {
    const session = here();
    const target = await vscode.window.showSaveDialog({
      filters: { Schedule: ['schedule'] },
      saveLabel: 'Keep Schedule',
    });
    if (target) await session.customRequest('heddle/keepSchedule', { path: target.fsPath });
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}

function here(): vscode.DebugSession {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== 'heddle') throw new Error('there is no Heddle debug session');
  return session;
}

/**
 * The id of a frame of the session's present stop, which the protocol asks for where any will do. The editor's own active
 * frame may be missing or that of the stop before, just after a step.
 */
async function anyFrame(session: vscode.DebugSession): Promise<number> {
  const { threads } = (await session.customRequest('threads')) as { threads: { id: number }[] };
  for (const thread of threads) {
    const { stackFrames } = (await session.customRequest('stackTrace', {
      threadId: thread.id,
      levels: 1,
    })) as {
      stackFrames: { id: number }[];
    };
    for (const frame of stackFrames) return frame.id;
  }
  throw new Error('no thread runs here');
}

/** The editor's settings for a run, as options of the command line; further settings are in .heddle.yaml. */
function settings(uri: vscode.Uri): string[] {
  const config = vscode.workspace.getConfiguration('heddle', uri);
  const options: string[] = [];
  const entry = config.get('verify.entry', 'main');
  if (entry !== 'main') options.push('--entry', entry);
  const signals = signalsOf(config);
  if (signals !== 'none') options.push('--signals', signals);
  const environment = config.get('verify.environment', 'usual');
  if (environment !== 'usual') options.push('--environment', environment);
  for (const word of config.get<string[]>('verify.unknown', []))
    if (word !== 'arguments') options.push('--unknown', word);
  return options;
}

// The status item: what is known of the file in front, in words that never blur the verdict, and the state of the
// server.
import * as vscode from 'vscode';
import { notFound } from './findServer';
import type { State, Status } from './protocol';
import type { HeddleServer } from './server';

const words: Record<State, { icon: string; text: string }> = {
  idle: { icon: '$(circle-outline)', text: 'not verified' },
  waiting: { icon: '$(edit)', text: 'waiting' },
  compiling: { icon: '$(loading~spin)', text: 'compiling' },
  exploring: { icon: '$(sync~spin)', text: 'exploring' },
  verified: { icon: '$(verified-filled)', text: 'verified' },
  'verified-within-bounds': { icon: '$(verified)', text: 'verified within bounds' },
  violated: { icon: '$(bug)', text: 'bug' },
  incomplete: { icon: '$(watch)', text: 'budget spent' },
  cancelled: { icon: '$(circle-slash)', text: 'stopped' },
  unsupported: { icon: '$(question)', text: 'unsupported' },
  error: { icon: '$(error)', text: 'does not compile' },
  closed: { icon: '', text: '' },
};

/** The item's text, without an icon. */
export function statusText(status: Status): string {
  let text = words[status.state].text;
  if (status.state === 'exploring') text = `exploring ${status.paths} paths`;
  if (status.state === 'violated') {
    if (status.findings > 0) text = status.findings === 1 ? '1 bug' : `${status.findings} bugs`;
    else text = `only suppressed bugs (${status.suppressed})`;
  }
  if (status.stale && status.state !== 'idle') text += ' (stale)';
  if (status.commandGuessed && status.state === 'error') text += ', compile command guessed';
  return text;
}

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    'heddle.status',
    vscode.StatusBarAlignment.Left,
    10,
  );
  private readonly command = vscode.languages.createLanguageStatusItem('heddle.command', [
    { language: 'c', scheme: 'file' },
    { language: 'c', scheme: 'untitled' },
  ]);
  private readonly known = new Map<string, Status>();
  private shown = '';
  private readonly disposables: vscode.Disposable[] = [];

  constructor(private readonly server: HeddleServer) {
    this.item.name = 'Heddle';
    this.item.command = 'heddle.statusMenu';
    this.command.name = 'Heddle: compile command';
    this.disposables.push(
      this.item,
      this.command,
      server.onHealth(() => {
        if (server.health !== 'running') this.known.clear();
        this.show();
      }),
      server.onStatus((status) => {
        const uri = vscode.Uri.parse(status.uri).toString();
        if (status.state === 'closed') this.known.delete(uri);
        else this.known.set(uri, status);
        this.show();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
    );
    this.show();
  }

  /** What is shown now; empty: nothing is. */
  get text(): string {
    return this.shown;
  }

  of(uri: vscode.Uri): Status | undefined {
    return this.known.get(uri.toString());
  }

  private show(): void {
    // If the panel is in front, the file beside it counts.
    const editor =
      vscode.window.activeTextEditor ??
      vscode.window.visibleTextEditors.find((visible) => visible.document.languageId === 'c');
    const status = editor && this.of(editor.document.uri);
    const isC = editor?.document.languageId === 'c';
    const isHeader = editor !== undefined && !status && /\.(h|inc|def)$/.test(editor.document.uri.path);
    void vscode.commands.executeCommand(
      'setContext',
      'heddle.findings',
      (status?.findings ?? 0) + (status?.suppressed ?? 0) > 0,
    );
    if (this.server.health === 'missing') {
      this.set(
        '$(warning)',
        'Heddle: no binary',
        notFound(vscode.workspace.getConfiguration('heddle').get('path', '')),
        'statusBarItem.warningBackground',
      );
    } else if (this.server.health === 'waiting' || this.server.health === 'starting') {
      this.set('$(loading~spin)', 'Heddle: starting', 'The server is being started.');
    } else if (this.server.health === 'running' && isC && status) {
      const bad = status.state === 'violated' && status.findings > 0 && !status.stale;
      this.set(
        words[status.state].icon,
        `Heddle: ${statusText(status)}`,
        tooltip(status),
        bad ? 'statusBarItem.errorBackground' : undefined,
      );
    } else if (this.server.health === 'running' && isHeader && this.known.size > 0) {
      // A header is explored with the files that include it.
      const findings = [...this.known.values()].reduce(
        (sum, each) => sum + (each.stale ? 0 : each.findings),
        0,
      );
      const lines = [...this.known.values()].map(
        (each) => `${vscode.workspace.asRelativePath(vscode.Uri.parse(each.uri))}: ${statusText(each)}`,
      );
      const tip = new vscode.MarkdownString(
        'Headers are explored with the files that include them. Open are:\n',
      );
      for (const line of lines.sort()) {
        tip.appendMarkdown('\n- ');
        tip.appendText(line);
      }
      const text =
        this.known.size === 1
          ? (lines[0] ?? '')
          : findings === 0
            ? 'no bug in open files'
            : `${findings} ${findings === 1 ? 'bug' : 'bugs'} in open files`;
      this.set(
        '$(references)',
        `Heddle: ${text}`,
        tip,
        findings > 0 ? 'statusBarItem.errorBackground' : undefined,
      );
    } else {
      this.item.hide();
      this.shown = '';
    }
    this.command.text = status?.commandGuessed
      ? '$(warning) Heddle: compile command guessed'
      : `Heddle: ${status?.commandSource ?? 'no compile command yet'}`;
    this.command.severity = status?.commandGuessed
      ? vscode.LanguageStatusSeverity.Warning
      : vscode.LanguageStatusSeverity.Information;
    this.command.detail = status?.commandGuessed
      ? 'write a compile_commands.json or compile_flags.txt'
      : 'compile command';
  }

  private set(icon: string, text: string, tip: string | vscode.MarkdownString, background?: string): void {
    this.item.text = `${icon} ${text}`;
    this.shown = text;
    this.item.tooltip = tip;
    this.item.accessibilityInformation = { label: text, role: 'button' };
    this.item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    this.item.show();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}

function tooltip(status: Status): vscode.MarkdownString {
  const tip = new vscode.MarkdownString();
  tip.appendText(status.text);
  tip.appendMarkdown(
    `\n\n${status.paths} paths, ${status.executions} executions, ${status.open} branches open\n`,
  );
  const line = (text: string): void => {
    tip.appendMarkdown('\n- ');
    tip.appendText(text);
  };
  for (const bound of status.bounds) line(`bound: ${bound}`);
  if (status.assumptions > 0) line(`${status.assumptions} assumptions, shown as hints`);
  if (status.suppressed > 0) line(`${status.suppressed} findings suppressed`);
  if (status.commandSource !== '')
    line(`compile command: ${status.commandSource}${status.commandGuessed ? ' (guessed)' : ''}`);
  return tip;
}

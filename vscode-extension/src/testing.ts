// Programs as tests: an item for the entry point of each open C file, in the gutter and in the Testing view. Running one explores
// the file as Verify File does; it passes when the program is verified, and never because a budget was spent.
import * as vscode from 'vscode';
import type { Status } from './protocol';
import type { HeddleServer } from './server';
import { lineOfFunction, outcomeOf, type Outcome } from './testOutcome';

export class ProgramTests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('heddle', 'Heddle');
  private readonly disposables: vscode.Disposable[] = [];
  /** The outcome of the last run of each item, by its id. */
  readonly outcomes = new Map<string, Outcome>();

  constructor(private readonly server: HeddleServer) {
    this.controller.createRunProfile(
      'Explore',
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    this.disposables.push(
      this.controller,
      server.onStatus((status) => this.hear(status)),
    );
  }

  private hear(status: Status): void {
    const uri = vscode.Uri.parse(status.uri);
    const id = uri.toString();
    if (status.state === 'closed') return this.controller.items.delete(id);
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === id);
    if (document?.languageId !== 'c') return;
    const entry = status.entry === '' ? 'main' : status.entry;
    const line = lineOfFunction(document.getText(), entry);
    let item = this.controller.items.get(id);
    if (item === undefined) {
      item = this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
      this.controller.items.add(item);
    }
    item.description = line === undefined ? 'through its project, or a harness' : entry;
    // Without an entry point of its own, the file's first line has the icon.
    item.range = new vscode.Range(line ?? 0, 0, line ?? 0, 0);
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const asked: vscode.TestItem[] = [];
    if (request.include) asked.push(...request.include);
    else this.controller.items.forEach((item) => asked.push(item));
    const items = asked.filter((item) => !request.exclude?.includes(item));
    const run = this.controller.createTestRun(request);
    for (const item of items) run.enqueued(item);
    for (const item of items) {
      if (token.isCancellationRequested) run.skipped(item);
      else await this.explore(item, run, token);
    }
    run.end();
  }

  private async explore(
    item: vscode.TestItem,
    run: vscode.TestRun,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const begun = Date.now();
    run.started(item);
    try {
      const status = await this.verdictOf(item, token);
      const outcome = outcomeOf(status) ?? 'errored';
      this.outcomes.set(item.id, outcome);
      const took = Date.now() - begun;
      run.appendOutput(`${item.label}: ${status.text}\r\n`, undefined, item);
      if (outcome === 'passed') run.passed(item, took);
      else if (outcome === 'failed') run.failed(item, this.messages(item, status), took);
      else run.errored(item, new vscode.TestMessage(status.text), took);
    } catch (error) {
      run.errored(
        item,
        new vscode.TestMessage(error instanceof Error ? error.message : String(error)),
        Date.now() - begun,
      );
    }
  }

  /** Explores the item's file, and waits for what comes of it. */
  private verdictOf(item: vscode.TestItem, token: vscode.CancellationToken): Promise<Status> {
    return new Promise((resolve, reject) => {
      const listening: vscode.Disposable[] = [];
      const end = (then: () => void): void => {
        for (const one of listening) one.dispose();
        then();
      };
      let isAsked = false; // what was heard before that is of an earlier run
      listening.push(
        this.server.onStatus((status) => {
          if (vscode.Uri.parse(status.uri).toString() !== item.id) return;
          if (status.state === 'closed') end(() => reject(new Error('the file was closed')));
          else if (isAsked && outcomeOf(status) !== undefined) end(() => resolve(status));
        }),
        this.server.onHealth((health) => {
          if (health !== 'running') end(() => reject(new Error('the Heddle server has ended')));
        }),
        token.onCancellationRequested(
          () => void this.server.execute('heddle.server.stop', { uri: item.id }).catch(() => undefined),
        ),
      );
      this.server.execute('heddle.server.verify', { uri: item.id }).then(
        () => (isAsked = true),
        (error: unknown) => end(() => reject(error instanceof Error ? error : new Error(String(error)))),
      );
    });
  }

  private messages(item: vscode.TestItem, status: Status): vscode.TestMessage[] {
    const uri = vscode.Uri.parse(item.id);
    const findings = vscode.languages
      .getDiagnostics(uri)
      .filter(
        (diagnostic) =>
          diagnostic.source === 'heddle' && diagnostic.severity === vscode.DiagnosticSeverity.Error,
      );
    const messages = findings.map((diagnostic) => {
      const message = new vscode.TestMessage(diagnostic.message);
      message.location = new vscode.Location(uri, diagnostic.range);
      return message;
    });
    return messages.length > 0 ? messages : [new vscode.TestMessage(status.text)];
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}

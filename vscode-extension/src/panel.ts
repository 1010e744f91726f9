// The interleaving panel: one webview, opened on demand, beside the editor. It shows one finding and follows it.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { DebugPosition, NamedStep } from './debugger';
import type { FromPage, Interleaving, Location, ToPage } from './protocol';
import type { HeddleServer } from './server';

export class InterleavingPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private shown: Interleaving | undefined;
  private ready = false;
  private readonly disposables: vscode.Disposable[] = [];
  private readonly mark: vscode.TextEditorDecorationType;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: HeddleServer,
    private readonly run: {
      replay: (interleaving: Interleaving) => void;
      debug: (interleaving: Interleaving) => void;
      goTo: (uri: string, step: NamedStep) => void;
    },
  ) {
    this.mark = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      backgroundColor: new vscode.ThemeColor('editor.stackFrameHighlightBackground'),
      overviewRulerColor: new vscode.ThemeColor('charts.orange'),
    });
    this.disposables.push(
      this.mark,
      server.onStatus((status) => {
        if (
          this.shown &&
          status.uri === this.shown.uri &&
          !['compiling', 'waiting', 'exploring'].includes(status.state)
        )
          void this.refresh();
      }),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (this.shown && event.document.uri.toString() === vscode.Uri.parse(this.shown.uri).toString())
          this.unmark();
      }),
      vscode.window.onDidChangeTextEditorSelection((event) => {
        if (event.kind !== undefined && event.kind !== vscode.TextEditorSelectionChangeKind.Command)
          this.post({
            type: 'line',
            uri: event.textEditor.document.uri.toString(),
            line: event.selections[0]?.active.line ?? 0,
          });
      }),
    );
  }

  async show(uri: string, finding?: string): Promise<void> {
    const interleaving = await this.server.interleaving(uri, finding);
    if (!interleaving) {
      void vscode.window.showInformationMessage('Heddle: there is no finding to show in this file.');
      return;
    }
    this.shown = interleaving;
    this.open();
    this.send();
  }

  /** A debug session of the file now stands at this position. */
  follow(uri: string, position: DebugPosition): void {
    if (this.shown && vscode.Uri.parse(this.shown.uri).toString() === uri)
      this.post({
        type: 'debugged',
        thread: position.thread,
        line: position.line - 1,
        share: position.steps > 0 ? position.step / position.steps : 0,
        next: position.next,
      });
  }

  private open(): void {
    if (this.panel) {
      this.panel.reveal(undefined, false);
      return;
    }
    const media = vscode.Uri.joinPath(this.extension, 'media'),
      out = vscode.Uri.joinPath(this.extension, 'out');
    const panel = vscode.window.createWebviewPanel(
      'heddle.interleaving',
      'Interleaving',
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false },
      {
        enableScripts: true,
        localResourceRoots: [media, out],
        retainContextWhenHidden: true,
        enableFindWidget: true,
      },
    );
    this.panel = panel;
    this.ready = false;
    panel.webview.onDidReceiveMessage((message: FromPage) => void this.receive(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.shown = undefined;
      this.unmark();
    });
    panel.webview.html = page(panel.webview, media, out);
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        this.send();
        break;
      case 'reveal':
        await this.reveal(message.location, message.focus);
        break;
      case 'replay':
        if (this.shown) this.run.replay(this.shown);
        break;
      case 'debug':
        if (this.shown) this.run.debug(this.shown);
        break;
      case 'walked':
        if (this.shown) this.run.goTo(this.shown.uri, message.step);
        break;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        void vscode.window.setStatusBarMessage('Heddle: copied', 2000);
        break;
    }
  }

  private async reveal(location: Location, focus: boolean): Promise<void> {
    const { start, end } = location.range;
    const range = new vscode.Range(start.line, start.character, end.line, end.character);
    const uri = vscode.Uri.parse(location.uri);
    const editor = vscode.window.visibleTextEditors.find(
      (visible) => visible.document.uri.toString() === uri.toString(),
    );
    const document = editor?.document ?? (await vscode.workspace.openTextDocument(uri));
    const shown = await vscode.window.showTextDocument(document, {
      viewColumn: editor?.viewColumn ?? vscode.ViewColumn.One,
      preserveFocus: !focus,
      selection: range,
    });
    this.unmark();
    shown.setDecorations(this.mark, [range]);
  }

  private unmark(): void {
    for (const editor of vscode.window.visibleTextEditors) editor.setDecorations(this.mark, []);
  }

  private async refresh(): Promise<void> {
    if (!this.shown || !this.panel) return;
    const now = await this.server.interleaving(this.shown.uri, this.shown.finding);
    if (now) {
      this.shown = now;
      this.send();
    } else {
      this.post({ type: 'gone' });
    }
  }

  private send(): void {
    if (this.shown) this.post({ type: 'show', interleaving: this.shown });
  }

  private post(message: ToPage): void {
    if (this.panel && this.ready) void this.panel.webview.postMessage(message);
  }

  dispose(): void {
    this.panel?.dispose();
    for (const disposable of this.disposables) disposable.dispose();
  }
}

function page(webview: vscode.Webview, media: vscode.Uri, out: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const style = webview.asWebviewUri(vscode.Uri.joinPath(media, 'panel.css')).toString();
  const script = webview.asWebviewUri(vscode.Uri.joinPath(out, 'webview.js')).toString();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Interleaving</title>
</head>
<body>
<main id="root" aria-busy="true"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

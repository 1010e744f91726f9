// Coverage in the gutter: for each branch whether schedules take its sides, whether none can, or whether that is open.
// It is made on the user's command only. An edit makes it stale, which is shown; the marks stay at their lines.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { marksOf, moved, type Mark } from './coverageMarks';
import type { Coverage, CoverageState } from './protocol';
import type { HeddleServer } from './server';

type Look = CoverageState | 'stale';

const icons: Record<Look, string> = {
  covered: 'covered.svg',
  'cannot be': 'cannot-be.svg',
  open: 'open.svg',
  stale: 'stale.svg',
};

interface Shown {
  coverage: Coverage;
  marks: Map<string, Mark[]>; // by file
  stale: boolean;
}

const isHeader = (file: string): boolean => ['.h', '.inc', '.def'].includes(path.extname(file));

export class CoverageView implements vscode.Disposable {
  private readonly types: Record<Look, vscode.TextEditorDecorationType>;
  private readonly disposables: vscode.Disposable[];
  private readonly shown = new Map<string, Shown>(); // by the file that was asked for

  constructor(
    extension: vscode.Uri,
    private readonly server: HeddleServer,
  ) {
    const type = (look: Look): vscode.TextEditorDecorationType =>
      vscode.window.createTextEditorDecorationType({
        gutterIconPath: vscode.Uri.joinPath(extension, 'media', icons[look]),
        gutterIconSize: 'contain',
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
        ...(look === 'open'
          ? {
              overviewRulerColor: new vscode.ThemeColor('editorWarning.foreground'),
              overviewRulerLane: vscode.OverviewRulerLane.Left,
            }
          : {}),
      });
    this.types = {
      covered: type('covered'),
      'cannot be': type('cannot be'),
      open: type('open'),
      stale: type('stale'),
    };
    this.disposables = [
      ...Object.values(this.types),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
      vscode.workspace.onDidChangeTextDocument((event) => this.edited(event)),
    ];
  }

  /** Returns what the server answers to any client, and draws it. */
  async show(uri: string): Promise<Coverage> {
    const coverage = (await this.server.execute('heddle.server.cover', { uri })) as Coverage;
    const files = new Set(
      [coverage.uri, ...coverage.branches.map((branch) => branch.location.uri)].map((file) =>
        vscode.Uri.parse(file).toString(),
      ),
    );
    const marks = new Map([...files].map((file) => [file, marksOf(withOwnUris(coverage), file)]));
    const stale = vscode.workspace.textDocuments.some(
      (document) =>
        document.uri.toString() === vscode.Uri.parse(coverage.uri).toString() &&
        document.version !== coverage.version,
    );
    this.shown.set(vscode.Uri.parse(uri).toString(), { coverage, marks, stale });
    await vscode.commands.executeCommand('setContext', 'heddle.coverage', true);
    this.draw();
    vscode.window.setStatusBarMessage(`Heddle: ${coverage.text}`, 15_000);
    return coverage;
  }

  hide(): void {
    this.shown.clear();
    void vscode.commands.executeCommand('setContext', 'heddle.coverage', false);
    this.draw();
  }

  private edited(event: vscode.TextDocumentChangeEvent): void {
    if (event.contentChanges.length === 0) return;
    const uri = event.document.uri.toString();
    let changed = false;
    for (const shown of this.shown.values()) {
      const marks = shown.marks.get(uri);
      if (!marks && !isHeader(event.document.uri.path)) continue;
      if (marks) shown.marks.set(uri, event.contentChanges.reduce(moved, marks));
      shown.stale = changed = true;
    }
    if (changed) this.draw();
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const uri = editor.document.uri.toString();
      const found: Record<Look, vscode.DecorationOptions[]> = {
        covered: [],
        'cannot be': [],
        open: [],
        stale: [],
      };
      const drawn = new Set<number>(); // a file of two programs: the latest answer counts
      for (const shown of [...this.shown.values()].reverse())
        for (const mark of shown.marks.get(uri) ?? []) {
          if (mark.line >= editor.document.lineCount || drawn.has(mark.line)) continue;
          drawn.add(mark.line);
          found[shown.stale ? 'stale' : mark.state].push(decoration(editor.document, mark, shown.stale));
        }
      for (const look of Object.keys(found) as Look[]) editor.setDecorations(this.types[look], found[look]);
    }
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}

function decoration(document: vscode.TextDocument, mark: Mark, stale: boolean): vscode.DecorationOptions {
  const line = document.lineAt(mark.line);
  const hover = new vscode.MarkdownString();
  hover.appendMarkdown(
    stale ? '**Heddle coverage**, of the text before it was edited' : '**Heddle coverage**',
  );
  hover.appendText(`\n${mark.text}`);
  const options: vscode.DecorationOptions = {
    range: new vscode.Range(mark.line, line.firstNonWhitespaceCharacterIndex, mark.line, line.text.length),
    hoverMessage: hover,
  };
  if (mark.missing && !stale)
    options.renderOptions = {
      after: {
        contentText: mark.missing,
        color: new vscode.ThemeColor('editorCodeLens.foreground'),
        fontStyle: 'italic',
        margin: '0 0 0 2em',
      },
    };
  return options;
}

/** URIs as this editor writes them. */
function withOwnUris(coverage: Coverage): Coverage {
  const own = (uri: string): string => vscode.Uri.parse(uri).toString();
  return {
    ...coverage,
    branches: coverage.branches.map((branch) => ({
      ...branch,
      location: { ...branch.location, uri: own(branch.location.uri) },
    })),
  };
}

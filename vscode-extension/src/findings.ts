// The view "Findings": file, finding, threads, steps. It holds what the Problems view holds; the threads and steps of a
// finding are asked for when the user opens it.
import * as path from 'path';
import * as vscode from 'vscode';
import { type StepNode, type ThreadNode, threadsOf } from './findingTree';
import type { HeddleServer } from './server';

type Node =
  | { type: 'file'; uri: vscode.Uri }
  | { type: 'finding'; uri: vscode.Uri; id: string; diagnostic: vscode.Diagnostic }
  | { type: 'thread'; thread: ThreadNode }
  | { type: 'step'; step: StepNode };

/** What the view's own menu gives to a command. */
export function isFindingNode(value: unknown): value is { uri: vscode.Uri; id: string } {
  const node = value as Partial<{ type: string; uri: unknown; id: unknown }>;
  return node.type === 'finding' && node.uri instanceof vscode.Uri && typeof node.id === 'string';
}

export class FindingTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = vscode.window.createTreeView<Node>('heddle.findings', { treeDataProvider: this });
  private readonly listener = vscode.languages.onDidChangeDiagnostics(() => {
    this.changed.fire(undefined);
  });

  constructor(private readonly server: HeddleServer) {}

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) {
      const files = new Map(this.server.findings().map((each) => [each.uri.toString(), each.uri]));
      return [...files.values()]
        .sort((a, b) => a.path.localeCompare(b.path))
        .map((uri): Node => ({ type: 'file', uri }));
    }
    switch (node.type) {
      case 'file':
        return this.server
          .findings()
          .filter((each) => each.uri.toString() === node.uri.toString())
          .sort(
            (a, b) =>
              a.diagnostic.severity - b.diagnostic.severity ||
              a.diagnostic.range.start.line - b.diagnostic.range.start.line,
          )
          .map((each): Node => ({ type: 'finding', ...each }));
      case 'finding': {
        const interleaving = await this.server.interleaving(node.uri.toString(), node.id);
        return interleaving === null
          ? []
          : threadsOf(interleaving).map((thread): Node => ({ type: 'thread', thread }));
      }
      case 'thread':
        return node.thread.steps.map((step): Node => ({ type: 'step', step }));
      case 'step':
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.type) {
      case 'file': {
        const item = new vscode.TreeItem(node.uri, vscode.TreeItemCollapsibleState.Expanded);
        item.label = path.basename(node.uri.path);
        item.iconPath = vscode.ThemeIcon.File;
        return item;
      }
      case 'finding': {
        const item = new vscode.TreeItem(
          node.diagnostic.message.split('\n', 1)[0] ?? '',
          vscode.TreeItemCollapsibleState.Collapsed,
        );
        item.id = `${node.uri.toString()} ${node.id}`;
        item.description = `line ${node.diagnostic.range.start.line + 1}`;
        item.tooltip = node.diagnostic.message;
        item.contextValue = 'finding';
        const isError = node.diagnostic.severity === vscode.DiagnosticSeverity.Error;
        item.iconPath = new vscode.ThemeIcon(
          isError ? 'error' : 'warning',
          new vscode.ThemeColor(isError ? 'problemsErrorIcon.foreground' : 'problemsWarningIcon.foreground'),
        );
        item.command = {
          command: 'vscode.open',
          title: 'Go to',
          arguments: [node.uri, { selection: node.diagnostic.range, preserveFocus: true }],
        };
        return item;
      }
      case 'thread': {
        const item = new vscode.TreeItem(node.thread.label, vscode.TreeItemCollapsibleState.Collapsed);
        item.description = node.thread.description;
        item.iconPath = new vscode.ThemeIcon('git-commit');
        return item;
      }
      case 'step': {
        const item = new vscode.TreeItem(node.step.label);
        item.description = node.step.description;
        if (node.step.core)
          item.iconPath = new vscode.ThemeIcon(
            'circle-filled',
            new vscode.ThemeColor('problemsErrorIcon.foreground'),
          );
        if (node.step.location) {
          const { uri, range } = node.step.location;
          const selection = new vscode.Range(
            range.start.line,
            range.start.character,
            range.end.line,
            range.end.character,
          );
          item.command = {
            command: 'vscode.open',
            title: 'Go to',
            arguments: [vscode.Uri.parse(uri), { selection, preserveFocus: true }],
          };
        }
        return item;
      }
    }
  }

  dispose(): void {
    this.listener.dispose();
    this.view.dispose();
    this.changed.dispose();
  }
}

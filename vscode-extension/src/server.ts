// The language server's life: found, started, watched, started again when it ends by itself.
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  State,
  type InitializeParams,
  type LanguageClientOptions,
  type ServerOptions,
  type StaticFeature,
} from 'vscode-languageclient/node';
import { Backoff } from './backoff';
import { findServer } from './findServer';
import type { Interleaving, Status } from './protocol';
import { serverSettings } from './settings';

export type Health = 'off' | 'missing' | 'starting' | 'running' | 'waiting';

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Tells the server what this client can do beyond the standard. */
const announce: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = {
      ...(capabilities.experimental as object),
      heddle: { status: true, interleavingPanel: true, coverage: true, debugger: true },
    };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

export class HeddleServer implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff();
  private generation = 0; // a client of an older generation has been given up
  private readonly healthChanged = new vscode.EventEmitter<Health>();
  private readonly statusChanged = new vscode.EventEmitter<Status>();
  readonly onHealth = this.healthChanged.event;
  readonly onStatus = this.statusChanged.event;
  health: Health = 'off';
  binary: string | undefined;

  constructor(
    private readonly output: vscode.LogOutputChannel,
    private readonly extensionPath: string,
  ) {}

  find(): string | undefined {
    const config = vscode.workspace.getConfiguration('heddle');
    const found = findServer({
      setting: config.get('path', ''),
      bundled: path.join(this.extensionPath, 'server', 'bin', 'heddle'),
      folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
      pathVariable: process.env['PATH'] ?? '',
      home: os.homedir(),
      isExecutable,
    });
    if (found.file === undefined) this.output.warn(`no heddle binary; looked for ${found.tried.join(', ')}`);
    return found.file;
  }

  /** Stops the running server and starts a new one, unless the server is switched off. */
  async restart(): Promise<void> {
    this.backoff.reset();
    await this.stop();
    await this.start();
  }

  private async start(): Promise<void> {
    const generation = ++this.generation;
    const config = vscode.workspace.getConfiguration('heddle');
    if (!config.get('enable', true)) return this.become('off');
    this.binary = this.find();
    if (this.binary === undefined) return this.become('missing');
    this.become('starting');
    this.output.info(`starting ${this.binary} lsp`);
    const begun = Date.now();
    const run = { command: this.binary, args: ['lsp', ...config.get<string[]>('arguments', [])] };
    const serverOptions: ServerOptions = { run, debug: run };
    const options: LanguageClientOptions = {
      documentSelector: [
        { language: 'c', scheme: 'file' },
        { language: 'c', scheme: 'untitled' },
        { scheme: 'file', pattern: '**/*.{h,inc,def}' },
        { scheme: 'file', pattern: '**/.heddle.yaml' },
      ],
      outputChannel: this.output,
      initializationOptions: { heddle: serverSettings() },
      // The server asks for its settings under its own names, one file at a time.
      middleware: {
        workspace: {
          configuration: (params) =>
            params.items.map((item) =>
              item.section === 'heddle'
                ? serverSettings(item.scopeUri === undefined ? undefined : vscode.Uri.parse(item.scopeUri))
                : null,
            ),
        },
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          this.ended(generation, Date.now() - begun);
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
    const client = new LanguageClient('heddle', 'Heddle', serverOptions, options);
    client.registerFeature(announce);
    client.onNotification('heddle/status', (status: Status) => this.statusChanged.fire(status));
    this.client = client;
    try {
      await client.start();
      if (generation === this.generation) this.become('running');
    } catch (error) {
      this.output.error(`the server did not start: ${String(error)}`);
      this.ended(generation, Date.now() - begun);
    }
  }

  private ended(generation: number, lived: number): void {
    if (generation !== this.generation || this.timer !== undefined) return;
    const delay = this.backoff.next(lived);
    this.output.warn(`the server has ended; starting it again in ${delay} ms`);
    this.become('waiting');
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.client?.dispose().catch(() => undefined);
      this.client = undefined;
      void this.start();
    }, delay);
  }

  async stop(): Promise<void> {
    this.generation++;
    clearTimeout(this.timer);
    this.timer = undefined;
    const client = this.client;
    this.client = undefined;
    this.become('off');
    if (client?.state === State.Running || client?.state === State.Starting) {
      try {
        await client.stop(3000);
      } catch (error) {
        this.output.warn(`the server did not stop cleanly: ${String(error)}`);
      }
    }
    await client?.dispose().catch(() => undefined);
  }

  async tellSettings(): Promise<void> {
    if (this.client?.state === State.Running)
      await this.client.sendNotification('workspace/didChangeConfiguration', {
        settings: { heddle: serverSettings() },
      });
  }

  async interleaving(uri: string, finding?: string): Promise<Interleaving | null> {
    if (this.client?.state !== State.Running) return null;
    const params = finding === undefined ? { textDocument: { uri } } : { textDocument: { uri }, finding };
    return this.client.sendRequest<Interleaving | null>('heddle/interleaving', params);
  }

  async execute(command: string, argument: object): Promise<unknown> {
    if (this.client?.state !== State.Running) throw new Error('the Heddle server is not running');
    return this.client.sendRequest('workspace/executeCommand', { command, arguments: [argument] });
  }

  /** The diagnostics that are shown, with the ids of their findings. */
  findings(): { uri: vscode.Uri; id: string; diagnostic: vscode.Diagnostic }[] {
    const found: { uri: vscode.Uri; id: string; diagnostic: vscode.Diagnostic }[] = [];
    this.client?.diagnostics?.forEach((uri, diagnostics) => {
      for (const diagnostic of diagnostics as readonly (vscode.Diagnostic & {
        data?: { finding?: string };
      })[])
        if (diagnostic.data?.finding !== undefined)
          found.push({ uri, id: diagnostic.data.finding, diagnostic });
    });
    return found;
  }

  /** The id of the finding shown at a position, or of the first one in the file. */
  findingAt(uri: vscode.Uri, position: vscode.Position): string | undefined {
    const diagnostics = (this.client?.diagnostics?.get(uri) ?? []) as readonly (vscode.Diagnostic & {
      data?: { finding?: string };
    })[];
    const withId = diagnostics.filter((diagnostic) => diagnostic.data?.finding !== undefined);
    const near =
      withId.find((diagnostic) => diagnostic.range.contains(position)) ??
      withId.find((d) => d.range.start.line === position.line);
    return (near ?? withId[0])?.data?.finding;
  }

  version(): string {
    const info = this.client?.initializeResult?.serverInfo;
    return info
      ? `${info.name} ${info.version ?? ''} (${this.binary ?? ''})`
      : 'the Heddle server is not running';
  }

  private become(health: Health): void {
    this.health = health;
    void vscode.commands.executeCommand('setContext', 'heddle.running', health === 'running');
    this.healthChanged.fire(health);
  }

  dispose(): void {
    void this.stop();
    this.healthChanged.dispose();
    this.statusChanged.dispose();
  }
}

export type { InitializeParams };

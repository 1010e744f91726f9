// A small LSP client for measurements: one server process, requests with their times, diagnostics as they come.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

export const capabilities = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    publishDiagnostics: { versionSupport: true, relatedInformation: true, dataSupport: true },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } }, isPreferredSupport: true, disabledSupport: true, dataSupport: true, resolveSupport: { properties: ['edit'] } },
  },
  workspace: { workspaceFolders: true },
};

export class Server {
  #next = 1;
  #open = new Map();
  #buffer = Buffer.alloc(0);
  #waiters = new Set();
  diagnostics = new Map(); // uri → the last publication
  requests = 0;
  answers = 0;

  constructor(command, args) {
    this.process = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.process.stdout.on('data', (data) => this.#feed(data));
    this.exited = new Promise((done) => this.process.on('exit', done));
  }

  #feed(data) {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const end = this.#buffer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#buffer.toString('latin1', 0, end))[1]);
      if (this.#buffer.length < end + 4 + length) return;
      const message = JSON.parse(this.#buffer.toString('utf8', end + 4, end + 4 + length));
      this.#buffer = this.#buffer.subarray(end + 4 + length);
      this.#take(message);
    }
  }

  #take(message) {
    if (message.method && message.id !== undefined) {
      this.#send({ jsonrpc: '2.0', id: message.id, result: null });
    } else if (message.method === 'textDocument/publishDiagnostics') {
      this.diagnostics.set(message.params.uri, { ...message.params, at: performance.now() });
    } else if (message.id !== undefined) {
      this.answers++;
      this.#open.get(message.id)?.(message);
      this.#open.delete(message.id);
    }
    for (const waiter of [...this.#waiters]) waiter(message);
  }

  #send(message) {
    const body = Buffer.from(JSON.stringify(message));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  notify(method, params) {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  request(method, params) {
    const id = this.#next++;
    this.requests++;
    this.#send({ jsonrpc: '2.0', id, method, params });
    return new Promise((done) => this.#open.set(id, done));
  }

  /** The first message from now on that fits; null after `patience` milliseconds. */
  waitFor(fits, patience = 60_000) {
    return new Promise((done) => {
      const finish = (message) => {
        clearTimeout(timer);
        this.#waiters.delete(look);
        done(message);
      };
      const timer = setTimeout(() => finish(null), patience);
      const look = (message) => fits(message) && finish(message);
      this.#waiters.add(look);
    });
  }

  async start(root, initializationOptions) {
    const uri = pathToFileURL(root).href;
    await this.request('initialize', { processId: process.pid, rootUri: uri, capabilities, initializationOptions, workspaceFolders: [{ uri, name: 'w' }] });
    this.notify('initialized', {});
  }

  open(uri, text, version = 1) {
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'c', version, text } });
  }

  change(uri, version, contentChanges) {
    this.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
  }

  async stop() {
    await this.request('shutdown', null);
    this.notify('exit', null);
    return this.exited;
  }

  /** The processes that explore for the server. */
  workers() {
    return fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => statOf(pid)?.[1] === String(this.process.pid));
  }

  /** Resident memory in MB and used processor time in seconds, of the server and its workers. */
  usage() {
    const sum = { rss: 0, cpu: 0 };
    for (const pid of [this.process.pid, ...this.workers()]) {
      const stat = statOf(pid);
      if (!stat) continue;
      sum.rss += (Number(stat[21]) * 4096) / 1024 / 1024;
      sum.cpu += (Number(stat[11]) + Number(stat[12])) / 100;
    }
    return sum;
  }
}

/** The fields of /proc/PID/stat behind the command; undefined when the process is gone. */
const statOf = (pid) => {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  } catch {
    return undefined;
  }
};

export const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
};

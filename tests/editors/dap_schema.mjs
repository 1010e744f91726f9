// A session of `heddle dap`, each message checked against the protocol's own types: they are published as TypeScript
// (npm: @vscode/debugprotocol), so the compiler is asked whether each message is one of its type.
//   node tests/editors/dap_schema.mjs HEDDLE FILE.c FOLDER    FOLDER: with node_modules of typescript and @vscode/debugprotocol
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const [heddle, program, folder] = process.argv.slice(2);
const server = spawn(heddle, ['dap'], { stdio: ['pipe', 'pipe', 'inherit'] });
const messages = [];
let buffer = Buffer.alloc(0), waiting = [], seq = 0;
server.stdout.on('data', (data) => {
  buffer = Buffer.concat([buffer, data]);
  for (;;) {
    const end = buffer.indexOf('\r\n\r\n');
    const length = end < 0 ? NaN : Number(/Content-Length: (\d+)/.exec(buffer.toString('latin1', 0, end))[1]);
    if (!(buffer.length >= end + 4 + length)) break;
    messages.push(JSON.parse(buffer.toString('utf8', end + 4, end + 4 + length)));
    buffer = buffer.subarray(end + 4 + length);
  }
  waiting = waiting.filter((look) => !look());
});
const until = (test) => new Promise((done, fail) => {
  const timer = setTimeout(() => fail(new Error('no answer')), 60000);
  const look = () => {
    const found = messages.find(test);
    if (found) { clearTimeout(timer); done(found); }
    return found !== undefined;
  };
  if (!look()) waiting.push(look);
});
async function request(command, args) {
  const mine = ++seq;
  const body = JSON.stringify({ seq: mine, type: 'request', command, arguments: args });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return until((message) => message.type === 'response' && message.request_seq === mine);
}
async function move(command, args) {
  const before = messages.length;
  await request(command, args);
  return until((message) => messages.indexOf(message) >= before && message.event === 'stopped');
}

await request('initialize', { adapterID: 'heddle' });
await request('launch', { program });
await request('setBreakpoints', { source: { path: path.resolve(program) }, breakpoints: [{ line: 1 }, { line: 100000 }] });
await request('setFunctionBreakpoints', { breakpoints: [{ name: 'main' }, { name: 'nobody' }] });
await request('setExceptionBreakpoints', { filters: ['race', 'assert', 'deadlock', 'memory'] });
await request('setFunctionBreakpoints', { breakpoints: [] });
await request('setBreakpoints', { source: { path: path.resolve(program) }, breakpoints: [] });
await move('configurationDone');
for (const [command, args] of [['threads'], ['exceptionInfo', { threadId: 1 }]]) await request(command, args);
let thread = messages.findLast((message) => message.event === 'stopped').body.threadId;
const frames = (await request('stackTrace', { threadId: thread })).body.stackFrames;
const scopes = (await request('scopes', { frameId: frames[0].id })).body.scopes;
for (const scope of scopes)
  for (const variable of (await request('variables', { variablesReference: scope.variablesReference })).body.variables) {
    if (variable.variablesReference) await request('variables', { variablesReference: variable.variablesReference });
    if (variable.evaluateName) await request('evaluate', { expression: variable.evaluateName, frameId: frames[0].id });
    await request('dataBreakpointInfo', { name: variable.name, variablesReference: scope.variablesReference });
  }
await request('evaluate', { expression: 'nobody +', frameId: frames[0].id });
for (let i = 0; i < 6; ++i) await move('stepBack', { threadId: thread });
for (const command of ['next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'continue', 'pause']) {
  thread = messages.findLast((message) => message.event === 'stopped').body.threadId;
  await move(command, { threadId: thread });
}
await request('unknownRequest', {});
await request('disconnect', {});
server.stdin.end();

const typeOf = (message) => {
  const upper = (name) => name[0].toUpperCase() + name.slice(1);
  if (message.type === 'response' && !message.success) return 'ErrorResponse';
  const name = message.event ?? message.command;
  if (name.startsWith('heddle/')) return message.type === 'event' ? 'Event' : 'Response';
  return upper(name) + (message.type === 'event' ? 'Event' : 'Response');
};
const lines = [`import { DebugProtocol } from '@vscode/debugprotocol';`];
messages.forEach((message, i) => lines.push(`export const message${i}: DebugProtocol.${typeOf(message)} = ${JSON.stringify(message)};`));
const text = path.join(folder, 'session.ts');
fs.writeFileSync(text, lines.join('\n') + '\n');
try {
  execFileSync(path.join(folder, 'node_modules/.bin/tsc'), ['--noEmit', '--strict', '--module', 'commonjs', '--moduleResolution', 'node10', text], { encoding: 'utf8', cwd: folder });
} catch (error) {
  console.log(error.stdout);
  process.exit(1);
}
console.log(`${messages.length} messages, each as the protocol's types have it`);

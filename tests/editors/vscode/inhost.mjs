// Runs tests/editors/vscode/inhost/index.cjs inside the real extension host: opens the workbench with the extension in
// development mode and hands it the tests, which report through the smoke-test driver.
import { chromium } from 'playwright-core';
import { chromiumArguments, say } from './workbench.mjs';

const { PORT: port, WORKSPACE: workspace, EXTENSION: extension, TESTS: tests, HEDDLE: heddle } = process.env;
const remote = `vscode-remote://127.0.0.1:${port}`;
const payload = [
  ['extensionDevelopmentPath', remote + extension],
  ['extensionTestsPath', remote + tests],
  ['extensionEnvironment', JSON.stringify({ HEDDLE_WORKSPACE: workspace, HEDDLE: heddle })],
  ['skipWelcome', 'true'],
];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: chromiumArguments });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const ended = new Promise((done) => {
  void page.exposeFunction('codeAutomationLog', (_, args) => {
    const text = String(args?.[0] ?? '');
    if (/^(ok|FAIL|in host)/.test(text)) say(text);
  });
  void page.exposeFunction('codeAutomationExit', (code) => done(code));
});
// A file of a workspace opens all its folders.
const opened = workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
await page.goto(`http://127.0.0.1:${port}/?${opened}=${workspace}&payload=${encodeURIComponent(JSON.stringify(payload))}`);
const result = await Promise.race([ended, new Promise((done) => setTimeout(() => done('no end within 180 s'), 180_000))]);
await browser.close();
say(`in the extension host: ${result === 0 ? 'ALL OK' : result}`);
process.exit(result === 0 ? 0 : 1);

// VS Code where no heddle binary is found: what is said, what the menu offers, and a path that is set brings the server.
import fs from 'node:fs';
import { check, openWorkbench, say, until } from './workbench.mjs';

const { WORKSPACE: workspace, PORT: port, PICTURES: pictures, MACHINE: machine, HEDDLE: heddle } = process.env;
fs.writeFileSync(machine, JSON.stringify({ 'heddle.path': '/nowhere/heddle' }));
const w = await openWorkbench(`http://127.0.0.1:${port}/?folder=${workspace}`, pictures);
const { page } = w;
let code = 0;

const rows = () => page.locator('.quick-input-list .monaco-list-row');

try {
  await w.open('tickets.c');
  const missing = w.statusItem('Heddle: no binary');
  await missing.waitFor();
  check(true, 'the status item says that there is no binary');
  await missing.click();
  await rows().filter({ hasText: 'Set the Path' }).waitFor();
  const offered = (await rows().allTextContents()).join('; ');
  check(/^[^;]*Set the Path/.test(offered) && !/Verify|Interleaving|Coverage/.test(offered), `the menu begins with the way out, and has nothing that cannot work: ${offered}`);
  await page.keyboard.press('Escape');
  await rows().first().waitFor({ state: 'hidden' });

  await w.command('Notifications: Show Notifications'); // one that has been shown for its time is kept there
  const toast = page.locator('.notification-list-item').filter({ hasText: '/nowhere/heddle' }).first();
  await toast.waitFor();
  await w.picture('vscode-no-binary');
  await toast.locator('.monaco-button', { hasText: 'Set the Path' }).click();
  const box = page.locator('.quick-input-widget input.input');
  await page.locator('.quick-input-title', { hasText: 'The heddle binary' }).waitFor();
  // The dialog sets its text when it has read a folder, over what was typed before: the text is given again.
  await until('the file is taken', async () => {
    if (!(await box.isVisible())) return true;
    if ((await box.inputValue()) !== heddle) await box.fill(heddle);
    else await page.keyboard.press('Enter');
    return box.waitFor({ state: 'hidden', timeout: 1000 }).then(() => true, () => false);
  });
  await w.statusItem('Heddle: ').filter({ hasText: 'bug' }).waitFor();
  check(true, 'the file is chosen, the server starts, the bug is shown');
  check(JSON.parse(fs.readFileSync(machine, 'utf8'))['heddle.path'] === heddle, 'the path stands in the settings of the machine that the server runs on');
  say('ALL OK');
} catch (error) {
  code = 1;
  console.error(error);
  await page.screenshot({ path: process.env.FAILURE ?? 'failure.png' });
}
await w.close();
process.exit(code);

// VS Code's workbench in headless Chromium, as a user has it: keys, clicks and what is on the screen.
import { chromium } from 'playwright-core';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const begun = Date.now();
export const say = (text) => console.log(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`);

export function check(condition, what) {
  if (!condition) throw new Error(`FAIL ${what}`);
  say(`ok   ${what}`);
}

export const chromiumArguments = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** What `condition` gives as soon as it is true-like; an error after `patience` milliseconds. */
export async function until(what, condition, patience = 60_000) {
  for (const deadline = Date.now() + patience; ; await new Promise((done) => setTimeout(done, 100))) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`not within ${patience / 1000} s: ${what}`);
  }
}

export async function openWorkbench(url, pictures) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'heddle-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, viewport: { width: 1500, height: 840 }, args: chromiumArguments,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  await page.waitForSelector('.monaco-workbench', { timeout: 120_000 });
  say('workbench');

  const input = page.locator('.quick-input-widget input.input');
  const row = (text) => page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first();
  // The box of the command before may still be closing: what is typed into it is lost.
  const choose = async (key, typed, shown) => {
    await until(`a box takes '${typed}'`, async () => {
      await input.waitFor({ state: 'hidden', timeout: 5000 }).catch(() => page.keyboard.press('Escape'));
      await page.keyboard.press(key);
      return input.fill(typed, { timeout: 5000 }).then(() => true, () => false);
    });
    // Enter takes the row with the focus, which is another one until the list is filtered.
    await page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: shown }).first().waitFor();
    // On a slow machine an Enter that comes too early is lost: the box is still there, with what was typed.
    const typedStill = () => input.evaluate((element, text) => element.value === text && document.activeElement === element, typed, { timeout: 1000 }).catch(() => false);
    await until(`'${shown}' is taken`, async () => {
      await page.keyboard.press('Enter');
      return until('the box has taken it', async () => !(await input.isVisible()) || !(await typedStill()), 5000).then(() => true, () => false);
    });
  };
  // A text that is marked anew just then closes its hover.
  const hover = async (text) => {
    const shown = page.locator('.monaco-hover:not(.hidden)').filter({ hasText: text }).first();
    await until(`a hover with '${text}'`, async () => {
      await page.keyboard.press('Control+K');
      await page.keyboard.press('Control+I');
      if (await shown.waitFor({ timeout: 5000 }).then(() => true, () => false)) return true;
      await page.keyboard.press('Escape');
      return false;
    });
    return shown;
  };
  return {
    page,
    picture: async (name) => {
      if (!pictures) return;
      const still = () => document.getAnimations().every((animation) => animation.playState !== 'running' || animation.effect?.getComputedTiming().iterations === Infinity);
      await page.waitForFunction(still);
      await page.screenshot({ path: path.join(pictures, `${name}.png`) });
      say(`picture ${name}`);
    },
    close: async () => {
      await context.close();
      fs.rmSync(profile, { recursive: true, force: true });
    },
    command: (title) => choose('F1', `>${title}`, title),
    hover,
    pick: (text) => row(text).click(),
    open: (name) => until(`${name} is open`, async () => {
      await choose('Control+P', name, name);
      await input.waitFor({ state: 'hidden' });
      return page.locator('.tab.active').filter({ hasText: name }).first().waitFor({ timeout: 3000 }).then(() => true, () => false);
    }),
    goTo: async (line, column) => {
      await page.keyboard.press('Control+G');
      await input.waitFor({ state: 'visible' });
      await input.fill(`:${line}:${column}`);
      await row(`go to line ${line}`).waitFor();
      // On a slow machine an Enter that comes too early is lost; one too many would go into the text.
      await until('the editor has the line', async () => {
        const focused = await input.evaluate((element) => document.activeElement === element);
        if (focused) await page.keyboard.press('Enter');
        return input.waitFor({ state: 'hidden', timeout: 5000 }).then(() => true, () => false);
      });
      await page.waitForFunction(([l, c]) => document.getElementById('status.editor.selection')?.textContent?.includes(`Ln ${l}, Col ${c}`), [line, column]);
    },
    statusItem: (text) => page.locator('.statusbar-item', { hasText: text }).first(),
    squiggle: () => page.locator('.monaco-editor .squiggly-error').first(),
    lenses: (text) => page.locator('.codelens-decoration a', { hasText: text }).locator('visible=true'),
    lens: (text) => page.locator('.codelens-decoration a', { hasText: text }).locator('visible=true').first(),
    panel: () => page.frameLocator('iframe.webview.ready').frameLocator('#active-frame'),
    visibleText: () => page.evaluate(() => [...document.querySelectorAll('.monaco-editor[data-uri$=".c"] .view-line')].map((e) => e.textContent.replace(/\u00a0/g, ' ')).join('\n')),
  };
}

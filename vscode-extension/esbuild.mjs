// Bundles the extension and the panel's page, and compiles the unit tests. `--watch` keeps on doing so.
import { build, context } from 'esbuild';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const watch = process.argv.includes('--watch');
const common = { bundle: true, minify: !watch, sourcemap: watch, logLevel: 'info' };
const jobs = [
  { ...common, entryPoints: ['src/extension.ts'], outfile: 'out/extension.js', platform: 'node', format: 'cjs', target: 'node20', external: ['vscode'] },
  { ...common, entryPoints: ['src/webview/main.ts'], outfile: 'out/webview.js', platform: 'browser', format: 'iife', target: 'es2022' },
  {
    ...common, minify: false, platform: 'node', format: 'cjs', target: 'node20', outdir: 'out/test', external: ['vscode'],
    entryPoints: readdirSync('test').filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`),
  },
];
// One text of each: the schema of .heddle.yaml, and what the Marketplace shows as changes.
mkdirSync('out', { recursive: true });
copyFileSync('../docs/config.schema.json', 'out/config.schema.json');
// Links into the repository lead nowhere from there.
writeFileSync('CHANGELOG.md', readFileSync('../CHANGELOG.md', 'utf8').replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1'));
for (const job of jobs) {
  if (watch) await (await context(job)).watch();
  else await build(job);
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../src/backoff';
import { findServer, notFound } from '../src/findServer';

const search = (setting: string, present: string[]) =>
  findServer({
    setting,
    bundled: '/e/server/bin/heddle',
    folders: ['/w/a', '/w/b'],
    pathVariable: '/usr/bin:relative:/opt/bin',
    home: '/u',
    isExecutable: (file) => present.includes(file),
  });

test("the workspace's own build comes before PATH", () => {
  assert.equal(search('', ['/usr/bin/heddle', '/w/b/build/bin/heddle']).file, '/w/b/build/bin/heddle');
  assert.equal(search('', ['/opt/bin/heddle']).file, '/opt/bin/heddle');
});

test('the server that came with the extension comes before what else is there', () => {
  assert.equal(search('', ['/w/a/build/bin/heddle', '/e/server/bin/heddle']).file, '/e/server/bin/heddle');
  assert.equal(search('/x/heddle', ['/x/heddle', '/e/server/bin/heddle']).file, '/x/heddle');
});

test('a setting is the only place that is looked at', () => {
  assert.equal(search('/x/heddle', ['/usr/bin/heddle', '/x/heddle']).file, '/x/heddle');
  assert.equal(search('/x/heddle', ['/usr/bin/heddle']).file, undefined);
  assert.equal(search('~/heddle', ['/u/heddle']).file, '/u/heddle');
  assert.equal(search('bin/heddle', ['/w/b/bin/heddle']).file, '/w/b/bin/heddle');
  assert.equal(search('heddle-2', ['/usr/bin/heddle-2', '/w/a/build/bin/heddle']).file, '/usr/bin/heddle-2');
});

test('without a server, the text names the place that was asked for, or all that were looked at', () => {
  assert.match(notFound(' /x/heddle '), /^heddle\.path says '\/x\/heddle'/);
  assert.match(notFound(''), /extension.*build\/bin.*PATH.*set heddle\.path/);
});

test('relative folders of PATH are not used', () => {
  assert.deepEqual(search('', []).tried, [
    '/e/server/bin/heddle',
    '/w/a/build/bin/heddle',
    '/w/b/build/bin/heddle',
    '/usr/bin/heddle',
    '/opt/bin/heddle',
  ]);
});

test('waits double, are bounded, and are forgiven', () => {
  const backoff = new Backoff(100, 1000, 5000);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(() => backoff.next(10)),
    [100, 200, 400, 800, 1000, 1000],
  );
  assert.equal(backoff.next(5000), 100);
  backoff.reset();
  assert.equal(backoff.next(0), 100);
});

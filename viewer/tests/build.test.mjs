// The bundle: its size, and what must not be in it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { brotliCompressSync } from 'node:zlib';
import { root, work } from './harness.mjs';

export default (test) => {
  test('build: within the budget, self-contained, licences named', () => {
    const done = spawnSync('node', [join(root, 'viewer/build.mjs'), work], { encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
    const page = readFileSync(join(work, 'page.html'), 'utf8');
    const size = brotliCompressSync(Buffer.from(page)).length;
    assert.ok(size < 220 * 1024, `${size} bytes under brotli`);
    assert.ok(!/\beval\(|new Function\(/.test(page), 'no code from text');
    assert.equal(page.match(/<script[^>]*src=/g), null);
    // Addresses of namespaces are names; nothing else may be loaded from anywhere.
    for (const [address] of page.matchAll(/https?:\/\/[\w.-]+/g))
      assert.match(address, /w3\.org|github\.com|khronos|example\.com|threejs\.org|jcgt\.org/, address);
    // The build names what it took in; that is what the page is said to depend on, no more and no less.
    const wanted = Object.keys(JSON.parse(readFileSync(join(root, 'viewer/package.json'), 'utf8')).dependencies).sort();
    const credits = page.slice(page.indexOf('Bundled with this page:'), page.indexOf('-->', page.indexOf('Bundled with this page:')));
    assert.deepEqual([...credits.matchAll(/^(\S+) \d+\.\d+\.\d+ \(MIT\)$/gm)].map((m) => m[1].toLowerCase()).sort(), wanted);
    assert.equal(credits.match(/Permission is hereby granted/g).length, wanted.length);
  });
  test('build: the page of an archive is small and takes in nothing of others', () => {
    assert.equal(spawnSync('node', [join(root, 'viewer/build.mjs'), work], { encoding: 'utf8' }).status, 0);
    const source = readFileSync(join(work, 'page_data.c'), 'utf8');
    const [, packed, size] = /cli_archive_page_data_size = (\d+), cli_archive_page_size = (\d+)/.exec(source);
    assert.ok(Number(packed) < 16 * 1024, `${packed} bytes under brotli`);
    assert.ok(Number(size) < 48 * 1024, `${size} bytes`);
  });
  test('slow build: types are right', () => {
    const done = spawnSync('node', [join(root, 'viewer/node_modules/typescript/bin/tsc'), '--noEmit'], {
      cwd: join(root, 'viewer'),
      encoding: 'utf8',
    });
    assert.equal(done.status, 0, done.stdout);
  });
};

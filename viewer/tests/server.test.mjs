// The local server: who is answered, with what, and who is not.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { data, reprise, run, serve, work } from './harness.mjs';

/** One request, byte for byte; gives status, headers and body. */
const raw = (port, text) =>
  new Promise((done, fail) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
    const parts = [];
    socket.setTimeout(300_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (part) => parts.push(part));
    socket.on('error', fail);
    socket.on('close', () => {
      const all = Buffer.concat(parts);
      const end = all.indexOf('\r\n\r\n');
      const [line, ...lines] = all.subarray(0, end).toString('latin1').split('\r\n');
      const headers = Object.fromEntries(lines.map((l) => [l.split(':')[0].toLowerCase(), l.slice(l.indexOf(':') + 2)]));
      done({ status: Number(line.split(' ')[1]), headers, body: all.subarray(end + 4) });
    });
  });

export default (test) => {
  let base;
  const start = async () => {
    if (base && base.child.exitCode === null && !base.child.killed) return base;
    const sample = join(work, 'match.replay');
    copyFileSync(data('rumble/z6_match_like_1.2.4.replay'), sample);
    const { address, child } = await serve(sample);
    const url = new URL(address);
    const token = url.pathname.slice(1, -1);
    for (;;) {
      const state = await (await fetch(`${address}progress`)).json();
      if (state.ready) break;
    }
    base = { address, child, port: Number(url.port), token, sample };
    return base;
  };
  const ask = async (path, { method = 'GET', host, headers = '', body = '' } = {}) => {
    const { port } = await start();
    const name = host ?? `127.0.0.1:${port}`;
    return raw(port, `${method} ${path} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n${headers}\r\n${body}`);
  };
  const refused = async (path, options) => {
    const { status, body } = await ask(path, options);
    // Not even a request to civetweb: it closes the connection.
    assert.ok(status === 404 || status === 400 || Number.isNaN(status), `${path} ${JSON.stringify(options)}: ${status}`);
    if (status === 404) assert.equal(body.length, 0);
  };

  test('server: the address is local, secret and on a port of its own', async () => {
    const { address } = await start();
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
  });

  test('server: answers the page with its rules', async () => {
    const { token } = await start();
    const { status, headers, body } = await ask(`/${token}/`);
    assert.equal(status, 200);
    assert.match(body.toString(), /^<!doctype html>/);
    assert.match(headers['content-security-policy'], /default-src 'none'.*connect-src 'self' blob:/);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(headers['x-frame-options'], 'DENY');
  });

  test('server: wrong tokens', async () => {
    const { token } = await start();
    await refused('/');
    await refused('/page.json');
    await refused(`/${'0'.repeat(32)}/page.json`);
    await refused(`/${token.slice(0, 31)}/page.json`);
    await refused(`/${token}0/page.json`);
    await refused(`/${token.toUpperCase()}x/page.json`);
    await refused(`/${token}`);
  });

  test('server: other hosts and origins', async () => {
    const { token, port } = await start();
    const page = `/${token}/page.json`;
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, `0.0.0.0:${port}`, `[::1]:${port}`])
      await refused(page, { host });
    await refused(page, { headers: `Host: evil.example\r\n` });
    assert.equal((await ask(page, { host: `localhost:${port}` })).status, 200);
    for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${port}`, `http://127.0.0.1:${port}.evil.example`])
      await refused(page, { headers: `Origin: ${origin}\r\n` });
    assert.equal((await ask(page, { headers: `Origin: http://127.0.0.1:${port}\r\n` })).status, 200);
    for (const site of ['cross-site', 'same-site']) await refused(page, { headers: `Sec-Fetch-Site: ${site}\r\n` });
    assert.equal((await ask(page, { headers: 'Sec-Fetch-Site: same-origin\r\n' })).status, 200);
    const bare = await raw(port, `GET ${page} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    assert.notEqual(bare.status, 200);
  });

  test('server: path tricks', async () => {
    const { token, port } = await start();
    const t = `/${token}`;
    for (const path of [
      `${t}/../../etc/passwd`,
      `${t}/../${token}/page.json`,
      `${t}/%2e%2e/%2e%2e/etc/passwd`,
      `${t}//page.json`,
      `/${t}/page.json`,
      `${t}/./page.json`,
      `${t}/page.json/`,
      `${t}/%70age.json`,
      `${t}/page.json%00`,
      `${t}/page.json?x=1`,
      `${t}/0/../page.json`,
      `${t}/1/scene.glb`,
      `${t}/-1/scene.glb`,
      `${t}/00/scene.glb`,
      `${t}/0/scene.gltf`,
      `${t}/0/`,
      `${t}\\page.json`,
      `http://127.0.0.1:${port}${t}/page.json`,
      '/etc/passwd',
      '//etc/passwd',
    ])
      await refused(path);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const { status } = await ask(`${t}/page.json`, { method });
      assert.ok(status >= 400, `${method}: ${status}`);
    }
    await refused(`${t}/page.json`, { method: 'POST', headers: 'Content-Length: 0\r\n' });
  });

  test('server: scenes whole and in parts', async () => {
    const { token, sample } = await start();
    const path = `/${token}/0/scene.glb`;
    const whole = await ask(path);
    assert.equal(whole.status, 200);
    run('export', '-q', sample, join(work, 'same.glb'));
    assert.ok(whole.body.equals(readFileSync(join(work, 'same.glb'))), 'the bytes of export');
    const size = whole.body.length;
    const part = (range) => ask(path, { headers: `Range: ${range}\r\n` });
    const cases = { 'bytes=0-3': [0, 4], 'bytes=100-199': [100, 200], [`bytes=${size - 5}-`]: [size - 5, size], 'bytes=-7': [size - 7, size], [`bytes=10-${size + 99}`]: [10, size], [`bytes=-${size + 99}`]: [0, size] };
    for (const [range, [from, to]] of Object.entries(cases)) {
      const { status, body, headers } = await part(range);
      assert.equal(status, 206, range);
      assert.ok(body.equals(whole.body.subarray(from, to)), range);
      assert.equal(headers['content-range'], `bytes ${from}-${to - 1}/${size}`);
    }
    for (const range of [`bytes=${size}-`, `bytes=${size + 5}-${size + 9}`, 'bytes=-0']) {
      const { status, headers } = await part(range);
      assert.equal(status, 416, range);
      assert.equal(headers['content-range'], `bytes */${size}`);
    }
    for (const range of ['bytes=5-2', 'bytes=a-b', 'bytes=0-1,3-4', 'items=0-3', 'bytes=-', 'bytes= 1-2', 'bytes=99999999999999999999-'])
      assert.equal((await part(range)).status, 200, range);
    const head = await ask(path, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(Number(head.headers['content-length']), size);
    assert.equal(head.body.length, 0);
  });

  test('server: bookmarks are kept beside the replay', async () => {
    const { token, sample } = await start();
    const path = `/${token}/0/bookmarks`;
    const file = `${sample}.bookmarks`;
    assert.equal((await ask(path)).body.toString(), '');
    const post = (body, type = 'text/plain') =>
      ask(path, { method: 'POST', headers: `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`, body });
    assert.equal((await post('1'.repeat(2 << 20))).status, 413);
    for (const body of ['no number\n', '12 not ended', '12 a\n\n', '12 \u001b[2J\n', '-1 x\n']) assert.equal((await post(body)).status, 404, body);
    assert.equal((await post('12 0:00.24 x\n', 'application/json')).status, 404);
    assert.ok(!existsSync(file));
    const text = '75 0:01.50 Hit: größer\n80 0:01.60\n';
    assert.equal((await post(text)).status, 204);
    assert.equal(readFileSync(file, 'utf8'), text);
    assert.equal((await ask(path)).body.toString(), text);
    assert.equal((await post('')).status, 204);
    assert.equal(readFileSync(file, 'utf8'), '');
  });

  test('server: voices by number, and nothing else by that name', async () => {
    const { address } = await serve(data('rumble/z6_voices_extensions.replay'));
    while (!(await (await fetch(`${address}progress`)).json()).ready);
    const sound = await fetch(`${address}0/v0.ogg`);
    assert.equal(sound.status, 200);
    assert.equal(sound.headers.get('content-type'), 'audio/ogg');
    const bytes = Buffer.from(await sound.arrayBuffer());
    assert.equal(bytes.subarray(0, 4).toString(), 'OggS');
    assert.equal(bytes.length, 247);
    for (const name of ['0/v3.ogg', '0/v-1.ogg', '0/v.ogg', '0/v0.ogg/', '0/v0.oggx', '0/v 0.ogg', '0/v99999999999999999999.ogg', '1/v0.ogg', '0/voices/p0_64568E24256988DA_v1_500.ogg'])
      assert.equal((await fetch(address + name)).status, 404, name);
  });

  test('server: posts from elsewhere and without a length', async () => {
    const { token } = await start();
    const path = `/${token}/0/bookmarks`;
    const type = 'Content-Type: text/plain\r\n';
    await refused(path, { method: 'POST', headers: `${type}Content-Length: 7\r\nOrigin: http://evil.example\r\n`, body: '12 bad\n' });
    await refused(path, { method: 'POST', headers: `${type}Content-Length: 7\r\nSec-Fetch-Site: cross-site\r\n`, body: '12 bad\n' });
    const { status } = await ask(path, { method: 'POST', headers: type });
    assert.ok(status !== 200 && status !== 204, `without a length: ${status}`);
    for (const name of ['', 'progress', 'alive', '0/timeline.json', '0/v0.ogg'])
      await refused(`/${token}/${name}`, { method: 'POST', headers: `${type}Content-Length: 0\r\n` });
  });

  test('server: many at once', async () => {
    const { address } = await start();
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${address}0/scene.glb`).then((a) => a.arrayBuffer())));
    assert.equal(new Set(answers.map((a) => a.byteLength)).size, 1);
  });

  test('server: ends after the last page', async () => {
    const child = spawn(reprise, ['view', '--no-open', '--wait', '0', data('rumble/z6_edge.replay')], { stdio: ['ignore', 'pipe', 'pipe'] });
    const address = await new Promise((done) => child.stdout.once('data', (text) => done(String(text).trim())));
    const ended = new Promise((done) => child.once('exit', done));
    const control = new AbortController();
    const answer = await fetch(`${address}alive`, { signal: control.signal });
    await answer.body.getReader().read();
    assert.equal(child.exitCode, null);
    control.abort();
    assert.equal(await ended, 0);
  });
};

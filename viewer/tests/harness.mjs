// What the tests of the viewer share: the command, the browser, and pages in both.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { chromium } from 'playwright-core';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const reprise = process.env.REPRISE ?? join(root, 'build/cli/reprise');
export const data = (name) => join(root, 'tests/data', name);
export const work = mkdtempSync(join(tmpdir(), 'reprise-viewer-'));

// Drawing in software, the same on every machine; and no talk with the network, which chromium
// would otherwise begin on its own.
const FLAGS = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--hide-scrollbars',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function findBrowser() {
  for (const name of [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome']) {
    if (!name) continue;
    const found = spawnSync('sh', ['-c', `command -v "${name}"`], { encoding: 'utf8' });
    if (found.status === 0) return found.stdout.trim();
  }
  return null;
}

export const launch = (options = {}) =>
  chromium.launch({ executablePath: findBrowser(), args: FLAGS, ...options });

export const run = (...args) => {
  const done = spawnSync(reprise, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0 && done.status !== 3)
    throw new Error(`reprise ${args.join(' ')}: exit ${done.status}: ${done.stderr}`);
  return done.stdout;
};

export const timelineOf = (sample) => {
  const path = join(work, `${Math.random().toString(36).slice(2)}.json`);
  run('export', '-q', sample, path);
  return JSON.parse(spawnSync('cat', [path], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout);
};

const servers = [];

/** Starts `reprise view` and gives its address. */
export async function serve(...args) {
  const child = spawn(reprise, ['view', '--no-open', '--keep', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  servers.push(child);
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const address = await new Promise((done, fail) => {
    child.stdout.once('data', (text) => done(String(text).trim()));
    child.once('exit', (code) => fail(new Error(`reprise view ended with ${code}: ${errors}`)));
  });
  return { address, child, errors: () => errors };
}

/** Numbers as a column of the timeline, and back. */
export const column = (values, type = 'f32') => ({
  type,
  n: values.length,
  b64: Buffer.from((type === 'f32' ? Float32Array : Float64Array).from(values).buffer).toString('base64'),
});
export const floats = (from) => {
  if (from.type === 'range') return Array.from({ length: from.n }, (_, i) => from.start + i * from.step);
  const bytes = Buffer.from(from.b64, 'base64');
  return Array.from({ length: from.n }, (_, i) => bytes.readFloatLE(4 * i));
};

/** A timeline with nothing but its length. */
export const plainTimeline = (duration, step) => ({
  reprise: 1,
  source: { name: 'made', format: 'test', layout: '', title: 'Made', duration, complete: true, scene: false },
  clock: { unit: 'frame', t: { type: 'range', n: Math.round(duration / step) + 1, start: 0, step } },
});

/**
 * The page with answers of our own: objects are sent as JSON, functions answer themselves. Gives the
 * address and the names that were asked for; `close` ends it.
 */
export async function servePage(timeline, answers = {}) {
  const template = join(work, 'template.html');
  run('export', '-q', '-f', data('rumble/z6_edge.replay'), template);
  // The page without the data inside asks the server for it.
  const html = readFileSync(template, 'utf8')
    .replace(/<script type="application[^]*?<\/script>\n/g, '')
    .replace('connect-src blob:', "connect-src 'self' blob:");
  const scene = timeline.source.scene ? '0/scene.glb' : null;
  const page = { reprise: 1, replays: [{ timeline: '0/timeline.json', scene, offset: 0, label: 'made' }], version: 'test' };
  const alive = (answer) => answer.writeHead(200).flushHeaders();
  const all = { alive, progress: { ready: true }, 'page.json': page, '0/timeline.json': timeline, '0/bookmarks': '', ...answers };
  const asked = [];
  const server = createServer((request, answer) => {
    const name = new URL(request.url, 'http://x').pathname.slice(1);
    asked.push(name);
    if (name === '') return answer.setHeader('Content-Type', 'text/html').end(html);
    const found = all[name];
    if (found === undefined) return answer.writeHead(404).end();
    if (typeof found === 'function') return found(answer);
    return answer.end(found && JSON.stringify(found));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections?.();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, asked, close };
}

/** Opens an address; everything that goes wrong on the page is collected. `init` runs in it first. */
export async function open(browser, address, options = {}) {
  const { query = 'still', hash = '', until = 'ready', init, ...rest } = options;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    colorScheme: 'dark',
    ...rest,
  });
  // A loaded machine may take its time; a test that hangs ends at its own limit.
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  if (init) await page.addInitScript(init);
  const problems = [];
  const requests = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('requestfailed', (request) => {
    // Chromium calls requests of workers aborted although they were read to their end; a page that
    // really lacks something says so.
    const text = request.failure()?.errorText;
    if (!request.url().endsWith('/alive') && text !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()} ${text}`);
  });
  page.on('request', (request) => requests.push(request.url()));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const spent = await countWork(page);
  await page.goto(`${address}${query ? `?${query}` : ''}${hash}`);
  if (until) {
    const state = `html[data-state=${until}], html[data-state=error]`;
    await page.waitForSelector(state);
    if (until !== 'error' && (await page.$('html[data-state=error]')))
      throw new Error(`the page says: ${await page.innerText('body')}`);
  }
  return { page, context, problems, requests, spent };
}

/** The files in a ZIP archive, by its central directory. */
export function entriesOf(zip) {
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\x05\x06') + 16);
  const entries = [];
  for (; zip.readUInt32LE(at) === 0x02014b50; at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)) {
    const name = String(zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28)));
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    entries.push({ name, bytes: zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(bytes) : bytes });
  }
  return entries;
}
export function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
/** A ZIP archive of stored files. */
export function zipOf(entries) {
  const parts = [];
  const list = [];
  let at = 0;
  for (const { name, bytes } of entries) {
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(bytes.length, 14);
    head.writeUInt32LE(bytes.length, 18);
    head.writeUInt16LE(Buffer.byteLength(name), 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    list.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), head, rest, Buffer.from(name));
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), head, Buffer.from(name), bytes);
    at += 30 + Buffer.byteLength(name) + bytes.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.reduce((sum, part) => sum + part.length, 0), 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...list, end]);
}

/** Something of window.repriseTest. */
export const ask = (page, name) => page.evaluate((n) => window.repriseTest[n], name);
export const seek = (page, t) => page.evaluate((x) => window.repriseTest.seek(x), t);

/** Waits until a condition holds, however slow the machine is; the limit of the test ends it. */
export async function eventually(condition) {
  while (!(await condition())) await new Promise((done) => setTimeout(done, 20));
}

/** Counts the work of the page's own thread from now on: a function that gives milliseconds. */
async function countWork(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find((m) => m.name === 'TaskDuration').value;
  };
}

/** The longest task of a page's thread while `action` runs: milliseconds of work, not of waiting. */
export async function longestTask(browser, page, action) {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await action();
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const thread = (event) => `${event.pid} ${event.tid}`;
  const main = new Set(traceEvents.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map(thread));
  const tasks = traceEvents.filter((e) => e.tdur !== undefined && main.has(thread(e)));
  if (!tasks.length) throw new Error('the trace has no tasks of the page');
  return tasks.reduce((longest, e) => Math.max(longest, e.tdur / 1000), 0);
}

/**
 * What calls on the page cost: milliseconds of the page's own thread, whatever else the machine
 * does, as means of ten calls each, sorted.
 */
export async function costs(page, name, calls, length) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * metrics.find((m) => m.name === 'TaskDuration').value;
  };
  const list = [];
  for (let i = 0; i < calls; i += 10) {
    const before = await spent();
    await page.evaluate(
      ([what, first, count, seconds]) => {
        for (let k = first; k < first + 10; k++) window.repriseTest[what](((k * 37) % count) * (seconds / count));
      },
      [name, i, calls, length],
    );
    list.push(((await spent()) - before) / 10);
  }
  await session.detach();
  return list.sort((a, b) => a - b);
}

// Whatever ends the tests, nothing of theirs goes on.
process.on('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
export function stopServers() {
  for (const child of servers.splice(0)) child.kill('SIGTERM');
}
export function cleanUp() {
  stopServers();
  rmSync(work, { recursive: true, force: true });
}

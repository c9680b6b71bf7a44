// The page of an archive: from the command, and as files on a web host.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { ask, data, eventually, longestTask, open, reprise, root, run, serve, work } from './harness.mjs';
import { spawnSync } from 'node:child_process';

const axe = readFileSync(join(root, 'viewer/node_modules/axe-core/axe.min.js'), 'utf8');
const RUN = 'cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay';
const SAMPLES = [RUN, 'cs2kz/a1-run.replay', 'cs2kz/a3-run.replay', 'cs2kz/p-run-styles.replay', 'rumble/z6_match_like_1.2.4.replay', 'rumble/z5_park_like_animator.replay', 'openra/p21-2p.orarep', 'openra/p21-bots-medium.orarep', 'ironcurtain/full.icrep', 'mcreplay/multipart_basic.replay'];
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const varint = (value) => {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return Buffer.from([...bytes, value]);
};
const field = (tag, bytes) => Buffer.concat([Buffer.from([tag]), varint(bytes.length), bytes]);

/** A run of another player, map, date and time: the protobuf header of the sample, rewritten. */
export function renamedRun(player, map, later = 0, time = 14.4375) {
  const file = readFileSync(data(RUN));
  const size = file.readUInt32LE(0);
  const header = file.subarray(4, 4 + size);
  const person = 4 + 2;
  // Another account for each name.
  const account = Buffer.from(header.subarray(person + 112, person + 122));
  account[1] = 0x80 + ([...player].reduce((sum, c) => sum + c.codePointAt(0), 0) % 128);
  const mapAt = person + 122;
  const rest = header.subarray(mapAt + 12, mapAt + 46);
  const after = Buffer.from(header.subarray(mapAt + 46));
  // Field 7 is the time: five bytes.
  const dateAt = after.indexOf(0x38, 38) + 1;
  let date = 0;
  for (let i = 4; i >= 0; i--) date = date * 128 + (after[dateAt + i] & 127);
  varint(date + later).copy(after, dateAt);
  const sampleTime = Buffer.alloc(4);
  sampleTime.writeFloatLE(14.4375);
  after.writeFloatLE(time, after.indexOf(sampleTime));
  const changed = Buffer.concat([
    header.subarray(0, 4),
    field(0x1a, Buffer.concat([field(0x0a, Buffer.from(player)), account])),
    field(0x22, Buffer.concat([field(0x0a, Buffer.from(map)), rest])),
    after,
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(changed.length);
  return Buffer.concat([length, changed, file.subarray(4 + size)]);
}

const EVIL = '</script><script>alert(1)</script><img src=x onerror=alert(2)>';
const HOSTILE = {
  [`${EVIL.replaceAll('/', '_')}.replay`]: [EVIL, '"><b onclick=alert(3)>'],
  'line\nfeed "quotes" \'and\' `ticks`.replay': ['new\nline\u0007bell', 'a&lt;b'],
  '\u202egnp.yalper': ['\u202eright to left\u2066', '../../../etc/passwd'],
  [`${'n'.repeat(240)}.replay`]: ['x'.repeat(4096), 'y'.repeat(4096)],
  'up..%2f..%2f.replay': ['${alert(4)}', "'; drop table file; --"],
};

function makeArchive(samples = SAMPLES, hostile = {}) {
  const folder = mkdtempSync(join(work, 'archive-'));
  samples.forEach((name, i) => {
    mkdirSync(join(folder, `day ${i % 3}`), { recursive: true });
    copyFileSync(data(name), join(folder, `day ${i % 3}`, name.split('/').pop()));
  });
  for (const [name, [player, map]] of Object.entries(hostile)) writeFileSync(join(folder, name), renamedRun(player, map));
  return folder;
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.png': 'image/png', '.glb': 'model/gltf-binary' };

/** A web host that knows nothing but files, with the site somewhere below its root. */
async function host(folder, answers = {}) {
  const missing = [];
  const server = createServer((request, answer) => {
    const name = decodeURIComponent(new URL(request.url, 'http://x').pathname).replace(/^\/some\/where\//, '');
    const path = join(folder, name.endsWith('/') || !name ? `${name}index.html` : name);
    if (answers[name] === undefined && !(existsSync(path) && statSync(path).isFile())) {
      missing.push(request.url);
      return answer.writeHead(404).end();
    }
    answer.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
    answer.end(answers[name] ?? readFileSync(path));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections?.();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/some/where/`, missing, close };
}

const filesBelow = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((f) => f.isFile()).map((f) => join(f.parentPath ?? f.path, f.name));

/** An archive.json with many rows, as the command would write it. */
function manyRows(count) {
  const pick = (n) => Array.from({ length: count }, (_, i) => (i * 7919) % n);
  const maps = Array.from({ length: 500 }, (_, i) => `kz_map_${i}`);
  const people = Array.from({ length: 2000 }, (_, i) => `player ${i}`);
  const constant = (value) => new Array(count).fill(value);
  const time = pick(60000).map((v) => 10 + v / 1000);
  return {
    reprise: 1, version: 'test', name: 'many', spoiler_free: false, count,
    texts: { format: ['cs2kz'], map: maps, mode: ['Vanilla', 'Classic'], course: ['Main'], styles: [], type: ['run'], status: ['ok'], result: [], title: [], folder: ['2025'] },
    people, bots: [],
    columns: {
      format: constant(0), map: pick(500), mode: pick(2), course: constant(0), styles: constant(-1), type: constant(0), status: constant(0), result: constant(-1), title: constant(-1), folder: constant(0),
      date: Array.from({ length: count }, (_, i) => (i ? -60 : 800_000_000)), length: time.map((t) => Math.round(t)), time, teleports: pick(3),
      people: pick(2000).map((p) => [p]), name: Array.from({ length: count }, (_, i) => `run-${i}.replay`), page: constant(''),
    },
    records: [0, 1, 2], history: [2, 1, 0],
  };
}

async function serious(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(', ')}`);
}

const count = async (page) => (await ask(page, 'found')).count;
const texts = (page, selector) => page.$$eval(selector, (list) => list.map((e) => e.textContent));

export default (test) => {
  test('archive: the table holds what the catalog holds; search, facets and order', async (browser) => {
    const folder = makeArchive();
    const { address } = await serve(folder);
    const { page, problems } = await open(browser, address, { query: '' });
    const rows = JSON.parse(run('query', folder, '--json', "select path, format, map, date from file where removed = 0 and format is not null order by date desc, path"));
    assert.equal(rows.length, SAMPLES.length);
    assert.equal(await count(page), rows.length);
    assert.deepEqual(await page.$$eval('.rows .title', (list) => list.map((e) => e.title)), rows.map((r) => r.path));
    assert.deepEqual(await texts(page, '.rows .date'), rows.map((r) => (r.date ?? '').slice(0, 16)));
    // As you type: every letter narrows the table.
    await page.locator('.find').pressSequentially('openra');
    assert.equal(await count(page), rows.filter((r) => r.format === 'openra').length);
    assert.match(await page.innerText('.count'), /^2 of 10 replays$/);
    assert.match(page.url(), /#q=openra$/);
    await page.fill('.find', 'bkz_ramp');
    assert.equal(await count(page), rows.filter((r) => r.map === 'bkz_ramp').length);
    await page.fill('.find', 'nothing like it');
    assert.equal(await count(page), 0);
    await page.click('text=Reset');
    // Facets say how many rows each choice gives.
    await page.selectOption('select[aria-label=Game]', 'cs2kz');
    const runs = rows.filter((r) => r.format === 'cs2kz');
    assert.equal(await count(page), runs.length);
    const maps = await texts(page, 'select[aria-label=Map] option');
    for (const map of new Set(runs.map((r) => r.map))) assert.ok(maps.includes(`${map} (${runs.filter((r) => r.map === map).length})`), `${map} in ${maps}`);
    assert.equal(maps.length, 1 + new Set(runs.map((r) => r.map)).size);
    await page.click('text=Reset');
    const dated = rows.filter((r) => r.date).map((r) => r.date.slice(0, 10)).sort();
    const middle = dated[Math.floor(dated.length / 2)];
    await page.fill('[aria-label="From date"]', middle);
    assert.equal(await count(page), dated.filter((d) => d >= middle).length);
    await page.fill('[aria-label="To date"]', middle);
    assert.equal(await count(page), dated.filter((d) => d === middle).length);
    await page.click('text=Reset');
    // Order, and the same after a reload.
    await page.click('.headings .map button');
    assert.equal(await page.getAttribute('.headings .map', 'aria-sort'), 'ascending');
    const ordered = (await texts(page, '.rows .map')).map((t) => t.toLowerCase());
    assert.deepEqual(ordered, [...ordered].sort((a, b) => (a.split(',')[0] < b.split(',')[0] ? -1 : a.split(',')[0] > b.split(',')[0] ? 1 : 0)));
    await page.click('.headings .map button');
    assert.equal(await page.getAttribute('.headings .map', 'aria-sort'), 'descending');
    await page.reload();
    await page.waitForSelector('html[data-state=ready]');
    assert.equal(await page.getAttribute('.headings .map', 'aria-sort'), 'descending');
    assert.deepEqual((await texts(page, '.rows .map')).map((t) => t.toLowerCase()), [...ordered].reverse());
    assert.deepEqual(problems, []);
  });

  test('archive: a row opens its replay, which leads back; a selection is compared', async (browser) => {
    const folder = makeArchive();
    // The same run by somebody else.
    writeFileSync(join(folder, 'other.replay'), renamedRun('rival', 'bkz_ramp'));
    const { address } = await serve(folder);
    const { page, problems } = await open(browser, address, { query: '' });
    await page.fill('.find', 'p21-2p');
    await page.click('.rows a');
    await page.waitForSelector('header .archive');
    await eventually(async () => (await ask(page, 'state')) === 'ready');
    assert.match(page.url(), /\/r\/\d+\/(#.*)?$/);
    assert.ok((await ask(page, 'counts')).nodes > 0);
    await page.click('header .archive');
    await page.waitForSelector('.list');
    await page.fill('.find', '019a9b07');
    await page.locator('.rows input').check();
    assert.match(await page.innerText('.basket'), /1 selected\s+Select another one/);
    await page.fill('.find', 'rival');
    await page.locator('.rows input').check();
    await page.click('.basket .go');
    await page.waitForSelector('header .archive');
    await eventually(async () => (await ask(page, 'state')) === 'ready');
    assert.match(page.url(), /\/r\/\d+\+\d+\//);
    assert.equal((await ask(page, 'view')).arrangement, 'ghosts');
    // The gap is measured by the command.
    await page.click('#tab-compare');
    assert.ok((await ask(page, 'counts')).plots.includes('gap'), 'the plot of the gap');
    assert.deepEqual(problems, []);
  });

  test('slow archive: replays of two games are not compared, and at most eight', async (browser) => {
    const { address } = await serve(makeArchive());
    const { page } = await open(browser, address, { query: '' });
    const pick = async (word) => {
      await page.fill('.find', word);
      await page.locator('.rows input').first().check();
    };
    await pick('openra');
    await pick('cs2kz');
    assert.match(await page.innerText('.basket'), /Only replays of one game/);
    assert.equal(await page.locator('.basket .go').count(), 0);
    await page.click('.basket button');
    assert.equal(await page.locator('.basket').isVisible(), false);
    await page.fill('.find', '');
    for (let i = 0; i < 9; i++) await page.locator('.rows input').nth(i).check();
    assert.match(await page.innerText('.basket'), /At most 8/);
  });

  test('archive: records are those of the command, players have bests and progress', async (browser) => {
    const folder = makeArchive();
    const { address } = await serve(folder);
    const { page, problems } = await open(browser, address, { query: '', hash: '#records' });
    const records = JSON.parse(run('records', folder, '--json'));
    assert.ok(records.length >= 3);
    const shown = await page.$$eval('.long tbody tr', (list) => list.map((tr) => [...tr.cells].slice(0, 6).map((td) => td.textContent)));
    const clock = (s) => `${Math.floor(s / 60)}:${(s % 60).toFixed(3).padStart(6, '0')}`;
    assert.deepEqual(shown.map((r) => [r[0], r[1], r[2], r[4]]), records.map((r) => [r.map, r.course, r.mode, clock(Math.round(r.time * 1000) / 1000)]));
    const hop = records.find((r) => r.player.includes('hop'));
    await page.locator('.long a', { hasText: 'hop' }).first().click();
    await page.waitForSelector('#player-title');
    assert.match(await page.innerText('#player-title'), /hop/);
    assert.ok((await texts(page, 'td[data-title=Best]')).includes(clock(Math.round(hop.time * 1000) / 1000)));
    assert.match(await page.getAttribute('.chart', 'aria-label'), /runs of .*best 0:/);
    await page.click('text=Show these replays in the table');
    await page.waitForSelector('.list');
    assert.ok((await count(page)) >= 1 && (await count(page)) < SAMPLES.length);
    await page.click('nav >> text=Players');
    await page.waitForSelector('#players-title');
    const players = JSON.parse(run('players', folder, '--json'));
    assert.equal(await page.innerText('.view .hint'), `${players.length} players`);
    assert.deepEqual(problems, []);
  });

  test('slow archive: progress of a player is every run, and the line of the best so far', async (browser) => {
    const site = join(work, 'progress');
    run('export', '-q', '--site', '--pages', '0', makeArchive([RUN]), site);
    const index = manyRows(5);
    Object.assign(index.columns, { map: [0, 0, 0, 0, 1], mode: [0, 0, 0, 0, 0], people: [[0], [0], [0], [0], [0]], teleports: [0, 0, 0, 0, 0], time: [12, 11, 14, 15, 99], date: [800_000_000, -864000, -864000, -864000, -864000] });
    index.records = [1, 4];
    const { address, close } = await host(site, { 'archive.json': JSON.stringify(index) });
    const { page } = await open(browser, address, { query: '', hash: '#player=player%200' });
    assert.equal(await page.locator('.chart circle').count(), 4);
    assert.equal(await page.getAttribute('.chart', 'aria-label'), '4 runs of kz_map_0, Main, Vanilla, Pro: 0:15.000 on 2025-04-08, best 0:11.000 on 2025-04-28');
    // Three steps: 15, 14, 11; 12 is no best.
    assert.equal((await page.getAttribute('.chart .best', 'd')).match(/V/g).length, 2);
    const bests = await page.$$eval('.long table', (list) => [...list[0].tBodies[0].rows].map((tr) => [...tr.cells].map((td) => td.textContent)));
    assert.deepEqual(bests.map((b) => [b[0], b[4], b[6], b[7]]), [['kz_map_0', '0:11.000', '4', 'Yes'], ['kz_map_1', '1:39.000', '1', 'Yes']]);
    close();
  });

  test('archive: a site needs only a web host, from which everything comes', async (browser) => {
    const site = join(work, 'site');
    run('export', '-q', '--site', '--pages', 'all', '--site-url', 'https://example.org/kz', makeArchive(), site);
    const { address, missing, close } = await host(site);
    const { page, problems, requests } = await open(browser, address, { query: '' });
    assert.equal(await count(page), SAMPLES.length);
    await page.fill('.find', '岩拳 ring');
    await page.click('.rows a');
    await page.waitForSelector('header .archive');
    await eventually(async () => (await ask(page, 'state')) === 'ready');
    assert.ok((await ask(page, 'counts')).nodes > 0);
    assert.match(await page.getAttribute('meta[http-equiv]', 'content'), /default-src 'none'; script-src 'self'/);
    const head = async (name) => page.getAttribute(`meta[property="og:${name}"]`, 'content');
    assert.equal(await head('title'), '岩拳 vs Ragna on Ring');
    assert.match(await head('description'), /^rumble, \d{4}-\d\d-\d\d, 0:0\d/);
    const name = new URL(page.url()).pathname.split('/').at(-2);
    assert.match(name, /^[0-9a-f]{16}$/);
    assert.equal(await head('url'), `https://example.org/kz/r/${name}/`);
    assert.equal(await head('image'), `https://example.org/kz/r/${name}/picture.png`);
    // The picture is a picture, of the size that is promised.
    const size = await page.evaluate(async () => {
      const bitmap = await createImageBitmap(await (await fetch('picture.png')).blob());
      return [bitmap.width, bitmap.height];
    });
    assert.deepEqual(size, [Number(await head('image:width')), Number(await head('image:height'))]);
    await page.click('header .archive');
    await page.waitForSelector('.list');
    await page.fill('.find', 'rumble');
    await page.locator('.rows input').nth(0).check();
    await page.locator('.rows input').nth(1).check();
    await page.click('.basket .go');
    await page.waitForSelector('header .archive');
    await eventually(async () => (await ask(page, 'state')) === 'ready');
    assert.match(page.url(), /compare\/\?r=[0-9a-f]{16}&r=[0-9a-f]{16}/);
    assert.equal((await ask(page, 'view')).arrangement, 'ghosts');
    const others = requests.filter((url) => !url.startsWith(address) && !/^(blob|data):/.test(url));
    assert.deepEqual(others, []);
    assert.deepEqual(missing, []);
    assert.deepEqual(problems, []);
    close();
  });

  test('archive: links of a site are relative, also those of previews unless its address is given', async () => {
    const site = join(work, 'relative');
    run('export', '-q', '--site', '--pages', '2', makeArchive(), site);
    const pages = filesBelow(site).filter((f) => f.endsWith('.html'));
    assert.equal(pages.length, 4);
    for (const file of pages) {
      const head = readFileSync(file, 'utf8').split('<style>')[0];
      assert.match(head, /http-equiv="Content-Security-Policy" content="default-src 'none'/);
      for (const [, address] of head.matchAll(/(?:href|src)="([^"]*)"/g)) assert.match(address, /^(data:,|#panel|(\.\.\/)*(viewer\.(js|css))?)$/, file);
      assert.doesNotMatch(head, /https?:/);
    }
  });

  test('archive: a site is updated in place, and what is there is not made again', async () => {
    const folder = makeArchive();
    const site = join(work, 'updated');
    const report = (...more) => JSON.parse(run('export', '-q', '--json', '--site', ...more, folder, site));
    const numbers = ({ replays, pages_made, pages_kept, pages_failed }) => [replays, pages_made, pages_kept, pages_failed];
    assert.deepEqual(numbers(report('--pages', '3')), [10, 3, 0, 0]);
    const refused = spawnSync(reprise, ['export', '--site', folder, site], { encoding: 'utf8' });
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /exists; --force/);
    writeFileSync(join(folder, 'more.replay'), renamedRun('late', 'bkz_ramp'));
    assert.deepEqual(numbers(report('--force', '--pages', 'all')), [11, 8, 3, 0]);
    const index = JSON.parse(readFileSync(join(site, 'archive.json'), 'utf8'));
    for (const page of index.columns.page) assert.ok(existsSync(join(site, 'r', page, '0/scene.glb')), page);
    // Records come first.
    const first = join(work, 'first');
    run('export', '-q', '--site', '--pages', '1', folder, first);
    const { records, columns } = JSON.parse(readFileSync(join(first, 'archive.json'), 'utf8'));
    assert.ok(columns.page[records[0]]);
    assert.equal(columns.page.filter(Boolean).length, 1);
  });

  test('archive: hostile names are shown as text and name no file', async (browser) => {
    const folder = makeArchive([RUN], HOSTILE);
    const site = join(work, 'hostile');
    const report = JSON.parse(run('export', '-q', '--json', '--site', '--pages', 'all', folder, site));
    assert.deepEqual([report.replays, report.pages_made, report.pages_failed], [6, 6, 0]);
    for (const file of filesBelow(site)) assert.match(file.slice(site.length), /^\/((r\/[0-9a-f]{16}|compare)\/)?(0\/)?[a-z]+\.(html|json|css|js|txt|png|glb)$/);
    const raw = readFileSync(join(site, 'archive.json'), 'utf8');
    assert.ok(!raw.includes('gnp.yalper') && !raw.includes('feed'), 'names of files are not published');
    assert.doesNotMatch(raw, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    assert.ok(!raw.includes('x'.repeat(200)) && !raw.includes('n'.repeat(200)), 'long names are cut');
    for (const file of filesBelow(site).filter((f) => f.endsWith('.html') && f.includes('/r/'))) {
      const text = readFileSync(file, 'utf8');
      assert.equal(text.match(/<script/g).length, 1, file);
      assert.doesNotMatch(text, /<(img|b) |[\u202a-\u202e\u2066-\u2069\u0007]/);
      assert.ok(text.length < 8000);
    }
    const { address, missing, close } = await host(site);
    const { address: served } = await serve(folder);
    for (const where of [address, served]) {
      for (const hash of ['', '#records', '#players', `#player=${encodeURIComponent(EVIL)}`]) {
        const { page, context, problems } = await open(browser, where, { query: '', hash });
        assert.equal(await page.locator('script:not([type=module])').count(), 0);
        assert.equal(await page.locator('#app img, #app b').count(), 0);
        if (hash !== '') assert.ok((await page.innerText('main')).includes(EVIL), `${hash}: the name is shown`);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, 'no sideways scrolling');
        assert.deepEqual(problems, []);
        await context.close();
      }
      const { page, problems } = await open(browser, where, { query: '' });
      await page.fill('.find', 'onclick');
      assert.equal(await count(page), 1);
      await page.click('.rows a');
      await page.waitForSelector('header .archive');
      await eventually(async () => (await ask(page, 'state')) === 'ready');
      assert.match(await page.innerText('header h1'), /^alert\(1\) on ">/);
      assert.deepEqual(problems, []);
    }
    assert.deepEqual(missing, []);
    close();
  });

  test('archive: only known replays and names are served', async () => {
    const folder = makeArchive([RUN, 'openra/p21-2p.orarep']);
    writeFileSync(join(folder, 'notes.txt'), 'not a replay');
    const { address } = await serve(folder);
    const status = async (name) => (await fetch(address + name)).status;
    const ids = JSON.parse(run('query', folder, '--json', 'select id, format from file')).map((f) => [f.id, f.format]);
    const known = ids.filter(([, format]) => format).map(([id]) => id);
    const unknown = ids.find(([, format]) => !format)[0];
    assert.equal(known.length, 2);
    for (const id of known) assert.equal(await status(`r/${id}/`), 200);
    assert.equal(await status(`r/${known.join('+')}/page.json`), 200);
    assert.equal(await status('archive.json'), 200);
    for (const name of [`r/${unknown}/`, 'r/999/', 'r/0/', 'r//', 'r/', `r/0${known[0]}/`, `r/${known[0]}`, `r/${known[0]}+/`, `r/${known[0]}+999/`, `r/${known[0]}/../`, 'r/%31/', `r/${known[0]}/notes.txt`, `r/${known[0]}/0/..%2fnotes.txt`, 'notes.txt', 'archive.json?x', `r/${new Array(9).fill(known[0]).join('+')}/`])
      assert.equal(await status(name), 404, name);
    assert.equal((await fetch(`${address}archive.json`, { method: 'POST', body: 'x' })).status, 404);
    assert.equal((await fetch(address.replace(/[0-9a-f]{32}/, '0'.repeat(32)) + 'archive.json')).status, 404);
  });

  test('slow archive: more pages than are kept are made again when asked for', async () => {
    const folder = makeArchive(SAMPLES);
    const { address } = await serve(folder);
    const { columns } = await (await fetch(`${address}archive.json`)).json();
    assert.equal(columns.page.length, 10);
    const sizes = async () => Promise.all(columns.page.map(async (page) => (await (await fetch(`${address}r/${page}/0/timeline.json`)).text()).length));
    const first = [];
    for (const page of columns.page) first.push((await (await fetch(`${address}r/${page}/0/timeline.json`)).text()).length);
    assert.ok(first.every((size) => size > 100));
    // All at once wait for free places; what is refused then is asked for again.
    const again = await sizes();
    assert.ok(again.every((size, i) => size === first[i] || size === 0), `${again} ${first}`);
    for (const [i, page] of columns.page.entries()) assert.equal((await (await fetch(`${address}r/${page}/0/timeline.json`)).text()).length, first[i]);
  });

  test('archive: spoiler-free hides results; a site without them does not hold them', async (browser) => {
    const folder = makeArchive();
    const { address } = await serve(folder);
    const { page } = await open(browser, address, { query: '' });
    const before = await page.innerText('#app');
    assert.match(before, / won/);
    assert.match(before, /\d:\d\d\.\d{3} Pro/);
    await page.click('.spoiler');
    const after = await page.innerText('#app');
    assert.doesNotMatch(after, / won| Pro|\d:\d\d\.\d{3}/);
    assert.equal(await page.locator('.headings .result, .headings .length, .rows .result, .rows .length').count(), 0);
    assert.match(await page.getAttribute('.rows a', 'href'), /\?spoiler-free$/);
    await page.click('nav >> text=Records');
    await page.waitForSelector('#records-title');
    assert.match(await page.innerText('main'), /hidden while spoiler-free/);
    await page.click('nav >> text=Replays');
    await page.waitForSelector('.list');
    await page.fill('.find', 'z6_match');
    await page.click('.rows a');
    await page.waitForSelector('html[data-spoiler-free]');
    await eventually(async () => (await ask(page, 'state')) === 'ready');
    assert.equal((await ask(page, 'clock')).spoilerFree, true);
    const site = join(work, 'quiet');
    run('export', '-q', '--site', '--spoiler-free', '--pages', '2', folder, site);
    const index = JSON.parse(readFileSync(join(site, 'archive.json'), 'utf8'));
    for (const name of ['length', 'time', 'teleports', 'result']) assert.equal(index.columns[name], undefined, name);
    assert.equal(index.records, undefined);
    assert.ok(index.columns.people.flat().every((p) => p >= 0), 'nobody is marked as a winner');
    for (const file of filesBelow(site).filter((f) => f.endsWith('index.html'))) assert.doesNotMatch(readFileSync(file, 'utf8').split('<style>')[0], /og:image|\d:\d\d\.\d/);
    const { address: quiet, close } = await host(site);
    const sealed = await open(browser, quiet, { query: '' });
    assert.equal(await sealed.page.isDisabled('.spoiler'), true);
    assert.deepEqual(sealed.problems, []);
    close();
  });

  test('slow archive: 100 000 rows are searched, sorted and scrolled without lag', async (browser) => {
    const site = join(work, 'large');
    run('export', '-q', '--site', '--pages', '0', makeArchive([RUN]), site);
    const { address, close } = await host(site, { 'archive.json': JSON.stringify(manyRows(100_000)) });
    const { page, problems, spent } = await open(browser, address, { query: '' });
    const opened = await spent();
    assert.equal(await count(page), 100_000);
    assert.ok((await page.locator('.rows .row').count()) < 60, 'only rows that are seen exist');
    const cost = async (action) => {
      const before = await spent();
      await action();
      return (await spent()) - before;
    };
    const first = await cost(() => page.fill('.find', 'p'));
    const typed = await cost(() => page.fill('.find', 'player 17'));
    const sorted = await cost(() => page.click('.headings .title button'));
    await page.fill('.find', '');
    const task = await longestTask(browser, page, () =>
      page.evaluate(async () => {
        const table = document.querySelector('.table');
        for (let i = 1; i <= 60; i++) {
          table.scrollTop = (i * table.scrollHeight) / 60;
          await new Promise((done) => requestAnimationFrame(done));
        }
      }),
    );
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.equal((await ask(page, 'found')).drawn.at(-1), 99_999);
    if (process.env.VERBOSE) console.log(`100 000 rows: open ${opened | 0}, first search ${first | 0}, typing ${typed | 0}, sort ${sorted | 0}, scroll ${task | 0} ms`);
    // Work of the page's own thread, so that a busy machine does not fail this.
    assert.ok(typed < 250, `typing: ${typed} ms`);
    assert.ok(sorted < 1000, `sorting: ${sorted} ms`);
    assert.ok(task < 50, `scrolling: ${task} ms`);
    assert.deepEqual(problems, []);
    close();
  });

  test('slow archive: arrow keys go from row to row, and the focus survives scrolling', async (browser) => {
    const site = join(work, 'keys');
    run('export', '-q', '--site', '--pages', '0', makeArchive([RUN]), site);
    const index = manyRows(500);
    index.columns.page.fill('0123456789abcdef');
    const { address, close } = await host(site, { 'archive.json': JSON.stringify(index) });
    const { page } = await open(browser, address, { query: '' });
    await page.focus('.rows a, .rows input');
    for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowDown');
    const at = () => page.evaluate(() => Number(document.activeElement.closest('[data-index]')?.dataset.index));
    assert.equal(await at(), 40);
    assert.equal(await page.evaluate(() => document.activeElement.closest('.row').getBoundingClientRect().bottom <= innerHeight), true);
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp');
    assert.equal(await at(), 37);
    close();
  });

  test('slow archive: axe finds nothing, dark, light and on a phone', async (browser) => {
    const { address } = await serve(makeArchive());
    for (const look of [{ query: 'theme=dark' }, { query: 'theme=light' }, { query: '', ...phone }]) {
      // axe comes as text, which the page's own rules would not run.
      const { page, context } = await open(browser, address, { bypassCSP: true, ...look });
      assert.deepEqual(await serious(page), [], 'list');
      await page.locator('.rows input').first().check();
      await page.locator('.rows input').nth(1).check();
      assert.deepEqual(await serious(page), [], 'selection');
      for (const view of ['Records', 'Players']) {
        await page.click(`nav >> text=${view}`);
        await page.waitForSelector(`#${view.toLowerCase()}-title`);
        assert.deepEqual(await serious(page), [], view);
      }
      await page.locator('.long a').first().click();
      await page.waitForSelector('#player-title');
      assert.deepEqual(await serious(page), [], 'player');
      await context.close();
    }
  });

  test('slow archive: narrow screens do not scroll sideways, fingers get 44 pixels', async (browser) => {
    const { address } = await serve(makeArchive());
    for (const hash of ['', '#records', '#players']) {
      const { page, context } = await open(browser, address, { query: '', hash, ...phone, viewport: { width: 320, height: 640 } });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)) <= 0, hash);
      const small = await page.$$eval('header button, nav a, .find', (list) => list.filter((b) => b.offsetHeight < 44).map((b) => b.outerHTML));
      assert.deepEqual(small, []);
      await context.close();
    }
  });
};

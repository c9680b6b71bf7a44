// What a person sees first: who plays, how it ended, and a run in large.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { ask, crc32, data, floats, open, run, seek, serve, timelineOf, work, zipOf } from './harness.mjs';

const RUN = data('cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay');
const small = { viewport: { width: 900, height: 520 } };
const text = (page, selector) => page.innerText(selector).then((t) => t.trim());
const valueAt = ({ t, v }, time) => floats(v)[floats(t).filter((x) => x <= time + 1e-6).length - 1];

const number = (value, size) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(value, 0, size);
  return bytes;
};
/** A picture of one colour, red, green and blue. */
function png(width, height, colour) {
  const chunk = (name, content) => {
    const body = Buffer.concat([Buffer.from(name), content]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(content.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const row = Buffer.concat([Buffer.from([0]), ...Array(width).fill(Buffer.from(colour))]);
  const rows = deflateSync(Buffer.concat(Array(height).fill(row)));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}
/** A map of OpenRA with this title: 64 x 48 cells, all green, and two places to start. */
function oramap(title) {
  const [width, height] = [64, 48];
  const yaml = `MapFormat: 12\nRequiresMod: ra\nTitle: ${title}\nMapSize: ${width},${height}\nBounds: 0,0,${width},${height}\nActors:\n\tActor0: mpspawn\n\t\tLocation: 20,10\n\tActor1: mpspawn\n\t\tLocation: 40,30\n`;
  const cells = Buffer.concat([Buffer.from([1]), number(width, 2), number(height, 2), Buffer.alloc(5 * width * height)]);
  return zipOf([
    { name: 'map.yaml', bytes: Buffer.from(yaml) },
    { name: 'map.bin', bytes: cells },
    { name: 'map.png', bytes: png(width, height, [20, 200, 40]) },
  ]);
}

export default (test) => {
  test('watch: the title is the content, and the result is no spoiler', async (browser) => {
    const sample = data('openra/p21-2p.orarep');
    const { address } = await serve(sample);
    const { page, problems } = await open(browser, address, small);
    assert.equal(await text(page, 'h1'), 'Alice vs Bob vs Rush AI on Oracle Isle');
    assert.equal(await page.title(), 'Alice vs Bob vs Rush AI on Oracle Isle');
    assert.equal(await text(page, 'header .result'), 'Alice won');
    await page.click('#tab-players');
    const ends = () => page.$$eval('.ends td', (list) => list.map((td) => td.innerText));
    const stats = JSON.parse(run('stats', '--json', sample)).recorded.players;
    const total = (counts) => Object.values(counts).reduce((a, b) => a + b, 0);
    const [alice] = await ends();
    assert.match(alice, /Won/);
    // The scoreboard has winners first and what `stats` counts.
    const scores = () => page.$$eval('.scores tr', (list) => list.map((row) => [...row.children].map((cell) => cell.innerText.trim())));
    const [heads, first] = await scores();
    assert.deepEqual(heads.slice(0, 5), ['Player', 'Result', 'Orders', 'Things ordered', 'Buildings placed']);
    assert.deepEqual(first.slice(0, 5).map((text) => text.replace(/^\W+/, '')), ['Alice', 'Won', String(stats[0].orders), String(total(stats[0].produced)), String(total(stats[0].placed))]);
    await page.keyboard.press('v');
    assert.deepEqual(await scores(), []);
    for (const end of await ends()) assert.match(end, /hidden/);
    assert.doesNotMatch(await page.innerText('body'), /Alice won|Won|Lost/);
    // Until the end was seen.
    await page.evaluate(() => { document.querySelector('.play').click(); window.repriseTest.advance(1e6); });
    assert.equal(await text(page, 'header .result'), 'Alice won');
    assert.deepEqual(problems, []);
  });

  test('watch: a run in large says what its plots say', async (browser) => {
    const { address } = await serve(RUN);
    const { page, problems } = await open(browser, address, small);
    const timeline = timelineOf(RUN);
    const plot = (id) => timeline.plots.find((p) => p.id === id).series;
    const { t0, t1 } = timeline.run;
    assert.match(await text(page, 'header .result'), /^0:14\.438 with 0 teleports$/);
    assert.equal(await text(page, '.timer'), `-0:0${t0.toFixed(2)}`);
    await page.click('.torun');
    assert.equal((await ask(page, 'clock')).time, t0);
    assert.equal(await page.isHidden('.torun'), true);
    for (const time of [11.5, 12, 18.25, 24]) {
      await seek(page, time);
      const timer = valueAt(plot('timer')[0], time);
      assert.equal(await text(page, '.timer'), `0:${String(Math.floor(timer)).padStart(2, '0')}.${String(Math.floor((timer % 1) * 1000 + 1e-3)).padStart(3, '0')}`);
      const speed = valueAt(plot('speed')[0], time);
      assert.equal(await text(page, '.velocity b'), speed.toFixed(0));
      const change = speed - valueAt(plot('speed')[0], time - 0.1);
      assert.equal(await page.getAttribute('.velocity', 'data-trend'), change > 1 ? 'gain' : change < -1 ? 'loss' : 'even');
      const on = await page.$$eval('.pad .on', (list) => list.map((key) => key.dataset.key));
      assert.deepEqual(on, plot('keys').filter((key) => valueAt(key, time)).map((key) => key.name));
    }
    const jumps = timeline.tables.find((t) => t.id === 'jumps');
    const column = (id) => jumps.columns.find((c) => c.id === id).data;
    await seek(page, floats(column('t'))[2] + 0.01);
    assert.ok((await text(page, '.lastjump')).includes(`${floats(column('distance'))[2].toFixed(1)} u`));
    await seek(page, t1 + 1);
    assert.equal(await page.isHidden('.torun'), false);
    assert.match(await page.getAttribute('.legendscale', 'aria-label'), /Speed, 0 to 400 u\/s/);
    assert.deepEqual(problems, []);
  });

  test('watch: the player is see-through, and the ground is where the player stood', async (browser) => {
    const { address } = await serve(RUN);
    const { page } = await open(browser, address, small);
    const ids = await ask(page, 'ids');
    for (const kind of ['feet', 'edges', 'cone', 'path-ground', 'path-drop']) assert.ok(ids.some((id) => id?.kind === kind), kind);
    const seen = (kind) => page.evaluate((i) => window.repriseTest.node(i).visible, ids.findIndex((id) => id?.kind === kind));
    assert.equal(await seen('path-ground'), true);
    await page.keyboard.press('v');
    await seek(page, 1);
    assert.equal(await seen('path-ground'), false);
  });

  test('watch: several rivals start together, each with a chip, a colour and the gap', async (browser) => {
    const other = data('cs2kz/a3-run.replay');
    const { address } = await serve(RUN, other, other);
    const { page, problems } = await open(browser, address, small); // then the server has read the files
    const page_ = await (await fetch(`${address}page.json`)).json();
    const gap = page_.compare.gap.series[0];
    assert.deepEqual(page_.rivals.map((r) => r.b), [2]);
    assert.deepEqual(page_.rivals[0].gap.series[0].v, gap.v);
    await seek(page, 12);
    const seconds = valueAt(gap, 12);
    const values = await page.$$eval('.chip.rival b', (list) => list.map((b) => b.textContent));
    const wanted = `${Math.abs(seconds).toFixed(2)} s ${seconds < 0 ? 'ahead' : 'behind'}`;
    assert.deepEqual(values, [wanted, wanted]);
    const colours = await page.$$eval('.chip i', (list) => list.map((i) => getComputedStyle(i).color));
    assert.equal(new Set(colours).size, 3);
    // Time goes on until the longest run is over, wherever each one began.
    const [mine, theirs] = [timelineOf(RUN), timelineOf(other)];
    const end = Math.max(mine.source.duration, theirs.source.duration + mine.run.t0 - theirs.run.t0);
    assert.ok(Math.abs((await ask(page, 'clock')).duration - end) < 1e-6);
    await seek(page, mine.run.t0 + 0.5);
    const positions = await page.evaluate(() => [1, 2].map((r) => window.repriseTest.node(0, r).pos));
    assert.deepEqual(positions[0], positions[1]);
    await page.click('.chip.rival >> nth=1');
    assert.equal((await ask(page, 'view')).mode.rival, 2);
    await page.keyboard.press('g');
    assert.equal(await page.locator('.columns span').count(), 3);
    await page.keyboard.press('g');
    assert.equal(await page.isHidden('.chip.rival >> nth=0'), true);
    assert.deepEqual(problems, []);
  });

  test('watch: a match without a map begins with who is where and the cells of all orders', async (browser) => {
    for (const sample of ['remastered/ra-full-ipx-4p-multiframe.bin', 'openra/p21-2p.orarep']) {
      const { players, glyphs } = timelineOf(data(sample));
      const { address } = await serve(data(sample));
      const { page, problems, context } = await open(browser, address, small);
      const labels = await page.$$eval('.label:not([hidden])', (list) => list.map((label) => ({ text: label.textContent, cell: label.classList.contains('cell') })));
      // Those who gave orders for places; a player of the computer gives none.
      const active = new Set(glyphs.flatMap(({ player }) => [...new Int16Array(Uint8Array.from(Buffer.from(player.b64, 'base64')).buffer)]));
      const names = labels.filter((label) => !label.cell).map((label) => label.text.replace(/^. /, ''));
      assert.deepEqual(names.sort(), players.filter((p) => active.has(p.id)).map((p) => p.name).sort());
      const cells = labels.filter((label) => label.cell).map((label) => Number(label.text));
      assert.ok(cells.length >= 4 && cells.every((cell) => cell % 8 === 0), String(cells));
      // The cells are in the picture, and what lies ahead is not while free of spoilers.
      const picture = () => page.evaluate(() => document.querySelector('canvas.gl').toDataURL());
      const all = await picture();
      await page.click('.spoiler');
      assert.notEqual(await picture(), all);
      assert.deepEqual(problems, []);
      await context.close();
    }
  });

  test('watch: a match is on its map, which is found by its title, served and in one file', async (browser) => {
    const maps = join(work, 'maps');
    mkdirSync(maps);
    writeFileSync(join(maps, 'a.oramap'), oramap('Another Isle'));
    writeFileSync(join(maps, 'b.oramap'), oramap('Oracle Isle'));
    writeFileSync(join(maps, 'c.oramap'), 'no map');
    const sample = data('openra/p21-2p.orarep');
    const look = async (address) => {
      const { page, problems, context } = await open(browser, address, small);
      const starts = await page.evaluate(() => [...document.querySelectorAll('.label:not([hidden]):not(.cell)')].map((label) => label.textContent));
      await seek(page, 2);
      const { map, distance, target } = await ask(page, 'view');
      const green = await page.evaluate(() => {
        const canvas = new OffscreenCanvas(90, 60);
        const context = canvas.getContext('2d');
        context.drawImage(document.querySelector('canvas.gl'), 0, 0, 90, 60);
        const { data: bytes } = context.getImageData(0, 0, 90, 60);
        let found = 0;
        for (let i = 0; i < bytes.length; i += 4) found += Math.abs(bytes[i] - 20) + Math.abs(bytes[i + 1] - 200) + Math.abs(bytes[i + 2] - 40) < 24;
        return found / (90 * 60);
      });
      assert.deepEqual(problems, []);
      await context.close();
      return { map, distance, target, green, starts };
    };
    const plain = await look((await serve(sample)).address);
    assert.deepEqual([plain.map, plain.green, plain.starts], [false, 0, ['● Alice', '■ Bob']]);
    const served = await serve('--maps', maps, sample);
    const mapped = await look(served.address);
    assert.match(served.errors(), /another version of this map/);
    assert.equal(mapped.map, true);
    assert.ok(mapped.green > 0.4, `${mapped.green} of the picture is ground`);
    // The map is in the middle, or as far to the right as who plays covers it.
    assert.ok(mapped.target[0] <= 32 && mapped.target[0] > 16 && mapped.target[2] === 24, String(mapped.target));
    // The first picture says who starts where.
    const { players } = timelineOf(sample);
    assert.deepEqual(players.slice(0, 2).map((p) => p.spawn), [1, 2]);
    assert.deepEqual(mapped.starts.map((name) => name.slice(2)).sort(), players.slice(0, 2).map((p) => p.name).sort());
    // Buildings have the names that players know.
    const { labels, tables } = timelineOf(sample);
    const builds = tables.find((t) => t.id === 'builds').columns.find((c) => c.id === 'item').data.values;
    assert.ok(labels.length > 0 && labels.every(({ text: name }) => builds.includes(name)), JSON.stringify(labels));
    const file = join(work, 'on-map.html');
    run('export', '-q', '--scenery', join(maps, 'b.oramap'), sample, file);
    assert.deepEqual(await look(pathToFileURL(file).href), mapped);
  });

  test('watch: what stands on a map of Iron Curtain has its name', async (browser) => {
    const sample = data('ironcurtain/full.icrep');
    const types = new Set(run('cat', '--track', 'entities', '--columns', 'type', sample).trim().split('\n').map((line) => JSON.parse(line).type));
    const { labels } = timelineOf(sample);
    assert.ok(labels.length > 20 && labels.every(({ text }) => types.has(text)), JSON.stringify(labels));
    assert.equal(new Set(labels.map(({ node }) => node)).size, labels.length);
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    const shown = await page.$$eval('.label:not([hidden])', (list) => list.map((label) => label.textContent.slice(2)));
    // Each of three players begins with a yard; names of units give way to it.
    assert.deepEqual(shown.filter((name) => name === 'fact').length, 3, String(shown));
    assert.ok(shown.every((name) => types.has(name)), String(shown));
  });

  test('watch: the first picture has all entities that are near each other', async (browser) => {
    const sample = data('mcreplay/multipart_basic.replay');
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    await seek(page, 0.9);
    const names = timelineOf(sample).labels.map(({ text }) => text);
    const shown = await page.$$eval('.label:not([hidden])', (list) => list.map((label) => label.textContent.slice(2)));
    assert.deepEqual(shown.sort(), names.sort());
  });

  test('watch: a match does not begin with players who left', async () => {
    // Games up to 2021 announce clients as gone "now", whatever the frame, while a match starts.
    const whole = readFileSync(data('openra/p8-2p.orarep'));
    const first = 8 + whole.readInt32LE(4);
    const gone = Buffer.from([0, 0, 0, 0, 5, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 0xbf]);
    const sample = join(work, 'gone.orarep');
    writeFileSync(sample, Buffer.concat([whole.subarray(0, first), gone, whole.subarray(first)]));
    assert.match(run('cat', '--track', 'disconnects', sample), /"time":0,.*"frame":2147483647,"client":0,/);
    const kinds = ({ markers }) => markers.kind.values;
    assert.deepEqual(kinds(timelineOf(sample)), kinds(timelineOf(data('openra/p8-2p.orarep'))));
  });

  test('watch: blocks have no seams', async (browser) => {
    const { address } = await serve(data('mcreplay/world_frames.vcap'));
    const { page, problems } = await open(browser, address, small);
    const pixels = () =>
      page.evaluate(() => {
        const from = document.querySelector('canvas.gl');
        const canvas = new OffscreenCanvas(from.width, from.height);
        const context = canvas.getContext('2d');
        context.drawImage(from, 0, 0);
        const { data: bytes } = context.getImageData(0, 0, from.width, from.height);
        const sky = (i) => bytes[i] === 0x22 && bytes[i + 1] === 0x3a && bytes[i + 2] === 0x58;
        const [low, high] = [[Infinity, Infinity], [0, 0]];
        const all = (visit) => {
          for (let i = 0; i < bytes.length; i += 4) visit(i, [(i / 4) % from.width, Math.floor(i / 4 / from.width)]);
        };
        const found = { dark: 0, ground: 0, holes: 0 };
        all((i, at) => {
          found.dark += Math.max(bytes[i], bytes[i + 1], bytes[i + 2]) < 40;
          if (sky(i)) return;
          found.ground++;
          for (const side of [0, 1]) [low[side], high[side]] = [Math.min(low[side], at[side]), Math.max(high[side], at[side])];
        });
        // Not its edge, where the sides of the blocks are seen too.
        const inside = (at, side) => Math.abs(at[side] - (low[side] + high[side]) / 2) < 0.4 * (high[side] - low[side]);
        all((i, at) => (found.holes += inside(at, 0) && inside(at, 1) && sky(i)));
        return found;
      });
    // Between blocks of one colour, dark pixels would be those of another tile of the texture.
    assert.equal((await pixels()).dark, 0);
    // From above, the ground has no holes through which the sky is seen.
    await page.click('[data-camera=top]');
    await page.mouse.move(320, 200);
    for (let i = 0; i < 8; i++) await page.mouse.wheel(0, -200);
    await seek(page, 0.01);
    await page.waitForTimeout(300);
    const above = await pixels();
    assert.equal(above.dark, 0);
    assert.ok(above.ground > 1000, JSON.stringify(above));
    assert.equal(above.holes, 0);
    assert.deepEqual(problems, []);
  });

  test('watch: health is above the heads and faces every camera', async (browser) => {
    const { address } = await serve(data('rumble/z6_match_like_1.2.4.replay'));
    const { page, problems } = await open(browser, address, small);
    const ids = await ask(page, 'ids');
    const of = (kind, player) => ids.findIndex((about) => about?.kind === kind && about.player === player);
    const nodes = (list) => page.evaluate((numbers) => numbers.map((n) => window.repriseTest.node(n)), list);
    await seek(page, 1);
    for (const player of [0, 1]) {
      const [head, bar, left] = await nodes([of('head', player), of('health', player), of('health left', player)]);
      assert.ok(left.visible);
      assert.ok(Math.abs(bar.pos[0] - head.pos[0]) < 0.01 && bar.pos[1] > head.pos[1] + 0.2, `${bar.pos} above ${head.pos}`);
    }
    const turned = async (camera) => {
      await page.click(`[data-camera=${camera}]`);
      await page.waitForTimeout(100);
      return (await nodes([of('health', 0)]))[0].rot;
    };
    const orbit = await turned('orbit');
    const top = await turned('top');
    // From above it lies flat: turned by a quarter about x.
    [-Math.SQRT1_2, 0, 0, Math.SQRT1_2].forEach((value, i) => assert.ok(Math.abs(Math.abs(top[i]) - Math.abs(value)) < 0.01, `${top}`));
    assert.ok(Math.abs(orbit[3] - top[3]) > 0.02, `${orbit} and ${top}`);
    assert.deepEqual(problems, []);
  });

  test('watch: a save opens with its state', async (browser) => {
    const { address } = await serve(data('ironcurtain/everything.icsave'));
    const { page, problems } = await open(browser, address, small);
    assert.equal(await page.getAttribute('#tab-tables', 'aria-selected'), 'true');
    assert.match(await page.innerText('.tablepane'), /Alice[\s\S]*4900/);
    assert.match(await text(page, '.hud'), /Alice\s+4900 credits\s+power 40, units 5, buildings 1/);
    assert.equal(await page.locator('.labels > :not([hidden])').count() > 0, true);
    assert.deepEqual(problems, []);
  });

  test('watch: highlights are a list, chapters and clips', async (browser) => {
    const sample = data('openra/p21-bots-medium.orarep');
    const { highlights, chapters } = timelineOf(sample);
    const told = JSON.parse(run('stats', '--json', '--highlights', sample)).highlights;
    assert.deepEqual(highlights, told);
    const { address } = await serve(sample);
    const { page, problems } = await open(browser, address, small);
    await page.click('#tab-bookmarks');
    const rows = () => page.$$eval('.highlights li .go', (list) => list.map((one) => one.textContent.replace(/^\S+ /, '')));
    assert.deepEqual(await rows(), highlights.map(({ text: words }) => words));
    const best = highlights.findIndex(({ kind, score }) => kind === 'fight' && score === 0.85);
    await page.locator('.highlights li .go').nth(best).click();
    const { time } = await ask(page, 'clock');
    assert.ok(time <= highlights[best].t && time >= highlights[best].t0 - 1.01, `${time} for ${JSON.stringify(highlights[best])}`);
    // The bar names the chapter that this is.
    assert.ok(chapters.some(({ name }) => name === highlights[best].text));
    await page.locator('.highlights li button:not(.go)').nth(best).click();
    const { loopFrom, loopTo } = await ask(page, 'clock');
    assert.deepEqual([loopFrom, loopTo], [highlights[best].t0, highlights[best].t1]);
    assert.equal(await page.getAttribute('#tab-share', 'aria-selected'), 'true');
    // Spoiler-free, only what was seen is listed.
    await page.click('#tab-bookmarks');
    await page.keyboard.press('v');
    const { limit } = await ask(page, 'clock');
    assert.deepEqual(await rows(), highlights.filter(({ t1 }) => t1 <= limit + 1e-6).map(({ text: words }) => words));
    assert.deepEqual(problems, []);
  });
};

// Every family loads, shows what the command says, and draws it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ask, data, open, reprise, run, seek, serve, timelineOf, work } from './harness.mjs';

const SAMPLES = {
  rumble: 'rumble/z6_match_like_1.2.4.replay',
  cs2kz: 'cs2kz/a1-run-styles.replay',
  mcreplay: 'mcreplay/multipart_basic.replay',
  'mcreplay rigs': 'mcreplay/armature_basic.replay',
  icrep: 'ironcurtain/full.icrep',
  openra: 'openra/p21-2p.orarep',
  remastered: 'remastered/ra-full-ipx-4p-multiframe.bin',
};

/** How many colours the picture has, counted on the page. */
const coloursOf = (page) =>
  page.evaluate(async () => {
    const from = document.querySelector('canvas.gl');
    const canvas = document.createElement('canvas');
    canvas.width = 200;
    canvas.height = 150;
    const context = canvas.getContext('2d');
    context.drawImage(from, 0, 0, 200, 150);
    const { data: bytes } = context.getImageData(0, 0, 200, 150);
    const seen = new Set();
    for (let i = 0; i < bytes.length; i += 4) seen.add((bytes[i] >> 3) | ((bytes[i + 1] >> 3) << 5) | ((bytes[i + 2] >> 3) << 10));
    return seen.size;
  });

/** The nodes of a GLB with where their channels put them at a time, as the file says. */
function placesOf(path) {
  const bytes = readFileSync(path);
  const size = bytes.readUInt32LE(12);
  const json = JSON.parse(bytes.subarray(20, 20 + size));
  const bin = 28 + size;
  const floats = (index) => {
    const accessor = json.accessors[index];
    const start = bin + json.bufferViews[accessor.bufferView].byteOffset + (accessor.byteOffset ?? 0);
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[accessor.type];
    return Array.from({ length: accessor.count * width }, (_, i) => bytes.readFloatLE(start + 4 * i));
  };
  const places = [];
  const [animation] = json.animations ?? [];
  for (const channel of animation?.channels ?? [])
    if (channel.target.path === 'translation') {
      const sampler = animation.samplers[channel.sampler];
      places.push({ node: channel.target.node, t: floats(sampler.input), v: floats(sampler.output) });
    }
  const child = new Set(json.nodes.flatMap((n) => n.children ?? []));
  return places.filter((p) => !child.has(p.node));
}

export default (test) => {
  for (const [name, sample] of Object.entries(SAMPLES))
    test(`${name.includes(' ') ? 'slow ' : ''}load: ${name}`, async (browser) => {
      const timeline = timelineOf(data(sample));
      const { address } = await serve(data(sample));
      const { page, problems } = await open(browser, address);
      await seek(page, timeline.source.duration / 2);
      const counts = await ask(page, 'counts');
      const glb = join(work, `${name.replace(' ', '-')}.glb`);
      const done = spawnSync(reprise, ['export', '--json', '-q', '-f', data(sample), glb], { encoding: 'utf8' });
      assert.equal(counts.nodes, JSON.parse(done.stdout).nodes);
      assert.equal(counts.markers, timeline.markers.n);
      const full = timeline.plots.filter((p) => p.series.some((s) => s.t.n)).map((p) => p.id);
      assert.deepEqual(counts.plots, full);
      assert.ok((await coloursOf(page)) >= 3, 'a picture');
      assert.equal(await page.innerText('h1'), timeline.source.title);
      for (const player of timeline.players.slice(0, 8)) assert.ok((await page.innerText('.hud')).includes(player.name));
      assert.deepEqual(problems, []);
      assert.deepEqual(await ask(page, 'errors'), []);
    });

  test('slow truth: things are where the scene says, in any order of times', async (browser) => {
    const sample = data('rumble/z6_match_like_1.2.4.replay');
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    const glb = join(work, 'truth.glb');
    spawnSync(reprise, ['export', '-q', '-f', sample, glb]);
    const places = placesOf(glb).slice(0, 12);
    const times = [0.1, 3.2, 1.7, 0.9, 2.5, 2.49, 0.02, 3.3, 1.1, 2.0];
    for (const time of times) {
      await seek(page, time);
      for (const { node, t, v } of places) {
        const shown = await page.evaluate((n) => window.repriseTest.node(n).pos, node);
        let i = t.findLastIndex?.((x) => x <= time) ?? -1;
        if (i < 0) i = 0;
        const j = Math.min(i + 1, t.length - 1);
        const f = j > i && time > t[i] ? (time - t[i]) / (t[j] - t[i]) : 0;
        for (let axis = 0; axis < 3; axis++) {
          const want = v[i * 3 + axis] + (v[j * 3 + axis] - v[i * 3 + axis]) * f;
          assert.ok(Math.abs(shown[axis] - want) < 1e-3, `node ${node} at ${time}`);
        }
      }
    }
  });

  test('slow cameras: every button gives another picture, keys and digits work', async (browser) => {
    const { address } = await serve(data('rumble/z5_park_like_animator.replay'));
    const { page, problems } = await open(browser, address);
    await seek(page, 1.5);
    const pictures = new Set();
    const cameras = await page.$$eval('[data-camera]', (buttons) => buttons.map((b) => b.dataset.camera));
    assert.deepEqual(cameras.slice(0, 5), ['orbit', 'follow', 'eyes', 'top', 'free']);
    assert.ok((await page.innerText('.cameras .more')).includes('RockCam Pebble'));
    for (const camera of cameras.slice(0, 5)) {
      await page.click(`[data-camera="${camera}"]`);
      assert.equal((await ask(page, 'view')).camera, camera);
      if (camera !== 'free') pictures.add(await page.evaluate(() => document.querySelector('canvas.gl').toDataURL()));
    }
    assert.equal(pictures.size, 4);
    await page.keyboard.press('2');
    assert.equal((await ask(page, 'view')).camera, 'follow');
    await page.keyboard.press('Shift+Digit1');
    assert.equal((await ask(page, 'view')).camera, 'eyes');
    await page.keyboard.press('Escape');
    assert.equal((await ask(page, 'view')).camera, 'orbit');
    await page.keyboard.press('c');
    assert.equal((await ask(page, 'view')).camera, 'follow');
    // Dragging and zooming change the picture.
    await page.keyboard.press('0');
    const before = await page.evaluate(() => document.querySelector('canvas.gl').toDataURL());
    await page.mouse.move(400, 350);
    await page.mouse.down();
    await page.mouse.move(500, 380, { steps: 4 });
    await page.mouse.up();
    await page.mouse.wheel(0, 300);
    await seek(page, 1.5);
    assert.notEqual(await page.evaluate(() => document.querySelector('canvas.gl').toDataURL()), before);
    assert.deepEqual(problems, []);
  });

  test('cameras: auto cuts to whoever matters next and stays a while', async (browser) => {
    const sample = data('rumble/z5_park_like_animator.replay');
    const { address } = await serve(sample);
    const { page, problems } = await open(browser, address);
    const timeline = timelineOf(sample);
    const column = ({ b64, n }, size, read) => Array.from({ length: n }, (_, i) => Buffer.from(b64, 'base64')[read](i * size));
    const { markers, players } = timeline;
    const times = column(markers.t, 4, 'readFloatLE');
    const who = column(markers.player, 2, 'readInt16LE');
    const weights = column(markers.weight, 1, 'readUInt8');
    await page.click('[data-camera=auto]');
    const near = times.map((t, i) => ({ t, player: who[i], weight: weights[i] })).filter((m) => m.t <= 3 && players[m.player]?.body !== undefined);
    const best = near.reduce((a, b) => (b.weight > a.weight ? b : a));
    const mode = async () => (await ask(page, 'view')).mode;
    assert.equal((await mode()).node, players[best.player].body);
    // Within four seconds there is no second cut, whatever comes.
    await page.keyboard.press('k');
    for (let i = 0; i < 4; i++) {
      await page.evaluate(() => window.repriseTest.advance(0.5));
      assert.equal((await mode()).node, players[best.player].body);
    }
    await page.keyboard.press('Escape');
    assert.equal((await ask(page, 'view')).camera, 'orbit');
    assert.deepEqual(problems, []);
  });

  test('slow cameras: steady keeps the horizon level', async (browser) => {
    const { address } = await serve(data('rumble/z5_park_like_animator.replay'));
    const { page } = await open(browser, address);
    await seek(page, 1.5);
    await page.click('[data-camera=eyes]');
    const shot = () => page.evaluate(() => document.querySelector('canvas.gl').toDataURL());
    const plain = await shot();
    await page.click('.steady');
    assert.equal(await page.getAttribute('.steady', 'aria-pressed'), 'true');
    assert.equal((await ask(page, 'view')).mode.steady, true);
    assert.notEqual(await shot(), plain);
    await page.click('.steady');
    assert.equal(await shot(), plain);
  });

  test('stage: a click names, from above the wheel zooms at the pointer', async (browser) => {
    const { address } = await serve(data('rumble/z6_match_like_1.2.4.replay'));
    const { page } = await open(browser, address);
    await seek(page, 1);
    await page.click('[data-camera=follow]');
    const box = await page.locator('canvas.gl').boundingBox();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    for (let dy = -60; dy <= 120 && !(await page.isVisible('.naming')); dy += 15) await page.mouse.click(middle[0], middle[1] + dy);
    assert.match(await page.innerText('.naming'), /HP/);
    await seek(page, 1.2);
    assert.equal(await page.isVisible('.naming'), false);
    await page.click('[data-camera=top]');
    const before = await ask(page, 'view');
    await page.mouse.move(box.x + box.width * 0.75, middle[1]);
    await page.mouse.wheel(0, -200);
    const after = await ask(page, 'view');
    assert.ok(after.distance < before.distance);
    // What was under the pointer still is.
    const half = (d) => d * Math.tan((25 * Math.PI) / 180) * (box.width / box.height) * 0.5;
    assert.ok(Math.abs(before.target[0] + half(before.distance) - (after.target[0] + half(after.distance))) < 1e-6);
  });

  test('map: scenery from a GLB file stands around a run, served and in one file', async (browser) => {
    const map = join(work, 'map.glb');
    const sample = data('cs2kz/a1-run-styles.replay');
    run('export', '-q', '--force', data('mcreplay/world_frames.vcap'), map);
    const shot = async (address) => {
      const { page, problems, context } = await open(browser, address);
      await page.click('[data-camera=top]');
      const { map: there } = await ask(page, 'view');
      const picture = await page.evaluate(() => document.querySelector('canvas.gl').toDataURL());
      assert.deepEqual(problems, []);
      await context.close();
      return { there, picture };
    };
    const plain = await shot((await serve(sample)).address);
    const { address } = await serve('--map', map, sample);
    const framed = await shot(address);
    assert.deepEqual([plain.there, framed.there], [false, true]);
    assert.notEqual(plain.picture, framed.picture);
    const bytes = Buffer.from(await (await fetch(`${address}map.glb`)).arrayBuffer());
    assert.ok(bytes.equals(readFileSync(map)));
    const file = join(work, 'mapped.html');
    run('export', '-q', '--map', map, sample, file);
    assert.equal((await shot(pathToFileURL(file).href)).picture, framed.picture);
  });

  test('phone: all controls behind one button, a double tap seeks, the panel also sideways', async (browser) => {
    const { address } = await serve(data('ironcurtain/full.icrep'));
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page, context } = await open(browser, address, phone);
    const loop = page.locator('.transport .wide >> nth=0');
    assert.equal(await loop.isVisible(), false);
    await page.click('.phone');
    assert.equal(await page.getAttribute('.phone', 'aria-expanded'), 'true');
    for (const name of ['To the start', 'To the end', 'Play backwards', 'Bookmark this moment', 'Save a picture'])
      assert.ok(await page.isVisible(`.transport [aria-label="${name}"]`), name);
    await page.click('.phone');
    await seek(page, 100);
    const box = await page.locator('canvas.gl').boundingBox();
    const tap = (share) => page.mouse.dblclick(box.x + box.width * share, box.y + box.height * 0.7);
    await tap(0.9);
    assert.ok(Math.abs((await ask(page, 'clock')).time - 110) < 1e-6);
    await tap(0.1);
    assert.ok(Math.abs((await ask(page, 'clock')).time - 100) < 1e-6);
    await context.close();
    const lying = await open(browser, address, { ...phone, viewport: { width: 667, height: 375 } });
    const side = await lying.page.locator('.side').boundingBox();
    assert.ok(side.width >= 200 && side.height >= 100, JSON.stringify(side));
  });

  test('slow picture: the same bytes twice', async (browser) => {
    const { address } = await serve(data('rumble/z6_match_like_1.2.4.replay'));
    const take = async () => {
      const { page, context } = await open(browser, address);
      await seek(page, 1.25);
      const picture = await page.evaluate(() => document.querySelector('canvas.gl').toDataURL());
      await context.close();
      return picture;
    };
    assert.equal(await take(), await take());
  });

  test('slow theme: dark, light, and kept', async (browser) => {
    const { address } = await serve(data('rumble/z6_edge.replay'));
    const { page, context } = await open(browser, address, { colorScheme: 'light' });
    assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
    await page.click('[aria-label="Dark or light"]');
    assert.equal(await page.getAttribute('html', 'data-theme'), 'dark');
    const again = await context.newPage();
    await again.goto(`${address}?still`);
    await again.waitForSelector('html[data-state=ready]');
    assert.equal(await again.getAttribute('html', 'data-theme'), 'dark');
  });
};

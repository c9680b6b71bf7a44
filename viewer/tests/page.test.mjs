// Every family loads, shows what the command says, and draws it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ask, column, data, open, plainTimeline, reprise, root, run, seek, serve, servePage, timelineOf, work } from './harness.mjs';

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

/** Where things are at twenty moments, as `reprise at` says: [time, id, kind, place, turn]. */
function posesOf(sample) {
  const script = 'import json, sys; sys.path.insert(0, sys.argv[1]); import poses; poses.MOMENTS = 20; print(json.dumps(poses.poses(sys.argv[2], sys.argv[3])))';
  const done = spawnSync('python3', ['-B', '-c', script, join(root, 'tests/gltf'), reprise, sample], { encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.equal(done.status, 0, done.stderr);
  return JSON.parse(done.stdout);
}

/** Degrees between two turns; not by the cosine, which is too coarse for small angles. */
function degreesBetween(a, b) {
  const dot = a.reduce((sum, v, i) => sum + v * b[i], 0);
  const apart = Math.hypot(...a.map((v, i) => v - Math.sign(dot || 1) * b[i]));
  return (360 / Math.PI) * Math.asin(Math.min(1, apart / 2)) * 2;
}

export default (test) => {
  test('skins: an entity is one mesh around its bones, and is painted as recorded', async (browser) => {
    const sample = data('mcreplay/multipart_basic.replay');
    const glb = join(work, 'skins.gltf');
    assert.equal(spawnSync(reprise, ['export', '-q', '-f', sample, glb]).status, 0);
    const scene = JSON.parse(readFileSync(glb, 'utf8'));
    const bytes = Buffer.from(scene.buffers[0].uri.split(',')[1], 'base64');
    const floats = (index) => {
      const accessor = scene.accessors[index];
      const start = scene.bufferViews[accessor.bufferView].byteOffset + (accessor.byteOffset ?? 0);
      const width = { SCALAR: 1, VEC2: 2, VEC4: 4 }[accessor.type];
      return Array.from({ length: accessor.count * width }, (_, i) => bytes.readFloatLE(start + 4 * i));
    };
    const { address } = await serve(sample);
    const { page, problems } = await open(browser, address);
    const drawn = scene.nodes.filter((node) => node.skin !== undefined);
    assert.ok(drawn.length >= 4);
    for (const t of [0, 0.3, 0.6, 1.2]) {
      await seek(page, t);
      for (const skin of await ask(page, 'skins')) assert.ok(!skin.visible || skin.around, `${skin.id} at ${t}`);
      const shown = (await ask(page, 'skins')).filter((skin) => skin.visible).map((skin) => skin.id);
      assert.equal(new Set(shown).size, t < 0.25 ? 2 : t < 0.5 ? 3 : 4, `${shown} at ${t}`);
      for (const { sampler, target } of scene.animations[0].channels) {
        const [, list, number, , member] = target.extensions?.KHR_animation_pointer.pointer.split('/') ?? [];
        if (list !== 'materials' || member !== 'baseColorFactor') continue;
        const { input, output } = scene.animations[0].samplers[sampler];
        const at = floats(input).filter((time) => time <= t + 1e-6).length - 1;
        const wanted = floats(output).slice(4 * Math.max(0, at), 4 * Math.max(0, at) + 3);
        const { colour } = await page.evaluate((n) => window.repriseTest.look(n), Number(number));
        colour.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-5, `${colour} at ${t}, not ${wanted}`));
      }
    }
    assert.deepEqual(problems, []);
  });
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
      // Every table has the rows that the timeline has.
      const nested = new Set(timeline.tables.map((t) => t.nested?.table));
      const tables = timeline.tables.filter((t) => t.n > 0 && !nested.has(t.id));
      assert.deepEqual(counts.tables.filter((id) => id !== 'markers:all'), tables.map((t) => t.id));
      await page.click('#tab-tables');
      for (const table of tables) {
        await page.selectOption('.tablepane select', table.id);
        assert.equal((await ask(page, 'counts')).rows, table.n, table.id);
      }
      assert.ok((await coloursOf(page)) >= 3, 'a picture');
      assert.equal(await page.innerText('h1'), timeline.source.title);
      for (const player of timeline.players.slice(0, 8)) assert.ok((await page.innerText('.hud')).includes(player.name));
      assert.deepEqual(problems, []);
      assert.deepEqual(await ask(page, 'errors'), []);
    });

  for (const [name, sample] of Object.entries({ rumble: SAMPLES.rumble, cs2kz: 'cs2kz/b2-run.replay', mcreplay: SAMPLES.mcreplay, icrep: SAMPLES.icrep }))
    test(`slow truth: things of ${name} are where the command says, in any order of times`, async (browser) => {
      const poses = posesOf(data(sample));
      const { address } = await serve(data(sample));
      const { page } = await open(browser, address);
      const ids = await ask(page, 'ids');
      const times = [...new Set(poses.map(([t]) => t))];
      assert.ok(times.length >= 3 && poses.length >= 20, `${poses.length} poses at ${times.length} times`);
      // Forwards, backwards, and jumping about.
      const shuffled = times.map((t, i) => [(i * 7919) % times.length, t]).sort((a, b) => a[0] - b[0]).map(([, t]) => t);
      for (const time of [...times, ...times.slice().reverse(), ...shuffled]) {
        await seek(page, time);
        const wanted = poses.filter(([t]) => t === time);
        const numbers = wanted.map(([, id, kind]) => ids.flatMap((about, i) => (about?.id === id && about?.kind === kind ? [i] : [])));
        const shown = await page.evaluate((lists) => lists.map((list) => list.map((n) => window.repriseTest.node(n))), numbers);
        wanted.forEach(([, id, kind, place, turn], i) => {
          const node = shown[i].find((n) => n.visible) ?? shown[i][0];
          assert.ok(node, `${id} ${kind}`);
          if (place) for (let axis = 0; axis < 3; axis++) assert.ok(Math.abs(node.pos[axis] - place[axis]) < 1e-3, `${id} ${kind} at ${time}: ${node.pos}, not ${place}`);
          if (turn && node.visible) {
            const apart = degreesBetween(node.rot, turn);
            assert.ok(apart < 0.05, `${id} ${kind} at ${time}: ${apart} degrees off`);
          }
        });
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

  test('cameras: each family begins with its own', async (browser) => {
    const first = {
      'rumble/z6_edge.replay': 'orbit',
      'cs2kz/a1-run-styles.replay': 'follow',
      'mcreplay/multipart_basic.replay': 'orbit',
      'mccamera/turn.xml': 'camera',
      'openra/p21-2p.orarep': 'top',
    };
    for (const [sample, camera] of Object.entries(first)) {
      const { address } = await serve(data(sample));
      const { page, context } = await open(browser, address);
      const view = await ask(page, 'view');
      assert.equal(view.camera, camera, sample);
      const suggested = timelineOf(data(sample)).cameras.find((c) => c.kind === 'orbit');
      if (sample.startsWith('mcreplay'))
        assert.ok(Math.hypot(...view.target.map((v, i) => v - suggested.target[i])) < 1e-4, 'who moves most');
      await context.close();
    }
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

  test('slow cameras: a recorded one is there while it was on', async (browser) => {
    const sample = data('rumble/z5_park_like_animator.replay');
    const { address } = await serve(sample);
    const { page, problems } = await open(browser, address);
    const camera = timelineOf(sample).cameras.find((c) => c.id === 'rockcam:1');
    const [from, to] = camera.when[0];
    const off = () => page.$eval('.cameras option[value="rockcam:1"]', (o) => o.disabled);
    await seek(page, from - 0.5);
    assert.equal(await off(), true);
    await seek(page, (from + to) / 2);
    assert.equal(await off(), false);
    await page.selectOption('.cameras .more', 'rockcam:1');
    assert.deepEqual([(await ask(page, 'view')).mode.kind, (await ask(page, 'view')).mode.node], ['eyes', camera.node]);
    await seek(page, from - 0.5);
    assert.equal((await ask(page, 'view')).mode.kind, 'orbit');
    await seek(page, from + 0.1);
    assert.equal((await ask(page, 'view')).mode.node, camera.node);
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
    const { address } = await serve('--scenery', map, sample);
    const framed = await shot(address);
    assert.deepEqual([plain.there, framed.there], [false, true]);
    assert.notEqual(plain.picture, framed.picture);
    const bytes = Buffer.from(await (await fetch(`${address}map.glb`)).arrayBuffer());
    assert.ok(bytes.equals(readFileSync(map)));
    const file = join(work, 'mapped.html');
    run('export', '-q', '--scenery', map, sample, file);
    assert.equal((await shot(pathToFileURL(file).href)).picture, framed.picture);
  });

  test('phone: all controls behind one button, a double tap seeks, cameras in a list', async (browser) => {
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
    // All cameras in one list.
    assert.deepEqual(await page.$$eval('.cameras select option', (list) => list.map((o) => o.value)).then((l) => l.slice(1, 4)), ['orbit', 'top', 'free']);
    await page.selectOption('.cameras select', 'orbit');
    assert.equal((await ask(page, 'view')).camera, 'orbit');
    await context.close();
  });

  test('phone: on its side the panel is a drawer', async (browser) => {
    const { address } = await serve(data('ironcurtain/full.icrep'));
    for (const viewport of [{ width: 667, height: 375 }, { width: 844, height: 390 }]) {
      const { page, context } = await open(browser, address, { viewport, hasTouch: true, isMobile: true });
      const stage = await page.locator('.stage').boundingBox();
      assert.deepEqual([stage.width, stage.height], [viewport.width, viewport.height], 'the picture fills the screen');
      assert.equal(await page.isVisible('#pane-plots'), false);
      await page.click('#tab-tables');
      assert.equal(await page.isVisible('#pane-tables'), true);
      const side = await page.locator('.side').boundingBox();
      assert.ok(side.width >= 200 && side.width <= 360 && side.height >= 250, JSON.stringify(side));
      await page.click('#tab-tables');
      assert.equal(await page.isVisible('#pane-tables'), false);
      await context.close();
    }
  });

  test('phone: a long press lists the speeds, a tap takes the next', async (browser) => {
    const { address } = await serve(data('ironcurtain/full.icrep'));
    const { page } = await open(browser, address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const speed = async () => (await ask(page, 'clock')).speed;
    await page.click('button.speed');
    assert.equal(await speed(), 2);
    const box = await page.locator('button.speed').boundingBox();
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.waitForSelector('.menu');
    await page.mouse.up();
    assert.equal(await speed(), 2);
    assert.deepEqual(await page.$$eval('.menu button', (list) => list.map((b) => b.textContent)), ['0.25×', '0.5×', '1×', '2×', '4×', '8×']);
    assert.equal(await page.innerText('.menu [aria-checked=true]'), '2×');
    const small = await page.$$eval('.menu button', (list) => list.filter((b) => b.offsetHeight < 44).length);
    assert.equal(small, 0);
    await page.click('.menu >> text=0.25×');
    assert.equal(await speed(), 0.25);
    assert.equal(await page.isVisible('.menu'), false);
    // With keys too; Escape changes nothing.
    await page.focus('button.speed');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    assert.equal(await page.isVisible('.menu'), false);
    assert.equal(await speed(), 0.25);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await speed(), 0.5);
  });

  test('slow phone: markers that are too close open as a list', async (browser) => {
    const { address } = await serve(data('rumble/z6_match_like_1.2.4.replay'));
    const { page } = await open(browser, address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const cluster = (await ask(page, 'view')).markers.find((m) => m.count > 1);
    const box = await page.locator('.timeline').boundingBox();
    // Twenty pixels beside it and at the upper edge: a target of 44 pixels.
    await page.touchscreen.tap(box.x + cluster.x + 20, box.y + 4);
    await page.waitForSelector('.menu');
    const rows = await page.$$eval('.menu button', (list) => list.map((b) => b.textContent));
    assert.equal(rows.length, cluster.count);
    assert.match(rows[0], /^0:0\d\.\d\d \w/);
    await page.click(`.menu button:nth-child(${cluster.count})`);
    const shown = await page.innerText('.now');
    assert.equal(shown.trim(), rows[cluster.count - 1].split(' ')[0]);
  });

  test('players: now and at the end, followed from the table', async (browser) => {
    const sample = data('rumble/z6_match_like_1.2.4.replay');
    const { address } = await serve(sample);
    const { page, problems } = await open(browser, address);
    const { players } = timelineOf(sample);
    await page.click('#tab-players');
    // Two rows each: who and now, then the result.
    const rows = () => page.$$eval('.pane.players [aria-label=Players] tbody tr:not(.ends)', (list) => list.map((r) => [...r.cells, ...r.nextSibling.cells].map((c) => c.innerText.trim())));
    const first = await rows();
    assert.equal(first.length, players.length);
    first.forEach((cells, i) => assert.ok(cells[0].includes(players[i].name)));
    assert.deepEqual(first.map((cells) => [cells[1], cells[3]].map((c) => c.match(/\d+ HP/)?.[0])), [['20 HP', '16 HP'], ['20 HP', '12 HP']]);
    await seek(page, 2);
    assert.notDeepEqual((await rows()).map((c) => c[1]), first.map((c) => c[1]));
    await page.click('.pane.players tr:nth-child(3) >> text=Follow');
    assert.equal((await ask(page, 'view')).mode.node, players[1].body);
    await page.click('.pane.players tr:nth-child(1) >> text=Eyes');
    assert.equal((await ask(page, 'view')).mode.node, players[0].eye);
    await page.click('.spoiler');
    assert.match((await rows())[0][3], /hidden/);
    assert.deepEqual(problems, []);
  });

  test('slow colours: those of the game, where people want them', async (browser) => {
    const { address } = await serve(data('rumble/z6_match_like_1.2.4.replay'));
    const { page: plain } = await open(browser, address);
    await plain.click('#tab-players');
    assert.equal(await plain.locator('.gamecolours').count(), 0, 'no choice where the game has none');
    const { page, context, problems } = await open(browser, address, { until: null, query: 'none' });
    const colours = ['#12ab34', '#cc00cc'];
    await page.route('**/0/timeline.json', async (route) => {
      const timeline = await (await route.fetch()).json();
      timeline.players.forEach((p, i) => (p.color = colours[i]));
      await route.fulfill({ json: timeline });
    });
    await page.goto(`${address}?still`);
    await page.waitForSelector('html[data-state=ready]');
    const look = () => page.evaluate(() => ({
      swatches: [...document.querySelectorAll('.hud .swatch')].map((e) => e.style.color),
      lines: [...document.querySelectorAll('[data-plot=health] .legend i')].map((e) => e.style.borderTopColor),
      picture: document.querySelector('canvas.gl').toDataURL(),
    }));
    const before = await look();
    assert.deepEqual(before.swatches, ['rgb(86, 180, 233)', 'rgb(230, 159, 0)']);
    await page.click('#tab-players');
    await page.check('.gamecolours');
    const after = await look();
    assert.deepEqual(after.swatches, ['rgb(18, 171, 52)', 'rgb(204, 0, 204)']);
    assert.deepEqual(after.lines, after.swatches);
    assert.notEqual(after.picture, before.picture);
    await page.reload();
    await page.waitForSelector('html[data-state=ready]');
    assert.deepEqual(await look(), after);
    await page.click('#tab-players');
    await page.uncheck('.gamecolours');
    assert.deepEqual(await look(), before);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('colours of a recording that has them', async (browser) => {
    const { address } = await serve(data('openra/p21-2p.orarep'));
    const { page, context, problems } = await open(browser, address);
    const swatches = () => page.$$eval('.hud .swatch', (all) => all.map((e) => e.style.color));
    const before = await swatches();
    await page.click('#tab-players');
    await page.check('.gamecolours');
    assert.deepEqual(await swatches(), ['rgb(16, 240, 192)', 'rgb(33, 225, 128)', 'rgb(50, 210, 64)']);
    await page.uncheck('.gamecolours');
    assert.deepEqual(await swatches(), before);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test('players: words in their corners change with time, bands of single players have their colour', async (browser) => {
    const dict = (values) => ({ type: 'dict', n: values.length, index: { type: 'u8', n: values.length, b64: Buffer.from(values.map((_, i) => i)).toString('base64') }, values });
    const timeline = {
      ...plainTimeline(100, 0.1),
      players: [{ id: 0, name: 'A', slot: 0 }, { id: 1, name: 'B', slot: 1 }],
      hud: [{ player: 0, t: column([10, 20]), text: dict(['Straight', 'Uppercut']) }, { player: 1, plot: 'gone', series: 0 }],
      bands: [{ t0: 10, t1: 30, level: 1, player: 1 }, { t0: 50, t1: 60, level: 1 }],
    };
    const { address, close } = await servePage(timeline);
    try {
      const { page, problems } = await open(browser, address);
      const chips = () => page.$$eval('.chip', (list) => list.map((c) => c.innerText.replace(/\s+/g, ' ').trim()));
      for (const [time, words] of [[5, '● A'], [12, '● A Straight'], [25, '● A Uppercut'], [12, '● A Straight']]) {
        await seek(page, time);
        assert.deepEqual(await chips(), [words, '■ B']);
      }
      const colourAt = (t) => page.evaluate((share) => {
        const canvas = document.querySelector('.timeline canvas');
        const x = Math.round((8 + share * (canvas.clientWidth - 16)) * devicePixelRatio);
        return [...canvas.getContext('2d').getImageData(x, Math.round(26 * devicePixelRatio), 1, 1).data.slice(0, 3)];
      }, t / 100);
      await seek(page, 0);
      assert.ok((await colourAt(20)).every((v, i) => Math.abs(v - [230, 159, 0][i]) < 3), String(await colourAt(20)));
      assert.ok((await colourAt(55)).every((v, i) => Math.abs(v - [213, 94, 0][i]) < 3), String(await colourAt(55)));
      assert.deepEqual(problems, []);
    } finally {
      close();
    }
  });

  test('slow labels: of a crowd those in front, none on another', async (browser) => {
    const sample = data('rumble/z5_park_like_animator.replay');
    const { address } = await serve(sample);
    const { page } = await open(browser, address, { until: null, query: 'none' });
    const { labels } = timelineOf(sample);
    let copies = 1;
    await page.route('**/0/timeline.json', async (route) => {
      const timeline = await (await route.fetch()).json();
      timeline.labels = Array.from({ length: copies }, () => labels).flat();
      await route.fulfill({ json: timeline });
    });
    const shown = async () => {
      await page.goto(`${address}?still=${copies}`);
      await page.waitForSelector('html[data-state=ready]');
      await seek(page, 1);
      return page.$$eval('.label', (list) => list.filter((l) => !l.hidden).map((l) => l.getBoundingClientRect().toJSON()));
    };
    const few = await shown();
    assert.ok(few.length >= 4, `${few.length}`);
    copies = 10;
    const many = await shown();
    assert.ok(many.length >= 3 && many.length <= few.length, `${many.length} of ${labels.length * copies}`);
    for (const [i, a] of many.entries())
      for (const b of many.slice(i + 1)) assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top);
  });

  test('window: a part of a recording says so', async (browser) => {
    const text = 'This is 0:30 to 10:30 of 3:00:00: all of it would be too large.';
    const { address, close } = await servePage({ ...plainTimeline(600, 0.05), warnings: [{ id: 'window', level: 'warn', text }] });
    try {
      const { page } = await open(browser, address);
      assert.equal(await page.innerText('.banner .words'), text);
      assert.equal(await page.getAttribute('html', 'data-damaged'), null);
      await page.click('.banner >> text=Details');
      assert.match(await page.innerText('.info'), /3:00:00/);
      await page.keyboard.press('v');
      assert.equal(await page.innerText('.banner .words'), 'A part of this recording is shown.');
      assert.doesNotMatch(await page.innerText('.info'), /3:00:00/);
    } finally {
      close();
    }
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
    const theme = () => page.getAttribute('html', 'data-theme');
    assert.equal(await theme(), 'light');
    await page.click('[aria-label="Dark or light"]');
    assert.equal(await theme(), 'dark');
    const again = await context.newPage();
    await again.goto(`${address}?still`);
    await again.waitForSelector('html[data-state=ready]');
    assert.equal(await again.getAttribute('html', 'data-theme'), 'dark');
    await page.click('[aria-label="Dark or light"]');
    assert.equal(await theme(), 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.equal(await theme(), 'light', 'chosen, so the system has no say');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.click('[aria-label="Dark or light"]');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.waitForSelector('html[data-theme=dark]'); // as the system has it
  });
};

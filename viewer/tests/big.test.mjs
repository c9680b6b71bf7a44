// A scene of a hundred megabytes: a picture early, motion later, and a page that answers meanwhile.
import assert from 'node:assert/strict';
import { ask, costs, eventually, longestTask, open, plainTimeline, seek, servePage } from './harness.mjs';

const NODES = 200;
const KEYS = 18_000;

/** A GLB with boxes that move in circles, each with its own times, and the timeline for it. */
function makeScene() {
  const corner = [-0.5, 0.5];
  const places = corner.flatMap((x) => corner.flatMap((y) => corner.map((z) => [x, y, z]))).flat();
  const triangles = [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3];
  const fixed = 96 + 72;
  const perNode = KEYS * 4 * (1 + 3 + 4) - KEYS * 4 * 0;
  const bin = Buffer.alloc(fixed + NODES * perNode);
  places.forEach((v, i) => bin.writeFloatLE(v, 4 * i));
  triangles.forEach((v, i) => bin.writeUInt16LE(v, 96 + 2 * i));
  const json = {
    asset: { version: '2.0', extras: { reprise: { v: 1, static_bytes: fixed } } },
    scene: 0,
    scenes: [{ nodes: [] }],
    nodes: [],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    animations: [{ samplers: [], channels: [] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] },
      { bufferView: 1, componentType: 5123, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 96 },
      { buffer: 0, byteOffset: 96, byteLength: 72 },
    ],
    buffers: [{ byteLength: bin.length }],
  };
  const all = new Float32Array(bin.buffer, bin.byteOffset, bin.length / 4);
  const [animation] = json.animations;
  let at = fixed;
  const accessor = (type, width) => {
    json.bufferViews.push({ buffer: 0, byteOffset: at, byteLength: KEYS * 4 * width });
    json.accessors.push({ bufferView: json.bufferViews.length - 1, componentType: 5126, count: KEYS, type });
    at += KEYS * 4 * width;
    return json.accessors.length - 1;
  };
  for (let n = 0; n < NODES; n++) {
    json.scenes[0].nodes.push(n);
    json.nodes.push({ name: `box ${n}`, mesh: 0, translation: [n % 20, 0, Math.floor(n / 20)] });
    let w = at / 4;
    const t = accessor('SCALAR', 1);
    for (let k = 0; k < KEYS; k++) all[w++] = k / 60;
    const v = accessor('VEC3', 3);
    for (let k = 0; k < KEYS; k++) {
      all[w++] = (n % 20) + Math.sin(k / 60);
      all[w++] = 0;
      all[w++] = Math.floor(n / 20) + Math.cos(k / 60);
    }
    const q = accessor('VEC4', 4);
    for (let k = 0; k < KEYS; k++) {
      all[w + 1] = Math.sin(k / 200);
      all[w + 3] = Math.cos(k / 200);
      w += 4;
    }
    animation.samplers.push({ input: t, output: v }, { input: t, output: q });
    animation.channels.push({ sampler: 2 * n, target: { node: n, path: 'translation' } }, { sampler: 2 * n + 1, target: { node: n, path: 'rotation' } });
  }
  let text = JSON.stringify(json);
  text = text.padEnd(Math.ceil(text.length / 4) * 4);
  const head = Buffer.alloc(28 + text.length);
  head.write('glTF', 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(head.length + bin.length, 8);
  head.writeUInt32LE(text.length, 12);
  head.write('JSON', 16);
  head.write(text, 20);
  head.writeUInt32LE(bin.length, 20 + text.length);
  head.write('BIN\0', 24 + text.length);
  return Buffer.concat([head, bin]);
}

/** Serves a scene as the command would, `rate` bytes a second; 0: as fast as can be. */
function serveScene(scene, rate, held = Promise.resolve()) {
  const timeline = plainTimeline((KEYS - 1) / 60, 1 / 60);
  timeline.source.scene = true;
  const send = (answer) => {
    answer.setHeader('Content-Length', scene.length);
    let sent = 0;
    const step = () => {
      if (answer.destroyed) return;
      const part = scene.subarray(sent, sent + (rate ? rate / 20 : 1 << 20));
      sent += part.length;
      if (sent >= scene.length) return void held.then(() => answer.end(part));
      if (answer.write(part)) rate ? setTimeout(step, 50) : setImmediate(step);
      else answer.once('drain', step);
    };
    step();
  };
  return servePage(timeline, { '0/scene.glb': send });
}

/** Work until the page has its first picture without a scene. */
async function emptyPage(browser) {
  const { close, address } = await servePage(plainTimeline(10, 0.1));
  const { context, spent } = await open(browser, address);
  const work = await spent();
  await context.close();
  close();
  assert.ok(work > 1, `a page that does nothing: ${work} ms of work`);
  return work;
}

let made;
const bigScene = () => (made ??= makeScene());

export default (test) => {
  test('big: 100 MB give a picture early and stay responsive', async (browser) => {
    const scene = bigScene();
    assert.ok(scene.length > 100e6);
    // The last bytes come when the page was seen without them, however slow the machine is.
    let release;
    const held = new Promise((done) => (release = done));
    const { close, address } = await serveScene(scene, 40e6, held);
    try {
      const empty = await emptyPage(browser);
      const { page, spent } = await open(browser, address, { until: 'static' });
      const first = (await spent()) - empty;
      assert.ok(first < 1000, `first picture after ${first} ms of work more than with nothing in it`);
      const task = await longestTask(browser, page, async () => {
        await eventually(async () => /Loading motion/.test(await page.innerText('.motion')));
        assert.ok((await page.getAttribute('.loadingbar', 'value')) < 1);
        // Play waits for the motion and begins by itself.
        await page.click('[aria-label=Play]');
        const waiting = await ask(page, 'clock');
        assert.deepEqual([waiting.going, waiting.playing], [true, false]);
        assert.equal(await page.isVisible('[aria-label=Pause][aria-busy]'), true);
        release();
        await page.waitForSelector('html[data-state=ready]');
        await eventually(async () => (await ask(page, 'clock')).playing);
        await page.keyboard.press('k');
      });
      assert.ok(task < 500, `the page did not answer for ${task} ms of work`);
      assert.equal((await ask(page, 'counts')).nodes, NODES);
      await seek(page, 100);
      const { pos } = await page.evaluate(() => window.repriseTest.node(3));
      assert.ok(Math.abs(pos[0] - (3 + Math.sin(100))) < 1e-3);
      const heap = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
      assert.ok(heap < 1.3 * scene.length + 60e6, `heap ${heap}`);
      const sample = (await costs(page, 'sample', 100, 290))[5];
      assert.ok(sample < 0.5, `all nodes into their places in ${sample} ms`);
      const drawn = (await costs(page, 'seek', 30, 290))[1];
      assert.ok(drawn < 60, `seek and draw in ${drawn} ms`);
      console.log(`    (first picture after ${first.toFixed(0)} ms of work, longest task ${task.toFixed(0)} ms, sampling ${sample.toFixed(2)} ms, seek with picture ${drawn.toFixed(1)} ms)`);
    } finally {
      release();
      close();
    }
  });

  test('slow big: all of it as fast as it comes, many equal things drawn at once', async (browser) => {
    const { close, address } = await serveScene(bigScene(), 0);
    try {
      const { page: again, spent } = await open(browser, address, { until: 'static' });
      await again.waitForSelector('html[data-state=ready]');
      const work = await spent();
      assert.ok(work < 2000, `ready after ${work} ms of work`);
      await seek(again, 10);
      const { calls } = await ask(again, 'counts');
      assert.ok(calls < 10, `${calls} draws for ${NODES} boxes and the ground`);
      // They are still things of their own: one of them can be followed.
      const box = await again.locator('canvas.gl').boundingBox();
      for (let x = 0.3; x < 0.7 && (await ask(again, 'view')).camera !== 'follow'; x += 0.02)
        await again.mouse.dblclick(box.x + box.width * x, box.y + box.height * 0.5);
      const { mode } = await ask(again, 'view');
      assert.equal(mode.kind, 'follow');
      assert.equal(mode.name, `box_${mode.node}`);
      console.log(`    (ready after ${Math.round(work)} ms of work, ${calls} draws)`);
    } finally {
      close();
    }
  });

  test('slow big: loading can be cancelled', async (browser) => {
    const timeline = plainTimeline(10, 0.1);
    let gone = false;
    const hang = (answer) => answer.on('close', () => (gone = true)) && answer.writeHead(200).flushHeaders();
    const { close, address } = await servePage(timeline, { progress: hang });
    try {
      const { page } = await open(browser, address, { until: null });
      await page.click('text=Cancel');
      await page.waitForURL('about:blank');
      await eventually(() => gone);
    } finally {
      close();
    }
  });
};

// What leaves the page: links, clips without dropped frames, large pictures.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, data, open, reprise, seek, serve, work } from './harness.mjs';

const RUN = data('cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay');
const small = { viewport: { width: 800, height: 500 }, acceptDownloads: true };

/** What a click saves. */
async function saved(page, selector) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** Elements of a WebM file: their ids and content; masters are entered. */
function* elements(bytes, at = 0, end = bytes.length) {
  const MASTERS = new Set([0x18538067, 0x1f43b675, 0x1654ae6b, 0xae, 0xe0, 0x1549a966, 0xa0]);
  while (at < end) {
    const idSize = Math.clz32(bytes[at]) - 23;
    const id = bytes.readUIntBE(at, idSize);
    at += idSize;
    const sizeSize = Math.clz32(bytes[at]) - 23;
    let size = bytes[at] & (0xff >> sizeSize);
    for (let i = 1; i < sizeSize; i++) size = size * 256 + bytes[at + i];
    at += sizeSize;
    const stop = Math.min(end, at + size);
    if (MASTERS.has(id)) yield* elements(bytes, at, stop);
    else yield { id, content: bytes.subarray(at, stop) };
    at = stop;
  }
}
function webm(bytes) {
  let frames = 0;
  const found = { times: [] };
  let cluster = 0;
  const number = (content) => content.readUIntBE(0, content.length);
  for (const { id, content } of elements(bytes)) {
    if (id === 0xe7) cluster = number(content);
    if (id === 0xa3 || id === 0xa1) {
      frames++;
      found.times.push(cluster + content.readInt16BE(1));
    }
    if (id === 0xb0) found.width = number(content);
    if (id === 0xba) found.height = number(content);
  }
  return { frames, ...found };
}
/** Boxes of an MP4 file by their names, the last of each. */
function boxes(bytes, at = 0, end = bytes.length, found = {}) {
  while (at + 8 <= end) {
    const size = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (size < 8) break;
    found[name] = bytes.subarray(at + 8, at + size);
    if (['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(name)) boxes(bytes, at + 8, at + size, found);
    at += size;
  }
  return found;
}
function mp4(bytes) {
  const { stsz, tkhd } = boxes(bytes);
  return { frames: stsz.readUInt32BE(8), width: tkhd.readUInt32BE(tkhd.length - 8) / 65536, height: tkhd.readUInt32BE(tkhd.length - 4) / 65536 };
}
/** Frames of a GIF with their times in hundredths of a second. */
function gif(bytes) {
  assert.equal(bytes.toString('latin1', 0, 6), 'GIF89a');
  const found = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), frames: 0, time: 0 };
  const table = (flags) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const skipBlocks = (at) => {
    while (bytes[at]) at += bytes[at] + 1;
    return at + 1;
  };
  let at = 13 + table(bytes[10]);
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9) found.time += bytes.readUInt16LE(at + 4);
      at = skipBlocks(at + 2);
    } else {
      assert.equal(bytes[at], 0x2c);
      found.frames++;
      at = skipBlocks(at + 10 + table(bytes[at + 9]) + 1);
    }
  }
  return found;
}
const picture = (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), alpha: bytes[25] === 6 });

async function choose(page, { from, to, format, rate = 10, size = 0 }) {
  await page.click('#tab-share');
  await page.fill('.from', String(from));
  await page.fill('.to', String(to));
  await page.selectOption('.format', format);
  await page.selectOption('.rate', String(rate));
  await page.selectOption('.size', String(size));
}

/** Runs `reprise export` with a directory of its own for what the browser leaves. */
async function exported(args, { env = {}, stopAfter } = {}) {
  const left = mkdtempSync(join(tmpdir(), 'left-')); // short: Chromium's sockets have their paths in it
  const child = spawn(reprise, ['export', '-f', ...args], { env: { ...process.env, TMPDIR: left, XDG_RUNTIME_DIR: left, ...env } });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  if (stopAfter) setTimeout(() => child.kill('SIGINT'), stopAfter);
  const code = await new Promise((done) => child.once('exit', done));
  const names = readdirSync(left);
  rmSync(left, { recursive: true });
  return { code, errors, left: names };
}

export default (test) => {
  test('share: the command writes clips with a browser without a window', async () => {
    const to = (name) => join(work, name);
    const range = ['--from', '11', '--to', '11.5', '--size', '160x90'];
    const webmRun = await exported([...range, '--fps', '20', '--camera', 'eyes', RUN, to('clip.webm')]);
    assert.deepEqual(webmRun.left, []);
    assert.equal(webmRun.code, 0, webmRun.errors);
    // No progress where there is no terminal.
    assert.match(webmRun.errors, /^reprise: [^\n]*clip\.webm: 160 x 90, 20 frames per second[^\n]*\n$/);
    const { times, ...about } = webm(readFileSync(to('clip.webm')));
    assert.deepEqual(about, { frames: 10, width: 160, height: 90 });
    assert.deepEqual(times, Array.from({ length: 10 }, (_, i) => 50 * i));
    const moving = await exported([...range, '--fps', '10', '--plain', RUN, RUN, to('clip.gif')]);
    assert.equal(moving.code, 0, moving.errors);
    assert.deepEqual(gif(readFileSync(to('clip.gif'))), { width: 160, height: 90, frames: 5, time: 50 });
    const film = await exported([...range, '--fps', '10', RUN, to('clip.mp4')]);
    assert.equal(film.code, 0, film.errors);
    assert.deepEqual(mp4(readFileSync(to('clip.mp4'))), { width: 160, height: 90, frames: 5 });
  });

  test('share: the command says why there is no clip, and leaves nothing', async () => {
    const to = join(work, 'none.webm');
    const camera = await exported(['--from', '11', '--to', '11.5', '--camera', 'rockcam', RUN, to]);
    assert.equal(camera.code, 5);
    assert.match(camera.errors, /no camera 'rockcam'.*eyes/);
    assert.deepEqual(camera.left, []);
    const range = await exported(['--from', '1000', RUN, to]);
    assert.equal(range.code, 5);
    assert.match(range.errors, /--from and --to/);
    const missing = await exported([RUN, to], { env: { CHROMIUM: '/nowhere/chromium' } });
    assert.equal(missing.code, 5);
    assert.match(missing.errors, /Chromium/);
    const broken = await exported([RUN, to], { env: { CHROMIUM: '/bin/true' } });
    assert.equal(broken.code, 1);
    assert.match(broken.errors, /browser ended/);
    const stopped = await exported([RUN, to], { stopAfter: 3000 });
    assert.notEqual(stopped.code, 0);
    assert.deepEqual(stopped.left, []);
    assert.ok(!existsSync(to));
  });

  test('share: the address of a moment opens that moment', async (browser) => {
    const { address } = await serve(RUN);
    const { page, context } = await open(browser, address, small);
    await seek(page, 7.25);
    await page.click('[data-camera=eyes]');
    await page.click('#tab-share');
    const link = await page.inputValue('.address');
    assert.match(link, /#t=7\.25&cam=eyes:1&speed=1$/);
    await context.close();
    const again = await open(browser, link.replace(/[?#].*/, ''), { ...small, hash: new URL(link).hash });
    assert.equal((await ask(again.page, 'clock')).time, 7.25);
    assert.equal((await ask(again.page, 'view')).camera, 'eyes');
  });

  test('share: a clip has every frame, in the size that was asked for', async (browser) => {
    const { address } = await serve(RUN);
    const { page, problems } = await open(browser, address, small);
    const wanted = { frames: 12, width: 640, height: 360 };
    await choose(page, { from: 11, to: 12.2, format: 'webm' });
    await seek(page, 3);
    const clip = await saved(page, '.record');
    assert.match(clip.name, /^019a9b07.*-0-11\.00\.webm$/);
    const { times, ...about } = webm(clip.bytes);
    assert.deepEqual(about, wanted);
    assert.deepEqual(times, Array.from({ length: 12 }, (_, i) => 100 * i));
    await page.waitForSelector('.cancel', { state: 'hidden' });
    assert.match(await page.innerText('.share'), /12 frames/);
    // The page is where it was, and drawn in its own size again.
    assert.equal((await ask(page, 'clock')).time, 3);
    assert.notEqual(await page.evaluate(() => document.querySelector('canvas.gl').width), 640);
    await choose(page, { from: 11, to: 11.5, format: 'gif', rate: 30 });
    const { time, ...moving } = gif((await saved(page, '.record')).bytes);
    assert.deepEqual({ ...moving, time }, { ...wanted, frames: 15, time: 50 });
    if (await page.$('.format option[value=mp4]')) {
      await page.waitForSelector('.cancel', { state: 'hidden' });
      await choose(page, { from: 11, to: 11.5, format: 'mp4' });
      assert.deepEqual(mp4((await saved(page, '.record')).bytes), { ...wanted, frames: 5 });
    }
    assert.deepEqual(problems, []);
  });

  test('share: MP4 without H.264 has VP9 in it', async (browser) => {
    const { address } = await serve(RUN);
    const withoutAvc = () => {
      const real = VideoEncoder.isConfigSupported.bind(VideoEncoder);
      VideoEncoder.isConfigSupported = async (config) => (config.codec.startsWith('avc1') ? { supported: false, config } : real(config));
    };
    const { page, problems } = await open(browser, address, { ...small, init: withoutAvc });
    await choose(page, { from: 11, to: 11.5, format: 'mp4' });
    const { bytes } = await saved(page, '.record');
    assert.deepEqual(mp4(bytes), { frames: 5, width: 640, height: 360 });
    assert.equal(boxes(bytes).stsd.toString('latin1', 12, 16), 'vp09');
    assert.deepEqual(problems, []);
  });

  test('share: clips stop at what was seen, can be stopped, and refuse an empty range', async (browser) => {
    const { address } = await serve(RUN);
    const { page, problems } = await open(browser, address, small);
    await choose(page, { from: 5, to: 5, format: 'gif' });
    await page.click('.record');
    assert.match(await page.innerText('.share'), /empty or too long/);
    await choose(page, { from: 0, to: 20, format: 'gif', rate: 60 });
    await page.click('.record');
    await page.click('.cancel');
    await page.waitForSelector('.cancel', { state: 'hidden' });
    assert.match(await page.innerText('.share'), /Stopped/);
    await page.evaluate(() => location.reload());
    await page.waitForSelector('html[data-state=ready]');
    await page.keyboard.press('v');
    await page.evaluate(() => { document.querySelector('.play').click(); window.repriseTest.advance(0.4); document.querySelector('.play').click(); });
    await choose(page, { from: 0, to: 20, format: 'gif' });
    assert.equal(gif((await saved(page, '.record')).bytes).frames, 4);
    assert.deepEqual(problems, []);
  });

  test('share: keys of the camera make a path, which is played, kept, and saved in the scene', async (browser) => {
    const { address } = await serve(RUN);
    const { page, problems, context } = await open(browser, address, small);
    const place = async () => (await ask(page, 'view')).position;
    await page.click('#tab-share');
    assert.ok(await page.isDisabled('.playpath'));
    // One key with the mouse, one with the keyboard, one from above.
    const keys = [];
    for (const [t, camera] of [[11, 'orbit'], [12, 'eyes'], [13.5, 'top']]) {
      await seek(page, t);
      await page.click(`[data-camera=${camera}]`);
      if (camera === 'eyes') await page.keyboard.press('y');
      else await page.click('.setkey');
      keys.push({ t, place: await place() });
    }
    assert.deepEqual(await page.locator('.gokey').allInnerTexts(), ['0:11.00', '0:12.00', '0:13.50']);
    await page.click('[data-camera=path]');
    const near = (a, b, far = 1e-4) => assert.ok(Math.hypot(...a.map((v, i) => v - b[i])) < far, `${a} is not ${b}`);
    for (const { t, place: wanted } of keys) {
      await seek(page, t);
      near(await place(), wanted);
    }
    await seek(page, 20);
    near(await place(), keys[2].place);
    await seek(page, 11.5);
    const between = await place();
    for (const { place: other } of keys) assert.ok(Math.hypot(...between.map((v, i) => v - other[i])) > 0.1);
    // The file has one camera more, at the same places.
    const { name, bytes } = await saved(page, '.savepath');
    assert.match(name, /path\.glb$/);
    const json = JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
    const bin = 20 + bytes.readUInt32LE(12) + 8;
    assert.equal(bytes.readUInt32LE(8), bytes.length);
    const values = (index, width) => {
      const { bufferView, count } = json.accessors[index];
      const at = bin + json.bufferViews[bufferView].byteOffset;
      return Array.from({ length: count }, (_, i) => Array.from({ length: width }, (_, k) => bytes.readFloatLE(at + 4 * (i * width + k))));
    };
    const node = json.nodes.length - 1;
    const { channels, samplers } = json.animations[0];
    const { sampler } = channels.find((c) => c.target.node === node && c.target.path === 'translation');
    const times = values(samplers[sampler].input, 1).flat();
    const places = values(samplers[sampler].output, 3);
    assert.equal(json.cameras[json.nodes[node].camera].name, 'path');
    for (const { t, place: wanted } of [...keys, { t: 11.5, place: between }]) near(places[times.indexOf(Math.fround(t))], wanted);
    await context.close();
    // A key is removed, then all of them; the path is gone.
    const again = await open(browser, address, small);
    await again.page.click('#tab-share');
    await again.page.click('.setkey');
    await again.page.evaluate(() => window.repriseTest.seek(2));
    await again.page.click('.setkey');
    await again.page.click('.playpath');
    assert.equal((await ask(again.page, 'view')).camera, 'path');
    await again.page.click('.dropkey');
    assert.equal((await ask(again.page, 'view')).camera, 'orbit');
    await again.page.reload();
    await again.page.waitForSelector('html[data-state=ready]');
    await again.page.click('#tab-share');
    assert.deepEqual(await again.page.locator('.gokey').allInnerTexts(), ['0:02.00']);
    await again.page.click('.clearpath');
    assert.equal(await again.page.locator('.gokey').count(), 0);
    assert.deepEqual([...problems, ...again.problems], []);
  });

  test('slow share: without WebCodecs the recorder of the browser writes a clip', async (browser) => {
    const { address } = await serve(RUN);
    const context = await browser.newContext({ ...small, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.addInitScript(() => delete window.VideoEncoder);
    await page.goto(`${address}?still`);
    await page.waitForSelector('html[data-state=ready]');
    await choose(page, { from: 11, to: 12, format: 'webm' });
    const { bytes } = await saved(page, '.record');
    const { frames, width, height } = webm(bytes);
    assert.deepEqual({ width, height }, { width: 640, height: 360 });
    assert.ok(frames >= 1 && frames <= 11, `${frames} frames`);
  });

  test('share: pictures of 4K, with a transparent background', async (browser) => {
    const { address } = await serve(RUN);
    const { page, problems } = await open(browser, address, small);
    await seek(page, 12);
    await page.click('#tab-share');
    await page.check('.clear');
    const { name, bytes } = await saved(page, '.savestill');
    assert.match(name, /-0-12\.00\.png$/);
    assert.deepEqual(picture(bytes), { width: 3840, height: 2160, alpha: true });
    const corners = await page.evaluate(async (b64) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(b64), (c) => c.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
      let seen = 0;
      for (let i = 3; i < pixels.length; i += 4) seen += pixels[i] > 0;
      return { corner: pixels[3], share: seen / (pixels.length / 4) };
    }, bytes.toString('base64'));
    assert.equal(corners.corner, 0);
    assert.ok(corners.share > 0.005 && corners.share < 0.6, `${corners.share} of the picture is seen`);
    // The page itself has its background again.
    const alpha = await page.evaluate(() => {
      const canvas = new OffscreenCanvas(1, 1);
      canvas.getContext('2d').drawImage(document.querySelector('canvas.gl'), 0, 0);
      return canvas.getContext('2d').getImageData(0, 0, 1, 1).data[3];
    });
    assert.equal(alpha, 255);
    assert.deepEqual(problems, []);
  });
};

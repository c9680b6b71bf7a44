// What a frame costs while playing: processor time of the page's own thread, with style, layout and
// painting, whatever else the machine does. Time is scripted: each frame is a sixtieth of a second,
// however late it comes.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { data, entriesOf, open, serve, work, zipOf } from './harness.mjs';

const BUDGET_MS = 8;
const HOUR_FRAMES = 30_000;
const ENTITIES = 200;
const WARM_UP = 20;
const BATCHES = 9;
const BATCH = 4;

/** A match of an hour: the packets of a shorter one again and again, each time later. */
function hourOfOpenra() {
  const from = readFileSync(data('openra/p21-bots-medium.orarep'));
  const packets = [];
  let end = 0;
  for (; from.readInt32LE(end) >= 0; end += 8 + from.readInt32LE(end + 4)) packets.push(from.subarray(end, end + 8 + from.readInt32LE(end + 4)));
  const frameOf = (packet) => packet.readInt32LE(8);
  const last = Math.max(...packets.map(frameOf));
  const parts = [...packets];
  for (let shift = last; shift < HOUR_FRAMES; shift += last)
    for (const packet of packets) {
      if (frameOf(packet) === 0) continue;
      const later = Buffer.from(packet);
      later.writeInt32LE(frameOf(packet) + shift, 8);
      parts.push(later);
    }
  const path = join(work, 'hour.orarep');
  writeFileSync(path, Buffer.concat([...parts, from.subarray(end)]));
  return path;
}

/** The animation of an entity ten times, some metres away. */
function elsewhere(xml, number) {
  const [, head, frames, tail] = /^([^]*<anim[^>]*>)([^]*)(<\/anim>[^]*)$/.exec(xml);
  const moved = frames.trim().split('\n').map((line) => {
    const words = line.split(' ');
    words[4] = String(Number(words[4]) + 2 * (number % 20));
    words[6] = String(Number(words[6]) + 2 * Math.floor(number / 20));
    return words.join(' ');
  });
  return head.replace(/name="[^"]*"/, `name="Entity ${number}"`) + Array(10).fill(moved.join('\n')).join('\n') + tail;
}

function crowdOfMinecraft() {
  const entries = entriesOf(readFileSync(data('mcreplay/multipart_basic.replay')));
  const entities = entries.filter(({ name }) => name.startsWith('entities/'));
  const others = entries.filter(({ name }) => !name.startsWith('entities/'));
  const crowd = Array.from({ length: ENTITIES }, (_, i) => ({
    name: `entities/Entity ${i}.xml`,
    bytes: Buffer.from(elsewhere(String(entities[i % entities.length].bytes), i)),
  }));
  const path = join(work, 'crowd.replay');
  writeFileSync(path, zipOf([...others, ...crowd]));
  return path;
}

function scriptTime() {
  const real = window.requestAnimationFrame.bind(window);
  let now = performance.now();
  let last = -1;
  let frames = 0;
  const waiting = [];
  performance.now = () => now;
  window.requestAnimationFrame = (draw) =>
    real((time) => {
      if (time !== last) {
        last = time;
        now += 1000 / 60;
        frames++;
      }
      draw(now);
      while (waiting.length && waiting[0].frame <= frames) waiting.shift().done();
    });
  window.played = (count) => new Promise((done) => waiting.push({ frame: frames + count, done }));
}

/** Milliseconds of the page's thread for each frame: the median of several batches. */
async function costOfPlaying(browser, path, from) {
  const { address } = await serve(path);
  // A picture of few pixels: they are drawn by another process and would only take time here.
  const { page, problems, spent } = await open(browser, address, { query: '', hash: `#t=${from}`, reducedMotion: 'no-preference', deviceScaleFactor: 0.25, init: scriptTime });
  await page.click('[aria-label=Play]');
  const play = (count) => page.evaluate((n) => window.played(n), count);
  await play(WARM_UP);
  const costs = [];
  for (let i = 0; i < BATCHES; i++) {
    const before = await spent();
    await play(BATCH);
    costs.push(((await spent()) - before) / BATCH);
  }
  const { time, playing, duration } = await page.evaluate(() => window.repriseTest.clock);
  assert.ok(playing && time > from + (BATCHES * BATCH) / 60 - 0.1, `at ${time} after ${from}`);
  const { nodes, markers } = await page.evaluate(() => window.repriseTest.counts);
  assert.deepEqual(problems, []);
  return { cost: costs.sort((a, b) => a - b)[(BATCHES - 1) / 2], least: costs[0], nodes, markers, duration };
}

export default (test) => {
  test('slow cost: playing an hour of OpenRA', async (browser) => {
    const { cost, least, nodes, markers, duration } = await costOfPlaying(browser, hourOfOpenra(), 1800);
    assert.ok(duration > 3500 && markers > 1000, `${markers} markers in ${duration} s`);
    console.log(`    (${cost.toFixed(1)} ms a frame, the least ${least.toFixed(1)}; ${nodes} nodes, ${markers} markers)`);
    assert.ok(cost <= BUDGET_MS, `${cost} ms of work a frame`);
  });

  test('slow cost: playing 200 entities of Minecraft', async (browser) => {
    const { cost, least, nodes } = await costOfPlaying(browser, crowdOfMinecraft(), 1);
    console.log(`    (${cost.toFixed(1)} ms a frame, the least ${least.toFixed(1)}; ${nodes} nodes)`);
    assert.ok(nodes > 5 * ENTITIES, `${nodes} nodes`);
    assert.ok(cost <= BUDGET_MS, `${cost} ms of work a frame`);
  });
};

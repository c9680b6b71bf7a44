// Playing, scrubbing, keys, markers, bookmarks, spoiler-free.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, costs, data, eventually, floats, open, plainTimeline, seek, serve, servePage, timelineOf, work } from './harness.mjs';

const near = (a, b, tolerance = 1e-6) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);
const advance = (page, seconds) => page.evaluate((s) => window.repriseTest.advance(s), seconds);
const clock = (page) => ask(page, 'clock');
const EDGE = 8; // pixels at both ends of the timeline

export default (test) => {
  const long = data('ironcurtain/full.icrep');
  const match = data('rumble/z6_match_like_1.2.4.replay');

  test('play: exact at every speed, both ways, and stops at the ends', async (browser) => {
    const { address } = await serve(long);
    const { page } = await open(browser, address);
    for (const speed of [0.25, 0.5, 1, 2, 4, 8]) {
      await seek(page, 100);
      await page.click(`[data-speed="${speed}"]`);
      await page.click('[aria-label=Play]');
      for (let i = 0; i < 8; i++) await advance(page, 1.25);
      near((await clock(page)).time, 100 + 10 * speed);
      await page.click('[aria-label="Play backwards"]');
      for (let i = 0; i < 8; i++) await advance(page, 1.25);
      near((await clock(page)).time, 100);
      await page.click('[aria-label="Play backwards"]');
      await page.click('[aria-label=Pause]');
    }
    const { duration } = await clock(page);
    await seek(page, duration - 1);
    await page.keyboard.press('k');
    await advance(page, 60);
    let now = await clock(page);
    near(now.time, duration);
    assert.equal(now.playing, false);
    await page.keyboard.press('r');
    await page.keyboard.press('Space');
    await advance(page, 600);
    now = await clock(page);
    near(now.time, 0);
    assert.equal(now.playing, false);
  });

  test('slow play: no drift over an hour of pictures', async (browser) => {
    const { address, close } = await servePage(plainTimeline(7200, 0.05));
    try {
      const { page } = await open(browser, address);
      // Sixty pictures a second, as a screen asks for them.
      for (const [speed, seconds] of [[1, 60], [8, 3600], [0.25, 15]]) {
        const before = (await clock(page)).time;
        await page.click(`[data-speed="${speed}"]`);
        await page.keyboard.press('k');
        await page.evaluate((count) => {
          for (let i = 0; i < count; i++) window.repriseTest.advance(1 / 60);
        }, (seconds / speed) * 60);
        await page.keyboard.press('k');
        near((await clock(page)).time, before + seconds, 1e-3);
      }
    } finally {
      close();
    }
  });

  test('slow play: in real time too', async (browser) => {
    const { address } = await serve(long);
    const { page } = await open(browser, address, { query: '' });
    await page.keyboard.press('Space');
    // A busy machine draws few frames and may lose time between them, but never gains any.
    const both = () => page.evaluate(() => [performance.now() / 1000, window.repriseTest.time]);
    const from = await both();
    let to = from;
    await eventually(async () => (to = await both())[1] >= from[1] + 0.5);
    const [passed, played] = [to[0] - from[0], to[1] - from[1]];
    assert.ok(played < passed + 0.2, `${played} s in ${passed} s`);
    await page.keyboard.press('Space');
    assert.equal((await clock(page)).playing, false);
    assert.match(page.url(), /#t=\d+\.\d\d&cam=top&speed=1$/);
  });

  test('scrub: follows the pointer, finer away from it, quick', async (browser) => {
    const { address } = await serve(long);
    const { page } = await open(browser, address);
    const box = await page.locator('.timeline').boundingBox();
    const { duration } = await clock(page);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 100, y);
    await page.mouse.down();
    const inner = box.width - 2 * EDGE;
    near((await clock(page)).time, ((100 - EDGE) / inner) * duration, duration / inner);
    let last = 0;
    for (let x = 100; x <= 900; x += 40) {
      await page.mouse.move(box.x + x, y);
      const { time } = await clock(page);
      assert.ok(time >= last, 'time rises');
      last = time;
    }
    near(last, ((900 - EDGE) / inner) * duration, (2 * duration) / inner);
    const said = await page.getAttribute('.timeline', 'aria-valuetext');
    assert.match(said, /^\d+:\d\d\.\d\d of 3:43\.\d\d$/);
    // 70 pixels above the bar a pixel means a quarter.
    await page.mouse.move(box.x + 900, box.y - 70);
    const start = (await clock(page)).time;
    await page.mouse.move(box.x + 940, box.y - 70);
    near((await clock(page)).time - start, ((40 / inner) * duration) / 4, 0.05);
    // 130 pixels away it means a sixteenth.
    await page.mouse.move(box.x + 940, box.y - 130);
    const finer = (await clock(page)).time;
    await page.mouse.move(box.x + 860, box.y - 130);
    near((await clock(page)).time - finer, ((-80 / inner) * duration) / 16, 0.05);
    await page.mouse.up();
  });

  test('scrub: a seek with timeline and plots costs less than a frame', async (browser) => {
    const { address } = await serve(long);
    // With its own loop the page draws when the browser asks for a picture, not within a seek.
    const { page } = await open(browser, address, { query: '' });
    assert.ok((await ask(page, 'counts')).plots.length >= 4);
    const list = await costs(page, 'seek', 200, 200);
    assert.ok(list[19] > 0, 'it was measured');
    assert.ok(list[19] < 16, `${list[19]} ms`);
    console.log(`    (a seek takes ${list[10].toFixed(1)} ms, at most ${list[19].toFixed(1)} ms)`);
  });

  test('slow keys: all of them, and none while typing', async (browser) => {
    const sample = join(work, 'keys.replay'); // which gets a bookmark
    copyFileSync(match, sample);
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    const timeline = timelineOf(match);
    const frames = floats(timeline.clock.t);
    const press = async (key) => {
      await page.keyboard.press(key);
      return clock(page);
    };
    await seek(page, 1);
    const at = (await clock(page)).frame;
    near((await press('.')).time, frames[at + 1], 1e-4);
    near((await press(',')).time, frames[at], 1e-4);
    assert.equal((await press(']')).speed, 2);
    assert.equal((await press('[')).speed, 1);
    assert.equal((await press('[')).speed, 0.5);
    assert.equal((await press('\\')).speed, 1);
    assert.equal((await press('>')).speed, 2);
    assert.equal((await press('<')).speed, 1);
    assert.equal((await press('r')).direction, -1);
    assert.equal((await press('r')).direction, 1);
    near((await press('End')).time, timeline.source.duration, 1e-4);
    near((await press('Shift+ArrowLeft')).time, 0);
    near((await press('l')).time, timeline.source.duration, 1e-4);
    near((await press('j')).time, 0);
    near((await press('Home')).time, 0);
    near((await press('Control+ArrowRight')).time, timeline.chapters[1].t0, 1e-4);
    near((await press('Control+ArrowLeft')).time, 0);
    await seek(page, 0.5);
    near((await press('i')).loopFrom, 0.5);
    await seek(page, 1.5);
    near((await press('o')).loopTo, 1.5);
    await press('k');
    await advance(page, 0.25);
    near((await clock(page)).time, 0.75, 1e-4);
    await press('k');
    assert.equal((await press('Shift+I')).loopFrom, null);
    await press('+');
    let view = await ask(page, 'view');
    near(view.to - view.from, timeline.source.duration / 2, 1e-4);
    await press('+');
    await press('-');
    view = await ask(page, 'view');
    near(view.to - view.from, timeline.source.duration / 2, 1e-4);
    await press('z');
    view = await ask(page, 'view');
    near(view.to - view.from, timeline.source.duration, 1e-4);
    await press('t');
    assert.equal((await ask(page, 'view')).camera, 'top');
    await press('f');
    assert.equal((await ask(page, 'view')).camera, 'free');
    // Free flight moves with its own keys, which do nothing else meanwhile.
    const speed = (await clock(page)).speed;
    for (const key of ['w', 'a', 's', 'd', 'q', 'e']) await press(key);
    assert.equal((await clock(page)).speed, speed);
    assert.equal((await clock(page)).spoilerFree, false);
    await press('Escape');
    for (const [key, camera] of [['1', 'follow'], ['Shift+Digit2', 'eyes'], ['0', 'orbit'], ['c', 'follow'], ['Escape', 'orbit']]) {
      await press(key);
      assert.equal((await ask(page, 'view')).camera, camera, key);
    }
    assert.equal((await press('v')).spoilerFree, true);
    assert.equal((await press('v')).spoilerFree, false);
    await press('Home');
    assert.equal((await press('Space')).playing, true);
    assert.equal((await press('Space')).playing, false);
    await seek(page, 0.9);
    await press('Control+b');
    assert.equal((await ask(page, 'view')).bookmarks.length, 1);
    assert.equal(await page.innerText('.notice'), 'Bookmark at 0:00.88');
    await press('Home');
    await press('x');
    assert.equal((await ask(page, 'view')).heat, true);
    await press('x');
    await press('p');
    assert.equal(await page.isVisible('.side'), false);
    await press('p');
    await press('h');
    assert.equal(await page.isVisible('.bar'), false);
    await press('Escape');
    assert.equal(await page.isVisible('.bar'), true);
    await press('?');
    assert.equal(await page.isVisible('dialog'), true);
    await press('Escape');
    assert.equal(await page.isVisible('dialog'), false);
    await press('/');
    const before = await clock(page);
    await page.keyboard.type('k.vr]');
    assert.deepEqual(await clock(page), before);
    assert.equal(await page.inputValue('.table input'), 'k.vr]');
  });

  test('keys: Space plays wherever the focus is, a bookmark leaves the focus alone', async (browser) => {
    const sample = join(work, 'space.replay'); // which gets a bookmark
    copyFileSync(match, sample);
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    const playing = async () => (await clock(page)).playing;
    for (const place of ['[aria-label="Next marker"]', '#tab-info', '.timeline', '.chip', '[data-camera=top]', '[aria-label="Width of the side panel"]']) {
      await page.focus(place);
      await page.keyboard.press('m');
      for (const wanted of [true, false]) {
        await page.keyboard.press('Space');
        assert.equal(await playing(), wanted, place);
      }
      assert.ok(await page.evaluate((p) => document.activeElement?.matches(p), place), `${place} keeps the focus`);
    }
    assert.equal((await ask(page, 'view')).camera, 'orbit', 'no button was pressed');
    await page.focus('#tab-info');
    await page.keyboard.press('Enter');
    assert.equal(await page.isVisible('#pane-info'), true);
    // In a text field Space is a character.
    await page.keyboard.press('/');
    await page.keyboard.type('a b');
    assert.equal(await playing(), false);
    assert.equal(await page.inputValue('.table input'), 'a b');
  });

  test('slow slider: the keys of the pattern while it has focus', async (browser) => {
    const { address } = await serve(long);
    const { page } = await open(browser, address);
    await page.focus('.timeline');
    await seek(page, 50);
    for (const [key, time] of [['ArrowRight', 51], ['ArrowLeft', 50], ['PageUp', 60], ['PageDown', 50], ['Home', 0]]) {
      await page.keyboard.press(key);
      near((await clock(page)).time, time);
    }
    assert.equal(await page.getAttribute('.timeline', 'role'), 'slider');
    assert.equal(await page.getAttribute('.timeline', 'aria-valuenow'), '0.00');
  });

  test('markers: next and previous are exact, rows and the bar seek to them', async (browser) => {
    const { address } = await serve(match);
    const { page } = await open(browser, address);
    const timeline = timelineOf(match);
    const times = [...new Set(floats(timeline.markers.t))].sort((a, b) => a - b);
    const reached = [];
    await page.keyboard.press('Home');
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press('ArrowRight');
      const { time } = await clock(page);
      if (reached[reached.length - 1] !== time) reached.push(time);
    }
    const wanted = times.filter((t, i) => t > 1e-3 && (i === 0 || t - times[i - 1] > 1e-3));
    assert.deepEqual(reached.map((t) => t.toFixed(3)), wanted.map((t) => t.toFixed(3)));
    await page.click('[aria-label="Previous marker"]');
    near((await clock(page)).time, wanted[wanted.length - 2], 1e-3);
    // Where markers are too close to be told apart, their number is shown; together they are all.
    const drawn = (await ask(page, 'view')).markers;
    assert.equal(drawn.reduce((sum, m) => sum + m.count, 0), timeline.markers.n);
    assert.ok(drawn.some((m) => m.count > 1) && drawn.length < timeline.markers.n);
    for (let i = 1; i < drawn.length; i++) assert.ok(drawn[i].x - drawn[i - 1].x >= 14);
    await page.click('#tab-tables');
    const sorted = floats(timeline.markers.t).sort((a, b) => a - b);
    await page.click('tr[data-index="4"]');
    near((await clock(page)).time, sorted[4], 1e-3);
    const current = sorted.filter((t) => t <= sorted[4] + 1e-4).length - 1;
    assert.equal(await page.getAttribute(`tr[data-index="${current}"]`, 'aria-current'), 'time');
    // A click at the same time in a plot leads to the same time, a pixel more or less.
    await page.click('#tab-plots');
    const plot = await page.locator('[data-plot=health] .u-over').boundingBox();
    await page.mouse.click(plot.x + (sorted[4] / timeline.source.duration) * plot.width, plot.y + 20);
    near((await clock(page)).time, sorted[4], (1.5 * timeline.source.duration) / plot.width);
    const box = await page.locator('.timeline').boundingBox();
    const t = wanted[wanted.length - 2];
    await page.mouse.click(box.x + EDGE + (t / timeline.source.duration) * (box.width - 2 * EDGE) + 2, box.y + 14);
    near((await clock(page)).time, t, 0.02);
    await page.mouse.move(box.x + EDGE + (t / timeline.source.duration) * (box.width - 2 * EDGE), box.y + 12);
    const text = (await page.innerText('.tip')).split('\n');
    assert.match(text[0], /^\d:\d\d\.\d\d$/);
    assert.ok(text.length > 1);
  });

  test('slow bookmarks: set, named, kept for the terminal player too, removed', async (browser) => {
    const sample = join(work, 'marked.icrep');
    copyFileSync(long, sample);
    // A line as `reprise play` writes it.
    writeFileSync(`${sample}.bookmarks`, '300 0:20\n');
    const { address } = await serve(sample);
    const { page, context } = await open(browser, address);
    await page.waitForSelector('.marks li[data-t]', { state: 'attached' });
    const times = floats(timelineOf(sample).clock.t);
    await seek(page, 50);
    const { frame } = await clock(page);
    await page.click('#tab-bookmarks');
    await page.click('.tools button:has-text("Add")');
    await page.keyboard.type('the raid');
    await page.keyboard.press('Enter');
    const saved = () => readFileSync(`${sample}.bookmarks`, 'utf8');
    await eventually(() => saved().includes('the raid\n'));
    const lines = saved().trim().split('\n');
    assert.match(lines[0], /^300 0:\d\d\.\d\d At 0:\d\d\.\d\d$/);
    assert.match(lines[1], new RegExp(`^${frame} 0:\\d\\d\\.\\d\\d the raid$`));
    await context.close();
    const { page: again } = await open(browser, address);
    await again.click('#tab-bookmarks');
    await again.click('.marks li:nth-child(2) button');
    near((await clock(again)).time, times[frame], 1e-3);
    await again.click('.marks li:nth-child(2) button[aria-label^=Remove]');
    await eventually(() => /^300 .*\n$/.test(saved()));
  });

  test('slow link: the address brings back the moment', async (browser) => {
    const { address } = await serve(match);
    const { page, context } = await open(browser, address, { hash: '#t=1.50&cam=top&speed=0.5' });
    const now = await clock(page);
    near(now.time, 1.5);
    assert.equal(now.speed, 0.5);
    assert.equal((await ask(page, 'view')).camera, 'top');
    // Whose camera it was is in the address too.
    await page.keyboard.press('2');
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    const hash = new URL(page.url()).hash;
    assert.match(hash, /^#t=\d+\.\d\d&cam=follow:2&speed=0\.5$/);
    const { mode } = await ask(page, 'view');
    await context.close();
    const { page: again } = await open(browser, address, { hash });
    assert.deepEqual((await ask(again, 'view')).mode, mode);
  });

  test('spoiler-free: nothing beyond what was seen, anywhere', async (browser) => {
    const { address } = await serve(long);
    const { page } = await open(browser, address);
    const timeline = timelineOf(long);
    await page.keyboard.press('v');
    await page.click('[aria-label=Play]');
    for (let i = 0; i < 6; i++) await advance(page, 2);
    await page.keyboard.press('k');
    const now = await clock(page);
    near(now.seen, 12);
    assert.equal(now.horizon, 30);
    // No way forward but playing or stepping.
    for (const key of ['End', 'l', 'Shift+ArrowRight', 'ArrowRight', 'Control+ArrowRight']) {
      await page.keyboard.press(key);
      assert.ok((await clock(page)).time <= 12 + 1e-6, key);
    }
    const box = await page.locator('.timeline').boundingBox();
    await page.mouse.click(box.x + box.width - 5, box.y + 34);
    near((await clock(page)).time, 12);
    await page.mouse.move(box.x + box.width - 20, box.y + 34);
    assert.equal(await page.isVisible('.tip'), false);
    assert.equal(await page.innerText('.total'), '-:--');
    assert.equal(await page.getAttribute('.timeline', 'aria-valuemax'), '12.00');
    for (const id of await page.evaluate(() => window.repriseTest.counts.plots)) {
      const { data: columns, max } = await page.evaluate((i) => window.repriseTest.plot(i), id);
      assert.equal(max, 30);
      for (const t of Object.values(columns[0])) assert.ok(t <= 12 + 1e-3, `${id} at ${t}`);
    }
    // Times in all words and attributes of the page.
    const leaks = async () => {
      const html = await page.evaluate(() => {
        const words = [document.title];
        document.querySelectorAll('#app *').forEach((e) => {
          for (const a of e.attributes) if (!['style', 'd', 'class'].includes(a.name)) words.push(a.value);
        });
        return `${words.join('\n')}\n${document.querySelector('#app').innerText}`;
      });
      const total = timeline.source.duration;
      const times = [...html.matchAll(/\b(\d+):(\d\d)\.(\d\d)\b/g)].map((m) => Number(m[1]) * 60 + Number(m[2]) + Number(m[3]) / 100);
      assert.deepEqual(times.filter((t) => t > 12.01), []);
      for (const secret of ['3:43', total.toFixed(2), String(timeline.clock.t.n), String(timeline.clock.t.n - 1)]) assert.ok(!html.includes(secret), secret);
    };
    await leaks();
    for (const tab of ['tables', 'bookmarks', 'info', 'plots']) {
      await page.click(`#tab-${tab}`);
      await leaks();
    }
    const orders = floats(timeline.tables.find((t) => t.id === 'orders').columns[0].data);
    await page.click('#tab-tables');
    await page.selectOption('.tablepane select', 'orders');
    assert.equal((await ask(page, 'counts')).rows, orders.filter((t) => t <= 12).length);
    await page.keyboard.press('.');
    assert.ok((await clock(page)).time > 12);
    // Kept for this file, and everything is back without it.
    await page.click('.spoiler');
    assert.match(await page.innerText('.total'), /^3:43\.\d\d$/);
    assert.equal((await ask(page, 'counts')).rows, orders.length);
    near((await clock(page)).horizon, timeline.source.duration, 1e-4);
  });
};

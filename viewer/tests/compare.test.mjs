// Several replays: ghosts in one scene, side by side, and shifted against each other.
import assert from 'node:assert/strict';
import { ask, data, open, run, seek, serve } from './harness.mjs';

const node = (page, n, replay) => page.evaluate(([i, r]) => window.repriseTest.node(i, r), [n, replay]);

export default (test) => {
  const files = [data('rumble/z6_match_like_1.2.4.replay'), data('rumble/z5_park_like_animator.replay')];

  test('compare: an offset shifts the other replay exactly', async (browser) => {
    const { address } = await serve('--offset', '0.5', ...files);
    const { page, problems } = await open(browser, address);
    assert.equal((await ask(page, 'view')).arrangement, 'ghosts');
    await seek(page, 1.5);
    const shifted = await node(page, 1, 1);
    await page.click('#tab-compare');
    await page.click('.comparison button >> text="0"');
    await seek(page, 1);
    assert.deepEqual(await node(page, 1, 1), shifted);
    await page.fill('input[type=number]', '-0.25');
    await page.keyboard.press('Tab');
    await seek(page, 0.75);
    assert.deepEqual(await node(page, 1, 1), shifted);
    assert.deepEqual(problems, []);
  });

  test('slow compare: a shifted replay makes time longer', async (browser) => {
    const { address } = await serve('--offset', '10', ...files);
    const { page } = await open(browser, address);
    assert.ok(Math.abs((await ask(page, 'clock')).duration - 12.387) < 0.01);
  });

  test('compare: ghosts, side by side, one; plots show both', async (browser) => {
    const { address } = await serve(...files);
    const { page, problems } = await open(browser, address);
    await seek(page, 1);
    const pictures = new Set();
    for (const arrangement of ['ghosts', 'side', 'single']) {
      assert.equal((await ask(page, 'view')).arrangement, arrangement);
      pictures.add(await page.evaluate(() => document.querySelector('canvas.gl').toDataURL()));
      const legend = await page.innerText('[data-plot=health] .legend');
      assert.equal(legend.includes('z5_park'), arrangement !== 'single');
      await page.keyboard.press('g');
    }
    assert.equal(pictures.size, 3);
    await page.click('#tab-compare');
    assert.match(await page.innerText('.comparison'), /different maps/);
    await page.click('[data-arrangement=side]');
    // Both pictures are there to be seen, not only drawn.
    const shot = (await page.locator('.stage').screenshot()).toString('base64');
    const colours = await page.evaluate(async (b64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${b64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return [0, 1].map((half) => {
        const { data: bytes } = context.getImageData((half * image.width) / 2, 150, image.width / 2, image.height - 250);
        const seen = new Set();
        for (let i = 0; i < bytes.length; i += 4) seen.add((bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2]);
        return seen.size;
      });
    }, shot);
    assert.ok(colours.every((count) => count > 50), `${colours} colours`);
    assert.deepEqual(await page.$$eval('.columns span', (l) => l.map((s) => s.textContent)), ['z6_match_like_1.2.4.replay', 'z5_park_like_animator.replay']);
    assert.deepEqual(problems, []);
  });

  test('slow compare: side by side cameras move together, or each on its own', async (browser) => {
    const { address } = await serve(...files);
    const { page } = await open(browser, address, { hash: '#t=1&a=side' });
    assert.equal((await ask(page, 'view')).arrangement, 'side');
    const halves = () => page.evaluate(() => {
      const from = document.querySelector('canvas.gl');
      return [0, 1].map((half) => {
        const canvas = document.createElement('canvas');
        canvas.width = from.width / 2;
        canvas.height = from.height;
        canvas.getContext('2d').drawImage(from, (-half * from.width) / 2, 0);
        return canvas.toDataURL();
      });
    });
    const box = await page.locator('canvas.gl').boundingBox();
    const turn = async () => {
      const before = await halves();
      await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.75 + 60, box.y + box.height / 2, { steps: 3 });
      await page.mouse.up();
      await seek(page, 1);
      const after = await halves();
      return before.map((picture, i) => picture !== after[i]);
    };
    assert.deepEqual(await turn(), [true, true]);
    await page.click('#tab-compare');
    await page.uncheck('.linked');
    assert.deepEqual(await turn(), [false, true]);
    await page.check('.linked');
    assert.deepEqual(await turn(), [true, true]);
    // A player that is followed is the same one on both sides, though another node.
    await page.keyboard.press('2');
    assert.equal((await ask(page, 'view')).camera, 'follow');
  });

  test('slow compare: runs of cs2kz as ghosts', async (browser) => {
    const run = data('cs2kz/b2-run.replay');
    const { address } = await serve('--offset', '0.25', run, run);
    const { page } = await open(browser, address);
    await seek(page, 0.75);
    const ghost = await node(page, 0, 1);
    await seek(page, 0.5);
    assert.deepEqual((await node(page, 0, 0)).pos, ghost.pos);
    await page.click('#tab-compare');
    assert.doesNotMatch(await page.innerText('.comparison'), /different/);
  });

  test('compare: the gap of two runs at the same place, and sections that add up', async (browser) => {
    const [mine, record] = [data('cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay'), data('cs2kz/a3-run.replay')];
    const said = JSON.parse(run('stats', '--json', '--against', record, mine)).comparison;
    const { address } = await serve(mine, record);
    const { page, problems } = await open(browser, address);
    const { compare } = await (await fetch(`${address}page.json`)).json();
    assert.deepEqual(compare.sections, said.sections);
    const sum = said.sections.reduce((all, s) => all + s.delta, 0);
    assert.equal(sum, said.final);
    assert.equal(said.sections.reduce((all, s) => all + (s.b1 - s.b0 - s.a1 + s.a0), 0) * said.tick_s, said.final);
    assert.ok((await ask(page, 'counts')).plots.includes('gap'));
    const { data: points } = await page.evaluate(() => window.repriseTest.plot('gap'));
    assert.ok(Math.abs(points[1][points[1].length - 1] - said.final) < 1e-4);
    await page.click('#tab-compare');
    assert.equal(await page.locator('.sections tbody tr').count(), said.sections.length);
    await page.click('.sections tbody button >> nth=0');
    assert.ok(Math.abs((await ask(page, 'clock')).time - said.sections[0].t0) < 1e-3);
    const pictures = new Set();
    for (const camera of ['follow', 'rival']) {
      await page.click(`[data-camera=${camera}]`);
      pictures.add(await page.evaluate(() => document.querySelector('canvas.gl').toDataURL()));
    }
    assert.equal(pictures.size, 2);
    // What is not over yet is not told while spoiler-free.
    await page.evaluate(() => location.reload());
    await page.waitForSelector('html[data-state=ready]');
    await page.keyboard.press('v');
    await page.click('#tab-compare');
    assert.doesNotMatch(await page.innerText('.sections'), /In all|13\.7/);
    assert.deepEqual(problems, []);
  });

  test('slow compare: runs over other courses are refused with a sentence', async (browser) => {
    const { address } = await serve(data('cs2kz/a1-run.replay'), data('cs2kz/a3-run.replay'));
    const { page } = await open(browser, address);
    await page.click('#tab-compare');
    assert.match(await page.innerText('.comparison'), /different maps: kz_example and bkz_ramp/);
    assert.equal(await page.locator('.sections').count(), 0);
  });
};

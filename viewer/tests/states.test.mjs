// Damage, emptiness, failures: something sensible is on the page in any case.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ask, data, launch, open, run, seek, serve, work } from './harness.mjs';

export default (test) => {
  test('damaged: a banner says so, and what is there can be seen', async (browser) => {
    const whole = readFileSync(data('rumble/l1_published_spec.replay'));
    const sample = join(work, 'cut.replay');
    writeFileSync(sample, whole.subarray(0, Math.floor(whole.length * 0.7)));
    const { address } = await serve(sample);
    const { page, problems } = await open(browser, address);
    assert.equal(await page.getAttribute('html', 'data-damaged'), '');
    assert.match(await page.innerText('.banner'), /Not all .* could be read: the last 44 of 150 frames are gone/);
    await seek(page, 0.2);
    assert.ok((await ask(page, 'counts')).nodes > 0);
    await page.click('.banner >> text=Details');
    assert.match(await page.innerText('.info'), /reprise recover cut\.replay/);
    await page.keyboard.press('v');
    assert.equal(await page.innerText('.banner .words'), 'Part of this recording could not be read.');
    await page.click('[aria-label="Close this notice"]');
    assert.equal(await page.isVisible('.banner'), false);
    assert.deepEqual(problems, []);
  });

  test('slow damaged: what stops the reading half way is told with the time', async (browser) => {
    const whole = readFileSync(data('cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay'));
    const sample = join(work, 'cut-run.replay');
    writeFileSync(sample, whole.subarray(0, Math.floor(whole.length * 0.7)));
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    assert.match(await page.innerText('.banner'), /damaged: everything up to 0:28\.52 can be seen/);
    await seek(page, 20);
    assert.equal((await ask(page, 'clock')).time, 20);
    // The end is hatched in the colour of warnings, on the timeline and in plots.
    const hatched = (selector) =>
      page.$eval(selector, (canvas) => {
        const { data: bytes } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let i = 0; i < bytes.length; i += 4)
          if (Math.abs(bytes[i] - 230) < 8 && Math.abs(bytes[i + 1] - 159) < 8 && bytes[i + 2] < 8 && bytes[i + 3] > 200) count++;
        return count;
      });
    for (const selector of ['.timeline canvas', '[data-plot=speed] canvas', '[data-plot=height] canvas'])
      assert.ok((await hatched(selector)) > 10, `${selector}: ${await hatched(selector)}`);
    await page.keyboard.press('v');
    for (const selector of ['.timeline canvas', '[data-plot=speed] canvas']) assert.equal(await hatched(selector), 0);
  });

  test('empty: no motion, and the transport says why', async (browser) => {
    const { address } = await serve(data('mcreplay/empty.replay'));
    const { page, problems } = await open(browser, address);
    assert.equal(await page.getAttribute('html', 'data-empty'), '');
    assert.equal(await page.isDisabled('.play'), true);
    assert.equal(await page.getAttribute('.play', 'title'), 'There is no motion in this replay');
    await page.click('#tab-info');
    assert.match(await page.innerText('.info'), /mcreplay/);
    assert.deepEqual(problems, []);
  });

  test('slow empty: a moment without length has its scene and tables', async (browser) => {
    for (const name of ['ironcurtain/zero-ticks.icrep', 'ironcurtain/everything.icsave', 'rumble/z5_empty.replay']) {
      const { address } = await serve(data(name));
      const { page, context, problems } = await open(browser, address);
      assert.equal(await page.getAttribute('html', 'data-empty'), '', name);
      assert.equal(await page.isDisabled('.play'), true);
      for (const key of ['k', '.', 'End', 'ArrowRight', 'r']) await page.keyboard.press(key);
      assert.equal((await ask(page, 'clock')).time, 0);
      assert.equal((await ask(page, 'clock')).playing, false);
      assert.ok((await ask(page, 'counts')).nodes > 0, name);
      await page.click('#tab-tables');
      await page.click('#tab-info');
      assert.ok((await page.innerText('.info')).length > 50);
      assert.deepEqual(problems, []);
      assert.deepEqual(await ask(page, 'errors'), []);
      await context.close();
    }
  });

  test('slow error: a sentence, the id and the next command', async (browser) => {
    const file = join(work, 'broken.html');
    run('export', '-q', data('rumble/z6_edge.replay'), file);
    const html = readFileSync(file, 'utf8');
    writeFileSync(file, html.replace(/(data-reprise="timeline:0" data-enc="gzip">)/, '$1AAAA'));
    const { page } = await open(browser, pathToFileURL(file).href, { until: 'error' });
    assert.match(await page.innerText('[role=alert]'), /cannot be shown[\s\S]*timeline:0[\s\S]*reprise verify FILE/);
  });

  test('slow no WebGL: a flat map, everything else works', async () => {
    const browser = await launch({
      args: ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer', '--disable-3d-apis'],
      ignoreDefaultArgs: ['--enable-unsafe-swiftshader'],
    });
    try {
      const { address } = await serve(data('ironcurtain/full.icrep'));
      const { page } = await open(browser, address);
      assert.equal((await ask(page, 'view')).webgl, false);
      assert.equal(await page.getAttribute('html', 'data-flat'), '');
      await seek(page, 90);
      const colours = await page.$eval('canvas.flat', (c) => {
        const { data: bytes } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
        const seen = new Set();
        for (let i = 0; i < bytes.length; i += 4) seen.add(`${bytes[i]},${bytes[i + 1]},${bytes[i + 2]}`);
        return seen.size;
      });
      assert.ok(colours > 3, 'units on the map');
      await page.click('#tab-tables');
      assert.ok((await ask(page, 'counts')).rows > 0);
    } finally {
      await browser.close();
    }
  });

  test('slow lost context: the flat map takes over', async (browser) => {
    const { address } = await serve(data('ironcurtain/full.icrep'));
    const { page } = await open(browser, address);
    await page.evaluate(() => document.querySelector('canvas.gl').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
    await page.waitForSelector('html[data-flat]');
    await seek(page, 30);
    assert.equal(await page.isVisible('canvas.flat'), true);
  });
};

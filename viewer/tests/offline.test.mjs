// The page as one file: opens from disk, asks nobody for anything, and takes no orders from names.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ask, data, eventually, open, run, seek, serve, timelineOf, work } from './harness.mjs';

export default (test) => {
  test('offline: opens from disk without any request', async (browser) => {
    const sample = data('rumble/z6_match_like_1.2.4.replay');
    const file = join(work, 'match.html');
    run('export', '-q', sample, file);
    const { page, problems, requests } = await open(browser, pathToFileURL(file).href);
    const timeline = timelineOf(sample);
    assert.equal((await ask(page, 'counts')).markers, timeline.markers.n);
    await seek(page, 1.5);
    await page.keyboard.press('ArrowRight');
    await page.click('#tab-tables');
    await page.click('#tab-info');
    const others = requests.filter((url) => !url.startsWith('file:') && !url.startsWith('blob:') && !url.startsWith('data:'));
    assert.deepEqual(others, []);
    assert.equal(requests.filter((url) => url.startsWith('file:')).length, 1);
    assert.deepEqual(problems, []);
    assert.match(await page.getAttribute('meta[http-equiv]', 'content'), /default-src 'none'/);
    assert.equal(await page.locator('script[data-reprise]').count(), 0);
  });

  test('slow offline: bookmarks stay in the browser', async (browser) => {
    const file = join(work, 'kept.html');
    run('export', '-q', data('rumble/z6_edge.replay'), file);
    const { page, context } = await open(browser, pathToFileURL(file).href);
    await page.keyboard.press('m');
    await page.keyboard.press('Enter');
    const again = await context.newPage();
    await again.goto(`${pathToFileURL(file).href}?still`);
    await again.waitForSelector('html[data-state=ready]');
    await again.click('#tab-bookmarks');
    assert.equal(await again.locator('.marks input').count(), 1);
  });

  test('offline: names are text, whatever they contain', async (browser) => {
    // A file that says nothing about itself is called by its name.
    const name = "<script>alert(1)<img src=x onerror=alert(2)>.vcap";
    const sample = join(work, name);
    copyFileSync(data('mcreplay/world_frames.vcap'), sample);
    const file = join(work, 'hostile.html');
    run('export', '-q', sample, file);
    const html = readFileSync(file, 'utf8');
    assert.ok(!html.includes('<script>alert'));
    const { page, problems } = await open(browser, pathToFileURL(file).href);
    assert.equal(await page.innerText('h1'), name);
    assert.equal(await page.title(), name);
    assert.equal(await page.locator('img').count(), 0);
    // Two pictures later, whatever the names started would have run.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.deepEqual(problems, []);
  });

  test('offline: markup in names of players and in texts is shown as it is', async (browser) => {
    const file = join(work, 'markup.html');
    run('export', '-q', data('rumble/z6_match_like_1.2.4.replay'), file);
    const evil = '</script><img src=x onerror=alert(3)>';
    const html = readFileSync(file, 'utf8').replace(/(data-reprise="timeline:0" data-enc="gzip">)([^<]*)/, (_, head, text) => {
      const timeline = JSON.parse(gunzipSync(Buffer.from(text, 'base64')));
      timeline.source.title = evil;
      timeline.players[0].name = evil;
      timeline.labels[0].text = evil;
      timeline.plots[0].title = timeline.plots[0].series[0].name = timeline.plots[0].summary = evil;
      timeline.markers.text.values = timeline.markers.text.values.map(() => evil);
      timeline.info.push([evil, evil]);
      timeline.warnings = [{ id: evil, level: 'warn', text: evil }];
      return head + gzipSync(JSON.stringify(timeline)).toString('base64');
    });
    writeFileSync(file, html);
    const { page, problems } = await open(browser, pathToFileURL(file).href);
    assert.equal(await page.innerText('h1'), evil);
    assert.equal(await page.title(), evil);
    await seek(page, 1.6);
    for (const tab of ['tables', 'players', 'bookmarks', 'info', 'plots']) {
      await page.click(`#tab-${tab}`);
      if (tab !== 'bookmarks') assert.ok((await page.innerText(`#pane-${tab}`)).includes(evil), tab);
    }
    for (const place of ['.hud', '.banner', '.labels', '.subtitle']) assert.ok((await page.innerText(place)).includes(evil), place);
    const box = await page.locator('.timeline').boundingBox();
    const [marker] = (await ask(page, 'view')).markers;
    await page.mouse.move(box.x + marker.x, box.y + 12);
    assert.ok((await page.innerText('.tip')).includes(evil));
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual(problems, []);
  });

  test('offline: the same bytes twice', () => {
    const [a, b] = [join(work, 'a.html'), join(work, 'b.html')];
    run('export', '-q', data('openra/p21-2p.orarep'), a);
    run('export', '-q', data('openra/p21-2p.orarep'), b);
    assert.ok(readFileSync(a).equals(readFileSync(b)));
  });

  test('offline: several replays in one file, with what was said', async (browser) => {
    const files = [data('rumble/z6_voices_extensions.replay'), data('rumble/z6_match_like_1.2.4.replay')];
    const file = join(work, 'both.html');
    run('export', '-q', '--offset', '0.5', ...files, file);
    const { page, problems, requests } = await open(browser, pathToFileURL(file).href);
    assert.equal((await ask(page, 'view')).arrangement, 'ghosts');
    await seek(page, 1.5);
    const shifted = await page.evaluate(() => window.repriseTest.node(1, 1));
    await page.click('#tab-compare');
    await page.click('.comparison button >> text="0"');
    await seek(page, 1);
    assert.deepEqual(await page.evaluate(() => window.repriseTest.node(1, 1)), shifted);
    await page.click('[data-arrangement=side]');
    assert.equal(await page.locator('.columns span').count(), 2);
    // The first recording begins at 0.4: due while playing forward, and not otherwise.
    const due = async () => (await ask(page, 'voices'))[0].due;
    await seek(page, 0.3);
    await page.keyboard.press('k');
    assert.equal(await due(), false);
    await page.evaluate(() => window.repriseTest.advance(0.15));
    assert.equal(await due(), true);
    await page.click('.voices');
    assert.equal(await due(), false);
    assert.deepEqual(requests.filter((url) => !/^(file|blob|data):/.test(url)), []);
    assert.deepEqual(problems, []);
  });

  test('voices: run along with the clock, as fast, and not backwards', async (browser) => {
    const { address } = await serve(data('ironcurtain/full.icrep'));
    const { page } = await open(browser, address);
    const voices = () => ask(page, 'voices');
    assert.equal((await voices()).length, 2);
    await seek(page, 100);
    await page.keyboard.press('k');
    await eventually(async () => {
      await page.evaluate(() => window.repriseTest.advance(0));
      return (await voices())[0].loaded;
    });
    await page.evaluate(() => window.repriseTest.advance(1));
    const [first] = await voices();
    assert.ok(first.due && first.loaded, JSON.stringify(first));
    assert.ok(Math.abs(first.at - 101) < 1, `at ${first.at}`);
    await page.keyboard.press('r');
    assert.equal((await voices())[0].due, false);
    await page.keyboard.press('r');
    assert.equal((await voices())[0].due, true);
    await page.click('[data-speed="8"]');
    assert.equal((await voices())[0].due, false);
    await page.click('[data-speed="1"]');
    await page.keyboard.press('k');
    assert.ok((await voices()).every((v) => !v.due && v.paused));
  });
};

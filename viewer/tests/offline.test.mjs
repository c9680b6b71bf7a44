// The page as one file: opens from disk, asks nobody for anything, and takes no orders from names.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ask, data, open, run, seek, timelineOf, work } from './harness.mjs';

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
    const name = "<script>alert(1)<img src=x onerror=alert(2)>.replay";
    const sample = join(work, name);
    copyFileSync(data('cs2kz/b2-run.replay'), sample);
    const file = join(work, 'hostile.html');
    run('export', '-q', sample, file);
    const html = readFileSync(file, 'utf8');
    assert.ok(!html.includes('<script>alert'));
    const { page, problems } = await open(browser, pathToFileURL(file).href);
    assert.equal(await page.innerText('h1'), name);
    assert.equal(await page.title(), name);
    assert.equal(await page.locator('img').count(), 0);
    await page.waitForTimeout(200);
    assert.deepEqual(problems, []);
  });

  test('offline: the same bytes twice', () => {
    const [a, b] = [join(work, 'a.html'), join(work, 'b.html')];
    run('export', '-q', data('openra/p21-2p.orarep'), a);
    run('export', '-q', data('openra/p21-2p.orarep'), b);
    assert.ok(readFileSync(a).equals(readFileSync(b)));
  });
};

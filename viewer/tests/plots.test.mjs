// Plots and tables: the numbers of the command, and clicks that lead to the same moment.
import assert from 'node:assert/strict';
import { ask, data, open, run, seek, serve, timelineOf } from './harness.mjs';

const floats = (column) => {
  if (column.type === 'range') return Array.from({ length: column.n }, (_, i) => column.start + i * column.step);
  const bytes = Buffer.from(column.b64, 'base64');
  return Array.from({ length: column.n }, (_, i) => bytes.readFloatLE(4 * i));
};
const clock = (page) => ask(page, 'clock');

export default (test) => {
  test('slow plots: show the values of the timeline', async (browser) => {
    for (const sample of ['rumble/z6_match_like_1.2.4.replay', 'ironcurtain/full.icrep', 'cs2kz/b2-run.replay']) {
      const { address } = await serve(data(sample));
      const { page } = await open(browser, address);
      for (const plot of timelineOf(data(sample)).plots) {
        if (plot.kind === 'lanes' || !plot.series.some((s) => s.t.n)) continue;
        const { data: columns } = await page.evaluate((id) => window.repriseTest.plot(id), plot.id);
        const drawn = Object.values(columns[0]);
        plot.series.forEach((series, i) => {
          const t = floats(series.t);
          const v = floats(series.v);
          const values = Object.values(columns[i + 1]);
          t.forEach((time, row) => {
            const at = drawn.indexOf(time);
            assert.ok(at >= 0, `${plot.id} has no point at ${time}`);
            if (!Number.isNaN(v[row])) assert.equal(values[at], v[row], `${plot.id} ${series.name} at ${time}`);
          });
        });
      }
    }
  });

  test('plots: a click seeks, a drag zooms all, a double click shows all', async (browser) => {
    const { address } = await serve(data('ironcurtain/full.icrep'));
    const { page } = await open(browser, address);
    const { duration } = await clock(page);
    const box = await page.locator('[data-plot=economy] .u-over').boundingBox();
    await page.mouse.click(box.x + box.width * 0.25, box.y + 30);
    assert.ok(Math.abs((await clock(page)).time - duration * 0.25) < (2 * duration) / box.width);
    const head = await page.locator('[data-plot=economy] .playhead').boundingBox();
    assert.ok(Math.abs(head.x - (box.x + box.width * 0.25)) < 2, 'the line stands where it was clicked');
    await page.mouse.move(box.x + 50, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + 150, box.y + 32, { steps: 5 });
    await page.mouse.up();
    const scale = async (id) => page.evaluate((i) => { const p = window.repriseTest.plot(i); return [p.min, p.max]; }, id);
    const zoomed = await scale('economy');
    assert.ok(zoomed[1] - zoomed[0] < duration / 2, String(zoomed));
    assert.deepEqual(await scale('apm'), zoomed);
    await seek(page, duration * 0.25);
    await page.mouse.dblclick(box.x + 80, box.y + 30);
    assert.deepEqual((await scale('apm')).map((x) => x.toFixed(2)), ['0.00', duration.toFixed(2)]);
  });

  test('slow plots: as a table too', async (browser) => {
    const { address } = await serve(data('rumble/z6_match_like_1.2.4.replay'));
    const { page } = await open(browser, address);
    await page.click('[data-plot=health] summary');
    await page.waitForSelector('[data-plot=health] tbody tr');
    const rows = await page.$$eval('[data-plot=health] tbody tr', (list) => list.map((r) => r.innerText.split(/\s+/)));
    assert.deepEqual(rows[0], ['0:00.00', '20', '20']);
    assert.equal(rows.length, 61);
    assert.deepEqual(rows[60].slice(1), ['16', '12']);
    assert.match(await page.getAttribute('[data-plot=health] .uplot', 'aria-label'), /^Health: .* from 20 to 16/);
  });

  test('tables: filter, keys, chat and build order', async (browser) => {
    const sample = data('openra/p21-2p.orarep');
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    const timeline = timelineOf(sample);
    await page.click('#tab-tables');
    const titles = await page.$$eval('.tablepane option', (list) => list.map((o) => o.textContent));
    for (const title of ['Orders', 'Build order', 'Chat']) assert.ok(titles.includes(title), title);
    await page.selectOption('.tablepane select', 'orders');
    const orders = timeline.tables.find((t) => t.id === 'orders');
    assert.equal((await ask(page, 'counts')).rows, orders.n);
    await page.fill('.table input', 'alice');
    const { rows } = await ask(page, 'counts');
    assert.ok(rows > 0 && rows < orders.n);
    assert.match(await page.innerText('.count'), new RegExp(`^${rows} rows$`));
    await page.focus('.scroller');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const chosen = await page.innerText('tr.chosen td');
    const said = (await page.innerText('.now')).trim();
    assert.equal(chosen.trim(), said);
    await page.selectOption('.tablepane select', 'chat');
    assert.match(await page.innerText('.scroller'), /gl hf/);
  });

  test('slow tables: only rows in view are in the document', async (browser) => {
    const sample = data('openra/p21-bots-medium.orarep');
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    await page.click('#tab-tables');
    await page.selectOption('.tablepane select', 'orders');
    const { rows } = await ask(page, 'counts');
    assert.ok(rows > 300);
    assert.ok((await page.locator('tr[data-index]').count()) < 80);
    await page.$eval('.scroller', (e) => (e.scrollTop = e.scrollHeight));
    await page.waitForSelector(`tr[data-index="${rows - 1}"]`);
    assert.equal(await page.getAttribute('.scroller table', 'aria-rowcount'), String(rows + 1));
  });

  test('slow heat map: in the panel and on the ground', async (browser) => {
    const { address } = await serve(data('rumble/z6_match_like_1.2.4.replay'));
    const { page } = await open(browser, address);
    await page.click('#tab-heat');
    assert.deepEqual(await page.$eval('canvas.heatmap', (c) => [c.width, c.height]), [64, 56]);
    const before = await page.evaluate(() => document.querySelector('canvas.gl').toDataURL());
    await page.click('.heatbutton');
    assert.equal((await ask(page, 'view')).heat, true);
    assert.equal((await ask(page, 'view')).camera, 'top');
    assert.notEqual(await page.evaluate(() => document.querySelector('canvas.gl').toDataURL()), before);
  });

  test('jumps: rows open to their strafes', async (browser) => {
    const { address } = await serve(data('cs2kz/a1-jump.replay'));
    const { page } = await open(browser, address);
    const timeline = timelineOf(data('cs2kz/a1-jump.replay'));
    const jumps = timeline.tables.find((t) => t.id === 'jumps');
    assert.ok(jumps.n > 0);
    assert.deepEqual(jumps.nested, { table: 'strafes', key: 'jump' });
    await page.click('#tab-tables');
    await page.selectOption('.tablepane select', 'jumps');
    await page.click('tr[data-index="0"]');
    assert.equal(await page.getAttribute('tr[data-index="0"]', 'aria-expanded'), 'true');
    assert.equal(await page.isVisible('td.nested'), true);
    // And strafes to their air calls, as many as the command counts.
    const calls = run('cat', '--track', 'aircalls', '--columns', 'strafe', data('cs2kz/a1-jump.replay')).split('\n').filter((line) => /"strafe":0\b/.test(line)).length;
    await page.click('td.nested summary >> nth=0');
    assert.equal(await page.locator('td.nested details >> nth=0').locator('tbody tr').count(), calls);
  });
};

// Plots and tables: the numbers of the command, and clicks that lead to the same moment.
import assert from 'node:assert/strict';
import { ask, column, data, eventually, floats, open, plainTimeline, run, seek, serve, servePage, timelineOf } from './harness.mjs';

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

  test('slow plots: values are those that the command prints', async (browser) => {
    // Health at fifty moments, as `cat` has it: the last row of a player at or before each.
    const sample = data('rumble/z6_match_like_1.2.4.replay');
    const lines = run('cat', '--track', 'players', '--columns', 'time,player,health', '--no-status', sample).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line)).filter((row) => row.health !== null && row.health !== undefined);
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    const { duration } = await clock(page);
    const { data: columns } = await page.evaluate(() => window.repriseTest.plot('health'));
    const times = Object.values(columns[0]);
    for (let i = 0; i < 50; i++) {
      const time = (duration * (i + 0.5)) / 50;
      await seek(page, time);
      const shown = await page.$$eval('[data-plot=health] .legend b', (list) => list.map((b) => Number(b.textContent)));
      for (const player of [0, 1]) {
        const want = rows.filter((row) => row.player === player && row.time <= time + 1e-6).pop().health;
        assert.equal(shown[player], want, `player ${player} at ${time}`);
        const at = times.findLastIndex ? times.findLastIndex((t) => t <= time + 1e-6) : times.filter((t) => t <= time + 1e-6).length - 1;
        const drawn = Object.values(columns[player + 1]).slice(0, at + 1).filter((v) => v !== null && v !== undefined).pop();
        assert.equal(drawn, want, `drawn for player ${player} at ${time}`);
      }
    }
  });

  /** A series of many points as C sends it: buckets with their least, greatest and last value. */
  const COUNT = 20_000;
  const BUCKETS = 4096;
  const raw = Float32Array.from({ length: COUNT }, (_, i) => Math.sin(i / 40) * 100 + (i % 7));
  const rawTimes = Float32Array.from({ length: COUNT }, (_, i) => i / 100);
  const bucketed = () => {
    const t = [], v = [], lo = [], hi = [];
    for (let b = 0; b < BUCKETS; b++) {
      const part = raw.subarray(Math.floor((b * COUNT) / BUCKETS), Math.floor(((b + 1) * COUNT) / BUCKETS));
      t.push(rawTimes[Math.floor((b * COUNT) / BUCKETS)]);
      v.push(part[part.length - 1]);
      lo.push(Math.min(...part));
      hi.push(Math.max(...part));
    }
    return { name: 'A', t: column(t), v: column(v), lo: column(lo), hi: column(hi), full: 'plots/speed/0' };
  };
  const made = () => ({
    ...plainTimeline(COUNT / 100, 0.01),
    plots: [{ id: 'speed', title: 'Speed', unit: 'm/s', kind: 'line', summary: 'up and down', series: [bucketed()] }],
  });
  const shownPoints = async (page) => {
    const { data: [t, v] } = await page.evaluate(() => window.repriseTest.plot('speed'));
    return Object.values(t).map((time, i) => [time, v[i]]);
  };
  const zoomIn = async (page, from, to) => {
    const box = await page.locator('[data-plot=speed] .u-over').boundingBox();
    await page.mouse.move(box.x + box.width * from, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + 32, { steps: 4 });
    await page.mouse.up();
    return box;
  };

  test('plots: looked at closely, every point is asked for once', async (browser) => {
    const { address, asked, close } = await servePage(made(), { '0/plots/speed/0': { t: column(rawTimes), v: column(raw) } });
    try {
      const { page, problems } = await open(browser, address);
      const far = await shownPoints(page);
      // Far away the least and the greatest of each bucket are drawn, so no value is missing.
      assert.ok(far.length > BUCKETS && far.length <= 2 * BUCKETS);
      const values = new Set(far.map(([, v]) => v));
      const { lo, hi } = bucketed();
      for (const value of [...floats(lo), ...floats(hi)]) assert.ok(values.has(value));
      const count = () => asked.filter((name) => name === '0/plots/speed/0').length;
      assert.equal(count(), 0);
      const box = await zoomIn(page, 0.4, 0.5);
      const scale = async () => page.evaluate(() => { const p = window.repriseTest.plot('speed'); return [p.min, p.max]; });
      const close_ = async () => {
        const [min, max] = await scale();
        const inside = (await shownPoints(page)).filter(([t]) => t >= min && t <= max);
        const wanted = [...rawTimes.keys()].filter((i) => rawTimes[i] >= min && rawTimes[i] <= max).map((i) => [rawTimes[i], raw[i]]);
        return { inside, wanted };
      };
      await eventually(async () => {
        const { inside, wanted } = await close_();
        return inside.length === wanted.length;
      });
      const first = await close_();
      assert.ok(first.wanted.length > 500);
      assert.deepEqual(first.inside, first.wanted);
      assert.equal(count(), 1);
      // The value in words is exact there too.
      const [min, max] = await scale();
      await seek(page, (min + max) / 2);
      const index = rawTimes.filter((t) => t <= (min + max) / 2 + 1e-6).length - 1;
      assert.ok(Math.abs(Number(await page.innerText('[data-plot=speed] .legend b')) - raw[index]) < 0.06);
      await zoomIn(page, 0.2, 0.6);
      const second = await close_();
      assert.ok(second.wanted.length < first.wanted.length);
      assert.deepEqual(second.inside, second.wanted);
      await page.mouse.dblclick(box.x + 80, box.y + 30);
      assert.deepEqual(await shownPoints(page), far);
      assert.equal(count(), 1);
      assert.deepEqual(problems, []);
    } finally {
      close();
    }
  });

  test('slow plots: without an answer the buckets stay', async (browser) => {
    const { address, asked, close } = await servePage(made());
    try {
      const { page } = await open(browser, address);
      const far = await shownPoints(page);
      await zoomIn(page, 0.4, 0.5);
      await zoomIn(page, 0.4, 0.5);
      await eventually(() => asked.includes('0/plots/speed/0'));
      // The answer, which is none, has arrived when another one to a later question has.
      await page.evaluate(() => fetch('progress'));
      assert.deepEqual(await shownPoints(page), far);
      assert.equal(asked.filter((name) => name === '0/plots/speed/0').length, 1);
      assert.deepEqual(await ask(page, 'errors'), []);
    } finally {
      close();
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
    const sample = data('rumble/z6_match_like_1.2.4.replay');
    const { address } = await serve(sample);
    const { page } = await open(browser, address);
    await page.click('#tab-heat');
    // Cells are a quarter of a metre: smaller ones are visited once each and show nothing.
    const [, , width, depth] = timelineOf(sample).heat[0].rect;
    assert.deepEqual(await page.$eval('canvas.heatmap', (c) => [c.width, c.height]), [4 * width, 4 * depth]);
    const before = await page.evaluate(() => document.querySelector('canvas.gl').toDataURL());
    await page.click('.heatbutton');
    assert.equal((await ask(page, 'view')).heat, true);
    assert.equal((await ask(page, 'view')).camera, 'top');
    assert.notEqual(await page.evaluate(() => document.querySelector('canvas.gl').toDataURL()), before);
  });

  test('slow heat map: another one takes the place of the first', async (browser) => {
    const sample = data('rumble/z6_match_like_1.2.4.replay');
    const { address } = await serve(sample);
    const { page } = await open(browser, address, { until: null, query: 'none' });
    await page.route('**/0/timeline.json', async (route) => {
      const timeline = await (await route.fetch()).json();
      const [first] = timeline.heat;
      // The players of this match stand opposite each other, so a map turned around would be the same.
      const bytes = Buffer.alloc(first.v.n).fill(255, 0, first.v.n / 2);
      timeline.heat = [first, { ...first, id: 'other', title: 'Other', v: { ...first.v, b64: bytes.toString('base64') } }];
      await route.fulfill({ json: timeline });
    });
    await page.goto(`${address}?still`);
    await page.waitForSelector('html[data-state=ready]');
    await page.click('#tab-heat');
    const pictures = [];
    for (const [number, shown] of [[0, true], [1, true], [1, false], [0, true], [0, false]]) {
      await page.click(`.heats button >> nth=${number}`);
      assert.equal((await ask(page, 'view')).heat, shown);
      pictures.push(await page.evaluate(() => document.querySelector('canvas.gl').toDataURL()));
    }
    assert.notEqual(pictures[0], pictures[1]);
    assert.equal(pictures[0], pictures[3]);
    assert.equal(pictures[2], pictures[4]);
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

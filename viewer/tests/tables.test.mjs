// Tables: sorting, choosing columns, following the time; the width of the panel; what groups of markers say.
import assert from 'node:assert/strict';
import { ask, column, costs, open, plainTimeline, seek, servePage } from './harness.mjs';

const ROWS = 5000;
const names = (values, all) => ({ type: 'dict', n: all.length, values, index: { ...column(all.map((text) => values.indexOf(text)), 'f32'), type: 'f32' } });

/** Rows whose columns have different orders, and some without a value. */
function withTable() {
  const timeline = plainTimeline(ROWS / 10, 0.1);
  const t = Array.from({ length: ROWS }, (_, i) => i / 10);
  const size = t.map((_, i) => (i % 50 === 7 ? NaN : (i * 37) % 1000));
  const kinds = t.map((_, i) => ['item 10', 'item 9', 'other'][i % 3]);
  timeline.tables = [
    {
      id: 'things',
      title: 'Things',
      time: 't',
      n: ROWS,
      columns: [
        { id: 't', title: 'Time', unit: 's', data: column(t) },
        { id: 'kind', title: 'Kind', data: names(['item 10', 'item 9', 'other'], kinds) },
        { id: 'size', title: 'Size', unit: 'm', data: column(size) },
      ],
    },
  ];
  return { timeline, t, size, kinds };
}

const cells = (page, number) => page.$$eval('tr[data-index]', (rows, n) => rows.map((r) => r.cells[n].innerText.trim()), number);
const heads = (page) => page.$$eval('.rows thead th', (list) => list.map((th) => [th.innerText.replace(/[ ▴▾]+$/, ''), th.getAttribute('aria-sort')]));

export default (test) => {
  test('tables: any column sorts, numbers as numbers, missing values last', async (browser) => {
    const { timeline, size } = withTable();
    const { close, address } = await servePage(timeline);
    try {
      const { page, problems } = await open(browser, address);
      await page.click('#tab-tables');
      assert.deepEqual((await heads(page))[0], ['Time', 'ascending']);
      await page.click('text=Size');
      assert.deepEqual((await heads(page)).map(([, sort]) => sort), [null, null, 'ascending']);
      const known = size.filter((v) => !Number.isNaN(v)).sort((a, b) => a - b);
      assert.deepEqual((await cells(page, 2)).slice(0, 8), known.slice(0, 8).map(String));
      await page.click('text=Size');
      assert.deepEqual((await cells(page, 2)).slice(0, 8), known.reverse().slice(0, 8).map(String));
      assert.equal((await heads(page))[2][1], 'descending');
      await page.$eval('.scroller', (s) => (s.scrollTop = s.scrollHeight));
      await page.waitForSelector(`tr[data-index="${ROWS - 1}"]`);
      assert.equal((await cells(page, 2)).pop(), '', 'rows without a value are last');
      await page.click('text=Size');
      assert.deepEqual((await heads(page))[0], ['Time', 'ascending'], 'a third click sorts by time again');
      await page.click('text=Kind');
      assert.equal((await cells(page, 1))[0], 'item 9', 'numbers in texts count as numbers');
      // A click in a sorted table still goes to the time of its row.
      await page.click('tr[data-index="2"]');
      const time = await ask(page, 'time');
      assert.ok(Math.abs(time - 0.7) < 1e-3, `the third "item 9" is at 0.7, not ${time}`);
      assert.equal(await page.getAttribute('tr[data-index="2"]', 'aria-current'), 'time');
      assert.deepEqual(problems, []);
    } finally {
      close();
    }
  });

  test('tables: columns are chosen and remembered, the filter still sees all of them', async (browser) => {
    const { timeline } = withTable();
    const { close, address } = await servePage(timeline);
    try {
      const { page, context } = await open(browser, address);
      await page.click('#tab-tables');
      await page.click('text=Columns');
      await page.click('[role=menuitemcheckbox]:has-text("Kind")');
      assert.equal(await page.getAttribute('[role=menuitemcheckbox]:has-text("Kind")', 'aria-checked'), 'false');
      await page.keyboard.press('Escape');
      assert.deepEqual((await heads(page)).map(([title]) => title), ['Time', 'Size m']);
      await page.fill('.table input', 'other');
      assert.equal((await ask(page, 'counts')).rows, Math.floor(ROWS / 3));
      const again = await context.newPage();
      await again.goto(`${address}?still`);
      await again.waitForSelector('html[data-state=ready]');
      await again.click('#tab-tables');
      assert.deepEqual((await heads(again)).map(([title]) => title), ['Time', 'Size m']);
    } finally {
      close();
    }
  });

  test('panel: wider by mouse and keys, and remembered', async (browser) => {
    const { timeline } = withTable();
    const { close, address } = await servePage(timeline);
    try {
      const { page, context } = await open(browser, address);
      const width = () => page.$eval('.side', (side) => side.offsetWidth);
      assert.equal(await width(), 380);
      const edge = await page.locator('.edge').boundingBox();
      await page.mouse.move(edge.x + 2, edge.y + 200);
      await page.mouse.down();
      await page.mouse.move(edge.x + 2 - 150, edge.y + 200);
      await page.mouse.up();
      assert.ok(Math.abs((await width()) - 530) <= 4, `${await width()} pixels`);
      const dragged = await width();
      await page.focus('.edge');
      await page.keyboard.press('ArrowRight');
      assert.equal(await width(), dragged - 20);
      assert.equal(await page.getAttribute('.edge', 'aria-valuenow'), String(dragged - 20));
      const again = await context.newPage();
      await again.goto(`${address}?still`);
      await again.waitForSelector('html[data-state=ready]');
      assert.equal(await again.$eval('.side', (side) => side.offsetWidth), dragged - 20);
    } finally {
      close();
    }
  });

  test('markers: a group says how many there are of each kind', async (browser) => {
    const timeline = plainTimeline(100, 0.1);
    const kinds = [...Array(9).fill('attack'), ...Array(3).fill('build')];
    timeline.players = [0, 1].map((id) => ({ id, name: `P${id}`, slot: id }));
    timeline.markers = {
      n: kinds.length,
      t: column(kinds.map((_, i) => 50 + i / 100)),
      kind: names(['attack', 'build'], kinds),
      player: column(kinds.map((_, i) => i % 2)),
      weight: column(kinds.map((kind) => (kind === 'build' ? 3 : 1))),
      text: names(['hits', 'a factory'], kinds.map((kind) => (kind === 'build' ? 'a factory' : 'hits'))),
    };
    const { close, address } = await servePage(timeline);
    try {
      const { page } = await open(browser, address);
      await seek(page, 1);
      const [{ x, count }] = (await ask(page, 'view')).markers;
      assert.equal(count, kinds.length);
      const box = await page.locator('.timeline').boundingBox();
      await page.mouse.move(box.x + x, box.y + 10);
      const words = (await page.innerText('.tip')).split('\n');
      assert.deepEqual(words.slice(1), ['9 × attack, 3 × build', 'a factory', 'a factory', 'and 10 more']);
    } finally {
      close();
    }
  });

  test('cost: ten thousand markers take no more than 2 ms of a frame', async (browser) => {
    const timeline = plainTimeline(3600, 0.04);
    const kinds = Array.from({ length: 10000 }, (_, i) => ['attack', 'move', 'build'][i % 3]);
    timeline.players = Array.from({ length: 6 }, (_, id) => ({ id, name: `P${id}`, slot: id }));
    timeline.markers = {
      n: kinds.length,
      t: column(kinds.map((_, i) => i * 0.36)),
      kind: names(['attack', 'move', 'build'], kinds),
      player: column(kinds.map((_, i) => i % 6)),
      weight: column(kinds.map((_, i) => i % 5)),
      text: names(['attack', 'move', 'build'], kinds),
    };
    const { close, address } = await servePage(timeline);
    try {
      const { page } = await open(browser, address);
      const list = await costs(page, 'seek', 200, 3600);
      const middle = list[Math.floor(list.length / 2)];
      assert.ok(middle > 0, 'it was measured');
      assert.ok(middle < 2, `${middle} ms of work for a frame`);
      console.log(`    (${middle.toFixed(2)} ms of work for a frame)`);
    } finally {
      close();
    }
  });
};

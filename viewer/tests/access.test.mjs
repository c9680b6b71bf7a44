// For everybody: names, order, contrast, small screens, large text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { data, open, root, serve } from './harness.mjs';

const axe = readFileSync(join(root, 'viewer/node_modules/axe-core/axe.min.js'), 'utf8');
const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** What axe finds on the page, of any weight. */
async function findings(page) {
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map((v) => `${v.impact} ${v.id}: ${v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(', ')}`);
}

/** Looks at the page with every tab of its panel, and with the help. */
async function assertClean(browser, address, look) {
  // axe comes as text, which the page's own rules would not run.
  const { page, context } = await open(browser, address, { bypassCSP: true, ...look });
  await page.evaluate(axe);
  assert.deepEqual(await findings(page), []);
  for (const tab of await page.$$eval('[role=tab]', (tabs) => tabs.map((t) => t.id))) {
    await page.click(`#${tab}`);
    assert.deepEqual(await findings(page), [], tab);
  }
  await page.keyboard.press('?');
  assert.deepEqual(await findings(page), [], 'help');
  await context.close();
}

export default (test) => {
  const match = data('rumble/z5_park_like_animator.replay');

  test('slow access: axe finds nothing, dark, light and on a phone', async (browser) => {
    const { address } = await serve(match, data('rumble/z6_match_like_1.2.4.replay'));
    await assertClean(browser, address, { query: 'still&theme=dark' });
    await assertClean(browser, address, { query: 'still&theme=light' });
    await assertClean(browser, address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  });

  const families = ['cs2kz/a3-run.replay', 'ironcurtain/full.icrep', 'ironcurtain/skirmish.icsave', 'mcreplay/world_frames.vcap', 'openra/p21-bots-medium.orarep', 'remastered/ra-full-ipx-4p-multiframe.bin'];
  for (const name of families)
    test(`slow access: axe finds nothing on the page of ${name}`, async (browser) => {
      const { address } = await serve(data(name));
      await assertClean(browser, address, { query: 'still&theme=light' });
    });

  test('slow access: the order of tab stops is header, stage, timeline, transport, panel', async (browser) => {
    const { address } = await serve(match);
    const { page } = await open(browser, address);
    const regions = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const region = await page.evaluate(() => {
        const e = document.activeElement;
        if (!e || e === document.body) return null;
        for (const name of ['skip', 'stage', 'timeline', 'transport', 'side']) if (e.closest(`.${name}`)) return name;
        return e.closest('header') ? 'header' : 'other';
      });
      if (!region) break;
      if (regions[regions.length - 1] !== region) regions.push(region);
    }
    assert.deepEqual(regions.slice(0, 6), ['skip', 'header', 'stage', 'timeline', 'transport', 'side']);
  });

  test('access: every button has a name', async (browser) => {
    const { address } = await serve(match);
    const { page } = await open(browser, address);
    const nameless = await page.$$eval('button', (list) => list.filter((b) => !(b.getAttribute('aria-label') || b.textContent.trim())).map((b) => b.outerHTML));
    assert.deepEqual(nameless, []);
  });

  test('access: in the accessibility tree every control has a role and a name', async (browser) => {
    const { address } = await serve(match, data('rumble/z6_voices_extensions.replay'));
    const { page } = await open(browser, address);
    const session = await page.context().newCDPSession(page);
    const CONTROLS = new Set(['button', 'slider', 'tab', 'textbox', 'searchbox', 'combobox', 'spinbutton', 'checkbox', 'link', 'img', 'tabpanel', 'toolbar', 'dialog']);
    const look = async () => {
      const { nodes } = await session.send('Accessibility.getFullAXTree');
      return nodes.filter((n) => !n.ignored).map((n) => ({ role: n.role?.value ?? '', name: (n.name?.value ?? '').trim() }));
    };
    const seen = new Set();
    for (const tab of ['plots', 'tables', 'players', 'bookmarks', 'heat', 'compare', 'share', 'info']) {
      await page.click(`#tab-${tab}`);
      const nodes = await look();
      assert.deepEqual(nodes.filter((n) => CONTROLS.has(n.role) && !n.name), [], tab);
      for (const { role, name } of nodes) seen.add(`${role}: ${name}`);
    }
    for (const wanted of ['slider: Timeline', 'button: Play', 'button: Voices', 'toolbar: Playback', 'combobox: Which table', 'button: Camera: Top', 'tab: Info', 'button: Dark or light'])
      assert.ok(seen.has(wanted) || seen.has(wanted.replace('Camera: Top', 'Top')), wanted);
    // Plots say in words what they show.
    assert.ok([...seen].some((s) => /^(img|image): Health: .* from 20/.test(s)), 'the summary of a plot');
  });

  test('slow access: the tab key reaches every control that is seen', async (browser) => {
    const { address } = await serve(match);
    const { page } = await open(browser, address);
    for (const tab of ['plots', 'tables', 'players', 'bookmarks', 'share', 'info']) {
      await page.click(`#tab-${tab}`);
      // Tabs are one stop, within which the arrows move.
      const wanted = await page.evaluate(() => {
        const all = [...document.querySelectorAll('button, input, select, summary, a[href], [tabindex="0"]')];
        const shown = all.filter((e) => e.checkVisibility() && !e.disabled && e.tabIndex >= 0);
        shown.forEach((e, i) => (e.dataset.stop = String(i)));
        document.activeElement?.blur();
        return shown.length;
      });
      const reached = new Set();
      for (let i = 0; i < wanted + 10; i++) {
        await page.keyboard.press('Tab');
        const stop = await page.evaluate(() => document.activeElement?.dataset?.stop);
        if (stop !== undefined) reached.add(stop);
      }
      assert.equal(reached.size, wanted, tab);
      await page.evaluate(() => document.querySelectorAll('[data-stop]').forEach((e) => delete e.dataset.stop));
    }
  });

  test('slow access: narrow screens and large text do not scroll sideways', async (browser) => {
    const { address } = await serve(match);
    for (const width of [320, 390, 760, 900]) {
      const { page, context } = await open(browser, address, { viewport: { width, height: 700 } });
      assert.ok((await sideways(page)) <= 0, `${width} px`);
      await page.addStyleTag({ content: 'html, body { font-size: 28px !important; line-height: 40px !important }' });
      assert.ok((await sideways(page)) <= 0, `${width} px, twice the text`);
      await context.close();
    }
  });

  test('slow access: fingers get 44 pixels', async (browser) => {
    const { address } = await serve(match);
    const { page } = await open(browser, address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const small = await page.$$eval('.transport button, .tabs button, header button', (list) =>
      list.filter((b) => b.offsetParent && (b.offsetHeight < 44 || b.offsetWidth < 44)).map((b) => b.outerHTML),
    );
    assert.deepEqual(small, []);
  });
};

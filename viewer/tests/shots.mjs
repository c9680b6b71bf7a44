// Takes the pictures that people look at. usage: node shots.mjs DIRECTORY [NAME...]
// Those of the README: node shots.mjs ../../docs/pictures viewer-rumble viewer-map viewer-world
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cleanUp, data, launch, open, seek, serve } from './harness.mjs';

const [out = 'shots', ...wanted] = process.argv.slice(2);
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const click = (selector) => (page) => page.click(selector);

const RUN = 'cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay';
const SHOTS = {
  rumble: { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1.6 },
  'rumble-light': { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1.6, query: 'still&theme=light' },
  'rumble-park': { files: ['rumble/z5_park_like_animator.replay'], t: 1.2 },
  'rumble-phone': { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1.6, ...phone },
  cs2kz: { files: ['cs2kz/a1-run-styles.replay'], t: 0.6 },
  'cs2kz-phone': { files: ['cs2kz/a1-run-styles.replay'], t: 0.6, ...phone },
  world: { files: ['mcreplay/world_frames.vcap'], t: 1 },
  mcreplay: { files: ['mcreplay/multipart_basic.replay'], t: 0.9 },
  icrep: { files: ['ironcurtain/full.icrep'], t: 92 },
  openra: { files: ['openra/p21-bots-medium.orarep'], t: 4 },
  remastered: { files: ['remastered/ra-full-ipx-4p-multiframe.bin'], t: 1.2 },
  tables: { files: ['openra/p21-2p.orarep'], t: 3, act: click('#tab-tables') },
  heat: { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1, act: async (page) => { await page.click('#tab-heat'); await page.keyboard.press('x'); } },
  info: { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1, act: click('#tab-info') },
  help: { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1, act: (page) => page.keyboard.press('?') },
  compare: { files: [RUN, RUN], t: 12, act: async (page) => { await page.click('#tab-compare'); await page.click('[data-camera=orbit]'); } },
  gap: { files: [RUN, 'cs2kz/a3-run.replay'], t: 12 },
  'openra-plots': { files: ['openra/p21-bots-medium.orarep'], t: 60, act: (page) => page.locator('[data-plot=latency]').scrollIntoViewIfNeeded() },
  'openra-light': { files: ['openra/p21-bots-medium.orarep'], t: 4, query: 'still&theme=light' },
  'icrep-phone': { files: ['ironcurtain/full.icrep'], t: 92, ...phone, act: click('.phone') },
  'rumble-landscape': { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1.6, ...phone, viewport: { width: 667, height: 375 } },
  side: { files: ['rumble/z6_match_like_1.2.4.replay', 'rumble/z5_park_like_animator.replay'], t: 1, act: async (page) => { await page.click('#tab-compare'); await page.click('[data-arrangement=side]'); } },
  spoiler: { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1.2, act: async (page) => { await page.keyboard.press('Home'); await page.keyboard.press('v'); await page.evaluate(() => { document.querySelector('.play').click(); window.repriseTest.advance(1.0); }); } },
};

const small = { viewport: { width: 1120, height: 640 } };
Object.assign(SHOTS, {
  'viewer-rumble': { files: ['rumble/z5_park_like_animator.replay'], t: 1.7, ...small },
  'viewer-map': { files: ['ironcurtain/full.icrep'], t: 68.5, ...small, act: (page) => page.click('#tab-tables') },
  'viewer-world': { files: ['mcreplay/world_frames.vcap'], t: 1, query: 'still&theme=light', ...small },
});
// Larger files than the samples, for pictures worth showing; made by the generators, not kept.
const larger = process.env.REPLAYS;
if (larger) {
  const at = (name) => join(larger, name);
  Object.assign(SHOTS, {
    'big-rumble': { files: [at('match.replay')], t: 31 },
    'big-cs2kz': { files: [at('run-a.replay')], t: 22 },
    'big-cs2kz-phone': { files: [at('run-a.replay')], t: 22, ...phone },
    'big-ghosts': { files: [at('run-a.replay'), at('run-b.replay')], t: 14, act: click('[data-camera=orbit]') },
    'big-icrep': { files: [at('skirmish.icrep')], t: 301 },
    'big-icrep-light': { files: [at('skirmish.icrep')], t: 301, query: 'still&theme=light' },
    'big-village': { files: [at('village.replay')], t: 8 },
  });
}

mkdirSync(out, { recursive: true });
const browser = await launch();
for (const [name, shot] of Object.entries(SHOTS)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const { files, t, act, query, ...options } = shot;
  const { address } = await serve(...files.map((f) => (f.startsWith('/') ? f : data(f))));
  const { page, context, problems } = await open(browser, address, { query: query ?? 'still', ...options });
  await seek(page, t);
  await act?.(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(out, `${name}.png`) });
  if (problems.length) console.log(name, problems);
  await context.close();
}
await browser.close();
cleanUp();

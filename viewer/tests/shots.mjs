// Takes the pictures that people look at. usage: node shots.mjs DIRECTORY [NAME...]
// Those of the documents: node shots.mjs ../../docs/pictures viewer-rumble viewer-map viewer-world viewer-figures viewer-run viewer-save viewer-orders viewer-classic viewer-archive
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renamedRun } from './archive.test.mjs';
import { cleanUp, data, launch, open, run, seek, serve, work } from './harness.mjs';

const [out = 'shots', ...wanted] = process.argv.slice(2);
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const click = (selector) => (page) => page.click(selector);
const drag = async (page, selector, from, to) => {
  const box = await page.locator(selector).boundingBox();
  await page.mouse.move(box.x + box.width * from, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, box.y + 32, { steps: 4 });
  await page.mouse.up();
};
/** The first part of a file only. */
const cutOff = (path, share) => {
  const whole = readFileSync(path);
  const to = join(work, basename(path));
  writeFileSync(to, whole.subarray(0, Math.floor(whole.length * share)));
  return to;
};
/** A page from disk whose data cannot be read. */
const breakPage = (path) => {
  const file = join(work, 'broken.html');
  run('export', '-q', '-f', path, file);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(data-reprise="timeline:0" data-enc="gzip">)/, '$1AAAA'));
  return pathToFileURL(file).href;
};

const RUN = 'cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay';
const SHOTS = {
  tables: { files: ['openra/p21-2p.orarep'], t: 3, act: click('#tab-tables') },
  colours: { files: ['openra/p21-2p.orarep'], t: 3, act: async (page) => { await page.click('#tab-players'); await page.check('.gamecolours'); } },
  heat: { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1, act: async (page) => { await page.click('#tab-heat'); await page.keyboard.press('x'); } },
  info: { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1, act: click('#tab-info') },
  help: { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1, act: (page) => page.keyboard.press('?') },
  compare: { files: [RUN, RUN], t: 12, act: async (page) => { await page.click('#tab-compare'); await page.click('[data-camera=orbit]'); } },
  gap: { files: [RUN, 'cs2kz/a3-run.replay'], t: 12 },
  'openra-plots': { files: ['openra/p21-bots-medium.orarep'], t: 60, act: (page) => page.locator('[data-plot=latency]').scrollIntoViewIfNeeded() },
  'phone-more': { files: ['ironcurtain/full.icrep'], t: 92, ...phone, act: click('.phone') },
  'rumble-landscape': { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1.6, ...phone, viewport: { width: 667, height: 375 } },
  side: { files: ['rumble/z6_match_like_1.2.4.replay', 'rumble/z5_park_like_animator.replay'], t: 1, act: async (page) => { await page.click('#tab-compare'); await page.click('[data-arrangement=side]'); } },
  spoiler: { files: ['rumble/z6_match_like_1.2.4.replay'], t: 1.2, act: async (page) => { await page.keyboard.press('Home'); await page.keyboard.press('v'); await page.evaluate(() => { document.querySelector('.play').click(); window.repriseTest.advance(1.0); }); } },
};

// Every family in dark, light and on a phone.
const FAMILIES = {
  rumble: { files: ['rumble/z5_park_like_animator.replay'], t: 1.7 },
  cs2kz: { files: [RUN], t: 12 },
  mcreplay: { files: ['mcreplay/multipart_basic.replay'], t: 0.9 },
  world: { files: ['mcreplay/world_frames.vcap'], t: 1 },
  icrep: { files: ['ironcurtain/full.icrep'], t: 92 },
  openra: { files: ['openra/p21-bots-medium.orarep'], t: 4 },
  remastered: { files: ['remastered/ra-full-ipx-4p-multiframe.bin'], t: 1.2 },
};
for (const [name, shot] of Object.entries(FAMILIES)) {
  SHOTS[`${name}-dark`] = shot;
  SHOTS[`${name}-light`] = { ...shot, query: 'still&theme=light' };
  SHOTS[`${name}-phone`] = { ...shot, ...phone };
}
Object.assign(SHOTS, {
  players: { files: ['rumble/z5_park_like_animator.replay'], t: 1.7, act: click('#tab-players') },
  drawer: { files: ['ironcurtain/full.icrep'], t: 92, ...phone, viewport: { width: 844, height: 390 }, act: click('#tab-plots') },
  zoomed: { files: ['ironcurtain/full.icrep'], t: 92, query: 'still&theme=light', act: (page) => drag(page, '[data-plot=economy] .u-over', 0.3, 0.6) },
  damaged: { files: ['ironcurtain/full.icrep'], cut: 0.7, t: 20 },
  error: { files: ['rumble/z6_edge.replay'], broken: true, t: 0 },
});

// The page of a folder.
const PEOPLE = ['Ashlar', 'Breccia', 'Cairn', 'Dolmen', 'Esker'];
const MAPS = ['kz_canyon', 'kz_lighthouse', 'kz_spire', 'bkz_ramp'];
const makeFolder = () => {
  const folder = join(work, 'replays');
  mkdirSync(folder, { recursive: true });
  for (const files of Object.values(FAMILIES)) copyFileSync(data(files.files[0]), join(folder, basename(files.files[0])));
  for (const name of ['cs2kz/a1-run.replay', 'cs2kz/a3-run.replay', 'cs2kz/p-run-styles.replay', 'openra/p21-2p.orarep', 'rumble/z6_match_like_1.2.4.replay']) copyFileSync(data(name), join(folder, basename(name)));
  for (let i = 0; i < 60; i++) {
    const [name, map] = [PEOPLE[(i * i) % 5], MAPS[i % 3]];
    const time = 14 + 30 / (1 + i / 12) + (((i * 37) % 64) * 5) / 64;
    writeFileSync(join(folder, `${name}-${i}.replay`), renamedRun(name, map, i * 31 * 3600, time));
  }
  return folder;
};
const pick = async (page) => {
  await page.locator('.rows input').nth(2).check();
  await page.locator('.rows input').nth(4).check();
};
const FOLDERS = {
  'archive-dark': { act: pick },
  'archive-light': { query: 'theme=light', act: pick },
  'archive-phone': { ...phone },
  'archive-phone-light': { ...phone, query: 'theme=light' },
  'archive-filters-phone': { ...phone, act: click('summary') },
  'archive-records': { hash: '#records' },
  'archive-records-phone': { ...phone, hash: '#records' },
  'archive-players': { hash: '#players', query: 'theme=light' },
  'archive-player': { hash: '#player=Ashlar' },
  'archive-player-phone': { ...phone, hash: '#player=Ashlar', query: 'theme=light' },
  'archive-spoiler': { act: click('.spoiler') },
  'viewer-archive': { viewport: { width: 1120, height: 640 }, act: (page) => page.fill('.find', 'kz') },
};
for (const [name, shot] of Object.entries(FOLDERS)) SHOTS[name] = { folder: true, query: '', ...shot };

const small = { viewport: { width: 1120, height: 640 } };
Object.assign(SHOTS, {
  'viewer-rumble': { files: ['rumble/z5_park_like_animator.replay'], t: 1.7, ...small },
  'viewer-map': { files: ['ironcurtain/full.icrep'], t: 68.5, ...small, act: (page) => page.click('#tab-tables') },
  'viewer-run': { files: [RUN], t: 12, ...small },
  'viewer-world': { files: ['mcreplay/world_frames.vcap'], t: 1, query: 'still&theme=light', ...small },
  'viewer-figures': { files: ['mcreplay/multipart_basic.replay'], t: 0.9, ...small },
  'viewer-save': { files: ['ironcurtain/skirmish.icsave'], t: 0, query: 'still&theme=light', ...small },
  'viewer-orders': { files: ['openra/p21-bots-medium.orarep'], t: 60, ...small },
  'viewer-classic': { files: ['remastered/ra-full-ipx-4p-multiframe.bin'], t: 1.2, ...small },
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
  const { files = [], folder, t, act, query, cut, broken, ...options } = shot;
  const paths = folder ? [makeFolder()] : files.map((f) => (f.startsWith('/') ? f : data(f))).map((f) => (cut ? cutOff(f, cut) : f));
  const address = broken ? breakPage(paths[0]) : (await serve(...paths)).address;
  const until = broken ? 'error' : 'ready';
  const { page, context, problems } = await open(browser, address, { query: query ?? 'still', until, ...options });
  if (!broken && !folder) await seek(page, t);
  await act?.(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(out, `${name}.png`) });
  if (problems.length) console.log(name, problems);
  await context.close();
}
await browser.close();
cleanUp();

// Starts the page, or shows why it cannot start.
import { App, type Replay } from './app';
import { joinArchive } from './archive-link';
import { isCommanded, obeyCommand, tellCommand } from './commanded';
import { chooseTheme, el, kept, type Theme } from './dom';
import { LoadError, Loader } from './loader';
import type { Page } from './types';

const root = document.getElementById('app')!;
const html = document.documentElement;
const errors: string[] = [];
let app: App | null = null;

const setState = (state: string) => {
  html.dataset.state = state;
};

addEventListener('error', (event) => errors.push(event.message));
addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));

function themeOf(page: Page): Theme {
  const wanted = new URLSearchParams(location.search).get('theme') ?? kept('reprise.theme') ?? page.theme;
  return wanted === 'dark' || wanted === 'light' ? wanted : 'auto';
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

const progress = el('progress', { max: 1, 'aria-label': 'Loading' });
const progressWords = el('p', { role: 'status' }, 'Reading the replay');

/** An outline of the page with progress; not shown if loading is instant. */
function showLoading() {
  const cancel = el('button', { type: 'button', onclick: () => location.replace('about:blank') }, 'Cancel');
  const outlines = ['head', 'stage', 'side', 'bar'].map((area) => el('i', { class: area }));
  root.replaceChildren(
    el('div', { class: 'skeleton' }, ...outlines, el('div', { class: 'wait' }, el('h1', {}, document.title), progressWords, progress, cancel)),
  );
}

function showError(error: unknown) {
  setState('error');
  const known = error instanceof LoadError;
  const message = error instanceof Error ? error.message : String(error);
  const report = `${known && error.id ? `${error.id}: ` : ''}${message}`;
  if (isCommanded) void tellCommand(report);
  root.replaceChildren(
    el(
      'div',
      { class: 'wait', role: 'alert' },
      el('h1', {}, 'This replay cannot be shown'),
      el('p', {}, report),
      el('p', { class: 'hint' }, known && error.hint ? error.hint : "'reprise verify FILE' says more about the file."),
      el('button', { type: 'button', onclick: () => void navigator.clipboard?.writeText(report) }, 'Copy report'),
    ),
  );
}

async function loadScene(loader: Loader, page: Page, replay: Replay): Promise<void> {
  const url = page.replays[replay.index].scene;
  if (!url || !app) return;
  let resolve: () => void = () => undefined;
  const first = new Promise<void>((done) => (resolve = done));
  let built: Promise<void> | null = null;
  const build = (buffer: ArrayBuffer) => {
    built ??= app!.stage.add(replay, buffer).finally(resolve);
  };
  const all = loader.scene(replay.index, url, build, (got, total) => {
    app!.motion(total ? `Loading motion: ${megabytes(got)} of ${megabytes(total)} MB` : `Loading motion: ${megabytes(got)} MB`, total ? got / total : 0);
  });
  // Whichever comes first: the static part, or the end of the data.
  await Promise.race([first, all.then(build)]);
  await built;
  if (replay.index === 0) begin();
  const buffer = await all;
  app.stage.setMotion(replay, buffer);
  app.motion(null);
}

let begun = false;
let first = 0; // time from the request to the first picture
function begin() {
  if (begun || !app) return;
  begun = true;
  root.replaceChildren(app.root);
  app.begin();
  joinArchive(app);
  setState('static');
  first = performance.now();
}

async function main() {
  const loader = new Loader();
  showLoading();
  await loader.wait((done) => {
    progress.value = done;
    progressWords.textContent = `Reading the replay: ${Math.round(done * 100)} %`;
  });
  const page = await loader.page();
  chooseTheme(themeOf(page));
  const replays: Replay[] = await Promise.all(
    page.replays.map(async (r, index) => ({
      index,
      label: r.label,
      offset: r.offset,
      timeline: await loader.timeline(index, r.timeline),
    })),
  );
  document.title = replays[0].timeline.source.title || replays[0].label;
  app = new App(page, replays, loader);
  app.clock.setReady(false);
  loader.stay();
  for (const replay of replays) await loadScene(loader, page, replay);
  if (page.map) {
    app.motion('Loading the map');
    try {
      await app.stage.addMap(await loader.map(page.map));
      app.motion(null);
    } catch (error) {
      app.motion(`The map cannot be shown: ${error instanceof Error ? error.message : error}`);
    }
  }
  begin();
  app.draw();
  setState('ready');
  app.clock.setReady(true);
  if (isCommanded) await obeyCommand(app);
}

// For tests. Reading it has no side effects; `seek` and `advance` do what keys and time do.
Object.assign(window, {
  repriseTest: {
    errors,
    seek: (t: number) => app?.clock.seek(t),
    advance: (seconds: number) => app?.clock.advance(seconds),
    get state() {
      return html.dataset.state;
    },
    get first() {
      return first;
    },
    get time() {
      return app?.clock.time;
    },
    get clock() {
      const c = app?.clock;
      return c && { time: c.time, seen: c.seen, playing: c.playing, going: c.going, speed: c.speed, direction: c.direction, duration: c.duration, limit: c.limit, horizon: c.horizon, spoilerFree: c.spoilerFree, loopFrom: c.loopFrom, loopTo: c.loopTo, frame: c.frame };
    },
    get view() {
      return app && { camera: app.camera, position: app.stage.rig.pose.position.toArray(), mode: app.stage.rig.mode, target: app.stage.rig.target.toArray(), distance: app.stage.rig.distance, arrangement: app.stage.arrangement, webgl: app.stage.hasWebGL, heat: app.stage.showsHeat, map: app.stage.hasMap, bookmarks: app.bookmarks.list, from: app.bar.from, to: app.bar.to, markers: app.bar.drawn, linked: app.stage.linked };
    },
    get voices() {
      return app?.voices.flatMap((v) => v.state);
    },
    get counts() {
      return app && { nodes: app.stage.sceneOf(0)?.nodeCount ?? 0, markers: app.markers.length, plots: app.panel.plots.ids, tables: app.panel.tableIds, rows: app.panel.rowCount, calls: app.stage.calls };
    },
    /** What each node is. */
    get ids() {
      const scene = app?.stage.sceneOf(0);
      return scene?.objects.map((o) => (o ? scene.extras(o) : null));
    },
    /** Updates poses without drawing. */
    sample: (t: number) => app?.stage.sceneOf(0)?.seek(t),
    get skins() {
      return app?.stage.sceneOf(0)?.skinned;
    },
    look: (number: number) => app?.stage.sceneOf(0)?.look(number),
    plot: (id: string) => app?.panel.plots.inspect(id),
    node: (index: number, replay = 0) => {
      const object = app?.stage.sceneOf(replay)?.objects[index];
      if (!object) return null;
      object.updateWorldMatrix(true, false);
      const m = object.matrixWorld.elements;
      // A matrix with uneven scale cannot be decomposed: multiply the rotations of all parents.
      const turned = object.quaternion.clone();
      for (let at = object.parent; at; at = at.parent) turned.premultiply(at.quaternion);
      return { pos: [m[12], m[13], m[14]], rot: turned.toArray(), visible: object.visible };
    },
  },
});

main().catch(showError);

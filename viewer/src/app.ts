// The application: holds the replays, the clock and the views, and is what the
// controls act on.
import { countUpTo, markersOf, numbers, valueAt } from './columns';
import { Bar } from './bar';
import { Board } from './board';
import { Bookmarks, type Bookmark } from './bookmarks';
import { CameraPath } from './campath';
import { Chips } from './chips';
import { Director } from './director';
import { Clock, type Change } from './clock';
import {
  button,
  clockText,
  el,
  hasGameColours,
  isDrawer,
  isPhone,
  keep,
  kept,
  nextTheme,
  numberText,
  onSystemTheme,
  repaintSwatches,
  setGameColours,
} from './dom';
import { ramp } from './heat';
import { Panel } from './panel';
import { COLUMNS_MAX, Stage, type Arrangement, type Found } from './stage';
import { Transport } from './transport';
import { Voices } from './voices';
import { helpDialog, listenToKeys } from './keys';
import type { Mode } from './camera';
import type { Loader } from './loader';
import type { Camera, Comparison, Heat, Marker, Page, Player, Timeline, Warning } from './types';

export interface Replay {
  index: number;
  label: string;
  offset: number;
  timeline: Timeline;
}

/** Metadata that reveals how the match ends. */
const TELLING = /duration|length|frames?$|ticks?$|size|winner|result|score|outcome|events|rows|end/i;
/** Only a part was sent because the scene is too large; nothing is damaged. */
const WINDOW = 'window';
/** Notes to show prominently. */
const NOTES = new Set(['orders-only', WINDOW]);
const ARRANGEMENTS: Arrangement[] = ['ghosts', 'side', 'single'];
const NEUTRAL = 'hidden while spoiler-free';

/** Runs start at the same time, unless offsets were given. */
function startTogether(replays: Replay[]) {
  const starts = replays.map((r) => r.timeline.run?.t0);
  if (replays.some((r) => r.offset !== 0) || starts.some((t) => t === undefined)) return;
  for (const [i, replay] of replays.entries()) replay.offset = starts[0]! - starts[i]!;
}

export class App {
  readonly clock: Clock;
  readonly stage: Stage;
  readonly bar: Bar;
  readonly panel: Panel;
  readonly bookmarks: Bookmarks;
  readonly path: CameraPath;
  readonly voices: Voices[];
  readonly markers: Marker[];
  private markerTimes: number[];
  readonly timeline: Timeline;
  readonly root: HTMLElement;
  private transport: Transport;
  private header: HTMLElement;
  private meta = el('span', { class: 'meta' });
  private result = el('span', { class: 'result' });
  private banner = el('div', { class: 'banner', role: 'status', hidden: true });
  private cameras = el('div', { class: 'cameras', role: 'group', 'aria-label': 'Camera' });
  private subtitle = el('div', { class: 'subtitle', 'aria-hidden': 'true' });
  private columns = el('div', { class: 'columns', 'aria-hidden': 'true', hidden: true });
  private live = el('div', { class: 'unseen', 'aria-live': 'polite' });
  private loading = el('div', { class: 'motion', role: 'status', hidden: true });
  private loadingBar = el('progress', { class: 'loadingbar', max: 1, 'aria-label': 'Loading motion', hidden: true });
  private help: HTMLDialogElement;
  private chips: Chips;
  readonly board: Board | null;
  private director: Director;
  private spoken = 0;
  private lastFrame = 0;
  private jumped = true;
  private cameraName = 'orbit';
  readonly still = new URLSearchParams(location.search).has('still');

  constructor(
    readonly page: Page,
    readonly replays: Replay[],
    loader: Loader,
  ) {
    this.timeline = replays[0].timeline;
    startTogether(replays);
    this.markers = markersOf(this.timeline);
    this.markerTimes = this.markers.map((m) => m.t);
    const { source, clock } = this.timeline;
    this.clock = new Clock(this.wholeDuration(), clock ? numbers(clock.t) : []);
    this.bookmarks = new Bookmarks(
      `reprise.bookmarks:${source.name}:${source.duration}`,
      loader.alone ? null : '0/bookmarks',
      clock ? numbers(clock.t) : [],
    );
    this.path = new CameraPath(`reprise.path:${source.name}:${source.duration}`);
    this.voices = replays.map((r) => new Voices(loader, r.index, r.timeline, () => r.offset));
    const players = this.timeline.players ?? [];
    this.director = new Director(this.markers.filter((m) => players[m.player]?.body !== undefined));
    this.stage = new Stage();
    this.stage.arrangement = replays.length > 1 ? 'ghosts' : 'single';
    this.bar = new Bar(this);
    if (kept('reprise.colours') === 'game' && hasGameColours(players)) setGameColours(players, true);
    this.chips = new Chips(this);
    this.board = this.timeline.run ? new Board(this, this.timeline.run) : null;
    this.stage.covered = () => this.chips.covered;
    this.stage.coveredAbove = () => this.chips.coveredAbove;
    this.panel = new Panel(this, loader);
    this.transport = new Transport(this);
    this.help = helpDialog();
    this.header = this.makeHeader();
    this.root = this.assemble();
    this.makeBanner();
    this.connect();
  }

  get title(): string {
    return this.timeline.source.title || this.timeline.source.name;
  }
  /** The name of the file without its ending, for files that are saved. */
  get fileName(): string {
    return this.timeline.source.name.replace(/\.\w+$/, '');
  }
  /** The first replay against each other one, where they can be compared. */
  get comparisons(): Comparison[] {
    return [this.page.compare, ...(this.page.rivals ?? [])].filter((c) => c?.gap) as Comparison[];
  }

  private wholeDuration(): number {
    const end = ({ duration, read_to = 0 }: Timeline['source']) => Math.max(duration, read_to);
    return Math.max(0, ...this.replays.map((r) => end(r.timeline.source) + r.offset));
  }

  // ---- layout

  private assemble(): HTMLElement {
    const picture = el('main', { class: 'stage', 'aria-label': 'Scene' });
    const heat = this.timeline.heat?.length
      ? button('heat', 'Heat map on the ground', () => this.toggleHeat(), { 'aria-pressed': 'false', class: 'heatbutton' })
      : '';
    picture.append(this.stage.element, this.columns, this.chips.element, this.legend(), this.board?.element ?? '', this.cameras, heat, this.subtitle, this.notice, this.loading, this.loadingBar);
    return el(
      'div',
      { class: 'app' },
      this.header,
      this.banner,
      picture,
      el('section', { class: 'bar', 'aria-label': 'Time' }, this.bar.element, this.transport.element),
      this.panel.element,
      this.live,
      this.help,
    );
  }

  private makeHeader(): HTMLElement {
    const pressed = { 'aria-pressed': 'false' };
    const spoiler = button('eyeOff', 'Spoiler-free', () => this.toggleSpoilerFree(), { ...pressed, class: 'spoiler' });
    spoiler.append(el('span', { class: 'words' }, 'Spoiler-free'));
    const compare =
      this.replays.length > 1
        ? [button('Compare', 'Compare replays', () => this.panel.show('compare'), { class: 'compare' })]
        : [];
    return el(
      'header',
      {},
      el('h1', {}, this.title),
      this.result,
      this.meta,
      ...compare,
      spoiler,
      button('theme', 'Dark or light', () => this.toggleTheme()),
      button('help', 'Keys and help', () => this.showHelp()),
    );
  }

  /** The scale of the colours of trails. */
  private legend(): HTMLElement | string {
    const { legend } = this.timeline;
    if (!legend) return '';
    const stops = Array.from({ length: 9 }, (_, i) => `rgb(${ramp(i / 8).join(' ')})`);
    const scale = el('i');
    scale.style.background = `linear-gradient(to right, ${stops.join(', ')})`;
    const end = el('span', {}, `${legend.to}+ ${legend.unit}`);
    return el('div', { class: 'legendscale', role: 'img', 'aria-label': `Colour of the path: ${legend.title}, ${legend.from} to ${legend.to} ${legend.unit}` }, el('span', {}, String(legend.from)), scale, end);
  }

  private makeBanner() {
    const { warnings = [], source } = this.timeline;
    // The finding that ended the reading is repeated with the time until which everything can be seen.
    const repeated = (w: Warning) => warnings.some((o) => o !== w && o.id === w.id && o.t0 !== undefined && o.text.includes(w.text));
    const serious = warnings.filter((w) => w.level !== 'note' && !NOTES.has(w.id) && !repeated(w));
    const notes = warnings.filter((w) => NOTES.has(w.id));
    if (!source.complete || serious.length) document.documentElement.dataset.damaged = '';
    const show = () => {
      const list = serious.length ? serious : notes;
      if (!list.length) return;
      // The last finding is the one that ended reading, if any did.
      const first = list.find((w) => w.level === 'error') ?? list[list.length - 1];
      const hide = this.clock.spoilerFree && serious.length > 0;
      const lead = first.level === 'warn' && serious.length ? 'Not all of this recording could be read: ' : '';
      let words = hide ? 'Part of this recording could not be read.' : lead + first.text;
      if (this.clock.spoilerFree && first.id === WINDOW) words = 'A part of this recording is shown.';
      const more = list.length > 1 ? ` (and ${list.length - 1} more)` : '';
      this.banner.replaceChildren(
        el('span', { class: 'words' }, words + (hide ? '' : more)),
        button('Details', 'Show all findings', () => this.panel.show('info')),
        button('close', 'Close this notice', () => (this.banner.hidden = true)),
      );
      this.banner.classList.toggle('serious', serious.length > 0);
    };
    show();
    this.banner.hidden = !serious.length && !notes.length;
    this.clock.on((change) => change === 'view' && show());
  }

  /** The content of a player's corner at a time. */
  valuesOf(player: number, time: number): string[] {
    return this.chips.valuesOf(player, time);
  }

  // ---- cameras

  /** The available cameras: names for buttons, links and keys. */
  cameraNames(): { id: string; title: string }[] {
    const bodies = (this.timeline.players ?? []).some((p) => p.body !== undefined);
    const eyes = (this.timeline.players ?? []).some((p) => p.eye !== undefined);
    const list = [{ id: 'orbit', title: 'Orbit' }];
    if (bodies || this.stage.rig.mode.kind === 'follow') list.push({ id: 'follow', title: 'Follow' });
    if (this.rival) list.push({ id: 'rival', title: 'Rival' });
    if (eyes) list.push({ id: 'eyes', title: 'Eyes' });

    list.push({ id: 'top', title: 'Top' }, { id: 'free', title: 'Free' });
    if (this.director.useful) list.push({ id: 'auto', title: 'Auto' });
    if (this.path.playable) list.push({ id: 'path', title: 'Path' });
    return list;
  }
  /** The rival, if the runs can be compared by place. */
  private get rival() {
    const player = this.replays[this.rivalIndex]?.timeline.players?.[0];
    return this.page.compare?.sections && player?.body !== undefined ? player : undefined;
  }
  private rivalIndex = 1;
  followRival(index: number) {
    this.rivalIndex = index;
    this.setCamera('rival');
  }
  /** The start of the run, or the start of what is left of it. */
  toRun() {
    const start = this.timeline.run?.t0;
    if (start !== undefined) this.clock.seek(start);
  }
  private allCameras(): string[] {
    return [...this.cameraNames(), ...this.extraCameras().filter((c) => this.isOn(c))].map((c) => c.id);
  }
  private extraCameras(): Camera[] {
    return (this.timeline.cameras ?? []).filter((c) => c.kind === 'node' && !c.id.startsWith('eyes'));
  }
  /** Some cameras exist only for a while; the overview replaces them until they return. */
  private isOn({ when }: Camera): boolean {
    const { time } = this.clock;
    return !when || when.some(([from, to]) => from <= time && time <= to);
  }
  private camerasOn = '';
  private checkCameras() {
    const extras = this.extraCameras();
    const on = extras.map((c) => Number(this.isOn(c))).join('');
    if (on === this.camerasOn) return;
    this.camerasOn = on;
    if (extras.some((c) => c.id === this.cameraName)) this.setCamera(this.cameraName);
    else this.showCameras();
  }
  /** "rockcam:1" is RockCam, with the player's name where there are several. */
  private titleOf(camera: Camera): string {
    const [name, number] = camera.id.split(':');
    const title = name === 'rockcam' ? 'RockCam' : name.charAt(0).toUpperCase() + name.slice(1);
    const several = this.extraCameras().filter((c) => c.id.startsWith(`${name}:`)).length > 1;
    const owner = this.timeline.players?.[Number(number)]?.name ?? number;
    return several && owner ? `${title} ${owner}` : title;
  }
  get camera(): string {
    return this.cameraName;
  }
  private selected = 0;
  /** The page has chosen the camera. */
  private opening = false;

  setCamera(id: string, opening = false) {
    const player = this.timeline.players?.[this.selected];
    const extra = this.extraCameras().find((c) => c.id === id);
    let mode: Mode = { kind: 'orbit' };
    if (extra?.node !== undefined) {
      if (this.isOn(extra)) mode = { kind: 'eyes', node: extra.node, player: -1, name: extra.id };
    } else if (id === 'top') mode = { kind: 'top' };
    else if (id === 'free') mode = { kind: 'free' };
    else if (id === 'eyes' && player?.eye !== undefined)
      mode = { kind: 'eyes', node: player.eye, player: player.id, name: player.name };
    else if (id === 'follow' && player?.body !== undefined) mode = this.following(player);
    else if (id === 'path' && this.path.playable) mode = { kind: 'path', path: this.path };
    else if (id === 'auto') this.director.reset();
    else if (id === 'rival' && this.rival) mode = { ...this.following(this.rival), rival: this.rivalIndex };
    else if (id !== 'orbit') return;
    mode = this.steadied(mode);
    if (mode.kind === 'orbit' || mode.kind === 'top') this.stage.frameAll(this.replays[0], mode.kind === 'top', opening);
    this.stage.setMode(mode);
    this.cameraName = id;
    this.opening = opening;
    if (id === 'auto') this.direct();
    this.showCameras();
    this.jump();
  }
  /** Cuts to the player that the director chose. */
  private shown = -2;
  private direct() {
    const number = this.director.shot(this.clock.time);
    const { mode } = this.stage.rig;
    if (number === this.shown && (mode.kind === 'follow') === number >= 0) return;
    this.shown = number;
    const player = this.timeline.players?.[number];
    if (player?.body !== undefined) this.stage.setMode(this.following(player));
    else {
      this.stage.frameAll(this.replays[0], false);
      this.stage.setMode({ kind: 'orbit' });
    }
    this.jumped = true;
  }
  /** Heads sway; a level horizon is easier to watch. */
  private steady = false;
  private steadied(mode: Mode): Mode {
    return mode.kind === 'eyes' && this.steady ? { ...mode, steady: true } : mode;
  }
  toggleSteady() {
    this.steady = !this.steady;
    this.setCamera(this.cameraName);
  }
  private following(player: Player): Extract<Mode, { kind: 'follow' }> {
    const chase = (this.timeline.cameras ?? []).some((c) => c.kind === 'follow');
    return { kind: 'follow', node: player.body!, eye: player.eye ?? null, chase, name: player.name, lift: chase ? 1.3 : 0.4 };
  }
  setCameraKey() {
    this.draw(); // the view of this moment
    this.path.add(this.clock.time, this.stage.rig.pose);
    this.notify(`Camera key at ${clockText(this.clock.time)}`);
  }
  pathChanged() {
    if (this.cameraName === 'path' && !this.path.playable) this.setCamera('orbit');
    else this.showCameras();
    this.jump();
  }
  nextCamera() {
    const names = this.allCameras();
    this.setCamera(names[(names.indexOf(this.cameraName) + 1) % names.length]);
  }
  follow(player: number) {
    if (!this.timeline.players?.[player]) return;
    this.selected = player;
    this.setCamera('follow');
  }
  throughEyes(player: number) {
    if (this.timeline.players?.[player]?.eye === undefined) return;
    this.selected = player;
    this.setCamera('eyes');
  }
  private showCameras() {
    const extras = this.extraCameras();
    const own = this.cameraNames();
    const phone = isPhone();
    const list: HTMLElement[] = own.map(({ id, title }) =>
      button(title, `Camera: ${title}`, () => this.setCamera(id), { 'aria-pressed': String(id === this.cameraName), 'data-camera': id }),
    );
    // No room for a row of buttons.
    if (phone) list.length = 0;
    const { mode } = this.stage.rig;
    if (mode.kind === 'eyes' && this.timeline.source.format === 'rumble')
      list.push(button('Steady', 'Level horizon, less sway', () => this.toggleSteady(), { 'aria-pressed': String(this.steady), class: 'steady' }));
    if (phone || extras.length) {
      const label = phone ? 'Camera' : 'Recorded cameras';
      const more = el('select', { class: 'more', 'aria-label': label, onchange: () => this.setCamera(more.value) });
      const titles = [
        ...(phone ? own.map((c) => ({ ...c, off: false })) : []),
        ...extras.map((c) => ({ id: c.id, title: this.titleOf(c), off: !this.isOn(c) })),
      ];
      more.append(el('option', { value: '', disabled: true }, phone ? 'Camera' : 'Recorded'));
      for (const { id, title, off } of titles) more.append(el('option', { value: id, disabled: off }, title));
      more.value = titles.some((c) => c.id === this.cameraName) ? this.cameraName : '';
      list.push(more);
    }
    this.cameras.replaceChildren(...list);
  }

  // ---- what controls do

  toggleTheme() {
    const theme = nextTheme();
    this.say(theme === 'auto' ? 'As the system: dark or light' : `Always ${theme}`);
    this.applyTheme();
  }
  applyTheme() {
    repaintSwatches(this.root);
    this.stage.setTheme();
    this.panel.plots.redraw();
    this.bar.draw();
    this.jump();
  }
  toggleSpoilerFree() {
    this.clock.setSpoilerFree(!this.clock.spoilerFree);
    keep(`reprise.spoiler:${this.timeline.source.name}`, this.clock.spoilerFree ? '1' : null);
  }
  heatAllowed(): boolean {
    return this.isOver();
  }
  /** Shows a heat map instead of another, or hides the current one. */
  private heat: Heat | null = null;
  toggleHeat(heat: Heat | undefined = this.heat ?? this.timeline.heat?.[0]) {
    const show = heat && heat !== this.heat && this.heatAllowed();
    this.heat = show ? heat : null;
    this.stage.setHeat(this.heat);
    this.root.querySelector('.heatbutton')?.setAttribute('aria-pressed', String(this.stage.showsHeat));
    if (show && this.cameraName !== 'top') this.setCamera('top');
    this.jump();
  }
  setArrangement(arrangement: Arrangement) {
    if (this.replays.length < 2) return;
    this.stage.arrangement = arrangement;
    this.columns.hidden = arrangement !== 'side';
    this.columns.replaceChildren(...this.replays.slice(0, COLUMNS_MAX).map((r) => el('span', {}, r.label)));
    this.chips.update();
    this.panel.plots.rebuild();
    this.panel.compareChanged();
    this.jump();
  }
  nextArrangement() {
    this.setArrangement(ARRANGEMENTS[(ARRANGEMENTS.indexOf(this.stage.arrangement) + 1) % 3]);
  }
  setLinked(on: boolean) {
    this.stage.setLinked(on);
    this.showCameras();
    this.jump();
  }
  setOffset(index: number, seconds: number) {
    if (!Number.isFinite(seconds)) return;
    this.replays[index].offset = seconds;
    this.clock.setDuration(this.wholeDuration());
    this.panel.plots.rebuild();
    this.jump();
  }
  /** The replays that plots show. */
  compared(all: boolean): Replay[] {
    return all && this.stage.arrangement !== 'single' ? this.replays : this.replays.slice(0, 1);
  }
  get hasVoices(): boolean {
    return this.voices.some((v) => v.count > 0);
  }
  toggleVoices() {
    for (const voices of this.voices) {
      voices.on = !voices.on;
      voices.update(this.clock);
    }
    this.root.querySelector('.voices')?.setAttribute('aria-pressed', String(this.voices[0].on));
  }
  showHelp() {
    if (this.help.open) this.help.close();
    else this.help.showModal();
  }
  /** The focus stays where it is, so that the keys still play and seek. */
  addBookmark(): Bookmark {
    const time = this.clock.frameTime; // complete frames, as players count
    const mark = this.bookmarks.add(time, `At ${clockText(time)}`);
    this.notify(`Bookmark at ${clockText(time)}`);
    return mark;
  }
  nameBookmark() {
    const mark = this.addBookmark();
    this.panel.show('bookmarks');
    this.panel.editBookmark(mark);
  }
  async copyPicture() {
    this.draw();
    const blob = await this.stage.picture();
    if (!blob) return;
    const link = el('a', { href: URL.createObjectURL(blob), download: `${this.timeline.source.name}-${this.clock.time.toFixed(2)}.png` });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Times of markers and bookmarks that may be shown, sorted. */
  private stops(): number[] {
    const all = [...this.markers.map((m) => m.t), ...this.bookmarks.list.map((m) => m.t)];
    return all.filter((t) => t <= this.clock.limit).sort((a, b) => a - b);
  }
  private toStop(stops: number[], direction: number) {
    const { time } = this.clock;
    const next = direction > 0 ? stops.find((t) => t > time + 1e-3) : stops.filter((t) => t < time - 1e-3).pop();
    if (next !== undefined) this.clock.seek(next);
    else this.say(direction > 0 ? 'No later marker' : 'No earlier marker');
  }
  toMarker(direction: number) {
    this.toStop(this.stops(), direction);
  }
  toBand(direction: number) {
    const { bands = [], chapters = [] } = this.timeline;
    const starts = [...bands, ...chapters].map((b) => b.t0).filter((t) => t <= this.clock.limit);
    this.toStop(starts.sort((a, b) => a - b), direction);
  }
  loopHere(end: boolean) {
    const { clock } = this;
    if (end) clock.setLoop(clock.loopFrom, clock.time);
    else clock.setLoop(clock.time, clock.loopTo !== null && clock.loopTo > clock.time ? clock.loopTo : null);
  }

  // ---- what others ask

  slotOf(player: number): number {
    return this.timeline.players?.[player]?.slot ?? player;
  }
  valuesAt(time: number): string[] {
    const lines: string[] = [];
    for (const plot of this.timeline.plots ?? []) {
      if (plot.kind === 'lanes') continue;
      const parts: string[] = [];
      for (const series of plot.series.slice(0, 4)) {
        const value = valueAt(numbers(series.t), numbers(series.v), time);
        if (value !== null) parts.push(numberText(value));
      }
      if (parts.length) lines.push(`${plot.title}: ${parts.join(' / ')}`);
    }
    return lines;
  }
  /** Whether the end may be known. */
  isOver(): boolean {
    return !this.clock.spoilerFree || this.clock.seen >= this.clock.duration;
  }
  /** A line of metadata, or a neutral text if it would be a spoiler. */
  told(label: string, text: string): string {
    return this.clock.spoilerFree && TELLING.test(label) ? NEUTRAL : text;
  }

  // ---- running

  private connect() {
    this.clock.on((change) => this.changed(change));
    this.bookmarks.onChange = () => {
      this.bar.draw();
      this.panel.bookmarksChanged();
    };
    const playerOf = ({ replay, node, player }: Found) =>
      replay.timeline.players?.find((p) => p.body !== undefined && (p.id === player || p.body === node));
    this.stage.onPick = (found) => {
      const { replay, node, name } = found;
      const player = playerOf(found);
      if (player && replay.index === 0) return this.follow(player.id);
      this.stage.setMode({ kind: 'follow', node, eye: null, chase: false, name, lift: 0.4 });
      this.cameraName = 'follow';
      this.showCameras();
      this.say(`Following ${name}`);
    };
    this.stage.onName = (found) => {
      const { replay, name } = found;
      const player = playerOf(found);
      const values = player && replay.index === 0 ? this.valuesOf(player.id, this.clock.time) : [];
      return [player?.name ?? name, ...values].filter(Boolean).join(', ');
    };
    this.stage.onThird = (side) => this.clock.seek(this.clock.time + 10 * side);
    this.stage.onFlat = () => {
      document.documentElement.dataset.flat = '';
      this.subtitle.textContent = 'This browser shows no 3D here: a flat map from above instead.';
      this.setCamera('top');
    };
    listenToKeys(this);
    onSystemTheme(() => this.applyTheme());
    new ResizeObserver(() => this.resize()).observe(this.stage.element);
    new ResizeObserver(() => this.panel.plots.resize()).observe(this.panel.element);
  }

  private resize() {
    if (this.recording) return;
    this.stage.resize();
    this.bar.resize();
    this.showCameras();
    this.jump();
  }

  private changed(change: Change) {
    if (change === 'view') {
      this.panel.limitChanged();
      this.showMeta();
      if (!this.heatAllowed() && this.stage.showsHeat) this.toggleHeat();
      const pressed = String(this.clock.spoilerFree);
      this.root.querySelector('.spoiler')?.setAttribute('aria-pressed', pressed);
      document.documentElement.toggleAttribute('data-spoiler-free', this.clock.spoilerFree);
    }
    if (change === 'state') {
      this.transport.showState();
      this.lastFrame = performance.now(); // ignore the time before this
    }
    if (change === 'state' && !this.clock.playing) this.remember();
    if (!this.clock.playing) this.jumped = true;
    this.stage.dirty = true;
    this.transport.showTime();
    this.bar.draw();
    this.panel.update();
    this.chips.update();
    this.board?.update();
    if (this.cameraName === 'auto') this.direct();
    this.checkCameras();
    for (const voices of this.voices) voices.update(this.clock);
    this.showSubtitle();
    if (!this.clock.playing && change === 'time') this.announce();
    if (this.still && !this.clock.playing && !this.recording) this.draw();
  }

  private showSubtitle() {
    const { time } = this.clock;
    if ('flat' in document.documentElement.dataset) return;
    let last: Marker | undefined;
    for (let i = countUpTo(this.markerTimes, time + 1e-4) - 1; i >= 0 && time - this.markers[i].t < 3; i--)
      if (!last || this.markers[i].weight > last.weight) last = this.markers[i];
    const text = last?.text ?? '';
    if (this.subtitle.textContent !== text) this.subtitle.textContent = text;
    if (this.clock.spoilerFree && this.isOver() && !this.result.textContent) this.showMeta();
  }

  private showMeta() {
    const { source } = this.timeline;
    const plain = new Set(['Map', 'Date']); // need no label
    const facts = (source.facts ?? []).map(([label, text]) => (plain.has(label) ? '' : `${label} `) + this.told(label, text));
    this.meta.textContent = [`${source.format} ${source.layout}`, ...facts].join(' · ');
    this.result.textContent = this.isOver() ? (source.result ?? '') : '';
  }

  say(text: string) {
    this.live.textContent = text;
  }
  /** Says something that is also seen for a moment. */
  private notice = el('div', { class: 'notice', 'aria-hidden': 'true', hidden: true });
  private noticeEnds = 0;
  notify(text: string) {
    this.say(text);
    this.notice.textContent = text;
    this.notice.hidden = false;
    clearTimeout(this.noticeEnds);
    this.noticeEnds = window.setTimeout(() => (this.notice.hidden = true), 2500);
  }
  private announce() {
    const now = performance.now();
    if (now - this.spoken < 1000) return;
    this.spoken = now;
    const { players = [] } = this.timeline;
    const values = players.slice(0, 4).map((p, i) => [p.name, ...this.valuesOf(i, this.clock.time)]).filter((words) => words.length > 1);
    this.say([clockText(this.clock.time), this.subtitle.textContent, ...values.map((words) => words.join(' '))].filter(Boolean).join(', '));
  }

  // ---- pictures that leave the page

  recording = false;
  setRecording(on: boolean) {
    this.recording = on;
    if (!on) this.resize();
  }
  /** The picture of the current time in a given size. */
  capture(width: number, height: number, seconds: number, clear: boolean): HTMLCanvasElement | null {
    return this.stage.capture({ width, height, clear }, this.clock.time, seconds, this.clock.spoilerFree);
  }
  chipTexts() {
    return this.chips.texts();
  }
  /** The last event in words. */
  get happening(): string {
    return this.subtitle.textContent ?? '';
  }
  /** The complete address of this moment. */
  address(): string {
    return location.href.replace(/#.*/, '') + this.link();
  }

  /** The address of this moment, without that of the page. */
  link(): string {
    const parts = [`t=${this.clock.time.toFixed(2)}`];
    if (this.clock.spoilerFree) return `#${parts.join('&')}`;
    const whose = ['follow', 'eyes'].includes(this.cameraName) ? `:${this.selected + 1}` : '';
    parts.push(`cam=${this.cameraName}${whose}`, `speed=${this.clock.speed}`);
    if (this.replays.length > 1) parts.push(`a=${this.stage.arrangement}`);
    return `#${parts.join('&')}`;
  }
  private remember() {
    try {
      history.replaceState(null, '', this.link());
    } catch {
      // Some browsers refuse this for files.
    }
  }
  private restore() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const speed = Number(wanted.get('speed') ?? 1);
    if ([0.25, 0.5, 1, 2, 4, 8].includes(speed)) this.clock.setSpeed(speed);
    const cameras = this.timeline.cameras ?? [];
    // A camera recording starts with its own camera.
    const usual = ['follow', 'top', 'orbit'].find((kind) => cameras.some((c) => c.kind === kind)) ?? cameras[0]?.id ?? 'orbit';
    const asked = wanted.get('cam');
    if (!asked || !this.useCamera(asked)) this.setCamera(usual, true);
    const arrangement = ARRANGEMENTS.find((a) => a === wanted.get('a'));
    if (arrangement) this.setArrangement(arrangement);
    const t = Number(wanted.get('t') ?? this.page.start?.t ?? 0);
    if (Number.isFinite(t)) this.clock.seek(t);
    if (kept(`reprise.spoiler:${this.timeline.source.name}`)) this.clock.setSpoilerFree(true);
  }

  cameraIds(): string[] {
    return [...this.cameraNames(), ...this.extraCameras()].map((c) => c.id);
  }
  /** A camera as in an address: "follow:2" follows the second player. False if there is none. */
  useCamera(name: string): boolean {
    const [, camera, whose] = /^(follow|eyes):(\d+)$/.exec(name) ?? ['', name, ''];
    if (!this.cameraIds().includes(camera)) return false;
    if (whose && !this.timeline.players?.[Number(whose) - 1]) return false;
    if (whose) this.selected = Number(whose) - 1;
    this.setCamera(camera);
    return true;
  }

  /** The first picture can be drawn. */
  begin() {
    if (this.clock.duration <= 0) document.documentElement.dataset.empty = '';
    this.root.classList.toggle('no-panel', isDrawer());
    this.stage.setTheme();
    this.resize();
    this.showMeta();
    this.restore();
    this.setArrangement(this.stage.arrangement);
    this.transport.showState();
    this.changed('view');
    this.draw();
    void this.bookmarks.load();
    if (!this.still) requestAnimationFrame((now) => this.loop(now));
  }
  /** What is still loading, and its progress, 0 to 1. */
  motion(text: string | null, share = 0) {
    this.loading.hidden = this.loadingBar.hidden = text === null;
    this.loading.textContent = text;
    this.loadingBar.value = share;
    if (text === null) this.setCamera(this.cameraName, this.opening);
  }

  jump() {
    this.jumped = true;
    this.stage.dirty = true;
    if (this.still) this.draw();
  }
  draw(seconds = 0) {
    this.stage.draw(this.clock.time, this.jumped ? 0 : seconds, this.clock.spoilerFree);
    this.jumped = false;
  }
  private loop(now: number) {
    // A page that was suspended continues where it stopped.
    const seconds = Math.min(1, Math.max(0, (now - this.lastFrame) / 1000));
    this.lastFrame = now;
    if (this.recording) return void requestAnimationFrame((next) => this.loop(next));
    if (this.clock.playing) this.clock.advance(seconds);
    if (this.stage.dirty || this.flying(seconds)) {
      this.draw(seconds);
      this.stage.tookTime(performance.now() - now);
    }
    requestAnimationFrame((next) => this.loop(next));
  }

  // ---- free flight

  readonly held = new Set<string>();
  private flying(seconds: number): boolean {
    if (this.stage.rig.mode.kind !== 'free' || !this.held.size) return false;
    const speed = (this.held.has('shift') ? 24 : 6) * seconds;
    const axis = (plus: string, minus: string) => Number(this.held.has(plus)) - Number(this.held.has(minus));
    this.stage.rig.fly(axis('d', 'a') * speed, axis('e', 'q') * speed, axis('w', 's') * speed);
    return true;
  }
}

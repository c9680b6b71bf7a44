// The timeline: bands, chapters, markers and bookmarks over time, and a slider for all of it.
import { countUpTo } from './columns';
import { clockText, colourOf, el, isCoarse, restyle, token, usesGameColours } from './dom';
import { hatch } from './hatch';
import { openMenu } from './menu';
import { drawShape } from './shapes';
import { mayName } from './highlights';
import type { App } from './app';
import type { Marker } from './types';

const TRACK = 30; // from the upper edge; above it are the markers
const TRACK_COARSE = 44;
const EDGE = 8; // room for half a marker on both sides
/** The hit distance of a marker, and the least distance between markers: closer ones are grouped. */
const NEAR_PX = 14;
const NEAR_COARSE_PX = 22;
const APART_PX = 22;
const APART_COARSE_PX = 44;
const MENU_MAX = 12;
const LISTED_MAX = 5;

interface Cluster {
  x: number;
  markers: Marker[];
}

/** How many of each, the most frequent first. */
function tally<T>(list: T[]): [T, number][] {
  const counts = new Map<T, number>();
  for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

export class Bar {
  readonly element: HTMLElement;
  /** Everything that does not move while playing; drawn again only when it changed. */
  private canvas = el('canvas');
  private drawnKey = '';
  /** What moves: elements, because the browser moves them without drawing. */
  private done = el('i', { class: 'done' });
  private head = el('i', { class: 'head' });
  private size = { width: 0, height: 0 };
  private tip = el('div', { class: 'tip', hidden: true });
  private zoomFrom = 0;
  private zoomTo: number | null = null; // null: all
  private clusters: Cluster[] = [];
  private times: number[];
  /** `list`: markers too close for a finger, offered as a list when it is lifted. */
  private drag: { x: number; time: number; resume: boolean; list: Cluster | null } | null = null;

  constructor(private app: App) {
    this.times = app.markers.map((m) => m.t);
    this.element = el(
      'div',
      { class: 'timeline', role: 'slider', tabindex: 0, 'aria-label': 'Timeline', 'aria-valuemin': 0 },
      this.canvas,
      this.done,
      this.head,
      this.tip,
    );
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.canvas);
  }

  /** Sizes are read here only: asking for them while playing makes the browser lay out the page. */
  resize() {
    this.size = { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
    this.draw();
  }

  get from(): number {
    return this.zoomTo === null ? 0 : this.zoomFrom;
  }
  get to(): number {
    return Math.max(1e-6, this.zoomTo ?? this.app.clock.horizon);
  }

  zoom(factor: number, around = this.app.clock.time) {
    const whole = this.app.clock.horizon;
    const span = Math.min(whole, (this.to - this.from) * factor);
    if (!(factor > 0) || span >= whole) this.zoomTo = null;
    else {
      const share = (around - this.from) / (this.to - this.from);
      this.zoomFrom = Math.min(whole - span, Math.max(0, around - span * share));
      this.zoomTo = this.zoomFrom + span;
    }
    this.draw();
  }
  fit() {
    this.zoomTo = null;
    this.draw();
  }

  /** Touch needs larger targets. */
  private get track(): number {
    return isCoarse() ? TRACK_COARSE : TRACK;
  }
  private get reach(): number {
    return isCoarse() ? NEAR_COARSE_PX : NEAR_PX;
  }
  private get width(): number {
    return Math.max(1, this.size.width - 2 * EDGE);
  }
  private x(time: number): number {
    return EDGE + ((time - this.from) / (this.to - this.from)) * this.width;
  }
  private timeAt(x: number): number {
    return this.from + ((x - EDGE) / this.width) * (this.to - this.from);
  }

  // ---- drawing

  draw() {
    const { canvas, app } = this;
    const { width, height } = this.size;
    if (!width) return;
    if (this.zoomTo !== null && !this.drag) this.keepInView();
    const ratio = devicePixelRatio;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    const key = `${wide} ${high} ${this.track} ${this.keyOfStill(ratio)}`;
    if (key !== this.drawnKey) {
      if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
      this.element.style.setProperty('--track', `${this.track}px`);
      this.drawStill(ratio);
      this.drawnKey = key;
    }
    const now = this.x(app.clock.time);
    const start = Math.max(EDGE, this.x(0));
    const end = Math.min(now, width);
    restyle(this.done, 'transform', `translateX(${start.toFixed(1)}px) scaleX(${Math.max(0, end - start).toFixed(1)})`);
    restyle(this.head, 'transform', `translateX(${end.toFixed(1)}px)`);
    restyle(this.head, 'visibility', now >= 0 && now <= width ? '' : 'hidden');
    this.describe();
  }

  /** Changes whenever the still part looks different; the limit counts in pixels. */
  private keyOfStill(ratio: number): string {
    const { clock, bookmarks } = this.app;
    const marks = bookmarks.list.map((m) => m.t).join();
    const limit = Math.round(this.x(clock.limit) * ratio);
    const seen = countUpTo(this.times, clock.limit);
    return [this.from, this.to, limit, seen, clock.loopFrom, clock.loopTo, clock.spoilerFree, token('text'), usesGameColours(), marks].join(' ');
  }

  private drawStill(ratio: number) {
    const c = this.canvas.getContext('2d')!;
    const { limit } = this.app.clock;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = token('line');
    c.fillRect(this.x(0), this.track, this.x(limit) - this.x(0), 8);
    this.drawBands(c, limit);
    this.drawLoop(c);
    this.drawUnread(c);
    this.drawChapters(c, limit, this.size.height);
    this.drawMarkers(c, limit);
  }

  private keepInView() {
    const span = this.to - this.from;
    const { time } = this.app.clock;
    if (time < this.zoomFrom || time > this.zoomFrom + span) {
      this.zoomFrom = Math.max(0, time - span * 0.1);
      this.zoomTo = this.zoomFrom + span;
    }
  }

  private drawBands(c: CanvasRenderingContext2D, limit: number) {
    const bands = this.app.timeline.bands ?? [];
    // Bands of single players are stacked.
    const owners = [...new Set(bands.flatMap((b) => b.player ?? []))].sort((a, b) => a - b);
    for (const band of bands) {
      if (band.t0 > limit) continue;
      c.globalAlpha = 0.15 + 0.45 * Math.min(1, Math.max(0, band.level));
      const end = Math.min(band.t1, limit);
      if (band.kind === 'pause') hatch(c, this.x(band.t0), this.x(end), this.track - 6, this.track + 14, token('dim'));
      else {
        const lane = band.player === undefined ? { top: 0, height: 20 } : { top: (20 * owners.indexOf(band.player)) / owners.length, height: 20 / owners.length };
        c.fillStyle = band.player === undefined ? '#d55e00' : colourOf(this.app.slotOf(band.player));
        c.fillRect(this.x(band.t0), this.track - 6 + lane.top, Math.max(2, this.x(end) - this.x(band.t0)), lane.height);
      }
    }
    c.globalAlpha = 1;
  }

  private drawLoop(c: CanvasRenderingContext2D) {
    const { loopFrom, loopTo, duration } = this.app.clock;
    if (loopFrom === null && loopTo === null) return;
    c.strokeStyle = token('focus');
    c.lineWidth = 2;
    const a = this.x(loopFrom ?? 0);
    c.strokeRect(a, this.track - 3, this.x(loopTo ?? duration) - a, 14);
  }

  /** Unreadable ranges are hatched, unless that would be a spoiler. */
  private drawUnread(c: CanvasRenderingContext2D) {
    const { clock, timeline } = this.app;
    if (clock.spoilerFree) return;
    for (const warning of timeline.warnings ?? []) {
      if (warning.t0 === undefined || warning.level === 'note') continue;
      const a = this.x(warning.t0);
      const b = Math.max(a + 6, this.x(warning.t1 ?? clock.duration));
      hatch(c, a - 6, b, this.track - 6, this.track + 14, token('warn'));
    }
  }

  private drawChapters(c: CanvasRenderingContext2D, limit: number, height: number) {
    c.font = '11px system-ui, sans-serif';
    c.textBaseline = 'bottom';
    let free = -Infinity;
    for (const chapter of this.app.timeline.chapters ?? []) {
      if (!mayName(this.app.timeline, chapter, limit)) continue;
      const x = this.x(chapter.t0);
      c.fillStyle = token('dim');
      c.fillRect(Math.round(x), this.track - 4, 1, 20);
      if (x + 3 < free) continue;
      c.fillText(chapter.name, x + 3, height);
      free = x + 10 + c.measureText(chapter.name).width;
    }
  }

  private drawMarkers(c: CanvasRenderingContext2D, limit: number) {
    this.clusters = [];
    const apart = isCoarse() ? APART_COARSE_PX : APART_PX;
    const { markers } = this.app;
    for (const marker of markers) {
      if (marker.t > limit) break;
      const x = this.x(marker.t);
      const last = this.clusters[this.clusters.length - 1];
      if (last && x - last.x < apart) last.markers.push(marker);
      else this.clusters.push({ x, markers: [marker] });
    }
    for (const cluster of this.clusters) this.drawCluster(c, cluster);
    for (const mark of this.app.bookmarks.list) {
      if (mark.t > limit) continue;
      const x = this.x(mark.t);
      const top = this.middle - 7;
      c.fillStyle = token('focus');
      c.beginPath();
      c.moveTo(x - 4, top);
      c.lineTo(x + 4, top);
      c.lineTo(x + 4, top + 14);
      c.lineTo(x, top + 10);
      c.lineTo(x - 4, top + 14);
      c.fill();
    }
  }
  /** The height of markers, between the upper edge and the track. */
  private get middle(): number {
    return this.track / 2 - 2;
  }

  /** A group of one player has the player's shape and colour; a mixed one shows each player's share. */
  private drawCluster(c: CanvasRenderingContext2D, { x, markers }: Cluster) {
    const weight = Math.max(...markers.map((m) => m.weight));
    const size = weight >= 4 ? 7 : weight >= 2 ? 5.5 : 4.5;
    const shares = tally(markers.map((m) => (m.player >= 0 ? this.app.slotOf(m.player) : -1)));
    const paint = (slot: number) => (slot >= 0 ? colourOf(slot) : token('text'));
    if (shares.length === 1) {
      c.fillStyle = c.strokeStyle = paint(shares[0][0]);
      drawShape(c, shares[0][0], x, this.middle, size);
    } else this.drawShares(c, x, size + 1, shares.map(([slot, count]) => [paint(slot), count / markers.length]));
    if (markers.length > 1) {
      c.fillStyle = token('dim');
      c.font = '9px system-ui, sans-serif';
      c.textBaseline = 'top';
      c.fillText(String(markers.length), x + size + 1, this.middle - 10);
    }
  }

  /** A pie from the top, clockwise. */
  private drawShares(c: CanvasRenderingContext2D, x: number, radius: number, shares: [string, number][]) {
    let angle = -Math.PI / 2;
    for (const [colour, share] of shares) {
      const end = angle + 2 * Math.PI * share;
      c.fillStyle = colour;
      c.beginPath();
      c.moveTo(x, this.middle);
      c.arc(x, this.middle, radius, angle, end);
      c.fill();
      angle = end;
    }
  }

  /** In words; while playing once a second, which is as often as it can be read. */
  private described = -1;
  private describe() {
    const { clock, timeline } = this.app;
    const second = Math.floor(clock.time);
    if (clock.playing && second === this.described) return;
    this.described = second;
    const chapter = timeline.chapters?.find((p) => p.t0 <= clock.time && clock.time < p.t1 && mayName(timeline, p, clock.limit));
    const of = clock.spoilerFree ? '' : ` of ${clockText(clock.duration)}`;
    const text = `${clockText(clock.time)}${of}${chapter ? `, ${chapter.name}` : ''}`;
    this.element.setAttribute('aria-valuenow', clock.time.toFixed(2));
    this.element.setAttribute('aria-valuemax', clock.limit.toFixed(2));
    this.element.setAttribute('aria-valuetext', text);
  }

  // ---- mouse, touch and keys

  private listen() {
    const { element } = this;
    const { clock } = this.app;
    element.addEventListener('pointerdown', (event) => {
      if (event.button) return;
      element.setPointerCapture(event.pointerId);
      const x = event.offsetX;
      const near = this.near(x);
      const onMarker = near && event.offsetY < this.track - 8 ? near : undefined;
      const time = onMarker ? onMarker.markers[0].t : this.timeAt(x);
      const several = event.pointerType === 'touch' && (onMarker?.markers.length ?? 0) > 1;
      this.drag = { x: event.clientX, time, resume: clock.playing, list: several ? onMarker! : null };
      clock.pause();
      clock.seek(time);
    });
    element.addEventListener('pointermove', (event) => {
      if (!this.drag) return this.hover(event.offsetX);
      // Farther from the bar, the same distance means less time.
      const box = element.getBoundingClientRect();
      const off = Math.max(0, box.top - event.clientY, event.clientY - box.bottom);
      const fine = off > 120 ? 16 : off > 60 ? 4 : 1;
      const perPixel = (this.to - this.from) / this.width;
      this.drag.time += ((event.clientX - this.drag.x) * perPixel) / fine;
      if (Math.abs(event.clientX - this.drag.x) > 4) this.drag.list = null;
      this.drag.x = event.clientX;
      clock.seek(this.drag.time);
    });
    const release = () => {
      const { resume, list } = this.drag ?? {};
      this.drag = null;
      if (resume) clock.play();
      if (list) this.choose(list);
    };
    element.addEventListener('pointerup', release);
    element.addEventListener('pointercancel', release);
    element.addEventListener('pointerleave', () => (this.tip.hidden = true));
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        if (event.ctrlKey) this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.timeAt(event.offsetX));
        else clock.step(event.deltaY > 0 ? 1 : -1);
      },
      { passive: false },
    );
    element.addEventListener('keydown', (event) => this.key(event));
  }

  private key(event: KeyboardEvent) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const { clock } = this.app;
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -10,
      PageUp: 10,
    };
    if (event.key in steps) clock.seek(clock.time + steps[event.key]);
    else if (event.key === 'Home') clock.seek(0);
    else if (event.key === 'End') clock.seek(clock.limit);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private near(x: number): Cluster | undefined {
    const away = (c: Cluster) => Math.abs(c.x - x);
    return this.clusters.filter((c) => away(c) < this.reach).sort((a, b) => away(a) - away(b))[0];
  }

  private choose({ x, markers }: Cluster) {
    const choices = markers.slice(0, MENU_MAX).map((marker) => ({
      text: `${clockText(marker.t)} ${marker.text || marker.kind}`,
      act: () => this.app.clock.seek(marker.t),
    }));
    openMenu(this.element, 'Markers here', choices, { x });
  }
  /** For tests: where markers are drawn, and how many at each place. */
  get drawn(): { x: number; count: number; t: number }[] {
    return this.clusters.map(({ x, markers }) => ({ x, count: markers.length, t: markers[0].t }));
  }

  private hover(x: number) {
    const time = this.timeAt(x);
    const { app } = this;
    if (time < this.from || time > app.clock.limit) {
      this.tip.hidden = true;
      return;
    }
    const cluster = this.near(x);
    const lines = [clockText(time), ...(cluster ? this.wordsOf(cluster.markers) : [])];
    if (!cluster) lines.push(...app.valuesAt(time).slice(0, 4));
    this.tip.replaceChildren(...lines.map((line) => el('div', {}, line)));
    this.tip.hidden = false;
    const half = this.tip.offsetWidth / 2;
    const left = Math.min(this.size.width - half, Math.max(half, x));
    this.tip.style.left = `${left}px`;
  }

  /** A few markers by their texts; of many, how many there are of each kind and the most important. */
  private wordsOf(markers: Marker[]): string[] {
    const words = (list: Marker[]) => list.map((m) => m.text || m.kind);
    if (markers.length <= LISTED_MAX) return words(markers);
    const kinds = tally(markers.map((m) => m.kind));
    const mix = kinds.slice(0, LISTED_MAX).map(([kind, count]) => `${count} × ${kind.replaceAll('_', ' ')}`);
    const best = [...markers].sort((a, b) => b.weight - a.weight || a.t - b.t).slice(0, 2);
    return [mix.join(', ') + (kinds.length > LISTED_MAX ? ' …' : ''), ...words(best), `and ${markers.length - best.length} more`];
  }
}

// The timeline: bands, chapters, markers and bookmarks over time, and a slider for all of it.
import { clockText, colourOf, el, isCoarse, token } from './dom';
import { hatch } from './hatch';
import { openMenu } from './menu';
import { drawShape } from './shapes';
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

interface Cluster {
  x: number;
  markers: Marker[];
}

export class Bar {
  readonly element: HTMLElement;
  private canvas = el('canvas');
  private tip = el('div', { class: 'tip', hidden: true });
  private zoomFrom = 0;
  private zoomTo: number | null = null; // null: all
  private clusters: Cluster[] = [];
  /** `list`: markers too close for a finger, offered as a list when it is lifted. */
  private drag: { x: number; time: number; resume: boolean; list: Cluster | null } | null = null;

  constructor(private app: App) {
    this.element = el(
      'div',
      { class: 'timeline', role: 'slider', tabindex: 0, 'aria-label': 'Timeline', 'aria-valuemin': 0 },
      this.canvas,
      this.tip,
    );
    this.listen();
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
    return Math.max(1, this.canvas.clientWidth - 2 * EDGE);
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
    const { clock } = app;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (!width) return;
    if (this.zoomTo !== null && !this.drag) this.keepInView();
    const ratio = devicePixelRatio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const c = canvas.getContext('2d')!;
    c.scale(ratio, ratio);
    const limit = clock.limit;
    c.fillStyle = token('line');
    c.fillRect(this.x(0), this.track, this.x(limit) - this.x(0), 8);
    this.drawBands(c, limit);
    c.fillStyle = token('accent');
    c.fillRect(this.x(0), this.track + 2, this.x(clock.time) - this.x(0), 4);
    this.drawLoop(c);
    this.drawUnread(c);
    this.drawChapters(c, limit, height);
    this.drawMarkers(c, limit);
    c.fillStyle = token('text');
    c.fillRect(this.x(clock.time) - 1, 4, 2, this.track + 14);
    c.beginPath();
    c.arc(this.x(clock.time), this.track + 4, 7, 0, 7);
    c.fill();
    this.describe();
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
      if (chapter.t0 > limit) continue;
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

  /** The most important marker of a group, in the shape and colour of its player, with the count. */
  private drawCluster(c: CanvasRenderingContext2D, { x, markers }: Cluster) {
    const first = markers.reduce((a, b) => (b.weight > a.weight ? b : a));
    const size = first.weight >= 4 ? 7 : first.weight >= 2 ? 5.5 : 4.5;
    const slot = first.player >= 0 ? this.app.slotOf(first.player) : -1;
    c.fillStyle = c.strokeStyle = slot >= 0 ? colourOf(slot) : token('text');
    drawShape(c, slot, x, this.middle, size);
    if (markers.length > 1) {
      c.fillStyle = token('dim');
      c.font = '9px system-ui, sans-serif';
      c.textBaseline = 'top';
      c.fillText(String(markers.length), x + size + 1, this.middle - 10);
    }
  }

  private describe() {
    const { clock, timeline } = this.app;
    const chapter = timeline.chapters?.find((p) => p.t0 <= clock.time && clock.time < p.t1);
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
    openMenu(this.element, 'Markers here', choices, x);
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
    const lines = [clockText(time)];
    for (const marker of cluster?.markers.slice(0, 5) ?? []) lines.push(marker.text || marker.kind);
    if (cluster && cluster.markers.length > 5) lines.push(`and ${cluster.markers.length - 5} more`);
    if (!cluster) lines.push(...app.valuesAt(time).slice(0, 4));
    this.tip.replaceChildren(...lines.map((line) => el('div', {}, line)));
    this.tip.hidden = false;
    const half = this.tip.offsetWidth / 2;
    const left = Math.min(this.canvas.clientWidth - half, Math.max(half, x));
    this.tip.style.left = `${left}px`;
  }
}

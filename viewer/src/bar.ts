// The timeline: bands, chapters, markers and bookmarks over time, and a slider for all of it.
import { clockText, colourOf, el, token } from './dom';
import type { App } from './app';
import type { Marker } from './types';

const TOP = 6; // markers
const TRACK = 30;
const EDGE = 8; // room for half a marker on both sides
const NEAR_PX = 14;

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
  private drag: { x: number; time: number; resume: boolean } | null = null;

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
    c.fillRect(this.x(0), TRACK, this.x(limit) - this.x(0), 8);
    this.drawBands(c, limit);
    c.fillStyle = token('accent');
    c.fillRect(this.x(0), TRACK + 2, this.x(clock.time) - this.x(0), 4);
    this.drawLoop(c);
    this.drawUnread(c);
    this.drawChapters(c, limit, height);
    this.drawMarkers(c, limit);
    c.fillStyle = token('text');
    c.fillRect(this.x(clock.time) - 1, 4, 2, TRACK + 14);
    c.beginPath();
    c.arc(this.x(clock.time), TRACK + 4, 7, 0, 7);
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
    c.fillStyle = '#d55e00';
    for (const band of this.app.timeline.bands ?? []) {
      if (band.t0 > limit) continue;
      c.globalAlpha = 0.15 + 0.45 * Math.min(1, Math.max(0, band.level));
      const end = Math.min(band.t1, limit);
      if (band.kind === 'pause') this.hatch(c, this.x(band.t0), this.x(end), token('dim'));
      else c.fillRect(this.x(band.t0), TRACK - 6, Math.max(2, this.x(end) - this.x(band.t0)), 20);
    }
    c.globalAlpha = 1;
  }

  private drawLoop(c: CanvasRenderingContext2D) {
    const { loopFrom, loopTo, duration } = this.app.clock;
    if (loopFrom === null && loopTo === null) return;
    c.strokeStyle = token('focus');
    c.lineWidth = 2;
    const a = this.x(loopFrom ?? 0);
    c.strokeRect(a, TRACK - 3, this.x(loopTo ?? duration) - a, 14);
  }

  /** What could not be read is hatched, unless its place would tell too much. */
  private drawUnread(c: CanvasRenderingContext2D) {
    const { clock, timeline } = this.app;
    if (clock.spoilerFree) return;
    for (const warning of timeline.warnings ?? []) {
      if (warning.t0 === undefined || warning.level === 'note') continue;
      const a = this.x(warning.t0);
      const b = Math.max(a + 6, this.x(warning.t1 ?? clock.duration));
      this.hatch(c, a - 6, b, token('warn'));
    }
  }
  private hatch(c: CanvasRenderingContext2D, from: number, to: number, colour: string) {
    c.save();
    c.beginPath();
    c.rect(from, TRACK - 6, to - from, 20);
    c.clip();
    c.globalAlpha = 1;
    c.strokeStyle = colour;
    c.lineWidth = 1.5;
    for (let x = from - 24; x < to + 20; x += 5) {
      c.beginPath();
      c.moveTo(x, TRACK + 14);
      c.lineTo(x + 20, TRACK - 6);
      c.stroke();
    }
    c.restore();
  }

  private drawChapters(c: CanvasRenderingContext2D, limit: number, height: number) {
    c.font = '11px system-ui, sans-serif';
    c.textBaseline = 'bottom';
    let free = -Infinity;
    for (const chapter of this.app.timeline.chapters ?? []) {
      if (chapter.t0 > limit) continue;
      const x = this.x(chapter.t0);
      c.fillStyle = token('dim');
      c.fillRect(Math.round(x), TRACK - 4, 1, 20);
      if (x + 3 < free) continue;
      c.fillText(chapter.name, x + 3, height);
      free = x + 10 + c.measureText(chapter.name).width;
    }
  }

  private drawMarkers(c: CanvasRenderingContext2D, limit: number) {
    this.clusters = [];
    const { markers } = this.app;
    for (const marker of markers) {
      if (marker.t > limit) break;
      const x = this.x(marker.t);
      const last = this.clusters[this.clusters.length - 1];
      if (last && x - last.x < NEAR_PX) last.markers.push(marker);
      else this.clusters.push({ x, markers: [marker] });
    }
    for (const cluster of this.clusters) this.drawCluster(c, cluster);
    for (const mark of this.app.bookmarks.list) {
      if (mark.t > limit) continue;
      const x = this.x(mark.t);
      c.fillStyle = token('focus');
      c.beginPath();
      c.moveTo(x - 4, TOP - 2);
      c.lineTo(x + 4, TOP - 2);
      c.lineTo(x + 4, TOP + 12);
      c.lineTo(x, TOP + 8);
      c.lineTo(x - 4, TOP + 12);
      c.fill();
    }
  }

  private drawCluster(c: CanvasRenderingContext2D, { x, markers }: Cluster) {
    const first = markers.reduce((a, b) => (b.weight > a.weight ? b : a));
    const size = first.weight >= 4 ? 6 : first.weight >= 2 ? 5 : 4;
    const colour = first.player >= 0 ? colourOf(this.app.slotOf(first.player)) : token('text');
    c.fillStyle = c.strokeStyle = colour;
    c.beginPath();
    if (first.weight >= 4) {
      c.lineWidth = 2.5;
      c.moveTo(x - size, TOP);
      c.lineTo(x + size, TOP + 2 * size);
      c.moveTo(x + size, TOP);
      c.lineTo(x - size, TOP + 2 * size);
      c.stroke();
    } else {
      c.moveTo(x, TOP + 4 + 2 * size);
      c.lineTo(x - size, TOP + 4);
      c.lineTo(x + size, TOP + 4);
      c.fill();
    }
    if (markers.length > 1) {
      c.fillStyle = token('dim');
      c.font = '9px system-ui, sans-serif';
      c.textBaseline = 'top';
      c.fillText(String(markers.length), x + size + 1, TOP - 4);
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
      const time = near && event.offsetY < TRACK - 8 ? near.markers[0].t : this.timeAt(x);
      this.drag = { x: event.clientX, time, resume: clock.playing };
      clock.pause();
      clock.seek(time);
    });
    element.addEventListener('pointermove', (event) => {
      if (!this.drag) return this.hover(event.offsetX);
      // Away from the bar the same way means less time.
      const box = element.getBoundingClientRect();
      const off = Math.max(0, box.top - event.clientY, event.clientY - box.bottom);
      const fine = off > 120 ? 16 : off > 60 ? 4 : 1;
      const perPixel = (this.to - this.from) / this.width;
      this.drag.time += ((event.clientX - this.drag.x) * perPixel) / fine;
      this.drag.x = event.clientX;
      clock.seek(this.drag.time);
    });
    const release = () => {
      if (this.drag?.resume) clock.play();
      this.drag = null;
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
    return this.clusters.find((c) => Math.abs(c.x - x) < NEAR_PX);
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

// Plots with a common time axis. A plot is drawn when its data or size changes; during playback
// only a line over it moves, because drawing six plots per frame halves the frame rate.
import uPlot from 'uplot';
import { countUpTo, numbers, valueAt, type Numbers } from './columns';
import { clockText, colourOf, dashOf, el, numberText, paletteOf, put, restyle, token } from './dom';
import { hatch } from './hatch';
import type { App, Replay } from './app';
import type { Loader } from './loader';
import type { Plot, Series } from './types';

const TIME_STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200];
const HEIGHT = 128;
const TABLE_ROWS = 60;

interface Curve {
  name: string;
  slot: number;
  colour: () => string;
  series: Series;
  replay: number;
  t: Numbers;
  v: Numbers;
  lo?: Numbers;
  hi?: Numbers;
  offset: number;
  lane: number;
}
interface Drawn {
  plot: Plot;
  curves: Curve[];
  chart: uPlot;
  head: HTMLElement;
  values: HTMLElement[];
  element: HTMLElement;
  close: [number, number] | null; // the zoomed range
}

/** More lanes than this need no legend; a name on an axis has this many letters. */
const LEGEND_MAX = 6;
const LANE_NAME = 16;
const clipped = (name: string) => (name.length > LANE_NAME ? `${name.slice(0, LANE_NAME - 1)}…` : name);

export class Plots {
  readonly element = el('div', { class: 'plots' });
  private drawn: Drawn[] = [];
  private cutAt = Infinity; // the end of the data shown last
  private asked = new Set<Series>();
  private full = new WeakMap<Series, { t: Numbers; v: Numbers }>();

  constructor(
    private app: App,
    private loader: Loader,
  ) {
    this.build();
  }

  private build() {
    for (const d of this.drawn) d.chart.destroy();
    this.drawn = [];
    this.element.replaceChildren();
    const gap = this.app.compared(true).length > 1 ? this.app.page.compare?.gap : undefined;
    if (gap) this.add(gap, this.gapCurves(gap));
    for (const plot of this.app.timeline.plots ?? []) {
      const curves = this.curvesOf(plot);
      if (curves.some((c) => c.t.length)) this.add(plot, curves);
    }
    if (!this.drawn.length)
      this.element.append(el('p', { class: 'none' }, 'This replay has nothing to plot.'));
  }

  /** The gap uses the time of the first replay and the colour of the other. */
  private gapCurves(gap: Plot): Curve[] {
    return gap.series.map((s) => ({ ...this.pointsOf(s), name: s.name, slot: 1, colour: () => paletteOf(1), series: s, replay: 0, offset: 0, lane: -1 }));
  }

  private pointsOf(s: Series) {
    return { t: numbers(s.t), v: numbers(s.v), lo: s.lo && numbers(s.lo), hi: s.hi && numbers(s.hi) };
  }

  private curvesOf(plot: Plot): Curve[] {
    const curve = (replay: Replay, s: Series, i: number, count: number): Curve => {
      // Lanes and stacks show kinds, not players, so game colours do not apply.
      const kinds = plot.kind === 'lanes' || plot.kind === 'stack';
      const slot = replay.index || (kinds ? i : this.app.slotOf(s.player ?? i));
      return {
        ...this.pointsOf(s),
        name: replay.index ? `${s.name} (${replay.label})` : s.name,
        slot,
        colour: () => (replay.index || kinds || s.player === undefined ? paletteOf(slot) : colourOf(slot)),
        series: s,
        replay: replay.index,
        offset: replay.offset,
        lane: plot.kind === 'lanes' ? count - 1 - i : -1,
      };
    };
    const curves: Curve[] = [];
    for (const replay of this.app.compared(plot.kind !== 'lanes' && plot.kind !== 'stack')) {
      const same = replay.timeline.plots?.find((p) => p.id === plot.id);
      same?.series.forEach((s, i) => curves.push(curve(replay, s, i, same.series.length)));
    }
    return curves;
  }

  /** Replays were shifted, shown or hidden. */
  rebuild() {
    this.cutAt = Infinity;
    this.build();
    this.update();
  }

  private add(plot: Plot, curves: Curve[]) {
    const values = curves.map(() => el('b'));
    const legend = el('div', { class: 'legend' });
    curves.forEach((curve, i) => {
      const swatch = el('i');
      swatch.style.borderTopColor = curve.colour();
      swatch.style.borderTopStyle = dashOf(curve.slot).length ? 'dashed' : 'solid';
      legend.append(el('span', { title: curve.name }, swatch, el('em', {}, curve.name), ' ', values[i]));
    });
    const holder = el('div', { class: 'chart' });
    const table = el('details', {}, el('summary', {}, 'Show as table'));
    const title = el('h2', {}, plot.title, el('small', {}, plot.unit));
    // Many lanes have their names on the axis only.
    const named = plot.kind === 'lanes' && curves.length > LEGEND_MAX;
    const element = el('figure', { class: 'plot', 'data-plot': plot.id }, title, holder, named ? '' : legend, table);
    element.setAttribute('aria-label', plot.title);
    this.element.append(element);
    const chart = new uPlot(this.options(plot, curves), this.data(plot, curves), holder);
    const head = el('div', { class: 'playhead' });
    chart.over.append(head);
    const drawn: Drawn = { plot, curves, chart, head, values, element, close: null };
    this.drawn.push(drawn);
    this.listen(drawn);
    table.addEventListener('toggle', () => this.fillTable(drawn, table));
    this.describe(drawn);
  }

  private describe({ plot, chart }: Drawn) {
    const words = this.app.clock.spoilerFree ? '' : `: ${plot.summary}`;
    chart.root.setAttribute('role', 'img');
    chart.root.setAttribute('aria-label', plot.title + words);
  }

  // ---- data

  /**
   * The points of one curve up to a time; buckets give their minimum and maximum in turn. A zoomed
   * range has every point, if loaded, plus one on each side.
   */
  private points(curve: Curve, plot: Plot, limit: number, close: [number, number] | null): [number[], (number | null)[]] {
    const full = close && this.full.get(curve.series);
    if (full) {
      const [from, to] = close.map((time) => time - curve.offset);
      const first = Math.max(0, countUpTo(full.t, from) - 1);
      const last = countUpTo(full.t, Math.min(to, limit - curve.offset)) + 1;
      const part = { t: slice(full.t, first, last), v: slice(full.v, first, last) };
      return this.points({ ...curve, ...part, lo: undefined, hi: undefined }, plot, limit, null);
    }
    const t: number[] = [];
    const v: (number | null)[] = [];
    const put = (time: number, value: number) => {
      t.push(time);
      const shown = curve.lane >= 0 ? curve.lane + 0.15 + 0.7 * Math.min(1, value) : value;
      v.push(Number.isNaN(value) ? null : shown);
    };
    const { length } = curve.t;
    for (let i = 0; i < length; i++) {
      const time = curve.t[i] + curve.offset;
      if (time > limit) break;
      if (curve.lo && curve.hi && curve.lo[i] !== curve.hi[i]) {
        // The last bucket is as long as the one before it.
        const next = i + 1 < length ? curve.t[i + 1] + curve.offset : 2 * time - (curve.t[i - 1] ?? 0) - curve.offset;
        if (next > limit && i + 1 < length) break; // it also covers time after the limit
        put(time, curve.lo[i]);
        if (next > time) put(time + (next - time) / 2, curve.hi[i]);
      } else put(time, curve.v[i]);
    }
    const holds = plot.kind === 'step' || plot.kind === 'lanes';
    const end = Math.min(limit, this.app.clock.duration);
    if (holds && t.length && t[t.length - 1] < end) {
      t.push(end);
      v.push(v[v.length - 1]);
    }
    return [t, v];
  }

  private data(plot: Plot, curves: Curve[], close: [number, number] | null = null): uPlot.AlignedData {
    const { limit } = this.app.clock;
    const tables = curves.map((curve) => this.points(curve, plot, limit, close) as unknown as uPlot.AlignedData);
    if (!tables.length) return [[]];
    const data = tables.length > 1 ? uPlot.join(tables) : tables[0];
    return plot.kind === 'stack' ? stacked(data) : data;
  }

  private options(plot: Plot, curves: Curve[]): uPlot.Options {
    const axis = {
      stroke: () => token('dim'),
      grid: { stroke: () => token('line'), width: 1 },
      ticks: { stroke: () => token('line'), width: 1, size: 4 },
      font: '11px system-ui, sans-serif',
      gap: 4,
    };
    const { stepped, bars, linear } = uPlot.paths;
    const paths =
      plot.kind === 'step' || plot.kind === 'lanes'
        ? stepped!({ align: 1 })
        : plot.kind === 'bars' || plot.kind === 'stack'
          ? bars!({ size: [0.8, 40], align: plot.kind === 'stack' ? 1 : 0 })
          : linear!();
    const lanes = plot.kind === 'lanes' ? curves.map((c) => c.name).reverse() : null;
    return {
      width: this.width(),
      height: lanes ? 30 + 20 * lanes.length + 34 : HEIGHT,
      legend: { show: false },
      cursor: { sync: { key: 'time' }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      scales: {
        x: { time: false, range: (u, min, max) => this.range(u, min, max) },
        y: {
          range: (u, min, max) => {
            if (lanes) return [0, lanes.length];
            if (plot.y && !(this.app.clock.spoilerFree && plot === this.app.page.compare?.gap)) return plot.y;
            if (min === null || max === null) return [0, 1];
            if (plot.kind === 'line') [min, max] = withNeighbours(u, min, max);
            const pad = (max - min || Math.abs(max) || 1) * 0.08;
            const fromZero = min >= 0 && (min < max / 2 || plot.kind === 'bars' || plot.kind === 'stack');
            return [fromZero ? 0 : min - pad, max + pad];
          },
        },
      },
      axes: [
        {
          ...axis,
          size: 28,
          space: 60,
          incrs: TIME_STEPS,
          values: (_u, ticks, _a, _s, step) => ticks.map((t) => clockText(t, step < 1 ? 1 : 0)),
        },
        {
          ...axis,
          size: lanes?.some((name) => name.length > 6) ? 118 : 46,
          space: lanes ? 1 : 24,
          values: (_u, ticks) => ticks.map((v) => (lanes ? clipped(lanes[v - 0.5] ?? '') : short(v))),
          splits: lanes ? () => lanes.map((_, i) => i + 0.5) : undefined,
        },
      ],
      series: [
        {},
        ...curves.map((curve) => ({
          label: curve.name,
          stroke: curve.colour,
          dash: lanes ? undefined : dashOf(curve.slot),
          width: 1.5,
          fill: plot.kind === 'bars' ? () => `${curve.colour()}99` : plot.kind === 'stack' ? curve.colour : undefined,
          paths,
          points: { show: false },
        })),
      ],
      hooks: { draw: [(u) => this.drawUnread(u), () => this.update()], setSelect: [(u) => this.selected(u)] },
    };
  }

  /** Unreadable ranges are hatched, as on the timeline. */
  private drawUnread(u: uPlot) {
    const { clock, timeline } = this.app;
    if (clock.spoilerFree) return;
    const { left, top, width, height } = u.bbox;
    const ratio = devicePixelRatio;
    for (const warning of timeline.warnings ?? []) {
      if (warning.t0 === undefined || warning.level === 'note') continue;
      const at = (time: number) => Math.min(left + width, Math.max(left, u.valToPos(time, 'x', true)));
      const to = at(warning.t1 ?? clock.duration);
      const from = Math.max(left, Math.min(at(warning.t0), to - 6 * ratio));
      if (to > left) hatch(u.ctx, from, to, top, top + height, token('warn'), 5 * ratio);
    }
  }

  private range(u: uPlot, min: number | null, max: number | null): [number, number] {
    const drawn = this.drawn.find((d) => d.chart === u);
    if (drawn?.close && min !== null && max !== null) return [min, max];
    return [0, Math.max(1e-3, this.app.clock.horizon)];
  }

  private width(): number {
    return Math.max(240, (this.element.clientWidth || 360) - 4);
  }

  // ---- keeping up

  /** New limits: spoiler-free data grows, the axis gets longer. */
  cut(force = false) {
    const { limit } = this.app.clock;
    if (!force && Math.abs(limit - this.cutAt) < 0.25 && limit >= this.cutAt) return;
    if (!force && limit === this.cutAt) return;
    this.cutAt = limit;
    for (const d of this.drawn) {
      d.chart.setData(this.data(d.plot, d.curves, d.close));
      this.describe(d);
    }
  }

  resize() {
    for (const d of this.drawn) {
      const width = this.width();
      if (width !== d.chart.width) d.chart.setSize({ width, height: d.chart.height });
    }
  }

  redraw() {
    for (const d of this.drawn) d.chart.redraw();
    this.rebuild();
  }

  /** Moves the lines to the current time and shows the values there. */
  update() {
    const { time } = this.app.clock;
    for (const d of this.drawn) {
      const x = d.chart.valToPos(time, 'x');
      // The size that the chart drew with: asking the page for it would lay the page out.
      const inside = x >= -1 && x <= d.chart.bbox.width / uPlot.pxRatio + 1;
      restyle(d.head, 'visibility', inside ? '' : 'hidden');
      if (inside) restyle(d.head, 'transform', `translateX(${x.toFixed(1)}px)`);
      if (d.plot.kind === 'lanes') continue;
      d.curves.forEach((curve, i) => {
        const { t, v } = (d.close && this.full.get(curve.series)) || curve;
        const value = valueAt(t, v, time - curve.offset);
        const text = value === null ? '' : numberText(value);
        put(d.values[i], text);
      });
    }
  }

  private listen(d: Drawn) {
    let downX = 0;
    d.chart.over.addEventListener('pointerdown', (event) => (downX = event.clientX));
    d.chart.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - downX) <= 4) this.app.clock.seek(d.chart.posToVal(event.offsetX, 'x'));
    });
    d.chart.over.addEventListener('dblclick', () => this.zoom(null, null));
  }

  /** A range was selected in one plot: zooms all of them. */
  private selected(u: uPlot) {
    const { left, width } = u.select;
    if (width <= 4) return;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.zoom(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'));
  }

  zoom(min: number | null, max: number | null) {
    const close: [number, number] | null = min !== null && max !== null ? [min, max] : null;
    for (const d of this.drawn) {
      const before = d.close;
      d.close = close;
      if ((before || close) && d.curves.some((c) => this.full.has(c.series))) d.chart.setData(this.data(d.plot, d.curves, close), false);
      d.chart.setScale('x', { min: min ?? 0, max: max ?? this.app.clock.horizon });
      if (close) this.fetchFull(d);
    }
  }

  /** Requests all points of a bucketed series once; without an answer the buckets stay. */
  private fetchFull(d: Drawn) {
    for (const { series, replay } of d.curves) {
      if (!series.full || this.loader.embedded || this.asked.has(series)) continue;
      this.asked.add(series);
      this.loader
        .series(replay, series.full)
        .then(({ t, v }) => {
          this.full.set(series, { t: numbers(t), v: numbers(v) });
          for (const other of this.drawn)
            if (other.close && other.curves.some((c) => c.series === series)) this.zoom(...other.close);
        })
        .catch(() => undefined);
    }
  }

  private fillTable(d: Drawn, details: HTMLDetailsElement) {
    details.querySelector('table')?.remove();
    if (!details.open) return;
    const { limit } = this.app.clock;
    const rows = el('tbody');
    for (let i = 0; i <= TABLE_ROWS; i++) {
      const time = (limit * i) / TABLE_ROWS;
      const cells = d.curves.map((curve) => {
        const value = valueAt(curve.t, curve.v, time - curve.offset);
        return el('td', {}, value === null ? '' : numberText(value));
      });
      rows.append(el('tr', {}, el('td', {}, clockText(time)), ...cells));
    }
    const heads = ['Time', ...d.curves.map((c) => c.name)].map((name) => el('th', { scope: 'col' }, name));
    details.append(el('table', { class: 'rows' }, el('thead', {}, el('tr', {}, ...heads)), rows));
  }

  /** For tests: what a plot shows. */
  inspect(id: string) {
    const d = this.drawn.find((one) => one.plot.id === id);
    if (!d) return null;
    const { min, max } = d.chart.scales.x;
    return { min, max, data: d.chart.data, box: d.chart.over.getBoundingClientRect() };
  }
  get ids(): string[] {
    return this.drawn.map((d) => d.plot.id);
  }
}

/** Includes the points just outside the range, so that lines reach the edges. */
function withNeighbours(u: uPlot, min: number, max: number): [number, number] {
  const [first, last] = u.series[0].idxs ?? [0, -1];
  for (const values of u.data.slice(1))
    for (const i of [first - 1, last + 1]) {
      const value = values[i];
      if (typeof value !== 'number') continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  return [min, max];
}

const slice = (values: Numbers, from: number, to: number): Numbers => Array.prototype.slice.call(values, from, to);

/** Stacked: the first is drawn first and is the tallest. */
function stacked([times, ...rows]: uPlot.AlignedData): uPlot.AlignedData {
  const tops = rows.map((row) => Array.from(row, (v) => v ?? 0));
  for (let i = tops.length - 2; i >= 0; i--) tops[i].forEach((v, k) => (tops[i][k] = v + tops[i + 1][k]));
  return [times, ...tops];
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${numberTrim(value / 1e6)}M`;
  if (size >= 1e4) return `${numberTrim(value / 1e3)}k`;
  return numberTrim(value);
}
const numberTrim = (value: number) => String(Number(value.toFixed(2)));

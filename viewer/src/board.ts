// A run in large: its timer, speed, keys and last jump. Reading is apart from showing, so that clips
// show the same.
import { cell, countUpTo, numbers, valueAt, type Numbers } from './columns';
import { button, clockText, el } from './dom';
import type { App } from './app';
import type { Plot, Run, Table, Timeline } from './types';

/** Speed is compared with that of a moment before; a smaller difference is none. */
const TREND_S = 0.1;
const TREND_MIN = 1;
const JUMP_SHOWN_S = 6;

type Trend = 'gain' | 'loss' | 'even';
const SIGNS: Record<Trend, string> = { gain: '▲', loss: '▼', even: '' };

export interface Reading {
  timer: string;
  speed: string;
  unit: string;
  trend: Trend;
  keys: { name: string; on: boolean }[];
  jump: string[];
}

interface Curve {
  name: string;
  t: Numbers;
  v: Numbers;
}

export class RunReader {
  private timer: Curve | undefined;
  private speed: Curve | undefined;
  private sync: Curve | undefined;
  private keys: Curve[];
  private unit: string;
  private jumps: Table | undefined;
  private landings: Numbers;

  constructor(
    timeline: Timeline,
    private run: Run,
  ) {
    const plot = (id: string | undefined): Plot | undefined => timeline.plots?.find((p) => p.id === id);
    const curves = (id: string | undefined): Curve[] => (plot(id)?.series ?? []).map((s) => ({ name: s.name, t: numbers(s.t), v: numbers(s.v) }));
    [this.timer] = curves(run.timer);
    [this.speed] = curves(run.speed);
    [this.sync] = curves(run.sync);
    this.keys = curves(run.keys);
    this.unit = plot(run.speed)?.unit ?? '';
    this.jumps = timeline.tables?.find((t) => t.id === run.jumps);
    const times = this.jumps?.columns.find((c) => c.id === this.jumps!.time);
    this.landings = times ? numbers(times.data) : [];
  }

  /** What the timer shows; before the run, how long it is until its start. */
  private timerAt(time: number): string {
    const { t0, t1 } = this.run;
    if (t0 === undefined || !this.timer) return '';
    if (time < t0) return clockText(time - t0, 2);
    const shown = valueAt(this.timer.t, this.timer.v, t1 === undefined ? time : Math.min(time, t1));
    return shown === null ? '' : clockText(shown, 3);
  }

  private jumpAt(time: number): string[] {
    const row = countUpTo(this.landings, time + 1e-6) - 1;
    if (row < 0 || time - this.landings[row] > JUMP_SHOWN_S) return [];
    const words = (id: string) => {
      const column = this.jumps!.columns.find((c) => c.id === id);
      return column ? cell(column.data, row) : null;
    };
    const measured = (id: string, digits: number, before: string, after: string) => {
      const value = words(id);
      return typeof value === 'number' ? [`${before}${value.toFixed(digits)}${after}`] : [];
    };
    const at = this.sync ? countUpTo(this.sync.t, this.landings[row] + 1e-3) - 1 : -1;
    const hasSync = at >= 0 && Math.abs(this.sync!.t[at] - this.landings[row]) < 1e-3;
    return [
      [words('type'), words('tier')].filter((word) => word && word !== 'none').join(', ').replaceAll('_', ' '),
      ...measured('distance', 1, '', ' u'),
      ...(hasSync ? [`sync ${this.sync!.v[at].toFixed(0)} %`] : []),
      ...measured('speed', 0, 'top ', ' u/s'),
      ...measured('height', 1, 'height ', ' u'),
    ].filter(Boolean);
  }

  read(time: number): Reading {
    const speedAt = (t: number) => (this.speed ? valueAt(this.speed.t, this.speed.v, t) : null);
    const [now, before] = [speedAt(time), speedAt(time - TREND_S)];
    const change = now !== null && before !== null ? now - before : 0;
    return {
      timer: this.timerAt(time),
      speed: now === null ? '' : now.toFixed(0),
      unit: this.unit,
      trend: change > TREND_MIN ? 'gain' : change < -TREND_MIN ? 'loss' : 'even',
      keys: this.keys.map(({ name, t, v }) => ({ name, on: Boolean(valueAt(t, v, time)) })),
      jump: this.jumpAt(time),
    };
  }
}

const put = (element: HTMLElement, text: string) => {
  if (element.textContent !== text) element.textContent = text;
};

export class Board {
  readonly element: HTMLElement;
  private reader: RunReader;
  private timer = el('b', { class: 'timer' });
  private speed = el('b');
  private trend = el('i');
  private speedBox: HTMLElement;
  private pad = el('div', { class: 'pad' });
  private jump = el('div', { class: 'lastjump' });
  private go: HTMLButtonElement;

  constructor(
    private app: App,
    private run: Run,
  ) {
    this.reader = new RunReader(app.timeline, run);
    const { unit, keys } = this.reader.read(0);
    this.speedBox = el('div', { class: 'velocity' }, this.speed, el('small', {}, ` ${unit} `), this.trend);
    for (const { name } of keys) this.pad.append(el('span', { 'data-key': name }, name));
    this.go = button('Jump to run', 'Jump to the start of the run', () => app.toRun(), { class: 'torun' });
    const shown = el('div', { class: 'readings', 'aria-hidden': 'true' }, this.timer, this.speedBox, this.pad, this.jump);
    this.element = el('div', { class: 'board' }, this.go, shown);
  }

  read(time: number): Reading {
    return this.reader.read(time);
  }
  update() {
    const { time } = this.app.clock;
    const reading = this.reader.read(time);
    put(this.timer, reading.timer);
    put(this.speed, reading.speed);
    put(this.trend, SIGNS[reading.trend]);
    this.speedBox.dataset.trend = reading.trend;
    reading.keys.forEach(({ on }, i) => (this.pad.children[i] as HTMLElement).classList.toggle('on', on));
    put(this.jump, reading.jump.join(' · '));
    // Offered where the run is not.
    const { t0, t1 = Infinity } = this.run;
    this.go.hidden = t0 === undefined || (time >= t0 - 0.05 && time <= t1);
  }
}

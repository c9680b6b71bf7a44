// The chips in the corner of the stage: who is there, in which colour, and how they do. Runs of other
// replays have one each, with the gap to them.
import { cell, countUpTo, numbers, valueAt } from './columns';
import { button, el, isPhone, paletteOf, put, shapeOf, swatchOf } from './dom';
import type { App, Replay } from './app';
import type { Comparison, Hud, Plot, Timeline } from './types';

const PLAYERS_MAX = 8;

type Reader = (time: number) => string;

interface Chip {
  slot: number;
  name: string;
  element: HTMLElement;
  value: HTMLElement;
  more: HTMLElement;
  first: string;
  replay: Replay;
  readers: Reader[];
}

function readerOf({ plot, series, suffix = '', t, text }: Hud, plots: Plot[]): Reader {
  if (t && text)
    return (time) => {
      const row = countUpTo(numbers(t), time + 1e-6) - 1;
      return row < 0 ? '' : `${cell(text, row) ?? ''}${suffix}`;
    };
  const list = plots.find((p) => p.id === plot)?.series ?? [];
  const curves = list.map((s) => ({ name: s.name, t: numbers(s.t), v: numbers(s.v) }));
  const now = (i: number, time: number) => (curves[i] ? valueAt(curves[i].t, curves[i].v, time) : null);
  if (series === undefined) return (time) => curves.filter((_, i) => now(i, time)).map((c) => c.name).join(' ');
  return (time) => {
    const value = now(series, time);
    return value === null ? '' : `${Number.isInteger(value) ? value : value.toFixed(Math.abs(value) < 100 ? 1 : 0)}${suffix}`;
  };
}

const readersOf = ({ hud = [], plots = [] }: Timeline, player: number) => hud.filter((h) => h.player === player).map((h) => readerOf(h, plots));

/** The gap to a rival at the place where the first run is now. */
function gapReader({ gap }: Comparison): Reader {
  const curve = gap?.series[0];
  if (!curve) return () => '';
  const [t, v] = [numbers(curve.t), numbers(curve.v)];
  return (time) => {
    const seconds = valueAt(t, v, time);
    return seconds === null ? '' : `${Math.abs(seconds).toFixed(2)} s ${seconds < 0 ? 'ahead' : 'behind'}`;
  };
}

export class Chips {
  readonly element = el('div', { class: 'hud' });
  private chips: Chip[] = [];
  private readers: Reader[][] = [];

  constructor(private app: App) {
    for (const player of (app.timeline.players ?? []).slice(0, PLAYERS_MAX)) {
      const first = app.timeline.hud?.find((h) => h.player === player.id)?.prefix ?? '';
      const chip = this.add(app.replays[0], player.slot, player.name, first, readersOf(app.timeline, player.id), () => app.follow(player.id));
      if (player.body === undefined) chip.disabled = true;
    }
    for (const replay of app.replays.slice(1)) this.addRival(replay);
  }

  /** A run has one player; other replays would need more room than there is. */
  private addRival(replay: Replay) {
    const { players = [], run } = replay.timeline;
    if (!run || players.length !== 1) return;
    const compared = this.app.comparisons.find((c) => c.b === replay.index);
    const [speed] = readersOf(replay.timeline, 0);
    const gap = compared ? gapReader(compared) : () => '';
    const own = (read: Reader) => (time: number) => read(time - replay.offset);
    const chip = this.add(replay, replay.index, players[0].name, replay.label, [gap, own(speed)], () => this.app.followRival(replay.index));
    chip.classList.add('rival');
    const swatch = chip.querySelector<HTMLElement>('.swatch')!;
    swatch.classList.remove('swatch'); // the colour of a replay is not one of the game's
    swatch.style.color = paletteOf(replay.index);
  }

  private add(replay: Replay, slot: number, name: string, first: string, readers: Reader[], act: () => void): HTMLButtonElement {
    const [value, more] = [el('b'), el('small')];
    const chip = button('', `Follow ${name}`, act, { class: 'chip' });
    chip.replaceChildren(swatchOf(slot, shapeOf(slot)), el('span', {}, name), value, more);
    this.element.append(chip);
    this.chips.push({ slot, name, element: chip, value, more, first, replay, readers });
    return chip;
  }

  /** The first value next to the name, the others below it. */
  update() {
    const { time } = this.app.clock;
    const alone = this.app.stage.arrangement === 'single';
    for (const { element, value, more, readers, first, replay } of this.chips) {
      element.hidden = alone && replay.index > 0;
      const texts = readers.map((read) => read(time));
      put(value, texts[0] ?? '');
      put(more, [first, ...texts.slice(1)].filter(Boolean).join(' · '));
    }
  }

  /** How much of the stage's left side they cover, in pixels. */
  get covered(): number {
    const { offsetLeft, offsetWidth } = this.element;
    return offsetWidth && !isPhone() ? 2 * offsetLeft + offsetWidth : 0;
  }

  /** How much of the stage's top they cover on a phone, in pixels. */
  get coveredAbove(): number {
    const { offsetTop, offsetHeight } = this.element;
    return offsetHeight && isPhone() ? offsetTop + offsetHeight : 0;
  }

  /** The content of a player's chip at a time. */
  valuesOf(player: number, time: number): string[] {
    return (this.readers[player] ??= readersOf(this.app.timeline, player)).map((read) => read(time)).filter(Boolean);
  }

  /** What the visible chips say. */
  texts(): { slot: number; name: string; values: string }[] {
    const { time } = this.app.clock;
    return this.chips
      .filter(({ element }) => !element.hidden)
      .map(({ slot, name, readers }) => ({ slot, name, values: readers.map((read) => read(time)).filter(Boolean).join(' · ') }));
  }
}

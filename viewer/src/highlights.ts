// What is worth watching: a list that jumps to it, and loops it for a clip.
import { button, clockText, el } from './dom';
import type { App } from './app';
import type { Highlight, Timeline } from './types';

const STARS = 5;
/** A moment is shown with a little of what led to it. */
const LEAD_S = 1;

type Chapter = NonNullable<Timeline['chapters']>[number];
/** A chapter that is a highlight says how it ends: it may be named once that was seen. */
export function mayName({ highlights = [] }: Timeline, chapter: Chapter, limit: number): boolean {
  const isHighlight = highlights.some(({ t0, text }) => t0 === chapter.t0 && text === chapter.name);
  return (isHighlight ? chapter.t1 : chapter.t0) <= limit + 1e-6;
}

export class Highlights {
  readonly element = el('div', { class: 'highlights' });
  private shown = -1;

  constructor(
    private app: App,
    private toShare: () => void,
  ) {}

  private rows(list: Highlight[]): HTMLElement[] {
    return list.map((one) => {
      const stars = Math.max(1, Math.round(one.score * STARS));
      const go = button(`${clockText(one.t)} ${one.text}`, `Watch ${one.text} at ${clockText(one.t)}`, () => this.watch(one), { class: 'go' });
      const score = el('span', { class: 'stars', role: 'img', 'aria-label': `${stars} of ${STARS}` }, '★'.repeat(stars));
      const clip = button('Clip', `Record ${one.text} as a clip`, () => this.clip(one));
      return el('li', { 'data-kind': one.kind }, go, score, clip);
    });
  }

  private watch({ t0, t }: Highlight) {
    this.app.clock.seek(Math.max(0, Math.min(t0, t - LEAD_S)));
  }

  private clip(one: Highlight) {
    const { clock } = this.app;
    clock.setLoop(one.t0, one.t1);
    this.watch(one);
    this.toShare();
  }

  /** Those that may be known. */
  update() {
    const { clock, timeline } = this.app;
    const list = (timeline.highlights ?? []).filter(({ t1 }) => t1 <= clock.limit + 1e-6);
    if (list.length === this.shown) return;
    this.shown = list.length;
    this.element.replaceChildren(...(list.length ? [el('h2', {}, 'Highlights'), el('ol', {}, ...this.rows(list))] : []));
  }
}

// The players: values now and at the end, and whom to follow.
import { button, el, hasGameColours, setGameColours, shapeOf, swatchOf, usesGameColours } from './dom';
import type { App } from './app';

export class Players {
  readonly element: HTMLElement;
  private now: HTMLElement[] = [];
  private end: HTMLElement[] = [];

  constructor(private app: App) {
    const { players = [] } = app.timeline;
    const heads = ['Player', 'Now', 'At the end', ''].map((text) => el('th', { scope: 'col' }, text || el('span', { class: 'unseen' }, 'Look at')));
    const rows = players.map((player) => {
      const [now, end] = [el('td'), el('td')];
      this.now.push(now);
      this.end.push(end);
      const team = player.team !== undefined ? el('small', {}, ` team ${player.team + 1}`) : '';
      const look = el('td', { class: 'look' });
      if (player.body !== undefined) look.append(button('Follow', `Follow ${player.name}`, () => app.follow(player.id)));
      if (player.eye !== undefined) look.append(button('Eyes', `Through the eyes of ${player.name}`, () => app.throughEyes(player.id)));
      return el('tr', {}, el('th', { scope: 'row' }, swatchOf(player.slot, shapeOf(player.slot)), ' ', player.name, team), now, end, look);
    });
    const table = el('table', { class: 'rows', 'aria-label': 'Players' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows));
    this.element = el('div', {}, hasGameColours(players) ? this.choice() : '', table);
  }

  private choice(): HTMLElement {
    const { players = [] } = this.app.timeline;
    const box = el('input', { type: 'checkbox', class: 'gamecolours', checked: usesGameColours() });
    box.addEventListener('change', () => {
      setGameColours(players, box.checked);
      this.app.applyTheme();
    });
    return el('label', { class: 'choice' }, box, ' The colours of the game');
  }

  /** Final values and outcomes are shown once the end may be known. */
  update() {
    const { clock, timeline } = this.app;
    const over = !clock.spoilerFree || clock.seen >= clock.duration;
    (timeline.players ?? []).forEach((player, i) => {
      const put = (cell: HTMLElement, values: string[]) => {
        if (cell.textContent !== values.join('')) cell.replaceChildren(...values.map((value) => el('div', {}, value)));
      };
      put(this.now[i], this.app.valuesOf(i, clock.time));
      const last = [...(player.outcome ? [player.outcome] : []), ...this.app.valuesOf(i, timeline.source.duration)];
      put(this.end[i], over ? last : ['hidden while spoiler-free']);
    });
  }
}

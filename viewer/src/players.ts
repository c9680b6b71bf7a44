// The players: values now and at the end, and whom to follow.
import { button, el, hasGameColours, setGameColours, shapeOf, swatchOf, usesGameColours } from './dom';
import type { App } from './app';
import type { Player } from './types';

const OUTCOMES = { win: 'Won', loss: 'Lost', draw: 'Draw' };
const PLACES = { win: 0, draw: 1, loss: 3 };
/** Those of whom nothing is known are between draws and losses. */
const placeOf = ({ outcome }: Player) => (outcome ? PLACES[outcome] : 2);
const TOTALS_MAX = 6;

/** Results and totals of all players in one table, winners first; the most of each kind is bold. */
function scoreboard(players: Player[]): HTMLElement | null {
  const labels = [...new Set(players.flatMap((player) => (player.totals ?? []).map(([label]) => label)))].slice(0, TOTALS_MAX);
  if (players.length < 2 || !labels.length) return null;
  const totalOf = (player: Player, label: string) => player.totals?.find(([name]) => name === label)?.[1] ?? '';
  const most = labels.map((label) => Math.max(...players.map((player) => parseFloat(totalOf(player, label)) || 0)));
  const results = players.some((player) => player.outcome);
  const heads = ['Player', ...(results ? ['Result'] : []), ...labels].map((text) => el('th', { scope: 'col' }, text));
  const rows = [...players].sort((a, b) => placeOf(a) - placeOf(b)).map((player) => {
    const who = el('th', { scope: 'row' }, swatchOf(player.slot, shapeOf(player.slot)), ' ', player.name);
    const result = results ? [el('td', {}, player.outcome ? el('b', { class: `outcome ${player.outcome}` }, OUTCOMES[player.outcome]) : '')] : [];
    const cells = labels.map((label, i) => {
      const text = totalOf(player, label);
      return el('td', { class: 'number' }, most[i] > 0 && parseFloat(text) === most[i] ? el('b', {}, text) : text);
    });
    return el('tr', {}, who, ...result, ...cells);
  });
  return el('table', { class: 'rows scores', 'aria-label': 'Scoreboard' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows));
}

export class Players {
  readonly element: HTMLElement;
  private now: HTMLElement[] = [];
  private end: HTMLElement[] = [];
  private result = el('p', { class: 'resultline' });
  private scores: HTMLElement | null;
  private wide = el('div', { class: 'wide' });

  constructor(private app: App) {
    const { players = [] } = app.timeline;
    const heads = ['Player', 'Now', ''].map((text) => el('th', { scope: 'col' }, text || el('span', { class: 'unseen' }, 'Look at')));
    const rows = players.flatMap((player) => {
      const [now, end] = [el('td'), el('td', { colspan: 3, 'aria-label': `Result and totals of ${player.name}` })];
      this.now.push(now);
      this.end.push(end);
      const side = [player.faction, player.team !== undefined ? `team ${player.team + 1}` : ''].filter(Boolean).join(', ');
      const team = side ? el('small', {}, ` ${side}`) : '';
      const look = el('td', { class: 'look' });
      if (player.body !== undefined) look.append(button('Follow', `Follow ${player.name}`, () => app.follow(player.id)));
      if (player.eye !== undefined) look.append(button('Eyes', `Through the eyes of ${player.name}`, () => app.throughEyes(player.id)));
      const who = el('th', { scope: 'row' }, swatchOf(player.slot, shapeOf(player.slot)), ' ', player.name, team);
      return [el('tr', {}, who, now, look), el('tr', { class: 'ends' }, end)];
    });
    const table = el('table', { class: 'rows', 'aria-label': 'Players' }, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows));
    this.scores = scoreboard(players);
    this.element = el('div', {}, this.result, this.wide, hasGameColours(players) ? this.choice() : '', table);
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

  /** Results and totals are shown once the end may be known. */
  update() {
    const { clock, timeline } = this.app;
    const over = this.app.isOver();
    const put = (cell: HTMLElement, values: HTMLElement[]) => {
      if (cell.textContent !== values.map((value) => `${value.textContent} `).join('')) cell.replaceChildren(...values.flatMap((value) => [value, ' ']));
    };
    const line = (text: string) => el('div', {}, text);
    const word = (text: string) => el('span', {}, text);
    (timeline.players ?? []).forEach((player, i) => {
      put(this.now[i], this.app.valuesOf(i, clock.time).map(line));
      const values = this.app.valuesOf(i, timeline.source.duration);
      const last = values.length ? [el('span', { class: 'sum' }, el('span', {}, 'At the end'), ` ${values.join(', ')}`)] : [];
      const totals = (this.scores ? [] : (player.totals ?? [])).map(([label, text]) => el('span', { class: 'sum' }, el('span', {}, label), ' ', el('b', {}, text)));
      const outcome = player.outcome ? [el('b', { class: `outcome ${player.outcome}` }, OUTCOMES[player.outcome])] : [];
      put(this.end[i], over ? [...outcome, ...last, ...totals] : [word('Result and totals are hidden while spoiler-free')]);
    });
    if (this.scores && (this.wide.childElementCount > 0) !== over) this.wide.replaceChildren(...(over ? [this.scores] : []));
    const result = over ? (timeline.source.result ?? '') : '';
    if (this.result.textContent !== result) this.result.textContent = result;
  }
}

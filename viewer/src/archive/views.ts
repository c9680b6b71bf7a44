// What the views share: links, times, and plain tables that show more when asked.
import { clockText, el } from '../dom';
import { minuteText, type Archive } from './data';

/** Where links lead, and what may be told. */
export interface Site {
  archive: Archive;
  /** Files on a web host: nothing makes pages when they are asked for. */
  isStatic: boolean;
  spoilerFree(): boolean;
}

/** Game names, names of players and files can be in any script and direction. */
export const bdi = (text: string) => el('bdi', {}, text);

export const timeText = (seconds: number) => clockText(seconds, 3);

export function pageLink(site: Site, row: number, text: string): HTMLElement {
  const page = site.archive.page(row);
  if (!page) return bdi(text);
  return el('a', { href: `r/${page}/${site.spoilerFree() ? '?spoiler-free' : ''}` }, bdi(text));
}

export function playerLink(site: Site, person: number): HTMLElement {
  return el('a', { href: `#player=${encodeURIComponent(site.archive.keys[person])}` }, bdi(site.archive.people[person]));
}

export function players(site: Site, row: number): (Node | string)[] {
  return site.archive.peopleOf(row).flatMap((person, i) => [...(i ? [', '] : []), playerLink(site, person)]);
}

export const dateOf = (archive: Archive, row: number) => (archive.date[row] < 0 ? '' : minuteText(archive.date[row]));

/** How a replay ended: the time of a run, or who won. */
export function resultText(archive: Archive, row: number): string {
  if (archive.time[row] >= 0) {
    const teleports = archive.teleports[row];
    return `${timeText(archive.time[row])} ${teleports > 0 ? `${teleports} TP` : 'Pro'}`;
  }
  const winners = archive.seatsOf(row).filter((seat) => seat.won);
  const won = winners.length ? `${winners.map((seat) => archive.people[seat.person]).join(', ')} won` : '';
  const result = archive.text('result', row);
  return result && won && !result.includes('won') ? `${result}, ${won}` : result || won;
}

export type Cell = Node | string | (Node | string)[];

const STEP = 100;

/** A table with the first hundred rows, and a button for more. */
export function longTable(caption: string, titles: string[], count: number, cells: (index: number) => Cell[]): HTMLElement {
  const body = el('tbody');
  const more = el('button', { type: 'button', onclick: () => grow() }, 'Show more');
  const grow = () => {
    const from = body.childElementCount;
    for (let i = from; i < Math.min(count, from + STEP); i++) {
      body.append(el('tr', {}, ...cells(i).map((cell, k) => el('td', { 'data-title': titles[k] }, ...(Array.isArray(cell) ? cell : [cell])))));
    }
    more.hidden = body.childElementCount >= count;
  };
  grow();
  const head = el('thead', {}, el('tr', {}, ...titles.map((title) => el('th', { scope: 'col' }, title))));
  return el('div', { class: 'long' }, el('table', {}, el('caption', { class: 'unseen' }, caption), head, body), more);
}

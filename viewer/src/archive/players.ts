// The list of players, and the page of one: personal bests, and progress over time.
import { el } from '../dom';
import { chart, type Point } from './chart';
import { dayText, type Archive } from './data';
import { bdi, dateOf, longTable, pageLink, playerLink, resultText, timeText, type Site } from './views';

interface Tally {
  person: number;
  rows: number[];
  won: number;
  last: number;
}

/** Rows of each player, latest first. */
function tally(archive: Archive): Tally[] {
  const all = archive.people.map((_, person): Tally => ({ person, rows: [], won: 0, last: -1 }));
  for (let row = 0; row < archive.count; row++) {
    for (const { person, won } of archive.seatsOf(row)) {
      const one = all[person];
      one.rows.push(row);
      one.won += Number(won);
      one.last = Math.max(one.last, archive.date[row]);
    }
  }
  return all.filter((one) => one.rows.length && !archive.bots.has(one.person));
}

export function playersView(site: Site): HTMLElement {
  const { archive } = site;
  const all = tally(archive).sort((a, b) => b.rows.length - a.rows.length);
  const field = el('input', { type: 'search', placeholder: 'Name', 'aria-label': 'Search players', class: 'find' });
  const count = el('p', { class: 'hint', role: 'status' });
  const place = el('div');
  const show = () => {
    const word = field.value.trim().toLowerCase();
    const found = all.filter((one) => archive.people[one.person].toLowerCase().includes(word));
    const titles = ['Player', 'Game', 'Replays', ...(site.spoilerFree() ? [] : ['Won']), 'Last played'];
    count.textContent = `${found.length} player${found.length === 1 ? '' : 's'}`;
    place.replaceChildren(
      longTable('Players', titles, found.length, (i) => {
        const one = found[i];
        const won = site.spoilerFree() ? [] : [one.won ? String(one.won) : ''];
        return [playerLink(site, one.person), archive.game(one.rows[0]), String(one.rows.length), ...won, one.last < 0 ? '' : dayText(one.last)];
      }),
    );
  };
  field.addEventListener('input', show);
  show();
  return el('section', { class: 'view', 'aria-labelledby': 'players-title' }, el('h2', { id: 'players-title' }, 'Players'), field, count, place);
}

// ---- one player

/** Runs of each course, oldest first; the course with most runs first. */
function coursesOf(archive: Archive, rows: number[]): number[][] {
  const all = new Map<string, number[]>();
  for (const row of [...rows].reverse()) {
    if (!archive.isRun(row)) continue;
    const key = archive.courseKey(row);
    const list = all.get(key);
    if (list) list.push(row);
    else all.set(key, [row]);
  }
  return [...all.values()].sort((a, b) => b.length - a.length);
}

const bestOf = (archive: Archive, rows: number[]) => rows.reduce((best, row) => (archive.time[row] < archive.time[best] ? row : best));
const courseName = (archive: Archive, row: number) =>
  [archive.place(row), archive.text('mode', row), archive.kind(row), archive.text('styles', row)].filter(Boolean).join(', ');

/** Every run, and the line of personal bests. */
function runChart(archive: Archive, rows: number[]): Element {
  const dated = rows.filter((row) => archive.date[row] >= 0);
  const points = dated.map((row): Point => ({ date: archive.date[row], value: archive.time[row], text: `${dateOf(archive, row)}: ${timeText(archive.time[row])}` }));
  const line: Point[] = [];
  for (const point of points) if (!line.length || point.value < line[line.length - 1].value) line.push(point);
  if (!points.length) return el('p', { class: 'hint' }, 'These runs have no dates.');
  const first = points[0];
  const best = line[line.length - 1];
  const label = `${points.length} runs of ${courseName(archive, rows[0])}: ${timeText(first.value)} on ${dayText(first.date)}, best ${timeText(best.value)} on ${dayText(best.date)}`;
  return chart(points, line, label, timeText, dayText);
}

/** The share of matches won, after each match. */
function matchChart(archive: Archive, person: number, rows: number[]): Element | null {
  let [won, played] = [0, 0];
  const points: Point[] = [];
  for (const row of [...rows].reverse()) {
    const seats = archive.seatsOf(row);
    if (archive.date[row] < 0 || !seats.some((seat) => seat.won)) continue;
    won += Number(seats.some((seat) => seat.person === person && seat.won));
    played++;
    points.push({ date: archive.date[row], value: (100 * won) / played, text: `${dateOf(archive, row)}: ${won} of ${played} won` });
  }
  if (!points.length) return null;
  const label = `${won} of ${played} matches won, from ${dayText(points[0].date)} to ${dayText(points[points.length - 1].date)}`;
  return chart(points, [], label, (v) => `${Math.round(v)} %`, dayText);
}

function progress(archive: Archive, person: number, rows: number[], courses: number[][]): HTMLElement {
  const place = el('div');
  const root = el('div', {}, el('h3', {}, 'Progress'), place);
  if (!courses.length) {
    place.replaceChildren(matchChart(archive, person, rows) ?? el('p', { class: 'hint' }, 'There are no results with a date.'));
    return root;
  }
  const options = courses.map((list, i) => el('option', { value: i }, `${courseName(archive, list[0])} (${list.length})`));
  const choice = el('select', { 'aria-label': 'Course' }, ...options);
  const show = () => place.replaceChildren(runChart(archive, courses[Number(choice.value)]));
  choice.addEventListener('change', show);
  show();
  place.before(choice);
  return root;
}

function personalBests(site: Site, courses: number[][]): HTMLElement {
  const { archive } = site;
  const records = new Set(archive.records);
  const titles = ['Map', 'Course', 'Mode', 'Kind', 'Best', 'Date', 'Runs', 'Record'];
  const table = longTable('Personal bests', titles, courses.length, (i) => {
    const row = bestOf(archive, courses[i]);
    return [
      bdi(archive.text('map', row)),
      bdi(archive.text('course', row)),
      archive.text('mode', row),
      archive.kind(row),
      pageLink(site, row, timeText(archive.time[row])),
      dateOf(archive, row),
      String(courses[i].length),
      records.has(row) ? 'Yes' : '',
    ];
  });
  return el('div', {}, el('h3', {}, 'Personal bests'), table);
}

export function playerView(site: Site, key: string): HTMLElement {
  const { archive } = site;
  const person = archive.keys.indexOf(key);
  const one = tally(archive).find((t) => t.person === person);
  const root = el('section', { class: 'view', 'aria-labelledby': 'player-title' }, el('h2', { id: 'player-title' }, bdi(key)));
  if (!one) {
    root.append(el('p', { class: 'hint' }, 'There is no such player in this archive.'));
    return root;
  }
  const { rows } = one;
  const oldest = rows.filter((row) => archive.date[row] >= 0).pop();
  const facts = [`${rows.length} replay${rows.length === 1 ? '' : 's'}`, new Set(rows.map((row) => archive.text('map', row))).size + ' maps'];
  if (one.won && !site.spoilerFree()) facts.push(`${one.won} won`);
  if (oldest !== undefined) facts.push(`${dayText(archive.date[oldest])} to ${dayText(one.last)}`);
  root.append(
    el('p', { class: 'facts' }, facts.join(' · ')),
    el('p', {}, el('a', { href: `#player-filter=${encodeURIComponent(key)}` }, 'Show these replays in the table')),
  );
  if (site.spoilerFree()) {
    root.append(el('p', { class: 'hint' }, 'Progress and personal bests are hidden while spoiler-free.'));
  } else {
    const courses = coursesOf(archive, rows);
    root.append(progress(archive, person, rows, courses));
    if (courses.length) root.append(personalBests(site, courses));
  }
  const titles = ['Replay', 'Map', ...(site.spoilerFree() ? [] : ['Result']), 'Date'];
  root.append(
    el('h3', {}, 'Replays'),
    longTable('Replays', titles, rows.length, (i) => {
      const row = rows[i];
      const result = site.spoilerFree() ? [] : [resultText(archive, row)];
      return [pageLink(site, row, archive.title(row)), bdi(archive.place(row)), ...result, dateOf(archive, row)];
    }),
  );
  return root;
}

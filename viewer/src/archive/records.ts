// The records board: the best run of each map, course and mode, and how it became that fast.
import { el } from '../dom';
import { bdi, dateOf, longTable, pageLink, players, timeText, type Site } from './views';

/** Earlier records of the same course, oldest first. */
function historyOf(site: Site): Map<string, number[]> {
  const { archive } = site;
  const all = new Map<string, number[]>();
  for (const row of archive.history) {
    const key = archive.courseKey(row);
    const list = all.get(key);
    if (list) list.push(row);
    else all.set(key, [row]);
  }
  return all;
}

function improvements(site: Site, rows: number[]): HTMLElement | string {
  if (rows.length < 2) return '';
  const { archive } = site;
  const list = rows.map((row, i) => {
    const gain = i ? ` (-${(archive.time[rows[i - 1]] - archive.time[row]).toFixed(3)} s)` : '';
    return el('li', {}, `${dateOf(archive, row)} `, pageLink(site, row, timeText(archive.time[row])), `${gain} `, ...players(site, row));
  });
  return el('details', {}, el('summary', {}, `${rows.length - 1} improvement${rows.length > 2 ? 's' : ''}`), el('ol', {}, ...list));
}

export function recordsView(site: Site): HTMLElement {
  const { archive } = site;
  const root = el('section', { class: 'view', 'aria-labelledby': 'records-title' }, el('h2', { id: 'records-title' }, 'Records'));
  if (site.spoilerFree()) {
    root.append(el('p', { class: 'hint' }, 'Records are hidden while spoiler-free.'));
    return root;
  }
  if (!archive.records.length) {
    root.append(el('p', { class: 'hint' }, 'There are no runs with a time in this archive.'));
    return root;
  }
  const history = historyOf(site);
  const field = el('input', { type: 'search', placeholder: 'Map, course, mode or player', 'aria-label': 'Search records', class: 'find' });
  const place = el('div');
  const count = el('p', { class: 'hint', role: 'status' });
  const titles = ['Map', 'Course', 'Mode', 'Kind', 'Time', 'Player', 'Date', 'History'];
  const show = () => {
    const matches = archive.matcher(field.value);
    const rows = matches ? archive.records.filter(matches) : archive.records;
    count.textContent = `${rows.length} record${rows.length === 1 ? '' : 's'}`;
    place.replaceChildren(
      longTable('Records', titles, rows.length, (i) => {
        const row = rows[i];
        const styles = archive.text('styles', row);
        return [
          bdi(archive.text('map', row)),
          bdi(archive.text('course', row)),
          archive.text('mode', row),
          styles ? `${archive.kind(row)}, ${styles}` : archive.kind(row),
          pageLink(site, row, timeText(archive.time[row])),
          players(site, row),
          dateOf(archive, row),
          improvements(site, history.get(archive.courseKey(row)) ?? []),
        ];
      }),
    );
  };
  field.addEventListener('input', show);
  show();
  root.append(field, count, place);
  return root;
}

// The list of all replays: search, facets, table, and the selection to compare.
import { clockText, el, isPhone } from '../dom';
import { gameName, type Archive } from './data';
import { emptyQuery, FACETS, Filter, type Facet, type Query, type SortKey } from './filter';
import { Table, type TableColumn } from './table';
import { bdi, dateOf, pageLink, resultText, type Site } from './views';

const COLUMNS: TableColumn[] = [
  { id: 'title', title: 'Replay' },
  { id: 'map', title: 'Map' },
  { id: 'mode', title: 'Mode' },
  { id: 'result', title: 'Result' },
  { id: 'length', title: 'Length' },
  { id: 'date', title: 'Date' },
  { id: 'game', title: 'Game' },
];
const TELLING = new Set<SortKey>(['result', 'length']);
const TITLES: Record<Facet, [string, string]> = {
  format: ['Game', 'All games'],
  map: ['Map', 'All maps'],
  mode: ['Mode', 'All modes'],
  player: ['Player', 'All players'],
};
const OPTIONS_MAX = 300;
const COMPARED_MAX = 8;

export class List {
  readonly root: HTMLElement;
  readonly query = emptyQuery();
  private filter: Filter;
  private table: Table;
  private field = el('input', { type: 'search', placeholder: 'Search players, maps, files', 'aria-label': 'Search replays', class: 'find' });
  private selects = new Map<Facet, HTMLSelectElement>();
  private from = el('input', { type: 'date', 'aria-label': 'From date' });
  private to = el('input', { type: 'date', 'aria-label': 'To date' });
  private count = el('p', { class: 'count', role: 'status' });
  private selected = new Set<number>();
  private basket = el('div', { class: 'basket', role: 'group', 'aria-label': 'Comparison', hidden: true });
  private rows: Int32Array = new Int32Array(0);

  constructor(
    private site: Site,
    private changed: () => void,
  ) {
    this.filter = new Filter(site.archive);
    this.table = new Table(COLUMNS, (row) => this.cells(row), (id) => this.sortBy(id));
    this.root = el('section', { class: 'list', 'aria-label': 'Replays' }, this.makeControls(), this.count, this.table.root, this.basket);
  }

  private get archive(): Archive {
    return this.site.archive;
  }
  get found(): Int32Array {
    return this.rows;
  }
  get drawn(): number[] {
    return this.table.shown;
  }

  private makeControls(): HTMLElement {
    const facets = FACETS.map((facet) => {
      const select = el('select', { 'aria-label': TITLES[facet][0] });
      select.addEventListener('change', () => this.apply({ chosen: { ...this.query.chosen, [facet]: select.value } }));
      this.selects.set(facet, select);
      return select;
    });
    this.field.addEventListener('input', () => this.apply({ words: this.field.value }));
    this.from.addEventListener('change', () => this.apply({ from: this.from.value }));
    this.to.addEventListener('change', () => this.apply({ to: this.to.value }));
    const reset = el('button', { type: 'button', onclick: () => this.reset() }, 'Reset');
    const dates = el('span', { class: 'dates' }, this.from, el('span', { 'aria-hidden': 'true' }, '–'), this.to);
    const choices = el('div', { class: 'facets' }, ...facets, dates, reset);
    // On a phone the choices would leave no room for the table.
    const more = el('details', { class: 'choices' }, el('summary', {}, 'Filters'), choices);
    more.open = !isPhone();
    return el('div', { class: 'controls', role: 'search' }, this.field, more);
  }

  /** Shows what the address asks for. */
  restore(values: URLSearchParams) {
    const query = emptyQuery();
    query.words = values.get('q') ?? '';
    for (const facet of FACETS) query.chosen[facet] = values.get(facet === 'format' ? 'game' : facet === 'player' ? 'player-filter' : facet) ?? '';
    query.from = values.get('from') ?? '';
    query.to = values.get('to') ?? '';
    const sort = COLUMNS.find((c) => c.id === values.get('sort'));
    if (sort) [query.sort, query.descending] = [sort.id, values.has('down')];
    Object.assign(this.query, query);
    this.field.value = query.words;
    this.from.value = query.from;
    this.to.value = query.to;
    this.update();
  }
  /** The address of what is shown, without its #. */
  address(): string {
    const { query } = this;
    const values = new URLSearchParams();
    if (query.words) values.set('q', query.words);
    for (const facet of FACETS) if (query.chosen[facet]) values.set(facet === 'format' ? 'game' : facet === 'player' ? 'player-filter' : facet, query.chosen[facet]);
    if (query.from) values.set('from', query.from);
    if (query.to) values.set('to', query.to);
    if (query.sort !== 'date' || !query.descending) values.set('sort', query.sort);
    if (values.has('sort') && query.descending) values.set('down', '');
    return values.toString();
  }

  private reset() {
    this.field.value = this.from.value = this.to.value = '';
    this.apply(emptyQuery());
  }
  private sortBy(id: SortKey) {
    // Dates begin with the latest, all else with the first.
    const again = this.query.sort === id;
    this.apply({ sort: id, descending: again ? !this.query.descending : id === 'date' });
    this.table.root.querySelector<HTMLElement>(`.headings .${id} button`)?.focus();
  }
  private apply(change: Partial<Query>) {
    Object.assign(this.query, change);
    this.update();
    this.changed();
  }

  update() {
    if (this.site.spoilerFree() && TELLING.has(this.query.sort)) Object.assign(this.query, { sort: 'date', descending: true });
    const { rows, counts } = this.filter.run(this.query);
    this.rows = rows;
    const all = this.archive.count;
    this.count.textContent = rows.length === all ? `${all} replays` : `${rows.length} of ${all} replays`;
    for (const facet of FACETS) this.fill(facet, counts[facet]);
    const visible = COLUMNS.filter((c) => !(this.site.spoilerFree() && TELLING.has(c.id)));
    this.table.root.classList.toggle('spoiler-free', this.site.spoilerFree());
    this.table.setHeadings(visible, this.query.sort, this.query.descending);
    this.table.setRows(rows);
    this.showBasket();
  }

  private fill(facet: Facet, counts: Int32Array) {
    const values = this.filter.valuesOf(facet);
    const chosen = this.query.chosen[facet];
    const numbers = [...counts.keys()].filter((n) => counts[n] && values[n] !== chosen);
    numbers.sort((a, b) => counts[b] - counts[a] || a - b).splice(OPTIONS_MAX);
    const option = (value: string, count: number) => el('option', { value, selected: value === chosen }, `${facet === 'format' ? gameName(value) : value} (${count})`);
    const select = this.selects.get(facet)!;
    const current = chosen ? [option(chosen, counts[values.indexOf(chosen)] ?? 0)] : [];
    select.replaceChildren(el('option', { value: '' }, TITLES[facet][1]), ...current, ...numbers.map((n) => option(values[n], counts[n])));
    select.classList.toggle('chosen', chosen !== '');
  }

  // ---- rows

  private cells(row: number): HTMLElement[] {
    const { archive, site } = this;
    const cell = (id: string, ...content: (Node | string)[]) => el('div', { role: 'cell', class: `cell ${id}` }, ...content);
    const title = archive.title(row);
    const status = archive.text('status', row);
    const bad = status === 'damaged' ? [el('span', { class: 'bad' }, 'damaged')] : [];
    const cells = [
      cell('pick', ...(archive.page(row) ? [this.tick(row, title)] : [])),
      cell('title', pageLink(site, row, title), ...bad),
      cell('map', bdi(archive.place(row))),
      cell('mode', bdi(archive.text('mode', row))),
    ];
    if (!site.spoilerFree()) {
      const length = archive.length[row];
      cells.push(cell('result', bdi(resultText(archive, row))), cell('length', length >= 0 ? clockText(length, 0) : ''));
    }
    cells.push(cell('date', dateOf(archive, row)), cell('game', archive.game(row)));
    cells[1].title = archive.fileName(row);
    return cells;
  }

  private tick(row: number, title: string): HTMLElement {
    const box = el('input', { type: 'checkbox', 'aria-label': `Select ${title}` });
    box.checked = this.selected.has(row);
    box.addEventListener('change', () => {
      if (box.checked) this.selected.add(row);
      else this.selected.delete(row);
      this.showBasket();
    });
    return box;
  }

  // ---- comparing

  private get comparison(): { href: string } | { why: string } {
    const rows = [...this.selected];
    const pages = rows.map((row) => this.archive.page(row));
    if (rows.length < 2) return { why: 'Select another one to compare.' };
    if (rows.length > COMPARED_MAX) return { why: `At most ${COMPARED_MAX} can be compared.` };
    if (new Set(rows.map((row) => this.archive.text('format', row))).size > 1) return { why: 'Only replays of one game can be compared.' };
    const quiet = this.site.spoilerFree() ? 'spoiler-free' : '';
    if (!this.site.isStatic) return { href: `r/${pages.join('+')}/${quiet && `?${quiet}`}` };
    return { href: `compare/?${pages.map((page) => `r=${page}`).join('&')}${quiet && `&${quiet}`}` };
  }

  private showBasket() {
    const count = this.selected.size;
    this.basket.hidden = !count;
    if (!count) return;
    const { comparison } = this;
    const clear = el('button', { type: 'button', onclick: () => this.clear() }, 'Clear');
    const go = 'href' in comparison ? el('a', { href: comparison.href, class: 'go' }, 'Compare') : el('span', { class: 'hint' }, comparison.why);
    this.basket.replaceChildren(el('span', { role: 'status' }, `${count} selected`), go, clear);
  }
  private clear() {
    this.selected.clear();
    this.table.redraw();
    this.showBasket();
    this.table.root.focus();
  }
}

// Tables that follow the time, sorted by any column. Only visible rows are in the document, so a
// hundred thousand rows are as quick as ten.
import { cell, countUpTo, numbers } from './columns';
import { button, clockText, el, keep, kept, numberText } from './dom';
import { openMenu } from './menu';
import type { App } from './app';
import type { Table, TableColumn } from './types';

const ROW = 28;
const SPARE = 6;

/** A table on the screen: its filtered rows and the current one. */
export class TableView {
  readonly element: HTMLElement;
  private body = el('tbody');
  private above = el('tr', { 'aria-hidden': 'true' }, el('td'));
  private below = el('tr', { 'aria-hidden': 'true' }, el('td'));
  private scroller: HTMLElement;
  private table: HTMLTableElement;
  private headRow = el('tr');
  private filter: HTMLInputElement;
  private count = el('span', { class: 'count', role: 'status' });
  private order: number[] = []; // all rows, by time
  private times: number[] = []; // of those
  private rows: number[] = []; // indices into `order` that are shown, in the order they are shown in
  private heads: HTMLElement[] = [];
  private hidden: Set<string>; // ids of columns
  private sorted: { column: TableColumn; down: boolean } | null = null; // null: by time
  private following = true;
  private focusRow = 0;
  private current = -1;
  private open = -1; // index of the expanded row
  private timeColumn: TableColumn | undefined;
  private words = '';
  private shownLimit = -1;

  constructor(
    private app: App,
    readonly about: Table,
  ) {
    this.timeColumn = about.columns.find((c) => c.id === about.time);
    this.order = Array.from({ length: about.n }, (_, i) => i);
    if (this.timeColumn) {
      const t = numbers(this.timeColumn.data);
      this.order.sort((a, b) => t[a] - t[b] || a - b);
      this.times = this.order.map((row) => t[row]);
    }
    this.filter = el('input', {
      type: 'search',
      placeholder: 'Filter',
      'aria-label': `Filter ${about.title}`,
      oninput: () => {
        this.words = this.filter.value.trim().toLowerCase();
        this.choose();
      },
    });
    this.hidden = new Set((kept(this.storageKey) ?? '').split(',').filter((id) => about.columns.some((c) => c.id === id)));
    if (this.hidden.size >= about.columns.length) this.hidden.clear();
    this.table = el('table', { class: 'rows' }, el('thead', {}, this.headRow), this.body);
    this.makeHeads();
    this.table.setAttribute('aria-label', about.title);
    this.scroller = el('div', { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': `Rows of ${about.title}` }, this.table);
    const columns = button('Columns', 'Choose columns', () => this.chooseColumns(columns), { 'aria-haspopup': 'menu' });
    const follow = button('Follow', 'Scroll with the time', () => {
      this.following = !this.following;
      follow.setAttribute('aria-pressed', String(this.following));
    }, { 'aria-pressed': 'true' });
    const tools = el('div', { class: 'tools' }, this.filter, this.count, columns, this.timeColumn ? follow : '');
    this.element = el('div', { class: 'table' }, tools, this.scroller);
    this.scroller.addEventListener('scroll', () => this.draw());
    this.body.addEventListener('click', (event) => this.click(event));
    this.scroller.addEventListener('keydown', (event) => this.key(event));
    this.choose();
  }

  private get storageKey(): string {
    return `reprise.columns:${this.app.timeline.source.format}:${this.about.id}`;
  }
  private get columns(): TableColumn[] {
    return this.about.columns.filter((c) => !this.hidden.has(c.id));
  }

  private makeHeads() {
    this.heads = this.columns.map((c) => {
      const unit = c.unit && c.id !== this.about.time ? el('small', {}, ` ${c.unit}`) : '';
      const sort = button('', `Sort by ${c.title}`, () => this.sortBy(c));
      sort.replaceChildren(c.title, unit, el('span', { class: 'arrow', 'aria-hidden': 'true' }));
      return el('th', { scope: 'col' }, sort);
    });
    this.headRow.replaceChildren(...this.heads);
    this.showSorting();
  }
  private showSorting() {
    this.columns.forEach((c, i) => {
      const own = this.sorted?.column === c || (!this.sorted && c === this.timeColumn);
      const down = own && Boolean(this.sorted?.down);
      if (own) this.heads[i].setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else this.heads[i].removeAttribute('aria-sort');
      this.heads[i].querySelector('.arrow')!.textContent = own ? (down ? ' ▾' : ' ▴') : '';
    });
  }
  /** A second click turns the direction, a third sorts by time again. */
  private sortBy(column: TableColumn) {
    const again = this.sorted?.column === column;
    if (column === this.timeColumn) this.sorted = again ? null : { column, down: true };
    else if (!again) this.sorted = { column, down: false };
    else this.sorted = this.sorted!.down ? null : { column, down: true };
    this.showSorting();
    this.choose();
    this.scroller.scrollTop = 0;
  }
  private chooseColumns(anchor: HTMLElement) {
    const choices = this.about.columns.map((c) => ({
      text: c.title,
      chosen: !this.hidden.has(c.id),
      act: () => this.toggleColumn(c),
    }));
    openMenu(anchor, 'Columns', choices, { several: true });
  }
  /** One column stays. */
  private toggleColumn(column: TableColumn) {
    if (this.hidden.has(column.id)) this.hidden.delete(column.id);
    else if (this.columns.length > 1) this.hidden.add(column.id);
    keep(this.storageKey, [...this.hidden].join(',') || null);
    this.makeHeads();
    this.draw();
  }

  focusFilter() {
    this.filter.focus();
  }

  private text(column: TableColumn, row: number): string {
    const value = cell(column.data, row);
    if (value === null) return '';
    if (typeof value === 'string') return value;
    return column === this.timeColumn || column.unit === 's' && column.id === 't'
      ? clockText(value)
      : numberText(value);
  }

  /** Rows that may be shown and match the filter. */
  choose() {
    const { limit, spoilerFree } = this.app.clock;
    this.shownLimit = limit;
    let count = this.about.n;
    if (spoilerFree) count = countUpTo(this.times, limit);
    this.rows = [];
    for (let place = 0; place < count; place++) {
      if (this.words) {
        const row = this.order[place];
        const found = this.about.columns.some((c) => this.text(c, row).toLowerCase().includes(this.words));
        if (!found) continue;
      }
      this.rows.push(place);
    }
    this.sortRows();
    this.table.setAttribute('aria-rowcount', String(this.rows.length + 1));
    const hidden = spoilerFree && !this.timeColumn;
    this.count.textContent = hidden ? 'hidden while spoiler-free' : `${this.rows.length} rows`;
    this.open = -1;
    this.draw();
  }

  /** Missing values come last, whatever the direction. */
  private sortRows() {
    if (!this.sorted) return;
    const { column, down } = this.sorted;
    const values = this.rows.map((place) => cell(column.data, this.order[place]));
    const ways = down ? -1 : 1;
    const compare = (a: string | number | null, b: string | number | null) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      if (typeof a === 'string' || typeof b === 'string') return ways * String(a).localeCompare(String(b), undefined, { numeric: true });
      return ways * (a - b);
    };
    const index = this.rows.map((_, i) => i).sort((a, b) => compare(values[a], values[b]) || a - b);
    this.rows = index.map((i) => this.rows[i]);
  }

  draw() {
    const height = this.scroller.clientHeight || 400;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - SPARE);
    const last = Math.min(this.rows.length, first + Math.ceil(height / ROW) + 2 * SPARE);
    this.above.style.height = `${first * ROW}px`;
    this.below.style.height = `${(this.rows.length - last) * ROW}px`;
    const lines: HTMLElement[] = [this.above];
    for (let i = first; i < last; i++) {
      lines.push(this.line(i));
      if (this.rows[i] === this.open) lines.push(this.details(this.order[this.rows[i]]));
    }
    lines.push(this.below);
    this.body.replaceChildren(...lines);
  }

  private line(i: number): HTMLElement {
    const place = this.rows[i];
    const row = this.order[place];
    const cells = this.columns.map((c) => el('td', { class: c.data.type === 'dict' ? '' : 'number' }, this.text(c, row)));
    if (this.about.nested)
      cells[0].prepend(el('span', { class: 'fold', 'aria-hidden': 'true' }, place === this.open ? '▾ ' : '▸ '));
    return el(
      'tr',
      {
        'data-index': i,
        'aria-rowindex': i + 2,
        'aria-current': place === this.current ? 'time' : undefined,
        'aria-expanded': this.about.nested ? String(place === this.open) : undefined,
        class: i === this.focusRow ? 'chosen' : '',
      },
      ...cells,
    );
  }

  private details(row: number): HTMLElement {
    const span = el('td', { colspan: this.columns.length, class: 'nested' });
    span.append(this.related(this.about, row));
    return el('tr', {}, span);
  }

  /** The rows of another table that belong to a row, recursively. */
  private related(about: Table, row: number): HTMLElement | string {
    const { table: id, key } = about.nested!;
    const other = this.app.timeline.tables?.find((t) => t.id === id);
    const own = about.columns.find((c) => c.id === key);
    const theirs = other?.columns.find((c) => c.id === key);
    if (!other || !own || !theirs) return '';
    const wanted = cell(own.data, row);
    const shown = other.columns.filter((c) => c !== theirs);
    const body = el('tbody');
    for (let i = 0; i < other.n; i++) {
      if (cell(theirs.data, i) !== wanted) continue;
      body.append(el('tr', {}, ...shown.map((c) => el('td', { class: c.data.type === 'dict' ? '' : 'number' }, this.text(c, i)))));
      if (other.nested) body.append(this.further(other, i, shown.length));
    }
    if (!body.childElementCount) return `no ${other.title.toLowerCase()}`;
    const heads = shown.map((c) => el('th', { scope: 'col' }, c.title));
    return el('table', { class: 'rows', 'aria-label': other.title }, el('thead', {}, el('tr', {}, ...heads)), body);
  }

  /** Filled when opened. */
  private further(about: Table, row: number, columns: number): HTMLElement {
    const title = this.app.timeline.tables?.find((t) => t.id === about.nested!.table)?.title ?? '';
    const inner = el('details', {}, el('summary', {}, title));
    inner.addEventListener('click', (event) => event.stopPropagation());
    inner.addEventListener('toggle', () => {
      if (inner.open && inner.childElementCount < 2) inner.append(this.related(about, row));
    });
    return el('tr', {}, el('td', { colspan: columns, class: 'nested' }, inner));
  }

  private act(i: number) {
    const place = this.rows[i];
    if (place === undefined) return;
    this.focusRow = i;
    if (this.timeColumn) this.app.clock.seek(this.times[place]);
    if (this.about.nested) this.open = this.open === place ? -1 : place;
    this.draw();
  }

  private click(event: Event) {
    const line = (event.target as HTMLElement).closest<HTMLElement>('tr[data-index]');
    if (line) this.act(Number(line.dataset.index));
  }

  private key(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step) {
      this.focusRow = Math.min(this.rows.length - 1, Math.max(0, this.focusRow + step));
      this.reveal(this.focusRow);
      this.draw();
    } else if (event.key === 'Enter') this.act(this.focusRow);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private reveal(i: number) {
    const top = i * ROW;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop || top + 2 * ROW > scrollTop + clientHeight)
      this.scroller.scrollTop = Math.max(0, top - clientHeight / 3);
  }

  /** Highlights the row at the current time. */
  update() {
    const { clock } = this.app;
    if (clock.spoilerFree && clock.limit > this.shownLimit) this.choose();
    if (!this.timeColumn) return;
    const place = countUpTo(this.times, clock.time + 1e-4) - 1;
    if (place === this.current) return;
    this.current = place;
    const i = this.sorted ? this.rows.indexOf(place) : countUpTo(this.rows, place) - 1;
    if (this.following && clock.playing && i >= 0 && this.open < 0) this.reveal(i);
    this.draw();
  }

  get rowCount(): number {
    return this.rows.length;
  }
}

// A table of which only the rows that are seen exist, so that a hundred thousand cost as much as fifty.
import { el } from '../dom';
import type { SortKey } from './filter';

export interface TableColumn {
  id: SortKey;
  title: string;
}

const ABOVE = 8; // rows kept outside the visible part
const NARROW = matchMedia('(max-width: 760px)');

export class Table {
  readonly root: HTMLElement;
  private head = el('div', { role: 'row', class: 'row headings', 'aria-rowindex': 1 });
  private body = el('div', { role: 'rowgroup', class: 'rows' });
  private rows: Int32Array = new Int32Array(0);
  private drawn = new Map<number, HTMLElement>();
  private waiting = false;

  constructor(
    private columns: TableColumn[],
    private cellsOf: (row: number) => HTMLElement[],
    private sortBy: (id: SortKey) => void,
  ) {
    const headings = el('div', { role: 'rowgroup' }, this.head);
    this.root = el('div', { role: 'table', class: 'table', 'aria-label': 'Replays', tabindex: 0, id: 'replays' }, headings, this.body);
    this.root.addEventListener('scroll', () => this.later(), { passive: true });
    this.root.addEventListener('keydown', (event) => this.move(event));
    new ResizeObserver(() => this.draw()).observe(this.root);
    NARROW.addEventListener('change', () => this.redraw());
  }

  private get height(): number {
    return NARROW.matches ? 76 : 36;
  }
  get shown(): number[] {
    return [...this.drawn.keys()].sort((a, b) => a - b);
  }

  setHeadings(visible: TableColumn[], sort: SortKey, descending: boolean) {
    this.columns = visible;
    const cells = this.columns.map(({ id, title }) => {
      const sorted = id === sort ? (descending ? 'descending' : 'ascending') : 'none';
      const arrow = id === sort ? el('span', { 'aria-hidden': 'true' }, descending ? ' ▼' : ' ▲') : '';
      return el('div', { role: 'columnheader', 'aria-sort': sorted, class: `cell ${id}` }, el('button', { type: 'button', onclick: () => this.sortBy(id) }, title, arrow));
    });
    this.head.replaceChildren(el('div', { role: 'columnheader', class: 'cell pick' }, el('span', { class: 'unseen' }, 'Select')), ...cells);
  }

  setRows(rows: Int32Array) {
    this.rows = rows;
    this.root.setAttribute('aria-rowcount', String(rows.length + 1));
    this.root.scrollTop = 0;
    this.redraw();
  }

  redraw() {
    for (const row of this.drawn.values()) row.remove();
    this.drawn.clear();
    this.body.style.height = `${this.rows.length * this.height}px`;
    this.draw();
  }

  private later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /** Rows that stay are kept as they are, with the focus in them. */
  private draw() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / this.height) - ABOVE);
    const last = Math.min(this.rows.length, Math.ceil((this.root.scrollTop + this.root.clientHeight) / this.height) + ABOVE);
    for (const [index, row] of this.drawn) {
      if (index >= first && index < last) continue;
      row.remove();
      this.drawn.delete(index);
    }
    for (let index = first; index < last; index++) {
      if (this.drawn.has(index)) continue;
      const row = el('div', { role: 'row', class: 'row', 'aria-rowindex': index + 2, 'data-index': index }, ...this.cellsOf(this.rows[index]));
      row.style.transform = `translateY(${index * this.height}px)`;
      this.drawn.set(index, row);
      // In the order in which they are read.
      const next = this.drawn.get(index + 1);
      if (next) next.before(row);
      else this.body.append(row);
    }
  }

  /** Up and Down go from link to link. */
  private move(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const at = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    if (!step || !at) return;
    event.preventDefault();
    const index = Math.min(this.rows.length - 1, Math.max(0, Number(at.dataset.index) + step));
    const top = index * this.height;
    const room = this.root.clientHeight - this.head.offsetHeight - this.height;
    this.root.scrollTop = Math.min(top, Math.max(this.root.scrollTop, top - room));
    this.draw();
    this.drawn.get(index)?.querySelector<HTMLElement>('a, input')?.focus();
  }
}

// Which rows are shown, in which order, and how many there are for each choice.
import { dayStart, type Archive, type TextColumn } from './data';

export const FACETS = ['format', 'map', 'mode', 'player'] as const;
export type Facet = (typeof FACETS)[number];
export type SortKey = 'title' | 'map' | 'mode' | 'result' | 'length' | 'date' | 'game';

export interface Query {
  words: string;
  /** The text that is chosen of each facet; '' for all. */
  chosen: Record<Facet, string>;
  from: string;
  to: string;
  sort: SortKey;
  descending: boolean;
}
export const emptyQuery = (): Query => ({
  words: '',
  chosen: { format: '', map: '', mode: '', player: '' },
  from: '',
  to: '',
  sort: 'date',
  descending: true,
});

export interface Found {
  rows: Int32Array;
  /** For each facet how many rows there would be for each of its values, by number. */
  counts: Record<Facet, Int32Array>;
}

const WORDS = 1 << FACETS.length;

export class Filter {
  private orders = new Map<SortKey, Int32Array>();

  constructor(private archive: Archive) {}

  valuesOf(facet: Facet): string[] {
    return facet === 'player' ? this.archive.keys : this.archive.values(facet);
  }

  run(query: Query): Found {
    const { archive } = this;
    const counts = Object.fromEntries(FACETS.map((f) => [f, new Int32Array(this.valuesOf(f).length)])) as Found['counts'];
    const misses = this.misses(query);
    for (let row = 0; row < archive.count; row++) {
      const missed = misses[row];
      if (missed & WORDS) continue;
      for (let i = 0; i < FACETS.length; i++) {
        // Counted as if nothing were chosen of this facet.
        if (missed & ~(1 << i)) continue;
        if (FACETS[i] === 'player') {
          for (const person of archive.peopleOf(row)) counts.player[person]++;
        } else {
          const number = archive.column(FACETS[i] as TextColumn)[row];
          if (number >= 0) counts[FACETS[i]][number]++;
        }
      }
    }
    return { rows: this.sorted(query, misses), counts };
  }

  /** For each row a bit for each facet that does not fit, and one for words and dates. */
  private misses(query: Query): Uint8Array {
    const { archive } = this;
    const misses = new Uint8Array(archive.count);
    const matches = archive.matcher(query.words);
    const from = query.from ? dayStart(query.from) : NaN;
    const to = query.to ? dayStart(query.to) + 86400 : NaN;
    for (let row = 0; row < archive.count; row++) {
      const date = archive.date[row];
      if (date < from || date >= to || ((from >= 0 || to >= 0) && date < 0) || (matches && !matches(row))) misses[row] |= WORDS;
    }
    FACETS.forEach((facet, i) => {
      const chosen = query.chosen[facet];
      if (!chosen) return;
      const number = this.valuesOf(facet).indexOf(chosen);
      const column = facet === 'player' ? null : archive.column(facet);
      for (let row = 0; row < archive.count; row++) {
        const fits = column ? column[row] === number : archive.plays(row, number);
        if (!fits) misses[row] |= 1 << i;
      }
    });
    return misses;
  }

  private sorted(query: Query, misses: Uint8Array): Int32Array {
    const order = this.order(query.sort);
    const rows = new Int32Array(order.length);
    let count = 0;
    for (let i = 0; i < order.length; i++) {
      const row = order[query.descending ? order.length - 1 - i : i];
      if (!misses[row]) rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  /** All rows, ascending; made once. */
  private order(sort: SortKey): Int32Array {
    let order = this.orders.get(sort);
    if (!order) {
      const keys = this.keys(sort);
      order = Int32Array.from({ length: this.archive.count }, (_, i) => i);
      // Rows are stored latest first, so equal ones become oldest first.
      order.sort((a, b) => keys[a] - keys[b] || b - a);
      this.orders.set(sort, order);
    }
    return order;
  }

  private keys(sort: SortKey): ArrayLike<number> {
    const { archive } = this;
    if (sort === 'date') return archive.date;
    if (sort === 'length') return archive.length;
    if (sort === 'title') return ranks(Array.from({ length: archive.count }, (_, row) => archive.title(row)));
    if (sort === 'result') {
      // Times of runs first, then texts.
      const texts = this.textKeys('result');
      return Float64Array.from(archive.time, (time, row) => (time >= 0 ? time : 1e9 + texts[row]));
    }
    return this.textKeys(sort === 'game' ? 'format' : sort);
  }

  /** The place of each row's text among the sorted texts. */
  private textKeys(name: TextColumn): Float64Array {
    const place = ranks(this.archive.values(name));
    return Float64Array.from(this.archive.column(name), (number) => (number < 0 ? -1 : place[number]));
  }
}

function ranks(texts: string[]): Float64Array {
  const lower = texts.map((t) => t.toLowerCase());
  const order = texts.map((_, i) => i).sort((a, b) => (lower[a] < lower[b] ? -1 : lower[a] > lower[b] ? 1 : 0));
  const place = new Float64Array(texts.length);
  let rank = 0;
  order.forEach((number, i) => {
    if (i && lower[number] !== lower[order[i - 1]]) rank++;
    place[number] = rank;
  });
  return place;
}

// Columns of numbers and texts, decoded on first use.
import type { Column, Marker, PlainColumn, Timeline } from './types';

export type Numbers = ArrayLike<number> & { readonly length: number };

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i16: Int16Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};

export function bytesOf(b64: string): Uint8Array<ArrayBuffer> {
  const text = atob(b64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function plain(column: PlainColumn): Numbers {
  const array = ARRAYS[column.type];
  const bytes = bytesOf(column.b64);
  const n = Math.min(column.n, Math.floor(bytes.length / array.BYTES_PER_ELEMENT));
  return new array(bytes.buffer, 0, n);
}

const decoded = new WeakMap<Column, Numbers>();

/** The numbers of a column; for texts, the indices of their values. */
export function numbers(column: Column): Numbers {
  let result = decoded.get(column);
  if (!result) {
    if (column.type === 'range') {
      const { n, start, step } = column;
      result = Float64Array.from({ length: n }, (_, i) => start + i * step);
    } else {
      result = column.type === 'dict' ? plain(column.index) : plain(column);
    }
    decoded.set(column, result);
  }
  return result;
}

/** The text of one row; NaN means no value. */
export function cell(column: Column, row: number): string | number | null {
  const value = numbers(column)[row];
  if (column.type === 'dict') return column.values[value] ?? '';
  return Number.isNaN(value) ? null : value;
}

/** How many of the ascending values are at most x. */
export function countUpTo(values: Numbers, x: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The last value at or before a time. */
export function valueAt(t: Numbers, v: Numbers, time: number): number | null {
  const n = countUpTo(t, time + 1e-6);
  const value = n ? v[n - 1] : NaN;
  return Number.isNaN(value) ? null : value;
}

export function markersOf(timeline: Timeline): Marker[] {
  const m = timeline.markers;
  if (!m) return [];
  const list: Marker[] = [];
  for (let i = 0; i < m.n; i++)
    list.push({
      t: numbers(m.t)[i],
      kind: String(cell(m.kind, i)),
      player: numbers(m.player)[i],
      weight: numbers(m.weight)[i],
      text: String(cell(m.text, i)),
    });
  return list.sort((a, b) => a.t - b.t);
}

// A small chart: points over dates, and a line through the best so far.

export interface Point {
  date: number;
  value: number;
  text: string;
}

const W = 720;
const H = 220;
const LEFT = 64;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 28;
const NS = 'http://www.w3.org/2000/svg';

function shape(name: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text) element.textContent = text;
  return element;
}

/** Steps of 1, 2 or 5 that give three to six lines. */
function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * (rough / unit < 1.5 ? 1 : rough / unit < 3.5 ? 2 : rough / unit < 7.5 ? 5 : 10);
  const list = [];
  for (let v = Math.ceil(low / step) * step; v <= high; v += step) list.push(v);
  return list;
}

export function chart(points: Point[], line: Point[], label: string, valueText: (v: number) => string, dateText: (d: number) => string): SVGElement {
  const svg = shape('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': label, class: 'chart' });
  let [low, high, first, last] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { date, value } of points) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    first = Math.min(first, date);
    last = Math.max(last, date);
  }
  if (high === low) [low, high] = [low - 1, high + 1];
  const span = last - first || 1;
  const x = (date: number) => LEFT + ((date - first) / span) * (W - LEFT - RIGHT);
  const y = (value: number) => H - BOTTOM - ((value - low) / (high - low)) * (H - TOP - BOTTOM);
  for (const value of ticks(low, high)) {
    svg.append(shape('line', { x1: LEFT, x2: W - RIGHT, y1: y(value), y2: y(value), class: 'grid' }));
    svg.append(shape('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, valueText(value)));
  }
  svg.append(shape('text', { x: LEFT, y: H - 8 }, dateText(first)));
  if (span > 86400) svg.append(shape('text', { x: W - RIGHT, y: H - 8, 'text-anchor': 'end' }, dateText(first + span)));
  const path = line.map((p, i) => `${i ? `H${x(p.date).toFixed(1)}V` : `M${x(p.date).toFixed(1)} `}${y(p.value).toFixed(1)}`).join('');
  if (path) svg.append(shape('path', { d: `${path}H${W - RIGHT}`, class: 'best' }));
  for (const point of points) {
    const dot = shape('circle', { cx: x(point.date).toFixed(1), cy: y(point.value).toFixed(1), r: 3.5, class: 'dot' });
    dot.append(shape('title', {}, point.text));
    svg.append(dot);
  }
  return svg;
}

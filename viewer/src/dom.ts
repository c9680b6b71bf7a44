// Small helpers for elements, icons, colours and times.
import type { Player } from './types';

type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

/** An element: attributes by name, listeners as functions under "onclick" and so on. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

const ICONS: Record<string, string> = {
  play: 'M8 5v14l11-7z',
  pause: 'M7 5h4v14H7zM13 5h4v14h-4z',
  first: 'M6 5h2v14H6zM19 5v14l-10-7z',
  last: 'M16 5h2v14h-2zM5 5v14l10-7z',
  back: 'M15 6v12l-8-6zM16 6h2v12h-2z',
  forward: 'M9 6v12l8-6zM6 6h2v12H6z',
  previous: 'M21 6v12l-9-6zM6 7l5 5-5 5-5-5z',
  next: 'M3 6v12l9-6zM18 7l5 5-5 5-5-5z',
  reverse: 'M11 6v12L3 12zM21 6v12l-8-6z',
  loop: 'M7 7h9V4l5 4-5 4V9H7v4H5V9a2 2 0 0 1 2-2zM17 17H8v3l-5-4 5-4v3h9v-4h2v4a2 2 0 0 1-2 2z',
  bookmark: 'M7 3h10v18l-5-4-5 4z',
  more: 'M4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4z',
  theme: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z',
  eyeOff: 'M3 4l17 17-1.4 1.4-3.3-3.3A11 11 0 0 1 12 19C6 19 2 12 2 12a19 19 0 0 1 4-5L1.600 5.400zM12 5c6 0 10 7 10 7a19 19 0 0 1-2.600 3.400L8.500 5.700A10 10 0 0 1 12 5z',
  help: 'M11 17h2v2h-2zM12 4a5 5 0 0 1 5 5c0 3-4 3.500-4 6h-2c0-4 4-4 4-6a3 3 0 0 0-6 0H7a5 5 0 0 1 5-5z',
  heat: 'M12 2c1 4 6 6 6 12a6 6 0 0 1-12 0c0-3 2-4 2-7 2 1 3 3 3 4 1-2 2-5 1-9z',
  voice: 'M4 9v6h4l5 4V5L8 9zM16 8a5 5 0 0 1 0 8zM16 4v2a7 7 0 0 1 0 12v2a9 9 0 0 0 0-16z',
  close: 'M6 4.600L12 10.600 18 4.600 19.400 6 13.400 12 19.400 18 18 19.400 12 13.400 6 19.400 4.600 18 10.600 12 4.600 6z',
  camera: 'M4 7h3l2-2h6l2 2h3v12H4zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  path.setAttribute('fill', 'currentColor');
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

/** A text or style that may be the same as before: setting it again would cost the browser a layout. */
export function put(element: HTMLElement, text: string) {
  if (element.textContent !== text) element.textContent = text;
}
const styles = new WeakMap<HTMLElement, Map<string, string>>();
export function restyle(element: HTMLElement, name: 'transform' | 'visibility', value: string) {
  let known = styles.get(element);
  if (!known) styles.set(element, (known = new Map()));
  if (known.get(name) === value) return;
  known.set(name, value);
  element.style[name] = value;
}

/** A button with the icon `name`, or with that text if there is no such icon. */
export function button(name: string, label: string, action: () => void, more: Attributes = {}) {
  const drawn = name in ICONS;
  return el(
    'button',
    { type: 'button', title: label, 'aria-label': drawn ? label : undefined, onclick: action, ...more },
    drawn ? icon(name) : name,
  );
}

/** 1:32.00, 1:02:03.00; 1:32 without decimals. */
export function clockText(seconds: number, digits = 2): string {
  const sign = seconds < 0 ? '-' : '';
  const unit = 10 ** digits;
  const all = Math.floor(Math.abs(seconds) * unit + 1e-6);
  const whole = Math.floor(all / unit);
  const part = digits ? `.${String(all % unit).padStart(digits, '0')}` : '';
  const h = Math.floor(whole / 3600);
  const m = Math.floor(whole / 60) % 60;
  const s = String(whole % 60).padStart(2, '0');
  return `${sign}${h ? `${h}:${String(m).padStart(2, '0')}` : m}:${s}${part}`;
}

/** A number with at most three decimals. */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 1 : size >= 1 ? 2 : 3);
}

const DARK = ['#56B4E9', '#E69F00', '#F9FFD3', '#DD224F', '#A70DF7', '#9DB1A9', '#407390', '#A9FC7D'];
const LIGHT = ['#0072B2', '#B36B00', '#21130F', '#8D05FD', '#EB2A64', '#000891', '#700367', '#920103'];
const DASHES = [[], [7, 3], [2, 3], [10, 3, 2, 3], [7, 3, 2, 3], [2, 2], [12, 3], [12, 3, 2, 3, 2, 3]];
const SHAPES = ['●', '■', '▲', '◆', '★', '⬢', '✚', '○'];

export const isDark = () => document.documentElement.dataset.theme !== 'light';
export const paletteOf = (slot: number, dark = isDark()) => (dark ? DARK : LIGHT)[((slot % 8) + 8) % 8];

/** The game's own colours by slot, if the user chose them. */
let painted: ReadonlyMap<number, string> | null = null;
export const hasGameColours = (players: Player[]) => players.some((p) => p.color);
export const usesGameColours = () => painted !== null;
export function setGameColours(players: Player[], on: boolean) {
  painted = on ? new Map(players.flatMap((p) => (p.color ? [[p.slot, p.color] as const] : []))) : null;
  keep('reprise.colours', on ? 'game' : null);
}
/** The colour of a player; ghosts of other replays use the palette. */
export const colourOf = (slot: number) => painted?.get(slot) ?? paletteOf(slot);
export const dashOf = (slot: number) => DASHES[((slot % 8) + 8) % 8];
export const shapeOf = (slot: number) => SHAPES[((slot % 8) + 8) % 8];

/** A player's shape in the player's colour; call `repaintSwatches` after colours change. */
export function swatchOf(slot: number, text: string): HTMLElement {
  const swatch = el('i', { 'aria-hidden': 'true', class: 'swatch', 'data-slot': slot }, text);
  swatch.style.color = colourOf(slot);
  return swatch;
}
export function repaintSwatches(root: HTMLElement) {
  for (const swatch of root.querySelectorAll<HTMLElement>('.swatch')) swatch.style.color = colourOf(Number(swatch.dataset.slot));
}

/** Browser storage; private windows and some pages opened from disk have none. */
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
export function keep(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // storage is unavailable
  }
}

const tokens = new Map<string, string>();
/** A colour of the theme, read from the style sheet. */
export function token(name: string): string {
  let value = tokens.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    tokens.set(name, value);
  }
  return value;
}
function setTheme(dark: boolean) {
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  tokens.clear();
}

export type Theme = 'auto' | 'dark' | 'light';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
let theme: Theme = 'auto';

export const themeName = () => theme;
export function chooseTheme(wanted: Theme) {
  theme = wanted;
  setTheme(wanted === 'auto' ? systemIsDark.matches : wanted === 'dark');
}
/** Cycles through the other theme, the first one, and the system's. */
export function nextTheme(): Theme {
  const other: Theme = systemIsDark.matches ? 'light' : 'dark';
  chooseTheme(theme === 'auto' ? other : theme === other ? (systemIsDark.matches ? 'dark' : 'light') : 'auto');
  keep('reprise.theme', theme);
  return theme;
}
export function onSystemTheme(act: () => void) {
  systemIsDark.addEventListener('change', () => {
    if (theme !== 'auto') return;
    chooseTheme('auto');
    act();
  });
}

const asked = (query: string) => {
  const list = matchMedia(query);
  return () => list.matches;
};
export const reducedMotion = asked('(prefers-reduced-motion: reduce)');
export const isCoarse = asked('(pointer: coarse)');
export const isPhone = asked('(max-width: 760px), (max-height: 480px) and (orientation: landscape)');
/** A phone in landscape: the panel opens over the picture. */
export const isDrawer = asked('(max-height: 480px) and (orientation: landscape)');

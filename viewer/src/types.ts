// Types of docs/json/timeline.schema.json and docs/json/page.schema.json.

export type NumberType = 'u8' | 'u16' | 'u32' | 'i16' | 'i32' | 'f32' | 'f64';
export interface PlainColumn {
  type: NumberType;
  n: number;
  b64: string;
}
export interface RangeColumn {
  type: 'range';
  n: number;
  start: number;
  step: number;
}
export interface DictColumn {
  type: 'dict';
  n: number;
  index: PlainColumn;
  values: string[];
}
export type Column = PlainColumn | RangeColumn | DictColumn;

export interface Series {
  name: string;
  player?: number;
  t: Column;
  v: Column;
  lo?: Column;
  hi?: Column;
  /** Where the server has every point, if these are buckets. */
  full?: string;
}
export interface Plot {
  id: string;
  title: string;
  unit: string;
  kind: 'line' | 'step' | 'bars' | 'lanes' | 'stack';
  y?: [number, number];
  summary: string;
  series: Series[];
}
export interface TableColumn {
  id: string;
  title: string;
  unit?: string;
  data: Column;
}
export interface Table {
  id: string;
  title: string;
  time?: string;
  n: number;
  columns: TableColumn[];
  nested?: { table: string; key: string };
}
export interface Player {
  id: number;
  name: string;
  slot: number;
  team?: number;
  color?: string;
  shape?: string;
  body?: number;
  eye?: number;
  faction?: string;
  /** Where the player starts: the number of a starting place of the map, from 1. */
  spawn?: number;
  outcome?: 'win' | 'loss' | 'draw';
  /** Over the complete recording: label and text. */
  totals?: [string, string][];
}
export interface Camera {
  id: string;
  kind: 'orbit' | 'follow' | 'top' | 'node';
  node?: number;
  target?: [number, number, number];
  distance?: number;
  when?: [number, number][];
}
export interface Glyphs {
  id: string;
  shape: 'arrow' | 'ping' | 'stroke';
  life: number;
  t: Column;
  player: Column;
  x: Column;
  z: Column;
  x2: Column;
  z2: Column;
  kind: Column;
}
export interface Heat {
  id: string;
  title: string;
  w: number;
  h: number;
  rect: [number, number, number, number];
  v: Column;
}
/** A recording that starts at `t`; `src` is its name, relative to the timeline. */
export interface Voice {
  player: number;
  t: number;
  src: string;
}
export interface Warning {
  id: string;
  level: 'note' | 'warn' | 'error';
  text: string;
  t0?: number;
  t1?: number;
  spoiler?: boolean;
}
/** In a player's corner: a value of a plot, without a series its lanes that are on; or words, each from its time on. */
export interface Hud {
  player: number;
  plot?: string;
  t?: Column;
  text?: Column;
  series?: number;
  prefix?: string;
  suffix?: string;
}
/** A run: from when to when, if it is complete, and the plots and the table that show it in large. */
export interface Run {
  t0?: number;
  t1?: number;
  timer?: string;
  speed?: string;
  keys?: string;
  sync?: string;
  jumps?: string;
}
/** Worth watching from `t0` to `t1`; the score is 0 to 1. */
export interface Highlight {
  t: number;
  t0: number;
  t1: number;
  score: number;
  kind: string;
  text: string;
  player?: number;
}
/** What the colours of trails mean, from the first to the last of the scale. */
export interface Legend {
  title: string;
  unit: string;
  from: number;
  to: number;
}
export interface Timeline {
  source: {
    name: string;
    format: string;
    layout: string;
    title: string;
    /** How it ended, if the recording says so. */
    result?: string;
    facts?: [string, string][];
    duration: number;
    complete: boolean;
    read_to?: number;
    scene: boolean;
  };
  clock?: { unit: string; t: Column };
  run?: Run;
  legend?: Legend;
  players?: Player[];
  chapters?: { t0: number; t1: number; name: string }[];
  highlights?: Highlight[];
  markers?: { n: number; t: Column; kind: Column; player: Column; weight: Column; text: Column };
  bands?: { t0: number; t1: number; level: number; kind?: string; text?: string; player?: number }[];
  plots?: Plot[];
  hud?: Hud[];
  tables?: Table[];
  glyphs?: Glyphs[];
  heat?: Heat[];
  cameras?: Camera[];
  voices?: Voice[];
  labels?: { node: number; text: string; player?: number }[];
  warnings?: Warning[];
  private?: string[];
  info?: [string, string][];
}
/** Sections in which time was lost; ticks of both timers, seconds of the first replay. */
export interface Section {
  a0: number;
  a1: number;
  b0: number;
  b1: number;
  t0: number;
  t1: number;
  delta: number;
  line: number;
  speed: number;
  landing: boolean;
}
export interface Comparison {
  a: number;
  b: number;
  refused?: string;
  axis?: 'course';
  tick_s?: number;
  final?: number;
  summary?: string;
  sections?: Section[];
  gap?: Plot;
}
export interface Page {
  replays: { timeline: string; scene: string | null; offset: number; label: string }[];
  compare?: Comparison | null;
  /** Of the first replay with each one after the second. */
  rivals?: Comparison[];
  map?: string;
  start?: { t: number; camera: string };
  theme?: 'auto' | 'dark' | 'light';
  version: string;
}

export interface Marker {
  t: number;
  kind: string;
  player: number;
  weight: number;
  text: string;
}

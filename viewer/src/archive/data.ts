// The data of an archive: columns of archive.json (docs/json/archive.schema.json), and what is
// derived from them for searching and sorting.

const TEXTS = ['format', 'map', 'mode', 'course', 'styles', 'type', 'status', 'result', 'title', 'folder'] as const;
export type TextColumn = (typeof TEXTS)[number];

interface ArchiveFile {
  reprise: number;
  name: string;
  spoiler_free: boolean;
  count: number;
  texts: Partial<Record<TextColumn, string[]>>;
  people: string[];
  bots: number[];
  /** One number in place of a column means that all rows have it. */
  columns: Partial<Record<TextColumn, number[] | number>> & {
    date: number[];
    length?: number[];
    time?: number[];
    teleports?: number[];
    people: number[][];
    name: string[];
    page: string[];
  };
  records?: number[];
  history?: number[];
}

export interface Seat {
  person: number;
  won: boolean;
}

const GAMES: Record<string, string> = {
  cs2kz: 'CS2KZ',
  rumble: 'RUMBLE',
  openra: 'OpenRA',
  remastered: 'C&C Remastered',
  mcreplay: 'Minecraft',
  mccamera: 'Minecraft camera',
  icrep: 'Iron Curtain',
  icsave: 'Iron Curtain save',
  icproof: 'Iron Curtain proof',
};
export const gameName = (format: string) => GAMES[format] ?? format;

const EPOCH = Date.UTC(2000, 0, 1);
export const dayText = (seconds: number) => new Date(EPOCH + seconds * 1000).toISOString().slice(0, 10);
export const minuteText = (seconds: number) => new Date(EPOCH + seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
/** Seconds after the start of 2000 for "2026-02-19"; NaN if it is not a date. */
export const dayStart = (text: string) => (Date.parse(`${text}T00:00:00Z`) - EPOCH) / 1000;

export class Archive {
  readonly name: string;
  readonly count: number;
  /** Published without results. */
  readonly sealed: boolean;
  /** Names, and the same made distinct: two players may have one name. */
  readonly people: string[];
  readonly keys: string[];
  readonly bots: Set<number>;
  readonly date: Float64Array;
  readonly length: Float64Array;
  readonly time: Float64Array;
  readonly teleports: Int32Array;
  readonly records: number[];
  readonly history: number[];
  private numbers = new Map<TextColumn, Int32Array>();
  private texts = new Map<TextColumn, string[]>();
  private seats: number[][];
  private names: string[];
  private pages: string[];
  private needles: string[] | null = null;

  constructor(file: ArchiveFile) {
    if (file.reprise !== 1) throw new Error('this archive was made by a later version');
    const { columns } = file;
    this.name = file.name;
    this.count = file.count;
    this.sealed = file.spoiler_free;
    this.people = file.people;
    this.keys = distinct(file.people);
    this.bots = new Set(file.bots);
    this.date = Float64Array.from(columns.date);
    for (let i = 1; i < file.count; i++) this.date[i] += this.date[i - 1];
    const unknown = () => new Float64Array(file.count).fill(-1);
    this.length = columns.length ? Float64Array.from(columns.length) : unknown();
    this.time = columns.time ? Float64Array.from(columns.time) : unknown();
    this.teleports = columns.teleports ? Int32Array.from(columns.teleports) : new Int32Array(file.count).fill(-1);
    for (const name of TEXTS) {
      const column = columns[name] ?? -1;
      this.numbers.set(name, typeof column === 'number' ? new Int32Array(file.count).fill(column) : Int32Array.from(column));
      this.texts.set(name, file.texts[name] ?? []);
    }
    this.seats = columns.people;
    this.names = columns.name;
    this.pages = columns.page;
    this.records = file.records ?? [];
    this.history = file.history ?? [];
  }

  /** The values of a column of texts, by number, and the texts. */
  column(name: TextColumn): Int32Array {
    return this.numbers.get(name)!;
  }
  values(name: TextColumn): string[] {
    return this.texts.get(name)!;
  }
  text(name: TextColumn, row: number): string {
    const number = this.numbers.get(name)![row];
    return number < 0 ? '' : this.texts.get(name)![number];
  }
  game(row: number): string {
    return gameName(this.text('format', row));
  }
  /** Who plays; a winner is stored as -1 - person. */
  seatsOf(row: number): Seat[] {
    return this.seats[row].map((n) => (n < 0 ? { person: -1 - n, won: true } : { person: n, won: false }));
  }
  plays(row: number, person: number): boolean {
    return this.seats[row].includes(person) || this.seats[row].includes(-1 - person);
  }
  peopleOf(row: number): number[] {
    return this.seats[row].map((n) => (n < 0 ? -1 - n : n));
  }
  fileName(row: number): string {
    const folder = this.text('folder', row);
    return folder ? `${folder}/${this.names[row]}` : this.names[row];
  }
  /** The name of the replay's page, or ''. */
  page(row: number): string {
    return this.pages[row];
  }
  isRun(row: number): boolean {
    const status = this.text('status', row);
    return this.text('type', row) === 'run' && this.time[row] >= 0 && (status === 'ok' || status === 'warning');
  }
  kind(row: number): string {
    return this.teleports[row] === 0 ? 'Pro' : 'Teleport';
  }
  /** Runs with the same key compete for one record. */
  courseKey(row: number): string {
    return [this.text('map', row), this.text('course', row), this.text('mode', row), this.kind(row), this.text('styles', row)].join('\0');
  }

  title(row: number): string {
    const title = this.text('title', row);
    if (title) return title;
    const people = this.peopleOf(row);
    if (people.length > 4) return `${people.length} players`;
    return people.map((p) => this.people[p]).join(' vs ') || this.names[row];
  }
  place(row: number): string {
    const course = this.text('course', row);
    return course ? `${this.text('map', row)}, ${course}` : this.text('map', row);
  }

  /** What is searched, in lower case; made at the first search. */
  private haystack(): string[] {
    if (!this.needles) {
      const lower = new Map(TEXTS.map((name) => [name, this.values(name).map((v) => v.toLowerCase())]));
      const at = (name: TextColumn, row: number) => {
        const number = this.column(name)[row];
        return number < 0 ? '' : lower.get(name)![number];
      };
      const people = this.people.map((p) => p.toLowerCase());
      const games = this.values('format').map((f) => gameName(f).toLowerCase());
      const format = this.column('format');
      this.needles = Array.from({ length: this.count }, (_, row) =>
        [games[format[row]], at('map', row), at('course', row), at('mode', row), at('title', row), at('folder', row), this.names[row].toLowerCase(), ...this.peopleOf(row).map((p) => people[p])].join('\n'),
      );
    }
    return this.needles;
  }
  matcher(query: string): ((row: number) => boolean) | null {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return null;
    const all = this.haystack();
    return (row) => words.every((word) => all[row].includes(word));
  }
}

function distinct(names: string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times > 1 ? `${name} (${times})` : name;
  });
}

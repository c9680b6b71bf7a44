// Bookmarks: stored next to the replay by the command, or in the browser for offline pages.
import { countUpTo, type Numbers } from './columns';
import { clockText, keep, kept } from './dom';

export interface Bookmark {
  t: number;
  name: string;
}

const valid = (value: unknown): value is Bookmark =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Bookmark).t === 'number' &&
  Number.isFinite((value as Bookmark).t) &&
  typeof (value as Bookmark).name === 'string';

/** A line of the file that `reprise play` also uses: frame number, readable time, name. */
const LINE = /^(\d+)(?:[ \t]+([\d:.]+))?[ \t]*(.*)$/;

export class Bookmarks {
  list: Bookmark[] = [];
  onChange: () => void = () => undefined;

  /** `url`: where the command stores them, or null. `frames`: frame times. */
  constructor(
    private key: string,
    private url: string | null,
    private frames: Numbers,
  ) {}

  async load() {
    try {
      if (this.url) {
        const answer = await fetch(this.url);
        if (answer.ok) this.read(await answer.text());
        else this.url = null; // not stored by the command: use the browser
      }
      if (!this.url) this.take(JSON.parse(kept(this.key) ?? '[]'));
    } catch {
      this.list = []; // nothing stored, or no storage
    }
    this.onChange();
  }

  private read(text: string) {
    const found = text.split('\n').map((line) => LINE.exec(line));
    this.take(
      found.flatMap((parts) => {
        const t = parts ? this.frames[Number(parts[1])] : undefined;
        return t === undefined ? [] : [{ t, name: parts![3] || `At ${clockText(t)}` }];
      }),
    );
  }
  private write(): string {
    const number = (t: number) => Math.max(0, countUpTo(this.frames, t + 1e-6) - 1);
    const plain = (name: string) => name.replace(/[\u0000-\u001f]+/g, ' ');
    return this.list.map((m) => `${number(m.t)} ${clockText(m.t)} ${plain(m.name)}\n`).join('');
  }

  private take(value: unknown) {
    this.list = Array.isArray(value) ? value.filter(valid).sort((a, b) => a.t - b.t) : [];
  }

  private save() {
    if (this.url) void fetch(this.url, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: this.write() });
    else keep(this.key, JSON.stringify(this.list));
    this.onChange();
  }

  add(t: number, name: string): Bookmark {
    const mark = { t, name };
    this.list.push(mark);
    this.list.sort((a, b) => a.t - b.t);
    this.save();
    return mark;
  }
  rename(mark: Bookmark, name: string) {
    mark.name = name;
    this.save();
  }
  remove(mark: Bookmark) {
    this.list = this.list.filter((m) => m !== mark);
    this.save();
  }
  import(text: string): boolean {
    try {
      const value = JSON.parse(text);
      if (!Array.isArray(value)) return false;
      this.take([...this.list, ...value]);
    } catch {
      return false;
    }
    this.save();
    return true;
  }
}

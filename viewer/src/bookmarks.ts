// Bookmarks: kept beside the replay by the command, and by the browser for pages that stand alone.
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

export class Bookmarks {
  list: Bookmark[] = [];
  onChange: () => void = () => undefined;

  /** `url`: where the command keeps them; null: nowhere. */
  constructor(
    private key: string,
    private url: string | null,
  ) {}

  async load() {
    try {
      const text = this.url ? await (await fetch(this.url)).text() : localStorage.getItem(this.key);
      this.take(JSON.parse(text ?? '[]'));
    } catch {
      this.list = []; // nothing kept, or no place to keep it
    }
    this.onChange();
  }

  private take(value: unknown) {
    this.list = Array.isArray(value) ? value.filter(valid).sort((a, b) => a.t - b.t) : [];
  }

  private save() {
    const text = JSON.stringify(this.list);
    try {
      if (this.url)
        void fetch(this.url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: text });
      else localStorage.setItem(this.key, text);
    } catch {
      // Private windows keep nothing; the list still works until the page is closed.
    }
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

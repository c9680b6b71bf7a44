// The page of an archive: all replays, records, players.
import { button, chooseTheme, el, keep, kept, nextTheme, onSystemTheme } from '../dom';
import { Archive } from './data';
import { List } from './list';
import { playersView, playerView } from './players';
import { recordsView } from './records';
import type { Site } from './views';

const html = document.documentElement;
const root = document.getElementById('app')!;
const isStatic = document.querySelector('meta[name="reprise-static"]') !== null;
const errors: string[] = [];
addEventListener('error', (event) => errors.push(event.message));
addEventListener('unhandledrejection', (event) => errors.push(String(event.reason)));

class Page {
  readonly list: List;
  private hides: boolean;
  private site: Site;
  private main = el('main', { id: 'main', tabindex: -1 });
  private tabs = new Map<string, HTMLElement>();
  private spoiler: HTMLButtonElement;

  constructor(readonly archive: Archive) {
    this.hides = archive.sealed || kept('reprise.archive.spoiler') === '1';
    this.site = { archive, isStatic, spoilerFree: () => this.hides };
    this.list = new List(this.site, () => history.replaceState(null, '', `#${this.list.address()}`));
    this.spoiler = button('eyeOff', 'Spoiler-free', () => this.toggleSpoilers(), { class: 'spoiler', 'aria-pressed': String(this.hides) });
    this.spoiler.append(el('span', { class: 'words' }, 'Spoiler-free'));
    if (archive.sealed) {
      this.spoiler.disabled = true;
      this.spoiler.title = 'This archive was made without results.';
    }
    root.replaceChildren(this.makeHeader(), this.main);
    addEventListener('hashchange', () => this.show(true));
    onSystemTheme(() => undefined);
    this.show(false);
  }

  private makeHeader(): HTMLElement {
    const links = [['', 'Replays'], ['records', 'Records'], ['players', 'Players']].map(([id, text]) => {
      const link = el('a', { href: `#${id}` }, text);
      this.tabs.set(id, link);
      return link;
    });
    const theme = button('theme', 'Dark or light', () => void nextTheme());
    return el('header', {}, el('h1', {}, el('bdi', {}, this.archive.name)), el('nav', { 'aria-label': 'Views' }, ...links), this.spoiler, theme);
  }

  private toggleSpoilers() {
    this.hides = !this.hides;
    keep('reprise.archive.spoiler', this.hides ? '1' : null);
    this.spoiler.setAttribute('aria-pressed', String(this.hides));
    this.show(false);
  }

  /** Shows what the address names. */
  private show(moves: boolean) {
    const hash = location.hash.slice(1);
    const values = new URLSearchParams(hash);
    const player = values.get('player');
    const view = player !== null ? 'players' : hash === 'records' || hash === 'players' ? hash : '';
    for (const [id, link] of this.tabs) {
      if (id === view) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    if (!view) {
      this.main.replaceChildren(this.list.root);
      this.list.restore(values);
    } else if (player !== null) {
      this.main.replaceChildren(playerView(this.site, player));
    } else {
      this.main.replaceChildren(view === 'records' ? recordsView(this.site) : playersView(this.site));
    }
    document.title = player ?? this.archive.name;
    html.toggleAttribute('data-spoiler-free', this.hides);
    if (moves) this.main.focus();
  }
}

function showError(error: unknown) {
  html.dataset.state = 'error';
  const hint = location.protocol === 'file:' ? 'A page from disk may not read other files. Put the folder on a web server; any will do.' : "'reprise index DIR' checks the catalog.";
  root.replaceChildren(
    el('div', { class: 'wait', role: 'alert' }, el('h1', {}, 'This archive cannot be shown'), el('p', {}, error instanceof Error ? error.message : String(error)), el('p', { class: 'hint' }, hint)),
  );
}

let page: Page | null = null;
async function main() {
  const wanted = new URLSearchParams(location.search).get('theme') ?? kept('reprise.theme');
  chooseTheme(wanted === 'dark' || wanted === 'light' ? wanted : 'auto');
  const answer = await fetch('archive.json');
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  page = new Page(new Archive(await answer.json()));
  html.dataset.state = 'ready';
  // Tells the command that the page is open, until it is closed.
  if (!isStatic)
    fetch('alive')
      .then((stream) => stream.body?.pipeTo(new WritableStream()))
      .catch(() => undefined);
}

// For tests. Reading it has no side effects.
Object.assign(window, {
  repriseTest: {
    errors,
    get state() {
      return html.dataset.state;
    },
    get found() {
      return page && { count: page.list.found.length, rows: [...page.list.found.subarray(0, 50)], drawn: page.list.drawn };
    },
  },
});

main().catch(showError);

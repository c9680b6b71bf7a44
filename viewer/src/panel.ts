// The side panel: plots, tables, bookmarks, heat maps, comparison and metadata.
import { button, clockText, el, isDrawer, keep, kept, paletteOf, shapeOf } from './dom';
import { heatPicture } from './heat';
import { Players } from './players';
import { Highlights } from './highlights';
import { Share } from './share';
import { Plots } from './plots';
import { TableView } from './tables';
import { sectionTable } from './sections';
import type { App, Replay } from './app';
import type { Bookmark } from './bookmarks';
import type { Loader } from './loader';
import type { Arrangement } from './stage';
import type { Table } from './types';

const WIDTH = 380;
const WIDTH_MIN = 260;
const WIDTH_SHARE_MAX = 0.7;

interface Tab {
  id: string;
  title: string;
  button: HTMLButtonElement;
  pane: HTMLElement;
}

export class Panel {
  readonly element: HTMLElement;
  readonly plots: Plots;
  private players: Players;
  private share: Share;
  private highlights: Highlights;
  private tabs: Tab[] = [];
  private strip = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Side panel' });
  private shown = '';
  private views = new Map<string, TableView>();
  private table: TableView | null = null;
  private tableHolder = el('div', { class: 'holder' });
  private chooser = el('select', { 'aria-label': 'Which table', onchange: () => this.choose(this.chooser.value) });
  private marks = el('ul', { class: 'marks' });
  private info = el('div', { class: 'info' });
  private heatNote = el('p', { class: 'none' });
  private heats = el('div');
  private arrangements: HTMLButtonElement[] = [];

  constructor(
    private app: App,
    loader: Loader,
  ) {
    this.element = el('aside', { class: 'side', id: 'panel', tabindex: -1, 'aria-label': 'Plots and tables' }, this.strip);
    this.plots = new Plots(app, loader);
    this.players = new Players(app);
    this.share = new Share(app);
    this.highlights = new Highlights(app, () => this.show('share'));
    this.add('plots', 'Plots', this.plots.element);
    this.addTables();
    if (app.timeline.players?.length) this.add('players', 'Players', this.players.element);
    this.add('bookmarks', 'Marks', this.bookmarkPane());
    if (app.timeline.heat?.length) this.add('heat', 'Heat', this.heatPane());
    if (app.replays.length > 1) this.add('compare', 'Compare', this.comparePane());
    this.add('share', 'Share', this.share.element);
    this.add('info', 'Info', this.info);
    this.strip.addEventListener('keydown', (event) => this.key(event));
    this.element.append(this.edge());
    // A saved moment has tables, but nothing that changes.
    this.show(app.timeline.plots?.length || !app.timeline.tables?.length ? 'plots' : 'tables');
  }

  /** The left edge: drag it, or use the arrow keys, to make the panel wider. */
  private edge(): HTMLElement {
    const edge = el('div', { class: 'edge', role: 'separator', tabindex: 0, 'aria-orientation': 'vertical', 'aria-label': 'Width of the side panel' });
    const set = (wanted: number) => {
      const most = Math.max(WIDTH_MIN, innerWidth * WIDTH_SHARE_MAX);
      const width = Math.round(Math.min(most, Math.max(WIDTH_MIN, wanted)));
      document.documentElement.style.setProperty('--side', `${width}px`);
      for (const [name, value] of [['now', width], ['min', WIDTH_MIN], ['max', Math.round(most)]]) edge.setAttribute(`aria-value${name}`, String(value));
      keep('reprise.side', String(width));
    };
    const width = Number(kept('reprise.side'));
    set(width >= WIDTH_MIN ? width : WIDTH);
    edge.addEventListener('pointerdown', (event) => edge.setPointerCapture(event.pointerId));
    edge.addEventListener('pointermove', (event) => {
      if (edge.hasPointerCapture(event.pointerId)) set(this.element.getBoundingClientRect().right - event.clientX);
    });
    edge.addEventListener('dblclick', () => set(WIDTH));
    edge.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: 20, ArrowRight: -20 }[event.key];
      if (!step) return;
      set(this.element.offsetWidth + step);
      event.preventDefault();
      event.stopPropagation();
    });
    return edge;
  }

  private add(id: string, title: string, content: HTMLElement) {
    const pane = el('div', { class: `pane ${id}`, role: 'tabpanel', tabindex: 0, id: `pane-${id}`, 'aria-labelledby': `tab-${id}` }, content);
    const tab = button(title, title, () => this.press(id), {
      role: 'tab',
      id: `tab-${id}`,
      'aria-controls': `pane-${id}`,
      'aria-selected': 'false',
    });
    this.strip.append(tab);
    this.element.append(pane);
    this.tabs.push({ id, title, button: tab, pane });
  }

  /** In a drawer, the open tab closes it. */
  private press(id: string) {
    const { classList } = this.app.root;
    if (isDrawer() && this.shown === id && !classList.contains('no-panel')) classList.add('no-panel');
    else this.show(id);
  }

  show(id: string) {
    this.shown = id;
    for (const tab of this.tabs) {
      const on = tab.id === id;
      tab.pane.hidden = !on;
      tab.button.setAttribute('aria-selected', String(on));
      tab.button.tabIndex = on ? 0 : -1;
    }
    this.app.root?.classList.remove('no-panel');
    if (id === 'plots') this.plots.resize();
    if (id === 'tables') this.table?.draw();
    if (id === 'info') this.fillInfo();
    if (this.app.root) this.update();
  }

  private key(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = this.tabs.findIndex((t) => t.id === this.shown);
    const next = this.tabs[(at + step + this.tabs.length) % this.tabs.length];
    this.show(next.id);
    next.button.focus();
    event.preventDefault();
  }

  // ---- tables

  private addTables() {
    const { timeline } = this.app;
    const list: Table[] = [];
    if (timeline.markers?.n) list.push(this.eventTable());
    list.push(...(timeline.tables ?? []).filter((t) => t.n > 0));
    const nested = new Set(list.map((t) => t.nested?.table));
    for (const table of list) {
      if (nested.has(table.id)) continue;
      this.views.set(table.id, new TableView(this.app, table));
      this.chooser.append(el('option', { value: table.id }, table.title));
    }
    const content = this.views.size
      ? el('div', { class: 'tablepane' }, this.chooser, this.tableHolder)
      : el('p', { class: 'none' }, 'This replay has no tables.');
    this.add('tables', 'Tables', content);
    const first = this.views.keys().next().value;
    if (first) this.choose(first);
  }

  /** All markers as a table of events. */
  private eventTable(): Table {
    const m = this.app.timeline.markers!;
    const own = this.app.timeline.tables?.some((t) => t.id === 'events' && t.n > 0);
    return {
      id: 'markers:all',
      title: own ? 'Highlights' : 'Events',
      time: 't',
      n: m.n,
      columns: [
        { id: 't', title: 'Time', unit: 's', data: m.t },
        { id: 'kind', title: 'Kind', data: m.kind },
        { id: 'text', title: 'What', data: m.text },
      ],
    };
  }

  choose(id: string) {
    this.table = this.views.get(id) ?? null;
    if (!this.table) return;
    this.chooser.value = id;
    this.tableHolder.replaceChildren(this.table.element);
    this.table.choose();
    this.table.update();
  }
  filter() {
    this.show('tables');
    this.table?.focusFilter();
  }
  get tableIds(): string[] {
    return [...this.views.keys()];
  }
  get rowCount(): number {
    return this.table?.rowCount ?? 0;
  }

  // ---- bookmarks

  private bookmarkPane(): HTMLElement {
    const file = el('input', { type: 'file', accept: '.json,application/json', hidden: true, 'aria-label': 'File with bookmarks' });
    file.addEventListener('change', async () => {
      const text = await file.files?.[0]?.text();
      if (text && !this.app.bookmarks.import(text)) this.app.say('That file holds no bookmarks');
      file.value = '';
    });
    const tools = el(
      'div',
      { class: 'tools' },
      button('Add', 'Bookmark this moment', () => this.app.nameBookmark()),
      button('Save', 'Save all as a file', () => this.saveBookmarks()),
      button('Open', 'Add those of a file', () => file.click()),
      file,
    );
    return el('div', {}, this.highlights.element, el('h2', {}, 'Bookmarks'), tools, this.marks);
  }

  private saveBookmarks() {
    const blob = new Blob([JSON.stringify(this.app.bookmarks.list, null, 1)], { type: 'application/json' });
    const link = el('a', { href: URL.createObjectURL(blob), download: `${this.app.timeline.source.name}.bookmarks.json` });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  bookmarksChanged() {
    const { clock, bookmarks } = this.app;
    const list = bookmarks.list.filter((m) => m.t <= clock.limit);
    this.marks.replaceChildren(
      ...list.map((mark) => {
        const name = el('input', { value: mark.name, 'aria-label': `Name of the bookmark at ${clockText(mark.t)}` });
        name.addEventListener('change', () => bookmarks.rename(mark, name.value));
        name.addEventListener('keydown', (event) => {
          if (event.key === 'Enter') name.blur();
        });
        return el(
          'li',
          { 'data-t': mark.t },
          button(clockText(mark.t), `Go to ${clockText(mark.t)}`, () => clock.seek(mark.t)),
          name,
          button('close', `Remove the bookmark at ${clockText(mark.t)}`, () => bookmarks.remove(mark)),
        );
      }),
    );
    if (!list.length) this.marks.append(el('li', { class: 'none' }, 'No bookmarks yet: M sets one.'));
  }

  editBookmark(mark: Bookmark) {
    const input = this.marks.querySelector<HTMLInputElement>(`li[data-t="${mark.t}"] input`);
    input?.focus();
    input?.select();
  }

  // ---- heat maps

  private heatPane(): HTMLElement {
    for (const heat of this.app.timeline.heat ?? []) {
      const picture = heatPicture(heat);
      picture.className = 'heatmap';
      picture.setAttribute('role', 'img');
      picture.setAttribute('aria-label', `${heat.title}, ${heat.rect[2]} by ${heat.rect[3]} metres from above`);
      this.heats.append(
        el('h2', {}, heat.title, el('small', {}, `${heat.rect[2]} × ${heat.rect[3]} m`)),
        picture,
        button('Show on the ground', `${heat.title} on the ground`, () => this.app.toggleHeat(heat)),
      );
    }
    this.heatNote.textContent = 'Heat maps tell where everything happens: they are hidden while spoiler-free.';
    return el('div', { class: 'heats' }, this.heatNote, this.heats);
  }

  // ---- comparison

  private comparePane(): HTMLElement {
    const pane = el('div', { class: 'comparison' });
    const names: [Arrangement, string][] = [
      ['ghosts', 'Ghosts'],
      ['side', 'Side by side'],
      ['single', 'First only'],
    ];
    this.arrangements = names.map(([id, title]) =>
      button(title, title, () => this.app.setArrangement(id), { 'data-arrangement': id, 'aria-pressed': 'false' }),
    );
    pane.append(el('div', { class: 'tools', role: 'group', 'aria-label': 'Arrangement' }, ...this.arrangements));
    const linked = el('input', { type: 'checkbox', class: 'linked', checked: true });
    linked.addEventListener('change', () => this.app.setLinked(linked.checked));
    pane.append(el('label', { class: 'choice' }, linked, ' Side by side both cameras move together'));
    const note = this.warning();
    if (note) pane.append(el('p', { class: 'note' }, note));
    const sections = this.app.page.compare?.sections;
    if (sections) pane.append(sectionTable(this.app, this.app.page.compare!));
    for (const replay of this.app.replays) pane.append(this.compared(replay.index));
    return pane;
  }

  /** Why these replays cannot be compared by place, if they cannot. */
  private warning(): string {
    const { replays, page } = this.app;
    const different = (of: (r: Replay) => string) => new Set(replays.map(of)).size > 1;
    if (different((r) => r.timeline.source.format)) return 'These replays are of different games: only time is common to them.';
    if (page.compare?.refused) return `No gap is shown, because ${page.compare.refused}.`;
    if (different((r) => r.timeline.source.facts?.find(([k]) => k === 'Map')?.[1] ?? '')) return 'These replays are of different maps: places do not correspond.';
    return '';
  }

  private compared(index: number): HTMLElement {
    const replay = this.app.replays[index];
    const swatch = el('i', { 'aria-hidden': 'true' }, shapeOf(index));
    swatch.style.color = index ? paletteOf(index) : 'inherit';
    const title = el('h2', {}, swatch, ' ', replay.label);
    if (!index) return el('div', {}, title, el('p', { class: 'none' }, 'sets the time'));
    const clock = replay.timeline.clock?.t;
    const step = clock?.type === 'range' && clock.step > 0 ? clock.step : 0.02;
    const reach = Math.max(10, replay.timeline.source.duration);
    const common = { min: -reach, max: reach, step: step.toFixed(6), value: replay.offset };
    const slider = el('input', { type: 'range', ...common, 'aria-label': `Offset of ${replay.label} in seconds` });
    const number = el('input', { type: 'number', ...common, min: undefined, max: undefined, step: 'any', 'aria-label': `Offset of ${replay.label}, exactly` });
    const set = (value: number) => {
      this.app.setOffset(index, value);
      slider.value = String(value);
      number.value = String(Number(value.toFixed(6)));
    };
    slider.addEventListener('input', () => set(slider.valueAsNumber));
    number.addEventListener('change', () => set(number.valueAsNumber));
    return el(
      'div',
      {},
      title,
      el('label', {}, 'Later by ', number, ' s'),
      slider,
      el(
        'div',
        { class: 'tools' },
        button('−1 frame', `${replay.label}: one frame earlier`, () => set(replay.offset - step)),
        button('0', `${replay.label}: no offset`, () => set(0)),
        button('+1 frame', `${replay.label}: one frame later`, () => set(replay.offset + step)),
      ),
    );
  }

  compareChanged() {
    for (const b of this.arrangements)
      b.setAttribute('aria-pressed', String(b.dataset.arrangement === this.app.stage.arrangement));
  }

  // ---- information

  private fillInfo() {
    const { timeline, clock } = this.app;
    const list = (title: string, items: HTMLElement[]) => (items.length ? [el('h2', {}, title), el('ul', {}, ...items)] : []);
    const pairs = (timeline.info ?? []).map(([label, text]) =>
      el('tr', {}, el('th', { scope: 'row' }, label), el('td', {}, this.app.told(label, text))),
    );
    const findings = (timeline.warnings ?? []).map((w) =>
      el('li', { class: w.level }, el('b', {}, w.id), ' ', clock.spoilerFree && w.level !== 'note' ? 'hidden while spoiler-free' : w.text),
    );
    const damaged = 'damaged' in document.documentElement.dataset;
    const name = timeline.source.name;
    const rescue = el('code', {}, `reprise recover ${/\s/.test(name) ? `'${name}'` : name} -o sound-file`);
    this.info.replaceChildren(
      ...list('Findings', findings),
      ...(damaged ? [el('p', {}, 'What is complete can be saved: ', rescue)] : []),
      el('h2', {}, 'About this file'),
      el('table', { class: 'facts' }, el('tbody', {}, ...pairs)),
      ...list('Private in this file', (timeline.private ?? []).map((text) => el('li', {}, text))),
      button('Copy as text', 'Copy as text', () => void navigator.clipboard?.writeText(this.info.innerText)),
      el('p', { class: 'none' }, `reprise ${this.app.page.version}`),
    );
  }

  // ---- keeping up

  limitChanged() {
    this.plots.cut(true);
    this.plots.zoom(null, null);
    this.table?.choose();
    this.bookmarksChanged();
    const allowed = this.app.heatAllowed();
    this.heats.hidden = !allowed;
    this.heatNote.hidden = allowed;
    if (this.shown === 'info') this.fillInfo();
  }

  update() {
    if (this.shown === 'plots') {
      if (this.app.clock.spoilerFree) this.plots.cut();
      this.plots.update();
    } else if (this.shown === 'tables') this.table?.update();
    else if (this.shown === 'players') this.players.update();
    else if (this.shown === 'share') this.share.update();
    else if (this.shown === 'bookmarks') this.highlights.update();
  }
}


// A table of the sections in which one run lost time to another; each row seeks there.
import { button, clockText, el } from './dom';
import type { App } from './app';
import type { Comparison, Section } from './types';

const signed = (seconds: number) => `${seconds < 0 ? '−' : '+'}${Math.abs(seconds).toFixed(3)}`;

function row(app: App, section: Section, tick: number, most: number): HTMLElement {
  const time = (from: number, to: number) => ((to - from) * tick).toFixed(2);
  const bar = el('i', { class: section.delta > 0 ? 'lost' : 'won', 'aria-hidden': 'true' });
  bar.style.width = `${(100 * Math.abs(section.delta)) / most}%`;
  const where = clockText(section.t0, 1) + (section.landing ? '' : ' ~');
  const go = button(where, `Go to ${clockText(section.t0, 1)}`, () => app.clock.seek(section.t0));
  return el(
    'tr',
    { 'data-t0': section.t0 },
    el('th', { scope: 'row' }, go),
    el('td', {}, time(section.a0, section.a1)),
    el('td', {}, time(section.b0, section.b1)),
    el('td', { class: 'delta' }, bar, signed(section.delta)),
    el('td', {}, signed(section.line)),
    el('td', {}, signed(section.speed)),
  );
}

export function sectionTable(app: App, comparison: Comparison): HTMLElement {
  const { sections = [], tick_s: tick = 1, final = 0 } = comparison;
  const most = Math.max(1e-9, ...sections.map((s) => Math.abs(s.delta)));
  const heads = ['From', 'First', 'Second', 'Difference', 'by way', 'by speed'].map((text) => el('th', { scope: 'col' }, text));
  const body = el('tbody');
  const note = el('p', { class: 'none' });
  const sum = el('tfoot');
  const show = () => {
    // Spoiler-free: show a section once it is over, and totals at the end.
    const known = sections.filter((s) => s.t1 <= app.clock.limit + 1e-6);
    if (known.length !== body.childElementCount) body.replaceChildren(...known.map((s) => row(app, s, tick, most)));
    const all = known.length === sections.length;
    sum.replaceChildren(...(all ? [el('tr', {}, el('th', { scope: 'row' }, 'In all'), el('td'), el('td'), el('td', { class: 'delta' }, signed(final)), el('td'), el('td'))] : []));
    note.textContent = all ? `${comparison.summary ?? ''}. Seconds; ~ ends at no landing.` : 'Sections appear when they were seen.';
  };
  show();
  app.clock.on(show);
  return el(
    'div',
    { class: 'sections' },
    el('h2', {}, 'Sections of the course'),
    el('table', { class: 'rows' }, el('thead', {}, el('tr', {}, ...heads)), body, sum),
    note,
  );
}

// Pages of replays in an archive: the way back, and what the archive's page asks for.
import type { App } from './app';
import { el } from './dom';
import type { Page } from './types';

const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
const query = new URLSearchParams(location.search);

/** Files on a web host: nothing else answers. */
export const isStatic = meta('reprise-static') !== undefined;

export function joinArchive(app: App) {
  const address = meta('reprise-archive');
  if (address === undefined) return;
  app.root.querySelector('header')?.prepend(el('a', { href: address, class: 'archive' }, 'Archive'));
  if (query.has('spoiler-free') && !app.clock.spoilerFree) app.toggleSpoilerFree();
}

/** The replays that the address of the compare page names, each with the data of its own page. */
export function comparedPage(): Page | null {
  const names = query.getAll('r').filter((name) => /^[0-9a-f]+$/.test(name));
  if (!isStatic || !names.length) return null;
  const base = (name: string) => `../r/${name}/0`;
  return {
    replays: names.slice(0, 8).map((name) => ({ timeline: `${base(name)}/timeline.json`, scene: `${base(name)}/scene.glb`, offset: 0, label: name })),
    compare: null,
    version: '',
  };
}

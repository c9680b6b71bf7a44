// The keyboard: one table defines both shortcuts and their help.
import { button, el } from './dom';
import type { App } from './app';

interface Binding {
  keys: string[]; // "Ctrl+", "Shift+" before the name of the key
  says: string;
  shown?: string;
  does: (app: App) => void;
}

const seek = (seconds: number) => (app: App) => app.clock.seek(app.clock.time + seconds);

const BINDINGS: Binding[] = [
  { keys: [' ', 'k'], shown: 'Space, K', says: 'play or pause', does: (a) => a.clock.toggle() },
  { keys: [','], says: 'one frame or tick back', does: (a) => a.clock.step(-1) },
  { keys: ['.'], says: 'one frame or tick on', does: (a) => a.clock.step(1) },
  { keys: ['ArrowLeft'], shown: 'Left', says: 'previous marker or bookmark', does: (a) => a.toMarker(-1) },
  { keys: ['ArrowRight'], shown: 'Right', says: 'next marker or bookmark', does: (a) => a.toMarker(1) },
  { keys: ['Ctrl+ArrowLeft'], shown: 'Ctrl+Left', says: 'previous band or chapter', does: (a) => a.toBand(-1) },
  { keys: ['Ctrl+ArrowRight'], shown: 'Ctrl+Right', says: 'next band or chapter', does: (a) => a.toBand(1) },
  { keys: ['Shift+ArrowLeft'], shown: 'Shift+Left', says: '5 seconds back', does: seek(-5) },
  { keys: ['Shift+ArrowRight'], shown: 'Shift+Right', says: '5 seconds on', does: seek(5) },
  { keys: ['j'], says: '10 seconds back', does: seek(-10) },
  { keys: ['l'], says: '10 seconds on', does: seek(10) },
  { keys: ['Home'], says: 'start', does: (a) => a.clock.seek(0) },
  { keys: ['End'], says: 'end, or what was seen so far', does: (a) => a.clock.seek(a.clock.limit) },
  { keys: ['[', '<'], shown: '[ <', says: 'slower', does: (a) => a.clock.faster(-1) },
  { keys: [']', '>'], shown: '] >', says: 'faster', does: (a) => a.clock.faster(1) },
  { keys: ['\\'], says: 'back to 1×', does: (a) => a.clock.setSpeed(1) },
  { keys: ['r'], says: 'reverse', does: (a) => a.clock.reverse() },
  { keys: ['i'], says: 'loop from here', does: (a) => a.loopHere(false) },
  { keys: ['o'], says: 'loop to here', does: (a) => a.loopHere(true) },
  { keys: ['Shift+i'], shown: 'Shift+I', says: 'no loop', does: (a) => a.clock.setLoop(null, null) },
  { keys: ['m', 'Ctrl+b'], shown: 'M, Ctrl+B', says: 'bookmark here', does: (a) => a.addBookmark() },
  { keys: ['v', 's'], says: 'spoiler-free on or off', does: (a) => a.toggleSpoilerFree() },
  { keys: ['c'], says: 'next camera', does: (a) => a.nextCamera() },
  { keys: ['t'], says: 'from above', does: (a) => a.setCamera('top') },
  { keys: ['f'], says: 'free flight: W A S D Q E, Shift fast', does: (a) => a.setCamera('free') },
  { keys: ['y'], says: 'camera key here, for a camera path (tab Share)', does: (a) => a.setCameraKey() },
  { keys: ['0'], says: 'complete scene', does: (a) => a.setCamera('orbit') },
  { keys: ['g'], says: 'ghosts, side by side, one replay', does: (a) => a.nextArrangement() },
  { keys: ['+', '='], shown: '+', says: 'zoom into the timeline', does: (a) => a.bar.zoom(0.5) },
  { keys: ['-'], says: 'zoom out of the timeline', does: (a) => a.bar.zoom(2) },
  { keys: ['z'], says: 'complete timeline', does: (a) => a.bar.fit() },
  { keys: ['p'], says: 'side panel on or off', does: (a) => a.root.classList.toggle('no-panel') },
  { keys: ['h'], says: 'nothing but the scene', does: (a) => a.root.classList.toggle('bare') },
  { keys: ['x'], says: 'heat map on the ground', does: (a) => a.toggleHeat() },
  { keys: ['/'], says: 'filter the table', does: (a) => a.panel.filter() },
  { keys: ['?'], says: 'this help', does: (a) => a.showHelp() },
];

export function helpDialog(): HTMLDialogElement {
  const rows = [
    ...BINDINGS.map(({ keys, shown, says }) => [shown ?? keys.map((k) => (k.length > 1 ? k : k.toUpperCase())).join(', '), says]),
    ['1 to 8', 'follow a player; with Shift through their eyes'],
    ['Esc', 'close, leave a mode'],
  ].map(([key, says]) => el('tr', {}, el('th', { scope: 'row' }, key), el('td', {}, says)));
  const dialog = el(
    'dialog',
    { class: 'help', 'aria-label': 'Keys and help' },
    el('h2', {}, 'Keys'),
    el('table', {}, el('tbody', {}, ...rows)),
    el('p', {}, 'Scene: drag turns, right drag or two fingers move, wheel or pinch zooms, a click names, a double click follows; on a phone a double tap at the left or right edge goes 10 seconds back or on. Timeline: drag scrubs, finer the farther the pointer is from it. Plots: click goes there, drag zooms, double click shows all.'),
    el('form', { method: 'dialog' }, button('Close', 'Close', () => dialog.close())),
  );
  return dialog;
}

const FLIGHT = new Set(['w', 'a', 's', 'd', 'q', 'e']);

function nameOf(event: KeyboardEvent): string {
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Shift is part of a character such as "?", but not of a letter or an arrow.
  const shifted = event.shiftKey && (event.key.length > 1 || /[a-z]/.test(letter));
  return `${event.ctrlKey ? 'Ctrl+' : ''}${shifted ? 'Shift+' : ''}${letter}`;
}

function typing(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type=range]), textarea, select, [contenteditable]') !== null;
}

function inMenu(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=menu], dialog') !== null;
}

export function listenToKeys(app: App) {
  const byKey = new Map(BINDINGS.flatMap((b) => b.keys.map((key) => [key, b] as const)));
  addEventListener('keydown', (event) => {
    if (event.altKey || event.metaKey || event.isComposing || typing(event.target)) return;
    if (event.key === 'Escape') return leave(app);
    if (document.querySelector('dialog[open]') && event.key !== '?') return;
    // Enter presses the button that has the focus; Space always plays and pauses, except in menus.
    if (event.key === ' ' && inMenu(event.target)) return;
    if (event.target instanceof HTMLElement && event.target.role === 'tab' && event.key.startsWith('Arrow')) return;
    if (event.key === 'Shift') app.held.add('shift');
    const letter = event.key.toLowerCase();
    if (app.stage.rig.mode.kind === 'free' && FLIGHT.has(letter) && !event.ctrlKey) {
      app.held.add(letter);
      return event.preventDefault();
    }
    const digit = /^Digit([1-8])$/.exec(event.code)?.[1];
    if (digit && !event.ctrlKey) {
      if (event.shiftKey) app.throughEyes(Number(digit) - 1);
      else app.follow(Number(digit) - 1);
      return event.preventDefault();
    }
    const binding = byKey.get(nameOf(event));
    if (!binding) return;
    event.preventDefault();
    binding.does(app);
  });
  addEventListener('keyup', (event) => {
    app.held.delete(event.key.toLowerCase());
    // Buttons are pressed when Space is released.
    if (event.key === ' ' && !typing(event.target) && !inMenu(event.target)) event.preventDefault();
  });
  addEventListener('blur', () => app.held.clear());
  addEventListener('copy', (event) => {
    if (getSelection()?.toString() || typing(document.activeElement)) return;
    event.clipboardData?.setData('text/plain', app.address());
    event.preventDefault();
    app.say('Address of this moment copied');
  });
}

function leave(app: App) {
  app.root.classList.remove('bare');
  if (app.camera === 'free' || app.camera === 'auto' || app.camera === 'path' || app.camera === 'rival' || app.camera === 'eyes' || app.camera === 'follow') app.setCamera('orbit');
}

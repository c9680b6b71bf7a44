// A short menu next to the pressed button.
import { el } from './dom';

export interface Choice {
  text: string;
  chosen?: boolean;
  act: () => void;
}

let close: () => void = () => undefined;

export interface MenuOptions {
  x?: number; // pixels from the left edge of the anchor; the middle if not given
  several?: boolean; // any number of choices is on, and the menu stays open
}

/** Shows choices above an element, or below it where there is no room. */
export function openMenu(anchor: HTMLElement, label: string, choices: Choice[], { x, several = false }: MenuOptions = {}) {
  close();
  const items = choices.map(({ text, chosen, act }) => {
    const item = el('button', { type: 'button', role: several ? 'menuitemcheckbox' : 'menuitemradio', 'aria-checked': String(Boolean(chosen)) }, text);
    item.addEventListener('click', () => {
      if (several) item.setAttribute('aria-checked', String(item.getAttribute('aria-checked') !== 'true'));
      else close();
      act();
    });
    return item;
  });
  const menu = el('div', { class: 'menu', role: 'menu', 'aria-label': label }, ...items);
  const back = document.activeElement;
  const outside = (event: Event) => {
    if (!menu.contains(event.target as Node)) close();
  };
  close = () => {
    close = () => undefined;
    removeEventListener('pointerdown', outside, true);
    menu.remove();
    if (back instanceof HTMLElement) back.focus();
  };
  menu.addEventListener('keydown', (event) => {
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) items[(at + step + items.length) % items.length].focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  addEventListener('pointerdown', outside, true);
  document.querySelector('.app')?.append(menu);
  place(menu, anchor.getBoundingClientRect(), x);
  (items.find((_, i) => choices[i].chosen) ?? items[0])?.focus();
}

function place(menu: HTMLElement, box: DOMRect, x?: number) {
  const middle = box.left + (x ?? box.width / 2);
  const left = Math.min(innerWidth - menu.offsetWidth - 4, Math.max(4, middle - menu.offsetWidth / 2));
  menu.style.left = `${left}px`;
  const above = box.top - menu.offsetHeight - 4;
  const top = above >= 4 ? above : Math.min(box.bottom + 4, innerHeight - menu.offsetHeight - 4);
  menu.style.top = `${Math.max(4, top)}px`;
}

// The row of buttons under the timeline.
import { SPEEDS } from './clock';
import { button, clockText, el, icon, put } from './dom';
import { openMenu } from './menu';
import type { App } from './app';

/** Holding a button this long opens its list. */
const LONG_PRESS_MS = 500;

export class Transport {
  readonly element: HTMLElement;
  private play: HTMLButtonElement;
  private reverse: HTMLButtonElement;
  private now = el('span', { class: 'now' });
  private total = el('span', { class: 'total' });
  private frame = el('span', { class: 'frame' });
  private speeds: HTMLButtonElement[];
  private speed: HTMLButtonElement;

  constructor(private app: App) {
    const { clock } = app;
    this.play = button('play', 'Play', () => clock.toggle(), { class: 'play' });
    this.reverse = button('reverse', 'Play backwards', () => clock.reverse(), { 'aria-pressed': 'false', class: 'wide' });
    this.speeds = SPEEDS.map((s) =>
      button(`${s}×`, `Speed ${s}`, () => clock.setSpeed(s), { 'data-speed': s, 'aria-pressed': 'false' }),
    );
    this.speed = this.speedButton();
    const unit = app.timeline.clock?.unit ?? 'frame';
    this.element = el(
      'div',
      { class: 'transport', role: 'toolbar', 'aria-label': 'Playback' },
      button('first', 'To the start', () => clock.seek(0), { class: 'wide' }),
      button('back', `One ${unit} back`, () => clock.step(-1)),
      this.play,
      button('forward', `One ${unit} on`, () => clock.step(1)),
      button('last', 'To the end', () => clock.seek(clock.limit), { class: 'wide' }),
      el('span', { class: 'times' }, this.now, el('span', { class: 'of' }, ' / '), this.total, this.frame),
      button('previous', 'Previous marker', () => app.toMarker(-1)),
      button('next', 'Next marker', () => app.toMarker(1)),
      this.reverse,
      button('loop', 'Loop: start here, then end here, then off', () => this.loop(), { class: 'wide' }),
      button('bookmark', 'Bookmark this moment', () => app.addBookmark(), { class: 'wide' }),
      ...(app.hasVoices ? [button('voice', 'Voices', () => app.toggleVoices(), { class: 'voices', 'aria-pressed': 'true' })] : []),
      button('camera', 'Save a picture', () => void app.copyPicture(), { class: 'wide' }),
      button('more', 'More controls', () => this.more(), { class: 'phone', 'aria-expanded': 'false' }),
      this.speed,
      el('span', { class: 'speeds wide', role: 'group', 'aria-label': 'Speed' }, ...this.speeds),
    );
    // Keep the focus, so that keyboard shortcuts work after a click.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
  }

  /** The remaining buttons on a phone. */
  private more() {
    const open = this.element.classList.toggle('open');
    this.element.querySelector('.phone')?.setAttribute('aria-expanded', String(open));
  }
  private nextSpeed() {
    const { clock } = this.app;
    clock.setSpeed(SPEEDS[(SPEEDS.indexOf(clock.speed) + 1) % SPEEDS.length]);
  }
  /** Pressed: the next speed. Held, right-clicked or with Arrow Down: all of them. */
  private speedButton(): HTMLButtonElement {
    let timer = 0;
    let held = false;
    const list = () => {
      held = true;
      const { clock } = this.app;
      openMenu(one, 'Speed', SPEEDS.map((s) => ({ text: `${s}×`, chosen: s === clock.speed, act: () => clock.setSpeed(s) })));
    };
    const one = button('1×', 'Speed: next, hold for all', () => held || this.nextSpeed(), { class: 'narrow speed', 'aria-haspopup': 'menu' });
    one.addEventListener('pointerdown', () => {
      held = false;
      timer = setTimeout(list, LONG_PRESS_MS);
    });
    for (const end of ['pointerup', 'pointerleave', 'pointercancel']) one.addEventListener(end, () => clearTimeout(timer));
    one.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      clearTimeout(timer);
      if (!held) list();
    });
    one.addEventListener('keydown', (event) => {
      held = false;
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      event.stopPropagation();
      list();
    });
    return one;
  }
  private loop() {
    const { clock } = this.app;
    if (clock.loopFrom === null) this.app.loopHere(false);
    else if (clock.loopTo === null && clock.time > clock.loopFrom) this.app.loopHere(true);
    else clock.setLoop(null, null);
  }

  showTime() {
    const { clock, timeline } = this.app;
    put(this.now, clockText(clock.time));
    put(this.total, clock.spoilerFree ? '-:--' : clockText(clock.duration));
    const unit = timeline.clock?.unit ?? 'frame';
    put(this.frame, `${unit} ${clock.frame}`);
  }

  showState() {
    const { clock } = this.app;
    const label = clock.going ? 'Pause' : 'Play';
    this.play.replaceChildren(icon(clock.going ? 'pause' : 'play'));
    this.play.toggleAttribute('aria-busy', clock.going && !clock.playing);
    this.play.setAttribute('aria-label', label);
    this.play.title = label;
    this.reverse.setAttribute('aria-pressed', String(clock.direction < 0));
    for (const b of this.speeds) b.setAttribute('aria-pressed', String(Number(b.dataset.speed) === clock.speed));
    this.speed.textContent = `${clock.speed}×`;
    const nothing = clock.duration <= 0;
    for (const b of this.element.querySelectorAll('button')) {
      b.disabled = nothing;
      if (nothing) b.title = 'There is no motion in this replay';
    }
    this.showTime();
  }
}

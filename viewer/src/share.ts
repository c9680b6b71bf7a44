// What leaves the page: the address of a moment, clips, and still pictures.
import { clipFormats, recordClip, type ClipFormat, type ClipOptions } from './clip';
import { drawWords } from './overlay';
import { PathTools } from './pathtools';
import { button, clockText, el } from './dom';
import type { App } from './app';

const SIZES: [string, number, number][] = [
  ['640 × 360', 640, 360],
  ['1280 × 720', 1280, 720],
  ['1920 × 1080', 1920, 1080],
  ['3840 × 2160 (4K)', 3840, 2160],
  ['1080 × 1080', 1080, 1080],
  ['1080 × 1920', 1080, 1920],
];
const RATES = [10, 20, 25, 30, 50, 60];
const TITLES: Record<ClipFormat, string> = { webm: 'WebM', mp4: 'MP4', gif: 'GIF' };
/** Without a loop, a clip starts here and has this length. */
const USUAL_S = 5;
const FRAMES_MAX = 36_000;

const option = (value: string | number, text: string) => el('option', { value }, text);
const sizesFor = (label: string) => el('select', { 'aria-label': label }, ...SIZES.map(([text], i) => option(i, text)));
const check = (text: string, name: string) => {
  const box = el('input', { type: 'checkbox', class: name });
  return { box, label: el('label', { class: 'choice' }, box, ` ${text}`) };
};

/** The frames of a clip; null if there are none or too many. */
export interface Range {
  from: number;
  step: number;
  count: number;
}
export function framesOf({ clock }: App, from: number, to: number, fps: number): Range | null {
  const start = Math.max(0, from);
  const step = clock.speed / fps;
  const count = Math.round((Math.min(clock.limit, to) - start) / step);
  return count >= 1 && count <= FRAMES_MAX ? { from: start, step, count } : null;
}

function drawInto(app: App, picture: HTMLCanvasElement, time: number, seconds: number, words: boolean, clear: boolean) {
  const { width, height } = picture;
  app.clock.seek(time);
  const drawn = app.capture(width, height, seconds, clear);
  const context = picture.getContext('2d', { willReadFrequently: true })!;
  context.clearRect(0, 0, width, height);
  if (drawn) context.drawImage(drawn, 0, 0, width, height);
  if (words) drawWords(context, app, width, height);
}

/** Records a clip while the page is set to recording; null if `progress` returned false. */
export function makeClip(app: App, options: ClipOptions, { from, step, count }: Range, words: boolean, progress: (done: number) => boolean): Promise<Blob | null> {
  app.clock.pause();
  const picture = el('canvas', { width: options.width, height: options.height });
  const draw = (i: number) => drawInto(app, picture, from + i * step, i ? 1 / options.fps : 0, words, false);
  return recordClip(options, count, picture, draw, progress);
}

export class Share {
  readonly element: HTMLElement;
  private address = el('input', { type: 'text', readonly: true, 'aria-label': 'Address of this moment', class: 'address' });
  private from = el('input', { type: 'number', min: 0, step: 'any', 'aria-label': 'Clip from, seconds', class: 'from' });
  private to = el('input', { type: 'number', min: 0, step: 'any', 'aria-label': 'Clip to, seconds', class: 'to' });
  private format = el('select', { 'aria-label': 'Format of the clip', class: 'format' });
  private size = sizesFor('Size of the clip');
  private rate = el('select', { 'aria-label': 'Frames per second', class: 'rate' }, ...RATES.map((fps) => option(fps, `${fps} a second`)));
  private words = check('Names and values in the picture', 'words');
  private record = button('Record', 'Record a clip', () => void this.recordClip(), { class: 'record' });
  private cancel = button('Cancel', 'Stop recording', () => (this.stopped = true), { class: 'cancel', hidden: true });
  private bar = el('progress', { max: 1, 'aria-label': 'Recording', hidden: true });
  private note = el('p', { class: 'none', role: 'status' });
  private stillSize = sizesFor('Size of the picture');
  private clear = check('Transparent background', 'clear');
  private stillWords = check('Names and values in the picture', 'stillwords');
  private stopped = false;

  constructor(private app: App) {
    this.size.classList.add('size');
    this.stillSize.classList.add('stillsize');
    this.size.value = '1';
    this.stillSize.value = '3';
    this.rate.value = '30';
    this.words.box.checked = true;
    const here = (field: HTMLInputElement) => {
      field.value = app.clock.time.toFixed(2);
      this.touched = true;
    };
    for (const field of [this.from, this.to]) field.addEventListener('input', () => (this.touched = true));
    this.element = el(
      'div',
      { class: 'share' },
      el('h2', {}, 'This moment'),
      el('div', { class: 'tools' }, this.address, button('Copy link', 'Copy the address of this moment', () => this.copy(), { class: 'copylink' })),
      el('h2', {}, 'Clip'),
      el('div', { class: 'tools' }, el('label', {}, 'From ', this.from, ' s'), button('Here', 'Clip from here', () => here(this.from))),
      el('div', { class: 'tools' }, el('label', {}, 'to ', this.to, ' s'), button('Here', 'Clip to here', () => here(this.to))),
      el('div', { class: 'tools' }, this.format, this.size, this.rate),
      this.words.label,
      el('div', { class: 'tools' }, this.record, this.cancel),
      this.bar,
      this.note,
      el('h2', {}, 'Camera path'),
      new PathTools(app, (blob, name) => this.save(blob, name)).element,
      el('h2', {}, 'Picture'),
      el('div', { class: 'tools' }, this.stillSize, button('Save picture', 'Save a picture of this moment', () => void this.saveStill(), { class: 'savestill' })),
      this.clear.label,
      this.stillWords.label,
    );
    void clipFormats().then((list) => this.format.replaceChildren(...list.map((id) => option(id, TITLES[id]))));
  }

  /** The range that was entered, or else the loop, or else a few seconds from here. */
  private touched = false;
  update() {
    const { clock } = this.app;
    const link = this.app.address();
    if (this.address.value !== link) this.address.value = link;
    if (this.touched || this.app.recording) return;
    const from = clock.loopFrom ?? Math.max(0, Math.min(clock.time, clock.limit - USUAL_S));
    const to = clock.loopTo ?? Math.min(clock.limit, from + USUAL_S);
    this.from.value = from.toFixed(2);
    this.to.value = to.toFixed(2);
  }

  private copy() {
    this.address.select();
    void navigator.clipboard?.writeText(this.address.value);
    this.app.notify('Address of this moment copied');
  }

  private dimensions(select: HTMLSelectElement): { width: number; height: number } {
    const [, width, height] = SIZES[Number(select.value)];
    return { width, height };
  }

  private save(blob: Blob, name: string) {
    const link = el('a', { href: URL.createObjectURL(blob), download: `${this.app.fileName}-${name}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  private showBusy(on: boolean) {
    this.record.disabled = on;
    this.bar.hidden = this.cancel.hidden = !on;
    this.app.setRecording(on);
  }

  private async recordClip() {
    const { clock, stage } = this.app;
    const options: ClipOptions = { format: this.format.value as ClipFormat, fps: Number(this.rate.value), ...this.dimensions(this.size) };
    const range = framesOf(this.app, this.from.valueAsNumber || 0, this.to.valueAsNumber || 0, options.fps);
    if (!range || !stage.hasWebGL) {
      this.note.textContent = stage.hasWebGL ? 'The range is empty or too long.' : 'This browser shows no 3D, so there is nothing to record.';
      return;
    }
    const back = clock.time;
    this.stopped = false;
    this.showBusy(true);
    const started = performance.now();
    try {
      const blob = await makeClip(this.app, options, range, this.words.box.checked, (done) => {
        this.bar.value = done;
        return !this.stopped;
      });
      if (blob) this.save(blob, `${clockText(range.from).replaceAll(':', '-')}.${options.format}`);
      this.note.textContent = blob ? `${range.count} frames, ${(blob.size / 1e6).toFixed(1)} MB, in ${((performance.now() - started) / 1000).toFixed(0)} s` : 'Stopped.';
    } catch (error) {
      this.note.textContent = `The clip cannot be written: ${error instanceof Error ? error.message : error}`;
    } finally {
      this.showBusy(false);
      clock.seek(back);
    }
  }

  private async saveStill() {
    const { width, height } = this.dimensions(this.stillSize);
    const picture = el('canvas', { width, height });
    this.app.setRecording(true);
    drawInto(this.app, picture, this.app.clock.time, 0, this.stillWords.box.checked, this.clear.box.checked);
    this.app.setRecording(false);
    const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, 'image/png'));
    if (blob) this.save(blob, `${clockText(this.app.clock.time).replaceAll(':', '-')}.png`);
  }
}

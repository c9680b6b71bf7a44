// The only owner of the current time. Everything else asks it or listens to it.
import { countUpTo, type Numbers } from './columns';

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
/** In spoiler-free mode the bar shows at least this much, and grows when 90 % of it is used. */
const HORIZONS = [30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400];

export type Change = 'time' | 'state' | 'view';

export class Clock {
  time = 0;
  seen = 0;
  playing = false;
  private ready = true;
  private waiting = false; // starts as soon as the motion is loaded
  speed = 1;
  direction: 1 | -1 = 1;
  spoilerFree = false;
  loopFrom: number | null = null;
  loopTo: number | null = null;
  private listeners: ((change: Change) => void)[] = [];
  private shownHorizon = 0;

  /** `frames`: the times of frames or ticks. */
  constructor(
    public duration: number,
    private frames: Numbers,
  ) {}

  on(listener: (change: Change) => void) {
    this.listeners.push(listener);
  }
  private tell(change: Change) {
    for (const listener of this.listeners) listener(change);
  }

  /** Nothing after this time may be shown. */
  get limit(): number {
    return this.spoilerFree ? this.seen : this.duration;
  }
  /** Where the bar and the plots end. */
  get horizon(): number {
    if (!this.spoilerFree) return this.duration;
    return HORIZONS.find((h) => this.seen <= 0.9 * h) ?? this.seen * 1.2;
  }
  get frame(): number {
    return Math.max(0, countUpTo(this.frames, this.time + 1e-6) - 1);
  }

  /** The time of the frame that is shown. */
  get frameTime(): number {
    return this.frames.length ? this.frames[this.frame] : this.time;
  }

  /** Seeks to a time; in spoiler-free mode, not past what has been played. */
  seek(time: number) {
    this.move(Math.min(time, this.limit));
  }
  private move(time: number) {
    this.time = Math.min(this.duration, Math.max(0, time));
    if (this.time > this.seen) this.seen = this.time;
    if (this.horizon !== this.shownHorizon) {
      this.shownHorizon = this.horizon;
      this.tell('view');
    }
    this.tell('time');
  }

  /** Playing, or waiting to. */
  get going(): boolean {
    return this.playing || this.waiting;
  }
  /** Sets whether motion is loaded; a playback that was waiting for it starts. */
  setReady(ready: boolean) {
    this.ready = ready;
    if (ready && this.waiting) this.play();
  }

  play() {
    if (this.duration <= 0) return;
    if (this.direction > 0 && this.time >= this.duration) this.move(0);
    if (this.direction < 0 && this.time <= 0) this.move(this.limit);
    this.waiting = !this.ready;
    this.playing = this.ready;
    this.tell('state');
  }
  pause() {
    if (!this.going) return;
    this.playing = this.waiting = false;
    this.tell('state');
  }
  toggle() {
    if (this.going) this.pause();
    else this.play();
  }
  setSpeed(speed: number) {
    this.speed = speed;
    this.tell('state');
  }
  faster(steps: number) {
    const at = SPEEDS.indexOf(this.speed);
    this.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + steps))]);
  }
  reverse() {
    this.direction = this.direction > 0 ? -1 : 1;
    this.tell('state');
  }
  setLoop(from: number | null, to: number | null) {
    this.loopFrom = from;
    this.loopTo = to;
    this.tell('view');
  }
  setSpoilerFree(on: boolean) {
    this.spoilerFree = on;
    this.shownHorizon = this.horizon;
    this.tell('view');
    this.tell('time');
  }
  setDuration(duration: number) {
    this.duration = duration;
    this.tell('view');
    this.move(this.time);
  }

  /** Steps by frames or ticks; stepping reveals new ones even in spoiler-free mode. */
  step(count: number) {
    this.pause();
    const next = this.frame + count;
    if (next < 0) return this.move(0);
    this.move(next < this.frames.length ? this.frames[next] : this.duration);
  }

  /** Advances by real time. */
  advance(seconds: number) {
    if (!this.playing) return;
    const from = this.loopFrom ?? 0;
    const to = this.loopTo ?? this.duration;
    let time = this.time + seconds * this.speed * this.direction;
    const looping = this.loopFrom !== null || this.loopTo !== null;
    if (looping && to > from) {
      if (time > to) time = from + ((time - from) % (to - from));
      else if (time < from) time = to - ((from - time) % (to - from));
    }
    this.move(time);
    if (!looping && (time >= this.duration || time <= 0) && (time <= 0) === this.direction < 0)
      this.pause();
  }
}

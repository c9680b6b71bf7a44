// Recorded voices, played in time with the clock while it runs forward.
import type { Clock } from './clock';
import type { Loader } from './loader';
import type { Timeline, Voice } from './types';

/** Speech is unintelligible above this speed. */
const SPEED_MAX = 4;
/** How far a recording may drift before it is corrected; smaller corrections would stutter. */
const APART_S = 0.25;

interface Speech {
  voice: Voice;
  audio: HTMLAudioElement;
  due: boolean; // should be audible now, if readable
}

export class Voices {
  on = true;
  private list: Speech[] = [];

  /** Recordings are fetched when the first one is due. */
  constructor(
    private loader: Loader,
    private index: number,
    timeline: Timeline,
    private offset: () => number,
  ) {
    this.list = (timeline.voices ?? []).map((voice) => ({ voice, audio: new Audio(), due: false }));
  }
  get count(): number {
    return this.list.length;
  }

  private fetched = false;
  private fetch() {
    if (this.fetched) return;
    this.fetched = true;
    this.list.forEach(({ voice, audio }, i) => {
      this.loader
        .voice(this.index, i, voice.src)
        .then((url) => (audio.src = url))
        .catch(() => undefined); // the match continues without it
    });
  }

  /** Starts, stops and shifts recordings to match the time. */
  update(clock: Clock) {
    const heard = this.on && clock.playing && clock.direction > 0 && clock.speed <= SPEED_MAX;
    if (heard) this.fetch();
    for (const speech of this.list) {
      const { voice, audio } = speech;
      const at = clock.time - this.offset() - voice.t;
      speech.due = heard && at >= 0 && !(at >= audio.duration);
      if (!speech.due || !audio.src || audio.error) {
        if (!audio.paused) audio.pause();
        continue;
      }
      audio.playbackRate = clock.speed;
      if (Math.abs(audio.currentTime - at) > APART_S * clock.speed) audio.currentTime = at;
      if (audio.paused) audio.play().catch(() => undefined);
    }
  }

  /** For tests: which recordings are due, and how far those are. */
  get state() {
    return this.list.map(({ voice, audio, due }) => ({ t: voice.t, due, loaded: audio.readyState > 0, at: audio.currentTime, paused: audio.paused }));
  }
}

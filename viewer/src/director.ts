// Chooses the player to show: cuts to the next important one and stays for a while.
import type { Marker } from './types';

const AHEAD_S = 3;
const SHOT_S = 4;

export class Director {
  private player = -1; // -1: the complete scene
  private since = -Infinity;
  private last = 0;

  /** `candidates`: markers of players that can be followed, sorted by time. */
  constructor(private candidates: Marker[]) {}

  get useful(): boolean {
    return this.candidates.length > 0;
  }
  reset() {
    this.since = -Infinity;
    this.player = -1;
  }

  /** The player to follow at a time; the same one for at least four seconds unless time jumped. */
  shot(time: number): number {
    const jumped = time < this.since || time - this.last > AHEAD_S || time < this.last - AHEAD_S;
    this.last = time;
    if (!jumped && time - this.since < SHOT_S) return this.player;
    let best: Marker | null = null;
    for (const marker of this.candidates) {
      if (marker.t < time) continue;
      if (marker.t > time + AHEAD_S) break;
      if (!best || marker.weight > best.weight) best = marker;
    }
    if (best && (best.player !== this.player || jumped)) {
      this.player = best.player;
      this.since = time;
    } else if (jumped) {
      this.player = -1;
      this.since = time;
    }
    return this.player;
  }
}

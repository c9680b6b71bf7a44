// Heat maps: counts per square of ground, as a picture for the panel and for the floor of the scene.
import { numbers } from './columns';
import type { Heat } from './types';

/** Five stops of viridis. */
const RAMP = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];

export function ramp(share: number): [number, number, number] {
  const at = Math.min(0.9999, Math.max(0, share)) * (RAMP.length - 1);
  const i = Math.floor(at);
  const f = at - i;
  const mix = (c: number) => Math.round(RAMP[i][c] + (RAMP[i + 1][c] - RAMP[i][c]) * f);
  return [mix(0), mix(1), mix(2)];
}

export function heatPicture(heat: Heat): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, heat.w);
  canvas.height = Math.max(1, heat.h);
  const context = canvas.getContext('2d')!;
  const picture = context.createImageData(canvas.width, canvas.height);
  const values = numbers(heat.v);
  for (let i = 0; i < values.length && i < heat.w * heat.h; i++) {
    const share = values[i] / 255;
    picture.data.set([...ramp(Math.sqrt(share)), share ? 90 + 165 * Math.sqrt(share) : 0], i * 4);
  }
  context.putImageData(picture, 0, 0);
  return canvas;
}

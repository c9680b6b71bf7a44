// Orders on a map: arrows and pings that are seen for a moment, as one mesh that is filled anew.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Mesh,
  MeshBasicMaterial,
} from 'three';
import { countUpTo, numbers, type Numbers } from './columns';
import { colourOf } from './dom';
import type { Glyphs } from './types';

const CORNERS_MAX = 60_000;
const RING = 20;
const HEIGHT = 1.2;

interface Decoded {
  shape: Glyphs['shape'];
  life: number;
  t: Numbers;
  player: Numbers;
  x: Numbers;
  z: Numbers;
  x2: Numbers;
  z2: Numbers;
}

export class GlyphLayer {
  readonly mesh: Mesh;
  private places = new Float32Array(CORNERS_MAX * 3);
  private colours = new Float32Array(CORNERS_MAX * 4);
  private count = 0;
  private groups: Decoded[];
  private paint = new Color();
  private alpha = 1;

  constructor(
    glyphs: Glyphs[],
    private slotOf: (player: number) => number,
  ) {
    this.groups = glyphs.map((g) => ({
      shape: g.shape,
      life: g.life,
      t: numbers(g.t),
      player: numbers(g.player),
      x: numbers(g.x),
      z: numbers(g.z),
      x2: numbers(g.x2),
      z2: numbers(g.z2),
    }));
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(this.places, 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', new BufferAttribute(this.colours, 4).setUsage(DynamicDrawUsage));
    const material = new MeshBasicMaterial({
      vertexColors: true,
      transparent: true,
      depthTest: false,
      side: DoubleSide,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
  }

  /** `width`: of a line on the ground, so that it is seen from where the camera is. */
  draw(time: number, width: number) {
    this.count = 0;
    for (const group of this.groups) {
      const end = countUpTo(group.t, time);
      const start = countUpTo(group.t, time - group.life);
      for (let i = start; i < end && this.count < CORNERS_MAX - 6 * RING - 9; i++) {
        const age = (time - group.t[i]) / group.life;
        const player = group.player[i];
        this.paint.set(player >= 0 ? colourOf(this.slotOf(player)) : '#9AA7B6');
        this.alpha = 1 - age * age;
        if (group.shape === 'ping') this.ring(group.x[i], group.z[i], width * (2 + 5 * age), width);
        else this.arrow(group, i, width, group.shape === 'arrow');
      }
    }
    const { geometry } = this.mesh;
    geometry.setDrawRange(0, this.count);
    geometry.getAttribute('position').needsUpdate = true;
    geometry.getAttribute('color').needsUpdate = true;
    this.mesh.visible = this.count > 0;
  }

  private corner(x: number, z: number) {
    this.places.set([x, HEIGHT, z], this.count * 3);
    this.colours.set([this.paint.r, this.paint.g, this.paint.b, this.alpha], this.count * 4);
    this.count++;
  }
  private triangle(ax: number, az: number, bx: number, bz: number, cx: number, cz: number) {
    this.corner(ax, az);
    this.corner(bx, bz);
    this.corner(cx, cz);
  }

  private arrow(g: Decoded, i: number, width: number, head: boolean) {
    const ax = g.x[i];
    const az = g.z[i];
    const bx = g.x2[i];
    const bz = g.z2[i];
    const length = Math.hypot(bx - ax, bz - az);
    if (!(length > 0)) return this.ring(ax, az, 2.5 * width, width);
    const dx = (bx - ax) / length;
    const dz = (bz - az) / length;
    const tip = head ? Math.min(length, 5 * width) : 0;
    const cx = bx - dx * tip;
    const cz = bz - dz * tip;
    const w = width / 2;
    this.triangle(ax - dz * w, az + dx * w, ax + dz * w, az - dx * w, cx + dz * w, cz - dx * w);
    this.triangle(ax - dz * w, az + dx * w, cx + dz * w, cz - dx * w, cx - dz * w, cz + dx * w);
    const h = 2 * width;
    if (head) this.triangle(cx - dz * h, cz + dx * h, cx + dz * h, cz - dx * h, bx, bz);
  }

  private ring(x: number, z: number, radius: number, width: number) {
    for (let i = 0; i < RING; i++) {
      const a = (2 * Math.PI * i) / RING;
      const b = (2 * Math.PI * (i + 1)) / RING;
      const outer = radius + width / 2;
      const inner = Math.max(0, radius - width / 2);
      const p = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
      this.triangle(x + p[0] * inner, z + p[1] * inner, x + p[0] * outer, z + p[1] * outer, x + p[2] * outer, z + p[3] * outer);
      this.triangle(x + p[0] * inner, z + p[1] * inner, x + p[2] * outer, z + p[3] * outer, x + p[2] * inner, z + p[3] * inner);
    }
  }
}

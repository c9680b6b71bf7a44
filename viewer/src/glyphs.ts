// Orders on a map: arrows and pings, each shown for a moment. There are three shapes, and each is
// drawn in one call for all its positions.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  MeshBasicMaterial,
} from 'three';
import { countUpTo, numbers, type Numbers } from './columns';
import type { Glyphs } from './types';

const PLACES_MAX = 4096;
const RING = 24;
const RING_INNER = 0.7;
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

/** Triangles on the ground, as x and z of their corners. */
const SHAFT = [0, -0.5, 0, 0.5, 1, 0.5, 0, -0.5, 1, 0.5, 1, -0.5];
const TIP = [0, -0.5, 0, 0.5, 1, 0];
const CIRCLE = Array.from({ length: RING }, (_, i) => {
  const [a, b] = [i, i + 1].map((k) => (2 * Math.PI * k) / RING);
  const at = (angle: number, radius: number) => [radius * Math.cos(angle), radius * Math.sin(angle)];
  return [
    ...at(a, RING_INNER), ...at(a, 1), ...at(b, 1),
    ...at(a, RING_INNER), ...at(b, 1), ...at(b, RING_INNER),
  ];
}).flat();

/** One shape at many positions, each with a colour and opacity. */
class Shape {
  readonly mesh: InstancedMesh;
  private colours = new InstancedBufferAttribute(new Float32Array(PLACES_MAX * 4), 4);
  private count = 0;

  constructor(corners: number[], material: MeshBasicMaterial) {
    const geometry = new BufferGeometry();
    const places = new Float32Array((corners.length / 2) * 3);
    for (let i = 0; i < corners.length / 2; i++) places.set([corners[2 * i], 0, corners[2 * i + 1]], 3 * i);
    geometry.setAttribute('position', new BufferAttribute(places, 3));
    geometry.setAttribute('color', this.colours.setUsage(DynamicDrawUsage));
    this.mesh = new InstancedMesh(geometry, material, PLACES_MAX);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
  }

  begin() {
    this.count = 0;
  }
  /** From x, z in direction dx, dz, with length and width. */
  put(x: number, z: number, dx: number, dz: number, length: number, width: number, paint: Color, alpha: number) {
    if (this.count === PLACES_MAX) return;
    const matrix = [dx * length, 0, dz * length, 0, 0, 1, 0, 0, -dz * width, 0, dx * width, 0, x, HEIGHT, z, 1];
    this.mesh.instanceMatrix.array.set(matrix, 16 * this.count);
    this.colours.array.set([paint.r, paint.g, paint.b, alpha], 4 * this.count);
    this.count++;
  }
  end() {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    if (!this.count) return;
    for (const [attribute, width] of [[this.mesh.instanceMatrix, 16], [this.colours, 4]] as const) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * width);
      attribute.needsUpdate = true;
    }
  }
}

export class GlyphLayer {
  readonly root = new Group();
  private groups: Decoded[];
  private paint = new Color();
  private shaft: Shape;
  private tip: Shape;
  private ring: Shape;

  /** `paintOf`: the colour of a player. */
  constructor(
    glyphs: Glyphs[],
    private paintOf: (player: number) => string,
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
    const material = new MeshBasicMaterial({
      vertexColors: true,
      transparent: true,
      depthTest: false,
      side: DoubleSide,
    });
    this.shaft = new Shape(SHAFT, material);
    this.tip = new Shape(TIP, material);
    this.ring = new Shape(CIRCLE, material);
    for (const { mesh } of this.shapes) this.root.add(mesh);
  }
  private get shapes(): Shape[] {
    return [this.shaft, this.tip, this.ring];
  }

  /** `width`: of a line on the ground, chosen for the camera's distance. */
  draw(time: number, width: number) {
    for (const shape of this.shapes) shape.begin();
    let painted = NaN;
    for (const group of this.groups) {
      const end = countUpTo(group.t, time);
      for (let i = countUpTo(group.t, time - group.life); i < end; i++) {
        const age = (time - group.t[i]) / group.life;
        const player = group.player[i];
        if (player !== painted) this.paint.set(player >= 0 ? this.paintOf(player) : '#9AA7B6');
        painted = player;
        const alpha = 1 - age * age;
        if (group.shape === 'ping') this.ping(group.x[i], group.z[i], width * (2.5 + 5 * age), alpha);
        else this.arrow(group, i, width, group.shape === 'arrow', alpha);
      }
    }
    for (const shape of this.shapes) shape.end();
  }

  private ping(x: number, z: number, radius: number, alpha: number) {
    this.ring.put(x, z, 1, 0, radius, radius, this.paint, alpha);
  }

  private arrow(g: Decoded, i: number, width: number, head: boolean, alpha: number) {
    const [x, z] = [g.x[i], g.z[i]];
    const length = Math.hypot(g.x2[i] - x, g.z2[i] - z);
    if (!(length > 0)) return this.ping(x, z, 3 * width, alpha);
    const dx = (g.x2[i] - x) / length;
    const dz = (g.z2[i] - z) / length;
    const tip = head ? Math.min(length, 5 * width) : 0;
    const shaft = length - tip;
    this.shaft.put(x, z, dx, dz, shaft, width, this.paint, alpha);
    if (head) this.tip.put(x + dx * shaft, z + dz * shaft, dx, dz, tip, 4 * width, this.paint, alpha);
  }
}

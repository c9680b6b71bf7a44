// A way of the camera: keys that people set, and the smooth way through them.
import { Quaternion, Vector3 } from 'three';
import { keep, kept } from './dom';
import { readGlb, writeGlb } from './sampler';

export interface Pose {
  position: Vector3;
  rotation: Quaternion;
  fov: number; // vertical, degrees
}
export interface CameraKey extends Pose {
  t: number;
}

/** Keys closer than this replace each other. */
const SAME_S = 0.005;
/** Samples of a way in a GLB file. */
const RATE = 30;
const SAMPLES_MAX = 50_000;

const isNumbers = (value: unknown, count: number): value is number[] =>
  Array.isArray(value) && value.length === count && value.every((v) => Number.isFinite(v));

export class CameraPath {
  keys: CameraKey[] = [];
  onChange: () => void = () => undefined;

  constructor(private name: string) {
    try {
      for (const row of JSON.parse(kept(name) ?? '[]') as unknown[])
        if (isNumbers(row, 9)) this.put(row[0], { position: new Vector3().fromArray(row, 1), rotation: new Quaternion().fromArray(row, 4).normalize(), fov: row[8] });
    } catch {
      this.keys = []; // what is kept was not written by this page
    }
  }
  /** There is a way from one key to another. */
  get playable(): boolean {
    return this.keys.length > 1;
  }

  private put(t: number, pose: Pose) {
    this.keys = [...this.keys.filter((key) => Math.abs(key.t - t) > SAME_S), { t, ...pose }].sort((a, b) => a.t - b.t);
  }
  private changed() {
    const rows = this.keys.map(({ t, position, rotation, fov }) => [t, ...position.toArray(), ...rotation.toArray(), fov]);
    keep(this.name, rows.length ? JSON.stringify(rows) : null);
    this.onChange();
  }
  add(t: number, pose: Pose) {
    this.put(t, pose);
    this.changed();
  }
  remove(key: CameraKey) {
    this.keys = this.keys.filter((other) => other !== key);
    this.changed();
  }
  clear() {
    this.keys = [];
    this.changed();
  }

  /** Speed at a key: that between its neighbours. */
  private speed(i: number, to: Vector3): Vector3 {
    const [before, after] = [this.keys[Math.max(0, i - 1)], this.keys[Math.min(this.keys.length - 1, i + 1)]];
    return to.subVectors(after.position, before.position).divideScalar(after.t - before.t);
  }
  /** The camera at a time; before the first key and after the last it stands still. */
  pose(time: number): Pose {
    const { keys } = this;
    const next = keys.findIndex((key) => key.t > time);
    if (next <= 0) return keys[next === 0 ? 0 : keys.length - 1];
    const [a, b] = [keys[next - 1], keys[next]];
    const length = b.t - a.t;
    const x = (time - a.t) / length;
    // A cubic curve through both places with both speeds.
    const position = new Vector3()
      .addScaledVector(a.position, (1 + 2 * x) * (1 - x) ** 2)
      .addScaledVector(b.position, x * x * (3 - 2 * x))
      .addScaledVector(this.speed(next - 1, new Vector3()), length * x * (1 - x) ** 2)
      .addScaledVector(this.speed(next, new Vector3()), length * x * x * (x - 1));
    return { position, rotation: a.rotation.clone().slerp(b.rotation, x), fov: a.fov + (b.fov - a.fov) * x };
  }

  /** Times at which a file holds the way: the keys and even steps between them. */
  private times(): number[] {
    const { t: from } = this.keys[0];
    const { t: to } = this.keys[this.keys.length - 1];
    const count = Math.min(SAMPLES_MAX, Math.ceil((to - from) * RATE));
    const even = Array.from({ length: count }, (_, i) => from + ((to - from) * i) / count);
    return [...new Set([...even, ...this.keys.map((key) => key.t)].map(Math.fround))].sort((a, b) => a - b);
  }

  /** The scene with a camera "path" that goes this way. */
  addTo(scene: ArrayBuffer): ArrayBuffer {
    const glb = readGlb(scene);
    const json = glb.json as unknown as Record<string, { [name: string]: unknown }[]> & { extensionsUsed?: string[] };
    const old = new Uint8Array(scene, Math.min(glb.bin, scene.byteLength));
    const times = this.times();
    const poses = times.map((t) => this.pose(t));
    const parts: Uint8Array[] = [old];
    let size = old.length;
    const list = (name: string) => (json[name] ??= []);
    const accessor = (values: number[], width: number, more = {}) => {
      const bytes = new Uint8Array(Float32Array.from(values).buffer);
      list('bufferViews').push({ buffer: 0, byteOffset: size, byteLength: bytes.length });
      parts.push(bytes);
      size += bytes.length;
      const type = ['', 'SCALAR', '', 'VEC3', 'VEC4'][width];
      return list('accessors').push({ bufferView: json.bufferViews.length - 1, componentType: 5126, count: values.length / width, type, ...more }) - 1;
    };
    const [first] = poses;
    const angle = (fov: number) => (fov * Math.PI) / 180;
    const camera = list('cameras').push({ name: 'path', type: 'perspective', perspective: { znear: 0.02, yfov: angle(first.fov) } }) - 1;
    const pose = { translation: first.position.toArray(), rotation: first.rotation.toArray() };
    const node = list('nodes').push({ name: 'path', camera, ...pose, extras: { reprise: { id: 'path', kind: 'path' } } }) - 1;
    ((list('scenes')[0] ??= {}).nodes ??= []) as number[];
    (json.scenes[0].nodes as number[]).push(node);
    const animations = list('animations');
    const animation = (animations[0] ??= { name: 'replay', samplers: [], channels: [] }) as { samplers: unknown[]; channels: unknown[] };
    const input = accessor(times, 1, { min: [times[0]], max: [times[times.length - 1]] });
    const channel = (output: number, target: object) => animation.channels.push({ sampler: animation.samplers.push({ input, output, interpolation: 'LINEAR' }) - 1, target });
    channel(accessor(poses.flatMap((p) => p.position.toArray()), 3), { node, path: 'translation' });
    channel(accessor(poses.flatMap((p) => p.rotation.toArray()), 4), { node, path: 'rotation' });
    if (poses.some((p) => p.fov !== first.fov)) {
      const KHR_animation_pointer = { pointer: `/cameras/${camera}/perspective/yfov` };
      channel(accessor(poses.map((p) => angle(p.fov)), 1), { path: 'pointer', extensions: { KHR_animation_pointer } });
      json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), 'KHR_animation_pointer'])];
    }
    return writeGlb(json, parts);
  }
}

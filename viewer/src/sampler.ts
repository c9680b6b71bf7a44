// Reads poses straight from the bytes of a GLB, without copies: one search per list of times, which
// many channels share, starting at the index found last.
import type { Object3D } from 'three';

interface Target {
  node?: number;
  path: string;
  extensions?: { KHR_animation_pointer?: { pointer: string } };
}

interface Gltf {
  nodes?: { name?: string; mesh?: number; camera?: number; extras?: { reprise?: NodeExtras } }[];
  accessors?: { bufferView: number; byteOffset?: number; componentType: number; count: number; type: string }[];
  bufferViews?: { byteOffset?: number; byteLength: number }[];
  animations?: {
    samplers: { input: number; output: number; interpolation?: string }[];
    channels: { sampler: number; target: Target }[];
  }[];
  meshes?: { name?: string; extras?: { width_px?: number } }[];
  asset?: { extras?: { reprise?: { static_bytes?: number } } };
}
export interface NodeExtras {
  id?: string;
  player?: number;
  kind?: string;
}

const WIDTHS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

export interface Glb {
  json: Gltf;
  buffer: ArrayBuffer;
  bin: number; // where the binary chunk begins
}

export function readGlb(buffer: ArrayBuffer): Glb {
  const view = new DataView(buffer);
  if (buffer.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67)
    throw new Error('the scene is not a GLB file');
  const size = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, size))) as Gltf;
  return { json, buffer, bin: 20 + size + 8 };
}

/** A GLB of the static part only, which any loader reads. */
export function staticGlb(glb: Glb): ArrayBuffer {
  const size = Math.min(
    glb.json.asset?.extras?.reprise?.static_bytes ?? Infinity,
    Math.max(0, glb.buffer.byteLength - glb.bin),
  );
  const json = { ...glb.json, animations: undefined } as Record<string, unknown>;
  return writeGlb(json, size ? [new Uint8Array(glb.buffer, glb.bin, size)] : []);
}

/** A GLB file of a document and the parts of its binary chunk. */
export function writeGlb(json: object, parts: Uint8Array[]): ArrayBuffer {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const text = new TextEncoder().encode(JSON.stringify(size ? { ...json, buffers: [{ byteLength: size }] } : json));
  const textSize = Math.ceil(text.length / 4) * 4;
  const binSize = Math.ceil(size / 4) * 4;
  const out = new Uint8Array(20 + textSize + (size ? 8 + binSize : 0));
  const view = new DataView(out.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, out.length, true);
  view.setUint32(12, textSize, true);
  view.setUint32(16, 0x4e4f534a, true);
  out.fill(0x20, 20, 20 + textSize);
  out.set(text, 20);
  if (!size) return out.buffer;
  view.setUint32(20 + textSize, binSize, true);
  view.setUint32(24 + textSize, 0x004e4942, true);
  let at = 28 + textSize;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out.buffer;
}

interface Channel {
  object: Object3D;
  path: 'translation' | 'rotation' | 'scale';
  values: Float32Array;
  step: boolean;
}
/** An animated property that is not of a node: a colour, a texture offset, an angle. */
interface Pointed {
  set: (value: ArrayLike<number>) => void;
  width: number;
  values: Float32Array;
  step: boolean;
}
interface Group {
  times: Float32Array;
  hint: number;
  channels: Channel[];
  pointed: Pointed[];
}
/** A setter for the property that a pointer names, or null. */
export type Resolve = (pointer: string) => ((value: ArrayLike<number>) => void) | null;

export class Sampler {
  private groups: Group[] = [];

  constructor(glb: Glb, objects: (Object3D | undefined)[], resolve: Resolve = () => null) {
    const { json } = glb;
    const floats = (index: number) => {
      const a = json.accessors![index];
      const v = json.bufferViews![a.bufferView];
      const start = glb.bin + (v.byteOffset ?? 0) + (a.byteOffset ?? 0);
      return new Float32Array(glb.buffer, start, a.count * WIDTHS[a.type]);
    };
    const byInput = new Map<number, Group>();
    const animation = json.animations?.[0];
    for (const { sampler: number, target } of animation?.channels ?? []) {
      const sampler = animation!.samplers[number];
      const object = target.node === undefined ? undefined : objects[target.node];
      const pointer = target.extensions?.KHR_animation_pointer?.pointer;
      const set = pointer ? resolve(pointer) : null;
      if ((!object && !set) || target.path === 'weights') continue;
      let group = byInput.get(sampler.input);
      if (!group) {
        group = { times: floats(sampler.input), hint: 0, channels: [], pointed: [] };
        byInput.set(sampler.input, group);
        this.groups.push(group);
      }
      const how = { values: floats(sampler.output), step: sampler.interpolation === 'STEP' };
      if (object) group.channels.push({ object, path: target.path as Channel['path'], ...how });
      else if (set) group.pointed.push({ set, width: WIDTHS[json.accessors![sampler.output].type], ...how });
    }
  }

  get moves(): boolean {
    return this.groups.length > 0;
  }

  apply(time: number) {
    changed.length = 0;
    for (const group of this.groups) {
      const { times } = group;
      const i = (group.hint = find(times, time, group.hint));
      const j = i + 1 < times.length ? i + 1 : i;
      const share = j > i ? Math.max(0, (time - times[i]) / (times[j] - times[i])) : 0;
      for (const channel of group.channels) {
        const k = channel.step ? 0 : share;
        if (channel.path === 'rotation') turn(channel, i * 4, j * 4, k);
        else move(channel, i * 3, j * 3, k);
      }
      for (const { set, width, values: v, step } of group.pointed) {
        const k = step ? 0 : share;
        for (let n = 0; n < width; n++)
          numbers[n] = v[i * width + n] + (v[j * width + n] - v[i * width + n]) * k;
        set(numbers);
      }
    }
    for (const object of changed) object.updateMatrix();
  }

  /** The bounds of the translations of the nodes that `wanted` accepts. */
  bounds(wanted: (object: Object3D) => boolean): { low: number[]; high: number[] } | null {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const group of this.groups)
      for (const { object, path, values } of group.channels) {
        if (path !== 'translation' || !wanted(object)) continue;
        for (let i = 0; i < values.length; i++) {
          const axis = i % 3;
          if (values[i] < low[axis]) low[axis] = values[i];
          if (values[i] > high[axis]) high[axis] = values[i];
        }
      }
    return low[0] <= high[0] ? { low, high } : null;
  }
}

const numbers = [0, 0, 0, 0];
/** Objects with a new pose; only their matrices are computed again. */
const changed: Object3D[] = [];
function note(object: Object3D) {
  if (object.matrixWorldNeedsUpdate) return;
  object.matrixWorldNeedsUpdate = true;
  changed.push(object);
}

function find(times: Float32Array, x: number, hint: number): number {
  const n = times.length;
  if (n === 0 || x <= times[0]) return 0;
  if (x >= times[n - 1]) return n - 1;
  if (times[hint] <= x && x < times[hint + 1]) return hint;
  if (hint + 2 < n && times[hint + 1] <= x && x < times[hint + 2]) return hint + 1;
  let low = 0;
  let high = n - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= x) low = middle;
    else high = middle;
  }
  return low;
}

function move({ object, path, values: v }: Channel, a: number, b: number, k: number) {
  const to = path === 'translation' ? object.position : object.scale;
  const x = v[a] + (v[b] - v[a]) * k;
  const y = v[a + 1] + (v[b + 1] - v[a + 1]) * k;
  const z = v[a + 2] + (v[b + 2] - v[a + 2]) * k;
  // Three draws nodes of scale zero and cannot invert them, so they are hidden by a flag.
  if (path === 'scale') object.visible = x !== 0 || y !== 0 || z !== 0;
  if (to.x === x && to.y === y && to.z === z) return;
  to.set(x, y, z);
  note(object);
}

function turn({ object, values: v }: Channel, a: number, b: number, k: number) {
  let dot = v[a] * v[b] + v[a + 1] * v[b + 1] + v[a + 2] * v[b + 2] + v[a + 3] * v[b + 3];
  const sign = dot < 0 ? -1 : 1;
  dot *= sign;
  let p = 1 - k;
  let q = k;
  if (dot < 0.9995) {
    const angle = Math.acos(dot);
    const sine = 1 / Math.sin(angle);
    p = Math.sin((1 - k) * angle) * sine;
    q = Math.sin(k * angle) * sine;
  }
  q *= sign;
  const x = v[a] * p + v[b] * q;
  const y = v[a + 1] * p + v[b + 1] * q;
  const z = v[a + 2] * p + v[b + 2] * q;
  const w = v[a + 3] * p + v[b + 3] * q;
  // Not Math.hypot, which guards against sizes that rotations do not have and takes several times as long.
  const l = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  const to = object.quaternion;
  if (to.x === x * l && to.y === y * l && to.z === z * l && to.w === w * l) return;
  to.set(x * l, y * l, z * l, w * l);
  note(object);
}

// Draws many objects with the same shape and material in one call: the cost is in the number of calls,
// not in their size. The objects stay in the scene, where they are moved and picked.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Skeleton,
  SkinnedMesh,
  type Material,
  type Mesh,
  type Object3D,
  type TypedArray,
} from 'three';

/** Objects are instanced from this number on; figures are joined from this one on. */
const MANY = 65;
const CROWD = 8;
/** Indices of bones have 16 bits. */
const BONES_MAX = 65535;
/** The layer of instanced objects: cameras ignore it, rays do not. */
export const KEPT_LAYER = 1;

const seen = (object: Object3D): boolean => {
  for (let at: Object3D | null = object; at; at = at.parent) if (!at.visible) return false;
  return true;
};

export class Instances {
  readonly mesh: InstancedMesh;

  constructor(private things: Mesh[]) {
    const [{ geometry, material }] = things;
    this.mesh = new InstancedMesh(geometry, material, things.length);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false; // its objects are everywhere
    this.mesh.renderOrder = things[0].renderOrder;
    for (const thing of things) thing.layers.set(KEPT_LAYER);
  }

  /** Copies positions and visibility of the objects. */
  fill() {
    const { array } = this.mesh.instanceMatrix;
    let count = 0;
    let changed = false;
    for (const thing of this.things) {
      if (!seen(thing)) continue;
      const from = thing.matrixWorld.elements;
      for (let i = 0, at = 16 * count; i < 16; i++, at++) {
        if (array[at] === Math.fround(from[i])) continue;
        array[at] = from[i];
        changed = true;
      }
      count++;
    }
    this.mesh.count = count;
    this.mesh.visible = count > 0;
    // Most things on a map stand still, and sending them again costs more than looking.
    if (changed) this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** Groups meshes that can be drawn together. */
export function gather(meshes: Mesh[]): Instances[] {
  const groups = new Map<string, Mesh[]>();
  for (const mesh of meshes) {
    if (mesh instanceof SkinnedMesh || mesh.morphTargetInfluences?.length) continue;
    const key = `${mesh.geometry.uuid} ${(mesh.material as Material).uuid}`;
    const group = groups.get(key);
    if (group) group.push(mesh);
    else groups.set(key, [mesh]);
  }
  return [...groups.values()].filter((group) => group.length >= MANY).map((group) => new Instances(group));
}

const joined = new WeakSet<Object3D>();
export const isJoined = (object: Object3D) => joined.has(object);
/** Whether something else draws it. */
export const isKept = (object: Object3D) => !object.layers.isEnabled(0);

/** Attributes one after the other; `add`: what is added to the values of each part. */
function append(geometries: BufferGeometry[], name: string, add?: number[]): BufferAttribute {
  const all = geometries.map((g) => g.getAttribute(name) as BufferAttribute);
  const { itemSize, normalized, array } = all[0];
  const Type = add ? Uint16Array : (array.constructor as new (length: number) => TypedArray);
  const out = new Type(all.reduce((sum, a) => sum + a.count * itemSize, 0));
  let at = 0;
  all.forEach((attribute, k) => {
    for (let i = 0; i < attribute.count * itemSize; i++) out[at++] = attribute.array[i] + (add?.[k] ?? 0);
  });
  return new BufferAttribute(out, itemSize, normalized);
}

/** Where each part begins, and where the last one ends. */
function startsOf(sizes: number[]): number[] {
  const starts = [0];
  for (const size of sizes) starts.push(starts[starts.length - 1] + size);
  return starts;
}

const materialOf = (figure: SkinnedMesh) => figure.material as MeshLambertMaterial;

/**
 * Figures as one mesh with the bones of all of them: their poses are sent at once, and they are drawn
 * at once. A hidden figure has bones of scale zero, so nothing of it is drawn. The colours of their
 * materials, which may change, become colours of vertices.
 */
export class Crowd {
  readonly mesh: SkinnedMesh;
  private starts: number[];
  private colours: BufferAttribute;
  private painted: Color[];

  constructor(private figures: SkinnedMesh[]) {
    const geometries = figures.map((f) => f.geometry);
    const geometry = new BufferGeometry();
    const bones = startsOf(figures.map((f) => f.skeleton.bones.length));
    for (const name of Object.keys(geometries[0].attributes))
      geometry.setAttribute(name, append(geometries, name, name === 'skinIndex' ? bones : undefined));
    const starts = (this.starts = startsOf(geometries.map((g) => g.getAttribute('position').count)));
    geometry.setIndex(geometries.flatMap((g, k) => Array.from({ length: g.index!.count }, (_, i) => g.index!.getX(i) + starts[k])));
    this.colours = new BufferAttribute(new Float32Array(3 * starts[figures.length]), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute('color', this.colours);
    this.painted = figures.map(() => new Color(NaN, NaN, NaN));
    const from = materialOf(figures[0]);
    const material = from.clone();
    material.onBeforeCompile = from.onBeforeCompile;
    material.color.set(0xffffff);
    material.vertexColors = true;
    this.mesh = new SkinnedMesh(geometry, material);
    this.mesh.bind(new Skeleton(figures.flatMap((f) => f.skeleton.bones), figures.flatMap((f) => f.skeleton.boneInverses)), new Matrix4());
    this.mesh.frustumCulled = false; // its figures are everywhere
    this.mesh.renderOrder = figures[0].renderOrder;
    for (const figure of figures) figure.layers.set(KEPT_LAYER);
    joined.add(this.mesh);
  }

  /** Copies the colours that changed. */
  fill() {
    this.colours.clearUpdateRanges();
    for (const [k, figure] of this.figures.entries()) {
      const { color } = materialOf(figure);
      if (color.equals(this.painted[k])) continue;
      this.painted[k].copy(color);
      for (let i = this.starts[k]; i < this.starts[k + 1]; i++) this.colours.setXYZ(i, color.r, color.g, color.b);
      this.colours.addUpdateRange(3 * this.starts[k], 3 * (this.starts[k + 1] - this.starts[k]));
      this.colours.needsUpdate = true;
    }
  }
}

/** Everything about a figure that one draw has in common, or null. */
function keyOf(mesh: SkinnedMesh): string | null {
  const { material: from, geometry } = mesh;
  if (!(from instanceof MeshLambertMaterial) || from.vertexColors || !geometry.index || mesh.morphTargetInfluences?.length) return null;
  const list: [string, unknown][] = Object.entries(geometry.attributes);
  const kinds = list.map(([name, a]) => (a instanceof BufferAttribute ? `${name} ${a.itemSize} ${a.normalized} ${a.array.constructor.name}` : null));
  if (kinds.includes(null)) return null;
  const look = [from.map?.uuid, from.side, from.transparent, from.opacity, from.alphaTest, from.depthWrite, from.flatShading, from.emissive.getHex(), from.emissiveMap?.uuid];
  return [mesh.renderOrder, ...look, ...kinds.sort()].join();
}

/** Joins figures that differ in nothing but their shape, pose and colour. */
export function joinFigures(meshes: Mesh[]): Crowd[] {
  const groups = new Map<string, SkinnedMesh[]>();
  for (const mesh of meshes) {
    const key = mesh instanceof SkinnedMesh ? keyOf(mesh) : null;
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(mesh as SkinnedMesh);
    else groups.set(key, [mesh as SkinnedMesh]);
  }
  const fits = (group: SkinnedMesh[]) => group.reduce((sum, f) => sum + f.skeleton.bones.length, 0) <= BONES_MAX;
  return [...groups.values()].filter((group) => group.length >= CROWD && fits(group)).map((group) => new Crowd(group));
}

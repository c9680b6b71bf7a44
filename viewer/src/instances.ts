// Draws many objects with the same shape and material in one call: the cost is in the number of calls,
// not in their size. The objects stay in the scene, where they are moved and picked.
import { DynamicDrawUsage, InstancedMesh, SkinnedMesh, type Material, type Mesh, type Object3D } from 'three';

/** Objects are instanced from this number on. */
const MANY = 65;
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
    let count = 0;
    for (const thing of this.things) if (seen(thing)) this.mesh.setMatrixAt(count++, thing.matrixWorld);
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
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

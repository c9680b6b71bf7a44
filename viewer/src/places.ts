// A match of which only orders are known has no map. What its orders tell is drawn instead: where each
// player began, which cells anyone sent something to, and the numbers of cells along the edges.
import { Box3, CircleGeometry, Group, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, Object3D, PlaneGeometry, RingGeometry, Vector3, type BufferGeometry } from 'three';
import { numbers } from './columns';
import type { Glyphs } from './types';

/** Orders that tell where a player began: the middle of the first few. */
const FIRST = 5;
const CELLS_MAX = 8192;
/** Cells around everything that is seen; numbers along an edge; the distance of lines of the grid. */
const MARGIN = 4;
const NUMBERS_MAX = 12;
const STEP = 8;

interface Target {
  t: number;
  player: number;
  x: number;
  z: number;
}

const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1];

const flat = (geometry: BufferGeometry) => geometry.rotateX(-Math.PI / 2);

export class Places {
  readonly root = new Group();
  readonly starts: { player: number; mark: Mesh }[] = [];
  readonly numbers: { text: string; at: Object3D }[] = [];
  /** Everything that orders reached. */
  readonly box = new Box3();
  private cells = new Group();
  private paints = new Map<number, MeshBasicMaterial[]>();

  /** `ground`: where the grid is. */
  constructor(glyphs: Glyphs[], players: number, ground: Box3) {
    const targets: Target[] = [];
    for (const g of glyphs) {
      const [t, player, x, z] = [g.t, g.player, g.x2, g.z2].map(numbers);
      for (let i = 0; i < t.length; i++) if (player[i] >= 0 && player[i] < players) targets.push({ t: t[i], player: player[i], x: x[i], z: z[i] });
    }
    targets.sort((a, b) => a.t - b.t);
    for (const { x, z } of targets) this.box.expandByPoint(new Vector3(x, 0, z));
    if (this.box.isEmpty()) return;
    this.box.expandByVector(new Vector3(MARGIN, 0, MARGIN)).intersect(ground.clone().expandByVector(new Vector3(0, 1, 0)));
    for (let player = 0; player < players; player++) this.addPlayer(player, targets.filter((target) => target.player === player));
    this.root.add(this.cells);
    this.addNumbers(ground);
  }

  private paintOf(player: number, opacity: number): MeshBasicMaterial {
    const material = new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false });
    this.paints.set(player, [...(this.paints.get(player) ?? []), material]);
    return material;
  }
  repaint(colour: (player: number) => string) {
    for (const [player, list] of this.paints) for (const material of list) material.color.set(colour(player));
  }
  /** What lies ahead is a spoiler; where everyone began is not. */
  showSpoilers(shown: boolean) {
    this.cells.visible = shown;
  }

  private addPlayer(player: number, targets: Target[]) {
    if (!targets.length) return;
    const cells = new Map(targets.map(({ x, z }) => [`${Math.floor(x)} ${Math.floor(z)}`, { x: Math.floor(x) + 0.5, z: Math.floor(z) + 0.5 }]));
    const list = [...cells.values()].slice(0, CELLS_MAX);
    const mesh = new InstancedMesh(flat(new PlaneGeometry(0.9, 0.9)), this.paintOf(player, 0.3), list.length);
    list.forEach(({ x, z }, i) => mesh.setMatrixAt(i, new Matrix4().makeTranslation(x, 0.02, z)));
    mesh.frustumCulled = false;
    this.cells.add(mesh);
    const first = targets.slice(0, FIRST);
    const mark = new Mesh(flat(new RingGeometry(1.4, 2, 40)), this.paintOf(player, 1));
    mark.add(new Mesh(flat(new CircleGeometry(1.4, 40)), this.paintOf(player, 0.35)));
    mark.position.set(middle(first.map((target) => target.x)), 0.05, middle(first.map((target) => target.z)));
    mark.renderOrder = 3;
    this.starts.push({ player, mark });
    this.root.add(mark);
  }

  private addNumbers(ground: Box3) {
    const { min, max } = ground;
    const put = (text: string, x: number, z: number) => {
      const at = new Object3D();
      at.position.set(x, 0, z);
      this.root.add(at);
      this.numbers.push({ text, at });
    };
    const { min: from, max: to } = this.box;
    const step = STEP * Math.max(1, Math.ceil(Math.max(to.x - from.x, to.z - from.z) / STEP / NUMBERS_MAX));
    for (let x = step * Math.ceil((from.x + 1) / step); x <= Math.min(to.x, max.x); x += step) put(String(x), x, Math.max(from.z, min.z));
    for (let z = step * Math.ceil((from.z + 1) / step); z <= Math.min(to.z, max.z); z += step) put(String(z), Math.max(from.x, min.x), z);
  }
}

// One replay's scene: the content of its GLB, which can be posed at any time.
import {
  Bone,
  Box3,
  Color,
  Group,
  InstancedMesh,
  Line,
  LineSegments,
  Mesh,
  MathUtils,
  MeshLambertMaterial,
  PerspectiveCamera,
  Quaternion,
  SkinnedMesh,
  Sphere,
  Vector3,
  type Material,
  type MeshStandardMaterial,
  type Object3D,
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { paletteOf } from './dom';
import { gather, isJoined, isKept, joinFigures, type Crowd, type Instances } from './instances';
import { keepInTiles } from './tiles';
import { readGlb, Sampler, staticGlb, type Glb, type NodeExtras, type Resolve } from './sampler';

/** Nodes that would be spoilers. */
const SPOILERS = /^(trail|arc|jump|path|route|teleport|checkpoint)/;
const LIGHT_GROUND = new Color(0xd5dcd6);
/** The ground. Structures that are "grounded" have this kind too. */
export const GROUND = /^(map|grid|floor|ground|world|arena|blocks?)(?!ed)/;
/** Nodes that would block a first-person view. */
const OWN_HEAD = /^(head|skull|body|standing|ducked|edges|feet|ray|cone|health (left|lost))$/;
/** Flat things that are read from every side: they turn towards the camera. */
const FACING = /^health$/;
/** Of several replays of one course, one shows the ground. */
const SHARED = /^path-/;
/** Orders on the map are nodes for other programs; the page draws its own, which grow and fade. */
const ORDERS = /^(arrow|ping)$/;
const UNITS = /^unit$/;
const BLOCKS = /^blocks?$/;
/** The parent of a skeleton: it shows or hides the skinned mesh. */
const FIGURE = /^figure$/;
/** Texels with less alpha are discarded, so that gaps between leaves are see-through. */
const CLEAR = 0.02;
const UNIT_MIN_PX = 8;
const larger = new Vector3();
const place = new Vector3();
const turn = new Quaternion();

function resize(bone: Bone, size: number) {
  bone.scale.setScalar(size);
  bone.updateMatrix();
  bone.updateMatrixWorld();
}

interface Look {
  plain: MeshLambertMaterial;
  ghost: MeshLambertMaterial | null;
}

export class ReplayScene {
  readonly root = new Group();
  objects: (Object3D | undefined)[] = [];
  private nodes = new Set<Object3D | undefined>();
  private sampler: Sampler | null = null;
  private spoilers: Object3D[] = [];
  private lineMaterials: LineMaterial[] = [];
  private materials = new Map<Material, Look>();
  private drawables: { mesh: Mesh; plain: Material; ghost: Material | null }[] = [];
  private lines: { plain: Object3D; ghost: Object3D }[] = [];
  private grounds: Object3D[] = [];
  private shared: Object3D[] = [];
  private spoiling = true;
  private ghostly = false;
  private floors: { material: { color: Color }; colour: Color; share: number }[] = []; // with a uniform colour
  private dropped = new Set<Object3D>();
  private tinted = new Map<MeshLambertMaterial, number>(); // in the colour of a player
  private instances: (Instances | Crowd)[] = [];
  private units: Mesh[] = [];
  private facing: Object3D[] = [];
  private skins: SkinnedMesh[] = [];
  private looks = new Map<number, MeshLambertMaterial[]>(); // by index in the file
  private cameras: (number | undefined)[] = []; // of nodes
  private ghost: Color | null = null; // its colour among several replays

  /** `ghost`: its colour among several replays; `orders`: the page draws them. */
  static async load(head: ArrayBuffer, ghost: string | null, orders: boolean): Promise<ReplayScene> {
    const scene = new ReplayScene();
    scene.ghost = ghost ? new Color(ghost) : null;
    const glb = readGlb(head);
    if (!glb.json.nodes?.length) return scene;
    const gltf = await new GLTFLoader().parseAsync(staticGlb(glb), '');
    scene.objects = new Array(glb.json.nodes.length).fill(undefined);
    for (const [object, place] of gltf.parser.associations)
      if (place?.nodes !== undefined && 'isObject3D' in object)
        scene.objects[place.nodes] = object as Object3D;
    scene.nodes = new Set(scene.objects);
    if (orders) scene.drop(ORDERS);
    scene.root.add(gltf.scene); // always its first child
    scene.cameras = glb.json.nodes.map((node) => node.camera);
    scene.prepare(gltf.scene);
    for (const [from, place] of gltf.parser.associations) {
      const look = scene.materials.get(from as Material);
      if (place?.materials === undefined || !look) continue;
      const all = [look.plain, look.ghost].filter((m) => m instanceof MeshLambertMaterial);
      scene.looks.set(place.materials, [...(scene.looks.get(place.materials) ?? []), ...all]);
    }
    return scene;
  }

  /** Animated colours, textures and fields of view. */
  private resolve: Resolve = (pointer) => {
    const [, list, number, ...path] = pointer.split('/');
    if (list === 'cameras') {
      const nodes = this.objects.filter((_, i) => this.cameras[i] === Number(number));
      const found = nodes.flatMap((o) => [o, ...(o?.children ?? [])]).filter((o) => o instanceof PerspectiveCamera);
      return found.length ? (v) => found.forEach((camera) => (camera.fov = MathUtils.radToDeg(v[0]))) : null;
    }
    const looks = this.looks.get(Number(number)) ?? [];
    if (list !== 'materials' || !looks.length) return null;
    if (path[1] === 'baseColorFactor') return (v) => looks[0].color.setRGB(v[0], v[1], v[2]);
    const maps = looks.map((look) => (path[0] === 'emissiveTexture' ? look.emissiveMap : look.map));
    return path.at(-1) === 'offset' ? (v) => maps.forEach((map) => map?.offset.set(v[0], v[1])) : null;
  };

  /** All bytes are loaded: starts motion. */
  bytes: ArrayBuffer | null = null;
  setMotion(buffer: ArrayBuffer) {
    this.bytes = buffer;
    const glb: Glb = readGlb(buffer);
    const objects = this.objects.map((o) => (o && this.dropped.has(o) ? undefined : o));
    this.sampler = new Sampler(glb, objects, this.resolve);
  }
  get ready(): boolean {
    return this.sampler !== null;
  }
  get nodeCount(): number {
    return this.objects.length;
  }

  /** The `extras` of a node; a node with several materials is a group of meshes that are not nodes. */
  extras(object: Object3D): NodeExtras {
    const own = object.userData.reprise ?? (this.nodes.has(object) ? undefined : object.parent?.userData.reprise);
    return (own ?? {}) as NodeExtras;
  }
  /** Everything that is drawn, of any node. */
  get meshes(): Mesh[] {
    return this.drawables.map((d) => d.mesh).filter((mesh) => !(mesh instanceof InstancedMesh) && !isJoined(mesh));
  }

  private drop(kinds: RegExp) {
    for (const object of this.objects)
      if (object && kinds.test(this.extras(object).kind ?? '')) {
        this.dropped.add(object);
        object.visible = false;
      }
  }

  private prepare(scene: Object3D) {
    const lines: Line[] = [];
    scene.traverse((object) => {
      const kind = this.extras(object).kind ?? '';
      if (SPOILERS.test(kind)) this.spoilers.push(object);
      if (GROUND.test(kind)) this.grounds.push(object);
      if (SHARED.test(kind)) this.shared.push(object);
      if (FACING.test(kind) && this.nodes.has(object)) this.facing.push(object);
      if (object.scale.x === 0 && object.scale.y === 0 && object.scale.z === 0) object.visible = false;
      if (object instanceof Mesh) {
        const both = this.simple(object.material as MeshStandardMaterial);
        object.material = both.plain;
        keepInTiles(object.geometry, both.plain, both.ghost);
        this.drawables.push({ mesh: object, ...both });
        if (object instanceof SkinnedMesh) {
          object.boundingSphere = new Sphere();
          object.geometry.computeBoundingSphere();
          object.renderOrder = -1; // water drawn first would hide players in it
          this.skins.push(object);
        }
        if (UNITS.test(kind)) this.units.push(object);
        if (BLOCKS.test(kind)) this.layer(both.plain, both.ghost);
        const { plain } = both;
        if (GROUND.test(kind) && plain instanceof MeshLambertMaterial && !plain.map && !plain.vertexColors)
          this.floors.push({ material: plain, colour: plain.color.clone(), share: 0.85 });
      } else if (object instanceof Line) {
        lines.push(object);
        const material = object.material as Material & { color?: Color };
        if (GROUND.test(kind) && material.color && !material.vertexColors)
          this.floors.push({ material: material as { color: Color }, colour: material.color.clone(), share: 0.55 });
      }
    });
    this.settle(scene);
    this.showSkins();
    for (const line of lines) this.fatten(line);
    const meshes = this.drawables.map((d) => d.mesh);
    this.instances = [...gather(meshes), ...(this.ghost ? [] : joinFigures(meshes))];
    for (const { mesh } of this.instances) {
      this.root.add(mesh);
      const plain = mesh.material as Material;
      const ghost = this.drawables.find((d) => d.plain === plain)?.ghost ?? null;
      this.drawables.push({ mesh, plain, ghost });
    }
  }

  /** Matrices are computed when a pose changes; those of what is sized or turned for a camera each time. */
  private settle(scene: Object3D) {
    const each = new Set<Object3D>([...this.units, ...this.facing]);
    scene.traverse((object) => {
      object.updateMatrix();
      object.matrixAutoUpdate = each.has(object);
    });
  }

  /** Block faces may be coplanar, such as grass on earth: the later material is on top. */
  private layers = new Map<Material, number>();
  private layer(...materials: (Material | null)[]) {
    const [plain] = materials;
    const depth = this.layers.get(plain!) ?? this.layers.size;
    this.layers.set(plain!, depth);
    for (const material of materials) {
      if (!material || !depth) continue;
      material.polygonOffset = true;
      material.polygonOffsetFactor = material.polygonOffsetUnits = -depth;
    }
  }

  /** Updates all matrices for the next picture. */
  fill() {
    for (const mesh of this.skins) if (mesh.visible && !isKept(mesh)) this.surround(mesh);
    for (const instances of this.instances) instances.fill();
  }

  /** Call it before rays are sent: no picture needs to know where figures are that a crowd draws. */
  locate() {
    for (const mesh of this.skins) if (mesh.visible && isKept(mesh)) this.surround(mesh);
  }

  /** A skinned mesh is around its bones, not at its own node. */
  private surround(mesh: SkinnedMesh) {
    const { center } = mesh.boundingSphere!;
    const [root] = mesh.skeleton.bones;
    let far = 0;
    center.setFromMatrixPosition(root.matrixWorld);
    for (const bone of mesh.skeleton.bones)
      far = Math.max(far, center.distanceToSquared(place.setFromMatrixPosition(bone.matrixWorld)));
    const reach = mesh.geometry.boundingSphere!;
    const around = (reach.radius + reach.center.length()) * root.matrixWorld.getMaxScaleOnAxis();
    mesh.boundingSphere!.radius = Math.sqrt(far) + around;
    mesh.worldToLocal(center);
  }

  /** Call it when all matrices but those of what turns are up to date. */
  face(camera: Object3D) {
    if (!this.facing.length) return;
    camera.getWorldQuaternion(turn);
    for (const object of this.facing) {
      object.quaternion.copy(turn);
      object.updateMatrixWorld();
    }
  }

  /** On a complete map a soldier is less than a pixel, so units have a minimum size on screen. */
  enlarge(pixelsPerMetre: number) {
    for (const mesh of this.units) {
      if (!mesh.visible) continue;
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      const { x, z } = mesh.geometry.boundingBox!.getSize(larger);
      const size = Math.max(x, z) * mesh.matrixWorld.getMaxScaleOnAxis() * pixelsPerMetre;
      if (size > 0 && size < UNIT_MIN_PX) mesh.matrixWorld.scale(larger.setScalar(UNIT_MIN_PX / size));
    }
  }

  /** Materials in a player's default colour follow that player's chosen colour. */
  findTinted(slotOf: (player: number) => number) {
    for (const { mesh, plain } of this.drawables) {
      const { player } = this.extras(mesh);
      if (player === undefined || player < 0 || !(plain instanceof MeshLambertMaterial)) continue;
      const slot = slotOf(player);
      if (`#${plain.color.getHexString()}` === paletteOf(slot, true).toLowerCase()) this.tinted.set(plain, slot);
    }
  }

  /** Scenes have flat colours and textures, so the cheap material is enough. */
  private simple(from: MeshStandardMaterial): Look {
    let both = this.materials.get(from);
    if (!both) {
      const plain = new MeshLambertMaterial({
        color: from.color,
        map: from.map,
        side: from.side,
        transparent: from.transparent,
        opacity: from.opacity,
        alphaTest: from.transparent && from.map ? CLEAR : from.alphaTest,
        vertexColors: from.vertexColors,
        emissive: from.emissive,
        emissiveMap: from.emissiveMap,
        depthWrite: !from.transparent || from.map !== null,
        flatShading: from.flatShading,
      });
      let ghost: MeshLambertMaterial | null = null;
      if (this.ghost) {
        ghost = plain.clone();
        ghost.color.lerp(this.ghost, 0.8);
        ghost.transparent = true;
        ghost.opacity = 0.45 * from.opacity;
        ghost.depthWrite = false;
      }
      both = { plain, ghost };
      this.materials.set(from, both);
    }
    return both;
  }

  /** Lines of several pixels, which plain GL does not draw. */
  private fatten(line: Line) {
    const width = Number(line.userData.width_px ?? line.parent?.userData.width_px ?? 1);
    const from = line.material as Material & { color?: Color };
    if (GROUND.test(this.extras(line).kind ?? '') || (width <= 1 && !this.ghost)) return;
    const position = line.geometry.getAttribute('position');
    const colour = line.geometry.getAttribute('color');
    const points: number[] = [];
    const colours: number[] = [];
    for (let i = 0; i < position.count; i++) {
      points.push(position.getX(i), position.getY(i), position.getZ(i));
      if (colour) colours.push(colour.getX(i), colour.getY(i), colour.getZ(i));
    }
    const geometry = line instanceof LineSegments ? new LineSegmentsGeometry() : new LineGeometry();
    geometry.setPositions(points);
    if (colour) geometry.setColors(colours);
    const make = (ghost: Color | null) => {
      const material = new LineMaterial({
        linewidth: Math.max(1.5, width),
        vertexColors: Boolean(colour) && !ghost,
        color: ghost ?? (colour ? undefined : from.color),
        transparent: from.transparent || ghost !== null,
        opacity: ghost ? 0.7 : from.opacity,
        dashed: ghost !== null,
        dashSize: 0.25,
        gapSize: 0.2,
      });
      const fat = new LineSegments2(geometry, material);
      if (ghost) fat.computeLineDistances();
      this.lineMaterials.push(material);
      line.add(fat);
      return fat;
    };
    from.visible = false;
    const plain = make(null);
    if (this.ghost) this.lines.push({ plain, ghost: make(this.ghost) });
  }

  /** Another ground is shown instead. */
  hideGround() {
    for (const object of this.grounds) object.removeFromParent();
    this.grounds = [];
  }
  /** Where the ground is. */
  groundBox(): Box3 {
    this.root.updateMatrixWorld(true);
    const box = new Box3();
    for (const object of this.grounds) box.expandByObject(object);
    return box;
  }
  get hasGround(): boolean {
    return this.grounds.length > 0;
  }

  /** A ghost is translucent, in one colour, and uses the ground of another replay. */
  setGhost(on: boolean) {
    if (!this.ghost) return;
    for (const { mesh, plain, ghost } of this.drawables) mesh.material = on && ghost ? ghost : plain;
    for (const { plain, ghost } of this.lines) {
      plain.visible = !on;
      ghost.visible = on;
    }
    for (const object of this.grounds) object.visible = !on;
    this.ghostly = on;
    this.showShared();
  }
  private showShared() {
    for (const object of this.shared) object.visible = this.spoiling && !this.ghostly;
  }

  /** Light pages have dark colours, which need a light ground. */
  setTheme(dark: boolean, colourOf: (slot: number) => string) {
    for (const [material, slot] of this.tinted) material.color.set(colourOf(slot));
    for (const { material, colour, share } of this.floors) {
      material.color.copy(colour);
      if (!dark) material.color.lerp(LIGHT_GROUND, share);
    }
  }

  setResolution(width: number, height: number) {
    for (const material of this.lineMaterials) material.resolution.set(width, height);
  }

  showSpoilers(shown: boolean) {
    for (const object of this.spoilers) object.visible = shown;
    this.spoiling = shown;
    this.showShared();
  }

  seek(time: number) {
    this.sampler?.apply(time);
    this.showSkins();
  }

  private showSkins() {
    for (const mesh of this.skins) mesh.visible = mesh.skeleton.bones[0].parent?.visible !== false;
  }

  /** Hides what surrounds a player's eyes; returns a function that shows it again. */
  withoutHead(player: number): () => void {
    const hidden: Object3D[] = [];
    for (const object of this.objects) {
      if (!object?.visible) continue;
      const extras = this.extras(object);
      const isLine = object instanceof Line;
      if (extras.player !== player || !OWN_HEAD.test(extras.kind ?? '') || (object.children.length && !isLine)) continue;
      // Bones are not drawn; scale zero hides the mesh around them.
      if (object instanceof Bone) resize(object, 0);
      else if (object instanceof Mesh || isLine) object.visible = false;
      else continue;
      hidden.push(object);
    }
    return () =>
      hidden.forEach((object) => {
        if (object instanceof Bone) resize(object, 1);
        else object.visible = true;
      });
  }

  /** The bounds of all objects and their motion. */
  bounds(): Box3 {
    this.root.updateMatrixWorld(true);
    const box = new Box3();
    const own = new Box3();
    for (const object of this.meshes) {
      if (!object.visible || !object.parent?.visible) continue;
      if (GROUND.test(this.extras(object).kind ?? '')) continue;
      own.setFromObject(object, object instanceof SkinnedMesh);
      if (!own.isEmpty()) box.union(own);
    }
    const top = this.root.children[0];
    const moved = this.sampler?.bounds((object) => object.parent === top || this.isFigure(object.parent));
    if (moved) {
      box.expandByPoint(new Vector3(...moved.low));
      box.expandByPoint(new Vector3(...moved.high));
    }
    // In a world without objects, the world itself counts.
    if (box.isEmpty()) for (const object of this.grounds) box.union(own.setFromObject(object));
    return box;
  }

  /** For tests: skinned meshes, whether they are drawn, and their bounds. */
  get skinned() {
    return this.skins.map((mesh) => {
      const { center, radius } = mesh.boundingSphere!;
      const box = new Box3().setFromObject(mesh, true);
      const inside = new Sphere(mesh.localToWorld(center.clone()), radius * 1.001);
      return { ...this.extras(mesh), visible: mesh.visible, around: [box.min, box.max].every((p) => inside.containsPoint(p)) };
    });
  }
  /** For tests: the current colours of a material. */
  look(number: number) {
    const [look] = this.looks.get(number) ?? [];
    return look && { colour: look.color.toArray(), offset: look.map?.offset.toArray(), transparent: look.transparent };
  }

  private isFigure(object: Object3D | null): boolean {
    return object !== null && FIGURE.test(this.extras(object).kind ?? '');
  }

  /** The object that a mesh belongs to: its highest ancestor with its own position. */
  thing(object: Object3D): Object3D {
    let at = object instanceof SkinnedMesh ? object.skeleton.bones[0] : object;
    while (at.parent && at.parent !== this.root.children[0] && at.parent !== this.root && !this.isFigure(at.parent))
      at = at.parent;
    return at;
  }

  /** The current bounds of an object. */
  boxOf(thing: Object3D): Box3 {
    const box = new Box3();
    const own = this.skins.filter((mesh) => mesh.skeleton.bones[0] === thing);
    for (const mesh of own) box.expandByObject(mesh, true);
    return own.length ? box : box.setFromObject(thing);
  }
}

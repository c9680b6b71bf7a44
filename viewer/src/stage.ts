// The picture: one or more replays in one 3D scene or side by side, drawn only when something
// changes. Without WebGL it is a flat map.
import {
  Bone,
  Box3,
  CanvasTexture,
  Color,
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  NearestFilter,
  OrthographicCamera,
  PlaneGeometry,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Camera,
  type Object3D,
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { newTrace, Rig, type Mode, type Trace } from './camera';
import { colourOf, el, isDark, isPhone, paletteOf, restyle, shapeOf } from './dom';
import { GlyphLayer } from './glyphs';
import { heatPicture } from './heat';
import { KEPT_LAYER } from './instances';
import { Places } from './places';
import { GROUND, ReplayScene } from './replayscene';
import type { Replay } from './app';
import type { Heat } from './types';

export type Arrangement = 'ghosts' | 'side' | 'single';

interface Label {
  node: number;
  object?: Object3D; // instead of a node: something on the map
  element: HTMLElement;
  sign: HTMLElement;
  player: number; // -1: none
  lift: number | null; // height above its node, once measured
  text: string; // with sign and origin
}
interface Shown {
  replay: Replay;
  scene: ReplayScene | null;
  glyphs: GlyphLayer | null;
  places: Places | null; // instead of a map
  trace: Trace;
  labels: Label[];
}

/** The object under the pointer. */
export interface Found {
  replay: Replay;
  node: number;
  name: string;
  player?: number;
}

/** Replays that are shown side by side. */
export const COLUMNS_MAX = 4;
const LABELS_MAX = 120;
/** The note of recordings that know orders and nothing of units. */
const ORDERS_ONLY = 'orders-only';
/** With more labels than this, overlapping ones are hidden; the height of a label. */
const CROWD = 12;
const LABEL_PX = 19;

export class Stage {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  private rigs = Array.from({ length: COLUMNS_MAX }, () => new Rig());
  private active = 0; // the side whose camera is being moved, if each has its own
  linked = true;
  arrangement: Arrangement = 'single';
  onPick: (shown: Found) => void = () => undefined;
  onFlat: () => void = () => undefined;
  /** The text for a clicked object; the side that was double-tapped. */
  onName: (shown: Found) => string = () => '';
  onThird: (side: -1 | 1) => void = () => undefined;
  private renderer: WebGLRenderer | null = null;
  private flat: CanvasRenderingContext2D | null = null;
  private scene = new Scene();
  private items: Shown[] = [];
  private labelLayer = el('div', { class: 'labels', 'aria-hidden': 'true' });
  private naming = el('div', { class: 'naming', hidden: true });
  private grid: GridHelper | null = null;
  private heat: Mesh | null = null;
  private map: Object3D | null = null;
  private ground: Box3 | null = null; // of a map that is the ground of a match
  private width = 1;
  private height = 1;
  private time = 0;
  private wide = 10; // distance of objects from the centre
  dirty = true;

  constructor() {
    this.canvas = el('canvas', {
      class: 'gl',
      tabindex: 0,
      role: 'img',
      'aria-label': 'Scene. Drag to turn, wheel to zoom, double click to follow.',
    });
    this.element = el('div', { class: 'picture' }, this.canvas, this.labelLayer, this.naming);
    this.scene.matrixWorldAutoUpdate = false; // updated once per picture, before cameras use it
    this.scene.add(new HemisphereLight(0xffffff, 0x667788, 2.2));
    const sun = new DirectionalLight(0xffffff, 1.8);
    sun.position.set(5, 10, 3);
    this.scene.add(sun);
    this.start();
    this.listen();
  }

  private start() {
    try {
      this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
      this.canvas.addEventListener('webglcontextlost', (event) => {
        event.preventDefault();
        this.becomeFlat();
      });
    } catch {
      this.becomeFlat();
    }
  }

  /** A canvas has only one kind of context, so the flat map has its own canvas. */
  private becomeFlat() {
    this.renderer = null;
    const canvas = el('canvas', { class: 'gl flat', role: 'img', 'aria-label': 'Flat map from above' });
    this.canvas.style.display = 'none';
    this.canvas.before(canvas);
    this.flat = canvas.getContext('2d');
    this.resize();
    this.dirty = true;
    queueMicrotask(() => this.onFlat());
  }
  get hasWebGL(): boolean {
    return this.renderer !== null;
  }

  /** The camera that the controls move. */
  get rig(): Rig {
    return this.rigs[this.active];
  }
  /** Side by side, both cameras move together or each on its own. */
  setLinked(on: boolean) {
    if (!on) for (const rig of this.rigs.slice(1)) rig.copy(this.rigs[0]);
    this.linked = on;
    this.active = 0;
    this.dirty = true;
  }
  private get side(): boolean {
    return this.arrangement === 'side' && this.items.length > 1;
  }
  /** How many pictures are beside each other. */
  private get columns(): number {
    return this.side ? Math.min(COLUMNS_MAX, this.items.length) : 1;
  }
  /** Which side of the picture a pointer is on. */
  private columnAt(clientX: number): number {
    const box = this.canvas.getBoundingClientRect();
    return this.side ? Math.min(this.columns - 1, Math.max(0, Math.floor(((clientX - box.left) / box.width) * this.columns))) : 0;
  }
  private touch(clientX: number) {
    this.active = this.side && !this.linked ? this.columnAt(clientX) : 0;
  }

  // ---- contents

  async add(replay: Replay, head: ArrayBuffer): Promise<void> {
    const ghost = replay.index > 0 ? paletteOf(replay.index) : null;
    const scene = await ReplayScene.load(head, ghost, Boolean(replay.timeline.glyphs?.length));
    const { timeline } = replay;
    scene.findTinted((player) => timeline.players?.[player]?.slot ?? player);
    const glyphs = timeline.glyphs?.length ? new GlyphLayer(timeline.glyphs, (player) => this.paintOf(replay, player)) : null;
    // Units come and go; where there is no room for all names, buildings keep theirs.
    const isUnit = ({ node }: { node: number }) => Number(scene.objects[node] && scene.extras(scene.objects[node]).kind === 'unit');
    const named = [...(timeline.labels ?? [])].sort((a, b) => isUnit(a) - isUnit(b));
    const labels = named.slice(0, LABELS_MAX).map(({ node, text, player = -1 }) => this.newLabel(replay, node, text, player));
    const places = glyphs && timeline.warnings?.some((w) => w.id === ORDERS_ONLY) ? new Places(timeline.glyphs!, timeline.players?.length ?? 0, scene.groundBox()) : null;
    if (places) labels.unshift(...this.nameplates(replay, places));
    this.scene.add(scene.root);
    if (glyphs) this.scene.add(glyphs.root);
    this.items.push({ replay, scene, glyphs, places, trace: newTrace(), labels });
    this.setTheme();
  }
  /** Names of players where they began, and numbers of cells. */
  private nameplates(replay: Replay, places: Places): Label[] {
    this.scene.add(places.root);
    const names = places.starts.map(({ player, mark }) => ({ ...this.newLabel(replay, -1, replay.timeline.players![player].name, player), object: mark, lift: 0.5 }));
    const cells = places.numbers.map(({ text, at }) => ({ ...this.newLabel(replay, -1, text, -1), object: at, lift: 0 }));
    for (const { element } of cells) element.classList.add('cell');
    return [...names, ...cells];
  }
  private newLabel(replay: Replay, node: number, text: string, player: number): Label {
    const sign = el('span');
    const from = replay.index ? el('span', { class: 'from' }, ` (${replay.label})`) : '';
    const element = el('span', { class: 'label' }, sign, text, from);
    this.labelLayer.append(element);
    return { node, element, sign, player, lift: null, text: element.textContent! };
  }
  /** With several replays each has one colour and shape; otherwise players have their own. */
  private slotOf(replay: Replay, player: number): number {
    return replay.index && !this.side ? replay.index : (replay.timeline.players?.[player]?.slot ?? player);
  }
  private paintOf(replay: Replay, player: number): string {
    return (replay.index && !this.side ? paletteOf : colourOf)(this.slotOf(replay, player));
  }
  private paintLabels() {
    for (const { replay, labels } of this.items)
      for (const label of labels) {
        const { element, sign, player, object } = label;
        if (player < 0) continue;
        const paint = this.paintOf(replay, player);
        element.style.setProperty('--player', paint);
        sign.textContent = `${shapeOf(this.slotOf(replay, player))} `;
        label.text = element.textContent!;
        const material = (object as Mesh | undefined)?.material;
        if (material instanceof MeshBasicMaterial) material.color.set(paint);
      }
  }

  /** Scenery given with the replay; it is static and does not affect framing. */
  async addMap(buffer: ArrayBuffer): Promise<void> {
    const { scene } = await new GLTFLoader().parseAsync(buffer, '');
    this.map = scene;
    this.scene.add(scene);
    // The ground of a match is a grid over everything that orders reached; the map is the real one.
    const ground = scene.children.find((object) => object.userData.reprise?.id === 'ground');
    if (ground && this.items.some((item) => item.glyphs)) this.replaceGround(scene, ground);
    this.measure();
    this.dirty = true;
  }
  private replaceGround(map: Object3D, ground: Object3D) {
    this.ground = new Box3().setFromObject(ground);
    for (const item of this.items) {
      item.scene?.hideGround();
      if (!item.places) continue;
      // The map has places of its own, and a picture of the ground.
      const known = new Set<Object3D | undefined>([...item.places.starts.map((s) => s.mark), ...item.places.numbers.map((n) => n.at)]);
      for (const label of item.labels) if (known.has(label.object)) label.element.remove();
      item.labels = item.labels.filter((label) => !known.has(label.object));
      item.places.root.removeFromParent();
      item.places = null;
    }
    // The colours of a map are what matters, not light on it.
    map.traverse((object) => {
      const { material } = object as Mesh;
      if (material instanceof MeshStandardMaterial) (object as Mesh).material = new MeshBasicMaterial({ map: material.map, color: material.color, side: material.side });
    });
    this.nameStarts(map);
  }
  /** Who starts where; places that are not used step back. */
  private nameStarts(map: Object3D) {
    const item = this.items[0];
    const players = item.replay.timeline.players ?? [];
    if (!players.some((p) => p.spawn)) return;
    for (const place of map.children) {
      const [kind, number] = String(place.userData.reprise?.id).split(':');
      const material = (place as Mesh).material;
      if (kind !== 'spawn' || !(material instanceof MeshBasicMaterial)) continue;
      const player = players.findIndex((p) => p.spawn === Number(number) + 1);
      if (player < 0) {
        material.transparent = true;
        material.opacity = 0.3;
        continue;
      }
      // The start is named first: in a crowd, labels give way to those before them.
      item.labels.unshift({ ...this.newLabel(item.replay, -1, players[player].name, player), object: place, lift: 1 });
    }
    this.paintLabels();
  }
  get hasMap(): boolean {
    return this.map !== null;
  }

  setMotion(replay: Replay, buffer: ArrayBuffer) {
    const item = this.items.find((i) => i.replay === replay);
    item?.scene?.setMotion(buffer);
    this.measure();
    this.dirty = true;
  }

  get isStill(): boolean {
    return !this.items.every((item) => item.scene?.ready);
  }
  sceneOf(index: number): ReplayScene | null {
    return this.items.find((item) => item.replay.index === index)?.scene ?? null;
  }

  private bounds(): Box3 {
    const box = new Box3();
    for (const { scene } of this.items) if (scene) box.union(scene.bounds());
    if (this.ground) box.union(this.ground);
    return box;
  }

  /** The extent of everything, for the ground and for framing cameras. */
  private measure() {
    const item = this.items[0];
    const box = this.bounds();
    if (!item?.scene || box.isEmpty()) return;
    const size = box.getSize(new Vector3());
    this.wide = Math.max(4, size.x, size.z) / 2;
    if (this.grid) this.scene.remove(this.grid);
    if (!item.scene.hasGround && !this.map) {
      const side = Math.min(2000, Math.max(16, Math.ceil((this.wide * 2.6) / 8) * 8));
      this.grid = new GridHelper(side, side > 200 ? 50 : side);
      const middle = box.getCenter(new Vector3());
      this.grid.position.set(Math.round(middle.x), box.min.y, Math.round(middle.z));
      this.scene.add(this.grid);
    }
    this.setTheme();
  }

  setTheme() {
    const dark = isDark();
    for (const { scene, places, replay } of this.items) {
      scene?.setTheme(dark, colourOf);
      places?.repaint((player) => this.paintOf(replay, player));
    }
    this.paintLabels();
    // A world of blocks is below a sky.
    const sky = this.items[0]?.replay.timeline.source.format === 'mcreplay';
    this.scene.background = new Color(sky ? (dark ? 0x223a58 : 0xa9cdf2) : dark ? 0x0f1318 : 0xe4e9ee);
    if (this.grid) {
      const material = this.grid.material;
      material.vertexColors = false;
      material.color.set(dark ? 0x2e3a48 : 0xb4c0cc);
      material.needsUpdate = true;
    }
    this.dirty = true;
  }

  setHeat(heat: Heat | null) {
    if (this.heat) {
      this.scene.remove(this.heat);
      this.heat = null;
    }
    if (heat) {
      const [x, z, width, depth] = heat.rect;
      const texture = new CanvasTexture(heatPicture(heat));
      texture.magFilter = NearestFilter;
      const material = new MeshBasicMaterial({ map: texture, transparent: true, depthTest: false });
      this.heat = new Mesh(new PlaneGeometry(width, depth), material);
      this.heat.rotation.x = -Math.PI / 2;
      this.heat.position.set(x + width / 2, 0.03, z + depth / 2);
      this.heat.renderOrder = 4;
      this.scene.add(this.heat);
    }
    this.dirty = true;
  }
  get showsHeat(): boolean {
    return this.heat !== null;
  }

  // ---- cameras

  setMode(mode: Mode) {
    this.rig.setMode(mode);
    for (const item of this.items) item.trace.fresh = true;
    this.dirty = true;
  }

  /** Frames the complete scene, as the replay suggests or by its size. */
  frameAll(replay: Replay, top: boolean, first = false) {
    const suggested = replay.timeline.cameras?.find((c) => c.kind === (top ? 'top' : 'orbit'));
    // Only the first picture may be a corner of the scene: the one where something happens.
    const camera = suggested && (first || (suggested.distance ?? 0) > this.wide * 0.8) ? suggested : undefined;
    const box = this.bounds();
    const middle = !box.isEmpty() ? box.getCenter(new Vector3()) : new Vector3(0, 1, 0);
    const alone = this.items.length < 2;
    const ground = this.ground ?? (alone ? this.items[0]?.places?.box : undefined);
    if (ground && !ground.isEmpty()) return this.frameGround(ground, top);
    const target = camera?.target && alone ? new Vector3(...camera.target) : middle;
    const aspect = this.width / this.height;
    let distance = (alone && camera?.distance) || this.wide * 2.6;
    if (top) distance = (((alone && camera?.distance) || this.wide * 2.4) * 0.56) / Math.tan(Math.PI * (25 / 180));
    if (aspect < 1) distance /= Math.max(0.5, aspect);
    this.rig.frame(target, distance);
    if (top && alone) this.shift(box);
    this.dirty = true;
  }

  /** The width of what covers the left edge of the picture. */
  covered: () => number = () => 0;
  /** The height of what covers the upper left corner on a phone. */
  coveredAbove: () => number = () => 0;
  /** Moves what is seen from above away from what covers the picture, as far as there is room. */
  private shift(box: Box3) {
    const scale = this.height / (2 * this.rig.distance * Math.tan((25 * Math.PI) / 180));
    const room = (this.width - (box.max.x - box.min.x) * scale) / 2;
    const pixels = Math.min(room, this.covered() - room);
    if (pixels > 0) this.rig.target.x -= pixels / scale;
    const above = this.height / 2 - (this.rig.target.z - box.min.z) * scale;
    const below = this.height / 2 - (box.max.z - this.rig.target.z) * scale;
    const down = Math.min(above, below, this.coveredAbove() - above);
    if (down > 0) this.rig.target.z -= down / scale;
  }
  /** A map fills the picture from above, or is seen from the south. */
  private frameGround(ground: Box3, top: boolean) {
    const { x, z } = ground.getSize(new Vector3());
    const high = Math.max(z, (x * this.height) / this.width) * (top ? 0.53 : 0.62);
    this.rig.frame(ground.getCenter(new Vector3()), high / Math.tan((25 * Math.PI) / 180));
    if (top) this.shift(ground);
    this.dirty = true;
  }

  // ---- drawing

  resize() {
    const box = this.element.getBoundingClientRect();
    this.width = Math.max(1, box.width);
    this.height = Math.max(1, box.height);
    const ratio = this.coarse ? 1 : Math.min(2, devicePixelRatio);
    if (this.flat) {
      this.flat.canvas.width = this.width * ratio;
      this.flat.canvas.height = this.height * ratio;
      this.flat.setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    this.renderer?.setPixelRatio(ratio);
    this.renderer?.setSize(this.width, this.height, false);
    this.dirty = true;
  }

  /** After three slow pictures in a row, lowers the resolution. */
  private slow = 0;
  private coarse = false;
  tookTime(milliseconds: number) {
    this.slow = milliseconds > 40 ? this.slow + 1 : 0;
    if (this.slow < 3 || this.coarse || devicePixelRatio <= 1) return;
    this.coarse = true;
    this.resize();
  }

  /** Updates all poses; `seconds` of real time since the last call, 0 after a jump. */
  draw(time: number, seconds: number, spoilerFree: boolean) {
    if (time !== this.time) this.naming.hidden = true;
    this.time = time;
    this.dirty = false;
    for (const { replay, scene, glyphs, places } of this.items) {
      scene?.seek(time - replay.offset);
      scene?.showSpoilers(!spoilerFree);
      places?.showSpoilers(!spoilerFree);
      glyphs?.draw(time - replay.offset, this.rig.distance * 0.006);
    }
    if (this.flat) return this.drawFlat();
    if (!this.renderer) return;
    const { side } = this;
    const views = this.items.slice(0, this.columns);
    const width = this.width / views.length;
    if (this.labelLayer.classList.contains('apart') !== side) {
      this.labelLayer.classList.toggle('apart', side);
      this.paintLabels();
    }
    this.renderer.setScissorTest(side);
    this.placed.length = 0;
    this.named.clear();
    this.renderer.info.autoReset = false;
    this.renderer.info.reset();
    views.forEach((view, column) => this.drawView(view, column, width, side, seconds));
    for (const { labels } of this.items)
      for (const { element } of labels) if (element.hidden === this.named.has(element)) element.hidden = !element.hidden;
  }
  /** For tests: draw calls of the last picture. */
  get calls(): number {
    return this.renderer?.info.render.calls ?? 0;
  }

  /** Node numbers are per replay: the same player has a different node in another replay. */
  private modeIn(view: Shown, mode: Mode): Mode {
    if (!('node' in mode) || view === this.items[0] || (mode.kind === 'follow' && mode.rival && !this.side)) return mode;
    const number = this.items[0].replay.timeline.players?.findIndex((p) => p.body === mode.node || p.eye === mode.node) ?? -1;
    const player = view.replay.timeline.players?.[number];
    if (mode.kind === 'follow') return player?.body === undefined ? { kind: 'orbit' } : { ...mode, node: player.body, eye: player.eye ?? null };
    return player?.eye === undefined ? { kind: 'orbit' } : { ...mode, node: player.eye };
  }

  private drawView(view: Shown, column: number, width: number, side: boolean, seconds: number) {
    const left = column * width;
    for (const item of this.items) {
      const shown = side || this.arrangement === 'single' ? item === view : true;
      if (item.scene) item.scene.root.visible = shown;
      item.scene?.setGhost(!side);
      if (item.glyphs) item.glyphs.root.visible = shown;
      if (item.places) item.places.root.visible = shown;
      item.scene?.setResolution(width, this.height);
    }
    this.scene.updateMatrixWorld();
    const rig = this.linked ? this.rigs[0] : this.rigs[column];
    const mode = this.modeIn(view, rig.mode);
    // The rival is followed in its own scene.
    const led = mode.kind === 'follow' && mode.rival && !side ? (this.items[mode.rival] ?? view) : view;
    const camera = rig.camera(mode, led.scene?.objects ?? [], led.trace, width / this.height, seconds, this.time);
    const restore = mode.kind === 'eyes' && view.scene ? view.scene.withoutHead(mode.player) : () => undefined;
    const perMetre = camera instanceof OrthographicCamera ? this.height / (camera.top - camera.bottom) : 0;
    if (perMetre) for (const { scene } of this.items) scene?.enlarge(perMetre);
    for (const { scene } of this.items) {
      scene?.face(camera);
      scene?.fill();
    }
    this.renderer!.setViewport(left, 0, width, this.height);
    this.renderer!.setScissor(left, 0, width, this.height);
    this.renderer!.render(this.scene, camera);
    restore();
    for (const item of this.items) {
      if (item === view || this.arrangement === 'ghosts') this.placeLabels(item, camera, mode, left, width);
    }
  }

  private placeLabels(item: Shown, camera: Camera, mode: Mode, left: number, width: number) {
    const at = new Vector3();
    const found: { label: Label; x: number; y: number; depth: number }[] = [];
    for (const label of item.labels) {
      const { node } = label;
      const object = label.object ?? item.scene?.objects[node];
      if (!object || mode.kind === 'eyes' || !visible(object)) continue;
      object.getWorldPosition(at);
      if (!(camera instanceof OrthographicCamera)) at.y += label.lift ??= liftOf(item.scene!.boxOf(item.scene!.thing(object)), at.y);
      at.project(camera);
      if (at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1) continue;
      found.push({ label, x: left + ((at.x + 1) / 2) * width, y: ((1 - at.y) / 2) * this.height, depth: at.z });
    }
    // In a crowd only the nearest are labelled.
    const crowd = found.length > CROWD || item.glyphs !== null; // buildings are side by side
    if (found.length > CROWD) found.sort((a, b) => a.depth - b.depth);
    const taken: { x: number; y: number; half: number }[] = [];
    for (const { label, x, y } of found) {
      const { element, text, player } = label;
      const half = Math.min(110, 8 + 3.4 * text.length);
      if (crowd && taken.some((t) => Math.abs(t.x - x) < t.half + half && Math.abs(t.y - y) < LABEL_PX)) continue;
      taken.push({ x, y, half });
      this.placed.push({ text, x, y, paint: player < 0 ? '#fff' : this.paintOf(item.replay, player) });
      this.named.add(element);
      restyle(element, 'transform', `translate(-50%,-100%) translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`);
    }
  }

  private drawFlat() {
    const context = this.flat!;
    context.fillStyle = isDark() ? '#0f1318' : '#e4e9ee';
    context.fillRect(0, 0, this.width, this.height);
    const half = this.rig.distance * Math.tan((25 * Math.PI) / 180);
    const scale = this.height / (2 * half);
    const at = new Vector3();
    for (const { replay, scene } of this.items) {
      scene?.root.updateMatrixWorld(true);
      for (const object of scene?.objects ?? []) {
        const extras = object && scene!.extras(object);
        if (!object || extras?.player === undefined || !visible(object)) continue;
        if (object.parent !== scene!.root.children[0]) continue;
        object.getWorldPosition(at);
        context.fillStyle = this.paintOf(replay, extras.player);
        context.beginPath();
        const x = this.width / 2 + (at.x - this.rig.target.x) * scale;
        const y = this.height / 2 + (at.z - this.rig.target.z) * scale;
        context.arc(x, y, 5, 0, 7);
        context.fill();
      }
    }
  }

  /** A PNG of the picture. */
  picture(): Promise<Blob | null> {
    const canvas = this.flat?.canvas ?? this.canvas;
    return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  }
  /**
   * Draws at a size of its own, for pictures that leave the page; call `resize` afterwards. Null
   * without WebGL.
   */
  capture(size: { width: number; height: number; clear: boolean }, time: number, seconds: number, spoilerFree: boolean): HTMLCanvasElement | null {
    if (!this.renderer) return null;
    const { background } = this.scene;
    if (size.clear) this.scene.background = null;
    this.width = size.width;
    this.height = size.height;
    if (this.canvas.width !== size.width || this.canvas.height !== size.height) {
      this.renderer.setPixelRatio(1);
      this.renderer.setSize(size.width, size.height, false);
    }
    if (this.grid) this.grid.visible = !size.clear;
    this.draw(time, seconds, spoilerFree);
    if (this.grid) this.grid.visible = true;
    this.scene.background = background;
    return this.canvas;
  }
  /** The labels of the last picture, where they are in it. */
  private named = new Set<HTMLElement>();
  readonly placed: { text: string; x: number; y: number; paint: string }[] = [];

  // ---- mouse and touch

  private listen() {
    const pointers = new Map<number, { x: number; y: number }>();
    const { canvas } = this;
    let moved = 0;
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.touch(event.clientX);
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      moved = 0;
    });
    canvas.addEventListener('pointermove', (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const dx = event.clientX - last.x;
      const dy = event.clientY - last.y;
      moved += Math.abs(dx) + Math.abs(dy);
      const others = [...pointers].filter(([id]) => id !== event.pointerId);
      if (others.length) {
        const other = others[0][1];
        const before = Math.hypot(last.x - other.x, last.y - other.y);
        const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        if (after > 1) this.rig.zoom(before / after);
        this.rig.pan(dx / 2, dy / 2, this.height);
      } else if (this.rig.mode.kind === 'top' || event.buttons & 2 || event.shiftKey) {
        this.rig.pan(dx, dy, this.height);
      } else {
        this.rig.rotate(dx, dy);
      }
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.dirty = true;
    });
    const release = (event: PointerEvent) => {
      pointers.delete(event.pointerId);
    };
    canvas.addEventListener('pointerup', release);
    canvas.addEventListener('pointercancel', release);
    canvas.addEventListener('click', (event) => {
      if (moved < 6) this.name(event);
    });
    canvas.addEventListener('dblclick', (event) => {
      if (moved >= 6) return;
      const box = canvas.getBoundingClientRect();
      const third = (event.clientX - box.left) / box.width;
      if (isPhone() && third < 1 / 3) this.onThird(-1);
      else if (isPhone() && third > 2 / 3) this.onThird(1);
      else this.pick(event);
    });
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.touch(event.clientX);
        const { at, aspect } = this.pointIn(event);
        this.rig.zoomAt(Math.exp(Math.min(200, Math.max(-200, event.deltaY)) * 0.0015), at.x, at.y, aspect);
        this.dirty = true;
      },
      { passive: false },
    );
  }

  /** A position in its side of the picture, -1 to 1, and the aspect ratio of that side. */
  private pointIn(event: MouseEvent): { at: Vector2; aspect: number } {
    const box = this.canvas.getBoundingClientRect();
    const { columns } = this;
    const x = ((event.clientX - box.left) / box.width) * columns - this.columnAt(event.clientX);
    const at = new Vector2(x * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    return { at, aspect: box.width / columns / box.height };
  }

  private pick(event: MouseEvent) {
    const found = this.thingAt(event);
    if (found) this.onPick(found);
  }

  /** Shows the name of the clicked object for a moment. */
  private name(event: MouseEvent) {
    const found = this.thingAt(event);
    this.naming.hidden = !found;
    if (!found) return;
    const box = this.canvas.getBoundingClientRect();
    this.naming.textContent = this.onName(found);
    this.naming.style.transform = `translate(${event.clientX - box.left + 12}px,${event.clientY - box.top + 8}px)`;
  }

  private thingAt(event: MouseEvent): Found | null {
    const column = this.columnAt(event.clientX);
    const item = this.items[column];
    if (!item?.scene) return null;
    const { at, aspect } = this.pointIn(event);
    const rig = this.linked ? this.rigs[0] : this.rigs[column];
    const camera = rig.camera(this.modeIn(item, rig.mode), item.scene.objects, item.trace, aspect, 0, this.time);
    const ray = new Raycaster();
    ray.layers.enable(KEPT_LAYER);
    ray.setFromCamera(at, camera);
    item.scene.locate();
    for (const hit of ray.intersectObjects(item.scene.meshes.filter(visible), false)) {
      const thing = item.scene.thing(hit.object);
      const node = item.scene.objects.indexOf(thing);
      if (node < 0 || GROUND.test(item.scene.extras(thing).kind ?? '')) continue;
      const player = item.scene.extras(hit.object).player ?? item.scene.extras(thing).player;
      return { replay: item.replay, node, name: thing.name, player };
    }
    return null;
  }
}

function visible(object: Object3D): boolean {
  for (let at: Object3D | null = object; at; at = at.parent) if (!at.visible) return false;
  // A body with all its visible parts hidden is absent.
  return !object.children.length || object instanceof Mesh || object instanceof Bone || shows(object);
}
function shows(object: Object3D): boolean {
  return object.visible && (object instanceof Mesh || object.children.some(shows));
}

/** Labels are above their objects. */
function liftOf(box: Box3, y: number): number {
  return box.isEmpty() ? 0.4 : box.max.y - y + 0.12;
}

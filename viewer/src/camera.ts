// The camera. One rig serves all modes: a target, two angles and a distance,
// or the pose of a node.
import {
  OrthographicCamera,
  PerspectiveCamera,
  Quaternion,
  Vector3,
  type Camera,
  type Object3D,
} from 'three';
import type { CameraPath, Pose } from './campath';
import { reducedMotion } from './dom';

export type Mode =
  | { kind: 'orbit' }
  | { kind: 'top' }
  | { kind: 'free' }
  | { kind: 'path'; path: CameraPath }
  | { kind: 'follow'; node: number; eye: number | null; chase: boolean; name: string; lift: number; rival?: number }
  | { kind: 'eyes'; node: number; player: number; name: string; steady?: boolean };

const FOV = 50;
/** Time constant of a following camera. */
const FOLLOW_S = 0.25;
const forward = new Vector3();
const turn = new Quaternion();
const away = new Vector3();

/** What the rig follows in one replay: smoothed position and heading. */
export interface Trace {
  place: Vector3;
  speed: Vector3;
  heading: number;
  turning: number;
  fresh: boolean;
}
export const newTrace = (): Trace => ({
  place: new Vector3(),
  speed: new Vector3(),
  heading: 0,
  turning: 0,
  fresh: true,
});

export class Rig {
  mode: Mode = { kind: 'orbit' };
  readonly target = new Vector3(0, 1, 0);
  yaw = 0.6;
  pitch = 0.45;
  distance = 10;
  private position = new Vector3();
  private followDistance = 5;
  private readonly perspective = new PerspectiveCamera(FOV, 1, 0.05, 5000);
  private readonly flat = new OrthographicCamera(-1, 1, 1, -1, 0.1, 4000);

  setMode(mode: Mode) {
    if (mode.kind === 'free' && this.mode.kind !== 'free') {
      this.position.copy(this.perspective.position);
      this.perspective.getWorldDirection(forward);
      this.yaw = Math.atan2(-forward.x, -forward.z);
      this.pitch = Math.asin(-forward.y);
    }
    if (mode.kind === 'follow' && this.mode.kind !== 'follow') {
      this.followDistance = mode.chase ? 5.5 : Math.min(Math.max(3, this.distance * 0.6), 12);
      this.pitch = mode.chase ? 0.3 : 0.4;
      if (mode.chase) this.yaw = 0;
    }
    if (mode.kind === 'orbit' && this.mode.kind !== 'orbit') this.pitch = 0.45;
    this.mode = mode;
  }

  /** Copies the view of another rig. */
  copy(from: Rig) {
    this.mode = from.mode;
    this.target.copy(from.target);
    this.position.copy(from.position);
    this.perspective.copy(from.perspective);
    for (const key of ['yaw', 'pitch', 'distance', 'followDistance'] as const) this[key] = from[key];
  }

  frame(target: Vector3, distance: number) {
    this.target.copy(target);
    this.distance = Math.max(0.5, distance);
  }

  rotate(dx: number, dy: number) {
    if (this.mode.kind === 'top') return this.pan(dx, dy, 800);
    const sign = this.mode.kind === 'free' ? -0.5 : 1;
    this.yaw -= dx * 0.006 * sign;
    this.pitch = Math.min(1.54, Math.max(-1.5, this.pitch + dy * 0.006 * sign));
  }

  /** Pans the target in the picture plane; `height` is the picture's height in pixels. */
  pan(dx: number, dy: number, height: number) {
    if (this.mode.kind === 'follow' || this.mode.kind === 'eyes') return;
    const scale = (2 * this.distance * Math.tan((FOV * Math.PI) / 360)) / height;
    const to = this.mode.kind === 'free' ? this.position : this.target;
    if (this.mode.kind === 'top') {
      to.x -= dx * scale;
      to.z -= dy * scale;
      return;
    }
    const right = new Vector3(Math.cos(this.yaw), 0, -Math.sin(this.yaw));
    const up = new Vector3(
      -Math.sin(this.pitch) * Math.sin(this.yaw),
      Math.cos(this.pitch),
      -Math.sin(this.pitch) * Math.cos(this.yaw),
    );
    to.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
  }

  zoom(factor: number) {
    if (this.mode.kind === 'follow') this.followDistance = clamp(this.followDistance * factor, 0.5, 200);
    else if (this.mode.kind === 'free') this.fly(0, 0, (1 - factor) * this.distance);
    else this.distance = clamp(this.distance * factor, 0.2, 3000);
  }

  /** Free flight: right, up and ahead, in metres. */
  fly(right: number, up: number, ahead: number) {
    const c = Math.cos(this.pitch);
    this.position.x += Math.cos(this.yaw) * right - Math.sin(this.yaw) * c * ahead;
    this.position.y += up - Math.sin(this.pitch) * ahead;
    this.position.z += -Math.sin(this.yaw) * right - Math.cos(this.yaw) * c * ahead;
  }

  /** The camera for one replay's picture, with `mode` in its nodes; `seconds` since the last one, 0 after a jump. */
  camera(mode: Mode, objects: (Object3D | undefined)[], trace: Trace, aspect: number, seconds: number, time: number): Camera {
    if (mode.kind === 'top') return this.fromAbove(aspect);
    this.perspective.aspect = aspect;
    if (mode.kind === 'path') return this.along(mode.path.pose(time));
    this.perspective.fov = aspect < 0.8 ? FOV + 12 : FOV;
    if (mode.kind === 'eyes' && this.throughEyes(objects[mode.node], mode.steady ? trace : null, seconds)) return this.perspective;
    if (mode.kind === 'free') this.perspective.position.copy(this.position);
    else if (mode.kind === 'follow' && objects[mode.node]) this.behind(mode, objects, trace, seconds);
    else this.around(this.target, this.yaw, this.distance);
    if (mode.kind === 'free') this.perspective.rotation.set(-this.pitch, this.yaw, 0, 'YXZ');
    this.perspective.updateProjectionMatrix();
    this.perspective.updateMatrixWorld();
    return this.perspective;
  }

  private along({ position, rotation, fov }: Pose): Camera {
    this.perspective.position.copy(position);
    this.perspective.quaternion.copy(rotation);
    this.perspective.fov = fov;
    this.perspective.updateProjectionMatrix();
    this.perspective.updateMatrixWorld();
    return this.perspective;
  }
  /** The view of the last picture. What is seen from above is seen from a height instead. */
  get pose(): Pose {
    if (this.mode.kind !== 'top') return { position: this.perspective.position.clone(), rotation: this.perspective.quaternion.clone(), fov: this.perspective.fov };
    const position = new Vector3(this.target.x, this.distance, this.target.z);
    return { position, rotation: new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2), fov: FOV };
  }

  private around(target: Vector3, yaw: number, distance: number) {
    const c = Math.cos(this.pitch);
    away.set(c * Math.sin(yaw), Math.sin(this.pitch), c * Math.cos(yaw));
    this.perspective.position.copy(target).addScaledVector(away, distance);
    this.perspective.up.set(0, 1, 0);
    this.perspective.lookAt(target);
  }

  private behind(
    mode: Extract<Mode, { kind: 'follow' }>,
    objects: (Object3D | undefined)[],
    trace: Trace,
    seconds: number,
  ) {
    const goal = objects[mode.node]!.getWorldPosition(new Vector3());
    goal.y += mode.lift;
    const eye = mode.eye !== null ? objects[mode.eye] : undefined;
    let heading = 0;
    if (mode.chase && eye) {
      forward.set(0, 0, -1).applyQuaternion(eye.getWorldQuaternion(turn));
      heading = Math.atan2(-forward.x, -forward.z);
    }
    const snap = trace.fresh || !seconds || reducedMotion() || trace.place.distanceTo(goal) > 6;
    const difference = Math.atan2(Math.sin(heading - trace.heading), Math.cos(heading - trace.heading));
    if (snap) {
      trace.place.copy(goal);
      trace.speed.set(0, 0, 0);
      trace.heading = heading;
      trace.turning = 0;
    } else {
      for (const axis of ['x', 'y', 'z'] as const)
        [trace.place[axis], trace.speed[axis]] = damp(trace.place[axis], goal[axis], trace.speed[axis], seconds);
      [trace.heading, trace.turning] = damp(trace.heading, trace.heading + difference, trace.turning, seconds);
    }
    trace.fresh = false;
    this.around(trace.place, this.yaw + trace.heading, this.followDistance);
  }

  /** `trace`: the view direction is smoothed and levelled there; null: exactly as recorded. */
  private throughEyes(node: Object3D | undefined, trace: Trace | null, seconds: number): boolean {
    if (!node) return false;
    node.updateWorldMatrix(true, false);
    node.matrixWorld.decompose(this.perspective.position, this.perspective.quaternion, away);
    if (trace) this.level(trace, seconds);
    const own = [node, ...node.children].find((object) => object instanceof PerspectiveCamera);
    this.perspective.fov = own?.fov ?? 75;
    this.perspective.updateProjectionMatrix();
    this.perspective.updateMatrixWorld();
    return true;
  }

  private level(trace: Trace, seconds: number) {
    const { position } = this.perspective;
    forward.set(0, 0, -1).applyQuaternion(this.perspective.quaternion);
    // The trace holds a point one metre ahead.
    const goal = forward.add(position);
    const snap = trace.fresh || !seconds || reducedMotion() || trace.place.distanceTo(goal) > 2;
    trace.place.lerp(goal, snap ? 1 : 1 - Math.exp(-seconds / 0.15));
    trace.fresh = false;
    this.perspective.up.set(0, 1, 0);
    this.perspective.lookAt(trace.place);
  }

  /** Zooms around a point of the picture (-1 to 1); only for views from above. */
  zoomAt(factor: number, x: number, y: number, aspect: number) {
    const before = this.distance;
    this.zoom(factor);
    if (this.mode.kind !== 'top') return;
    const moved = (before - this.distance) * Math.tan((FOV * Math.PI) / 360);
    this.target.x += x * moved * aspect;
    this.target.z -= y * moved;
  }

  private fromAbove(aspect: number): Camera {
    const half = this.distance * Math.tan((FOV * Math.PI) / 360);
    this.flat.left = -half * aspect;
    this.flat.right = half * aspect;
    this.flat.top = half;
    this.flat.bottom = -half;
    this.flat.position.set(this.target.x, 1000, this.target.z);
    this.flat.up.set(0, 0, -1);
    this.flat.lookAt(this.target.x, 0, this.target.z);
    this.flat.updateProjectionMatrix();
    this.flat.updateMatrixWorld();
    return this.flat;
  }
}

/** A critically damped spring: its position and speed after `seconds`. */
function damp(from: number, to: number, speed: number, seconds: number): [number, number] {
  const rate = 2 / FOLLOW_S;
  const fade = Math.exp(-rate * seconds);
  const off = from - to;
  const pull = (speed + rate * off) * seconds;
  return [to + (off + pull) * fade, (speed - rate * pull) * fade];
}

const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x));

// The shape of each player, so that colour is never the only distinction.

/** Corners around the centre: how many, and the radius of every other one. */
const CORNERS: Record<number, { count: number; inner: number; turn: number }> = {
  1: { count: 4, inner: 1, turn: Math.PI / 4 }, // square
  2: { count: 3, inner: 1, turn: -Math.PI / 2 }, // triangle
  3: { count: 4, inner: 1, turn: 0 }, // diamond
  4: { count: 10, inner: 0.45, turn: -Math.PI / 2 }, // star
  5: { count: 6, inner: 1, turn: 0 }, // hexagon
};
const CROSS = 6;
const RING = 7;

/** Draws the shape of a slot with the styles that are set; -1 (no player) is a wedge. */
export function drawShape(c: CanvasRenderingContext2D, slot: number, x: number, y: number, size: number) {
  c.beginPath();
  if (slot < 0) {
    c.moveTo(x, y + size);
    c.lineTo(x - size, y - size);
    c.lineTo(x + size, y - size);
    return c.fill();
  }
  const shape = slot % 8;
  const corners = CORNERS[shape];
  if (corners) {
    for (let i = 0; i < corners.count; i++) {
      const angle = corners.turn + (2 * Math.PI * i) / corners.count;
      const radius = size * (i % 2 ? corners.inner : 1) * 1.15;
      c.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    }
    return c.fill();
  }
  if (shape === CROSS) {
    c.rect(x - size, y - size / 3, 2 * size, (2 * size) / 3);
    c.rect(x - size / 3, y - size, (2 * size) / 3, 2 * size);
    return c.fill();
  }
  c.arc(x, y, shape === RING ? size - 1.5 : size, 0, 7);
  c.lineWidth = 3;
  if (shape === RING) c.stroke();
  else c.fill();
}

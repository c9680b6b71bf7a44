// Hatches a range that could not be read or in which nothing was recorded.
export function hatch(c: CanvasRenderingContext2D, from: number, to: number, top: number, bottom: number, colour: string, step = 5) {
  const height = bottom - top;
  c.save();
  c.beginPath();
  c.rect(from, top, to - from, height);
  c.clip();
  c.globalAlpha = 1;
  c.strokeStyle = colour;
  c.lineWidth = step * 0.3;
  c.setLineDash([]);
  c.beginPath();
  for (let x = from - height; x < to; x += step) {
    c.moveTo(x, bottom);
    c.lineTo(x + height, top);
  }
  c.stroke();
  c.restore();
}

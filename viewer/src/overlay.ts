// Names and values drawn on pictures that leave the page, which have no page around them.
import { clockText, colourOf, shapeOf } from './dom';
import type { App } from './app';
import type { Reading } from './board';

const FONT = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
/** Sizes are those of a picture this high. */
const USUAL_HEIGHT = 720;

type Context = CanvasRenderingContext2D;

/** Text with an outline, which is readable on any ground. */
function write(to: Context, text: string, x: number, y: number, size: number, colour = '#fff', align: CanvasTextAlign = 'left') {
  to.font = `600 ${size}px ${FONT}`;
  to.textAlign = align;
  to.lineWidth = size / 5;
  to.strokeStyle = 'rgba(8, 12, 16, 0.75)';
  to.fillStyle = colour;
  to.strokeText(text, x, y);
  to.fillText(text, x, y);
}

function writeRun(to: Context, reading: Reading, width: number, height: number, unit: number) {
  const colour = { gain: '#A9FC7D', loss: '#FF8A7A', even: '#fff' }[reading.trend];
  const sign = { gain: ' ▲', loss: ' ▼', even: '' }[reading.trend];
  write(to, reading.timer, width / 2, height - 96 * unit, 40 * unit, '#fff', 'center');
  write(to, `${reading.speed} ${reading.unit}${sign}`, width / 2, height - 60 * unit, 26 * unit, colour, 'center');
  const held = reading.keys.filter((key) => key.on).map((key) => key.name);
  write(to, held.join(' '), width / 2, height - 32 * unit, 18 * unit, '#F0E442', 'center');
  write(to, reading.jump.join(' · '), width / 2, height - 10 * unit, 15 * unit, '#fff', 'center');
}

export function drawWords(to: Context, app: App, width: number, height: number) {
  const unit = height / USUAL_HEIGHT;
  const { time } = app.clock;
  to.lineJoin = 'round';
  for (const { text, x, y, paint } of app.stage.placed) write(to, text, x, y - 4 * unit, 15 * unit, paint, 'center');
  write(to, app.title, 14 * unit, 30 * unit, 20 * unit);
  app.chipTexts().forEach(({ slot, name, values }, i) => {
    write(to, `${shapeOf(slot)} ${name}  ${values}`, 14 * unit, (58 + 24 * i) * unit, 16 * unit, colourOf(slot));
  });
  const run = app.board?.read(time);
  if (run) writeRun(to, run, width, height, unit);
  write(to, clockText(time), 14 * unit, height - 14 * unit, 16 * unit);
  if (!run) write(to, app.happening, width / 2, height - 14 * unit, 18 * unit, '#fff', 'center');
}

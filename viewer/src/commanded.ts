// Records a clip for 'reprise export clip.webm', which has started this browser without a window, and
// sends it to the command.
import { clipFormats, type ClipFormat } from './clip';
import { framesOf, makeClip } from './share';
import type { App } from './app';

const wanted = new URLSearchParams(location.search);
export const isCommanded = wanted.has('clip');
/** How often the command hears about the progress. */
const NEWS_MS = 500;

const send = (name: string, body: Blob | string, type: string) => fetch(name, { method: 'POST', body, headers: { 'Content-Type': type } });

/** How far the clip is, or why there will be none. */
export const tellCommand = (news: string) => send('clip-state', news.slice(0, 150), 'text/plain').catch(() => undefined);

async function record(app: App): Promise<Blob | null> {
  const format = wanted.get('clip') as ClipFormat;
  const [width, height] = (wanted.get('size') ?? '').split('x').map(Number);
  const fps = Number(wanted.get('fps'));
  if (!app.stage.hasWebGL) throw new Error('this browser shows no 3D');
  if (!(await clipFormats()).includes(format)) throw new Error(`this browser cannot encode ${format}; use .webm or .gif`);
  const number = (name: string, usual: number) => (wanted.has(name) ? Number(wanted.get(name)) : usual);
  const range = framesOf(app, number('from', 0), number('to', app.clock.limit), fps);
  if (!range) throw new Error('the range holds no frame, or more than 36 000; choose another with --from and --to');
  const camera = wanted.get('camera');
  app.setRecording(true);
  // Cameras that show everything depend on the proportions of the picture.
  app.clock.seek(range.from);
  app.capture(width, height, 0, false);
  if (!app.useCamera(camera ?? app.camera)) throw new Error(`there is no camera '${camera}'; there are ${app.cameraIds().join(', ')}`);
  let told = 0;
  return makeClip(app, { format, width, height, fps }, range, !wanted.has('plain'), (done) => {
    if (performance.now() - told > NEWS_MS) {
      told = performance.now();
      void tellCommand(done.toFixed(4));
    }
    return true;
  });
}

export async function obeyCommand(app: App): Promise<void> {
  try {
    const clip = await record(app);
    if (clip) await send('clip', clip, 'application/octet-stream');
  } catch (error) {
    await tellCommand(error instanceof Error ? error.message : String(error));
  }
}

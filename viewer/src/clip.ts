// Records a range of time, frame by frame: each one is drawn at its exact time and encoded before the
// next, however long that takes, so none is dropped and the same range gives the same pictures.
import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { ArrayBufferTarget as Mp4Target, Muxer as Mp4Muxer } from 'mp4-muxer';
import { ArrayBufferTarget as WebmTarget, Muxer as WebmMuxer } from 'webm-muxer';

export type ClipFormat = 'webm' | 'mp4' | 'gif';
export interface ClipOptions {
  format: ClipFormat;
  width: number;
  height: number;
  fps: number;
}
type Picture = HTMLCanvasElement;
interface Encoder {
  add(picture: Picture, index: number): Promise<void>;
  end(): Promise<Blob>;
  abort(): void;
}

const QUEUE_MAX = 4; // frames that wait in an encoder
const BITS_PER_PIXEL = 0.15;
const CODECS = {
  webm: [
    { encoder: 'vp09.00.41.08', muxer: 'V_VP9' },
    { encoder: 'vp8', muxer: 'V_VP8' },
  ],
  mp4: [
    { encoder: 'avc1.640033', muxer: 'avc' },
    { encoder: 'avc1.42003e', muxer: 'avc' },
    // Chromium without licensed codecs has no H.264; all but the oldest players show these in MP4.
    { encoder: 'vp09.00.41.08', muxer: 'vp9' },
    { encoder: 'av01.0.08M.08', muxer: 'av1' },
  ],
} as const;
type Codec = { encoder: string; muxer: string };

const hasCodecs = () => typeof VideoEncoder !== 'undefined';

const configOf = (codec: string, { width, height, fps }: ClipOptions): VideoEncoderConfig => ({
  codec,
  width,
  height,
  framerate: fps,
  bitrate: Math.max(1e6, Math.round(width * height * fps * BITS_PER_PIXEL)),
  latencyMode: 'quality',
});

async function codecFor(options: ClipOptions): Promise<Codec | null> {
  if (options.format === 'gif' || !hasCodecs()) return null;
  for (const codec of CODECS[options.format]) {
    const { supported } = await VideoEncoder.isConfigSupported(configOf(codec.encoder, options)).catch(() => ({ supported: false }));
    if (supported) return codec;
  }
  return null;
}

/** The formats that this browser can write. */
export async function clipFormats(): Promise<ClipFormat[]> {
  const usual = { width: 640, height: 360, fps: 30 };
  const found: ClipFormat[] = [];
  for (const format of ['webm', 'mp4'] as const)
    if ((await codecFor({ ...usual, format })) || (!hasCodecs() && recorderType(format))) found.push(format);
  return [...found, 'gif'];
}

/** Video by WebCodecs, in a file of WebM or MP4. */
function videoEncoder(options: ClipOptions, codec: Codec): Encoder {
  const { width, height, fps, format } = options;
  const target = format === 'webm' ? new WebmTarget() : new Mp4Target();
  const muxer =
    target instanceof WebmTarget
      ? new WebmMuxer({ target, video: { codec: codec.muxer, width, height, frameRate: fps } })
      : new Mp4Muxer({ target, video: { codec: codec.muxer as 'avc' | 'vp9' | 'av1', width, height, frameRate: fps }, fastStart: 'in-memory' });
  let failure: Error | null = null;
  const encoder = new VideoEncoder({
    output: (chunk, meta) => muxer.addVideoChunk(chunk, meta as never),
    error: (error) => (failure = error),
  });
  encoder.configure(configOf(codec.encoder, options));
  const check = () => {
    if (failure) throw failure;
  };
  return {
    async add(picture, index) {
      check();
      const frame = new VideoFrame(picture, { timestamp: Math.round((index * 1e6) / fps), duration: Math.round(1e6 / fps), alpha: 'discard' });
      encoder.encode(frame, { keyFrame: index % (2 * fps) === 0 });
      frame.close();
      while (encoder.encodeQueueSize > QUEUE_MAX) await new Promise((done) => encoder.addEventListener('dequeue', done, { once: true }));
    },
    async end() {
      await encoder.flush();
      check();
      encoder.close();
      muxer.finalize();
      return new Blob([target.buffer], { type: `video/${format}` });
    },
    abort: () => encoder.close(),
  };
}

const recorderType = (format: ClipFormat) =>
  typeof MediaRecorder === 'undefined' ? undefined : [`video/${format};codecs=vp9`, `video/${format};codecs=vp8`, `video/${format}`].find((type) => MediaRecorder.isTypeSupported(type));

/** Without WebCodecs: the browser's recorder, which takes frames at their pace in real time. */
function recorderEncoder({ format, fps }: ClipOptions, picture: Picture): Encoder {
  const stream = picture.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: recorderType(format) });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', (event) => parts.push(event.data));
  const stopped = new Promise((done) => recorder.addEventListener('stop', done, { once: true }));
  recorder.start();
  return {
    async add() {
      track.requestFrame();
      await new Promise((done) => setTimeout(done, 1000 / fps));
    },
    async end() {
      recorder.stop();
      await stopped;
      return new Blob(parts, { type: `video/${format}` });
    },
    abort: () => recorder.stop(),
  };
}

/** GIF counts hundredths of a second: frames are rounded so that their sum is exact. */
function gifEncoder({ width, height, fps }: ClipOptions): Encoder {
  const gif = GIFEncoder();
  const at = (index: number) => Math.round((index * 100) / fps);
  return {
    async add(picture, index) {
      const { data } = picture.getContext('2d')!.getImageData(0, 0, width, height);
      const palette = quantize(data, 256);
      gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay: 10 * (at(index + 1) - at(index)) });
    },
    async end() {
      gif.finish();
      return new Blob([gif.bytes() as Uint8Array<ArrayBuffer>], { type: 'image/gif' });
    },
    abort: () => undefined,
  };
}

/**
 * Records `count` frames. `draw` puts frame number i on the picture; `progress` returns false to
 * stop, which gives null.
 */
export async function recordClip(
  options: ClipOptions,
  count: number,
  picture: Picture,
  draw: (index: number) => void,
  progress: (done: number) => boolean,
): Promise<Blob | null> {
  const codec = await codecFor(options);
  const encoder = options.format === 'gif' ? gifEncoder(options) : codec ? videoEncoder(options, codec) : recorderEncoder(options, picture);
  for (let i = 0; i < count; i++) {
    draw(i);
    await encoder.add(picture, i);
    // The page stays alive between frames.
    await new Promise((done) => setTimeout(done));
    if (progress((i + 1) / count)) continue;
    encoder.abort();
    return null;
  }
  return encoder.end();
}

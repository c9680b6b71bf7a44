// The slow parts of loading, off the main thread: reading, base64, gunzip, and splitting a GLB into
// the static part, which gives a first picture, and the rest.
import { bytesOf } from './columns';
import type { FromWorker, ToWorker } from './messages';

const post = (message: FromWorker, transfer: Transferable[] = []) =>
  (self as unknown as Worker).postMessage(message, transfer);

/** Collects bytes of known or unknown size and reports when the static part of a GLB is complete. */
class Collector {
  private buffer: ArrayBuffer;
  private size = 0;
  private staticEnd = -1;
  private announced = false;
  private told = 0;

  constructor(
    private id: string,
    private total: number,
    private glb: boolean,
  ) {
    this.buffer = new ArrayBuffer(total || 1 << 16);
  }

  add(bytes: Uint8Array) {
    const need = this.size + bytes.length;
    if (need > this.buffer.byteLength) {
      const larger = new Uint8Array(Math.max(need, this.buffer.byteLength * 2));
      larger.set(new Uint8Array(this.buffer, 0, this.size));
      this.buffer = larger.buffer;
    }
    new Uint8Array(this.buffer, this.size).set(bytes);
    this.size = need;
    if (this.glb) this.look();
    if (this.size - this.told > 1 << 18) {
      this.told = this.size;
      post({ kind: 'progress', id: this.id, got: this.size, total: this.total });
    }
  }

  private look() {
    if (this.announced || this.size < 20) return;
    const view = new DataView(this.buffer);
    const jsonEnd = 20 + view.getUint32(12, true);
    if (this.size < jsonEnd) return;
    if (this.staticEnd < 0) {
      const text = new TextDecoder().decode(new Uint8Array(this.buffer, 20, jsonEnd - 20));
      const size = JSON.parse(text)?.asset?.extras?.reprise?.static_bytes;
      this.staticEnd = typeof size === 'number' ? jsonEnd + 8 + size : Infinity;
    }
    if (this.size < this.staticEnd) return;
    this.announced = true;
    const head = this.buffer.slice(0, this.staticEnd);
    post({ kind: 'head', id: this.id, buffer: head }, [head]);
  }

  finish() {
    const exact = this.size === this.buffer.byteLength;
    const buffer = exact ? this.buffer : this.buffer.slice(0, this.size);
    post({ kind: 'done', id: this.id, buffer }, [buffer]);
  }
}

async function collect(stream: ReadableStream<Uint8Array>, to: Collector) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    to.add(value);
  }
  to.finish();
}

async function load(id: string, url: string) {
  const answer = await fetch(url);
  if (!answer.ok || !answer.body) throw new Error(`the server answered ${answer.status}`);
  const encoded = answer.headers.get('Content-Encoding');
  const total = encoded ? 0 : Number(answer.headers.get('Content-Length') ?? 0);
  await collect(answer.body, new Collector(id, total, url.endsWith('.glb')));
}

async function unpack(id: string, blocks: string[]) {
  let next = 0;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (next === blocks.length) return controller.close();
      const block = blocks[next];
      blocks[next++] = '';
      controller.enqueue(bytesOf(block));
    },
  });
  const stream = source.pipeThrough(new DecompressionStream('gzip'));
  await collect(stream as ReadableStream<Uint8Array>, new Collector(id, 0, id.startsWith('scene')));
}

self.onmessage = async (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  try {
    if (message.kind === 'load') await load(message.id, message.url);
    else await unpack(message.id, message.blocks);
  } catch (error) {
    post({ kind: 'failed', id: message.id, text: error instanceof Error ? error.message : 'failed' });
  }
};

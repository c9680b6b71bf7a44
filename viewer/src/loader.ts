// Loads data from blocks inside the page or from the server. Both go through one
// worker, so the page stays responsive while a hundred megabytes arrive.
import workerText from 'worker:text';
import { comparedPage, isStatic } from './archive-link';
import type { FromWorker, ToWorker } from './messages';
import type { Column, Page, Timeline } from './types';

interface Pending {
  resolve(buffer: ArrayBuffer): void;
  reject(error: Error): void;
  head?(buffer: ArrayBuffer): void;
  progress?(got: number, total: number): void;
}

export class LoadError extends Error {
  constructor(
    message: string,
    readonly hint = '',
    readonly id = '',
  ) {
    super(message);
  }
}

export class Loader {
  private worker = new Worker(URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' })));
  private pending = new Map<string, Pending>();
  readonly embedded = document.querySelector('script[data-reprise="page"]') !== null;
  /** No command answers: there are only files. */
  readonly alone = this.embedded || isStatic;
  private timelines: string[] = [];

  constructor() {
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
    this.worker.onerror = () => {
      for (const p of this.pending.values()) p.reject(new LoadError('the worker does not start'));
    };
  }

  private receive(message: FromWorker) {
    const to = this.pending.get(message.id);
    if (!to) return;
    if (message.kind === 'progress') to.progress?.(message.got, message.total);
    else if (message.kind === 'head') to.head?.(message.buffer);
    else {
      this.pending.delete(message.id);
      if (message.kind === 'done') to.resolve(message.buffer);
      else to.reject(new LoadError(`Cannot read ${message.id}: ${message.text}`));
    }
  }

  private ask(id: string, url: string, more: Partial<Pending> = {}): Promise<ArrayBuffer> {
    return new Promise((resolve, reject) => {
      this.pending.set(id, { ...more, resolve, reject });
      let message: ToWorker = { kind: 'load', id, url: new URL(url, document.baseURI).href };
      if (this.embedded) {
        const elements = [...document.querySelectorAll(`script[data-reprise="${id}"]`)];
        if (!elements.length) {
          this.pending.delete(id);
          return reject(new LoadError(`This page lacks its part ${id}`));
        }
        const blocks = elements.map((element) => {
          element.remove();
          return element.textContent ?? '';
        });
        message = { kind: 'unpack', id, blocks };
      }
      this.worker.postMessage(message);
    });
  }

  private async json<T>(id: string, url: string): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await this.ask(id, url))) as T;
  }

  /** Waits until the command has built the scenes. */
  async wait(progress: (done: number) => void) {
    while (!this.alone) {
      const answer = await fetch('progress');
      if (!answer.ok) throw new LoadError(`The server answered ${answer.status}`);
      const state = await answer.json();
      if (state.error)
        throw new LoadError(state.error.message, state.error.hint ?? '', state.error.status);
      if (state.ready) return;
      progress(state.done);
    }
  }

  async page(): Promise<Page> {
    const page = comparedPage() ?? (await this.json<Page>('page', 'page.json'));
    this.timelines = page.replays.map((r) => r.timeline);
    return page;
  }

  timeline(index: number, url: string): Promise<Timeline> {
    return this.json<Timeline>(`timeline:${index}`, url);
  }

  /** All points of a series that was sent as buckets; only a server has them. */
  series(index: number, path: string): Promise<{ t: Column; v: Column }> {
    return this.json(`series:${index}:${path}`, `${index}/${path}`);
  }

  scene(
    index: number,
    url: string,
    head: (buffer: ArrayBuffer) => void,
    progress: (got: number, total: number) => void,
  ): Promise<ArrayBuffer> {
    return this.ask(`scene:${index}`, url, { head, progress });
  }

  map(url: string): Promise<ArrayBuffer> {
    return this.ask('map', url);
  }

  /** The address of a recording. */
  async voice(index: number, number: number, src: string): Promise<string> {
    if (!this.embedded) return new URL(src, new URL(this.timelines[index], document.baseURI)).href;
    const bytes = await this.ask(`voice:${index}:${number}`, '');
    return URL.createObjectURL(new Blob([bytes], { type: 'audio/ogg' }));
  }

  /** Tells the command that the page is open, until it is closed. */
  stay() {
    if (!this.alone)
      fetch('alive')
        .then((answer) => answer.body?.pipeTo(new WritableStream()))
        .catch(() => undefined);
  }
}

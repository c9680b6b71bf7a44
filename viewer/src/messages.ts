// Messages between the page and its worker.

export type ToWorker =
  | { kind: 'load'; id: string; url: string }
  | { kind: 'unpack'; id: string; blocks: string[] };

export type FromWorker =
  | { kind: 'progress'; id: string; got: number; total: number }
  | { kind: 'head'; id: string; buffer: ArrayBuffer }
  | { kind: 'done'; id: string; buffer: ArrayBuffer }
  | { kind: 'failed'; id: string; text: string };

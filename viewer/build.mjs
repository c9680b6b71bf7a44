// Builds the page: one HTML file with its style and script inside, and the same under brotli as a C
// source that the command is linked with. usage: node build.mjs DIRECTORY
//
// The worker is bundled first and becomes a text in the main script, which starts it from a blob: a
// page that is one file has nowhere else to load it from.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? 'dist';

const common = {
  absWorkingDir: here,
  bundle: true,
  write: false,
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
};

/** Packages of which something came into the page. */
const packages = new Set();
const bundle = async (options) => {
  const { outputFiles, metafile } = await build({ ...common, metafile: true, ...options });
  for (const path of Object.keys(metafile.inputs)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    if (name) packages.add(name);
  }
  return outputFiles[0].text;
};

const worker = await bundle({ entryPoints: ['src/worker.ts'], format: 'iife' });
const workerText = {
  name: 'worker-text',
  setup(b) {
    b.onResolve({ filter: /^worker:text$/ }, () => ({ path: 'worker', namespace: 'worker' }));
    b.onLoad({ filter: /.*/, namespace: 'worker' }, () => ({ contents: worker, loader: 'text' }));
  },
};
const script = await bundle({
  entryPoints: ['src/main.ts'],
  format: 'esm',
  plugins: [workerText],
});
const style = await bundle({ entryPoints: ['src/style.css'], loader: { '.css': 'css' } });

// Licences ask to be named wherever the code goes.
const credits = [];
for (const name of [...packages].sort()) {
  const about = JSON.parse(await readFile(join(here, 'node_modules', name, 'package.json'), 'utf8'));
  const text = await readFile(join(here, 'node_modules', name, 'LICENSE'), 'utf8');
  credits.push(`${about.name} ${about.version} (${about.license})\n${text.trim()}`);
}

// What would end the script element, or begin a comment in it, is written otherwise.
const inScript = (text) => text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
const template = await readFile(join(here, 'src/page.html'), 'utf8');
const page = template
  .replace('/*style*/', () => style.trim())
  .replace('/*credits*/', () => credits.join('\n\n').replace(/--+>?/g, '-'))
  .replace('/*script*/', () => inScript(script.trim()));
for (const mark of ['<!--reprise:head-->', '<!--reprise:data-->'])
  if (page.split(mark).length !== 2) throw new Error(`the page must hold ${mark} once`);

const bytes = Buffer.from(page);
const packed = brotliCompressSync(bytes, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
});
const rows = [];
for (let i = 0; i < packed.length; i += 32) rows.push(`${packed.subarray(i, i + 32).join(',')},`);
await mkdir(out, { recursive: true });
await writeFile(join(out, 'page.html'), page);
await writeFile(
  join(out, 'page_data.c'),
  `/* Made by viewer/build.mjs. */
#include <stddef.h>

extern const unsigned char cli_page_data[];
extern const size_t cli_page_data_size, cli_page_size;
const unsigned char cli_page_data[] = {
${rows.join('\n')}
};
const size_t cli_page_data_size = ${packed.length}, cli_page_size = ${bytes.length};
`,
);
console.log(`viewer: page of ${bytes.length} bytes, ${packed.length} under brotli`);

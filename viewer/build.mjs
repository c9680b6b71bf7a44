// Builds the page: one HTML file with its style and script inside, and the same under brotli as a C
// source that the command is linked with. usage: node build.mjs DIRECTORY
//
// The worker is bundled first and becomes a text in the main script, which starts it from a blob: a
// page that is one file has nowhere else to load it from.
import { build } from 'esbuild';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
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
// The page of an archive is small, because it shows no scenes.
const archiveScript = await bundle({ entryPoints: ['src/archive/main.ts'], format: 'esm' });
const archiveStyle = await bundle({ entryPoints: ['src/archive/style.css'], loader: { '.css': 'css' } });

// Licences ask to be named wherever the code goes.
const credits = [];
for (const name of [...packages].sort()) {
  const about = JSON.parse(await readFile(join(here, 'node_modules', name, 'package.json'), 'utf8'));
  const licence = (await readdir(join(here, 'node_modules', name))).find((file) => /^licen[cs]e/i.test(file));
  const text = await readFile(join(here, 'node_modules', name, licence), 'utf8');
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

const archive = (await readFile(join(here, 'src/archive/page.html'), 'utf8'))
  .replace('/*style*/', () => archiveStyle.trim())
  .replace('/*script*/', () => inScript(archiveScript.trim()));
if (archive.split('<!--reprise:head-->').length !== 2) throw new Error('the archive page must hold <!--reprise:head--> once');

/** A page as C: its bytes under brotli, and the size before. */
const asC = (name, text) => {
  const bytes = Buffer.from(text);
  const packed = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 22,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const rows = [];
  for (let i = 0; i < packed.length; i += 32) rows.push(`${packed.subarray(i, i + 32).join(',')},`);
  console.log(`viewer: ${name} of ${bytes.length} bytes, ${packed.length} under brotli`);
  return `
extern const unsigned char cli_${name}_data[];
extern const size_t cli_${name}_data_size, cli_${name}_size;
const unsigned char cli_${name}_data[] = {
${rows.join('\n')}
};
const size_t cli_${name}_data_size = ${packed.length}, cli_${name}_size = ${bytes.length};
`;
};
await mkdir(out, { recursive: true });
await writeFile(join(out, 'page.html'), page);
await writeFile(
  join(out, 'page_data.c'),
  `/* Made by viewer/build.mjs. */
#include <stddef.h>
${asC('page', page)}${asC('archive_page', archive)}`,
);

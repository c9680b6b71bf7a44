// Runs the tests one after the other and counts. usage: node main.mjs [--quick] [WORD...]
//
// --quick leaves out what takes long and seldom breaks: those tests whose names begin with "slow".
import { spawnSync } from 'node:child_process';
import { cleanUp, findBrowser, launch, reprise, root, stopServers } from './harness.mjs';

// No test waits for a clock; this is only the end of one that hangs.
const TIMEOUT_MS = 600_000;
const quick = process.argv.includes('--quick');
const words = process.argv.slice(2).filter((word) => word !== '--quick');
const cases = [];
export const test = (name, run) => cases.push({ name, run });

const finish = (passed, failed) => {
  cleanUp();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
};
const skip = (why) => {
  console.log(`SKIPPED everything (${why})`);
  finish(0, 0);
};

for (const name of ['build', 'server', 'page', 'time', 'plots', 'tables', 'compare', 'watch', 'share', 'offline', 'states', 'access', 'archive', 'big', 'cost'])
  (await import(`./${name}.test.mjs`)).default(test);

if (!findBrowser()) skip('there is no chromium');
const about = spawnSync(reprise, ['view', `${root}/README.md`], { encoding: 'utf8' });
if (about.error) skip(`there is no ${reprise}`);
if (/has no viewer/.test(about.stderr)) skip('the command was built without the viewer');

const browser = await launch();
let passed = 0;
let failed = 0;
/** The error of a test, or null. */
const attempt = async (run) => {
  try {
    const late = new Promise((_, fail) => setTimeout(fail, TIMEOUT_MS, new Error('takes too long')).unref());
    await Promise.race([run(browser), late]);
    return null;
  } catch (error) {
    return error;
  } finally {
    for (const context of browser.contexts()) await context.close();
    stopServers();
  }
};

for (const { name, run } of cases) {
  if (words.length && !words.some((word) => name.includes(word))) continue;
  if (quick && name.startsWith('slow ')) {
    console.log(`SKIPPED ${name} (takes long; make test-viewer)`);
    continue;
  }
  const start = Date.now();
  const error = await attempt(run);
  if (error) {
    failed++;
    console.log(`FAILED ${name}\n    ${String(error.stack ?? error).replace(/\n/g, '\n    ')}`);
  } else {
    passed++;
    if (process.env.VERBOSE) console.log(`ok ${name} ${Date.now() - start} ms`);
  }
}
await browser.close();
finish(passed, failed);

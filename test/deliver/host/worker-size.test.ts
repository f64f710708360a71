import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { checkout } from '../../harness/checkout.ts';

/**
 * Every isolate of the host loads it, also for an answer of 404: the server of the protocol for agents is 90 KB of it. RE2 is
 * 46 KB, which are not evaluated before a package is asked for whose definition takes its version out of another text. The
 * readers of what people paste, bills of materials among them, are 15 KB.
 */
const mostBytes = 216 * 1024;

/** That of a private index also checks keys, makes and reads tokens, and narrows the index to what a client may see. */
const mostBytesOfPrivate = 230 * 1024;

test.each([
  ['worker.ts', mostBytes],
  ['auth-worker.ts', mostBytesOfPrivate],
])('the Worker %s is small, and carries zod without its translations', async (file, most) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(checkout, 'src/ask/server/worker', file)],
    absWorkingDir: checkout,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
  });

  // `import { z }` carries all of them, `import * as z` what is used.
  const translations = Object.keys(Object.values(metafile.outputs)[0]!.inputs).filter((path) =>
    /zod\/v4\/locales\/(?!en\.js)/.test(path),
  );
  expect(translations).toEqual([]);
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(most);
});

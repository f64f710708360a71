import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildExample } from '../../harness/site.ts';

const site = buildExample();

test('pages have two scripts, of at most 24 kB, compressed', () => {
  const paths = globSync('**/*.js', { cwd: site }).sort();
  const texts = paths.map((path) => readFileSync(join(site, path), 'utf8'));

  expect(paths).toEqual(['assets/answers.js', 'assets/site.js']);
  expect(gzipSync(texts.join('')).length).toBeLessThan(24_000);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { pageScript } from '../../src/site/page-script.ts';
import { copyOfFixtureIndex, writeIn } from '../harness/root.ts';
import { siteOf, siteOfFixtureIndex } from '../harness/site.ts';

it('the script of the pages is one lean file, the language of queries included, that makes no code from text', () => {
  const script = readFileSync(join(siteOfFixtureIndex(), 'assets/site.js'), 'utf8');

  expect(Buffer.byteLength(script)).toBeLessThanOrEqual(28_000);
  expect(gzipSync(script).length).toBeLessThanOrEqual(11_500);
  expect(script).not.toMatch(/\beval\b|\bFunction\(|\binnerHTML\b|\bimport\(|https?:/);
  expect(script).toBe(Buffer.from(pageScript()).toString());
});

it('a root may have a script of its own instead', () => {
  const root = copyOfFixtureIndex();
  writeIn(root, 'site/assets/site.js', '// ours\n');

  expect(readFileSync(join(siteOf(root), 'assets/site.js'), 'utf8')).toBe('// ours\n');
});

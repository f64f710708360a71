import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import { SearchFile } from '../../src/core/schemas/published/search-file.ts';
import { StatusFile } from '../../src/core/schemas/published/status-file.ts';
import { ownNames, pageScript } from '../../src/site/page-script.ts';
import { copyOfFixtureIndex, writeIn } from '../harness/root.ts';
import { siteOf, siteOfFixtureIndex } from '../harness/site.ts';

it('the script of the pages is one lean file, the language of queries included, that makes no code from text', () => {
  const script = readFileSync(join(siteOfFixtureIndex(), 'assets/site.js'), 'utf8');

  expect(script).not.toMatch(/\beval\b|\bFunction\(|\binnerHTML\b|\bimport\(|https?:/);
  expect(script).toBe(Buffer.from(pageScript()).toString());
});

it('all styles and all scripts of a site have 20,000 bytes each at most', () => {
  const assets = join(siteOfFixtureIndex(), 'assets');
  const bytesOf = (extension: string) =>
    globSync(`**/*.${extension}`, { cwd: assets }).reduce(
      (sum, file) => sum + readFileSync(join(assets, file)).length,
      0,
    );

  for (const extension of ['css', 'js']) {
    expect(bytesOf(extension), extension).toBeGreaterThan(5000);
    expect(bytesOf(extension), extension).toBeLessThanOrEqual(20_000);
  }
});

it('no property has a shorter name in the script that a document of the index has', () => {
  const read = [DetailsFile, SearchFile, StatusFile].map((schema) => JSON.stringify(z.toJSONSchema(schema)));

  expect(read.join()).toContain('"isDeprecated":');
  expect(ownNames.filter((name) => read.join().includes(`"${name}":`))).toEqual([]);
});

it('a root may have a script of its own instead', () => {
  const root = copyOfFixtureIndex();
  writeIn(root, 'site/assets/site.js', '// ours\n');

  expect(readFileSync(join(siteOf(root), 'assets/site.js'), 'utf8')).toBe('// ours\n');
});

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildExample } from '../../harness/site.ts';

const site = buildExample();
const read = (path: string) => readFileSync(join(site, path), 'utf8');

/** The modules of a page, as paths of the site. `isLater`: also those that are loaded when somebody asks. */
function listModules(page: string, isLater: boolean): string[] {
  const scripts = Array.from(read(page).matchAll(/<script[^>]* src="([^"]+)"/g), ([, src]) => src!);
  const pattern = isLater ? /(?:from |import\()'(\.[^']+)'/g : /from '(\.[^']+)'/g;
  const paths = new Set(scripts);
  for (const path of paths) {
    for (const [, target = ''] of read(path).matchAll(pattern)) {
      paths.add(posix.join(posix.dirname(path), target));
    }
  }
  return [...paths];
}

function compress(paths: readonly string[]): number {
  return gzipSync(paths.map(read).join('')).length;
}

describe('script', () => {
  test.each([
    ['index.html', 3000],
    ['svc.html', 3000],
    ['mine.html', 12_000],
  ])('of %s is small at first: at most %i bytes, compressed', (page, limit) => {
    expect(compress(listModules(page, false))).toBeLessThan(limit);
  });

  test('has the query language only where somebody asks', () => {
    const queries = /core\/query\//;

    expect(listModules('index.html', false).filter((path) => queries.test(path))).toEqual([]);
    expect(listModules('index.html', true).filter((path) => queries.test(path))).not.toEqual([]);
  });

  test.each(['index.html', 'mine.html'])(
    'of %s is named ahead, so that it loads at once',
    (page) => {
      const named = Array.from(
        read(page).matchAll(/rel="modulepreload" href="([^"]+)"/g),
        ([, href]) => href,
      );

      expect(named.sort()).toEqual(listModules(page, false).sort());
    },
  );

  test.each([...new Set(['index.html', 'mine.html'].flatMap((page) => listModules(page, true)))])(
    '%s has neither types nor comments',
    (path) => {
      expect(read(path)).not.toMatch(/^ *(?:\/\/|\/\*)|^(?:import|export) type|\.ts'/m);
    },
  );
});

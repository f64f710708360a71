import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../../harness/example.ts';
import { createFolder, createIndex } from '../../harness/index-folder.ts';
import { buildExample } from '../../harness/site.ts';

const site = buildExample();
const read = (path: string) => readFileSync(join(site, path), 'utf8');

/** The modules that a page loads at first, as paths of the site. */
function listModules(page: string): string[] {
  const paths = new Set<string>();
  for (const [, src = ''] of read(page).matchAll(/<script[^>]* src="([^"]+)"/g)) {
    paths.add(src);
  }
  for (const path of paths) {
    for (const [, target = ''] of read(path).matchAll(/from '(\.[^']+)'/g)) {
      paths.add(posix.join(posix.dirname(path), target));
    }
  }
  return [...paths].sort();
}

describe('script', () => {
  test.each(['index.html', 'mine.html'])(
    'of %s is named ahead, so that it loads at once',
    (page) => {
      const named = Array.from(
        read(page).matchAll(/rel="modulepreload" href="([^"]+)"/g),
        ([, href]) => href!,
      );

      expect(named.sort()).toEqual(listModules(page));
      // The query language comes where somebody asks.
      expect(named.filter((path) => path.includes('core/query/'))).toEqual([]);
    },
  );

  test('has neither types nor comments', () => {
    for (const path of globSync('assets/**/*.js', { cwd: site })) {
      expect(read(path), path).not.toMatch(/^ *(?:\/\/|\/\*)|^(?:import|export) type|\.ts'/m);
    }
  });

  test('is the same if a build keeps what it stripped, or an earlier one did', () => {
    const kept = createFolder();
    const { root } = createIndex();
    for (const out of [createFolder(), createFolder()]) {
      execFileSync(process.execPath, ['src/cli.js', 'build', '--root', root, '--out', out], {
        cwd: program,
        env: { ...process.env, NODE_COMPILE_CACHE: kept },
      });

      expect(globSync('*/*.js', { cwd: kept })).not.toEqual([]);
      for (const path of globSync('assets/**/*.js', { cwd: site })) {
        expect(readFileSync(join(out, path), 'utf8'), path).toBe(read(path));
      }
    }
  });
});

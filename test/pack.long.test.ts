/** Checks the documents in the packed program, which users find below `node_modules/release-index/`. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { program } from './harness/example.ts';
import { createFolder } from './harness/index-folder.ts';

const packed = createFolder();
const file = String(execFileSync(process.execPath, [join(program, '.ci/pack.ts'), packed])).trim();
execFileSync('tar', ['-xzf', file, '-C', packed, '--strip-components=1']);
const documents = globSync('{**,.github}/*.md', { cwd: packed }).sort();
const read = (path: string) => readFileSync(path, 'utf8');

/** Lists the anchors that GitHub gives a document's headings. */
function listAnchors(text: string): string[] {
  const headings = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const repository = 'https://github.com/example/release-index/';
const links = documents.flatMap((path) =>
  Array.from(
    read(join(packed, path)).matchAll(/(?:\]\(|\b(?:src|srcset|href)=")([^)"\s]+)/g),
    ([, link = '']) => ({ path, link }),
  ),
);
const own = links.filter(({ link }) => !/^https?:/.test(link) || link.startsWith(repository));

test('the npm package contains the documents for owners of an index', () => {
  const manual = ['CONTRACT', 'GUIDE', 'RUNBOOK', 'SETUP'].map((name) => `.github/${name}.md`);

  expect(documents).toEqual([...manual, 'CHANGELOG.md', 'README.md', 'site/starter/README.md']);
  expect(read(join(packed, 'site/starter/README.md'))).toMatch(
    /GUIDE[^]*SETUP[^]*RUNBOOK[^]*CONTRACT/,
  );
  expect(own.length).toBeGreaterThan(30);
});

test.each(own)(
  'the link $link in the packed $path leads to an existing file and heading',
  ({ path, link }) => {
    const [, name = '', anchor] = /^([^#]*)#?(.*)$/.exec(link)!;
    const [, outside] = name.split(/\/(?:blob|raw)\/v[\d.]+\//);
    const target = join(packed, name === '' ? path : join(dirname(path), name));
    const place = outside === undefined ? target : join(program, outside);

    expect(existsSync(place)).toBe(true);
    expect(name).toContain(outside === undefined ? '' : `/v${manifest.version}/`);
    expect(anchor ? listAnchors(read(place)) : ['']).toContain(anchor);
  },
);

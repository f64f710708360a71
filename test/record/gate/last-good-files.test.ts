import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/core/schemas/finding.ts';
import type { Wait } from '../../../src/core/schemas/recorded/waits.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { holdDamaged } from '../../../src/record/gate/damaged-files.ts';
import type { LastRun } from '../../../src/record/gate/last-run.ts';
import { findName, openAccepted } from '../../../src/record/gate/last-good-files.ts';
import { checkout } from '../../harness/checkout.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { definition, pathsIn } from '../../harness/root.ts';

/** An index whose component `old` became `svc`, then with a journal of its own. Its commits, the oldest first. */
function openRenamed() {
  const index = openIndexInGit();
  const write = (name: string, text: string, about: object = {}) => {
    index.root.write(`components/${name}.json`, definition({ title: text, ...about }));
    index.root.write(`data/${name}.json`, text);
    index.root.write(`data/freshness/${name}.json`, `${text} freshness`);
    index.root.write(`data/journal/${name}.ndjson`, `${text} journal`);
    index.commit(text);
    return index.git('rev-parse', 'HEAD');
  };

  const first = write('old', 'first');
  for (const file of ['components/old.json', 'data/old.json', 'data/journal/old.ndjson']) {
    rmSync(join(index.root.dir, file));
  }
  const second = write('svc', 'second', { renamedFrom: ['older', 'old'] });
  return { ...index, root: openRoot(index.root.dir, checkout), commits: [first, second] as const };
}

const index = openRenamed();
const [first, second] = index.commits;

/** The files that count instead of those of `svc`, with their first word. */
function listGoodFiles(wait: Partial<Wait>): string[] | undefined {
  const base = { component: 'svc', kind: 'change', causes: [], reason: '', since: '2026-06-01' };
  const { lastGood } = openAccepted(index.root, [
    { ...base, id: 'svc-0123456789', ...wait } as Wait,
  ]);
  const good = lastGood!.get('svc');
  return (
    good &&
    pathsIn(good.folder).map((path) => {
      const [, word = ''] =
        /(first|second)/.exec(readFileSync(join(good.folder, path), 'utf8')) ?? [];
      return `${path} ${word}`.trim();
    })
  );
}

const definitionOf = (word: string) => [`components/svc.json ${word}`];
const dataOf = (word: string) => [`data/freshness/svc.json ${word}`, `data/svc.json ${word}`];

test.each<[string, Partial<Wait>, string[]]>([
  [
    'an edit of its definition, under its former name',
    { commit: first },
    [...definitionOf('first'), 'site/site.json'],
  ],
  ['an edit of its data', { dataCommit: first }, dataOf('first')],
  [
    'an edit of both',
    { commit: first, dataCommit: second },
    [...definitionOf('first'), ...dataOf('second'), 'site/site.json'],
  ],
  [
    'a damaged file of its data, with its journal',
    { kind: 'files', dataCommit: first },
    [...dataOf('first').slice(0, 1), 'data/journal/svc.ndjson first', ...dataOf('first').slice(1)],
  ],
])('a component that waits for %s keeps the files of the commit', (_, wait, files) => {
  expect(listGoodFiles(wait)).toEqual(files);
});

test('a component that waits for its sources keeps its own files, and one with damage from the start has none', () => {
  const [waits, damaged] = (['change', 'files'] as const).map((kind) =>
    openAccepted(index.root, [{ component: 'svc', kind } as Wait]),
  );

  expect([waits!.leftOut!.has('svc'), damaged!.leftOut!.has('svc')]).toEqual([false, true]);
  expect([waits!.lastGood, damaged!.lastGood]).toEqual([new Map(), new Map()]);
});

const absent = '0'.repeat(40);
const lastRun = { commit: second, dataCommit: second, changed: new Set<string>() };

test.each([
  ['the files that count instead', () => listGoodFiles({ commit: absent })],
  [
    'the journal of a component that waits',
    () => {
      const waits = [{ component: 'svc', dataCommit: absent }];
      return holdDamaged(
        index.root,
        '2026-06-02',
        { ...lastRun, waits } as unknown as LastRun,
        'svc',
      );
    },
  ],
])('a commit that the history lacks is reported with its remedy: %s', (_, read) => {
  expect(read).toThrow(InputError);
  expect(read).toThrow(
    /^gate: cannot read the last accepted files of svc, which count while it waits: .+\. If the clone is shallow, fetch the whole history: git fetch --unshallow$/s,
  );
});

test.each([
  ['svc', second, 'svc'],
  ['svc', first, 'old'],
  ['agent', first, 'agent'],
])('%s is found in a commit under its name then', (component, commit, name) => {
  expect(findName(index.root, component, commit)).toBe(name);
});

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listReleases, openDefined } from '../../harness/operated-index.ts';

type Mistake = [edit: string | object | ((file: string) => void), says: string];

/** Returns components whose definitions have a mistake, each with the mistake and its message. `url` is the address of the sources. */
const listMistakes = (url: string): [component: string, ...Mistake][] => [
  ['broken-json', '{', 'is not JSON: '],
  [
    'excluded',
    { sources: [{ datasource: 'json', url: `${url}/excluded.json`, allowedVersions: '/^9/' }] },
    'matches none of its ',
  ],
  ['unknown-successor', { replacedBy: 'nobody' }, 'replacedBy: expected another'],
  [
    'taken-name',
    { aliases: ['tool'] },
    'several components share the name "tool": taken-name, tool',
  ],
  [
    'two-mistakes',
    { titel: 'x', homepage: 'y' },
    'homepage: expected an https: address without credentials or invisible characters; got "y"',
  ],
  ['a-link', (file) => symlinkSync('/proc/self/environ', file), 'is a symbolic link. '],
  ['a-folder', (file) => mkdirSync(file), 'expected a file; got a folder'],
  [
    'deep-json',
    (file) => writeFileSync(file, `{"title":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
    'title: ',
  ],
];

test('daily uses the last valid definition of a component if the new definition has a mistake', async () => {
  const mistaken = listMistakes('').map(([name]) => name);
  const index = await openDefined(listReleases(2), [...mistaken, 'tool']);
  const mistakes = listMistakes(index.url);
  expect(await index.commitDay('2026-11-01')).toMatchObject({ status: 0, stderr: '' });
  const lastGood = index.git('rev-parse', '--short', 'HEAD~1');
  for (const [name, edit] of mistakes) {
    const path = `components/${name}.json`;
    if (typeof edit === 'function') {
      rmSync(join(index.root, path));
      edit(join(index.root, path));
    } else if (typeof edit === 'string') {
      index.write(path, edit);
    } else {
      index.edit(path, edit);
    }
  }
  symlinkSync('/', join(index.root, 'components/notes'));
  index.commit('Edit');
  [...mistaken, 'tool'].forEach((name) => index.answers.set(name, listReleases(3)));

  const days = [
    await index.commitDay('2026-11-02'),
    await index.run('daily --skip-publish', '2026-11-03'),
  ];

  for (const { status, stderr } of days) {
    const errors = stderr.split('\n').filter((line) => line.startsWith('error: '));
    for (const [name, , says] of mistakes) {
      const error = errors.find((line) => line.startsWith(`error: components/${name}.json`));
      expect(error).toContain(says);
      expect(error).toContain(
        `Until it is corrected, ${name} is judged by its definition of commit ${lastGood}.`,
      );
    }
    expect(errors).toContainEqual(
      expect.stringMatching(
        /^error: components\/notes is a symbolic link\. .* notes is left out\.$/,
      ),
    );
    expect([status, errors.length]).toEqual([1, mistakes.length + 1]);
  }
  const read = (path: string) => JSON.parse(index.read(`dist/${path}`)) as object;
  expect(read('status.json')).toMatchObject({ asOf: '2026-11-03' });
  for (const name of [...mistaken, 'tool']) {
    expect(read(`details/${name}.json`)).toMatchObject({ latest: '1.2.3' });
  }
  const check = await index.run('check', '2026-11-03');
  for (const [, , says] of mistakes) {
    expect(check.stderr).toContain(says);
  }
  expect(check.status).toBe(1);
});

import { expect, test } from 'vitest';
import { linesOf, ownProgram } from '../../harness/cli.ts';
import { definition, filesIn, makeRoot, pathsIn, readJsonIn, withGit } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { typeOn } from '../../harness/terminal.ts';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';

const release = (version: string, day: string) => ({
  ...{ version, releaseTimestamp: day, timestampKind: 'published' },
});

/** An index that was recorded a month ago. */
async function recordedIndex() {
  const root = withGit(
    makeRoot({
      'components/svc.json': definition({ title: 'The svc', renamedFrom: ['service'] }),
      'components/old.json': definition({ replacedBy: 'svc' }),
      'data/svc.json': { releases: [release('1.0', '2026-01-01'), release('2.0', '2026-03-01')] },
      'data/old.json': { releases: [release('9.0', '2025-01-01')] },
      'data/freshness/svc.json': { sources: {} },
    }),
  );
  await runHere(['record', '--root', root, '--as-of', '2026-10-01']);
  return {
    root,
    run: (...args: string[]) => runHere([...args, '--root', root, '--as-of', '2026-11-01']),
    files: () => Object.entries(filesIn(root)).filter(([path]) => !path.startsWith('.cache')),
  };
}

test('rename writes nothing unasked, moves every file, and is published by the next run', async () => {
  const { root, run, files } = await recordedIndex();
  const before = files();

  const unasked = await run('rename', 'svc', 'server');
  const dry = await run('rename', 'svc', 'server', '--dry-run');

  expect([unasked.status, dry.status]).toEqual([1, 0]);
  expect(unasked.stderr).toContain(
    'error: --yes: is needed without a terminal. Nothing was changed',
  );
  expect(linesOf(dry.stdout)).toEqual([
    'svc: is called server from now on. Its files stay published under both.',
    'old: is replaced by server.',
  ]);
  expect(files()).toEqual(before);

  const renamed = await run('rename', 'svc', 'server', '--yes');

  expect(renamed.status, renamed.stderr).toBe(0);
  expect(pathsIn(root).filter((path) => /svc|server/.test(path))).toEqual([
    'components/server.json',
    'data/freshness/server.json',
    'data/journal/svc.ndjson',
    'data/server.json',
  ]);
  expect(readJsonIn(root, 'components/server.json')).toMatchObject({
    renamedFrom: ['service', 'svc'],
  });
  expect(readJsonIn(root, 'components/old.json')).toMatchObject({ replacedBy: 'server' });

  for (const verb of ['record', 'build', 'check']) {
    const { status, stderr } = await run(verb);
    expect(status, stderr).toBe(0);
  }
  const { changes } = readJsonIn<ChangesFile>(root, 'dist/changes.json');
  expect(changes.map(({ component, text }) => `${component}: ${text}`)).toEqual(
    expect.arrayContaining(['server: svc is called server now.', 'old: Replaced by server.']),
  );
  expect(readJsonIn<object>(root, 'dist/svc.json')).toEqual(
    readJsonIn<object>(root, 'dist/server.json'),
  );
});

test.each([
  ['rename scv server', /^1 error: scv: there is no component of this name\. Did you mean "?svc/],
  [
    'rename svc old',
    /^1 error: old: is already a name of another component\. Nothing was written$/,
  ],
  ['rename old service', /^1 error: service: is already a name of svc\. Nothing was written$/],
  ['rename svc Svc', /^2 .*expected a name of lower-case letters/],
])('"%s" is rejected, and changes nothing', async (line, message) => {
  const { run, files } = await recordedIndex();
  const before = files();

  const { status, stderr } = await run(...line.split(' '), '--yes');

  expect(`${status} ${linesOf(stderr)[0]}`).toMatch(message);
  expect(files()).toEqual(before);
});

test('rename on a terminal asks before it writes', async () => {
  const { root } = await recordedIndex();
  const command = `${process.execPath} ${ownProgram} rename svc server --root ${root} --as-of 2026-11-01`;
  const question = /Write this\? \[y\/N\]/g;

  const no = await typeOn(command, question, ['n']);
  const yes = await typeOn(command, question, ['y']);

  expect([no.status, yes.status]).toEqual([1, 0]);
  expect(readJsonIn(root, 'components/server.json')).toMatchObject({ title: 'The svc' });
});

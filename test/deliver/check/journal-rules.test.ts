import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { linesOf, runCli } from '../../harness/cli.ts';
import { definition, makeRoot, writeIn, withGit } from '../../harness/root.ts';

let root: string;
const journal = () => join(root, 'data/journal/svc.ndjson');
const check = async (day: string) => {
  const { status, stderr } = await runCli(['check', '--root', root, '--as-of', day]);
  return { status, lines: linesOf(stderr).filter((line) => line.includes('data/journal')) };
};
const support = { policy: 'term', months: 2 };
const releases = [
  { version: '1.0', releaseTimestamp: '2026-01-01' },
  { version: '1.1', releaseTimestamp: '2026-01-15' },
];

beforeEach(async () => {
  root = withGit(
    makeRoot({
      'components/svc.json': definition({ support }),
      'data/svc.json': { releases },
    }),
  );
  await runCli(['record', '--root', root, '--as-of', '2026-02-01']);
});

describe('check of the journal', () => {
  test.each(['2026-02-01', '2026-03-20'])(
    'finds nothing on %s after a run of 2026-02-01',
    async (day) => {
      expect(await check(day)).toEqual({ status: 0, lines: [] });
    },
  );

  test('names an edit since the last run in a notice, until a run records it', async () => {
    const deprecated = [{ versions: ['1.1'], reason: 'Malicious' }];
    writeIn(
      root,
      'components/svc.json',
      definition({ support: { ...support, months: 3 }, deprecated }),
    );

    expect(await check('2026-02-01')).toEqual({
      status: 0,
      lines: [
        expect.stringMatching(
          /^notice: data\/journal\/svc\.ndjson: not recorded yet: Support of release line 1\.0 ends on 2026-04-01, instead of 2026-03-01: .+ 4 more events with it\. The next run records it: .*record$/,
        ),
      ],
    });
    await runCli(['record', '--root', root, '--as-of', '2026-02-01']);
    expect(await check('2026-02-01')).toEqual({ status: 0, lines: [] });
  });

  test.each([
    ['decisions.ndjson', { id: 'svc-0123456789', at: '2999-01-01T00:00:00.000Z', by: 'Jane' }],
    ['freshness/svc.json', { sources: { 'npm:svc': { since: '2999-01-01' } } }],
  ])('rejects a day to come in %s, as the next run does', async (file, value) => {
    writeIn(root, `data/${file}`, `${JSON.stringify(value)}\n`);

    for (const verb of ['check', 'record']) {
      const run = await runCli([verb, '--root', root, '--as-of', '2026-02-02']);
      expect(run.status).toBe(1);
      expect(run.stderr).toMatch(
        new RegExp(`error: data/${file}: holds 2999-01-01\\S*, which is in the future`),
      );
    }
  });

  test.each([
    ['"version":"1.1","line":"1.1"', '"version":"1.1"', 'line 2: "released" lacks "line"'],
    ['"id":2', '"id":3', 'line 2: expected the id 2; got 3'],
  ])('rejects a journal of which no state can be made (%s)', async (from, to, message) => {
    const text = readFileSync(journal(), 'utf8');
    expect(text).toContain(from);
    writeFileSync(journal(), text.replace(from, to));
    const { status, lines } = await check('2026-02-01');

    expect(status).toBe(1);
    expect(lines).toContain(
      `error: data/journal/svc.ndjson: ${message}. Lines are never changed: restore the file from git`,
    );
  });
});

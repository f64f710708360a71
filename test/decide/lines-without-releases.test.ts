import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf, runCli } from '../harness/cli.ts';
import { definition, makeRoot, readJsonIn } from '../harness/root.ts';

const day = ['--as-of', '2026-11-20'];

/** What a company knows of two products: of one only ends, of the other also a release. */
const root = makeRoot({
  'components/ends.json': definition({
    title: 'Ends',
    sources: [],
    support: {
      policy: 'dated',
      lines: {
        '9': '2025-01-01',
        '10': '2026-12-24',
        '11': { active: '2026-06-01', lts: '2028-01-01' },
      },
    },
  }),
  'components/mixed.json': definition({
    title: 'Mixed',
    sources: [],
    support: {
      policy: 'dated',
      lines: { '24': '2026-01-01', '25': '2027-01-01', '26.1': '2028-01-01' },
    },
  }),
  'data/mixed.json': { releases: [{ version: '25.3.1', releaseTimestamp: '2025-03-01' }] },
});
const run = (...args: string[]) => runCli([...args, '--root', root, ...day]);
const built = await run('build');

test('a line without releases is published with its end, in version order', () => {
  expect(built.status, built.stderr).toBe(0);
  const details = readJsonIn<{ lines: object[] }>(root, 'dist/details/ends.json');

  expect(details.lines).toEqual([
    expect.objectContaining({ line: '9', releases: 0, supportedUntil: '2025-01-01' }),
    expect.objectContaining({ line: '10', releases: 0, supportedUntil: '2026-12-24' }),
    expect.objectContaining({ line: '11', releases: 0, supportedUntil: '2028-01-01' }),
  ]);
  expect(details.lines[0]).not.toHaveProperty('latest');
  expect(readFileSync(join(root, 'dist/ends.html'), 'utf8')).toMatch(
    /Ends 10 is supported until <time [^>]*>24 Dec 2026<\/time>\.[^\n]*<\/p><\/div>\n[^\n]*<p class="note">No release of it is recorded\./,
  );
  expect(readJsonIn(root, 'dist/endoflife/api/ends.json')).toEqual(
    [
      { cycle: '11', support: '2026-06-01', eol: '2028-01-01', lts: false },
      { cycle: '10', support: false, eol: '2026-12-24', lts: false },
      { cycle: '9', support: false, eol: '2025-01-01', lts: false },
    ].map((cycle) => expect.objectContaining({ cycle: cycle.cycle, eol: cycle.eol })),
  );
  expect(readJsonIn(root, 'dist/supported/ends.json')).toEqual([]);
  expect(readFileSync(join(root, 'dist/calendars/ends.ics'), 'utf8')).toContain('20261224');
});

test('a release belongs to the line that is named like its first digit groups', () => {
  expect(readJsonIn(root, 'dist/details/mixed.json')).toMatchObject({
    lines: [
      { line: '24', releases: 0 },
      { line: '25', releases: 1, latest: '25.3.1', supportedUntil: '2027-01-01' },
      { line: '26.1', releases: 0 },
    ],
  });
});

test.each([
  ['ends 9', 'Ends 9 was supported until 2025-01-01.'],
  ['ends 9.0.3', 'Its line 9 was supported until 2025-01-01.'],
  ['ends 10.2', 'Its line 10 is supported until 2026-12-24.'],
  ['ends', '11: is supported until 2028-01-01, in phase lts. No release of it is recorded.'],
  ['mixed 24.1.7', 'Its line 24 was supported until 2026-01-01.'],
  ['mixed 12', 'Mixed 12 belongs to no known release line.'],
])('explain %s says: %s', async (words, sentence) => {
  const { status, stdout } = await run('explain', ...words.split(' '));

  expect(status).toBe(0);
  expect(stdout).toContain(sentence);
});

test("a plan and a scan move from a line without releases to the component's latest release", async () => {
  const { stdout } = await run('scan', 'mixed@24.1.7', 'ends@9.1', '--json');
  const { plan } = JSON.parse(stdout) as { plan: { steps: object[]; items: object[] } };

  expect(plan.steps).toEqual([
    expect.objectContaining({
      component: 'mixed',
      from: '24.1.7',
      to: { component: 'mixed', version: '25.3.1' },
    }),
  ]);
  expect(plan.items[1]).toMatchObject({ component: 'ends', version: '9.1' });
});

test('the pages list lines without releases, and the journal records their ends', async () => {
  const page = readFileSync(join(root, 'dist/ends.html'), 'utf8');
  const recorded = await run('record');
  const journal = readFileSync(join(root, 'data/journal/ends.ndjson'), 'utf8');

  expect(page).toMatch(/id="line-9"[\s\S]*No release of it is recorded/);
  expect(page).not.toContain('No release is known yet');
  expect(recorded.status, recorded.stderr).toBe(0);
  expect(linesOf(journal).map((line) => (JSON.parse(line) as { line?: string }).line)).toEqual(
    expect.arrayContaining(['9', '10', '11']),
  );
  expect((await run('check')).stderr).not.toContain('error');
});

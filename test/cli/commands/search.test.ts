import { expect, test } from 'vitest';
import { linesOf } from '../../harness/cli.ts';
import { definition, makeRoot } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

const pulled = { withdrawnSince: '2025-09-03', source: 'npm:svc' };
const root = makeRoot({
  'components/svc.json': definition({
    title: 'Server, the "big" one',
    support: { policy: 'term', months: 18 },
    prereleases: true,
    sources: [{ datasource: 'npm', packageName: 'svc' }],
  }),
  'components/edge.json': definition({ title: 'Edge' }),
  'components/old.json': definition({
    title: 'Old',
    support: { policy: 'ended', until: '2026-12-31', reason: 'Replaced.' },
  }),
  'data/svc.json': {
    releases: [
      { version: '2025.1.1', releaseTimestamp: '2025-06-01T12:30:00Z', firstSeen: '2025-06-02' },
      { version: '2024.2', releaseTimestamp: '2024-08-19' },
      { version: '2025.1', releaseTimestamp: '2025-04-08' },
      { ...pulled, version: '2025.2-rc-1', releaseTimestamp: '2025-09-01' },
    ],
  },
  'data/edge.json': {
    releases: [
      { version: '1.0', deprecated: 'Broken.', firstSeen: '2026-01-02' },
      { version: '1.1' },
    ],
  },
  'data/old.json': { releases: [{ version: '3.0', releaseTimestamp: '2020-01-01' }] },
  'data/freshness/svc.json': { sources: { 'npm:svc': { since: '2026-06-01' } } },
});

const day = ['--as-of', '2026-06-01'];
const search = (...args: string[]) => run(['search', '--root', root, ...day, ...args]);

test('search answers with a table, by component and then in version order', async () => {
  const { status, stdout, stderr } = await search('component:svc or isDeprecated');

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(linesOf(stdout)).toEqual([
    'component  version      state       released    support ends  latest of',
    'edge       1.0          deprecated  -           -             -',
    'old        3.0          deprecated  2020-01-01  2026-12-31    -',
    'svc        2024.2       ended       2024-08-19  2026-02-19    -',
    'svc        2025.1       supported   2025-04-08  2026-10-08    -',
    'svc        2025.1.1     supported   2025-06-01  2026-10-08    component',
    'svc        2025.2-rc-1  withdrawn   2025-09-01  -             -',
    '6 releases of 3 components.',
  ]);
});

test('search names a state to people as explain does, and to programs by its value', async () => {
  const query = ['version:2025.1', '--as-of', '2026-08-01', '--root', root];
  const table = await run(['search', ...query]);
  const json = await run(['search', ...query, '--json']);

  expect(table.stdout).toContain('svc        2025.1   ends soon  2025-04-08');
  expect(json.stdout).toContain('"state": "ends-soon"');
});

const always = { isWithdrawn: false, isPrerelease: false, isLts: false, isInferred: false };

test('--json has every known field of a release, and no other', async () => {
  const { stdout } = await search('--json', 'version:2025.1.1 or component:old or version:1.0');

  expect(JSON.parse(stdout)).toEqual([
    {
      ...always,
      ...{ component: 'edge', title: 'Edge', policy: 'none', freshness: 'static', releases: 2 },
      ...{ version: '1.0', line: '1.0', state: 'deprecated', status: 'deprecated' },
      reason: ['Deprecated upstream: Broken.'],
      ...{ isDeprecated: true, isLatest: false, isLatestOfLine: false, releasesBehind: 1 },
      ...{ firstSeen: '2026-01-02', deprecatedSince: '2026-01-02' },
    },
    {
      ...always,
      ...{ component: 'old', title: 'Old', policy: 'ended', freshness: 'static', releases: 1 },
      ...{ version: '3.0', line: '3.0', state: 'deprecated', status: 'deprecated' },
      reason: ['Replaced.'],
      ...{ isDeprecated: true, isLatest: false, isLatestOfLine: false, isSupported: true },
      ...{ releaseTimestamp: '2020-01-01T00:00:00Z', timestampKind: 'published', age: 'P2343D' },
      ...{ supportedUntil: '2026-12-31', supportLeft: 'P213D' },
      ...{ phase: 'support', phaseUntil: '2026-12-31', phaseLeft: 'P213D' },
    },
    {
      ...always,
      ...{
        component: 'svc',
        title: 'Server, the "big" one',
        policy: 'term',
        freshness: 'live',
        releases: 4,
      },
      ...{ datasource: ['npm'], package: ['svc'], version: '2025.1.1', line: '2025.1' },
      ...{ state: 'supported', status: 'supported', isSupported: true },
      ...{ isDeprecated: false, isLatest: true, isLatestOfLine: true },
      ...{
        releaseTimestamp: '2025-06-01T12:30:00Z',
        timestampKind: 'published',
        age: 'P364DT11H30M',
      },
      ...{ firstSeen: '2025-06-02', supportedUntil: '2026-10-08', supportLeft: 'P129D' },
      ...{ phase: 'support', phaseUntil: '2026-10-08', phaseLeft: 'P129D' },
    },
  ]);
});

test.each([
  ['isSupported', ['old 3.0', 'svc 2025.1', 'svc 2025.1.1']],
  ['!isSupported:*', ['edge 1.0', 'edge 1.1']],
  ['supportLeft:>180d', ['old 3.0']],
  ['supportedUntil:[today to +129d]', ['svc 2025.1', 'svc 2025.1.1']],
  ['reason:*18*months*', ['svc 2024.2']],
  ['deprecatedSince:<2026-02-01', ['edge 1.0', 'svc 2025.2-rc-1']],
  ['big "the"', ['svc 2024.2', 'svc 2025.1', 'svc 2025.1.1', 'svc 2025.2-rc-1']],
])('search %s selects as of the day of the question', async (query, expected) => {
  const { stdout } = await search('--json', '--', query);

  const found = JSON.parse(stdout) as { component: string; version: string }[];
  expect(found.map(({ component, version }) => `${component} ${version}`)).toEqual(expected);
});

test('--csv has a column for each field, and quotes a text with a comma or a quote', async () => {
  const { stdout } = await search('--csv', 'isLatest component:svc');

  const [columns = '', row, ...more] = linesOf(stdout);
  expect(columns).toMatch(
    /^component,title,policy,freshness,datasource,package,label,releases,version,line,/,
  );
  expect(columns.split(',')).toEqual(
    expect.arrayContaining(['supportedUntil', 'advisory', 'repository']),
  );
  expect(row).toMatch(/^svc,"Server, the ""big"" one",term,live,npm,svc,,4,2025\.1\.1,/);
  expect(more).toEqual([]);
});

test('a query that begins with - comes after --, as the message states', async () => {
  const [right, wrong] = [
    await search('--', '-component:svc -isDeprecated'),
    await search('-component:svc'),
  ];

  expect(linesOf(right.stdout).at(-1)).toBe('1 release of 1 component.');
  expect([wrong.status, linesOf(wrong.stderr)[0]]).toEqual([
    2,
    'unknown option "-c" of search. An argument that begins with "-" comes after "--".',
  ]);
});

const nothing = 'Nothing matches component:nothing.\n';
test.each([
  [['component:nothing'], `No release matches. ${nothing}`, ''],
  [['--json', 'component:nothing'], '[]\n', `notice: search: ${nothing}`],
])('search %j exits with 0 where nothing matches', async (args, stdout, stderr) => {
  expect(await search(...args)).toMatchObject({ status: 0, stdout, stderr });
});

test('search rejects a malformed query with a caret under the place', async () => {
  const { status, stdout, stderr } = await search(
    '--json',
    'isLatest releaseTimestamp:>2026-02-30',
  );

  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ verb: 'search', findings: [{ level: 'error' }] });
  expect(linesOf(stderr)).toEqual([
    'query: character 28: expected a day that exists, or a time on it, such as 2026-01-31, 2026-01, 2026-01-31T10:30, ' +
      'today, -5d or +3mo (releaseTimestamp is a Timestamp); got "2026-02-30"',
    '  isLatest releaseTimestamp:>2026-02-30',
    '                             ^',
    'Help: npx release-index search --help',
  ]);
});

test('--csv has only rows on standard output, and notes on standard error', async () => {
  const { stdout, stderr } = await search('--csv', 'component:nothing');

  expect(linesOf(stdout)).toHaveLength(1);
  expect(stderr).toBe(`notice: search: ${nothing}`);
});

test.each([
  [[], 'search expects <query>; got none'],
  [['a', 'b'], 'search expects <query>; got a, b'],
  [['a', '--csv', '--json'], 'search accepts --csv or --json, not both'],
])('search rejects the command line %j', async (args, message) => {
  const { status, stderr } = await search(...args);

  expect(status).toBe(2);
  expect(linesOf(stderr)[0]).toBe(message);
});

test('search does not search an index with a malformed component', async () => {
  const folder = makeRoot({ 'components/bad.json': { ...definition(), changelogUrl: undefined } });

  expect(await run(['search', '--root', folder, ...day, 'component:svc'])).toEqual({
    ...{ status: 3, signal: null, stdout: '' },
    stderr:
      'error: components/bad.json: changelogUrl: expected string; got nothing, and it is required\n',
  });
});

test('--csv has more rows than a call accepts arguments', async () => {
  const count = 130_000;
  const versions = Array.from(
    { length: count },
    (_, index) => `1.${Math.floor(index / 1000)}.${index % 1000}`,
  );
  const many = makeRoot({
    'components/svc.json': definition(),
    'data/svc.json': { releases: versions.map((version) => ({ version })) },
  });

  const { status, stdout } = await run(['search', '--csv', '', '--root', many, ...day]);

  expect(status).toBe(0);
  expect(linesOf(stdout)).toHaveLength(count + 1);
});

import { expect, test } from 'vitest';
import { linesOf } from '../../harness/cli.ts';
import { definition, makeRoot, temporaryFolder, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

const root = () =>
  makeRoot({
    'components/svc.json': definition({
      title: 'Server, the "big" one',
      support: { policy: 'term', months: 18 },
      prereleases: true,
      sources: [{ datasource: 'npm', packageName: 'svc' }],
    }),
    'components/edge.json': definition({ title: 'Edge' }),
    'components/old.json': definition({
      title: 'Old',
      support: { policy: 'ended', since: '2026-12-31', reason: 'Replaced.' },
    }),
    'data/svc.json': {
      releases: [
        { version: '2025.1.1', releaseTimestamp: '2025-06-01T12:30:00Z', firstSeen: '2025-06-02' },
        { version: '2024.2', releaseTimestamp: '2024-08-19' },
        { version: '2025.1', releaseTimestamp: '2025-04-08' },
        {
          version: '2025.2-rc-1',
          releaseTimestamp: '2025-09-01',
          withdrawnSince: '2025-09-03',
          source: 'npm:svc',
        },
      ],
    },
    'data/edge.json': {
      releases: [{ version: '1.0', deprecated: 'Broken.', firstSeen: '2026-01-02' }, { version: '1.1' }],
    },
    'data/old.json': { releases: [{ version: '3.0', releaseTimestamp: '2020-01-01' }] },
    'data/freshness/svc.json': {
      sources: { 'npm:svc': { answeredOn: '2026-06-01' } },
      checkedOn: '2026-06-01',
    },
  });

const day = ['--as-of', '2026-06-01'];
const search = (folder: string, ...args: string[]) => run(['search', '--root', folder, ...day, ...args]);

test('search answers with a table, by component and then in version order', async () => {
  const { status, stdout, stderr } = await search(root(), 'component:svc or isDeprecated');

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(linesOf(stdout)).toEqual([
    'component  version      state       released    support ends  latest of',
    'edge       1.0          deprecated  -           -             -',
    'old        3.0          deprecated  2020-01-01  2026-12-31    -',
    'svc        2024.2       ended       2024-08-19  2026-02-19    -',
    'svc        2025.1       supported   2025-04-08  2026-10-08    -',
    'svc        2025.1.1     supported   2025-06-01  2026-10-08    component',
    'svc        2025.2-rc-1  withdrawn   2025-09-01  2027-03-01    -',
    '6 releases of 3 components.',
  ]);
});

test('--json has every known field of a release, and no other', async () => {
  const { stdout } = await search(root(), '--json', 'version:2025.1.1 or component:old or version:1.0');

  expect(JSON.parse(stdout)).toEqual([
    {
      component: 'edge',
      title: 'Edge',
      policy: 'none',
      freshness: 'static',
      releases: 2,
      version: '1.0',
      line: '1.0',
      state: 'deprecated',
      status: 'deprecated',
      reason: ['Deprecated upstream: Broken.'],
      isDeprecated: true,
      isPrerelease: false,
      isWithdrawn: false,
      hasProvenance: false,
      firstSeen: '2026-01-02',
      deprecatedSince: '2026-01-02',
      releasesBehind: 1,
      isLatest: false,
      isLatestOfLine: false,
      isLts: false,
    },
    {
      component: 'old',
      title: 'Old',
      policy: 'ended',
      freshness: 'static',
      releases: 1,
      version: '3.0',
      line: '3.0',
      state: 'deprecated',
      status: 'deprecated',
      reason: ['Replaced.'],
      isDeprecated: true,
      isPrerelease: false,
      isWithdrawn: false,
      hasProvenance: false,
      isLatest: false,
      isLatestOfLine: false,
      isLts: false,
      isSupported: true,
      releaseTimestamp: '2020-01-01T00:00:00Z',
      timestampKind: 'published',
      supportedUntil: '2026-12-31',
      age: 'P2343D',
      supportLeft: 'P213D',
      phase: 'support',
      phaseUntil: '2026-12-31',
      phaseLeft: 'P213D',
    },
    {
      component: 'svc',
      title: 'Server, the "big" one',
      policy: 'term',
      freshness: 'live',
      datasource: ['npm'],
      package: ['svc'],
      releases: 4,
      version: '2025.1.1',
      line: '2025.1',
      state: 'supported',
      status: 'supported',
      isDeprecated: false,
      isPrerelease: false,
      isWithdrawn: false,
      hasProvenance: false,
      isLatest: true,
      isLatestOfLine: true,
      isLts: false,
      isSupported: true,
      releaseTimestamp: '2025-06-01T12:30:00Z',
      timestampKind: 'published',
      firstSeen: '2025-06-02',
      supportedUntil: '2026-10-08',
      age: 'P364DT11H30M',
      supportLeft: 'P129D',
      phase: 'support',
      phaseUntil: '2026-10-08',
      phaseLeft: 'P129D',
    },
  ]);
});

test.each([
  ['isSupported', ['old 3.0', 'svc 2025.1', 'svc 2025.1.1']],
  ['isSupported:false', ['svc 2024.2', 'svc 2025.2-rc-1']],
  ['!isSupported:*', ['edge 1.0', 'edge 1.1']],
  ['supportLeft:>180d', ['old 3.0', 'svc 2025.2-rc-1']],
  ['supportedUntil:* -supportLeft:*', ['svc 2024.2']],
  ['supportedUntil:[today to +129d]', ['svc 2025.1', 'svc 2025.1.1']],
  ['-releaseTimestamp:*', ['edge 1.0', 'edge 1.1']],
  ['isLatestOfLine', ['edge 1.1', 'svc 2025.1.1']],
  ['reason:*18*months.', ['svc 2024.2']],
  ['deprecatedSince:<2026-02-01', ['edge 1.0', 'svc 2025.2-rc-1']],
  ['datasource:npm isPrerelease', ['svc 2025.2-rc-1']],
  ['releases:<2', ['old 3.0']],
  ['big "the"', ['svc 2024.2', 'svc 2025.1', 'svc 2025.1.1', 'svc 2025.2-rc-1']],
])('%s selects by the day asked for', async (query, expected) => {
  const { stdout } = await search(root(), '--json', '--', query);

  const found = JSON.parse(stdout) as { component: string; version: string }[];
  expect(found.map(({ component, version }) => `${component} ${version}`)).toEqual(expected);
});

test('--csv quotes a text with a comma or a quote', async () => {
  const { stdout } = await search(root(), '--csv', 'isLatest component:svc');

  expect(linesOf(stdout)).toEqual([
    'component,title,policy,freshness,datasource,package,label,releases,version,line,state,status,reason,isDeprecated,' +
      'isPrerelease,isWithdrawn,isLatest,isLatestOfLine,isSupported,isLts,phase,releaseTimestamp,timestampKind,firstSeen,availableAt,' +
      'deprecatedSince,supportedUntil,supportedUntilAtMost,releasesBehind,behind,phaseUntil,age,supportLeft,phaseLeft,isVulnerable,advisory,fixes,severity,' +
      'hasProvenance,isFromSourceRepository,repository,builder,commit,buildStartTime,buildDuration',
    'svc,"Server, the ""big"" one",term,live,npm,svc,,4,2025.1.1,2025.1,supported,supported,,false,false,false,true,true,true,false,support,' +
      '2025-06-01T12:30:00Z,published,2025-06-02,,,2026-10-08,,,,2026-10-08,P364DT11H30M,P129D,P129D,,,,,false,,,,,,',
  ]);
});

test('a query that begins with - comes after --, as the message states', async () => {
  const folder = root();
  const [right, wrong] = await Promise.all([
    search(folder, '--', '-component:svc -isDeprecated'),
    search(folder, '-component:svc'),
  ]);

  expect(linesOf(right!.stdout).at(-1)).toBe('1 release of 1 component.');
  expect(wrong!.status).toBe(2);
  expect(linesOf(wrong!.stderr)[0]).toBe(
    'unknown option "-c" of search. Did you mean "--csv"? An argument that begins with "-" comes after "--".',
  );
});

test('an empty result exits with 0, with --fail-empty with 1', async () => {
  const folder = root();
  const [plain, json, strict, found] = await Promise.all([
    search(folder, 'component:nothing'),
    search(folder, '--json', 'component:nothing'),
    search(folder, '--fail-empty', 'component:nothing'),
    search(folder, '--fail-empty', 'component:svc'),
  ]);

  expect(plain).toMatchObject({
    status: 0,
    stdout: 'No release matches. Nothing matches component:nothing.\n',
    stderr: '',
  });
  expect(json).toMatchObject({ status: 0, stdout: '[]\n', stderr: '' });
  expect(strict).toMatchObject({
    status: 1,
    stdout: 'No release matches. Nothing matches component:nothing.\n',
    stderr: '',
  });
  expect(found!.status).toBe(0);
});

test('search rejects a malformed query with a caret under the place', async () => {
  const { status, stdout, stderr } = await search(root(), '--json', 'isLatest releaseTimestamp:>2026-02-30');

  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ verb: 'search', findings: [{ level: 'error' }] });
  expect(linesOf(stderr)).toEqual([
    'query: character 28: expected a day that exists, or a time on it, such as 2026-01-31, 2026-01, 2026-01-31T10:30, ' +
      'today, -5d or +3mo (releaseTimestamp is a Timestamp); got "2026-02-30"',
    '  isLatest releaseTimestamp:>2026-02-30',
    '                             ^',
    'Help: npx release-index --help',
  ]);
});

test('search answers the queries of a file in order', async () => {
  const folder = root();
  const file = `${temporaryFolder()}/queries`;
  writeIn(file, '../queries', '-component:svc isDeprecated\r\n\nisLatest\n');
  const [table, json, csv] = await Promise.all([
    search(folder, '--queries', file),
    search(folder, '--queries', file, '--json'),
    search(folder, '--queries', file, '--csv'),
  ]);

  expect(table!.stdout).toMatch(
    /^-component:svc isDeprecated\ncomponent .*\nedge .*\nold .*\n2 releases of 2 components\.\n\nisLatest\n/,
  );
  expect(JSON.parse(json!.stdout)).toMatchObject([
    { query: '-component:svc isDeprecated', releases: [{ component: 'edge' }, { component: 'old' }] },
    { query: 'isLatest', releases: [{ version: '1.1' }, { version: '2025.1.1' }] },
  ]);
  expect(linesOf(csv!.stdout).map((line) => line.split(',').slice(0, 2))).toEqual([
    ['query', 'component'],
    ["'-component:svc isDeprecated", 'edge'],
    ["'-component:svc isDeprecated", 'old'],
    ['isLatest', 'edge'],
    ['isLatest', 'svc'],
  ]);
});

test('search reports every malformed query of a file, and answers none', async () => {
  const file = `${temporaryFolder()}/queries`;
  writeIn(file, '../queries', 'isLatst:true\nisLatest\nversion:>\n');

  const { status, stdout, stderr } = await search(root(), '--queries', file);

  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(linesOf(stderr)).toEqual([
    `${file}: line 1: character 1: expected the name of a field (did you mean isLatest?); got "isLatst"`,
    '  isLatst:true',
    '  ^',
    `${file}: line 3: character 10: expected a version such as 2025.3 (version is a Version); got the end of the query`,
    '  version:>',
    '           ^',
    'Help: npx release-index --help',
  ]);
});

test.each([
  [[], 'search expects <query> or --queries FILE; got none'],
  [['a', '--queries', 'file'], 'search expects <query> or --queries FILE; got both'],
  [['a', 'b'], 'search expects [query]; got a, b'],
  [['a', '--csv', '--json'], 'search accepts --csv or --json, not both'],
])('%j is a wrong command line', async (args, message) => {
  const { status, stderr } = await search(root(), ...args);

  expect(status).toBe(2);
  expect(linesOf(stderr)[0]).toBe(message);
});

test('search does not search an index with a malformed component', async () => {
  const folder = root();
  writeIn(folder, 'components/bad.json', { title: 'Bad', homepage: 'https://example.com/', sources: [] });

  const { status, stdout, stderr } = await search(folder, 'component:svc');

  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(linesOf(stderr)).toEqual([
    'error: components/bad.json: changelogUrl: expected string; got nothing, and it is required',
  ]);
});

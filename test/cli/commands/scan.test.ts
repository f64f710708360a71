import { join } from 'node:path';
import { expect, test } from 'vitest';
import { computeDetailsOn } from '../../../src/ask/answers/component-on.ts';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import type { State } from '../../../src/core/model/states.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { linesOf } from '../../harness/cli.ts';
import {
  copyOfFixtureIndex,
  definition,
  makeRoot,
  readJsonIn,
  writeIn,
} from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { folderWith } from '../../harness/scanning.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';
import { covers } from '../../harness/covers.ts';

const day = ['--as-of', fixtureDay];
const scan = (...args: string[]) => run(['scan', '--root', fixtureIndex, ...day, ...args]);
const parse = (stdout: string) => (JSON.parse(stdout) as { results: PolicyScan[] }).results;

test('a package URL whose name ends as a file does is no file', async () => {
  const { stderr } = await scan('pkg:npm/package.json');

  expect(stderr).not.toContain('cannot be read');
});

test('scan judges every release as its details state', async () => {
  const site = siteOfFixtureIndex();
  const releases = readJsonIn<string[]>(site, 'index.json').flatMap((component) => {
    const details = readJsonIn<DetailsFile>(site, `details/${component}.json`);
    return computeDetailsOn(details, fixtureDay).releases.map((release) => ({
      component,
      ...release,
    }));
  });
  const list = releases.map(({ component, version }) => `${component}=${version}`).join('\n');
  const policies = ['--policy', 'supported', '--policy', 'stable'];

  const { status, stdout } = await scan(
    join(folderWith({ 'list.txt': list }), 'list.txt'),
    '--json',
    ...policies,
  );

  const over: State[] = ['ended', 'deprecated', 'withdrawn'];
  const expected = releases.flatMap(({ component, version, state, isPrerelease }) => [
    [component, version, 'supported', over.includes(state)],
    [component, version, 'stable', isPrerelease],
  ]);
  const said = parse(stdout).map(({ details, policyUri, status }) => [
    details.component,
    details.version,
    policyUri.replace('/policies/built-in/', ''),
    status === 'unsatisfied',
  ]);
  expect(releases.length).toBeGreaterThan(50);
  expect(said).toEqual(expected);
  expect(status).toBe(1);
});

test('every result has the same fields', async () => {
  covers(
    'labels',
    'policyDescription',
    'policyRemediation',
    'sourcedFromUri: URL of the build scan the data came from; null when none',
    'Always null, as no builds of releases are recorded; details.changelogUrl leads to the changes.',
  );
  const { status, stdout, stderr } = await scan(
    ...['svc@2025.1', 'pkg:npm/left-pad@1.3.0', '--policy', 'supported', '--json'],
  );

  const policy = {
    labels: {},
    policyUri: '/policies/built-in/supported',
    policyDescription: 'Support of the release certainly runs, and it is not deprecated.',
  };
  expect(parse(stdout)).toEqual([
    {
      ...policy,
      thing: 'svc@2025.1',
      status: 'unsatisfied',
      policyRemediation: 'Move to 2026.3.',
      attestationUri: null,
      sourcedFromUri: null,
      details: {
        component: 'svc',
        version: '2025.1',
        reason:
          'Server 2025.1 was supported until 2026-10-08. 2025-04-08, by the vendor; 18 months, by the definition; support ended 2026-10-08. 6 releases between. A source has not answered yet; newer releases may be missing. Advisories: not known.',
        changelogUrl: 'https://docs.example.com/releases/2025.1/',
        supportedUntil: '2026-10-08',
        releasesBehind: 7,
        moveTo: { component: 'svc', version: '2026.3' },
      },
    },
    {
      ...policy,
      thing: 'pkg:npm/left-pad@1.3.0',
      purl: 'pkg:npm/left-pad@1.3.0',
      status: 'not-applicable',
      attestationUri: null,
      sourcedFromUri: null,
      details: { version: '1.3.0', reason: 'The index does not know "pkg:npm/left-pad@1.3.0".' },
    },
  ]);
  expect(status).toBe(1);
  expect(stderr).toBe('notice: scan: 2 entries: 1 judged, 1 not ours\n');
});

const verdicts: [what: string, policy: string, status: PolicyScan['status'], moveTo?: string][] = [
  ['svc@2026.2', 'supported', 'satisfied'],
  ['svc@2026.2', 'patched', 'unsatisfied'],
  ['svc@2026.2.1', 'patched', 'satisfied'],
  ['svc@2026.2.1', 'current', 'unsatisfied'],
  ['svc@2026.3', 'current', 'satisfied'],
  ['svc@2025.2', 'supported', 'satisfied', '2026.3'],
  ['svc@2025.2', 'lasting', 'unsatisfied', '2026.3'],
  ['svc@2026.3', 'lasting', 'unknown'],
  ['edge-node@2.1.0-rc.1', 'stable', 'unsatisfied'],
  ['pkg:npm/%40example/edge-node@1.0.0', 'supported', 'unsatisfied', '2.0.2'],
  ['pkg:github/EXAMPLE/edge-node@v1.1.1', 'patched', 'satisfied'],
  ['pkg:maven/com.example/build-agent@4.1', 'supported', 'unknown'],
  ['pkg:helm/server@2026.1.0', 'supported', 'satisfied'],
  ['pkg:docker/example/svcctl@1.22', 'supported', 'unknown'],
  ['pkg:generic/reporting-kit@1.0', 'supported', 'unsatisfied', '2.0'],
  ['svc@latest', 'supported', 'not-applicable'],
  ['pkg:github/example/edge-node@3f5a2b1c', 'supported', 'not-applicable'],
  ['pkg:generic/svc', 'supported', 'unknown'],
  ['svc@1999.1', 'supported', 'unknown'],
  ['svc=2026.1.1', 'supported', 'unknown'],
  ['svc==2025.1', 'supported', 'unsatisfied', '2026.3'],
  ['example/svcctl:1.18', 'supported', 'unsatisfied', '1.23.0'],
  [
    'pkg:oci/svcctl@sha256:ab?repository_url=docker.io/example/svcctl&tag=1.20',
    'supported',
    'unknown',
  ],
  [
    'pkg:oci/svcctl@sha256:ab?repository_url=docker.io/example/svcctl',
    'supported',
    'not-applicable',
  ],
  ['pkg:maven/com.EXAMPLE/build-agent@4.1', 'supported', 'not-applicable'],
  ['__proto__@1.0', 'supported', 'not-applicable'],
];

test('scan finds items by name and by package', async () => {
  for (const policy of new Set(verdicts.map(([, policy]) => policy))) {
    const asked = verdicts.filter((verdict) => verdict[1] === policy);
    const { stdout } = await scan(...asked.map(([what]) => what), '--policy', policy, '--json');

    const said = parse(stdout).map(({ status, details }, index) => {
      const to = details.moveTo?.version;
      return [asked[index]![0], policy, status, ...(to === undefined ? [] : [to])];
    });
    expect(said).toEqual(asked);
  }
});

test('a published index gives the same results', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const things = verdicts.map(([what]) => what);

  const [here, there] = [
    await scan(...things, '--json'),
    await run(['scan', ...things, '--index', url, ...day, '--json']),
  ];

  expect(there.stdout).toBe(here.stdout);
  expect(there.status).toBe(1);
});

test('scan judges a list, and counts each line that it cannot read or does not know', async () => {
  const list =
    '# in use\nsvc=2025.1 # the server\nsvc 2026.1\n\npkg:npm/@1\nsvc=\nhttps://example.com/\nsvr 2026.1 (old)\n';
  const file = join(folderWith({ 'list.txt': list }), 'list.txt');

  const { status, stdout, stderr } = await scan(
    file,
    '--policy',
    'supported',
    '--strict',
    '--json',
  );

  expect(status).toBe(1);
  expect(parse(stdout).map(({ thing, status, line }) => [line, thing, status])).toEqual([
    [2, 'svc=2025.1', 'unsatisfied'],
    [3, 'svc 2026.1', 'satisfied'],
    [5, 'pkg:npm/@1', 'unknown'],
    [6, 'svc', 'unknown'],
  ]);
  expect(stderr).toContain(
    `notice: ${file}: "svr 2026.1 (old)" names no component of this index. Did you mean "svc@2026.1"?`,
  );
});

test('scan names every wrong argument', async () => {
  const { status, stderr } = await scan('svc', 'svc@1', 'pkg:npm');

  expect(status).toBe(2);
  expect(linesOf(stderr).slice(0, 2)).toEqual([
    expect.stringContaining('got "svc"'),
    expect.stringContaining('got "pkg:npm"'),
  ]);
});

test.each([
  [
    ['svc@1', '--policy', 'suported'],
    '--policy: There is no policy "suported". Did you mean "supported"? Policies are supported, secure, secured, current, patched, lasting, stable.',
  ],
  [
    ['svc'],
    'expected component@version, a package URL or a file; got "svc". A file is written as ./name',
  ],
  [['pkg:npm'], 'expected a package URL such as pkg:npm/name@1.0.0; got "pkg:npm"'],
  [['svc@1', '--json', '--sarif'], 'scan accepts --json or --sarif, not both'],
])('scan explains the mistake of %j', async (args, message) => {
  const { status, stderr } = await scan(...args);

  expect([status, linesOf(stderr)[0]]).toEqual([2, message]);
});

const own = {
  description: 'Agents are of this year.',
  remediation: 'Move to an agent of this year.',
  labels: { team: 'build' },
  query: 'releaseTimestamp:>=2026-01-01',
};

test('scan judges by a policy of the root', async () => {
  const root = copyOfFixtureIndex();
  writeIn(root, 'site/policies/recent.json', own);

  const asked = ['scan', 'edge-node@1.1.1', 'edge-node@2.0.2', '--policy', 'recent', '--json'];
  const { stdout } = await run([...asked, '--root', root, ...day]);

  expect(parse(stdout)).toMatchObject([
    { status: 'unsatisfied', policyUri: '/policies/own/recent', labels: { team: 'build' } },
    { status: 'satisfied' },
  ]);
});

test('every verb that reads policies rejects a malformed one', async () => {
  const root = copyOfFixtureIndex();
  writeIn(root, 'site/policies/stable.json', own);
  writeIn(root, 'site/policies/odd.json', { ...own, querry: '', remediation: undefined });
  writeIn(root, 'site/policies/typo.json', { ...own, query: 'isLatst:true' });
  writeIn(root, 'site/policies/note.txt', 'hello');

  for (const args of [['check'], ['build', '--out', join(root, 'dist')], ['scan', 'svc@2026.1']]) {
    const { status, stderr } = await run([...args, '--root', root, ...day]);

    const told = linesOf(stderr).filter((line) => line.includes('site/policies'));
    expect(status).toBe(args[0] === 'scan' ? 3 : 1);
    expect(told).toEqual([
      'error: site/policies/note.txt: expected a file <policy>.json; remove or rename it',
      'error: site/policies/odd.json: remediation: expected string; got nothing, and it is required',
      'error: site/policies/odd.json: querry: unknown key; did you mean "query"? Otherwise remove or correct it',
      'error: site/policies/stable.json: "stable" is the name of a built-in policy. Rename the file',
      'error: site/policies/typo.json: query: character 1: expected the name of a field (did you mean isLatest?); got "isLatst"',
    ]);
  }
});

test('scan recommends nothing if no release satisfies the policy', async () => {
  const root = makeRoot({
    'components/old.json': definition({ support: { policy: 'ended', until: '2026-01-01' } }),
    'data/old.json': { releases: [{ version: '1.0' }] },
    'components/new.json': definition(),
    'data/new.json': { releases: [{ version: '2.0-rc.1' }] },
  });
  const { stdout } = await run(['scan', 'old@1.0', '--root', root, ...day, '--json']);

  expect(parse(stdout)[0]!.status).toBe('unsatisfied');
  expect(parse(stdout)[0]).not.toHaveProperty('policyRemediation');
});

test('scan finds a component by its old name and its packages, with its replacement', async () => {
  const root = makeRoot({
    'components/old.json': definition({
      renamedFrom: ['older'],
      replacedBy: 'new',
      sources: [{ datasource: 'npm', packageName: 'kit', extractVersion: '^kit-(?<version>.+)$' }],
      support: { policy: 'ended', until: '2026-01-01' },
    }),
    'data/old.json': { releases: [{ version: '1.0' }] },
    'components/new.json': definition({
      sources: [
        { datasource: 'pypi', packageName: 'kit' },
        { datasource: 'maven', packageName: 'com.example:plugin' },
      ],
    }),
    'data/new.json': { releases: [{ version: '2.0' }] },
  });
  const things = [
    ...['older@1.0', 'pkg:npm/kit@kit-1.0', 'pkg:npm/kit@1.0'],
    ...['pkg:pypi/Kit@2.0', 'com.example:plugin@2.0'],
  ];

  const asked = ['scan', ...things, '--policy', 'supported', '--json'];
  const { stdout } = await run([...asked, '--root', root, ...day]);

  const [older, extracted, plain, other, maven] = parse(stdout).map(
    ({ thing: _, purl: _purl, ...scan }) => scan,
  );
  expect(older).toMatchObject({
    status: 'unsatisfied',
    policyRemediation: 'Move to A component 2.0.',
    details: { component: 'old', moveTo: { component: 'new', version: '2.0' } },
  });
  expect([extracted, plain]).toEqual([older, older]);
  expect(other).toMatchObject({ status: 'unknown', details: { component: 'new', version: '2.0' } });
  expect(maven).toEqual(other);
});

test('the advice goes through the stops on the way, also through a deprecated one', async () => {
  const root = makeRoot({
    'components/svc.json': definition({
      support: { policy: 'latest-lines', count: 1 },
      upgradeStops: [{ at: '14.10', reason: 'It migrates the database.' }],
    }),
    'data/svc.json': { releases: ['14.0', '14.10', '15.0'].map((version) => ({ version })) },
  });

  const { stdout } = await run(['scan', 'svc@14.0', '--root', root, ...day, '--json']);

  expect(parse(stdout)[0]).toMatchObject({
    status: 'unsatisfied',
    policyRemediation: 'Move to 14.10, then to 15.0.',
    details: { moveTo: { component: 'svc', version: '14.10' } },
  });
});

import { rangeProblem } from '../../src/core/range-forms.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { addDays } from '../../src/core/dates.ts';
import type { PolicyScan } from '../../src/core/schemas/published/policy-scan.ts';
import { fixtureDay } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import { readJsonIn, removeTemporaryFolders, temporaryFolder, writeIn } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { exception, folderWith, scan } from '../harness/scanning.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { startSite } from '../harness/static-site.ts';

afterAll(removeTemporaryFolders);

const parse = (stdout: string) => JSON.parse(stdout) as PolicyScan[];
const statuses = (stdout: string) => parse(stdout).map(({ thing, status }) => `${thing} ${status}`);
const tomorrow = exception.until;

describe('an exception', () => {
  const list = 'svc=2025.1\nsvc=2026.2\nsvc=2026.2.99\n';

  test('lets a failure pass until its last day, and is named on the day after', async () => {
    const folder = folderWith({ 'list.txt': list, 'own.json': [exception] });
    const args = [join(folder, 'list.txt'), '--exceptions', join(folder, 'own.json')];

    const [today, last, after] = [
      await scan(folder, args),
      await scan(folder, args, tomorrow),
      await scan(folder, args, addDays(tomorrow, 1)),
    ];

    expect(today).toMatchObject({
      status: 0,
      stderr: 'warning: scan: 3 entries: 1 judged, 1 excepted, 1 unknown\n',
    });
    expect(last.status).toBe(0);
    expect(after.status).toBe(1);
    expect(linesOf(after.stderr)).toContain(
      `warning: own.json: "svc" <2025.2 (supported): ended on ${tomorrow} and counts no longer; move, or extend it. Its reason was: The upgrade is planned as PLAN-42.`,
    );
  });

  test('stands in the file beside what is scanned', async () => {
    const name = '.release-index-exceptions.json';
    const folder = folderWith({ 'list.txt': list, [name]: [exception], 'other/list.txt': list });

    const { stdout } = await scan(folder, [join(folder, 'list.txt'), '--json']);
    const other = await scan(folder, [join(folder, 'other/list.txt'), '--json']);

    expect(statuses(stdout)).toEqual([
      'svc@2025.1 excepted',
      'svc@2026.2 satisfied',
      'svc@2026.2.99 unknown',
    ]);
    expect(parse(stdout)[0]!.details.exception).toEqual({ reason: exception.reason, until: tomorrow });
    expect(statuses(other.stdout)).toContain('svc@2025.1 unsatisfied');
  });

  test.each([
    ['a component and exact versions', { versions: ['v2025.01'] }],
    ['a package URL of the component', { package: 'pkg:generic/svc' }],
  ])('names %s', async (_what, fields) => {
    const folder = folderWith({ 'list.txt': list, 'own.json': [{ ...exception, ...fields }] });

    const { stdout } = await scan(folder, [
      ...[join(folder, 'list.txt'), '--json', '--exceptions', join(folder, 'own.json')],
    ]);

    expect(statuses(stdout)[0]).toBe('svc@2025.1 excepted');
  });

  test('of a package lets that pass', async () => {
    const own = { ...exception, package: 'pkg:npm/@example/edge-node', versions: ['1.0.0'] };
    const folder = folderWith({ 'own.json': [own] });

    const { status } = await scan(folder, [
      ...['@example/edge-node@1.0.0', '--exceptions', join(folder, 'own.json')],
    ]);

    expect(status).toBe(0);
  });

  test('that matches nothing is named, and so is each mistake', async () => {
    const folder = folderWith({
      'list.txt': 'svc=2026.2\n',
      'unused.json': [exception],
      'wrong.json': [{ ...exception, until: '2026-02-30', versions: '>=1 <O' }, { package: 'svc' }],
    });
    const ask = (name: string) =>
      scan(folder, [join(folder, 'list.txt'), '--exceptions', join(folder, name)]);

    const [unused, wrong, none] = [await ask('unused.json'), await ask('wrong.json'), await ask('none.json')];

    expect(unused).toMatchObject({
      status: 0,
      stderr:
        'warning: unused.json: "svc" <2025.2 (supported): matches no failure; remove the exception or correct it\n',
    });
    expect(wrong.status).toBe(3);
    expect(linesOf(wrong.stderr)).toEqual([
      `error: wrong.json: [0].versions: ${rangeProblem('>=1 <O')}; got ">=1 <O"`,
      'error: wrong.json: [0].until: expected a day that exists, YYYY-MM-DD; got "2026-02-30"',
      ...['versions', 'policy', 'reason', 'until'].map(
        (key) => expect.stringContaining(`[1].${key}: expected`) as string,
      ),
    ]);
    expect(none.status).toBe(3);
  });
});

test('--policy-file and --query judge by a policy of the reader', async () => {
  const policy = {
    ...{ description: 'It is of this year.', remediation: 'Move to one of this year.' },
    query: 'releaseTimestamp:>=2026-01-01',
  };
  const folder = folderWith({ 'recent.json': policy });
  const [byFile, byQuery, both] = [
    await scan(folder, ['svc@2025.4', '--policy-file', join(folder, 'recent.json'), '--json']),
    await scan(folder, ['svc@2025.4', '--query', 'line:2025.4', '--json']),
    await scan(folder, ['svc@2025.4', '--query', 'line:2026.1', '--policy', 'stable', '--json']),
  ];

  expect(parse(byFile.stdout)).toMatchObject([
    { status: 'unsatisfied', policyUri: '/policies/own/recent', policyRemediation: policy.remediation },
  ]);
  expect(parse(byQuery.stdout)).toMatchObject([{ status: 'satisfied', policyUri: '/policies/own/query' }]);
  expect(parse(both.stdout).map(({ policyUri, status }) => [policyUri, status])).toEqual([
    ['/policies/built-in/stable', 'satisfied'],
    ['/policies/own/query', 'unsatisfied'],
  ]);
  expect((await scan(folder, ['svc@2025.4', '--query', 'isLatst:true'])).status).toBe(2);
});

test('an index that was last updated too long ago fails unless that is allowed', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const ask = (days: number, ...args: string[]) =>
    run(['scan', 'svc@2026.3', '--index', url, '--as-of', addDays(fixtureDay, days), ...args]);

  const [young, old, allowed] = [await ask(3), await ask(4), await ask(4, '--allow-stale')];

  expect([young.status, old.status, allowed.status]).toEqual([0, 3, 0]);
  const message = 'the index is too old to judge by; update it, or pass --allow-stale';
  expect(linesOf(old.stderr)).toContain(`error: scan: ${message}`);
  expect(allowed.stderr).toMatch(/^warning: .*This index was last updated on 2026-11-20/);
});

test('stated digests are compared with those that are recorded', async () => {
  const site = temporaryFolder();
  const sha256 = (digit: string) => digit.repeat(64);
  const details = readJsonIn<{ releases: { version: string; digests?: object }[] }>(
    siteOfFixtureIndex(),
    'details/svcctl.json',
  );
  for (const release of details.releases)
    if (release.version === '1.20')
      release.digests = {
        'docker:example/svcctl': { '1.20': `sha256:${sha256('a')}` },
        'github-tags:example/svcctl': { '1.20': `sha1:${'c'.repeat(40)}` },
      };
  for (const file of ['status.json', 'search.json', 'packages.json', 'policies.json', 'SHA256SUMS'])
    writeIn(site, file, readFileSync(join(siteOfFixtureIndex(), file), 'utf8'));
  writeIn(site, 'details/svcctl.json', details);
  const url = await startSite(site);
  const hashes = (alg: string, content: string) => ({
    name: 'svcctl',
    version: '1.20',
    hashes: [{ alg, content }],
  });
  const components = [
    hashes('SHA-256', sha256('A')),
    hashes('SHA-256', sha256('b')),
    hashes('SHA-512', 'd'.repeat(128)),
    hashes('SHA-1', 'e'.repeat(40)),
    { name: 'svcctl', purl: `pkg:oci/svcctl@sha256:${sha256('a')}?repository_url=docker.io/example/svcctl` },
  ];
  const folder = folderWith({ 'bom.json': { bomFormat: 'CycloneDX', specVersion: '1.6', components } });

  const { stdout, status } = await run([
    ...[
      'scan',
      join(folder, 'bom.json'),
      '--index',
      url,
      '--as-of',
      fixtureDay,
      '--json',
      '--policy',
      'stable',
    ],
  ]);

  const said = parse(stdout).map(({ status, details }) => [status, details.version, details.message]);
  expect(status).toBe(1);
  expect(said).toEqual([
    ['satisfied', '1.20', undefined],
    ['unsatisfied', '1.20', `sha256:${sha256('b')} is not a digest that is recorded for 1.20.`],
    ['satisfied', '1.20', 'No sha512 digest of 1.20 is recorded.'],
    ['satisfied', '1.20', 'No sha1 digest of 1.20 is recorded.'],
    ['satisfied', '1.20', undefined],
  ]);
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderSarif } from '../../../src/ask/scan/render-sarif.ts';
import type { ScannedItem } from '../../../src/ask/scan/scan-results.ts';
import { addDays } from '../../../src/core/model/dates.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { describeProblems } from '../../../src/core/schemas/problems.ts';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { RangeText } from '../../../src/core/schemas/scalars.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { linesOf } from '../../harness/cli.ts';
import { definition, makeRoot } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { cyclonedx, exception, folderWith, scan } from '../../harness/scanning.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';

const parse = (stdout: string) => (JSON.parse(stdout) as { results: PolicyScan[] }).results;
const statuses = (stdout: string) => parse(stdout).map(({ thing, status }) => `${thing} ${status}`);
const lastDay = exception.until;

describe('an exception of a scan', () => {
  const list = 'svc=2025.1\nsvc=2026.2\nsvc=2026.2.99\n';

  test('lets a failure pass until its last day, and is named on the day after', async () => {
    const folder = folderWith({ 'list.txt': list, 'own.json': [exception] });
    const args = [join(folder, 'list.txt'), '--exceptions', join(folder, 'own.json')];

    const [last, after, sarif] = [
      await scan(folder, args, lastDay),
      await scan(folder, args, addDays(lastDay, 1)),
      await scan(folder, [...args, '--sarif']),
    ];

    expect(last).toMatchObject({
      status: 0,
      stderr: 'warning: scan: 3 entries: 1 judged, 1 excepted, 1 unknown\n',
    });
    expect(after.status).toBe(1);
    expect(linesOf(after.stderr)).toContain(
      `warning: own.json: "svc" <2025.2 (supported): ended on ${lastDay} and no longer applies; upgrade, or extend it. Its reason was: The upgrade is planned as PLAN-42.`,
    );
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      runs: [
        {
          results: [
            {
              suppressions: [
                { kind: 'external', status: 'accepted', justification: exception.reason },
              ],
            },
          ],
        },
      ],
    });
  });

  test('is read from the file next to the scanned file', async () => {
    const name = '.release-index-exceptions.json';
    const folder = folderWith({ 'list.txt': list, [name]: [exception], 'other/list.txt': list });

    const { stdout } = await scan(folder, [join(folder, 'list.txt'), '--json']);
    const other = await scan(folder, [join(folder, 'other/list.txt'), '--json']);

    expect(statuses(stdout)).toEqual([
      'svc=2025.1 excepted',
      'svc=2026.2 satisfied',
      'svc=2026.2.99 unknown',
    ]);
    expect(parse(stdout)[0]!.details.exception).toEqual({
      reason: exception.reason,
      until: lastDay,
    });
    expect(statuses(other.stdout)).toContain('svc=2025.1 unsatisfied');
  });

  test('is only for files of its folder, also for an item that another file has, too', async () => {
    const name = '.release-index-exceptions.json';
    const folder = folderWith({ 'list.txt': list, [name]: [exception], 'other/list.txt': list });

    const { stdout, status } = await scan(folder, [
      join(folder, 'list.txt'),
      join(folder, 'other/list.txt'),
      '--json',
    ]);

    expect(status).toBe(1);
    expect(statuses(stdout).filter((each) => each.startsWith('svc=2025.1 '))).toEqual([
      'svc=2025.1 excepted',
      'svc=2025.1 unsatisfied',
    ]);
  });

  test.each([
    ['exact versions', 'svc@2025.1', { versions: ['v2025.01'] }],
    ['a package URL of a component', 'svc@2025.1', { package: 'pkg:generic/svc' }],
    [
      'a package',
      '@example/edge-node@1.0.0',
      { package: 'pkg:npm/@example/edge-node', versions: ['1.0.0'] },
    ],
  ])('may name %s', async (_what, thing, fields) => {
    const folder = folderWith({ 'own.json': [{ ...exception, ...fields }] });

    const { stdout } = await scan(folder, [
      thing,
      '--json',
      '--exceptions',
      join(folder, 'own.json'),
    ]);

    expect(statuses(stdout)).toEqual([`${thing} excepted`]);
  });

  test('is read for a list without any item of the index', async () => {
    const folder = folderWith({ 'list.txt': 'hello 1.0\n', 'own.json': [exception] });
    const ask = (name: string) =>
      scan(folder, [join(folder, 'list.txt'), '--exceptions', join(folder, name)]);

    const [unused, none] = [await ask('own.json'), await ask('none.json')];

    expect(unused.stderr).toContain('own.json: "svc" <2025.2 (supported): matches no failure');
    expect([none.status, none.stderr]).toEqual([
      3,
      'error: none.json: cannot be read: no such file or directory\n',
    ]);
  });

  test('that matches nothing is named, and so is each mistake', async () => {
    const folder = folderWith({
      'list.txt': 'svc=2026.2\n',
      'unused.json': [exception],
      'wrong.json': [{ ...exception, until: '2026-02-30', versions: '>=1 <O' }, { package: 'svc' }],
    });
    const ask = (name: string) =>
      scan(folder, [join(folder, 'list.txt'), '--exceptions', join(folder, name)]);

    const [unused, wrong, none] = [
      await ask('unused.json'),
      await ask('wrong.json'),
      await ask('none.json'),
    ];

    expect(unused).toMatchObject({
      status: 0,
      stderr:
        'warning: unused.json: "svc" <2025.2 (supported): matches no failure; remove the exception or correct it\n',
    });
    expect(linesOf(wrong.stderr)).toEqual([
      `error: wrong.json: [0].versions: ${describeProblems('>=1 <O', RangeText)[0]}`,
      'error: wrong.json: [0].until: expected a day that exists, YYYY-MM-DD; got "2026-02-30"',
      ...['versions', 'policy', 'reason', 'until'].map(
        (key) => expect.stringContaining(`[1].${key}: expected`) as string,
      ),
    ]);
    expect([wrong.status, none.status]).toEqual([3, 3]);
  });
});

test('an index that was last updated too long ago fails unless --allow-stale is given', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const ask = (days: number, ...args: string[]) =>
    run(['scan', 'svc@2026.3', '--index', url, '--as-of', addDays(fixtureDay, days), ...args]);

  const [young, old, allowed] = [await ask(3), await ask(4), await ask(4, '--allow-stale')];

  expect([young.status, old.status, allowed.status]).toEqual([0, 3, 0]);
  expect(linesOf(old.stderr)).toContain(
    'error: scan: the index is too old to judge by; update it, or pass --allow-stale',
  );
  expect(allowed.stderr).toMatch(/^warning: .*This index was last updated on 2026-11-20/);
});

test('a scan has one day, that of an index that is newer than --as-of', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const folder = folderWith({ 'own.json': [{ ...exception, until: '2026-07-01' }] });
  const rules = ['--policy', 'lasting', '--exceptions', join(folder, 'own.json')];
  const ask = (asOf: string) =>
    run(['scan', 'svc@2025.1', ...rules, '--index', url, '--as-of', asOf, '--json']);

  const [before, same] = [await ask('2026-06-01'), await ask(fixtureDay)];

  expect(JSON.parse(same.stdout)).toMatchObject({ asOf: fixtureDay, plan: { asOf: fixtureDay } });
  expect(before.stdout).toBe(same.stdout);
});

test('standard input is read once', async () => {
  const { status, stderr } = await scan('', ['-', '-']);

  expect(status).toBe(2);
  expect(linesOf(stderr)[0]).toBe('expected - once: standard input can be read only once');
});

const other = 'b'.repeat(64);
test.each([
  ['SHA-256', 'A'.repeat(64), 'satisfied', undefined],
  ['SHA-256', other, 'unsatisfied', `sha256:${other} is not a digest that is recorded for 1.0.`],
  ['SHA-512', 'd'.repeat(128), 'satisfied', 'No sha512 digest of 1.0 is recorded, only sha256.'],
  ['SHA-1', 'e'.repeat(40), 'satisfied', 'No sha1 digest of 1.0 is recorded, only sha256.'],
])('a %s hash %s is compared with the recorded digests', async (alg, content, status, message) => {
  const digests = { 'docker:example/kit': { '1.0': `sha256:${'a'.repeat(64)}` } };
  const root = makeRoot({
    'components/kit.json': definition(),
    'data/kit.json': { releases: [{ version: '1.0', digests }] },
    'bom.json': cyclonedx({ name: 'kit', version: '1.0', hashes: [{ alg, content }] }),
  });

  const args = ['--root', root, '--policy', 'stable', '--json'];
  const { stdout } = await run(['scan', join(root, 'bom.json'), ...args]);

  const [scan] = parse(stdout);
  expect([scan!.status, scan!.details.message]).toEqual([status, message]);
});

test('a wrong digest is shown, although an exception lets it pass by another policy', async () => {
  const digests = { 'docker:example/kit': { '1.0': `sha256:${'a'.repeat(64)}` } };
  const hashes = [{ alg: 'SHA-256', content: other }];
  const root = makeRoot({
    'components/kit.json': definition(),
    'data/kit.json': { releases: [{ version: '1.0', digests }] },
    'bom.json': cyclonedx({ name: 'kit', version: '1.0', hashes }),
    'own.json': [{ ...exception, package: 'kit', versions: '1.0', policy: 'stable' }],
  });

  const policies = ['--policy', 'stable', '--policy', 'secure'];
  const options = [
    '--root',
    root,
    '--as-of',
    fixtureDay,
    ...policies,
    '--exceptions',
    join(root, 'own.json'),
  ];
  const { status, stdout } = await run(['scan', join(root, 'bom.json'), ...options]);

  expect(status).toBe(1);
  expect(stdout).toContain('unsatisfied (secure)');
});

describe('SARIF', () => {
  function createResult(policyName: string, status: string, position: number): ScannedItem {
    return {
      item: { text: `svc@${position}` },
      policy: { name: policyName },
      scan: { status, details: { reason: '', advisories: ['CVE-2026-1'] } },
      position,
    } as unknown as ScannedItem;
  }

  function render(results: readonly ScannedItem[]) {
    const account = { ...{ entries: 0, judged: 0, excepted: 0, 'not ours': 0 }, unknown: 0 };
    const log = renderSarif(results, { ...account, duplicates: 0 }, 'https://example.com');
    return (log as { runs: [Run] }).runs[0];
  }

  interface Run {
    tool: { driver: { rules: { id: string }[] } };
    results: { ruleId: string; suppressions?: object[] }[];
  }

  test('keeps its rule about advisories apart from a policy of that name', () => {
    const { tool, results } = render([createResult('advisories', 'satisfied', 1)]);
    const ids = tool.driver.rules.map(({ id }) => id);

    expect(ids).toEqual(['advisories', 'release-index/advisories']);
    expect(results).toMatchObject([{ ruleId: 'release-index/advisories' }]);
  });

  test.each([
    { policy: 'supported', query: 'isSupported:true', isAccepted: false },
    { policy: 'secure', query: '-isVulnerable:true', isAccepted: true },
    { policy: 'mild', query: '-severity:critical', isAccepted: true },
    { policy: 'quiet', query: '-isExploited', isAccepted: true },
  ])(
    'an exception for $policy accepts advisories: $isAccepted',
    ({ policy, query, isAccepted }) => {
      const result = createResult(policy, 'excepted', 1);
      const selects = parseQuery(query, fixtureDay);

      const { results } = render([{ ...result, policy: { ...result.policy, selects } }]);

      expect(results[0]).toHaveProperty('suppressions.0.status', 'accepted');
      expect(results[1]!.suppressions !== undefined).toBe(isAccepted);
    },
  );
});

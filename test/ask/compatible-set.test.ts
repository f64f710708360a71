import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compatibleSet } from '../../src/ask/compatible-set.ts';
import { openIndex } from '../../src/ask/published-index.ts';
import { documentsIn } from '../../src/deliver/publish/index-documents.ts';
import { linesOf, runCli } from '../harness/cli.ts';
import { definition, makeRoot, temporaryFolder } from '../harness/root.ts';
import type { PolicyScan } from '../../src/core/schemas/published/policy-scan.ts';

const url = 'https://example.com/agent/4.5';

const listing = (...versions: string[]) => ({ releases: versions.map((version) => ({ version })) });

const root = makeRoot({
  'components/svc.json': definition({ title: 'Server', upgradeStops: [{ at: '2026.1' }] }),
  'data/svc.json': listing('2025.1', '2025.2', '2026.1', '2026.2'),
  'components/agent.json': definition({
    title: 'Agent',
    advisories: [{ id: 'CVE-2026-1', affected: '=4.1.1', fixed: ['4.3'] }],
    worksWith: {
      svc: [
        { versions: '4.5', from: '2026.1.0', url },
        { versions: '4.1', from: '2025.2' },
      ],
    },
  }),
  'data/agent.json': listing('4.1.0', '4.1.1', '4.3', '4.5.0'),
  'components/cli.json': definition({
    title: 'CLI',
    worksWith: {
      svc: [{ versions: '*', from: '2025.1' }],
      agent: [{ versions: '2', from: '4.5' }],
    },
  }),
  'data/cli.json': listing('1.0', '2.0'),
  'components/old.json': definition({
    title: 'Old',
    worksWith: { svc: [{ versions: '*', before: '2025.2' }] },
  }),
  'data/old.json': listing('9.0'),
  'components/quiet.json': definition({
    title: 'Quiet',
    worksWith: { svc: [{ versions: '=1.0', from: '2026.2' }] },
  }),
  'data/quiet.json': listing('1.0', '1.1'),
});
await runCli(['build', '--root', root]);

const index = openIndex(documentsIn(join(root, 'dist')));

test('each component has the greatest safe release that works with the server and with the others', async () => {
  const found = await compatibleSet(index, ['svc@2025.2']);

  expect(found.set.map(({ component, version }) => `${component} ${version}`)).toEqual([
    'agent 4.1.0',
    'cli 1.0',
  ]);
  expect(found.notStated).toMatchObject([{ component: 'quiet', version: '1.1' }]);
  expect(found.without).toEqual([
    { component: 'old', title: 'Old', reason: 'old works with svc before 2025.2.' },
  ]);
});

test('a command shows the versions to use today, and after the next upgrade step of the server', async () => {
  const { stdout, status } = await runCli(['explain', '--with', 'svc@2025.2', '--root', root]);
  const { next } = await compatibleSet(index, ['svc@2026.2']);
  const wrong = await runCli(['explain', '--root', root]);

  expect([status, linesOf(stdout)]).toEqual([
    0,
    [
      '       with svc 2025.2  then with svc 2026.1',
      'agent  4.1.0            4.5.0',
      'cli    1.0              2.0',
      'old    none             none',
      'quiet  not stated; 1.1  not stated; 1.1',
      'old: none. old works with svc before 2025.2.',
    ],
  ]);
  expect(next).toBeUndefined();
  expect(wrong).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--with NAME@VERSION') as string,
  });
});

test('explain answers a pair with its statement, and a query selects releases', async () => {
  const where = ['--root', root];
  const bad = await runCli(['explain', 'agent', '4.5.0', '--with', 'svc@2025.2', ...where]);
  const good = await runCli(['explain', 'svc', '2026.2', '--with', 'agent@4.5.0', ...where]);
  const found = await runCli(['search', 'worksWith:svc=2025.2 component:agent', ...where]);
  const wrong = await runCli(['search', 'worksWith:svc=*', ...where]);

  expect(linesOf(bad.stdout)).toEqual(
    expect.arrayContaining([
      'agent 4.5.0 with svc 2025.2: does not work.',
      `  agent 4.5 works with svc 2026.1.0 or later. ${url}`,
    ]),
  );
  expect(linesOf(good.stdout)).toContain('svc 2026.2 with agent 4.5.0: works.');
  expect(found.stdout).toMatch(/4\.1\.0[^]*4\.1\.1/);
  expect(found.stdout).not.toMatch(/4\.3|4\.5\.0/);
  expect(wrong.stderr).toContain('component=version, such as svc=2025.1');
});

const scan = async (list: string, ...args: string[]) => {
  const file = join(temporaryFolder(), 'list.txt');
  writeFileSync(file, list);
  const ran = await runCli([
    'scan',
    file,
    '--policy',
    'compatible',
    ...args,
    '--json',
    '--root',
    root,
  ]);
  const results = JSON.parse(ran.stdout) as PolicyScan[];
  return { results, statuses: results.map(({ status }) => status) };
};

test('the policy compatible judges each pair of a document, and names a release that works with the rest', async () => {
  const { results, statuses } = await scan('svc@2025.2\nagent@4.5.0\ncli@1.0\nleft-pad@1.0\n');

  expect(statuses).toEqual(['unsatisfied', 'unsatisfied', 'unknown', 'not-applicable']);
  expect(results[1]).toMatchObject({
    policyRemediation: 'Move to 4.1.0, which works with svc 2025.2.',
    details: {
      moveTo: { component: 'agent', version: '4.1.0' },
      with: [{ component: 'svc', version: '2025.2', answer: 'bad' }, { component: 'cli' }],
      reason: expect.stringContaining('agent 4.5.0 with svc 2025.2: does not work.') as string,
    },
  });
});

test('the policy compatible is satisfied if every pair is stated, also of several documents', async () => {
  const other = join(temporaryFolder(), 'other.txt');
  writeFileSync(other, 'svc@2025.2\nagent@4.1.0\n');

  // The documents together would have pairs that do not work.
  const { results, statuses } = await scan('svc@2026.2\nagent@4.5.0\n', other);

  expect(statuses).toEqual(Array(4).fill('satisfied'));
  expect(results[1]!.policyRemediation).toBeUndefined();
});

test('the policy compatible is unknown for a single item', async () => {
  const { results } = await scan('agent@4.5.0\n');

  expect(results[0]).toMatchObject({
    status: 'unknown',
    details: { reason: expect.stringContaining('Nothing is stated about it') as string },
  });
});

test('a query of a policy asks for a version of another component, with three values', async () => {
  const { stdout } = await runCli([
    ...[
      'scan',
      'agent@4.5.0',
      'agent@4.3',
      '--query',
      'worksWith:svc=2025.2',
      '--json',
      '--root',
      root,
    ],
  ]);

  expect((JSON.parse(stdout) as PolicyScan[]).map(({ status }) => status)).toEqual([
    'unsatisfied',
    'unknown',
  ]);
});

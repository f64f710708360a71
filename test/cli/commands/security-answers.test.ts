import { expect, onTestFinished, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { listSourceIds } from '../../../src/core/schemas/definition/source-ids.ts';
import { definition, makeRoot } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { startUpstream } from '../../harness/upstream.ts';

const advisory = {
  id: 'CVE-2026-1',
  affected: '>=2026.1 <2026.1.1',
  fixed: ['2026.1.1'],
  severity: 'high',
};
const releases = ['2025.1', '2026.1', '2026.1.1'].map((version, index) => ({
  ...{ version, releaseTimestamp: `${version.slice(0, 4)}-0${index + 1}-01` },
}));
const support = { policy: 'term', months: 18 };
const root = makeRoot({
  'components/svc.json': definition({ support, advisories: [advisory] }),
  'data/svc.json': { releases },
  'components/kit.json': definition(),
  'data/kit.json': { releases: [{ version: '1.0' }] },
});
const ask = (line: string, dir = root) =>
  run([...line.split(' '), '--root', dir, '--as-of', '2026-11-20']);
const scansOf = async (line: string, dir?: string) =>
  (JSON.parse((await ask(`scan ${line} --json`, dir)).stdout) as { results: PolicyScan[] }).results;

test('explain names the advisory, its severity and the version that fixes it', async () => {
  const [affected, fix] = [await ask('explain svc 2026.1'), await ask('explain svc 2026.1.1')];

  expect(affected.stdout).toContain('CVE-2026-1');
  expect(affected.stdout).toContain('high; fixed in 2026.1.1');
  expect(fix.stdout).toMatch(/fixes CVE-2026-1/i);
});

test('secure is unknown without a source of advisories, and secured asks for support as well', async () => {
  const things = 'svc@2025.1 svc@2026.1 svc@2026.1.1 kit@1.0';
  const scans = await scansOf(`${things} --policy secure --policy secured`);

  expect(scans.map(({ thing, status }) => `${thing} ${status}`)).toEqual([
    ...['svc@2025.1 satisfied', 'svc@2025.1 unsatisfied'],
    ...['svc@2026.1 unsatisfied', 'svc@2026.1 unsatisfied'],
    ...['svc@2026.1.1 satisfied', 'svc@2026.1.1 satisfied'],
    ...['kit@1.0 unknown', 'kit@1.0 unknown'],
  ]);
  expect(scans[2]).toMatchObject({
    policyRemediation: expect.stringContaining('Move to 2026.1.1') as string,
    details: {
      reason: expect.stringContaining('CVE-2026-1') as string,
      moveTo: { component: 'svc', version: '2026.1.1' },
    },
  });
});

test('secure is unknown until the source of advisories has answered, and known once it lists none', async () => {
  let status = 403;
  const upstream = await startUpstream(() => (request, response) => {
    const isOsv = request.url === '/v1/query';
    response.writeHead(isOsv ? status : 200, { 'Content-Type': 'application/json' });
    response.end(isOsv ? '{}' : JSON.stringify({ name: 'kit', versions: { '1.0.0': {} } }));
  });
  onTestFinished(() => upstream.close());
  const registryUrl = upstream.url;
  const sources = [
    { datasource: 'npm', packageName: 'kit', registryUrl },
    { datasource: 'osv', registryUrl },
  ];
  const asking = makeRoot({ 'components/kit.json': definition({ sources }) });
  const secure = async () => {
    const gathered = await ask('gather', asking);
    const [scan] = await scansOf('kit@1.0.0 --policy secure', asking);
    return [gathered.status, scan!.status];
  };

  const unanswered = await secure();
  status = 200;
  const answered = await secure();
  status = 403;

  expect([unanswered, answered, await secure()]).toEqual([
    [0, 'unknown'],
    [0, 'satisfied'],
    [0, 'satisfied'],
  ]);
});

test.each([
  [1, 'unknown'],
  [2, 'satisfied'],
])('where %i of two sources of advisories have answered, secure is %s', async (count, expected) => {
  const sources = ['one', 'two'].map((name) => ({
    ...{ datasource: 'osv' as const, url: `https://example.com/${name}.json` },
  }));
  const answered = listSourceIds(sources)
    .slice(0, count)
    .map((id) => [id, { since: '2026-11-20' }]);
  const several = makeRoot({
    'components/kit.json': definition({ sources }),
    'data/kit.json': { releases: [{ version: '1.0' }], advisories: [] },
    'data/freshness/kit.json': { sources: Object.fromEntries(answered) as object },
  });

  const [scan] = await scansOf('kit@1.0 --policy secure', several);

  expect(scan!.status).toBe(expected);
});

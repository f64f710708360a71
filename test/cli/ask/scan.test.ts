import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { buildExample } from '../../harness/site.ts';

const out = buildExample();
const folder = mkdtempSync(join(tmpdir(), 'scan-'));

function scan(list: string, ...options: string[]) {
  const file = join(folder, 'list.txt');
  writeFileSync(file, list);
  return runCli(['scan', file, '--out', out, ...options]);
}

test('prints what is due first on top, and counts what is unknown and not ours', async () => {
  const { status, stdout, stderr } = await scan(
    'svc 2026.3\nsvc 2025.2\nsvc 2025.1\nleft-pad 1.0\nsvc latest\nwhat is this\n',
    '--policy',
    'supported',
  );

  expect(stdout).toBe(`thing       verdict     until       move to
svc 2025.1  Ended       2026-10-08  2026.3
svc 2025.2  Ends soon   2027-01-15  2026.3
svc 2026.3  Supported   2027-12-30
svc latest  No version
On 2026-11-27, 4 of 6 recognised: 1 not supported, 1 cannot be judged. Not in this index: left-pad 1.0. Not read: line 6: what is this. Expected lines ("name 1.2.3"), package URLs, images (docker compose config --images), package-lock.json, npm ls --json, CycloneDX or SPDX as JSON.
`);
  expect(stderr).toContain('line 6: what is this: not read');
  expect(status).toBe(1);
});

test('ends with 0 where nothing is unsatisfied', async () => {
  const { status } = await scan('svc 2026.3\nleft-pad 1.0\n');

  expect(status).toBe(0);
});

test('--json has the results of the specification, one for each entry and policy', async () => {
  const { stdout } = await scan('svc 2025.1', '--json');

  expect(JSON.parse(stdout)).toMatchObject({
    verb: 'scan',
    asOf: '2026-11-27',
    results: [
      { status: 'unsatisfied', policyUri: '/policies/built-in/supported', sourcedFromUri: null },
      { status: 'not-applicable', policyUri: '/policies/built-in/secure' },
    ],
  });
});

test('a policy that nobody has is 2, and a list that is not there 1', async () => {
  const policy = await scan('svc 2025.1', '--policy', 'suported');
  const missing = await runCli(['scan', join(folder, 'none'), '--out', out]);

  expect(policy.stderr).toContain('error: There is no policy "suported". Policies are supported,');
  expect([policy.status, missing.status]).toEqual([2, 1]);
});

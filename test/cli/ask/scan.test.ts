import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { program } from '../../harness/example.ts';
import { copyFolder, createFolder, openIndex } from '../../harness/index-folder.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { buildExample } from '../../harness/site.ts';

const out = buildExample();
const folder = createFolder();

function scan(list: string, ...options: string[]) {
  const file = join(folder, 'list.txt');
  writeFileSync(file, list);
  return runCli(['scan', file, '--out', out, ...options]);
}

test('prints what is due first on top, and counts what is unknown and not ours', async () => {
  const list =
    'edge-node 2.1.0\nsvc 2026.3\nbuild-cache-node 21.1\nsvc 2025.1\nleft-pad 1.0\nsvc latest\nwhat is this\n';
  const { status, stdout } = await scan(list, '--policy', 'supported');

  expect(stdout)
    .toContain(`thing                  verdict        until                                          move to
svc 2025.1             Ended          2026-10-08 (estimated)                         2026.3
build-cache-node 21.1  Deprecated     2026-12-31                                     edge-node 2.1.0
svc 2026.3             Supported      between 2027-12-30 and 2028-05-20 (estimated)
edge-node 2.1.0        No end stated
svc latest             No version
On 2026-11-27, 2 fail, 2 cannot be judged. 5 of 7 recognised. Not in this index: left-pad 1.0. Not read: line 7: what is this.`);
  expect(status).toBe(1);
});

test.each([
  ['# svc 2025.1\n\n  # more', 3, 'nothing was judged. 0 of 0 recognised. Not read: no entry.'],
  ['{"bomFormat": "CycloneDX", "components": [', 3, 'Unexpected end of JSON input: not read'],
  ['image: ${REGISTRY}/agent:${TAG}', 3, 'docker compose config --images'],
  ['svc 2025.1', 1, '1 fail, 0 cannot'],
  ['left-pad 1.0\npkg:npm/svc@2025.1', 0, '0 of 2 recognised. Not in this index: left-pad 1.0, p'],
])('a scan of %j ends with %i', async (list, expected, words) => {
  const { status, stdout, stderr } = await scan(list);

  expect(stdout + stderr).toContain(words);
  expect(status).toBe(expected);
});

test('a list of 500 lines asks an address for each file once', async () => {
  const { origin, asked } = await serveSite(out);
  const names = ['svc', 'pkg:npm/%40gradle-tech/develocity-agent', 'edge-node', 'x'];
  const lines = Array.from({ length: 500 }, (_, number) => `${names[number % 4]}@${number}\n`);

  const { stdout } = await scan(lines.join(''), '--index', origin);

  expect(stdout).toContain('of 500 recognised');
  expect(asked.filter((path) => path.startsWith('/details/'))).toHaveLength(3);
  expect(asked).toEqual([...new Set(asked)]);
});

test('a policy that nobody has is 2', async () => {
  const { status, stderr } = await scan('', '--policy', 'suported');

  expect(stderr).toContain('error: There is no policy "suported". Policies: supported,');
  expect(status).toBe(2);
});

test('standard input is judged, also by an index that is too old', () => {
  const old = openIndex(copyFolder(out));
  old.edit('status.json', (status) =>
    Object.assign(status, { asOf: '2020-01-01', staleAfterDays: 3 }),
  );
  const args = ['src/cli.js', 'scan', '-', '--json', '--out', old.root];

  const ended = spawnSync(process.execPath, args, { cwd: program, input: 'svc 2025.1' });

  expect(String(ended.stdout)).toMatch(/"2020-01-01"[^]*"unsatisfied"/);
  expect(String(ended.stderr)).toContain('index: This');
  expect(ended.status).toBe(3);
});

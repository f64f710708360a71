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

const unread =
  'A list has one item per line; CSV, package-lock.json, and SBOMs in the formats of CycloneDX and SPDX are read, too. Commands for your tool: https://releases.example.com/use.html#lists\n';

test('scan sorts entries by urgency, and prints the policies that each entry fails', async () => {
  const list =
    'edge-node 2.1.0\nsvc 2026.3\nbuild-cache-node 21.1\nsvc 2025.1\nleft-pad 1.0\nsvc latest\nsvc ^2025.1\nwhat is this\n';
  const { status, stdout, stderr } = await scan(list, '--policy', 'supported,current');

  expect(stdout)
    .toContain(`entry                  verdict        until                                          move to          fails
svc 2025.1             Ended          2026-10-08 (estimated)                         2026.3           supported, current
build-cache-node 21.1  Deprecated     2026-12-31                                     edge-node 2.1.0  supported, current
svc 2026.3             Supported      between 2027-12-30 and 2028-05-20 (estimated)
edge-node 2.1.0        No end stated
svc latest             No verdict
svc ^2025.1            No verdict
On 2026-11-27: 4 of 7 entries judged, 2 failed. No verdict: svc latest ("latest" is not a version such as 2025.3; a range, a tag or a commit may stand for any release), svc ^2025.1 ("^2025.1" is not a version such as 2025.3; a range, a tag or a commit may stand for any release). Not in this index: left-pad 1.0. 1 of 8 lines was not read. ${unread}supported: 1 satisfied, 2 failed; does not apply to 1 entry, which has no stated end of support: edge-node 2.1.0.
current: 2 satisfied, 2 failed.
`);
  expect(stderr).toMatch(
    /list\.txt: not judged: svc latest, svc \^2025\.1\nerror: \S+list\.txt, line 8 was not read: what is this\n$/,
  );
  expect(status).toBe(1);
  const current = await scan('svc 2025.4', '--policy', 'supported', '--policy', 'current');
  expect(current.stdout).toMatch(/^svc 2025\.4 +Supported .* current$/m);
});

const digest = `sha256:${'0'.repeat(64)}`;

test.each([
  ['# svc 2025.1\n\n  # more', 3, 'No entry was judged. The list does not contain an entry.\n'],
  ['', 3, 'list.txt does not contain an entry\n'],
  ['services:\n  web: {}', 3, `No entry was judged. 2 of 2 lines were not read. ${unread}error: `],
  ['services:\n  web: {}', 3, 'list.txt has 2 lines, none of which was read\n'],
  [
    '{"dependencies": {"svc": "2026.3"}}',
    3,
    `No entry was judged. The list is JSON, but none of CycloneDX, SPDX, syft or package-lock.json of npm 7. ${unread}error: `,
  ],
  ['[INFO] com.example:svc:jar:2026.3', 3, `is not valid JSON. ${unread}error: `],
  ['{"bomFormat": "CycloneDX", "comp', 3, 'list.txt begins as JSON does, but is not JSON: '],
  ['svc latest\nsvc >=2025\nleft-pad 1.0', 3, 'list.txt, line 2 was not read: svc >=2025\n'],
  ['svc exporter 2025.1', 3, 'No verdict: svc exporter 2025.1 (unknown name).'],
  ['svc 2026.3\nsvc', 3, '1 of 1 entries judged, 0 failed. 1 of 2 lines was not read. '],
  [
    '* left-pad 1.0\n- right-pad: 1.0',
    0,
    '0 of 2 entries judged, 0 failed. Not in this index: left-pad 1.0, right-pad: 1.0.\n',
  ],
  [
    'pkg:npm/foo@latest\nsvc 2026.3',
    0,
    '1 of 2 entries judged, 0 failed. No verdict: pkg:npm/foo@latest (unknown name).',
  ],
  ['svc 2025.1\nwhat is this\nnor this', 1, 'list.txt, line 3 was not read: nor this\n'],
  [
    'left-pad 1.0\npkg:npm/svc@2025.1',
    3,
    'svc is a component, but this is not one of its packages. If it should be, add the alias "pkg:npm/svc")',
  ],
  [
    `build-agent-npm-loader 1.0.0@${digest}`,
    3,
    'secure cannot tell for 1 entry, which cannot be checked, because the source of advisories is silent. To judge without advisories: --policy supported\n',
  ],
  // svc 2016.1 is older than all release lines of svc, 2025.0 is between two lines, and 2031.1 is newer than all lines. The component
  // `edge-node` has no end-of-support dates.
  [
    'svc 2016.1',
    3,
    '0 of 1 entries judged, 0 failed. No verdict: svc 2016.1 (Server 2016.1 belongs to no known release line).',
  ],
  ['svc 2025.0', 3, 'list.txt: not judged: svc 2025.0\n'],
  ['svc 2031.1', 0, '1 of 1 entries judged, 0 failed.'],
  ['edge-node 0.1', 3, '--policy supported,secure applies to no entry, so nothing was judged. '],
  [
    `build-agent-npm-loader 1.0.0@sha512:${'0'.repeat(128)}`,
    1,
    'is not a digest that is recorded for 1.0.0.\n',
  ],
])('scan of the list %j exits with %i', async (list, expected, words) => {
  const { status, stdout, stderr } = await scan(list);

  expect(stdout + stderr).toContain(words);
  expect(status).toBe(expected);
});

test('scan judges several files together, and fails if it cannot read one of them', async () => {
  const write = (name: string, text: string | Buffer) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ours = write('windows.txt', Buffer.from('\uFEFFsvc 2026.3\r\n', 'utf16le'));
  const others = write(
    'others.json',
    '\uFEFF{"spdxVersion": "SPDX-2.3", "packages": [{"name": "left-pad", "versionInfo": "1.0"}]}',
  );
  const locked = write('pnpm-lock.yaml', "lockfileVersion: '9.0'\n");
  const read = (...files: string[]) => runCli(['scan', ...files, '--out', out, '--json']);

  const judged = await read(ours, others);
  expect(JSON.parse(judged.stdout)).toMatchObject({
    entries: [
      { thing: 'svc 2026.3', file: ours, line: 1, component: 'svc', version: '2026.3', fails: [] },
      { thing: 'left-pad 1.0', file: others, fails: [], cannotTell: [] },
    ],
  });
  expect(judged.status).toBe(0);
  const half = await read(ours, locked);
  expect(JSON.parse(half.stdout)).toMatchObject({
    problems: [{ subject: locked, message: 'has 1 line, none of which was read' }],
    results: { length: 2 },
  });
  expect(half.status).toBe(3);
  const broken = write('package.json', '{"dependencies": {}}');
  const { stdout } = await runCli(['scan', ours, broken, '--out', out]);
  expect(stdout).toContain(`The list ${broken} is JSON, but none of CycloneDX, SPDX, `);
  expect(stdout).toContain(unread);
  expect(await read(ours, join(folder, 'missing'))).toMatchObject({ status: 3 });
});

test('scan reads each file of an index only once for a list of 500 lines', async () => {
  const { origin, asked } = await serveSite(out);
  const names = ['svc', 'pkg:npm/%40gradle-tech/develocity-agent', 'edge-node', 'x'];
  const lines = Array.from({ length: 500 }, (_, number) => `${names[number % 4]}@${number}\n`);

  const { stdout } = await scan(lines.join(''), '--index', origin);

  expect(stdout).toContain('of 500 entries judged');
  expect(asked.filter((path) => path.startsWith('/details/'))).toHaveLength(3);
  expect(asked).toEqual([...new Set(asked)]);
});

test('scan exits with 2 for an unknown policy', async () => {
  const { status, stderr } = await scan('', '--policy', 'suported');

  expect(stderr).toContain('error: There is no policy "suported". Policies: supported,');
  expect(status).toBe(2);
});

test('scan reads standard input in UTF-16, and warns about an outdated index', () => {
  const old = openIndex(copyFolder(out));
  old.edit('status.json', { asOf: '2020-01-01', staleAfterDays: 3 });
  const args = ['src/cli.js', 'scan', '-', '--json', '--out', old.root];

  const input = Buffer.from('svc 2025.1\r\n', 'utf16le');
  const ended = spawnSync(process.execPath, args, { cwd: program, input });

  expect(JSON.parse(String(ended.stdout))).toMatchObject({
    asOf: '2020-01-01',
    problems: [{ subject: 'index' }],
    results: [{ status: 'unsatisfied' }, {}],
  });
  expect(String(ended.stderr)).toContain('index: This');
  expect(ended.status).toBe(1);
});

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { exampleDay, exampleRoot } from '../../harness/example.ts';
import { createFolder } from '../../harness/index-folder.ts';

const folder = createFolder();
/** A built site of which nothing is there but the status and one component. */
const site = join(folder, 'one');

beforeAll(async () => {
  const whole = join(folder, 'whole');
  const { status, stderr } = await runCli([
    ...['build', '--root', exampleRoot, '--out', whole, '--as-of', exampleDay],
  ]);
  expect(status, stderr).toBe(0);

  for (const path of ['status.json', 'details/svc.json']) {
    cpSync(join(whole, path), join(site, path));
  }
});

const explain = (...words: string[]) => runCli(['explain', ...words, '--out', site]);

const ofVersion = `svc 2025.1 on 2026-11-27: Ended
Server 2025.1 was supported until 2026-10-08 (estimated).
Move to 2026.3.
18 months from its first release, 2025-04-08: estimated.
Released 2025-04-08, line 2025.1.
`;

test.each([['svc', '2025.1'], ['svc@2025.1']])(
  'explains a version from the status and its component alone: %s %s',
  async (...words) => {
    const { status, stdout } = await explain(...words);

    expect(status).toBe(0);
    expect(stdout).toContain(ofVersion);
  },
);

test('a line of a component says its state once', async () => {
  const { stdout } = await explain('svc');

  expect(stdout).toContain('\n  2025.2: ends soon, until 2027-01-15 (estimated); newest 2025.2, 1');
  expect(stdout).toContain('\n  2025.1: ended 2026-10-08 (estimated); 1 release\n');
});

test.each([
  ['a mistyped name', site, ['svcc'], 2, 'Did you mean "svc"?'],
  ['a word', site, ['svc', 'latest'], 2, 'expected a version such as 2025.3; got "latest"'],
  ['no built site', join(folder, 'nowhere'), ['svc'], 3, 'nowhere: no site was built there. Run: '],
])('refuses %s', async (_, out, words, expected, message) => {
  const { status, stderr } = await runCli(['explain', ...words, '--out', out]);

  expect([status, stderr]).toEqual([expected, expect.stringContaining(message)]);
});

test.each([
  ['explain', 'svc', '2025.1'],
  ['search', 'component:svc'],
  ['scan', 'list.txt'],
])('%s answers for no other day than that of the build', async (...words) => {
  const { status, stdout, stderr } = await runCli([
    ...[...words, '--out', site, '--as-of', '2025-06-01'],
  ]);

  expect(stderr).toBe(
    'error: --as-of 2025-06-01: the index was built as of 2026-11-27. For another day: npx release-index build --as-of 2025-06-01 --out <folder>, then ask with this --out\n',
  );
  expect([status, stdout]).toEqual([2, '']);
});

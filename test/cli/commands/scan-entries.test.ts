import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/core/schemas/published/plan-answer.ts';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { linesOf, ownProgram } from '../../harness/cli.ts';
import { run } from '../../harness/run.ts';
import { cyclonedx, folderWith, scan, scanDocument, sound } from '../../harness/scanning.ts';

const parse = (stdout: string) => (JSON.parse(stdout) as { results: PolicyScan[] }).results;

test('scan never reads a file in place of an item, whatever the file is named', async () => {
  const folder = folderWith({ 'svc@2025.1': '', '@example/edge-node@1.0.0': '' });
  const where = ['--root', fixtureIndex, '--as-of', fixtureDay];
  const before = process.cwd();
  process.chdir(folder);
  try {
    for (const thing of ['svc@2025.1', '@example/edge-node@1.0.0', 'pkg:generic/svc@2025.1']) {
      const { status, stdout } = await run([
        'scan',
        thing,
        ...where,
        '--policy',
        'supported',
        '--json',
      ]);

      expect(parse(stdout)).toMatchObject([{ thing, status: 'unsatisfied' }]);
      expect(status).toBe(1);
    }
    const asFile = await run(['scan', './svc@2025.1', ...where]);
    expect(asFile.stderr).toMatch(/^error: \.\/svc@2025\.1: has no items/);
  } finally {
    process.chdir(before);
  }
});

test('scan judges a document of 80,000 packages', async () => {
  const components = Array.from({ length: 80_000 }, (_, at) => ({ name: `p${at}`, version: '1' }));
  const folder = folderWith({ 'bom.json': cyclonedx(...components, sound) });

  const policies = ['--policy', 'supported', '--policy', 'secure'];
  const { status, stdout } = await scan(folder, [join(folder, 'bom.json'), ...policies]);

  expect(stdout).toContain('80,001 entries: 1 judged, 80,000 not ours. 160,002 results');
  expect(status).toBe(0);
});

test('a version that is not listed is unknown while its line lives', async () => {
  const content = cyclonedx(sound, { name: 'svc', version: '2026.2.99' });

  const lenient = await scanDocument(content, '--json');
  const strict = await scanDocument(content, '--strict');

  expect(parse(lenient.stdout)[1]).toMatchObject({
    thing: 'svc@2026.2.99',
    status: 'unknown',
    details: { component: 'svc', reason: expect.stringContaining('is not listed') as string },
  });
  expect(lenient).toMatchObject({
    status: 0,
    stderr: 'warning: scan: 2 entries: 1 judged, 1 unknown\n',
  });
  expect(strict).toMatchObject({
    status: 1,
    stderr: 'error: scan: 2 entries: 1 judged, 1 unknown\n',
  });
});

test('a version that two lines state behind different names is two entries', async () => {
  const list = 'svc 2025.1, 21.2\nedge-node 2.0.1, 21.2\nedge-node 2.0.1, 21.2\n';
  const { stdout, stderr } = await scanDocument(list, '--json');

  const { notRead } = (JSON.parse(stdout) as { plan: Plan }).plan;
  expect(notRead.map(({ line, didYouMean }) => [line, didYouMean])).toEqual([
    [1, ['svc@21.2']],
    [2, ['edge-node@21.2']],
  ]);
  expect(stderr).toContain('scan: 6 entries: 2 judged, 2 unknown, 2 duplicates\n');
});

test.each([[], ['--json'], ['--sarif']])(
  'scan accounts for each entry in the report %s',
  async (...form) => {
    const { status, stdout, stderr } = await scanDocument(
      cyclonedx(
        sound,
        { name: 'left-pad', version: '1.3.0', purl: 'pkg:npm/left-pad@1.3.0' },
        { name: 'svc' },
        sound,
        { name: 'svc', version: '2026.2', purl: 'pkg:generic/svc@2026.2?a=b' },
        { name: 'broken', purl: 'pkg:npm/\ud800@1' },
        { name: 'svc', version: 'main' },
      ),
      ...form,
    );

    const account = '7 entries: 2 judged, 1 not ours, 3 unknown, 1 duplicate';
    expect({ status, stderr }).toEqual({ status: 0, stderr: `warning: scan: ${account}\n` });
    if (form.length === 0) {
      expect(linesOf(stdout).at(-1)).toBe(`${account}. 6 results, 0 unsatisfied.`);
    }
    if (form[0] === '--sarif') {
      expect(stdout).toContain(`${account}.`);
    }
  },
);

test('each result names its file and line, and its package URL in canonical form', async () => {
  const document = cyclonedx(sound, { name: 'x', purl: 'pkg:generic/svc@2025.1' });
  const text = JSON.stringify(document, undefined, 1);
  const folder = folderWith({
    'list.txt': '# ours\nsvc=2026.2\npkg:NPM/@example/edge-node@2.0.2?x=y\n',
    'bom.json': text,
  });
  const files = ['list.txt', 'bom.json'].map((name) => join(folder, name));

  const { stdout } = await scan(folder, [...files, 'svc@2026.3', '--json']);

  const lineOf = (content: string) => text.split('\n').indexOf(content) + 1;
  expect(
    parse(stdout).map(({ purl, file, line }) => [purl, file?.split('/').at(-1), line]),
  ).toEqual([
    [undefined, 'list.txt', 2],
    ['pkg:npm/%40example/edge-node@2.0.2', 'list.txt', 3],
    ['pkg:generic/svc@2025.1', 'bom.json', lineOf('   "purl": "pkg:generic/svc@2025.1"')],
    [undefined, undefined, undefined],
  ]);
});

test('scan reads standard input', () => {
  const where = ['--root', fixtureIndex, '--as-of', fixtureDay, '--policy', 'supported'];
  const args = [ownProgram, 'scan', '-', ...where, '--json'];

  const { status, stdout } = spawnSync(process.execPath, args, {
    input: 'svc=2025.1\n',
    encoding: 'utf8',
  });

  expect(parse(stdout)).toMatchObject([{ thing: 'svc=2025.1', line: 1, status: 'unsatisfied' }]);
  expect(status).toBe(1);
});

test('scan rejects a file that is not UTF-8 with a message', async () => {
  const folder = folderWith({});
  const path = join(folder, 'list.txt');
  writeFileSync(path, Buffer.from('svc 2025.1 für alle\n', 'latin1'));

  const { status, stderr } = await scan(folder, [path]);

  expect(stderr).toContain('error: list.txt: cannot be read: the file is not UTF-8');
  expect(status).toBe(3);
});

test('scan counts thousands of foreign things on one line', async () => {
  const many = Array.from({ length: 30_000 }, (_, index) => `component-${index}=1.0`);
  const list = [...many, 'svc=2026.2', 'svc=main'].join('\n');

  const brief = await scanDocument(list, '--strict');

  expect(brief.status).toBe(1);
  expect(linesOf(brief.stdout)).toEqual([
    expect.stringMatching(/^thing +status/),
    expect.stringMatching(/^svc=2026\.2 +satisfied/),
    expect.stringMatching(/^svc=main +not-applicable/),
    'svc=main: "main" is no version; a tag or a commit may stand for any release.',
    'Nothing is due before 30 Dec 2027. Advisories: not known.',
    '30,002 entries: 1 judged, 30,000 not ours, 1 unknown. 2 results, 0 unsatisfied.',
  ]);
});

test('a mistyped item of the command line fails, and one in a list does not', async () => {
  const [item, list] = [await scan('', ['svk@2025.1']), await scanDocument('svk@2025.1\n')];
  const message = '"svk@2025.1" names no component of this index. Did you mean "svc@2025.1"?';

  expect([item.status, list.status]).toEqual([1, 0]);
  expect(item.stderr).toContain(`error: svk@2025.1: ${message}`);
  expect(list.stderr).toContain(message);
});

test.each<[string, boolean, (...args: string[]) => ReturnType<typeof run>]>([
  [
    'a document',
    true,
    (...args) => scanDocument(cyclonedx({ name: 'left-pad', version: '1' }), ...args),
  ],
  ['a list', false, (...args) => scanDocument('left-pad=1.3.0\n', ...args)],
  ['an item', false, (...args) => scan('', ['left-pad@1.3.0', ...args])],
])('--strict with %s that the index does not know', async (_what, isAccepted, ask) => {
  const notice = 'notice: scan: 1 entry: 0 judged, 1 not ours\n';
  expect(await ask()).toMatchObject({ status: 0, stderr: notice });
  const strict = await ask('--strict');

  if (isAccepted) {
    expect(strict).toMatchObject({ status: 0, stderr: notice });
  } else {
    expect(strict.status).toBe(1);
    expect(strict.stderr).toMatch(/^error: .*: has no item that could be judged$/m);
  }
});

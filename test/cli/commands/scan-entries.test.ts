import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { linesOf } from '../../harness/cli.ts';
import { removeTemporaryFolders, temporaryFolder, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { cyclonedx, graph, scanDocument, sound, spdx, spdx3 } from '../../harness/scanning.ts';

afterAll(removeTemporaryFolders);

test('a file does not take the place of a version, whatever it is named', async () => {
  const folder = temporaryFolder();
  writeIn(folder, 'svc@2025.1', '');
  writeIn(folder, '@example/edge-node@1.0.0', '');
  const before = process.cwd();
  process.chdir(folder);
  try {
    for (const thing of ['svc@2025.1', '@example/edge-node@1.0.0', 'pkg:generic/svc@2025.1']) {
      const { status, stdout } = await run([
        ...['scan', thing, '--root', fixtureIndex, '--as-of', fixtureDay, '--policy', 'supported', '--json'],
      ]);

      expect(JSON.parse(stdout)).toMatchObject([{ thing, status: 'unsatisfied' }]);
      expect(status).toBe(1);
    }
    const asFile = await run(['scan', './svc@2025.1', '--root', fixtureIndex, '--as-of', fixtureDay]);
    expect(asFile.stderr).toMatch(/^error: \.\/svc@2025\.1: has no items/);
  } finally {
    process.chdir(before);
  }
});

test('a version that is not listed is unknown while its line lives', async () => {
  const content = cyclonedx(sound, { name: 'svc', version: '2026.2.99' });

  const lenient = await scanDocument(content, '--json');
  const strict = await scanDocument(content, '--strict');

  expect((JSON.parse(lenient.stdout) as PolicyScan[])[1]).toMatchObject({
    thing: 'svc@2026.2.99',
    status: 'unknown',
    details: {
      component: 'svc',
      version: '2026.2.99',
      reason: expect.stringMatching(/is not listed/) as string,
    },
  });
  expect(lenient).toMatchObject({ status: 0, stderr: 'warning: scan: 2 entries: 1 judged, 1 unknown\n' });
  expect(strict).toMatchObject({ status: 1, stderr: 'error: scan: 2 entries: 1 judged, 1 unknown\n' });
});

test('a version that is not listed, of a line that has ended, says what to move to', async () => {
  const { stdout } = await scanDocument(cyclonedx({ name: 'svc', version: '2025.1.99' }), '--json');

  expect(JSON.parse(stdout)).toMatchObject([
    {
      status: 'unsatisfied',
      policyRemediation: expect.stringMatching(/^Move to 2026\.3/) as string,
      details: {
        reason: expect.stringMatching(/Its line 2025\.1 has been out of support since /) as string,
        supportedUntil: '2026-10-08',
        moveTo: { component: 'svc', version: '2026.3' },
      },
    },
  ]);
});

test('scan accounts for each entry, in each form of the report', async () => {
  const content = cyclonedx(
    sound,
    { name: 'left-pad', version: '1.3.0', purl: 'pkg:npm/left-pad@1.3.0' },
    { name: 'svc' },
    sound,
    { name: 'svc', version: '2026.2', purl: 'pkg:generic/svc@2026.2?a=b' },
    { name: 'broken', purl: 'pkg:npm/\ud800@1' },
    { name: 'svc', version: 'main' },
  );
  const account = '7 entries: 2 judged, 1 not ours, 3 unknown, 1 duplicate';

  for (const form of [[], ['--json'], ['--ndjson'], ['--sarif']]) {
    const { status, stdout, stderr } = await scanDocument(content, ...form);

    expect(stderr).toBe(`warning: scan: ${account}\n`);
    expect(status).toBe(0);
    if (form.length === 0) expect(linesOf(stdout).at(-1)).toBe(`${account}. 6 results, 0 unsatisfied.`);
    if (form[0] === '--sarif') expect(stdout).toContain(`${account}.`);
  }
});

test('each result says where it was written, and as what', async () => {
  const folder = temporaryFolder();
  writeIn(folder, 'list.txt', '# ours\nsvc=2026.2\npkg:NPM/@example/edge-node@2.0.2?x=y\n');
  const file = join(folder, 'list.txt');

  const { stdout } = await run([
    ...['scan', file, 'svc@2026.3', '--root', fixtureIndex, '--as-of', fixtureDay],
    ...['--policy', 'supported', '--json'],
  ]);

  const written = (JSON.parse(stdout) as PolicyScan[]).map(({ thing, purl, file, line }) => ({
    ...{ thing, purl, file, line },
  }));
  expect(written).toEqual([
    { thing: 'svc@2026.2', file: expect.stringMatching(/list\.txt$/) as string, line: 2 },
    {
      thing: 'pkg:NPM/@example/edge-node@2.0.2?x=y',
      purl: 'pkg:npm/%40example/edge-node@2.0.2',
      file: expect.stringMatching(/list\.txt$/) as string,
      line: 3,
    },
    { thing: 'svc@2026.3' },
  ]);
});

test('scan reads standard input', () => {
  const cli = join(import.meta.dirname, '../../../src/cli.js');
  const where = ['--root', fixtureIndex, '--as-of', fixtureDay, '--policy', 'supported'];
  const args = [cli, 'scan', '-', ...where, '--json'];

  const { status, stdout } = spawnSync(process.execPath, args, { input: 'svc=2025.1\n', encoding: 'utf8' });

  expect(JSON.parse(stdout)).toMatchObject([{ thing: 'svc@2025.1', line: 1, status: 'unsatisfied' }]);
  expect(status).toBe(1);
});

test('scan counts thousands of foreign things on one line, and lists them with --all', async () => {
  const many = Array.from({ length: 30_000 }, (_, index) => `part-${index}=1.0`);
  const list = [...many, 'svc=2026.2', 'svc=main'].join('\n');
  const [brief, each] = [await scanDocument(list, '--strict'), await scanDocument(list, '--all')];

  expect(brief.status).toBe(1);
  expect(linesOf(brief.stdout)).toEqual([
    expect.stringMatching(/^thing +status/),
    expect.stringMatching(/^svc@2026\.2 +satisfied/),
    expect.stringMatching(/^svc@main +not-applicable/),
    'svc@main: "main" is no version; a tag or a commit may stand for any release.',
    '30,002 entries: 1 judged, 30,000 not ours, 1 unknown. 30,002 results, 0 unsatisfied.',
  ]);
  expect(linesOf(each.stdout).length).toBeGreaterThan(60_000);
  expect(each.stderr).toBe('warning: scan: 30,002 entries: 1 judged, 30,000 not ours, 1 unknown\n');
});

test('a document may have nothing of the index; a list and an item must not with --strict', async () => {
  const foreign = { name: 'left-pad', version: '1.3.0' };
  const where = ['--root', fixtureIndex, '--as-of', fixtureDay];
  const account = 'scan: 1 entry: 0 judged, 1 not ours';

  expect(await scanDocument(cyclonedx(sound, foreign), '--strict')).toMatchObject({ status: 0, stderr: '' });
  for (const strict of [[], ['--strict']]) {
    const document = await scanDocument(cyclonedx(foreign), ...strict);
    expect(document).toMatchObject({ status: 0, stderr: `notice: ${account}\n` });
  }
  for (const ask of [
    (...args: string[]) => scanDocument('left-pad=1.3.0\n', ...args),
    (...args: string[]) => run(['scan', 'left-pad@1.3.0', ...where, ...args]),
  ]) {
    expect(await ask()).toMatchObject({ status: 0, stderr: `notice: ${account}\n` });
    const strict = await ask('--strict');
    expect(strict.status).toBe(1);
    expect(strict.stderr).toMatch(/^error: .*: has no item that could be judged$/m);
  }
});

test('each result of a document says on which line it is', async () => {
  const text = JSON.stringify(cyclonedx(sound, { name: 'x', purl: 'pkg:generic/svc@2025.1' }), undefined, 1);

  const { stdout } = await scanDocument(text, '--json');

  const lines = (JSON.parse(stdout) as PolicyScan[]).map(({ line }) => text.split('\n')[line! - 1]);
  expect(lines).toEqual(['   "name": "svc",', '   "purl": "pkg:generic/svc@2025.1"']);
});

test.each([
  [{ ...cyclonedx(sound), specVersion: '1.2' }, ''],
  [{ ...cyclonedx(sound), specVersion: '1.3' }, ''],
  [{ ...cyclonedx(sound), specVersion: '1.7' }, ''],
  [
    { ...cyclonedx(sound), specVersion: '1.12' },
    'notice: bom.json: CycloneDX 1.12 is newer than this program; its components were read as before\n',
  ],
  [
    { specFormat: 'CycloneDX', specVersion: '2.0', components: [sound] },
    'notice: bom.json: CycloneDX 2.0 is newer than this program; its components were read as before\n',
  ],
  [{ ...spdx({ name: 'svc', versionInfo: '2026.2' }), spdxVersion: 'SPDX-2.2' }, ''],
  [
    { ...spdx({ name: 'svc', versionInfo: '2026.2' }), spdxVersion: 'SPDX-2.4' },
    'notice: bom.json: SPDX 2.4 is newer than this program; its components were read as before\n',
  ],
  [graph(spdx3({ name: 'svc', software_packageVersion: '2026.2' })), ''],
  [
    {
      ...graph(spdx3({ name: 'svc', software_packageVersion: '2026.2' })),
      '@context': 'https://spdx.org/rdf/3.2.0/spdx-context.jsonld',
    },
    'notice: bom.json: SPDX 3.2 is newer than this program; its components were read as before\n',
  ],
])('scan reads the components of other versions of the standards: %j', async (content, expected) => {
  const { status, stderr } = await scanDocument(content);

  expect(stderr).toBe(expected);
  expect(status).toBe(0);
});

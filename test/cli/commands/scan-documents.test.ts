import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { linesOf } from '../../harness/cli.ts';
import { makeRoot } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { cyclonedx, folderWith, scan, scanDocument, sound, spdx } from '../../harness/scanning.ts';

const judged = (stdout: string) =>
  (JSON.parse(stdout) as { results: PolicyScan[] }).results.map(
    ({ status, details: { component, version } }) => [...[component, version, status]],
  );

test('scan reads components within components of CycloneDX, each once and in its place', async () => {
  const { stdout } = await scanDocument(
    cyclonedx(
      {
        ...{ name: 'wrapper', version: '1.0' },
        components: [
          { name: 'svc', version: '2026.1' },
          { name: 'x', purl: 'pkg:npm/%40example/edge-node@1.0.0' },
        ],
      },
      { name: '__proto__', version: '1.0' },
      { name: 'svc', purl: 'not a package URL' },
      { name: 'svc', version: '2026.1' },
      { name: 'svcctl' },
      { name: 'edge-node', version: '1.0.0' },
    ),
    '--json',
  );

  expect(judged(stdout)).toEqual([
    [undefined, '1.0', 'not-applicable'],
    ['svc', '2026.1', 'satisfied'],
    ['edge-node', '1.0.0', 'unsatisfied'],
    [undefined, '1.0', 'not-applicable'],
    [undefined, undefined, 'unknown'],
    ['svcctl', undefined, 'unknown'],
    ['edge-node', '1.0.0', 'unsatisfied'],
  ]);
});

test('scan reads packages of SPDX by package URL or name, and the described one', async () => {
  const reference = { referenceType: 'purl', referenceLocator: 'pkg:generic/svc@2025.1' };
  const { stdout } = await scanDocument(
    {
      ...spdx(
        { SPDXID: 'SPDXRef-app', name: 'svc', versionInfo: '2024.1' },
        { name: 'whatever', externalRefs: [{ referenceType: 'cpe23Type' }, reference] },
        { name: 'svcctl', versionInfo: '1.20' },
      ),
      relationships: [{ relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-app' }],
    },
    '--json',
  );

  expect(judged(stdout)).toEqual([
    ['svc', '2024.1', 'unsatisfied'],
    ['svc', '2025.1', 'unsatisfied'],
    ['svcctl', '1.20', 'unknown'],
  ]);
});

const bom = (specVersion: unknown) => ({ ...cyclonedx(sound), specVersion });
const ofSpdx = (version: string) => ({
  ...spdx({ name: 'svc', versionInfo: '2026.2' }),
  spdxVersion: `SPDX-${version}`,
});

test.each<[string, object, newer?: string]>([
  ['CycloneDX 1.2', bom('1.2')],
  ['CycloneDX 1.7', bom('1.7')],
  ['CycloneDX 1.12', bom('1.12'), 'CycloneDX 1.12'],
  ['SPDX 2.2', ofSpdx('2.2')],
  ['SPDX 2.3', ofSpdx('2.3')],
])('scan reads %s', async (_standard, content, newer) => {
  const { status, stderr } = await scanDocument(content, '--strict');

  const note = `notice: bom.json: ${newer} is newer than this program; its components were read as before\n`;
  expect({ status, stderr }).toEqual({ status: 0, stderr: newer === undefined ? '' : note });
});

const nested = `${'{"name":"a","components":['.repeat(5000)}${']}'.repeat(5000)}`;

test.each<[string, unknown]>([
  ['has no items', '{"a": 1}'],
  ['has no items', '[{"a": 1}]'],
  ['has no items', '{'],
  ['line 1 column', '{"bomFormat": "CycloneDX",'],
  ['XML is not supported; write the bill of materials as JSON', '<bom/>'],
  ['specVersion: expected 1.x, such as 1.7; got "2.0"', bom('2.0')],
  ['specVersion: expected 1.x, such as 1.7; got {"toString":null}', bom({ toString: null })],
  ['specVersion: expected 1.x, such as 1.7; got ["1.4"]', bom(['1.4'])],
  ['specVersion: expected 1.x, such as 1.7; got undefined', bom(undefined)],
  ['spdxVersion: expected SPDX-2.2 or SPDX-2.3; got "SPDX-3.0"', { spdxVersion: 'SPDX-3.0' }],
  ['spdxVersion: expected SPDX-2.2 or SPDX-2.3; got null', { spdxVersion: null }],
  ['spdxVersion: expected SPDX-2.2 or SPDX-2.3; got "SPDX-2.1"', ofSpdx('2.1')],
  [
    'expected CycloneDX (bomFormat) or SPDX 2',
    { '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': [] },
  ],
  ['has no items', { SchemaVersion: 2, Results: [] }],
  ['components[1]: expected an object; got null', cyclonedx({ name: 'a' }, null as never)],
  ['components[0].name: expected a text; got 5', cyclonedx({ name: 5 })],
  [
    'metadata.component: expected an object; got "a"',
    { ...cyclonedx(), metadata: { component: 'a' } },
  ],
  ['components[0]: expected package URLs as texts; got [5]', cyclonedx({ name: 'svc', purl: 5 })],
  ['packages: expected a list; got {}', { spdxVersion: 'SPDX-2.3', packages: {} }],
  ['line 2: has the key "bomFormat" a second time', '{"bomFormat": "CycloneDX",\n"bomFormat": ""}'],
  [
    'components are nested more than 100 levels deep',
    `{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [${nested}]}`,
  ],
])('scan rejects a malformed document: %s', async (expected, content) => {
  const { status, stderr } = await scanDocument(content);

  expect(status).toBe(3);
  expect(linesOf(stderr)).toEqual([expect.stringMatching(/^error: bom\.json: /)]);
  expect(stderr).toContain(expected);
});

test('scan annotates failures in a GitHub workflow, and lists them in its summary', async () => {
  const folder = folderWith({
    'list.txt': '# ours\nsvc=2025.1\nsvc=2026.1\nnope=1.0\n',
    'summary.md': '',
  });
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
  const args = [join(folder, 'list.txt')];

  const { stdout } = await scan(folder, args, undefined, env);
  const asJson = await scan(folder, [...args, '--json'], undefined, env);

  expect(stdout).toMatch(
    /^::error title=svc=2025\.1,file=.*list\.txt,line=2::does not satisfy "supported"\. Server 2025\.1 was supported .* Move to 2026\.3/m,
  );
  expect(stdout).toMatch(/^3 entries: 2 judged, 1 not ours/m);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ results: [{}, {}] });
  const written = readFileSync(join(folder, 'summary.md'), 'utf8');
  expect(written).toMatch(/^ {4}error: svc=2025\.1: does not satisfy "supported"\. /m);
  expect(written).toMatch(/^ {4}thing +status .*\n {4}svc=2025\.1 +unsatisfied \(supported\) /m);
  expect(written).not.toMatch(/^\S/m);
});

test('an annotation at a file of the command line leads to it, whatever --root names', async () => {
  const folder = folderWith({ 'broken.json': '[{', 'summary.md': '' });
  const file = join(folder, 'broken.json');
  const named = relative(process.cwd(), file);
  const root = ['--root', makeRoot({})];
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };

  const outputs = [
    await scan(folder, ['svc=2025.1', '--exceptions', named, ...root], undefined, env),
    await run(['add', 'static', named, ...root], env),
  ];

  for (const { stdout } of outputs) {
    expect(stdout).toContain(`::error title=${named},file=${file}::not JSON: `);
  }
});

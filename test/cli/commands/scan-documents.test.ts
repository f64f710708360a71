import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { linesOf } from '../../harness/cli.ts';
import {
  definition,
  makeRoot,
  removeTemporaryFolders,
  temporaryFolder,
  writeIn,
} from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

afterAll(removeTemporaryFolders);

const day = ['--as-of', fixtureDay];

/** Scans a document as a file, as text or as JSON, with the index of the fixtures. */
async function scan(
  content: unknown,
  args: readonly string[] = ['--json'],
  env: Record<string, string> = {},
) {
  const folder = temporaryFolder();
  writeIn(folder, 'bom.json', content);
  const file = join(folder, 'bom.json');
  const policy = args.includes('--policy') ? [] : ['--policy', 'supported'];
  const ran = await run(['scan', file, '--root', fixtureIndex, ...day, ...policy, ...args], env);
  return { ...ran, stderr: ran.stderr.replaceAll(file, 'bom.json') };
}

const summary = (stdout: string) =>
  (JSON.parse(stdout) as PolicyScan[]).map(({ status, details }) => [
    details.component,
    details.version,
    status,
  ]);

// Written by `npm sbom` of npm 11.19 on 2026-11-20 for a folder with two dependencies; without hashes, authors and links.
test.each(['npm-bom.cyclonedx.json', 'npm-bom.spdx.json'])(
  'scan reads the output of npm: %s',
  async (name) => {
    const root = makeRoot({
      'components/is.json': definition({
        sources: [{ datasource: 'npm', packageName: '@sindresorhus/is' }],
        support: { policy: 'latest-lines', count: 1, line: 1 },
      }),
      'data/is.json': { releases: [{ version: '7.0.0' }, { version: '8.0.0' }] },
      'components/is-number.json': definition({ sources: [{ datasource: 'npm', packageName: 'is-number' }] }),
      'data/is-number.json': { releases: [{ version: '6.0.0' }] },
    });
    const file = resolve(import.meta.dirname, '../../fixtures', name);

    const { status, stdout } = await run([
      'scan',
      file,
      '--root',
      root,
      ...day,
      '--policy',
      'supported',
      '--json',
    ]);

    expect(summary(stdout)).toEqual([
      [undefined, '1.0.0', 'not-applicable'],
      ['is', '7.0.0', 'unsatisfied'],
      ['is-number', '6.0.0', 'unknown'],
      [undefined, '3.0.1', 'not-applicable'],
    ]);
    expect(status).toBe(1);
  },
);

const components = [
  {
    name: 'wrapper',
    version: '1.0',
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
];

test.each(['1.4', '1.5', '1.6'])(
  'CycloneDX %s: components in components, each entry once and in its place',
  async (specVersion) => {
    const { stdout } = await scan({ bomFormat: 'CycloneDX', specVersion, components });

    expect(summary(stdout)).toEqual([
      [undefined, '1.0', 'not-applicable'],
      ['svc', '2026.1', 'satisfied'],
      ['edge-node', '1.0.0', 'unsatisfied'],
      [undefined, '1.0', 'not-applicable'],
      [undefined, undefined, 'unknown'],
      ['svcctl', undefined, 'unknown'],
      ['edge-node', '1.0.0', 'unsatisfied'],
    ]);
  },
);

test('SPDX: reads packages by package URL or name, and the described one', async () => {
  const reference = { referenceType: 'purl', referenceLocator: 'pkg:generic/svc@2025.1' };
  const packages = [
    { SPDXID: 'SPDXRef-app', name: 'svc', versionInfo: '2024.1' },
    { SPDXID: 'SPDXRef-a', name: 'whatever', externalRefs: [{ referenceType: 'cpe23Type' }, reference] },
    { SPDXID: 'SPDXRef-b', name: 'svcctl', versionInfo: '1.20' },
  ];
  const relationships = [{ relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-app' }];

  const { stdout } = await scan({ spdxVersion: 'SPDX-2.3', packages, relationships });

  expect(summary(stdout)).toEqual([
    ['svc', '2024.1', 'unsatisfied'],
    ['svc', '2025.1', 'unsatisfied'],
    ['svcctl', '1.20', 'unknown'],
  ]);
});

test.each([
  ['{"a": 1}', /expected a document of CycloneDX \(bomFormat\), SPDX/],
  ['[]', /it is none of them/],
  ['{', /line 1 column 2/],
  ['<bom/>', /XML is not supported; write the document as JSON/],
  [{ bomFormat: 'CycloneDX', specVersion: '2' }, /specVersion: expected one such as 1\.7; got "2"/],
  [
    { bomFormat: 'CycloneDX', specVersion: { toString: null, valueOf: null } },
    /specVersion: expected one such as 1\.7; got \{"toString":null,"valueOf":null\}/,
  ],
  [
    { bomFormat: 'CycloneDX', specVersion: ['1.4'] },
    /specVersion: expected one such as 1\.7; got \["1\.4"\]/,
  ],
  [{ bomFormat: 'CycloneDX' }, /specVersion: expected one such as 1\.7; got undefined/],
  [{ spdxVersion: 'SPDX-3.0' }, /spdxVersion: expected SPDX-2\.x; got "SPDX-3\.0"/],
  [{ spdxVersion: null }, /spdxVersion: expected SPDX-2\.x; got null/],
  [
    { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ name: 'a' }, null] },
    /components\[1\]: expected an object; got null/,
  ],
  [
    { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ name: 5 }] },
    /components\[0\]\.name: expected a text; got 5/,
  ],
  [
    { bomFormat: 'CycloneDX', specVersion: '1.6', metadata: { component: 'app' } },
    /metadata\.component: expected an object; got "app"/,
  ],
  [
    { bomFormat: 'CycloneDX', specVersion: '1.6', components: [{ name: 'svc', purl: 5 }] },
    /components\[0\]: expected package URLs as texts; got \[5\]/,
  ],
  [{ spdxVersion: 'SPDX-2.3', packages: {} }, /packages: expected a list; got \{\}/],
  [
    '{"bomFormat": "CycloneDX",\n"specVersion": "1.6", "bomFormat": ""}',
    /line 2: has the key "bomFormat" a second time/,
  ],
])('scan rejects a malformed document: %j', async (content, expected) => {
  const { status, stderr } = await scan(content);

  expect(status).toBe(3);
  expect(linesOf(stderr)).toHaveLength(1);
  expect(stderr).toMatch(/^error: bom\.json: /);
  expect(stderr).toMatch(expected);
});

test('scan rejects components that are nested too deep', async () => {
  const nested = `{"name":"a","version":"1","components":[`.repeat(5000) + `]}`.repeat(5000);

  const { status, stderr } = await scan(
    `{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [${nested}]}`,
  );

  expect(status).toBe(3);
  expect(stderr).toBe('error: bom.json: components lie more than 100 levels deep in each other\n');
});

test('scan judges fifty thousand components', async () => {
  const many = Array.from({ length: 50_000 }, (_, index) => ({
    name: index % 2 === 0 ? 'svc' : `part-${index}`,
    version: `2025.${index}`,
  }));

  const { stdout } = await scan({ bomFormat: 'CycloneDX', specVersion: '1.6', components: many }, []);

  expect(linesOf(stdout).at(-1)).toBe(
    '50,000 entries: 2 judged, 25,000 not ours, 24,998 unknown. 50,000 results, 0 unsatisfied.',
  );
});

test('SARIF lists failures with their files, and counts unknown items', async () => {
  const { status, stdout } = await scan('svc=2026.1\n# old\nsvc=2025.1\nnope=1.0\n', [
    '--sarif',
    ...['--policy', 'stable', '--policy', 'supported'],
  ]);

  const { version, runs } = JSON.parse(stdout) as {
    version: string;
    runs: { tool: { driver: { rules: { id: string }[] } }; results: unknown[]; invocations: unknown[] }[];
  };
  expect(status).toBe(1);
  expect(version).toBe('2.1.0');
  expect(runs[0]!.tool.driver.rules.map(({ id }) => id)).toEqual(['stable', 'supported', 'advisories']);
  expect(runs[0]!.results).toMatchObject([
    {
      ruleId: 'supported',
      ruleIndex: 1,
      level: 'error',
      message: {
        text: expect.stringMatching(
          /^svc@2025\.1: Server 2025\.1 has been out of support since .* Move to 2026\.3/,
        ) as string,
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: expect.stringMatching(/bom\.json$/) as string },
            region: { startLine: 3 },
          },
          logicalLocations: [{ fullyQualifiedName: 'svc@2025.1' }],
        },
      ],
    },
  ]);
  expect(runs[0]!.invocations).toMatchObject([
    {
      executionSuccessful: true,
      toolExecutionNotifications: [{ level: 'note', message: { text: '3 entries: 2 judged, 1 not ours.' } }],
    },
  ]);
});

test('scan annotates failures in a GitHub workflow, and lists them in its summary', async () => {
  const summaryFile = join(temporaryFolder(), 'summary.md');
  writeIn(summaryFile, '../summary.md', '');
  const list = 'svc=2025.1\nsvc=2026.1\nnope=1.0\n';
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summaryFile };

  const { stdout } = await scan(list, [], env);
  const asJson = await scan(list, ['--ndjson'], env);

  expect(stdout).toMatch(
    /^::error title=svc@2025\.1,file=.*bom\.json::does not satisfy "supported"\. Server 2025\.1 has been .* Move to 2026\.3/m,
  );
  expect(stdout).toMatch(/^3 entries: 2 judged, 1 not ours/m);
  expect(linesOf(asJson.stdout)).toHaveLength(3);
  const written = readFileSync(summaryFile, 'utf8');
  expect(written).toMatch(/^ {4}error: svc@2025\.1: does not satisfy "supported"\. /m);
  expect(written).not.toMatch(/^\S/m);
});

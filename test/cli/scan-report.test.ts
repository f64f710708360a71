import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, describe, expect, test } from 'vitest';
import type { PolicyScan } from '../../src/core/schemas/published/policy-scan.ts';
import { addDays } from '../../src/core/dates.ts';
import { fixtureDay } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import { readJsonIn, removeTemporaryFolders, temporaryFolder, writeIn } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { startSite } from '../harness/static-site.ts';

afterAll(removeTemporaryFolders);

/** Scans a document, or things, with a published index on a day. */
async function scan(folder: string, args: readonly string[], day = fixtureDay) {
  const url = await startSite(siteOfFixtureIndex());
  const ran = await run(['scan', ...args, '--index', url, '--as-of', day, '--allow-stale']);
  return { ...ran, stderr: ran.stderr.replaceAll(`${folder}/`, '').replaceAll(url, 'index') };
}

const parse = (stdout: string) => JSON.parse(stdout) as PolicyScan[];
const statuses = (stdout: string) => parse(stdout).map(({ thing, status }) => `${thing} ${status}`);

const tomorrow = addDays(fixtureDay, 1);
const exception = {
  ...{ package: 'svc', versions: '<2025.2', policy: 'supported' },
  ...{ reason: 'The upgrade is planned as PLAN-42.', until: tomorrow },
};

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeIn(folder, name, content);
  return folder;
}

describe('an exception', () => {
  const list = 'svc=2025.1\nsvc=2026.3\nsvc=2026.2.99\n';

  test('lets a failure pass until its last day, and is named on the day after', async () => {
    const folder = folderWith({ 'list.txt': list, 'own.json': [exception] });
    const args = [join(folder, 'list.txt'), '--exceptions', join(folder, 'own.json')];

    const [today, last, after] = [
      await scan(folder, args),
      await scan(folder, args, tomorrow),
      await scan(folder, args, addDays(tomorrow, 1)),
    ];

    expect(today).toMatchObject({
      status: 0,
      stderr: 'warning: scan: 3 entries: 1 judged, 1 excepted, 1 unknown\n',
    });
    expect(last.status).toBe(0);
    expect(after.status).toBe(1);
    expect(linesOf(after.stderr)).toContain(
      `warning: own.json: "svc" <2025.2 (supported): ended on ${tomorrow} and counts no longer; move, or extend it. Its reason was: The upgrade is planned as PLAN-42.`,
    );
  });

  test('stands in the file beside what is scanned', async () => {
    const name = '.release-index-exceptions.json';
    const folder = folderWith({ 'list.txt': list, [name]: [exception], 'other/list.txt': list });

    const { stdout } = await scan(folder, [join(folder, 'list.txt'), '--json']);
    const other = await scan(folder, [join(folder, 'other/list.txt'), '--json']);

    expect(statuses(stdout)).toEqual([
      'svc@2025.1 excepted',
      'svc@2026.3 satisfied',
      'svc@2026.2.99 unknown',
    ]);
    expect(parse(stdout)[0]!.details.exception).toEqual({ reason: exception.reason, until: tomorrow });
    expect(statuses(other.stdout)).toContain('svc@2025.1 unsatisfied');
  });

  test.each([
    ['a component and exact versions', { versions: ['v2025.01'] }],
    ['a package URL of the component', { package: 'pkg:generic/svc' }],
  ])('names %s', async (_what, fields) => {
    const folder = folderWith({ 'list.txt': list, 'own.json': [{ ...exception, ...fields }] });

    const { stdout } = await scan(folder, [
      ...[join(folder, 'list.txt'), '--json', '--exceptions', join(folder, 'own.json')],
    ]);

    expect(statuses(stdout)[0]).toBe('svc@2025.1 excepted');
  });

  test('of a package lets that pass', async () => {
    const own = { ...exception, package: 'pkg:npm/@example/edge-node', versions: ['1.0.0'] };
    const folder = folderWith({ 'own.json': [own] });

    const { status } = await scan(folder, [
      ...['@example/edge-node@1.0.0', '--exceptions', join(folder, 'own.json')],
    ]);

    expect(status).toBe(0);
  });

  test('that matches nothing is named, and so is each mistake', async () => {
    const folder = folderWith({
      'list.txt': 'svc=2026.3\n',
      'unused.json': [exception],
      'wrong.json': [{ ...exception, until: '2026-02-30', versions: '>=1 <O' }, { package: 'svc' }],
    });
    const ask = (name: string) =>
      scan(folder, [join(folder, 'list.txt'), '--exceptions', join(folder, name)]);

    const [unused, wrong, none] = [await ask('unused.json'), await ask('wrong.json'), await ask('none.json')];

    expect(unused).toMatchObject({
      status: 0,
      stderr:
        'warning: unused.json: "svc" <2025.2 (supported): matches no failure; remove the exception or correct it\n',
    });
    expect(wrong.status).toBe(1);
    expect(linesOf(wrong.stderr)).toEqual([
      'error: wrong.json: [0].versions: expected a semver range such as ">=1.2.0 <2.0.0"; got ">=1 <O"',
      'error: wrong.json: [0].until: expected a day that exists, YYYY-MM-DD; got "2026-02-30"',
      ...['versions', 'policy', 'reason', 'until'].map(
        (key) => expect.stringContaining(`[1].${key}: expected`) as string,
      ),
    ]);
    expect(none.status).toBe(1);
  });
});

test('--baseline fails for what is new alone', async () => {
  const folder = folderWith({ 'old.txt': 'svc=2025.1\n', 'new.txt': 'svc=2025.1\nedge-node=1.0.0\n' });
  const before = await scan(folder, [join(folder, 'old.txt'), '--json']);
  writeIn(folder, 'before.json', before.stdout);
  const baseline = ['--baseline', join(folder, 'before.json')];

  const same = await scan(folder, [join(folder, 'old.txt'), ...baseline]);
  const more = await scan(folder, [join(folder, 'new.txt'), ...baseline]);
  const sarif = await scan(folder, [join(folder, 'new.txt'), ...baseline, '--sarif']);

  expect(same.status).toBe(0);
  expect(linesOf(same.stdout).at(-1)).toBe(
    '1 entry: 1 judged. 1 result, 1 unsatisfied, 1 of them in the baseline.',
  );
  expect(more.status).toBe(1);
  expect(JSON.parse(sarif.stdout)).toMatchObject({
    runs: [{ results: [{ baselineState: 'unchanged' }, { baselineState: 'new' }] }],
  });
});

test('--policy-file and --query judge by a policy of the reader', async () => {
  const policy = {
    ...{ description: 'It is of this year.', remediation: 'Move to one of this year.' },
    query: 'releaseTimestamp:>=2026-01-01',
  };
  const folder = folderWith({ 'recent.json': policy });
  const [byFile, byQuery, both] = [
    await scan(folder, ['svc@2025.4', '--policy-file', join(folder, 'recent.json'), '--json']),
    await scan(folder, ['svc@2025.4', '--query', 'line:2025.4', '--json']),
    await scan(folder, ['svc@2025.4', '--query', 'line:2026.1', '--policy', 'stable', '--json']),
  ];

  expect(parse(byFile.stdout)).toMatchObject([
    { status: 'unsatisfied', policyUri: '/policies/own/recent', policyRemediation: policy.remediation },
  ]);
  expect(parse(byQuery.stdout)).toMatchObject([{ status: 'satisfied', policyUri: '/policies/own/query' }]);
  expect(parse(both.stdout).map(({ policyUri, status }) => [policyUri, status])).toEqual([
    ['/policies/built-in/stable', 'satisfied'],
    ['/policies/own/query', 'unsatisfied'],
  ]);
  expect((await scan(folder, ['svc@2025.4', '--query', 'isLatst:true'])).status).toBe(2);
});

test('an index that was last updated too long ago fails unless that is allowed', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const ask = (days: number, ...args: string[]) =>
    run(['scan', 'svc@2026.3', '--index', url, '--as-of', addDays(fixtureDay, days), ...args]);

  const [young, old, allowed] = [await ask(3), await ask(4), await ask(4, '--allow-stale')];

  expect([young.status, old.status, allowed.status]).toEqual([0, 1, 0]);
  const message = 'the index is too old to judge by; update it, or pass --allow-stale';
  expect(linesOf(old.stderr)).toContain(`error: scan: ${message}`);
  expect(allowed.stderr).toMatch(/^warning: .*This index was last updated on 2026-11-20/);
});

describe('SARIF', () => {
  interface Sarif {
    runs: { results: SarifResult[]; tool: { driver: { rules: { id: string }[] } } }[];
  }
  interface SarifResult {
    ruleId: string;
    ruleIndex: number;
    message: { text: string };
    locations: {
      physicalLocation?: { artifactLocation: { uri: string }; region: { startLine: number } };
    }[];
    suppressions?: object[];
  }

  // https://docs.github.com/en/code-security/reference/code-scanning/sarif-support
  test('of a list, a document and the command line is what GitHub accepts', async () => {
    const bom = {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [{ name: 'svc', version: '2024.1' }],
    };
    const folder = folderWith({ 'list.txt': '# ours\nsvc=2025.1\n', 'bom.json': bom });
    const files = ['list.txt', 'bom.json'].map((name) => join(folder, name));

    const { stdout } = await scan(folder, [...files, 'edge-node@1.0.0', '--sarif']);

    const [{ results, tool }] = (JSON.parse(stdout) as Sarif).runs as [Sarif['runs'][0]];
    expect(results).toHaveLength(3);
    for (const { ruleId, ruleIndex, message, locations } of results) {
      expect(tool.driver.rules[ruleIndex]!.id).toBe(ruleId);
      expect(message.text).not.toBe('');
      expect(locations).toHaveLength(1);
      const { artifactLocation, region } = locations[0]!.physicalLocation!;
      expect(artifactLocation.uri).toMatch(/^(?!\/|[a-z]+:)[^\s\\]+$/);
      expect(region.startLine).toBeGreaterThanOrEqual(1);
    }
    const placed = results.map(({ locations }) => locations[0]!.physicalLocation!);
    expect(placed.map(({ region }) => region.startLine)).toEqual([2, 6, 1]);
    expect(placed[2]!.artifactLocation.uri).toBe('package.json');
    expect(existsSync(placed[2]!.artifactLocation.uri)).toBe(true);
  });

  test('holds an exception as a suppression', async () => {
    const folder = folderWith({ 'own.json': [exception] });

    const { stdout, status } = await scan(folder, [
      ...['svc@2025.1', '--sarif', '--exceptions', join(folder, 'own.json')],
    ]);

    expect(status).toBe(0);
    expect((JSON.parse(stdout) as Sarif).runs[0]!.results).toMatchObject([
      { suppressions: [{ kind: 'external', status: 'accepted', justification: exception.reason }] },
    ]);
  });
});

/** The elements of https://github.com/jenkinsci/xunit-plugin, junit-10.xsd, as far as they are used: attributes, then content in its order. */
const junitSchema: Readonly<Record<string, { required: string[]; optional: string[]; content: string[] }>> = {
  testsuites: { required: [], optional: ['name', 'tests', 'failures', 'errors'], content: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests'],
    optional: ['failures', 'errors', 'skipped', 'time', 'timestamp', 'hostname', 'id', 'package'],
    content: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name', 'classname'],
    optional: ['time', 'status', 'assertions', 'group'],
    content: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { required: [], optional: ['message', 'type'], content: [] },
  skipped: { required: [], optional: ['message', 'type'], content: [] },
  'system-out': { required: [], optional: [], content: [] },
};

interface XmlNode {
  [name: string]: XmlNode[] | Record<string, string> | string;
}

function expectOfSchema(nodes: readonly XmlNode[]): void {
  for (const node of nodes) {
    const name = Object.keys(node).find((key) => key !== ':@')!;
    if (name === '#text') continue;
    const { required, optional, content } = junitSchema[name]!;
    const attributes = Object.keys((node[':@'] ?? {}) as object);
    expect(attributes).toEqual(expect.arrayContaining(required));
    expect([...required, ...optional]).toEqual(expect.arrayContaining(attributes));
    const inner = (node[name] as XmlNode[]).filter((child) => !('#text' in child));
    const places = inner.map((child) => content.indexOf(Object.keys(child).find((key) => key !== ':@')!));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expectOfSchema(inner);
  }
}

test('--junit is of the schema of JUnit, whatever is scanned', async () => {
  const folder = folderWith({
    'own.json': [exception],
    'list.txt': 'svc=2025.1\nsvc=2026.3\nsvc=main\nx=1\n',
  });
  const odd = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [
      { name: 'a"<&>\u0001\ud800', purl: '' },
      { name: 'edge-node', version: '1.0.0' },
    ],
  };
  writeIn(folder, 'bom.json', odd);
  const policies = ['--policy', 'supported', '--policy', 'stable', '--exceptions', join(folder, 'own.json')];

  const { stdout, status } = await scan(folder, [
    ...[join(folder, 'list.txt'), join(folder, 'bom.json'), '--junit', ...policies],
  ]);

  expect(status).toBe(1);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    ignoreDeclaration: true,
  });
  const document = parser.parse(stdout, true) as XmlNode[];
  expectOfSchema(document);
  expect(stdout).toContain(
    '<testsuite name="release-index supported" tests="5" failures="1" errors="0" skipped="3">',
  );
  expect(stdout).toContain(`<skipped message="Server 2025.1 has been out of support since 2026-10-08`);
  expect(stdout).toContain('PLAN-42');
});

test('--report says what is used, until when, and what ends next', async () => {
  const folder = folderWith({
    'list.txt': 'svc=2026.3\nsvc=2025.1\nsvc=2025.2\nx=1\nsvcctl=1.20\nsvc=2026.1\nsvc=2024.3|<b>\n',
  });
  const ask = (name: string) => scan(folder, [join(folder, 'list.txt'), '--report', join(folder, name)]);

  await ask('report.md');

  const markdown = readFileSync(join(folder, 'report.md'), 'utf8');
  expect(linesOf(markdown).filter((line) => line.startsWith('#'))).toEqual([
    `# Releases in use on ${fixtureDay}`,
    '## Support has ended',
    '## Support ends within 90 days',
    '## Support ends later',
    '## No end of support is stated',
  ]);
  expect(markdown).toContain('| svc 2025.1 | 2026-10-08 | unsatisfied \\(supported\\) | svc 2026.3 |');
  expect(markdown).toContain('7 entries: ');
  expect(markdown).not.toContain('<b>');
});

describe('--annotate gives the document back with the end of support in', () => {
  const svc = { name: 'svc', version: '2025.1' };
  test.each<[string, object, (document: never) => unknown, unknown]>([
    [
      'CycloneDX, once each time',
      {
        ...{ bomFormat: 'CycloneDX', specVersion: '1.6', x: 'kept' },
        components: [
          { ...svc, properties: [{ name: 'a', value: 'b' }] },
          svc,
          { name: 'left-pad', version: '1' },
        ],
      },
      ({ components, x }: { components: { properties?: object[] }[]; x: string }) => [
        x,
        ...components.map(({ properties }) => properties),
      ],
      [
        'kept',
        [
          { name: 'a', value: 'b' },
          { name: 'cdx:lifecycle:milestone:endOfSupport', value: '2026-10-08' },
        ],
        [{ name: 'cdx:lifecycle:milestone:endOfSupport', value: '2026-10-08' }],
        undefined,
      ],
    ],
    [
      'SPDX 2.3',
      { spdxVersion: 'SPDX-2.3', packages: [{ SPDXID: 'SPDXRef-a', name: 'svc', versionInfo: '2025.1' }] },
      ({ packages: [found] }: { packages: [{ validUntilDate: string }] }) => found.validUntilDate,
      '2026-10-08T00:00:00Z',
    ],
    [
      'SPDX 3',
      {
        '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
        '@graph': [{ type: 'software_Package', spdxId: 'a', name: 'svc', software_packageVersion: '2025.1' }],
      },
      ({ '@graph': [{ validUntilTime, supportLevel }] }: { '@graph': [Record<string, unknown>] }) => [
        validUntilTime,
        supportLevel,
      ],
      ['2026-10-08T00:00:00Z', ['endOfSupport']],
    ],
  ])('%s', async (_what, content, read, expected) => {
    const folder = folderWith({ 'bom.json': content });

    const { stdout } = await scan(folder, [join(folder, 'bom.json'), '--annotate']);

    expect(read(JSON.parse(stdout) as never)).toEqual(expected);
  });

  test('and no other input', async () => {
    expect(await scan('', ['svc@2025.1', '--annotate'])).toMatchObject({ status: 2 });
  });
});

test('stated digests are compared with those that are recorded', async () => {
  const site = temporaryFolder();
  const sha256 = (digit: string) => digit.repeat(64);
  const details = readJsonIn<{ releases: { version: string; digests?: object }[] }>(
    siteOfFixtureIndex(),
    'details/svcctl.json',
  );
  for (const release of details.releases)
    if (release.version === '1.20')
      release.digests = {
        'docker:example/svcctl': { '1.20': `sha256:${sha256('a')}` },
        'github-tags:example/svcctl': { '1.20': `sha1:${'c'.repeat(40)}` },
      };
  for (const file of ['status.json', 'search.json', 'packages.json', 'policies.json', 'SHA256SUMS'])
    writeIn(site, file, readFileSync(join(siteOfFixtureIndex(), file), 'utf8'));
  writeIn(site, 'details/svcctl.json', details);
  const url = await startSite(site);
  const hashes = (alg: string, content: string) => ({
    name: 'svcctl',
    version: '1.20',
    hashes: [{ alg, content }],
  });
  const components = [
    hashes('SHA-256', sha256('A')),
    hashes('SHA-256', sha256('b')),
    hashes('SHA-512', 'd'.repeat(128)),
    hashes('SHA-1', 'e'.repeat(40)),
    { name: 'svcctl', purl: `pkg:oci/svcctl@sha256:${sha256('a')}?repository_url=docker.io/example/svcctl` },
  ];
  const folder = folderWith({ 'bom.json': { bomFormat: 'CycloneDX', specVersion: '1.6', components } });

  const { stdout, status } = await run([
    ...['scan', join(folder, 'bom.json'), '--index', url, '--as-of', fixtureDay, '--json'],
  ]);

  const said = parse(stdout).map(({ status, details }) => [status, details.version, details.message]);
  expect(status).toBe(1);
  expect(said).toEqual([
    ['satisfied', '1.20', undefined],
    ['unsatisfied', '1.20', `sha256:${sha256('b')} is not a digest that is recorded for 1.20.`],
    ['satisfied', '1.20', 'No sha512 digest of 1.20 is recorded.'],
    ['satisfied', '1.20', 'No sha1 digest of 1.20 is recorded.'],
    ['satisfied', '1.20', undefined],
  ]);
});

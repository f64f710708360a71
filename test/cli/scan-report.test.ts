import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, describe, expect, test } from 'vitest';
import { fixtureDay } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import { removeTemporaryFolders, writeIn } from '../harness/root.ts';
import { exception, folderWith, scan } from '../harness/scanning.ts';

afterAll(removeTemporaryFolders);

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

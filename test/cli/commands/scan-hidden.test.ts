import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { PolicyScan } from '../../../src/core/schemas/published/policy-scan.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { linesOf } from '../../harness/cli.ts';
import { removeTemporaryFolders, temporaryFolder, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';

afterAll(removeTemporaryFolders);

async function scan(content: unknown, ...args: string[]) {
  const folder = temporaryFolder();
  writeIn(folder, 'bom.json', content);
  const file = join(folder, 'bom.json');
  const url = await startSite(siteOfFixtureIndex());
  const ran = await run(['scan', file, '--index', url, '--as-of', fixtureDay, ...args]);
  return { ...ran, stderr: ran.stderr.replaceAll(file, 'bom.json') };
}

const cyclonedx = (...components: object[]) => ({ bomFormat: 'CycloneDX', specVersion: '1.6', components });
const spdx = (...packages: object[]) => ({ spdxVersion: 'SPDX-2.3', packages });
const purls = (...locators: string[]) =>
  locators.map((referenceLocator) => ({ referenceType: 'purl', referenceLocator }));

const graph = (...elements: object[]) => ({
  '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
  '@graph': [{ type: 'SpdxDocument', spdxId: 'doc', rootElement: ['b'] }, ...elements],
});
const spdx3 = (fields: object) => ({ type: 'software_Package', ...fields });
const syft = (source: object, ...artifacts: object[]) => ({
  ...{ artifacts, source, descriptor: { name: 'syft', version: '1.30.0' } },
});
const about = (component: object) => ({ ...cyclonedx(sound), metadata: { component } });

const old = { name: 'svc', version: '2025.1' };
const sound = { name: 'svc', version: '2026.2' };

describe('fails for an old release', () => {
  test.each<[string, unknown]>([
    ['behind a name that reads like it', cyclonedx({ name: 'svc@2025.1' }, sound, old)],
    [
      'behind a name of an SPDX package that reads like it',
      spdx({ name: 'svc@2025.1' }, { name: 'svc', versionInfo: '2025.1' }),
    ],
    [
      'behind a package URL with a version in its name',
      cyclonedx({ name: 'a', purl: 'pkg:generic/svc%402025.1' }, sound, old),
    ],
    [
      'that an SPDX document describes',
      {
        ...spdx(
          { SPDXID: 'SPDXRef-a', name: 'svc', versionInfo: '2025.1' },
          { SPDXID: 'SPDXRef-b', name: 'svc', versionInfo: '2026.2' },
        ),
        documentDescribes: ['SPDXRef-a'],
      },
    ],
    [
      'that a relationship describes',
      {
        ...spdx(
          { SPDXID: 'SPDXRef-a', name: 'svc', versionInfo: '2025.1' },
          { SPDXID: 'SPDXRef-b', name: 'svc', versionInfo: '2026.2' },
        ),
        relationships: [{ relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-a' }],
      },
    ],
    [
      'that a CycloneDX document is about',
      { ...cyclonedx(sound), metadata: { component: { name: 'svc', version: '2025.1' } } },
    ],
    [
      'within what a CycloneDX document is about',
      { ...cyclonedx(sound), metadata: { component: { name: 'app', components: [old] } } },
    ],
    ['within another component', cyclonedx({ ...sound, components: [{ name: 'x', components: [old] }] })],
    [
      'in the second package URL',
      spdx({
        name: 'svc',
        externalRefs: purls('pkg:generic/svc@2026.2', 'pkg:generic/svc@2025.1'),
      }),
    ],
    [
      'in the concluded package URL',
      cyclonedx({
        ...sound,
        purl: 'pkg:generic/svc@2026.2',
        evidence: { identity: [{ field: 'purl', concludedValue: 'pkg:generic/svc@2025.1' }] },
      }),
    ],
    ['whose package URL states another version', cyclonedx({ ...old, purl: 'pkg:generic/svc@2026.2' })],
    [
      'of an SPDX package whose package URL states another version',
      spdx({ name: 'svc', versionInfo: '2025.1', externalRefs: purls('pkg:generic/svc@2026.2') }),
    ],
    [
      'whose name is that of another component than the package URL',
      cyclonedx({ ...old, purl: 'pkg:npm/left-pad@2025.1' }),
    ],
    [
      'whose version is stated beside the package URL of its package',
      cyclonedx({ name: 'agent', version: '1.0.0', purl: 'pkg:npm/%40example/edge-node@2.0.2' }),
    ],
    ['whose package URL has no version', cyclonedx({ ...old, purl: 'pkg:generic/svc' })],
    [
      'whose package URL has no version, in SPDX',
      spdx({ name: 'x', versionInfo: '2025.1', externalRefs: purls('pkg:generic/svc') }),
    ],
    ['behind a package URL that cannot be read', cyclonedx({ ...old, purl: 'pkg:npm/\ud800@1' })],
    ['behind an entry of malformed Unicode', cyclonedx({ name: '\udfff', version: '\ud800' }, old)],
    ['in what GitHub exports', { sbom: spdx({ name: 'svc', versionInfo: '2025.1' }) }],
    ['that is not listed, of a line that has ended', cyclonedx({ name: 'svc', version: '2025.1.99' })],
    ['spelt with a v', cyclonedx({ name: 'svc', version: 'v2025.1' })],
    ['spelt with a leading zero', cyclonedx({ name: 'svc', version: '2025.01' })],
    ['beside the same name with a sound version', cyclonedx(sound, sound, old)],
    ['behind a component without a name', cyclonedx({ name: 'x', purl: '' }, old)],
    [
      'behind a component named like a property of objects',
      cyclonedx({ name: '__proto__', version: '1' }, old),
    ],
    ['with a package URL of another type', cyclonedx({ ...old, purl: 'pkg:deb/debian/svc@2026.2' })],
    ['with a package URL in capitals', cyclonedx({ name: 'x', purl: 'PKG:NPM/%40EXAMPLE/Edge-Node@1.0.0' })],
    ['with an encoded slash', cyclonedx({ name: 'x', purl: 'pkg:npm/%40example%2Fedge-node@1.0.0' })],
    [
      'with a sound version in the qualifiers',
      cyclonedx({ name: 'x', purl: 'pkg:generic/svc@2025.1?version=2026.2' }),
    ],
    ['with a sound version in the subpath', cyclonedx({ name: 'x', purl: 'pkg:generic/svc@2025.1#2026.2' })],
    ['by group and name', cyclonedx({ group: '@example', name: 'edge-node', version: '1.0.0' })],
    [
      'by group and name of Maven',
      cyclonedx({ group: 'com.example', name: 'build-agent', version: '1.0' }, old),
    ],
    ['behind a tag that names no version', cyclonedx({ ...old, purl: 'pkg:generic/svc@main' })],
    ['behind a commit', cyclonedx({ ...old, purl: 'pkg:generic/svc@3f5a2b1c' })],
    [
      'an image that the document is about',
      about({ type: 'container', name: 'example/svcctl', version: '1.18' }),
    ],
    ['an image by its reference', about({ type: 'container', name: 'example/svcctl:1.18' })],
    [
      'an image by tag and digest',
      about({ type: 'container', name: `example/svcctl:1.18@sha256:${'0'.repeat(64)}` }),
    ],
    [
      'an image with the host of its registry',
      about({ type: 'container', name: 'docker.io/example/svcctl:1.18' }),
    ],
    [
      'an image whose version is a digest',
      about({ type: 'container', name: 'example/svcctl:1.18', version: `sha256:${'0'.repeat(64)}` }),
    ],
    [
      'an image by the tag of an OCI package URL',
      cyclonedx({
        name: 'svcctl',
        purl: `pkg:oci/svcctl@sha256%3A${'0'.repeat(64)}?repository_url=index.docker.io%2Fexample%2Fsvcctl&tag=1.18`,
      }),
    ],
    [
      'an image by an OCI package URL without a tag',
      cyclonedx({
        name: 'example/svcctl:1.18',
        purl: `pkg:oci/svcctl@sha256%3A${'0'.repeat(64)}?repository_url=index.docker.io/example/svcctl`,
      }),
    ],
    [
      'an image with a host in its package URL',
      cyclonedx({ name: 'x', purl: 'pkg:docker/docker.io/example/svcctl@1.18' }),
    ],
    ['of SPDX 3', graph(spdx3({ name: 'svc', software_packageVersion: '2025.1' }))],
    [
      'of SPDX 3, by its package URL',
      graph(spdx3({ name: 'x', software_packageUrl: 'pkg:generic/svc@2025.1' })),
    ],
    [
      'of SPDX 3, by an external identifier',
      graph(
        spdx3({
          ...{
            name: 'svc',
            software_packageVersion: '2026.2',
            software_packageUrl: 'pkg:generic/svc@2026.2',
          },
          externalIdentifier: [
            { externalIdentifierType: 'packageUrl', identifier: 'pkg:generic/svc@2025.1' },
          ],
        }),
      ),
    ],
    [
      'of SPDX 3, within a relationship',
      graph({ type: 'Relationship', to: [spdx3({ name: 'svc', software_packageVersion: '2025.1' })] }),
    ],
    [
      'of SPDX 3, which is no root of the document',
      graph(
        spdx3({ spdxId: 'a', name: 'svc', software_packageVersion: '2025.1' }),
        spdx3({ spdxId: 'b', name: 'svc', software_packageVersion: '2026.2' }),
      ),
    ],
    [
      'of SPDX 3, without a list',
      {
        '@context': ['https://spdx.org/rdf/3.0.0/spdx-context.jsonld'],
        ...spdx3({ name: 'svc', software_packageVersion: '2025.1' }),
      },
    ],
    ['of Syft', syft({ type: 'directory' }, old)],
    [
      'of Syft, by its package URL',
      syft({ type: 'directory' }, { ...sound, purl: 'pkg:generic/svc@2025.1' }),
    ],
    ['an image that Syft read', syft({ type: 'image', name: 'example/svcctl', version: '1.18' }, sound)],
    [
      'an image that Syft read by its digest',
      syft(
        {
          type: 'image',
          name: 'example/svcctl',
          version: 'sha256:0',
          metadata: { tags: ['example/svcctl:1.18'] },
        },
        sound,
      ),
    ],
    [
      'an image that an older Syft read',
      syft({ type: 'image', target: { userInput: 'registry.example.com:5000/example/svcctl:1.18' } }, sound),
    ],
    [
      'an image of SPDX',
      spdx({ name: 'example/svcctl', versionInfo: '1.18', primaryPackagePurpose: 'CONTAINER' }),
    ],
    ['in a list', 'svc=2026.2\nsvc=2025.1\n'],
    ['in a list with an @', 'svc@2026.2\nsvc@2025.1\n'],
    ['in a list with two signs and blanks', 'svc == 2026.2\nsvc == 2025.1\n'],
    ['in a list behind a byte order mark', '\ufeffsvc=2025.1\n'],
    ['in a list with the line ends of Windows', 'svc=2026.2\r\nsvc=2025.1\r\n'],
    ['in a list of images', 'docker.io/example/svcctl:1.18\n'],
    ['in a list of packages', '@example/edge-node@1.0.0\n'],
    ['in a table', 'Name,Version\nsvc,2026.2\n"svc","2025.1"\n'],
    ['in a table with other columns', 'type;version;component\nservice;2025.1;svc\n'],
    ['in a table without headings', 'svc,2026.2\nsvc,2025.1\n'],
    ['in a table of package URLs', 'id,purl\n1,pkg:generic/svc@2025.1\n'],
  ])('%s', async (_where, content) => {
    const { status, stdout } = await scan(content, '--json', '--allow-unknown');

    expect((JSON.parse(stdout) as PolicyScan[]).map((result) => result.status)).toContain('unsatisfied');
    expect(status).toBe(1);
  });
});

describe('fails where there is nothing to judge', () => {
  test.each([
    ['no components', { bomFormat: 'CycloneDX', specVersion: '1.6' }],
    ['an empty list of components', cyclonedx()],
    ['no packages', { spdxVersion: 'SPDX-2.3' }],
    ['an empty export of GitHub', { sbom: spdx() }],
    ['a list of comments', '# nothing\n'],
    ['an empty file', ''],
  ])('%s', async (_what, content) => {
    const { status, stderr } = await scan(content);

    expect(status).toBe(1);
    expect(stderr).toBe(
      'error: bom.json: has nothing to judge; correct what writes it, or pass --allow-unknown\n',
    );
    expect((await scan(content, '--allow-unknown')).status).toBe(0);
  });

  test('a document of things that the index does not know', async () => {
    const content = cyclonedx({ name: 'left-pad', version: '1.3.0' });

    const { status, stderr } = await scan(content);

    expect(status).toBe(1);
    expect(stderr).toBe(
      'error: scan: 1 entry: 0 judged, 1 not ours. Nothing could be judged; pass --allow-unknown where that is right\n',
    );
    expect((await scan(content, '--allow-unknown')).status).toBe(0);
  });
});

test('a file does not take the place of a version, whatever it is named', async () => {
  const folder = temporaryFolder();
  writeIn(folder, 'svc@2025.1', '');
  writeIn(folder, '@example/edge-node@1.0.0', '');
  const before = process.cwd();
  process.chdir(folder);
  try {
    for (const thing of ['svc@2025.1', '@example/edge-node@1.0.0', 'pkg:generic/svc@2025.1']) {
      const { status, stdout } = await run([
        ...['scan', thing, '--root', fixtureIndex, '--as-of', fixtureDay, '--json'],
      ]);

      expect(JSON.parse(stdout)).toMatchObject([{ thing, status: 'unsatisfied' }]);
      expect(status).toBe(1);
    }
    const asFile = await run(['scan', './svc@2025.1', '--root', fixtureIndex, '--as-of', fixtureDay]);
    expect(asFile.stderr).toMatch(/^error: \.\/svc@2025\.1: has nothing to judge/);
  } finally {
    process.chdir(before);
  }
});

test('a version that is not listed is unknown while its line lives', async () => {
  const content = cyclonedx(sound, { name: 'svc', version: '2026.2.99' });

  const lenient = await scan(content, '--json');
  const strict = await scan(content, '--require-known');

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
  const { stdout } = await scan(cyclonedx({ name: 'svc', version: '2025.1.99' }), '--json');

  expect(JSON.parse(stdout)).toMatchObject([
    {
      status: 'unsatisfied',
      policyRemediation: expect.stringMatching(/^Move to 2026\.3/) as string,
      details: {
        reason: expect.stringMatching(/^Server 2025\.1\.99 has been out of support since /) as string,
        supportedUntil: '2026-10-08',
        moveTo: { component: 'svc', version: '2026.3' },
      },
    },
  ]);
});

test('accounts for each entry, in each form of the report', async () => {
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
    const { status, stdout, stderr } = await scan(content, ...form);

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
    ...['scan', file, 'svc@2026.3', '--root', fixtureIndex, '--as-of', fixtureDay, '--json'],
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

test('reads standard input', () => {
  const cli = join(import.meta.dirname, '../../../src/cli.js');
  const args = [cli, 'scan', '-', '--root', fixtureIndex, '--as-of', fixtureDay, '--json'];

  const { status, stdout } = spawnSync(process.execPath, args, { input: 'svc=2025.1\n', encoding: 'utf8' });

  expect(JSON.parse(stdout)).toMatchObject([{ thing: 'svc@2025.1', line: 1, status: 'unsatisfied' }]);
  expect(status).toBe(1);
});

test('counts thousands of foreign things on one line, and lists them with --all', async () => {
  const many = Array.from({ length: 30_000 }, (_, index) => `part-${index}=1.0`);
  const list = [...many, 'svc=2026.2', 'svc=main'].join('\n');
  const [brief, each] = [await scan(list, '--require-known'), await scan(list, '--all')];

  expect(brief.status).toBe(1);
  expect(linesOf(brief.stdout)).toEqual([
    expect.stringMatching(/^thing +policy/),
    expect.stringMatching(/^svc@2026\.2 +supported +satisfied/),
    expect.stringMatching(/^svc@main +supported +not-applicable/),
    'svc@main: "main" is no version; a tag or a commit may stand for any release.',
    '30,002 entries: 1 judged, 30,000 not ours, 1 unknown. 30,002 results, 0 unsatisfied.',
  ]);
  expect(linesOf(each.stdout).length).toBeGreaterThan(60_000);
  expect(each.stderr).toBe('warning: scan: 30,002 entries: 1 judged, 30,000 not ours, 1 unknown\n');
});

test('--require-known is about the components of the index alone', async () => {
  const foreign = cyclonedx(sound, { name: 'left-pad', version: '1.3.0' });

  expect(await scan(foreign, '--require-known')).toMatchObject({ status: 0, stderr: '' });
});

test('each result of a document says on which line it is', async () => {
  const text = JSON.stringify(cyclonedx(sound, { name: 'x', purl: 'pkg:generic/svc@2025.1' }), undefined, 1);

  const { stdout } = await scan(text, '--json');

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
])('reads the components of other versions of the standards: %j', async (content, expected) => {
  const { status, stderr } = await scan(content);

  expect(stderr).toBe(expected);
  expect(status).toBe(0);
});

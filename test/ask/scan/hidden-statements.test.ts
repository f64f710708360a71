import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEntries } from '../../../src/ask/scan/bill-of-materials.ts';
import { uniqueEntries } from '../../../src/ask/scan/items.ts';
import { parsePublishedPolicy, scanEntries, worstResults } from '../../../src/ask/scan/scan-items.ts';
import { openFolder } from '../../../src/cli/open-index.ts';
import { definition, makeRoot, removeTemporaryFolders } from '../../harness/root.ts';
import { cyclonedx, graph, spdx, spdx3 } from '../../harness/scanning.ts';
import { siteOf } from '../../harness/site.ts';

afterAll(removeTemporaryFolders);

const day = '2026-11-20';
const [OLD, NEW, OTHER] = ['a', 'b', 'c'].map((digit) => `sha256:${digit.repeat(64)}`) as [
  string,
  string,
  string,
];
const hexOf = (digest: string) => digest.slice('sha256:'.length);
const encoded = (digest: string) => digest.replace(':', '%3A');

/** Of `svc`, 1.0 has ended, 2.0 is sound, and 2.1 is vulnerable; `half` lists 1.22, which was pulled. */
const root = makeRoot({
  'components/svc.json': definition({
    title: 'The server',
    sources: [
      { datasource: 'docker', packageName: 'example/svc' },
      { datasource: 'docker', packageName: 'mirror/svc' },
      { datasource: 'npm', packageName: '@example/svc' },
    ],
    identifiers: { cpe: ['cpe:2.3:a:example:svc:*:*:*:*:*:*:*:*'] },
    support: { policy: 'dated', lines: { '1.0': '2026-01-01', '2.0': '2030-01-01', '2.1': '2030-01-01' } },
    advisories: [{ id: 'CVE-2026-1', affected: '=2.1', fixed: ['2.2'], severity: 'high' }],
  }),
  'data/svc.json': {
    releases: [
      ['1.0', OLD],
      ['2.0', NEW],
      ['2.1', OTHER],
    ].map(([version, digest]) => ({
      ...{ version, releaseTimestamp: '2025-01-01' },
      digests: { 'docker:example/svc': { [version!]: digest } },
    })),
  },
  'components/half.json': definition({
    support: { policy: 'dated', lines: { '1.22': '2030-01-01' } },
    deprecated: [{ versions: ['1.22'], reason: 'Malicious.' }],
    advisories: [],
  }),
  'data/half.json': { releases: [{ version: '1.22', releaseTimestamp: '2025-01-01' }] },
});

let judge: (document: string) => Promise<string[]>;

beforeAll(async () => {
  const { index } = openFolder(siteOf(root), () => day);
  const known = await index.policies();
  const policies = ['supported', 'secure'].map((wanted) =>
    parsePublishedPolicy(
      known.find(({ name }) => name === wanted)!,
      day,
    ),
  );
  judge = async (document) => {
    const { entries, problems } = readEntries(document);
    if (problems.length > 0 || entries.length === 0) return ['rejected'];
    const scanned = await scanEntries(uniqueEntries(entries), policies, { index, day });
    return worstResults(scanned).map(({ scan }) => scan.status);
  };
});

/** A document by the name of its content: first the honest document, then the document that hides a release. */
type Hiding = readonly [what: string, honest: unknown, hiding: unknown];

const sha = (content: string, alg = 'SHA-256') => [{ alg, content }];
const component = (fields: object) => cyclonedx({ name: 'x', ...fields });
const purl = (text: string) => component({ purl: text });
const ofSpdx = (type: string, locator: string) =>
  spdx({ name: 'x', externalRefs: [{ referenceType: type, referenceLocator: locator }] });
const one = (version: string) => ({ 'bom-ref': 'a', name: 'svc', version });
const ofSyft = (digest: string) => ({
  ...{ artifacts: [], descriptor: { name: 'syft' } },
  source: {
    type: 'image',
    metadata: { userInput: 'example/svc:2.0', repoDigests: [`example/svc@${digest}`] },
  },
});
const oci = (digest: string, rest: string) =>
  `pkg:oci/svc@${encoded(digest)}?repository_url=docker.io/example/svc${rest}`;

/** An image in each place where its reference may be. */
const images: readonly (readonly [what: string, document: (reference: string) => unknown])[] = [
  ['a list', (reference) => `${reference}\n`],
  ['a list with a comment', (reference) => `${reference} # ours\n`],
  ['a table', (reference) => `name,version\n${reference},\n`],
  ['the name of a component', (reference) => cyclonedx({ name: reference })],
  ['a container', (reference) => cyclonedx({ type: 'container', name: reference })],
  [
    'the subject of a document',
    (reference) => ({
      ...cyclonedx({ name: 'left-pad', version: '1' }),
      metadata: { component: { name: reference } },
    }),
  ],
  ['an SPDX package', (reference) => spdx({ name: reference })],
  ['an SPDX 3 package', (reference) => graph(spdx3({ name: reference }))],
  [
    'what Syft read',
    (reference) => ({
      ...{ artifacts: [], descriptor: { name: 'syft' } },
      source: { type: 'image', metadata: { userInput: reference } },
    }),
  ],
];
const ofImages = images.flatMap(([what, document]): Hiding[] => [
  [
    `a digest of old bytes beside a tag in ${what}`,
    document(`example/svc:2.0@${NEW}`),
    document(`example/svc:2.0@${OLD}`),
  ],
  [
    `a digest that cannot be read in ${what}`,
    document('example/svc:2.0'),
    document('example/svc:2.0@sha256:zz'),
  ],
  [
    `an old tag beside a sound digest in ${what}`,
    document(`docker.io/example/svc:2.0@${NEW}`),
    document(`docker.io/example/svc:1.0@${NEW}`),
  ],
]);

/** Each writes a name, version or package URL so that a person reads the same. */
const spellings: readonly (readonly [what: string, spell: (text: string) => string])[] = [
  ['a blank at both ends', (text) => ` ${text} `],
  ['a line break behind it', (text) => `${text}\n`],
  ['a blank without a break before it', (text) => `\u00a0${text}`],
  ['a character without width in it', (text) => `${text.slice(0, 1)}\u200b${text.slice(1)}`],
  ['a turn of direction behind it', (text) => `${text}\u202e`],
  ['a byte order mark before it', (text) => `\ufeff${text}`],
];
const ofSpellings = spellings.flatMap(([what, spell]): Hiding[] => {
  const written: readonly (readonly [of: string, document: (version: string) => unknown])[] = [
    ['name', (version) => cyclonedx({ name: spell('svc'), version })],
    ['version', (version) => cyclonedx({ name: 'svc', version: spell(version) })],
    ['package URL', (version) => purl(spell(`pkg:generic/svc@${version}`))],
    ['CPE', (version) => component({ cpe: spell(`cpe:/a:example:svc:${version}`) })],
    ['line of a list', (version) => `${spell(`svc=${version}`)}\n`],
  ];
  return written.map(([of, document]) => [`a ${of} with ${what}`, document('2.0'), document('1.0')]);
});

const hidings: readonly Hiding[] = [
  ...ofImages,
  ...ofSpellings,
  ['a digest alone', `example/svc@${NEW}\n`, `example/svc@${OLD}\n`],
  ['a digest of a component', `svc@${NEW}\n`, `svc@${OLD}\n`],
  ['a digest behind a version', `svc=2.0@${NEW}\n`, `svc=2.0@${OLD}\n`],
  ['a digest behind a tag of a component', `svc:2.0@${NEW}\n`, `svc:2.0@${OLD}\n`],
  ['a digest of an OCI package URL with a tag', purl(oci(NEW, '&tag=2.0')), purl(oci(OLD, '&tag=2.0'))],
  ['an old tag of an OCI package URL', purl(oci(NEW, '&tag=2.0')), purl(oci(NEW, '&tag=1.0'))],
  ['a second tag', purl(oci(NEW, '&tag=2.0&tag=2.0')), purl(oci(NEW, '&tag=2.0&tag=1.0'))],
  ['a first tag', purl(oci(NEW, '&tag=2.0')), purl(oci(NEW, '&tag=1.0&tag=2.0'))],
  [
    'a second repository',
    purl('pkg:oci/x?repository_url=docker.io/example/other&tag=1.0'),
    purl('pkg:oci/x?repository_url=docker.io/example/other&repository_url=docker.io/example/svc&tag=1.0'),
  ],
  [
    'a checksum',
    purl(`pkg:docker/example/svc@2.0?checksum=${NEW}`),
    purl(`pkg:docker/example/svc@2.0?checksum=${OLD}`),
  ],
  [
    'a second checksum',
    purl(`pkg:docker/example/svc@2.0?checksum=${NEW}`),
    purl(`pkg:docker/example/svc@2.0?checksum=${NEW},${OLD}`),
  ],
  [
    'a repeated checksum',
    purl(`pkg:docker/example/svc@2.0?checksum=${NEW}&a=b`),
    purl(`pkg:docker/example/svc@2.0?checksum=${NEW}&checksum=${OLD}`),
  ],
  [
    'a checksum of npm',
    purl('pkg:npm/%40example/svc@2.0'),
    purl(`pkg:npm/%40example/svc@2.0?checksum=${OLD}`),
  ],
  [
    'a tag and a digest',
    purl(`pkg:docker/example/svc@2.0@${NEW}`),
    purl(`pkg:docker/example/svc@2.0@${OLD}`),
  ],
  [
    'an encoded tag and digest',
    purl(`pkg:docker/example/svc@2.0%40${encoded(NEW)}`),
    purl(`pkg:docker/example/svc@2.0%40${encoded(OLD)}`),
  ],
  [
    'a digest as version',
    purl(`pkg:docker/example/svc@${encoded(NEW)}`),
    purl(`pkg:docker/example/svc@${encoded(OLD)}`),
  ],
  [
    'a digest as version beside a sound name',
    cyclonedx({ name: 'svc', version: '2.0', purl: `pkg:docker/example/svc@${encoded(NEW)}` }),
    cyclonedx({ name: 'svc', version: '2.0', purl: `pkg:docker/example/svc@${encoded(OLD)}` }),
  ],
  [
    'a hash',
    component({ name: 'svc', version: '2.0', hashes: sha(hexOf(NEW)) }),
    component({ name: 'svc', version: '2.0', hashes: sha(hexOf(OLD)) }),
  ],
  [
    'a hash in capitals',
    component({ name: 'svc', version: '2.0', hashes: sha(hexOf(NEW).toUpperCase()) }),
    component({ name: 'svc', version: '2.0', hashes: sha(hexOf(OLD).toUpperCase()) }),
  ],
  [
    'a hash that cannot be read',
    component({ name: 'svc', version: '2.0' }),
    component({ name: 'svc', version: '2.0', hashes: sha('zz') }),
  ],
  [
    'a hash without a value',
    component({ name: 'svc', version: '2.0', hashes: [] }),
    component({ name: 'svc', version: '2.0', hashes: [{ alg: 'SHA-256' }] }),
  ],
  [
    'a second hash',
    component({ name: 'svc', version: '2.0', hashes: sha(hexOf(NEW)) }),
    component({ name: 'svc', version: '2.0', hashes: [...sha(hexOf(NEW)), ...sha(hexOf(OLD))] }),
  ],
  [
    'a checksum of SPDX',
    spdx({
      name: 'svc',
      versionInfo: '2.0',
      checksums: [{ algorithm: 'SHA256', checksumValue: hexOf(NEW) }],
    }),
    spdx({
      name: 'svc',
      versionInfo: '2.0',
      checksums: [{ algorithm: 'SHA256', checksumValue: hexOf(OLD) }],
    }),
  ],
  [
    'a checksum of SPDX with the address of its type',
    spdx({ name: 'svc', versionInfo: '2.0' }),
    spdx({
      ...{ name: 'svc', versionInfo: '2.0' },
      checksums: [
        { algorithm: 'http://spdx.org/rdf/terms#checksumAlgorithm_sha256', checksumValue: hexOf(OLD) },
      ],
    }),
  ],
  [
    'a hash of SPDX 3',
    graph(
      spdx3({
        name: 'svc',
        software_packageVersion: '2.0',
        verifiedUsing: [{ algorithm: 'sha256', hashValue: hexOf(NEW) }],
      }),
    ),
    graph(
      spdx3({
        name: 'svc',
        software_packageVersion: '2.0',
        verifiedUsing: [{ algorithm: 'sha256', hashValue: hexOf(OLD) }],
      }),
    ),
  ],
  [
    'a type of reference in capitals',
    ofSpdx('PURL', 'pkg:generic/svc@2.0'),
    ofSpdx('PURL', 'pkg:generic/svc@1.0'),
  ],
  [
    'a type of reference with its address',
    ofSpdx('http://spdx.org/rdf/references/purl', 'pkg:generic/svc@2.0'),
    ofSpdx('http://spdx.org/rdf/references/purl', 'pkg:generic/svc@1.0'),
  ],
  [
    'an identifier of SPDX 3 in another case',
    graph(
      spdx3({
        name: 'x',
        externalIdentifier: [{ externalIdentifierType: 'PackageURL', identifier: 'pkg:generic/svc@2.0' }],
      }),
    ),
    graph(
      spdx3({
        name: 'x',
        externalIdentifier: [{ externalIdentifierType: 'PackageURL', identifier: 'pkg:generic/svc@1.0' }],
      }),
    ),
  ],
  [
    'a type of SPDX 3 with its address',
    graph({
      type: 'https://spdx.org/rdf/3.0.1/terms/Software/Package',
      name: 'svc',
      software_packageVersion: '2.0',
    }),
    graph({
      type: 'https://spdx.org/rdf/3.0.1/terms/Software/Package',
      name: 'svc',
      software_packageVersion: '1.0',
    }),
  ],
  [
    'another name for a type of SPDX 3',
    graph(spdx3({ name: 'svc', software_packageVersion: '2.0' })),
    {
      '@context': ['https://spdx.org/rdf/3.0.1/spdx-context.jsonld', { Thing: 'software_Package' }],
      '@graph': [
        { type: 'Thing', name: 'svc', software_packageVersion: '1.0' },
        spdx3({ name: 'svc', software_packageVersion: '2.0' }),
      ],
    },
  ],
  [
    'CPE 2.3',
    component({ cpe: 'cpe:2.3:a:example:svc:2.0:*:*:*:*:*:*:*' }),
    component({ cpe: 'cpe:2.3:a:example:svc:1.0:*:*:*:*:*:*:*' }),
  ],
  ['CPE 2.2', component({ cpe: 'cpe:/a:example:svc:2.0' }), component({ cpe: 'cpe:/a:example:svc:1.0' })],
  [
    'a CPE in capitals',
    component({ cpe: 'cpe:/a:Example:SVC:2.0' }),
    component({ cpe: 'cpe:/a:Example:SVC:1.0' }),
  ],
  [
    'a CPE of SPDX',
    ofSpdx('cpe23Type', 'cpe:2.3:a:example:svc:2.0:*:*:*:*:*:*:*'),
    ofSpdx('cpe23Type', 'cpe:2.3:a:example:svc:1.0:*:*:*:*:*:*:*'),
  ],
  [
    'a CPE that contradicts the name',
    cyclonedx({ name: 'svc', version: '2.0', cpe: 'cpe:/a:example:svc:2.0' }),
    cyclonedx({ name: 'svc', version: '2.0', cpe: 'cpe:/a:example:svc:1.0' }),
  ],
  [
    'a document of another format',
    cyclonedx({ name: 'svc', version: '2.0' }),
    { ...cyclonedx({ name: 'svc', version: '2.0' }), ...spdx({ name: 'svc', versionInfo: '1.0' }) },
  ],
  [
    'the list of another format',
    cyclonedx({ name: 'svc', version: '2.0' }),
    { ...cyclonedx({ name: 'svc', version: '2.0' }), packages: [{ name: 'svc', versionInfo: '1.0' }] },
  ],
  [
    'a graph beside components',
    cyclonedx({ name: 'svc', version: '2.0' }),
    {
      ...cyclonedx({ name: 'svc', version: '2.0' }),
      ...graph(spdx3({ name: 'svc', software_packageVersion: '1.0' })),
    },
  ],
  [
    'a document within a document',
    { sbom: spdx({ name: 'svc', versionInfo: '2.0' }) },
    { sbom: spdx({ name: 'svc', versionInfo: '2.0' }), ...cyclonedx({ name: 'svc', version: '1.0' }) },
  ],
  [
    'a document within one of the same format',
    { sbom: spdx({ name: 'svc', versionInfo: '2.0' }) },
    { sbom: spdx({ name: 'svc', versionInfo: '2.0' }), ...spdx({ name: 'svc', versionInfo: '1.0' }) },
  ],
  [
    'artifacts of Syft beside components',
    cyclonedx({ name: 'svc', version: '2.0' }),
    { ...cyclonedx({ name: 'svc', version: '2.0' }), artifacts: [{ name: 'svc', version: '1.0' }] },
  ],
  ['a blank around a package URL', purl(' pkg:generic/svc@2.0 '), purl(' pkg:generic/svc@1.0 ')],
  ['a line break behind a package URL', purl('pkg:generic/svc@2.0\n'), purl('pkg:generic/svc@1.0\n')],
  ['capitals', 'SVC=2.0\n', 'SVC=1.0\n'],
  ['a title with a blank', 'The server=2.0\n', 'The server=1.0\n'],
  ['a title with a blank behind an @', 'the Server@2.0\n', 'the Server@1.0\n'],
  [
    'a title in a document',
    cyclonedx({ name: 'The Server', version: '2.0' }),
    cyclonedx({ name: 'The Server', version: '1.0' }),
  ],
  ['X.Y.0', 'svc=2.0.0\n', 'svc=1.0.0\n'],
  ['X.Y.0 of a release that was pulled', 'left-pad=1.22.0\n', 'half@1.22.0\n'],
  ['a title with two blanks', 'The  server=2.0\n', 'The  server=1.0\n'],
  [
    'a character without width in the encoded version of a package URL',
    purl('pkg:generic/svc@2.0%E2%80%8B'),
    purl('pkg:generic/svc@1.0%E2%80%8B'),
  ],
  ['an encoded name and version', purl('pkg:generic/%73vc@2%2E0'), purl('pkg:generic/%73vc@1%2E0')],
  ['a key of a qualifier in capitals', purl(oci(NEW, '&tag=2.0')), purl(oci(NEW, '&tag=2.0&TAG=1.0'))],
  [
    'a checksum under a key in capitals',
    purl(`pkg:docker/example/svc@2.0?CHECKSUM=${NEW}`),
    purl(`pkg:docker/example/svc@2.0?CHECKSUM=${OLD}`),
  ],
  [
    'an algorithm with blanks',
    component({ name: 'svc', version: '2.0', hashes: sha(hexOf(NEW), 'SHA 256 ') }),
    component({ name: 'svc', version: '2.0', hashes: sha(hexOf(OLD), 'SHA 256 ') }),
  ],
  [
    'a hash behind one of an unknown algorithm',
    component({ name: 'svc', version: '2.0', hashes: sha('zz', 'BLAKE9') }),
    component({ name: 'svc', version: '2.0', hashes: [...sha('zz', 'BLAKE9'), ...sha(hexOf(OLD))] }),
  ],
  ...['purl', 'cpe', 'version'].map((field): Hiding => {
    const stated = (version: string) => {
      const texts = { purl: ` pkg:generic/svc@${version}`, cpe: `cpe:/a:example:svc:${version}`, version };
      const identity = [{ field, concludedValue: texts[field as keyof typeof texts] }];
      return cyclonedx({ name: 'svc', version: '2.0', evidence: { identity } });
    };
    return [`a concluded ${field}`, stated('2.0'), stated('1.0')];
  }),
  ['the digest of an image that Syft read', ofSyft(NEW), ofSyft(OLD)],
  [
    'a name and version beside the package URL of a table',
    'name,version,purl\nsvc,2.0,pkg:generic/svc@2.0\n',
    'name,version,purl\nsvc,1.0,pkg:generic/svc@2.0\n',
  ],
  [
    'the version beside a package URL of a table',
    'purl,version\npkg:generic/svc,2.0\n',
    'purl,version\npkg:generic/svc,1.0\n',
  ],
  [
    'a component four levels deep',
    cyclonedx({
      name: 'a',
      components: [{ name: 'b', components: [{ name: 'c', components: [one('2.0')] }] }],
    }),
    cyclonedx({
      name: 'a',
      components: [{ name: 'b', components: [{ name: 'c', components: [one('1.0')] }] }],
    }),
  ],
  ['a duplicate under one reference', cyclonedx(one('2.0'), one('2.0')), cyclonedx(one('2.0'), one('1.0'))],
  ['an advisory', 'svc@2.0\n', 'svc@2.1\n'],
  ['an advisory behind a digest', `example/svc@${NEW}\n`, `example/svc@${OTHER}\n`],
];

describe('a document that hides a bad release fails, and the same document without it passes:', () => {
  test.each(hidings)('%s', async (_what, honest, hiding) => {
    const [sound, wrong] = await Promise.all(
      [honest, hiding].map((content) =>
        judge(typeof content === 'string' ? content : JSON.stringify(content)),
      ),
    );

    expect(sound).not.toContain('unsatisfied');
    expect(sound).not.toContain('rejected');
    expect(wrong!.some((status) => ['unsatisfied', 'rejected'].includes(status))).toBe(true);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { longestTexts, readText } from '../../../src/ask/texts/read-text.ts';
import { parsePublishedPolicy } from '../../../src/ask/scan/scan-policies.ts';
import { scanEntries } from '../../../src/ask/scan/scan-items.ts';
import { listWorstResults } from '../../../src/ask/scan/scan-results.ts';
import { openFolder } from '../../../src/cli/open-published.ts';
import { definition, makeRoot, removeTemporaryFolders } from '../../harness/root.ts';
import { cyclonedx, spdx, uniqueEntries } from '../../harness/scanning.ts';
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

/** In `svc`, 1.0 has ended, 2.0 is sound, and 2.1 is vulnerable; `half` lists 1.22, which was pulled. */
const root = makeRoot({
  'components/svc.json': definition({
    title: 'The server',
    sources: [
      { datasource: 'docker', packageName: 'example/svc' },
      { datasource: 'docker', packageName: 'mirror/svc' },
      { datasource: 'npm', packageName: '@example/svc' },
    ],
    support: {
      policy: 'dated',
      lines: { '1.0': '2026-01-01', '2.0': '2030-01-01', '2.1': '2030-01-01' },
    },
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
    const {
      entries,
      problems,
      otherCount = 0,
    } = await readText(index, document, longestTexts.file);
    if (problems.length > 0 || (entries.length === 0 && otherCount === 0)) {
      return ['rejected'];
    }
    const scanned = await scanEntries(uniqueEntries(entries), policies, index);
    return listWorstResults(scanned).map(({ scan }) => scan.status);
  };
});

/** A document by the name of its content: first the honest document, then the document that hides a release. */
type Hiding = readonly [what: string, honest: unknown, hiding: unknown];

/** A document by the version that it states: 2.0 is sound, and 1.0 has ended. */
const stating = (what: string, document: (version: string) => unknown): Hiding => [
  what,
  document('2.0'),
  document('1.0'),
];
/** A document by the digest that it states. */
const holding = (what: string, document: (digest: string) => unknown): Hiding => [
  what,
  document(NEW),
  document(OLD),
];

const sha = (digest: string, alg = 'SHA-256') => ({ alg, content: hexOf(digest) });
const component = (fields: object) => cyclonedx({ name: 'x', ...fields });
const svc = (version: string, fields: object = {}) =>
  cyclonedx({ name: 'svc', version, ...fields });
const ofSpdx = (version: string, fields: object = {}) =>
  spdx({ name: 'svc', versionInfo: version, ...fields });
const purl = (text: string) => component({ purl: text });
const reference = (referenceType: string, referenceLocator: string) =>
  spdx({ name: 'x', externalRefs: [{ referenceType, referenceLocator }] });
const nested = (version: string) =>
  cyclonedx({
    name: 'a',
    components: [
      { name: 'b', components: [{ name: 'c', components: [{ name: 'svc', version }] }] },
    ],
  });
const oci = (digest: string, rest: string) =>
  purl(`pkg:oci/svc@${encoded(digest)}?repository_url=docker.io/example/svc${rest}`);

/** An image in each place where its reference may be. */
const images: readonly (readonly [what: string, document: (reference: string) => unknown])[] = [
  ['a list', (name) => `${name}\n`],
  ['a list with a comment', (name) => `${name} # ours\n`],
  ['a table', (name) => `name,version\n${name},\n`],
  ['the name of a component', (name) => cyclonedx({ name })],
  ['a container', (name) => cyclonedx({ type: 'container', name })],
  [
    'the subject of a document',
    (name) => ({
      ...cyclonedx({ name: 'left-pad', version: '1' }),
      metadata: { component: { name } },
    }),
  ],
  ['an SPDX package', (name) => spdx({ name })],
];
const ofImages = images.flatMap(([what, document]): Hiding[] => [
  holding(`a digest of old bytes beside a tag in ${what}`, (digest) =>
    document(`example/svc:2.0@${digest}`),
  ),
  [
    `a digest that cannot be read in ${what}`,
    document('example/svc:2.0'),
    document('example/svc:2.0@sha256:zz'),
  ],
  stating(`an old tag beside a sound digest in ${what}`, (version) =>
    document(`docker.io/example/svc:${version}@${NEW}`),
  ),
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
const ofSpellings = spellings.flatMap(([what, spell]): Hiding[] => [
  stating(`a name with ${what}`, (version) => cyclonedx({ name: spell('svc'), version })),
  stating(`a version with ${what}`, (version) => svc(spell(version))),
  stating(`a package URL with ${what}`, (version) => purl(spell(`pkg:generic/svc@${version}`))),
  stating(`a line of a list with ${what}`, (version) => `${spell(`svc=${version}`)}\n`),
]);

const hidings: readonly Hiding[] = [
  ...ofImages,
  ...ofSpellings,

  // Digests and tags.
  holding('a digest alone', (digest) => `example/svc@${digest}\n`),
  holding('a digest of a component', (digest) => `svc@${digest}\n`),
  holding('a digest behind a version', (digest) => `svc=2.0@${digest}\n`),
  holding('a digest behind a tag of a component', (digest) => `svc:2.0@${digest}\n`),
  holding('a digest of an OCI package URL with a tag', (digest) => oci(digest, '&tag=2.0')),
  stating('a tag of an OCI package URL', (version) => oci(NEW, `&tag=${version}`)),
  stating('a second tag', (version) => oci(NEW, `&tag=2.0&tag=${version}`)),
  stating('a first tag', (version) => oci(NEW, `&tag=${version}&tag=2.0`)),
  stating('a tag under a key in capitals', (version) => oci(NEW, `&tag=2.0&TAG=${version}`)),
  stating('a second repository', (version) =>
    purl(
      `pkg:oci/x?repository_url=docker.io/example/other&repository_url=docker.io/example/svc&tag=${version}`,
    ),
  ),
  holding('a checksum', (digest) => purl(`pkg:docker/example/svc@2.0?checksum=${digest}`)),
  holding('a second checksum', (digest) =>
    purl(`pkg:docker/example/svc@2.0?checksum=${NEW},${digest}`),
  ),
  holding('a repeated checksum', (digest) =>
    purl(`pkg:docker/example/svc@2.0?checksum=${NEW}&checksum=${digest}`),
  ),
  holding('a checksum under a key in capitals', (digest) =>
    purl(`pkg:docker/example/svc@2.0?CHECKSUM=${digest}`),
  ),
  holding('a checksum of npm', (digest) => purl(`pkg:npm/%40example/svc@2.0?checksum=${digest}`)),
  holding('a tag and a digest', (digest) => purl(`pkg:docker/example/svc@2.0@${digest}`)),
  holding('an encoded tag and digest', (digest) =>
    purl(`pkg:docker/example/svc@2.0%40${encoded(digest)}`),
  ),
  holding('a digest as version', (digest) => purl(`pkg:docker/example/svc@${encoded(digest)}`)),
  holding('a digest as version beside a sound name', (digest) =>
    svc('2.0', { purl: `pkg:docker/example/svc@${encoded(digest)}` }),
  ),
  holding('a hash', (digest) => svc('2.0', { hashes: [sha(digest)] })),
  holding('a hash in capitals', (digest) =>
    svc('2.0', { hashes: [{ alg: 'SHA-256', content: hexOf(digest).toUpperCase() }] }),
  ),
  holding('a second hash', (digest) => svc('2.0', { hashes: [sha(NEW), sha(digest)] })),
  holding('an algorithm with blanks', (digest) =>
    svc('2.0', { hashes: [sha(digest, 'SHA 256 ')] }),
  ),
  holding('a hash behind one of an unknown algorithm', (digest) =>
    svc('2.0', { hashes: [{ alg: 'BLAKE9', content: 'zz' }, sha(digest)] }),
  ),
  [
    'a hash that cannot be read',
    svc('2.0'),
    svc('2.0', { hashes: [{ alg: 'SHA-256', content: 'zz' }] }),
  ],
  ['a hash without a value', svc('2.0'), svc('2.0', { hashes: [{ alg: 'SHA-256' }] })],
  holding('a checksum of SPDX', (digest) =>
    ofSpdx('2.0', { checksums: [{ algorithm: 'SHA256', checksumValue: hexOf(digest) }] }),
  ),
  holding('a checksum of SPDX with the address of its type', (digest) => {
    const algorithm = 'http://spdx.org/rdf/terms#checksumAlgorithm_sha256';
    return ofSpdx('2.0', { checksums: [{ algorithm, checksumValue: hexOf(digest) }] });
  }),

  // Forms of the documents.
  stating('a type of reference in capitals', (version) =>
    reference('PURL', `pkg:generic/svc@${version}`),
  ),
  stating('a type of reference with its address', (version) =>
    reference('http://spdx.org/rdf/references/purl', `pkg:generic/svc@${version}`),
  ),
  ['a document of another format', svc('2.0'), { ...svc('2.0'), ...ofSpdx('1.0') }],
  ['the list of another format', svc('2.0'), { ...svc('2.0'), packages: ofSpdx('1.0').packages }],
  ['a document within a document', { sbom: ofSpdx('2.0') }, { sbom: ofSpdx('2.0'), ...svc('1.0') }],
  [
    'a document within one of the same format',
    { sbom: ofSpdx('2.0') },
    { sbom: ofSpdx('2.0'), ...ofSpdx('1.0') },
  ],
  stating('a component four levels deep', nested),
  stating('a duplicate under one reference', (version) =>
    cyclonedx(
      { 'bom-ref': 'a', name: 'svc', version: '2.0' },
      { 'bom-ref': 'a', name: 'svc', version },
    ),
  ),
  ...['purl', 'version'].map((field) =>
    stating(`a concluded ${field}`, (version) => {
      const texts = {
        purl: ` pkg:generic/svc@${version}`,
        version,
      };
      const concludedValue = texts[field as keyof typeof texts];
      return svc('2.0', { evidence: { identity: [{ field, concludedValue }] } });
    }),
  ),

  // Names and versions.
  stating('an encoded name', (version) => purl(`pkg:generic/%73vc@${version.replace('.', '%2E')}`)),
  stating('an encoded character without width', (version) =>
    purl(`pkg:generic/svc@${version}%E2%80%8B`),
  ),
  stating('capitals', (version) => `SVC=${version}\n`),
  stating('a title with a blank', (version) => `The server=${version}\n`),
  stating('a title with a blank behind an @', (version) => `the Server@${version}\n`),
  stating('a title with two blanks', (version) => `The  server=${version}\n`),
  stating('a title in a document', (version) => cyclonedx({ name: 'The Server', version })),
  stating('X.Y.0', (version) => `svc=${version}.0\n`),
  ['X.Y.0 of a release that was pulled', 'left-pad=1.22.0\n', 'half@1.22.0\n'],
  stating(
    'a name and version beside the package URL of a table',
    (version) => `name,version,purl\nsvc,${version},pkg:generic/svc@2.0\n`,
  ),
  stating(
    'the version beside a package URL of a table',
    (version) => `purl,version\npkg:generic/svc,${version}\n`,
  ),
  ['an advisory', 'svc@2.0\n', 'svc@2.1\n'],
  ['an advisory behind a digest', `example/svc@${NEW}\n`, `example/svc@${OTHER}\n`],
];

test.each(hidings)(
  'a document that hides %s fails, and the honest document passes',
  async (_, honest, hiding) => {
    const [sound, wrong] = await Promise.all(
      [honest, hiding].map((content) =>
        judge(typeof content === 'string' ? content : JSON.stringify(content)),
      ),
    );

    expect(sound).not.toContain('unsatisfied');
    expect(sound).not.toContain('rejected');
    expect(wrong!.some((status) => ['unsatisfied', 'rejected'].includes(status))).toBe(true);
  },
);

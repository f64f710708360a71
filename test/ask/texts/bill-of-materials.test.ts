import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBill } from '../../../src/ask/texts/bill-of-materials.ts';
import { cyclonedx, spdx, uniqueEntries } from '../../harness/scanning.ts';

test('a digest of an unknown algorithm is ignored, also if every object has its name', () => {
  const hashes = ['constructor', 'MD5', 'SHA-256'].map((alg) => ({ alg, content: 'ab' }));
  const components = [{ name: 'svc', version: '1.0', hashes }];
  const bill = readBill(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.7', components }));

  expect(bill?.entries[0]?.[0]?.digests).toEqual(['sha256:ab']);
});

test('a version of CycloneDX is shown as it is written, or rejected', () => {
  const read = (specVersion: string) =>
    readBill(JSON.stringify({ bomFormat: 'CycloneDX', specVersion, components: [] }));

  expect(read('1.99')?.notes).toEqual([
    'CycloneDX 1.99 is newer than this program; its components were read as before',
  ]);
  expect(read(`1.${'9'.repeat(400)}`)?.problems).toEqual([
    expect.stringContaining('specVersion: expected 1.x, such as 1.7; got "1.999'),
  ]);
});

test('what is wrong in a package of SPDX is told at once', () => {
  const externalRefs = { referenceType: 'purl', referenceLocator: 'pkg:npm/q' };
  const bill = readBill(JSON.stringify(spdx({ name: 5, externalRefs })));

  expect(bill?.problems).toEqual([
    expect.stringContaining('packages[0].externalRefs: expected a list'),
    expect.stringContaining('packages[0].name: expected a text'),
  ]);
});

test('each component has its line, also before the subject of the document', () => {
  const bill = readBill(`{
    "bomFormat": "CycloneDX", "specVersion": "1.6",
    "components": [
      { "name": "a", "version": "1.0" },
      { "name": "b", "version": "1.0" }
    ],
    "metadata": { "component": { "name": "app", "version": "1.0" } }
  }`);

  expect(bill?.entries.map(([{ text, line }]) => [text, line])).toEqual([
    ['app@1.0', 7],
    ['a@1.0', 4],
    ['b@1.0', 5],
  ]);
});

test('each component has its line, with the keys of the document in any order', () => {
  const bill = readBill(`{ "bomFormat": "CycloneDX", "specVersion": "1.6",
  "components": [
    { "name": "agent",
      "purl": "pkg:npm/agent@1.0" },
    { "name": "version", "version": "2.0" },
    { "name": "agent", "version": "3.0" }
  ],
  "dependencies": [
    { "dependsOn": ["pkg:npm/agent@1.0", "agent"], "ref": "pkg:npm/kit@1.0" }
  ],
  "metadata": {
    "component": { "name": "kit", "purl": "pkg:npm/kit@1.0" }
  } }`);

  expect(bill?.entries.map(([{ text, line }]) => [text, line])).toEqual([
    ['pkg:npm/kit@1.0', 12],
    ['pkg:npm/agent@1.0', 4],
    ['version@2.0', 5],
    ['agent@3.0', 6],
  ]);
});

test('two versions of one component have each its own line', () => {
  const bill = readBill(`{
    "bomFormat": "CycloneDX", "specVersion": "1.6",
    "components": [
      { "name": "a", "version": "1.0" },
      { "name": "a", "version": "2.0" }
    ]
  }`);

  expect(bill?.entries.map(([{ text, line }]) => [text, line])).toEqual([
    ['a@1.0', 4],
    ['a@2.0', 5],
  ]);
});

test('each version of a component has the line of the component', () => {
  const identity = [{ field: 'version', concludedValue: '1.1' }];
  const components = [
    { name: 'a', version: '1.0', evidence: { identity } },
    { name: 'a', version: '2.0' },
  ];
  const lines = components.map((component) => JSON.stringify(component)).join(',\n');
  const bill = readBill(
    `{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [\n${lines}]}`,
  );

  expect(bill?.entries.map(([{ text, line }]) => [text, line])).toEqual([
    ['a@1.0', 2],
    ['a@1.1', 2],
    ['a@2.0', 3],
  ]);
});

test.each([
  [
    'a tool',
    `{"bomFormat": "CycloneDX", "specVersion": "1.6",
    "metadata": {"tools": {"components": [{"name": "svc"}]}},
    "components": [
      {"name": "svc", "version": "1.0"}]}`,
  ],
  [
    'its document',
    `{"sbom": {"spdxVersion": "SPDX-2.3",
    "name": "svc",
    "packages": [
      {"versionInfo": "1.0", "name": "svc"}]}}`,
  ],
  [
    'its licence',
    `{"bomFormat": "CycloneDX", "specVersion": "1.6",
    "metadata": {},
    "components": [{"components": [], "licenses": [{"license": {"name": "svc"}}],
      "name": "svc", "version": "1.0"}]}`,
  ],
])('a package with the name of %s has its own line', (_, json) => {
  expect(readBill(json)?.entries.map(([{ text, line }]) => [text, line])).toEqual([['svc@1.0', 4]]);
});

test.each([
  { stated: { version: '2.0' }, identity: { field: 'version' }, versions: ['2.0'] },
  { stated: {}, identity: { field: 'version', concludedValue: '2.0' }, versions: ['2.0'] },
  { stated: {}, identity: { field: 'version' }, versions: [undefined] },
  {
    stated: { version: null },
    identity: { field: 'version', concludedValue: '2.0' },
    versions: ['2.0'],
  },
  {
    stated: { version: '2.0' },
    identity: { field: 'version', concludedValue: null },
    versions: ['2.0'],
  },
  {
    stated: { version: '' },
    identity: { field: 'version', concludedValue: '2.0' },
    versions: ['2.0'],
  },
  {
    stated: { version: '2.0' },
    identity: { field: 'version', concludedValue: '' },
    versions: ['2.0'],
  },
  { stated: { version: '' }, identity: {}, versions: [undefined] },
])('a component of $stated with $identity has the versions $versions', (row) => {
  const component = { name: 'svc', ...row.stated, evidence: { identity: [row.identity] } };
  const bill = readBill(
    JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', components: [component] }),
  );

  expect(bill!.entries.map(([item]) => item.version)).toEqual(row.versions);
});

test.each([
  cyclonedx({ name: 'svc', version: null, purl: null, group: null, components: null }),
  { ...cyclonedx({ name: 'svc' }), metadata: { component: null } },
  spdx({ name: 'svc', versionInfo: null, externalRefs: null, checksums: null }),
])('null is a value that is not stated: %j', (document) => {
  const bill = readBill(JSON.stringify(document));

  expect(bill).toMatchObject({ entries: [[{ text: 'svc', version: undefined }]], problems: [] });
});

test.each([
  '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>',
  '<?xml version="1.0"?>\n<!-- made by a tool -->\n<bom/>',
  '<?xml version="1.0"?><cdx:bom xmlns:cdx="http://cyclonedx.org/schema/bom/1.6"/>',
])('a bill of materials in XML is rejected: %s', (text) => {
  expect(readBill(text)?.problems).toEqual([
    'XML is not supported; write the bill of materials as JSON',
  ]);
});

test('a document that names no format is no bill, also with a list of packages', () => {
  expect(readBill('{"packages": [{"name": "svc", "version": "1.0"}]}')).toBeUndefined();
});

const texts = fc.string({
  unit: fc.constantFrom('\ud800', '\udfff', '%', '@', '/', 'a', '1', '.', '?', '😀'),
});

test('any name, version and package URLs are an entry', () => {
  const locators = fc.array(texts.map((text) => `pkg:npm/${text}`));
  fc.assert(
    fc.property(texts, fc.option(texts, { nil: undefined }), locators, (name, version, purls) => {
      const externalRefs = purls.map((purl) => {
        return { referenceType: 'purl', referenceLocator: purl };
      });
      const document = spdx({ name: `a${name}`, versionInfo: version, externalRefs });
      const { entries, problems } = readBill(JSON.stringify(document))!;
      expect({ count: entries.length, problems }).toEqual({ count: 1, problems: [] });
      expect(uniqueEntries([...entries, ...entries])).toEqual(entries);
    }),
    { numRuns: 2000 },
  );
});

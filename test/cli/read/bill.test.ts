import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { program } from '../../harness/example.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { buildExample } from '../../harness/site.ts';

const property = 'cdx:lifecycle:milestone:endOfSupport';
/**
 * Five versions of packages. The first has an exact end-of-support date, the second an estimated date, and the third an uncertain date.
 * The fourth has no end-of-support date. The fifth is not in the index.
 */
const things = [
  ['build-cache-node', '21.1', '2026-12-31'],
  ['svc', '2025.1'],
  ['svc', '2026.3'],
  ['edge-node', '2.1.0'],
  ['left-pad', '1.0.0'],
] as const;

/**
 * An SBOM as syft writes it: packages nested in an image, and no version number of the SBOM itself.
 */
const syft = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [
    {
      'bom-ref': 'image',
      type: 'container',
      name: 'example/app',
      version: 'sha256:0f',
      components: things.map(([name, version]) => ({
        'bom-ref': `${name}-${version}`,
        type: 'library',
        name,
        version,
        cpe: `cpe:2.3:a:${name}:${name}:${version}:*:*:*:*:*:*:*`,
        properties: [{ name: 'syft:package:type', value: 'npm' }],
      })),
    },
  ],
};

/**
 * Makes an SBOM with the CycloneDX library. Its first component already has an end-of-support
 * date, which is outdated.
 */
function makeByLibrary(): { components: object[] } {
  const bom = new Models.Bom({ version: 3 });
  for (const [name, version] of things) {
    const properties =
      name === 'build-cache-node' ? [new Models.Property(property, '2020-01-01')] : [];
    const facts = {
      version,
      bomRef: name + version,
      properties: new Models.PropertyRepository(properties),
    };
    bom.components.add(new Models.Component(Enums.ComponentType.Library, name, facts));
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot7);
  return JSON.parse(new Serialize.JsonSerializer(factory).serialize(bom)) as {
    components: object[];
  };
}

const schemas = join(program, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
const readSchema = (name: string) =>
  JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;
const ajv = addFormats.default(new Ajv({ strict: false }), {
  formats: ['date', 'date-time', 'uri'],
});
for (const format of ['iri-reference', 'idn-email']) {
  ajv.addFormat(format, true);
}
for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
  ajv.addSchema(readSchema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
}

const folder = createFolder();
const [file, written] = [join(folder, 'bom.json'), join(folder, 'written.json')];
const scan = (sbom: unknown) => {
  writeFileSync(file, typeof sbom === 'string' ? sbom : `\uFEFF${JSON.stringify(sbom)}`);
  return runCli(['scan', file, '--out', buildExample(), '--policy', 'secure', '--write', written]);
};

const library = makeByLibrary();

test.each([
  ['syft', syft, 2],
  ['the CycloneDX library', library, 4],
])(
  'scan --write adds only exact end-of-support dates to an SBOM from %s',
  async (_, sbom, version) => {
    const { specVersion } = sbom as { specVersion?: string };
    await scan(sbom);

    const next = JSON.parse(readFileSync(written, 'utf8')) as object;
    const validate = ajv.compile({
      ...readSchema(`bom-${specVersion}`),
      $id: `http://cyclonedx.org/schema/${specVersion}`,
    });
    expect([validate(sbom), validate(next), validate.errors]).toEqual([true, true, null]);
    const { ends, others } = takeEnds(next);
    // The new end-of-support date replaced the outdated one.
    expect(ends).toEqual([things[0].join(' ')]);
    expect(others).toEqual({ ...takeEnds(sbom).others, version });
  },
);

/** Separates the end-of-support dates in an SBOM, each with its component, from the rest of the SBOM. */
function takeEnds(sbom: object) {
  const ends: string[] = [];
  const others = JSON.parse(JSON.stringify(sbom), (_key, value) => {
    const own = value?.properties?.filter((each: any) => each.name === property) ?? [];
    if (own.length === 0) {
      return value;
    }
    ends.push(`${value.name} ${value.version} ${own.map((each: any) => each.value)}`);
    return { ...value, properties: value.properties.filter((each: any) => !own.includes(each)) };
  }) as object;
  return { ends, others };
}

test.each([
  [
    '{"bomFormat": "CycloneDX", "specVersion": "1.2", "components": [{"name": "svc", "version": "2025.1"}]}',
    'expected a CycloneDX SBOM 1.3',
  ],
  ['[{"name": "svc", "version": "2025.1"}]', 'expected a CycloneDX SBOM 1.3'],
  ['svc 2025.1', 'is not JSON'],
  [JSON.stringify({ ...library, specVersion: { toString: 1 } }), 'expected a CycloneDX SBOM 1.3'],
  [JSON.stringify({ ...library, signature: {} }), 'is signed'],
  [
    JSON.stringify({ ...library, components: [{ ...library.components[0], signature: {} }] }),
    'is signed',
  ],
])('scan --write writes nothing for the list %s', async (sbom, message) => {
  writeFileSync(written, 'former');
  const { status, stderr } = await scan(sbom);

  expect([status, stderr]).toEqual([3, expect.stringContaining(message)]);
  expect(readFileSync(written, 'utf8')).toBe('former');
});

test('scan --write rejects more than one SBOM', async () => {
  const { status, stderr } = await runCli(['scan', 'a.json', 'b.json', '--write', written]);

  expect([status, stderr]).toEqual([2, expect.stringContaining('--write: expected one SBOM')]);
});

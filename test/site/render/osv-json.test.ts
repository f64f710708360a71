import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Advisory } from '../../../src/core/schemas/advisory.ts';
import type { Definition } from '../../../src/core/schemas/definition.ts';
import { renderOsvFiles } from '../../../src/site/render/osv-json.ts';
import { release } from '../../harness/judging.ts';
import { componentOf, recordedBy, summariesOf } from './sites.ts';

// github.com/ossf/osv-schema, validation/schema.json, Apache-2.0.
const schema = JSON.parse(
  readFileSync(new URL('../../harness/osv.schema.json', import.meta.url), 'utf8'),
) as object;
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const isOsv = ajv.compile(schema);

interface OsvDocument {
  id: string;
}

const versions = ['1.0', '1.1', '1.1.1', '2.0'];
const component = (name: string, sources: Definition['sources'], ...advisories: Advisory[]) => {
  const recorded = versions.map((version) => release(version, '2026-01-01'));
  const found = componentOf(recorded, { sources, advisories }, { name });
  return { ...found, journal: recordedBy(found) };
};

const both: Advisory = { id: 'CVE-2026-1', affected: '<1.1.1', fixed: ['1.1.1'], severity: 'high' };
const full: Advisory = {
  id: 'x_own-2',
  affected: '=2.0',
  severity: 'critical',
  summary: 'Reads files outside its folder.',
  url: 'https://example.com/2',
  published: '2026-02-01',
};

const files = renderOsvFiles(
  summariesOf(
    component('agent', [{ datasource: 'npm', packageName: '@example/agent' }], both),
    component('edge', [], { ...both, severity: 'low' }, { id: 'GHSA-none', affected: '>9' }),
    component(
      'kit',
      [
        { datasource: 'pypi', packageName: 'Example_Kit' },
        { datasource: 'maven', packageName: 'com.example:kit' },
        { datasource: 'docker', packageName: 'example/kit' },
      ],
      full,
    ),
  ),
);
const documents = files.map(({ body }) => JSON.parse(body as string) as OsvDocument);

test('each advisory has a file that is valid by the schema of OSV', () => {
  expect(files.map(({ path }) => path)).toEqual([
    'osv/CVE-2026-1.json',
    'osv/GHSA-none.json',
    'osv/x_own-2.json',
  ]);
  for (const document of documents) {
    expect([document.id, isOsv(document), isOsv.errors]).toEqual([document.id, true, null]);
  }
});

test('an advisory names the packages and versions of all its components', () => {
  expect(documents[0]).toEqual({
    schema_version: '1.7.0',
    id: 'CVE-2026-1',
    modified: '2026-06-30T00:00:00.000Z',
    affected: [
      {
        package: { ecosystem: 'npm', name: '@example/agent', purl: 'pkg:npm/%40example/agent' },
        versions: ['1.0', '1.1'],
        database_specific: { component: 'agent', fixed: ['1.1.1'] },
      },
      { versions: ['1.0', '1.1'], database_specific: { component: 'edge', fixed: ['1.1.1'] } },
    ],
    database_specific: { severity: 'HIGH' },
  });
  expect(documents[2]).toMatchObject({
    published: '2026-02-01T00:00:00Z',
    summary: 'Reads files outside its folder.',
    references: [{ type: 'ADVISORY', url: 'https://example.com/2' }],
    affected: [
      { package: { ecosystem: 'PyPI', name: 'example-kit' }, versions: ['2.0'] },
      { package: { ecosystem: 'Maven', name: 'com.example:kit' }, versions: ['2.0'] },
    ],
  });
});

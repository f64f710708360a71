import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { checkout, fixtureIndex } from '../harness/checkout.ts';
import { publishedPaths } from '../../src/render/paths.ts';
import { jsonSchemaOf, renderSchemas, schemaNames } from '../../src/render/json-schemas.ts';
import { fieldsOf } from '../../src/render/fields.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { buildOddSite, today } from './sites.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, strictRequired: false, allowUnionTypes: true });
addFormats.default(ajv);

type JsonSchema = z.core.JSONSchema.JSONSchema;

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known) return known;
  const file = renderSchemas().find(({ path }) => path === `schema/${name}.json`)!;
  const validate = ajv.compile(JSON.parse(file.body) as object);
  validators.set(name, validate);
  return validate;
}

function problemsOf(name: string, document: unknown): string[] {
  const validate = validatorOf(name);
  return validate(document) ? [] : validate.errors!.map((error) => `${error.instancePath}: ${error.message}`);
}

/** The JSON files of a folder that a published path stands for. */
function filesOf(out: string, path: string): string[] {
  if (!path.includes('{component}')) return [path];
  const names = JSON.parse(readFileSync(join(out, 'index.json'), 'utf8')) as string[];
  return names.map((name) => path.replace('{component}', name));
}

describe('the schema of the configuration of a site', () => {
  const { properties } = jsonSchemaOf('site') as { properties: Record<string, JsonSchema> };

  it.each(Object.entries(properties))(
    'says of %s what it is, and gives an example that holds',
    (name, field) => {
      const inner = Object.entries((field.properties ?? {}) as Record<string, JsonSchema>);
      const described = [[name, field] as const, ...inner];

      expect(described.filter(([, { description }]) => !description).map(([key]) => key)).toEqual([]);
      expect(field.examples ?? inner.flatMap(([, { examples }]) => examples ?? [])).not.toEqual([]);
      const validate = ajv.compile({ ...field, $defs: (jsonSchemaOf('site') as JsonSchema).$defs });
      for (const example of field.examples ?? []) expect(validate(example), String(example)).toBe(true);
    },
  );
});

describe('schemas of what is published', () => {
  it.each(schemaNames)('%s is a JSON Schema of draft 2020-12 that compiles', (name) => {
    expect(jsonSchemaOf(name)['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(() => validatorOf(name)).not.toThrow();
  });

  const built: Record<string, string> = {};

  beforeAll(() => {
    built['fixture index'] = siteOfFixtureIndex('2026-11-20');
    built['strangest site'] = buildOddSite(today);
  });

  it.each(['fixture index', 'strangest site'])('hold for every document of the %s', (which) => {
    const out = built[which]!;
    const problems: string[] = [];
    let documents = 0;
    for (const { path, schema } of publishedPaths) {
      if (schema === undefined) continue;
      for (const file of filesOf(out, path)) {
        documents += 1;
        const found = problemsOf(schema, JSON.parse(readFileSync(join(out, file), 'utf8')));
        problems.push(...found.map((problem) => `${file}${problem}`));
      }
    }

    expect(problems).toEqual([]);
    expect(documents).toBeGreaterThan(15);
  });

  it.each([
    [
      'component',
      { homepage: 'https://a.example', changelogUrl: 'https://a.example', releases: [], more: 1 },
      'additional',
    ],
    [
      'component',
      { homepage: 'http://a.example', changelogUrl: 'https://a.example', releases: [] },
      'pattern',
    ],
    [
      'component',
      {
        homepage: 'https://a.example',
        changelogUrl: 'https://a.example',
        releases: [{ version: '', isDeprecated: false }],
      },
      'fewer than 1',
    ],
    [
      'component',
      {
        homepage: 'https://a.example',
        changelogUrl: 'https://a.example',
        releases: [{ version: '1', isDeprecated: 'no' }],
      },
      'boolean',
    ],
    [
      'component',
      {
        homepage: 'https://a.example',
        changelogUrl: 'https://a.example',
        releases: [{ version: '1', isDeprecated: false, releaseTimestamp: null }],
      },
      'string',
    ],
    [
      'component',
      {
        homepage: 'https://a.example',
        changelogUrl: 'https://a.example',
        releases: [{ version: '1', isDeprecated: false, releaseTimestamp: '2026-01-01' }],
      },
      'pattern',
    ],
    [
      'component',
      {
        homepage: 'https://a.example',
        changelogUrl: 'https://a.example',
        releases: [{ version: '1', isDeprecated: false, isStable: true }],
      },
      'constant',
    ],
    ['index', ['Upper'], 'pattern'],
    ['badge', { schemaVersion: 1, label: 'svc', message: '', color: '#000000' }, 'fewer than 1'],
  ])('%s refuses what is not to be published: %#', (name, document, message) => {
    expect(problemsOf(name, document).join()).toContain(message);
  });

  it('hold for what people write', () => {
    for (const [name, folder] of [
      ['definition', 'components'],
      ['data', 'data'],
    ] as const) {
      for (const file of readdirSync(join(fixtureIndex, folder)).filter((entry) => entry.endsWith('.json'))) {
        const document: unknown = JSON.parse(readFileSync(join(fixtureIndex, folder, file), 'utf8'));
        expect(problemsOf(name, document), `${folder}/${file}`).toEqual([]);
      }
    }
    expect(problemsOf('site', JSON.parse(readFileSync(join(checkout, 'site/site.json'), 'utf8')))).toEqual(
      [],
    );
  });

  it('describe every field of every published document', () => {
    const silent = publishedPaths.flatMap(({ path, schema }) =>
      schema === undefined
        ? []
        : fieldsOf(jsonSchemaOf(schema))
            .filter((field) => field.description === '')
            .map((field) => `${path}: ${field.path}`),
    );

    expect(silent).toEqual([]);
  });
});

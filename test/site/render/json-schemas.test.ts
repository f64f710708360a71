import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkout, fixtureIndex } from '../../harness/checkout.ts';
import { attestationsPath, publishedPaths } from '../../../src/site/render/paths.ts';
import { fieldsOf, jsonSchemaOf, renderSchemas, schemaNames } from '../../../src/site/render/json-schemas.ts';
import { readJsonIn } from '../../harness/root.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { buildOddSite, today } from './sites.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, strictRequired: false, allowUnionTypes: true });
addFormats.default(ajv);

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
  const [, folder] = /^(changes|builds|renovate\/with)\//.exec(path) ?? [];
  if (folder !== undefined)
    return existsSync(join(out, folder))
      ? readdirSync(join(out, folder)).map((file) => `${folder}/${file}`)
      : [];
  if (!path.includes('{component}')) return [path];
  const names = JSON.parse(readFileSync(join(out, 'index.json'), 'utf8')) as string[];
  return names.map((name) => path.replace('{component}', name));
}

interface KeySchema {
  description?: string;
  examples?: unknown[];
  [keyword: string]: unknown;
}

/** Every key that a schema names, at any depth, by its path. */
function* keysOf(schema: unknown, path = ''): Generator<[string, KeySchema]> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === 'examples') continue;
    if (keyword !== 'properties') yield* keysOf(inner, path);
    else {
      for (const [name, key] of Object.entries(inner as Record<string, KeySchema>)) {
        yield [`${path}.${name}`, key];
        yield* keysOf(key, `${path}.${name}`);
      }
    }
  }
}

describe('schemas of what is published', () => {
  it.each(schemaNames)('%s is a JSON Schema of draft 2020-12 that compiles', (name) => {
    expect(jsonSchemaOf(name)['$schema']).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(() => validatorOf(name)).not.toThrow();
  });

  const built: Record<string, string> = {};

  beforeAll(async () => {
    built['fixture index'] = siteOfFixtureIndex('2026-11-20');
    built['strangest site'] = await buildOddSite(today);
  });

  it.each(['fixture index', 'strangest site'])('hold for every document of the %s', (which) => {
    const out = built[which]!;
    const problems: string[] = [];
    let documents = 0;
    for (const { path, schema } of publishedPaths) {
      // Signing makes the statements, after the build: test/proof looks at them.
      if (schema === undefined || path === attestationsPath) continue;
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
      for (const file of readdirSync(join(fixtureIndex, folder)).filter(
        (entry) => entry.endsWith('.json') && entry !== 'held.json',
      )) {
        const document: unknown = JSON.parse(readFileSync(join(fixtureIndex, folder, file), 'utf8'));
        expect(problemsOf(name, document), `${folder}/${file}`).toEqual([]);
      }
    }
    expect(problemsOf('held', readJsonIn(fixtureIndex, 'data/held.json'))).toEqual([]);
    expect(problemsOf('site', JSON.parse(readFileSync(join(checkout, 'site/site.json'), 'utf8')))).toEqual(
      [],
    );
  });

  it.each(['definition', 'site', 'access'] as const)(
    'say of every key of a %s what it means, with an example that holds',
    (name) => {
      const silent: string[] = [];
      const wrong: string[] = [];
      for (const [path, key] of keysOf(jsonSchemaOf(name))) {
        if (!key.description || !key.examples?.length) silent.push(path);
        const validate = ajv.compile(key);
        for (const example of key.examples ?? [])
          if (!validate(example)) wrong.push(`${path}: ${JSON.stringify(example)}`);
      }

      expect(silent).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );

  it('are in the checkout for editors as well', () => {
    const stale = renderSchemas().filter(({ path, body }) => {
      const file = join(checkout, 'site', path);
      return !existsSync(file) || readFileSync(file, 'utf8') !== body;
    });

    expect(
      stale.map(({ path }) => path),
      'npm run schemas site/schema',
    ).toEqual([]);
    for (const [name, folder] of [
      ['definition', 'components'],
      ['site', 'site'],
      ['access', 'site'],
    ] as const) {
      const path = jsonSchemaOf(name).properties!['$schema'] as { examples: string[] };
      expect(existsSync(join(checkout, folder, path.examples[0]!))).toBe(true);
    }
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

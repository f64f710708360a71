import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { PublishedChange } from '../../../../src/core/schemas/published/changes-file.ts';
import { EventType } from '../../../../src/core/schemas/recorded/journal.ts';
import { publishedPaths } from '../../../../src/site/render/paths.ts';
import { createJsonSchema } from '../../../../src/site/render/documents/json-schemas.ts';
import { readJsonIn } from '../../../harness/root.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { buildOddSite, today } from '../sites.ts';

const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  strictRequired: false,
  allowUnionTypes: true,
});
addFormats.default(ajv);

/** The paths of fields without a description. */
function undescribedIn(schema: Described, prefix = ''): string[] {
  const { properties = {}, items, additionalProperties } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    return [...(field.description ? [] : [path]), ...undescribedIn(field, `${path}.`)];
  });
  const inner = [items, additionalProperties].filter((part) => typeof part === 'object');
  return [...own, ...inner.flatMap((part) => undescribedIn(part, prefix))];
}

interface Described {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly additionalProperties?: Described | boolean;
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known) {
    return known;
  }
  const validate = ajv.getSchema(`documents.json#/$defs/${name}`)!;
  validators.set(name, validate);
  return validate;
}

function problemsOf(name: string, document: unknown): string[] {
  const validate = validatorOf(name);
  return validate(document)
    ? []
    : validate.errors!.map((error) => `${error.instancePath}: ${error.message}`);
}

/** The JSON files of a site at a published path. */
function filesOf(out: string, path: string): string[] {
  const [, folder] = /^(changes|builds|renovate\/with)\//.exec(path) ?? [];
  if (folder !== undefined) {
    return existsSync(join(out, folder))
      ? readdirSync(join(out, folder)).map((file) => `${folder}/${file}`)
      : [];
  }
  if (!path.includes('{component}')) {
    return existsSync(join(out, path)) ? [path] : [];
  }
  const names = JSON.parse(readFileSync(join(out, 'index.json'), 'utf8')) as string[];
  return names.map((name) => path.replace('{component}', name));
}

interface KeySchema {
  description?: string;
  examples?: unknown[];
  [keyword: string]: unknown;
}

/** Every key of a schema, at any depth, by its path. */
function* keysOf(schema: unknown, path = ''): Generator<[string, KeySchema]> {
  if (typeof schema !== 'object' || schema === null) {
    return;
  }
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === 'examples') {
      continue;
    }
    if (keyword !== 'properties') {
      yield* keysOf(inner, path);
    } else {
      for (const [name, key] of Object.entries(inner as Record<string, KeySchema>)) {
        yield [`${path}.${name}`, key];
        yield* keysOf(key, `${path}.${name}`);
      }
    }
  }
}

describe('JSON Schemas', () => {
  const built: Record<string, string> = {};
  let published: { $schema: string; $defs: Record<string, object> };

  beforeAll(async () => {
    built['fixture index'] = siteOfFixtureIndex('2026-11-20');
    built['odd site'] = await buildOddSite(today);
    published = readJsonIn(built['fixture index'], 'schema/documents.json');
    ajv.addSchema(published, 'documents.json');
  });

  it('are one document of draft 2020-12, with a schema that compiles for each name', () => {
    expect(published.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(Object.keys(published.$defs)).toEqual(
      expect.arrayContaining([
        ...['definition', 'site', 'access', 'policy', 'data', 'exceptions'],
        ...['component', 'details', 'search', 'changes', 'status', 'compatibility'],
      ]),
    );
    for (const name of Object.keys(published.$defs)) {
      expect(() => validatorOf(name)).not.toThrow();
    }
  });

  it.each(['fixture index', 'odd site'])('hold for every document of the %s', (which) => {
    const out = built[which]!;
    const problems: string[] = [];
    let documents = 0;
    for (const { path, schema } of publishedPaths) {
      // A small index has no parts.
      if (schema === undefined || path.includes('{part}')) {
        continue;
      }
      for (const file of filesOf(out, path)) {
        documents += 1;
        const found = problemsOf(schema, JSON.parse(readFileSync(join(out, file), 'utf8')));
        problems.push(...found.map((problem) => `${file}${problem}`));
      }
    }

    expect(problems).toEqual([]);
    expect(documents).toBeGreaterThan(15);
  });

  const file = { homepage: 'https://a.example', changelogUrl: 'https://a.example', releases: [] };
  const fileOf = (release: object) => ({
    ...file,
    releases: [{ version: '1', isDeprecated: false, ...release }],
  });

  it.each<[schema: string, document: unknown, message: string]>([
    ['component', { ...file, more: 1 }, 'additional'],
    ['component', fileOf({ version: '' }), 'fewer than 1'],
    ['component', fileOf({ releaseTimestamp: null }), 'string'],
    ['component', fileOf({ releaseTimestamp: '2026-01-01' }), 'pattern'],
    ['component', fileOf({ isStable: true }), 'constant'],
  ])('the schema %s rejects %j', (name, document, message) => {
    expect(problemsOf(name, document).join()).toContain(message);
  });

  it.each(['definition', 'site', 'access'] as const)(
    'describe every key of %s, with valid examples',
    (name) => {
      const silent: string[] = [];
      const wrong: string[] = [];
      for (const [path, key] of keysOf(createJsonSchema(name))) {
        if (!key.description || !key.examples?.length) {
          silent.push(path);
        }
        const validate = ajv.compile(key);
        for (const example of key.examples ?? []) {
          if (!validate(example)) {
            wrong.push(`${path}: ${JSON.stringify(example)}`);
          }
        }
      }

      expect(silent).toEqual([]);
      expect(wrong).toEqual([]);
    },
  );

  it('give the meaning of each type of a change', () => {
    const { description = '' } = PublishedChange.shape.type;
    const named = description.split('; ').flatMap((part) => part.split(': ')[0]!.split(', '));

    expect(named.sort()).toEqual([...EventType.options].sort());
  });

  it('describe every field of every published document', () => {
    const silent = publishedPaths.flatMap(({ path, schema }) =>
      schema === undefined
        ? []
        : undescribedIn(createJsonSchema(schema) as Described).map((field) => `${path}: ${field}`),
    );

    expect(silent).toEqual([]);
  });
});

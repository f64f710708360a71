import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { renderSchema, writtenSchemas } from '../../../src/core/schema/json-schema.ts';
import { exampleRoot, program } from '../../harness/example.ts';

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

test.each(Object.entries(writtenSchemas))(
  'the committed JSON schema of %s is up to date',
  (name, schema) => {
    const committed = readFileSync(join(program, `site/schema/${name}.json`), 'utf8');

    expect(committed, 'npm run schemas').toBe(renderSchema(schema));
  },
);

test('the JSON schema of a definition rejects an unknown key', () => {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(readJson(join(program, 'site/schema/definition.json')) as object);
  const folder = join(exampleRoot, 'components');
  const definitions = readdirSync(folder).map((file) => readJson(join(folder, file)));

  expect(definitions).toHaveLength(16);
  expect(definitions.filter((definition) => !validate(definition))).toEqual([]);
  expect(validate({ ...(definitions[0] as object), titel: 'Agent' })).toBe(false);
});

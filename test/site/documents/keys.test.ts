import { expect, test } from 'vitest';
import * as z from 'zod';
import { publishedSchemas } from '../../../src/core/schema/documents.ts';
import { readContractTable, readNames } from '../../harness/contract.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** Lists each key of a published document with the path of its object: `details.lines end`. */
function listKeys(name: string, root: Schema): string[] {
  const walk = (schema: Schema, path: string): string[] => {
    const { $ref, properties = {}, items, additionalProperties, anyOf = [] } = schema;
    const definition = root.$defs?.[$ref?.split('/').at(-1) ?? ''];
    const inner = [definition, items, additionalProperties, ...anyOf].flat();
    return [
      ...Object.entries(properties).flatMap(([key, value]) => [
        `${path} ${key}`,
        ...walk(value as Schema, `${path}.${key}`),
      ]),
      ...inner.flatMap((each) => (typeof each === 'object' ? walk(each, path) : [])),
    ];
  };
  return walk(root, name);
}

test('CONTRACT lists exactly the keys of published documents, by object', () => {
  const rows = readContractTable('object | keys |').map((cells) => cells.map(readNames));
  const listed = rows.flatMap(([objects, keys]) =>
    objects!.flatMap((object) => keys!.map((key) => `${object} ${key}`)),
  );
  const named = new Set(rows.flatMap(([objects]) => objects!));
  const published = Object.entries(publishedSchemas)
    .flatMap(([name, schema]) => listKeys(name, z.toJSONSchema(schema)))
    .map((line) => {
      const [path = '', key] = line.split(' ');
      // For objects that occur in several documents, such as `moveTo`, CONTRACT names only the last key of the path.
      return `${named.has(path) ? path : path.split('.').at(-1)} ${key}`;
    });

  expect([...new Set(published)].sort()).toEqual(listed.sort());
});

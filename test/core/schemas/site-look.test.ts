import { expect, it } from 'vitest';
import { siteLook } from '../../../src/core/schemas/site-look.ts';

it.each(Object.entries(siteLook))('%s is described to editors, with examples that hold', (_name, schema) => {
  const { description, examples = [] } = schema.meta()!;

  expect(description).toMatch(/\.$/);
  expect(examples).not.toEqual([]);
  for (const example of examples as unknown[]) expect(schema.parse(example)).toEqual(example);
});

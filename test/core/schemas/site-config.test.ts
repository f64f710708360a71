import { expect, it } from 'vitest';
import { SiteConfig } from '../../../src/core/schemas/site-config.ts';

it.each(Object.entries(SiteConfig.shape))(
  '%s is described to editors, with examples that hold',
  (_name, schema) => {
    const { description, examples = [] } = schema.meta()!;

    expect(description).toMatch(/\.$/);
    expect(examples).not.toEqual([]);
    for (const example of examples as unknown[]) expect(schema.parse(example)).toEqual(example);
  },
);

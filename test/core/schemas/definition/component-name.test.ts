import { expect, it } from 'vitest';
import {
  componentName,
  reservedNames,
} from '../../../../src/core/schemas/definition/component-name.ts';
import { publishedPaths } from '../../../../src/site/render/paths.ts';

it('no component can take the place of a published path', () => {
  const first = publishedPaths
    .map(({ path }) => path.split(/[./]/)[0]!)
    .filter((name) => componentName.test(name));

  expect(first).toContain('changes');
  expect(first.filter((name) => !reservedNames.has(name))).toEqual([]);
});

it.each(['mcp', 'export', 'packages', 'search'])(
  'nor of %s, which the host answers by itself',
  (name) => {
    expect(reservedNames.has(name)).toBe(true);
  },
);

import { expect, test } from 'vitest';
import { purlTypes } from '../../../src/core/model/package-names.ts';
import { datasources } from '../../../src/record/sources/index.ts';

test('every type of package URL is of a datasource', () => {
  const names: string[] = datasources.map(({ datasource }) => datasource);

  expect(Object.keys(purlTypes).filter((datasource) => !names.includes(datasource))).toEqual([]);
});

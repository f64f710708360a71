import { expect, test } from 'vitest';
import { purlTypes } from '../../../src/core/model/purl.ts';
import { datasources } from '../../../src/record/sources/index.ts';

test('readers of texts know the type of package URL of each datasource', () => {
  const types = datasources
    .filter((source) => 'purlType' in source)
    .map(({ datasource, purlType }) => [datasource, purlType]);

  expect(purlTypes).toEqual(Object.fromEntries(types));
});

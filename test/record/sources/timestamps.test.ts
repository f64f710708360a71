import { expect, test } from 'vitest';
import { datasources } from '../../../src/record/sources/index.ts';
import { contract } from '../../harness/contract.ts';

test('the contract says for each datasource where its timestamps come from', () => {
  const [, section = ''] = contract.split('### Where each timestamp comes from');
  const rows = section.split('\n\n')[1]!.matchAll(/^\| `([a-z-]+)`/gm);

  expect(Array.from(rows, ([, name]) => name)).toEqual(
    datasources.map(({ datasource }) => datasource),
  );
});

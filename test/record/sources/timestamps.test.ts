import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datasources } from '../../../src/record/sources/index.ts';
import { checkout } from '../../harness/checkout.ts';

test('the contract says for each datasource where its timestamps come from', () => {
  const contract = readFileSync(join(checkout, '.github/CONTRACT.md'), 'utf8');
  const [, section = ''] = contract.split('### Where each timestamp comes from');
  const rows = section.split('\n\n')[1]!.matchAll(/^\| `([a-z-]+)`/gm);

  expect(Array.from(rows, ([, name]) => name)).toEqual(
    datasources.map(({ datasource }) => datasource),
  );
});

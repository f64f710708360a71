import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { datasources } from '../../../src/record/sources/index.ts';
import { checkout } from '../../harness/checkout.ts';

/** The document with the table "Where each timestamp comes from". */
const document = '.github/CONTRACT.md';

test.each(datasources)('the documentation names the origin of days for $datasource', (adapter) => {
  const rows = readFileSync(join(checkout, document), 'utf8').replaceAll(/ +/g, ' ').split('\n');

  expect(rows).toContain(`| \`${adapter.datasource}\` | ${adapter.timestamps} |`);
});

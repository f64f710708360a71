/** Runs the commands that documents, pages and help texts print. Placeholders in these commands are replaced with values. */
import { test } from 'vitest';
import { readers } from './others.ts';
import { anIndex, operators, theCheckout } from './own.ts';
import { checkout, index, play, reader } from './stage.ts';

// The tests run in this order, because commands for readers and operators use the index that earlier commands create and publish.
test.each([
  ['a checkout', checkout, theCheckout],
  ['a new index', index, anIndex],
  ['readers of a site', reader, readers],
  ['operators of an index', index, operators],
] as const)('commands in the documents print the documented output: %s', (_, place, rows) =>
  play(place, rows),
);

import { expect, test } from 'vitest';
import { limits } from '../../../../src/record/gate/rules/losses.ts';
import { settledAfterDays } from '../../../../src/record/gate/rules/changed-data.ts';
import { outlierFactor } from '../../../../src/record/gate/rules/outliers.ts';
import { lookbackDays } from '../../../../src/record/gate/rules/reader-state.ts';
import { suspicionMeasures } from '../../../../src/record/gate/rules/suspicions.ts';
import { contract } from '../../../harness/contract.ts';

const words: Readonly<Record<string, number>> = { 'a fifth': 1 / 5 };

/** The numbers in each row of both tables of the gate. */
function limitsInContract(): number[][] {
  const tables = contract.matchAll(
    /^\| (?:loss|kind) +\| (?:it waits if|measure) .*\n.*\n((?:\|.*\n)+)/gm,
  );
  const rows = Array.from(tables).flatMap(([, text = '']) => text.trim().split('\n'));
  const number = new RegExp(`${Object.keys(words).join('|')}|\\d[\\d,]*`, 'g');
  return rows.map((row) =>
    Array.from(row.matchAll(number)).map(([text]) => words[text] ?? Number(text.replace(',', ''))),
  );
}

test('the contract has the limits of the gate', () => {
  const { part, fewest, days } = limits;
  const { outlier, flood } = suspicionMeasures;

  expect(limitsInContract()).toEqual([
    [],
    [part, fewest, lookbackDays],
    [days, days, days],
    [],
    [],
    [outlierFactor, ...outlier.map((measure) => measure.days)],
    [flood.most, flood.days],
    [],
    [],
    [settledAfterDays],
  ]);
});

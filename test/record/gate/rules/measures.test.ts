import { expect, test } from 'vitest';
import { measures } from '../../../../src/record/gate/rules/measures.ts';
import { settledAfterDays } from '../../../../src/record/gate/rules/other-bytes.ts';
import { toweringGrowth } from '../../../../src/record/gate/rules/outliers.ts';
import { suspicionMeasures } from '../../../../src/record/gate/rules/suspicions.ts';
import { contract } from '../../../harness/contract.ts';

const words: Readonly<Record<string, number>> = {
  ...{ half: 1 / 2, 'a fifth': 1 / 5 },
  ...{ 'at once': 0 },
};

/** The numbers in each row of both tables of the gate. */
function measuresInContract(): number[][] {
  const tables = contract.matchAll(/^\| kind +\| measure .*\n.*\n((?:\|.*\n)+)/gm);
  const rows = Array.from(tables).flatMap(([, text = '']) => text.trim().split('\n'));
  const number = new RegExp(`${Object.keys(words).join('|')}|\\d[\\d,]*`, 'g');
  return rows.map((row) =>
    Array.from(row.matchAll(number)).map(([text]) => words[text] ?? Number(text.replace(',', ''))),
  );
}

test('the contract has the measures of the gate', () => {
  const { latest, share, earlier, ends } = measures;
  const [recent, far] = earlier;
  const { outlier, flood, late } = suspicionMeasures;

  expect(measuresInContract()).toEqual([
    [latest.most, 0, recent.days],
    [latest.days],
    [share.part, share.fewest, 0, recent.days],
    [far.part, share.fewest, far.days],
    [0, ends, ends, 0, recent.days],
    [ends, far.part, far.days],
    [0],
    [0],
    ...Array.from({ length: 2 }, () => [share.part, share.fewest, 0]),
    [toweringGrowth, ...outlier.map(({ days }) => days)],
    [flood.most, flood.days],
    [late.days],
    [],
    [],
    [settledAfterDays],
  ]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { additionMeasures } from '../../../src/decide/gate/additions.ts';
import { measures } from '../../../src/decide/gate/loss.ts';
import { toleratedGrowth } from '../../../src/decide/gate/outliers.ts';
import { checkout } from '../../harness/checkout.ts';

const words: Readonly<Record<string, number>> = {
  ...{ half: 1 / 2, 'a quarter': 1 / 4, 'a fifth': 1 / 5 },
  ...{ 'the change': 0, 'at once': 0 },
};

/** The numbers in each row of the contract's table of measures. */
function measuresInContract(): number[][] {
  const contract = readFileSync(join(checkout, '.github/CONTRACT.md'), 'utf8');
  const [, rows = ''] = /^\| kind +\| measure .*\n.*\n((?:\|.*\n)+)/m.exec(contract) ?? [];
  return rows
    .trim()
    .split('\n')
    .map((row) =>
      Array.from(row.matchAll(new RegExp(`${Object.keys(words).join('|')}|\\d[\\d,]*`, 'g'))).map(
        ([text]) => words[text] ?? Number(text.replace(',', '')),
      ),
    );
}

test('the contract has the measures of the gate', () => {
  const { latest, share, fewest, ends, endDays, takeOverDays } = measures;
  const { outlier, flood, restored, trust } = additionMeasures;
  const shares = Array.from(
    Map.groupBy(share, ({ part }) => part),
    ([part, of]) => [part, fewest, ...of.map(({ days }) => days)],
  );
  const [atOnce, soon, far] = ends;

  expect(measuresInContract()).toEqual([
    [latest.releases, latest.days],
    ...shares,
    [0, endDays, atOnce.days, soon.days],
    [endDays, far.part, far.days],
    [takeOverDays],
    [0],
    [Number(toleratedGrowth), ...outlier.map(({ days }) => days)],
    [flood.most, flood.days],
    [restored.most, restored.days],
    [trust.versions],
    [],
  ]);
});

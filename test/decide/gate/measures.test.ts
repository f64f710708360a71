import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { grouped } from '../../../src/core/text.ts';
import { additionMeasures } from '../../../src/decide/gate/additions.ts';
import { measures } from '../../../src/decide/gate/loss.ts';
import { toleratedGrowth } from '../../../src/decide/gate/outliers.ts';
import { checkout } from '../../harness/checkout.ts';

test('the contract has the measures of the gate', () => {
  const { latest, share, fewest, ends, endDays, takeOverDays } = measures;
  const { outlier, flood, restored, trust } = additionMeasures;
  const words = new Map<number, string>([
    [1 / 2, 'half'],
    [1 / 4, 'a quarter'],
    [1 / 5, 'a fifth'],
  ]);
  const lookBack = (of: readonly { days: number }[]) =>
    of.map(({ days }) => (days === 0 ? 'the change' : `${days} days`)).join(', ');
  const byPart = [...Map.groupBy(share, ({ part }) => part)];
  const [far, partly] = [ends.filter((end) => !('part' in end)), ends.filter((end) => 'part' in end)];

  expect(tableOfMeasures()).toEqual([
    `latest release | vanishes, or falls by more than ${latest.releases} release | ${lookBack([latest])}`,
    ...byPart.map(
      ([part, of]) =>
        `releases in use | ${words.get(part)} of them, and ${fewest}, change for the worse | ${lookBack(of)}`,
    ),
    `end of support | at once, or more than ${endDays} days earlier | ${lookBack(far)}`,
    ...partly.map(
      (end) =>
        `end of support | more than ${endDays} days and ${words.get(end.part)} of what was left | ${lookBack([end])}`,
    ),
    `advisory | no longer affects a release, and no new one takes over | ${takeOverDays} days`,
    ...byPart.map(
      ([part, of]) =>
        `works together | ${words.get(part)} of the statements on other components, and ${fewest}, change or are gone | ${lookBack(of)}`,
    ),
    'recorded data | a release or a line vanishes | the change',
    `new version | a number more than ${toleratedGrowth} times what it was, or a calendar year that has not begun | ${lookBack(outlier)}`,
    `new versions | more than ${grouped(flood.most)} | ${lookBack([flood])}`,
    `new versions | more than ${restored.most} with days over ${restored.days} days before an answer without them | the last answer`,
    `build | none, or another one than before | ${trust.versions} versions`,
    'artifact | other bytes under the same version | always',
  ]);
});

function tableOfMeasures(): string[] {
  const contract = readFileSync(join(checkout, '.github/CONTRACT.md'), 'utf8');
  const [, rows = ''] = /^\| kind +\| measure .*\n.*\n((?:\|.*\n)+)/m.exec(contract) ?? [];
  const cells = (row: string) => row.split('|').slice(1, -1);
  return rows
    .trim()
    .split('\n')
    .map((row) =>
      cells(row)
        .map((cell) => cell.trim())
        .join(' | '),
    );
}

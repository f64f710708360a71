/** Lists and edits about which a run has a message. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, type Day } from '../../src/core/day.ts';
import type { ListedRelease, OperatedIndex } from '../harness/operated-index.ts';

type List = readonly ListedRelease[];

/** Lists releases of long ago for the first time. */
export function listLate(list: List) {
  return ({ answers }: OperatedIndex) => {
    const late = ['0.1.0', '0.2.0'].map((version) => ({ ...list[0]!, version }));
    answers.set('svc', [...late, ...list]);
  };
}

/** Records an observed day, and moves it to a later one in `data/`. */
export function moveDay(list: List, day: Day) {
  return async (index: OperatedIndex) => {
    index.answers.set('svc', [...list, { version: '1.3.0' }]);
    await index.commitDay(day);
    const text = index.read('data/svc.json');
    index.write('data/svc.json', text.replaceAll(day, addDays(day, 1)));
  };
}

/** Lists a version in another spelling for two days. Returns what the second one says. */
export async function respell(index: OperatedIndex, list: List, day: Day): Promise<string> {
  let said = '';
  for (const [position, version] of ['v1.3.0', '1.3.0', '1.3.0'].entries()) {
    index.answers.set('svc', [...list, { version }]);
    said = (await index.record(addDays(day, position))).stderr;
  }
  return said;
}

/** Breaks the list of a live site, and leaves a file that no list names. */
export function breakList(_: OperatedIndex, site: string): void {
  writeFileSync(join(site, 'SHA256SUMS'), '<html>\n');
  writeFileSync(join(site, 'old.html'), '');
}

/** Changes an upstream's list, or edits recorded data, so that a run prints a message. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays, type Day } from '../../src/core/day.ts';
import type { ListedRelease, OperatedIndex } from '../harness/operated-index.ts';

type List = readonly ListedRelease[];

/** Adds releases with old dates to the upstream list, as if upstream listed them late. */
export function listLate(list: List) {
  return ({ answers }: OperatedIndex) => {
    const late = ['0.1.0', '0.2.0'].map((version) => ({ ...list[0]!, version }));
    answers.set('svc', [...late, ...list]);
  };
}

/** Records a release with an observed date, and changes that date in `data/` to the next day. */
export function moveDay(list: List, day: Day) {
  return async (index: OperatedIndex) => {
    index.answers.set('svc', [...list, { version: '1.3.0' }]);
    await index.commitDay(day);
    const text = index.read('data/svc.json');
    index.write('data/svc.json', text.replaceAll(day, addDays(day, 1)));
  };
}

/** Lists a release in a file of the index, and changes its date on the next day. Returns the messages of that day. */
export async function changeDay(index: OperatedIndex, day: Day): Promise<string> {
  const file = 'site/own/svc.json';
  index.define('svc', [], { sources: [{ datasource: 'json', file }] });
  let messages = '';
  for (const [position, month] of ['02', '01'].entries()) {
    index.write(file, { releases: [{ version: '1.9.0', releaseTimestamp: `2026-${month}-01` }] });
    messages = (await index.record(addDays(day, position))).stderr;
  }
  return messages;
}

/** Lists a version in another spelling for two days. Returns the messages of the second day. */
export async function respell(index: OperatedIndex, list: List, day: Day): Promise<string> {
  let messages = '';
  for (const [position, version] of ['v1.3.0', '1.3.0', '1.3.0'].entries()) {
    index.answers.set('svc', [...list, { version }]);
    messages = (await index.record(addDays(day, position))).stderr;
  }
  return messages;
}

/** Breaks the SHA256SUMS of a live site, and adds a file that is not listed. */
export function breakList(_: OperatedIndex, site: string): void {
  writeFileSync(join(site, 'SHA256SUMS'), '<html>\n');
  writeFileSync(join(site, 'old.html'), '');
}

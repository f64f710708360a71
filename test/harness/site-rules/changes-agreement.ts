import { dayOf, type Day } from '../../../src/core/dates.ts';
import type {
  ChangesFile,
  ChangesYearFile,
  PublishedChange,
} from '../../../src/core/schemas/published/changes-file.ts';
import { maxChanges, placeOf } from '../../../src/site/render/change-log.ts';
import type { Report } from './opened-site.ts';
import type { Documents } from './published-documents.ts';

/** `changes.json` is the beginning of what the years hold, newest first. `day` is that of the site. */
export function checkChanges(documents: Documents, day: Day | undefined, report: Report): void {
  const newest = documents.get('changes.json') as ChangesFile | undefined;
  if (newest) checkOrder('changes.json', newest, day, report);
  const years = [...documents.keys()]
    .filter((path) => path.startsWith('changes/'))
    .sort()
    .reverse();
  const all: ChangesYearFile['changes'] = [];
  for (const path of years) {
    const file = documents.get(path) as ChangesYearFile;
    checkOrder(path, file, day, report);
    const foreign = file.changes.find(({ at }) => path !== `changes/${at.slice(0, 4)}.json`);
    if (foreign) report(path, `holds a change of ${foreign.at}`);
    all.push(...file.changes);
  }
  if (newest && JSON.stringify(newest.changes) !== JSON.stringify(all.slice(0, maxChanges)))
    report('changes.json', 'does not hold the newest changes of changes/<year>.json');
}

function checkOrder(path: string, { changes }: ChangesYearFile, day: Day | undefined, report: Report): void {
  const ids = new Set<string>();
  let previous: PublishedChange | undefined;
  for (const [index, change] of changes.entries()) {
    const { id, at } = change;
    const refuse = (message: string) => report(path, `changes[${index}]: ${message}`);
    if (previous && placeOf(change) > placeOf(previous))
      refuse(`expected the newest first; got ${id} of ${at} after ${previous.id} of ${previous.at}`);
    if (day !== undefined && dayOf(at) > day) refuse(`${at} is after the day of the site, ${day}`);
    if (ids.has(id)) refuse(`the id "${id}" is not unique`);
    ids.add(id);
    previous = change;
  }
}

import type { Day } from '../../../src/core/dates.ts';
import type { ChangesFile, ChangesYearFile } from '../../../src/core/schemas/published/changes-file.ts';
import { maxChanges } from '../../../src/site/render/change-log.ts';
import type { Report } from './opened-site.ts';
import type { Documents } from './published-documents.ts';

/** `changes.json` is the beginning of what the years hold, newest first. `day` is that of the site. */
export function checkChanges(
  documents: Documents,
  day: Day | undefined,
  names: readonly string[],
  report: Report,
): void {
  const newest = documents.get('changes.json') as ChangesFile | undefined;
  if (newest) checkOrder('changes.json', newest, day, names, report);
  const years = [...documents.keys()]
    .filter((path) => path.startsWith('changes/'))
    .sort()
    .reverse();
  const all: ChangesYearFile['changes'] = [];
  for (const path of years) {
    const file = documents.get(path) as ChangesYearFile;
    checkOrder(path, file, day, names, report);
    const foreign = file.changes.find(({ on }) => path !== `changes/${on.slice(0, 4)}.json`);
    if (foreign) report(path, `holds a change of ${foreign.on}`);
    all.push(...file.changes);
  }
  if (newest && JSON.stringify(newest.changes) !== JSON.stringify(all.slice(0, maxChanges)))
    report('changes.json', 'does not hold the newest changes of changes/<year>.json');
}

function checkOrder(
  path: string,
  { changes }: ChangesYearFile,
  day: Day | undefined,
  names: readonly string[],
  report: Report,
): void {
  const known = new Set(names);
  const ids = new Set<string>();
  let previous: Day = '9999-12-31';
  for (const [index, { id, on, component }] of changes.entries()) {
    const refuse = (message: string) => report(path, `changes[${index}]: ${message}`);
    if (on > previous) refuse(`expected the newest first; got ${on} after ${previous}`);
    if (day !== undefined && on > day) refuse(`${on} lies after the day of the site, ${day}`);
    if (!known.has(component)) refuse(`there is no component "${component}"`);
    if (ids.has(id)) refuse(`the id "${id}" is not unique`);
    ids.add(id);
    previous = on;
  }
}

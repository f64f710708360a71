// The script `assets/ask.js`, which a page loads when it needs answers: to a question, about older releases, or about today if the
// page is older.

import { readReplacement } from '../../ask/answers/answer-index.ts';
import type { PublishedReleaseOn } from '../../ask/answers/component-on.ts';
import { judgeVersion } from '../../ask/answers/judge-version.ts';
import { nameTarget } from '../../ask/answers/verdict-sentences.ts';
import { answerVersion } from '../../ask/answers/version-answer.ts';
import type { Day } from '../../core/model/dates.ts';
import { describeMove } from '../../core/model/words.ts';
import { formatNumber } from '../../core/text/wording.ts';
import { groupByYear, sortByDay } from '../../decide/release-days.ts';
import { nameReleaseAnchor } from '../render/html/anchors.ts';
import { drawVerdict, markup } from '../render/html/markup.ts';
import { renderReleaseTable } from '../render/html/release-table.ts';
import { findAll, makeElement, makeMarkup } from './dom.ts';
import { index } from './find-answer.ts';
import { openSite } from './site-index.ts';

export { openBox } from './box.ts';

/** The version to move to from a release line today; undefined if there is none. */
export async function findLineMove(component: string, line: string): Promise<string | undefined> {
  const { details, replacement } = await readWithReplacement(component);
  const { moveTo } = judgeVersion(details, { line, replacement });
  return moveTo && nameTarget(moveTo, details, replacement);
}

/** The advice for a version today, and whether it is still the version to use. */
export async function judgeShownVersion(component: string, version: string) {
  const { details, replacement } = await readWithReplacement(component);
  const verdict = judgeVersion(details, { version, replacement });
  const words = describeMove(verdict, (target) => nameTarget(target, details, replacement));
  const recommendation =
    verdict.newest === undefined ? 'No version to use' : `Use ${verdict.newest}`;
  const isRecommended = words === '' && verdict.newest === version;
  return { isRecommended, sentence: `${words || recommendation}.` };
}

/** The verdict on a release line today, as the row of the line has it. */
export async function renderLineVerdict(component: string, line: string): Promise<Node> {
  const { details, replacement } = await readWithReplacement(component);
  return makeMarkup(drawVerdict('p', answerVersion(details, { line, replacement })));
}

async function readWithReplacement(component: string) {
  // A page from a cache may name a component that has left. It stays as it was built.
  const details = (await index.details(component))!;
  return { details, replacement: await readReplacement(index, details) };
}

/** The releases of a component that its page omits, by year. A person asked for them, so their number has no limit. */
export async function listOlderYears(component: string): Promise<HTMLElement[]> {
  const { releases, day } = (await openSite().details(component))!;
  const shown = new Set(findAll('tr[id]').map(({ id }) => id));
  const older = releases.filter(({ version }) => !shown.has(nameReleaseAnchor(version)));
  const { years, undated } = groupByYear(sortByDay(older, releases), releases);
  const groups = new Map<string, readonly PublishedReleaseOn[]>(years);
  if (undated.length > 0) {
    groups.set('Release days unknown', undated);
  }

  return Array.from(groups, ([name, group]) => renderGroup(name, group, day));
}

/**
 * A closed group, whose table is made when a person opens it. The cell of an unknown day is empty, since the name of the group says
 * that its days are unknown.
 */
function renderGroup(name: string, releases: readonly PublishedReleaseOn[], day: Day): HTMLElement {
  const size = formatNumber(releases.length);
  const details = makeElement(
    markup`<details class="fold releases"><summary>${name}: ${size}</summary></details>`,
  );
  details.addEventListener(
    'toggle',
    () => details.append(makeMarkup(renderReleaseTable(name, releases, day, ''))),
    { once: true },
  );
  return details;
}

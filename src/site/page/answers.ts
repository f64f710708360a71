// Loaded as `assets/ask.js`, when a page needs it: for a question, for older releases, or where the page is older than today.

import type { PublishedReleaseOn } from '../../ask/answers/details-on.ts';
import { judgeLine, judgeVersion } from '../../ask/answers/judge-version.ts';
import { answerVersion } from '../../ask/answers/version-answer.ts';
import type { Day } from '../../core/model/dates.ts';
import { describeMove } from '../../core/model/words.ts';
import { drawVerdict, markup } from '../render/html/markup.ts';
import { renderReleaseTable } from '../render/html/release-rows.ts';
import { setUpBox, type Box } from './box.ts';
import { makeElement, makeMarkup, findReleaseRow } from './dom.ts';
import { openSite } from './site-index.ts';

const boxes = new Map<HTMLFormElement, Box>();

/** The box of a form. `component`: the component of a version without a name. */
export function createBox(form: HTMLFormElement, component: string | undefined): Box {
  const box = boxes.get(form) ?? setUpBox(form, component);
  boxes.set(form, box);
  return box;
}

/** The version to move to from a release line today, as in every answer; undefined if there is none. */
export async function findLineMove(component: string, line: string): Promise<string | undefined> {
  const { details, replacement } = await readWithReplacement(component);
  const { moveTo } = judgeLine(details, line, replacement);
  return moveTo?.component === component
    ? moveTo.version
    : moveTo && `${replacement!.title} ${moveTo.version}`;
}

/** The advice for a version today, as in every answer, and whether it is the version to use. */
export async function judgeUse(component: string, version: string) {
  const { details, replacement } = await readWithReplacement(component);
  const verdict = judgeVersion(details, { version, replacement });
  const nameTarget = (target: { component: string; version: string }) =>
    target.component === component ? target.version : `${replacement!.title} ${target.version}`;
  const words = describeMove(verdict, nameTarget);
  const use = verdict.newest === undefined ? 'No version to use' : `Use ${verdict.newest}`;
  const isToUse = words === '' && verdict.newest === version;
  return { isToUse, sentence: `${words || use}.` };
}

/** The verdict on a version today, as its page has it. */
export async function renderVerdictToday(component: string, version: string): Promise<Node> {
  const { details, replacement } = await readWithReplacement(component);
  return makeMarkup(drawVerdict('p', answerVersion(details, { version, replacement })));
}

async function readWithReplacement(component: string) {
  const site = openSite();
  const details = (await site.details(component))!;
  const { replacedBy } = details;
  const replacement = replacedBy === undefined ? undefined : await site.details(replacedBy);
  return { details, replacement };
}

/** The releases of a component that its page omits, by year. */
export async function listOlderYears(component: string): Promise<HTMLElement[]> {
  const { releases, day } = (await openSite().details(component))!;
  const older = releases.filter(({ version }) => !findReleaseRow(version)).reverse();

  // Objects order integer keys, so the unknown year 0 comes first.
  const byYear = Object.groupBy(older, ({ releaseTimestamp }) => parseInt(releaseTimestamp ?? '0'));
  return Object.entries(byYear)
    .reverse()
    .map(([year, group]) => renderYear(year, group!, day));
}

/** A closed year. Its table is made when a person opens it. */
function renderYear(year: string, releases: readonly PublishedReleaseOn[], day: Day): HTMLElement {
  const name = year === '0' ? 'Release days unknown' : year;
  const unknownDay = year === '0' ? '' : undefined;
  const size = String(releases.length);
  const details = makeElement(
    markup`<details class="fold releases"><summary>${name}: ${size}</summary></details>`,
  );
  details.addEventListener(
    'toggle',
    () => details.append(makeMarkup(renderReleaseTable(name, releases, day, unknownDay))),
    { once: true },
  );
  return details;
}

// Loaded with the first question, as `assets/ask.js`.

import { judgeLine, judgeVersion } from '../../ask/answers/judge-version.ts';
import { answerVersion } from '../../ask/answers/version-answer.ts';
import { moveInWords } from '../../core/model/words.ts';
import { setUpBox, type Box } from './box.ts';
import { openSite } from './site-index.ts';

export { listOlderYears } from './older-years.ts';

const boxes = new Map<HTMLFormElement, Box>();

/** The box of a form. `component`: the component of a version without a name. */
export function createBox(form: HTMLFormElement, component: string | undefined): Box {
  const box = boxes.get(form) ?? setUpBox(form, component);
  boxes.set(form, box);
  return box;
}

/** What to move to from a release line today, by the rule of every answer; undefined if there is nothing. */
export async function moveOfLine(component: string, line: string): Promise<string | undefined> {
  const { details, replacement } = await readWithReplacement(component);
  const { moveTo } = judgeLine(details, line, replacement);
  return moveTo?.component === component
    ? moveTo.version
    : moveTo && `${replacement!.title} ${moveTo.version}`;
}

/** The advice for a version today, as in every answer, and whether it is the version to use. */
export async function useOfVersion(component: string, version: string) {
  const { details, replacement } = await readWithReplacement(component);
  const judged = judgeVersion(details, { version, replacement });
  const nameTarget = (target: { component: string; version: string }) =>
    target.component === component ? target.version : `${replacement!.title} ${target.version}`;
  const words = moveInWords(judged, nameTarget);
  const other = judged.newest === undefined ? 'No version to use' : `Use ${judged.newest}`;
  const isToUse = words === '' && judged.newest === version;
  return { isToUse, sentence: `${words || other}.` };
}

/** The verdict on a version today, in two sentences. */
export async function verdictOn(component: string, version: string): Promise<string> {
  const { details, replacement } = await readWithReplacement(component);
  const { sentence, advice } = answerVersion(details, { version, replacement });
  return `${sentence} ${advice}`;
}

async function readWithReplacement(component: string) {
  const site = openSite();
  const details = (await site.details(component))!;
  const { replacedBy } = details;
  const replacement = replacedBy === undefined ? undefined : await site.details(replacedBy);
  return { details, replacement };
}

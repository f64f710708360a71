// Loaded with the first question, as `assets/ask.js`.

import { judgeLine } from '../../ask/answers/judge-version.ts';
import type { DetailsOn } from '../../ask/answers/details-on.ts';
import { setUpBox, type Box } from './box.ts';
import { openSite } from './site-index.ts';

const boxes = new Map<HTMLFormElement, Box>();

/** The box of a form. `component`: the component of a version without a name. */
export function boxOf(form: HTMLFormElement, component: string | undefined): Box {
  const box = boxes.get(form) ?? setUpBox(form, component);
  boxes.set(form, box);

  return box;
}

/** What to move to from a release line today, by the rule of every answer; undefined if there is nothing. */
export async function moveOfLine(component: string, line: string): Promise<string | undefined> {
  const site = openSite();
  const details = (await site.details(component))!;
  const { replacedBy } = details;
  const replacement = replacedBy === undefined ? undefined : await site.details(replacedBy);
  const { moveTo } = judgeLine(details, line, replacement);

  return moveTo?.component === component
    ? moveTo.version
    : moveTo && `${replacement!.title} ${moveTo.version}`;
}

/** A component as of today. */
export async function readComponent(name: string): Promise<DetailsOn> {
  return (await openSite().details(name))!;
}

// Loaded with the first question, as `assets/ask.js`.

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

/** A component as of today. */
export async function readComponent(name: string): Promise<DetailsOn> {
  return (await openSite().details(name))!;
}

// Loaded with the first question, as `assets/ask.js`.

import { openIndex } from '../../ask/published-index.ts';
import type { DetailsOn } from '../../ask/details-on.ts';
import { LargeComponentError, mostUnasked, setUpBox, type Box } from './box.ts';
import { readStatus, readText } from './documents.ts';

/** Answers as of today, from the documents of the site. Uses the expressions of the browser instead of a bundled engine. */
const open = (read: (path: string) => Promise<string | undefined>) => ({
  ...openIndex({ read }),
  compile: (pattern: string) => ({ match: (text: string) => new RegExp(pattern, 'u').exec(text)?.groups }),
});

const index = open((path) => read(path, mostUnasked));
const whole = open((path) => read(path, Infinity));

async function read(path: string, mostReleases: number): Promise<string | undefined> {
  const name = /^details\/(.+)\.json$/.exec(path)?.[1];
  if (name === undefined) return readText(path);
  const { components } = await readStatus();
  // Browsers log each missing document as an error.
  if (!Object.hasOwn(components, name)) return undefined;
  const { releases } = components[name]!;
  if (releases > mostReleases) throw new LargeComponentError(releases);
  return readText(path);
}

const boxes = new Map<HTMLFormElement, Box>();

/** The box of a form. `component`: the component of a version without a name. */
export function boxOf(form: HTMLFormElement, component: string | undefined): Box {
  const box = boxes.get(form) ?? setUpBox(index, whole, form, component);
  boxes.set(form, box);
  return box;
}

/** A component as of today. */
export async function readComponent(name: string): Promise<DetailsOn> {
  return (await openIndex({ read: readText }).details(name))!;
}

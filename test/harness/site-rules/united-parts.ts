import type { DocumentInParts } from '../../../src/site/render/parts.ts';
import { isPartOf, type Documents } from './published-documents.ts';
import type { Report, SiteFolder } from './opened-site.ts';

export interface Copy {
  /** The document, or a part of it. */
  path: string;
  document: unknown;
}

/** What a document and its parts hold, by the names of components. */
export function uniteParts(
  name: DocumentInParts,
  site: SiteFolder,
  documents: Documents,
  names: readonly string[],
  report: Report,
): Map<string, Copy> {
  interface Part {
    components: Readonly<Record<string, unknown>>;
    parts?: readonly string[];
  }
  const found = new Map<string, Copy>();
  const whole = `${name}.json`;
  const head = documents.get(whole) as Part | undefined;
  if (!head) return found;
  const paths = [whole, ...(head.parts ?? [])];
  for (const path of paths) {
    if (!site.paths.has(path)) report(whole, `parts: there is no ${path}`);
    const part = documents.get(path) as Part | undefined;
    for (const [component, document] of Object.entries(part?.components ?? {}))
      found.set(component, { path, document });
  }
  for (const path of site.paths)
    if (isPartOf(name, path) && !paths.includes(path)) report(path, `is not among the parts of ${whole}`);
  checkNames(whole, [...found.keys()], names, report);
  return found;
}

export function checkNames(
  path: string,
  found: readonly string[] | undefined,
  names: readonly string[],
  report: Report,
): void {
  if (!found || found.join() === names.join()) return;
  const missing = names.filter((name) => !found.includes(name));
  const surplus = found.filter((name) => !names.includes(name));
  const are = (list: readonly string[]) => `${list.join(', ')} ${list.length === 1 ? 'is' : 'are'}`;
  if (missing.length > 0) report(path, `${are(missing)} missing`);
  if (surplus.length > 0) report(path, `${are(surplus)} listed, but not in the site`);
  if (missing.length + surplus.length === 0)
    report(path, `expected the components in the order ${names.join(', ')}`);
}

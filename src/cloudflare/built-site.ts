import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestsFile, parseDigests } from '../site/digests.ts';

/** A built site on disk, as far as its own documents describe it. */
export interface BuiltSite {
  out: string;
  /** The address it was built for, without a slash at its end. */
  baseUrl: string;
  /** Digests of all files but those that are about the list itself. */
  digests: ReadonlyMap<string, string>;
}

/** Throws with a sentence where there is no site, or not one that says what it is. */
export function openBuiltSite(out: string): BuiltSite {
  if (!existsSync(join(out, digestsFile)))
    throw new Error(`${out}: there is no built site. Build it: npm run build`);
  const digests = parseDigests(readFileSync(join(out, digestsFile), 'utf8'));
  return { out, digests, baseUrl: readBaseUrl(out) };
}

/** The preset holds the address under which the site will be found. */
function readBaseUrl(out: string): string {
  const path = join(out, 'renovate.json');
  const ending = '/{{packageName}}.json';
  try {
    const { customDatasources } = JSON.parse(readFileSync(path, 'utf8')) as Preset;
    const [datasource] = Object.values(customDatasources);
    const template = datasource!.defaultRegistryUrlTemplate;
    if (!template.endsWith(ending)) throw new Error(`its template is "${template}"`);
    return template.slice(0, -ending.length);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(
      `${path}: does not say which address the site was built for (${reason}). Build it again: npm run build`,
      {
        cause: error,
      },
    );
  }
}

interface Preset {
  customDatasources: Record<string, { defaultRegistryUrlTemplate: string }>;
}

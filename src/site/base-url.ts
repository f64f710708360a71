import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PresetFile } from '../core/schemas/published/small-files.ts';

const ending = '/{{packageName}}.json';

/** The address that a site was built for, without a slash at its end; undefined if its preset does not have it. */
export function baseUrlOf(out: string): string | undefined {
  try {
    const { customDatasources } = JSON.parse(readFileSync(join(out, 'renovate.json'), 'utf8')) as PresetFile;
    const template = Object.values(customDatasources)[0]?.defaultRegistryUrlTemplate;
    return template?.endsWith(ending) ? template.slice(0, -ending.length) : undefined;
  } catch {
    return undefined;
  }
}

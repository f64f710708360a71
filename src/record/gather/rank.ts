import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { parseVersion, rankKey } from '../../core/version.ts';

/** The same text for two spellings of one version; undefined for a version that has no place in the order. */
export function rankOf({ version }: Pick<RecordedRelease, 'version'>): string | undefined {
  const parsed = parseVersion(version);
  return parsed && rankKey(parsed);
}

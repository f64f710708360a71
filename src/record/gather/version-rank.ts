import { parseVersion, rankKey } from '../../core/model/version.ts';
import type { RecordedRelease } from '../../core/schemas/recorded/recorded.ts';

/** Equal for all spellings of a version; undefined for a version without a place in the order. */
export function computeRank({ version }: Pick<RecordedRelease, 'version'>): string | undefined {
  const parsed = parseVersion(version);
  return parsed && rankKey(parsed);
}

/** Recorded releases by rank; of several spellings of a version, the first recorded. An undefined rank finds none. */
export function indexByRank(
  recorded: readonly RecordedRelease[],
): Map<string | undefined, RecordedRelease> {
  const byRank = new Map<string | undefined, RecordedRelease>();
  for (const entry of recorded) {
    const rank = computeRank(entry);
    if (rank !== undefined && !byRank.has(rank)) {
      byRank.set(rank, entry);
    }
  }
  return byRank;
}

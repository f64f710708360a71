import { countedInWords, listed } from '../text.ts';
import type { RecordedRelease } from '../model/recorded.ts';
import { compareVersions, parseVersion, rankKey, type Version } from '../version.ts';
import { claimsOf } from '../model/recorded.ts';

/** A source may take back at most this part of what it listed before a person is asked. */
const toleratedLoss = 1 / 5;

/**
 * Why a source's list cannot be believed without a person, or undefined. `ranks` holds the rank of every version that
 * it lists now, whether or not the definition takes it.
 */
export function whyImplausible(
  id: string,
  ranks: ReadonlySet<string>,
  recorded: readonly RecordedRelease[],
  onlyAdds: boolean,
): string | undefined {
  const before = recorded
    .filter((entry) => entry.withdrawnSince === undefined && claimsOf(entry).includes(id))
    .map((entry) => parseVersion(entry.version))
    .filter((version) => version !== undefined)
    .sort(compareVersions);
  if (before.length === 0) return undefined;
  if (ranks.size === 0)
    return `lists nothing; it listed ${countedInWords(before.length, 'version')} (${name(before)})`;
  const missing = before.filter((version) => !ranks.has(rankKey(version)));
  if (missing.length === 0) return undefined;
  const greatest = before.at(-1)!;
  if (missing.at(-1) === greatest) {
    return `no longer lists ${greatest.text}, the greatest version it listed (missing: ${name(missing)})`;
  }
  if (!onlyAdds && missing.length > before.length * toleratedLoss) {
    return `no longer lists ${missing.length} of the ${countedInWords(before.length, 'version')} it listed (${name(missing)})`;
  }
  return undefined;
}

/** The exact versions, as many as a person reads. */
function name(versions: readonly Version[]): string {
  return listed(
    versions.map(({ text }) => text),
    20,
  );
}

import type { RecordedRelease } from '../model/recorded.ts';
import { compareVersions, parseVersion, rankKey, type Version } from '../version.ts';
import { claimsOf } from '../model/recorded.ts';

/** A source may take back at most this part of what it listed before a person is asked. */
const toleratedLoss = 1 / 5;

/**
 * Why a source's list cannot be believed without a person, or undefined. `listed` holds the rank of every version that
 * it lists now, whether or not the definition takes it.
 */
export function whyImplausible(
  id: string,
  listed: ReadonlySet<string>,
  recorded: readonly RecordedRelease[],
  onlyAdds: boolean,
): string | undefined {
  const before = recorded
    .filter((entry) => entry.withdrawnSince === undefined && claimsOf(entry).includes(id))
    .map((entry) => parseVersion(entry.version))
    .filter((version) => version !== undefined)
    .sort(compareVersions);
  if (before.length === 0) return undefined;
  if (listed.size === 0) return `lists nothing; it listed ${count(before.length)} (${name(before)})`;
  const missing = before.filter((version) => !listed.has(rankKey(version)));
  if (missing.length === 0) return undefined;
  const greatest = before.at(-1)!;
  if (missing.at(-1) === greatest) {
    return `no longer lists ${greatest.text}, the greatest version it listed (missing: ${name(missing)})`;
  }
  if (!onlyAdds && missing.length > before.length * toleratedLoss) {
    return `no longer lists ${missing.length} of the ${count(before.length)} it listed (${name(missing)})`;
  }
  return undefined;
}

function count(number: number): string {
  return number === 1 ? 'one version' : `${number} versions`;
}

/** The exact versions, as many as a person reads. */
function name(versions: readonly Version[]): string {
  const shown = versions.slice(0, 20).map((version) => version.text);
  const more = versions.length - shown.length;
  return shown.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

import { claimsOf, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { parseVersion, rankKey } from '../../core/version.ts';

export function addClaim(entry: RecordedRelease, id: string): void {
  if (entry.source === undefined) entry.source = id;
  else if (entry.source !== id && !entry.alsoListedBy?.includes(id)) {
    entry.alsoListedBy = [...(entry.alsoListedBy ?? []), id].sort();
  }
}

/** Once a held page was accepted, what it no longer lists is no longer expected of it. */
export function releaseClaims(
  recorded: readonly RecordedRelease[],
  id: string,
  listed: ReadonlySet<string>,
): RecordedRelease[] {
  return recorded.map((entry) => {
    const version = parseVersion(entry.version);
    if (!claimsOf(entry).includes(id) || (version && listed.has(rankKey(version)))) return entry;
    const released = { ...entry };
    dropClaim(released, id);
    return released;
  });
}

function dropClaim(entry: RecordedRelease, id: string): void {
  const rest = claimsOf(entry).filter((claim) => claim !== id);
  delete entry.source;
  delete entry.alsoListedBy;
  for (const claim of rest) addClaim(entry, claim);
}

import type { Day } from '../../core/dates.ts';
import { claimsOf, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { counted, countedInWords, listed } from '../../core/text.ts';
import { compareVersions, parseVersion, rankKey, type Version } from '../../core/version.ts';
import type { StatedRelease } from './stated-release.ts';

/** A source may take back at most this part of what it listed before a person is asked. */
const toleratedLoss = 1 / 5;
/** Data only grows: what an upstream has made up by the thousand would stay for ever. */
const toleratedGrowth = 1000;

/** The answer of a source, beside what is recorded. */
export interface Comparison {
  id: string;
  releases: readonly StatedRelease[];
  /** Ranks of all versions that it lists now, whether or not the definition takes them. */
  listed: ReadonlySet<string>;
  onlyAdds: boolean;
  /** What it listed before and was not withdrawn, oldest first. */
  before: readonly Version[];
  /**
   * What was recorded, and not withdrawn, before the day of this run, or before something of the source was held: what a
   * run takes beside that must not change the measure by which the rest waits.
   */
  settled: readonly RecordedRelease[];
  /** Versions that an earlier run found missing and tolerated, with the first day on which they were. */
  missingSince: Readonly<Record<string, Day>>;
  /** Recorded releases by rank. */
  byRank: ReadonlyMap<string, RecordedRelease>;
  /** Whether it has answered for this definition before. */
  hasAnswered: boolean;
}

export function listedBefore(id: string, recorded: readonly RecordedRelease[]): Version[] {
  return recorded
    .filter((entry) => entry.withdrawnSince === undefined && claimsOf(entry).includes(id))
    .map((entry) => parseVersion(entry.version))
    .filter((version) => version !== undefined)
    .sort(compareVersions);
}

/** Why nothing of an answer can be believed without a person, or undefined. */
export function whyImplausible(answer: Comparison): string | undefined {
  const { before, listed: ranks, onlyAdds, hasAnswered } = answer;
  if (before.length > 0 && ranks.size === 0) {
    return `lists nothing; it listed ${countedInWords(before.length, 'version')} (${nameVersions(before)})`;
  }
  const missing = missingFrom(answer).filter(({ text }) => answer.missingSince[text] === undefined);
  const isGreatestMissing = missing.length > 0 && missing.at(-1) === before.at(-1);
  const isTakenBack = isGreatestMissing && missing.length === 1;
  // A page may drop its oldest versions, but not the newest with them.
  const isSuspicious = onlyAdds ? isGreatestMissing : true;
  if (isSuspicious && !isTakenBack && missing.length > before.length * toleratedLoss) {
    return `no longer lists ${missing.length} of the ${countedInWords(before.length, 'version')} it listed (${nameVersions(missing)})`;
  }
  const added = addedBy(answer);
  if (hasAnswered && added.length > toleratedGrowth) {
    return `lists ${counted(added.length, 'new version')} at once (${nameVersions(added)})`;
  }
  return undefined;
}

/** The greatest version that the source listed, if it is the only one that has gone missing today. */
export function takenBackBy(answer: Comparison, day: Day): Version | undefined {
  const missing = missingFrom(answer).filter(({ text }) => !((answer.missingSince[text] ?? day) < day));
  const greatest = answer.before.at(-1);
  return missing.length === 1 && missing[0] === greatest ? greatest : undefined;
}

export function missingFrom({ before, listed: ranks }: Comparison): Version[] {
  return before.filter((version) => !ranks.has(rankKey(version)));
}

export function addedBy({ releases, byRank }: Comparison): Version[] {
  return releases.map(({ version }) => version).filter((version) => !byRank.has(rankKey(version)));
}

/** What it calls deprecated and nobody did before. */
export function flaggedBy({ releases, byRank }: Comparison): Version[] {
  return releases
    .filter(({ version, deprecated }) => {
      return deprecated !== undefined && byRank.get(rankKey(version))?.deprecated === undefined;
    })
    .map(({ version }) => version);
}

/** The exact versions, as many as a person reads. */
export function nameVersions(versions: readonly Version[]): string {
  return listed(
    versions.map(({ text }) => text),
    20,
  );
}

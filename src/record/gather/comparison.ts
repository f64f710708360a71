import { addDays, dayOf, type Day } from '../../core/dates.ts';
import type { Freshness, SourceFreshness } from '../../core/schemas/freshness.ts';
import { listingSources, type RecordedLine, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { parseVersion, rankKey, type Version } from '../../core/version.ts';
import { deprecatedSince } from '../../decide/releases.ts';
import type { Answered } from './ask.ts';
import { byRankOf, digestListed, listedBefore, rankOf } from './recorded-release.ts';
import type { StatedRelease } from './stated-release.ts';

/** A registry may list a release some days after it was published. */
export const toleratedDays = 7;

/** The known facts that the answer of a source is compared with. */
export interface Known {
  component: string;
  recorded: readonly RecordedRelease[];
  /** Versions that an earlier run found missing and tolerated, with the first day on which they were. */
  missingSince: Readonly<Record<string, Day>>;
  /** Days of changes of `isPrerelease`, by version and field. */
  unsteady: NonNullable<Freshness['unsteady']>;
  /** How the source answered lately. */
  freshness: SourceFreshness | undefined;
  day: Day;
  /** A person has looked at what is held and accepts it. */
  accept: boolean;
  /** The release lines that it stated before, by name; empty where it lists releases. */
  linesBefore: ReadonlyMap<string, RecordedLine>;
}

/** The answer of a source, beside what is recorded. */
export interface Comparison extends Answered, Known {
  /** The kind of thing that it lists. */
  noun: 'version' | 'release line';
  /** Versions that it listed before and that are not withdrawn, oldest first. */
  before: readonly Version[];
  /**
   * Releases that were recorded, and not withdrawn, before the day of this run, or before something of the source was held:
   * an accepted release must not change the measure for a held one.
   */
  settled: readonly RecordedRelease[];
  /** Recorded releases by rank. */
  byRank: ReadonlyMap<string, RecordedRelease>;
  /** Whether it has answered for this definition before. */
  hasAnswered: boolean;
  /** Recorded releases that it has listed. */
  own: readonly RecordedRelease[];
  /**
   * Whether something happened within the last days, counted back from the day on which something was first held: an answer
   * does not become right by waiting. Things that a person accepted, or that came with the first answer, are not counted.
   */
  isRecent(on: Day | undefined, days: number): boolean;
  /** The last day on which it answered soundly without what is new now; undefined where none is known. */
  lackedOn?: Day | undefined;
  /** New versions that it may have listed before: their stated days are much earlier, and the data seems to have lost them. */
  restored: readonly Version[];
}

export function compare(outcome: Answered, known: Known): Comparison {
  const { id, releases, listed } = outcome;
  const { recorded, freshness, day } = known;
  const own = recorded.filter((entry) => listingSources(entry).includes(id));
  const before = listedBefore(id, recorded);
  const byRank = byRankOf(recorded);
  const isSameDefinition = freshness?.definition === undefined || freshness.definition === outcome.definition;
  const hasAnswered = isSameDefinition && (freshness?.answeredOn !== undefined || before.length > 0);
  const from = freshness?.heldSince ?? day;
  const firstDay = own.flatMap(({ firstSeen }) => firstSeen ?? []).sort()[0];
  const settledOn = freshness?.settledOn ?? firstDay ?? day;
  return {
    ...outcome,
    ...known,
    noun: outcome.ofLines ? 'release line' : 'version',
    before,
    settled: recorded.filter(
      (entry) =>
        (entry.firstSeen === undefined || entry.firstSeen < from) &&
        (entry.withdrawnSince === undefined ||
          entry.withdrawnSince >= from ||
          listed.has(rankOf(entry) ?? '')),
    ),
    byRank,
    hasAnswered,
    own,
    isRecent: (on, days) => on !== undefined && on > settledOn && on >= addDays(from, -days),
    ...(hasAnswered ? findRestored({ id, own, byRank, releases, from }, freshness) : { restored: [] }),
  };
}

/** So many versions that were listed late, at once, are rather old ones that the data has lost. */
const maxListedLate = 20;

/**
 * The last day on which the source answered without what is new now, and the new versions for which that is in doubt: the
 * data may have been restored to an earlier state than that which freshness describes.
 */
function findRestored(
  { id, own, byRank, releases, from }: Pick<Comparison, 'id' | 'own' | 'byRank' | 'releases'> & { from: Day },
  { answeredOn, listed }: SourceFreshness = {},
): Pick<Comparison, 'lackedOn' | 'restored'> {
  if (answeredOn === undefined) return { restored: [] };
  const digestWith = (others: readonly Version[]) => digestListed(own, id, answeredOn, others);
  const isWhole = listed === undefined || digestWith([]) === listed;
  // Without a recorded release, an answer may have listed what the data has lost since.
  if (own.length === 0 && (!isWhole || listed === undefined)) return { restored: [] };
  if (!isWhole && digestWith(releases.map(({ version }) => version)) === listed) return { restored: [] };
  const limit = addDays(from < answeredOn ? from : answeredOn, -toleratedDays);
  const late = releases
    .filter(({ version }) => !byRank.has(rankKey(version)))
    .filter(({ publishedAt }) => publishedAt !== undefined && dayOf(publishedAt) < limit)
    .map(({ version }) => version);
  return { lackedOn: answeredOn, restored: late.length > (isWhole ? maxListedLate : 0) ? late : [] };
}

/** Versions that it listed before, and does not list now. */
export function missingFrom({ before, listed: ranks }: Comparison): Version[] {
  return before.filter((version) => !ranks.has(rankKey(version)));
}

/** Versions that are not recorded yet. */
export function addedBy({ releases, byRank }: Comparison): Version[] {
  return versionsOf(releases).filter((version) => !byRank.has(rankKey(version)));
}

/** Ranks of what the source listed before and nobody deprecated, or it no longer deprecates; and what it deprecated lately. */
export function inUseBefore({ own, settled, releases, isRecent }: Comparison, recentDays: number) {
  const ranks = new Set(versionsOf(releases).map(rankKey));
  const freed = new Set(versionsOf(releases.filter((one) => one.deprecated === undefined)).map(rankKey));
  const isOwn = new Set(own);
  const inUse = new Set<string>();
  const recent: Version[] = [];
  for (const entry of settled) {
    const version = parseVersion(entry.version);
    const rank = version && rankKey(version);
    // A release that it lists for the first time counts, too: a second run of the day finds it listed before.
    if (rank === undefined || !(isOwn.has(entry) || ranks.has(rank))) continue;
    if (entry.deprecated === undefined || freed.has(rank)) inUse.add(rank);
    else if (isRecent(deprecatedSince(entry), recentDays)) recent.push(version!);
  }
  return { inUse, recent };
}

export function versionsOf(releases: readonly StatedRelease[]): Version[] {
  return releases.map(({ version }) => version);
}

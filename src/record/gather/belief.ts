import type { Day } from '../../core/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/freshness.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { rankKey, type Version } from '../../core/version.ts';
import type { Answered } from './ask.ts';
import { believeDays } from './believed-days.ts';
import { massDeprecation } from './mass-deprecation.ts';
import type { SoundAnswer } from './merge.ts';
import {
  addedBy,
  flaggedBy,
  listedBefore,
  missingFrom,
  takenBackBy,
  whyImplausible,
  type Comparison,
} from './plausibility.ts';
import { rankOf } from './rank.ts';
import {
  describeRepublished,
  linesOfRepublished,
  republishedBy,
  withoutDigests,
  type Republished,
} from './republished.ts';
import { withoutFloating } from './floating-versions.ts';
import { toweringIn } from './towering.ts';

/** What the answer of a source is compared with. */
export interface Known {
  component: string;
  recorded: readonly RecordedRelease[];
  missing: Readonly<Record<string, Day>>;
  /** How the source answered lately. */
  before: SourceFreshness | undefined;
  day: Day;
  /** A person has looked at what is held and takes it. */
  accept: boolean;
}

/** What waits for a person. */
export interface Held {
  reason: string;
  /** Fingerprint of what waits: a person accepts exactly that. */
  held: string;
}

export interface Belief {
  /** What can be merged; absent where nothing is believed. */
  answer?: SoundAnswer;
  held?: Held;
  /** Whether a person has accepted what was held. */
  isAccepted: boolean;
  findings: Finding[];
}

/** What of an answer is believed: all of it, all but some versions or deprecations, or nothing. */
export function believe(outcome: Answered, known: Known): Belief {
  const { day, before, accept } = known;
  const releases = withoutFloating(outcome.releases);
  const comparison = compare({ ...outcome, releases }, known);
  const findings: Finding[] = [];
  const tell = (level: 'warning' | 'notice', message: string) =>
    findings.push({ level, subject: known.component, message });

  const doubt = whyImplausible(comparison);
  const towering = doubt === undefined ? toweringIn(comparison, day) : undefined;
  const deprecation = doubt === undefined ? massDeprecation(comparison) : undefined;
  const republished = republishedBy(outcome.id, releases, comparison.byRank);
  const waits = new Set(towering?.versions.map(rankKey));
  const unflagged = new Set(deprecation?.versions.map(rankKey));
  const unsettled = new Map(republished.map((one) => [one.release, one]));
  const reasons: string[] = [];
  if (doubt !== undefined) {
    const why = outcome.emptiness === undefined ? '' : ` (${outcome.emptiness})`;
    reasons.push(`${doubt}${why}. Nothing of it is taken.`);
  }
  if (towering) {
    const names = towering.versions.map(({ text }) => text).join(', ');
    reasons.push(
      `lists ${names}, which towers over ${towering.greatest.text}, the greatest version recorded. It waits; the rest is taken.`,
    );
  }
  if (deprecation) reasons.push(`${deprecation.reason}. The deprecations wait; the rest is taken.`);

  if (republished.length > 0) reasons.push(describeRepublished(republished));

  const waiting =
    doubt === undefined
      ? fingerprintOf([], towering?.versions ?? [], deprecation?.versions ?? [], republished)
      : fingerprintOf(missingFrom(comparison), addedBy(comparison), flaggedBy(comparison), republished);
  const isHeld = reasons.length > 0;
  const isAccepted = isHeld && accept && before?.held === waiting;
  const held = isHeld && !isAccepted ? { reason: reasons.join(' '), held: waiting } : undefined;
  if (held && doubt !== undefined) return { held, isAccepted, findings };

  const taken = isAccepted
    ? releases
    : releases
        .filter(({ version }) => !waits.has(rankKey(version)))
        .map((release) => {
          const changed = unsettled.get(release);
          const settled = changed ? withoutDigests(changed) : release;
          if (!unflagged.has(rankKey(release.version))) return settled;
          const { deprecated: _, ...rest } = settled;
          return rest;
        });
  const lackedOn = (rank: string) => lastLacked(before, comparison, isAccepted && waits.has(rank));
  const takenBack = takenBackBy(comparison, day);
  if (takenBack && outcome.onlyAdds && !isAccepted) {
    const what = `${outcome.id} no longer lists ${takenBack.text}, the greatest version it listed. A page only adds, so it stays;`;
    tell('warning', `${what} if upstream took it back, deprecate it in components/${known.component}.json.`);
  }
  const answer: SoundAnswer = {
    id: outcome.id,
    releases: believeDays(taken, { id: outcome.id, byRank: comparison.byRank, lackedOn, tell }),
    listed: outcome.listed,
    onlyAdds: outcome.onlyAdds,
    statesDeprecation: outcome.statesDeprecation,
    ...(takenBack && { takenBack: rankKey(takenBack) }),
    ...(isAccepted && { isAccepted }),
  };
  return { answer, ...(held && { held }), isAccepted, findings };
}

function compare(outcome: Answered, { recorded, missing, before, day }: Known): Comparison {
  const listed = listedBefore(outcome.id, recorded);
  const byRank = new Map<string, RecordedRelease>();
  for (const entry of recorded) {
    const rank = rankOf(entry);
    if (rank !== undefined && !byRank.has(rank)) byRank.set(rank, entry);
  }
  const isSameDefinition = before?.definition === undefined || before.definition === outcome.definition;
  const from = before?.heldSince ?? day;
  return {
    id: outcome.id,
    releases: outcome.releases,
    listed: outcome.listed,
    onlyAdds: outcome.onlyAdds,
    before: listed,
    missingSince: missing,
    settled: recorded.filter(
      (entry) =>
        (entry.firstSeen === undefined || entry.firstSeen < from) &&
        (entry.withdrawnSince === undefined ||
          entry.withdrawnSince >= from ||
          outcome.listed.has(rankOf(entry) ?? '')),
    ),
    byRank,
    hasAnswered: isSameDefinition && (before?.answeredOn !== undefined || listed.length > 0),
  };
}

/** A version that waited was listed since it was held. */
function lastLacked(
  before: SourceFreshness | undefined,
  { hasAnswered }: Comparison,
  hasWaited: boolean,
): Day | undefined {
  const { answeredOn, heldSince } = before ?? {};
  if (!hasAnswered || answeredOn === undefined) return undefined;
  return hasWaited && heldSince !== undefined && heldSince < answeredOn ? heldSince : answeredOn;
}

function fingerprintOf(
  missing: readonly Version[],
  added: readonly Version[],
  deprecated: readonly Version[],
  republished: readonly Republished[],
): string {
  const lines = (mark: string, versions: readonly Version[]) =>
    versions.map(({ text }) => `${mark} ${text}`).sort();
  const all = [...lines('-', missing), ...lines('+', added), ...lines('!', deprecated)];
  return sha256([...all, ...linesOfRepublished(republished).sort()].join('\n'));
}

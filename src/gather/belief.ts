import type { Day } from '../dates.ts';
import type { Finding } from '../model/finding.ts';
import type { SourceFreshness } from '../model/freshness.ts';
import type { RecordedRelease } from '../model/recorded.ts';
import { sha256 } from '../store/sha256.ts';
import { rankKey, type Version } from '../version.ts';
import type { Answered } from './ask.ts';
import { believeDays } from './believed-days.ts';
import { massDeprecation, newlyDeprecated } from './mass-deprecation.ts';
import type { SoundAnswer } from './merge.ts';
import {
  addedBy,
  listedBefore,
  missingFrom,
  takenBackBy,
  whyImplausible,
  type Comparison,
} from './plausibility.ts';
import { rankOf } from './rank.ts';
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
  /** Whether it is something else than what a person wanted to accept. */
  isAnew: boolean;
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
  const { recorded, day, before, accept } = known;
  const comparison = compare(outcome, known);
  const findings: Finding[] = [];
  const tell = (level: 'warning' | 'notice', message: string) =>
    findings.push({ level, subject: known.component, message });

  const doubt = whyImplausible(comparison);
  const towering = doubt === undefined ? toweringIn(comparison, recorded, day) : undefined;
  const deprecation = doubt === undefined ? massDeprecation(comparison) : undefined;
  const waits = new Set(towering?.versions.map(rankKey));
  const unflagged = new Set(deprecation?.versions.map(rankKey));
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

  const waiting =
    doubt === undefined
      ? fingerprintOf([], towering?.versions ?? [], deprecation?.versions ?? [])
      : fingerprintOf(missingFrom(comparison), addedBy(comparison), newlyDeprecated(comparison));
  const isHeld = reasons.length > 0;
  const isAccepted = isHeld && accept && before?.held === waiting;
  const held =
    isHeld && !isAccepted
      ? { reason: reasons.join(' '), held: waiting, isAnew: accept || before?.held === undefined }
      : undefined;
  if (held && doubt !== undefined) return { held, isAccepted, findings };

  const taken = outcome.releases
    .filter(({ version }) => isAccepted || !waits.has(rankKey(version)))
    .map((release) => {
      if (isAccepted || !unflagged.has(rankKey(release.version))) return release;
      const { deprecated: _, ...rest } = release;
      return rest;
    });
  const lackedOn = (rank: string) => lastLacked(before, comparison, isAccepted && waits.has(rank));
  const takenBack = takenBackBy(comparison, known.missing, day);
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

function compare(outcome: Answered, { recorded, before }: Known): Comparison {
  const listed = listedBefore(outcome.id, recorded);
  const byRank = new Map<string, RecordedRelease>();
  for (const entry of recorded) {
    const rank = rankOf(entry);
    if (rank !== undefined && !byRank.has(rank)) byRank.set(rank, entry);
  }
  const isSameDefinition = before?.definition === undefined || before.definition === outcome.definition;
  return {
    releases: outcome.releases,
    listed: outcome.listed,
    onlyAdds: outcome.onlyAdds,
    before: listed,
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
): string {
  const lines = (mark: string, versions: readonly Version[]) =>
    versions.map(({ text }) => `${mark} ${text}`).sort();
  return sha256([...lines('-', missing), ...lines('+', added), ...lines('!', deprecated)].join('\n'));
}

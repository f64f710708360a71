import { addDays, dayOf, type Day } from '../../core/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/freshness.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { counted, defined, listed } from '../../core/text.ts';
import { rankKey } from '../../core/version.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { findPulledRelease, findViolations, heldRanks, withoutHeld } from './acceptance-rules.ts';
import type { Answered } from './ask.ts';
import { compare, toleratedDays, type Known } from './comparison.ts';
import type { SoundAnswer } from './merge.ts';
import { findFloating } from './stated-digests.ts';
import { rankOf } from './recorded-release.ts';
import type { AcceptedRelease, StatedRelease } from './stated-release.ts';

/** What waits for a person. */
export interface Held {
  reason: string;
  /** Fingerprint of what waits: a person accepts exactly that. */
  held: string;
}

export interface Acceptance {
  /** What can be merged; absent where the whole answer is held. */
  answer?: SoundAnswer;
  held?: Held;
  /** Whether a person has accepted what was held. */
  isAccepted: boolean;
  findings: Finding[];
}

type Report = (level: 'warning' | 'notice', message: string) => void;

/** Decides what of an answer is accepted: all of it, all but some versions, deprecations or digests, or nothing. */
export function acceptAnswer(outcome: Answered, known: Known): Acceptance {
  const { before, accept, component } = known;
  const { id, onlyAdds, statesDeprecation } = outcome;
  const findings: Finding[] = [];
  const report: Report = (level, message) => findings.push({ level, subject: component, message });

  const releases = withoutMoving(outcome, known, report);
  const comparison = compare({ ...outcome, releases }, known);
  const violations = findViolations(comparison);
  const fingerprint = sha256(violations.flatMap(({ waiting }) => waiting).join('\n'));
  const isAccepted = violations.length > 0 && accept && before?.held === fingerprint;
  const reason = violations.map(({ sentence }) => sentence).join(' ');
  const held = violations.length > 0 && !isAccepted ? { reason, held: fingerprint } : undefined;
  if (held && violations.some(({ holds }) => holds === 'answer')) return { held, isAccepted, findings };

  const pulled = findPulledRelease(comparison);
  if (pulled && onlyAdds && !isAccepted) {
    const what = `${id} no longer lists ${pulled.text}, the greatest version it listed. A page only adds, so it stays;`;
    report('warning', `${what} if upstream pulled it, deprecate it in components/${component}.json.`);
  }
  const lackedOn = isAccepted && comparison.restored.length > 0 ? undefined : comparison.lackedOn;
  const hadWaited = heldRanks(isAccepted ? violations : [], 'versions');
  // What waits no longer, as it could be verified at last, may be any of the new ones.
  const isResolved = before?.heldSince !== undefined && violations.length === 0;
  const accepted = isAccepted ? releases : withoutHeld(releases, violations);
  const answer: SoundAnswer = {
    id,
    releases: accepted.map((release) => {
      const rank = rankKey(release.version);
      const known = comparison.byRank.get(rank);
      const notListedOn = known
        ? lastMissed(known, id)
        : lastAnswerWithout(before, lackedOn, isResolved || hadWaited.has(rank));
      return checkTimestamp(release, { id, notListedOn, isRecorded: known !== undefined, report });
    }),
    listed: outcome.listed,
    onlyAdds,
    statesDeprecation,
    ...(pulled && { pulled: rankKey(pulled) }),
    ...(isAccepted && { isAccepted }),
  };
  return { answer, ...(held && { held }), isAccepted, findings };
}

/**
 * The tag of a container that names another release for now is no release. One that is recorded stays, without its digest, so
 * that it is not reported as republished. Elsewhere, a version may well have bytes of another.
 */
function withoutMoving(
  { id, releases, unordered = [] }: Answered,
  { recorded }: Known,
  report: Report,
): StatedRelease[] {
  const isContainer = id.startsWith('docker:');
  const floating = findFloating(releases, isContainer ? recorded : [], id);
  const ranks = new Set(recorded.map(rankOf));
  const isLeftOut = (release: StatedRelease) =>
    isContainer && floating.has(release) && !ranks.has(rankKey(release.version));
  const moving = [...unordered, ...releases.filter(isLeftOut).map(({ version }) => version.text)];
  if (moving.length > 0) {
    const tags = `${counted(moving.length, 'tag')} that ${moving.length === 1 ? 'is no release' : 'are no releases'}`;
    report('notice', `${id} lists ${tags}: ${listed(moving, 10)}. Left out.`);
  }
  return releases
    .filter((release) => !isLeftOut(release))
    .map((release) => (floating.has(release) ? defined({ ...release, digests: undefined }) : release));
}

/** The last day on which the source answered soundly and lacked a new version. A version that was held has been listed since. */
function lastAnswerWithout(
  before: SourceFreshness | undefined,
  lackedOn: Day | undefined,
  wasHeld: boolean,
): Day | undefined {
  const { heldSince } = before ?? {};
  if (lackedOn === undefined) return undefined;
  return wasHeld && heldSince !== undefined && heldSince < lackedOn ? heldSince : lackedOn;
}

function lastMissed({ source, notListedOn }: RecordedRelease, id: string): Day | undefined {
  return source === id ? notListedOn : undefined;
}

interface TimestampContext {
  id: string;
  notListedOn: Day | undefined;
  isRecorded: boolean;
  report: Report;
}

/** A backdated release would pass every rule on a minimum age, and end the support of older lines. */
function checkTimestamp(
  release: StatedRelease,
  { id, notListedOn, isRecorded, report }: TimestampContext,
): AcceptedRelease {
  if (notListedOn === undefined) return release;
  const { publishedAt } = release;
  if (publishedAt === undefined || dayOf(publishedAt) >= addDays(notListedOn, -toleratedDays))
    return { ...release, notListedOn };
  const what = `${id} dates ${release.version.text} ${publishedAt}, but did not list it on ${notListedOn}.`;
  if (isRecorded) report('notice', `${what} The recorded day stays.`);
  else report('warning', `${what} Rejected that day; the day of this run is recorded, as observed.`);
  return defined({ ...release, publishedAt: undefined, notListedOn });
}

import { addDays, dayOf, type Day } from '../../core/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/freshness.ts';
import { counted, defined, listed } from '../../core/text.ts';
import { rankKey } from '../../core/version.ts';
import { sha256 } from '../../io/files/sha256.ts';
import {
  findPulledRelease,
  findViolations,
  heldRanks,
  withoutHeld,
  type Violation,
} from './acceptance-rules.ts';
import type { Answered } from './ask.ts';
import { compare, toleratedDays, type Comparison, type Known } from './comparison.ts';
import type { SoundAnswer } from './merge.ts';
import { findFloating } from './stated-digests.ts';
import { rankOf } from './recorded-release.ts';
import type { StatedRelease } from './stated-release.ts';
import type { SourceState } from './update-freshness.ts';

export interface Acceptance {
  state: SourceState;
  /** The part that can be merged; absent where the whole answer is held. */
  answer?: SoundAnswer;
  findings: Finding[];
}

type Report = (level: 'warning' | 'notice', message: string, kind?: string) => void;

/** Decides what of an answer is accepted: all of it, all but some versions, deprecations or digests, or nothing. */
export function acceptAnswer(outcome: Answered, known: Known): Acceptance {
  const { id, definition, pending } = outcome;
  const findings: Finding[] = [];
  const report: Report = (level, message, kind = message) =>
    findings.push({ level, subject: known.component, message, kind });

  const comparison = compare({ ...outcome, releases: withoutMoving(outcome, known, report) }, known);
  const violations = findViolations(comparison);
  const held = sha256(violations.flatMap(({ waiting }) => waiting).join('\n'));
  const isAccepted = violations.length > 0 && known.accept && known.freshness?.held === held;
  if (violations.length === 0 || isAccepted) {
    const answer = takeAnswer(comparison, violations, isAccepted, report);
    return { state: { id, kind: 'answered', taken: { definition, pending, isAccepted } }, answer, findings };
  }
  const reason = violations.map(({ sentence }) => sentence).join(' ');
  const isWhole = violations.some(({ holds }) => holds === 'answer');
  const answer = isWhole ? undefined : takeAnswer(comparison, violations, isAccepted, report);
  const taken = answer && { definition, pending, isAccepted };
  findings.push(heldFinding(known, id, reason));
  return defined({ state: defined({ id, kind: 'held', reason, held, taken } as const), answer, findings });
}

function heldFinding({ component, accept, freshness }: Known, id: string, reason: string): Finding {
  const { heldSince } = freshness ?? {};
  const before = heldSince
    ? `It differs from what has been held since ${heldSince}`
    : 'Nothing of it was held before';
  const anew = accept ? ` ${before}, so it is not accepted yet.` : '';
  return {
    level: 'error',
    subject: `${component} (${id})`,
    message: `${reason}${anew} If upstream is right, run: gather ${component} --accept`,
    file: `data/${component}.json`,
  };
}

/** The answer without what is held. */
function takeAnswer(
  comparison: Comparison,
  violations: readonly Violation[],
  isAccepted: boolean,
  report: Report,
): SoundAnswer {
  const { id, listed, onlyAdds, statesDeprecation, freshness, component, byRank, releases } = comparison;
  const pulled = findPulledRelease(comparison);
  if (pulled && onlyAdds && !isAccepted) {
    const what = `${id} no longer lists ${pulled.text}, the greatest version it listed. A page only adds, so it stays;`;
    report('warning', `${what} if upstream pulled it, deprecate it in components/${component}.json.`);
  }
  const lackedOn = isAccepted && comparison.restored.length > 0 ? undefined : comparison.lackedOn;
  const hadWaited = heldRanks(isAccepted ? violations : [], 'versions');
  // A version that waits no longer, as it could be verified at last, may be any of the new ones.
  const isResolved = freshness?.heldSince !== undefined && violations.length === 0;
  return {
    id,
    releases: (isAccepted ? releases : withoutHeld(releases, violations)).map((release) => {
      const rank = rankKey(release.version);
      const recorded = byRank.get(rank);
      const lackedBefore = lastAnswerWithout(freshness, lackedOn, isResolved || hadWaited.has(rank));
      const ownDay = recorded?.source === id ? recorded.notListedOn : undefined;
      return checkTimestamp(release, id, recorded ? ownDay : lackedBefore, recorded !== undefined, report);
    }),
    listed,
    onlyAdds,
    statesDeprecation,
    ...(pulled && { pulled: rankKey(pulled) }),
    ...(isAccepted && { isAccepted }),
  };
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

/** A backdated release would pass every rule on a minimum age, and end the support of older lines. */
function checkTimestamp(
  release: StatedRelease,
  id: string,
  notListedOn: Day | undefined,
  isRecorded: boolean,
  report: Report,
): StatedRelease {
  if (notListedOn === undefined) return release;
  const { publishedAt } = release;
  if (publishedAt === undefined || dayOf(publishedAt) >= addDays(notListedOn, -toleratedDays))
    return { ...release, notListedOn };
  const what = `${id} dates ${release.version.text} ${publishedAt}, but did not list it on ${notListedOn}.`;
  if (isRecorded) report('notice', `${what} The recorded day stays.`, `${id} day`);
  else
    report(
      'warning',
      `${what} Rejected that day; the day of this run is recorded, as observed.`,
      `${id} day`,
    );
  return defined({ ...release, publishedAt: undefined, notListedOn });
}

import { addDays, dayOf, type Day } from '../../core/model/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import { listingSources, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { counted, defined, listed } from '../../core/text/text.ts';
import { rankKey, type Version } from '../../core/model/version.ts';
import { suspicionMeasures, lateVersions } from '../gate/rules/suspicions.ts';
import type { Answered } from './ask-source.ts';
import { byRankOf, isWhole, listedBefore, rankOf } from './recorded-release.ts';
import { findFloating } from './stated-digests.ts';
import type { StatedRelease } from '../sources/datasource.ts';

/** The accepted answer of one source. */
export interface SoundAnswer extends Pick<
  Answered,
  'id' | 'listed' | 'onlyAdds' | 'statesDeprecation'
> {
  releases: readonly StatedRelease[];
  /** The day of its last sound answer before this one. */
  answeredBefore?: Day | undefined;
  /** Rank of the greatest version it listed, if only this version is missing now. */
  pulled?: string | undefined;
}

/** Known facts for reading a source's answer. */
interface Known {
  component: string;
  recorded: readonly RecordedRelease[];
  /** Versions that an earlier run found missing, with their first missing day. */
  missingSince: Readonly<Record<string, Day>>;
  /** The source's last answers. */
  freshness: SourceFreshness | undefined;
  /** The versions of the component that wait, with the day since which each waits. */
  waiting: ReadonlyMap<string, Day>;
  day: Day;
}

type Report = (level: 'warning' | 'notice', message: string, kind?: string) => void;

/** Checks an answer against recorded data. The gate decides later whether to accept it. */
export function readAnswer(
  outcome: Answered,
  before: Known,
): { answer: SoundAnswer; findings: Finding[] } {
  const { id, listed: ranks, onlyAdds, statesDeprecation } = outcome;
  const { component, recorded } = before;
  const findings: Finding[] = [];
  const report: Report = (level, message, kind = message) =>
    findings.push({ level, subject: component, message, kind });
  const releases = withoutMoving(outcome, before, report);
  const pulled = findPulledRelease(outcome, before);

  if (pulled && onlyAdds) {
    const missing = `${id} no longer lists ${pulled.text}, the greatest version it listed. A page only adds, so it stays;`;
    report(
      'warning',
      `${missing} if upstream pulled it, deprecate it in components/${component}.json.`,
    );
  }

  const byRank = byRankOf(recorded);
  const lackedOn = lastDayWithout(outcome, releases, before);

  // Many waiting versions do not make a version suspicious that is listed for the first time.
  const isWaiting = ({ version }: StatedRelease) => before.waiting.has(version);
  const newOnes = releases.filter((release) => !isWaiting(release));
  const lackedByNew = lastDayWithout(outcome, releases, before, newOnes);
  const lackedBefore = (since: Day) =>
    lackedOn !== undefined && since < lackedOn ? since : lackedOn;

  const answer = {
    id,
    listed: ranks,
    onlyAdds,
    statesDeprecation,
    answeredBefore: before.freshness?.answeredOn,
    releases: releases.map((release) => {
      const entry = byRank.get(rankOf(release));
      const ownDay = entry?.source === id ? entry.notListedOn : undefined;
      const since = before.waiting.get(release.version);
      const lacked = since === undefined ? lackedByNew : lackedBefore(since);

      return checkTimestamp(release, id, entry ? ownDay : lacked, entry !== undefined, report);
    }),
    pulled: pulled && rankKey(pulled),
  };

  return { answer, findings };
}

/** The greatest version that the source listed, if no other version has gone missing today. */
function findPulledRelease(
  { id, listed: ranks }: Answered,
  { recorded, missingSince, day }: Known,
): Version | undefined {
  const before = listedBefore(id, recorded);
  const missing = before
    .filter((version) => !ranks.has(rankKey(version)))
    .filter(({ text }) => !((missingSince[text] ?? day) < day));

  return missing.length === 1 && missing[0] === before.at(-1) ? missing[0] : undefined;
}

/**
 * The day of the last sound answer without the new versions. Undefined if the data may have been restored to an earlier state than
 * the freshness: versions that it lacks may have been listed for long.
 */
function lastDayWithout(
  { id, definition }: Answered,
  releases: readonly StatedRelease[],
  { recorded, freshness, waiting }: Known,
  judged = releases,
): Day | undefined {
  const { answeredOn, listed: digest, definition: asked = definition } = freshness ?? {};
  if (answeredOn === undefined || asked !== definition) {
    return undefined;
  }

  const hasRecorded = recorded.some((entry) => listingSources(entry).includes(id));
  const byRank = byRankOf(recorded);
  const versions = releases.map(({ version }) => version);
  const hasAll = isWhole(recorded, id, freshness, [...waiting.keys()]);

  // Without a recorded release, the data may have lost versions of the last answer.
  if (!hasRecorded && (!hasAll || digest === undefined)) {
    return undefined;
  }

  if (!hasAll && isWhole(recorded, id, freshness, versions)) {
    return undefined;
  }

  const fresh = judged.filter((release) => !byRank.has(rankOf(release)));
  const late = lateVersions(fresh, answeredOn).length;

  return late > (hasAll ? suspicionMeasures.restored.most : 0) ? undefined : answeredOn;
}

/**
 * A container's tag that currently points to another release is not a release. If it is recorded, it stays without its digest, or
 * it would be reported as republished. In other datasources, two versions may have the same bytes.
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
    isContainer && floating.has(release) && !ranks.has(rankOf(release));
  const moving = [...unordered, ...releases.filter(isLeftOut).map(({ version }) => version)];
  if (moving.length > 0) {
    const tags = `${counted(moving.length, 'tag')} that ${moving.length === 1 ? 'is no release' : 'are no releases'}`;
    report('notice', `${id} lists ${tags}: ${listed(moving, 10)}. Left out.`);
  }

  return releases
    .filter((release) => !isLeftOut(release))
    .map((release) =>
      floating.has(release) ? defined({ ...release, digests: undefined }) : release,
    );
}

/** A backdated release would pass rules on a minimum age, and end the support of older lines. */
function checkTimestamp(
  release: StatedRelease,
  id: string,
  notListedOn: Day | undefined,
  isRecorded: boolean,
  report: Report,
): StatedRelease {
  if (notListedOn === undefined) {
    return release;
  }

  const { version, releaseTimestamp: day } = release;
  const limit = addDays(notListedOn, -suspicionMeasures.restored.days);
  if (day === undefined || dayOf(day) >= limit) {
    return { ...release, notListedOn };
  }

  const conflict = `${id} dates ${version} ${day}, but did not list it on ${notListedOn}.`;

  if (isRecorded) {
    report('notice', `${conflict} The recorded day stays.`, `${id} day`);
  } else {
    report(
      'warning',
      `${conflict} Rejected that day; the day of this run is recorded, as observed.`,
      `${id} day`,
    );
  }

  return defined({ ...release, releaseTimestamp: undefined, notListedOn });
}
